"""What a time to live means for a session: what may still be sent, and when that changes next.

Expired items stay stored, in order and unopened. A pair or a run expires with its first part, so that no
half of anything is ever sent: a call goes before its result, and a reasoning item before what rests on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .contract import MOST
from .entries import Entry, Item, Key, Kind, State
from .envelope import clear_time
from .items import Role, half_of, kind_of
from .notes import Pause
from .pairs import match, runs
from .scope import Scope
from .sealing import SKEW, FernetCodec, Stretch
from .statements import Operation
from .tables import Place, Stored, fingerprint

NEARBY = 16
"""Rows looked at before an item to see whether what it rests on has expired."""

MANY_HEADS = 4000
"""Rows of which only the beginning is read at once."""

PASSING = (State.EXPIRED, State.AHEAD)
"""States that time alone brings and takes."""


def fallen(entries: Sequence[Entry]) -> dict[Key, Entry]:
    """The entries that cannot be sent because a partner or a part of their run is past its time (or before).

    `entries` are neighbours in stored order, those that expired with their items; each key that falls is
    mapped to the entry it falls with.
    """
    gone = {entry.key: entry for entry in entries if entry.state in PASSING}
    if not gone:
        return {}
    partner = match(entries)
    together = [[e.key for e in run] for run in runs(entries)]
    together += [[a, b] for a, b in partner.items() if a < b]
    found: dict[Key, Entry] = {}
    while True:
        more: dict[Key, Entry] = {}
        for keys in together:
            cause = next((gone[key] for key in keys if key in gone), None)
            if cause is not None:
                more |= {key: cause for key in keys if key not in gone}
        if not more:
            return found
        gone |= more
        found |= more


def aged(entries: Sequence[Entry], around: Sequence[Entry] | None = None) -> list[Entry]:
    """The entries with those that fell marked as what they fell with.

    `around` are these and more in stored order, where what they rest on may lie outside.
    """
    causes = fallen(entries if around is None else around)
    if not causes:
        return list(entries)
    return [
        replace(e, state=causes[e.key].state, expires_at=causes[e.key].expires_at)
        if e.key in causes and e.readable
        else e
        for e in entries
    ]


# items for a model


def items(scope: Scope, limit: int | None) -> Operation[list[Item]]:
    """The newest `limit` items in time order that have not expired, nor what they rest on."""
    found: list[tuple[Key, Item]] = []
    before: Place = None
    wanted = MOST if limit is None else limit
    while len(found) < wanted:
        ask = wanted - len(found)
        rows = yield from scope.tables.newest(scope.session, ask, before)
        fresh: list[tuple[Key, Item]] = []
        behind: set[Key] = set()
        beside = False  # whether the row before is a fresh one too
        for stored in reversed(rows):
            item = scope.codec.decode(stored.raw)[0]
            if item is not None:
                behind |= set() if beside else {stored.key}
                fresh.append((stored.key, item))
            beside = item is not None
        lost = yield from resting_on_expired(scope, fresh, behind)
        found += [pair for pair in reversed(fresh) if pair[0] not in lost]
        if len(rows) < ask:
            break
        before = rows[-1].key
        if scope.codec.expired(rows[-1].raw):
            before = yield from _next_fresh(scope, rows[-1])
            if before is None:
                break
    return [item for _, item in reversed(found)]


def resting_on_expired(
    scope: Scope, fresh: Sequence[tuple[Key, Item]], behind: set[Key]
) -> Operation[set[Key]]:
    """Which of these rows cannot be sent, because what they rest on has expired.

    `fresh` are readable rows in order, `behind` those of them that do not follow another one. Only where
    something has expired close before a row that could rest on it are the expired rows there opened, to see
    what they are.
    """
    if scope.codec.ttl is None or not fresh:
        return set()
    seams = seams_of(fresh, behind)
    context: dict[Key, Stored] = {}
    for key in seams:
        heads = yield from scope.tables.heads(scope.session, NEARBY, key)
        if any(scope.codec.expired(head) for _, head in heads):
            near = yield from scope.tables.newest(scope.session, NEARBY, key)
            context |= {stored.key: stored for stored in near}
    ours = {key for key, _ in fresh}
    entries = scope.read(stored for stored in context.values() if stored.key not in ours)
    return lost_among(fresh, seams, entries)


def lost_among(fresh: Sequence[tuple[Key, Item]], seams: Sequence[Key], around: Sequence[Entry]) -> set[Key]:
    """Which of the fresh rows cannot be sent; `around` are the other entries near the seams."""
    if not around:
        return set()
    entries = sorted([*(_entry(key, item) for key, item in fresh), *around], key=lambda entry: entry.key)
    lost = set(fallen(entries)) & {key for key, _ in fresh}
    # An output whose call is not even near can only have lost it further back among the expired.
    partner = match(entries)
    passed = next((e.key for e in entries if e.state in PASSING), None)
    for key, item in fresh:
        half = half_of(item)
        if half and half.role is Role.OUTPUT and key in seams and key not in partner:
            lost |= {key} if passed is not None and passed < key else set()
    return lost


def seams_of(fresh: Sequence[tuple[Key, Item]], behind: set[Key]) -> list[Key]:
    """Rows that may rest on what stands before: results without their call, and where a run may begin."""
    open_calls: dict[tuple[str, str], int] = {}
    seams = [key for key, item in fresh if key in behind and kind_of(item) is not Kind.USER]
    for key, item in fresh:
        half = half_of(item)
        if half is None:
            continue
        if half.role is Role.CALL:
            open_calls[half.pair] = open_calls.get(half.pair, 0) + 1
        elif open_calls.get(half.pair, 0) > 0:
            open_calls[half.pair] -= 1
        elif key not in seams:
            seams.append(key)
    return seams


def _entry(key: Key, item: Item) -> Entry:
    return Entry("", kind_of(item), None, None, item, "", 0, State.OK, key=key)


# skipping what has expired


def _next_fresh(scope: Scope, stored: Stored) -> Operation[Place]:
    """Reading on before the row that comes back misses none that is fresh; None if all the rest has expired.

    `stored` is an expired row. What was found is remembered, so that the next look costs three statements.
    """
    codec = scope.codec
    assert isinstance(codec, FernetCodec)
    edits = (yield from scope.standing()).edits
    known = codec.stretch
    if known is not None:
        newest = yield from scope.tables.one(scope.session, known.last)
        same = newest is not None and fingerprint(newest.raw) == known.digest and known.edits == edits
        known = known if same and codec.past(known.time) else None

    first, time, size = stored.key, clear_time(stored.raw) or 0, 256
    answer: Place = None
    looking = True
    while looking:
        if known is not None and known.first <= first <= known.last:
            first, time, known = known.first, max(time, known.time), None
        heads = yield from scope.tables.heads(scope.session, size, first)
        looking = len(heads) == size
        for key, head in heads:
            if not codec.expired(head):
                answer, looking = first, False
                break
            first, time = key, max(time, clear_time(head) or 0)
            if known is not None and first <= known.last:
                looking = True
                break
        size = MANY_HEADS
    if scope.tables.order == "id":  # else a row may land in the middle later
        codec.stretch = Stretch(stored.key, first, time, fingerprint(stored.raw), edits)
    return answer


# when it changes


def next_change(entries: Iterable[Entry], now: float) -> float | None:
    """When, in seconds, time alone will next change the state of one of these entries; None for never."""
    moments = []
    for entry in entries:
        if entry.state is State.AHEAD and entry.sealed_at is not None:
            moments.append(entry.sealed_at.timestamp() - SKEW)
        elif entry.readable and entry.expires_at is not None:
            moments.append(entry.expires_at.timestamp() + 1)
    return min((moment for moment in moments if moment > now), default=None)


def lapses_at(scope: Scope, pause: Pause) -> Operation[float | None]:
    """When, in seconds, the first of the entries expires that a waiting decision rests on; None for never.

    These are the entries that could be read when the question of its turn was asked: its frozen run holds
    them. What had expired before is not in it.
    """
    ttl = scope.codec.ttl
    if ttl is None:
        return None
    asked = yield from _asked_at(scope)
    start = pause.created_at.timestamp() if asked is None else asked
    first: float | None = None
    before: Place = None
    while True:
        heads = yield from scope.tables.heads(scope.session, MANY_HEADS, before)
        for key, head in heads:
            before = key
            sealed = clear_time(head)
            if sealed is not None and sealed + ttl >= int(start):
                first = sealed if first is None else min(first, sealed)
        if len(heads) < MANY_HEADS:
            return None if first is None else first + ttl + 1


def _asked_at(scope: Scope) -> Operation[int | None]:
    """When the newest message of a person was sealed, however old it is by now."""
    before: Place = None
    while rows := (yield from scope.tables.newest(scope.session, NEARBY, before)):
        for stored in rows:
            if scope.codec.glance(stored.raw)[0]:
                return clear_time(stored.raw)
        before = rows[-1].key
    return None
