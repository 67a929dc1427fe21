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


def new_id() -> str:
    """By which the browser knows a text that is given back."""
    return secrets.token_hex(4)


def give_back(text: str, text_id: str) -> None:
    """Put a text into the box, and the keyboard on it; what was typed there meanwhile stays behind it.

    The browser is told with every redraw until it says that it has the text: two redraws close behind each
    other may reach it as one. It puts each id in once, however often it is told.
    """
    others = [each for each in given_back() if each["id"] != text_id]
    st.session_state.given_back = [*others, {"id": text_id, "text": text}]


def given_back() -> list[dict[str, str]]:
    """What the browser is still to put in, oldest first, each with an id of its own."""
    return list(st.session_state.get("given_back", ()))


def draw(on_submit: Callable[..., None], *args: Any) -> None:
    """Draw the box; `on_submit` gets `args`."""
    st.chat_input(t("composer"), key=KEY, on_submit=on_submit, args=args)


def put_back() -> None:
    """Draw what puts into the box what was given back. It takes no room."""
    if texts := given_back():
        there = browser.put_in(KEY, texts)
        st.session_state.given_back = [each for each in given_back() if each["id"] not in there]
