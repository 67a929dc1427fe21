"""A copy that was interrupted, anywhere, is gone on with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import create_async_engine

from memory import (
    SessionNotEmpty,
    SQLAlchemySession,
    SQLiteDatabase,
    SQLiteSession,
    Tables,
    TableSession,
    copy,
)
from memory.copying import fits
from memory.far_database import FarHome

from .. import servers
from ..deaths import COMMITS, STATEMENTS, Dead, Death, Points
from ..items import call, output, relay, turn, turns, user
from ..stores import entries_of, run_sql
from ..wholeness import complaints
from .copies import Interrupted, Stopper, notes, own_tables

Reopen = Callable[[float], TableSession]
"""The target as a new process finds it, at that time in seconds."""


@asynccontextmanager
async def on_a_file(folder: Path) -> AsyncIterator[Reopen]:
    yield lambda now: TableSession(
        "copy", SQLiteDatabase.at(folder / "a.db"), Tables("sessions", "messages"), clock=lambda: now
    )
    SQLiteDatabase.at(folder / "a.db").close()


@asynccontextmanager
async def with_a_ledger_apart(url: Any, folder: Path) -> AsyncIterator[Reopen]:
    engine = create_async_engine(url)
    ledger, names = folder / "ledger.db", own_tables()
    await SQLAlchemySession("another", engine=engine, create_tables=True, **names).add_items([user()])

    def reopen(now: float) -> TableSession:
        FarHome.at(ledger).close()
        return SQLAlchemySession("copy", engine=engine, ledger=ledger, clock=lambda: now, **names)

    yield reopen
    FarHome.at(ledger).close()
    await engine.dispose()


MORTAL: dict[str, Callable[[Path], AbstractAsyncContextManager[Reopen]]] = {
    "file": on_a_file,
    "ledger apart from a file": lambda folder: with_a_ledger_apart(
        f"sqlite+aiosqlite:///{folder / 'a.db'}", folder
    ),
    "ledger apart from a server": lambda folder: with_a_ledger_apart(servers.postgres(), folder),
}


@pytest.mark.parametrize(
    ("kind", "points"),
    [
        ("file", STATEMENTS),
        ("ledger apart from a file", COMMITS),
        ("ledger apart from a server", COMMITS),
        pytest.param("ledger apart from a file", STATEMENTS, marks=pytest.mark.long),
        pytest.param("ledger apart from a server", STATEMENTS, marks=pytest.mark.long),
    ],
    ids=lambda value: value if isinstance(value, str) else "commits" if value is COMMITS else "statements",
)
async def test_a_copy_may_die_between_any_two_statements_and_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, points: Points
) -> None:
    source = SQLiteSession("ticket_456")
    await source.note("interrupted")
    await source.append(relay(), agent="Triage", note=("stopped", {}))
    await source.append(turn(1), agent="Summary", note=("limit", {}))
    await run_sql(source, "UPDATE {messages} SET created_at = '2001-02-03 04:05:' || (10 + id)")
    original, written, now, deaths = await entries_of(source), await notes(source), 1_000_000.0, 0
    async with MORTAL[kind](tmp_path) as reopen:
        for left in range(1000):
            target = reopen(now)
            with monkeypatch.context() as patched:
                Death(patched, left, points)
                try:
                    await copy(source, target, batch=4)
                except Dead:
                    deaths += 1
                else:
                    break
            now += 31
            target = reopen(now)
            there = await target.get_items()
            assert there == [entry.item for entry in original[: len(there)]]
            assert complaints(there) == []
            whole = "copied" in [note[0] for note in await notes(target)]
            assert len(there) == len(original) or not whole
            assert await fits(target, "ticket_456") or whole
            if not whole:
                receipt = await copy(source, target, batch=4)
                assert (receipt.already, receipt.copied, receipt.same) == (len(there), len(original), True)
            found = await entries_of(target)
            assert [(e.item, e.created_at, e.agent) for e in found] == [
                (e.item, e.created_at, e.agent) for e in original
            ]
            assert (await notes(target))[0][0] == "copied"
            assert (await notes(target))[1:] == written
            await target.clear_session()
    assert deaths > (100 if points is STATEMENTS else 30)


async def test_an_interrupted_copy_is_not_gone_on_with_from_another_source(
    own: TableSession, other: SQLiteSession
) -> None:
    await own.add_items(turns(3))
    with pytest.raises(Interrupted):
        await copy(own, other, batch=4, progress=Stopper(1), origin="file/ticket_456")
    for origin in ("memory/ticket_456", None):
        with pytest.raises(SessionNotEmpty):
            await copy(own, other, origin=origin)
    assert (await copy(own, other, origin="file/ticket_456")).already == 4


async def test_an_interrupted_copy_that_somebody_wrote_to_is_left_alone(
    own: TableSession, other: SQLiteSession
) -> None:
    await own.add_items(turns(3))
    with pytest.raises(Interrupted):
        await copy(own, other, batch=4, progress=Stopper(1))
    await other.add_items([user("mine")])
    with pytest.raises(SessionNotEmpty):
        await copy(own, other)
    assert await other.get_items() == [*turn(1), user("mine")]


async def test_a_pair_far_apart_is_in_one_batch(own: TableSession, other: SQLiteSession) -> None:
    await own.add_items([user(), call("far"), *turns(20), output("far"), *turn(21)])
    with pytest.raises(Interrupted):
        await copy(own, other, batch=2, progress=Stopper(1))
    assert complaints(await other.get_items()) == []
    receipt = await copy(own, other, batch=2)
    assert receipt.same
