"""In the bar of the pages: the language of the page, and how many decisions wait for a person."""

from __future__ import annotations

import streamlit as st

from . import state
from .desk_access import desk
from .icons import material, symbol
from .markup import show
from .text import html
from .words import LANGUAGES, NAMES, language, t


def draw() -> None:
    """Draw it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="navbar"):
        if waiting := desk().waiting_count():
            words = html(t("waiting_count", n=waiting))
            show(
                f'<p class="md-waiting" data-n="{waiting}" title="{words}" role="status">'
                f"{symbol('how_to_reg')}<span>{words}</span></p>",
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
            icon=material("translate"),
            width=148,
        )


def _chosen() -> None:
    state.speak(st.session_state.language)
