"""Room: what a person needs stays in sight and readable, whatever else the page has to say."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Server
from .driver import DeskPage

Open = Callable[..., DeskPage]

PHONE = (390, 844)


def on_screen(part: Locator, height: int) -> bool:
    box = part.bounding_box()
    return box is not None and 0 < box["y"] < box["y"] + box["height"] <= height


def apart(upper: Locator, lower: Locator) -> bool:
    above, below = upper.bounding_box(), lower.bounding_box()
    return above is not None and below is not None and above["y"] + above["height"] <= below["y"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_a_phone_an_open_question_leaves_the_box_on_the_first_screen(
    shared_server: Server, open_page: Open, theme: str
) -> None:
    width, height = PHONE
    desk = open_page(shared_server.url, width=width, height=height, color_scheme=theme).open(f"ask-{theme}")
    desk.ask("hello", "Triage")
    desk.key("backend_pick").get_by_role("combobox").click()
    desk.page.get_by_role("option", name="In memory").click()
    expect(desk.key("moving")).to_be_visible()
    desk.settle()
    assert on_screen(desk.composer, height)
    desk.key("session_pick").get_by_role("combobox").fill(f"ASK-{theme}")
    desk.key("session_pick").get_by_role("combobox").press("Enter")
    expect(desk.key("similar_ids")).to_be_visible()
    desk.settle()
    assert on_screen(desk.composer, height)
    assert apart(desk.key("similar_ids"), desk.key("moving"))
    assert apart(desk.key("moving"), desk.chat)
    assert apart(desk.chat, desk.composer)
    assert apart(desk.composer, desk.key("panel"))
