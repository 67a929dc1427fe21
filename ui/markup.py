"""The page's own markup: one way to put it on the page. All text in it went through `ui.text.html`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import streamlit as st

from .icons import symbol
from .text import html, line
from .words import language


def show(markup: str, kind: str = "", *, width: Literal["stretch", "content"] = "stretch") -> None:
    """Draw it; `kind` is a further class of the outermost element."""
    st.html(wrap(markup, kind), width=width)


def wrap(markup: str, kind: str = "") -> str:
    """The outermost element, which names the language of our words."""
    return f'<div class="md {kind}" lang="{language()}">{markup}</div>'


def title(icon: str, words: str, aside: str = "") -> str:
    """The head of a card: its symbol, its title, and what stands dimmed beside it."""
    dim = f'<span class="md-dim">{html(aside)}</span>' if aside else ""
    return f'<p class="md-title">{symbol(icon)}<b>{html(words)}</b>{dim}</p>'


def said(icon: str, words: str, *, role: str = "status", tone: str = "") -> str:
    """A sentence with its symbol, announced to those who hear the page."""
    return (
        f'<p class="md-notice" data-tone="{tone}" role="{role}">{symbol(icon)}<span>{html(words)}</span></p>'
    )


def dim(words: str) -> str:
    """A sentence in the background."""
    return f'<p class="md-dim">{html(words)}</p>'


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """Names and values, those without a value left out."""
    cells = (f"<dt>{html(name)}</dt><dd>{html(line(value, 400))}</dd>" for name, value in rows if value)
    return f'<dl class="md-info">{"".join(cells)}</dl>'


def empty(icon: str, *words: str) -> str:
    """What stands where there is nothing: for `show(..., "md-empty")`."""
    return symbol(icon) + "".join(f"<p>{html(text)}</p>" for text in words)
