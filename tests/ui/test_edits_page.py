"""Edits on the page: told beforehand, made of the entry that was picked, and taken back."""

from __future__ import annotations

import pytest

from desk.effects import Effect
from desk.values import Address, Run, RunStatus
from memory.edits import Taken

from .conftest import HERE, Page, click, markup, run, where
from .fake_desk import AT, FakeDesk, call, output, user
from .talks import draft, pick, talk


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


def test_a_branch_says_what_stays_behind_of_what_it_is_made_up_to(page: Page, desk: FakeDesk) -> None:
    asked, called, *_ = desk.add(HERE, user("hi"), call("c1", "get_order"), output("c1"))
    assert "cannot stand without what comes later" not in markup(pick(page(), asked.id))
    desk.taken = (Taken(called, "output"),)
    assert "1 item up to here stays behind: it cannot stand without" in markup(pick(page(), called.id))


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


def test_edit_and_resend_puts_the_question_back(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    tab = click(page(), "edit_and_resend")
    assert draft(tab) == "question 2"
    assert len(desk.store(HERE).entries) == 2
    assert "Removed 2 items" in markup(tab)
    tab = click(tab, "notice_undo_0")  # beside the box: on a narrow screen the memory is out of sight
    assert len(desk.store(HERE).entries) == 4


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
