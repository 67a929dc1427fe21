"""Picking another backend for a session that holds something: copy it, open what is there, or start empty.

Nothing is ever merged, and nothing is left behind in silence. From and to "No memory" there is no question:
nothing can be copied there, and nothing from there.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from desk.values import Address

from . import copying, sealed, state
from .desk_access import desk
from .markup import said, show
from .naming import backend_named
from .text import line
from .words import t


@dataclass(frozen=True, slots=True)
class Move:
    """The open question: from where, to which backend, and whether that one has a session of the id."""

    address: Address
    backend: str
    exists: bool


def to(backend: str) -> None:
    """Look at the same id on another backend, once it is clear what that means."""
    here = state.address()
    st.session_state.pop("moving", None)
    if backend == here.backend:
        return
    if "none" in (backend, here.backend) or not desk().look(here, limit=1).timeline.entries:
        state.go(backend=backend)
        return
    st.session_state.moving = Move(here, backend, desk().resolve(backend, here.session_id).exists)


def draw() -> None:
    """Draw the question, where it is open."""
    move = st.session_state.get("moving")
    if move is None or move.address != state.address():
        return
    names = {
        "session": line(move.address.session_id, 60),
        "backend": backend_named(move.backend),
    }
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="moving"):
        if move.exists:
            show(said("help", t("move_exists", **names), role="alert"))
            st.button(t("move_open"), key="move_open", on_click=_go, args=(move,))
            st.button(t("move_copy_named"), key="move_copy_named", on_click=_name, args=(move,))
        else:
            show(said("help", t("move_new", **names), role="alert"))
            if sealed.leaves_cover(move.address.backend, [move.backend]):
                show(said("lock_open", t("move_opens", backend=names["backend"]), tone="info"))
            st.button(t("move_copy"), key="move_copy", on_click=_copy, args=(move,))
            st.button(t("move_empty"), key="move_empty", on_click=_go, args=(move,))
        st.button(t("move_stay"), key="move_stay", on_click=_close)


def _close() -> None:
    st.session_state.pop("moving", None)


def _go(move: Move) -> None:
    _close()
    state.go(backend=move.backend)


def _name(move: Move) -> None:
    _close()
    copying.ask(move.address, move.backend)


def _copy(move: Move) -> None:
    _close()
    copying.ask(move.address, move.backend)
    copying.start(move.address, move.backend, move.address.session_id)
