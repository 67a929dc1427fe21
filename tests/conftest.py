"""What every test may use."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Async tests run on asyncio: it is what the SDK and the desk run on."""
    return "asyncio"
