"""No edit leaves half of anything: what belongs to what goes is taken along."""

from __future__ import annotations

import pytest

from memory import Clear, Edit, NothingToDo, Plan, Remove, RollBack, SQLiteSession, TableSession, Truncate

from .items import Item, assistant, call, handoff, output, reasoning, relay, turn, turns, user
from .runs import Conversation, say
from .stores import Open, entries_of, remaining, rows
from .wholeness import complaints, reasoning_followers

NOTED: list[Item] = [
    item for number in (1, 2) for item in ({"role": "system", "content": f"note {number}"}, *turn(number))
]
"""Two turns, each: system note, user, call, output, assistant."""

THOUGHTFUL: list[Item] = [
    user("both, please"),
    reasoning("rs_1"),
    call("a"),
    call("b"),
    output("a"),
    output("b"),
    reasoning("rs_2"),
    reasoning("rs_3"),
    assistant("done"),
    user("thanks"),
    reasoning("rs_4"),
    call("c"),
    output("c"),
    assistant("bye"),
]
"""Reasoning before two calls side by side, twice before a message, and before one call."""

HISTORIES = {"noted": NOTED, "thoughtful": THOUGHTFUL, "relay": relay()}


def taken(plan: Plan) -> list[tuple[Item | None, str]]:
    return [(t.entry.item, t.because) for t in plan.taken]


# Taken along


async def test_the_output_of_a_call_that_goes_is_taken_along(own: TableSession) -> None:
    await own.add_items(turns(1))
    entries = await entries_of(own)
    plan = await own.plan(Remove((entries[1].id,)))
    assert taken(plan) == [(output("call_1"), "call")]
    assert plan.removed == 2


async def test_the_call_of_an_output_that_goes_is_taken_along(own: TableSession) -> None:
    await own.add_items(turns(1))
    entries = await entries_of(own)
    plan = await own.plan(RollBack(to=entries[1].id))
    assert taken(plan) == [(call("call_1"), "output")]
    assert plan.takes("call_1")
    assert await remaining(own, RollBack(to=entries[1].id)) == turns(1)[:1]


async def test_reasoning_does_not_stay_behind_without_what_followed(own: TableSession) -> None:
    await own.add_items(relay())
    entries = await entries_of(own)
    plan = await own.plan(RollBack(to=entries[1].id))
    assert taken(plan) == [(reasoning("rs_1"), "follower")]
    plan = await own.plan(Remove((entries[2].id,)))
    assert taken(plan) == [
        (reasoning("rs_1"), "follower"),
        (handoff("call_to_approval", "Approval")[1], "call"),
    ]


async def test_what_rests_on_reasoning_that_goes_is_taken_along(own: TableSession) -> None:
    await own.add_items([user(), reasoning(), assistant()])
    entries = await entries_of(own)
    plan = await own.plan(Remove((entries[1].id,)))
    assert taken(plan) == [(assistant(), "reasoning")]


async def test_calls_side_by_side_after_reasoning_go_together(own: TableSession) -> None:
    await own.add_items(THOUGHTFUL)
    entries = await entries_of(own)
    assert await remaining(own, Remove((entries[4].id,))) == [THOUGHTFUL[0], *THOUGHTFUL[6:]]


async def test_calls_side_by_side_without_reasoning_go_one_by_one(own: TableSession) -> None:
    await own.add_items([user(), call("a"), call("b"), output("a"), output("b")])
    entries = await entries_of(own)
    assert await remaining(own, Remove((entries[3].id,))) == [user(), call("b"), output("b")]


async def test_a_handoff_and_its_answer_go_together(own: TableSession) -> None:
    await own.add_items(relay())
    entries = await entries_of(own)
    assert await remaining(own, Remove((entries[9 - 1].id,))) == [
        *relay()[:7],
        user("Sum it up."),
        relay()[-1],
    ]


@pytest.mark.parametrize("apart", [5, 300])
async def test_a_pair_far_apart_is_still_a_pair(own: TableSession, apart: int) -> None:
    between = [user(f"waiting {number}") for number in range(apart)]
    await own.add_items([user(), call("far"), *between, output("far"), assistant()])
    entries = await entries_of(own)
    plan = await own.plan(RollBack(to=entries[-3].id))
    assert taken(plan) == [(call("far"), "output")]
    plan = await own.plan(Truncate(keep_items=2))
    assert taken(plan) == [(output("far"), "call")]
    assert await remaining(own, Remove((entries[1].id,))) == [user(), *between, assistant()]


async def test_a_call_id_used_again_takes_its_own_partner_along_and_no_other(own: TableSession) -> None:
    first, second = [call("k"), output("k", "first")], [call("k"), output("k", "second")]
    await own.add_items([user("1"), *first, user("2"), *second])
    entries = await entries_of(own)
    assert taken(await own.plan(RollBack(to=entries[-2].id))) == [(call("k"), "output")]
    assert await remaining(own, Remove((entries[1].id,))) == [user("1"), user("2"), *second]


async def test_items_that_share_a_placeholder_id_are_told_apart(own: TableSession) -> None:
    items = [user("1"), assistant("a", "__fake_id__"), user("2"), assistant("b", "__fake_id__")]
    await own.add_items(items)
    entries = await entries_of(own)
    assert await remaining(own, Remove((entries[1].id,))) == [items[0], *items[2:]]


async def test_a_lone_half_goes_alone(own: TableSession) -> None:
    await own.add_items([user(), call("lost"), user("hello"), output("k9"), assistant()])
    entries = await entries_of(own)
    assert await remaining(own, Remove((entries[3].id,))) == [
        user(),
        call("lost"),
        user("hello"),
        assistant(),
    ]


async def test_pairs_of_another_session_are_none_of_this_one(own_store: Open) -> None:
    mine, theirs = own_store("mine"), own_store("theirs")
    await mine.add_items([user(), call("k")])
    await theirs.add_items([call("k"), output("k")])
    (_, lone) = (await mine.timeline()).entries
    assert (await mine.plan(Remove((lone.id,)))).removed == 1


# Never half of anything


@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
async def test_no_single_removal_and_no_cut_leaves_half_of_anything(history: list[Item]) -> None:
    """From both ends at every length, and each item alone: C001, C002 and C005 as one."""
    session = SQLiteSession("x")
    await session.add_items(history)
    entries, before = await entries_of(session), await rows(session)
    runs = reasoning_followers(history)
    edits: list[Edit] = [Clear(), RollBack(to=None)]
    edits += [RollBack(to=entry.id) for entry in entries[:-1]]
    edits += [Truncate(keep_items=count) for count in range(len(history))]
    edits += [Truncate(keep_turns=count) for count in range(2)]
    edits += [Remove((entry.id,)) for entry in entries]
    edits += [Remove((one.id, other.id)) for one in entries for other in entries if one.key < other.key]
    for edit in edits:
        plan = await session.plan(edit)
        await session.apply(plan)
        left = await session.get_items()
        stored = await rows(session)
        assert complaints(left) == [], edit
        assert len(left) == len(history) - plan.removed
        assert set(stored) <= set(before), "what stays is the same to the byte, under its own id"
        assert [row for row in before if row in stored] == stored
        left_runs = reasoning_followers(left)
        assert {id_: runs[id_] for id_ in left_runs} == left_runs
        await session.undo()
        assert await rows(session) == before


@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
async def test_the_next_turn_works_after_any_single_removal(history: list[Item]) -> None:
    for index in range(len(history)):
        session = SQLiteSession("x")
        await session.add_items(history)
        entries = await entries_of(session)
        await session.apply(await session.plan(Remove((entries[index].id,))))
        talk = Conversation(session)
        await talk.ask("next", say("fine"))
        assert complaints(talk.sent[-1]) == []
        assert talk.sent[-1][-1] == user("next")


@pytest.mark.parametrize("keep", range(11))
async def test_truncating_to_items_keeps_at_most_so_many(own: TableSession, keep: int) -> None:
    await own.add_items(NOTED)
    if keep == len(NOTED):
        with pytest.raises(NothingToDo):
            await own.plan(Truncate(keep_items=keep))
        return
    left = await remaining(own, Truncate(keep_items=keep))
    assert keep - 1 <= len(left) <= keep
    assert left == NOTED[len(NOTED) - len(left) :]
    assert complaints(left) == []


@pytest.mark.parametrize("keep", [0, 1, 2])
async def test_truncating_to_turns_keeps_just_the_newest_whole_turns(own: TableSession, keep: int) -> None:
    await own.add_items([assistant("welcome"), *turns(3)])
    assert await remaining(own, Truncate(keep_turns=keep)) == turns(3)[12 - 4 * keep :]


async def test_truncating_a_long_session_keeps_just_the_newest_turns(own: TableSession) -> None:
    await own.add_items(turns(200))
    assert await remaining(own, Truncate(keep_turns=120)) == turns(200)[-480:]
