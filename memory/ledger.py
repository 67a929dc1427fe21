"""What is ours about a session, beside the SDK's rows: edits and the rows they moved, who wrote what, words
in the chat, the lease of a live run, and decisions that wait.

The side tables live in the same database as the items, so that an edit and its way back are one commit;
`FarLedger` is for a database that takes no tables of ours. They are made when first needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from .dialects import Dialect
from .entries import Key
from .moved_rows import MovedRows
from .recorded import Standing
from .said_of_rows import SaidOfRows
from .statements import Operation, Sql
from .tables import Stored, Tables, text_of_column

FEW = 8
"""So many rows are looked at together with how the session stands."""

STANDING = 14
"""Columns that tell how a session stands."""

ONE = " FROM (SELECT 1 AS one) AS one"
"""What makes them one row, whatever is there of them."""


class Ledger(MovedRows, SaidOfRows):
    """Statements over the side tables of one messages table."""

    def __init__(self, tables: Tables, *, dialect: Dialect | None = None, prefix: str | None = None) -> None:
        super().__init__(tables, dialect=dialect, prefix=prefix)
        self._standing = self._standing_with(
            f"({tables.few(tables.marked, '', tables.order, '1')})",
            f"({tables.few(tables.marked, '', tables.backwards, '1')})",
            f"(SELECT {tables.dialect.at.format('created_at')} FROM {tables.sessions} "
            "WHERE session_id = :session)",
        )

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, tables: Tables) -> Ledger:
        """The ledger of these tables; its statements are written out once."""
        return cls(tables)

    def _standing_with(self, first: str, last: str, born: str) -> str:
        """The statement that `standing` is; the three are what the messages tell."""
        return (
            f"SELECT {first}, {last}, {born}, "
            "lease.owner, lease.number, lease.expires_at, lease.seconds, "
            "stands.id, stands.moves, undone.id, undone.moves, "
            f"(SELECT max(id) FROM {self.pauses} WHERE session_id = :session "
            "AND status IN ('pending', 'deciding')), "
            f"(SELECT max(id) FROM {self.changes} WHERE session_id = :session), "
            f"(SELECT max(place) FROM {self.kept})"
            f"{ONE} "
            f"LEFT JOIN {self.leases} AS lease ON lease.session_id = :session "
            f"LEFT JOIN {self.changes} AS stands ON stands.session_id = :session AND stands.id = "
            f"(SELECT id FROM {self.changes} WHERE session_id = :session AND undone = 0 "
            "ORDER BY id DESC LIMIT 1) "
            # Undone changes are always the newest ones, since a new edit drops them.
            f"LEFT JOIN {self.changes} AS undone ON undone.session_id = :session AND undone.id = "
            f"(SELECT min(id) FROM {self.changes} WHERE session_id = :session "
            "AND id > coalesce(stands.id, 0))"
        )

    def standing(self, session: str) -> Operation[Standing]:
        """How the session stands, in one statement; its tables and the ledger's must be there."""
        (row,) = yield Sql(self._standing, {"session": session})
        return self._stands(row)

    def standing_and(self, session: str, keys: Sequence[Key]) -> Operation[tuple[Standing, list[Stored]]]:
        """The same, with those of the rows with these keys that are there, in order: few of them at once."""
        if len(keys) > FEW:
            return (yield from self.standing(session)), (yield from self.tables.some(session, keys))
        values = {f"id{n}": key[-1] for n, key in enumerate(keys)}
        named = ", ".join(f":{name}" for name in values) or "NULL"
        looked = f"(SELECT {self.tables.row} {self.tables.own} AND id IN ({named})) AS looked"
        rows = yield Sql(
            self._standing.replace(ONE, f", looked.*{ONE}", 1) + f" LEFT JOIN {looked} ON 1 = 1",
            {"session": session, **values},
        )
        stored = [self.tables.stored(row[STANDING:]) for row in rows if row[STANDING] is not None]
        return self._stands(rows[0][:STANDING]), sorted(stored)

    def standing_and_newest(
        self, session: str, limit: int, *, alone: bool = False
    ) -> Operation[tuple[Standing, list[Stored]]]:
        """How the session stands, with at most `limit` rows, newest first. A server is asked once for both.

        `alone`: nothing else is asked, most likely, so that it needs no transaction.
        """
        if not self.dialect.for_update:
            standing = yield from self.standing(session)
            return standing, (yield from self.tables.newest(session, limit))
        newest = self.tables.few(self.tables.row, "", self.tables.backwards)
        rows = yield Sql(
            self._standing.replace(ONE, f", looked.*{ONE}", 1) + f" LEFT JOIN ({newest}) AS looked ON 1 = 1",
            {"session": session, "limit": limit},
            alone=alone,
        )
        stored = [self.tables.stored(row[STANDING:]) for row in rows if row[STANDING] is not None]
        return self._stands(rows[0][:STANDING]), sorted(stored, reverse=True)

    def _stands(self, row: Sequence[Any]) -> Standing:
        first, last, born, owner, number, expires_at, seconds = row[:7]
        stands, moves, undone, moved_back, waiting, newest, kept = row[7:STANDING]
        return Standing(
            self.tables.unmark(first),
            self.tables.unmark(last),
            None if born is None else text_of_column(born),
            None if number is None else (owner, int(number), float(expires_at), float(seconds)),
            stands,
            undone,
            (moves or 0) + (moved_back or 0),
            waiting,
            newest or 0,
            kept or 0,
        )

    def noted(self, session: str) -> Operation[tuple[Any, ...]]:
        """What differs with every note and every step of a decision."""
        own = {"session": session}
        notes = yield self.sql(f"SELECT max(id) FROM {self.notes} WHERE session_id = :session", own)
        pauses = yield self.sql(
            f"SELECT id, status FROM {self.pauses} WHERE session_id = :session ORDER BY id DESC LIMIT 1", own
        )
        return (tuple(notes), tuple(pauses))

    # going

    def forget(self, session: str) -> Operation[int]:
        """Delete everything held of the session but its lease, for good; how many kept rows went."""
        gone = yield from self.forget_copies(session)
        for table in (self.authors, self.notes, self.pauses):
            yield self.sql(f"DELETE FROM {table} WHERE session_id = :session", {"session": session})
        return gone

    def forget_copies(self, session: str) -> Operation[int]:
        """Delete the changes, the rows they kept, and notes and decisions that have no place any more."""
        own = {"session": session}
        history = yield from self.history(session)
        yield from self._drop_kept(session, [(r.kept_from, r.kept_to) for r in history])
        yield self.sql(f"DELETE FROM {self.changes} WHERE session_id = :session", own)
        behind = yield self.sql(
            f"SELECT DISTINCT after_id FROM {self.notes} WHERE session_id = :session", own
        )
        gone = []
        for (mark,) in behind:
            key = self.tables.unmark(mark)
            if key is not None and (yield from self.tables.one(session, key)) is None:
                gone.append({**own, "after": mark})
        if gone:
            yield self.many(
                f"DELETE FROM {self.notes} WHERE session_id = :session AND after_id = :after", gone
            )
        yield self.sql(
            f"DELETE FROM {self.pauses} WHERE session_id = :session "
            "AND status NOT IN ('pending', 'deciding')",
            own,
        )
        return sum(r.added if r.undone else r.removed for r in history)
