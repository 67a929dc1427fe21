"""What only the browser can do: move the keyboard, know the page's language, tell in full what is cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import streamlit as st

if TYPE_CHECKING:
    from collections.abc import Sequence

_focus = st.components.v2.component(
    "memory_desk.focus",
    html="<span></span>",
    js="""
    export default function ({ data, parentElement }) {
      const root = parentElement.querySelector("span");
      if (root.dataset.done === data.time) return;
      root.dataset.done = data.time;
      // A dialog takes the keyboard to itself when it has opened: wait for that, then move it on.
      // What the keyboard was on goes a little later too, and where a finger is used nothing was lost.
      let tries = data.lost ? 60 : 20;
      if (data.lost && !matchMedia("(hover: hover)").matches) return;
      const timer = setInterval(() => {
        const button = document.querySelector(`.st-key-${data.key} :is(${data.kind})`);
        const free = !data.lost || document.activeElement === document.body;
        if (button && free) button.focus({ preventScroll: data.lost });
        if (document.activeElement === button || --tries === 0) clearInterval(timer);
      }, 50);
      if (!data.lost) return;
      // Whoever goes on meanwhile knows where the keyboard belongs.
      const stop = () => clearInterval(timer);
      for (const act of ["pointerdown", "keydown"]) {
        addEventListener(act, stop, { capture: true, once: true });
      }
    }
    """,
)

_language = st.components.v2.component(
    "memory_desk.language",
    html="<span></span>",
    js="export default function ({ data }) { document.documentElement.lang = data.lang; }",
)


_whole = st.components.v2.component(
    "memory_desk.whole",
    js="""
    export default function ({ data }) {
      for (const [key, text] of Object.entries(data)) {
        const field = document.querySelector(`.st-key-${key} input`);
        if (field) field.title = text;
      }
    }
    """,
)


_put_in = st.components.v2.component(
    "memory_desk.put_in",
    js="""
    export default function ({ data, setTriggerValue }) {
      // Kept by the page, which outlives the places where this is drawn.
      const known = (window.memoryDeskPutIn ??= { ids: new Set(), placed: "" });
      const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set;
      let tries = 40;
      const timer = setInterval(() => {
        const box = document.querySelector(`.st-key-${data.key} textarea`);
        if (!box && --tries) return;
        clearInterval(timer);
        if (!box) return;
        for (const { id, text } of data.texts) {
          if (known.ids.has(id)) continue;
          known.ids.add(id);
          // A click that Streamlit repeats gives the same text back twice; nobody types it twice in a second.
          if (known.text === text && Date.now() - known.at < 1000) continue;
          Object.assign(known, { text, at: Date.now() });
          // What came back before stands before it; what a person has typed since stands behind it.
          const before = known.placed && box.value.startsWith(known.placed) ? known.placed : "";
          const typed = box.value.slice(before.length);
          known.placed = before ? `${before}\\n${text}` : text;
          set.call(box, known.placed + (typed && !typed.startsWith("\\n") ? "\\n" : "") + typed);
          box.dispatchEvent(new Event("input", { bubbles: true }));
          box.focus({ preventScroll: true });
          box.setSelectionRange(box.value.length, box.value.length);
        }
        setTriggerValue("placed", data.texts.map(({ id }) => id));
      }, 20);
    }
    """,
)


def focus(key: str) -> None:
    """Move the keyboard to the button with this key, once. The key is one of ours, never a stored text."""
    _focus(key=f"focus_{key}", data={"key": key, "kind": "button", "time": "1", "lost": False})


def recover(key: str, kind: Literal["button", "textarea"] = "button") -> None:
    """Have the keyboard moved to this widget, if what it was on is not on the page any more."""
    last = st.session_state.get("recover", {})
    st.session_state.recover = {"key": key, "kind": kind, "time": str(int(last.get("time", 0)) + 1)}


def recovering() -> None:
    """Draw what does so. It takes no room."""
    if wanted := st.session_state.get("recover"):
        _focus(key="focus_lost", data={**wanted, "lost": True})


def speak(lang: str) -> None:
    """Tell the browser, and those who hear the page, its language. Streamlit says English for every page."""
    _language(key="page_language", data={"lang": lang})


def put_in(key: str, texts: Sequence[dict[str, str]]) -> list[str]:
    """Put each text, told apart by its `id`, into the box with this key: once, and without losing another.

    The ids that the browser says it has put in. Streamlit can only set the whole of a box, over what is typed
    there while the page is on its way.
    """
    told = _put_in(key="put_in", data={"key": key, "texts": list(texts)}, on_placed_change=lambda: None)
    return list(told.placed or ())


def whole(**texts: str) -> None:
    """Tell these texts in full where one points at the field of that key, which may be too narrow for it."""
    _whole(key="whole_texts", data=texts)
