"""Every kind of session as a fixture.

    session, store      each kind there is: only what the contract and four methods promise
    own, own_store      the kinds whose rows are ours: every edit, the ledger, leases, decisions
    path, filed, sdk    a file, our session in it, and another program's, of the SDK's class

`store` and `own_store` open further sessions of the same store by id.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from agents import SQLiteSession as SdkSession

from memory import InspectableSession, SQLiteSession, TableSession

from .stores import KINDS, Open


@pytest.fixture(autouse=True)
def _sdk_sessions_are_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test opens with the SDK's class is closed behind it: Python 3.13 reports what is not."""
    opened: list[SdkSession] = []
    start = SdkSession.__init__

    @wraps(start)
    def remember(session: SdkSession, *args: Any, **more: Any) -> None:
        start(session, *args, **more)
        opened.append(session)

    monkeypatch.setattr(SdkSession, "__init__", remember)
    yield
    for session in opened:
        session.close()


def kinds(*, edits: bool = False) -> list[Any]:
    """The names of all kinds, or of those that are tried with every edit, marked where they take long."""
    return [
        pytest.param(name, marks=pytest.mark.long) if kind.long else name
        for name, kind in KINDS.items()
        if kind.edits or not edits
    ]


async def opened(kind: str, folder: Path) -> AsyncIterator[Open]:
    async with AsyncExitStack() as stack:
        made = KINDS[kind].make(folder)
        if isinstance(made, AbstractAsyncContextManager):
            yield await stack.enter_async_context(made)
        else:
            yield stack.enter_context(made)


@pytest.fixture(params=kinds())
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Open]:
    async for open_ in opened(request.param, tmp_path):
        yield open_


@pytest.fixture
def session(store: Open) -> InspectableSession:
    return store("ticket_456")


@pytest.fixture(params=kinds(edits=True))
async def own_store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Open]:
    async for open_ in opened(request.param, tmp_path):
        yield open_


@pytest.fixture
def own(own_store: Open) -> TableSession:
    session = own_store("ticket_456")
    assert isinstance(session, TableSession)
    return session


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "conversations.db"


@pytest.fixture
async def filed(path: Path) -> AsyncIterator[SQLiteSession]:
    session = SQLiteSession("ticket_456", path)
    yield session
    session.database.close()


@pytest.fixture
def sdk(path: Path) -> Iterator[SdkSession]:
    session = SdkSession("ticket_456", path)
    yield session
    session.close()
