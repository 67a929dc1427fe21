"""What every page has: its settings, its pages, its language, the bar above it.

The server runs this file for each visitor and each click. Nothing that loads slowly is imported here: the
page is drawn first, and the desk loads the model's libraries behind it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # the server puts this folder there, not the one above it
    sys.path.insert(0, str(ROOT))

from ui import borrowed, browser, desk_access, navbar, owed, redraw, state  # noqa: E402
from ui.icons import material  # noqa: E402
from ui.words import language, t  # noqa: E402

# A file of ours: a Material symbol as page icon would be fetched from elsewhere, and an emoji is looked up in
# a list that takes 0.2 s to load.
st.set_page_config(page_title="Memory Desk", page_icon=str(ROOT / "ui" / "icon.svg"), layout="wide")

state.arrive()
owed.pay()
state.depart()
redraw.done()
st.html(ROOT / "ui" / "fit.css")
st.logo(str(ROOT / "ui" / "logo.svg"), size="medium")

page = st.navigation(
    [st.Page(ROOT / "pages" / "chat.py", title=t("page_chat"), icon=material("forum"), default=True)],
    position="top",
)
navbar.draw()
page.run()
browser.speak(language())
borrowed.translate()
desk_access.warm()
