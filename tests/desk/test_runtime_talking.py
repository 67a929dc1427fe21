"""A message becomes a run, and a run becomes stored items, on every backend."""

from __future__ import annotations

from pathlib import Path

import pytest

from desk.conductor import LONGEST_MESSAGE
from desk.values import Address, RunStatus

from .conftest import MakeDesk
from .desks import STORED, Call, Gate, ScriptModel, ended, kinds, make_desk, notes, say, shape, until

FILE = Address("file", "ticket_1")
MEMORY = Address("memory", "ticket_1")
NONE = Address("none", "ticket_1")


@pytest.mark.parametrize("address", [Address(name, "ticket_1") for name in STORED], ids=str)
def test_a_message_and_its_answer_are_stored(desk_of: MakeDesk, address: Address) -> None:
    desk = desk_of("Hello there.")
    run = say(desk, address, "Hi")
    assert run.status is RunStatus.DONE
    assert shape(desk.look(address)) == [("user", "Hi"), ("assistant", "Hello there.")]
    assert [entry.agent for entry in desk.look(address).timeline.entries] == [None, "Triage"]
    assert notes(desk.look(address)) == []


def test_the_next_message_is_sent_with_what_was_said_before(desk_of: MakeDesk, tmp_path: Path) -> None:
    model = ScriptModel(["One.", "Two."])
    desk = make_desk(tmp_path / "data", model)
    say(desk, FILE, "first")
    say(desk, FILE, "second")
    assert [item.get("role") for item in model.inputs[1]] == ["user", "assistant", "user"]
    desk.close()


def test_without_memory_nothing_is_sent_but_the_page_still_shows_it(tmp_path: Path) -> None:
    model = ScriptModel(["One.", "Two."])
    desk = make_desk(tmp_path / "data", model)
    say(desk, NONE, "first")
    say(desk, NONE, "second")
    assert [item["content"] for item in model.inputs[1]] == ["second"]
    past = desk.look(NONE).past
    assert [(run.question, run.steps[0].text) for run in past] == [("first", "One."), ("second", "Two.")]
    assert not (tmp_path / "data").exists()
    desk.close()


def test_a_tool_turn_is_stored_in_order_with_its_author(desk_of: MakeDesk) -> None:
    desk = desk_of(Call("look_up_order", '{"order_id": "A100"}'), "It ships on Monday.")
    run = say(desk, FILE, "Where is A100?")
    assert kinds(desk.look(FILE)) == ["user", "tool_call", "tool_output", "assistant"]
    assert [step.kind for step in run.steps] == ["call", "output", "words"]
    assert {entry.agent for entry in desk.look(FILE).timeline.entries[1:]} == {"Triage"}


def test_a_handoff_is_stored_and_shown_with_both_names(desk_of: MakeDesk) -> None:
    desk = desk_of(Call("transfer_to_approval"), "Which order?")
    run = say(desk, FILE, "I want a refund")
    assert kinds(desk.look(FILE)) == ["user", "handoff", "handoff", "assistant"]
    assert [(step.kind, step.agent, step.name) for step in run.steps[:1]] == [
        ("handoff", "Triage", "Approval")
    ]
    assert desk.look(FILE).timeline.entries[-1].agent == "Approval"


def test_the_first_words_are_seen_while_the_rest_is_written(desk_of: MakeDesk) -> None:
    gate = Gate()
    desk = desk_of(["It ships", gate, "on Monday."])
    assert desk.send(FILE, "When?").ok
    assert gate.reached.wait(20)
    run = until(lambda: (r := desk.run(FILE)) and r.steps and r)
    assert run.status is RunStatus.ANSWERING
    assert run.steps[0].text == "It ships"
    assert kinds(desk.look(FILE)) == ["user"]
    gate.opened.set()
    assert ended(desk, FILE).status is RunStatus.DONE


def test_a_second_send_is_refused_and_stores_nothing(desk_of: MakeDesk) -> None:
    gate = Gate()
    desk = desk_of([gate, "Done."])
    assert desk.send(FILE, "one").ok
    assert desk.send(FILE, "two").reason == "busy"
    gate.opened.set()
    ended(desk, FILE)
    assert shape(desk.look(FILE)) == [("user", "one"), ("assistant", "Done.")]


def test_two_sessions_answer_at_the_same_time(desk_of: MakeDesk) -> None:
    gate = Gate()
    desk = desk_of([gate, "Slow."], "Quick.")
    assert desk.send(FILE, "one").ok
    assert gate.reached.wait(20)
    assert say(desk, MEMORY, "two").status is RunStatus.DONE
    gate.opened.set()
    assert ended(desk, FILE).status is RunStatus.DONE


def test_a_blank_message_and_an_unknown_agent_are_refused(desk_of: MakeDesk) -> None:
    desk = desk_of()
    assert desk.send(FILE, "  \n").reason == "empty"
    assert desk.send(FILE, "Hi", agent="Nobody").reason == "unknown_agent"
    assert desk.run(FILE) is None


def test_a_message_longer_than_any_model_reads_is_refused_with_both_figures(desk_of: MakeDesk) -> None:
    desk = desk_of("Fine.")
    refused = desk.send(FILE, "x" * (LONGEST_MESSAGE + 1))
    assert refused.reason == "message_too_long"
    assert refused.params == {"n": LONGEST_MESSAGE + 1, "most": LONGEST_MESSAGE}
    assert kinds(desk.look(FILE)) == []
    assert say(desk, FILE, "x" * LONGEST_MESSAGE).status is RunStatus.DONE


@pytest.mark.parametrize("limit", [-1, 0, 2**63])
def test_a_page_of_any_size_can_be_asked_for(desk_of: MakeDesk, limit: int) -> None:
    desk = desk_of("Fine.")
    say(desk, FILE, "hi")
    view = desk.look(FILE, limit=limit)
    assert view.problem is None
    assert kinds(view)[-1] == "assistant"


def test_looking_and_a_blank_session_make_no_file(desk_of: MakeDesk, tmp_path: Path) -> None:
    desk = desk_of()
    assert desk.look(FILE).timeline.entries == ()
    assert desk.sessions("file") == []
    assert not (tmp_path / "data").exists()
