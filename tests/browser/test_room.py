"""Room: what a person needs stays in sight and readable, whatever else the page has to say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Server, plant
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


WHOLE = """() => [...document.querySelectorAll('[role=option]')].map((option) => {
  const parts = [option, ...option.querySelectorAll('*')], box = option.getBoundingClientRect();
  const inside = box.left >= 0 && box.right <= innerWidth;
  const fits = (part) => part.scrollWidth <= part.clientWidth && part.scrollHeight <= part.clientHeight + 1;
  return { text: option.innerText, whole: inside && parts.every(fits) };
})"""


def opened(desk: DeskPage, key: str) -> dict[str, bool]:
    """What the open list of a field shows, and whether it shows it whole."""
    desk.key(key).get_by_role("combobox").click()
    expect(desk.page.get_by_role("option").first).to_be_visible()
    shown = {each["text"]: each["whole"] for each in desk.page.evaluate(WHOLE)}
    desk.page.keyboard.press("Escape")
    return shown


def connect(desk: DeskPage, path: Path) -> None:
    desk.key("backend_pick").get_by_role("combobox").click()
    desk.page.get_by_role("option", name="Connect a database").click()
    url = desk.key("database_url").locator("input")
    url.fill(f"sqlite+aiosqlite:///{path.as_posix()}")
    url.press("Enter")
    expect(desk.page.get_by_text("The database is connected").first).to_be_visible(timeout=90_000)
    desk.settle()


def test_an_open_list_shows_its_names_whole_however_narrow_its_field(
    own_server: Callable[..., Server], open_page: Open, tmp_path: Path
) -> None:
    url = own_server().url
    name = "a customer whose name is longer than a line of any list " * 2 + "and more"
    desk = open_page(url).open(name)
    desk.ask("hello", "Triage")
    for each in ("the-first-of-two.db", "the-second-of-two.db"):
        desk.open("list", backend="none")
        connect(desk, tmp_path / each)
    field = desk.key("backend_pick").locator("input")
    assert field.evaluate("field => getComputedStyle(field).textOverflow") == "ellipsis"
    for width, height in ((1280, 800), PHONE):
        desk = open_page(url, width=width, height=height).open("list")
        shown = opened(desk, "backend_pick")
        assert {"sqlite: the-first-of-two.db", "sqlite: the-second-of-two.db", "Connect a database…"} <= {
            *shown
        }
        assert name in (sessions := opened(desk, "session_pick"))
        assert all({**shown, **sessions, **opened(desk, "agent_pick")}.values()), (width, shown, sessions)


def newest_is_seen(desk: DeskPage) -> bool:
    last, shown = (
        desk.rows.last.bounding_box(),
        desk.key("timeline_list").get_by_role("listbox").bounding_box(),
    )
    assert last is not None
    assert shown is not None
    return last["y"] >= shown["y"] and last["y"] + last["height"] <= shown["y"] + shown["height"] + 1


def test_the_newest_item_stays_in_sight_when_the_memory_has_something_to_say(
    shared_server: Server, open_page: Open
) -> None:
    plant(shared_server, "newest", 14)
    desk = open_page(shared_server.url).open("newest")
    desk.expect_rows(28)
    assert newest_is_seen(desk)
    field = desk.key("limit").locator("input")
    field.fill("-3")
    field.press("Enter")
    expect(desk.page.get_by_text("Between 0 and 1,000 turns can be sent")).to_be_visible()
    desk.settle()
    expect(desk.key("timeline_list").get_by_text("0 items", exact=False)).to_have_count(1)
    assert newest_is_seen(desk)
    desk.key("notice_close_0").get_by_role("button").click()
    expect(desk.page.get_by_text("Between 0 and 1,000 turns can be sent")).to_have_count(0)
    desk.settle()
    assert newest_is_seen(desk)
    desk.pick("answer 13")  # what was picked is kept in sight before the newest
    picked = desk.row("answer 13").first.bounding_box()
    shown = desk.key("timeline_list").get_by_role("listbox").bounding_box()
    assert picked is not None
    assert shown is not None
    assert shown["y"] <= picked["y"]
    assert picked["y"] + picked["height"] <= shown["y"] + shown["height"] + 1


def test_on_a_phone_the_example_of_a_url_ends_before_the_button_beside_it(
    shared_server: Server, open_page: Open
) -> None:
    width, height = PHONE
    desk = open_page(shared_server.url, width=width, height=height).open("url", backend="none")
    desk.key("backend_pick").get_by_role("combobox").click()
    desk.page.get_by_role("option", name="Connect a database").click()
    field = desk.key("database_url").locator("input")
    expect(field).to_be_visible()
    room = field.evaluate(
        """field => {
          const style = getComputedStyle(field), pen = document.createElement("canvas").getContext("2d");
          pen.font = style.font;
          const sides = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
          return field.clientWidth - sides - pen.measureText(field.placeholder).width;
        }"""
    )
    assert room >= 8
