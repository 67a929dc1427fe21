"""Branches: a copy of the beginning under another id; of the original only a decision may end."""

from __future__ import annotations

import pytest

from memory import (
    Change,
    Clear,
    DecisionClosed,
    EffectUnknown,
    EntryNotFound,
    LeaseLost,
    NothingToDo,
    Pause,
    PauseState,
    Remove,
    RollBack,
    SessionBusy,
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

ENDED = "Superseded: the conversation was edited before a person decided. Nothing was done."


async def waiting(session: TableSession, *items: Item, calls: tuple[str, ...] = ("k",)) -> Pause:
    await session.append(items, agent="Approval")
    return await session.pause("{}", [(id_, "refund_order", "{}", "Approval") for id_ in calls])


async def told(session: TableSession) -> list[tuple[str, object, bool]]:
    """The notes of a session, each with whether it stands behind the newest entry."""
    timeline = await session.timeline()
    notes = await session.notes(timeline)
    return [(note.kind, note.detail, note.after == timeline.entries[-1].id) for note in notes]


@pytest.mark.parametrize("upto", ["everything", "the newest entry"])
async def test_a_branch_of_all_ends_the_decision_and_both_hold_the_closed_call(
    own: TableSession, upto: str
) -> None:
    pause = await waiting(own, user(), *pair("done"), call("k"))
    other = await own.branch("b", upto=(await ids(own))[-1] if upto != "everything" else None)
    for session in (own, other):
        assert await session.get_items() == [user(), *pair("done"), call("k"), output("k", ENDED)]
        assert await told(session) == [("superseded", {"tools": ["refund_order"], "because": "edited"}, True)]
        assert await session.waiting() is None
        with pytest.raises(DecisionClosed):
            await session.decide(pause.id, {"k": (True, "")})
    agents = [entry.agent for entry in (await other.timeline()).entries]
    assert agents == [None, *["Approval"] * 3, None]


async def test_a_branch_that_ends_before_the_call_that_waits_leaves_the_decision_alone(
    own: TableSession,
) -> None:
    pause = await waiting(own, user(), *pair("done"), call("k"))
    before = await rows(own)
    other = await own.branch("b", upto=(await ids(own))[-2])
    assert await other.get_items() == [user(), *pair("done")]
    assert await rows(own) == before
    assert await own.waiting() == pause
    assert await told(own) == []
    assert (await own.decide(pause.id, {"k": (True, "")})).status is PauseState.DECIDING


async def test_a_branch_of_the_state_before_an_edit_leaves_the_decision_alone(own: TableSession) -> None:
    await own.add_items(turns(2))
    change = await make(own, RollBack(to=(await ids(own))[3]))
    pause = await waiting(own, user(), call("k"))
    other = await own.branch("b", before=change)
    assert await other.get_items() == turns(2)
    assert await own.waiting() == pause
    assert (await own.get_items())[-1] == call("k")


async def test_the_reasoning_before_the_call_comes_along_with_the_closed_pair(own: TableSession) -> None:
    await waiting(own, user(), reasoning(), call("k"))
    other = await own.branch("b", upto=(await ids(own))[-1])
    assert await other.get_items() == [user(), reasoning(), call("k"), output("k", ENDED)]


async def test_where_the_cut_would_tear_the_call_out_of_its_run_the_decision_waits_on(
    own: TableSession,
) -> None:
    """The call stands before the cut, but could not stand in the copy: nothing of the decision is there."""
    pause = await waiting(own, user(), reasoning(), call("k"), call("done"), output("done"))
    other = await own.branch("b", upto=(await ids(own))[2])
    assert await other.get_items() == [user()]
    assert await own.waiting() == pause


async def test_a_branch_up_to_one_of_two_calls_that_wait_holds_that_one_closed(own: TableSession) -> None:
    await waiting(own, user(), call("a"), call("b"), calls=("a", "b"))
    other = await own.branch("other", upto=(await ids(own))[1])
    assert await other.get_items() == [user(), call("a"), output("a", ENDED)]
    assert await own.get_items() == [user(), call("a"), call("b"), output("a", ENDED), output("b", ENDED)]
    assert await own.waiting() is None


async def test_a_call_that_was_answered_beside_one_that_waits_comes_along_where_its_answer_does(
    own: TableSession,
) -> None:
    history = [user(), call("k"), call("done"), output("done")]
    await waiting(own, *history)
    other = await own.branch("b", upto=(await ids(own))[2])
    assert await other.get_items() == [user(), call("k"), output("k", ENDED)]
    again = await own.branch("c")
    assert await again.get_items() == [*history, output("k", ENDED)]


async def test_a_call_that_waits_far_back_is_closed_in_the_copy_too(own: TableSession) -> None:
    """What was said behind it since does not come along, but the result does."""
    await waiting(own, user(), call("k"))
    await own.add_items(turns(3))
    other = await own.branch("b", upto=(await ids(own))[5])
    assert await other.get_items() == [user(), call("k"), *turns(1), output("k", ENDED)]
    assert complaints(await own.get_items()) == []


async def test_an_older_pair_with_the_id_of_a_call_that_waits_is_not_taken_for_it(own: TableSession) -> None:
    history = [user(), *pair("k"), user("again"), call("k")]
    pause = await waiting(own, *history)
    early = await own.branch("early", upto=(await ids(own))[3])
    assert await early.get_items() == history[:-1]
    assert await own.waiting() == pause
    assert await (await own.branch("b")).get_items() == [*history, output("k", ENDED)]


async def test_a_call_that_nothing_could_close_stays_behind_with_its_decision(own: TableSession) -> None:
    asked = {"type": "mcp_approval_request", "id": "k", "name": "refund", "arguments": "{}"}
    pause = await waiting(own, user(), asked)
    assert await (await own.branch("b")).get_items() == [user()]
    assert await own.waiting() == pause


async def test_a_branch_that_is_refused_ends_no_decision(own_store: Open) -> None:
    session = own_store("a")
    assert isinstance(session, TableSession)
    pause = await waiting(session, user(), call("k"))
    await own_store("there").add_items([user("mine")])
    before = await rows(session)
    with pytest.raises(SessionNotEmpty):
        await session.branch("there")
    assert await session.waiting() == pause
    assert await rows(session) == before


async def test_what_was_edited_before_can_be_undone_after_a_branch_that_ended_a_decision(
    own: TableSession,
) -> None:
    await own.add_items(turns(3))
    await make(own, Truncate(keep_turns=1))
    await waiting(own, user(), call("k"))
    await own.branch("b")
    after = [user(), call("k"), output("k", ENDED)]
    await own.undo()
    assert await own.get_items() == [*turns(3), *after]
    await own.redo()
    assert await own.get_items() == [*turns(3)[8:], *after]


async def test_a_decision_that_was_taken_is_not_ended_by_a_branch_that_reaches_it(own: TableSession) -> None:
    pause = await waiting(own, user(), *pair("done"), call("k"))
    await own.decide(pause.id, {"k": (True, "")})
    before = await rows(own)
    with pytest.raises(EffectUnknown, match="settle it first"):
        await own.branch("b")
    found = await own.waiting()
    assert found is not None
    assert (found.status, await rows(own)) == (PauseState.DECIDING, before)
    assert await (await own.branch("b", upto=(await ids(own))[2])).get_items() == [user(), *pair("done")]
    await own.append([output("k")])
    assert await (await own.branch("c")).get_items() == [user(), *pair("done"), *pair("k")]
    assert await own.waiting() is not None


async def test_only_a_branch_that_would_end_a_decision_waits_for_a_run(own: TableSession) -> None:
    pause = await waiting(own, user(), call("k"))
    lease = await own.acquire("a run", 60)
    before = await rows(own)
    with pytest.raises(SessionBusy, match="edits wait until it ends"):
        await own.branch("b")
    assert (await own.waiting(), await rows(own)) == (pause, before)
    assert await (await own.branch("early", upto=(await ids(own))[0])).get_items() == [user()]
    other = await own.branch("b", lease=lease)
    assert await other.get_items() == [user(), call("k"), output("k", ENDED)]


async def test_a_run_that_lost_its_lease_ends_no_decision_by_a_branch(own: TableSession) -> None:
    pause = await waiting(own, user(), call("k"))
    lost = await own.acquire("a run", 60)
    await own.release(lost)
    with pytest.raises(LeaseLost):
        await own.branch("b", lease=lost)
    assert await own.waiting() == pause
