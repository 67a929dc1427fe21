"""A ledger in another database than the messages, for one that takes no tables of ours.

The side tables are those of `Ledger`, in a SQLite file of the desk's own or in memory; `prefix` keeps the
stores that share a file apart. Where `Ledger` moves rows in one statement they pass through here, with text
and time exactly as stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from .dialects import DIGITS, SQLITE
from .entries import Key
from .ledger import Ledger
from .recorded import Ranges, Recorded, Standing, must_be
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
        self.whose = f"{tables.prefix}_{digest}"
        self.finished = SQLITE.quote(f"{self.whose}_finished")
        self.finishing = f"CREATE TABLE IF NOT EXISTS {self.finished} (id INTEGER PRIMARY KEY, token TEXT)"
        self.ddl += (self.finishing,)

    def standing(self, session: str) -> Operation[Standing]:
        first, last = (yield from self.tables.ends(session)) or (None, None)
        born = yield from self.tables.born(session)
        (row,) = yield self.sql(self._standing_with("NULL", "NULL", "NULL"), {"session": session})
        return self._stands(row)._replace(first=first, last=last, born=born)

    def standing_and(self, session: str, keys: Sequence[Key]) -> Operation[tuple[Standing, list[Stored]]]:
        return (yield from self.standing(session)), (yield from self.tables.some(session, keys))

    def standing_and_newest(
        self, session: str, limit: int, *, alone: bool = False
    ) -> Operation[tuple[Standing, list[Stored]]]:
        return (yield from self.standing(session)), (yield from self.tables.newest(session, limit))

    def _seen(self, session: str) -> Operation[tuple[str, dict[str, Any]]]:
        ends = yield from self.tables.ends(session)
        return ":seen", self._marks(seen=ends[1] if ends else None)

    # moving rows

    def take(self, session: str, ranges: Ranges, *, expected: int | None = None) -> Operation[None]:
        rows: list[Stored] = []
        for first, last in sorted(ranges):
            rows += yield from self.tables.between(session, first, last)
        must_be(len(rows), expected)
        if not rows:
            return
        kept = [_as_kept(row) for row in rows]
        yield self.many(
            f"INSERT INTO {self.kept} (session_id, id, message_data, created_at) "
            "VALUES (:session, :id, :text, :at)",
            [{"session": session, "id": id_, "text": text, "at": at} for id_, at, text in kept],
        )
        yield Moved(session, taken=kept)
        edges, _ = self.tables.range(*ranges[0])
        yield Many(
            f"DELETE {self.tables.own}{edges}",
            [{"session": session, **self.tables.range(first, last)[1]} for first, last in ranges],
        )

    def _lying(self, session: str, recorded: Recorded) -> Operation[list[Kept]]:
        return (yield from self._rows(self.lying, self.lies(session, recorded)))

    def _just_taken(self, session: str, standing: Standing) -> Operation[list[Kept]]:
        taken = f"FROM {self.kept} WHERE place > :kept AND session_id = :session"
        return (yield from self._rows(taken, {"session": session, "kept": standing.kept}))

    def _rows(self, chosen: str, values: dict[str, Any]) -> Operation[list[Kept]]:
        """Rows of the ledger, in order."""
        rows = yield self.sql(
            f"SELECT id, CAST(created_at AS TEXT), message_data {chosen} ORDER BY place", values
        )
        return [(int(row[0]), self._at(row[1]), row[2]) for row in rows]

    def _at(self, stored: str) -> str:
        """A file of SQLite takes a time that is all digits for a number, and drops the zeros before it."""
        return stored.zfill(DIGITS) if self.tables.dialect.name == "mysql" else stored

    def kept_keys(self, session: str, recorded: Recorded) -> Operation[list[Key]]:
        return [_key(row) for row in (yield from self._lying(session, recorded))]

    def put_back(self, session: str, recorded: Recorded) -> Operation[None]:
        rows = yield from self._lying(session, recorded)
        yield Moved(session, added=[(_key(row), row[2]) for row in rows])
        yield self.tables.restoring(session, rows)
        yield self.sql(f"DELETE {self.lying}", self.lies(session, recorded))

    def put_changed(self, session: str, standing: Standing, key: Key, text: str) -> Operation[None]:
        yield Moved(session, added=[(key, text)])
        yield self.tables.restoring(session, [(key[-1], key[0], text)])

    def put_anew(
        self, session: str, standing: Standing, behind: Key
    ) -> Operation[tuple[list[Key], list[Key]]]:
        rows = yield from self._just_taken(session, standing)
        yield self.tables.restoring(session, rows, anew=True)
        old = [_key(row) for row in rows]
        new = yield from self._behind(session, behind, old)
        yield _added(session, new, rows)
        return old, new

    def copy(
        self, session: str, first: Place, last: Place, target: str, change: Recorded | None = None
    ) -> Operation[list[Key]]:
        rows = [_as_kept(row) for row in (yield from self.tables.between(session, first, last))]
        if change is not None:
            rows = sorted([*rows, *(yield from self._lying(session, change))], key=_key)
        yield self.tables.restoring(target, rows, anew=True)
        made = yield from self.tables.keys(target)
        yield _added(target, made[len(made) - len(rows) :], rows)
        return [_key(row) for row in rows]


def _added(session: str, keys: Sequence[Key], rows: Sequence[Kept]) -> Moved:
    """That these rows were written under these keys."""
    return Moved(session, added=[(key, row[2]) for key, row in zip(keys, rows, strict=True)])


def _as_kept(row: Stored) -> Kept:
    try:
        return (row.key[-1], row.key[0], row.raw.decode())
    except UnicodeDecodeError:
        return (row.key[-1], row.key[0], row.raw)


def _key(row: Kept) -> Key:
    return (row[1], row[0])
