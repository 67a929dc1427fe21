"""What every test may use, and what is left out: MySQL's kind of server, where there is none."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest

HOW = "MariaDB and MySQL are left out: set TEST_MARIADB_URL, to mysql://root@127.0.0.1:3306/test for example"


def pytest_report_header() -> list[str]:
    return [] if os.environ.get("TEST_MARIADB_URL") else [HOW]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """One line says how to try that server, not one for each of its tests."""
    left_out = {item for item in items if "mariadb" in item.name}
    if left_out and not os.environ.get("TEST_MARIADB_URL"):
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session", autouse=True)
def _databases() -> Iterator[None]:
    """What was made on the servers is dropped again."""
    yield
    if servers := sys.modules.get("tests.memory.servers"):
        servers.drop()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Async tests run on asyncio: it is what the SDK and the desk run on."""
    return "asyncio"
