"""Decisions that wait, on the page."""

from __future__ import annotations

from dataclasses import replace

from desk.values import Address
from memory import PauseState

from .conftest import HERE, Page, click, markup, where
from .fake_desk import FakeDesk, call, user
from .talks import pause, pick, talk


def test_a_branch_says_that_a_waiting_call_stays_behind(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk)
    (asked,) = desk.add(HERE, call("c4", "refund_order", order_id="C310"), agent="Approval")
    desk.view["waiting"] = pause(("c4", "refund_order", '{"order_id": "C310"}', "Approval"))
    assert "Without the call that waits" in markup(pick(page(), asked.id))
    assert "Without the call that waits" not in markup(pick(page(), ids[0]))


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


def test_a_rejected_call_does_not_look_done(page: Page, desk: FakeDesk) -> None:
    desk.add(HERE, user("refund it"))
    rejected = {"type": "function_call_output", "call_id": "c1", "output": "The person declined."}
    desk.add(HERE, call("c1", "refund_order", order_id="C310"), rejected, agent="Approval")
    text = markup(page())
    assert "declined by a person" in text
    assert "Done" not in text
