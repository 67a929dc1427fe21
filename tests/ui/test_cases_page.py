"""The page over the desk itself: a fresh process, several tabs, reloads, and histories of any size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from desk import desk as desk_module
from desk.desk import Desk
from desk.values import Address
from memory import State
from tests.desk.desks import Call, ScriptModel, ended, make_desk
from ui import desk_access
from ui.chat import AT_ONCE
from ui.text import MOST
from ui.timeline import rows

from .conftest import HERE, SHELL, Page, click, markup, run, where
from .fake_desk import FakeDesk, answer, call, user
from .talks import draft

LOOK_UP = '{"order_id": "A100"}'
REFUND = '{"order_id": "C310", "reason": "broken"}'


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Desk]]:
    """Puts a desk whose model follows these steps behind the page."""
    made: list[Desk] = []

    def make(*steps: Any, **how: Any) -> Desk:
        made.append(make_desk(tmp_path / "data", ScriptModel(steps), **how))
        monkeypatch.setattr(desk_module, "get_desk", lambda: made[0])
        monkeypatch.setattr(desk_access, "_desk", None)
        return made[0]

    yield make
    desk_access.close()


def tab_at(address: Address) -> AppTest:
    tab = AppTest.from_file(str(SHELL), default_timeout=60)
    tab.query_params["session"], tab.query_params["backend"] = address.session_id, address.backend
    return run(tab)


def tell(tab: AppTest, desk: Desk, address: Address, text: str) -> AppTest:
    """Send a message from a tab, and see what it draws once the answer is there."""
    tab.chat_input[0].set_value(text)
    run(tab)
    ended(desk, address)
    return run(tab)


@pytest.mark.parametrize("backend", ["none", "memory", "file"])
def test_a_fresh_page_reads_then_talks_twice_and_a_second_tab_goes_on(
    real: Callable[..., Desk], backend: str
) -> None:
    desk = real("First answer.", "Second answer.", "Third answer.")
    address = Address(backend, "ticket_1")
    tab = tab_at(address)
    assert "First answer." in markup(tell(tab, desk, address, "one"))
    text = markup(tell(tab, desk, address, "two"))
    assert text.count("First answer.") == text.count("Second answer.") == 1
    text = markup(tell(tab_at(address), desk, address, "three"))
    assert "Third answer." in text
    assert "Second answer." in text


def test_what_is_in_memory_is_seen_by_every_visitor_and_says_so(real: Callable[..., Desk]) -> None:
    desk = real("Hello.")
    address = Address("memory", "demo")
    for visitor in (tell(tab_at(address), desk, address, "hi"), tab_at(address)):
        assert "Hello." in markup(visitor)
        assert "the same for everyone on this server" in markup(visitor)


def test_after_edit_and_resend_a_reload_shows_only_the_new_turn(real: Callable[..., Desk]) -> None:
    desk = real(Call("look_up_order", LOOK_UP), "The old answer.", "The new answer.")
    tab = tell(tab_at(HERE), desk, HERE, "the old question")
    assert "4 items · 1 turn" in markup(tab)
    tab = click(tab, "edit_and_resend")
    assert "the old question" in draft(tab)
    tab = tell(tab, desk, HERE, "the new question")
    for drawn in (markup(tab), markup(tab_at(HERE))):
        assert "2 items · 1 turn" in drawn
        assert "The new answer." in drawn
        assert "old question" not in drawn
        assert "old answer" not in drawn
        assert "look_up_order" not in drawn


@pytest.mark.parametrize("way", ["retry", "edit_and_resend"])
def test_without_memory_too_the_last_question_can_be_asked_again(real: Callable[..., Desk], way: str) -> None:
    address = Address("none", "ticket_1")
    pickup = Call("deliver_to_pickup", LOOK_UP)
    desk = real(pickup, "The old answer.", "The new answer.")
    tab = tab_at(address)
    assert way not in [button.key for button in tab.button]
    tab = click(tell(tab, desk, address, "the question"), way)
    assert "Stays done in the world" in markup(tab)
    if way == "edit_and_resend":
        assert draft(tab) == "the question"
        assert "The old answer." in markup(tab)
        assert "stays on the page until the new one is answered" in markup(tab)
        tab = tell(tab, desk, address, "the new question")
    ended(desk, address)
    for drawn in (markup(run(tab)), markup(tab_at(address))):
        assert "The new answer." in drawn
        assert "The old answer." not in drawn


@pytest.mark.parametrize(("verdict", "end"), [("approve", "Refunded 189.00 USD"), ("reject", "declined")])
def test_without_memory_too_a_decided_call_is_drawn_with_its_result(
    real: Callable[..., Desk], verdict: str, end: str
) -> None:
    drawn = []
    steps = [(Call("transfer_to_approval"), Call("refund_order", REFUND), "So be it.") for _ in range(2)]
    desk = real(*steps[0], *steps[1])
    for address in (HERE, Address("none", "ticket_1")):
        desk.restore_samples()
        tab = tell(tab_at(address), desk, address, "refund C310")
        (key,) = [button.key for button in tab.button if button.key.startswith(f"{verdict}_")]
        click(tab, key)
        ended(desk, address)
        drawn += [body for html in run(tab).get("html") if "refund C310" in (body := html.proto.body)]
    stored, unstored = drawn
    assert end in stored
    assert "no result yet" not in stored
    assert unstored == stored


def test_without_memory_too_a_decision_that_is_passed_over_says_so_in_the_chat(
    real: Callable[..., Desk],
) -> None:
    drawn = []
    steps = [(Call("transfer_to_approval"), Call("refund_order", REFUND), "On its way.") for _ in range(2)]
    desk = real(*steps[0], *steps[1])
    for address in (HERE, Address("none", "ticket_1")):
        tab = tell(tab_at(address), desk, address, "refund C310")
        tab = tell(tab, desk, address, "never mind")
        assert not [button for button in tab.button if button.key.startswith("approve")]
        drawn += [body for html in tab.get("html") if "never mind" in (body := html.proto.body)]
    stored, unstored = drawn
    assert stored.count('data-code="superseded"') == stored.count('data-note="superseded"') == 1
    assert unstored == stored


def test_all_areas_agree_after_a_roll_back(real: Callable[..., Desk]) -> None:
    desk = real("Hello.", Call("transfer_to_approval"), Call("refund_order", REFUND))
    tab = tell(tab_at(HERE), desk, HERE, "hi")
    tab = tell(tab, desk, HERE, "refund C310")
    assert "Waiting for a decision" in markup(tab)
    assert "open_waiting_0" in [button.key for button in tab.button]
    tab.number_input(key="turns_sent_0").set_value(7)
    tab = run(tab)
    tab.session_state["selected"] = desk.look(HERE).timeline.entries[1].id
    tab = click(run(tab), "roll_back")
    text = markup(tab)
    assert "2 items · 1 turn" in text
    assert "refund C310" not in text
    assert "open_waiting_0" not in [button.key for button in tab.button]
    assert "Waiting for a decision" not in text
    assert not [button for button in tab.button if button.key.startswith("approve")]
    assert tab.number_input(key="turns_sent_0").value == 7


def test_half_a_pair_is_marked_in_the_list_and_explained_in_its_card(page: Page, desk: FakeDesk) -> None:
    desk.add(HERE, user("where?"))
    (lone,) = desk.add(HERE, call("k1", "look_up_order"), agent="Triage", state=State.UNPAIRED)
    assert [row["flag"] for row in rows(desk.look(HERE).timeline.entries, frozenset())] == ["", "half a pair"]
    tab = page()
    tab.session_state["selected"] = lone.id
    text = markup(run(tab))
    assert "The other half of this call is not stored." in text
    assert "no result yet" in text


def test_a_pick_far_up_stays_when_a_turn_is_added(page: Page, desk: FakeDesk) -> None:
    entries = desk.add(HERE, *[item for n in range(100) for item in (user(f"q{n}"), answer(f"a{n}"))])
    tab = page()
    tab.session_state["selected"] = entries[119].id
    assert "#120 " in markup(run(tab))
    desk.add(HERE, user("one more"), answer("indeed"))
    text = markup(run(tab))
    assert "#120 " in text
    assert "one more" in text


def test_a_huge_item_is_drawn_by_its_beginning(page: Page, desk: FakeDesk) -> None:
    (entry,) = desk.add(HERE, user("z" * 20_000_000))
    tab = page()
    tab.session_state["selected"] = entry.id
    run(tab)
    drawn = [len(markup(tab)), *(len(code.value) for code in tab.code)]
    assert sum(drawn) < 4 * MOST


def test_many_long_items_are_counted_and_drawn_a_portion_at_a_time(page: Page, desk: FakeDesk) -> None:
    long = "y" * 100_000
    desk.add(HERE, *[item for n in range(150) for item in (user(f"q{n} {long}"), answer(f"a{n} {long}"))])
    tab = page()
    first = markup(tab)
    assert "300 items · 150 turns" in first
    assert "a149 " in first
    assert "Show all 100,005 characters" in first
    turn = 2 * len(long)
    assert turn > AT_ONCE
    assert turn < len(first) < 2 * turn
    more = markup(click(tab, "earlier_messages"))
    assert 2 * turn < len(more) < 3 * turn


def test_a_key_is_neither_in_the_address_nor_on_the_page(real: Callable[..., Desk]) -> None:
    desk = real("Hello.", env={"OPENAI_API_KEY": "sk-test-0123456789"})
    tab = tell(tab_at(HERE), desk, HERE, "hi")
    assert desk.model().why_key == "openai"
    assert where(tab, "session") == "ticket_1"
    assert "sk-test" not in str(dict(tab.query_params)) + markup(tab)
