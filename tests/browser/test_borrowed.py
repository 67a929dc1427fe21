"""The words that Streamlit writes itself."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from ui.borrowed import PLACES
from ui.words import say

from .conftest import Server
from .driver import DeskPage

Open = Callable[..., DeskPage]

ENGLISH = """() => [...document.querySelectorAll("body *")].flatMap((part) => [
  ...["aria-label", "placeholder"].map((name) => part.getAttribute(name) ?? ""),
  ...[...part.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()),
]).filter((text) => text && CATALOGUE.some((word) => word.test(text)))"""


def english_of_streamlit(desk: DeskPage) -> list[str]:
    """Which of Streamlit's own words the page shows in English."""
    english = [say("en", key, value="{}", low="{}", high="{}") for _, _, key in PLACES]
    patterns = ["^" + ".*".join(map(re.escape, words.split("{}"))) + "$" for words in english]
    desk.page.wait_for_timeout(300)  # they are written with the next frame
    return list(
        desk.page.evaluate(ENGLISH.replace("CATALOGUE", f"{json.dumps(patterns)}.map((p) => RegExp(p))"))
    )


@pytest.mark.parametrize(
    ("lang", "add", "none", "system"),
    [("zh-Hans", "新建：zzz", "没有结果", "系统"), ("zh-Hant", "新增：zzz", "沒有結果", "系統")],
)
def test_what_streamlit_writes_itself_speaks_the_page_s_language_too(
    shared_server: Server, open_page: Open, lang: str, add: str, none: str, system: str
) -> None:
    desk = open_page(shared_server.url).open("No results", lang=lang)
    desk.ask("Where is A100?", "A100")
    desk.pick("Where is A100?")
    session, agent = desk.key("session_pick").locator("input"), desk.key("agent_pick").locator("input")
    agent.fill("zzz")
    expect(desk.page.get_by_text(none, exact=True)).to_be_visible()
    assert english_of_streamlit(desk) == []
    desk.page.keyboard.press("Escape")
    session.click()
    expect(desk.page.get_by_role("option", name="No results", exact=True)).to_be_visible()  # a session's name
    session.fill("zzz")
    expect(desk.page.get_by_role("option", name=add, exact=True)).to_be_visible()
    assert english_of_streamlit(desk) == []
    desk.page.keyboard.press("Enter")
    desk.page.wait_for_url(re.compile("session=zzz&"))
    desk.page.get_by_test_id("stMainMenuButton").click()
    expect(desk.page.get_by_role("menuitemradio", name=system)).to_be_visible()
    assert english_of_streamlit(desk) == []
    desk.page.keyboard.press("Escape")
    desk.key("language").get_by_role("combobox").click()
    desk.page.get_by_role("option", name="English").click()
    expect(desk.key("panel_head").get_by_text("Memory").first).to_be_visible()
    expect(desk.page.get_by_test_id("stChatInputSubmitButton")).to_have_accessible_name("Send message")
