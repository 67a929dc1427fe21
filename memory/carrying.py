"""Writing what comes from another session: items with who wrote them, when, and the notes between them.

Each batch goes behind what the one before it left, in one transaction that looks whether that still stands
there: whoever writes in between is noticed, and nothing is ever put behind what is not of the same copy.
A session that another program cleared may have left authors and notes in the ledger: the batch that begins
there takes those away.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from . import leases
from .entries import Item
from .errors import SessionNotEmpty
from .notes import Lease, Note
from .scope import Scope
from .statements import Operation
from .tables import key_of
from .writing import add_note

COPYING, COPIED = "copying", "copied"
"""The kinds of the note at the start of a copy: while it is being made, and once it is whole."""

COPIER = "copy-"
"""How the owner of a target's lease begins while it is copied to."""

NOT_EMPTY = (
    "The session already holds something, or keeps something for an undo; choose another name, or delete it."
)


@dataclass(frozen=True, slots=True)
class Carried:
    """One item on its way.

    `at` is when it was first stored, `said_at` when it was said where its text carries a time of its own, and
    `agent` who wrote it; None where that is not known. `notes` are those that stand behind it.
    """

    item: Item
    at: datetime | None = None
    said_at: datetime | None = None
    agent: str | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Batch:
    """Items that are stored together.

    `behind` is the mark of what stands last in the session until now: what `carry` gave for the batch
    before, None for an empty session. The first batch brings the notes of the start (`opening`), and what
    to say of the copy itself there (`origin`).
    """

    items: tuple[Carried, ...]
    behind: str | None
    opening: tuple[Note, ...] = ()
    origin: dict[str, Any] | None = None


def carry(scope: Scope, batch: Batch, texts: Sequence[str], lease: Lease | None) -> Operation[str]:
    """Store a batch whose items are encoded as `texts`; the mark of what stands last now.

    Raises SessionNotEmpty where something else stands there, and LeaseLost.
    """
    yield from scope.tables.make()
    yield from scope.ledger.make()
    if batch.behind is None:
        yield from scope.tables.lock(scope.session)  # says whether the session was there before this
    yield from scope.tables.parent(scope.session)  # where there is none yet, nobody could be locked out
    yield from _must_end_with(scope, batch.behind, lease)
    if batch.behind is None and (yield from scope.standing()).newest:
        raise SessionNotEmpty(NOT_EMPTY)  # an undo would put its rows among those of the copy
    yield from _drop_behind(scope, batch.behind)
    keys = yield from scope.tables.insert_dated(scope.session, texts, [carried.at for carried in batch.items])
    by_agent = groupby(zip(keys, batch.items, strict=True), key=lambda pair: pair[1].agent)
    written = [([key for key, _ in group], agent) for agent, group in by_agent if agent is not None]
    yield from scope.ledger.credit_each(scope.session, written)
    if batch.origin is not None:
        yield from add_note(scope, None, COPYING, batch.origin)
    for note in batch.opening:
        yield from add_note(scope, None, note.kind, note.detail, at=note.at)
    for key, carried in zip(keys, batch.items, strict=True):
        for note in carried.notes:
            yield from add_note(scope, key, note.kind, note.detail, at=note.at)
    mark = yield from newest(scope)
    assert mark is not None
    return mark


def _must_end_with(scope: Scope, mark: str | None, lease: Lease | None) -> Operation[None]:
    """Lock the session. Raises LeaseLost, and SessionNotEmpty unless it ends with what left this mark."""
    yield from scope.tables.lock(scope.session)
    if lease is not None:
        yield from leases.must_hold(scope.ledger, lease)
    if (yield from newest(scope)) != mark:
        raise SessionNotEmpty(NOT_EMPTY)
    last = key_of(mark) if mark is not None else None
    if last is not None and (yield from scope.tables.late(scope.session, last, last[-1])):
        raise SessionNotEmpty(NOT_EMPTY)  # it was stored since, with an earlier time


def _drop_behind(scope: Scope, mark: str | None) -> Operation[None]:
    """Take away what the ledger says of rows that another program has removed."""
    yield from scope.ledger.drop_behind(scope.session, key_of(mark) if mark is not None else None)
    if mark is None:
        kinds = {note[1] for note in (yield from scope.ledger.notes_between(scope.session, None, None))}
        for kind in kinds if COPYING in kinds else ():
            yield from scope.ledger.drop_notes(scope.session, kind)


def newest(scope: Scope) -> Operation[str | None]:
    """The id of the entry that stands last, None for an empty session."""
    if not (yield from scope.tables.there()):
        return None
    rows = yield from scope.tables.newest(scope.session, 1)
    return scope.read(rows)[0].id if rows else None


def finish(scope: Scope, detail: dict[str, Any], mark: str | None, lease: Lease | None) -> Operation[None]:
    """Say at the start of the session that the copy is whole. Raises what `carry` raises."""
    yield from scope.ledger.make()
    yield from _must_end_with(scope, mark, lease)
    yield from scope.ledger.turn_notes(scope.session, COPYING, COPIED, scope.codec.seal(json.dumps(detail)))
