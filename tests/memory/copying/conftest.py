"""Two stores to copy between."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from memory import SQLiteSession

from ..conftest import opened
from ..stores import KINDS, Open

COMMON = ("sqlite-file", "encrypted-file")
WAYS = [
    pytest.param((one, other), marks=pytest.mark.long if KINDS[one].long or KINDS[other].long else ())
    for one in KINDS
    for other in KINDS
    if one in COMMON or other in COMMON
]
"""From and to every store; not every pair of the rare ones."""


@pytest.fixture(params=WAYS, ids=lambda way: f"{way[0]} to {way[1]}")
async def ways(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Open, Open]]:
    """Two stores, the first to copy from."""
    source, target = request.param
    for name in ("from", "to"):
        (tmp_path / name).mkdir()
    async for source_store in opened(source, tmp_path / "from"):
        async for target_store in opened(target, tmp_path / "to"):
            yield source_store, target_store


@pytest.fixture
def source_store(ways: tuple[Open, Open]) -> Open:
    return ways[0]


@pytest.fixture
def target_store(ways: tuple[Open, Open]) -> Open:
    return ways[1]


@pytest.fixture
def other() -> SQLiteSession:
    """Another store of ours."""
    return SQLiteSession("ticket_456")
