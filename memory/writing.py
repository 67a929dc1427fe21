"""Appending, popping and clearing: what the SDK's contract asks of a store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from . import leases, pauses
from .entries import Item
from .items import half_of, output_for
from .notes import Lease, Pause, PauseState
from .scope import Scope
from .statements import Operation
from .tables import Stored, row

SUPERSEDED = "Superseded: the conversation went on before a person decided. Nothing was done."
"""What the lone call of a waiting decision is closed with when the history under it changes."""


def append(
    scope: Scope,
    texts: Sequence[str],
    *,
    agent: str | None,
    lease: Lease | None,
    note: tuple[str, dict[str, Any]] | None,
) -> Operation[list[int]]:
    """Store encoded items as one batch; the ids of their rows. Raises LeaseLost for a lease that is gone."""
    if not texts and note is None:
        return []
    yield from scope.tables.make()
    if agent is not None or lease is not None or note is not None:
        yield from scope.ledger.make()
    if lease is not None:
        yield from leases.must_hold(scope.ledger, lease)
    ids = (yield from scope.tables.insert(scope.session, texts)) if texts else []
    if agent is not None and ids:
        yield from scope.ledger.credit(scope.session, ids, agent)
    if note is not None:
        after = ids[-1] if ids else (yield from _last(scope))
        yield from add_note(scope, after, *note)
    return ids


def add_note(scope: Scope, after: int, kind: str, detail: dict[str, Any]) -> Operation[None]:
    yield from scope.ledger.add_note(scope.session, after, kind, scope.codec.seal(json.dumps(detail)))


def _last(scope: Scope) -> Operation[int]:
    ends = yield from scope.tables.ends(scope.session)
    return ends[1] if ends else 0


def pop(scope: Scope, lease: Lease | None, now: float) -> Operation[Item | None]:
    """Take the newest readable item and the unreadable rows after it, keeping a copy that undo puts back.

    If nothing can be read, nothing is taken: a wrong key must not empty a store.
    """
    if not (yield from scope.tables.there()):
        return None
    yield from scope.ledger.make()
    yield from leases.must_be_free(scope.ledger, scope.session, lease, now)
    item: Item | None = None
    going: list[Stored] = []
    before: int | None = None
    size = 1
    while item is None and (rows := (yield from scope.tables.newest(scope.session, size, before))):
        for stored in rows:
            going.append(stored)
            item = scope.codec.decode(stored.raw)[0]
            if item is not None:
                break
        before, size = rows[-1].id, size * 4
    if item is None:
        return None
    yield from scope.ledger.drop_undone(scope.session)
    change = yield from scope.ledger.record(
        scope.session,
        "pop",
        removed=len(going),
        took=[(going[-1].id, going[0].id)],
        tail=going[-1].id,
        birth=(yield from scope.tables.born(scope.session)),
    )
    yield from scope.ledger.close(change.id, seen=(yield from _last(scope)), put=[], added=0)
    yield from supersede(scope)
    return item


def clear(scope: Scope, lease: Lease | None, now: float) -> Operation[bool]:
    """Remove the session and everything kept beside it, for good; whether there was anything."""
    there = yield from scope.tables.there()
    kept = yield from scope.ledger.there()
    if kept:
        yield from leases.must_be_free(scope.ledger, scope.session, lease, now)
        yield from scope.ledger.forget(scope.session)
    if there:
        yield from scope.tables.forget(scope.session)
    return there or kept


def purge(scope: Scope, lease: Lease | None, now: float) -> Operation[int]:
    """Drop the copies that undo would need, and what else outlived its entries; how many rows went."""
    if not (yield from scope.ledger.there()):
        return 0
    yield from leases.must_be_free(scope.ledger, scope.session, lease, now)
    return (yield from scope.ledger.forget_copies(scope.session))


def supersede(scope: Scope, ids_only: frozenset[str] | None = None) -> Operation[tuple[str, ...]]:
    """Close the waiting decision, if there is one, with a result for each of its calls and a note.

    `ids_only` limits which calls get a result, for an edit that takes the others away. The calls that were
    waiting come back, in order.
    """
    pause = yield from pauses.waiting(scope.ledger, scope.codec, scope.session)
    if pause is None:
        return ()
    yield from pauses.end(scope.ledger, scope.session, pause.id, PauseState.SUPERSEDED)
    waiting = tuple(call[0] for call in pause.calls)
    chosen = [call for call in waiting if ids_only is None or call in ids_only]
    ids = yield from close_calls(scope, chosen, SUPERSEDED)
    if ids:
        detail = {"tools": [call[1] for call in pause.calls if call[0] in chosen]}
        yield from add_note(scope, ids[-1], "superseded", detail)
    return waiting


def close_calls(scope: Scope, call_ids: Sequence[str], text: str) -> Operation[list[int]]:
    """Append `text` as the result of each of these calls that is stored and has none; the new row ids."""
    results = [
        scope.codec.encode(output_for(call.item, text))
        for call in (yield from scope.unanswered(call_ids))
        if call.item is not None and call.item.get("type") == "function_call"
    ]
    return (yield from scope.tables.insert(scope.session, results)) if results else []


def settle_lone_calls(scope: Scope, pause: Pause | None, text: str) -> Operation[list[int]]:
    """Close the calls at the very end of the session that have no result and wait for nobody."""
    rows = yield from scope.tables.newest(scope.session, 16)
    waiting = {call[0] for call in pause.calls} if pause else set()
    lone = []
    for entry in scope.read(rows):
        half = half_of(entry.item)
        if half is None or entry.item is None or entry.item.get("type") != "function_call":
            break
        if half.call_id not in waiting:
            lone.append((row(entry.key), half.call_id))
    return (yield from close_calls(scope, [call_id for _, call_id in sorted(lone)], text))
