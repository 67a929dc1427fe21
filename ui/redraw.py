"""Whether the whole page has to be drawn anew, asked by a part of it that was run alone.

A callback of a widget in such a part wants a redraw where its effect is seen elsewhere too.
"""

from __future__ import annotations

import streamlit as st


def want() -> None:
    """Have the whole page drawn anew."""
    st.session_state.redraw = True


def wanted() -> bool:
    """Whether it has to be."""
    return bool(st.session_state.get("redraw"))


def done() -> None:
    """It is being drawn."""
    st.session_state.redraw = False
