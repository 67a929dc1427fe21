"""Old text that a killed process had no time to erase: whoever opens the store next knows, and erases it."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
from contextlib import closing
from inspect import isawaitable
from pathlib import Path

import pytest

from memory import Clear, NotErased, Resealed, RollBack, SQLAlchemySession, SQLiteSession, TableSession
from memory.encrypted_session import EncryptedSession
from memory.sqlalchemy_database import SQLAlchemyDatabase

from .encrypting import NEW, OLD, encrypted
from .items import turns, user
from .killed import kill, opened, url
from .stores import on_disk, rows

MARKER = "xyzzy-marker-plugh"
STORES = ["sqlite", "sqlalchemy", "apart"]
KILLED = -signal.SIGKILL


async def closed(session: TableSession) -> None:
    """Close the session, so that the next one in this process finds what a new process would."""
    database = session.database
    ending = getattr(session, "close", database.close)()
    if isawaitable(ending):
        await ending
    database.close()


async def made(store: str, folder: Path) -> TableSession:
    if store == "apart":
        await theirs(folder / "a.db")
    return opened(store, folder / "a.db")


async def theirs(path: Path) -> None:
    """Tables of somebody else, with nothing of ours beside them."""
    session = SQLAlchemySession.from_url("y", url=url(path), create_tables=True)
    await session.add_items([user("somebody else")])
    await closed(session)


def held(folder: Path, text: str = MARKER) -> list[str]:
    return [name for name, content in on_disk(folder).items() if text.encode() in content]


def marked(folder: Path) -> list[str]:
    """The files that have the table of marks."""
    found = []
    for path in folder.glob("*.db"):
        with closing(sqlite3.connect(path)) as connection:
            asked = "SELECT 1 FROM sqlite_master WHERE name = 'memory_unerased'"
            found += [path.name] if connection.execute(asked).fetchone() else []
    return found


@pytest.mark.parametrize("store", STORES)
async def test_a_purge_that_was_killed_is_known_and_done_by_the_next(store: str, tmp_path: Path) -> None:
    session = await made(store, tmp_path)
    await session.append([user(MARKER)])
    await session.apply(await session.plan(Clear()))
    await closed(session)
    assert kill(store, tmp_path / "a.db", "purge") == KILLED
    assert held(tmp_path)
    session = opened(store, tmp_path / "a.db")
    assert await session.changes() == []
    assert session.unerased
    assert await session.purge() == 0
    assert not session.unerased
    assert held(tmp_path) == []
    await closed(session)
    again = opened(store, tmp_path / "a.db")
    assert await again.get_items() == []
    assert not again.unerased
    await closed(again)


@pytest.mark.parametrize("store", STORES)
async def test_a_session_whose_erasing_was_killed_is_known_to_be_in_the_file(
    store: str, tmp_path: Path
) -> None:
    session = await made(store, tmp_path)
    await session.append([user(MARKER)])
    await closed(session)
    assert kill(store, tmp_path / "a.db", "erase") == KILLED
    assert held(tmp_path)
    session = opened(store, tmp_path / "a.db")
    assert await session.get_items() == []
    assert session.unerased
    await session.erase()
    assert not session.unerased
    assert held(tmp_path) == []
    await closed(session)


@pytest.mark.parametrize("store", STORES)
async def test_plain_text_that_a_killed_encryption_left_is_erased_by_the_next(
    store: str, tmp_path: Path
) -> None:
    plain = await made(store, tmp_path)
    await plain.append([user(MARKER)])
    await closed(plain)
    assert kill(store, tmp_path / "a.db", "encrypt") == KILLED
    assert held(tmp_path)
    session = encrypted(opened(store, tmp_path / "a.db"))
    assert await session.get_items() == [user(MARKER)]
    assert session.unerased
    assert await session.encrypt_plain_rows() == 0
    assert not session.unerased
    assert held(tmp_path) == []
    await closed(session.underlying_session)


@pytest.mark.parametrize("store", STORES)
async def test_a_move_that_was_killed_before_it_erased_does_so_when_it_is_begun_again(
    store: str, tmp_path: Path
) -> None:
    plain = await made(store, tmp_path)
    await encrypted(plain).append([user(MARKER)])
    old = (await rows(plain))[0].raw.decode()
    token = max(old.split('"'), key=len)
    await closed(plain)
    assert kill(store, tmp_path / "a.db", "reencrypt") == KILLED
    assert held(tmp_path, token)
    session = EncryptedSession("x", opened(store, tmp_path / "a.db"), [NEW, OLD], None)
    assert await session.reencrypt() == Resealed(moved=0, locked=0, erased=True)
    assert held(tmp_path, token) == []
    await closed(session.underlying_session)


async def test_a_purge_that_was_cancelled_on_the_way_is_made_up_for_by_the_next_write(tmp_path: Path) -> None:
    session = SQLiteSession("x", tmp_path / "a.db")
    await session.append([user(MARKER)])
    await session.apply(await session.plan(Clear()))
    with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        purge = asyncio.create_task(session.purge())
        await asyncio.sleep(0)  # it waits for the other program now, and will go on behind it
        purge.cancel()
        other.execute("ROLLBACK")
    with pytest.raises(asyncio.CancelledError):
        await purge
    assert session.unerased
    await session.append([user("next")])
    assert not session.unerased
    assert held(tmp_path) == []
    await closed(session)


async def test_a_database_that_is_held_while_it_is_to_be_erased_is_not_said_to_be_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await made("sqlalchemy", tmp_path)
    await session.append([user(MARKER)])
    await session.apply(await session.plan(Clear()))
    monkeypatch.setattr("memory.sqlalchemy_database.PERSISTENCE", 0.0)
    vacuum = SQLAlchemyDatabase._vacuum

    def held_by_another(database: SQLAlchemyDatabase) -> None:
        with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            vacuum(database)

    with monkeypatch.context() as patched:
        patched.setattr(SQLAlchemyDatabase, "_vacuum", held_by_another)
        with pytest.raises(NotErased, match=r"items were deleted, but it may still hold"):
            await session.purge()
    assert session.unerased
    await session.purge()
    assert held(tmp_path) == []
    await closed(session)


async def test_the_next_write_erases_what_a_killed_process_left(tmp_path: Path) -> None:
    plain = SQLiteSession("x", tmp_path / "a.db")
    await plain.append([user(MARKER)])
    await closed(plain)
    assert kill("sqlite", tmp_path / "a.db", "erase") == KILLED
    session = SQLiteSession("x", tmp_path / "a.db")
    assert await session.get_items() == []
    await session.append([user("next")])
    assert not session.unerased
    assert held(tmp_path) == []
    await closed(session)


@pytest.mark.parametrize("store", STORES)
async def test_where_nothing_is_erased_there_is_no_table_of_marks(store: str, tmp_path: Path) -> None:
    session = await made(store, tmp_path)
    await session.append(turns(2), agent="Triage")
    entries = (await session.timeline()).entries
    await session.apply(await session.plan(RollBack(entries[-3].id)))
    await session.undo()
    await session.pop_item()
    await session.clear_session()
    await closed(session)
    assert marked(tmp_path) == []


async def test_the_mark_of_a_ledger_apart_is_not_put_into_the_database_of_others(tmp_path: Path) -> None:
    session = await made("apart", tmp_path)
    await session.append([user(MARKER)])
    await session.erase()
    await closed(session)
    assert marked(tmp_path) == ["ledger.db"]


async def test_what_another_store_erases_in_the_same_ledger_leaves_the_mark(tmp_path: Path) -> None:
    session = await made("apart", tmp_path)
    await session.append([user(MARKER)])
    await closed(session)
    assert kill("apart", tmp_path / "a.db", "erase") == KILLED
    await theirs(tmp_path / "b.db")
    other = SQLAlchemySession.from_url("y", url=url(tmp_path / "b.db"), ledger=tmp_path / "ledger.db")
    assert len(await other.get_items()) == 1
    assert not other.unerased
    await other.erase()
    assert not other.unerased
    await closed(other)
    session = opened("apart", tmp_path / "a.db")
    assert await session.get_items() == []
    assert session.unerased
    await session.purge()
    assert held(tmp_path) == []
    await closed(session)
