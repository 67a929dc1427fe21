"""In the bar of the pages: the language of the page, and how many decisions wait for a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from . import menus, notices, state
from .desk_access import desk
from .icons import material
from .markup import dim, show
from .naming import backend_named
from .text import label
from .words import LANGUAGES, NAMES, language, t

if TYPE_CHECKING:
    from desk.values import Address

NARROW = "(max-width: 640px)"  # as in fit.css
NUMBER = ".st-key-waiting button p::before"
LISTED = 20  # waiting sessions in the menu, the longest waiting first


def draw() -> None:
    """Draw it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="navbar"):
        if waiting := desk().waiting():
            _waiting(waiting)
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


def _waiting(waiting: Sequence[Address]) -> None:
    """A menu of the sessions that wait, each of which it opens."""
    words = t("waiting_count", n=len(waiting))
    # Where there is no room, the number stands alone. It is not marked in the words: the button's name is
    # read aloud as it is written.
    st.html(f"<style>@media {NARROW} {{ {NUMBER} {{ content: '{len(waiting):,}'; }} }}</style>")
    with menus.menu("waiting", words, "how_to_reg"):
        for index, address in enumerate(waiting[:LISTED]):
            where = t(
                "waiting_at",
                session=label(address.session_id, 40),
                backend=label(backend_named(address.backend), 40),
            )
            st.button(where, key=f"open_waiting_{index}", width="stretch", on_click=_open, args=(address,))
        if len(waiting) > LISTED:
            show(dim(t("and_more", n=len(waiting) - LISTED)))


def _open(address: Address) -> None:
    notices.clear()
    menus.close()
    state.go(backend=address.backend, session_id=address.session_id)


def _chosen() -> None:
    state.speak(st.session_state.language)
