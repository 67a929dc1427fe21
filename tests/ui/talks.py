"""What tests put into the fake desk, and what they take of the page."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from memory import Pause, PauseState

from .conftest import HERE, run
from .fake_desk import AT, FakeDesk, answer, user


def talk(desk: FakeDesk, turns: int = 2) -> list[str]:
    """Some stored turns; their entry ids."""
    ids = []
    for turn in range(1, turns + 1):
        made = desk.add(HERE, user(f"question {turn}"), answer(f"answer {turn}"), agent="Triage")
        ids += [entry.id for entry in made]
    return ids


def draft(tab: AppTest) -> str:
    """What the browser is told to put into the composer."""
    given = ("given_back" in tab.session_state and tab.session_state["given_back"]) or []
    return "\n".join(each["text"] for each in given)


def pick(tab: AppTest, entry_id: str) -> AppTest:
    tab.session_state["selected"] = entry_id
    return run(tab)


def pause(*calls: tuple[str, str, str, str]) -> Pause:
    return Pause(7, HERE.session_id, PauseState.PENDING, calls, "{}", AT)
