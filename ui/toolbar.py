"""The row above everything: which session, on which backend, who answers, and how the run stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from desk.values import RunStatus

from . import browser, connect, menus, moving, notices, state
from .desk_access import desk
from .icons import material
from .markup import said, show
from .naming import agent_words, backend_named, backend_words
from .text import distinct, html, label, line, with_blanks
from .words import t

if TYPE_CHECKING:
    from desk.values import Resolved, View


LISTED = 300  # sessions in the list, newest first; any other opens by typing its name


def draw(view: View) -> None:
    """Draw the toolbar, and under it the question which session is meant, where that is open."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="toolbar"):
        _session()
        _new_session()
        _backend()
        _agent()
        _status(view)
    _similar()
    moving.draw()
    connect.draw()


def hints() -> None:
    """Tell the names in full that the fields cut off. Call it where it takes no room: it draws nothing."""
    here = state.address()
    browser.whole(session_pick=line(here.session_id, 200), backend_pick=backend_named(here.backend))


def _session() -> None:
    here = state.address()
    known = [info.session_id for info in desk().sessions(here.backend)[:LISTED]]
    options = known if here.session_id in known else [here.session_id, *known]
    shown = distinct(options)
    st.session_state.session_pick = here.session_id
    st.selectbox(
        t("session"),
        options,
        key="session_pick",
        label_visibility="collapsed",
        accept_new_options=True,
        format_func=lambda name: shown.get(name, name),
        placeholder=t("session_placeholder"),
        filter_mode="contains",
        on_change=_picked,
        icon=material("confirmation_number"),
        width=236,
    )


def _picked() -> None:
    notices.clear()
    typed = st.session_state.session_pick
    if typed is None:
        return
    resolved = desk().resolve(st.session_state.backend, str(typed))
    # Blanks behind the name that is there come as blanks alone: they mean a session of that name, or none.
    if resolved.exists or str(typed).strip():
        open_session(str(typed), resolved)


def open_session(typed: str, resolved: Resolved) -> None:
    """Open what a typed id means, or ask, or say what is wrong with it."""
    if resolved.similar and not resolved.exists:
        st.session_state.similar = (typed, resolved)
    elif resolved.problem or resolved.session_id is None:
        notices.refuse(resolved.problem, chat=True, **resolved.params)
    else:
        state.go(session_id=resolved.session_id)


def _new_session() -> None:
    # The key holds the proposal, so that each is the first value of a field of its own: a value that is set
    # while the menu is closed would be lost.
    proposed = st.session_state.setdefault("proposed", state.proposed_id())
    key = f"new_name_{proposed}"
    with (
        menus.menu("new_session", t("new_session"), "add_comment"),
        st.form("new_session_form", border=False, enter_to_submit=True),
    ):
        # No limit here: the browser would drop a longer text without a word, and this be another session.
        st.text_input(t("session_name"), value=proposed, key=key, help=t("session_name_help"))
        if refused := notices.name_refused():
            show(said("error", refused, role="alert", tone="problem"))
        st.form_submit_button(
            t("start_session"),
            key="start_session",
            type="primary",
            icon=material("add"),
            on_click=_start,
            args=(key,),
            width="stretch",
        )


def _start(key: str) -> None:
    notices.clear()
    typed = st.session_state.get(key) or ""
    resolved = desk().resolve(st.session_state.backend, typed)
    if (resolved.session_id is None or resolved.problem) and not resolved.similar:
        # Said under the field: on a narrow screen the open menu hides what is told elsewhere.
        notices.refuse_name(resolved.problem, **resolved.params)
        return
    if resolved.exists:
        notices.done("session_exists", session=resolved.session_id)
    open_session(typed, resolved)
    menus.close()
    st.session_state.proposed = state.proposed_id()


def _similar() -> None:
    asked = st.session_state.get("similar")
    if not asked:
        return
    typed, resolved = asked
    existing = resolved.similar[:4]
    shown = with_blanks((typed, *existing))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="similar_ids"):
        show(said("help", t("which_session", typed=line(shown[typed], 130)), role="alert"))
        for index, name in enumerate(existing):
            st.button(
                t("open_existing", session=label(shown[name], 130)),
                key=f"similar_{index}",
                on_click=_choose,
                args=(name,),
            )
        if resolved.session_id is not None:
            st.button(
                t("start_new_named", session=label(shown[typed], 130)),
                key="similar_new",
                on_click=_choose,
                args=(resolved.session_id,),
            )
        st.button(t("move_stay"), key="similar_stay", on_click=_stay)


def _stay() -> None:
    st.session_state.pop("similar", None)


def _choose(session_id: str) -> None:
    _stay()
    state.go(session_id=session_id)


def _backend() -> None:
    st.session_state.backend_pick = state.address().backend
    names = {known.name: backend_words(known) for known in desk().backends()}
    if connect.possible():
        names[connect.CHOICE] = t("connect_another")
    st.selectbox(
        t("backend"),
        tuple(names),
        key="backend_pick",
        label_visibility="collapsed",
        format_func=names.__getitem__,
        on_change=_backend_picked,
        icon=material("database"),
        width=164,
    )


def _backend_picked() -> None:
    notices.clear()
    picked = st.session_state.backend_pick
    if picked == connect.CHOICE:
        connect.ask()
    elif any(picked == known.name for known in desk().backends()):
        moving.to(picked)


def _agent() -> None:
    names = {"": t("desk_decides"), **{name: agent_words(name) for name in desk().agents}}
    options = tuple(names)
    st.session_state.agent_pick = state.agent() or ""
    st.selectbox(
        t("agent"),
        options,
        key="agent_pick",
        label_visibility="collapsed",
        format_func=names.__getitem__,
        on_change=_agent_picked,
        icon=material("support_agent"),
        width=196,
    )


def _agent_picked() -> None:
    st.session_state.agent = st.session_state.agent_pick or None


def _status(view: View) -> None:
    tone, words = _state(view)
    dot = '<i class="md-dot" aria-hidden="true"></i>'
    # The page's heading is its logo; those who hear the page get it as one.
    heading = '<h1 class="md-sr">Memory Desk</h1>'
    show(f'{heading}<p class="md-state" data-tone="{tone}" role="status">{dot}{html(words)}</p>')


def _state(view: View) -> tuple[str, str]:
    run = view.run
    if run is not None and run.active:
        return "live", t("state_stopping") if run.status is RunStatus.STOPPING else t("state_answering")
    if view.problem in ("no_key", "key_unavailable"):
        return "problem", t("state_no_key")
    if view.problem:
        return "problem", t("state_unavailable")
    if view.effect_unknown:
        return "waiting", t("state_unknown")
    if view.waiting is not None:
        return "waiting", t("state_waiting")
    if view.busy is not None:
        return "live", t("state_copied_to") if view.copied_to else t("state_elsewhere")
    return "ready", t("state_ready")
