"""The two things only the browser can do: move the keyboard, and know which language the page is in."""

from __future__ import annotations

from typing import Literal

import streamlit as st

_focus = st.components.v2.component(
    "memory_desk.focus",
    html="<span></span>",
    js="""
    export default function ({ data, parentElement }) {
      const root = parentElement.querySelector("span");
      if (root.dataset.done === data.time) return;
      root.dataset.done = data.time;
      // A dialog takes the keyboard to itself when it has opened: wait for that, then move it on.
      let tries = 20;
      const timer = setInterval(() => {
        const button = document.querySelector(`.st-key-${data.key} :is(${data.kind})`);
        if (button) button.focus();
        if (document.activeElement === button || --tries === 0) clearInterval(timer);
      }, 50);
    }
    """,
)

_language = st.components.v2.component(
    "memory_desk.language",
    html="<span></span>",
    js="export default function ({ data }) { document.documentElement.lang = data.lang; }",
)


def focus(key: str, kind: Literal["button", "textarea"] = "button", time: int = 1) -> None:
    """Move the keyboard to the widget with this key, once for each `time`, which counts from 1.

    The key is one of ours, never a stored text.
    """
    _focus(key=f"focus_{key}", data={"key": key, "kind": kind, "time": str(time)})


def speak(lang: str) -> None:
    """Tell the browser, and those who hear the page, its language. Streamlit says English for every page."""
    _language(key="page_language", data={"lang": lang})
