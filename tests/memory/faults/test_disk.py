"""A full disk, a folder that may not be written, a file that is held: one sentence to act on, no change."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memory import SQLiteSession, StoreUnavailable

from ..faulty import SESSION, everything, held, pragma, read_only, small_disk
from ..items import turn, turns, user
from ..stores import rows
from .works import READS, WRITES, fill, refusal, whole

# a full disk


async def test_a_full_disk_refuses_what_does_not_fit_and_what_waited_behind_it_still_counts(
    session: SQLiteSession, path: Path
) -> None:
    await session.add_items(turns(3))
    (pages,) = await session.database.read(lambda: _one("PRAGMA page_count"))
    await pragma(session, f"max_page_count = {pages + 4}")
    huge = [user("x" * 100_000)]
    outcomes = await asyncio.gather(
        session.add_items([user("before")]),
        session.append(huge, agent="Triage"),
        session.add_items([user("behind")]),
        session.append(huge, agent="Triage"),
        session.add_items([user("last")]),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes[1::2]] == [StoreUnavailable] * 2
    assert [outcome for outcome in outcomes[::2] if outcome] == []
    assert str(outcomes[1]) == (
        "The disk that holds conversations.db is full; make room and try again. Nothing was changed."
    )
    assert await session.get_items() == [*turns(3), user("before"), user("behind"), user("last")]
    await pragma(session, "max_page_count = 100000")
    await session.append(huge, agent="Triage")
    assert len(await session.get_items()) == 16
    assert whole(path)


def _one(text: str) -> Any:
    from memory.statements import Sql

    (row,) = yield Sql(text)
    return row


async def test_on_a_disk_that_runs_full_all_that_was_answered_is_there_and_all_else_is_not(
    tmp_path: Path,
) -> None:
    with small_disk(tmp_path / "a small one", kilobytes=600) as disk:
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(100_000))
        session = SQLiteSession(SESSION, disk / "conversations.db")
        batches = [[user(f"{number} " + "x" * 3_000), user(f"{number} behind")] for number in range(120)]
        outcomes = await asyncio.gather(*map(session.add_items, batches), return_exceptions=True)
        stored = [batch for batch, outcome in zip(batches, outcomes, strict=True) if outcome is None]
        assert 0 < len(stored) < len(batches)
        assert {type(outcome) for outcome in outcomes} == {type(None), StoreUnavailable}
        assert await session.get_items() == [item for batch in stored for item in batch]
        said = await refusal(session.append([user("x" * 50_000)]), session_path(session))
        assert said == (
            "The disk that holds conversations.db is full; make room and try again. Nothing was changed."
        )
        ballast.unlink()
        await session.append([user("room again")])
        assert (await session.get_items(1)) == [user("room again")]
        session.database.close()
        assert whole(session_path(session))


def session_path(session: SQLiteSession) -> Path:
    path = session.database.place.path
    assert path is not None
    return path


# what may not be written


@pytest.mark.parametrize("name", WRITES)
async def test_a_folder_that_may_not_be_written_can_be_looked_at_and_refuses_every_write(
    folder: Path, path: Path, name: str
) -> None:
    first = SQLiteSession(SESSION, path)
    await fill(first)
    before = await rows(first)
    first.database.close()
    with read_only(folder):
        session = SQLiteSession(SESSION, path)
        for read in READS.values():
            await read(session)
        await refusal(WRITES[name](session), path)
        assert await rows(session) == before
        session.database.close()
    again = SQLiteSession(SESSION, path)
    await again.add_items(turn(9))
    again.database.close()


async def test_a_folder_that_may_not_be_written_holds_an_empty_session(folder: Path, path: Path) -> None:
    with read_only(folder):
        session = SQLiteSession(SESSION, path)
        assert await session.get_items() == []
        await refusal(session.add_items(turn(1)), path)
        session.database.close()
    assert everything(folder) == {}


async def test_a_store_that_turns_read_only_under_a_session_says_so(
    session: SQLiteSession, path: Path
) -> None:
    await fill(session)
    before = await rows(session)
    await pragma(session, "query_only = ON")
    for write in (session.add_items(turn(9)), session.pop_item(), session.undo()):
        assert "may not be written; check its permissions" in await refusal(write, path)
    assert await rows(session) == before


# a file that somebody holds


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("name", WRITES)
async def test_a_file_that_is_held_too_long_refuses_every_write_and_can_be_read(
    session: SQLiteSession, path: Path, name: str
) -> None:
    await fill(session)
    before = await rows(session)
    with held(path):
        said = await refusal(WRITES[name](session), path)
        assert said == (
            "Another program has held conversations.db for over 0.1 seconds; try again. Nothing was changed."
        )
        for read in READS.values():
            await read(session)
    assert await rows(session) == before
    await WRITES[name](session)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("name", [name for name in READS if name != "revision"])
async def test_a_file_of_another_program_that_is_held_for_itself_alone_refuses_reads_too(
    path: Path, name: str
) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE theirs (x)")
    session = SQLiteSession(SESSION, path)
    await fill(session)
    with held(path, "EXCLUSIVE"):
        await refusal(READS[name](session), path)
    await READS[name](session)
    session.database.close()


async def test_a_save_that_waited_for_another_program_is_made_when_that_is_done(
    session: SQLiteSession, path: Path
) -> None:
    await session.add_items(turn(1))
    with held(path) as other:
        released = threading.Timer(0.3, other.execute, ["COMMIT"])
        released.start()
        await asyncio.gather(session.add_items(turn(2)), session.add_items(turn(3)))
        released.join()
    assert await session.get_items() == [*turn(1), *turn(2), *turn(3)]


@pytest.mark.usefixtures("impatient")
async def test_of_many_who_wait_in_vain_each_is_told(session: SQLiteSession, path: Path) -> None:
    await session.add_items(turn(1))
    with held(path):
        outcomes = await asyncio.gather(
            *(session.add_items(turn(9)) for _ in range(4)), return_exceptions=True
        )
    assert [type(outcome) for outcome in outcomes] == [StoreUnavailable] * 4
    assert await session.get_items() == turn(1)


# a log that cannot be emptied


async def test_a_reader_that_never_ends_stops_no_write_and_is_named_when_text_must_go(
    session: SQLiteSession, folder: Path, path: Path, impatient: None
) -> None:
    await session.add_items([user("the marker")])
    with held(path, "DEFERRED") as reader:
        reader.execute("SELECT * FROM agent_messages").fetchall()
        for number in range(40):
            await session.add_items([user(f"{number} " + "x" * 40_000)])
        assert len(await session.get_items()) == 41
        assert (folder / "conversations.db-wal").stat().st_size > 1_600_000
        said = await refusal(session.erase(), path)
        assert said.startswith("The items were deleted, but another program is reading conversations.db")
    assert await session.get_items() == []
    await session.erase()
    assert not any(b"the marker" in content for content in everything(folder).values())
