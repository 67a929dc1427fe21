"""One sentence about what just happened, beside what it is about, until the next thing happens.

What was asked in the chat, by a link or in the bar at the top is told beside the composer, all else above
the list of the memory: on a narrow screen the one cannot be seen from the other.

A notice is kept as its key and its values, so that it is drawn in the language of the page. Values may be
anybody's text: they are drawn as text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from . import redraw
from .effects import effect_words
from .icons import material
from .markup import said, show
from .naming import backend_named
from .text import line
from .words import sentences, t, word

if TYPE_CHECKING:
    from desk.values import Address

Tone = Literal["done", "problem"]

MOST = 3  # the newest that are kept


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence. `undo`: an edit that can be undone came with it; `chat`: its place is the chat.

    `about` is the session it is about, where that is not the one that was looked at.
    """

    tone: Tone
    family: str
    key: str
    values: Mapping[str, Any] = field(default_factory=dict)
    undo: bool = False
    chat: bool = False
    about: Address | None = None


_about: ContextVar[Address | None] = ContextVar("about", default=None)


@contextmanager
def about(address: Address | None) -> Iterator[None]:
    """What is said meanwhile is about a session that is not looked at, unless that is None."""
    before = _about.set(address)
    try:
        yield
    finally:
        _about.reset(before)


def done(key: str, /, *, undo: bool = False, chat: bool = False, **values: Any) -> None:
    """Say that something was done, beside the composer if `chat`."""
    elsewhere = _about.get()  # what is undone here is an edit of the session that is looked at
    _add(Notice("done", "done", key, values, undo and elsewhere is None, chat, elsewhere))


def refuse(key: str | None, /, *, chat: bool = False, **values: Any) -> None:
    """Say why something was not done, beside the composer if `chat`. `key` is a reason of the desk's."""
    _add(Notice("problem", "reason", key or "unknown", values, chat=chat, about=_about.get()))


def refuse_name(key: str | None, /, **values: Any) -> None:
    """Say in the menu of the new session why the name in it is none."""
    st.session_state.name_refused = Notice("problem", "reason", key or "unknown", values)


def name_refused() -> str:
    """Why the name of a new session was refused, "" where none was."""
    refused = st.session_state.get("name_refused")
    return sentence(refused) if isinstance(refused, Notice) else ""


def clear() -> None:
    """Forget what was said or asked: something else is being done, and all of the page will show it."""
    for name in ("notices", "name_refused", "similar"):
        st.session_state.pop(name, None)
    redraw.want()


def forget(key: str) -> None:
    """Take back what was said under a key: it is no longer so."""
    st.session_state.notices = [notice for notice in waiting() if notice.key != key]


def waiting() -> list[Notice]:
    """What there is to say, oldest first."""
    return list(st.session_state.get("notices", ()))


def sentence(notice: Notice) -> str:
    """The words, as plain text."""
    values = {name: _told(value) for name, value in notice.values.items()}
    otherwise = "reason_unknown" if notice.tone == "problem" else "done_done"
    told = word(notice.family, notice.key, otherwise, **values)
    if notice.about is None:
        return told
    backend, session = backend_named(notice.about.backend), line(notice.about.session_id, 80)
    return t("told_elsewhere", session=session, backend=backend, told=told)


def _told(value: Any) -> Any:
    """A value as the sentence names it; effects in the language of the page."""
    if isinstance(value, tuple):
        return sentences(effect_words(effect) for effect in value)
    return line(value, 80) if isinstance(value, str) else value


def draw(undo: Callable[[int], None]) -> None:
    """Draw those of the memory; `undo` draws the button of one that can be undone."""
    _draw(undo, chat=False)


def draw_in_chat(undo: Callable[[int], None]) -> None:
    """Draw those that belong beside the composer."""
    _draw(undo, chat=True)


def _draw(undo: Callable[[int], None], *, chat: bool) -> None:
    for index, notice in enumerate(waiting()):
        if notice.chat is not chat:
            continue
        done_ = notice.tone == "done"
        with st.container(
            horizontal=True, vertical_alignment="center", gap="small", key=f"notice_{index}", wrap=False
        ):
            icon, role = ("check_circle", "status") if done_ else ("error", "alert")
            show(said(icon, sentence(notice), role=role, tone=notice.tone))
            if notice.undo:
                undo(index)
            st.button(
                t("close"),
                key=f"notice_close_{index}",
                icon=material("close"),
                type="tertiary",
                on_click=_close,
                args=(index,),
                help=t("close"),
            )


def _close(index: int) -> None:
    left = waiting()
    if index < len(left):
        del left[index]
    st.session_state.notices = left


def _add(notice: Notice) -> None:
    told = waiting()
    if notice not in told:
        st.session_state.notices = [*told, notice][-MOST:]
