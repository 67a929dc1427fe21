"""Appending, popping and clearing: what the SDK's contract asks of a store."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from itertools import takewhile
from typing import Any, Literal

from . import leases, pauses
from .entries import Entry, Item, Key, Kind
from .freshness import resting_on_expired
from .items import output_for
from .keyguard import must_open
from .notes import Lease, Pause, PauseState
from .pairs import halves
from .recorded import Made, Ranges
from .scope import Scope
from .statements import Operation
from .tables import Place, Stored

Ended = Literal["went_on", "edited", "expired"]
"""Why a waiting decision ended: something else was said, the history under it was edited, or time did it."""

SUPERSEDED = "Superseded: the conversation went on before a person decided. Nothing was done."
"""What the lone call of a waiting decision is closed with when something else is said."""

EDITED = "Superseded: the conversation was edited before a person decided. Nothing was done."
"""What it is closed with when the history under it is edited."""

EXPIRED = "Expired: the conversation under this call was too old before a person decided. Nothing was done."
"""What it is closed with when a part of that history expires."""

CLOSED_WITH: dict[Ended, str] = {"went_on": SUPERSEDED, "edited": EDITED, "expired": EXPIRED}

NEWEST = 100
"""Rows looked at where the newest turn is meant; a run makes no more between two messages of a person."""


def append(
    scope: Scope,
    texts: Sequence[str],
    *,
    agent: str | None,
    lease: Lease | None,
    note: tuple[str, dict[str, Any]] | None,
) -> Operation[list[Key]]:
    """Store encoded items as one batch; the keys of their rows. Raises LeaseLost for a lease that is gone."""
    if not texts and note is None:
        return []
    yield from scope.tables.make()
    alone = agent is None and lease is None and note is None
    if not alone:
        yield from scope.ledger.make()
        yield from scope.tables.lock(scope.session)
    if lease is not None:
        yield from leases.must_hold(scope.ledger, lease)
    keys = (yield from scope.tables.insert(scope.session, texts, alone=alone)) if texts else []
    if agent is not None and keys:
        yield from scope.ledger.credit(scope.session, keys, agent)
    if note is not None:
        after = keys[-1] if keys else (yield from last_place(scope))
        yield from add_note(scope, after, *note)
    return keys


def lock(scope: Scope) -> Operation[bool]:
    """Wait for other writers of the session, before anything is read; whether its tables are there."""
    there = yield from scope.tables.there()
    if there:
        yield from scope.tables.lock(scope.session)
    return there


def add_note(
    scope: Scope, after: Place, kind: str, detail: dict[str, Any], *, at: datetime | None = None
) -> Operation[None]:
    """Put a note behind row `after`, None for the start. `at` is when it was first made; None is now."""
    sealed = scope.codec.seal(json.dumps(detail))
    yield from scope.ledger.add_note(scope.session, after, kind, sealed, at.isoformat() if at else None)


def last_place(scope: Scope) -> Operation[Place]:
    """The key of the newest row, None for an empty session."""
    ends = yield from scope.tables.ends(scope.session)
    return ends[1] if ends else None


def pop(scope: Scope, lease: Lease | None, now: float) -> Operation[Item | None]:
    """Take the newest readable item and the unreadable rows after it, keeping a copy that undo puts back.

    If nothing can be read, nothing is taken: a wrong key must not empty a store. Raises WrongKey where an
    item of another key stands after the newest that can be read.
    """
    if not (yield from scope.tables.there()):
        return None
    yield from scope.ledger.make()
    yield from scope.tables.lock(scope.session)
    standing = yield from scope.ledger.standing(scope.session)
    leases.must_be_free(standing, scope.session, lease, now)
    item: Item | None = None
    going: list[Stored] = []
    before: Place = None
    size = 1
    while item is None and (rows := (yield from scope.tables.newest(scope.session, size, before))):
        for stored in rows:
            going.append(stored)
            item = scope.codec.decode(stored.raw)[0]
            if item is not None and (
                yield from resting_on_expired(scope, [(stored.key, item)], {stored.key})
            ):
                item = None
            if item is not None:
                break
        before, size = rows[-1].key, size * 4
    if item is None:
        return None
    yield from must_open(scope, [(going[-1].key, going[0].key)])
    standing = yield from scope.ledger.drop_undone(scope.session, standing)
    took: Ranges = [(going[-1].key, going[0].key)]
    calls: list[str] = []
    if standing.waiting is not None:
        calls, closed = yield from close_going(scope, took)
        took += [(key, key) for key in closed]
    yield from scope.ledger.take(scope.session, took)
    if standing.waiting is not None:
        yield from supersede(scope, "edited", but=calls)
    yield from scope.ledger.record(
        scope.session,
        standing,
        Made(
            "pop",
            took,
            len(going) + len(took) - 1,
            standing.born or (yield from scope.tables.birth(scope.session)),
            tail=going[-1].key,
        ),
    )
    return item


def clear(scope: Scope, lease: Lease | None, now: float, *, erasing: bool = False) -> Operation[bool]:
    """Remove the session and everything kept beside it, for good; whether there was anything.

    `erasing` says that the files are to be rid of its text too.
    """
    there = yield from lock(scope)
    kept = yield from scope.ledger.there()
    if kept:
        leases.must_be_free((yield from scope.standing()), scope.session, lease, now)
        yield from scope.ledger.forget(scope.session)
    if there:
        yield from scope.tables.forget(scope.session)
    if erasing and (there or kept):
        yield scope.ledger.outdated()
    return there or kept


def purge(scope: Scope, lease: Lease | None, now: float) -> Operation[int]:
    """Drop the copies that undo would need, and what else outlived its entries; how many rows went."""
    if not (yield from scope.ledger.there()):
        return 0
    yield from lock(scope)
    leases.must_be_free((yield from scope.standing()), scope.session, lease, now)
    gone = yield from scope.ledger.forget_copies(scope.session)
    yield scope.ledger.outdated()
    return gone


def waiting_calls(scope: Scope, within: Ranges) -> Operation[list[str]]:
    """The ids of the calls that wait for a person and are stored in one of these ranges of rows."""
    pause = yield from pauses.waiting(scope.ledger, scope.codec, scope.session)
    if pause is None:
        return []
    calls = yield from scope.open_calls(call[0] for call in pause.calls)
    return [
        call.call_id
        for call in calls
        if call.call_id and any(first <= call.key <= last for first, last in within)
    ]


def close_going(scope: Scope, going: Ranges) -> Operation[tuple[list[str], list[Key]]]:
    """Close the waiting calls stored in these rows, which an edit is about to take: their ids, the new rows.

    A call that goes takes its result along, so that an undo brings back a whole pair and the note about it.
    """
    pause = yield from pauses.waiting(scope.ledger, scope.codec, scope.session)
    if pause is None:
        return [], []
    ids = yield from waiting_calls(scope, going)
    return ids, (yield from _close_and_say(scope, [call for call in pause.calls if call[0] in ids], "edited"))


def supersede(scope: Scope, ended: Ended, *, but: Collection[str] = ()) -> Operation[tuple[str, ...]]:
    """Close the waiting decision, if there is one, with a result for each of its calls and a note.

    The calls in `but` get no result: the edit that ends the decision has seen to them. The ids of all calls
    that were waiting come back, in order.
    """
    pause = yield from pauses.waiting(scope.ledger, scope.codec, scope.session)
    if pause is None:
        return ()
    yield from pauses.end(scope.ledger, scope.session, pause.id, PauseState.SUPERSEDED)
    yield from _close_and_say(scope, [call for call in pause.calls if call[0] not in but], ended)
    return tuple(call[0] for call in pause.calls)


def _close_and_say(scope: Scope, calls: Sequence[pauses.Call], ended: Ended) -> Operation[list[Key]]:
    keys = yield from close_calls(scope, [call[0] for call in calls], CLOSED_WITH[ended])
    if keys:
        why = {} if ended == "went_on" else {"because": ended}
        yield from add_note(scope, keys[-1], "superseded", {"tools": [call[1] for call in calls], **why})
    return keys


def close_calls(scope: Scope, call_ids: Sequence[str], text: str) -> Operation[list[Key]]:
    """Append `text` as the result of each of these calls that is stored and has none; the new row ids."""
    results = [
        scope.codec.encode(output_for(call.item, text), like=call.raw)
        for call in (yield from closable(scope, call_ids))
        if call.item is not None
    ]
    return (yield from scope.tables.insert(scope.session, results)) if results else []


def closable(scope: Scope, call_ids: Iterable[str]) -> Operation[list[Entry]]:
    """Those of these calls that `close_calls` gives a result."""
    return [call for call in (yield from scope.open_calls(call_ids)) if can_be_closed(call)]


def can_be_closed(call: Entry) -> bool:
    """Whether an open call is of the kind that `close_calls` has a result for."""
    return call.item is not None and call.item.get("type") == "function_call"


def settle_lone_calls(scope: Scope, pause: Pause | None, text: str) -> Operation[list[Key]]:
    """Close the calls of the newest turn that have no result and wait for nobody; the new row ids."""
    waiting = {call[0] for call in pause.calls} if pause else set()
    newest = scope.read((yield from scope.tables.newest(scope.session, NEWEST)))
    turn = list(takewhile(lambda entry: entry.kind is not Kind.USER, newest))[::-1]
    lone, _ = halves(turn)
    results = [
        scope.codec.encode(output_for(call.item, text), like=call.raw)
        for call in lone
        if call.item is not None and can_be_closed(call) and call.call_id not in waiting
    ]
    return (yield from scope.tables.insert(scope.session, results)) if results else []
