"""Moving a session to its newest key: how far it is, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from . import menus, notices, owed, progress, state
from .browser import focus
from .desk_access import desk
from .icons import material
from .markup import dim, said, show
from .text import html, line
from .words import t, word

if TYPE_CHECKING:
    from desk.values import Address, Outcome, Resealing, View
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
    if desk().resealing(address) is None:
        _start(address)
    else:
        st.session_state.dialog = Asked(address)


def _start(address: Address) -> None:
    """Begin, or go on, and show it; what the desk refuses is said."""

    def then(outcome: Outcome) -> None:
        if not outcome.ok:
            _close()
            notices.refuse(outcome.reason, **outcome.params)
        elif state.address() == address:
            st.session_state.dialog = Asked(address)

    owed.after(address, lambda: desk().reencrypt(address), then)


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
    address = resealing.address
    show(f"<p>{html(t('reseal_going', session=line(address.session_id, 80)))}</p>")
    progress.draw(
        resealing,
        lambda: desk().resealing(address),
        _how_far,
        lambda: desk().stop_reencrypt(address),
        key="reseal",
        goes_on=t("reseal_goes_on"),
        stops=t("stop"),
    )


def _how_far(done: int, total: int) -> str:
    return t("reseal_checking") if done >= total else t("reseal_progress", done=done, total=total)


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
    progress.problem(words, stopped=stopped)
    if resealing.total:
        show(dim(t("reseal_progress", done=resealing.done, total=resealing.total)))
    if progress.again("reseal_again"):
        _start(resealing.address)
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
