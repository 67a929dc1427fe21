"""However a run ends, the session can be used afterwards and the chat says what happened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from agents.tool_context import ToolContext

from desk.desk import Desk
from desk.values import Address, RunStatus

from .conftest import MakeDesk
from .desks import (
    Call,
    Cut,
    Gate,
    ScriptModel,
    add_tool,
    ended,
    kinds,
    make_desk,
    notes,
    pairs_whole,
    say,
    shape,
    until,
)

FILE = Address("file", "ticket_1")
CARD = "4111 1111 1111 1111"


def goes_on(desk: Desk) -> bool:
    """Whether the next message is answered, with whole pairs behind it."""
    run = say(desk, FILE, "and now?")
    return run.status is RunStatus.DONE and pairs_whole(desk.look(FILE).timeline.entries)


# Stop


def test_stop_while_words_stream_keeps_the_words(desk_of: MakeDesk) -> None:
    gate = Gate()
    desk = desk_of(["It ships", gate, "never."], "Fine.")
    desk.send(FILE, "When?")
    until(lambda: (r := desk.run(FILE)) and r.steps)
    assert desk.stop(FILE).ok
    assert ended(desk, FILE).status is RunStatus.STOPPED
    view = desk.look(FILE)
    assert shape(view) == [("user", "When?"), ("assistant", "It ships")]
    assert [(note.kind, note.after) for note in view.notes] == [("stopped", view.timeline.entries[-1].id)]
    assert view.timeline.entries[-1].agent == "Triage"
    assert goes_on(desk)


def test_stop_before_the_first_word_keeps_the_question_once(desk_of: MakeDesk) -> None:
    gate = Gate()
    desk = desk_of([gate, "never"], "Fine.")
    desk.send(FILE, "When?")
    assert gate.reached.wait(20)
    desk.stop(FILE)
    ended(desk, FILE)
    assert shape(desk.look(FILE)) == [("user", "When?")]
    assert notes(desk.look(FILE)) == ["stopped"]
    assert goes_on(desk)


def test_stop_while_the_agents_are_still_loading_keeps_the_question(tmp_path: Path) -> None:
    gate = Gate()

    def slow(agents: dict[str, Any]) -> None:
        gate.reached.set()
        assert gate.opened.wait(20)

    desk = make_desk(tmp_path, ScriptModel(["never"]), change=slow)
    assert desk.send(FILE, "When?").ok
    assert gate.reached.wait(20)
    desk.stop(FILE)
    gate.opened.set()
    assert ended(desk, FILE).status is RunStatus.STOPPED
    assert shape(desk.look(FILE)) == [("user", "When?")]
    desk.close()


def test_stop_while_a_tool_runs_lets_the_pair_finish(desk_of: MakeDesk) -> None:
    gate = Gate()

    async def work() -> str:
        """Wait."""
        await gate.wait()
        return "worked"

    desk = desk_of(Call("work"), "never", change=add_tool("work", work))
    desk.send(FILE, "Go")
    assert gate.reached.wait(20)
    desk.stop(FILE)
    assert kinds(desk.look(FILE)) == ["user", "tool_call"]
    gate.opened.set()
    assert ended(desk, FILE).status is RunStatus.STOPPED
    assert kinds(desk.look(FILE)) == ["user", "tool_call", "tool_output"]
    assert shape(desk.look(FILE))[-1][1] == "worked"
    assert notes(desk.look(FILE)) == ["stopped"]


def test_a_tool_that_outlasts_all_patience_is_left_with_a_result_that_says_so(desk_of: MakeDesk) -> None:
    gate = Gate()

    async def work() -> str:
        """Wait for ever."""
        await gate.wait()
        return "late"

    desk = desk_of(Call("work"), "Fine.", change=add_tool("work", work), patience=0.05)
    desk.send(FILE, "Go")
    assert gate.reached.wait(20)
    desk.stop(FILE)
    assert ended(desk, FILE).status is RunStatus.STOPPED
    assert kinds(desk.look(FILE)) == ["user", "tool_call", "tool_output"]
    assert '"error": "stopped"' in shape(desk.look(FILE))[-1][1]
    assert goes_on(desk)


def test_stop_that_comes_too_late_changes_nothing(desk_of: MakeDesk) -> None:
    desk = desk_of("All said.")
    say(desk, FILE, "Hi")
    assert desk.stop(FILE).reason == "nothing_to_stop"
    assert notes(desk.look(FILE)) == []


# The model fails


def test_a_model_error_at_once_leaves_the_question(desk_of: MakeDesk) -> None:
    desk = desk_of(RuntimeError("boom with secret words"), "Fine.")
    run = say(desk, FILE, "Hi")
    assert (run.status, run.error) == (RunStatus.FAILED, "model_error")
    assert shape(desk.look(FILE)) == [("user", "Hi")]
    assert notes(desk.look(FILE)) == ["failed"]
    assert "secret" not in str(desk.look(FILE).notes) + str(run.params)
    assert goes_on(desk)
    assert kinds(desk.look(FILE)) == ["user", "user", "assistant"]


def test_a_model_error_after_a_tool_keeps_the_pair(desk_of: MakeDesk) -> None:
    desk = desk_of(Call("look_up_order", '{"order_id": "A100"}'), RuntimeError("boom"), "Fine.")
    assert say(desk, FILE, "A100?").status is RunStatus.FAILED
    assert kinds(desk.look(FILE)) == ["user", "tool_call", "tool_output"]
    assert goes_on(desk)


def test_words_of_a_stream_that_broke_stay_on_the_page_and_out_of_the_store(desk_of: MakeDesk) -> None:
    desk = desk_of(Cut("It ships on", RuntimeError("cut")), "Fine.")
    run = say(desk, FILE, "When?")
    assert run.status is RunStatus.FAILED
    assert (run.saved, [step.text for step in run.steps]) == (False, ["It ships on"])
    assert kinds(desk.look(FILE)) == ["user"]
    assert goes_on(desk)


def test_an_unknown_tool_ends_the_run_with_a_word(desk_of: MakeDesk) -> None:
    desk = desk_of(Call("no_such_tool"), "Fine.")
    assert say(desk, FILE, "Hi").error == "model_confused"
    assert kinds(desk.look(FILE)) == ["user"]
    assert goes_on(desk)


def test_malformed_arguments_end_in_an_answer_or_a_word(desk_of: MakeDesk) -> None:
    desk = desk_of(Call("look_up_order", '{"order_id": '), "Sorry.", "Fine.")
    say(desk, FILE, "Hi")
    assert pairs_whole(desk.look(FILE).timeline.entries)


# A tool fails


def test_a_tool_that_raises_leaves_a_call_with_a_result(desk_of: MakeDesk) -> None:
    def work() -> str:
        """Fail."""
        raise RuntimeError("boom")

    change = add_tool("work", work, failure_error_function=None)
    desk = desk_of(Call("work"), "Fine.", change=change)
    run = say(desk, FILE, "Go")
    assert (run.status, run.error) == (RunStatus.FAILED, "tool_error")
    assert kinds(desk.look(FILE)) == ["user", "tool_call", "tool_output"]
    assert '"error": "failed"' in shape(desk.look(FILE))[-1][1]
    assert goes_on(desk)


def test_one_of_two_tools_that_raises_takes_nothing_from_the_other(desk_of: MakeDesk) -> None:
    def work() -> str:
        """Fail."""
        raise RuntimeError("boom")

    change = add_tool("work", work, failure_error_function=None)
    desk = desk_of([Call("look_up_order", '{"order_id": "A100"}'), Call("work")], "Fine.", change=change)
    assert say(desk, FILE, "Go").status is RunStatus.FAILED
    view = desk.look(FILE)
    assert kinds(view) == ["user", "tool_call", "tool_call", "tool_output", "tool_output"]
    assert pairs_whole(view.timeline.entries)
    assert goes_on(desk)


def test_a_call_cut_short_says_what_the_orders_record_of_it(desk_of: MakeDesk) -> None:
    """The effect happened, and then the tool failed."""
    desk: Desk

    def work(context: ToolContext[Any]) -> str:
        """Cancel and fail."""
        desk.orders.cancel("A100", "", call_id=context.tool_call_id, session=str(FILE))
        raise RuntimeError("boom")

    desk = desk_of(Call("work"), change=add_tool("work", work, failure_error_function=None))
    say(desk, FILE, "Go")
    assert '"done": "cancel"' in shape(desk.look(FILE))[-1][1]
    assert [effect.kind for effect in desk.look(FILE).effects.values()] == ["cancel"]


def test_the_step_limit_keeps_finished_pairs_and_says_so(desk_of: MakeDesk) -> None:
    calls = [Call("look_up_order", '{"order_id": "A100"}') for _ in range(2)]
    desk = desk_of(*calls, "Fine.", steps=2)
    run = say(desk, FILE, "Hi")
    assert (run.error, dict(run.params)) == ("limit", {"steps": 2})
    assert notes(desk.look(FILE)) == ["limit"]
    assert pairs_whole(desk.look(FILE).timeline.entries)
    assert len(kinds(desk.look(FILE))) == 5
    assert goes_on(desk)


# Checks


def test_a_refused_message_stays_stored_and_the_next_is_answered(desk_of: MakeDesk) -> None:
    desk = desk_of("Fine.")
    run = say(desk, FILE, f"My card is {CARD}")
    assert (run.status, run.error) == (RunStatus.REFUSED, "refused")
    assert kinds(desk.look(FILE)) == ["user"]
    assert notes(desk.look(FILE)) == ["refused"]
    assert goes_on(desk)


def test_a_withheld_answer_is_nowhere(desk_of: MakeDesk, tmp_path: Path) -> None:
    model = ScriptModel([Call("look_up_order", '{"order_id": "A100"}'), f"Card {CARD} is yours.", "Fine."])
    desk = desk_of(model=model)
    run = say(desk, FILE, "Hi")
    assert (run.status, run.error) == (RunStatus.REFUSED, "withheld")
    assert kinds(desk.look(FILE)) == ["user", "tool_call", "tool_output"]
    assert notes(desk.look(FILE)) == ["withheld"]
    assert [step.kind for step in run.steps] == ["call", "output"]
    assert goes_on(desk)
    assert "yours" not in str(model.inputs[-1])
    assert not any(b"yours" in path.read_bytes() for path in (tmp_path / "data").iterdir())


def test_a_card_number_is_never_shown_half_or_whole_while_it_streams(desk_of: MakeDesk) -> None:
    first, second = Gate(), Gate()
    desk = desk_of(["Your card 4111 1111", first, "1111 1111 is", second, "yours."])
    desk.send(FILE, "Hi")
    assert first.reached.wait(20)
    run = until(lambda: (r := desk.run(FILE)) and r.steps and r)
    assert run.steps[0].text.strip() == "Your card"
    first.opened.set()
    assert second.reached.wait(20)
    shown = until(lambda: (t := desk.run(FILE).steps[0].text).endswith("is") and t)
    assert "4111" not in shown
    desk.stop(FILE)
    ended(desk, FILE)
    assert CARD.replace(" ", "") not in str(shape(desk.look(FILE))).replace(" ", "")


def test_a_parallel_input_check_that_trips_late_leaves_no_answer(desk_of: MakeDesk) -> None:
    from agents import GuardrailFunctionOutput, InputGuardrail

    gate = Gate()

    async def late(context: Any, agent: Any, given: Any) -> GuardrailFunctionOutput:
        await gate.wait()
        return GuardrailFunctionOutput(None, tripwire_triggered=True)

    def change(agents: dict[str, Any]) -> None:
        agents["Triage"].input_guardrails = [InputGuardrail(late, name="late")]

    desk = desk_of("An answer at once.", change=change)
    desk.send(FILE, "Hi")
    assert gate.reached.wait(20)
    gate.opened.set()
    assert ended(desk, FILE).error == "refused"
    assert kinds(desk.look(FILE)) == ["user"]


@pytest.mark.parametrize("times", [1, 3])
def test_a_question_asked_twice_is_stored_twice(desk_of: MakeDesk, times: int) -> None:
    desk = desk_of(*["Monday."] * times)
    for _ in range(times):
        say(desk, FILE, "When?")
    assert kinds(desk.look(FILE)) == ["user", "assistant"] * times
