"""However many sessions and appends there were, no thread, file or connection is left over."""

from __future__ import annotations

import asyncio
import gc
import threading
from pathlib import Path

import pytest

from memory import SQLiteDatabase, SQLiteSession

from .items import turn, turns, user

SESSION = "ticket_456"


@pytest.fixture
def session(filed: SQLiteSession) -> SQLiteSession:
    return filed


def open_files() -> int:
    own = Path("/proc/self/fd")
    if not own.exists():
        pytest.skip("needs a system that lists open files")
    return len(list(own.iterdir()))


async def test_threads_files_and_connections_do_not_grow_with_sessions_and_appends(
    session: SQLiteSession, path: Path
) -> None:
    async def open_and_look(number: int) -> None:
        other = SQLiteSession(f"session {number % 7}", path)
        await other.add_items([user(f"{number}")])
        await other.get_items(1)
        other.close()

    for number in range(10):
        await open_and_look(number)
    # What earlier tests left behind may still come to its end meanwhile: fewer is as good as the same.
    threads, files = threading.active_count(), open_files()
    for number in range(300):
        await open_and_look(number)
    for number in range(2_000):
        await session.append([user(f"{number}")], agent="Triage")
    assert threading.active_count() <= threads
    assert open_files() <= files


async def test_a_database_that_nobody_uses_any_more_leaves_no_thread_and_no_file_open(tmp_path: Path) -> None:
    await _use_and_forget(tmp_path, 0)
    await until_none_is_left()
    files = open_files()
    for number in range(30):
        await _use_and_forget(tmp_path, number)
    await until_none_is_left()
    assert open_files() <= files


async def _use_and_forget(folder: Path, number: int) -> None:
    session = SQLiteSession(SESSION, folder / f"{number}.db")
    await session.add_items(turn(number))
    await session.get_items()
    session.close()


async def until_none_is_left() -> None:
    """Until the threads of all forgotten databases have come to their end; fails if one never does."""
    for _ in range(1_000):
        gc.collect()
        if not any(thread.name.startswith("memory-") for thread in threading.enumerate()):
            return
        await asyncio.sleep(0.01)
    raise AssertionError(threading.enumerate())


async def test_sessions_in_memory_end_with_their_objects() -> None:
    for number in range(30):
        session = SQLiteSession(SESSION)
        await session.add_items(turn(number))
        session.close()
    del session
    await until_none_is_left()


async def test_a_closed_database_can_be_opened_again(path: Path) -> None:
    for number in range(1, 4):
        session = SQLiteSession(SESSION, path)
        await session.add_items(turn(number))
        session.database.close()
        assert SQLiteDatabase.at(path) is not session.database
    last = SQLiteSession(SESSION, path)
    assert await last.get_items() == turns(3)
    last.database.close()
