"""A ledger in another database than the messages, for one that takes no tables of ours.

The side tables are those of `Ledger`, in a SQLite file of the desk's own or in memory; `prefix` keeps the
stores that share a file apart. Where `Ledger` moves rows in one statement they pass through here, with text
and time exactly as stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from .dialects import SQLITE
from .entries import Key
from .ledger import BEFORE, Ledger, Ranges
from .sql_tables import SqlTables
from .statements import Many, Moved, Operation
from .tables import Place, Stored

Kept = tuple[int, str, str | bytes]
"""A row in the ledger: its id, its time as the text in its key, and its stored text."""


class FarLedger(Ledger):
    """See `Ledger` for the methods. `store` names the place of the messages; it is hashed."""

    tables: SqlTables

    def __init__(self, tables: SqlTables, store: str) -> None:
        digest = hashlib.blake2b(store.encode(), digest_size=6).hexdigest()
        super().__init__(tables, dialect=SQLITE, prefix=f"{tables.prefix}_{digest}")
        self.finished = SQLITE.quote(f"{tables.prefix}_{digest}_finished")
        self.ddl += (f"CREATE TABLE IF NOT EXISTS {self.finished} (id INTEGER PRIMARY KEY, token TEXT)",)

    # moving rows

    def take(self, change: int, side: int, session: str, ranges: Ranges) -> Operation[None]:
        rows: list[Stored] = []
        for first, last in ranges:
            rows += yield from self.tables.between(session, first, last)
        if not rows:
            return
        yield from self._keep(change, side, rows)
        yield Moved(taken=tuple(_as_kept(row) for row in rows))
        edges, _ = self.tables.range(*ranges[0])
        yield Many(
            f"DELETE {self.tables.own}{edges}",
            [{"session": session, **self.tables.range(first, last)[1]} for first, last in ranges],
        )

    def _keep(self, change: int, side: int, rows: Iterable[Stored]) -> Operation[None]:
        yield self.many(
            f"INSERT INTO {self.kept} (change_id, side, id, message_data, created_at) "
            "VALUES (:change, :side, :id, :text, :at)",
            [
                {"change": change, "side": side, "id": id_, "text": text, "at": at}
                for id_, at, text in map(_as_kept, rows)
            ],
        )

    def _kept(self, change: int, side: int) -> Operation[list[Kept]]:
        """The rows of one side of a change, in order."""
        rows = yield self.sql(
            f"SELECT id, CAST(created_at AS TEXT), message_data FROM {self.kept} "
            "WHERE change_id = :change AND side = :side ORDER BY created_at, id",
            {"change": change, "side": side},
        )
        return [(int(row[0]), row[1], row[2]) for row in rows]

    def kept_keys(self, change: int, side: int) -> Operation[list[Key]]:
        return [(at, id_) for id_, at, _ in (yield from self._kept(change, side))]

    def put_back(self, change: int, side: int, session: str) -> Operation[None]:
        rows = yield from self._kept(change, side)
        yield Moved(placed=tuple(id_ for id_, _, _ in rows))
        yield self.tables.restoring(session, rows)
        yield self.sql(
            f"DELETE FROM {self.kept} WHERE change_id = :change AND side = :side",
            {"change": change, "side": side},
        )

    def put_changed(self, change: int, session: str, key: Key, text: str) -> Operation[None]:
        yield Moved(placed=(key[-1],))
        yield self.tables.restoring(session, [(key[-1], key[0], text)])

    def put_anew(self, change: int, session: str) -> Operation[None]:
        rows = yield from self._kept(change, BEFORE)
        yield self.tables.restoring(session, rows, anew=True)

    def copy(self, session: str, last: Place, change: int | None, target: str) -> Operation[list[Key]]:
        rows: list[Kept] = [_as_kept(row) for row in (yield from self.tables.between(session, None, last))]
        if change is not None:
            rows += yield from self._kept(change, BEFORE)
            rows.sort(key=_key)
        yield self.tables.restoring(target, rows, anew=True)
        return [_key(row) for row in rows]

    def occupied(self, change: int) -> Operation[list[Key]]:
        found = []
        for id_, _, _ in (yield from self._kept(change, BEFORE)):
            key = yield from self.tables.key_at(id_)
            if key is not None:
                found.append(key)
        return found


def _as_kept(row: Stored) -> Kept:
    try:
        return (row.key[-1], row.key[0], row.raw.decode())
    except UnicodeDecodeError:
        return (row.key[-1], row.key[0], row.raw)


def _key(row: Kept) -> Key:
    return (row[1], row[0])
