"""What a person does with an encrypted session: a key, a time to live, the clock moved on, the X-ray."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import expect

from memory import EncryptedSession, SQLiteSession

from .conftest import Server
from .driver import DeskPage

Open = Callable[..., DeskPage]


def choose(desk: DeskPage, label: str, option: str) -> None:
    """Pick an option of a list by what it is called."""
    desk.page.get_by_role("combobox", name=label).click()
    desk.page.get_by_role("option", name=option, exact=True).click()
    desk.settle()


def flags(desk: DeskPage) -> list[str]:
    return desk.rows.locator(".flag").all_inner_texts()


def test_a_key_is_made_on_the_page_and_what_is_said_then_lies_encrypted_on_disk(
    own_server: Callable[..., Server], open_page: Open
) -> None:
    server = own_server()
    desk = open_page(server.url).open("sealed", backend="encrypted")
    desk.press("Make a key")
    key = desk.page.get_by_text(re.compile("^DESK_ENCRYPTION_KEY=")).first
    expect(key).to_be_visible(timeout=90_000)
    line = key.inner_text()
    desk.press("I have kept it")
    expect(key).to_have_count(0)
    desk.ask("My name is Ada.", re.compile("Ada"))
    desk.expect_rows(2)
    desk.pick("My name is Ada.")
    desk.page.get_by_text("X-ray", exact=True).click()
    expect(desk.page.get_by_text("When it was sealed (in the clear)")).to_be_visible()
    server.stop()
    held = [path.name for path in server.data.iterdir() if b"Ada" in path.read_bytes()]
    assert held == []
    assert b"Ada" not in server.log.read_bytes()
    assert line.partition("=")[2].encode() not in server.log.read_bytes()

    again = own_server(DESK_ENCRYPTION_KEY=line.partition("=")[2])
    desk = open_page(again.url).open("sealed", backend="encrypted")
    desk.expect_rows(2)
    assert desk.texts()[0] == "My name is Ada."


def test_the_clock_of_the_view_shows_what_will_have_expired(
    own_server: Callable[..., Server], open_page: Open
) -> None:
    desk = open_page(own_server(DESK_ENCRYPTION_KEY="a key for tests that is long").url)
    desk.open("sealed", backend="encrypted")
    desk.ask("My name is Ada.", re.compile("Ada"))
    choose(desk, "How long items may be read", "Readable for 10 minutes")
    choose(desk, "When the memory is looked at", "Seen 11 minutes later")
    expect(desk.page.get_by_text("Seen as if it were 11 minutes later")).to_be_visible()
    expect(desk.rows.locator(".flag")).to_have_text(["expired", "expired"])
    choose(desk, "When the memory is looked at", "Seen as it is now")
    expect(desk.rows.locator(".flag")).to_have_count(0)
    desk.ask("What is my name?", re.compile("Ada"))


@pytest.mark.long
def test_the_sample_that_expires_ends_with_a_desk_that_forgot(
    own_server: Callable[..., Server], open_page: Open
) -> None:
    desk = open_page(own_server().url).open("sample")
    desk.press("For one minute only")
    expect(desk.key("new_key_panel")).to_be_visible(timeout=90_000)
    desk.press("I have kept it")
    desk.expect_rows(2)
    desk.key("guide_next").get_by_role("button").click()
    desk.expect_rows(4)
    next_line = desk.key("guide_next")
    expect(next_line).to_have_count(0)
    expect(next_line).to_be_visible(timeout=120_000)
    assert set(flags(desk)) == {"expired"}
    next_line.get_by_role("button").click()
    desk.expect_rows(6)
    desk.idle()
    expect(desk.page.get_by_text(re.compile("The desk does not know your name"))).to_be_visible()


def test_picking_another_backend_asks_and_a_copy_can_be_encrypted_on_the_way(
    own_server: Callable[..., Server], open_page: Any
) -> None:
    desk = open_page(own_server(DESK_ENCRYPTION_KEY="a key for tests that is long").url).open("moved")
    desk.ask("My name is Ada.", re.compile("Ada"))
    choose(desk, "Backend", "Encrypted")
    desk.press("Copy it there")
    desk.press("Open the copy")
    expect(desk.page.get_by_role("combobox", name="Backend")).to_have_value("Encrypted")
    desk.expect_rows(2)
    assert desk.texts()[0] == "My name is Ada."
    desk.ask("What is my name?", re.compile("Ada"))


def test_what_a_long_session_keeps_from_the_model_is_told_and_mended_on_a_phone(
    own_server: Callable[..., Server], open_page: Open
) -> None:
    """Three rows in the open and two of a session that was renamed, far above the newest page."""
    key = "a key for tests that is long"
    server = own_server(DESK_ENCRYPTION_KEY=key)
    path = server.data / "encrypted.db"

    async def store() -> None:
        await SQLiteSession("long", path).add_items([said("in the open")] * 3)
        for name, count in (("before", 2), ("long", 250)):
            if name == "long":
                with closing(sqlite3.connect(path)) as database, database:
                    database.execute("UPDATE agent_messages SET session_id = 'long'")
            session = EncryptedSession(name, SQLiteSession(name, path), key, None)
            await session.add_items([said(f"{name} {number}") for number in range(count)])
        await EncryptedSession("before", SQLiteSession("before", path), key, None).add_items([said("still")])

    # In a thread of its own: the browser's tool runs a loop in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(store())).result()
    desk = open_page(server.url, width=390, height=844).open("long", backend="encrypted")
    foot = desk.page.locator(".md-foot")
    expect(foot).to_contain_text(
        "Not sent, of the whole session: 3 not encrypted, 2 written as “before”.", timeout=30_000
    )
    assert desk.page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(desk.key("in_the_open")).to_contain_text("3 items stand in the open")
    desk.press("Encrypt them")
    expect(foot).to_contain_text("Not sent, of the whole session: 2 written as “before”.", timeout=30_000)
    expect(desk.key("in_the_open")).to_have_count(0)


def said(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}
