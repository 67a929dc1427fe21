"""What is said of rows and between them: who wrote which, and the words in the chat that no item says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from .entries import Key
from .side_tables import SideTables
from .statements import Operation
from .tables import Place


class SaidOfRows(SideTables):
    """Authors and notes."""

    # who wrote what

    def credit(self, session: str, keys: Sequence[Key], agent: str) -> Operation[None]:
        """Record that `agent` wrote these neighbouring rows."""
        again = self.dialect.or_else("session_id, first_id", "last_id = :last, agent = :agent")
        yield self.sql(f"{self._credit} {again}", self._wrote(session, keys, agent))

    def credit_each(self, session: str, written: Iterable[tuple[Sequence[Key], str]]) -> Operation[None]:
        """The same for several (neighbouring rows, agent) of which nothing is recorded yet."""
        yield self.many(self._credit, [self._wrote(session, keys, agent) for keys, agent in written])

    @property
    def _credit(self) -> str:
        return (
            f"INSERT INTO {self.authors} (session_id, first_id, last_id, agent) "
            "VALUES (:session, :first, :last, :agent)"
        )

    def _wrote(self, session: str, keys: Sequence[Key], agent: str) -> dict[str, Any]:
        return {"session": session, **self._marks(first=keys[0], last=keys[-1]), "agent": agent}

    def credits(self, session: str, first: Key, last: Key) -> Operation[list[tuple[Key, Key, str]]]:
        """(first key, last key, agent) of every range that touches these rows, in order; none overlap."""
        rows = yield self.sql(
            f"SELECT first_id, last_id, agent FROM {self.authors} WHERE session_id = :session "
            f"AND first_id BETWEEN coalesce((SELECT max(first_id) FROM {self.authors} "
            "WHERE session_id = :session AND first_id <= :first), :first) AND :last "
            "AND last_id >= :first ORDER BY first_id",
            {"session": session, **self._marks(first=first, last=last)},
        )
        return [(self._key(row[0]), self._key(row[1]), str(row[2])) for row in rows]

    # words in the chat

    def add_note(
        self, session: str, after: Place, kind: str, detail: str, at: str | None = None
    ) -> Operation[None]:
        """`detail` is sealed text; `after` is the row the note stands behind, None at the start."""
        yield self.sql(
            f"INSERT INTO {self.notes} (session_id, after_id, kind, detail, at) "
            "VALUES (:session, :after, :kind, :detail, :at)",
            {
                "session": session,
                **self._marks(after=after),
                "kind": kind,
                "detail": detail,
                "at": at or datetime.now(UTC).isoformat(),
            },
        )

    def notes_between(
        self, session: str, first: Place, last: Place
    ) -> Operation[list[tuple[Place, str, str, str]]]:
        """(after key, kind, sealed detail, at) behind these rows, in order; None is the start."""
        rows = yield self.sql(
            f"SELECT after_id, kind, detail, at FROM {self.notes} WHERE session_id = :session "
            "AND after_id BETWEEN :first AND :last ORDER BY after_id, id",
            {"session": session, **self._marks(first=first, last=last)},
        )
        return [(self.tables.unmark(row[0]), str(row[1]), str(row[2]), str(row[3])) for row in rows]

    def move_notes(self, session: str, old: Sequence[Key], new: Sequence[Key]) -> Operation[None]:
        """Let notes stand behind the same entries under their new keys."""
        rows = yield self.sql(
            f"SELECT DISTINCT after_id FROM {self.notes} WHERE session_id = :session", {"session": session}
        )
        behind = {self.tables.unmark(row[0]) for row in rows}
        moves = [
            {"session": session, **self._marks(old=a, new=b)}
            for a, b in zip(old, new, strict=True)
            if a in behind
        ]
        if moves:
            yield self.many(
                f"UPDATE {self.notes} SET after_id = :new WHERE session_id = :session AND after_id = :old",
                moves,
            )

    def drop_notes(self, session: str, kind: str) -> Operation[None]:
        """Delete the notes of one kind."""
        yield self.sql(
            f"DELETE FROM {self.notes} WHERE session_id = :session AND kind = :kind",
            {"session": session, "kind": kind},
        )

    def drop_behind(self, session: str, place: Place) -> Operation[None]:
        """Forget what is said of rows behind `place`, after which there are none any more."""
        for table, column in ((self.authors, "first_id"), (self.notes, "after_id")):
            yield self.sql(
                f"DELETE FROM {table} WHERE session_id = :session AND {column} > :place",
                {"session": session, **self._marks(place=place)},
            )

    def turn_notes(self, session: str, kind: str, new: str, detail: str) -> Operation[None]:
        """Make the notes of one kind into others, in their places; `detail` is sealed text."""
        yield self.sql(
            f"UPDATE {self.notes} SET kind = :new, detail = :detail "
            "WHERE session_id = :session AND kind = :kind",
            {"session": session, "kind": kind, "new": new, "detail": detail},
        )
