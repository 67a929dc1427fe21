"""A ledger apart from the messages: where it lies, and an edit cut off between the two databases."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.util import await_

from memory import (
    Clear,
    Edit,
    NothingToDo,
    Remove,
    Repair,
    Replace,
    RollBack,
    SQLAlchemySession,
    StoreUnavailable,
    Truncate,
    sessions_in,
)
from memory.far_database import READERS, FarHome, _Far
from memory.statements import Operation

from . import servers
from .apart import DATABASES, Apart, opened_apart
from .items import Item, call, turns, user
from .stores import Row, rows
from .test_growth import until_none_is_left
from .test_trouble import drop_tables

GUEST = f"{servers.NAME}_guest"


class Crash(BaseException):
    """The process ends here."""


@pytest.fixture(params=DATABASES)
async def apart(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Apart]:
    async with opened_apart(request.param, tmp_path) as opened:
        yield opened


async def tables_of(engine: AsyncEngine) -> set[str]:
    from sqlalchemy import inspect

    async with engine.connect() as connection:
        return set(await connection.run_sync(lambda c: inspect(c).get_table_names()))


async def test_a_session_says_where_its_ledger_lies(apart: Apart, tmp_path: Path) -> None:
    with_file, without = apart.open(), apart.open(ledger=None)
    await without.get_items()
    inside = SQLAlchemySession("x", engine=apart.engine, create_tables=True)
    homes = [session.ledger_home for session in (with_file, without, inside)]
    assert homes == ["file", "memory", "database"]


async def test_many_read_at_once_beside_a_writer(apart: Apart) -> None:
    session = apart.open()
    await session.append(turns(1), agent="Triage")
    for said in range(3):
        looked = [session.timeline() for _ in range(10)] + [apart.open().timeline() for _ in range(10)]
        done = await asyncio.gather(*looked, session.append([user(str(said))], agent="Triage"))
        assert all("Triage" in {entry.agent for entry in found.entries} for found in done[:-1])
    channels = FarHome.at(apart.ledger).channels
    assert len(channels) <= 1 + READERS, "what was opened for a crowd is closed behind it"


async def test_a_read_sees_the_ledger_as_it_was_when_the_read_began_whoever_ends_in_between(
    apart: Apart,
) -> None:
    session = apart.open()
    await session.append(turns(1), agent="Triage")
    begun, written = asyncio.Event(), asyncio.Event()

    def slow() -> Operation[tuple[int, int]]:
        asked = f"SELECT count(*) FROM {session.scope.ledger.authors}"
        ((before,),) = yield session.scope.ledger.sql(asked)
        begun.set()
        await_(written.wait())
        ((after,),) = yield session.scope.ledger.sql(asked)
        return before, after

    reading = asyncio.create_task(session.database.read(slow))
    await begun.wait()
    await session.append(turns(1), agent="Approval")
    await session.timeline()
    written.set()
    before, after = await reading
    assert before == after


async def test_side_tables_that_are_there_are_used(apart: Apart) -> None:
    inside = SQLAlchemySession("x", engine=apart.engine, create_tables=True)
    await inside.add_items(turns(1))
    await inside.pop_item()
    later = apart.open("x", ledger=None)
    await later.undo()
    assert later.ledger_home == "database"
    assert await inside.get_items() == turns(1)


async def test_nothing_is_made_in_the_database(apart: Apart) -> None:
    before = await tables_of(apart.engine)
    session = apart.open()
    await session.append(turns(2), agent="Triage", note=("stopped", {}))
    await session.pop_item()
    await session.undo()
    await session.acquire("run", 30)
    assert await tables_of(apart.engine) == before
    assert (await session.timeline()).entries[1].agent == "Triage"


async def test_what_was_taken_outlives_the_process(apart: Apart) -> None:
    session = apart.open()
    await session.append(turns(3), agent="Triage")
    before = await rows(session)
    await session.apply(await session.plan(Clear()))
    apart.restart()
    again = apart.open()
    assert await again.get_items() == []
    await again.undo()
    assert await rows(again) == before


async def test_stores_that_share_a_file_do_not_share_a_ledger(apart: Apart, tmp_path: Path) -> None:
    engine = create_async_engine(f"sqlite+aiosqlite:///{tmp_path / 'other.db'}")
    await SQLAlchemySession("z", engine=engine, create_tables=True).add_items([user()])
    other = SQLAlchemySession("ticket_456", engine=engine, ledger=apart.ledger)
    session = apart.open()
    for one in (session, other):
        await one.add_items(turns(1))
    await session.pop_item()
    assert len(await session.changes()) == 1
    assert await other.changes() == []
    await engine.dispose()


async def test_who_wrote_what_stays_with_rows_that_are_written_again(apart: Apart) -> None:
    session = apart.open()
    wrote = ["Approval", *["Triage"] * 3]
    await session.append(LONE[:1], agent="Approval")
    await session.append(turns(1), agent="Triage", note=("stopped", {}))
    before = await session.timeline()
    await session.apply(await session.plan(Repair(before.entries[0].id, "complete")))
    after = await session.timeline()
    assert after.entries[-1].id != before.entries[-1].id
    assert [entry.agent for entry in after.entries if entry.agent] == wrote
    assert [note.after for note in await session.notes(after)] == [after.entries[-1].id]
    await session.undo()
    assert [entry.agent for entry in (await session.timeline()).entries if entry.agent] == wrote
    assert [note.after for note in await session.notes(before)] == [before.entries[-1].id]


async def edit_of(session: SQLAlchemySession, kind: str) -> Edit:
    entries = (await session.timeline()).entries
    edits: dict[str, Edit] = {
        "roll back": RollBack(to=entries[3].id),
        "truncate": Truncate(keep_turns=1),
        "remove": Remove((entries[1].id,)),
        "replace": Replace(entries[0].id, user("other words")),
        "clear": Clear(),
        "repair": Repair(entries[8].id, "complete"),
    }
    return edits[kind]


LONE: list[Item] = [call("lone"), user("after it")]
KINDS = ["roll back", "truncate", "remove", "replace", "clear", "repair"]


async def state(session: SQLAlchemySession) -> tuple[list[Row], Any, Any]:
    timeline = await session.timeline()
    agents = [entry.agent for entry in timeline.entries]
    changes = [(c.id, c.kind, c.removed, c.added, c.undone) for c in await session.changes()]
    return (await rows(session), agents, changes)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("when", ["kept", "removed", "done"])
@pytest.mark.parametrize("way", ["apply", "undo", "redo"])
async def test_a_crash_leaves_the_state_before_or_the_state_after(
    apart: Apart, monkeypatch: pytest.MonkeyPatch, kind: str, when: str, way: str
) -> None:
    session = apart.open()
    await session.append([*turns(2), *LONE], agent="Triage")
    plan = await session.plan(await edit_of(session, kind))
    if way != "apply":
        await session.apply(plan)
    if way == "redo":
        await session.undo()
    before = await state(session)
    with monkeypatch.context() as patched:
        _crash(patched, apart, when)
        with pytest.raises(Crash):
            await {"apply": lambda: session.apply(plan), "undo": session.undo, "redo": session.redo}[way]()
    apart.restart()
    again = apart.open()
    assert bool(apart.journals())
    await again.note("reopened")
    assert apart.journals() == []
    found = await state(again)
    if when == "done":
        assert found != before
        after = found
        await (again.redo if way == "undo" else again.undo)()
        await (again.undo if way == "undo" else again.redo)()
        assert await state(again) == after
    else:
        assert found == before


@pytest.mark.parametrize("when", ["kept", "removed", "done"])
@pytest.mark.parametrize("waits", [False, True], ids=["plain", "ending a decision"])
async def test_a_branch_that_a_crash_cuts_off_is_there_with_all_it_ended_or_never_was(
    apart: Apart, monkeypatch: pytest.MonkeyPatch, when: str, waits: bool
) -> None:
    session = apart.open()
    await session.append([*turns(2), *LONE[:1]], agent="Triage")
    if waits:
        await session.append([], agent="Triage", note=("stopped", {}))
        await session.pause("{}", [("lone", "refund_order", "{}", "Approval")])
    before = await rows(session)
    with monkeypatch.context() as patched:
        _crash(patched, apart, when)
        with pytest.raises(Crash):
            await session.branch("b")
    apart.restart()
    again, other = apart.open(), apart.open("b")
    await again.append([], note=("reopened", {}))
    assert apart.journals() == []
    listed = [name for name, _ in await sessions_in(again.database, again.scope.tables)]
    notes = [note.kind for note in await other.notes(await other.timeline())]
    if when == "done":
        closed = 1 if waits else 0
        assert len(await other.get_items()) == len(await again.get_items()) == len(before) + closed
        assert (await again.waiting() is None, "b" in listed) == (True, True)
        assert notes == (["stopped", "superseded"] if waits else [])
    else:
        assert (await rows(again), await other.get_items(), notes) == (before, [], [])
        assert (await again.waiting() is not None, "b" in listed) == (waits, False)
        assert len(await (await again.branch("b")).get_items()) == len(before) + waits


async def test_a_branch_into_an_emptied_session_that_a_crash_cuts_off_leaves_its_undo(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, other = apart.open(), apart.open("b")
    for one in (session, other):
        await one.append(turns(1), agent="Triage")
    await other.apply(await other.plan(Clear()))
    with monkeypatch.context() as patched:
        _crash(patched, apart, "removed")
        with pytest.raises(Crash):
            await session.branch("b")
    apart.restart()
    again = apart.open("b")
    await again.undo()
    assert await again.get_items() == turns(1)


def _crash(patched: pytest.MonkeyPatch, apart: Apart, when: str) -> None:
    keep, commit = _Far._keep, Connection.commit

    def keep_and_crash(self: _Far, *arguments: Any) -> None:
        keep(self, *arguments)
        raise Crash

    def commit_and_crash(self: Connection) -> None:
        commit(self)
        if apart.journals():
            raise Crash

    def crash(self: _Far) -> None:
        raise Crash

    if when == "kept":
        patched.setattr(_Far, "_keep", keep_and_crash)
    elif when == "removed":
        patched.setattr(Connection, "commit", commit_and_crash)
    else:
        patched.setattr(_Far, "_drop_journal", crash)


async def test_an_edit_whose_ledger_cannot_be_written_is_taken_back_at_once(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = apart.open()
    await session.append(turns(2), agent="Triage")
    before = await rows(session)
    plan = await session.plan(RollBack(to=(await session.timeline()).entries[3].id))
    statement = _Far._statement

    def full(self: _Far, sql: str) -> None:
        if sql == "COMMIT":
            raise StoreUnavailable("The disk is full. Nothing was changed.")
        statement(self, sql)

    with monkeypatch.context() as patched:
        patched.setattr(_Far, "_statement", full)
        with pytest.raises(StoreUnavailable):
            await session.apply(plan)
    assert await rows(session) == before
    assert apart.journals() == []
    await session.apply(plan)
    await session.undo()
    assert await rows(session) == before


async def test_a_ledger_on_a_user_without_rights_works_elsewhere() -> None:
    url = servers.postgres()
    owner = create_async_engine(url)
    await SQLAlchemySession("x", engine=owner, create_tables=True).add_items(turns(1))
    async with owner.begin() as connection:
        for statement in (
            f"DROP ROLE IF EXISTS {GUEST}",
            f"CREATE ROLE {GUEST} LOGIN",
            "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON agent_sessions, agent_messages TO {GUEST}",
            f"GRANT USAGE ON agent_messages_id_seq TO {GUEST}",
        ):
            await connection.execute(text(statement))
    guest = create_async_engine(url.set(username=GUEST))
    inside = SQLAlchemySession("x", engine=guest, create_tables=True)
    with pytest.raises(StoreUnavailable, match="more rights"):
        await inside.pop_item()
    apart = SQLAlchemySession("x", engine=guest)
    assert await apart.pop_item() == turns(1)[-1]
    await apart.undo()
    assert await inside.get_items() == turns(1)
    await guest.dispose()
    await drop_tables(owner)
    async with owner.begin() as connection:
        await connection.execute(text(f"DROP ROLE {GUEST}"))
    await owner.dispose()


async def test_a_ledger_that_nobody_uses_any_more_leaves_no_thread(tmp_path: Path) -> None:
    engine = create_async_engine(f"sqlite+aiosqlite:///{tmp_path / 'theirs.db'}")
    await SQLAlchemySession("another", engine=engine, create_tables=True).add_items([user("somebody else")])
    for ledger in (None, tmp_path / "ledger.db"):
        session = SQLAlchemySession("ticket_456", engine=engine, ledger=ledger)
        await session.append([user("hello")], agent="Triage")
        assert session.ledger_home == ("file" if ledger else "memory")
    del session
    await engine.dispose()
    del engine
    await until_none_is_left()


async def test_a_ledger_that_was_closed_can_be_opened_again(tmp_path: Path) -> None:
    home = FarHome.at(tmp_path / "ledger.db")
    home.close()
    assert FarHome.at(tmp_path / "ledger.db") is not home


async def test_a_purge_leaves_no_text_in_the_ledger_either(apart: Apart, tmp_path: Path) -> None:
    session = apart.open()
    await session.add_items([user("xyzzy-marker"), *turns(1)])
    await session.apply(await session.plan(Clear()))
    await session.append([user("said since")], agent="Triage")
    assert "ledger" in " ".join(_files_with(tmp_path, "xyzzy-marker"))
    await session.purge()
    assert _files_with(tmp_path, "xyzzy-marker") == []
    with pytest.raises(NothingToDo):
        await session.undo()


@pytest.mark.parametrize(("file", "table"), [("a.db", "agent_messages"), ("ledger.db", "sqlite_master")])
async def test_a_purge_says_that_a_reader_keeps_the_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, table: str
) -> None:
    monkeypatch.setattr("memory.sqlite_file.PATIENCE", 0.05)
    engine = create_async_engine(f"sqlite+aiosqlite:///{tmp_path / 'a.db'}", connect_args={"timeout": 0.05})
    ledger = tmp_path / "ledger.db"
    session = SQLAlchemySession("ticket_456", engine=engine, create_tables=True, ledger=ledger)
    await session.add_items([user("said")])
    await session.apply(await session.plan(Clear()))
    with closing(sqlite3.connect(tmp_path / file, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute(f"SELECT * FROM {table}").fetchall()
        with pytest.raises(StoreUnavailable, match="still holds their text; purge again"):
            await session.purge()
    await session.purge()
    assert _files_with(tmp_path, '"said"') == []
    FarHome.at(ledger).close()
    await engine.dispose()


def _files_with(folder: Path, text: str) -> list[str]:
    return [path.name for path in folder.iterdir() if text.encode() in path.read_bytes()]
