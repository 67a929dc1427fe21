"""Reads and writes of a few items, which need no hop to another thread: they stay fair, true and patient."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memory import RollBack, SQLiteSession, StoreUnavailable, sqlite_channel
from memory.cutting import FEW

from .items import turn, user


def threads_of(channel: Any) -> list[int]:
    """The thread of every statement from now on; which one it is, the public face does not tell."""
    called: list[int] = []
    assert channel.connection is not None
    channel.connection.set_trace_callback(lambda statement: called.append(threading.get_ident()))
    return called


async def swift(path: Path) -> SQLiteSession:
    """A session whose disk is known to be swift: how long a write takes shows with the first ones."""
    session = SQLiteSession("s", path)
    session.database.SWIFT = 60.0  # however busy the machine is
    for _ in range(2):
        await session.add_items([user("hello")])
    return session


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, what is brief is brief."""
    monkeypatch.setattr(sqlite_channel, "AT_ONCE", 60.0)


@pytest.mark.usefixtures("unhurried")
async def test_the_newest_items_are_read_without_a_thread_of_their_own(tmp_path: Path) -> None:
    session = SQLiteSession("s", tmp_path / "a.db")
    await session.add_items([user("first"), user("second")])
    await session.get_items(1)  # opens the connection, on the thread

    called = threads_of(session.database._read_channel)
    assert await session.get_items(2) == [user("first"), user("second")]
    assert set(called) == {threading.get_ident()}


async def test_a_task_that_reads_without_end_lets_the_others_go_on(tmp_path: Path) -> None:
    session = SQLiteSession("s", tmp_path / "a.db")
    await session.add_items([user("hello")])
    other_ran = asyncio.Event()

    async def read_until_the_other_ran() -> int:
        reads = 0
        while not other_ran.is_set():
            await session.get_items(1)
            reads += 1
        return reads

    async def other() -> None:
        other_ran.set()

    async with asyncio.timeout(10):
        reading = asyncio.create_task(read_until_the_other_ran())
        await asyncio.create_task(other())
        assert await reading > 0


async def test_a_brief_read_waits_for_a_program_that_holds_the_file(tmp_path: Path) -> None:
    path = tmp_path / "rollback-journal.db"
    with closing(sqlite3.connect(path)) as made:
        made.execute("PRAGMA journal_mode = DELETE")
        made.execute("CREATE TABLE other (x)")
        made.commit()
    session = SQLiteSession("s", path)
    await session.add_items([user("hello")])
    await session.get_items(1)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        waiting = asyncio.create_task(session.get_items(1))
        done, _ = await asyncio.wait([waiting], timeout=0.3)
        assert not done
        other.execute("COMMIT")
        assert await waiting == [user("hello")]


async def test_a_brief_read_sees_what_was_just_stored_and_what_another_program_stored(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    one, other = SQLiteSession("s", path), SQLiteSession("s", path)
    for number in range(50):
        await (one if number % 2 else other).add_items([user(f"{number}")])
        assert (await one.get_items(1), await other.get_items(1)) == ([user(f"{number}")],) * 2


async def test_an_unreadable_row_takes_no_place_among_the_newest(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    session = SQLiteSession("s", path)
    await session.add_items([user("first"), user("second"), user("third")])
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE agent_messages SET message_data = 'no json' WHERE message_data LIKE '%second%'")
    assert await session.get_items(2) == [user("first"), user("third")]


async def test_a_brief_read_of_a_closed_store_says_so(tmp_path: Path) -> None:
    session = SQLiteSession("s", tmp_path / "a.db")
    await session.add_items([user("hello")])
    await session.get_items(1)
    session.close()
    with pytest.raises(RuntimeError, match="closed"):
        await session.get_items(1)


@pytest.mark.usefixtures("unhurried")
async def test_a_brief_write_is_made_where_it_was_asked_for_and_is_durable(tmp_path: Path) -> None:
    session = await swift(tmp_path / "a.db")
    called = threads_of(session.database._write_channel)
    await session.append(turn(1), agent="Triage")
    await session.pop_item()
    await session.apply(await session.plan(RollBack(None)))
    assert set(called) == {threading.get_ident()}
    await session.undo()
    with closing(sqlite3.connect(tmp_path / "a.db")) as other:
        assert other.execute("SELECT count(*) FROM agent_messages").fetchone() == (2 + len(turn(1)) - 1,)


async def test_on_a_slow_disk_a_write_is_waited_for_on_the_thread(tmp_path: Path) -> None:
    session = await swift(tmp_path / "a.db")
    session.database.SWIFT = 0.0
    called = threads_of(session.database._write_channel)
    await session.add_items([user("there")])
    assert called
    assert threading.get_ident() not in called


async def test_a_write_that_turns_out_long_goes_on_on_the_thread_and_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await swift(tmp_path / "a.db")
    monkeypatch.setattr(sqlite_channel, "AT_ONCE", 0.0)  # however fast the machine is
    called = threads_of(session.database._write_channel)
    items = [user("long " * 400_000), *(user(f"{number}") for number in range(20))]
    await session.append(items, agent="Triage")
    assert (await session.get_items())[2:] == items
    assert len(set(called)) == 2  # begun here, made there
    await session.apply(await session.plan(RollBack((await session.timeline()).entries[1].id)))
    assert await session.get_items() == [user("hello")] * 2
    await session.undo()
    assert (await session.get_items())[2:] == items


async def test_writes_keep_the_order_they_were_asked_for_in_whoever_holds_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    session = await swift(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writing = [asyncio.create_task(session.add_items([user(f"{number}")])) for number in range(8)]
        await asyncio.sleep(0.05)
        other.execute("COMMIT")
        writing += [asyncio.create_task(session.add_items([user(f"{number}")])) for number in range(8, 16)]
        await asyncio.gather(*writing)
    assert (await session.get_items())[2:] == [user(f"{number}") for number in range(16)]


@pytest.mark.usefixtures("unhurried")
async def test_writes_keep_the_order_they_were_asked_for_in_wherever_the_thread_is(tmp_path: Path) -> None:
    armed, stopped, go_on = threading.Event(), threading.Event(), threading.Event()

    def trace(frame: Any, event: str, arg: Any) -> None:
        if armed.is_set() and threading.current_thread().name == "memory-writer":
            armed.clear()  # it has just taken up what is to be done next
            stopped.set()
            go_on.wait(10)

    threading.settrace(trace)
    try:
        session = await swift(tmp_path / "a.db")
    finally:
        threading.settrace(None)  # type: ignore[arg-type]
    armed.set()
    writing = [asyncio.create_task(session.add_items([user("many")] * (FEW + 1)))]
    assert await asyncio.to_thread(stopped.wait, 10)
    writing.append(asyncio.create_task(session.add_items([user("last")])))
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(*writing)
    assert await session.get_items(2) == [user("many"), user("last")]


async def test_a_task_that_writes_without_end_lets_the_others_go_on(tmp_path: Path) -> None:
    session = await swift(tmp_path / "a.db")
    other_ran = asyncio.Event()

    async def write_until_the_other_ran() -> int:
        writes = 0
        while not other_ran.is_set():
            await session.add_items([user("again")])
            writes += 1
        return writes

    async def other() -> None:
        other_ran.set()

    async with asyncio.timeout(10):
        writing = asyncio.create_task(write_until_the_other_ran())
        await asyncio.create_task(other())
        assert await writing > 0


async def test_a_brief_write_that_fails_says_why_and_changes_nothing(tmp_path: Path) -> None:
    session = await swift(tmp_path / "a.db")
    with closing(sqlite3.connect(tmp_path / "a.db")) as other:
        other.execute(
            "CREATE TRIGGER no BEFORE INSERT ON agent_messages BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    with pytest.raises(StoreUnavailable, match=r"Nothing was changed\.$"):
        await session.add_items([user("there")])
    assert await session.get_items() == [user("hello")] * 2


async def test_a_brief_write_to_a_file_that_was_damaged_says_so_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    session = await swift(path)
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path.write_bytes(b"no database at all " * 500)
    await asyncio.sleep(0.02)  # others are looked for every few milliseconds
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match=r"a\.db"):
            await session.add_items([user("there")])


async def test_beside_another_writer_a_write_is_waited_for_on_the_thread(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    session = await swift(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("CREATE TABLE other (x)")
    await asyncio.sleep(0.02)  # others are looked for every few milliseconds
    called = threads_of(session.database._write_channel)
    await session.add_items([user("there")])
    await session.add_items([user("again")])
    assert await session.get_items(2) == [user("there"), user("again")]
    ours = threading.get_ident()
    assert [thread for thread in called if thread != ours]


@pytest.mark.parametrize("steps", [1, 2, 3, 5, 8, 13, 40])
@pytest.mark.parametrize("kept", ["in memory", "on file"])
async def test_what_runs_out_of_time_while_it_begins_is_taken_back_like_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: str, steps: int
) -> None:
    session = await swift(tmp_path / "a.db" if kept == "on file" else Path(":memory:"))
    monkeypatch.setattr(sqlite_channel, "STEPS", steps)
    monkeypatch.setattr(sqlite_channel, "AT_ONCE", 0.0)
    for number in range(20):
        await session.add_items([user(str(number))])
        assert await session.get_items(1) == [user(str(number))]
    assert len(await session.get_items()) == 22
