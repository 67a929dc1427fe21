"""The list of stored entries: one page of it, newest at the bottom, an entry picked by its id.

The list is a component of the page's own, because a table of Streamlit's tells which row was picked by
its place, which is another entry after an edit, and cannot open at its newest end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from memory import Entry, Kind, State, text_of

from . import icons
from .naming import agent_words
from .text import line
from .words import t, word

_HERE = Path(__file__).parent

_list = st.components.v2.component(
    "memory_desk.timeline",
    html='<div class="list" role="listbox" tabindex="0"></div>',
    css=(_HERE / "timeline.css").read_text(encoding="utf-8"),
    js=(_HERE / "timeline.js").read_text(encoding="utf-8"),
)

WORDS_SHOWN = 160  # characters of an entry's text in the list


def draw(
    entries: Sequence[Entry],
    *,
    key: str,
    selected: str | None,
    page: str,
    unsent: frozenset[str],
    sent_words: str,
    none_sent: bool,
    on_pick: Callable[[str | None], None],
    on_undo: Callable[[], None] | None,
) -> None:
    """Draw the entries.

    `unsent` are those that would stay behind when the next message is sent, and `sent_words` what is said
    where the others begin, or at the end with `none_sent`; `page` changes where the list should start at its
    newest end again. `on_pick` is called with the id of the entry that was picked, None where the pick was
    dropped; `on_undo` when Ctrl+Z was pressed.
    """

    def picked() -> None:
        found = st.session_state[key].get("picked")
        if isinstance(found, Mapping):
            on_pick(found.get("id"))

    def undo() -> None:
        if on_undo is not None and st.session_state[key].get("undo"):
            on_undo()

    data = {
        "label": t("stored_items"),
        "rows": rows(entries, unsent),
        "selected": selected,
        "page": page,
        "sent_words": sent_words,
        "none_sent": none_sent,
        "can_undo": on_undo is not None,
    }
    _list(key=key, data=data, height="stretch", on_picked_change=picked, on_undo_change=undo)


def rows(entries: Sequence[Entry], unsent: frozenset[str]) -> list[dict[str, Any]]:
    """What the list shows of each entry: text, ready to be set as text."""
    kinds, turns = cache(kind_words_of), cache(turn_words)  # a word is looked up once, not once a row
    made = []
    behind = False
    for entry in entries:
        first_sent, behind = behind and entry.id not in unsent, entry.id in unsent
        made.append(
            {
                "id": entry.id,
                "number": "" if entry.position is None else str(entry.position),
                "turn": turns(entry.turn),
                "kind": str(entry.kind),
                "state": str(entry.state),
                "icon": icon_of(entry),
                "word": kinds(entry.kind),
                "agent": line(agent_words(entry.agent), 40) if entry.agent else "",
                "flag": "" if entry.state is State.OK else word("state", entry.state, "state_corrupt"),
                "text": line(text_of(entry.item) if entry.item else entry.raw, WORDS_SHOWN),
                "unsent": behind,
                "first_sent": first_sent,
            }
        )
    return made


def kind_words(entry: Entry) -> str:
    """What the entry is, in a word."""
    return kind_words_of(entry.kind)


def kind_words_of(kind: Kind) -> str:
    """What an entry of this kind is, in a word."""
    return word("kind", kind, "kind_other")


def icon_of(entry: Entry) -> str:
    """The symbol of the entry: of its state where it cannot be read, else of its kind."""
    if not entry.readable:
        return icons.STATES.get(entry.state, "key_off")
    return icons.KINDS.get(entry.kind, icons.KINDS[Kind.OTHER])


def turn_words(turn: int | None) -> str:
    """The heading of a turn; "" where turns are not counted yet."""
    if turn is None:
        return ""
    return t("turn_n", turn=turn) if turn else t("before_first_turn")
