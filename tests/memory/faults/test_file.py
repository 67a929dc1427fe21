"""A file that is no store, gone or another one: it is left as it is, and never shown as empty."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from memory import SQLiteSession, StoreUnavailable

from ..faulty import SESSION, contents, everything, make_folder, move, put, remove
from ..items import turn, turns, user
from .works import READS, WRITES, refusal, whole

# what is no store


async def _junk(path: Path) -> None:
    put(path, b"This is no database. " * 400)


async def _damaged(path: Path) -> None:
    session = SQLiteSession(SESSION, path)
    await session.add_items(turns(60))
    session.database.close()
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * 8 * 4096)


async def _cut_off(path: Path) -> None:
    session = SQLiteSession(SESSION, path)
    await session.add_items(turns(60))
    session.database.close()
    put(path, contents(path)[:6_000])


@pytest.mark.parametrize("make", [_junk, _damaged, _cut_off])
async def test_a_file_that_is_no_store_or_a_damaged_one_is_left_as_it_is(
    folder: Path, path: Path, make: Callable[[Path], Awaitable[None]]
) -> None:
    await make(path)
    before = contents(path)
    session = SQLiteSession(SESSION, path)
    said = await refusal(session.get_items(), path)
    assert "left as it is" in said
    for name in ("add_items", "pop", "apply", "clear"):
        await refusal(WRITES[name](session), path)
    session.database.close()
    assert contents(path) == before


async def test_a_directory_is_no_store(folder: Path, path: Path) -> None:
    make_folder(path)
    session = SQLiteSession(SESSION, path)
    for work in (*READS.values(), *WRITES.values()):
        assert "is a folder, not a file" in await refusal(work(session), path)
    session.database.close()
    assert everything(path) == {}


async def test_a_file_is_no_folder(folder: Path) -> None:
    (folder / "notes.txt").write_text("keep me")
    path = folder / "notes.txt" / "conversations.db"
    session = SQLiteSession(SESSION, path)
    for work in (session.get_items(), session.timeline(), session.add_items(turn(1))):
        with pytest.raises(StoreUnavailable, match=r"^The folder of conversations\.db cannot be used"):
            await work
    session.database.close()
    assert everything(folder) == {"notes.txt": b"keep me"}


async def test_an_empty_file_becomes_a_store(path: Path) -> None:
    put(path, b"")
    session = SQLiteSession(SESSION, path)
    assert await session.get_items() == []
    await session.add_items(turn(1))
    assert await session.get_items() == turn(1)
    session.database.close()


# a file that is gone, or another one


@pytest.mark.parametrize("looked", [True, False], ids=["looked before", "never looked"])
async def test_a_file_that_vanished_is_reported_and_not_shown_as_empty(
    session: SQLiteSession, path: Path, looked: bool
) -> None:
    await session.add_items(turns(2))
    if looked:
        await session.timeline()
    hidden = path.with_name("hidden.db")
    move(path, hidden)
    for work in (*READS.values(), *WRITES.values()):
        assert "was removed while it was in use" in await refusal(work(session), path)
    assert everything(path.parent).keys().isdisjoint({path.name})
    move(hidden, path)
    assert await session.get_items() == turns(2)


async def test_after_a_restart_a_removed_file_is_begun_anew(session: SQLiteSession, path: Path) -> None:
    await session.add_items(turns(2))
    remove(path)
    await refusal(session.get_items(), path)
    session.database.close()
    again = SQLiteSession(SESSION, path)
    assert await again.get_items() == []
    await again.add_items(turn(7))
    assert await again.get_items() == turn(7)
    again.database.close()
    assert whole(path)


async def another_store(path: Path) -> None:
    other = SQLiteSession(SESSION, path)
    await other.add_items([user("from the other file")])
    other.database.close()


async def test_a_log_that_was_left_beside_a_replaced_file_is_not_laid_over_it(
    session: SQLiteSession, folder: Path, path: Path
) -> None:
    await session.add_items(turns(2))
    await session.get_items()
    await another_store(folder / "backup.db")
    move(folder / "backup.db", path)
    before = contents(path)
    for work in (*READS.values(), *WRITES.values()):
        said = await refusal(work(session), path)
        assert "remove conversations.db-wal and conversations.db-shm and try again" in said
    assert contents(path) == before
    for name in ("conversations.db-wal", "conversations.db-shm"):
        remove(folder / name)
    assert await session.get_items() == [user("from the other file")]
    await session.add_items(turn(3))
    assert await session.get_items() == [user("from the other file"), *turn(3)]
    session.database.close()
    assert whole(path)


async def test_a_file_that_was_replaced_with_nothing_beside_it_is_opened_afresh(
    folder: Path, path: Path
) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE theirs (x)")  # keeps its journal, so there is no log
    session = SQLiteSession(SESSION, path)
    await session.add_items(turns(2))
    await another_store(folder / "backup.db")
    move(folder / "backup.db", path)
    assert await session.get_items() == [user("from the other file")]
    assert (await session.timeline()).total == 1
    await session.add_items(turn(3))
    assert len(await session.get_items()) == 5
    session.database.close()
