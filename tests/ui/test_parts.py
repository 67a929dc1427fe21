"""Parts of the page that are plain functions: what goes together, what stays behind, what is defended."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from desk.effects import Effect
from desk.values import Address, Preview, Run, RunStatus, Step
from memory import Clear, State
from ui import bubbles, preview
from ui.chat import grouped, settled
from ui.effects import effect_words
from ui.panel import sent_words, unsent
from ui.pieces import argument, from_entries, from_steps, result_code
from ui.security import HEADERS, SecurityHeaders
from ui.timeline import rows

from .conftest import HERE
from .fake_desk import AT, FakeDesk, answer, call, output, user

ROOT = Path(__file__).parents[2]


def stored(turns: int = 3) -> FakeDesk:
    desk = FakeDesk()
    for turn in range(turns):
        desk.add(HERE, user(f"q{turn}"), answer(f"a{turn}"), agent="Triage")
    return desk


def live(base: str | None, status: RunStatus = RunStatus.ANSWERING) -> Run:
    return Run("r", Address("file", "x"), "q", "Triage", status, base=base)


def test_what_the_page_is_drawn_with_loads_no_model_library() -> None:
    code = (
        "import sys, ui.chat, ui.panel, ui.toolbar, ui.navbar, desk.desk;"
        "print([name for name in ('agents', 'openai', 'sqlalchemy', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_items_one_after_the_other_that_cannot_be_read_for_one_cause_are_told_together() -> None:
    desk = FakeDesk()
    desk.add(HERE, user("hi"))
    for state in (State.LOCKED, State.LOCKED, State.LOCKED, State.CORRUPT, State.PLAINTEXT, State.PLAINTEXT):
        desk.add(HERE, user("x"), state=state)
    (turn,) = from_entries(desk.look(HERE).timeline.entries)
    told = bubbles.blocks(turn)[1:]
    assert "Items 2 to 4 cannot be read: locked." in told[0]
    assert "Item 5 cannot be read: damaged." in told[1]
    assert "Items 6 to 7 stand here unencrypted." in told[2]
    assert len(told) == 3


def test_a_call_of_a_turn_that_is_over_has_no_result_and_one_of_the_last_turn_none_yet() -> None:
    desk = FakeDesk()
    desk.add(HERE, user("q1"), call("c1", "get_order"), user("q2"), call("c2", "get_order"))
    past, last = from_entries(desk.look(HERE).timeline.entries)
    assert "no result yet" not in bubbles.blocks(past)[1]
    assert "no result" in bubbles.blocks(past)[1]
    assert "no result yet" in bubbles.blocks(last)[1]


def test_what_goes_from_before_the_first_turn_has_no_number_of_a_turn() -> None:
    desk = FakeDesk()
    desk.add(HERE, answer("x"), user("q1"), answer("a1"))
    plan = desk.plan(HERE, Clear()).plan
    assert plan is not None
    before = replace(plan, first_turn=0, last_turn=0)
    assert "turn" not in preview.markup(Preview(before))
    assert "(up to turn 1)" in preview.markup(Preview(replace(before, last_turn=1)))


def test_while_a_run_is_live_its_entries_are_not_drawn_twice() -> None:
    entries = stored().look(HERE).timeline.entries
    assert settled(entries, live(entries[1].id)) == entries[:2]
    assert settled(entries, live(None)) == ()
    assert settled(entries, live(entries[1].id, RunStatus.DONE)) == entries
    assert settled(entries, live("not on this page")) == entries
    assert settled(entries, None) == entries


def test_a_call_its_output_and_its_notes_are_joined_wherever_they_stand() -> None:
    desk = stored(0)
    desk.add(HERE, call("c1", "look_up_order", order_id="A1"), call("c2", "track_order", order_id="A2"))
    desk.add(HERE, output("c2", ok=True), output("c1", ok=True), output("lone", ok=True))
    (pieces,) = from_entries(desk.look(HERE).timeline.entries)
    assert [(piece.kind, piece.name) for piece in pieces] == [
        ("call", "look_up_order"),
        ("call", "track_order"),
        ("output", "function_call_output"),
    ]
    assert all(piece.output for piece in pieces[:2])


def test_a_live_run_and_the_stored_turn_are_drawn_alike() -> None:
    desk = stored(0)
    made = desk.add(HERE, call("c1", "track_order", order_id="A1"), output("c1", ok=True), agent="Triage")
    desk.add(HERE, answer("Sent."), agent="Triage")
    (kept,) = from_entries(desk.look(HERE).timeline.entries)
    steps = (
        Step("call", "Triage", str((made[0].item or {})["arguments"]), "track_order", "c1"),
        Step("output", "Triage", str((made[1].item or {})["output"]), call_id="c1"),
        Step("words", "Triage", "Sent."),
    )
    assert bubbles.blocks(from_steps(steps)) == bubbles.blocks(kept)


def test_an_agent_is_named_once_until_another_speaks() -> None:
    steps = (
        Step("words", "Triage", "one"),
        Step("words", "Triage", "two"),
        Step("handoff", "Triage", name="Approval"),
        Step("words", "Approval", "three"),
    )
    made = "".join(bubbles.blocks(from_steps(steps)))
    assert made.count("<b>Triage</b>") == 1
    assert made.count("<b>Approval</b>") == 1


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ('{"order_id": "A100", "reason": "x"}', "A100"),
        ('{"a": "first"}', "first"),
        ("{}", ""),
        ("no", ""),
        ("[1]", ""),
    ],
)
def test_a_call_names_what_it_is_about(text: str, about: str) -> None:
    assert argument(text) == about


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"ok": true}', ""),
        ('{"ok": false, "error": "no_change"}', "no_change"),
        ("free text", None),
        ("The person declined: not now", "declined"),
        ("Superseded: the conversation went on before a person decided.", "superseded"),
        ("Superseded: the conversation was edited before a person decided.", "superseded"),
        (None, None),
    ],
)
def test_an_output_says_how_it_went(text: str | None, code: str | None) -> None:
    assert result_code(text) == code


@pytest.mark.parametrize(("rule", "behind"), [(50, 0), (3, 0), (2, 2), (1, 4), (0, 6)])
def test_what_stays_behind_is_what_is_older_than_the_rule(rule: int, behind: int) -> None:
    page = stored(3).look(HERE, turns=rule)
    left = unsent(page, page.timeline.turns, rule)
    assert left == {entry.id for entry in page.timeline.entries[:behind]}


def test_what_stays_behind_is_known_on_an_older_page_too() -> None:
    desk = stored(4)
    entries = desk.look(HERE).timeline.entries
    older = desk.look(HERE, before=entries[4].id)
    assert unsent(older, 4, 3) == {entries[0].id, entries[1].id}


def test_where_sending_starts_is_marked_once() -> None:
    page = stored(3).look(HERE, turns=1)
    marks = [row["first_sent"] for row in rows(page.timeline.entries, unsent(page, 3, 1))]
    assert marks == [False, False, False, False, True, False]


def sent(desk: FakeDesk, rule: int) -> str:
    view = desk.look(HERE, turns=rule)
    return sent_words(view, view, unsent(view, view.timeline.turns, rule))


def test_how_much_is_sent_and_left_out_is_said_in_numbers() -> None:
    desk = stored(3)
    assert sent(desk, 1) == "2 items sent with the next message, 4 left out"
    assert sent(desk, 0) == "0 items sent with the next message, 6 left out"
    desk.add(HERE, answer("cannot be read"), state=State.CORRUPT)
    assert sent(desk, 1) == "2 items sent with the next message, 5 left out"


def test_no_numbers_are_said_where_the_next_message_settles_something_first() -> None:
    desk = stored(2)
    desk.add(HERE, call("c1", "look_up_order"), state=State.UNPAIRED)
    assert sent(desk, 1) == "sent from here on"


def test_a_new_turn_changes_only_the_last_group() -> None:
    desk = stored(20)
    before = grouped(from_entries(desk.look(HERE).timeline.entries), 20)
    desk.add(HERE, user("one more"))
    after = grouped(from_entries(desk.look(HERE).timeline.entries), 21)
    assert before[:2] == after[:2]
    assert sum(map(len, after)) == 21


def test_every_response_carries_the_policy() -> None:
    app = Starlette(
        routes=[Route("/", lambda request: PlainTextResponse("ok"))], middleware=[Middleware(SecurityHeaders)]
    )
    client = TestClient(app)
    for path in ("/", "/missing"):
        headers = client.get(path).headers
        assert {name: headers[name] for name in HEADERS} == HEADERS


def test_the_policy_lets_nothing_be_loaded_from_elsewhere() -> None:
    rules = dict(rule.split(" ", 1) for rule in HEADERS["Content-Security-Policy"].split("; "))
    assert rules["default-src"] == "'self'"
    assert rules["img-src"] == "'self' data: blob:"
    assert rules["object-src"] == rules["frame-ancestors"] == "'none'"
    for sources in rules.values():
        assert not {"*", "http:", "https:", "ws:", "wss:"} & set(sources.split())


def test_the_server_keeps_to_this_machine_and_tells_nobody() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert settings["server"]["address"] == "127.0.0.1"
    assert set(settings["server"]["allowedHosts"]) == {"localhost", "127.0.0.1"}
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["client"]["showErrorDetails"] == "none"
    assert settings["client"]["showErrorLinks"] is False
    assert settings["runner"]["postScriptGC"] is False
    assert settings["global"]["minCachedMessageSize"] > settings["server"]["maxMessageSize"] * 1e6
    assert {"light", "dark"} <= set(settings["theme"])
    assert "enableCORS" not in settings["server"]
    assert "enableXsrfProtection" not in settings["server"]


def test_the_example_of_secrets_holds_none() -> None:
    assert tomllib.loads((ROOT / ".streamlit" / "secrets.example.toml").read_text("utf-8")) == {}


@pytest.mark.parametrize(
    ("kind", "detail", "words"),
    [
        ("delivery", {"delivery": {"to": "pickup", "pickup_point": "p"}}, "goes to a pickup point"),
        ("delivery", {"delivery": {"to": "address", "address": "x"}}, "goes to another address"),
        ("refund", {"amount": "18.00", "currency": "USD"}, "Refunded 18.00 USD for order A1."),
        ("cancel", {"reason": ""}, "Cancelled order A1."),
        ("refund", {}, "Something was done in the orders."),
    ],
)
def test_an_effect_is_said_in_words(kind: Any, detail: dict[str, Any], words: str) -> None:
    effect = Effect(1, "A1", kind, "c", "file/x", AT, detail)
    assert words in effect_words(effect)
    assert "restored" in effect_words(replace(effect, current=False))


@pytest.mark.parametrize(
    ("because", "says"),
    [(None, "the conversation went on"), ("edited", "was edited"), ("expired", "has expired")],
)
def test_a_note_says_why_a_decision_ended(because: str | None, says: str) -> None:
    note = bubbles.note_line(
        "superseded", {"tools": ["refund_order"]} | ({"because": because} if because else {})
    )
    assert says in note


def test_a_preview_names_the_results_that_are_stored_for_the_decision_it_ends() -> None:
    plan = stored().plan(HERE, Clear()).plan
    assert plan is not None
    ends = replace(plan, superseded=("a", "b"), closing_go=1, closing_stay=1)
    text = preview.markup(Preview(ends))
    assert "Among what goes: 1 result stored first to close its call." in text
    assert "Among what stays: 1 result stored to close its call." in text
    assert "Among" not in preview.markup(Preview(replace(plan, superseded=("a",))))
