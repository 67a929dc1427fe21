"""Copying a session to another backend: where to, how far it is, and what came of it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from . import actions, menus, notices, owed, progress, sealed, state
from .browser import focus
from .desk_access import desk
from .icons import material
from .markup import dim, facts, said, show
from .naming import backend_named
from .text import html, label, line
from .words import known, listed, t, word

if TYPE_CHECKING:
    from desk.values import Address, Copying, Outcome, View
    from memory import Receipt


@dataclass(frozen=True, slots=True)
class Asked:
    """The open dialog: for which session, and which place is proposed. `number` tells openings apart."""

    address: Address
    backend: str
    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Discard:
    """The open question whether to delete what was copied: how much it was, and its revision, when asked."""

    entries: int
    revision: Hashable


def button(view: View) -> None:
    """Draw the button that asks where to."""
    st.button(
        t("copy_to"),
        key="copy_to",
        icon=material("content_copy"),
        width="stretch",
        disabled=not view.timeline.entries,
        on_click=ask,
        args=(view.address,),
        help=None if view.timeline.entries else t("reason_nothing_to_copy"),
    )


def ask(address: Address, backend: str | None = None) -> None:
    """Open the dialog; `backend` is the one that is proposed, by default the first other one."""
    notices.clear()
    menus.close()
    chosen = backend or next((name for name in _backends() if name != address.backend), address.backend)
    number = st.session_state.get("copies_asked", 0) + 1
    st.session_state.copies_asked = number
    st.session_state.pop("copy_refused", None)
    st.session_state.pop("copy_question", None)
    st.session_state.dialog = Asked(address, chosen, _free_name(address, chosen), number)


def start(address: Address, backend: str, name: str) -> None:
    """Begin; what the desk refuses is said in the dialog."""
    st.session_state.pop("copy_refused", None)

    def then(outcome: Outcome) -> None:
        if not outcome.ok:
            st.session_state.copy_refused = (outcome.reason, outcome.params)

    owed.after(address, lambda: desk().copy(address, backend, name), then)


def dialog(address: Address) -> None:
    """Draw the dialog, where it is open."""
    asked = st.session_state.get("dialog")
    if isinstance(asked, Asked) and asked.address == address:
        st.dialog(t("copy_title"), on_dismiss=_close)(_dialog)(asked)


def _dialog(asked: Asked) -> None:
    copying = desk().copying(asked.address)
    if copying is None:
        _form(asked)
    elif copying.active:
        _progress(copying)
    elif copying.receipt is not None:
        _receipt(copying, copying.receipt)
    else:
        _problem(copying)


def _backends() -> list[str]:
    return [known.name for known in desk().backends() if known.kind != "none" and known.problem is None]


def _free_name(address: Address, backend: str) -> str:
    """The same id where nobody has it there, else one that is free."""
    taken = {info.session_id for info in desk().sessions(backend)}
    stem = f"{address.session_id[:120]}-copy"
    names = (address.session_id, stem, *(f"{stem}{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


# Where to


def _form(asked: Asked) -> None:
    name, backend = f"copy_name_{asked.number}", f"copy_backend_{asked.number}"
    backends = _backends()
    words = {name: backend_named(name) for name in backends}
    show(f"<p>{html(t('copy_says', session=line(asked.address.session_id, 80)))}</p>")
    if sealed.leaves_cover(asked.address.backend, backends):
        show(said("lock_open", t("copy_opens"), tone="info"))
    with st.form("copy_form", border=False, enter_to_submit=True):
        st.selectbox(
            t("backend"),
            backends,
            index=backends.index(asked.backend) if asked.backend in backends else 0,
            key=backend,
            format_func=words.__getitem__,
        )
        st.text_input(t("session_name"), value=asked.name, key=name, help=t("session_name_help"))
        refused = st.session_state.get("copy_refused")
        keyless = bool(refused) and refused[0] == "no_key" and desk().unkept_key() is None
        if refused:
            reason, params = refused
            show(said("error", _reason(reason, params), role="alert", tone="problem"))
        st.form_submit_button(
            t("copy_start"),
            key="copy_start",
            type="secondary" if keyless else "primary",  # first of all, there has to be a key
            icon=material("content_copy"),
            on_click=_start,
            args=(asked, backend, name),
            width="stretch",
        )
    if keyless:
        st.button(
            t("make_key"),
            key="copy_make_key",
            type="primary",
            icon=material("key"),
            on_click=actions.make_key,
            width="stretch",
        )
    sealed.new_key("copy")
    if st.button(t("cancel"), key="copy_cancel", width="stretch"):
        _close()
        st.rerun()


def _start(asked: Asked, backend: str, name: str) -> None:
    start(asked.address, st.session_state[backend], st.session_state.get(name) or "")


def _reason(reason: str | None, params: Mapping[str, Any], family: str = "reason") -> str:
    values = {key: line(value, 80) if isinstance(value, str) else value for key, value in params.items()}
    return word(family, reason or "", "reason_unknown", **values)


# How far


def _progress(copying: Copying) -> None:
    show(f"<p>{html(t('copy_going', **_names(copying)))}</p>")
    progress.draw(
        copying,
        lambda: desk().copying(copying.source),
        lambda done, total: t("copy_progress", done=done, total=total),
        lambda: desk().stop_copy(copying.source),
        key="copy",
        goes_on=t("copy_goes_on"),
        stops=t("copy_stop"),
    )


# What came of it


def _receipt(copying: Copying, receipt: Receipt) -> None:
    names = _names(copying)
    whole = receipt.same and receipt.ordered
    told = t("copy_done", n=receipt.copied, seen=receipt.seen, **names)
    show(said("check_circle" if whole else "error", told, tone="done" if whole else "problem"))
    show(facts(receipt_rows(receipt)))
    if st.button(
        t("copy_open"), key="copy_open", type="primary", icon=material("open_in_new"), width="stretch"
    ):
        _close()
        state.go(backend=copying.target.backend, session_id=copying.target.session_id)
        st.rerun()
    if st.button(t("copy_stay"), key="copy_stay", width="stretch"):
        _close()
        st.rerun()
    focus("copy_open")


def receipt_rows(receipt: Receipt) -> list[tuple[str, str]]:
    """The receipt in words, row by row."""
    left = listed(
        t("copy_left_n", n=count, why=word("copy_left", reason, "copy_left_other"))
        for reason, count in receipt.left_out.items()
    )
    rows = [
        (t("copy_left"), left or t("copy_nothing")),
        (t("copy_order"), t("copy_order_kept") if receipt.ordered else t("copy_order_lost")),
        (t("copy_content"), t("copy_same") if receipt.before == receipt.after else t("copy_differs")),
        (t("copy_changed"), t("copy_changed_n", n=receipt.changed) if receipt.changed else ""),
        (t("copy_before"), receipt.before),
        (t("copy_after"), receipt.after),
        (t("copy_times"), _kept(receipt.times_lost)),
        (t("copy_authors"), _kept(receipt.authors_lost)),
    ]
    if receipt.notes or receipt.notes_lost:
        rows.append((t("copy_notes"), t("copy_notes_n", n=receipt.notes, lost=receipt.notes_lost)))
    if receipt.changes_lost:
        kept = t("copy_undo_n", n=receipt.changes_lost, kept=receipt.kept_lost)
        rows.append((t("copy_undo"), kept))
    if receipt.unreadable:
        rows.append((t("copy_unreadable"), t("copy_unreadable_n", n=receipt.unreadable)))
    if receipt.already:
        rows.append((t("copy_already"), t("count_items", n=receipt.already)))
    if receipt.later:
        rows.append((t("copy_later"), t("copy_later_n", n=receipt.later)))
    return rows


def _kept(lost: int) -> str:
    return t("copy_not_kept", n=lost) if lost else t("copy_kept")


def _why_ended(reason: str | None, params: Mapping[str, Any]) -> str:
    """Why a copy has ended: not quite what the same trouble means elsewhere, as a part of it is there."""
    own = known(f"copy_problem_{reason}")
    return _reason(reason, params, family="copy_problem" if own else "reason")


def _problem(copying: Copying) -> None:
    # What stands in the way of going on is newer than what had ended the copy.
    refused = st.session_state.get("copy_refused")
    reason, params = refused or (copying.problem, copying.params)
    stopped = reason == "copy_stopped"
    words = _why_ended(reason, params) if refused is None else _reason(reason, params)
    progress.problem(words, stopped=stopped)
    if copying.done:
        show(dim(t("copy_there", n=copying.done, **_names(copying))))
    if isinstance(st.session_state.get("copy_question"), Discard):
        _discard(copying, st.session_state.copy_question)
        return
    anew = copying.unfinished or "session_not_empty" in (reason, copying.problem)
    if anew:
        _begin_anew(copying)
    elif progress.again("copy_again"):
        start(copying.source, copying.target.backend, copying.target.session_id)
        st.rerun()
    if st.button(t("close"), key="copy_close", width="stretch"):
        _close()
        st.rerun()
    focus("copy_fresh" if anew else "copy_again")


def _begin_anew(copying: Copying) -> None:
    """Where the copy cannot be gone on with: another one, or without what is there of this one."""
    if st.button(
        t("move_copy_named"), key="copy_fresh", type="primary", icon=material("content_copy"), width="stretch"
    ):
        _close()
        ask(copying.source, copying.target.backend)
        st.rerun()
    if copying.unfinished and st.button(
        t("copy_discard"), key="copy_discard_ask", icon=material("delete"), width="stretch"
    ):
        found = desk().look(copying.target, limit=1).timeline.total or 0
        st.session_state.copy_question = Discard(found, desk().revision(copying.target))
        st.rerun()


def _discard(copying: Copying, asked: Discard) -> None:
    """The question before the part that was copied is deleted, with the thing and the count on the button."""
    name = copying.target.session_id
    show(f"<p>{html(t('delete_says', session=line(name, 80)))}</p>")
    if st.button(t("cancel"), key="copy_discard_cancel", width="stretch"):
        st.session_state.pop("copy_question", None)
        st.rerun()
    does = t("delete_button", session=label(name, 32), n=asked.entries)
    if st.button(does, key="copy_discard", type="primary", icon=material("delete_forever"), width="stretch"):
        if st.session_state.pop("copy_question", None) is not None:  # a double click asks once
            _delete(copying, asked)
        st.rerun()
    focus("copy_discard_cancel")


def _delete(copying: Copying, asked: Discard) -> None:
    target = copying.target
    if desk().revision(target) != asked.revision:
        st.session_state.copy_refused = ("stale", {})  # the count on the button is not what would go
        return
    outcome = desk().delete(target)
    if not outcome.ok:
        st.session_state.copy_refused = (outcome.reason, outcome.params)
        return
    _close()
    ask(copying.source, target.backend)


def _names(copying: Copying) -> dict[str, str]:
    return {"session": line(copying.target.session_id, 80), "backend": backend_named(copying.target.backend)}


def _close() -> None:
    """Close the dialog. A copy goes on; one that has ended was seen."""
    asked = st.session_state.pop("dialog", None)
    st.session_state.pop("copy_refused", None)
    st.session_state.pop("copy_question", None)
    if isinstance(asked, Asked):
        desk().forget_copy(asked.address)
