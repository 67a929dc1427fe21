"""Looking: a page of entries, the newest whole turns, items for a model. Nothing here writes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from . import freshness, pauses
from .codec import Codec, decode_item
from .entries import Entry, Item, Key, Kind, State, above, below
from .errors import EntryNotFound, WrongKey
from .notes import Note
from .pairs import halves, match, whole
from .scope import GONE, Scope, carried
from .statements import Operation
from .tables import Place, fingerprint, key_of, parse_time

CHUNK = 100
"""Rows read at once where it is not known how many are needed."""


class Tally(NamedTuple):
    """How long a session is, carried forward from the last row that was counted."""

    entries: int = 0
    turns: int = 0
    last: Place = None
    digest: str = ""
    edits: tuple[int, int] = (0, 0)
    top: int = 0  # the highest id that was counted, where ids are not the order


class Page(NamedTuple):
    entries: list[Entry]
    older: bool
    tally: Tally


def page(scope: Scope, before: str | None, limit: int, known: Tally) -> Operation[Page]:
    """The newest `limit` entries, those before entry `before` only, with their places in the whole.

    Entry `before` need not be there any more; EntryNotFound is raised for a token that never named one.
    """
    if not (yield from scope.tables.there()):
        return Page([], False, Tally())
    cut = key_of(before) if before is not None else None
    if before is not None and cut is None:
        raise EntryNotFound(GONE)
    rows = yield from scope.tables.newest(scope.session, limit + 1, cut)
    entries = scope.read(reversed(rows[:limit]))
    counted = yield from tally(scope, known)
    if not entries:
        return Page([], bool(rows), counted)
    entries = yield from _credited(scope, entries)
    entries = yield from _paired(scope, entries, newest=cut is None)
    after = yield from _tally_after(scope, entries[-1].key, counted) if cut is not None else _nothing()
    placed = number(entries, counted.entries - after.entries, counted.turns - after.turns)
    placed = [entry.veiled() for entry in placed]
    return Page(placed, len(rows) > limit, counted)


def number(entries: Sequence[Entry], last_position: int, last_turn: int) -> list[Entry]:
    """The same entries with position and turn filled in, counted back from the last one's."""
    placed = []
    turn = last_turn
    for offset, entry in enumerate(reversed(entries)):
        placed.append(entry.at(last_position - offset, turn))
        if entry.kind is Kind.USER:
            turn -= 1
    return placed[::-1]


def tally(scope: Scope, known: Tally) -> Operation[Tally]:
    """Count on from `known` if what it counted is still there, from the start otherwise."""
    edits = (yield from scope.ledger.edits(scope.session)) if (yield from scope.ledger.there()) else (0, 0)
    if known.last is not None:
        stored = yield from scope.tables.one(scope.session, known.last)
        moved = stored is None or known.edits != edits or fingerprint(stored.raw) != known.digest
        if moved or (yield from scope.tables.late(scope.session, known.last, known.top)):
            known = Tally()
    ends = yield from scope.tables.ends(scope.session)
    if ends is None:
        return Tally(edits=edits)
    last = ends[1]
    if known.last == last:
        return known
    first = above(known.last) if known.last is not None else None
    more = yield from _count(scope, first, last)
    top = yield from scope.tables.highest(scope.session, first, last)
    stored = yield from scope.tables.one(scope.session, last)
    assert stored is not None
    return Tally(
        known.entries + more.entries,
        known.turns + more.turns,
        last,
        fingerprint(stored.raw),
        edits,
        max(known.top, top),
    )


def _tally_after(scope: Scope, last: Key, counted: Tally) -> Operation[Tally]:
    return (yield from _count(scope, above(last), counted.last))


def _nothing() -> Operation[Tally]:
    return Tally()
    yield  # an operation that needs no statement


def _count(scope: Scope, first: Place, last: Place) -> Operation[Tally]:
    entries = yield from scope.tables.count(scope.session, first, last)
    if scope.codec.searchable:
        # Only rows that hold this word can be a person's message; the few that do are read to be sure.
        rows = yield from scope.tables.containing(scope.session, ['"user"'], first, last)
    else:
        rows = yield from scope.tables.between(scope.session, first, last)
    turns = sum(scope.codec.glance(stored.raw)[0] is Kind.USER for stored in rows)
    return Tally(entries, turns)


def _credited(scope: Scope, entries: list[Entry]) -> Operation[list[Entry]]:
    """The entries with the agents that wrote them, where that is known."""
    if not (yield from scope.ledger.there()):
        return entries
    ranges = yield from scope.ledger.credits(scope.session, entries[0].key, entries[-1].key)
    agents: dict[Key, str] = {}
    for first, last, agent in ranges:
        agents.update((entry.key, agent) for entry in entries if first <= entry.key <= last)
    return [
        replace(entry, agent=agents[entry.key])
        if entry.key in agents and entry.kind is not Kind.USER
        else entry
        for entry in entries
    ]


def _paired(scope: Scope, entries: list[Entry], *, newest: bool) -> Operation[list[Entry]]:
    """The entries with lone halves marked, but for the calls that wait for a person."""
    known = [_counted(entry) for entry in entries]
    calls, outputs = halves(known)
    first, last = entries[0].key, entries[-1].key
    cut_run = scope.codec.ttl is not None and entries[0].kind is not Kind.USER
    near = (yield from scope.tables.newest(scope.session, freshness.NEARBY, first)) if cut_run else []
    if not calls and not outputs and not near:
        return freshness.aged(entries, known)
    older = yield from scope.carriers((carried(e) or "" for e in outputs), last=below(first))
    newer = (
        []
        if newest
        else (yield from scope.carriers((carried(e) or "" for e in (*calls, *outputs)), first=above(last)))
    )
    # A lone output's call may have been answered before; only the whole story of its id tells.
    whole_story = {e.key: _counted(e) for e in (*scope.read(near), *older, *known, *newer)}
    around = [whole_story[key] for key in sorted(whole_story)]
    partner = match(around)
    waiting: set[str] = set()
    if calls and (yield from scope.ledger.there()):
        pause = yield from pauses.waiting(scope.ledger, scope.codec, scope.session)
        waiting = {call[0] for call in pause.calls} if pause else set()
    alone = {
        e.key for e in (*calls, *outputs) if e.readable and e.key not in partner and carried(e) not in waiting
    }
    entries = freshness.aged(entries, around)
    return [replace(e, state=State.UNPAIRED) if e.key in alone and e.readable else e for e in entries]


def _counted(entry: Entry) -> Entry:
    """The entry as one that may have a partner: what stands in the open among encrypted rows has none."""
    return entry.veiled() if entry.state is State.PLAINTEXT else entry


def state(scope: Scope) -> Operation[Hashable]:
    """What differs whenever the session has changed, for a database that has no cheaper word for it."""
    if not (yield from scope.tables.there()):
        return None
    touched = yield from scope.tables.touched(scope.session)
    ends = yield from scope.tables.ends(scope.session)
    kept = (yield from scope.ledger.state(scope.session)) if (yield from scope.ledger.there()) else None
    return (touched, ends, kept)


def items(scope: Scope, limit: int | None) -> Operation[list[Item]]:
    """The newest `limit` readable items in time order; what cannot be read takes no place."""
    if limit == 0 or not (yield from scope.tables.there()):
        return []
    if scope.codec.ttl is not None:
        return (yield from freshness.items(scope, limit))
    decode = scope.codec.decode
    if limit is None:
        raws = yield from scope.tables.everything(scope.session)
        return [item for raw in raws if (item := decode(raw)[0]) is not None]
    found: list[Item] = []
    before: Place = None
    while len(found) < limit:
        wanted = limit - len(found)
        rows = yield from scope.tables.newest(scope.session, wanted, before, alone=before is None)
        found += [item for stored in rows if (item := decode(stored.raw)[0]) is not None]
        if len(rows) < wanted:
            break
        before = rows[-1].key
    return found[::-1]


def recent(scope: Scope, turns: int) -> Operation[list[Entry]]:
    """What a model may be sent of the newest `turns` turns: readable entries, no half of anything."""
    if turns <= 0 or not (yield from scope.tables.there()):
        return []
    found: list[Entry] = []
    questions = 0
    before: Place = None
    while True:
        rows = yield from scope.tables.newest(scope.session, CHUNK, before)
        for entry in scope.read(rows):
            found.append(entry)
            questions += entry.kind is Kind.USER
            if questions == turns:
                break
        if questions == turns or len(rows) < CHUNK:
            break
        before = rows[-1].key
    if not found:
        return []
    found = yield from _credited(scope, found[::-1])
    return whole(found)


def notes(scope: Scope, entries: Sequence[Entry], *, from_start: bool) -> Operation[list[Note]]:
    """The notes that stand behind these entries, and before the first if the session starts with it."""
    if not (yield from scope.ledger.there()):
        return []
    tokens: dict[Place, str] = {entry.key: entry.id for entry in entries}
    first = None if from_start or not entries else entries[0].key
    last = entries[-1].key if entries else None
    rows = yield from scope.ledger.notes_between(scope.session, first, last)
    return [
        Note(kind, tokens.get(after), moment, note_detail(scope.codec, detail))
        for after, kind, detail, at in rows
        if (after in tokens or after is None) and (moment := parse_time(at)) is not None
    ]


def note_detail(codec: Codec, stored: str) -> dict[str, Any]:
    """The detail of a note: as it stands if it was written before the session was encrypted, {} if locked."""
    try:
        text = codec.unseal(stored)
    except WrongKey:
        text = stored
    return decode_item(text) or {}
