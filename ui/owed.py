"""What a click owes the person once the desk has done its part, whatever is clicked meanwhile.

Streamlit lets go of a callback at its next touch of the page's state as soon as there is another click. While
the desk waited for a slow store, that touch is where the outcome would be told. So what is to be done with an
outcome is written down first, and done by the next run if this one is let go.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from . import notices, state

if TYPE_CHECKING:
    from desk.values import Address, Outcome


def after(address: Address | None, call: Callable[[], Outcome], then: Callable[[Outcome], object]) -> None:
    """Call, then do `then` with the outcome. It may be begun twice: the second time must do no harm.

    `address` is the session it is about, if it is about one. Where another is looked at by then, what is told
    is told as news of that one.
    """
    owed = _owed()
    owed.append(partial(_tell, address, then, call()))
    _pay(owed)


def pay() -> None:
    """Do what an earlier run left undone. Call it in every run, when it is clear which session is shown."""
    _pay(_owed())


def any_left() -> bool:
    """Whether something is left to be done by a whole run."""
    return bool(st.session_state.get("owed"))


def _tell(address: Address | None, then: Callable[[Outcome], object], outcome: Outcome) -> None:
    with notices.about(None if address == state.address() else address):
        then(outcome)


def _owed() -> list[Callable[[], None]]:
    owed: list[Callable[[], None]] = st.session_state.setdefault("owed", [])
    return owed


def _pay(owed: list[Callable[[], None]]) -> None:
    while owed:
        try:
            owed[0]()
        except Exception:  # not what Streamlit lets a run go with: this would fail every time
            del owed[0]
            raise
        del owed[0]
