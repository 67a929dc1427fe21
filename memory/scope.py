"""Which session, in which tables, written how: what every operation on a session is given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .codec import Codec
from .entries import Entry
from .errors import EntryNotFound
from .items import half_of
from .ledger import Ledger
from .pairs import halves
from .statements import Operation
from .tables import Place, Stored, Tables, as_stored, entry_id, fingerprint, key_of, read_entry

MANY = 64
"""Above so many words it is quicker to read every row than to search each row for all of them."""

GONE = "That entry is not in the session any more; look at the list again."


@dataclass(frozen=True, slots=True)
class Scope:
    session: str
    tables: Tables
    ledger: Ledger
    codec: Codec

    def read(self, rows: Iterable[Stored]) -> list[Entry]:
        return [read_entry(row, self.codec) for row in rows]

    def entry(self, token: str) -> Operation[Entry]:
        """The entry a token names, if it still holds what it held. Raises EntryNotFound otherwise."""
        key = key_of(token)
        stored = None
        if key is not None and (yield from self.tables.there()):
            stored = yield from self.tables.one(self.session, key)
        if stored is None or entry_id(stored.key, fingerprint(stored.raw)) != token:
            raise EntryNotFound(GONE)
        return read_entry(stored, self.codec)

    def carriers(
        self, call_ids: Iterable[str], first: Place = None, last: Place = None
    ) -> Operation[list[Entry]]:
        """The entries between two rows that carry one of these call ids, in order."""
        wanted = set(call_ids)
        if not wanted:
            return []
        words = [form for call_id in wanted for form in as_stored(call_id)]
        if self.codec.searchable and 0 < len(words) <= MANY:
            rows = yield from self.tables.containing(self.session, words, first, last)
        else:
            rows = yield from self.tables.between(self.session, first, last)
            if not self.codec.searchable:
                rows = [r for r in rows if (half := self.codec.glance(r.raw)[1]) and half.call_id in wanted]
        return [entry for entry in self.read(rows) if carried(entry) in wanted]

    def unanswered(self, call_ids: Iterable[str]) -> Operation[list[Entry]]:
        """The newest call without an output for each of these ids that has one, in stored order."""
        calls, _ = halves((yield from self.carriers(call_ids)))
        newest = {entry.call_id: entry for entry in calls}
        return [entry for entry in calls if newest[entry.call_id] is entry]


def carried(entry: Entry) -> str | None:
    """The id that ties the entry to its other half, whatever field holds it."""
    half = half_of(entry.item)
    return half.call_id if half else None
