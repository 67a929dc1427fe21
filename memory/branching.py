"""A branch is a copy of the beginning of a session under another id; no item of the original is touched.

Rows are copied inside the database, byte for byte and with their times; encrypted ones are opened and sealed
again for the new id, with their own times. Who wrote them and the notes between them come along.

A decision cannot wait in two sessions. Where a call that waits would come along, the decision ends in the
original first, as under any edit, and the branch gets the call with the result that closed it. A branch that
ends before that call leaves the decision alone.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from . import leases, pauses
from .applying import copy_credits, is_void
from .codec import as_text
from .cutting import come_along, cut_after
from .entries import Entry, Key, above, below
from .errors import EffectUnknown, EntryNotFound, NothingToDo, SessionNotEmpty
from .freshness import lapses_at
from .keyguard import BATCH
from .notes import Lease, Pause, PauseState
from .planning import bounds_of
from .reading import Tally, note_detail
from .recorded import Recorded
from .scope import Scope
from .statements import Many, Moved, Operation
from .tables import Place
from .writing import can_be_closed, last_place, supersede


class Source(NamedTuple):
    """What is copied: the rows up to `last`, those a change took, and none of `left_out`.

    `closing` are the newest rows of all, behind `last` or not: the results that a decision was ended with.
    """

    last: Place
    change: Recorded | None = None
    left_out: frozenset[Key] = frozenset()
    closing: tuple[Key, ...] = ()


def branch(
    source: Scope, target: Scope, upto: str | None, before: int | None, lease: Lease | None, now: float
) -> Operation[int]:
    """Copy `source` up to entry `upto`, or as it was before change `before`; how many rows were copied.

    Raises EntryNotFound, NothingToDo for an empty source, SessionNotEmpty for a target that holds items; and
    where a decision would have to end for it, SessionBusy, LeaseLost or EffectUnknown.
    """
    yield from target.tables.make()
    yield from target.ledger.make()
    yield from source.tables.lock(source.session)
    yield from target.tables.lock(target.session)
    if (yield from target.tables.ends(target.session)) is not None:
        raise SessionNotEmpty(f"The session {target.session} already holds items; choose another name.")
    if before is not None:
        wanted = yield from _before_change(source, before)
    else:
        wanted = yield from _up_to(source, upto, lease, now)
    old, new = yield from _copy(source, target, wanted)
    if not new:
        raise NothingToDo("There is nothing to branch from: no item would be copied.")
    yield from copy_credits(source, old, target, new)
    yield from _copy_notes(source, target, old, new)
    return len(new)


def _up_to(source: Scope, upto: str | None, lease: Lease | None, now: float) -> Operation[Source]:
    """The rows up to the entry, without what a roll back to it would take along, and no call that waits."""
    newest = last = yield from last_place(source)
    left_out: set[Key] = set()
    if upto is not None:
        last = (yield from source.entry(upto)).key
        bounds = yield from bounds_of(source, Tally(), (yield from source.standing()))
        left_out = yield from cut_after(source, bounds, last)
    pause = yield from pauses.waiting(source.ledger, source.codec, source.session)
    if pause is None or newest is None or last is None:
        return Source(last, left_out=frozenset(left_out))

    def reached(calls: list[Entry]) -> list[Entry]:
        return [call for call in calls if call.key <= last and call.key not in left_out]

    waiting = yield from source.open_calls(call[0] for call in pause.calls)
    never = reached([call for call in waiting if not can_be_closed(call)])
    along = yield from come_along(source, never)
    left_out |= {entry.key for entry in (*never, *(taken.entry for taken in along))}
    closable = [call for call in waiting if can_be_closed(call)]
    if not reached(closable):
        return Source(last, left_out=frozenset(left_out))
    yield from _end(source, pause, lease, now)
    results = yield from source.tables.keys(source.session, above(newest))
    answered = dict(zip([call.key for call in closable], results, strict=True))
    left_out |= set(results) - {answered[call.key] for call in reached(closable)}
    return Source(last, left_out=frozenset(left_out), closing=tuple(results))


def _end(source: Scope, pause: Pause, lease: Lease | None, now: float) -> Operation[None]:
    """End the decision in the original. Raises SessionBusy, LeaseLost, or EffectUnknown for one taken."""
    leases.must_be_free((yield from source.standing()), source.session, lease, now)
    if pause.status is PauseState.DECIDING:
        raise EffectUnknown
    lapsed = yield from lapses_at(source, pause)
    yield from supersede(source, "expired" if lapsed is not None and now >= lapsed else "edited")


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
    old = yield from source.ledger.copy(source.session, None, wanted.last, target.session, wanted.change)
    if wanted.closing:
        ends = wanted.closing[0], wanted.closing[-1]
        old += yield from source.ledger.copy(source.session, *ends, target.session)
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
        sealed = [(stored.key, as_text(target.codec.adopt(stored.raw, source.codec))) for stored in rows]
        yield Moved(target.session, added=sealed)
        yield Many(
            f"UPDATE {target.tables.messages} SET message_data = :text "
            "WHERE session_id = :session AND id = :id",
            [{"session": target.session, "id": key[-1], "text": text} for key, text in sealed],
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
