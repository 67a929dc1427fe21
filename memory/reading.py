"""Looking: a page of entries, the newest whole turns, items for a model. Nothing here writes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Container, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from . import freshness, pauses
from .census import Census
from .codec import Codec, decode_item, reader
from .entries import Entry, Item, Key, Kind, State, above
from .errors import EntryNotFound, WrongKey
from .notes import Note
from .pairs import halves, is_call, whole
from .recorded import Standing
from .scope import CHUNK, Scope, carried
from .sealing import FernetCodec
from .statements import Operation
from .tables import Place, Stored, fingerprint, key_of, parse_time

FEW = 50
"""So many items are read without going to another thread."""

Numbers = tuple[int, int]
"""The position and the turn of an entry."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How long a session is, carried forward from the last row that was counted.

    What was found out on the way is carried along, for it stays true as long as the count does: `places`
    has what stands right before the first row of each page that was looked at, `alone` the halves without a
    partner, each with the last row there was when it was looked for. `anchor` is the count up to the row
    before the newest page: where the end is edited or taken, counting goes on from there.

    `census` is that of an encrypted session. `open` is the oldest row in it that stands in the open:
    what encrypts it encrypts all of them, in place.
    """

    entries: int = 0
    turns: int = 0
    last: Place = None
    digest: str = ""
    edits: tuple[int, int] = (0, 0)
    top: int = 0  # the highest id that was counted, where ids are not the order
    places: Mapping[Key, Numbers] = field(default_factory=dict)
    alone: Mapping[Key, Key] = field(default_factory=dict)
    census: Census = field(default_factory=Census)
    open: Place = None
    anchor: Tally | None = None

    def edited(self, lowest: Place, before: tuple[int, int], after: tuple[int, int]) -> Tally:
        """What counts on when an edit that touched no row before `lowest` led from `before` to `after`."""
        anchor = self.anchor
        if anchor is None or anchor.last is None or self.edits != before:
            return Tally()
        if lowest is None or lowest <= anchor.last:
            return Tally()
        anchor = replace(anchor, edits=after)
        places = {key: numbers for key, numbers in self.places.items() if key <= lowest}
        return replace(anchor, places=places, anchor=anchor)


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
        raise EntryNotFound
    rows = yield from scope.tables.newest(scope.session, limit + 1, cut)
    entries = scope.read(reversed(rows[:limit]))
    counted = yield from tally(scope, known)
    shown = _census(scope, rows[:limit])
    rest = counted.census.without(shown)
    if rest is None and known.last is not None:  # a row was changed in its place
        counted = yield from tally(scope, Tally())
        rest = counted.census.without(shown)
    if not entries:
        return Page([], bool(rows), counted)
    agents = yield from _agents(scope, entries)
    lone, alone, partners = yield from _lone(scope, entries, counted, newest=cut is None)
    if scope.codec.ttl is not None:
        entries = yield from _aged(scope, entries, partners)
    last = yield from _place(scope, entries[-1].key, cut, counted)
    placed = number(entries, *last, agents=agents, lone=lone)
    if not scope.codec.portable:
        placed = [entry.veiled() for entry in placed]
    before_first = (last[0] - len(entries), last[1] - sum(entry.kind is Kind.USER for entry in entries))
    places = {**counted.places, entries[0].key: before_first}
    older = len(rows) > limit
    anchor = counted.anchor
    if cut is not None:
        places[cut] = last
    elif older:
        stored = rows[-1]
        opened = counted.open if counted.open is not None and counted.open <= stored.key else None
        anchor = Tally(
            *before_first,
            stored.key,
            fingerprint(stored.raw),
            counted.edits,
            counted.top,
            census=rest or Census(),
            open=opened,
        )
    return Page(placed, older, replace(counted, places=places, alone=alone, anchor=anchor))


def _place(scope: Scope, last: Key, cut: Key | None, counted: Tally) -> Operation[Numbers]:
    """The numbers of row `last`, the nearest one before row `cut`."""
    if cut is None:
        return counted.entries, counted.turns
    known = counted.places.get(cut)
    if known is not None:
        return known
    entries, turns, _, _ = yield from _count(scope, above(last), counted.last)
    return counted.entries - entries, counted.turns - turns


def number(
    entries: Sequence[Entry],
    last_position: int,
    last_turn: int,
    *,
    agents: Mapping[Key, str] = {},  # only read
    lone: Container[Key] = (),
) -> list[Entry]:
    """The same entries with position and turn filled in, counted back from the last one's."""
    placed = []
    turn = last_turn
    for offset, entry in enumerate(reversed(entries)):
        key = entry.key
        placed.append(entry.at(last_position - offset, turn, agent=agents.get(key), alone=key in lone))
        if entry.kind is Kind.USER:
            turn -= 1
    return placed[::-1]


def tally(scope: Scope, known: Tally, standing: Standing | None = None) -> Operation[Tally]:
    """Count on from `known` if what it counted is still there, from the start otherwise."""
    standing = standing or (yield from scope.standing())
    last, edits = standing.last, standing.edits
    if last is None:
        return Tally(edits=edits)
    if not (yield from _stands(scope, known, edits)):
        known = known.anchor or Tally()
        if not (yield from _stands(scope, known, edits)):
            known = Tally()
    if known.last == last:
        return known
    first = above(known.last) if known.last is not None else None
    entries, turns, census, opened = yield from _count(scope, first, last)
    top = yield from scope.tables.highest(scope.session, first, last)
    stored = yield from scope.tables.one(scope.session, last)
    assert stored is not None
    return replace(
        known,
        entries=known.entries + entries,
        turns=known.turns + turns,
        last=last,
        digest=fingerprint(stored.raw),
        edits=edits,
        top=max(known.top, top),
        census=known.census + census,
        open=opened if known.open is None else known.open,
    )


def _stands(scope: Scope, known: Tally, edits: tuple[int, int]) -> Operation[bool]:
    """Whether what was counted is still there, and nothing else before its last row."""
    if known.last is None:
        return True
    if known.edits != edits:
        return False
    if known.open is not None:
        stored = yield from scope.tables.one(scope.session, known.open)
        if stored is None or not _in_the_open(scope, stored):
            return False
    stored, late = yield from scope.tables.still(scope.session, known.last, known.top)
    return stored is not None and not late and fingerprint(stored.raw) == known.digest


def _count(scope: Scope, first: Place, last: Place) -> Operation[tuple[int, int, Census, Place]]:
    """How many rows lie between two, both included, and how many turns begin there; their census, and the
    oldest of them that stands in the open, where that is to be told."""
    entries = yield from scope.tables.count(scope.session, first, last)
    if scope.codec.searchable:
        # Only rows that hold this word can be a person's message; the few that do are read to be sure.
        rows = yield from scope.tables.containing(scope.session, ['"user"'], first, last)
    else:
        rows = yield from scope.tables.between(scope.session, first, last)
    codec = scope.codec
    if not isinstance(codec, FernetCodec):
        return entries, sum(codec.glance(stored.raw)[0] for stored in rows), Census(), None
    looks = [codec.look(stored.raw) for stored in rows]
    opened = (stored.key for stored, look in zip(rows, looks, strict=True) if look.state is State.PLAINTEXT)
    return entries, sum(look.question for look in looks), Census.of(codec, looks), next(opened, None)


def _census(scope: Scope, rows: Sequence[Stored]) -> Census:
    codec = scope.codec
    looks = (codec.look(stored.raw) for stored in rows) if isinstance(codec, FernetCodec) else ()
    return Census.of(codec, looks)


def _in_the_open(scope: Scope, stored: Stored) -> bool:
    codec = scope.codec
    return isinstance(codec, FernetCodec) and codec.look(stored.raw).state is State.PLAINTEXT


def _agents(scope: Scope, entries: Sequence[Entry]) -> Operation[dict[Key, str]]:
    """The agents that wrote these entries, where that is known; what a person wrote has none."""
    if not (yield from scope.ledger.there()):
        return {}
    ranges = yield from scope.ledger.credits(scope.session, entries[0].key, entries[-1].key)
    keys = [entry.key for entry in entries if entry.kind is not Kind.USER]
    agents: dict[Key, str] = {}
    for first, last, agent in ranges:
        for key in keys[bisect_left(keys, first) : bisect_right(keys, last)]:
            agents[key] = agent
    return agents


def _lone(
    scope: Scope, entries: list[Entry], counted: Tally, *, newest: bool
) -> Operation[tuple[set[Key], Mapping[Key, Key], list[Entry]]]:
    """The halves without a partner, but for the calls that wait for a person.

    With them come the tally's `alone`, and the partners that were found on other pages.
    """
    calls, outputs = halves([entry for entry in entries if entry.state is not State.PLAINTEXT])
    alone, end = dict(counted.alone), counted.last
    assert end is not None
    if newest:  # a call of the newest page is answered there or not at all
        alone.update((call.key, end) for call in calls)
    # Nothing is ever put before a lone output, but a call may have been answered since.
    unsure = [output for output in outputs if output.key not in alone]
    unsure += [call for call in calls if alone.get(call.key) != end]
    elsewhere: list[Entry] = []
    open_ones: set[Key] = set()
    for key, partner in (yield from scope.partners(unsure)).items():
        if partner is None:
            alone[key] = end
            continue
        alone.pop(key, None)
        if partner.state is State.PLAINTEXT:
            open_ones.add(key)  # what stands in the open among encrypted items is no partner of theirs
        else:
            elsewhere.append(partner)
    waiting: set[str] = set()
    if calls and (yield from scope.ledger.there()):
        pause = yield from pauses.waiting(scope.ledger, scope.codec, scope.session)
        waiting = {call[0] for call in pause.calls} if pause else set()
    lone = {
        e.key
        for e in (*calls, *outputs)
        if (e.key in alone or e.key in open_ones) and carried(e) not in waiting
    }
    return lone, alone, elsewhere


def _aged(scope: Scope, entries: list[Entry], partners: Sequence[Entry]) -> Operation[list[Entry]]:
    """The entries of a page, those that have expired with what they rest on marked too."""
    first = entries[0]
    rows = []
    if first.kind is not Kind.USER:  # it may rest on what stands before the page
        rows = yield from scope.tables.newest(scope.session, freshness.NEARBY, first.key)
    around = {entry.key: entry for entry in (*partners, *scope.read(rows), *entries)}
    known = [around[key] for key in sorted(around) if around[key].state is not State.PLAINTEXT]
    return freshness.aged(entries, known)


def state(scope: Scope) -> Operation[Hashable]:
    """What differs whenever the session has changed, for a database that has no cheaper word for it."""
    standing = yield from scope.standing()
    touched = (yield from scope.tables.touched(scope.session)) if (yield from scope.tables.there()) else None
    noted = (yield from scope.ledger.noted(scope.session)) if (yield from scope.ledger.there()) else None
    return (standing, touched, noted)


def newest(scope: Scope, limit: int) -> Operation[list[Item] | None]:
    """The same as `items` where the newest `limit` rows are all it takes; None where more must be read."""
    if limit == 0 or not (yield from scope.tables.there()):
        return []
    read, mortal = reader(scope.codec), scope.codec.ttl is not None
    rows = yield from scope.tables.newest_texts(scope.session, limit, alone=not mortal)
    found: list[Item] = []
    for row in reversed(rows):
        item = read(row[-1])
        if item is None:
            return None
        found.append(item)
    if mortal and found:
        fresh = [(scope.tables.key(row), item) for row, item in zip(reversed(rows), found, strict=True)]
        if (yield from freshness.resting_on_expired(scope, fresh, {fresh[0][0]})):
            return None
    return found


def items(scope: Scope, limit: int | None) -> Operation[list[Item]]:
    """The newest `limit` readable items in time order; what cannot be read takes no place."""
    if limit == 0 or not (yield from scope.tables.there()):
        return []
    if scope.codec.ttl is not None:
        return (yield from freshness.items(scope, limit))
    read = reader(scope.codec)
    if limit is None:
        raws = yield from scope.tables.everything(scope.session)
        return [item for raw in raws if (item := read(raw)) is not None]
    found: list[Item] = []
    before: Place = None
    while len(found) < limit:
        wanted = limit - len(found)
        rows = yield from scope.tables.newest_texts(scope.session, wanted, before, alone=before is None)
        found += [item for row in rows if (item := read(row[-1])) is not None]
        if len(rows) < wanted:
            break
        before = scope.tables.key(rows[-1])
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
    found.reverse()
    agents = yield from _agents(scope, found)
    return whole([entry.at(None, None, agent=agents.get(entry.key)) for entry in found])


def onward(scope: Scope, after: Entry | None, limit: int) -> Operation[list[Entry]]:
    """The oldest `limit` entries, those behind entry `after` only, with who wrote them."""
    if not (yield from scope.tables.there()):
        return []
    place = after.key if after is not None else None
    entries = scope.read((yield from scope.tables.oldest(scope.session, limit, place)))
    if not entries:
        return []
    agents = yield from _agents(scope, entries)
    return [entry.at(None, None, agent=agents.get(entry.key)) for entry in entries]


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


def calls_among(scope: Scope, call_ids: Collection[str]) -> Operation[frozenset[str]]:
    """Which of these are the ids of calls that are stored in the session."""
    if not (yield from scope.tables.there()):
        return frozenset()
    carriers = yield from scope.carriers(call_ids)
    return frozenset(call for entry in carriers if is_call(entry) and (call := carried(entry)))


def note_detail(codec: Codec, stored: str) -> dict[str, Any]:
    """The detail of a note: as it stands if it was written before the session was encrypted, {} if locked."""
    try:
        text = codec.unseal(stored)
    except WrongKey:
        text = stored
    return decode_item(text) or {}
