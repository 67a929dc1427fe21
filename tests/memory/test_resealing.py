"""Moving to a new key, and encrypting what stands in the open: stopped anywhere, nothing is lost."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Generator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from memory import (
    Clear,
    NotErased,
    Resealed,
    RollBack,
    SessionBusy,
    SQLiteSession,
    State,
    TableSession,
    Truncate,
    resealing,
)
from memory.encrypted_session import EncryptedTableSession

from .clock import START, Clock
from .conftest import opened
from .encrypting import NEW, OLD, OTHER, encrypted, on_file
from .items import assistant, call, output, turns, user
from .stores import on_disk, plant, rows, run_sql

BOTH = [NEW, OLD]
MARKER = "xyzzy-marker-plugh"


class Killed(Exception):
    pass


class Dying:
    """A database whose process is killed before statement number `at` of its writes."""

    def __init__(self, database: Any, at: int) -> None:
        self.database, self.left = database, at

    async def read(self, start: Any, *, brief: bool = False) -> Any:
        return await self.database.read(start)

    async def write(self, start: Any, *, brief: bool = False) -> Any:
        def operation() -> Generator[Any, Any, Any]:
            inner = start()
            answer = None
            try:
                while True:
                    statement = inner.send(answer)
                    self.left -= 1
                    if self.left < 0:
                        raise Killed
                    answer = yield statement
            except StopIteration as done:
                return done.value

        return await self.database.write(operation)

    async def erase(self) -> None:
        await self.database.erase()


async def full(session: Any, said: str = "said") -> None:
    """Something of all that is kept of a session: rows, copies, notes, decisions."""
    await session.append([*turns(2), user(said)], agent="Triage", note=("failed", {"said": said}))
    entries = (await session.timeline()).entries
    await session.apply(await session.plan(RollBack(entries[5].id)))
    await session.undo()
    await session.apply(await session.plan(Truncate(keep_items=5)))
    await session.add_items([user(said), call("k", "refund_order", said)])
    await session.pause(f"state {said}", [("k", "refund_order", said, "Approval")])


async def seen(session: EncryptedTableSession) -> tuple[Any, ...]:
    """All that a person can see of the session, and what its edits bring back."""
    timeline = await session.timeline()
    entries = [(e.item, e.state, e.agent, e.sealed_at) for e in timeline.entries]
    return (
        entries,
        timeline.turns,
        [(note.kind, note.detail) for note in await session.notes(timeline)],
        await session.waiting(),
        await session.changes(),
    )


# A new key


async def test_after_the_move_the_new_key_alone_reads_everything(tmp_path: Path) -> None:
    old = on_file(tmp_path)
    await full(old)
    before = await seen(old)
    assert await on_file(tmp_path, BOTH, clock=Clock(START + 500)).reencrypt() == Resealed(
        moved=13, locked=0, erased=True
    )
    new = on_file(tmp_path, NEW)
    assert await seen(new) == before
    assert await on_file(tmp_path).get_items() == []
    await new.undo()
    assert len((await new.timeline()).entries) == 12


async def test_a_move_has_nothing_to_do_twice(tmp_path: Path) -> None:
    await full(on_file(tmp_path))
    both = on_file(tmp_path, BOTH)
    await both.reencrypt()
    before = on_disk(tmp_path)
    assert await both.reencrypt() == Resealed(0, 0, True)
    assert on_disk(tmp_path) == before


async def test_a_move_tells_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resealing, "BATCH", 2)
    await full(on_file(tmp_path))
    told: list[tuple[int, int]] = []
    await on_file(tmp_path, BOTH).reencrypt(lambda done, total: told.append((done, total)))
    assert told[0] == (2, told[-1][1])
    assert told[-1][0] == told[-1][1]
    assert told == sorted(told)


async def test_a_move_that_was_stopped_is_gone_on_with_and_the_old_texts_are_erased_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resealing, "BATCH", 2)
    await full(on_file(tmp_path))
    before = await seen(on_file(tmp_path))
    both = on_file(tmp_path, BOTH)

    def stop(done: int, total: int) -> None:
        task = asyncio.current_task()
        assert task is not None
        if done >= 4:
            task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await asyncio.create_task(both.reencrypt(stop))
    assert await seen(both) == before
    assert both.unerased
    rest = await both.reencrypt()
    assert 0 < rest.moved < 13
    assert rest.erased
    assert not both.unerased
    assert await seen(on_file(tmp_path, NEW)) == before


async def test_a_move_keeps_the_time_of_what_has_expired(tmp_path: Path) -> None:
    await on_file(tmp_path).add_items([user("old")])
    later = Clock(START + 1000)
    await on_file(tmp_path, BOTH, ttl=60, clock=later).reencrypt()
    assert await on_file(tmp_path, NEW, ttl=60, clock=later).states() == {State.EXPIRED: 1}
    assert await on_file(tmp_path, NEW, ttl=1000, clock=later).get_items() == [user("old")]


async def test_rows_no_key_opens_are_counted_and_left(tmp_path: Path) -> None:
    await on_file(tmp_path, OTHER).add_items([user("theirs")])
    await on_file(tmp_path).add_items([user("ours")])
    plain = on_file(tmp_path)
    await plant(plain, "{broken", json.dumps(user("open")))
    assert await on_file(tmp_path, BOTH).reencrypt() == Resealed(1, 1, True)
    assert await on_file(tmp_path, OTHER).get_items() == [user("theirs")]
    assert await on_file(tmp_path, NEW).get_items() == [user("ours")]
    assert (await rows(plain))[2].raw == b"{broken"


async def test_what_the_ledger_holds_under_a_lost_key_is_counted_too(tmp_path: Path) -> None:
    lost = on_file(tmp_path, OTHER)
    await lost.append([user("theirs"), call("k")], note=("failed", {"said": "theirs"}))
    await lost.pause("state", [("k", "refund_order", "{}", "Approval")])
    assert await on_file(tmp_path, BOTH).reencrypt() == Resealed(moved=0, locked=4, erased=True)
    await run_sql(lost, "DELETE FROM {messages}")
    assert await on_file(tmp_path, BOTH).reencrypt() == Resealed(moved=0, locked=2, erased=True)
    assert await lost.waiting() is not None


async def test_encrypting_leaves_what_the_ledger_holds_under_a_lost_key(tmp_path: Path) -> None:
    await on_file(tmp_path, OTHER).append([user("theirs")], note=("failed", {"said": "theirs"}))
    assert await on_file(tmp_path).encrypt_plain_rows() == 0
    theirs = on_file(tmp_path, OTHER)
    assert (await theirs.notes(await theirs.timeline()))[0].detail == {"said": "theirs"}


@pytest.mark.parametrize("batch", [1, 3, 500])
async def test_a_move_killed_before_any_statement_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(resealing, "BATCH", batch)
    await full(on_file(tmp_path / "0"))
    before = await seen(on_file(tmp_path / "0"))
    source = SQLiteSession("x", tmp_path / "0" / "a.db")
    await source.database.erase()
    database = (tmp_path / "0" / "a.db").read_bytes()
    for at in count(0, 1 if batch > 1 else 5):
        folder = tmp_path / str(at + 1)
        folder.mkdir()
        (folder / "a.db").write_bytes(database)
        both = on_file(folder, BOTH)
        underlying = both.underlying_session
        real = underlying.database
        underlying.database = Dying(real, at)  # type: ignore[assignment]
        try:
            await both.reencrypt()
        except Killed:
            assert await seen(on_file(folder, BOTH)) == before
        else:
            break
        underlying.database = real
        assert (await both.reencrypt()).locked == 0
        assert await seen(on_file(folder, NEW)) == before
    assert at > 10


async def test_what_is_said_during_a_move_is_moved_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resealing, "BATCH", 2)
    old, both = on_file(tmp_path), on_file(tmp_path, BOTH)
    await old.add_items(turns(3))
    change = await old.apply(await old.plan(RollBack((await old.timeline()).entries[3].id)))

    class Meanwhile:
        """Brings back old rows behind the sweep, once."""

        done = False

        def __init__(self, database: Any) -> None:
            self.database = database

        async def read(self, start: Any, *, brief: bool = False) -> Any:
            return await self.database.read(start)

        async def write(self, start: Any, *, brief: bool = False) -> Any:
            result = await self.database.write(start)
            if not self.done and result.after is None:
                self.done = True
                await old.undo()
                await old.add_items([user("meanwhile")])
            return result

        async def erase(self) -> None:
            await self.database.erase()

    underlying = both.underlying_session
    underlying.database = Meanwhile(underlying.database)  # type: ignore[assignment]
    assert (await both.reencrypt()).locked == 0
    assert change.removed == 8
    assert await on_file(tmp_path, NEW).get_items() == [*turns(3), user("meanwhile")]


# Any database


DATABASES = ("sqlite-file", "sqlalchemy-postgresql", "sqlalchemy-mariadb", "sqlalchemy-ledger-in-a-file")


@pytest.fixture(params=DATABASES)
async def plain(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[TableSession]:
    async for open_ in opened(request.param, tmp_path):
        session = open_("x")
        assert isinstance(session, TableSession)
        yield session


async def test_a_session_is_encrypted_and_moved_to_a_new_key_in_any_database(plain: TableSession) -> None:
    await full(plain)
    assert await encrypted(plain, OLD).encrypt_plain_rows() == 7
    before = await seen(encrypted(plain, OLD))
    moved = await encrypted(plain, BOTH).reencrypt()
    assert (moved.locked, moved.erased) == (0, True)
    new = encrypted(plain, NEW)
    assert await seen(new) == before
    assert set(await encrypted(plain, OLD).states()) == {State.LOCKED}
    assert (await encrypted(plain, BOTH).reencrypt()).moved == 0
    await new.supersede()
    await new.undo()
    assert set(await new.states()) == {State.OK}


# Plain rows


async def test_plain_rows_are_encrypted_in_place_with_order_times_and_authors(tmp_path: Path) -> None:
    plain = SQLiteSession("x", tmp_path / "a.db")
    await plain.append(turns(2), agent="Triage")
    await run_sql(plain, "UPDATE {messages} SET created_at = '2001-02-03 04:05:' || (10 + id)")
    before = [(e.key, e.item, e.agent, e.created_at) for e in (await plain.timeline()).entries]
    session = encrypted(plain)
    assert await session.encrypt_plain_rows() == 8
    entries = (await session.timeline()).entries
    assert [(e.key, e.item, e.agent, e.created_at) for e in entries] == before
    assert [e.sealed_at for e in entries] == [e.created_at for e in entries]
    assert await plain.get_items() != turns(2)


async def test_nothing_of_the_plain_text_is_left_in_any_file(tmp_path: Path) -> None:
    plain = SQLiteSession("x", tmp_path / "a.db")
    await full(plain, MARKER)
    await plant(plain, json.dumps(MARKER), f"{{broken {MARKER}", f'{{"text": "{MARKER}"}}')
    assert any(MARKER.encode() in data for data in on_disk(tmp_path).values())
    session = encrypted(plain)
    assert await session.encrypt_plain_rows() == 10
    assert not any(MARKER.encode() in data for data in on_disk(tmp_path).values())
    paused = await session.waiting()
    assert paused is not None
    assert paused.state == f"state {MARKER}"
    assert (await session.notes(await session.timeline()))[0].detail == {"said": MARKER}
    assert (await session.get_items())[:1] == turns(2)[4:5]
    assert (await session.states())[State.CORRUPT] == 2


async def test_what_an_edit_took_from_a_plain_session_comes_back_encrypted(tmp_path: Path) -> None:
    plain = SQLiteSession("x", tmp_path / "a.db")
    await plain.add_items(turns(2))
    await plain.apply(await plain.plan(Clear()))
    session = encrypted(plain)
    assert await session.encrypt_plain_rows() == 0
    await session.undo()
    assert await session.get_items() == turns(2)


async def test_encrypted_rows_among_them_stay_as_they_are(tmp_path: Path) -> None:
    session = on_file(tmp_path)
    await session.add_items([user("sealed")])
    await on_file(tmp_path, OTHER).add_items([user("theirs")])
    before = await rows(session)
    await plant(session, json.dumps(user("open")))
    assert await session.encrypt_plain_rows() == 1
    assert (await rows(session))[:2] == before
    assert await session.get_items() == [user("sealed"), user("open")]
    assert await session.encrypt_plain_rows() == 0


async def test_encrypting_killed_before_any_statement_leaves_all_or_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resealing, "BATCH", 3)
    plain = SQLiteSession("x", tmp_path / "a.db")
    await full(plain)
    before = await rows(plain)
    session = encrypted(plain)
    real = plain.database
    for at in count():
        plain.database = Dying(real, at)  # type: ignore[assignment]
        try:
            await session.encrypt_plain_rows()
        except Killed:
            plain.database = real
            assert await rows(plain) == before
            assert await plain.waiting() is not None
        else:
            break
    assert at > 10
    plain.database = real
    assert State.PLAINTEXT not in await session.states()


async def test_plain_rows_are_not_encrypted_under_a_live_run(tmp_path: Path) -> None:
    plain = SQLiteSession("x", tmp_path / "a.db", clock=Clock())
    await plain.add_items(turns(1))
    lease = await plain.acquire("run", 60)
    session = encrypted(plain)
    with pytest.raises(SessionBusy):
        await session.encrypt_plain_rows()
    assert await plain.get_items() == turns(1)
    assert await session.encrypt_plain_rows(lease=lease) == 4


async def test_a_file_that_cannot_be_cleaned_is_said_and_can_be_cleaned_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.sqlite_file.PATIENCE", 0.05)
    plain = SQLiteSession("x", tmp_path / "a.db")
    await plain.add_items([user(MARKER), assistant("x"), output("k")])
    session = encrypted(plain)
    with closing(sqlite3.connect(tmp_path / "a.db")) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM agent_messages").fetchall()
        with pytest.raises(NotErased, match="items are encrypted, but") as refused:
            await session.encrypt_plain_rows()
        assert refused.value.why == "encrypted"
        assert session.unerased
        assert len(await session.get_items()) == 3
    assert await session.encrypt_plain_rows() == 0
    assert not any(MARKER.encode() in data for data in on_disk(tmp_path).values())
