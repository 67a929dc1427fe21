"""Where a tab is: which session on which backend, in which language, how much of it is sent and to whom.

The tab's own state holds it, and the address of the page says it, so that a reload, a shared link and the
Back button come to the same place. Widgets show this state and change it through callbacks; none owns it.
What an address does not name is as it is by default. It only ever chooses what to look at: nothing in it is
trusted, and opening one stores nothing.
"""

from __future__ import annotations

import secrets

import streamlit as st

from desk.values import Address

from . import notices
from .desk_access import desk
from .words import LANGUAGES, matching, spoken_as

DEFAULT_BACKEND = "file"
DEFAULT_TURNS = 50  # the newest whole turns that are sent, as the desk's own rule
MOST_TURNS = 1_000

NAMED = ("session", "backend", "lang", "turns", "agent", "guide")  # in the address

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another


def arrive() -> None:
    """Take over what the page's address says, where it says something new. Call it first in every run."""
    asked = {name: st.query_params.get(name) for name in NAMED}
    if asked == st.session_state.get("address_seen"):
        return
    first = "address_seen" not in st.session_state
    st.session_state.address_seen = asked
    if not first:
        notices.clear()  # what was said is about the place that was left
    _language(asked["lang"], first)
    _turns(asked["turns"])
    _agent(asked["agent"])
    _place(asked["session"], asked["backend"], first)
    if first and asked["guide"]:
        follow(address(), _step(asked["guide"]))
    if not first:
        # The person went back or forward: the browser's history is theirs, so it is followed, not written.
        st.session_state.address_written = _wanted()


def depart() -> None:
    """Write the place into the page's address, where it changed. Call it before drawing."""
    wanted = _wanted()
    if wanted == st.session_state.get("address_written"):
        return
    st.session_state.address_written = wanted
    params = {name: value for name, value in st.query_params.items() if name not in wanted}
    params |= {name: value for name, value in wanted.items() if value is not None}
    if params != st.query_params.to_dict():
        st.query_params.from_dict(params)
    st.session_state.address_seen = {name: st.query_params.get(name) for name in wanted}


def address() -> Address:
    """The session this tab looks at."""
    return Address(st.session_state.backend, st.session_state.session_id)


def go(*, backend: str | None = None, session_id: str | None = None) -> None:
    """Look at another session, or at the same one on another backend."""
    here = (st.session_state.get("backend"), st.session_state.get("session_id"))
    st.session_state.backend = backend or st.session_state.backend
    if session_id is not None:  # an existing one may have the empty name
        st.session_state.session_id = session_id
    if here != (st.session_state.backend, st.session_state.session_id):
        forget_page()


def forget_page() -> None:
    """Drop what belongs to the session that was shown: the selected entry, the page, the open question."""
    for name in ("selected", "pages", "dialog", "similar", "moving", "had_entries", "ahead"):
        st.session_state.pop(name, None)


def turns() -> int:
    """How many of the newest whole turns go with the next message."""
    return int(st.session_state.get("turns", DEFAULT_TURNS))


def agent() -> str | None:
    """The agent a person addresses, None where the desk decides."""
    chosen = st.session_state.get("agent")
    return chosen if chosen in desk().agents else None


def following() -> tuple[str, int] | None:
    """The scenario that is followed in this session, and how many of its steps are done."""
    guides: dict[Address, tuple[str, int] | None] = st.session_state.get("guides", {})
    return guides.get(address())


def follow(at: Address, step: tuple[str, int] | None) -> None:
    """Follow a scenario in the session at `at` from now on; None follows none."""
    st.session_state.guides = {**st.session_state.get("guides", {}), at: step}


def _step(asked: str) -> tuple[str, int] | None:
    name, _, done = asked.rpartition("-")
    return (name, int(done)) if done.isascii() and done.isdigit() and len(done) < 3 else None


def proposed_id() -> str:
    """A new session id that nobody has."""
    return "ticket_" + "".join(secrets.choice(_LETTERS) for _ in range(4))


def _wanted() -> dict[str, str | None]:
    session_id = st.session_state.session_id
    return {
        "session": session_id if _writable(session_id) else None,
        "backend": st.session_state.backend,
        "lang": st.session_state.get("lang_chosen"),
        "turns": None if turns() == DEFAULT_TURNS else str(turns()),
        "agent": agent(),
        "guide": None if (step := following()) is None else f"{step[0]}-{step[1]}",
    }


def _writable(session_id: str) -> bool:
    """Whether an id survives an address: a lone surrogate does not."""
    try:
        session_id.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _language(asked: str | None, first: bool) -> None:
    if asked is not None and (spoken := spoken_as(asked)) is not None:
        st.session_state.lang = st.session_state.lang_chosen = spoken
        return
    if first or asked is None:
        st.session_state.lang, st.session_state.lang_chosen = matching(st.context.locale), None
    if asked is not None:
        notices.refuse("link_language", chat=True, value=asked)


def _turns(asked: str | None) -> None:
    if asked is None:
        st.session_state.turns = DEFAULT_TURNS
    elif asked.isascii() and asked.isdigit() and len(asked) <= 9 and int(asked) <= MOST_TURNS:
        st.session_state.turns = int(asked)
    else:
        notices.refuse("link_turns", chat=True, value=asked)
        st.session_state.setdefault("turns", DEFAULT_TURNS)


def _agent(asked: str | None) -> None:
    if asked is None or asked in desk().agents:
        st.session_state.agent = asked
    else:
        notices.refuse("link_agent", chat=True, value=asked)


def _place(session_id: str | None, backend: str | None, first: bool) -> None:
    if backend is not None and all(backend != known.name for known in desk().backends()):
        notices.refuse("link_backend", chat=True, value=backend)
        backend = None
    chosen = backend or st.session_state.get("backend", DEFAULT_BACKEND)
    found: str | None = None
    if session_id is not None:
        resolved = desk().resolve(chosen, session_id)
        found = resolved.session_id
        if not resolved.exists and resolved.similar:
            st.session_state.similar = (session_id, resolved)
        elif resolved.problem:
            notices.refuse("link_session", chat=True, value=session_id)
    if first:
        st.session_state.backend = chosen
        found = _latest(chosen) if found is None else found
        st.session_state.session_id = proposed_id() if found is None else found
    else:
        similar = st.session_state.get("similar")
        go(backend=chosen, session_id=found)
        if similar:
            st.session_state.similar = similar


def _latest(backend: str) -> str | None:
    known = desk().sessions(backend)
    return known[0].session_id if known else None


def speak(lang: str) -> None:
    """Speak another language from now on, and say so in the page's address."""
    if lang in LANGUAGES:
        st.session_state.lang = st.session_state.lang_chosen = lang
