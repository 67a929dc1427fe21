"""What goes wrong under a session: one sentence to act on, nothing changed, and no path of the machine."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memory import (
    Clear,
    MemoryDeskError,
    Replace,
    RollBack,
    SessionBusy,
    SQLiteSession,
    State,
    StoreUnavailable,
    TableSession,
    Truncate,
    sqlite_file,
)

from .faulty import (
    SESSION,
    contents,
    everything,
    held,
    make_folder,
    move,
    pragma,
    put,
    read_only,
    remove,
    small_disk,
)
from .items import Item, turn, turns, user
from .stores import plant, rows, run_sql


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "a folder of the machine"
    made.mkdir()
    return made


@pytest.fixture
def path(folder: Path) -> Path:
    return folder / "conversations.db"


@pytest.fixture
async def session(path: Path) -> AsyncIterator[SQLiteSession]:
    opened = SQLiteSession(SESSION, path)
    yield opened
    opened.database.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait five seconds for a lock in a test."""
    monkeypatch.setattr(sqlite_file, "PATIENCE", 0.1)


async def refusal(work: Awaitable[Any], path: Path, error: type[MemoryDeskError] = StoreUnavailable) -> str:
    """What the refusal says, which is a sentence that names the file and no folder."""
    with pytest.raises(error) as caught:
        await work
    said = str(caught.value)
    assert path.name in said
    assert str(path.parent) not in said
    assert path.parent.name not in said
    assert said.endswith(".")
    return said


async def plan_and_apply(session: TableSession) -> None:
    await session.apply(await session.plan(Truncate(keep_turns=1)))


READS: dict[str, Callable[[TableSession], Awaitable[Any]]] = {
    "get_items": lambda s: s.get_items(),
    "timeline": lambda s: s.timeline(),
    "recent": lambda s: s.recent(2),
    "revision": lambda s: s.revision(),
    "changes": lambda s: s.changes(),
    "holder": lambda s: s.holder(),
    "waiting": lambda s: s.waiting(),
}
WRITES: dict[str, Callable[[TableSession], Awaitable[Any]]] = {
    "add_items": lambda s: s.add_items(turn(9)),
    "append with a note": lambda s: s.append(turn(9), agent="Triage", note=("limit", {})),
    "pop": lambda s: s.pop_item(),
    "clear": lambda s: s.clear_session(),
    "apply": plan_and_apply,
    "undo": lambda s: s.undo(),
    "branch": lambda s: s.branch("another"),
    "acquire": lambda s: s.acquire("me", 30),
    "pause": lambda s: s.pause("frozen", []),
    "purge": lambda s: s.purge(),
}


async def fill(session: TableSession) -> None:
    """A session in which everything above has something to do."""
    await session.append(turns(6), agent="Triage")
    entries = (await session.timeline()).entries
    await session.apply(await session.plan(RollBack(entries[-5].id)))


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


def whole(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


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


# items


class Odd:
    """Nothing that JSON knows."""


ENDLESS: dict[str, Any] = {}
ENDLESS["again"] = ENDLESS


def deep(levels: int) -> Item:
    item: Any = "the end"
    for _ in range(levels):
        item = [item]
    return {"role": "user", "content": item}


@pytest.mark.parametrize(
    "item",
    [
        "text",
        None,
        ["role", "user"],
        {"role": "user", "content": Odd()},
        {"role": "user", "content": {1, 2}},
        {"role": "user", "content": b"bytes"},
        {("a", "tuple"): 1},
        ENDLESS,
        deep(100_000),
    ],
    ids=["text", "none", "list", "object", "set", "bytes", "tuple key", "circular", "too deep"],
)
async def test_a_batch_with_something_that_is_no_item_is_refused_as_a_whole(
    session: SQLiteSession, item: Any
) -> None:
    await session.add_items(turn(1))
    with pytest.raises((TypeError, ValueError)):
        await session.add_items([user("one"), item, user("two")])
    entry = (await session.timeline()).entries[0]
    with pytest.raises((TypeError, ValueError, MemoryDeskError)):
        await session.apply(await session.plan(Replace(entry.id, item)))
    assert await session.get_items() == turn(1)


async def test_half_a_surrogate_is_kept_and_loses_nobody_his_batch(session: SQLiteSession) -> None:
    items = [user("whole"), user("half \ud83d of it"), {"role": "user", "content": "🦊", "\udc00": "\udfff"}]
    await session.append(items, agent="Triage")
    assert await session.get_items() == items
    entries = (await session.timeline()).entries
    assert [entry.item for entry in entries] == items
    assert {entry.state for entry in entries} == {State.OK}
    await session.apply(await session.plan(Clear()))
    await session.undo()
    assert await session.get_items() == items


async def test_an_id_that_is_no_text_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    session = SQLiteSession("\ud800", tmp_path / "conversations.db")
    with pytest.raises(ValueError, match="surrogates"):
        await session.add_items(turn(1))
    whole_one = session.sibling(SESSION)
    await whole_one.add_items(turn(2))
    assert await whole_one.get_items() == turn(2)
    session.database.close()


async def test_items_of_ten_megabytes_are_stored_shown_moved_and_brought_back(session: SQLiteSession) -> None:
    large = [user("語" * 3_500_000), user("x" * 10_000_000)]
    await session.append([*turn(1), *large], agent="Triage")
    assert await session.get_items(2) == large
    entries = (await session.timeline()).entries
    assert all(entry.size > 10_000_000 for entry in entries[-2:])
    await session.apply(await session.plan(RollBack(entries[3].id)))
    assert await session.get_items() == turn(1)
    await session.undo()
    assert await session.pop_item() == large[1]
    await session.undo()
    assert await session.get_items() == [*turn(1), *large]


@pytest.mark.parametrize("limit", [-1, -(10**20), 2.5, "3", True])
async def test_a_limit_that_is_no_number_of_items_is_refused(session: SQLiteSession, limit: Any) -> None:
    await session.add_items(turn(1))
    for ask in (session.get_items(limit), session.timeline(limit=limit), session.recent(limit)):
        with pytest.raises(ValueError, match="whole number from 0 up"):
            await ask


async def test_a_limit_may_be_larger_than_any_session(session: SQLiteSession) -> None:
    await session.add_items(turn(1))
    assert await session.get_items(10**30) == turn(1)
    assert len((await session.timeline(limit=10**30)).entries) == 4
    assert len(await session.recent(10**30)) == 4


async def test_damaged_rows_are_passed_over_shown_as_such_and_kept(session: SQLiteSession) -> None:
    await session.add_items([user("one")])
    await plant(session, "{ cut", b"\xff\xfe", "[]")
    await session.add_items([user("two")])
    damaged = (await rows(session))[1:4]
    assert await session.get_items(2) == [user("one"), user("two")]
    entries = (await session.timeline()).entries
    assert [entry.state is State.OK for entry in entries] == [True, False, False, False, True]
    assert await session.pop_item() == user("two")
    assert (await rows(session))[1:4] == damaged


async def test_a_time_that_is_none_hides_no_row(session: SQLiteSession, path: Path) -> None:
    await session.add_items(turn(1))
    for number, time in enumerate([b"\xff\xfe", "yesterday", 12, None], start=1):
        value = "CAST(:time AS TEXT)" if isinstance(time, bytes) else ":time"
        await run_sql(session, f"UPDATE {{messages}} SET created_at = {value} WHERE id = {number}", time=time)
    before = times(path)
    entries = (await session.timeline()).entries
    assert [entry.created_at for entry in entries] == [None] * 4
    assert await session.get_items() == turn(1)
    await session.apply(await session.plan(Clear()))
    await session.undo()
    assert times(path) == before


def times(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(
            "SELECT id, typeof(created_at), CAST(created_at AS BLOB) FROM agent_messages ORDER BY id"
        ).fetchall()


# the clock


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


async def test_a_clock_that_is_set_back_a_little_takes_nobody_the_session() -> None:
    clock = Clock()
    session = SQLiteSession(SESSION, clock=clock)
    await session.add_items(turn(1))
    await session.acquire("a run", 30)
    clock.now -= 20
    with pytest.raises(SessionBusy):
        await session.acquire("another", 30)
    with pytest.raises(SessionBusy):
        await session.pop_item()


async def test_a_clock_that_is_set_back_far_does_not_lock_the_session_until_it_has_caught_up() -> None:
    clock = Clock()
    session = SQLiteSession(SESSION, clock=clock)
    abandoned = await session.acquire("a run", 30)
    clock.now -= 100_000
    assert await session.holder() is None
    lease = await session.acquire("another", 30)
    assert lease.number == abandoned.number + 1
    with pytest.raises(MemoryDeskError):
        await session.append(turn(1), lease=abandoned)


async def test_a_run_that_renews_after_the_clock_was_set_back_goes_on() -> None:
    clock = Clock()
    session = SQLiteSession(SESSION, clock=clock)
    lease = await session.acquire("a run", 30)
    clock.now -= 20
    lease = await session.renew(lease, 30)
    clock.now += 29
    with pytest.raises(SessionBusy):
        await session.acquire("another", 30)
    await session.append(turn(1), lease=lease)


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
