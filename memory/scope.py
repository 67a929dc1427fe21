"""Which session, in which tables, written how: what every operation on a session is given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from .codec import Codec
from .entries import Entry, Key
from .errors import EntryNotFound
from .items import Role, half_of
from .ledger import Ledger
from .pairs import match
from .recorded import Standing
from .statements import Operation
from .tables import Place, Stored, Tables, as_stored, entry_id, fingerprint, key_of, read_entry

FEW = 8
"""So many partners are looked for one by one, from near to far; more of them in one pass over all rows."""

MANY = 64
"""Above so many words it is quicker to read every row than to search each row for all of them."""

CHUNK = 100
"""Rows read at once where it is not known how many are needed."""


@dataclass(frozen=True, slots=True)
class Scope:
    session: str
    tables: Tables
    ledger: Ledger
    codec: Codec

    def read(self, rows: Iterable[Stored]) -> list[Entry]:
        return [read_entry(stored, self.codec) for stored in rows]

    def standing(self) -> Operation[Standing]:
        """How the session stands, for an operation that may find no tables at all."""
        if not (yield from self.tables.there()):
            return Standing(None, None, None)
        if (yield from self.ledger.there()):
            return (yield from self.ledger.standing(self.session))
        first, last = (yield from self.tables.ends(self.session)) or (None, None)
        return Standing(first, last, (yield from self.tables.born(self.session)))

    def standing_and_newest(
        self, limit: int, *, alone: bool = False
    ) -> Operation[tuple[Standing, list[Stored]]]:
        """The same, with at most `limit` rows, newest first; `alone` as the ledger takes it."""
        if (yield from self.tables.there()) and (yield from self.ledger.there()):
            return (yield from self.ledger.standing_and_newest(self.session, limit, alone=alone))
        standing = yield from self.standing()
        rows = (yield from self.tables.newest(self.session, limit)) if standing.last is not None else []
        return standing, rows

    def entry(self, token: str) -> Operation[Entry]:
        """The entry a token names, if it still holds what it held. Raises EntryNotFound otherwise."""
        key = key_of(token)
        stored = None
        if key is not None and (yield from self.tables.there()):
            stored = yield from self.tables.one(self.session, key)
        if stored is None or entry_id(stored.key, fingerprint(stored.raw)) != token:
            raise EntryNotFound
        return read_entry(stored, self.codec)

    def partner(self, entry: Entry) -> Operation[Entry | None]:
        """The other half of the entry's pair, looked for from the entry on: a pair is rarely far apart.

        An output answers the newest open call before it, so halves that share an id nest like brackets.
        """
        half = half_of(entry.item)
        if half is None:
            return None
        older = half.role is Role.OUTPUT
        between = 0
        near = yield from self._toward(half.call_id, entry.key, older=older)
        while near:
            for other in near:
                found = half_of(other.item)
                if found is None or found.pair != half.pair:
                    continue
                if found.role is half.role:
                    between += 1
                elif between:
                    between -= 1
                else:
                    return other
            near = yield from self._toward(half.call_id, near[-1].key, older=older)
        return None

    def partners(self, entries: Collection[Entry]) -> Operation[dict[Key, Entry | None]]:
        """The other half of each entry, None for those that have none."""
        found: dict[Key, Entry | None] = {}
        if len(entries) <= FEW:
            for entry in entries:
                found[entry.key] = yield from self.partner(entry)
            return found
        carriers = yield from self.carriers(call_id for e in entries if (call_id := carried(e)))
        partner, by_key = match(carriers), {entry.key: entry for entry in carriers}
        return {e.key: by_key[partner[e.key]] if e.key in partner else None for e in entries}

    def open_call(self, call_id: str) -> Operation[Entry | None]:
        """The newest call with this id that has no output."""
        answers: Counter[tuple[str, str]] = Counter()
        near = yield from self._toward(call_id, None, older=True)
        while near:
            for entry in near:
                half = half_of(entry.item)
                if half is None or half.call_id != call_id:
                    continue
                if half.role is Role.OUTPUT:
                    answers[half.pair] += 1
                elif answers[half.pair]:
                    answers[half.pair] -= 1
                else:
                    return entry
            near = yield from self._toward(call_id, near[-1].key, older=True)
        return None

    def open_calls(self, call_ids: Iterable[str]) -> Operation[list[Entry]]:
        """The newest call without an output for each of these ids that has one, in stored order."""
        found: dict[Key, Entry] = {}
        for call_id in call_ids:
            call = yield from self.open_call(call_id)
            if call is not None:
                found[call.key] = call
        return [found[key] for key in sorted(found)]

    def carriers(self, call_ids: Iterable[str]) -> Operation[list[Entry]]:
        """Every entry that carries one of these call ids, in order."""
        wanted = set(call_ids)
        words = [form for call_id in wanted for form in as_stored(call_id)]
        if self.codec.searchable and len(words) <= MANY:
            rows = yield from self.tables.containing(self.session, words)
        else:
            rows = yield from self.tables.between(self.session, None, None)
            rows = [stored for stored in rows if self._carries(stored, wanted)]
        return [entry for entry in self.read(rows) if carried(entry) in wanted]

    def _carries(self, stored: Stored, wanted: Collection[str]) -> bool:
        half = self.codec.glance(stored.raw)[1]
        return half is not None and half.call_id in wanted

    def _toward(self, call_id: str, at: Place, *, older: bool) -> Operation[list[Entry]]:
        """The next entries from row `at`, or the end, that may carry this id, nearest first."""
        tables = self.tables
        if self.codec.searchable:
            rows = yield from tables.next_containing(self.session, as_stored(call_id), at, older=older)
            return self.read(rows)
        while True:
            if older:
                rows = yield from tables.newest(self.session, CHUNK, at)
            else:
                rows = yield from tables.oldest(self.session, CHUNK, at)
            found = [stored for stored in rows if self._carries(stored, {call_id})]
            if found or len(rows) < CHUNK:
                return self.read(found)
            at = rows[-1].key


def carried(entry: Entry) -> str | None:
    """The id that ties the entry to its other half, whatever field holds it."""
    half = half_of(entry.item)
    return half.call_id if half else None
