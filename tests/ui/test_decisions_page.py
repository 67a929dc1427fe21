"""Decisions that wait, on the page."""

from __future__ import annotations

from dataclasses import replace

from desk.values import Address
from memory import PauseState

from .conftest import HERE, Page, click, markup, where
from .fake_desk import FakeDesk, answer, call, output, user
from .talks import pause, pick, talk

ENDS = "A decision waits here: making the branch ends it, in this session too"


def test_a_branch_says_beforehand_that_it_ends_a_decision_and_does(page: Page, desk: FakeDesk) -> None:
    ids = talk(desk)
    (asked,) = desk.add(HERE, call("c4", "refund_order", order_id="C310"), agent="Approval")
    desk.view["waiting"] = pause(("c4", "refund_order", '{"order_id": "C310"}', "Approval"))
    tab = pick(page(), ids[0])
    assert ENDS not in markup(tab)
    assert "stays as it is" in tab.text_input(key=f"branch_name_{ids[0]}").help
    tab = pick(tab, asked.id)
    assert ENDS in markup(tab)
    assert "stays as it is" not in tab.text_input(key=f"branch_name_{asked.id}").help
    tab = click(tab, "branch")
    assert where(tab, "session") == "ticket_1-b"
    assert "The decision that waited in “ticket_1” has ended; nothing was done." in markup(tab)
    assert "approve_7_c4" not in [button.key for button in tab.button]


def test_a_branch_says_nothing_of_a_decision_it_does_not_end(page: Page, desk: FakeDesk) -> None:
    (first, *_) = desk.add(HERE, call("c4", "refund_order"), output("c4", ok=True), answer("Done."))
    (again,) = desk.add(HERE, call("c4", "refund_order"))
    waits = pause(("c4", "refund_order", "{}", "Approval"))
    desk.view["waiting"] = waits
    assert ENDS not in markup(pick(page(), first.id))
    assert ENDS in markup(pick(page(), again.id))
    desk.view |= {"waiting": replace(waits, status=PauseState.DECIDING), "effect_unknown": True}
    assert ENDS not in markup(pick(page(), again.id))


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
