"""A branch is a copy of the beginning of a session under another id; the original is not touched.

Rows are copied inside the database, byte for byte and with their times; who wrote them and the notes
between them come along. The call of a waiting decision stays behind with the decision: in the branch it
would be half a pair that nobody can answer.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from . import pauses
from .applying import copy_credits, is_void
from .cutting import come_along, cut_after
from .errors import EntryNotFound, NothingToDo, SessionNotEmpty
from .ledger import Recorded
from .planning import bounds_of
from .reading import Tally
from .scope import Scope
from .statements import Many, Operation, Sql
from .tables import row


class Source(NamedTuple):
    """What is copied: the rows up to `last`, those a change took, and none of `left_out`."""

    last: int
    change: Recorded | None = None
    left_out: frozenset[int] = frozenset()


def branch(source: Scope, target: Scope, upto: str | None, before: int | None) -> Operation[int]:
    """Copy `source` up to entry `upto`, or as it was before change `before`; how many rows were copied.

    Raises EntryNotFound, NothingToDo for an empty source, SessionNotEmpty for a target that holds items.
    """
    yield from target.tables.make()
    yield from target.ledger.make()
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
    ends = yield from source.tables.ends(source.session)
    last = ends[1] if ends else 0
    left_out: set[int] = set()
    if upto is not None:
        last = row((yield from source.entry(upto)).key)
        left_out = yield from cut_after(source, (yield from bounds_of(source, Tally())), last)
    pause = yield from pauses.waiting(source.ledger, source.codec, source.session)
    if pause is not None:
        calls = yield from source.open_calls(call[0] for call in pause.calls)
        along = yield from come_along(source, calls)
        left_out |= {row(entry.key) for entry in (*calls, *(taken.entry for taken in along))}
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
    return Source(recorded.tail - 1, recorded)


def _copy(source: Scope, target: Scope, wanted: Source) -> Operation[tuple[list[int], list[int]]]:
    """The ids of the rows that were copied, as they were and as they are now, both ascending."""
    rows = f"SELECT id, message_data, created_at {source.tables.own} AND id <= :last"
    values = {"session": source.session, "last": wanted.last, "target": target.session}
    if wanted.change is not None:
        rows += f" UNION ALL SELECT id, message_data, created_at {source.ledger.lying}"
        values |= source.ledger.lies(source.session, wanted.change)
    found = yield Sql(f"SELECT id FROM ({rows}) AS rows_to_copy ORDER BY id", values)
    old = [int(r[0]) for r in found]
    yield Sql(
        f"INSERT INTO {target.tables.sessions} (session_id) VALUES (:session) "
        "ON CONFLICT (session_id) DO NOTHING",
        {"session": target.session},
    )
    yield Sql(
        f"INSERT INTO {target.tables.messages} (session_id, message_data, created_at) "
        f"SELECT :target, message_data, created_at FROM ({rows}) AS rows_to_copy ORDER BY id",
        values,
    )
    copied = yield Sql(f"SELECT id {target.tables.own} ORDER BY id", {"session": target.session})
    pairs = list(zip(old, (int(r[0]) for r in copied), strict=True))
    dropped = [{"session": target.session, "id": new} for id_, new in pairs if id_ in wanted.left_out]
    if dropped:
        yield Many(f"DELETE {target.tables.own} AND id = :id", dropped)
    kept = [pair for pair in pairs if pair[0] not in wanted.left_out]
    return [id_ for id_, _ in kept], [new for _, new in kept]


def _copy_notes(source: Scope, target: Scope, old: list[int], new: list[int]) -> Operation[None]:
    rows = yield from source.ledger.notes_between(source.session, 0, old[-1])
    for after, kind, detail, at in rows:
        place = bisect_right(old, after)
        if after == 0 or (place and old[place - 1] == after):
            yield from target.ledger.add_note(
                target.session, new[place - 1] if after else 0, kind, detail, at
            )
