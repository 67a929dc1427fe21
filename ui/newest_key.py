"""Moving a session to its newest key: how far it is, and what came of it.

The move belongs to the desk. The dialog only looks at it: closed, opened again or opened in another tab, it
shows the same move until a person has seen how it ended.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from . import menus, notices
from .browser import focus
from .copying import EVERY
from .desk_access import desk
from .icons import material
from .markup import dim, said, show
from .text import html, line
from .words import t, word

if TYPE_CHECKING:
    from desk.values import Address, Resealing, View
    from memory import Resealed


@dataclass(frozen=True, slots=True)
class Asked:
    """The open dialog, and the session it is about."""

    address: Address


def button(view: View, locked: bool) -> None:
    """Draw the button that begins it, or shows it where it was begun."""
    if view.keys < 2:
        return
    locked = locked and desk().resealing(view.address) is None
    st.button(
        t("reencrypt"),
        key="reencrypt",
        icon=material("key"),
        width="stretch",
        disabled=locked,
        on_click=_begin,
        args=(view.address,),
        help=t("while_live") if locked else t("reencrypt_help"),
    )


def dialog(address: Address) -> None:
    """Draw the dialog, where it is open."""
    asked = st.session_state.get("dialog")
    if isinstance(asked, Asked) and asked.address == address:
        st.dialog(t("reencrypt"), on_dismiss=_close)(_dialog)(address)


def _begin(address: Address) -> None:
    notices.clear()
    menus.close()
    if desk().resealing(address) is None and not _start(address):
        return
    st.session_state.dialog = Asked(address)


def _start(address: Address) -> bool:
    """Begin, or go on. Whether it was begun; what the desk refuses is said."""
    outcome = desk().reencrypt(address)
    if not outcome.ok:
        notices.refuse(outcome.reason, **outcome.params)
    return outcome.ok


def _dialog(address: Address) -> None:
    resealing = desk().resealing(address)
    if resealing is None:
        _close()
        st.rerun()
    elif resealing.active:
        _progress(resealing)
    elif resealing.result is not None:
        _result(resealing.result)
    else:
        _problem(resealing)


def _progress(resealing: Resealing) -> None:
    show(f"<p>{html(t('reseal_going', session=line(resealing.address.session_id, 80)))}</p>")

    @st.fragment(run_every=EVERY, key="reseal_progress")
    def moving() -> None:
        now = desk().resealing(resealing.address)
        if now is None or now.id != resealing.id or not now.active:
            st.rerun()
        done, total = now.done, now.total
        words = t("copy_counting") if total is None else t("reseal_progress", done=done, total=total)
        if total is not None and done >= total:
            words = t("reseal_checking")
        st.progress(done / total if total else 0.0, text=words)

    moving()
    show(dim(t("reseal_goes_on")))
    st.button(
        t("stop"),
        key="reseal_stop",
        icon=material("stop_circle"),
        on_click=_stop,
        args=(resealing.address,),
        width="stretch",
    )


def _stop(address: Address) -> None:
    desk().stop_reencrypt(address)


def _result(result: Resealed) -> None:
    if not result.moved and not result.locked:
        show(said("check_circle", t("reseal_nothing"), tone="done"))
    else:
        show(said("check_circle", t("reseal_done", n=result.moved), tone="done"))
        if result.locked:
            show(said("key_off", t("reseal_locked", n=result.locked), role="alert", tone="problem"))
        elif result.erased:
            show(dim(t("reseal_retire")))
    if not result.erased:
        show(said("error", t("reseal_unerased"), role="alert", tone="problem"))
    _close_button()
    focus("reseal_close")


def _problem(resealing: Resealing) -> None:
    stopped = resealing.problem == "reseal_stopped"
    words = word("reason", resealing.problem or "", "reason_unknown", **resealing.params)
    if not stopped:
        words = t("reseal_failed", why=words)
    show(said("stop_circle" if stopped else "error", words, role="alert", tone="" if stopped else "problem"))
    if resealing.total:
        show(dim(t("reseal_progress", done=resealing.done, total=resealing.total)))
    if st.button(
        t("copy_again"), key="reseal_again", type="primary", icon=material("refresh"), width="stretch"
    ):
        if not _start(resealing.address):
            _close()
        st.rerun()
    _close_button()
    focus("reseal_again")


def _close_button() -> None:
    if st.button(t("close"), key="reseal_close", width="stretch"):
        _close()
        st.rerun()


def _close() -> None:
    """Close the dialog. A move goes on; one that has ended was seen."""
    asked = st.session_state.pop("dialog", None)
    if isinstance(asked, Asked):
        desk().forget_resealing(asked.address)
