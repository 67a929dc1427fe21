"""Typing the URL of a database into the page: only where page and server are on one machine.

The URL may hold a password. It goes to the desk and nowhere else: not into the page's address, not into a
notice, not back into the field.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from . import moving, notices
from .desk_access import desk
from .icons import material
from .markup import dim, show
from .text import html
from .words import t, word

CHOICE = "+"
"""The option of the backend list that opens the question."""

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def possible() -> bool:
    """Whether this server listens on the loopback only, and this page was asked for there."""
    host = urlsplit(st.context.url or "").hostname
    return st.get_option("server.address") in _LOOPBACK and host in _LOOPBACK


def ask() -> None:
    """Open the question."""
    if possible():
        st.session_state.connecting = True


def draw() -> None:
    """Draw the question where it is open."""
    if st.session_state.get("connecting") and possible():
        st.dialog(t("connect"), on_dismiss=_dismissed)(_question)()


def _dismissed() -> None:
    st.session_state.pop("connecting", None)


def _question() -> None:
    show(f"<p>{html(t('connect_says'))}</p>")
    with st.form("connect_form", border=False, clear_on_submit=True):
        url = st.text_input(
            t("database_url"),
            type="password",
            placeholder="postgresql+asyncpg://user@host/name",
            key="database_url",
            autocomplete="off",
        )
        no_tables = st.checkbox(
            t("connect_no_tables"), key="database_no_tables", help=t("connect_no_tables_help")
        )
        tried = st.form_submit_button(
            t("connect_button"), key="connect_button", type="primary", icon=material("link"), width="stretch"
        )
    show(dim(t("connect_keeps")))
    if not tried:
        return
    outcome = desk().connect(url, create_tables=not no_tables)
    if outcome.ok and outcome.text:
        _dismissed()
        notices.clear()
        moving.to(outcome.text)
        notices.done("connected")
        st.rerun()
    st.error(word("reason", outcome.reason or "", "reason_unknown", **outcome.params), icon=material("error"))
