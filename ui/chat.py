"""The conversation as it is stored, the live answer below it, and the box one writes in."""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from memory import Kind

from . import actions, approval, bubbles, composer, edits, guide, live, notices, sealed
from .browser import recovering
from .desk_access import desk
from .icons import material, symbol
from .markup import empty, show
from .pieces import Piece, from_entries, from_run
from .text import MOST, html
from .unstored import from_past
from .words import sentences, t, word

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from desk.values import Address, Run, View
    from memory import Entry

TOGETHER = 8  # turns drawn as one element
MORE = 200  # entries that "Earlier messages" adds
AT_ONCE = 40_000  # characters, folded ones included, drawn at first; "Earlier messages" adds as many


def look(address: Address, turns: int) -> tuple[View, Hashable]:
    """The session as it is now, and the value that tells when to look again."""
    # What tells of news is read first: what changes between the two readings is then noticed, not missed.
    began = time.monotonic()
    seen = live.news(address)
    limit = MORE * _pages(address)
    view = desk().look(address, limit=limit, turns=turns)
    view = replace(view, took=time.monotonic() - began)
    _emptied_elsewhere(view)
    return view, seen


def draw(view: View, seen: Hashable) -> None:
    """Draw the column: messages, cards, composer, and who answers."""
    # The key changes with each message sent: a new area starts at its end and follows it.
    place = hashlib.sha256(str(view.address).encode("utf-8", "surrogatepass")).hexdigest()[:8]
    key = f"chat_{place}_{st.session_state.get('sends', 0)}"
    with st.container(border=True, autoscroll=True, height=480, gap=None, key=key):
        _messages(view, seen)
    with st.container(key="composer_box", gap=None):
        # Always there: what is below it stays what it is.
        with st.container(key="composer_notices", gap=None):
            notices.draw_in_chat(lambda index: edits.undo(view, edits.locked(view), f"notice_undo_{index}"))
        composer.draw(actions.submit, view.address)
        _who_answers(view.address)
        composer.put_back()
        recovering()


def _messages(view: View, seen: Hashable) -> None:
    active = view.run is not None and view.run.active
    if view.problem:
        why = [word("reason", view.problem, "reason_unknown", **view.params)]
        if view.problem == sealed.NO_KEY:
            why.append(t("no_key_where"))
        show(empty("error", *why), "md-empty")
    elif not (view.timeline.entries or view.past or active):
        guide.chips(view.address)
    turns = _turns(view)
    begun = _taken_up(turns, view.run) if active and view.run is not None else []
    pages = _pages(view.address)
    shown = lightened(turns, AT_ONCE * pages, pages)
    _earlier(view, more=len(shown) < len(turns))
    for group in grouped(shown, view.timeline.turns):
        show("".join(block for pieces in group for block in bubbles.blocks(pieces)))
    if not active and view.run is not None:
        _unsaved(view, view.run)
    live.draw(view, seen, _speaker(turns), begun)
    if not active:
        if view.waiting is not None:
            guide.draw(view)  # what it tells to look at is the card
        approval.draw(view)
        _last_turn(view)
        if view.waiting is None:
            guide.draw(view)


def _turns(view: View) -> list[list[Piece]]:
    """What is drawn above the live answer."""
    if view.address.backend == "none":
        return from_past(view.past, view.effects)
    shown = settled(view.timeline.entries, view.run)
    return from_entries(shown, view.notes, view.effects, start=not view.timeline.older)


def lightened(turns: list[list[Piece]], limit: int, least: int) -> list[list[Piece]]:
    """The newest turns that hold at most `limit` characters together, and the last `least` in any case."""
    first = len(turns)
    for pieces in reversed(turns):
        limit -= sum(min(len(piece.text), MOST) + min(len(piece.output or ""), MOST) for piece in pieces)
        if limit < 0 and len(turns) - first >= least:
            break
        first -= 1
    return turns[first:]


def grouped(turns: list[list[Piece]], total: int | None) -> list[list[list[Piece]]]:
    """Turns in groups that are drawn as one element each.

    A hundred elements are slow to draw. The groups end at round turn numbers, so that a new turn changes
    only the last of them, and what was unfolded further up stays so.
    """
    first = (total or len(turns)) - len(turns)
    groups: dict[int, list[list[Piece]]] = {}
    for number, pieces in enumerate(turns, first):
        groups.setdefault(number // TOGETHER, []).append(pieces)
    return list(groups.values())


def settled(entries: Sequence[Entry], run: Run | None) -> Sequence[Entry]:
    """The stored entries that are drawn as such: while a run is live, those from before it."""
    if run is None or not run.active:
        return entries
    if run.base is None:
        return ()
    at = next((index for index, entry in enumerate(entries) if entry.id == run.base), None)
    return entries if at is None else entries[: at + 1]


def _taken_up(turns: list[list[Piece]], run: Run) -> list[Piece]:
    """Take off the end the calls that a run after a decision goes on with: it draws their results too."""
    begun: list[Piece] = []
    while run.question is None and turns and turns[-1] and turns[-1][-1].kind == "call":
        if turns[-1][-1].output is not None:
            break
        begun.insert(0, turns[-1].pop())
    return begun


def _speaker(turns: list[list[Piece]]) -> str | None:
    """The agent named last, so that a run that goes on after a decision does not name it again."""
    spoken = [piece for pieces in turns[-1:] for piece in pieces if piece.kind != "note"]
    return spoken[-1].agent if spoken and spoken[-1].kind != "user" else bubbles.PERSON


def _unsaved(view: View, run: Run) -> None:
    """What was shown and could not be stored stays on the page, marked."""
    if run.saved or view.address.backend == "none":
        return
    pieces = from_run(run)
    show("".join(bubbles.blocks(pieces)) + bubbles.note_line("unsaved"), "md-unsaved")
    st.button(
        t("save_again"),
        key="save_again",
        icon=material("save"),
        on_click=actions.save_again,
        args=(view.address,),
    )


def _pages(address: Address) -> int:
    """How many portions of messages are drawn."""
    return 1 + int(st.session_state.get("earlier", {}).get(str(address), 0))


def _earlier(view: View, *, more: bool) -> None:
    if more or view.timeline.older:
        with st.container(horizontal=True, horizontal_alignment="center", key="earlier_row"):
            st.button(
                t("earlier"),
                key="earlier_messages",
                icon=material("history"),
                type="tertiary",
                on_click=_show_earlier,
                args=(str(view.address),),
            )


def _show_earlier(address: str) -> None:
    pages = dict(st.session_state.get("earlier", {}))
    pages[address] = pages.get(address, 0) + 1
    st.session_state.earlier = pages


def _last_turn(view: View) -> None:
    asked = any(entry.kind is Kind.USER for entry in view.timeline.entries)
    asked = asked or any(run.question for run in view.past)
    if not asked or view.busy or view.problem:
        return
    with st.container(horizontal=True, gap="small", key="last_turn"):
        st.button(
            t("retry"),
            key="retry",
            icon=material("refresh"),
            type="tertiary",
            on_click=actions.retry,
            args=(view.address,),
        )
        st.button(
            t("edit_and_resend"),
            key="edit_and_resend",
            icon=material("edit"),
            type="tertiary",
            on_click=actions.edit_and_resend,
            args=(view.address,),
        )


def _who_answers(address: Address) -> None:
    model = desk().model()
    words = word("model", model.why_key, "model_other", **model.params)
    if model.problem:
        words = word("model", model.problem, "model_unusable", **model.params)
    elif model.why_key == "offline" and address.backend != "none":
        words = sentences((words, t("memory_is_real")))
    show(f'<p class="md-model">{symbol("memory")}<span>{html(words)}</span></p>')


def _emptied_elsewhere(view: View) -> None:
    """Say so when the session this tab shows was emptied or deleted by another one."""
    had = st.session_state.get("had_entries")
    now = bool(view.timeline.entries)
    if view.problem or (view.run is not None and view.run.active):
        return
    if had == str(view.address) and not now and not view.can_undo:
        notices.refuse("emptied_elsewhere")
    st.session_state.had_entries = str(view.address) if now else None
