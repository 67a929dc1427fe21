"""One entry twice: as the model gets it, and as it lies in the store, part by part."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING

import streamlit as st

from memory.entries import State
from memory.envelope import describe

from .markup import dim, show
from .text import html, plain, pretty, short
from .words import t, word

if TYPE_CHECKING:
    from collections.abc import Callable

    from memory import Entry
    from memory.envelope import Part

SHOWN = 4_000  # characters of either text


def draw(entry: Entry, when: Callable[[datetime], str]) -> None:
    """Draw it; `when` gives the words of a time."""
    show(f"<h3>{html(t('as_model_gets'))}</h3>", "md-xray")
    if entry.item is None or not entry.readable:
        show(dim(word("state_why", entry.state, "state_why_corrupt")))
    else:
        st.code(
            plain(pretty(json.dumps(entry.item, ensure_ascii=False)), SHOWN), language="json", wrap_lines=True
        )
    show(f"<h3>{html(t('as_it_lies'))}</h3>")
    st.code(plain(entry.raw, SHOWN), language="json", wrap_lines=True)
    parts = describe(entry.raw)
    if parts:
        show(_table(parts, when), "md-parts")
    elif entry.state is State.PLAINTEXT:
        show(dim(t("state_why_plaintext")))
    else:
        show(dim(t("nothing_sealed")))


def _table(parts: tuple[Part, ...], when: Callable[[datetime], str]) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{html(word('part', part.name, 'part_other'))}</th>"
        f"<td><code>{html(short(part.stored, 60))}</code></td>"
        f"<td>{html(_value(part, when))}</td></tr>"
        for part in parts
    )
    head = "".join(f"<th scope='col'>{html(t(key))}</th>" for key in ("part", "part_stored", "part_says"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _value(part: Part, when: Callable[[datetime], str]) -> str:
    if isinstance(part.value, datetime):
        return when(part.value)
    if isinstance(part.value, int) and part.name in ("vector", "ciphertext", "digest"):
        return t("bytes", n=part.value)
    return "" if part.value is None else short(part.value, 60)
