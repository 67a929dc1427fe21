"""The memory beside the chat: what is stored, what of it is sent, and every way to change it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from memory import Kind, State
from memory.pairs import whole

from . import actions, confirm, detail, edits, live, notices, redraw, sealed, state, timeline
from .desk_access import desk
from .icons import material
from .markup import empty, show
from .text import html
from .words import listed, sentences, t, word

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from desk.values import View
    from memory import Entry

PAGE = 200  # entries drawn at a time


def draw(view: View, seen: Hashable) -> None:
    """Draw the panel of the session that `view` shows; `seen` is what `live.news` gave before it was read.

    Looking at an entry or at another page redraws the panel alone. Whatever changes the session, and
    whatever changed it meanwhile, redraws the whole page: the areas never disagree.
    """
    fresh = True

    @st.fragment(key="memory")
    def part() -> None:
        nonlocal fresh
        first, fresh = fresh, False
        if not first and (redraw.wanted() or live.news(view.address) != seen):
            st.rerun()
        with st.container(border=True, key="panel", gap="xsmall"):
            if view.address.backend == "none":
                _no_memory(view)
            else:
                _draw(view)

    part()


def _draw(view: View) -> None:
    page = _page(view)
    # What is looked at as it would be later cannot be edited: it is not there yet.
    locked = edits.locked(view) or bool(page.ahead)
    _head(view, locked)
    edits.draw(view, locked)
    edits.limit()
    if view.keys:
        sealed.draw(view, locked)
    notices.draw(lambda index: edits.undo(view, locked, f"notice_undo_{index}"))
    _list(view, page, locked)
    _foot(view, page)
    _detail(view, page, locked)


def _page(view: View) -> View:
    """The page of entries the list shows: the newest, or an older one."""
    pages, ahead = st.session_state.get("pages"), sealed.ahead() if view.keys else 0
    if not pages and not ahead:
        return view
    older = desk().look(
        view.address, before=pages[-1] if pages else None, limit=PAGE, turns=state.turns(), ahead=ahead
    )
    if older.problem or not older.timeline.entries:
        st.session_state.pop("pages", None)
        return view
    return older


def _head(view: View, locked: bool) -> None:
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="panel_head", wrap=False
    ):
        counts = f'<span class="md-dim">{html(_counts(view))}</span>'
        show(f'<h2 class="md-h2">{html(t("memory"))}{counts}</h2>')
        confirm.menu(view, locked)


def _counts(view: View) -> str:
    if view.address.backend == "none":
        return ""
    entries = view.timeline
    if entries.total is None or (view.problem and not entries.total):
        return t("counting") if entries.entries else ""
    words = t("count_items", n=entries.total)
    return words if entries.turns is None else f"{words} · {t('count_turns', n=entries.turns)}"


def _list(view: View, page: View, locked: bool) -> None:
    with st.container(key="timeline"):
        if not page.timeline.entries:
            _empty(view)
            return
        behind = unsent(page, view.timeline.turns, state.turns())
        timeline.draw(
            _at_work(page),
            key="timeline_list",
            selected=st.session_state.get("selected"),
            page=f"{view.address}/{len(st.session_state.get('pages', ()))}",
            unsent=behind,
            sent_words=sent_words(view, page, behind),
            none_sent=page.timeline.entries[-1].id in behind and not st.session_state.get("pages"),
            on_pick=_pick,
            on_undo=(lambda: actions.undo(view.address)) if view.can_undo and not locked else None,
        )


def _at_work(page: View) -> Sequence[Entry]:
    """The entries; a call of the live run has no result yet, which is no fault."""
    if page.run is None or not page.run.active:
        return page.timeline.entries
    return [
        replace(entry, state=State.OK)
        if entry.state is State.UNPAIRED and entry.kind is Kind.TOOL_CALL
        else entry
        for entry in page.timeline.entries
    ]


def unsent(page: View, turns: int | None, rule: int) -> frozenset[str]:
    """The entries of a page that stay behind when the newest `rule` of `turns` whole turns are sent."""
    entries = page.timeline.entries
    if rule == 0:
        return frozenset(entry.id for entry in entries)
    if turns is None:
        at = next((i for i, entry in enumerate(entries) if entry.id == page.sent_from), 0)
        return frozenset(entry.id for entry in entries[:at])
    cut = turns - rule  # turns up to this number stay behind; with fewer turns than the rule, none does
    if cut < 0:
        return frozenset()
    return frozenset(entry.id for entry in entries if entry.turn is not None and entry.turn <= cut)


def sent_words(view: View, page: View, behind: frozenset[str]) -> str:
    """What is said where sending begins: how much goes with the next message and how much stays behind.

    The numbers are known where the list shows the newest entries and nothing is going on or waiting, which
    would add to what is sent.
    """
    total = page.timeline.total
    going = [entry for entry in page.timeline.entries if entry.id not in behind]
    open_ = view.waiting is not None or any(entry.state is State.UNPAIRED for entry in going)
    if total is None or open_ or edits.locked(view) or st.session_state.get("pages") or page.ahead:
        return t("sent_from_here")
    sent = len(whole(going))
    return t("sent_from_here_n", n=sent, left=total - sent)


def _empty(view: View) -> None:
    if view.problem == sealed.NO_KEY:
        sealed.missing_key(view)
    elif view.problem:
        show(empty("error", word("reason", view.problem, "reason_unknown", **view.params)), "md-empty")
    elif view.can_undo:
        show(empty("undo", t("empty_undo")), "md-empty")
    else:
        show(empty("inbox", t("empty")), "md-empty")


def _pick(entry_id: str | None) -> None:
    st.session_state.selected = entry_id


def _foot(view: View, page: View) -> None:
    """Under the list: what a person should know about the page, and the way to older ones."""
    words = _caution(page)
    pages = st.session_state.get("pages")
    if not (page.timeline.older or pages or words):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="paging"):
        show(f'<p class="md-dim md-foot">{html(words)}</p>')
        if page.timeline.older and page.timeline.entries:
            first = page.timeline.entries[0].id
            st.button(
                t("older"),
                key="older",
                icon=material("arrow_upward"),
                type="tertiary",
                on_click=_older,
                args=(first,),
            )
        if pages:
            st.button(
                t("newer"), key="newer", icon=material("arrow_downward"), type="tertiary", on_click=_newer
            )


def _caution(page: View) -> str:
    parts = []
    if page.timeline.unread is not None:
        parts += sealed.unread_words(page.timeline.unread)
    elif unreadable := page.timeline.unreadable:
        kinds = sorted({word("state", entry.state, "state_corrupt") for entry in unreadable})
        parts.append(t("unreadable", n=len(unreadable), kinds=listed(kinds)))
    if page.address.backend == "memory":
        parts.append(t("gone_when_stopped"))
    if page.keys:
        parts.append(t("sealed_honest"))
    if page.ledger_apart:
        parts.append(t("ledger_apart"))
    return sentences(parts)


def _older(before: str) -> None:
    st.session_state.pages = [*st.session_state.get("pages", ()), before]
    st.session_state.pop("selected", None)


def _newer() -> None:
    st.session_state.pages = st.session_state.get("pages", [])[:-1]
    st.session_state.pop("selected", None)


def _detail(view: View, page: View, locked: bool) -> None:
    entries = page.timeline.entries
    at = _place(entries, st.session_state.get("selected"))
    if at is None:
        return

    def step(by: int) -> None:
        st.session_state.selected = entries[max(0, min(at + by, len(entries) - 1))].id if by else None

    detail.draw(view, entries[at], page.effects, locked=locked, step=step)


def _place(entries: Sequence[Entry], entry_id: str | None) -> int | None:
    return next((index for index, entry in enumerate(entries) if entry.id == entry_id), None)


def _no_memory(view: View) -> None:
    _head(view, locked=True)
    notices.draw(lambda index: None)
    with st.container(key="timeline"):
        show(empty("cloud_off", t("no_memory"), t("no_memory_why")), "md-empty")
