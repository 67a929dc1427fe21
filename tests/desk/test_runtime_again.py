"""Retry, and edit and resend: one copy of the question, and no old words lost."""

from __future__ import annotations

import pytest

from desk.values import Address, RunStatus

from .conftest import MakeDesk
from .desks import Call, Gate, ScriptModel, ended, kinds, notes, say, shape, until

FILE = Address("file", "ticket_1")
NONE = Address("none", "ticket_1")

LOOK_UP = '{"order_id": "A100"}'


def eight_items() -> list[object]:
    """A turn of two calls, their results, a handoff and an answer, question included."""
    return [
        [Call("look_up_order", LOOK_UP), Call("track_order", LOOK_UP)],
        Call("transfer_to_summary"),
        "All said.",
    ]


def test_retry_leaves_one_question_and_the_new_answer(desk_of: MakeDesk) -> None:
    model = ScriptModel(["Hello.", *eight_items(), "Better."])
    desk = desk_of(model=model)
    say(desk, FILE, "Hi")
    say(desk, FILE, "Everything about A100?")
    assert len(kinds(desk.look(FILE))) == 10
    outcome = desk.retry(FILE)
    assert outcome.ok
    assert outcome.change is not None
    assert outcome.change.removed == 7
    assert ended(desk, FILE).status is RunStatus.DONE
    assert shape(desk.look(FILE)) == [
        ("user", "Hi"),
        ("assistant", "Hello."),
        ("user", "Everything about A100?"),
        ("assistant", "Better."),
    ]
    assert [item.get("role") for item in model.inputs[-1]] == ["user", "assistant", "user"]


def test_retry_shows_the_question_and_what_came_before_while_it_runs(desk_of: MakeDesk) -> None:
    gate = Gate()
    desk = desk_of("Hello.", "One.", [gate, "Two."])
    say(desk, FILE, "Hi")
    say(desk, FILE, "When?")
    desk.retry(FILE)
    run = desk.run(FILE)
    assert run is not None
    assert (run.question, run.base) == ("When?", desk.look(FILE).timeline.entries[1].id)
    gate.opened.set()
    ended(desk, FILE)


def test_retry_after_a_failure_stores_the_question_once(desk_of: MakeDesk) -> None:
    desk = desk_of(RuntimeError("boom"), "Fine.")
    say(desk, FILE, "Hi")
    assert notes(desk.look(FILE)) == ["failed"]
    assert desk.retry(FILE).ok
    ended(desk, FILE)
    assert shape(desk.look(FILE)) == [("user", "Hi"), ("assistant", "Fine.")]
    assert notes(desk.look(FILE)) == []


def test_a_retry_that_fails_puts_the_old_answer_back_and_says_so(desk_of: MakeDesk) -> None:
    desk = desk_of(*eight_items(), RuntimeError("boom"))
    say(desk, FILE, "Hi")
    before = shape(desk.look(FILE))
    desk.retry(FILE)
    assert ended(desk, FILE).status is RunStatus.FAILED
    assert shape(desk.look(FILE)) == before
    assert notes(desk.look(FILE)) == ["failed"]


def test_retry_of_a_stopped_answer_takes_the_cut_words_away(desk_of: MakeDesk) -> None:
    gate = Gate()
    desk = desk_of(["It ships", gate], "On Monday.")
    desk.send(FILE, "When?")
    until(lambda: (r := desk.run(FILE)) and r.steps)
    desk.stop(FILE)
    ended(desk, FILE)
    desk.retry(FILE)
    ended(desk, FILE)
    assert shape(desk.look(FILE)) == [("user", "When?"), ("assistant", "On Monday.")]
    assert notes(desk.look(FILE)) == []


def test_retry_of_a_turn_that_waits_closes_the_decision(desk_of: MakeDesk) -> None:
    refund = Call("refund_order", '{"order_id": "C310", "reason": "broken"}')
    desk = desk_of(Call("transfer_to_approval"), refund, "Tell me more?")
    say(desk, FILE, "Refund C310")
    pause = desk.look(FILE).waiting
    assert pause is not None
    desk.retry(FILE)
    ended(desk, FILE)
    assert kinds(desk.look(FILE)) == ["user", "assistant"]
    assert desk.look(FILE).waiting is None
    assert desk.decide(FILE, pause.id, pause.calls[0][0], True).reason == "decision_closed"
    assert desk.orders.history("C310") == []


def test_take_back_gives_the_text_and_undo_gives_the_turn(desk_of: MakeDesk) -> None:
    desk = desk_of("Hello.", *eight_items())
    say(desk, FILE, "Hi")
    say(desk, FILE, "Everything\nabout A100?")
    before = shape(desk.look(FILE))
    outcome = desk.take_back(FILE)
    assert (outcome.ok, outcome.text) == (True, "Everything\nabout A100?")
    assert shape(desk.look(FILE)) == [("user", "Hi"), ("assistant", "Hello.")]
    assert desk.undo(FILE).ok
    assert shape(desk.look(FILE)) == before


def test_take_back_of_the_first_turn_leaves_an_empty_session(desk_of: MakeDesk) -> None:
    desk = desk_of("Hello.")
    say(desk, FILE, "Hi")
    assert desk.take_back(FILE).text == "Hi"
    assert kinds(desk.look(FILE)) == []
    assert desk.look(FILE).can_undo


def test_effects_stay_when_their_turn_is_taken_back(desk_of: MakeDesk) -> None:
    desk = desk_of(Call("deliver_to_pickup", LOOK_UP), "Done.")
    say(desk, FILE, "Pickup please")
    desk.take_back(FILE)
    assert [effect.kind for effect in desk.orders.history("A100")] == ["delivery"]


@pytest.mark.parametrize("address", [FILE, NONE])
def test_there_is_nothing_to_retry_where_nothing_was_asked(desk_of: MakeDesk, address: Address) -> None:
    desk = desk_of()
    assert desk.retry(address).reason == "nothing_to_retry"
    assert not desk.take_back(address).ok


def test_without_memory_a_retry_asks_the_last_question_again(desk_of: MakeDesk) -> None:
    desk = desk_of("One.", "Two.")
    say(desk, NONE, "Hi")
    assert desk.retry(NONE).ok
    assert ended(desk, NONE).steps[0].text == "Two."


@pytest.mark.parametrize("again", ["retry", "take back"])
def test_without_memory_the_old_turn_is_shown_until_the_new_one_is_answered(
    desk_of: MakeDesk, again: str
) -> None:
    gate = Gate()
    desk = desk_of("Kept.", Call("look_up_order", LOOK_UP), "Old.", [gate, "New."], "More.")
    say(desk, NONE, "first")
    say(desk, NONE, "Hi")
    if again == "retry":
        assert desk.retry(NONE).ok
    else:
        assert desk.take_back(NONE).text == "Hi"
        assert desk.send(NONE, "Hi there").ok
    assert desk.take_back(NONE).reason == "busy"
    assert [run.steps[-1].text for run in desk.look(NONE).past] == ["Kept.", "Old."]
    gate.opened.set()
    ended(desk, NONE)
    assert [run.steps[-1].text for run in desk.look(NONE).past] == ["Kept.", "New."]
    say(desk, NONE, "and more")
    assert [run.steps[-1].text for run in desk.look(NONE).past] == ["Kept.", "New.", "More."]


def test_without_memory_a_retry_that_fails_loses_nothing_and_another_takes_its_place(
    desk_of: MakeDesk,
) -> None:
    desk = desk_of("Old.", RuntimeError("broken"), "New.")
    say(desk, NONE, "Hi")
    assert desk.retry(NONE).ok
    assert ended(desk, NONE).status is RunStatus.FAILED
    assert [run.status for run in desk.look(NONE).past] == [RunStatus.DONE, RunStatus.FAILED]
    assert desk.retry(NONE).ok
    ended(desk, NONE)
    assert [run.steps[-1].text for run in desk.look(NONE).past] == ["New."]


def test_without_memory_a_decision_does_not_end_the_turn_that_was_taken_back(desk_of: MakeDesk) -> None:
    refund = Call("refund_order", '{"order_id": "C310", "reason": "broken"}')
    desk = desk_of("Hello.", Call("transfer_to_approval"), refund, "Refunded.")
    say(desk, NONE, "refund C310")
    say(desk, NONE, "refund C310, please")
    assert desk.take_back(NONE).ok
    pause = desk.look(NONE).waiting
    assert pause is not None
    assert desk.decide(NONE, pause.id, pause.calls[0][0], approve=True).ok
    ended(desk, NONE)
    view = desk.look(NONE)
    assert [run.question for run in view.past] == ["refund C310", "refund C310, please", None]
    assert [effect.kind for effect in view.effects.values()] == ["refund"]


def test_without_memory_a_decision_is_superseded_by_the_next_message_and_stays_so(desk_of: MakeDesk) -> None:
    refund = Call("refund_order", '{"order_id": "C310", "reason": "broken"}')
    desk = desk_of(Call("transfer_to_approval"), refund, "On its way.", "And the other too.")
    say(desk, NONE, "refund C310")
    pause = desk.look(NONE).waiting
    assert pause is not None
    say(desk, NONE, "never mind, where is A100?")
    say(desk, NONE, "and B205?")
    view = desk.look(NONE)
    assert view.waiting is None
    assert [(run.status, run.error) for run in view.past] == [
        (RunStatus.STOPPED, "superseded"),
        (RunStatus.DONE, None),
        (RunStatus.DONE, None),
    ]
    closed = view.past[0].steps[-1]
    assert (closed.kind, closed.call_id) == ("output", refund.call_id)
    assert closed.text.startswith("Superseded:")
    assert desk.decide(NONE, pause.id, refund.call_id, approve=True).reason == "decision_closed"
    assert desk.orders.history("C310") == []


def test_without_memory_what_was_decided_of_several_calls_is_not_superseded(desk_of: MakeDesk) -> None:
    calls = [
        Call("refund_order", '{"order_id": "C310", "reason": "broken"}'),
        Call("cancel_order", '{"order_id": "D411"}'),
    ]
    desk = desk_of(Call("transfer_to_approval"), calls, "Never mind then.")
    say(desk, NONE, "refund C310 and cancel D411")
    pause = desk.look(NONE).waiting
    assert pause is not None
    assert desk.decide(NONE, pause.id, calls[0].call_id, approve=True).ok
    assert ended(desk, NONE).status is RunStatus.WAITING
    say(desk, NONE, "never mind")
    outputs = {
        step.call_id: step.text for run in desk.look(NONE).past for step in run.steps if step.kind == "output"
    }
    assert not outputs[calls[0].call_id].startswith("Superseded:")
    assert outputs[calls[1].call_id].startswith("Superseded:")


def test_without_memory_a_refused_retry_takes_nothing_back(desk_of: MakeDesk) -> None:
    desk = desk_of("Old.", "Another.")
    say(desk, NONE, "Hi")
    assert not desk.retry(NONE, agent="Nobody").ok
    say(desk, NONE, "Something else")
    assert [run.question for run in desk.look(NONE).past] == ["Hi", "Something else"]


def test_nothing_is_edited_while_a_run_is_live(desk_of: MakeDesk) -> None:
    gate = Gate()
    desk = desk_of("Hello.", [gate, "Done."])
    say(desk, FILE, "Hi")
    desk.send(FILE, "more")
    assert desk.take_back(FILE).reason == "busy"
    assert desk.retry(FILE).reason == "busy"
    assert desk.undo(FILE).reason == "busy"
    assert desk.delete(FILE).reason == "busy"
    assert desk.purge(FILE).reason == "busy"
    gate.opened.set()
    ended(desk, FILE)
    assert len(kinds(desk.look(FILE))) == 4
