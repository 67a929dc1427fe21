"""The memory beside the chat: what is stored, what of it is sent, and every way to change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memory.edits import Clear, Truncate

from . import actions, confirm, detail, icons, notices, preview, state, timeline
from .desk_access import desk
from .text import html
from .words import t, word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desk.values import View
    from memory.entries import Entry

PAGE = 200  # entries drawn at a time


def draw(view: View) -> None:
    """Draw the panel of the session that `view` shows."""
    with st.container(border=True, key="panel", gap="xsmall"):
        if view.address.backend == "none":
            _no_memory(view)
            return
        page = _page(view)
        locked = _locked(view)
        _head(view, locked)
        _edits(view, locked)
        _limit()
        notices.draw(lambda index: _undo(view, locked, f"notice_undo_{index}"))
        _list(view, page)
        _paging(view, page)
        _detail(view, page, locked)


def _page(view: View) -> View:
    """The page of entries the list shows: the newest, or an older one."""
    pages = st.session_state.get("pages")
    if not pages:
        return view
    older = desk().look(view.address, before=pages[-1], limit=PAGE, turns=state.turns())
    if older.problem or not older.timeline.entries:
        st.session_state.pop("pages", None)
        return view
    return older


def _locked(view: View) -> bool:
    """Whether the session may not be changed now, because an answer is being written."""
    return bool(view.busy or (view.run and view.run.active) or view.problem)


def _head(view: View, locked: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="panel_head"):
        st.html(
            f'<div class="md"><h2 class="md-h2">{html(t("memory"))}<span class="md-dim">{html(_counts(view))}</span></h2></div>'
        )
        confirm.menu(view, locked)


def _counts(view: View) -> str:
    entries = view.timeline
    if entries.total is None:
        return t("counting") if entries.entries else ""
    words = t("count_items", n=entries.total)
    if entries.turns is not None:
        words += " · " + t("count_turns", n=entries.turns)
    return words


def _edits(view: View, locked: bool) -> None:
    empty = not view.timeline.entries
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="panel_edits"):
        _undo(view, locked, "undo")
        st.button(
            t("redo"),
            key="redo",
            icon=icons.material("redo"),
            disabled=locked or not view.can_redo,
            on_click=actions.redo,
            args=(view.address,),
            help=_why(locked, view.can_redo, "reason_nothing_to_redo"),
        )
        with st.popover(
            t("truncate"), icon=icons.material("content_cut"), disabled=locked or empty, key="truncate_menu"
        ):
            _truncate(view)
        with st.popover(
            t("clear"), icon=icons.material("delete_sweep"), disabled=locked or empty, key="clear_menu"
        ):
            _clear(view)


def _undo(view: View, locked: bool, key: str) -> None:
    st.button(
        t("undo"),
        key=key,
        icon=icons.material("undo"),
        disabled=locked or not view.can_undo,
        on_click=actions.undo,
        args=(view.address,),
        help=_why(locked, view.can_undo, "reason_nothing_to_undo"),
    )


def _why(locked: bool, possible: bool, otherwise: str) -> str | None:
    if locked:
        return t("while_live")
    return None if possible else t(otherwise)


def _truncate(view: View) -> None:
    most = max(view.timeline.turns or MOST_TURNS, 1)
    st.session_state.truncate_turns = min(int(st.session_state.get("truncate_turns", min(2, most))), most)
    keep = st.number_input(t("keep_last"), min_value=0, max_value=most, step=1, key="truncate_turns")
    shown = desk().plan(view.address, Truncate(keep_turns=int(keep)))
    preview.draw(shown)
    st.button(
        t("truncate_to", n=int(keep)),
        key="truncate",
        type="primary",
        icon=icons.material("content_cut"),
        disabled=not preview.possible(shown),
        on_click=actions.apply,
        args=(view.address, shown.plan),
        width="stretch",
    )


MOST_TURNS = 100_000  # offered where turns are not counted yet


def _clear(view: View) -> None:
    shown = desk().plan(view.address, Clear())
    preview.draw(shown)
    st.button(
        t("clear_session"),
        key="clear",
        type="primary",
        icon=icons.material("delete_sweep"),
        disabled=not preview.possible(shown),
        on_click=actions.apply,
        args=(view.address, shown.plan),
        width="stretch",
    )


def _limit() -> None:
    """How many turns are sent: so that forgetting can be shown without removing anything."""
    st.session_state.turns_sent = state.turns()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="limit"):
        st.html(f'<div class="md"><p class="md-limit">{html(t("turns_sent"))}</p></div>', width="stretch")
        st.number_input(
            t("turns_sent"),
            min_value=0,
            max_value=state.MOST_TURNS,
            step=1,
            key="turns_sent",
            label_visibility="collapsed",
            on_change=_limit_set,
            width=128,
        )


def _limit_set() -> None:
    value = st.session_state.turns_sent
    if value is not None:
        st.session_state.turns = max(0, min(int(value), state.MOST_TURNS))


def _list(view: View, page: View) -> None:
    entries = page.timeline.entries
    with st.container(key="timeline"):
        if not entries:
            _empty(view)
            return
        timeline.draw(
            entries,
            key="timeline_list",
            selected=st.session_state.get("selected"),
            page=f"{view.address}/{len(st.session_state.get('pages', ()))}",
            sent_from=page.sent_from,
            on_pick=_pick,
            on_undo=(lambda: actions.undo(view.address)) if view.can_undo and not _locked(view) else None,
        )


def _empty(view: View) -> None:
    if view.problem:
        text, icon = word("reason", view.problem, "reason_unknown", **view.params), "error"
    elif view.can_undo:
        text, icon = t("empty_undo"), "undo"
    else:
        text, icon = t("empty"), "inbox"
    st.html(f'<div class="md md-empty">{icons.symbol(icon)}<p>{html(text)}</p></div>')


def _pick(entry_id: str | None) -> None:
    st.session_state.selected = entry_id


def _paging(view: View, page: View) -> None:
    entries = page.timeline.entries
    notes = _foot(view, page)
    paged = bool(st.session_state.get("pages"))
    if not (page.timeline.older or paged or notes):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="paging"):
        st.html(f'<div class="md"><p class="md-dim md-foot">{html(notes)}</p></div>', width="stretch")
        if page.timeline.older and entries:
            st.button(
                t("older"),
                key="older",
                icon=icons.material("arrow_upward"),
                type="tertiary",
                on_click=_older,
                args=(entries[0].id,),
            )
        if paged:
            st.button(
                t("newer"),
                key="newer",
                icon=icons.material("arrow_downward"),
                type="tertiary",
                on_click=_newer,
            )


def _foot(view: View, page: View) -> str:
    """What a person should know about the page: how it is kept, what of it cannot be read."""
    parts = []
    unreadable = page.timeline.unreadable
    if unreadable:
        kinds = sorted({word("state", entry.state, "state_corrupt") for entry in unreadable})
        parts.append(t("unreadable", n=len(unreadable), kinds=", ".join(kinds)))
    if view.address.backend == "memory" and page.timeline.entries:
        parts.append(t("gone_when_stopped"))
    return " ".join(parts)


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

    detail.draw(view, entries[at], locked=locked, step=step)


def _place(entries: Sequence[Entry], entry_id: str | None) -> int | None:
    return next((index for index, entry in enumerate(entries) if entry.id == entry_id), None)


def _no_memory(view: View) -> None:
    with st.container(key="panel_head"):
        st.html(f'<div class="md"><h2 class="md-h2">{html(t("memory"))}</h2></div>')
    notices.draw(lambda index: None)
    with st.container(key="timeline"):
        st.html(
            f'<div class="md md-empty">{icons.symbol("cloud_off")}<p><b>{html(t("no_memory"))}</b></p>'
            f"<p>{html(t('no_memory_why'))}</p></div>"
        )
