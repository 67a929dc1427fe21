"""With a wrong key nothing is taken away: what cannot be opened is left for whoever has its key."""

from __future__ import annotations

from collections.abc import Iterable

from .codec import Codec
from .edits import Plan
from .entries import Entry, State, below
from .errors import WrongKey
from .recorded import Ranges, Recorded
from .scope import Scope
from .statements import Operation
from .tables import Place

BATCH = 500  # rows checked at once


def must_open(scope: Scope, ranges: Ranges) -> Operation[None]:
    """Raises WrongKey if one of these rows is sealed under a key that is not here, however old it is."""
    if scope.codec.portable:
        return
    for first, last in ranges:
        after: Place = below(first)
        while rows := (yield from scope.tables.oldest(scope.session, BATCH, after)):
            for stored in rows:
                if stored.key > last:
                    break
                _check(scope.codec, stored.raw)
            after = rows[-1].key
            if after >= last:
                break


def must_open_kept(scope: Scope, change: Recorded) -> Operation[None]:
    """The same for the rows of a change that lie in the ledger."""
    if scope.codec.portable:
        return
    ledger = scope.ledger
    raw = ledger.dialect.raw.format("message_data")
    for row in (yield ledger.sql(f"SELECT {raw} {ledger.lying}", ledger.lies(scope.session, change))):
        _check(scope.codec, row[0])


def must_open_plan(plan: Plan) -> None:
    """The same for the entries a plan names that go."""
    must_open_entries([*(plan.shown if plan.shown_go else ()), *(taken.entry for taken in plan.taken)])


def must_open_entries(entries: Iterable[Entry]) -> None:
    """Raises WrongKey, with how many, if some of these are sealed under a key that is not here."""
    locked = sum(entry.state is State.LOCKED for entry in entries)
    if locked:
        raise WrongKey(_sentence(locked))


def _check(codec: Codec, raw: bytes) -> None:
    if codec.locked(raw):
        raise WrongKey(_sentence(None))


def _sentence(count: int | None) -> str:
    many = (
        "Some items that" if count is None else f"{count} of the items that" if count > 1 else "An item that"
    )
    return (
        f"{many} this would take cannot be read with this key, so nothing was changed; open the session with "
        "the key and the id it was written under."
    )
