"""Runs beside other programs, over restarts, and after what somebody else left in the store."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from agents import SQLiteSession as SdkSession

from desk.desk import Desk
from desk.settings import Settings
from desk.values import Address, RunStatus
from memory.edits import RollBack
from memory.items import text_of
from memory.sqlite_session import SQLiteSession
from tests.memory.items import assistant, call, output, user
from tests.memory.wholeness import complaints

from .conftest import MakeDesk
from .desks import STORED, Call, Gate, ScriptModel, ended, kinds, notes, say, shape

FILE = Address("file", "ticket_1")
LOOK_UP = '{"order_id": "A100"}'
REFUND = '{"order_id": "C310", "reason": "broken"}'


def stored(folder: Path) -> SQLiteSession:
    """The session as another program opens it."""
    return SQLiteSession(FILE.session_id, folder / "data" / "sessions.db")


def roll_back(desk: Desk, to: str | None) -> None:
    plan = desk.plan(FILE, RollBack(to)).plan
    assert plan is not None
    assert desk.apply(FILE, plan).ok


# What is sent


@pytest.mark.parametrize("turns", range(5))
def test_a_message_is_sent_with_just_what_the_page_said_it_would_be(desk_of: MakeDesk, turns: int) -> None:
    model = ScriptModel(["A.", Call("look_up_order", LOOK_UP), "B.", "C.", "D."])
    desk = desk_of(model=model)
    for word in ("one", "two", "three"):
        say(desk, FILE, word)
    before = desk.look(FILE, turns=turns)
    entries = before.timeline.entries
    first = next((i for i, entry in enumerate(entries) if entry.id == before.sent_from), None)
    if first is None:
        first = len(entries) if turns == 0 else 0
    say(desk, FILE, "four", turns=turns)
    assert model.inputs[-1][:-1] == [entry.item for entry in entries[first:]]
    assert complaints(model.inputs[-1]) == []
    assert desk.look(FILE).timeline.entries[: len(entries)] == entries


def test_each_agent_of_a_relay_is_sent_each_item_once(desk_of: MakeDesk) -> None:
    model = ScriptModel(
        [
            Call("look_up_order", LOOK_UP, "call_look_up"),
            Call("transfer_to_approval", call_id="call_approval"),
            Call("transfer_to_summary", call_id="call_summary"),
            "All said.",
        ]
    )
    desk = desk_of(model=model)
    assert say(desk, FILE, "A100, please").agent == "Summary"
    for sent in model.inputs:
        calls = [item["call_id"] for item in sent if item.get("type") == "function_call"]
        assert calls == ["call_look_up", "call_approval", "call_summary"][: len(calls)]
        assert complaints(sent) == []
        assert sum(item.get("role") == "user" for item in sent) == 1
    assert len(model.inputs[-1]) == 7


def test_a_question_asked_again_is_sent_with_what_the_first_found(desk_of: MakeDesk) -> None:
    model = ScriptModel([Call("look_up_order", LOOK_UP), "On Monday.", "As I said: on Monday."])
    desk = desk_of(model=model)
    say(desk, FILE, "When?")
    say(desk, FILE, "When?")
    sent = [str(item.get("type") or item["role"]) for item in model.inputs[-1]]
    assert sent == ["user", "function_call", "function_call_output", "message", "user"]
    assert kinds(desk.look(FILE)).count("user") == 2


def test_a_number_that_was_refused_is_never_sent(desk_of: MakeDesk) -> None:
    card = "4111 1111 1111 1111"
    model = ScriptModel(["Hello.", "Fine."])
    desk = desk_of(model=model)
    assert say(desk, FILE, f"Take it from {card}, please").status is RunStatus.REFUSED
    assert model.inputs == []
    say(desk, FILE, "hello")
    say(desk, FILE, "and now?")
    for sent in model.inputs:
        assert card not in str(sent)
        assert sent[0]["content"] == "Take it from [•••• 1111], please"
    assert shape(desk.look(FILE))[0] == ("user", f"Take it from {card}, please")


# Any text

TEXTS = {
    "nul": "before\x00after",
    "an escape typed by hand": "a \\u0000 and a \\ud800",
    "scripts": "我的订单 مرحبا שלום 👨‍👩‍👧‍👦 e\u0301 é",
    "half a pair": "half \ud83d of a pair",
    "lines": "one\n\n    two\r\nthree\t",
    "marks": "from $5 to $10, %_'\"\\ <b>x</b> :red[hi]",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_any_text_is_stored_and_sent_to_the_letter(desk_of: MakeDesk, text: str) -> None:
    before = desk_of("Fine.")
    assert say(before, FILE, text).status is RunStatus.DONE
    before.close()
    model = ScriptModel(["Fine."])
    desk = desk_of(model=model)
    assert shape(desk.look(FILE))[0] == ("user", text)
    assert say(desk, FILE, "and now?").status is RunStatus.DONE
    assert model.inputs[0][0] == {"role": "user", "content": text}


@pytest.mark.parametrize("text", [text for name, text in TEXTS.items() if name != "half a pair"])
def test_any_text_in_a_tool_call_is_stored_to_the_letter(desk_of: MakeDesk, text: str) -> None:
    desk = desk_of(Call("look_up_order", json.dumps({"order_id": text})), "No such order.")
    assert say(desk, FILE, "A100?").status is RunStatus.DONE
    call_, result = desk.look(FILE).timeline.entries[1:3]
    assert json.loads((call_.item or {})["arguments"]) == {"order_id": text}
    assert result.call_id == call_.call_id


def test_half_a_character_in_a_tool_call_ends_the_run_with_a_word_and_not_the_session(
    desk_of: MakeDesk,
) -> None:
    desk = desk_of(Call("look_up_order", '{"order_id": "\\ud83d"}'), "Fine.")  # the SDK cannot take it
    assert say(desk, FILE, "A100?").status is RunStatus.FAILED
    assert notes(desk.look(FILE)) == ["failed"]
    assert say(desk, FILE, "and now?").status is RunStatus.DONE
    assert kinds(desk.look(FILE)) == ["user", "user", "assistant"]


# Other programs


def test_what_another_program_says_during_a_run_is_kept_in_order_and_sent_from_the_next_on(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    gate = Gate()
    model = ScriptModel([[gate, "On Monday."], "Fine."])
    desk = desk_of(model=model)
    desk.send(FILE, "When?")
    assert gate.reached.wait(20)
    asyncio.run(stored(tmp_path).add_items([{"role": "system", "content": "The customer is a regular."}]))
    gate.opened.set()
    assert ended(desk, FILE).status is RunStatus.DONE
    assert kinds(desk.look(FILE)) == ["user", "other", "assistant"]
    assert "regular" not in str(model.inputs[0])
    say(desk, FILE, "thanks")
    assert [item["role"] for item in model.inputs[1]] == ["user", "system", "assistant", "user"]


def test_a_table_that_another_program_drops_ends_the_run_with_a_word(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    gate = Gate()
    desk = desk_of([gate, "On Monday."], "Fine.")
    desk.send(FILE, "When?")
    assert gate.reached.wait(20)
    path = tmp_path / "data" / "sessions.db"
    other = sqlite3.connect(path)
    other.execute("DROP TABLE agent_messages")
    other.commit()
    other.close()
    gate.opened.set()
    run = ended(desk, FILE)
    assert (run.status, run.error, run.saved) == (RunStatus.FAILED, "unsaved", False)
    assert [step.text for step in run.steps] == ["On Monday."]
    SdkSession("another", path).close()  # whoever makes the tables again
    assert say(desk, FILE, "again").status is RunStatus.DONE
    assert shape(desk.look(FILE))[-2:] == [("user", "again"), ("assistant", "Fine.")]


def deep(depth: int) -> dict[str, Any]:
    item: dict[str, Any] = {"type": "deep"}
    inner = item
    for _ in range(depth):
        inner["next"] = {}
        inner = inner["next"]
    return item


ODD: dict[str, list[dict[str, Any]]] = {
    "no type and no role": [{"content": "hello"}],
    "unknown role": [{"role": "wizard", "content": "abra"}],
    "no content": [{"role": "user", "content": None}],
    "content that is a number": [{"role": "user", "content": 7}],
    "a call without an id": [{"type": "function_call", "name": "x", "arguments": "{}"}],
    "two results for one call": [call("k"), output("k"), output("k", "again")],
    "unknown type": [{"type": "from_the_future", "payload": [1]}],
    "more fields": [{"role": "user", "content": "hi", "mood": {"a": 1}}],
    "deep": [deep(300)],
    "empty": [{}],
}


@pytest.mark.parametrize("items", ODD.values(), ids=ODD)
def test_odd_items_of_another_program_are_shown_kept_and_no_end_of_the_session(
    desk_of: MakeDesk, tmp_path: Path, items: list[dict[str, Any]]
) -> None:
    asyncio.run(stored(tmp_path).add_items([user("before"), *items, assistant("after")]))
    model = ScriptModel(["Fine."])
    desk = desk_of(model=model)
    before = desk.look(FILE).timeline.entries
    assert [entry.item for entry in before[1:-1]] == items
    assert say(desk, FILE, "and now?").status is RunStatus.DONE
    assert complaints(model.inputs[0]) == []
    assert [entry.raw for entry in desk.look(FILE).timeline.entries][: len(before)] == [e.raw for e in before]


# Edits


def test_what_was_approved_before_a_roll_back_is_asked_again_after_it(desk_of: MakeDesk) -> None:
    asks = [Call("transfer_to_approval"), Call("refund_order", REFUND)]
    desk = desk_of("Hello.", *asks, "Refunded.", *[Call(c.name, c.arguments) for c in asks], "Hello again.")
    say(desk, FILE, "Hi")
    assert say(desk, FILE, "Refund C310").status is RunStatus.WAITING
    pause = desk.look(FILE).waiting
    assert pause is not None
    assert desk.decide(FILE, pause.id, pause.calls[0][0], True).ok
    assert ended(desk, FILE).status is RunStatus.DONE
    roll_back(desk, desk.look(FILE).timeline.entries[1].id)
    desk.restore_samples()  # otherwise C310 is refunded, and there is nothing to ask
    assert say(desk, FILE, "Refund C310").status is RunStatus.WAITING
    again = desk.look(FILE).waiting
    assert again is not None
    assert desk.decide(FILE, pause.id, pause.calls[0][0], True).reason == "decision_closed"
    roll_back(desk, desk.look(FILE).timeline.entries[1].id)
    view = desk.look(FILE)
    assert (view.waiting, desk.waiting_count()) == (None, 0)
    assert (view.timeline.total, view.timeline.turns) == (2, 1)
    assert say(desk, FILE, "hello").agent == "Triage"


def test_what_was_taken_away_stays_away_after_a_restart_and_can_still_be_brought_back(
    desk_of: MakeDesk,
) -> None:
    before = desk_of("Hello.", "On Monday.")
    say(before, FILE, "Hi")
    say(before, FILE, "When?")
    whole = shape(before.look(FILE))
    roll_back(before, before.look(FILE).timeline.entries[1].id)
    before.close()
    desk = desk_of()
    assert shape(desk.look(FILE)) == whole[:2]
    assert desk.look(FILE).can_undo
    assert desk.undo(FILE).ok
    assert shape(desk.look(FILE)) == whole


@pytest.mark.parametrize("backend", [*STORED, "none"])
def test_deleting_a_session_that_is_not_there_touches_no_other(desk_of: MakeDesk, backend: str) -> None:
    desk = desk_of("Hello.")
    here, nowhere = Address(backend, "here"), Address(backend, "nowhere")
    say(desk, here, "Hi")
    before = (shape(desk.look(here)), desk.look(here).past, desk.sessions(backend))
    desk.delete(nowhere)
    assert (shape(desk.look(here)), desk.look(here).past, desk.sessions(backend)) == before
    assert [info.session_id for info in desk.sessions(backend)] == ["here"]


# The model's settings


def test_a_key_that_cannot_be_one_fails_the_answer_and_leaves_what_is_stored(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    before = desk_of("星期一。")
    say(before, FILE, "我的订单 A100 什么时候发货？")
    rows = [entry.raw for entry in before.look(FILE).timeline.entries]
    before.close()
    desk = Desk({"OPENAI_API_KEY": "sk-密钥"}, settings=Settings(data=tmp_path / "data"))
    assert desk.model().problem == "bad_key"
    assert say(desk, FILE, "再说一遍？").error == "model_setup"
    view = desk.look(FILE)
    assert [entry.raw for entry in view.timeline.entries][:2] == rows
    assert "发货" in rows[0]
    assert (kinds(view), notes(view)) == (["user", "assistant", "user"], ["failed"])
    desk.close()


# Threads


def test_many_tabs_that_look_plan_and_talk_at_once_get_no_error(desk_of: MakeDesk) -> None:
    """Each rerun of a page is another thread; connections and loops must not be any one thread's own."""
    desk = desk_of(*["Fine."] * 40)
    problems: list[object] = []

    def tab(number: int) -> None:
        address = Address(("file", "memory")[number % 2], f"ticket_{number % 4}")
        for step in range(5):
            view = desk.look(address)
            outcome = desk.send(address, f"{number}.{step}")
            preview = desk.plan(address, RollBack(None))
            problems.extend(
                reason
                for reason in (view.problem, outcome.reason, preview.reason)
                if reason not in (None, "busy", "nothing_to_do")
            )

    threads = [threading.Thread(target=tab, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    for number in range(4):
        address = Address(("file", "memory")[number % 2], f"ticket_{number}")
        ended(desk, address)
        entries = desk.look(address).timeline.entries
        assert [str(entry.kind) for entry in entries] == ["user", "assistant"] * (len(entries) // 2)
        assert len({text_of(entry.item) for entry in entries[::2]}) == len(entries) // 2
