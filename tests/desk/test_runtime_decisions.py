"""A call that waits for a person: decided once, by a person, whatever happens meanwhile."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

from desk.desk import Desk
from desk.values import Address, Outcome, RunStatus
from memory.edits import Clear, RollBack, Truncate
from memory.errors import StoreUnavailable
from memory.notes import Pause, PauseState
from memory.sqlite_session import SQLiteSession

from ..memory.items import assistant, user
from .conftest import MakeDesk
from .desks import (
    STORED,
    Call,
    Gate,
    ScriptModel,
    add_tool,
    ended,
    kinds,
    notes,
    pairs_whole,
    say,
    shape,
)

FILE = Address("file", "ticket_1")
NONE = Address("none", "ticket_1")
REFUND = '{"order_id": "C310", "reason": "broken"}'
CANCEL = '{"order_id": "D411"}'


def ask_refund() -> list[object]:
    return [Call("transfer_to_approval"), Call("refund_order", REFUND)]


def waiting(desk: Desk, address: Address = FILE) -> Pause:
    pause = desk.look(address).waiting
    assert pause is not None
    return pause


def decide(desk: Desk, approve: bool, note: str = "", address: Address = FILE) -> Outcome:
    pause = waiting(desk, address)
    return desk.decide(address, pause.id, pause.calls[0][0], approve, note)


def refunds(desk: Desk, order: str = "C310") -> list[str]:
    return [effect.kind for effect in desk.orders.history(order)]


def test_a_large_refund_waits_and_nothing_is_done(desk_of: MakeDesk) -> None:
    desk = desk_of(*ask_refund())
    run = say(desk, FILE, "I want a refund for C310")
    assert run.status is RunStatus.WAITING
    (call,) = waiting(desk).calls
    assert call[1:] == ("refund_order", REFUND, "Approval")
    assert kinds(desk.look(FILE)) == ["user", "handoff", "handoff", "tool_call"]
    assert refunds(desk) == []
    assert desk.waiting_count() == 1


@pytest.mark.parametrize("address", [*(Address(name, "ticket_1") for name in STORED), NONE], ids=str)
def test_approved_it_is_done_once_and_the_run_goes_on(desk_of: MakeDesk, address: Address) -> None:
    desk = desk_of(*ask_refund(), "Refunded.")
    say(desk, address, "I want a refund for C310")
    assert decide(desk, True, address=address).ok
    assert ended(desk, address).status is RunStatus.DONE
    assert refunds(desk) == ["refund"]
    assert desk.look(address).waiting is None
    assert desk.waiting_count() == 0
    if address is not NONE:
        assert kinds(desk.look(address))[3:] == ["tool_call", "tool_output", "assistant"]
        assert desk.look(address).timeline.entries[-1].agent == "Approval"
        assert notes(desk.look(address)) == []


def test_rejected_nothing_is_done_and_the_reason_reaches_the_agent(desk_of: MakeDesk) -> None:
    model = ScriptModel([*ask_refund(), "It was declined."])
    desk = desk_of(model=model)
    say(desk, FILE, "I want a refund for C310")
    assert decide(desk, False, "already on the truck").ok
    assert ended(desk, FILE).status is RunStatus.DONE
    assert refunds(desk) == []
    assert shape(desk.look(FILE))[-2] == ("tool_output", "The person declined: already on the truck")
    assert desk.look(FILE).timeline.entries[-2].agent == "Approval"
    assert "already on the truck" in str(model.inputs[-1])


def test_it_waits_through_a_restart(desk_of: MakeDesk) -> None:
    before = desk_of(*ask_refund())
    say(before, FILE, "I want a refund for C310")
    before.close()
    model = ScriptModel(["Refunded."])
    after = desk_of(model=model)
    assert after.waiting_count() == 1
    assert decide(after, True).ok
    assert ended(after, FILE).status is RunStatus.DONE
    assert refunds(after) == ["refund"]
    assert [item.get("type", item.get("role")) for item in model.inputs[0]] == [
        "user",
        "function_call",
        "function_call_output",
        "function_call",
        "function_call_output",
    ]


def test_the_second_of_two_answers_does_nothing(desk_of: MakeDesk) -> None:
    desk = desk_of(*ask_refund(), "Declined.")
    say(desk, FILE, "I want a refund for C310")
    pause = waiting(desk)
    assert desk.decide(FILE, pause.id, pause.calls[0][0], False, "").ok
    ended(desk, FILE)
    assert desk.decide(FILE, pause.id, pause.calls[0][0], True, "").reason == "decision_closed"
    assert refunds(desk) == []


def test_an_answer_that_comes_while_the_first_is_carried_out_does_nothing(desk_of: MakeDesk) -> None:
    gate = Gate()
    desk = desk_of(*ask_refund(), [gate, "Refunded."])
    say(desk, FILE, "I want a refund for C310")
    pause = waiting(desk)
    assert desk.decide(FILE, pause.id, pause.calls[0][0], True).ok
    assert gate.reached.wait(20)
    assert desk.look(FILE).waiting is None
    assert desk.decide(FILE, pause.id, pause.calls[0][0], False).reason == "decision_closed"
    gate.opened.set()
    assert ended(desk, FILE).status is RunStatus.DONE
    assert refunds(desk) == ["refund"]


def test_two_servers_that_approve_at_once_refund_once(desk_of: MakeDesk) -> None:
    one = desk_of(*ask_refund(), "Refunded.")
    two = desk_of("Refunded.")
    say(one, FILE, "I want a refund for C310")
    pause = waiting(one)
    outcomes: list[Outcome] = []
    threads = [
        threading.Thread(
            target=lambda d=desk: outcomes.append(d.decide(FILE, pause.id, pause.calls[0][0], True))
        )
        for desk in (one, two)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcome.ok for outcome in outcomes) == [False, True]
    assert {o.reason for o in outcomes if not o.ok} <= {"busy_elsewhere", "decision_closed"}
    for desk in (one, two):
        if desk.run(FILE) is not None:
            ended(desk, FILE)
    assert refunds(one) == ["refund"]
    assert kinds(one.look(FILE)).count("tool_output") == 1


def test_a_new_message_closes_the_decision_as_superseded(desk_of: MakeDesk) -> None:
    model = ScriptModel([*ask_refund(), "A100 ships on Monday."])
    desk = desk_of(model=model)
    say(desk, FILE, "I want a refund for C310")
    pause = waiting(desk)
    assert say(desk, FILE, "never mind, where is A100?").status is RunStatus.DONE
    view = desk.look(FILE)
    assert kinds(view)[3:] == ["tool_call", "tool_output", "user", "assistant"]
    assert notes(view) == ["superseded"]
    assert view.waiting is None
    assert desk.decide(FILE, pause.id, pause.calls[0][0], True).reason == "decision_closed"
    assert refunds(desk) == []
    assert [item["type"] for item in model.inputs[-1] if "type" in item][-1] == "function_call_output"


@pytest.mark.parametrize("approve", [True, False])
def test_a_decision_that_another_program_went_on_from_ends_with_a_word_when_it_is_answered(
    desk_of: MakeDesk, tmp_path: Path, approve: bool
) -> None:
    desk = desk_of(*ask_refund(), "A100 ships on Monday.")
    say(desk, FILE, "I want a refund for C310")
    other = SQLiteSession(FILE.session_id, tmp_path / "data" / "sessions.db")
    asyncio.run(other.add_items([user("outside"), assistant("outside")]))
    assert decide(desk, approve).reason == "decision_closed"
    view = desk.look(FILE)
    assert kinds(view)[3:] == ["tool_call", "user", "assistant", "tool_output"]
    assert (notes(view), view.waiting, desk.waiting()) == (["superseded"], None, [])
    assert pairs_whole(view.timeline.entries)
    assert refunds(desk) == []
    assert say(desk, FILE, "where is A100?").status is RunStatus.DONE


@pytest.mark.parametrize("edit", [RollBack(None), Truncate(keep_turns=0), Clear()])
def test_an_edit_under_a_waiting_decision_ends_it(desk_of: MakeDesk, edit: object) -> None:
    desk = desk_of(*ask_refund())
    say(desk, FILE, "I want a refund for C310")
    pause = waiting(desk)
    preview = desk.plan(FILE, edit)  # type: ignore[arg-type]
    assert preview.plan is not None
    assert preview.plan.superseded == (pause.calls[0][0],)
    assert desk.apply(FILE, preview.plan).ok
    assert desk.look(FILE).waiting is None
    assert desk.decide(FILE, pause.id, pause.calls[0][0], True).reason == "decision_closed"
    assert desk.waiting_count() == 0


@pytest.mark.parametrize("address", [Address(name, "ticket_1") for name in STORED], ids=str)
def test_a_branch_that_takes_the_call_ends_the_decision_in_both(desk_of: MakeDesk, address: Address) -> None:
    desk = desk_of(*ask_refund(), "And here.", "And there.")
    say(desk, address, "I want a refund for C310")
    pause = waiting(desk, address)
    done = desk.branch(address, "ticket_2", desk.look(address).timeline.entries[-1].id)
    assert (done.ok, done.decision_ended) == (True, True)
    other = Address(address.backend, "ticket_2")
    for each in (address, other):
        view = desk.look(each)
        assert kinds(view)[3:] == ["tool_call", "tool_output"]
        assert (view.waiting, notes(view)) == (None, ["superseded"])
        assert dict(view.notes[-1].detail)["because"] == "edited"
        assert pairs_whole(view.timeline.entries)
        late = desk.decide(each, pause.id, pause.calls[0][0], True)
        assert late.reason == "decision_closed"
        assert say(desk, each, "and now?").status is RunStatus.DONE
    assert (refunds(desk), desk.waiting_count()) == ([], 0)


def test_a_branch_from_before_the_call_leaves_the_decision_to_be_answered(desk_of: MakeDesk) -> None:
    desk = desk_of(*ask_refund(), "Refunded.")
    say(desk, FILE, "I want a refund for C310")
    done = desk.branch(FILE, "ticket_2", desk.look(FILE).timeline.entries[0].id)
    assert (done.ok, done.decision_ended) == (True, False)
    assert kinds(desk.look(Address("file", "ticket_2"))) == ["user"]
    assert decide(desk, True).ok
    assert ended(desk, FILE).status is RunStatus.DONE
    assert refunds(desk) == ["refund"]


def test_a_branch_waits_for_an_answer_that_is_carried_out_only_where_it_takes_the_call(
    desk_of: MakeDesk,
) -> None:
    gate = Gate()

    async def work() -> str:
        """Work slowly."""
        await gate.wait()
        return "worked"

    slow = add_tool("work", work, needs_approval=True)
    desk, rival = desk_of(Call("work"), "Done.", change=slow), desk_of()
    say(desk, FILE, "Go")
    asked, call = (entry.id for entry in desk.look(FILE).timeline.entries)
    assert decide(desk, True).ok
    assert gate.reached.wait(20)
    assert desk.branch(FILE, "ticket_2", call).reason == "busy"
    assert rival.branch(FILE, "ticket_2", call).reason == "busy_elsewhere"
    assert desk.branch(FILE, "early", asked).ok
    gate.opened.set()
    assert ended(desk, FILE).status is RunStatus.DONE
    assert kinds(desk.look(FILE)) == ["user", "tool_call", "tool_output", "assistant"]
    assert {info.session_id for info in desk.sessions("file")} == {"ticket_1", "early"}


def test_a_lease_that_could_not_be_given_back_keeps_no_branch_from_ending_the_decision(
    desk_of: MakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def release(*_: object) -> None:
        raise StoreUnavailable("The disk is full.")

    desk = desk_of(*ask_refund())
    with monkeypatch.context() as patched:
        patched.setattr(SQLiteSession, "release", release)
        say(desk, FILE, "I want a refund for C310")
    assert desk.branch(FILE, "ticket_2").decision_ended
    assert desk.look(FILE).waiting is None


def test_after_a_roll_back_the_same_request_asks_again(desk_of: MakeDesk) -> None:
    desk = desk_of(*ask_refund(), "Declined.", *ask_refund())
    say(desk, FILE, "I want a refund for C310")
    decide(desk, False)
    ended(desk, FILE)
    plan = desk.plan(FILE, RollBack(None)).plan
    assert plan is not None
    desk.apply(FILE, plan)
    assert say(desk, FILE, "I want a refund for C310").status is RunStatus.WAITING
    assert waiting(desk).status is PauseState.PENDING


def test_each_of_several_calls_is_decided_on_its_own(desk_of: MakeDesk) -> None:
    desk = desk_of(
        Call("transfer_to_approval"),
        [Call("refund_order", REFUND), Call("cancel_order", CANCEL)],
        "Refunded one, kept the other.",
    )
    say(desk, FILE, "Refund C310 and cancel D411")
    assert [call[1] for call in waiting(desk).calls] == ["refund_order", "cancel_order"]
    assert decide(desk, True).ok
    assert ended(desk, FILE).status is RunStatus.WAITING
    assert refunds(desk) == ["refund"]
    assert [call[1] for call in waiting(desk).calls] == ["cancel_order"]
    assert decide(desk, False, "too late").ok
    assert ended(desk, FILE).status is RunStatus.DONE
    assert refunds(desk, "D411") == []
    assert pairs_whole(desk.look(FILE).timeline.entries)
    assert kinds(desk.look(FILE))[-1] == "assistant"


def test_a_call_that_needs_no_decision_is_done_beside_one_that_waits(desk_of: MakeDesk) -> None:
    desk = desk_of(
        Call("transfer_to_approval"),
        [Call("refund_order", REFUND), Call("cancel_order", '{"order_id": "A100"}')],
        "Both done.",
    )
    say(desk, FILE, "Refund C310 and cancel A100")
    assert refunds(desk, "A100") == ["cancel"]
    assert kinds(desk.look(FILE)).count("tool_output") == 1
    decide(desk, True)
    ended(desk, FILE)
    assert pairs_whole(desk.look(FILE).timeline.entries)
    assert len(desk.look(FILE).effects) == 2


def test_a_model_error_after_the_approval_leaves_the_effect_and_its_result(desk_of: MakeDesk) -> None:
    desk = desk_of(*ask_refund(), RuntimeError("boom"), "Fine.")
    say(desk, FILE, "I want a refund for C310")
    decide(desk, True)
    assert ended(desk, FILE).status is RunStatus.FAILED
    view = desk.look(FILE)
    assert kinds(view)[3:] == ["tool_call", "tool_output"]
    assert (notes(view), view.waiting) == (["failed"], None)
    assert say(desk, FILE, "and?").status is RunStatus.DONE


def test_a_decision_cut_off_by_a_crash_is_shown_with_what_the_orders_say(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    dying = desk_of(*ask_refund())
    say(dying, FILE, "I want a refund for C310")
    pause = waiting(dying)
    # What a server leaves that dies between the effect and its result: deciding, and an effect.
    session = SQLiteSession(FILE.session_id, tmp_path / "data" / "sessions.db")
    asyncio.run(session.decide(pause.id, {pause.calls[0][0]: (True, "")}))
    dying.orders.refund("C310", Decimal("189.00"), "broken", call_id=pause.calls[0][0], session=str(FILE))
    dying.close()
    desk = desk_of()
    view = desk.look(FILE)
    assert view.effect_unknown
    assert view.waiting is not None
    assert view.effects[pause.calls[0][0]].kind == "refund"
    assert decide(desk, True).reason == "decision_closed"
    assert desk.undo(FILE).reason == "effect_unknown"
    assert desk.branch(FILE, "ticket_2").reason == "effect_unknown"
    assert desk.branch(FILE, "early", view.timeline.entries[0].id).ok
    assert desk.conclude(FILE, pause.id).ok
    after = desk.look(FILE)
    assert (after.waiting, after.effect_unknown, notes(after)) == (None, False, ["interrupted"])
    assert '"done": "refund"' in shape(after)[-1][1]
    assert refunds(desk) == ["refund"]


def test_an_answer_cut_off_by_a_crash_behind_what_was_approved_is_called_interrupted(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    dying = desk_of(*ask_refund())
    say(dying, FILE, "I want a refund for C310")
    pause = waiting(dying)
    call_id = pause.calls[0][0]
    # What a server leaves that dies between the result and the answer.
    session = SQLiteSession(FILE.session_id, tmp_path / "data" / "sessions.db")
    asyncio.run(session.decide(pause.id, {call_id: (True, "")}))
    dying.orders.refund("C310", Decimal("189.00"), "broken", call_id=call_id, session=str(FILE))
    done = {"type": "function_call_output", "call_id": call_id, "output": '{"ok": true, "done": "refund"}'}
    asyncio.run(session.add_items([done]))
    dying.close()
    desk = desk_of("You are welcome.")
    view = desk.look(FILE)
    assert (view.waiting, view.effect_unknown, notes(view)) == (None, False, ["interrupted"])
    assert say(desk, FILE, "thanks").status is RunStatus.DONE
    assert notes(desk.look(FILE)) == ["interrupted"]
    assert refunds(desk) == ["refund"]


def test_a_card_number_in_a_note_is_neither_stored_nor_told(desk_of: MakeDesk, tmp_path: Path) -> None:
    model = ScriptModel([*ask_refund(), "Declined."])
    desk = desk_of(model=model)
    say(desk, FILE, "I want a refund for C310")
    decide(desk, False, "it was paid with 4111 1111 1111 1111")
    ended(desk, FILE)
    assert "it was paid with [•••• 1111]" in shape(desk.look(FILE))[-2][1]
    assert "4111 1111" not in str(model.inputs)
    desk.close()
    assert not any(b"4111 1111" in file.read_bytes() for file in (tmp_path / "data").iterdir())


@pytest.mark.parametrize("state", ["", "{half", "[]", '{"start": 5}', '{"start": "Nobody", "state": {}}'])
def test_a_decision_whose_frozen_run_cannot_be_read_ends_in_a_word_and_frees_the_session(
    desk_of: MakeDesk, tmp_path: Path, state: str
) -> None:
    desk = desk_of(*ask_refund(), "Fine.")
    say(desk, FILE, "I want a refund for C310")
    with closing(sqlite3.connect(tmp_path / "data" / "sessions.db")) as file, file:
        file.execute("UPDATE agent_messages_pauses SET state = ?", (state,))
    assert decide(desk, True).ok
    assert ended(desk, FILE).status is RunStatus.FAILED
    assert refunds(desk) == []
    view = desk.look(FILE)
    assert (view.waiting, notes(view)[-1]) == (None, "failed")
    assert pairs_whole(view.timeline.entries)
    assert say(desk, FILE, "and now?").status is RunStatus.DONE
