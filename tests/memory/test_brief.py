"""Reads of a few items, which need no hop to another thread: they stay fair, true and patient."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from memory import SQLiteSession

from .items import user


async def test_the_newest_items_are_read_without_a_thread_of_their_own(tmp_path: Path) -> None:
    session = SQLiteSession("s", tmp_path / "a.db")
    await session.add_items([user("first"), user("second")])
    await session.get_items(1)  # opens the connection, on the thread

    called: list[int] = []
    # SQLite calls back for every row of this query, on whichever thread runs it.
    channel = session.database._read_channel  # the thread is nothing the public face tells
    assert channel.connection is not None
    channel.connection.set_trace_callback(lambda statement: called.append(threading.get_ident()))

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
