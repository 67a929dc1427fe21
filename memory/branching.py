"""A branch is a copy of the beginning of a session under another id; the original is not touched.

Rows are copied inside the database, byte for byte and with their times; encrypted ones are opened and sealed
again for the new id, with their own times. Who wrote them and the notes between them come along. The call of
a waiting decision stays behind with the decision: in the branch it would be half a pair that nobody can
answer.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from . import pauses
from .applying import copy_credits, is_void
from .codec import as_text
from .cutting import come_along, cut_after
from .entries import Key, below
from .errors import EntryNotFound, NothingToDo, SessionNotEmpty
from .keyguard import BATCH
from .moved_rows import Recorded
from .planning import bounds_of
from .reading import Tally, note_detail
from .scope import Scope
from .statements import Many, Operation
from .tables import Place
from .writing import last_place


class Source(NamedTuple):
    """What is copied: the rows up to `last`, those a change took, and none of `left_out`."""

    last: Place
    change: Recorded | None = None
    left_out: frozenset[Key] = frozenset()


def branch(source: Scope, target: Scope, upto: str | None, before: int | None) -> Operation[int]:
    """Copy `source` up to entry `upto`, or as it was before change `before`; how many rows were copied.

    Raises EntryNotFound, NothingToDo for an empty source, SessionNotEmpty for a target that holds items.
    """
    yield from target.tables.make()
    yield from target.ledger.make()
    yield from source.tables.lock(source.session)
    if (yield from target.tables.ends(target.session)) is not None:
        raise SessionNotEmpty(f"The session {target.session} already holds items; choose another name.")
    if before is not None:
        wanted = yield from _before_change(source, before)
    else:
        wanted = yield from _up_to(source, upto)
    old, new = yield from _copy(source, target, wanted)
    if not new:
        raise NothingToDo("There is nothing to branch from: no item would be copied.")
    yield from copy_credits(source, old, target, new)
    yield from _copy_notes(source, target, old, new)
    return len(new)


def _up_to(source: Scope, upto: str | None) -> Operation[Source]:
    """The rows up to the entry, without what a roll back to it would take along, nor what waits."""
    last = yield from last_place(source)
    left_out: set[Key] = set()
    if upto is not None:
        last = (yield from source.entry(upto)).key
        bounds = yield from bounds_of(source, Tally(), (yield from source.standing()))
        left_out = yield from cut_after(source, bounds, last)
    pause = yield from pauses.waiting(source.ledger, source.codec, source.session)
    if pause is not None:
        calls = yield from source.open_calls(call[0] for call in pause.calls)
        along = yield from come_along(source, calls)
        left_out |= {entry.key for entry in (*calls, *(taken.entry for taken in along))}
    return Source(last, left_out=frozenset(left_out))


def _before_change(source: Scope, change: int) -> Operation[Source]:
    """The rows that stood before the cut of a tail edit and stand there still, and those it took."""
    history = yield from source.ledger.history(source.session)
    recorded = next((r for r in history if r.id == change), None)
    born = yield from source.tables.born(source.session)
    if (
        recorded is None
        or recorded.tail is None
        or recorded.undone
        or (yield from is_void(source, recorded, born))
    ):
        raise EntryNotFound("There is no such edit to go back before.")
    return Source(below(recorded.tail), recorded)


def _copy(source: Scope, target: Scope, wanted: Source) -> Operation[tuple[list[Key], list[Key]]]:
    """The keys of the rows that were copied, as they were and as they are now, both ascending."""
    yield from target.tables.parent(target.session)
    old = yield from source.ledger.copy(source.session, wanted.last, wanted.change, target.session)
    new = yield from target.tables.keys(target.session)
    if not source.codec.portable:
        yield from _adopt(source, target)
    pairs = list(zip(old, new, strict=True))
    dropped = [{"session": target.session, "id": copy[-1]} for key, copy in pairs if key in wanted.left_out]
    if dropped:
        yield Many(f"DELETE {target.tables.own} AND id = :id", dropped)
    kept = [pair for pair in pairs if pair[0] not in wanted.left_out]
    return [key for key, _ in kept], [copy for _, copy in kept]


def _adopt(source: Scope, target: Scope) -> Operation[None]:
    """Open the copied rows and seal them for their new id. Raises WrongKey: what is locked would be lost."""
    after: Place = None
    while rows := (yield from target.tables.oldest(target.session, BATCH, after)):
        yield Many(
            f"UPDATE {target.tables.messages} SET message_data = :text "
            "WHERE session_id = :session AND id = :id",
            [
                {
                    "session": target.session,
                    "id": stored.key[-1],
                    "text": as_text(target.codec.adopt(stored.raw, source.codec)),
                }
                for stored in rows
            ],
        )
        after = rows[-1].key


def _copy_notes(source: Scope, target: Scope, old: list[Key], new: list[Key]) -> Operation[None]:
    placed = dict(zip(old, new, strict=True))
    rows = yield from source.ledger.notes_between(source.session, None, old[-1])
    for after, kind, detail, at in rows:
        behind = placed.get(after) if after is not None else None
        if after is None or behind is not None:
            yield from target.ledger.add_note(
                target.session, behind, kind, _resealed(source, target, detail), at
            )


def _resealed(source: Scope, target: Scope, detail: str) -> str:
    """The detail of a note as the other session holds it: nothing, if it could not be opened here."""
    return target.codec.seal(json.dumps(note_detail(source.codec, detail)))
