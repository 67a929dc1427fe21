"""A session moves to another backend: asked, copied, compared, opened."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from .conftest import Server
from .driver import DeskPage

Open = Callable[..., DeskPage]


def test_a_session_is_copied_to_memory_opened_and_copied_back_under_another_name_by_keyboard(
    shared_server: Server, open_page: Open
) -> None:
    desk = open_page(shared_server.url).open("moving")
    desk.ask("Where is my order A100?", re.compile("A100.*ship"))
    stored = desk.texts()

    desk.key("backend_pick").click()
    desk.page.get_by_role("option", name="In memory").click()
    expect(desk.key("moving").get_by_role("alert")).to_contain_text("has no session of that name")
    desk.press("Copy it there")
    dialog = desk.page.get_by_role("dialog")
    expect(dialog).to_contain_text("4 of 4 items are in “moving” (In memory).")
    before, after = (dialog.locator(f"dt:has-text('SHA-256 {when}') + dd") for when in ("before", "after"))
    assert re.fullmatch(r"[0-9a-f]{64}", before.inner_text())
    assert before.inner_text() == after.inner_text()
    expect(desk.key("copy_open").get_by_role("button")).to_be_focused()
    desk.page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(desk.page).to_have_url(re.compile(r"session=moving&backend=memory"))
    desk.expect_rows(4)
    assert desk.texts() == stored
    expect(desk.chat).to_contain_text("A copy of file/moving: 4 items, 0 left out.")

    desk.press("More")
    desk.press("Copy to another backend…")
    name = desk.page.locator("[class*='st-key-copy_name_']").get_by_role("textbox")
    expect(name).to_have_value("moving-copy")
    name.fill("moving")
    name.press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("exists already")
    name.fill("moved")
    name.press("Enter")
    expect(dialog).to_contain_text("4 of 4 items are in “moved” (File).")
    desk.press("Stay here")
    expect(dialog).to_have_count(0)
    expect(desk.page).to_have_url(re.compile(r"session=moving&backend=memory"))
    assert desk.open("moved").texts() == stored
