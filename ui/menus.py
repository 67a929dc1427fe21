"""Popovers that close when what they offer was done.

Streamlit keeps an open popover open for as long as its key stays the same; so the key holds a number, and
closing them counts it up. The container around it has the key that stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import streamlit as st

from .icons import material


@contextmanager
def menu(
    name: str,
    words: str,
    icon: str,
    *,
    disabled: bool = False,
    kind: Literal["secondary", "tertiary"] = "secondary",
) -> Iterator[None]:
    """A button labelled `words` that opens what is drawn inside the `with`."""
    opened = st.session_state.get("menus", 0)
    with (
        st.container(key=name, width="content"),
        st.popover(words, icon=material(icon), type=kind, disabled=disabled, key=f"{name}_{opened}"),
    ):
        yield


def close() -> None:
    """Close whichever is open."""
    st.session_state.menus = st.session_state.get("menus", 0) + 1
