"""A part of the page that is drawn again and again by itself."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import streamlit as st


def every(seconds: float, part: Callable[[], None]) -> None:
    """Draw `part` now, and again each time so many seconds have passed, until the whole page is drawn.

    Streamlit knows such a part by its name and its place, and a tick that comes when a drawing of the whole
    page has just ended begins anew: what the browser had not got of that drawing by then is never sent, and
    the page may stay as it was, and tick no more. So the name is a new one each time, which no tick that was
    on its way knows.
    """
    part.__qualname__ = f"{part.__name__}_{uuid4().hex}"
    st.fragment(part, run_every=seconds)()
