"""Branches: a copy of the beginning under another id; the original is not touched."""

from __future__ import annotations

import pytest

from memory import (
    Change,
    Clear,
    EntryNotFound,
    NothingToDo,
    Remove,
    RollBack,
    SessionNotEmpty,
    TableSession,
    Truncate,
)

from .items import Item, assistant, call, output, pair, reasoning, relay, turns, user
from .stores import Open, plant, rows, run_sql, said
from .wholeness import complaints


async def make(session: TableSession, edit: RollBack | Remove | Truncate | Clear) -> Change:
    return await session.apply(await session.plan(edit))


async def ids(session: TableSession) -> list[str]:
    return [entry.id for entry in (await session.timeline(limit=10_000)).entries]


async def test_a_branch_says_the_same_at_the_same_times_under_new_ids(own: TableSession) -> None:
    await own.add_items(turns(2))
    await plant(own, "{broken", b"\xff")
    await run_sql(own, "UPDATE {messages} SET created_at = {time_of_its_own}")
    before = await rows(own)
    other = await own.branch("b")
    copied = await rows(other)
    assert [(said(other, row), row.created_at) for row in copied] == [
        (said(own, row), row.created_at) for row in before
    ]
    assert {row.id for row in copied}.isdisjoint(row.id for row in before)
    assert await rows(own) == before


async def test_a_branch_up_to_an_entry_ends_with_it(own: TableSession) -> None:
    await own.add_items(turns(3))
    other = await own.branch("b", upto=(await ids(own))[7])
    assert await other.get_items() == turns(2)


@pytest.mark.parametrize("index", range(11))
async def test_a_branch_up_to_any_entry_holds_half_of_nothing(own: TableSession, index: int) -> None:
    await own.add_items(relay())
    at = (await ids(own))[index]
    other = await own.branch("b", upto=at)
    left = await other.get_items()
    assert complaints(left) == []
    if index < 10:
        await make(own, RollBack(to=at))
    assert left == await own.get_items(), "a branch holds what a roll back would leave"


async def test_what_a_branch_takes_along_may_stand_far_back(own: TableSession) -> None:
    await own.add_items([user(), call("far"), *turns(100), output("far")])
    other = await own.branch("b", upto=(await ids(own))[-2])
    assert await other.get_items() == [user(), *turns(100)]


async def test_authors_and_notes_come_along(own: TableSession) -> None:
    await own.note("interrupted")
    await own.append([user(), *pair("k")], agent="Triage", note=("stopped", {"after": "k"}))
    await own.append([assistant("a")], agent="Approval", note=("limit", {}))
    await own.append([user("left out"), assistant("b")], agent="Summary", note=("failed", {}))
    other = await own.branch("b", upto=(await ids(own))[3])
    timeline = await other.timeline()
    assert [entry.agent for entry in timeline.entries] == [None, "Triage", "Triage", "Approval"]
    notes = [(note.kind, note.detail, note.after) for note in await other.notes(timeline)]
    assert notes == [
        ("interrupted", {}, None),
        ("stopped", {"after": "k"}, timeline.entries[2].id),
        ("limit", {}, timeline.entries[3].id),
    ]


async def test_authors_stay_with_their_items_where_something_between_is_left_out(own: TableSession) -> None:
    await own.append([user()])
    await own.append([call("far")], agent="Triage")
    await own.append([assistant("a")], agent="Approval")
    await own.append([output("far")], agent="Summary")
    other = await own.branch("b", upto=(await ids(own))[2])
    assert [entry.agent for entry in (await other.timeline()).entries] == [None, "Approval"]


async def test_both_go_their_own_ways(own: TableSession) -> None:
    await own.add_items(turns(2))
    other = await own.branch("b")
    await own.pop_item()
    await other.add_items([user("only there")])
    await make(other, Truncate(keep_turns=2))
    assert await own.get_items() == turns(2)[:-1]
    assert await other.get_items() == [*turns(2)[4:], user("only there")]
    await own.undo()
    await other.clear_session()
    assert await own.get_items() == turns(2)


async def test_an_undo_in_one_touches_nothing_in_the_other(own: TableSession) -> None:
    await own.add_items(turns(1))
    await own.pop_item()
    other = await own.branch("b")
    with pytest.raises(NothingToDo):
        await other.undo()
    await own.undo()
    assert await other.get_items() == turns(1)[:-1]


async def test_a_branch_of_a_branch_works_like_any_other(own: TableSession) -> None:
    await own.add_items(turns(2))
    first = await own.branch("b")
    second = await first.branch("c", upto=(await ids(first))[3])
    assert await second.get_items() == turns(1)


async def test_a_branch_is_found_under_its_id(own_store: Open) -> None:
    session = own_store("a")
    await session.add_items(turns(1))
    await session.branch("b")
    assert await own_store("b").get_items() == turns(1)


async def test_a_branch_is_never_written_over_a_session_with_items(own_store: Open) -> None:
    session, there = own_store("a"), own_store("b")
    await session.add_items(turns(1))
    await there.add_items([user("mine")])
    with pytest.raises(SessionNotEmpty, match="choose another name"):
        await session.branch("b")
    with pytest.raises(SessionNotEmpty):
        await session.branch("a")
    assert await there.get_items() == [user("mine")]
    assert await session.get_items() == turns(1)


async def test_a_session_that_was_emptied_can_be_branched_into(own_store: Open) -> None:
    session, there = own_store("a"), own_store("b")
    await session.add_items(turns(1))
    await there.add_items([user("gone")])
    await there.clear_session()
    await session.branch("b")
    assert await there.get_items() == turns(1)


async def test_there_is_nothing_to_branch_from_an_empty_session(own: TableSession) -> None:
    with pytest.raises(NothingToDo):
        await own.branch("b")


async def test_a_branch_up_to_an_entry_that_is_gone_is_refused_and_makes_nothing(own_store: Open) -> None:
    session = own_store("a")
    assert isinstance(session, TableSession)
    await session.add_items(turns(1))
    newest = (await ids(session))[-1]
    await session.pop_item()
    with pytest.raises(EntryNotFound):
        await session.branch("b", upto=newest)
    assert await own_store("b").get_items() == []


# The state before an edit


async def test_a_branch_before_a_roll_back_that_was_written_over_gives_the_earlier_state(
    own: TableSession,
) -> None:
    await own.append(turns(3), agent="Triage")
    before = await rows(own)
    change = await make(own, RollBack(to=(await ids(own))[3]))
    await own.add_items([user("went on"), assistant("another way")])
    other = await own.branch("b", before=change)
    assert [(said(other, row), row.created_at) for row in await rows(other)] == [
        (said(own, row), row.created_at) for row in before
    ]
    agents = [entry.agent for entry in (await other.timeline()).entries]
    assert agents == [None, "Triage", "Triage", "Triage"] * 3
    assert (await own.get_items())[-1] == assistant("another way")


async def test_a_branch_before_a_roll_back_keeps_the_order_of_what_was_taken_along(own: TableSession) -> None:
    history: list[Item] = [
        user(),
        call("far"),
        user("hello"),
        assistant("hi"),
        output("far"),
        assistant("end"),
    ]
    for number, item in enumerate(history):
        await own.append([item], agent=f"Agent {number}")
    agents = [entry.agent for entry in (await own.timeline()).entries]
    change = await make(own, RollBack(to=(await ids(own))[3]))
    assert change.removed == 3
    await own.add_items([user("went on")])
    other = await own.branch("b", before=change)
    assert await other.get_items() == history
    assert [entry.agent for entry in (await other.timeline()).entries] == agents


async def test_a_branch_before_a_pop_holds_what_was_popped(own: TableSession) -> None:
    await own.add_items(turns(1))
    await own.pop_item()
    (change,) = await own.changes()
    await own.add_items([assistant("another")])
    assert await (await own.branch("b", before=change)).get_items() == turns(1)


async def test_a_branch_before_a_roll_back_to_nothing_holds_everything(own: TableSession) -> None:
    await own.add_items(turns(2))
    change = await make(own, RollBack(to=None))
    assert await (await own.branch("b", before=change)).get_items() == turns(2)


@pytest.mark.parametrize("which", ["truncate", "undone", "of another session"])
async def test_only_a_tail_edit_that_stands_has_a_state_before_it(own_store: Open, which: str) -> None:
    session = own_store("a")
    assert isinstance(session, TableSession)
    await session.add_items(turns(2))
    if which == "truncate":
        change = await make(session, Truncate(keep_turns=1))
    elif which == "undone":
        await make(session, RollBack(to=None))
        change = await session.undo()
    else:
        other = own_store("other")
        await other.add_items(turns(2))
        await other.pop_item()
        (change,) = await other.changes()
    with pytest.raises(EntryNotFound):
        await session.branch("b", before=change)


# While a decision waits


async def waiting(session: TableSession, *items: Item) -> None:
    await session.append(items, agent="Approval")
    await session.pause("{}", [("k", "refund_order", "{}", "Approval")])


async def test_the_call_that_waits_stays_behind_with_its_decision(own: TableSession) -> None:
    await waiting(own, user(), *pair("done"), call("k"))
    other = await own.branch("b")
    assert await other.get_items() == [user(), *pair("done")]
    assert await other.waiting() is None
    assert await own.waiting() is not None
    assert (await own.get_items())[-1] == call("k")


async def test_the_reasoning_before_a_call_that_waits_stays_behind_too(own: TableSession) -> None:
    await waiting(own, user(), reasoning(), call("k"))
    assert await (await own.branch("b")).get_items() == [user()]


async def test_a_call_beside_one_that_waits_after_reasoning_stays_behind_too(own: TableSession) -> None:
    await waiting(own, user(), reasoning(), call("done"), call("k"), output("done"))
    assert await (await own.branch("b")).get_items() == [user()]


async def test_an_older_pair_with_the_id_of_a_call_that_waits_comes_along(own: TableSession) -> None:
    await waiting(own, user(), *pair("k"), user("again"), call("k"))
    assert await (await own.branch("b")).get_items() == [user(), *pair("k"), user("again")]


async def test_there_is_nothing_to_branch_where_all_there_is_waits(own: TableSession) -> None:
    await waiting(own, call("k"))
    with pytest.raises(NothingToDo):
        await own.branch("b")
