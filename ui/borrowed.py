"""Streamlit's own words, in the language of the page.

Streamlit writes some words itself ("Add: ...", "No results", the theme menu, the names of its buttons for
those who hear the page) and has no way to translate them. So the browser is told what to write instead, and
where: only in places that hold Streamlit's words, never where a text from a person or a store stands alone.
A word that a newer Streamlit writes otherwise, or elsewhere, is not found and stays English; nothing else
comes of it.
"""

from __future__ import annotations

import streamlit as st

from .words import say, t

TEXT = ""  # the text itself, where the others are attributes

_LIST = "[data-testid=stSelectboxVirtualDropdown]"

PLACES: tuple[tuple[str, str, str], ...] = (
    (f"{_LIST} [data-key=__creatable__] *", TEXT, "streamlit_add"),
    (f"{_LIST} [data-empty] span", TEXT, "streamlit_no_results"),
    (".stSelectbox input", "placeholder", "streamlit_choose"),
    (".stSelectbox button", "aria-label", "streamlit_open"),
    (f"{_LIST} button", "aria-label", "streamlit_dismiss"),
    ("[data-live-announcer] *", TEXT, "streamlit_options"),
    ("[data-live-announcer] *", TEXT, "streamlit_one_option"),
    ("[data-testid=stSkipToContent]", TEXT, "streamlit_skip"),
    ("[data-testid=stMainMenuButton], [data-testid=stMainMenuList]", "aria-label", "streamlit_menu"),
    ("[data-testid=stThemeSwitcher]", "aria-label", "streamlit_theme"),
    ("[data-testid=stMainMenuItem-theme-System]", TEXT, "streamlit_theme_system"),
    ("[data-testid=stMainMenuItem-theme-Light]", TEXT, "streamlit_theme_light"),
    ("[data-testid=stMainMenuItem-theme-Dark]", TEXT, "streamlit_theme_dark"),
    ("[data-testid=stMainMenuItemLabel]", TEXT, "streamlit_print"),
    ("[data-testid=stMainMenuItemLabel]", TEXT, "streamlit_record"),
    ("[data-testid=stMainMenuPopover] *", TEXT, "streamlit_made_with"),
    ("[data-testid=stMainMenuPopover] button", "aria-label", "streamlit_copy_version"),
    ("[data-testid=stMainMenuPopover] button", "title", "streamlit_copy_version"),
    ("[data-testid=stChatInputSubmitButton]", "aria-label", "streamlit_send"),
    ("[data-testid=stNumberInputStepUp]", "aria-label", "streamlit_more"),
    ("[data-testid=stNumberInputStepDown]", "aria-label", "streamlit_less"),
    ("[data-testid=stNumberInputClearButton]", "aria-label", "streamlit_clear"),
    ("[data-testid=stNumberInputContainer] span", TEXT, "streamlit_outside"),
    (
        "[data-testid=stTooltipHoverTarget], [data-testid=stTooltipHoverTarget] *",
        "aria-label",
        "streamlit_help",
    ),
    ("[data-testid=stTextInputRootElement] button", "aria-label", "streamlit_show"),
    ("[data-testid=stTextInputRootElement] button", "aria-label", "streamlit_hide"),
    ("[data-testid=stDialog] button", "aria-label", "streamlit_close"),
    ("[data-testid=stBaseButton-elementToolbar]", "aria-label", "streamlit_copy"),
    ("[data-testid=stBaseButton-elementToolbar]", "aria-label", "streamlit_copied"),
    ("[data-testid=stTooltipContent] *", TEXT, "streamlit_copy"),
    ("[data-testid=stTooltipContent] *", TEXT, "streamlit_copied"),
    (".stStatusWidget *", TEXT, "streamlit_connecting"),
    ("[data-testid=stDialog] *", TEXT, "streamlit_lost"),
    ("[data-testid=stDialog] *", TEXT, "streamlit_lost_why"),
)
"""Where a word of Streamlit's stands, in what (`TEXT` or an attribute), and its key in the catalogue. The
English words of these keys are Streamlit's own, letter by letter."""

_SLOTS = {name: f"{{{name}}}" for name in ("value", "low", "high")}

_words = st.components.v2.component(
    "memory_desk.borrowed",
    js=r"""
    const shown = (window.memoryDeskBorrowed ??= { was: new WeakMap(), rules: [], watch: null, due: 0 });

    export default function ({ data }) {
      shown.rules = data.rules.map(([places, name, english, words]) => {
        const slots = [...english.matchAll(/\{(\w+)\}/g)].map(([, slot]) => slot);
        const parts = english.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
        return { places, name, words, slots, found: new RegExp(`^${parts.join("([^]*)")}$`) };
      });
      if (!shown.watch) {
        shown.watch = new MutationObserver(() => (shown.due ||= requestAnimationFrame(write)));
        const attributeFilter = [...new Set(data.rules.map(([, name]) => name).filter(Boolean))];
        shown.watch.observe(document.body, {
          subtree: true, childList: true, characterData: true, attributes: true, attributeFilter,
        });
      }
      write();
    }

    function write() {
      shown.due = 0;
      for (const rule of shown.rules) {
        for (const place of document.querySelectorAll(rule.places)) {
          if (rule.name) {
            const set = (text) => place.setAttribute(rule.name, text);
            put(rule, place, place.getAttribute(rule.name), set);
            continue;
          }
          for (const node of place.childNodes) {
            if (node.nodeType === Node.TEXT_NODE) put(rule, node, node.data, (text) => (node.data = text));
          }
        }
      }
    }

    // What Streamlit wrote is kept, so that the same place can speak another language later.
    function put(rule, place, now, set) {
      const was = shown.was.get(place) ?? {};
      const kept = was[rule.name];
      const written = kept && kept.words === now ? kept.written : now;
      const match = written?.match(rule.found);
      if (!match) return;
      const words = rule.words.replace(/\{(\w+)\}/g, (_, slot) => match[rule.slots.indexOf(slot) + 1]);
      if (words !== now) set(words);
      shown.was.set(place, { ...was, [rule.name]: { written, words } });
    }
    """,
)


def translate() -> None:
    """Have the browser write Streamlit's words in the language of the page. It takes no room."""
    rules = [(places, name, say("en", key, **_SLOTS), t(key, **_SLOTS)) for places, name, key in PLACES]
    _words(key="borrowed", data={"rules": rules})
