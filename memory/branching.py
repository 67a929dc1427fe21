"""A branch is a copy of the beginning of a session under another id; the original is not touched.

Rows are copied inside the database, byte for byte and with their times; who wrote them and the notes
between them come along. The call of a waiting decision stays behind with the decision: in the branch it
would be half a pair that nobody can answer.
"""

from __future__ import annotations

from bisect import bisect_right

from . import pauses
from .applying import copy_credits
from .errors import EntryNotFound, NothingToDo, SessionNotEmpty
from .ledger import BEFORE
from .planning import cut_after
from .scope import Scope
from .statements import Many, Operation, Sql
from .tables import row


def branch(source: Scope, target: Scope, upto: str | None, before: int | None) -> Operation[int]:
    """Copy `source` up to entry `upto`, or as it was before change `before`; how many rows were copied.

    Raises EntryNotFound, NothingToDo for an empty source, SessionNotEmpty for a target that holds items.
    """
    yield from target.tables.make()
    yield from target.ledger.make()
    if (yield from target.tables.ends(target.session)) is not None:
        raise SessionNotEmpty(f"The session {target.session} already holds items; choose another name.")
    if before is not None:
        ids = yield from _before_change(source, before)
        kept = yield from source.ledger.kept_ids(before, BEFORE)
    else:
        ids = yield from _up_to(source, upto)
        kept = []
    if not ids and not kept:
        raise NothingToDo("There is nothing to branch from: no item would be copied.")
    new = yield from _copy(source, target, ids, kept, before)
    old = [*ids, *kept]
    yield from copy_credits(source, old, target, new)
    yield from _copy_notes(source, target, old, new)
    return len(new)


def _up_to(source: Scope, upto: str | None) -> Operation[list[int]]:
    """The rows to copy: those up to the entry, without what a roll back to it would take along."""
    ends = yield from source.tables.ends(source.session)
    if ends is None:
        return []
    last = ends[1]
    left_out: set[int] = set()
    if upto is not None:
        last = row((yield from source.entry(upto)).key)
        left_out = yield from cut_after(source, last)
    pause = yield from pauses.waiting(source.ledger, source.codec, source.session)
    if pause is not None:
        waiting = {call[0] for call in pause.calls}
        left_out |= {row(entry.key) for entry in (yield from source.carriers(waiting))}
    rows = yield Sql(
        f"SELECT id {source.tables.own} AND id <= :last ORDER BY id",
        {"session": source.session, "last": last},
    )
    return [int(r[0]) for r in rows if r[0] not in left_out]


def _before_change(source: Scope, change: int) -> Operation[list[int]]:
    """The rows that stood before the cut of a tail edit and stand there still."""
    history = yield from source.ledger.history(source.session)
    recorded = next((r for r in history if r.id == change), None)
    if recorded is None or recorded.tail is None or recorded.undone:
        raise EntryNotFound("There is no such edit to go back before.")
    rows = yield Sql(
        f"SELECT id {source.tables.own} AND id < :tail ORDER BY id",
        {"session": source.session, "tail": recorded.tail},
    )
    return [int(r[0]) for r in rows]


def _copy(
    source: Scope, target: Scope, ids: list[int], kept: list[int], change: int | None
) -> Operation[list[int]]:
    yield Sql(
        f"INSERT INTO {target.tables.sessions} (session_id) VALUES (:session) "
        "ON CONFLICT (session_id) DO NOTHING",
        {"session": target.session},
    )
    into = f"INSERT INTO {target.tables.messages} (session_id, message_data, created_at) "
    if ids:
        yield Sql(
            f"{into} SELECT :target, message_data, created_at {source.tables.own} "
            "AND id BETWEEN :first AND :last ORDER BY id",
            {"target": target.session, "session": source.session, "first": ids[0], "last": ids[-1]},
        )
        yield from _drop_left_out(source, target, ids)
    if kept:
        yield Sql(
            f"{into} SELECT :target, message_data, created_at FROM {source.ledger.kept} "
            f"WHERE change_id = :change AND side = {BEFORE} ORDER BY id",
            {"target": target.session, "change": change},
        )
    rows = yield Sql(f"SELECT id {target.tables.own} ORDER BY id", {"session": target.session})
    return [int(r[0]) for r in rows]


def _drop_left_out(source: Scope, target: Scope, ids: list[int]) -> Operation[None]:
    """Take out of the fresh copy the rows between the first and the last that were not asked for."""
    rows = yield Sql(
        f"SELECT id {source.tables.own} AND id BETWEEN :first AND :last ORDER BY id",
        {"session": source.session, "first": ids[0], "last": ids[-1]},
    )
    if len(rows) == len(ids):
        return
    copied = yield Sql(f"SELECT id {target.tables.own} ORDER BY id", {"session": target.session})
    wanted = set(ids)
    yield Many(
        f"DELETE {target.tables.own} AND id = :id",
        [
            {"session": target.session, "id": copy[0]}
            for original, copy in zip(rows, copied, strict=True)
            if original[0] not in wanted
        ],
    )


def _copy_notes(source: Scope, target: Scope, old: list[int], new: list[int]) -> Operation[None]:
    rows = yield from source.ledger.notes_between(source.session, 0, old[-1])
    for after, kind, detail, at in rows:
        place = bisect_right(old, after)
        if after == 0 or (place and old[place - 1] == after):
            yield from target.ledger.add_note(
                target.session, new[place - 1] if after else 0, kind, detail, at
            )
