"""What a click owes the person once the desk has done its part, whatever is clicked meanwhile.

Streamlit lets go of a callback at its next touch of the page's state as soon as there is another click. While
the desk waited for a slow store, that touch is where the outcome would be told. So what is to be done with an
outcome is written down first, and done by the next run if this one is let go.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import streamlit as st

T = TypeVar("T")


def after(call: Callable[[], T], then: Callable[[T], object]) -> None:
    """Call, then do `then` with what came back. It may be begun twice: the second time must do no harm."""
    owed = _owed()
    owed.append(partial(then, call()))
    _pay(owed)


def pay() -> None:
    """Do what an earlier run left undone. Call it in every run, when it is clear which session is shown."""
    _pay(_owed())


def any_left() -> bool:
    """Whether something is left to be done by a whole run."""
    return bool(st.session_state.get("owed"))


def _owed() -> list[Callable[[], object]]:
    owed: list[Callable[[], object]] = st.session_state.setdefault("owed", [])
    return owed


def _pay(owed: list[Callable[[], object]]) -> None:
    while owed:
        try:
            owed[0]()
        except Exception:  # not what Streamlit lets a run go with: this would fail every time
            del owed[0]
            raise
        del owed[0]
