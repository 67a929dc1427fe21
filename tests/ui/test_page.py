"""The page's own rules: what it draws of a session, and what its buttons do to which entry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from streamlit.testing.v1 import AppTest

from desk.effects import Effect
from desk.order import Delivery
from desk.values import Address, Run, RunStatus, Step
from memory import Item, Lease, Note, Pause, PauseState, State
from ui.words import say

from .conftest import HERE, click, markup, run, where
from .fake_desk import AT, FakeDesk, answer, call, output, user

Page = Callable[..., AppTest]


def talk(desk: FakeDesk, turns: int = 2) -> list[str]:
    """Some stored turns; their entry ids."""
    ids = []
    for turn in range(1, turns + 1):
        made = desk.add(HERE, user(f"question {turn}"), answer(f"answer {turn}"), agent="Triage")
        ids += [entry.id for entry in made]
    return ids


def looked_up(order: str) -> tuple[Item, ...]:
    return call("l1", "look_up_order", order_id=order), output("l1", ok=True, order=order), answer("Soon.")


def moved(order: str, **facts: object) -> tuple[Item, ...]:
    told = output("m1", **{"ok": True, "order": order, **facts})
    return call("m1", "deliver_to_pickup", order_id=order), told, answer("Done.")


def draft(tab: AppTest) -> str:
    """What the page puts into the composer."""
    return str(tab.chat_input[0].proto.value) if tab.chat_input[0].proto.set_value else ""


def pick(tab: AppTest, entry_id: str) -> AppTest:
    tab.session_state["selected"] = entry_id
    return run(tab)


def test_an_empty_session_offers_conversations_to_try(page: Page) -> None:
    tab = page()
    chips = [b.key for b in tab.button if b.key.startswith("scenario_")]
    assert len(chips) == 6
    assert "No items yet" in markup(tab)


def test_a_reload_goes_on_with_the_sample_that_was_followed(page: Page, desk: FakeDesk) -> None:
    desk.replies = [looked_up("A100")]
    tab = run(click(page(), "scenario_wrong_order"))
    assert where(tab, "guide") == "wrong_order-1"
    again = page(guide="wrong_order-1")
    assert "guide_next" in [button.key for button in again.button]


@pytest.mark.parametrize("junk", ["nothing-1", "wrong_order-99", "wrong_order", "-", "<b>-1"])
def test_a_link_to_no_step_of_a_sample_is_passed_over(page: Page, desk: FakeDesk, junk: str) -> None:
    talk(desk, 1)
    tab = page(guide=junk)
    assert "guide_close" not in [button.key for button in tab.button]


@pytest.mark.parametrize("language", ["en", "zh-Hans", "zh-Hant"])
def test_a_message_goes_out_with_the_language_of_the_page(page: Page, desk: FakeDesk, language: str) -> None:
    click(page(lang=language), "scenario_follow_up")
    assert desk.answers_in == language


def test_a_chip_sends_its_first_line_and_names_what_to_see(page: Page, desk: FakeDesk) -> None:
    desk.replies = [looked_up("A100"), moved("A100")]
    tab = click(page(), "scenario_follow_up")
    assert desk.calls == [("send", HERE, "Where is my order A100?", None, 50)]
    assert "Triage looked A100 up" in markup(tab)
    tab = click(tab, "guide_next")
    assert desk.calls[-1][2] == "If it is later than Friday, change it to pickup."
    assert "compared its date with Friday" in markup(tab)


def test_the_guide_does_not_say_what_did_not_happen_and_offers_the_samples_back(
    page: Page, desk: FakeDesk
) -> None:
    desk.replies = [looked_up("A100"), moved("A100", ok=False, error="no_change")]
    desk.orders.set_delivery("A100", Delivery("pickup"), call_id="c0", session="file/other")
    tab = page()
    assert "Not as at the start: A100." in markup(tab)
    tab = click(click(tab, "scenario_follow_up"), "guide_next")
    assert "compared its date with Friday" not in markup(tab)
    assert "It went another way here" in markup(tab)
    click(tab, "restore_first")
    assert ("restore_samples",) in desk.calls


def test_the_line_after_the_slip_waits_until_the_slip_is_rolled_back(page: Page, desk: FakeDesk) -> None:
    desk.replies = [looked_up("A100"), moved("B205"), moved("A100")]
    tab = click(click(page(), "scenario_wrong_order"), "guide_next")
    assert "A100 was meant" in markup(tab)
    assert "guide_next" not in [button.key for button in tab.button]
    tab = click(pick(tab, desk.store(HERE).entries[3].id), "roll_back")
    assert "The slip is no longer in memory" in markup(tab)
    tab = click(tab, "guide_next")
    assert "the memory that was sent holds no B205" in markup(tab)


def test_the_guide_is_there_again_after_another_session_and_after_a_reload(
    page: Page, desk: FakeDesk
) -> None:
    desk.replies = [looked_up("A100"), moved("A100")]
    tab = click(click(page(), "scenario_follow_up"), "guide_next")
    assert "compared its date with Friday" in markup(page(guide=where(tab, "guide")))
    tab.session_state["session_id"] = "other"
    assert "compared its date with Friday" not in markup(run(tab))
    tab.session_state["session_id"] = HERE.session_id
    assert "compared its date with Friday" in markup(run(tab))
    assert "compared its date with Friday" not in markup(click(tab, "guide_close"))


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_only_who_picked_a_sample_is_guided_through_it(page: Page, desk: FakeDesk, language: str) -> None:
    desk.replies = [looked_up("A100"), moved("A100")]
    tab = page(lang=language)
    for line in ("follow_up_say_1", "follow_up_say_2"):
        tab.chat_input[0].set_value(say("zh-Hans", line)).run()
    assert "guide_close" not in [button.key for button in run(tab).button]


def test_a_sample_can_be_left_and_started_again_in_a_session_of_its_own(page: Page, desk: FakeDesk) -> None:
    desk.replies = [looked_up("A100"), moved("A100"), looked_up("A100")]
    tab = click(click(click(page(), "scenario_follow_up"), "guide_next"), "guide_next")
    tab = click(tab, "guide_again")
    assert where(tab, "guide") == "follow_up-1"
    assert (where(tab, "session") or "").startswith("ticket_")
    assert where(tab, "session") != HERE.session_id
    assert desk.calls[-1][1:3] == (Address("file", where(tab, "session") or ""), "Where is my order A100?")
    assert "Triage looked A100 up" in markup(tab)
    tab = click(tab, "guide_close")
    assert "guide_again" not in [button.key for button in tab.button]
    assert where(tab, "guide") is None


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


def test_a_branch_says_that_a_waiting_call_stays_behind(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk)
    (asked,) = desk.add(HERE, call("c4", "refund_order", order_id="C310"), agent="Approval")
    desk.view["waiting"] = pause(("c4", "refund_order", '{"order_id": "C310"}', "Approval"))
    assert "Without the call that waits" in markup(pick(page(), asked.id))
    assert "Without the call that waits" not in markup(pick(page(), ids[0]))


def test_a_step_that_needs_a_limit_sets_it_where_it_can_be_seen(page: Page, desk: FakeDesk) -> None:
    tab = click(page(), "scenario_told_you")
    click(click(tab, "guide_next"), "guide_next")
    assert desk.calls[-1][4] == 1
    assert tab.number_input(key="turns_sent").value == 1


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


def test_what_was_given_back_is_told_with_every_redraw_until_something_is_sent(
    page: Page, desk: FakeDesk
) -> None:
    desk.refuse["send"] = "busy"
    tab = page()
    for text in ("my draft", "my draft"):
        before = tab.chat_input[0].proto.id
        tab.chat_input[0].set_value(text).run()
        assert draft(tab) == text
        assert tab.chat_input[0].proto.id != before  # a new box: the browser takes a text once for each
        after = tab.chat_input[0].proto.id
        assert draft(run(tab)) == text
        assert tab.chat_input[0].proto.id == after
    del desk.refuse["send"]
    tab.chat_input[0].set_value("another").run()
    assert desk.calls[-1][2] == "another"
    assert draft(run(tab)) == ""


def test_a_person_may_address_one_agent(page: Page, desk: FakeDesk) -> None:
    tab = page()
    tab.selectbox(key="agent_pick").select("Summary").run()
    tab.chat_input[0].set_value("What happened?").run()
    assert desk.calls[-1][3] == "Summary"


def test_roll_back_removes_what_is_after_the_picked_entry(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk)
    tab = pick(page(), ids[1])
    assert "Removes 2 items (turn 2). 2 stay." in markup(tab)
    tab = click(tab, "roll_back")
    assert [entry.id for entry in desk.store(HERE).entries] == ids[:2]
    text = markup(tab)
    assert "Removed 2 items (turn 2)." in text
    assert "question 2" not in text
    assert "2 items · 1 turn" in text


def test_the_notice_of_an_edit_undoes_it(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk)
    tab = click(pick(page(), ids[1]), "roll_back")
    tab = click(tab, "notice_undo_0")
    assert [entry.id for entry in desk.store(HERE).entries] == ids
    assert "Undone: 2 items are back." in markup(tab)


def test_an_edit_from_a_stale_view_is_refused_and_the_page_drawn_anew(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk)
    tab = pick(page(), ids[1])
    desk.add(HERE, user("from another tab"))
    tab = click(tab, "roll_back")
    assert len(desk.store(HERE).entries) == 5
    assert "The session changed since this was shown" in markup(tab)
    assert "from another tab" in markup(tab)


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


def test_truncate_keeps_the_newest_turns(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk, 3)
    tab = page()
    tab.number_input(key="truncate_turns").set_value(2).run()
    assert "Removes 2 items (turn 1). 4 stay." in markup(tab)
    click(tab, "truncate")
    assert [entry.id for entry in desk.store(HERE).entries] == ids[2:]


def test_clear_undo_and_redo(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk)
    tab = page()
    assert tab.button(key="undo").disabled
    assert tab.button(key="redo").disabled
    tab = click(tab, "clear")
    assert desk.store(HERE).entries == []
    assert "Undo brings back what was removed" in markup(tab)
    tab = click(tab, "undo")
    assert [entry.id for entry in desk.store(HERE).entries] == ids
    tab = click(tab, "redo")
    assert desk.store(HERE).entries == []


def test_a_preview_names_the_effects_that_stay(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk)
    detail = {"amount": "120.00", "currency": "USD"}
    desk.view["effects"] = {"c1": Effect(1, "D411", "refund", "c1", str(HERE), AT, detail)}
    text = markup(pick(page(), ids[0]))
    assert "Stays done in the world" in text
    assert "Refunded 120.00 USD for order D411." in text


def test_a_branch_is_made_up_to_the_entry_and_opened(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk)
    tab = pick(page(), ids[1])
    tab.text_input(key=f"branch_name_{ids[1]}").set_value("ticket_1-b")
    tab = click(tab, "branch")
    assert len(desk.store(Address("file", "ticket_1-b")).entries) == 2
    assert len(desk.store(HERE).entries) == 4
    assert where(tab, "session") == "ticket_1-b"
    assert "“ticket_1” stays as it was" in markup(tab)


def test_a_branch_never_takes_the_name_of_another_session(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk)
    tab = pick(page(), ids[1])
    tab.text_input(key=f"branch_name_{ids[1]}").set_value("Ticket_1")
    tab = click(tab, "branch")
    assert "exists already" in markup(tab)
    assert where(tab, "session") == "ticket_1"


def test_delete_asks_once_with_the_name_and_the_count(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    tab = click(page(), "ask_delete")
    assert tab.button(key="confirm").label == "Delete session ticket\\_1: 4 items"
    tab = click(tab, "cancel")
    assert "confirm" not in [button.key for button in tab.button]
    assert len(desk.store(HERE).entries) == 4
    tab = click(click(tab, "ask_delete"), "confirm")
    assert desk.store(HERE).entries == []
    assert where(tab, "session") != "ticket_1"
    assert "Session “ticket_1” was deleted" in markup(tab)
    assert "confirm" not in [button.key for button in tab.button]


def test_delete_is_refused_when_the_count_on_the_button_is_no_longer_true(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    tab = click(page(), "ask_delete")
    desk.add(HERE, user("just now"))
    tab = click(tab, "confirm")
    assert len(desk.store(HERE).entries) == 5
    assert "changed since this was shown" in markup(tab)


def test_clear_with_purge_leaves_nothing_to_undo(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    tab = click(click(page(), "ask_clear_for_good"), "confirm")
    assert desk.store(HERE).entries == []
    assert not desk.store(HERE).done
    assert tab.button(key="undo").disabled
    assert "Cleared for good: 4 items." in markup(tab)
    assert "emptied or deleted elsewhere" not in markup(tab)


def test_a_session_emptied_in_another_tab_says_so(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    tab = page()
    desk.delete(HERE)
    assert "This session was emptied or deleted elsewhere" in markup(run(tab))


def test_nothing_can_be_edited_while_an_answer_is_written(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk)
    desk.live = Run("r", HERE, "and now?", "Triage", RunStatus.ANSWERING, base=ids[-1])
    tab = pick(page(), ids[1])
    for key in ("undo", "redo", "roll_back", "ask_delete"):
        assert tab.button(key=key).disabled, key
    assert "retry" not in [button.key for button in tab.button]


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


def test_edit_and_resend_puts_the_question_back(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    tab = click(page(), "edit_and_resend")
    assert draft(tab) == "question 2"
    assert len(desk.store(HERE).entries) == 2
    assert "Removed 2 items" in markup(tab)


def pause(*calls: tuple[str, str, str, str]) -> Pause:
    return Pause(7, HERE.session_id, PauseState.PENDING, calls, "{}", AT)


def test_a_decision_shows_what_and_how_much_and_is_answered_with_a_note(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    desk.view["waiting"] = pause(
        ("c4", "refund_order", '{"order_id": "C310", "reason": "broken"}', "Approval")
    )
    tab = page()
    assert "Refund 189.00 USD for order C310?" in markup(tab)
    assert "broken" in markup(tab)
    tab.text_input(key="note_7_c4").set_value("as agreed")
    click(tab, "approve_7_c4")
    assert ("decide", HERE, 7, "c4", True, "as agreed") in desk.calls


def test_several_calls_are_decided_one_by_one(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    desk.view["waiting"] = pause(
        ("c4", "refund_order", '{"order_id": "C310"}', "Approval"),
        ("c5", "cancel_order", '{"order_id": "D411"}', "Approval"),
    )
    tab = page()
    click(tab, "reject_7_c5")
    assert ("decide", HERE, 7, "c5", False, "") in desk.calls


def test_an_approval_whose_effect_is_unknown_says_what_the_orders_say(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    waiting = pause(("c4", "refund_order", "{}", "Approval"))
    desk.view |= {"waiting": replace(waiting, status=PauseState.DECIDING), "effect_unknown": True}
    tab = page()
    assert "Approved, effect unknown" in markup(tab)
    assert "The orders say: nothing was done." in markup(tab)
    assert "approve_7_c4" not in [button.key for button in tab.button]
    click(tab, "conclude_7")
    assert ("conclude", HERE, 7) in desk.calls


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
    assert "Answering on another server" in markup(tab)
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


def test_in_memory_says_when_it_will_be_gone(page: Page, desk: FakeDesk) -> None:
    desk.add(Address("memory", "ticket_1"), user("hi"))
    assert "gone when the server stops" in markup(page(backend="memory"))


def test_decisions_that_wait_anywhere_are_counted_in_the_bar(page: Page, desk: FakeDesk) -> None:
    elsewhere = Address("memory", "other")
    desk.waits = [HERE, elsewhere]
    tab = page()
    assert [tab.button(key=f"open_waiting_{n}").label for n in range(2)] == [
        r"ticket\_1 · File",
        "other · In memory",
    ]
    assert "2 decisions waiting" in [block.proto.popover.label for block in tab.get("popover")]
    click(tab, "open_waiting_1")
    assert (where(tab, "backend"), where(tab, "session")) == ("memory", "other")


def test_an_undo_that_would_be_refused_is_not_offered_but_the_earlier_state_is(
    page: Page, desk: FakeDesk
) -> None:
    ids = talk(desk)
    tab = click(pick(page(), ids[1]), "roll_back")
    desk.view |= {"can_undo": False, "undo_problem": "undo_refused"}
    tab = run(tab)
    assert tab.button(key="undo").disabled
    assert "branch the earlier state" in tab.button(key="undo").help
    tab = click(tab, "branch_earlier")
    assert where(tab, "session") == "ticket_1-b"
    assert len(desk.store(Address("file", "ticket_1-b")).entries) == len(ids)


@pytest.mark.parametrize("key", ["retry", "edit_and_resend"])
def test_what_a_turn_did_in_the_world_is_said_when_the_turn_is_taken_back(
    page: Page, desk: FakeDesk, key: str
) -> None:
    desk.add(HERE, user("refund it"))
    desk.add(HERE, call("c1", "refund_order", order_id="E512"), output("c1", ok=True), agent="Approval")
    refund = Effect(1, "E512", "refund", "c1", str(HERE), AT, {"amount": "18.00", "currency": "USD"})
    desk.view["effects"] = {"c1": refund}
    tab = click(page(), key)
    assert "Stays done in the world: Refunded 18.00 USD for order E512." in markup(tab)


def test_an_emptied_session_can_be_deleted_and_one_that_is_not_there_says_why_not(
    page: Page, desk: FakeDesk
) -> None:
    tab = page()
    assert tab.button(key="ask_delete").disabled
    assert "nothing is stored" in tab.button(key="ask_delete").help
    desk.store(HERE).version = 1
    assert not run(tab).button(key="ask_delete").disabled


def test_a_rejected_call_does_not_look_done(page: Page, desk: FakeDesk) -> None:
    desk.add(HERE, user("refund it"))
    rejected = {"type": "function_call_output", "call_id": "c1", "output": "The person declined."}
    desk.add(HERE, call("c1", "refund_order", order_id="C310"), rejected, agent="Approval")
    text = markup(page())
    assert "declined by a person" in text
    assert "Done" not in text


def test_memory_is_not_called_real_where_there_is_none(page: Page) -> None:
    assert "Memory is real." in markup(page())
    assert "Memory is real." not in markup(page(backend="none"))


def test_the_samples_are_restored_from_the_menu(page: Page, desk: FakeDesk) -> None:
    tab = click(page(), "restore_samples")
    assert ("restore_samples",) in desk.calls
    assert "The orders are the samples again." in markup(tab)


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
