"""What the buttons do: ask the desk, then say what came of it. All of them are callbacks.

Each is given the address that was on screen when its button was drawn, and an edit the plan that was shown:
whatever changed since, nothing else is touched. What the desk refuses is said in one sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memory import Kind

from . import browser, composer, menus, notices, state
from .desk_access import desk
from .words import language

if TYPE_CHECKING:
    from desk.effects import Effect
    from desk.values import Address, Outcome
    from memory.edits import Change, Plan


def submit(address: Address) -> None:
    """Send what is in the composer; what is refused stays in it."""
    text = composer.text()
    if not send(address, text):
        composer.give_back(text)


def send(address: Address, text: str) -> bool:
    """Send a message. Whether it was accepted."""
    notices.clear()
    return _started(desk().send(address, text, agent=state.agent(), turns=state.turns(), language=language()))


def stop(address: Address) -> None:
    """Stop the live answer."""
    notices.clear()
    browser.recover(composer.KEY, "textarea")
    _said(desk().stop(address), chat=True)


def retry(address: Address) -> None:
    """Ask the last question again."""
    notices.clear()
    browser.recover(composer.KEY, "textarea")
    did = _done_by_last_turn(address)
    if _started(desk().retry(address, agent=state.agent(), turns=state.turns(), language=language())):
        _stays(did)


def edit_and_resend(address: Address) -> None:
    """Take the last turn back and put its question into the composer."""
    notices.clear()
    did = _done_by_last_turn(address)
    outcome = desk().take_back(address)
    if _said(outcome, chat=True):
        composer.give_back(outcome.text or "")
        _edited(outcome, chat=True)
        _stays(did)


def decide(address: Address, pause_id: int, call_id: str, approve: bool, note_key: str) -> None:
    """Approve or reject one call."""
    notices.clear()
    note = st.session_state.get(note_key) or ""
    browser.recover(composer.KEY, "textarea")
    _started(desk().decide(address, pause_id, call_id, approve, note, language=language()))


def conclude(address: Address, pause_id: int) -> None:
    """Close a decision whose effect is unknown with what the orders say."""
    notices.clear()
    if _said(desk().conclude(address, pause_id), chat=True):
        notices.done("concluded", chat=True)


def save_again(address: Address) -> None:
    """Try once more to store what could not be stored."""
    notices.clear()
    if _said(desk().save_again(address), chat=True):
        notices.done("saved", chat=True)


def apply(address: Address, plan: Plan) -> None:
    """Do the edit that was shown."""
    notices.clear()
    browser.recover("undo")
    _edited(desk().apply(address, plan))


def undo(address: Address) -> None:
    """Take the last edit back."""
    notices.clear()
    browser.recover("redo")
    outcome = desk().undo(address)
    if _said(outcome):
        notices.done("undone", n=_count(outcome.change))


def redo(address: Address) -> None:
    """Do the edit again."""
    notices.clear()
    browser.recover("undo")
    outcome = desk().redo(address)
    if _said(outcome):
        notices.done("redone", undo=True, n=_count(outcome.change))


def branch(address: Address, upto: str | None, name_key: str) -> None:
    """Copy the session up to an entry under a new id, and look at the copy."""
    notices.clear()
    typed = st.session_state.get(name_key) or ""
    resolved = desk().resolve(address.backend, typed)
    if resolved.exists or resolved.similar:
        notices.refuse("branch_exists", session=(resolved.similar or (resolved.session_id,))[0])
        return
    if resolved.session_id is None:
        notices.refuse(resolved.problem, **resolved.params)
        return
    outcome = desk().branch(address, resolved.session_id, upto)
    if _said(outcome):
        menus.close()
        state.go(session_id=outcome.session_id or resolved.session_id)
        done = "branched_ended" if outcome.decision_ended else "branched"
        notices.done(done, session=outcome.session_id or resolved.session_id, origin=address.session_id)


def branch_earlier(address: Address, change: Change) -> None:
    """Copy the session as it was before a change that cannot be undone, and look at the copy."""
    notices.clear()
    new_id = _free_id(address)
    outcome = desk().branch(address, new_id, before=change)
    if _said(outcome):
        menus.close()
        state.go(session_id=new_id)
        notices.done("branched", session=new_id, origin=address.session_id)


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
    outcome = desk().purge(address)
    if _said(outcome):
        notices.done("purged", n=outcome.count or 0)


def clear_for_good(address: Address, plan: Plan) -> None:
    """Remove every entry and erase what is kept of them."""
    notices.clear()
    cleared = desk().apply(address, plan)
    if _said(cleared) and _said(desk().purge(address)):
        st.session_state.pop("had_entries", None)
        notices.done("cleared_for_good", n=plan.removed - plan.closing_go)


def delete(address: Address) -> None:
    """Erase the session for good and start another."""
    notices.clear()
    if _said(desk().delete(address)):
        state.go(session_id=state.proposed_id())
        notices.done("deleted", session=address.session_id)


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
    if _said(desk().choose_lifetime(address, seconds)):
        notices.done("lifetime_chosen")


def encrypt_plain_rows(address: Address) -> None:
    """Seal what stands in the open."""
    notices.clear()
    outcome = desk().encrypt_plain_rows(address)
    if _said(outcome):
        notices.done("encrypted", n=outcome.count or 0)


def restore_samples() -> None:
    """Put the orders back to the samples."""
    notices.clear()
    menus.close()
    if _said(desk().restore_samples()):
        notices.done("samples_restored")


def _done_by_last_turn(address: Address) -> tuple[Effect, ...]:
    """What the last turn did in the orders that still stands."""
    view = desk().look(address)
    asked = [at for at, entry in enumerate(view.timeline.entries) if entry.kind is Kind.USER]
    calls = [entry.call_id for entry in view.timeline.entries[asked[-1] :]] if asked else []
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
        composer.sent()
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
    if first is None or last is None:
        notices.done("removed", undo=True, chat=chat, n=change.removed)
    elif first == last:
        notices.done("removed_turn", undo=True, chat=chat, n=change.removed, turn=first)
    else:
        notices.done("removed_turns", undo=True, chat=chat, n=change.removed, first=first, last=last)
    st.session_state.pop("selected", None)
    st.session_state.pop("pages", None)


def _count(change: Change | None) -> int:
    return max(change.removed, change.added) if change else 0


def _said(outcome: Outcome, *, chat: bool = False) -> bool:
    """Say why it was refused, if it was; where it was asked in the chat, there. Whether it was done."""
    if not outcome.ok:
        notices.refuse(outcome.reason, chat=chat, **outcome.params)
    return outcome.ok
