"""Plans: what an edit would do, told before it is done, and refused once the history is another."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from agents import SQLiteSession as SdkSession

from memory import (
    Clear,
    Edit,
    EntryNotFound,
    HistoryChanged,
    NothingToDo,
    NotSupported,
    Plan,
    Remove,
    Repair,
    Replace,
    RollBack,
    SQLiteDatabase,
    SQLiteSession,
    Tables,
    TableSession,
    Truncate,
)
from memory.statements import Operation, Row, Start, Statement

from .items import Item, assistant, call, handoff, output, reasoning, relay, turn, turns, user
from .runs import Conversation, say
from .stores import Open, among_strangers, entries_of, plant, rows, run_sql
from .wholeness import complaints, reasoning_followers

T = TypeVar("T")

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


async def remaining(session: TableSession, edit: Edit) -> list[Item]:
    """What is stored after an edit."""
    await session.apply(await session.plan(edit))
    return await session.get_items()


def taken(plan: Plan) -> list[tuple[Item | None, str]]:
    return [(t.entry.item, t.because) for t in plan.taken]


# What a plan says


async def test_a_plan_changes_nothing(own: TableSession) -> None:
    await own.add_items(relay())
    entries, before = await entries_of(own), await rows(own)
    for edit in (RollBack(to=entries[4].id), Truncate(keep_turns=1), Remove((entries[3].id,)), Clear()):
        for _ in range(50):
            revision = await own.revision()
            await own.plan(edit)
            same = await own.revision() == revision
            if same or not among_strangers(own):
                break
        assert same
    assert await rows(own) == before
    assert await own.changes() == []


async def test_a_roll_back_names_what_goes_and_counts_what_stays(own: TableSession) -> None:
    await own.add_items(turns(3))
    entries = await entries_of(own)
    plan = await own.plan(RollBack(to=entries[7].id))
    assert (plan.removed, plan.kept, plan.taken) == (4, 8, ())
    assert (plan.first_turn, plan.last_turn) == (3, 3)
    assert (plan.shown, plan.shown_go) == (tuple(entries[8:]), True)
    assert plan.calls == {"call_3"}


async def test_a_plan_shows_the_smaller_side(own: TableSession) -> None:
    await own.add_items(turns(3))
    entries = await entries_of(own)
    plan = await own.plan(RollBack(to=entries[0].id))
    assert (plan.removed, plan.kept) == (11, 1)
    assert (plan.shown, plan.shown_go) == (tuple(entries[:1]), False)


async def test_a_plan_tells_of_each_call_whether_it_goes_whatever_side_it_shows(own: TableSession) -> None:
    await own.add_items(turns(5))
    entries = await entries_of(own)
    for kept in (1, 2, 3, 4):
        plan = await own.plan(RollBack(to=entries[4 * kept - 1].id))
        assert [plan.takes(f"call_{number}") for number in (1, 2, 3, 4, 5)] == [
            n > kept for n in (1, 2, 3, 4, 5)
        ]
        plan = await own.plan(Truncate(keep_turns=kept))
        goes = [n <= 5 - kept for n in (1, 2, 3, 4, 5)]
        assert [plan.takes(f"call_{number}") for number in (1, 2, 3, 4, 5)] == goes


@pytest.mark.parametrize(
    ("edit", "turns_named"),
    [
        (Truncate(keep_turns=1), (1, 2)),
        (Truncate(keep_turns=2), (1, 1)),
        (Truncate(keep_items=1), (1, 3)),
        (Truncate(keep_turns=0), (1, 3)),
        (Clear(), (1, 3)),
        (RollBack(to=None), (1, 3)),
    ],
)
async def test_a_plan_names_the_turns_that_go(
    own: TableSession, edit: Edit, turns_named: tuple[int, int]
) -> None:
    await own.add_items(turns(3))
    await own.timeline()
    plan = await own.plan(edit)
    assert (plan.first_turn, plan.last_turn) == turns_named
    change = await own.apply(plan)
    assert change.turns == turns_named


async def test_what_stands_before_the_first_question_is_turn_nought_to_a_plan_too(own: TableSession) -> None:
    await own.add_items([assistant("welcome"), *turns(1)])
    await own.timeline()
    plan = await own.plan(Clear())
    assert (plan.first_turn, plan.last_turn) == (0, 1)


async def test_rows_that_cannot_be_read_go_and_stay_like_any_other(own: TableSession) -> None:
    await own.add_items(turns(1))
    await plant(own, "{broken", "42")
    await own.add_items([user("after")])
    entries = await entries_of(own)
    plan = await own.plan(RollBack(to=entries[4].id))
    assert plan.removed == 2
    await own.apply(plan)
    assert [row.raw for row in await rows(own)][4:] == [b"{broken"]


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


# Replacing and mending


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


# Refused


@pytest.mark.parametrize(
    "arguments",
    [{}, {"keep_turns": 1, "keep_items": 1}, {"keep_items": -1}, {"keep_turns": 1.5}, {"keep_turns": True}],
    ids=str,
)
def test_a_truncation_that_makes_no_sense_cannot_be_written(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="Truncate takes"):
        Truncate(**arguments)


@pytest.mark.parametrize(
    "token", ["", "1", "x.y", "1.00000000", "99999.aaaa", "1.", "²." + "0" * 8, "9" * 30 + ".a"]
)
async def test_an_entry_that_is_not_there_is_said_so(own: TableSession, token: str) -> None:
    await own.add_items(turns(1))
    for edit in (RollBack(to=token), Remove((token,)), Repair(token, "remove"), Replace(token, user())):
        with pytest.raises(EntryNotFound):
            await own.plan(edit)


async def test_an_entry_of_another_session_is_not_there(own_store: Open) -> None:
    mine, theirs = own_store("mine"), own_store("theirs")
    await mine.add_items([user("mine")])
    ids = await theirs.append([user("theirs")])
    with pytest.raises(EntryNotFound):
        await mine.plan(Remove((ids[0],)))


async def test_an_entry_that_says_something_else_by_now_is_not_the_one_that_was_drawn(
    own: TableSession,
) -> None:
    (drawn,) = await own.append([user("one")])
    await run_sql(own, "UPDATE {messages} SET message_data = '{{}}'")
    with pytest.raises(EntryNotFound):
        await own.plan(Remove((drawn,)))


async def test_an_edit_of_an_empty_session_has_nothing_to_do(own: TableSession) -> None:
    for edit in (Clear(), RollBack(to=None), Truncate(keep_turns=1), Truncate(keep_items=0)):
        with pytest.raises(NothingToDo):
            await own.plan(edit)


async def test_an_edit_that_would_change_nothing_has_nothing_to_do(own: TableSession) -> None:
    await own.add_items(turns(2))
    entries = await entries_of(own)
    for edit in (
        RollBack(to=entries[-1].id),
        Truncate(keep_turns=2),
        Truncate(keep_items=8),
        Truncate(keep_items=99),
        Remove(()),
        Replace(entries[0].id, turns(1)[0]),
    ):
        with pytest.raises(NothingToDo):
            await own.plan(edit)


async def test_naming_an_entry_twice_is_naming_it_once(own: TableSession) -> None:
    (one, _) = await own.append([user("one"), user("two")])
    assert (await own.plan(Remove((one, one)))).removed == 1


# Stale


EDITS = ["roll back", "truncate", "remove", "replace", "repair", "clear"]


async def planned(session: TableSession, edit: str) -> Plan:
    """A plan of this kind over three turns with a lone call."""
    entries = await entries_of(session)
    edits: dict[str, Edit] = {
        "roll back": RollBack(to=entries[3].id),
        "truncate": Truncate(keep_turns=1),
        "remove": Remove((entries[5].id,)),
        "replace": Replace(entries[3].id, assistant("better")),
        "repair": Repair(entries[8].id, "complete"),
        "clear": Clear(),
    }
    return await session.plan(edits[edit])


MENDABLE = [*turns(2), call("lone"), *turn(3)]


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("happened", ["append", "pop", "clear", "clear and append"])
async def test_a_plan_is_refused_after_another_program_changed_the_history(
    tmp_path: Path, edit: str, happened: str
) -> None:
    sdk = SdkSession("x", tmp_path / "a.db")
    await sdk.add_items(MENDABLE)  # type: ignore[arg-type]
    ours = SQLiteSession("x", tmp_path / "a.db")
    plan = await planned(ours, edit)
    if happened == "pop":
        await sdk.pop_item()
    if "clear" in happened:
        await sdk.clear_session()
    if "append" in happened:
        await sdk.add_items(MENDABLE)  # type: ignore[arg-type]
    sdk.close()
    before = await rows(ours)
    with pytest.raises(HistoryChanged):
        await ours.apply(plan)
    assert await rows(ours) == before
    assert await ours.changes() == []


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("happened", ["append", "pop", "edit", "edit and undo", "note only"])
async def test_a_plan_is_refused_after_an_edit_of_ours_elsewhere(
    own_store: Open, edit: str, happened: str
) -> None:
    here, there = own_store("x"), own_store("x")
    assert isinstance(here, TableSession)
    assert isinstance(there, TableSession)
    await here.add_items(MENDABLE)
    plan = await planned(here, edit)
    if happened == "append":
        await there.add_items([user("later")])
    if happened == "pop":
        await there.pop_item()
    if "edit" in happened:
        await there.apply(await there.plan(Remove(((await entries_of(there))[0].id,))))
    if "undo" in happened:
        await there.undo()
    if happened == "note only":
        await there.note("stopped")
        await here.apply(plan)
        return
    before = await rows(here)
    with pytest.raises(HistoryChanged):
        await here.apply(plan)
    assert await rows(here) == before


async def test_a_plan_can_be_applied_once(own: TableSession) -> None:
    await own.add_items(turns(3))
    plan = await own.plan(Truncate(keep_turns=2))
    await own.apply(plan)
    with pytest.raises(HistoryChanged):
        await own.apply(plan)
    assert await own.get_items() == turns(3)[4:]


async def test_a_plan_of_another_session_is_refused(own_store: Open) -> None:
    mine, theirs = own_store("mine"), own_store("theirs")
    await mine.add_items(turns(2))
    await theirs.add_items(turns(2))
    plan = await theirs.plan(Clear())
    with pytest.raises(HistoryChanged):
        await mine.apply(plan)
    assert await mine.get_items() == turns(2)


async def test_writing_to_another_session_of_the_file_makes_no_plan_stale(own_store: Open) -> None:
    mine, theirs = own_store("mine"), own_store("theirs")
    await mine.add_items(turns(2))
    plan = await mine.plan(Truncate(keep_turns=1))
    await theirs.add_items(turns(2))
    await mine.apply(plan)
    assert await mine.get_items() == turns(2)[4:]
    assert await theirs.get_items() == turns(2)


# What a plan reads


class Counting:
    """A database that counts the rows its operations are given."""

    def __init__(self, database: SQLiteDatabase) -> None:
        self.database, self.given = database, 0

    def _counted(self, start: Start[T]) -> Start[T]:
        def count() -> Operation[T]:
            operation = start()
            answer: list[Row] | None = None
            while True:
                try:
                    statement: Statement = next(operation) if answer is None else operation.send(answer)
                except StopIteration as done:
                    result: T = done.value
                    return result
                answer = yield statement
                self.given += len(answer)

        return count

    async def read(self, start: Start[T], *, brief: bool = False) -> T:
        return await self.database.read(self._counted(start))

    async def write(self, start: Start[T]) -> T:
        return await self.database.write(self._counted(start))

    async def revision(self) -> Hashable:
        return await self.database.revision()

    async def erase(self) -> None:
        await self.database.erase()

    def close(self) -> None:
        self.database.close()


@pytest.mark.parametrize("far", [False, True], ids=["no pair across", "a pair across"])
@pytest.mark.parametrize("end", ["roll back", "truncate"])
async def test_a_plan_reads_the_smaller_side_and_a_few_rows_around_the_cut(end: str, far: bool) -> None:
    counting = Counting(SQLiteDatabase.at(":memory:"))
    session = TableSession("x", counting, Tables("s", "m"))
    around = [call("far")], [output("far")]
    items = turns(500)
    await session.add_items([items[0], *around[0], *items[1:], *around[1]] if far else items)
    timeline = await session.timeline(limit=10)
    counting.given = 0
    if end == "roll back":
        plan = await session.plan(RollBack(to=timeline.entries[0].id))
    else:
        plan = await session.plan(Truncate(keep_items=9))
    assert len(plan.taken) == far
    assert counting.given < 120
    assert plan.kept == len(await session.get_items()) - plan.removed


@pytest.mark.parametrize("way", ["roll back", "undo", "remove"])
async def test_a_page_after_an_edit_of_the_end_counts_only_the_end(way: str) -> None:
    counting = Counting(SQLiteDatabase.at(":memory:"))
    session = TableSession("x", counting, Tables("s", "m"))
    await session.add_items(turns(500))
    entries = (await session.timeline(limit=20)).entries
    if way == "remove":
        await session.apply(await session.plan(Remove((entries[8].id,))))
    else:
        await session.apply(await session.plan(RollBack(to=entries[8].id)))
    if way == "undo":
        await session.timeline(limit=20)
        await session.undo()
    counting.given = 0
    page = await session.timeline(limit=20)
    assert counting.given < 80
    items = await session.get_items()
    assert (page.total, page.turns) == (len(items), sum(item.get("role") == "user" for item in items))


async def test_a_plan_to_empty_a_session_reads_next_to_nothing_of_it() -> None:
    counting = Counting(SQLiteDatabase.at(":memory:"))
    session = TableSession("x", counting, Tables("s", "m"))
    await session.add_items(turns(500))
    counting.given = 0
    plan = await session.plan(Clear())
    assert (plan.removed, plan.shown_go, plan.shown) == (2000, False, ())
    assert counting.given < 50
