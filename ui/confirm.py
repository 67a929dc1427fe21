"""What cannot be undone, apart from the rest: a menu, and one question that names the thing and the count."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from memory import Clear

from . import actions, copying, menus, newest_key, notices, redraw
from .browser import focus, recover
from .desk_access import desk
from .icons import material
from .markup import dim, show
from .text import html, label
from .words import t

if TYPE_CHECKING:
    from desk.values import Address, View


@dataclass(frozen=True, slots=True)
class Asked:
    """The open question: what is to go, and what it was when it was asked."""

    what: str
    address: Address
    revision: Hashable
    entries: int
    kept: int


def menu(view: View, locked: bool) -> None:
    """Draw the menu, and the question where one is open."""
    with menus.menu("more", t("more"), "more_horiz", kind="tertiary"):
        if view.address.backend != "none":
            _of_session(view, locked)
        show(dim(t("orders")))
        st.button(
            t("restore_samples"),
            key="restore_samples",
            icon=material("restart_alt"),
            width="stretch",
            on_click=actions.restore_samples,
            help=t("restore_samples_help"),
        )
    asked = st.session_state.get("dialog")
    if isinstance(asked, Asked) and asked.address == view.address:
        st.dialog(_name(asked.what), on_dismiss=_dismissed)(_question)(asked)
    copying.dialog(view.address)
    newest_key.dialog(view.address)


def _of_session(view: View, locked: bool) -> None:
    """What can be done with all that is stored of the session."""
    if view.undo_problem and view.newest_change is not None:
        st.button(
            t("branch_earlier"),
            key="branch_earlier",
            icon=material("call_split"),
            width="stretch",
            disabled=locked,
            on_click=actions.branch_earlier,
            args=(view.address, view.newest_change),
            help=t("while_live") if locked else t("branch_earlier_help"),
        )
    newest_key.button(view, locked)
    copying.button(view)
    show(dim(t("for_good")))
    stored = bool(view.timeline.entries)
    for what, icon, possible, otherwise in (
        ("purge", "ink_eraser", bool(view.changes) or view.unerased, t("reason_nothing_to_purge")),
        ("clear_for_good", "delete_forever", stored, t("nothing_goes")),
        ("delete", "delete", view.stored, t("no_session_yet")),
    ):
        st.button(
            _name(what),
            key=f"ask_{what}",
            icon=material(icon),
            width="stretch",
            disabled=locked or not possible,
            on_click=_ask,
            args=(what, view),
            help=t("while_live") if locked else None if possible else otherwise,
        )


def _name(what: str) -> str:
    return {"purge": t("purge"), "clear_for_good": t("clear_for_good"), "delete": t("delete_session")}[what]


def _ask(what: str, view: View) -> None:
    notices.clear()
    menus.close()
    total = view.timeline.total if view.timeline.total is not None else len(view.timeline.entries)
    kept = sum(change.added if change.undone else change.removed for change in view.changes)
    st.session_state.dialog = Asked(what, view.address, desk().revision(view.address), total, kept)


def _dismissed() -> None:
    st.session_state.pop("dialog", None)
    redraw.want()
    recover("more")


def _question(asked: Asked) -> None:
    name = asked.address.session_id
    says = {
        "purge": t("purge_says", session=name),
        "clear_for_good": t("clear_for_good_says", session=name),
        "delete": t("delete_says", session=name),
    }[asked.what]
    does = {
        "purge": t("purge_button", n=asked.kept) if asked.kept else t("erase_again"),
        "clear_for_good": t("clear_for_good_button", session=label(name, 32), n=asked.entries),
        "delete": t("delete_button", session=label(name, 32), n=asked.entries),
    }[asked.what]
    show(f"<p>{html(says)}</p><p>{html(t('orders_words_go'))}</p>")
    if st.button(t("cancel"), key="cancel", width="stretch"):
        _dismissed()
        st.rerun()
    if st.button(does, key="confirm", type="primary", icon=material("delete_forever"), width="stretch"):
        if st.session_state.pop("dialog", None) is not None:  # a double click asks once
            _do(asked)
        recover("more")
        st.rerun()
    focus("cancel")


def _do(asked: Asked) -> None:
    address = asked.address
    if desk().revision(address) != asked.revision:
        notices.refuse("stale")  # the count on the button is no longer what would go
        return
    if asked.what == "purge":
        actions.purge(address)
    elif asked.what == "delete":
        actions.delete(address)
    else:
        plan = desk().plan(address, Clear()).plan
        if plan is not None:
            actions.clear_for_good(address, plan)
