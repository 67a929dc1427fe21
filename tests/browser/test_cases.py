"""Long conversations in a real browser: the box stays in reach, the newest words are seen, a pick stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import Server, plant
from .driver import DeskPage

Open = Callable[..., DeskPage]


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_after_thirty_messages_the_box_and_the_newest_words_are_on_the_first_screen(
    shared_server: Server, open_page: Open, width: int, height: int
) -> None:
    plant(shared_server, f"long-{width}", 15)
    desk = open_page(shared_server.url, width=width, height=height).open(f"long-{width}")
    desk.expect_rows(30)
    expect(desk.composer).to_be_in_viewport()
    expect(desk.chat.get_by_text("answer 15,").last).to_be_in_viewport()
    assert desk.page.evaluate("window.scrollY") == 0


def test_the_last_item_stays_in_sight_when_its_card_takes_the_room(
    shared_server: Server, open_page: Open
) -> None:
    plant(shared_server, "picked-last", 12)
    desk = open_page(shared_server.url).open("picked-last")
    desk.pick("answer 12,")
    expect(desk.row("answer 12,").first).to_be_in_viewport(ratio=0.9)


def test_a_pick_far_up_in_a_long_list_is_kept_in_sight_while_a_turn_is_added(
    shared_server: Server, open_page: Open
) -> None:
    plant(shared_server, "picked", 80)
    desk = open_page(shared_server.url).open("picked")
    desk.row("question 60").first.scroll_into_view_if_needed()
    desk.pick("question 60")
    picked = desk.row("question 60").first
    expect(picked).to_have_attribute("aria-selected", "true")
    expect(picked).to_be_in_viewport(ratio=0.9)
    plant(shared_server, "picked", 1)  # another program
    desk.expect_rows(162)
    expect(picked).to_have_attribute("aria-selected", "true")
    expect(picked).to_be_in_viewport(ratio=0.9)
    expect(desk.key("detail").get_by_text("#119").first).to_be_visible()
