"""Which session a tab shows: the address, the toolbar, the language, and what is kept over both."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import TextInput

from desk.values import Address

from .conftest import HERE, Page, click, markup, pick_backend, run, where
from .fake_desk import FakeDesk, user


def new_name(tab: AppTest) -> TextInput:
    """The field for the name of a new session."""
    return next(field for field in tab.text_input if (field.key or "").startswith("new_name_"))


def test_a_link_opens_its_session_on_its_backend(page: Page, desk: FakeDesk) -> None:
    desk.add(Address("memory", "demo"), user("kept here"))
    assert "kept here" in markup(page(session="demo", backend="memory"))


def test_opening_a_link_stores_nothing(page: Page, desk: FakeDesk) -> None:
    page(session="never_seen")
    assert desk.calls == []
    assert desk.sessions("file") == []


def test_a_first_visit_opens_the_newest_session_and_names_it_in_the_address(
    page: Page, desk: FakeDesk
) -> None:
    desk.add(HERE, user("hello"))
    tab = page(session=None, backend=None)
    assert where(tab, "session") == "ticket_1"
    assert where(tab, "backend") == "file"


def test_a_first_visit_of_an_empty_desk_proposes_a_ticket(page: Page) -> None:
    assert (where(page(session=None, backend=None), "session") or "").startswith("ticket_")


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ({"backend": "nope"}, "The link names the backend “nope”"),
        ({"session": "x" * 200}, "cannot be a session’s name"),
        ({"lang": "xx"}, "The link names the language “xx”"),
        ({"turns": "-3"}, "“-3” turns"),
        ({"agent": "Nobody"}, "The link names the agent “Nobody”"),
        ({"turns": "9999999999999999999"}, "is not a number of turns"),
        ({"turns": "0000000009999"}, "is not a number of turns"),
        ({"turns": "0" * 9 + "9" * 5000}, "is not a number of turns"),
        ({"backend": "<img src=x onerror=alert(1)>"}, "&lt;img src=x onerror=alert(1)&gt;"),
    ],
)
def test_what_is_wrong_in_a_link_is_said_and_ignored(page: Page, address: dict[str, str], words: str) -> None:
    tab = page(**address)
    assert words in markup(tab)
    assert tab.selectbox(key="backend_pick").value == "file"
    assert tab.number_input(key="turns_sent_0").value == 50


def test_what_is_wrong_in_a_link_is_said_once(page: Page) -> None:
    tab = click(page(backend="nope"), "notice_close_0")
    assert "nope" not in markup(run(tab))
    assert where(tab, "backend") == "file"


def test_back_comes_to_the_session_before(page: Page, desk: FakeDesk) -> None:
    desk.add(HERE, user("first session"))
    desk.add(Address("file", "other"), user("second session"))
    tab = page()
    tab.selectbox(key="session_pick").select("other").run()
    assert "second session" in markup(tab)
    assert where(tab, "session") == "other"
    tab.query_params["session"] = "ticket_1"  # what the browser sends when Back is pressed
    assert "first session" in markup(run(tab))
    assert where(tab, "session") == "ticket_1"


def test_back_brings_back_what_an_address_does_not_name(page: Page) -> None:
    tab = page()
    tab.number_input(key="turns_sent_0").set_value(3).run()
    tab.selectbox(key="agent_pick").select("Summary").run()
    tab.selectbox(key="language").select("zh-Hant").run()
    assert [where(tab, name) for name in ("turns", "agent", "lang")] == ["3", "Summary", "zh-Hant"]
    for name in ("turns", "agent", "lang"):
        del tab.query_params[name]  # what the browser sends when Back is pressed
    tab = run(tab)
    assert tab.number_input(key="turns_sent_0").value == 50
    assert tab.selectbox(key="agent_pick").value == ""
    assert tab.button(key="undo").label == "Undo"
    assert [where(tab, name) for name in ("turns", "agent", "lang")] == [None, None, None]


def test_the_chosen_agent_is_kept_over_a_reload(page: Page, desk: FakeDesk) -> None:
    tab = page()
    tab.selectbox(key="agent_pick").select("Summary").run()
    again = page(agent=where(tab, "agent"))
    again.chat_input[0].set_value("What happened?").run()
    assert desk.calls[-1][3] == "Summary"


def test_back_to_an_address_without_a_session_stays_where_it_is(page: Page, desk: FakeDesk) -> None:
    desk.add(HERE, user("still here"))
    tab = page()
    tab.query_params.clear()
    assert "still here" in markup(run(tab))
    assert "session" not in tab.query_params


def test_the_backend_changes_and_the_session_s_name_stays(page: Page) -> None:
    tab = page()
    tab.selectbox(key="backend_pick").select("memory").run()
    assert where(tab, "backend") == "memory"
    assert where(tab, "session") == "ticket_1"


def test_how_many_turns_are_sent_is_kept_over_backends_and_reloads(page: Page, desk: FakeDesk) -> None:
    tab = page()
    tab.number_input(key="turns_sent_0").set_value(7).run()
    tab.selectbox(key="backend_pick").select("none").run()
    tab.selectbox(key="backend_pick").select("file").run()
    assert tab.number_input(key="turns_sent_0").value == 7
    tab.chat_input[0].set_value("hello").run()
    assert desk.calls[-1][4] == 7
    assert page(turns=where(tab, "turns")).number_input(key="turns_sent_0").value == 7


@pytest.mark.parametrize("name", ["", " ", "\u3000\u3000", "\n"])
def test_an_existing_session_without_a_visible_name_opens_by_pick_and_by_link(
    page: Page, desk: FakeDesk, name: str
) -> None:
    desk.add(HERE, user("the one with a name"))
    desk.add(Address("file", name), user("the one without"))
    tab = page()
    tab.selectbox(key="session_pick").select(name)
    for opened in (run(tab), page(session=name)):
        assert "the one without" in markup(opened)
        assert where(opened, "session") == name
    back = pick_backend(opened, "memory")
    assert where(click(back, "move_empty"), "session") == name


@pytest.mark.parametrize("name", ["", " "])
def test_a_link_to_a_nameless_session_that_is_not_there_is_said_and_ignored(
    page: Page, desk: FakeDesk, name: str
) -> None:
    desk.add(HERE, user("the newest"))
    tab = page(session=name)
    assert "It was ignored" in markup(tab)
    assert where(tab, "session") == "ticket_1"


def test_a_new_session_is_named_by_the_person(page: Page) -> None:
    tab = page()
    proposed = new_name(tab).value
    assert proposed.startswith("ticket_")
    new_name(tab).set_value("客户 7")
    tab = click(tab, "start_session")
    assert where(tab, "session") == "客户 7"
    assert new_name(tab).value != proposed


def test_a_name_that_cannot_be_is_refused_with_a_sentence(page: Page) -> None:
    tab = page()
    new_name(tab).set_value("  ")
    tab = click(tab, "start_session")
    assert "needs a name" in markup(tab)
    assert where(tab, "session") == "ticket_1"


def test_a_name_like_another_asks_which_is_meant(page: Page, desk: FakeDesk) -> None:
    desk.add(HERE, user("the one that exists"))
    tab = page(session="elsewhere")
    new_name(tab).set_value("TICKET_1")
    tab = click(tab, "start_session")
    assert "Which one is meant?" in markup(tab)
    assert where(tab, "session") == "elsewhere"
    tab = click(tab, "similar_0")
    assert where(tab, "session") == "ticket_1"
    assert "Which one is meant?" not in markup(tab)


def test_a_name_like_another_can_be_meant_as_it_is(page: Page, desk: FakeDesk) -> None:
    desk.add(HERE, user("the one that exists"))
    tab = page(session="TICKET_1")
    assert "Which one is meant?" in markup(tab)
    tab = click(tab, "similar_new")
    assert where(tab, "session") == "TICKET_1"


@pytest.mark.parametrize("blank", ["\u3000", "\u00a0", "\u200b "])
def test_a_name_with_another_blank_asks_which_existing_one_is_meant(
    page: Page, desk: FakeDesk, blank: str
) -> None:
    desk.add(Address("file", "Case One"), user("the one that exists"))
    tab = page()
    new_name(tab).set_value(f"Case{blank}One")
    tab = click(tab, "start_session")
    assert "Which one is meant?" in markup(tab)
    assert "visible characters only" not in markup(tab)
    assert "similar_new" not in [button.key for button in tab.button]
    assert where(click(tab, "similar_0"), "session") == "Case One"


@pytest.mark.parametrize("typed", ["Case One ", " Case One"])
def test_a_name_with_blanks_around_it_asks_too(page: Page, desk: FakeDesk, typed: str) -> None:
    desk.add(Address("file", "Case One"), user("the one that exists"))
    tab = page(session="elsewhere")
    new_name(tab).set_value(typed)
    tab = click(tab, "start_session")
    assert "Which one is meant?" in markup(tab)
    assert where(tab, "session") == "elsewhere"
    assert "similar_new" not in [button.key for button in tab.button]
    assert where(click(tab, "similar_0"), "session") == "Case One"


def test_a_link_with_another_blank_asks_too(page: Page, desk: FakeDesk) -> None:
    desk.add(Address("file", "Case One"), user("the one that exists"))
    assert "Which one is meant?" in markup(page(session="Case\u3000One"))


def test_names_that_differ_only_in_blanks_are_told_apart_by_signs(page: Page, desk: FakeDesk) -> None:
    desk.add(Address("file", "Case One"), user("the one that exists"))
    tab = page()
    new_name(tab).set_value("Case  One")
    tab = click(tab, "start_session")
    assert tab.button(key="similar_0").label == "Open Case\u2423One"
    assert tab.button(key="similar_new").label == "Start new: Case\u2423\u2423One"
    assert "“Case\u2423\u2423One”" in markup(tab)
    tab = click(tab, "similar_stay")
    assert "Which one is meant?" not in markup(tab)
    assert where(tab, "session") == "ticket_1"


def test_a_pasted_name_that_is_too_long_is_refused_and_opens_nothing(page: Page) -> None:
    tab = page()
    assert new_name(tab).proto.max_chars == 0  # the browser would cut or drop it without a word
    new_name(tab).set_value("x" * 129)
    tab = click(tab, "start_session")
    assert "at most 128 characters" in markup(tab)
    assert where(tab, "session") == "ticket_1"


def test_a_refused_name_is_told_in_its_own_menu_until_something_else_is_done(page: Page) -> None:
    tab = page()
    new_name(tab).set_value("x" * 129)
    tab = click(tab, "start_session")
    (menu,) = [block for block in tab.get("popover") if "New session" in block.proto.popover.label]
    assert "at most 128 characters" in "".join(element.proto.body for element in menu.get("html"))
    assert markup(tab).count("at most 128 characters") == 1
    new_name(tab).set_value("short enough")
    assert "at most 128 characters" not in markup(click(tab, "start_session"))


def test_a_question_about_a_name_is_closed_when_another_name_is_asked_for(page: Page, desk: FakeDesk) -> None:
    desk.add(HERE, user("the one that exists"))
    tab = page(session="elsewhere")
    new_name(tab).set_value("TICKET_1")
    assert "Which one is meant?" in markup(click(tab, "start_session"))
    new_name(tab).set_value("x" * 129)
    assert "Which one is meant?" not in markup(click(tab, "start_session"))


def test_a_name_of_seventy_emoji_opens(page: Page) -> None:
    tab = page()
    new_name(tab).set_value("\U0001f600" * 70)
    assert where(click(tab, "start_session"), "session") == "\U0001f600" * 70


def test_the_switch_changes_the_language_and_the_address(page: Page) -> None:
    tab = page()
    tab.selectbox(key="language").select("zh-Hant").run()
    assert where(tab, "lang") == "zh-Hant"
    assert "記憶" in markup(tab)
    assert tab.button(key="undo").label == "復原"


@pytest.mark.parametrize(
    ("asked", "spoken"), [("zh-CN", "zh-Hans"), ("zh_TW", "zh-Hant"), ("zh", "zh-Hans"), ("en-GB", "en")]
)
def test_a_link_may_name_a_language_as_a_browser_does(page: Page, asked: str, spoken: str) -> None:
    assert where(page(lang=asked), "lang") == spoken


def test_a_link_s_language_is_spoken(page: Page) -> None:
    assert page(lang="zh-Hans").button(key="undo").label == "撤销"


@pytest.mark.parametrize(
    "name",
    ["![x](http://203.0.113.9/a.png)", "<script>alert(1)</script>", ":red[x] $y$", "a'b\"c", "客户 [1](x)"],
)
def test_a_session_s_name_is_text_everywhere(page: Page, desk: FakeDesk, name: str) -> None:
    desk.add(Address("file", name), user("hi"))
    tab = page(session=name)
    assert tab.selectbox(key="session_pick").value == name
    tab = click(tab, "ask_delete")
    assert name not in tab.button(key="confirm").label or name.isalnum()
    tab = click(tab, "confirm")
    assert "<script" not in markup(tab)


@pytest.mark.parametrize(
    "stored",
    [
        "\ud800 lone",
        "nul \x00",
        "x" * 100_000,
        "<img src=http://203.0.113.9/x.png>",
        "![a](http://203.0.113.9/x.png)",
        {"not": "a text"},
        None,
        7,
        10**60,
        [{"type": "input_image", "image_url": "http://203.0.113.9/x.png"}, "bare", 3],
    ],
)
def test_whatever_is_stored_the_page_is_drawn_and_loads_nothing(
    page: Page, desk: FakeDesk, stored: object
) -> None:
    (entry,) = desk.add(HERE, {"role": "user", "content": stored})
    tab = page()
    tab.session_state["selected"] = entry.id
    text = markup(run(tab))
    assert "<img" not in text
    assert "src=" not in text.replace("&lt;img src=", "")


@pytest.mark.parametrize(("typed", "used"), [(5000, 1000), (-3, 0)])
def test_a_number_of_turns_that_cannot_be_sent_does_not_stay_in_the_field(
    page: Page, typed: int, used: int
) -> None:
    tab = page()
    tab.number_input(key="turns_sent_0").set_value(typed).run()
    assert tab.number_input(key="turns_sent_1").value == used
    assert f"Between 0 and 1,000 turns can be sent; {used:,} are sent now." in markup(tab)
    assert where(tab, "turns") == str(used)


def test_what_was_said_about_a_number_of_turns_ends_with_the_next_one(page: Page) -> None:
    tab = page()
    tab.number_input(key="turns_sent_0").set_value(5000).run()
    tab.number_input(key="turns_sent_1").set_value(-3).run()
    assert markup(tab).count("turns can be sent") == 1
    tab.number_input(key="turns_sent_2").set_value(3).run()
    assert "turns can be sent" not in markup(tab)


def test_an_emptied_number_of_turns_changes_nothing(page: Page) -> None:
    tab = page(turns="7")
    tab.number_input(key="turns_sent_0").set_value(None).run()
    assert tab.number_input(key="turns_sent_1").value == 7
    assert where(tab, "turns") == "7"


def test_what_was_said_about_a_place_ends_when_the_person_goes_back(page: Page, desk: FakeDesk) -> None:
    desk.add(HERE, user("hello"))
    tab = page(backend="nope")
    assert "The link names the backend" in markup(tab)
    tab.query_params["session"] = "another"
    assert "The link names the backend" not in markup(run(tab))
