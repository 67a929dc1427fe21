"""The box one writes in, and what is given back into it.

Streamlit hands the browser a text for the box with one redraw only, and a second redraw close behind takes
its place on the way. So what is given back comes in a box of its own, and with every redraw until something
is sent: the browser takes it once, when that box appears, and what is typed from then on stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from .browser import focus
from .words import t

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

KEY = "composer"  # of the place; the box in it has a number as well


def text() -> str:
    """What was just sent."""
    return st.session_state.get(_box()) or ""


def give_back(text: str) -> None:
    """Put a text into the box, and the keyboard on it."""
    st.session_state.given_back = text
    st.session_state.times_given_back = _times() + 1


def sent() -> None:
    """What was given back is not needed any more."""
    st.session_state.pop("given_back", None)


def draw(on_submit: Callable[..., None], *args: Any) -> None:
    """Draw the box; `on_submit` gets `args`."""
    if (given := st.session_state.get("given_back")) is not None:
        st.session_state[_box()] = given
    with st.container(key=KEY, gap=None):
        st.chat_input(t("composer"), key=_box(), on_submit=on_submit, args=args)
    if times := _times():
        focus(KEY, "textarea", times)


def _box() -> str:
    return f"{KEY}_{_times()}"


def _times() -> int:
    return int(st.session_state.get("times_given_back", 0))
