"""The SDK's four methods, over every kind of session."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from memory import InspectableSession, SQLiteSession, TableSession

from .items import Item, assistant, user
from .stores import Open, on_disk, plant, rows

BROKEN = ("{not json", "42", '"text"', "null", "[1]", b"\xff\xfe\x00")


# Reading


async def test_a_session_nobody_wrote_to_is_empty(session: InspectableSession) -> None:
    assert await session.get_items() == []
    assert await session.pop_item() is None


async def test_items_come_back_oldest_first(session: InspectableSession) -> None:
    items = [user("one"), assistant("two"), user("three")]
    await session.add_items(items[:2])
    await session.add_items(items[2:])
    assert await session.get_items() == items


@pytest.mark.parametrize(
    ("limit", "kept"), [(None, 3), (0, 0), (1, 1), (2, 2), (3, 3), (10**9, 3), (2**70, 3)]
)
async def test_a_limit_gives_the_newest_in_time_order(
    session: InspectableSession, limit: int | None, kept: int
) -> None:
    items = [user("one"), user("two"), user("three")]
    await session.add_items(items)
    assert await session.get_items(limit=limit) == items[3 - kept :]


@pytest.mark.parametrize("limit", [-1, "3", 2.5, True])
async def test_a_limit_that_is_no_count_is_refused_in_one_sentence(
    session: InspectableSession, limit: Any
) -> None:
    await session.add_items([user()])
    with pytest.raises(ValueError, match=r"^limit must be None or a whole number from 0 up, not \S+\.$"):
        await session.get_items(limit=limit)


async def test_the_limit_of_the_settings_applies_where_none_is_given(session: InspectableSession) -> None:
    from agents.memory import SessionSettings

    await session.add_items([user("one"), user("two"), user("three")])
    session.session_settings = SessionSettings(limit=2)
    assert await session.get_items() == [user("two"), user("three")]
    assert await session.get_items(limit=1) == [user("three")]
    assert await session.get_items(limit=0) == []


async def test_settings_are_the_sdks_own(own: TableSession) -> None:
    from agents.memory import SessionSettings

    assert own.session_settings == SessionSettings()


async def test_settings_given_at_the_start_are_kept(tmp_path: Path) -> None:
    from agents.memory import SessionSettings

    session = SQLiteSession("x", tmp_path / "a.db", session_settings=SessionSettings(limit=1))
    await session.add_items([user("one"), user("two")])
    assert await session.get_items() == [user("two")]


async def test_rows_that_cannot_be_read_take_no_place_in_a_limit(own: TableSession) -> None:
    await own.add_items([user("one"), user("two"), user("three")])
    await plant(own, *BROKEN)
    assert await own.get_items(limit=2) == [user("two"), user("three")]
    await own.add_items([user("four")])
    assert await own.get_items(limit=2) == [user("three"), user("four")]
    assert await own.get_items() == [user("one"), user("two"), user("three"), user("four")]


# Adding


async def test_adding_nothing_does_nothing(session: InspectableSession) -> None:
    await session.add_items([user()])
    before = await session.revision()
    await session.add_items([])
    assert await session.get_items() == [user()]
    assert await session.revision() == before


async def test_adding_nothing_makes_no_file(tmp_path: Path) -> None:
    await SQLiteSession("x", tmp_path / "a.db").add_items([])
    assert on_disk(tmp_path) == {}


@pytest.mark.parametrize(
    "bad", [object(), {"role": "user", "content": {1, 2}}, {"content": b"bytes"}, "text"]
)
async def test_a_batch_with_an_item_that_is_not_json_stores_nothing(own: TableSession, bad: Any) -> None:
    await own.add_items([user("before")])
    with pytest.raises(TypeError):
        await own.add_items([user("good"), bad, user("also good")])
    assert await own.get_items() == [user("before")]


async def test_an_item_that_nests_without_end_is_refused(own: TableSession) -> None:
    item: Item = {}
    item["self"] = item
    with pytest.raises(ValueError, match=r"."):
        await own.add_items([user("good"), item])
    assert await own.get_items() == []


async def test_the_callers_items_are_not_changed(session: InspectableSession) -> None:
    item = user()
    await session.add_items([item])
    assert item == user()


async def test_what_was_given_back_can_be_changed_without_changing_the_store(own: TableSession) -> None:
    await own.add_items([assistant("stored")])
    (item,) = await own.get_items()
    item["content"][0]["text"] = "changed by the caller"
    assert await own.get_items() == [assistant("stored")]


async def test_batches_of_many_writers_are_never_split(own_store: Open) -> None:
    async def write(writer: int) -> None:
        session = own_store("shared")
        for batch in range(5):
            await session.add_items([user(f"{writer}.{batch}.{part}") for part in range(3)])

    await asyncio.gather(*(write(writer) for writer in range(8)))
    texts = [item["content"] for item in await own_store("shared").get_items()]
    batches = [texts[start : start + 3] for start in range(0, len(texts), 3)]
    assert len(batches) == 40
    assert all([text[:-1] for text in batch] == [batch[0][:-1]] * 3 for batch in batches)
    assert all([text[-1] for text in batch] == ["0", "1", "2"] for batch in batches)


async def test_ten_first_writers_of_one_session_all_store(own_store: Open) -> None:
    await asyncio.gather(*(own_store("new").add_items([user(str(n))]) for n in range(10)))
    assert sorted(item["content"] for item in await own_store("new").get_items()) == [
        str(n) for n in range(10)
    ]


# Popping


async def test_pop_gives_the_newest_item_until_there_is_none(session: InspectableSession) -> None:
    await session.add_items([user("one"), assistant("two")])
    assert await session.pop_item() == assistant("two")
    assert await session.pop_item() == user("one")
    assert await session.pop_item() is None
    assert await session.get_items() == []


async def test_pop_keeps_a_copy_that_undo_puts_back(own: TableSession) -> None:
    await own.add_items([user("one"), assistant("two")])
    before = await rows(own)
    await own.pop_item()
    await own.pop_item()
    await own.undo()
    await own.undo()
    assert await rows(own) == before


async def test_pop_takes_the_unreadable_rows_behind_the_newest_item_and_keeps_them(own: TableSession) -> None:
    await own.add_items([user("one"), user("two")])
    await plant(own, *BROKEN)
    before = await rows(own)
    assert await own.pop_item() == user("two")
    assert await rows(own) == before[:1]
    await own.undo()
    assert await rows(own) == before


async def test_pop_takes_nothing_where_nothing_can_be_read(own: TableSession) -> None:
    await plant(own, *BROKEN)
    before = await rows(own)
    assert await own.pop_item() is None
    assert await rows(own) == before
    assert await own.changes() == []


# Clearing


async def test_a_cleared_session_is_empty_and_can_be_used_again(session: InspectableSession) -> None:
    await session.add_items([user("one"), assistant("two")])
    await session.clear_session()
    assert await session.get_items() == []
    await session.add_items([user("three")])
    assert await session.get_items() == [user("three")]


async def test_numbers_begin_again_after_a_clear(session: InspectableSession) -> None:
    await session.add_items([user("one"), assistant("two"), user("three")])
    await session.timeline()
    await session.clear_session()
    assert (await session.timeline()).total == 0
    await session.add_items([user("one")])
    timeline = await session.timeline()
    assert (timeline.total, timeline.turns) == (1, 1)
    assert [(entry.position, entry.turn) for entry in timeline.entries] == [(1, 1)]


async def test_clearing_is_for_good(session: InspectableSession) -> None:
    from memory import Clear, NothingToDo

    await session.add_items([user("one"), assistant("two")])
    await session.apply(await session.plan(Clear()))
    await session.clear_session()
    assert await session.changes() == []
    with pytest.raises(NothingToDo):
        await session.undo()


# Apart by id, together by id


@pytest.mark.parametrize(
    "other", ["user-auth", "userXauth", "USER_AUTH", "user_auth ", "%", "_", "'", '"', "user_auth%"]
)
async def test_sessions_are_told_apart_by_the_whole_id_to_the_letter(store: Open, other: str) -> None:
    mine, theirs = store("user_auth"), store(other)
    await mine.add_items([user("mine")])
    await theirs.add_items([user("theirs")])
    assert await mine.get_items() == [user("mine")]
    assert await theirs.pop_item() == user("theirs")
    await theirs.clear_session()
    assert await mine.get_items() == [user("mine")]


async def test_long_ids_that_differ_only_at_the_end_are_two_sessions(store: Open) -> None:
    first, second = store("x" * 400 + "a"), store("x" * 400 + "b")
    await first.add_items([user("first")])
    assert await second.get_items() == []


async def test_the_same_id_is_the_same_session(store: Open) -> None:
    await store("ticket_456").add_items([user()])
    assert await store("ticket_456").get_items() == [user()]


async def test_two_objects_in_memory_are_two_memories() -> None:
    first, second = SQLiteSession("x"), SQLiteSession("x")
    await first.add_items([user()])
    assert await second.get_items() == []


async def test_the_same_id_in_other_tables_is_another_session(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await SQLiteSession("x", path).add_items([user()])
    assert await SQLiteSession("x", path, "other_sessions", "other_messages").get_items() == []


async def test_an_id_may_be_any_text(store: Open) -> None:
    session = store("票 456 🎫\n'); DROP TABLE agent_messages; --")
    await session.add_items([user()])
    assert await session.get_items() == [user()]


# The end


async def test_a_closed_session_says_so(tmp_path: Path) -> None:
    session = SQLiteSession("x", tmp_path / "a.db")
    await session.add_items([user()])
    session.close()
    session.close()
    for attempt in (
        session.get_items,
        session.pop_item,
        session.clear_session,
        session.timeline,
        session.revision,
        session.undo,
        session.changes,
        lambda: session.add_items([user()]),
        lambda: session.add_items([]),
    ):
        with pytest.raises(RuntimeError, match="SQLiteSession is closed"):
            await attempt()


async def test_closing_one_session_leaves_the_others_on_its_file_open(tmp_path: Path) -> None:
    first, second = SQLiteSession("x", tmp_path / "a.db"), SQLiteSession("x", tmp_path / "a.db")
    await first.add_items([user()])
    first.close()
    assert await second.get_items() == [user()]


async def test_a_call_that_is_cancelled_is_stored_whole_or_not_at_all(own: TableSession) -> None:
    items = [user(str(n)) for n in range(50)]
    task = asyncio.create_task(own.add_items(items))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await own.get_items() in ([], items)
