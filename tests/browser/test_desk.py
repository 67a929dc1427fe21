"""The main job, end to end: chat, watch the memory, roll back, undo, come back tomorrow."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from desk.effects import Effect
from desk.orders import Orders

from .conftest import Server
from .driver import DeskPage

Open = Callable[..., DeskPage]

MOVED = "Delivery of order A100 goes to a pickup point."


def in_the_orders(server: Server, order: str) -> list[Effect]:
    """What was done to an order, oldest first."""
    orders = Orders(server.data / "orders.db")
    try:
        return orders.history(order)
    finally:
        orders.close()


def test_a_newcomer_has_the_first_conversation_rolls_it_back_undoes_and_restarts(
    own_server: Callable[..., Server], open_page: Open
) -> None:
    server = own_server()
    desk = open_page(server.url).open("ticket_456")
    desk.ask("我的订单 A100 什么时候发货？", re.compile("A100.*发货"))
    desk.expect_rows(4)
    desk.ask("如果晚于周五，帮我改到自提。", re.compile("自提"))
    before = desk.texts()
    assert len(before) > 4

    desk.pick("我的订单 A100 什么时候发货？")
    desk.press("Roll back to here")
    desk.expect_rows(1)
    desk.key("undo").get_by_role("button").click()
    desk.expect_rows(len(before))
    assert desk.texts() == before

    server.stop()
    again = own_server()
    desk = open_page(again.url).open("ticket_456")
    desk.expect_rows(len(before))
    assert desk.texts() == before


def test_the_same_conversation_works_in_english_after_the_samples_are_restored(
    own_server: Callable[..., Server], open_page: Open
) -> None:
    def conversation() -> None:
        desk.ask("When will my order A100 ship?", re.compile("A100.*ship", re.S))
        desk.ask("If it is later than Friday, change it to pickup.", re.compile("pickup"))
        expect(desk.chat.locator(".md-effect")).to_have_text(MOVED)

    server = own_server()
    desk = open_page(server.url).open("ticket_457")
    conversation()
    assert [effect.current for effect in in_the_orders(server, "A100")] == [True]
    desk.press("More")
    desk.press("Restore the samples")
    expect(desk.page.get_by_text("The orders are the samples again.")).to_be_visible()
    expect(desk.chat.locator(".md-effect")).to_have_text(f"{MOVED} (The samples were restored since.)")
    desk.open("ticket_458")
    conversation()
    assert [effect.current for effect in in_the_orders(server, "A100")] == [False, True]


def test_words_stream_in_and_the_stored_items_appear_beside_them(
    own_server: Callable[..., Server], open_page: Open
) -> None:
    desk = open_page(own_server(DESK_WORD_PAUSE="0.5").url).open("streaming")
    desk.say("Where is my order B205?")
    expect(desk.key("stop")).to_be_visible(timeout=90_000)
    desk.expect_rows(4)
    kinds = desk.rows.locator(".kind").all_inner_texts()
    assert kinds == ["You", "Tool call", "Tool output", "Answer"]


def test_the_memory_can_be_truncated_and_cleared_and_both_are_undone(
    shared_server: Server, open_page: Open
) -> None:
    desk = open_page(shared_server.url).open("truncated")
    desk.ask("Hello", "Which order can I help you with?")
    desk.ask("Where is my order A100?", re.compile("A100.*ship"))
    everything = desk.texts()
    desk.press("Truncate")
    desk.key("truncate_turns").locator("input").fill("1")
    desk.key("truncate_turns").locator("input").press("Enter")
    desk.settle()
    desk.page.get_by_role("button", name="Keep last 1 turn").click()
    desk.expect_rows(4)
    desk.key("undo").get_by_role("button").click()
    desk.expect_rows(len(everything))
    desk.press("Clear")
    desk.key("clear").get_by_role("button").click()
    desk.expect_rows(0)
    desk.key("undo").get_by_role("button").click()
    desk.expect_rows(len(everything))
    assert desk.texts() == everything


def test_a_branch_is_a_new_session_and_leaves_the_original_alone(
    shared_server: Server, open_page: Open
) -> None:
    desk = open_page(shared_server.url).open("branching")
    desk.ask("Hello", "Which order can I help you with?")
    desk.ask("Where is my order A100?", re.compile("A100.*ship"))
    original = desk.texts()
    desk.pick("Hello")
    desk.press("Branch from here")
    name = desk.page.locator("[class*='st-key-branch_name']").get_by_role("textbox")
    name.fill("branching-b")
    name.press("Enter")
    desk.page.wait_for_url(re.compile("branching-b"))
    desk.expect_rows(1)
    desk.open("branching")
    assert desk.texts() == original


def test_a_branch_of_a_waiting_call_asks_first_and_ends_the_decision_in_both(
    own_server: Callable[..., Server], open_page: Open
) -> None:
    server = own_server()
    desk = open_page(server.url).open("asking")
    desk.say("Refund C310")
    expect(desk.page.get_by_role("button", name="Approve")).to_be_visible(timeout=90_000)
    other = open_page(server.url).open("asking")
    desk.rows.last.click()
    desk.press("Branch from here")
    expect(desk.page.get_by_text("A decision waits here: making the branch ends it")).to_be_visible()
    desk.key("branch").get_by_role("button").click()
    desk.page.wait_for_url(re.compile("asking-b"))
    for each in (desk, other):
        expect(each.chat.get_by_text("because the conversation was edited").first).to_be_visible()
        expect(each.page.get_by_role("button", name="Approve")).to_have_count(0)
    expect(desk.page.get_by_text("The decision that waited in “asking” has ended")).to_be_visible()


@pytest.mark.parametrize(
    ("verdict", "outcome", "refunds"),
    [
        ("Approve", "Refunded 189.00 USD for order C310.", 1),
        ("Reject", re.compile("was not approved by the person who decides, so nothing was refunded"), 0),
    ],
)
def test_a_large_refund_waits_for_a_person_and_goes_as_they_say(
    own_server: Callable[..., Server], open_page: Open, verdict: str, outcome: Any, refunds: int
) -> None:
    server = own_server()
    desk = open_page(server.url).open("refund-42")
    desk.say("I want a refund for C310, it arrived broken")
    expect(desk.page.get_by_role("button", name=verdict)).to_be_visible(timeout=90_000)
    assert in_the_orders(server, "C310") == []
    desk.press(verdict)
    expect(desk.page.get_by_role("button", name=verdict)).to_have_count(0, timeout=90_000)
    desk.idle()
    expect(desk.chat.get_by_text(outcome).last).to_be_visible(timeout=90_000)
    assert sum(effect.kind == "refund" for effect in in_the_orders(server, "C310")) == refunds


def test_a_waiting_decision_is_still_there_after_a_restart(
    own_server: Callable[..., Server], open_page: Open
) -> None:
    server = own_server()
    desk = open_page(server.url).open("refund-43")
    desk.say("Refund C310 please, it is broken")
    expect(desk.page.get_by_role("button", name="Approve")).to_be_visible(timeout=90_000)
    server.stop()
    desk = open_page(own_server().url).open("refund-43")
    expect(desk.page.get_by_role("button", name="Approve")).to_be_visible(timeout=90_000)
    desk.press("Approve")
    desk.idle()
    expect(desk.chat.get_by_text(re.compile("refunded", re.I)).last).to_be_visible(timeout=90_000)
