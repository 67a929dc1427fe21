"""Above the list: taking edits back, keeping only the newest turns, emptying, and how much is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memory import Clear, Truncate

from . import actions, menus, notices, preview, redraw, state
from .desk_access import desk
from .icons import material
from .markup import show
from .text import html
from .words import t, word

if TYPE_CHECKING:
    from desk.values import Preview, View

UNCOUNTED = 100_000  # turns that can be kept where they are not counted yet


def locked(view: View) -> bool:
    """Whether the session may not be changed now, because an answer is being written or it cannot be read."""
    return bool(view.busy or (view.run and view.run.active) or view.problem)


def draw(view: View, locked: bool) -> None:
    """Draw the row of edits."""
    idle = locked or not view.timeline.entries
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="panel_edits"):
        undo(view, locked, "undo")
        st.button(
            t("redo"),
            key="redo",
            icon=material("redo"),
            disabled=locked or not view.can_redo,
            on_click=actions.redo,
            args=(view.address,),
            help=_why_not(locked, view.can_redo, t("reason_nothing_to_redo")),
        )
        with menus.menu("truncate_menu", t("truncate"), "content_cut", disabled=idle):
            _truncate(view)
        with menus.menu("clear_menu", t("clear"), "delete_sweep", disabled=idle):
            shown = desk().plan(view.address, Clear())
            _apply(view, shown, t("clear_session"), "clear", "delete_sweep")


def undo(view: View, locked: bool, key: str) -> None:
    """Draw the button that takes the last edit back."""
    st.button(
        t("undo"),
        key=key,
        icon=material("undo"),
        disabled=locked or not view.can_undo,
        on_click=actions.undo,
        args=(view.address,),
        help=_why_not(
            locked, view.can_undo, word("reason", view.undo_problem or "", "reason_nothing_to_undo")
        ),
    )


def limit() -> None:
    """Draw how many turns are sent, so that forgetting can be shown without removing anything."""
    # A field that shows what is not so is made anew: the browser keeps what was typed in the old one.
    key = f"turns_sent_{st.session_state.get('turns_corrected', 0)}"
    st.session_state[key] = state.turns()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="limit", wrap=False):
        show(f'<p class="md-limit">{html(t("turns_sent"))}</p>')
        st.number_input(
            t("turns_sent"),
            value=None,
            step=1,
            key=key,
            label_visibility="collapsed",
            on_change=_limit_set,
            args=(key,),
            width=128,
        )


def _limit_set(key: str) -> None:
    typed = st.session_state[key]
    redraw.want()
    notices.forget("turns_between")
    if typed is not None:
        st.session_state.turns = max(0, min(int(typed), state.MOST_TURNS))
    if typed != state.turns():
        st.session_state.turns_corrected = st.session_state.get("turns_corrected", 0) + 1
        notices.refuse("turns_between", most=state.MOST_TURNS, n=state.turns())


def _truncate(view: View) -> None:
    most = max(UNCOUNTED if view.timeline.turns is None else view.timeline.turns, 1)
    wanted = int(st.session_state.get("truncate_turns", 1))
    st.session_state.truncate_turns = min(wanted, most)
    st.number_input(t("keep_last"), min_value=0, max_value=most, step=1, key="truncate_turns")
    keep = max(0, min(int(st.session_state.truncate_turns or 0), most))
    shown = desk().plan(view.address, Truncate(keep_turns=keep))
    _apply(view, shown, t("truncate_to", n=keep), "truncate", "content_cut")


def _apply(view: View, shown: Preview, words: str, key: str, icon: str) -> None:
    preview.draw(shown)
    st.button(
        words,
        key=key,
        type="primary",
        icon=material(icon),
        disabled=not preview.possible(shown),
        on_click=actions.apply,
        args=(view.address, shown.plan),
        width="stretch",
    )


def _why_not(locked: bool, possible: bool, otherwise: str) -> str | None:
    if locked:
        return t("while_live")
    return None if possible else otherwise
