"""A run belongs to the desk, not to a tab: reload, close, look from another tab, stop, ask again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from .conftest import Server, start_server
from .driver import DeskPage

Open = Callable[..., DeskPage]

LONG = "Where is my order B205?"
END = re.compile(r"B205.*arriv", re.S)


@pytest.fixture(scope="module")
def slow_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A desk whose offline model takes its time between two words."""
    server = start_server(tmp_path_factory.mktemp("slow") / "data", DESK_WORD_PAUSE="0.4")
    yield server
    server.stop()


def test_a_reload_in_mid_answer_finds_the_answer_still_being_written(
    slow_server: Server, open_page: Open
) -> None:
    desk = open_page(slow_server.url).open("reloaded")
    desk.say(LONG)
    expect(desk.key("stop")).to_be_visible(timeout=90_000)
    desk.page.reload()
    expect(desk.key("stop")).to_be_visible(timeout=90_000)
    desk.expect_rows(4)
    expect(desk.chat.get_by_text(END).last).to_be_visible()
    assert desk.chat.get_by_text(LONG).count() == 1


def test_a_tab_that_is_closed_in_mid_answer_loses_nothing(slow_server: Server, open_page: Open) -> None:
    desk = open_page(slow_server.url).open("closed")
    desk.say(LONG)
    expect(desk.key("stop")).to_be_visible(timeout=90_000)
    desk.page.close()
    desk = open_page(slow_server.url).open("closed")
    desk.expect_rows(4)
    expect(desk.chat.get_by_text(END).last).to_be_visible()


def test_a_second_tab_sees_the_run_and_may_not_send_into_it(slow_server: Server, open_page: Open) -> None:
    first = open_page(slow_server.url).open("two-tabs")
    second = open_page(slow_server.url).open("two-tabs")
    first.say(LONG)
    expect(second.key("stop")).to_be_visible(timeout=90_000)
    second.say("and A100?")
    expect(second.page.get_by_text("An answer is being written here").first).to_be_visible()
    expect(second.composer).to_have_value("and A100?")
    first.expect_rows(4)
    second.expect_rows(4)
    assert [text for text in second.texts() if "A100?" in text] == []


def test_nothing_that_is_sent_or_typed_while_the_desk_answers_is_lost(
    slow_server: Server, open_page: Open
) -> None:
    desk = open_page(slow_server.url).open("in-a-hurry")
    desk.composer.fill(LONG)
    desk.composer.press("Enter")
    for text in ("and A100?", "and C310?"):
        desk.page.wait_for_timeout(50)
        desk.composer.press_sequentially(text)
        desk.composer.press("Enter")
    desk.composer.press_sequentially("thanks")
    expect(desk.page.get_by_text("An answer is being written here").first).to_be_visible()
    for text in ("and A100?", "and C310?", "thanks"):
        expect(desk.composer).to_have_value(re.compile(re.escape(text)))
    desk.expect_rows(4)
    held = desk.composer.input_value()
    assert [held.count(text) for text in ("and A100?", "and C310?", "thanks")] == [1, 1, 1], held
    assert [text for text in desk.texts() if "A100?" in text] == []


def test_stop_keeps_the_question_and_marks_the_cut_answer(slow_server: Server, open_page: Open) -> None:
    desk = open_page(slow_server.url).open("stopped")
    desk.say(LONG)
    expect(desk.chat.get_by_text("B205 (").last).to_be_visible(timeout=90_000)
    desk.key("stop").get_by_role("button").click()
    desk.idle()
    expect(desk.chat.get_by_text("Stopped. What was finished is kept.")).to_be_visible()
    desk.ask("and A100?", re.compile("A100.*ship", re.S))


def test_retry_leaves_one_copy_of_the_question(shared_server: Server, open_page: Open) -> None:
    desk = open_page(shared_server.url).open("retried")
    desk.ask(LONG, END)
    desk.press("Retry")
    desk.idle()
    desk.expect_rows(4)
    assert desk.row(LONG).count() == 1


def test_edit_and_resend_puts_the_question_back_into_the_box(shared_server: Server, open_page: Open) -> None:
    desk = open_page(shared_server.url).open("resent")
    desk.ask(LONG, END)
    desk.press("Edit and resend")
    expect(desk.composer).to_have_value(LONG)
    desk.expect_rows(0)
    desk.ask("Where is my order A100?", re.compile("A100.*ship", re.S))
    desk.expect_rows(4)
    assert desk.row(LONG).count() == 0


def test_a_new_message_closes_a_waiting_decision_with_a_word(
    own_server: Callable[..., Server], open_page: Open
) -> None:
    desk = open_page(own_server().url).open("superseded")
    desk.say("Refund C310")
    expect(desk.page.get_by_role("button", name="Approve")).to_be_visible(timeout=90_000)
    desk.ask("never mind, where is A100?", re.compile("A100.*ship", re.S))
    expect(desk.page.get_by_role("button", name="Approve")).to_have_count(0)
    expect(desk.chat.get_by_text("The waiting decision ended").first).to_be_visible()


def test_another_tabs_change_is_seen_without_a_click(shared_server: Server, open_page: Open) -> None:
    first = open_page(shared_server.url).open("watched")
    second = open_page(shared_server.url).open("watched")
    first.ask(LONG, END)
    second.expect_rows(4)
    first.pick(LONG)
    first.press("Roll back to here")
    second.expect_rows(1)


def test_an_answer_that_a_killed_server_left_is_called_interrupted_at_the_next_start(
    own_server: Callable[..., Server], open_page: Open
) -> None:
    server = own_server(DESK_WORD_PAUSE="0.4")
    desk = open_page(server.url).open("killed")
    desk.say(LONG)
    expect(desk.chat.get_by_text("B205 (").last).to_be_visible(timeout=90_000)
    server.stop(kill=True)
    desk = open_page(own_server().url).open("killed")
    expect(desk.chat.get_by_text("Interrupted: the server stopped")).to_be_visible()
    expect(desk.page.get_by_text("Held by another server")).to_have_count(0)
    desk.ask("and A100?", re.compile("A100.*ship", re.S))
