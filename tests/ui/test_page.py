"""The page's own rules: what it draws of a session, and what is typed into it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import streamlit as st

from desk.effects import Effect
from desk.order import Delivery
from desk.values import Address, Run, RunStatus, Step
from memory import Lease, Note, State
from ui.words import say

from .conftest import HERE, Page, click, markup, run
from .fake_desk import AT, FakeDesk, answer, call, output, user
from .talks import draft, pause, pick, talk


@pytest.mark.parametrize("language", ["en", "zh-Hans", "zh-Hant"])
def test_a_message_goes_out_with_the_language_of_the_page(page: Page, desk: FakeDesk, language: str) -> None:
    click(page(lang=language), "scenario_follow_up")
    assert desk.answers_in == language


def test_the_greeting_says_that_nothing_is_stored_where_nothing_is(page: Page) -> None:
    assert "everything that is stored appears" in markup(page())
    text = markup(page(backend="none"))
    assert "everything that is stored appears" not in text
    assert "With this backend nothing is stored" in text


def test_a_damaged_entry_is_ascribed_to_nobody(page: Page, desk: FakeDesk) -> None:
    (broken,) = desk.add(HERE, {"type": "nonsense"}, state=State.CORRUPT)
    text = markup(pick(page(), broken.id))
    assert "damaged" in text or "not an item" in text
    assert "<dt>Agent</dt>" not in text


def test_messages_are_drawn_from_the_store_in_order(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    text = markup(page())
    places = [text.index(words) for words in ("question 1", "answer 1", "question 2", "answer 2")]
    assert places == sorted(places)
    assert text.count("question 1") == 1


def test_what_is_typed_is_sent_as_it_is(page: Page, desk: FakeDesk) -> None:
    tab = page()
    tab.chat_input[0].set_value("one\n  two $x$ <b>").run()
    assert desk.calls == [("send", HERE, "one\n  two $x$ <b>", None, 50)]
    assert "one\n  two $x$ &lt;b&gt;" in markup(tab)


def test_a_refused_message_stays_in_the_composer_and_says_why(page: Page, desk: FakeDesk) -> None:
    desk.refuse["send"] = "busy"
    tab = page()
    tab.chat_input[0].set_value("my draft").run()
    assert draft(tab) == "my draft"
    assert "An answer is being written here" in markup(tab)


def test_what_was_given_back_is_told_at_every_redraw_until_the_browser_has_it(
    page: Page, desk: FakeDesk
) -> None:
    desk.refuse["send"] = "busy"
    tab = page()
    tab.chat_input[0].set_value("my draft").run()
    assert draft(run(tab)) == "my draft"
    tab.chat_input[0].set_value("another").run()
    assert draft(run(tab)) == "my draft\nanother"
    assert len({each["id"] for each in tab.session_state["given_back"]}) == 2
    first, second = tab.session_state["given_back"]
    del desk.refuse["send"]
    tab.chat_input[0].set_value("a third one").run()
    assert desk.calls[-1][2] == "a third one"
    assert draft(run(tab)) == "my draft\nanother", "what is accepted meanwhile takes nothing away"
    tab.session_state["put_in"] = {"placed": [first["id"]]}
    tab = run(tab)
    assert draft(tab) == "another"
    tab.session_state["put_in"] = {"placed": [second["id"]]}
    assert draft(run(tab)) == ""


def test_a_person_may_address_one_agent(page: Page, desk: FakeDesk) -> None:
    tab = page()
    tab.selectbox(key="agent_pick").select("Summary").run()
    tab.chat_input[0].set_value("What happened?").run()
    assert desk.calls[-1][3] == "Summary"


def test_the_pick_is_the_entry_wherever_it_stands(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk, 3)
    tab = pick(page(), ids[4])
    del desk.store(HERE).entries[:2]
    desk.store(HERE).version += 1
    tab = run(tab)
    assert '<span class="md-dim">#3 </span>' in markup(tab)
    assert "Removes 1 item (turn 2)" in markup(tab)


def test_a_picked_entry_that_is_gone_has_no_card(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk)
    tab = pick(page(), ids[3])
    desk.store(HERE).entries = desk.store(HERE).entries[:1]
    desk.store(HERE).version += 1
    assert "roll_back" not in [button.key for button in run(tab).button]


def test_the_card_steps_through_the_entries_by_buttons(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk)
    tab = click(pick(page(), ids[0]), "detail_next")
    assert tab.session_state["selected"] == ids[1]
    tab = click(tab, "detail_previous")
    assert tab.session_state["selected"] == ids[0]
    tab = click(tab, "detail_close")
    assert "roll_back" not in [button.key for button in tab.button]


def test_the_card_shows_the_entry_as_stored(page: Page, desk: FakeDesk) -> None:
    made = desk.add(HERE, user("hello"), call("c1", "look_up_order", order_id="A100"), agent="Triage")
    tab = pick(page(), made[1].id)
    assert made[1].raw in [code.value for code in tab.code]
    assert '{\n  "order_id": "A100"\n}' in [code.value for code in tab.code]


def test_a_live_answer_stands_below_the_entries_from_before_it(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk)
    desk.add(HERE, user("and now?"))  # what the run stores while it is going on is not drawn twice
    steps = (
        Step("call", "Triage", '{"order_id": "A100"}', "look_up_order", "c9"),
        Step("words", "Triage", "It is"),
    )
    desk.live = Run("r", HERE, "and now?", "Triage", RunStatus.ANSWERING, steps, base=ids[-1])
    tab = page()
    assert markup(tab).count("and now?") == 1
    assert "It is" in markup(tab)
    click(tab, "stop")
    assert ("stop", HERE) in desk.calls


def test_a_finished_answer_is_drawn_from_the_store(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk)
    desk.live = Run("r", HERE, "and now?", "Triage", RunStatus.ANSWERING, base=ids[-1])
    tab = page()
    desk.add(HERE, user("and now?"), answer("It is sent."), agent="Triage")
    desk.live = replace(desk.live, status=RunStatus.DONE)
    text = markup(run(tab))
    assert text.count("and now?") == 1
    assert "It is sent." in text


def test_what_could_not_be_stored_stays_marked_and_can_be_saved(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    steps = (Step("words", "Triage", "the lost words"),)
    desk.live = Run(
        "r",
        HERE,
        "lost question",
        "Triage",
        RunStatus.FAILED,
        steps,
        "unsaved",
        saved=False,
    )
    tab = page()
    assert "lost question" in markup(tab)
    assert "Not saved" in markup(tab)
    click(tab, "save_again")
    assert ("save_again", HERE) in desk.calls


@pytest.mark.parametrize(
    "kind", ["stopped", "refused", "withheld", "superseded", "interrupted", "unsaved", "limit", "failed"]
)
def test_what_happened_is_a_word_in_the_chat(page: Page, desk: FakeDesk, kind: str) -> None:
    ids = talk(desk)
    desk.view["notes"] = (Note(kind, ids[1], AT, {"error": "model_down"}),)
    text = markup(page())
    assert f'data-note="{kind}"' in text
    assert text.index("answer 1") < text.index(f'data-note="{kind}"') < text.index("question 2")


def test_a_call_and_its_output_are_one_row_and_say_how_it_went(page: Page, desk: FakeDesk) -> None:
    desk.add(HERE, user("refund it"))
    desk.add(
        HERE,
        call("c1", "refund_order", order_id="N430"),
        output("c1", ok=False, error="already_refunded"),
        agent="Approval",
    )
    text = markup(page())
    assert text.count("<details") == 1
    assert "refund_order(N430)" in text
    assert "refunded already" in text


def test_a_handoff_is_one_line(page: Page, desk: FakeDesk) -> None:
    desk.add(HERE, user("refund it"))
    desk.add(HERE, call("h1", "transfer_to_approval"), output("h1", assistant="Approval"), agent="Triage")
    assert markup(page()).count("Handed over to Approval") == 1


def test_unreadable_entries_are_counted_and_named(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    made = desk.add(HERE, user("x"))
    desk.store(HERE).entries[-1] = replace(made[0], item=None, raw="{broken", state=State.CORRUPT)
    text = markup(page())
    assert "1 item of this page cannot be read (damaged)." in text
    assert "Item 5 cannot be read: damaged." in text


def test_older_entries_are_paged(page: Page, desk: FakeDesk) -> None:
    talk(desk, 150)
    tab = page()
    assert "300 items · 150 turns" in markup(tab)
    tab = click(tab, "older")
    assert "newer" in [button.key for button in tab.button]
    tab = click(tab, "newer")
    assert "newer" not in [button.key for button in tab.button]


def test_earlier_messages_are_shown_on_request(page: Page, desk: FakeDesk) -> None:
    talk(desk, 150)
    tab = page()
    assert ">question 1<" not in markup(tab)
    assert ">question 1<" in markup(click(tab, "earlier_messages"))


def test_a_store_that_cannot_be_read_says_so_and_is_not_called_empty(page: Page, desk: FakeDesk) -> None:
    desk.view["problem"] = "unavailable"
    tab = page()
    assert "The store cannot be read or written now" in markup(tab)
    assert "No items yet" not in markup(tab)
    assert "scenario_follow_up" not in [button.key for button in tab.button]


def test_a_run_on_another_server_is_said_and_locks_the_edits(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    desk.view["busy"] = Lease(HERE.session_id, "other", 3, AT + timedelta(minutes=1))
    tab = page()
    assert "Held by another server" in markup(tab)
    assert tab.button(key="undo").disabled


def test_without_memory_the_answers_are_shown_and_nothing_is_called_stored(
    page: Page, desk: FakeDesk
) -> None:
    done = Run(
        "r", Address("none", "ticket_1"), "q", "Triage", RunStatus.DONE, (Step("words", "Triage", "a!"),)
    )
    desk.view["past"] = (done,)
    tab = page(backend="none")
    assert "a!" in markup(tab)
    assert "Nothing is stored" in markup(tab)
    assert "undo" not in [button.key for button in tab.button]


def test_in_memory_says_when_it_will_be_gone_from_the_beginning(page: Page, desk: FakeDesk) -> None:
    assert "gone when the server stops" in markup(page(backend="memory"))
    desk.add(Address("memory", "ticket_1"), user("hi"))
    assert "gone when the server stops" in markup(page(backend="memory"))


def test_each_drawing_looks_again_under_a_name_that_no_tick_of_an_earlier_one_knows(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []
    fragment = st.fragment

    def noted(part: Any = None, **how: Any) -> Any:
        if "run_every" in how:
            names.append(part.__qualname__)
        return fragment(part, **how)

    monkeypatch.setattr(st, "fragment", noted)
    run(run(page()))
    assert len(names) == 3
    assert len(set(names)) == 3


def test_memory_is_not_called_real_where_there_is_none(page: Page) -> None:
    assert "Memory is real." in markup(page())
    assert "Memory is real." not in markup(page(backend="none"))


@pytest.mark.parametrize(("language", "blank"), [("en", " "), ("zh-Hans", ""), ("zh-Hant", "")])
def test_sentences_are_joined_as_the_language_joins_them(
    page: Page, desk: FakeDesk, language: str, blank: str
) -> None:
    ids = talk(desk)
    effect = Effect(1, "C310", "cancel", "c4", str(HERE), AT, {"reason": ""}, current=False)
    desk.add(HERE, call("c4", "cancel_order", order_id="C310"), output("c4", ok=True), agent="Triage")
    desk.view |= {"effects": {"c4": effect}, "notes": (Note("failed", ids[1], AT, {"error": "model_down"}),)}
    text = markup(pick(page(lang=language), ids[0]))

    def joined(first: str, second: str, **values: object) -> str:
        return say(language, first, **values) + blank + say(language, second, **values)

    assert joined("model_offline", "memory_is_real") in text
    assert joined("effect_cancel", "effect_restored", order="C310") in text
    assert joined("note_failed", "reason_model_down") in text
    assert say(language, "goes_turns", n=5, first=1, last=2) + blank + say(language, "stays", n=1) in text


def test_words_in_a_row_are_set_as_the_language_sets_them(page: Page, desk: FakeDesk) -> None:
    for number, order in enumerate(("A100", "B205")):
        desk.orders.set_delivery(order, Delivery("pickup"), call_id=f"c{number}", session="file/other")
    assert "A100, B205" in markup(page())
    assert "A100、B205" in markup(page(lang="zh-Hans"))


@pytest.mark.parametrize("language", ["en", "zh-Hans", "zh-Hant"])
def test_every_state_is_drawn_in_every_language(page: Page, desk: FakeDesk, language: str) -> None:
    ids = talk(desk)
    desk.view["notes"] = tuple(Note(kind, ids[1], AT) for kind in ("stopped", "failed", "unheard_of"))
    desk.view["waiting"] = pause(("c4", "refund_order", '{"order_id": "C310"}', "Approval"))
    pick(page(lang=language), ids[1])
    tab = page(lang=language)
    click(click(tab, "ask_delete"), "cancel")
