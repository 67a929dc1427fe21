"""The card of the picked entry: what it is, its text, how it is stored, and what can be done from it."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import streamlit as st

from memory import Entry, Kind, RollBack, State, text_of

from . import actions, menus, preview, xray
from .desk_access import desk
from .effects import effect_words
from .icons import material
from .markup import dim, facts, show, title
from .naming import agent_words
from .text import MOST, line, plain, pretty
from .timeline import icon_of, kind_words, turn_words
from .words import sentences, t, word

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desk.effects import Effect
    from desk.values import Preview, View

SHOWN = 20_000  # characters of a raw text shown at first


def draw(
    view: View, entry: Entry, effects: Mapping[str, Effect], *, locked: bool, step: Callable[[int], None]
) -> None:
    """Draw the card.

    `effects` are by call id. `locked` disables what changes the session; `step` moves the pick by so many
    entries, and drops it for 0.
    """
    with st.container(border=True, key="detail"):
        _head(entry, step)
        if _actions(view, entry, locked):
            xray.draw(entry, when)
            return
        info, text, raw = st.tabs([t("info"), t("pretty"), t("raw")], key="detail_tabs")
        with info:
            show(_info(entry, effects.get(entry.call_id or "")))
        with text:
            _pretty(entry)
        with raw:
            _code(entry.raw, None, "raw")


def _by(entry: Entry) -> str:
    return agent_words(entry.agent) if entry.agent else ""


def _head(entry: Entry, step: Callable[[int], None]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap=None, key="detail_head"):
        number = "" if entry.position is None else f"#{entry.position}"
        show(title(icon_of(entry), kind_words(entry), f"{number} {line(_by(entry), 40)}"))
        for key, words, icon, by in (
            ("detail_previous", t("previous_item"), "keyboard_arrow_up", -1),
            ("detail_next", t("next_item"), "keyboard_arrow_down", 1),
            ("detail_close", t("close"), "close", 0),
        ):
            st.button(
                words, key=key, icon=material(icon), type="tertiary", help=words, on_click=step, args=(by,)
            )


def _actions(view: View, entry: Entry, locked: bool) -> bool:
    """Draw what can be done from the entry and what that would mean. Whether to show it as an X-ray."""
    shown = desk().plan(view.address, RollBack(to=entry.id))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="detail_actions"):
        st.button(
            t("roll_back_here"),
            key="roll_back",
            icon=material("undo"),
            disabled=locked or not preview.possible(shown),
            on_click=actions.apply,
            args=(view.address, shown.plan),
            help=t("while_live") if locked else None,
        )
        with menus.menu("branch_menu", t("branch_here"), "call_split", disabled=locked):
            name_key = f"branch_name_{entry.id}"
            ends = _ends_a_decision(view, entry, shown)
            with st.form("branch_form", border=False):
                st.text_input(
                    t("branch_name"),
                    value=f"{view.address.session_id[:120]}-b",
                    key=name_key,
                    help=t("branch_help") if ends else sentences((t("branch_help"), t("branch_stays"))),
                )
                if ends:
                    show(preview.decision_line(t("branch_ends_decision")), "md-preview")
                elif shown.plan is not None and shown.plan.taken:
                    show(preview.behind_line(len(shown.plan.taken)), "md-preview")
                st.form_submit_button(
                    t("make_branch"),
                    key="branch",
                    type="primary",
                    icon=material("call_split"),
                    on_click=actions.branch,
                    args=(view.address, entry.id, name_key),
                    width="stretch",
                )
        through = st.toggle(t("xray"), key="xray", help=t("xray_help"))
    preview.draw(shown)
    return through


def _ends_a_decision(view: View, entry: Entry, back: Preview) -> bool:
    """Whether a call that waits for a person is among what a branch from this entry would take.

    That is what `back`, a roll back to the entry, would leave. A decision whose effect is unknown is not
    ended by a branch; the desk refuses.
    """
    if view.waiting is None or view.effect_unknown:
        return False
    ids = {call[0] for call in view.waiting.calls}
    # Of two calls with one id, the newest is the one that waits.
    calls = {e.call_id: e.key for e in view.timeline.entries if e.kind is Kind.TOOL_CALL and e.call_id in ids}
    plan = back.plan
    return any(key <= entry.key and not (plan and plan.removes(key)) for key in calls.values())


def _info(entry: Entry, effect: Effect | None) -> str:
    return facts(
        (
            (t("kind"), kind_words(entry)),
            (t("agent"), _by(entry)),
            (t("turn"), turn_words(entry.turn)),
            (t("stored_at"), when(entry.created_at)),
            (t("expires_at"), when(entry.expires_at)),
            (t("size"), t("bytes", n=entry.size)),
            (t("call_id"), entry.call_id or ""),
            (t("readable"), "" if entry.state is State.OK else why_unreadable(entry)),
            (t("did"), "" if effect is None else effect_words(effect)),
        )
    )


def why_unreadable(entry: Entry) -> str:
    """A sentence about the state of an entry that is not as it should be."""
    if entry.written_as is not None:
        return t("state_why_renamed", session=line(entry.written_as, 128))
    return word("state_why", entry.state, "state_why_corrupt")


def _pretty(entry: Entry) -> None:
    if entry.item is None:
        show(dim(why_unreadable(entry)))
    elif entry.kind in (Kind.USER, Kind.ASSISTANT):
        _code(text_of(entry.item), None, "pretty")
    else:
        told = entry.item.get("arguments", entry.item.get("output"))
        _code(pretty(told if isinstance(told, str) else entry.raw), "json", "pretty")


def _code(text: str, language: str | None, key: str) -> None:
    """A text exactly as it is, the beginning of it where it is long."""
    long = len(text) > SHOWN
    everything = long and st.toggle(t("show_all", n=len(text)), key=f"detail_all_{key}")
    limit = MOST if everything else SHOWN
    st.code(plain(text, limit), language=language, wrap_lines=True)
    if everything and len(text) > MOST:
        show(dim(t("only_first", n=MOST)))


def when(moment: datetime | None) -> str:
    """A time in the browser's time zone; "" where it is not known."""
    if moment is None:
        return ""
    return moment.astimezone(_zone()).strftime("%Y-%m-%d %H:%M:%S")


def _zone() -> tzinfo:
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (KeyError, ValueError, OSError):
        return UTC
