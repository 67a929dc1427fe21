"""Waiting decisions: a person's word counts once, and for the history it was given over."""

from __future__ import annotations

import asyncio

import pytest

from memory import (
    Clear,
    DecisionClosed,
    Edit,
    HistoryChanged,
    NotSupported,
    Pause,
    PauseState,
    Remove,
    Repair,
    Replace,
    RollBack,
    TableSession,
    Truncate,
    sessions_in,
    waiting_in,
)

from .items import Item, assistant, call, output, pair, reasoning, turns, user
from .stores import Open, rows, run_sql
from .wholeness import complaints

YES = {"k": (True, "")}
NO = {"k": (False, "too much")}

HISTORY: list[Item] = [*turns(2), user("refund it"), call("k", "refund_order")]


async def paused(session: TableSession, history: list[Item] = HISTORY) -> Pause:
    await session.add_items(history)
    return await session.pause(
        '{"frozen": "state"}', [("k", "refund_order", '{"order": "A100"}', "Approval")]
    )


async def test_a_paused_run_is_kept_as_it_was_given(own: TableSession) -> None:
    pause = await paused(own)
    assert pause.status is PauseState.PENDING
    assert pause.calls == (("k", "refund_order", '{"order": "A100"}', "Approval"),)
    assert pause.state == '{"frozen": "state"}'
    assert await own.waiting() == pause


async def test_nothing_waits_where_nothing_was_paused(own: TableSession) -> None:
    assert await own.waiting() is None
    await own.add_items(turns(1))
    assert await own.waiting() is None


async def test_a_paused_run_survives_the_object_that_stored_it(own_store: Open) -> None:
    first = own_store("x")
    assert isinstance(first, TableSession)
    pause = await paused(first)
    assert await own_store("x").waiting() == pause


async def test_a_decision_is_taken_once(own: TableSession) -> None:
    pause = await paused(own)
    deciding = await own.decide(pause.id, NO)
    assert (deciding.status, deciding.verdicts, deciding.state) == (PauseState.DECIDING, NO, pause.state)
    for verdict in (YES, NO):
        with pytest.raises(DecisionClosed):
            await own.decide(pause.id, verdict)
    waiting = await own.waiting()
    assert waiting is not None
    assert (waiting.status, waiting.verdicts) == (PauseState.DECIDING, NO)


async def test_of_eight_that_decide_at_once_one_does(own_store: Open) -> None:
    first = own_store("x")
    assert isinstance(first, TableSession)
    pause = await paused(first)
    results = await asyncio.gather(
        *(own_store("x").decide(pause.id, YES) for _ in range(8)), return_exceptions=True
    )
    assert sum(isinstance(result, Pause) for result in results) == 1
    assert sum(isinstance(result, DecisionClosed) for result in results) == 7


async def test_a_settled_decision_waits_no_more_and_its_frozen_state_is_gone(own: TableSession) -> None:
    pause = await paused(own)
    await own.decide(pause.id, YES)
    assert await own.settle(pause.id)
    assert await own.waiting() is None
    assert not await own.settle(pause.id)
    with pytest.raises(DecisionClosed):
        await own.decide(pause.id, YES)


async def test_a_decision_that_was_never_there_is_closed(own: TableSession) -> None:
    with pytest.raises(DecisionClosed):
        await own.decide(1, YES)
    assert not await own.settle(1)


async def test_a_decision_of_another_session_cannot_be_taken_here(own_store: Open) -> None:
    first, second = own_store("first"), own_store("second")
    assert isinstance(first, TableSession)
    pause = await paused(first)
    await second.add_items(HISTORY)
    with pytest.raises(DecisionClosed):
        await second.decide(pause.id, YES)
    assert not await second.settle(pause.id)
    assert await first.waiting() == pause


@pytest.mark.parametrize("happened", ["append", "a foreign append", "a foreign pop", "a foreign clear"])
async def test_a_decision_over_a_history_that_moved_is_refused(own: TableSession, happened: str) -> None:
    pause = await paused(own)
    if happened == "append":
        await own.add_items([user("never mind")])
    elif happened == "a foreign append":
        await run_sql(own, "INSERT INTO {messages} (session_id, message_data) VALUES (:session, '{{}}')")
    elif happened == "a foreign pop":
        await run_sql(own, "DELETE FROM {messages} WHERE id = (SELECT max(id) FROM {messages})")
    else:
        await run_sql(own, "DELETE FROM {messages} WHERE session_id = :session")
    with pytest.raises(DecisionClosed):
        await own.decide(pause.id, YES)
    assert await own.waiting() is None
    if "append" in happened:
        timeline = await own.timeline()
        assert "Superseded" in str(timeline.entries[-1].item)
        assert [note.kind for note in await own.notes(timeline)] == ["superseded"]


async def test_a_note_does_not_close_a_decision(own: TableSession) -> None:
    pause = await paused(own)
    await own.note("stopped")
    assert (await own.decide(pause.id, YES)).status is PauseState.DECIDING


async def test_a_run_that_pauses_again_waits_for_the_new_decision_only(own: TableSession) -> None:
    first = await paused(own)
    await own.decide(first.id, YES)
    await own.append([output("k"), call("k2")])
    second = await own.pause("{}", [("k2", "refund_order", "{}", "Approval")])
    assert await own.waiting() == second
    with pytest.raises(DecisionClosed):
        await own.decide(first.id, YES)


# The history goes on without it


async def test_a_superseded_decision_leaves_a_result_for_its_call_and_a_note(own: TableSession) -> None:
    pause = await paused(own)
    assert await own.supersede() == ("k",)
    items = await own.get_items()
    assert complaints(items) == []
    assert items[-1]["output"].startswith("Superseded")
    timeline = await own.timeline()
    (note,) = await own.notes(timeline)
    assert (note.kind, note.detail, note.after) == (
        "superseded",
        {"tools": ["refund_order"]},
        timeline.entries[-1].id,
    )
    assert await own.waiting() is None
    with pytest.raises(DecisionClosed):
        await own.decide(pause.id, YES)
    assert await own.supersede() == ()


async def test_each_of_several_calls_that_wait_gets_its_result_in_order(own: TableSession) -> None:
    await own.add_items([user(), call("a"), call("b"), call("done"), output("done")])
    await own.pause("{}", [("a", "refund", "{}", "Approval"), ("b", "cancel", "{}", "Approval")])
    await own.supersede()
    items = await own.get_items()
    assert complaints(items) == []
    assert [item["call_id"] for item in items[-2:]] == ["a", "b"]


async def test_a_call_id_that_was_used_before_is_closed_once_and_at_its_own_call(own: TableSession) -> None:
    await own.add_items([user(), *pair("k"), user("again"), call("k")])
    await own.pause("{}", [("k", "refund", "{}", "Approval")])
    await own.supersede()
    assert complaints(await own.get_items()) == []
    assert len(await own.get_items()) == 6


async def test_a_call_that_has_its_result_by_now_is_not_given_another(own: TableSession) -> None:
    await paused(own)
    await own.append([output("k")])
    await own.supersede()
    assert await own.get_items() == [*HISTORY, output("k")]


async def entries(session: TableSession) -> list[str]:
    return [entry.id for entry in (await session.timeline()).entries]


EDITS = [
    "truncate",
    "remove",
    "replace",
    "roll back",
    "roll back past it",
    "clear",
    "remove the call",
    "replace the call",
    "repair",
]


async def edit_of(session: TableSession, name: str) -> Edit:
    ids = await entries(session)
    edits: dict[str, Edit] = {
        "truncate": Truncate(keep_turns=1),
        "remove": Remove((ids[1],)),
        "replace": Replace(ids[3], assistant("better")),
        "roll back": RollBack(to=ids[-2]),
        "roll back past it": RollBack(to=ids[3]),
        "clear": Clear(),
        "remove the call": Remove((ids[-1],)),
        "replace the call": Replace(ids[-1], call("k", "refund_order", "{}")),
        "repair": Repair(ids[5], "remove"),
    }
    return edits[name]


@pytest.mark.parametrize("deciding", [False, True], ids=["pending", "deciding"])
@pytest.mark.parametrize("name", EDITS)
async def test_an_edit_under_a_waiting_decision_supersedes_it_and_says_so_before(
    own: TableSession, name: str, deciding: bool
) -> None:
    pause = await paused(own)
    if deciding:
        await own.decide(pause.id, YES)
    plan = await own.plan(await edit_of(own, name))
    assert plan.superseded == ("k",)
    await own.apply(plan)
    assert await own.waiting() is None
    assert complaints(await own.get_items()) == []
    with pytest.raises(DecisionClosed):
        await own.decide(pause.id, YES)


@pytest.mark.parametrize("name", EDITS)
async def test_a_plan_counts_the_results_that_close_the_calls_of_the_decision_it_ends(
    own: TableSession, name: str
) -> None:
    await paused(own)
    await own.timeline()
    plan = await own.plan(await edit_of(own, name))
    change = await own.apply(plan)
    assert change.removed == plan.removed
    assert plan.closing_go + plan.closing_stay == 1
    if plan.kept is not None:
        assert len(await own.get_items()) == plan.kept


@pytest.mark.parametrize("name", EDITS)
async def test_a_decision_that_an_edit_ended_says_so_in_its_result_and_in_a_note(
    own: TableSession, name: str
) -> None:
    await paused(own)
    plan = await own.plan(await edit_of(own, name))
    await own.apply(plan)
    if plan.closing_go:
        assert "superseded" not in [note.kind for note in await own.notes(await own.timeline())]
        await own.undo()
    timeline = await own.timeline()
    (note,) = await own.notes(timeline)
    assert (note.kind, note.detail) == ("superseded", {"tools": ["refund_order"], "because": "edited"})
    closing = next(entry for entry in timeline.entries if entry.id == note.after)
    assert closing.item is not None
    assert closing.item["output"] == (
        "Superseded: the conversation was edited before a person decided. Nothing was done."
    )


@pytest.mark.parametrize("name", EDITS)
async def test_undoing_that_edit_brings_back_whole_pairs_and_no_decision(
    own: TableSession, name: str
) -> None:
    await paused(own)
    before = await rows(own)
    await own.apply(await own.plan(await edit_of(own, name)))
    after = await rows(own)
    await own.undo()
    assert (await rows(own))[: len(before)] == before
    assert complaints(await own.get_items()) == []
    assert await own.waiting() is None
    await own.redo()
    assert await rows(own) == after
    assert complaints(await own.get_items()) == []


async def test_a_plan_is_refused_where_a_decision_came_in_between(own: TableSession) -> None:
    await own.add_items(HISTORY)
    plan = await own.plan(Truncate(keep_turns=1))
    await own.pause("{}", [("k", "refund_order", "{}", "Approval")])
    with pytest.raises(HistoryChanged):
        await own.apply(plan)
    assert await own.waiting() is not None


async def test_popping_the_call_that_waits_ends_the_decision_and_undo_brings_back_a_whole_pair(
    own: TableSession,
) -> None:
    pause = await paused(own)
    assert await own.pop_item() == HISTORY[-1]
    assert await own.waiting() is None
    assert await own.get_items() == HISTORY[:-1]
    with pytest.raises(DecisionClosed):
        await own.decide(pause.id, YES)
    await own.undo()
    items = await own.get_items()
    assert items[:-1] == HISTORY
    assert complaints(items) == []


async def test_popping_one_of_two_calls_that_wait_closes_the_other(own: TableSession) -> None:
    await own.add_items([user(), call("a"), call("b")])
    await own.pause("{}", [("a", "refund", "{}", "Approval"), ("b", "cancel", "{}", "Approval")])
    assert await own.pop_item() == call("b")
    items = await own.get_items()
    assert complaints(items) == []
    assert [item.get("call_id") for item in items] == [None, "a", "a"]


async def test_undoing_an_older_edit_under_a_waiting_decision_supersedes_it(own: TableSession) -> None:
    await own.add_items(turns(3))
    await own.apply(await own.plan(Truncate(keep_turns=2)))
    pause = await paused(own, [user("refund it"), call("k")])
    await own.undo()
    items = await own.get_items()
    assert items[:14] == [*turns(3), user("refund it"), call("k")]
    assert complaints(items) == []
    with pytest.raises(DecisionClosed):
        await own.decide(pause.id, YES)


async def test_an_edit_that_takes_a_call_which_waits_by_now_is_not_made_again(own: TableSession) -> None:
    await own.add_items([user(), call("k"), user("hello")])
    await own.apply(await own.plan(Clear()))
    await own.undo()
    pause = await own.pause("{}", [("k", "refund", "{}", "Approval")])
    with pytest.raises(HistoryChanged, match="decide first"):
        await own.redo()
    assert await own.get_items() == [user(), call("k"), user("hello")]
    assert await own.waiting() == pause


async def test_clearing_for_good_takes_the_decision_along(own: TableSession) -> None:
    pause = await paused(own)
    await own.clear_session()
    assert await own.waiting() is None
    await own.add_items(HISTORY)
    with pytest.raises(DecisionClosed):
        await own.decide(pause.id, YES)


async def test_the_call_that_waits_can_be_neither_completed_nor_found_alone(own: TableSession) -> None:
    await paused(own)
    newest = (await entries(own))[-1]
    with pytest.raises(NotSupported, match="waits for a person"):
        await own.plan(Repair(newest, "complete"))


async def test_the_call_that_waits_is_not_sent_to_a_model(own: TableSession) -> None:
    await paused(own, [user(), reasoning(), call("k")])
    assert [entry.item for entry in await own.recent(1)] == [user()]


# Over a whole database


async def test_sessions_that_wait_are_named_the_longest_waiting_first(own_store: Open) -> None:
    first, second = own_store("first"), own_store("second")
    assert isinstance(first, TableSession)
    assert isinstance(second, TableSession)
    assert await waiting_in(first.database, first.scope.tables, first.scope.ledger) == []
    pause = await paused(first)
    await paused(second)
    assert await waiting_in(first.database, first.scope.tables, first.scope.ledger) == ["first", "second"]
    await first.decide(pause.id, YES)
    assert await waiting_in(first.database, first.scope.tables, first.scope.ledger) == ["second"]
    await second.supersede()
    assert await waiting_in(first.database, first.scope.tables, first.scope.ledger) == []


async def test_sessions_are_listed_the_latest_first(own_store: Open) -> None:
    first = own_store("first")
    assert isinstance(first, TableSession)
    assert await sessions_in(first.database, first.scope.tables) == []
    for name in ("first", "second", "third"):
        await own_store(name).add_items([user()])
    for second, name in enumerate(("second", "third", "first")):
        await run_sql(
            first,
            f"UPDATE {{sessions}} SET updated_at = '2001-01-01 00:00:0{second}' WHERE session_id = :name",
            name=name,
        )
    found = await sessions_in(first.database, first.scope.tables)
    assert [name for name, _ in found] == ["first", "third", "second"]
    await own_store("second").clear_session()
    assert [name for name, _ in await sessions_in(first.database, first.scope.tables)] == ["first", "third"]


async def test_an_item_without_a_session_row_is_still_found(own: TableSession) -> None:
    if own.scope.tables.dialect.for_update:
        pytest.skip("a server deletes the items along with the session's row")
    await own.add_items(turns(1))
    await run_sql(own, "DELETE FROM {sessions}")
    assert await sessions_in(own.database, own.scope.tables) == [("ticket_456", None)]
    assert await own.get_items() == turns(1)
    await own.pop_item()
    await own.undo()
    assert await own.get_items() == turns(1)
