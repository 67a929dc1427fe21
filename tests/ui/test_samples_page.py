"""The samples: offered, followed step by step, left, and put back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desk.order import Delivery
from desk.values import Address, Run, RunStatus
from memory import Item, PauseState
from ui.words import say

from .conftest import HERE, Page, click, markup, run, where
from .fake_desk import FakeDesk, answer, call, output
from .talks import pause, pick, talk


def looked_up(order: str) -> tuple[Item, ...]:
    return call("l1", "look_up_order", order_id=order), output("l1", ok=True, order=order), answer("Soon.")


def moved(order: str, **facts: object) -> tuple[Item, ...]:
    told = output("m1", **{"ok": True, "order": order, **facts})
    return call("m1", "deliver_to_pickup", order_id=order), told, answer("Done.")


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
    assert "Orders changed since the start: A100." in markup(tab)
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


def test_a_step_that_needs_a_limit_sets_it_where_it_can_be_seen(page: Page, desk: FakeDesk) -> None:
    tab = click(page(), "scenario_told_you")
    click(click(tab, "guide_next"), "guide_next")
    assert desk.calls[-1][4] == 1
    assert tab.number_input(key="turns_sent_0").value == 1


@pytest.mark.parametrize("backend", ["file", "none"])
def test_the_samples_are_restored_from_the_menu(page: Page, desk: FakeDesk, backend: str) -> None:
    done = Run("r", Address(backend, HERE.session_id), "hi", "Triage", RunStatus.DONE)
    desk.view["past"] = (done,) if backend == "none" else ()
    tab = click(page(backend=backend), "restore_samples")
    assert ("restore_samples",) in desk.calls
    assert "The orders are the samples again." in markup(tab)


def test_the_guide_does_not_say_that_nothing_was_done_where_that_is_not_known(
    page: Page, desk: FakeDesk
) -> None:
    desk.replies = [(call("c1", "refund_order", order_id="C310"),)]
    tab = click(page(), "scenario_large_refund")
    waits = pause(("c1", "refund_order", '{"order_id": "C310"}', "Approval"))
    desk.view["waiting"] = waits
    assert "nothing is refunded yet" in markup(run(tab))
    desk.view |= {"waiting": replace(waits, status=PauseState.DECIDING), "effect_unknown": True}
    tab = run(tab)
    assert "Effect unknown" in markup(tab)
    assert "nothing is refunded yet" not in markup(tab)
