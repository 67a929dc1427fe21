"""The box one writes in, and what is given back into it."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import streamlit as st

from . import browser
from .words import t

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

KEY = "composer"


def text() -> str:
    """What was just sent."""
    return st.session_state.get(KEY) or ""


def give_back(text: str) -> None:
    """Put a text into the box, and the keyboard on it; what was typed there meanwhile stays behind it.

    The browser does so once, and is told with every redraw until something is sent: two redraws close behind
    each other may reach it as one, and several texts may be given back before it has put in the first.
    """
    st.session_state.given_back = [*given_back(), {"id": secrets.token_hex(4), "text": text}]


def given_back() -> list[dict[str, str]]:
    """What was given back since something was last sent, oldest first, each with an id of its own."""
    return list(st.session_state.get("given_back", ()))


def sent() -> None:
    """What was given back is not needed any more."""
    st.session_state.pop("given_back", None)


def draw(on_submit: Callable[..., None], *args: Any) -> None:
    """Draw the box; `on_submit` gets `args`."""
    st.chat_input(t("composer"), key=KEY, on_submit=on_submit, args=args)


def put_back() -> None:
    """Draw what puts into the box what was given back. It takes no room."""
    if texts := given_back():
        browser.put_in(KEY, texts)
