"""What the buttons do: ask the desk, then say what came of it. All of them are callbacks.

Each is given the address that was on screen when its button was drawn, and an edit the plan that was shown:
whatever changed since, nothing else is touched. What the desk refuses is said in one sentence.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from memory import Kind

from . import browser, composer, menus, notices, owed, state
from .desk_access import desk
from .words import language

if TYPE_CHECKING:
    from collections.abc import Callable

    from desk.effects import Effect
    from desk.values import Address, Outcome
    from memory.edits import Change, Plan


def submit(address: Address) -> None:
    """Send what is in the composer; what is refused stays in it."""
    text, given = composer.text(), composer.new_id()
    send(address, text, refused=lambda: composer.give_back(text, given))


def send(
    address: Address,
    text: str,
    *,
    accepted: Callable[[], None] = lambda: None,
    refused: Callable[[], None] = lambda: None,
) -> None:
    """Send a message, and do what is to be done when it was accepted or refused."""
    notices.clear()
    agent, turns, lang = state.agent(), state.turns(), language()

    def then(outcome: Outcome) -> None:
        (accepted if outcome.ok else refused)()
        _started(outcome)

    owed.after(address, lambda: desk().send(address, text, agent=agent, turns=turns, language=lang), then)


def stop(address: Address) -> None:
    """Stop the live answer."""
    notices.clear()
    browser.recover(composer.KEY, "textarea")
    owed.after(address, lambda: desk().stop(address), _told)


def retry(address: Address) -> None:
    """Ask the last question again."""
    notices.clear()
    browser.recover(composer.KEY, "textarea")
    did = _done_by_last_turn(address)
    agent, turns, lang = state.agent(), state.turns(), language()

    def then(outcome: Outcome) -> None:
        if _started(outcome):
            _stays(did)

    owed.after(address, lambda: desk().retry(address, agent=agent, turns=turns, language=lang), then)


def edit_and_resend(address: Address) -> None:
    """Take the last turn back and put its question into the composer."""
    notices.clear()
    did, given = _done_by_last_turn(address), composer.new_id()

    def then(outcome: Outcome) -> None:
        if _said(outcome, chat=True):
            composer.give_back(outcome.text or "", given)
            _edited(outcome, chat=True)
            if outcome.change is None:
                notices.done("stands_until_answered", chat=True)
            _stays(did)

    owed.after(address, lambda: desk().take_back(address), then)


def decide(address: Address, pause_id: int, call_id: str, approve: bool, note_key: str) -> None:
    """Approve or reject one call."""
    notices.clear()
    note = st.session_state.get(note_key) or ""
    browser.recover(composer.KEY, "textarea")
    lang = language()
    owed.after(
        address, lambda: desk().decide(address, pause_id, call_id, approve, note, language=lang), _started
    )


def conclude(address: Address, pause_id: int) -> None:
    """Close a decision whose effect is unknown with what the orders say."""
    notices.clear()
    owed.after(address, lambda: desk().conclude(address, pause_id), partial(_told, done="concluded"))


def save_again(address: Address) -> None:
    """Try once more to store what could not be stored."""
    notices.clear()
    owed.after(address, lambda: desk().save_again(address), partial(_told, done="saved"))


def apply(address: Address, plan: Plan) -> None:
    """Do the edit that was shown."""
    notices.clear()
    browser.recover("undo")
    owed.after(address, lambda: desk().apply(address, plan), _edited)


def undo(address: Address) -> None:
    """Take the last edit back."""
    notices.clear()
    browser.recover("redo")

    def then(outcome: Outcome) -> None:
        if _said(outcome):
            notices.done("undone", n=_count(outcome.change))

    owed.after(address, lambda: desk().undo(address), then)


def redo(address: Address) -> None:
    """Do the edit again."""
    notices.clear()
    browser.recover("undo")

    def then(outcome: Outcome) -> None:
        if _said(outcome):
            notices.done("redone", undo=True, n=_count(outcome.change))

    owed.after(address, lambda: desk().redo(address), then)


def branch(address: Address, upto: str | None, name_key: str) -> None:
    """Copy the session up to an entry under a new id, and look at the copy."""
    notices.clear()
    typed = st.session_state.get(name_key) or ""
    resolved = desk().resolve(address.backend, typed)
    if resolved.exists or resolved.similar:
        notices.refuse("branch_exists", session=(resolved.similar or (resolved.session_id,))[0])
        return
    new_id = resolved.session_id
    if new_id is None:
        notices.refuse(resolved.problem, **resolved.params)
        return
    owed.after(address, lambda: desk().branch(address, new_id, upto), partial(_branched, address, new_id))


def branch_earlier(address: Address, change: Change) -> None:
    """Copy the session as it was before a change that cannot be undone, and look at the copy."""
    notices.clear()
    new_id = _free_id(address)
    owed.after(
        address, lambda: desk().branch(address, new_id, before=change), partial(_branched, address, new_id)
    )


def _branched(address: Address, new_id: str, outcome: Outcome) -> None:
    if _said(outcome):
        menus.close()
        done = "branched_ended" if outcome.decision_ended else "branched"
        notices.done(done, session=new_id, origin=address.session_id)
        if state.address() == address:
            state.go(session_id=new_id)


def _free_id(address: Address) -> str:
    """An id for a branch that no session of the backend has."""
    taken = {info.session_id for info in desk().sessions(address.backend)}
    stem = f"{address.session_id[:120]}-b"
    return next(
        name for name in (stem, *(f"{stem}{n}" for n in range(2, len(taken) + 3))) if name not in taken
    )


def purge(address: Address) -> None:
    """Erase what edits kept; the entries stay."""
    notices.clear()

    def then(outcome: Outcome) -> None:
        if _said(outcome):
            notices.done("purged", n=outcome.count or 0)

    owed.after(address, lambda: desk().purge(address), then)


def clear_for_good(address: Address, plan: Plan) -> None:
    """Remove every entry and erase what is kept of them."""
    notices.clear()

    def call() -> Outcome:
        cleared = desk().apply(address, plan)
        return desk().purge(address) if cleared.ok else cleared

    def then(outcome: Outcome) -> None:
        if _said(outcome):
            st.session_state.pop("had_entries", None)
            notices.done("cleared_for_good", n=plan.removed - plan.closing_go)

    owed.after(address, call, then)


def delete(address: Address) -> None:
    """Erase the session for good and start another."""
    notices.clear()

    def then(outcome: Outcome) -> None:
        if _said(outcome):
            if state.address() != address:
                notices.done("deleted_elsewhere")
                return
            notices.done("deleted", session=address.session_id)
            state.go(session_id=state.proposed_id())

    owed.after(address, lambda: desk().delete(address), then)


def make_key() -> None:
    """Make an encryption key; the page shows it until it is kept elsewhere."""
    notices.clear()
    st.session_state.pop("copy_refused", None)
    if desk().make_key():
        st.session_state.key_shown = True
    else:
        notices.refuse("key_there")


def choose_lifetime(address: Address, seconds: int | None) -> None:
    """Choose how long what is said may be read."""
    notices.clear()

    def then(outcome: Outcome) -> None:
        if _said(outcome):
            notices.done("lifetime_chosen")

    owed.after(address, lambda: desk().choose_lifetime(address, seconds), then)


def encrypt_plain_rows(address: Address) -> None:
    """Seal what stands in the open."""
    notices.clear()

    def then(outcome: Outcome) -> None:
        if _said(outcome):
            notices.done("encrypted", n=outcome.count or 0)

    owed.after(address, lambda: desk().encrypt_plain_rows(address), then)


def restore_samples() -> None:
    """Put the orders back to the samples."""
    notices.clear()
    menus.close()

    def then(outcome: Outcome) -> None:
        if _said(outcome):
            notices.done("samples_restored")

    owed.after(None, lambda: desk().restore_samples(), then)


def _done_by_last_turn(address: Address) -> tuple[Effect, ...]:
    """What the last turn did in the orders that still stands."""
    view = desk().look(address)
    entries, past = view.timeline.entries, view.past
    asked = [at for at, entry in enumerate(entries) if entry.kind is Kind.USER]
    calls = [entry.call_id for entry in entries[asked[-1] :]] if asked else []
    shown = [at for at, run in enumerate(past) if run.question]  # what no store holds
    calls += [step.call_id for run in past[shown[-1] :] for step in run.steps] if shown else []
    effects = (view.effects.get(call) for call in dict.fromkeys(calls) if call)
    return tuple(effect for effect in effects if effect is not None and effect.current)


def _stays(did: tuple[Effect, ...]) -> None:
    """Say what stays done in the world although the turn that did it was taken back."""
    if did:
        notices.done("stays", chat=True, did=did)


def _started(outcome: Outcome) -> bool:
    if outcome.ok:
        # A new number makes a new scroll area, which starts at the newest message and follows it.
        st.session_state.sends = st.session_state.get("sends", 0) + 1
        st.session_state.pop("ahead", None)  # what is said is said now
        st.session_state.pop("selected", None)
        st.session_state.pop("pages", None)
    return _said(outcome, chat=True)


def _edited(outcome: Outcome, *, chat: bool = False) -> None:
    menus.close()
    if not _said(outcome, chat=chat) or outcome.change is None:
        return
    change = outcome.change
    first, last = change.turns
    if first is None or not last:  # not counted, or all of it stands before the first turn
        notices.done("removed", undo=True, chat=chat, n=change.removed)
    elif first == 0:
        notices.done("removed_up_to", undo=True, chat=chat, n=change.removed, last=last)
    elif first == last:
        notices.done("removed_turn", undo=True, chat=chat, n=change.removed, turn=first)
    else:
        notices.done("removed_turns", undo=True, chat=chat, n=change.removed, first=first, last=last)
    st.session_state.pop("selected", None)
    st.session_state.pop("pages", None)


def _count(change: Change | None) -> int:
    return max(change.removed, change.added) if change else 0


def _told(outcome: Outcome, done: str | None = None) -> None:
    """Say in the chat why it was refused, or that it was `done`."""
    if _said(outcome, chat=True) and done is not None:
        notices.done(done, chat=True)


def _said(outcome: Outcome, *, chat: bool = False) -> bool:
    """Say why it was refused, if it was; where it was asked in the chat, there. Whether it was done."""
    if not outcome.ok:
        notices.refuse(outcome.reason, chat=chat, **outcome.params)
    return outcome.ok
