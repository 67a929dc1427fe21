"""Long work of the desk as a dialog shows it: how far it is, looked at again and again, and what ended it.

The work belongs to the desk. A dialog only looks: closed, opened again or opened in another tab, it shows the
same work until a person has seen how it ended.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st

from . import ticking
from .icons import material
from .markup import dim, said, show
from .words import t

if TYPE_CHECKING:
    from desk.values import Work

EVERY = 0.3  # seconds between looks at work that is going on


def draw(
    work: Work,
    look: Callable[[], Work | None],
    words: Callable[[int, int], str],
    stop: Callable[[], Any],
    *,
    key: str,
    goes_on: str,
    stops: str,
) -> None:
    """Draw how far `work` is, for as long as what `look` finds is the same and going on.

    `words` says it for (done, total); `goes_on` what closing does; `stop` is called by the button `stops`.
    `key` begins the keys of what is drawn.
    """

    def moving() -> None:
        now = look()
        if now is None or now.id != work.id or not now.active:
            st.rerun()
        done, total = now.done, now.total
        told = t("copy_counting") if total is None else words(done, total)
        st.progress(done / total if total else 0.0, text=told)

    ticking.every(EVERY, moving)
    show(dim(goes_on))
    st.button(stops, key=f"{key}_stop", icon=material("stop_circle"), on_click=stop, width="stretch")


def problem(words: str, *, stopped: bool) -> None:
    """Say what ended the work; that a person stopped it is no trouble."""
    show(said("stop_circle" if stopped else "error", words, role="alert", tone="" if stopped else "problem"))


def again(key: str) -> bool:
    """Draw the button that goes on with it. Whether it was pressed."""
    return st.button(t("copy_again"), key=key, type="primary", icon=material("refresh"), width="stretch")
