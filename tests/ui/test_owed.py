"""What a click owes: told by the next run if its own is let go, and of the session that it was about."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.testing.v1 import AppTest

from desk.values import Address, Outcome

from .conftest import HERE, Page, click, markup, run, where
from .fake_desk import FakeDesk, answer, user
from .talks import draft, pick, talk

OTHER = Address("file", "other")


def slow(monkeypatch: pytest.MonkeyPatch, desk: FakeDesk, name: str) -> list[str]:
    """Have the desk do this so slowly that another click comes meanwhile; what it has done so is listed."""
    done: list[str] = []
    act: Callable[..., Outcome] = getattr(desk, name)

    def slowly(*given: Any, **more: Any) -> Outcome:
        outcome = act(*given, **more)
        context = get_script_run_ctx()
        assert context is not None
        done.append(name)
        context.script_requests.request_stop()  # the run is let go at its next touch of the page's state
        return outcome

    monkeypatch.setattr(desk, name, slowly)
    return done


def go(tab: AppTest, session_id: str) -> AppTest:
    """Look at another session, as a click in the toolbar does."""
    tab.session_state["session_id"] = session_id
    return run(tab)


@pytest.fixture
def other(desk: FakeDesk) -> Address:
    """Another session, in which something was edited too."""
    desk.add(OTHER, user("another question"), answer("another answer"))
    store = desk.store(OTHER)
    desk._cut(store, store.entries[:1], "roll_back")
    return OTHER


def test_what_a_click_owes_is_done_by_the_next_run_if_its_own_is_let_go(
    page: Page, desk: FakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.refuse["send"] = "busy"
    tab = page()
    done = slow(monkeypatch, desk, "send")
    with suppress(RuntimeError):
        tab.chat_input[0].set_value("my draft").run()
    assert done
    tab = run(tab)
    assert draft(tab) == "my draft"
    assert "An answer is being written here" in markup(tab)


def test_an_edit_is_told_of_its_session_and_another_one_is_not_undone_for_it(
    page: Page, desk: FakeDesk, other: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = talk(desk)
    tab = pick(page(), ids[1])
    done = slow(monkeypatch, desk, "apply")
    with suppress(RuntimeError):
        tab.button(key="roll_back").click().run()
    assert done
    tab = go(tab, "other")
    assert "In “ticket_1” (File): Removed 2 items (turn 2)." in markup(tab)
    assert [button.key for button in tab.button if "undo" in str(button.key)] == ["undo"]
    assert len(desk.store(other).entries) == 1


def test_what_is_owed_is_told_where_one_went_back_to(
    page: Page, desk: FakeDesk, other: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(desk)
    tab = page()
    done = slow(monkeypatch, desk, "apply")
    with suppress(RuntimeError):
        tab.button(key="clear").click().run()
    assert done
    tab.query_params["session"] = "other"
    assert "In “ticket_1” (File): Removed 4 items (turns 1 to 2)." in markup(run(tab))


def test_a_sample_goes_on_in_the_session_it_was_begun_in(
    page: Page, desk: FakeDesk, other: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = page()
    done = slow(monkeypatch, desk, "send")
    with suppress(RuntimeError):
        tab.button(key="scenario_told_you").click().run()
    assert done
    tab = go(tab, "other")
    assert where(tab, "guide") is None
    monkeypatch.undo()
    assert where(go(tab, HERE.session_id), "guide") == "told_you-1"


@pytest.mark.parametrize("act", ["branch", "delete"])
def test_whoever_has_gone_on_to_another_session_is_not_taken_away_from_it(
    page: Page, desk: FakeDesk, other: Address, act: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = talk(desk)
    tab = pick(page(), ids[1])
    if act == "delete":
        tab = click(tab, "ask_delete")
    done = slow(monkeypatch, desk, act)
    with suppress(RuntimeError):
        tab.button(key="confirm" if act == "delete" else "branch").click().run()
    assert done
    tab = go(tab, "other")
    assert where(tab, "session") == "other"
    told = "The session was deleted." if act == "delete" else "“ticket_1-b” is a branch."
    assert f"In “ticket_1” (File): {told}" in markup(tab)


def test_long_work_that_was_begun_is_shown_and_what_is_refused_of_it_is_said(
    page: Page, desk: FakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.key, desk.view["keys"] = "set", 2
    sealed = Address("encrypted", "ticket_1")
    desk.add(sealed, user("hi"), answer("hello"))
    tab = page(backend="encrypted")
    desk.refuse["copy"] = "session_not_empty"
    tab = click(tab, "copy_to")
    slow(monkeypatch, desk, "copy")
    with suppress(RuntimeError):
        tab.button(key="copy_start").click().run()
    tab = run(tab)
    assert "A session of that name exists already." in markup(tab)
    tab = click(tab, "copy_cancel")
    slow(monkeypatch, desk, "reencrypt")
    with suppress(RuntimeError):
        tab.button(key="reencrypt").click().run()
    assert "Moving what is stored of “ticket_1” to the newest key." in markup(run(tab))
