"""Entries that are replaced, and halves of a pair that are mended."""

from __future__ import annotations

from typing import Any

import pytest

from memory import NothingToDo, NotSupported, Repair, Replace, TableSession

from .items import Item, assistant, call, output, reasoning, turns, user
from .stores import entries_of, plant, remaining, rows, run_sql
from .wholeness import complaints, reasoning_followers


async def test_a_replaced_item_stands_in_the_same_place_with_the_same_time_and_author(
    own: TableSession,
) -> None:
    await own.append(turns(2), agent="Triage")
    await run_sql(own, "UPDATE {messages} SET created_at = '2001-02-03 04:05:06'")
    old = (await entries_of(own))[3]
    await own.apply(await own.plan(Replace(old.id, assistant("better"))))
    new = (await entries_of(own))[3]
    assert new.item == assistant("better")
    assert (new.key, new.created_at, new.agent) == (old.key, old.created_at, old.agent)
    assert new.id != old.id
    assert (await own.timeline()).total == 8


async def test_the_text_of_an_output_can_be_replaced(own: TableSession) -> None:
    await own.add_items(turns(1))
    entries = await entries_of(own)
    left = await remaining(own, Replace(entries[2].id, output("call_1", "masked")))
    assert left == [*turns(1)[:2], output("call_1", "masked"), turns(1)[3]]


@pytest.mark.parametrize(
    ("index", "item", "why"),
    [
        (2, output("another"), "call id"),
        (1, output("call_1"), "call id"),
        (0, assistant(), "kind"),
        (1, user(), "call id"),
    ],
)
async def test_a_replacement_that_would_break_a_pair_is_refused(
    own: TableSession, index: int, item: Item, why: str
) -> None:
    await own.add_items(turns(1))
    entries = await entries_of(own)
    with pytest.raises(NotSupported, match=why):
        await own.plan(Replace(entries[index].id, item))


async def test_a_replacement_that_is_not_json_is_refused(own: TableSession) -> None:
    await own.add_items(turns(1))
    entries = await entries_of(own)
    with pytest.raises(TypeError):
        await own.plan(Replace(entries[0].id, {"role": "user", "content": object()}))


async def test_a_row_that_cannot_be_read_can_be_replaced_by_an_item(own: TableSession) -> None:
    await own.add_items([user("before")])
    await plant(own, "{broken")
    entries = await entries_of(own)
    assert await remaining(own, Replace(entries[1].id, user("mended"))) == [user("before"), user("mended")]


async def test_a_lone_half_can_be_removed_and_the_rest_stays_to_the_byte(own: TableSession) -> None:
    await own.add_items([user(), call("k1"), user("hello"), assistant("hi")])
    before, entries = await rows(own), await entries_of(own)
    await own.apply(await own.plan(Repair(entries[1].id, "remove")))
    assert await rows(own) == [before[0], *before[2:]]


async def test_a_lone_call_at_the_end_can_be_given_a_cancelled_result(own: TableSession) -> None:
    await own.add_items([user(), call("k1")])
    before, entries = await rows(own), await entries_of(own)
    change = await own.apply(await own.plan(Repair(entries[1].id, "complete")))
    items = await own.get_items()
    assert complaints(items) == []
    assert items[-1]["output"].startswith("Cancelled")
    assert (await rows(own))[:2] == before
    assert (change.removed, change.added) == (0, 1)


async def test_a_lone_call_in_the_middle_gets_its_result_right_behind_it(own: TableSession) -> None:
    await own.add_items([user(), call("k1"), user("hello"), assistant("hi")])
    before, entries = await rows(own), await entries_of(own)
    change = await own.apply(await own.plan(Repair(entries[1].id, "complete")))
    items, after = await own.get_items(), await rows(own)
    assert [item.get("type", item.get("role")) for item in items] == [
        "user",
        "function_call",
        "function_call_output",
        "user",
        "message",
    ]
    assert complaints(items) == []
    assert [(row.raw, row.created_at) for row in after[3:]] == [(r.raw, r.created_at) for r in before[2:]]
    assert after[:2] == before[:2]
    assert {row.id for row in after[2:]}.isdisjoint(row.id for row in before)
    assert (change.removed, change.added) == (0, 1)


async def test_authors_and_notes_follow_the_entries_that_a_mended_call_moves(own: TableSession) -> None:
    await own.append([user(), call("k1")], agent="Triage")
    await own.append([user("hello"), assistant("hi")], agent="Approval", note=("stopped", {"at": "hi"}))
    entries = await entries_of(own)
    await own.apply(await own.plan(Repair(entries[1].id, "complete")))
    timeline = await own.timeline()
    assert [entry.agent for entry in timeline.entries] == [None, "Triage", None, None, "Approval"]
    (note,) = await own.notes(timeline)
    assert (note.kind, note.after, note.detail) == ("stopped", timeline.entries[-1].id, {"at": "hi"})
    await own.undo()
    timeline = await own.timeline()
    assert [entry.agent for entry in timeline.entries] == [None, "Triage", None, "Approval"]
    (note,) = await own.notes(timeline)
    assert note.after == timeline.entries[-1].id
    await own.redo()
    timeline = await own.timeline()
    assert [entry.agent for entry in timeline.entries] == [None, "Triage", None, None, "Approval"]
    (note,) = await own.notes(timeline)
    assert note.after == timeline.entries[-1].id


async def test_a_result_for_one_of_several_calls_does_not_part_them(own: TableSession) -> None:
    """A reasoning item and the calls its response made stay side by side."""
    history = [user(), reasoning(), call("a"), call("b"), output("b"), assistant()]
    await own.add_items(history)
    entries = await entries_of(own)
    left = await remaining(own, Repair(entries[2].id, "complete"))
    assert complaints(left) == []
    assert reasoning_followers(left) == reasoning_followers(history)


async def test_two_lone_calls_are_mended_one_after_the_other(own: TableSession) -> None:
    await own.add_items([user(), call("a"), call("b"), user("hello")])
    for _ in range(2):
        lone = next(entry for entry in await entries_of(own) if entry.state == "unpaired")
        await own.apply(await own.plan(Repair(lone.id, "complete")))
    assert complaints(await own.get_items()) == []
    assert [item.get("role") for item in await own.get_items()][-1] == "user"


@pytest.mark.parametrize("index", [0, 2, 3])
async def test_only_a_call_without_its_result_can_be_completed(own: TableSession, index: int) -> None:
    await own.add_items([user(), call("k1"), output("k9"), {"type": "computer_call", "call_id": "c"}])
    entries = await entries_of(own)
    with pytest.raises(NotSupported):
        await own.plan(Repair(entries[index].id, "complete"))


async def test_a_call_with_its_result_needs_no_mending(own: TableSession) -> None:
    await own.add_items(turns(1))
    entries = await entries_of(own)
    with pytest.raises(NothingToDo):
        await own.plan(Repair(entries[1].id, "complete"))


async def test_a_repair_of_an_unknown_kind_is_refused(own: TableSession) -> None:
    await own.add_items([call("k1")])
    (entry,) = await entries_of(own)
    wrong: Any = "pray"
    with pytest.raises(NotSupported):
        await own.plan(Repair(entry.id, wrong))
