"""Items, limits, rows and times that are none: refused whole, or shown as such and kept."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memory import Clear, MemoryDeskError, Replace, RollBack, SQLiteSession, State

from ..faulty import SESSION
from ..items import Item, turn, user
from ..stores import plant, rows, run_sql


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
