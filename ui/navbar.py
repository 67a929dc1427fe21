"""In the bar of the pages: the language of the page, and how many decisions wait for a person."""

from __future__ import annotations

import streamlit as st

from . import icons, state
from .desk_access import desk
from .text import html
from .words import LANGUAGES, NAMES, language, t


def draw() -> None:
    """Draw it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="navbar"):
        waiting = desk().waiting_count()
        if waiting:
            text = html(t("waiting_count", n=waiting))
            st.html(
                f'<div class="md"><p class="md-waiting" data-n="{waiting}" title="{text}" role="status">{icons.symbol("how_to_reg")}<span>{text}</span></p></div>',
                width="content",
            )
        st.session_state.language = language()
        st.selectbox(
            t("language"),
            LANGUAGES,
            key="language",
            label_visibility="collapsed",
            format_func=NAMES.__getitem__,
            on_change=_chosen,
            icon=icons.material("translate"),
            width=148,
        )


def _chosen() -> None:
    state.speak(st.session_state.language)
