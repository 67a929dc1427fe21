"""The part of the page that looks again by itself: at a live answer often, at the store now and then.

While an answer is written, only it is redrawn. When it ends, or when another tab or program changed the
session, the whole page is drawn again from the store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from . import actions, bubbles, notices, owed, ticking
from .desk_access import desk
from .icons import material
from .markup import show
from .pieces import Piece, from_run
from .words import t

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from desk.values import Address, Run, View

LIVE_EVERY = 0.2  # seconds between looks at a live answer
QUIET_EVERY = 1.5  # seconds between looks at the store; reading its revision costs next to nothing
MOVING_EVERY = 5.0  # seconds between looks at a store that changes with every batch of long work


def draw(view: View, seen: Hashable, speaker: str | None, begun: Sequence[Piece]) -> None:
    """Draw the live answer, if there is one, and go on looking.

    `seen` is what `news` gave just before `view` was read; `speaker` the agent named last above; `begun` the
    calls that the answer goes on with.
    """
    run = view.run if view.run is not None and view.run.active else None
    fresh = True

    def pulse() -> None:
        nonlocal fresh
        first, fresh = fresh, False
        if not first and owed.any_left():
            st.rerun()
        if run is None:
            if not first and not st.session_state.get("dialog") and news(view.address) != seen:
                st.rerun()
            return
        now = desk().run(view.address)
        if now is None or now.id != run.id or not now.active:
            if not first:
                notices.forget("busy")
                st.rerun()
            now = now if now is not None and now.id == run.id else run
        with st.container(gap=None, key="live"):
            _answer(view, now, speaker, begun)

    ticking.every(LIVE_EVERY if run else quiet_every(view), pulse)


def quiet_every(view: View) -> float:
    """Seconds between looks where nothing is answered: longer than drawing takes, or it would never end."""
    resealing = desk().resealing(view.address)
    moving = view.copied_to or (resealing is not None and resealing.active)
    return max(MOVING_EVERY if moving else QUIET_EVERY, 2 * view.took)


def news(address: Address) -> Hashable:
    """A value that changes when the page would."""
    return desk().revision(address), desk().waiting_count(), desk().unkept_key() is None


def _answer(view: View, run: Run, speaker: str | None, begun: Sequence[Piece]) -> None:
    pieces = from_run(run, begun=begun)
    for block in bubbles.blocks(pieces, speaker=speaker, live=True):
        show(block)
    if not pieces or pieces[-1].kind != "words":
        said = [piece for piece in pieces if piece.kind != "note"]
        last = said[-1] if said else None
        above = speaker if last is None else bubbles.PERSON if last.kind == "user" else last.agent
        show(bubbles.thinking(run.agent, above))
    with st.container(horizontal=True, horizontal_alignment="right", key="stop_row"):
        st.button(
            t("stop"),
            key="stop",
            icon=material("stop_circle"),
            on_click=actions.stop,
            args=(view.address,),
            disabled=run.status == "stopping",
        )
