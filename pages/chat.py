"""The desk: chat on the left, its memory on the right, one toolbar above."""

from __future__ import annotations

import streamlit as st

from ui import chat, panel, state, toolbar

view, seen = chat.look(state.address(), state.turns())

with st.container(key="desk", gap="small"):
    toolbar.draw(view)
    with st.container(key="split"):
        left, right = st.columns([3, 2], gap="medium")
        with left:
            chat.draw(view, seen)
        with right:
            panel.draw(view, seen)

toolbar.hints()
