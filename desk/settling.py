"""What an earlier run left behind: seen while looking, put right when somebody writes.

A server that was killed leaves a turn without an end: a question nobody answered, a call without a result,
a decision whose effect nobody saw. Looking shows that and changes nothing. The next message settles it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memory.entries import Entry, Kind
from memory.notes import Note, Pause, PauseState

from .closing import close_calls, lone_calls
from .holding import Hold
from .run_session import begins_turn
from .tail import tail

if TYPE_CHECKING:
    from memory.edits import Change
    from memory.inspectable import InspectableSession

    from .orders import Orders

ASKED = "asked"
"""The note behind a question the desk began to answer. It is for the desk, not for the chat."""

_UNFINISHED = frozenset({Kind.USER, Kind.TOOL_CALL, Kind.TOOL_OUTPUT, Kind.HANDOFF, Kind.REASONING})


def asked_note(session_id: str, agent: str, turns: int) -> tuple[str, dict[str, Any]]:
    """The note behind a question: in which session it was asked, whom, and with how many turns before it.

    A branch takes its notes along; the id tells that its last question was not asked there.
    """
    return ASKED, {"session": session_id, "agent": agent, "turns": turns}


def interrupted(
    session_id: str,
    entries: Sequence[Entry],
    notes: Sequence[Note],
    changes: Sequence[Change],
    pause: Pause | None,
) -> bool:
    """Whether the last turn was cut off by something nobody wrote down: the end of a server.

    Only a turn that the desk began here can be; one that waits, that has its word, or that an edit made end
    where it does, was not.
    """
    if not entries or pause is not None or entries[-1].kind not in _UNFINISHED:
        return False
    turn = _last_turn(entries)
    said = [note for note in notes if note.after in turn]
    asked = [note.at for note in said if note.kind == ASKED and note.detail.get("session") == session_id]
    if not asked:
        return False
    later = [note.at for note in said if note.kind != ASKED] + [change.at for change in changes]
    return not any(at >= asked[-1] for at in later)


def _last_turn(entries: Sequence[Entry]) -> set[str]:
    ids: set[str] = set()
    for entry in reversed(entries):
        ids.add(entry.id)
        if begins_turn(entry):
            break
    return ids


def interruption(entries: Sequence[Entry]) -> Note:
    """The word about it, for a page that looks before it is written down."""
    last = entries[-1]
    return Note("interrupted", last.id, last.created_at or datetime.now(UTC))


def answered(pause: Pause, entries: Sequence[Entry]) -> bool:
    """Whether every call of the pause has its output among `entries`: only its closing was not written."""
    lone = {entry.call_id for entry in lone_calls(entries)}
    return not any(call[0] in lone for call in pause.calls)


async def close_answered(session: InspectableSession) -> bool:
    """Close a decision whose calls all have their results; whether no decision hangs in the air now."""
    pause = await session.waiting()
    if pause is None or pause.status is not PauseState.DECIDING:
        return True
    if not answered(pause, (await tail(session)).entries):
        return False
    await session.settle(pause.id)
    return True


async def settle(hold: Hold, orders: Orders) -> None:
    """Put right what an earlier run left, before a new question.

    A decision that waits is closed as superseded; one that was being carried out when the server went down
    is closed with what the orders say. Raises what the store raises.
    """
    session, lease = hold.session, hold.lease
    await session.lapse()
    pause = await session.waiting()
    if pause is not None and pause.status is PauseState.PENDING:
        await session.supersede(lease=lease)
    end = await tail(session)
    if not end.entries:
        return
    notes, changes = await session.notes(end.timeline), await session.changes()
    closed = await close_calls(session, orders, lone_calls(end.entries), "interrupted", lease=lease)
    unfinished = interrupted(session.session_id, end.entries, notes, changes, None)
    if pause is not None and pause.status is PauseState.DECIDING:
        await session.settle(pause.id)
        unfinished = unfinished or closed > 0
    if unfinished:
        await session.note("interrupted", lease=lease)
