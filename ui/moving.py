"""Picking another backend for a session that holds something: copy it, open what is there, or start empty.

Nothing is ever merged, and nothing is left behind in silence. From and to "No memory" there is no question:
nothing can be copied there, and nothing from there.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from desk.values import Address, View

from . import copying, sealed, state
from .desk_access import desk
from .markup import said, show
from .naming import backend_named
from .text import line
from .words import t, word


@dataclass(frozen=True, slots=True)
class Move:
    """The open question: from where, to which backend, and whether that one has a session of the id.

    `problem` says why what is here cannot be read, as in `View`, and `why` what of it is in `params`.
    """

    address: Address
    backend: str
    exists: bool
    problem: str | None = None
    why: str | None = None


def to(backend: str) -> None:
    """Look at the same id on another backend, once it is clear what that means."""
    here = state.address()
    st.session_state.pop("moving", None)
    if backend == here.backend:
        return
    view = desk().look(here, limit=1) if "none" not in (backend, here.backend) else None
    if view is None or not _may_hold(view):
        state.go(backend=backend)
        return
    exists = desk().resolve(backend, here.session_id).exists
    st.session_state.moving = Move(here, backend, exists, view.problem, view.params.get("why"))


def _may_hold(view: View) -> bool:
    """Whether items would be left behind: what cannot be read may hold some, unless they were counted."""
    return bool(view.timeline.entries) or (view.problem is not None and view.timeline.total != 0)


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
        if move.problem is not None:
            why = word("reason", move.problem, "reason_unknown", **({"why": move.why} if move.why else {}))
            show(said("help", t("move_unread", session=names["session"], reason=why), role="alert"))
            if move.exists:
                st.button(t("move_open"), key="move_open", on_click=_go, args=(move,))
            else:
                st.button(t("move_empty"), key="move_empty", on_click=_go, args=(move,))
        elif move.exists:
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
