"""Names of sessions as they are typed, picked and linked, those of blanks among them."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing

from playwright.sync_api import expect

from .conftest import Server
from .driver import DeskPage

Open = Callable[..., DeskPage]


def test_blanks_behind_the_name_that_is_there_are_no_name(shared_server: Server, open_page: Open) -> None:
    desk = open_page(shared_server.url).open("Blanks_42")
    desk.key("session_pick").get_by_role("combobox").click()
    desk.page.keyboard.type("Blanks_42 ")
    desk.page.keyboard.press("Enter")
    desk.settle()
    expect(desk.page).to_have_url(re.compile("session=Blanks_42&"))
    expect(desk.page.get_by_text("A session needs a name.")).to_have_count(0)


def test_a_name_with_a_blank_behind_it_asks_which_session_is_meant(
    shared_server: Server, open_page: Open
) -> None:
    desk = open_page(shared_server.url).open("Blanks_43")
    desk.ask("Where is A100?", "A100")
    desk.open("Blanks_44")
    desk.key("session_pick").get_by_role("combobox").click()
    desk.page.keyboard.type("Blanks_43 ")
    desk.page.keyboard.press("Enter")
    desk.settle()
    expect(desk.page.get_by_text("Which one is meant?")).to_be_visible()
    expect(desk.page).to_have_url(re.compile("session=Blanks_44&"))
    desk.key("similar_0").get_by_role("button").click()
    desk.settle()
    expect(desk.page).to_have_url(re.compile("session=Blanks_43&"))


def test_a_session_of_another_program_without_a_visible_name_opens_by_pick_and_by_link(
    own_server: Callable[..., Server], open_page: Open
) -> None:
    server = own_server()
    desk = open_page(server.url).open("Named")
    desk.ask("hello", "Triage")
    with closing(sqlite3.connect(server.data / "sessions.db")) as other, other:
        for name, said in (("", "no name at all"), ("  ", "two blanks")):
            other.execute("INSERT INTO agent_sessions (session_id) VALUES (?)", (name,))
            item = json.dumps({"role": "user", "content": said})
            other.execute("INSERT INTO agent_messages (session_id, message_data) VALUES (?, ?)", (name, item))
    for shown, said, query in (
        ("\ufffd", "no name at all", "session=&"),
        ("\u2423\u2423", "two blanks", r"session=(\+|%20){2}&"),
    ):
        desk.open("Named")
        desk.key("session_pick").get_by_role("combobox").click()
        desk.page.get_by_role("option", name=shown, exact=True).click()
        desk.expect_rows(1)
        expect(desk.rows).to_have_text(re.compile(said))
        expect(desk.page).to_have_url(re.compile(query))
        desk.page.reload()
        desk.expect_rows(1)
        expect(desk.rows).to_have_text(re.compile(said))
        desk.ask("and more", "Triage")
        desk.expect_rows(3)
    desk.open("Named")
    desk.key("session_pick").get_by_role("combobox").click()
    desk.page.keyboard.type("Named ")  # comes as one blank, which is no session
    desk.page.keyboard.press("Enter")
    desk.settle()
    expect(desk.page).to_have_url(re.compile("session=Named&"))


def test_names_that_differ_far_behind_stand_whole_on_a_phone(shared_server: Server, open_page: Open) -> None:
    long = "ticket_about_the_kettle_and_the_teapot_that_came_broken_on_a_monday_of_the_number_"
    desk = open_page(shared_server.url, width=390, height=844).open(f"{long}a")
    desk.ask("Where is A100?", "A100")
    desk.open(f"{long}A")
    choices = desk.page.locator(".st-key-similar_ids button")
    expect(choices).to_have_count(3)  # the one there is, the new one, and to stay
    fits = "part => part.scrollWidth <= part.clientWidth || getComputedStyle(part).display == 'inline'"
    for choice in choices.all():
        assert choice.evaluate(f"button => [button, ...button.querySelectorAll('*')].every({fits})")
