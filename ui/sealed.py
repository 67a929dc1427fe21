"""What belongs to an encrypted session: its key, how long its items may be read, and the clock moved on.

Moving the clock changes the view only: it shows what would have expired by then, and nothing can be changed
from there. A time to live is a rule for reading; choosing one erases nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memory.entries import State

from . import actions, redraw
from .desk_access import desk
from .icons import material
from .markup import dim, empty, said, show
from .text import line
from .words import language, listed, t, word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desk.values import Address, View
    from memory import Unread

MINUTE, HOUR, DAY = 60, 3600, 86_400

LIFETIMES: tuple[int, ...] = (0, MINUTE, 10 * MINUTE, HOUR, DAY, 7 * DAY, 30 * DAY)
"""Times to live that are offered, in seconds; 0 for no end."""

MOMENTS: tuple[int, ...] = (0, 2 * MINUTE, 11 * MINUTE, HOUR, DAY, 8 * DAY, 31 * DAY)
"""How much later than now the session can be looked at, in seconds."""

NO_KEY = "no_key"

ORDER: tuple[State, ...] = (State.EXPIRED, State.AHEAD, State.LOCKED, State.CORRUPT, State.PLAINTEXT)
"""In which order the kinds of what cannot be sent are told."""

NAMED, NAME_SHOWN = 2, 24
"""So many session ids are named under which items were written, with so many characters each."""


def ahead() -> int:
    """How many seconds later than now this tab looks at the memory."""
    return int(st.session_state.get("ahead", 0))


def leaves_cover(source: str, targets: Sequence[str]) -> bool:
    """Whether what is sealed in one backend would lie in the open in one of the others."""
    encrypted = {known.name: known.encrypted for known in desk().backends()}
    return encrypted.get(source, False) and not all(encrypted.get(name, False) for name in targets)


def draw(view: View, locked: bool) -> None:
    """Draw the row of what concerns time, and what should be known about keys."""
    new_key("panel")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="sealed", wrap=False):
        _lifetime(view, locked)
        _clock()
    if ahead():
        show(said("schedule", t("looked_ahead", when=duration(ahead())), tone="info"))
    unread = view.timeline.unread
    plain = unread.states.get(State.PLAINTEXT, 0) if unread is not None else 0
    if plain:
        _in_the_open(view.address, plain, locked)


def unread_words(unread: Unread) -> list[str]:
    """What of the whole session no model will be sent, each kind by itself; none where all of it is."""
    kinds = [
        t("unread_kind", n=n, kind=word("state", state, "state_corrupt"))
        for state in ORDER
        if (n := unread.states.get(state, 0))
    ]
    renamed = sorted(unread.renamed.items(), key=lambda found: (-found[1], found[0]))
    kinds += [t("unread_renamed", n=n, session=line(id_, NAME_SHOWN)) for id_, n in renamed[:NAMED]]
    if more := sum(n for _, n in renamed[NAMED:]):
        kinds.append(t("unread_renamed_more", n=more))
    return [t("unread_whole", kinds=listed(kinds))] if kinds else []


def missing_key(view: View) -> None:
    """Where no key is set, stands in the place of the list: why, what is there, and the way to a key."""
    with st.container(horizontal_alignment="center", gap="small", key="no_key"):
        plain = (view.timeline.total or 0) - view.sealed
        why = [t("no_key_stored", n=view.sealed) if view.sealed else t("no_key_why")]
        if plain > 0:
            why.append(t("no_key_plain", n=plain))
        between = " " if language() == "en" else ""
        show(empty("key", t("reason_no_key"), between.join(why)), "md-empty")
        st.button(
            t("make_key"), key="make_key", type="primary", icon=material("key"), on_click=actions.make_key
        )


def new_key(place: str) -> None:
    """The key that was made here, until a person says that it is kept.

    The tab that made it shows it; another one, or this one after a reload, says that it is there and shows it
    to whoever asks. `place` tells two of these apart on one page.
    """
    key = desk().unkept_key()
    if key is None:
        return
    with st.container(border=True, key=f"new_key_{place}", gap="small"):
        if not st.session_state.get("key_shown"):
            show(said("key", t("key_unkept"), tone="info"))
            st.button(t("key_show"), key=f"key_show_{place}", icon=material("visibility"), on_click=show_key)
            return
        show(said("key", t("key_made"), tone="info"))
        st.code(f"DESK_ENCRYPTION_KEY={key}", language=None, wrap_lines=True)
        show(dim(t("key_keep")))
        st.button(t("key_kept"), key=f"key_kept_{place}", icon=material("check"), on_click=_put_away)


def show_key() -> None:
    """Show the new key in this tab."""
    st.session_state.key_shown = True
    redraw.want()


def _put_away() -> None:
    desk().key_kept()
    st.session_state.pop("key_shown", None)
    redraw.want()


def _lifetime(view: View, locked: bool) -> None:
    chosen = view.lifetime or 0
    st.session_state.lifetime_pick = chosen
    st.selectbox(
        t("lifetime"),
        LIFETIMES if chosen in LIFETIMES else (*LIFETIMES, chosen),
        key="lifetime_pick",
        label_visibility="collapsed",
        format_func=lambda seconds: t("readable_for", when=duration(seconds)) if seconds else t("for_ever"),
        on_change=_lifetime_picked,
        args=(view.address,),
        disabled=locked and not ahead(),
        icon=material("timer"),
        width="stretch",
    )


def _lifetime_picked(address: Address) -> None:
    actions.choose_lifetime(address, st.session_state.lifetime_pick or None)


def _clock() -> None:
    st.session_state.ahead_pick = ahead()
    st.selectbox(
        t("look_ahead"),
        MOMENTS,
        key="ahead_pick",
        label_visibility="collapsed",
        format_func=lambda seconds: t("later_by", when=duration(seconds)) if seconds else t("now"),
        on_change=_moved,
        icon=material("schedule"),
        width="stretch",
    )


def _moved() -> None:
    st.session_state.ahead = st.session_state.ahead_pick
    for name in ("selected", "pages"):
        st.session_state.pop(name, None)
    redraw.want()


def _in_the_open(address: Address, count: int, locked: bool) -> None:
    """Plain items in an encrypted session: ask, and seal them if told so."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="in_the_open"):
        show(said("lock_open", t("in_the_open", n=count), role="alert", tone="problem"))
        st.button(
            t("encrypt_them"),
            key="encrypt_them",
            icon=material("lock"),
            disabled=locked,
            on_click=actions.encrypt_plain_rows,
            args=(address,),
            help=t("while_live") if locked else None,
        )


def duration(seconds: int) -> str:
    """A length of time in the largest whole unit, in words."""
    for unit, length in (("days", DAY), ("hours", HOUR), ("minutes", MINUTE)):
        if seconds >= length:
            return t(unit, n=seconds // length)
    return t("seconds", n=seconds)
