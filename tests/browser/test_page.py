"""What the page promises of itself: its languages, sizes, themes and links, and that text stays text."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Server
from .driver import DeskPage

Open = Callable[..., DeskPage]

HOSTILE = (
    "from $5 to $10, $HOME, a_b_c $x_1$, :red[hi] :smile:, # not a title, <b>x</b>, "
    '<img src="http://evil.example/p.png" onerror="document.title=1">, '
    "![i](http://evil.example/q.png), [x](javascript:1), <script>document.title='owned'</script>"
)


@pytest.mark.parametrize(
    ("locale", "placeholder"),
    [("en-US", "Memory"), ("zh-CN", "记忆"), ("zh-TW", "記憶"), ("de-DE", "Memory")],
)
def test_the_page_speaks_the_browsers_language(
    shared_server: Server, open_page: Open, locale: str, placeholder: str
) -> None:
    desk = open_page(shared_server.url, locale=locale).open("languages")
    expect(desk.key("panel_head").get_by_text(placeholder).first).to_be_visible()


def test_the_language_can_be_switched_and_stays(shared_server: Server, open_page: Open) -> None:
    desk = open_page(shared_server.url).open("switched")
    desk.key("language").get_by_role("combobox").click()
    desk.page.get_by_role("option", name="繁體中文").click()
    expect(desk.key("panel_head").get_by_text("記憶").first).to_be_visible()
    desk.page.reload()
    expect(desk.key("panel_head").get_by_text("記憶").first).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 800), (390, 844)])
def test_nothing_scrolls_sideways_and_the_box_is_on_the_first_screen(
    shared_server: Server, open_page: Open, theme: str, width: int, height: int
) -> None:
    desk = open_page(shared_server.url, width=width, height=height, color_scheme=theme).open("geometry")
    assert desk.page.evaluate("document.documentElement.scrollWidth") <= width
    box = desk.composer.bounding_box()
    assert box is not None
    assert 0 < box["y"] < box["y"] + box["height"] <= height
    chat, panel = desk.chat.bounding_box(), desk.key("panel").bounding_box()
    assert chat is not None
    assert panel is not None
    if width > 640:
        assert panel["x"] >= chat["x"] + chat["width"]
        assert panel["y"] + panel["height"] <= height


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_what_is_refused_is_told_beside_the_composer_and_what_runs_long_lies_over_nothing(
    shared_server: Server, open_page: Open, width: int, height: int
) -> None:
    desk = open_page(shared_server.url, width=width, height=height).open(f"held {width}")
    desk.ask("hello", "Triage")
    with closing(sqlite3.connect(shared_server.data / "sessions.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        desk.say("Please store me")
        status = desk.page.locator(".stStatusWidget")
        expect(status).to_be_visible()
        assert not overlap(status, desk.key("language"))
        assert not overlap(status, desk.page.locator(".stLogo"))
        notice = desk.page.get_by_role("alert").get_by_text("Another program is holding the store.")
        expect(notice).to_be_visible()
    expect(desk.composer).to_have_value("Please store me")
    for part in (notice, desk.composer):
        box = part.bounding_box()
        assert box is not None
        assert 0 < box["y"] < box["y"] + box["height"] <= height


def overlap(one: Locator, other: Locator) -> bool:
    a, b = one.bounding_box(), other.bounding_box()
    assert a is not None
    assert b is not None
    beside = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
    return not (beside or a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"])


def test_the_toolbar_is_one_row_on_a_laptop_and_two_on_a_phone(
    shared_server: Server, open_page: Open
) -> None:
    def rows(desk: DeskPage) -> int:
        parts = [desk.key(key) for key in ("session_pick", "new_session", "backend_pick", "agent_pick")]
        boxes = [part.bounding_box() for part in parts]
        return len({round(box["y"] / 20) for box in boxes if box})

    assert rows(open_page(shared_server.url).open("rows")) == 1
    assert rows(open_page(shared_server.url, width=390, height=844).open("rows")) == 2


def test_a_name_that_is_cut_off_in_the_toolbar_is_told_in_full(
    shared_server: Server, open_page: Open
) -> None:
    name = "a session whose name is longer than its field is wide"
    desk = open_page(shared_server.url).open(name)
    expect(desk.key("session_pick").locator("input")).to_have_attribute("title", name)
    expect(desk.key("backend_pick").locator("input")).to_have_attribute("title", "File")


@pytest.mark.parametrize("language", ["en", "zh-Hans", "zh-Hant"])
def test_the_samples_are_offered_in_two_even_rows_and_the_way_back_stands_in_line(
    own_server: Callable[..., Server], open_page: Open, language: str
) -> None:
    desk = open_page(own_server().url, width=1440, height=900).open("chips", lang=language)
    chips = desk.key("chips").get_by_role("button")
    tops = [box["y"] for box in (chip.bounding_box() for chip in chips.all()) if box]
    assert sorted(tops.count(top) for top in set(tops)) == [3, 3]
    desk.ask("Change the delivery of A100 to pickup", re.compile("A100"))
    desk.open("chips-again", lang=language)
    row = desk.key("restore_row")
    boxes = [row.locator(".md-dim").bounding_box(), row.get_by_role("button").bounding_box()]
    middles = [box["y"] + box["height"] / 2 for box in boxes if box]
    assert len(middles) == 2
    assert abs(middles[0] - middles[1]) < 3


def test_hostile_text_is_shown_as_typed_and_fetches_nothing(shared_server: Server, open_page: Open) -> None:
    desk = open_page(shared_server.url).open("hostile")
    desk.say(HOSTILE)
    desk.idle()
    expect(desk.chat.get_by_text(HOSTILE, exact=True).first).to_be_visible(timeout=90_000)
    desk.pick("from $5 to $10")
    assert desk.page.locator("img[src*=evil]").count() == 0
    assert desk.page.title() == "Memory Desk"


def test_lines_are_kept_as_typed(shared_server: Server, open_page: Open) -> None:
    desk = open_page(shared_server.url).open("lines")
    desk.composer.fill("one\n\n    two\nthree")
    desk.composer.press("Enter")
    desk.idle()
    said = desk.chat.get_by_text("three").first
    expect(said).to_be_visible(timeout=90_000)
    assert said.inner_text().splitlines() == ["one", "", "    two", "three"]


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("session=ok&backend=nope", "nope"),
        ("session=%20%0a&backend=file", "session"),
        ("session=" + "x" * 300, "session"),
    ],
)
def test_what_is_invalid_in_a_link_is_said_and_ignored(
    shared_server: Server, open_page: Open, query: str, word: str
) -> None:
    desk = open_page(shared_server.url)
    desk.page.goto(f"{shared_server.url}/?{query}")
    expect(desk.page.get_by_text(re.compile("It was ignored")).first).to_be_visible(timeout=90_000)
    expect(desk.page.get_by_text(re.compile(word)).first).to_be_visible()
    desk.ask("Hello", re.compile("order"))


def test_a_link_and_the_back_button_come_back_to_the_same_place(
    shared_server: Server, open_page: Open
) -> None:
    desk = open_page(shared_server.url).open("place-one")
    desk.ask("Where is my order A100?", re.compile("A100.*ship", re.S))
    desk.key("session_pick").get_by_role("combobox").fill("place-two")
    desk.key("session_pick").get_by_role("combobox").press("Enter")
    desk.page.wait_for_url(re.compile("place-two"))
    desk.expect_rows(0)
    desk.page.go_back()
    desk.page.wait_for_url(re.compile("place-one"))
    desk.expect_rows(4)


def asked(server: Server, path: str, **headers: str) -> int:
    """The status the server answers a request with."""
    connection = HTTPConnection(server.url.removeprefix("http://"), timeout=30)
    try:
        connection.request("GET", path, headers={name.replace("_", "-"): v for name, v in headers.items()})
        return connection.getresponse().status
    finally:
        connection.close()


def test_a_page_under_another_name_gets_no_socket_and_only_files_that_hold_nothing(
    shared_server: Server,
) -> None:
    socket = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13"}
    socket |= {"Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    here, there = shared_server.url, "http://desk.example"
    assert asked(shared_server, "/_stcore/stream", Origin=here, **socket) == 101
    assert asked(shared_server, "/_stcore/stream", Host="desk.example", Origin=there, **socket) == 403
    assert asked(shared_server, "/_stcore/stream", Host="desk.example", Origin=here, **socket) == 403
    assert asked(shared_server, "/_stcore/stream", Origin=there, **socket) == 403
    assert asked(shared_server, "/?session=any", Host="desk.example") == 200  # the same for every session


def test_an_id_that_differs_only_by_case_asks_which_is_meant(shared_server: Server, open_page: Open) -> None:
    desk = open_page(shared_server.url).open("Similar")
    desk.ask("Hello", re.compile("order"))
    desk.key("session_pick").get_by_role("combobox").fill("ｓimilar")
    desk.key("session_pick").get_by_role("combobox").press("Enter")
    expect(desk.page.get_by_role("button", name="Open Similar")).to_be_visible()


def test_with_no_memory_the_follow_up_must_ask(shared_server: Server, open_page: Open) -> None:
    desk = open_page(shared_server.url).open("forgetful", backend="none")
    desk.ask("Where is my order A100?", re.compile("A100.*ship", re.S))
    desk.ask("If it is later than Friday, change it to pickup.", re.compile(r"[Ww]hich order"))


def test_a_stale_row_acts_on_no_other_entry(shared_server: Server, open_page: Open) -> None:
    first = open_page(shared_server.url).open("stale")
    first.ask("Where is my order A100?", re.compile("A100.*ship", re.S))
    first.ask("and B205?", re.compile("B205.*arriv", re.S))
    second = open_page(shared_server.url).open("stale")
    second.expect_rows(8)
    second.pick("Where is my order A100?")
    first.pick("and B205?")
    first.press("Roll back to here")
    first.expect_rows(5)
    second.press("Roll back to here")
    # Pressed before the tab heard of the other's edit, the button is refused: nothing else is taken instead.
    refused = second.page.get_by_text("The session changed since this was shown")
    expect(refused.or_(second.page.get_by_text(re.compile(r"Removed \d")))).to_be_visible(timeout=90_000)
    if refused.is_visible():
        second.expect_rows(5)
        second.pick("Where is my order A100?")
        second.press("Roll back to here")
    second.expect_rows(1)
    assert second.texts() == ["Where is my order A100?"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_a_phone_the_waiting_decisions_are_a_whole_number_and_no_caret_is_cut(
    shared_server: Server, open_page: Open, theme: str
) -> None:
    desk = open_page(shared_server.url, width=390, height=844, color_scheme=theme).open(f"phone-{theme}")
    desk.say("I want a refund for C310, it arrived broken")
    waiting = desk.key("waiting").get_by_role("button")
    expect(waiting).to_have_accessible_name(re.compile(r"\d+ decisions? waiting"), timeout=90_000)
    desk.idle()
    assert "*" not in (waiting.get_attribute("aria-label") or waiting.inner_text())
    words = waiting.locator("p")
    assert words.evaluate("p => getComputedStyle(p).fontSize") == "0px"
    number, size = words.evaluate(
        "p => { const s = getComputedStyle(p, '::before'); return [s.content, parseFloat(s.fontSize)]; }"
    )
    assert re.fullmatch(r'"\d+"', number)
    assert size > 5
    assert words.evaluate("p => p.getBoundingClientRect().width") > 5
    for menu in ("waiting", "more", "truncate_menu", "clear_menu"):
        caret = desk.key(menu).get_by_text("expand_more").bounding_box()
        assert caret is not None, menu
        room = desk.key("navbar" if menu == "waiting" else "panel_head").bounding_box()
        assert room is not None
        assert caret["width"] > 8
        assert caret["x"] + caret["width"] <= room["x"] + room["width"] + 0.5, menu


def test_on_a_laptop_the_card_of_a_question_shows_all_its_facts_and_an_x_ray_has_room(
    shared_server: Server, open_page: Open
) -> None:
    desk = open_page(shared_server.url).open("roomy")
    desk.ask("Where is my order A100?", re.compile("A100.*ship", re.S))
    desk.pick("Where is my order A100?")
    card, last = desk.key("detail"), desk.key("detail").locator("dd").last
    expect(last).to_be_visible()
    assert card.evaluate("card => card.scrollHeight <= card.clientHeight")
    actions = [desk.key(key).bounding_box() for key in ("roll_back", "branch_menu", "xray")]
    middles = [box["y"] + box["height"] / 2 for box in actions if box]
    assert len(middles) == 3
    assert max(middles) - min(middles) < 4
    desk.key("xray").locator("label").first.click()
    expect(card.get_by_text("As it lies in the store")).to_be_visible()
    assert card.evaluate("card => card.clientHeight") > 280
    before, behind = desk.key("timeline").bounding_box(), card.bounding_box()
    assert before is not None
    assert behind is not None
    assert before["y"] + before["height"] <= behind["y"]


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_on_a_phone_what_can_be_done_from_an_entry_stands_in_two_rows(
    shared_server: Server, open_page: Open, lang: str
) -> None:
    desk = open_page(shared_server.url, width=390, height=844).open(f"rows-{lang}", lang=lang)
    desk.ask("Where is my order A100?", re.compile("A100", re.S))
    desk.pick("Where is my order A100?")
    # All at one moment, for the page scrolls to the card.
    places = (
        "keys => keys.map(key => document.querySelector(`.st-key-${key}`).getBoundingClientRect().toJSON())"
    )
    back, branch, xray = desk.page.evaluate(places, ["roll_back", "branch_menu", "xray"])
    assert back["y"] == branch["y"] < xray["y"]
    assert back["x"] == xray["x"]


def test_the_line_where_sending_begins_stands_above_the_heading_of_the_first_turn_that_is_sent(
    shared_server: Server, open_page: Open
) -> None:
    desk = open_page(shared_server.url).open("line", turns="1")
    desk.ask("Where is my order A100?", re.compile("A100", re.S))
    desk.ask("Where is my order B205?", re.compile("B205", re.S))
    drawn = desk.key("timeline_list").locator(".list > *")
    assert [words.split("\n")[0][:6] for words in drawn.all_inner_texts()] == ["Turn 1", "4 item", "Turn 2"]


def test_the_keyboard_is_somewhere_sensible_when_what_it_was_on_is_gone(
    shared_server: Server, open_page: Open
) -> None:
    desk = open_page(shared_server.url).open("keyboard")
    desk.say("I want a refund for C310, it arrived broken")
    reject = desk.page.locator("[class*='st-key-reject_'] button")
    expect(reject).to_be_visible(timeout=90_000)
    desk.idle()
    reject.press("Enter")
    expect(desk.composer).to_be_focused()
    desk.idle()
    desk.key("more").get_by_role("button").click()
    desk.key("ask_delete").get_by_role("button").click()
    expect(desk.key("cancel").get_by_role("button")).to_be_focused()
    desk.page.keyboard.press("Escape")
    expect(desk.key("more").get_by_role("button")).to_be_focused()


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_the_menu_of_truncate_stays_inside_the_panel(
    shared_server: Server, open_page: Open, lang: str
) -> None:
    desk = open_page(shared_server.url, width=1440, height=900).open(f"inside-{lang}", lang=lang)
    desk.say("I want a refund for C310, it arrived broken")
    expect(desk.page.locator("[class*='st-key-reject_'] button")).to_be_visible(timeout=90_000)
    desk.idle()
    desk.key("truncate_menu").get_by_role("button").click()
    field = desk.key("truncate_turns").locator("input")
    field.fill("0")
    field.press("Enter")
    shown = desk.page.get_by_test_id("stPopoverBody")
    expect(shown.locator(".md-preview p")).to_have_count(2, timeout=90_000)
    menu, panel = shown.bounding_box(), desk.key("panel").bounding_box()
    assert menu
    assert panel
    assert panel["x"] <= menu["x"]
    assert menu["x"] + menu["width"] <= panel["x"] + panel["width"]
