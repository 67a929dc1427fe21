"""What of a whole encrypted session no model will be sent, counted by kind and carried forward."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from memory import RollBack, SQLAlchemySession, State, Truncate
from memory.encrypted_session import EncryptedTableSession
from memory.entries import Unread
from memory.sealing import FernetCodec

from .clock import START, Clock
from .encrypting import OTHER, encrypted, on_file
from .items import turns, user
from .stores import plant, rows, run_sql


async def unread(session: EncryptedTableSession, limit: int = 4) -> Unread:
    found = (await session.timeline(limit=limit)).unread
    assert found is not None
    return found


async def known(*ids: str) -> Iterable[str]:
    return ids


async def test_every_kind_is_counted_in_the_whole_session_and_not_on_the_page_alone(tmp_path: Path) -> None:
    clock = Clock()
    session = on_file(tmp_path, ttl=600, clock=clock)
    await plant(session, '{"role":"user","content":"in the open"}', "no item at all")
    await on_file(tmp_path, OTHER, clock=clock).add_items(turns(1))
    await session.add_items([user(), user(), user()])
    await on_file(tmp_path, ttl=600, clock=Clock(START + 5000)).add_items([user()])
    clock.now = START + 601
    await session.add_items(turns(3))
    expected = {State.PLAINTEXT: 1, State.CORRUPT: 1, State.LOCKED: 4, State.EXPIRED: 3, State.AHEAD: 1}
    timeline = await session.timeline(limit=4)
    assert len(timeline.unreadable) == 0
    assert timeline.unread == Unread(expected, {})
    older = await session.timeline(before=timeline.entries[0].id, limit=4)
    assert older.unread == timeline.unread


async def test_a_session_that_is_not_encrypted_counts_nothing(tmp_path: Path) -> None:
    session = on_file(tmp_path)
    await session.add_items(turns(1))
    assert (await session.underlying_session.timeline()).unread is None
    assert await unread(session) == Unread({}, {})


async def test_what_expires_is_counted_without_looking_at_a_row_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    session = on_file(tmp_path, ttl=600, clock=clock)
    await session.add_items(turns(100))
    assert (await unread(session)).states == {}
    looked = 0
    look = FernetCodec.look

    def counted(self: FernetCodec, raw: bytes | str) -> object:
        nonlocal looked
        looked += 1
        return look(self, raw)

    monkeypatch.setattr(FernetCodec, "look", counted)
    clock.now = START + 601
    assert (await unread(session)).states == {State.EXPIRED: 400}
    await session.add_items([user()])
    assert (await unread(session)).states == {State.EXPIRED: 400}
    assert looked < 20, "only the page and what is new"


async def test_what_expires_outside_the_page_changes_the_revision_in_a_while(tmp_path: Path) -> None:
    clock = Clock()
    session = on_file(tmp_path, ttl=600, clock=clock)
    await session.add_items(turns(2))
    clock.now = START + 590
    await session.add_items(turns(2))
    before = (await session.timeline(limit=4)).revision
    clock.now = START + 640
    assert await session.revision() != before


async def test_the_count_follows_edits_and_their_undo(tmp_path: Path) -> None:
    session = on_file(tmp_path)
    await session.add_items(turns(2))
    await plant(session, "damaged")
    await session.add_items(turns(2))
    await plant(session, "damaged", '{"role":"user","content":"in the open"}')
    whole = {State.CORRUPT: 2, State.PLAINTEXT: 1}
    assert (await unread(session, 3)).states == whole
    entries = (await session.timeline()).entries
    await session.apply(await session.plan(RollBack(entries[-4].id)))
    assert (await unread(session, 3)).states == {State.CORRUPT: 1}
    await session.undo()
    assert (await unread(session, 3)).states == whole
    await session.apply(await session.plan(Truncate(keep_turns=1)))
    left = await unread(session, 3)
    assert left.states != whole
    assert left == await unread(on_file(tmp_path), 3), "as who counts it for the first time says"
    await session.clear_session()
    assert await unread(session) == Unread({}, {})


async def test_rows_that_were_encrypted_in_their_place_are_not_counted_any_more(tmp_path: Path) -> None:
    session, other = on_file(tmp_path), on_file(tmp_path)
    await plant(session, *['{"role":"user","content":"in the open"}'] * 3)
    await session.add_items(turns(10))
    assert (await unread(session)).states == (await unread(other)).states == {State.PLAINTEXT: 3}
    await session.encrypt_plain_rows()
    assert (await unread(session)).states == {}
    assert (await unread(other)).states == {}, "told by what another server did, too"


async def test_a_row_of_the_page_that_was_damaged_in_its_place_is_counted(tmp_path: Path) -> None:
    session = on_file(tmp_path)
    await session.add_items(turns(3))
    assert (await unread(session)).states == {}
    await run_sql(
        session,
        "UPDATE {messages} SET message_data = 'x' WHERE id = (SELECT max(id) - 1 FROM {messages})",
    )
    assert (await unread(session)).states == {State.CORRUPT: 1}


async def test_entries_of_another_session_id_are_told_by_that_id_and_apart_from_the_locked(
    tmp_path: Path,
) -> None:
    await on_file(tmp_path, id_="first").add_items(turns(1))
    await on_file(tmp_path, id_="second").add_items([user(), user()])
    session = on_file(tmp_path)
    await run_sql(session, "UPDATE {messages} SET session_id = 'x'")
    await on_file(tmp_path, OTHER).add_items([user()] * 3)
    await session.add_items(turns(2))
    timeline = await session.timeline(limit=4)
    assert timeline.unread == Unread({State.LOCKED: 9}, {})
    assert not await session.recognise(timeline, lambda: known("x", "nobody"))
    await session.add_items([user()])
    timeline = await session.timeline(limit=4)
    assert await session.recognise(timeline, lambda: known("nobody", "first", "second"))
    timeline = await session.timeline()
    assert timeline.unread == Unread({State.LOCKED: 3}, {"first": 4, "second": 2})
    assert [entry.written_as for entry in timeline.entries[:7]] == ["first"] * 4 + ["second"] * 2 + [None]
    assert timeline.entries[0].state is State.LOCKED


async def test_where_locked_entries_come_from_is_asked_once_until_something_changes(tmp_path: Path) -> None:
    session = on_file(tmp_path)
    await on_file(tmp_path, OTHER).add_items(turns(1))
    asked = 0

    async def ids() -> Iterable[str]:
        nonlocal asked
        asked += 1
        return ("nobody",)

    for _ in range(3):
        assert not await session.recognise(await session.timeline(), ids)
    assert asked == 1
    await session.add_items([user()])
    await session.recognise(await session.timeline(), ids)
    assert asked == 2


async def test_a_session_without_locked_entries_asks_for_no_other_ids(tmp_path: Path) -> None:
    session = on_file(tmp_path)
    await session.add_items(turns(1))

    async def ids() -> Iterable[str]:
        raise AssertionError("nothing is locked")

    assert not await session.recognise(await session.timeline(), ids)


async def test_the_id_is_found_where_the_newest_locked_entry_is_under_a_lost_key(tmp_path: Path) -> None:
    await on_file(tmp_path, id_="first").add_items(turns(1))
    session = on_file(tmp_path)
    await run_sql(session, "UPDATE {messages} SET session_id = 'x'")
    await on_file(tmp_path, OTHER).add_items(turns(150))
    assert await session.written_as(["a", "first"]) == "first"
    assert len(await rows(session)) == 604


async def test_it_is_counted_the_same_where_rows_are_in_the_order_of_their_times(tmp_path: Path) -> None:
    plain = SQLAlchemySession.from_url(
        "x", url=f"sqlite+aiosqlite:///{tmp_path / 'b.db'}", create_tables=True
    )
    clock = Clock()
    session = encrypted(plain, ttl=600, clock=clock)
    await session.add_items(turns(2))
    await plain.add_items([user("in the open")])
    await encrypted(plain, OTHER, clock=clock).add_items([user()])
    clock.now = START + 601
    await session.add_items(turns(2))
    expected = {State.EXPIRED: 8, State.PLAINTEXT: 1, State.LOCKED: 1}
    assert (await unread(session)).states == expected
    await session.encrypt_plain_rows()
    assert (await unread(session)).states.get(State.PLAINTEXT) is None
    await plain.close()


async def test_many_counts_in_a_row_are_one_count(tmp_path: Path) -> None:
    clock = Clock()
    session = on_file(tmp_path, ttl=600, clock=clock)
    for _ in range(50):
        clock.now += 1
        await session.add_items([user()])
        assert (await unread(session)).states == {}
    entries = (await session.timeline()).entries
    await session.apply(await session.plan(RollBack(entries[-3].id)))
    clock.now = START + 25 + 601
    assert (await unread(session)).states == {State.EXPIRED: 25}
    clock.now = START + 1000
    assert (await unread(session)).states == {State.EXPIRED: 48}
    assert await unread(session) == await unread(on_file(tmp_path, ttl=600, clock=clock))
