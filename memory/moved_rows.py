"""Edits as the ledger holds them, and the rows they moved.

A change has two sides, the rows it takes and the rows it puts in place. One lies in the messages at any time,
the other here, exactly as stored; undo and redo swap them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from .dialects import Dialect
from .edits import Change, ChangeKind
from .entries import Key, above
from .errors import HistoryChanged
from .side_tables import SideTables, as_json
from .statements import Many, Operation, Sql
from .tables import Place, Tables, parse_time

Ranges = list[tuple[Key, Key]]
"""Keys as (first, last), both included; rows of other sessions in between do not count."""


class Standing(NamedTuple):
    """How a session stands: what an edit must know before it touches anything.

    `first` and `last` are the rows at its ends and `born` is when it began; `lease` is (owner, number,
    expires at, seconds); `stands` is the change that an undo would take back and `undone` the one that a
    redo would make again, with the `moves` they went through; `waiting` is the pause that is open, `newest`
    the last change of all and `kept` the last place taken in the ledger.
    """

    first: Place
    last: Place
    born: str | None
    lease: tuple[str | None, int, float, float] | None = None
    stands: int | None = None
    undone: int | None = None
    moves: int = 0
    waiting: int | None = None
    newest: int = 0
    kept: int = 0

    @property
    def edits(self) -> tuple[int, int]:
        """Differs after every edit, undo and redo: the last two come back to a change, but not unmoved."""
        return (self.stands or 0, self.moves)


class Recorded(NamedTuple):
    """A change as the ledger holds it.

    `took` are the rows it takes away and `put` those it puts in place; one of the two sides lies in the
    messages at any time, the other in the ledger, from place `kept_from` to `kept_to`. `tail` is the first
    row an edit of the tail takes, else None. `birth` is when the session began and `seen` the highest row
    left after the edit: if neither is there any more, another program cleared the session and the change is
    void.
    """

    id: int
    kind: str
    at: str
    removed: int
    added: int
    undone: int
    tail: Place
    first_turn: int | None
    last_turn: int | None
    birth: str | None
    seen: Place
    kept_from: int
    kept_to: int
    took: Ranges
    put: Ranges

    def change(self, *, undone: bool | None = None, void: bool = False) -> Change:
        """The change as a person sees it."""
        at = parse_time(self.at)
        assert at is not None
        return change_of(
            self.id,
            self.kind,  # type: ignore[arg-type]  # written by `record`
            at,
            self.removed,
            self.added,
            turns=(self.first_turn, self.last_turn),
            undone=bool(self.undone) if undone is None else undone,
            void=void,
        )


FIELDS = (
    "id, kind, at, removed, added, undone, tail, first_turn, last_turn, birth, seen, kept_from, kept_to, "
    "took, put"
)


class MovedRows(SideTables):
    """Changes, and moving their rows to and fro."""

    def __init__(self, tables: Tables, *, dialect: Dialect | None = None, prefix: str | None = None) -> None:
        super().__init__(tables, dialect=dialect, prefix=prefix)
        self.lying = f"FROM {self.kept} WHERE place BETWEEN :kept_from AND :kept_to AND session_id = :session"
        self.seen = f"coalesce(({tables.few(tables.marked, '', tables.backwards, '1')}), :start)"

    def _as_text(self, ranges: Ranges) -> str:
        return as_json([[self.tables.mark(first), self.tables.mark(last)] for first, last in ranges])

    def _ranges(self, text: str) -> Ranges:
        return [(self._key(first), self._key(last)) for first, last in json.loads(text)]

    def _recorded(self, row: Sequence[Any]) -> Recorded:
        found = Recorded._make(row)
        return found._replace(
            tail=None if row[6] is None else self.tables.unmark(row[6]),
            seen=self.tables.unmark(row[10]),
            took=self._ranges(row[-2]),
            put=self._ranges(row[-1]),
        )

    # changes

    def record(
        self,
        session: str,
        kind: ChangeKind,
        standing: Standing,
        *,
        removed: int,
        added: int = 0,
        took: Ranges,
        put: Ranges | None = None,
        tail: Key | None = None,
        turns: tuple[int | None, int | None] = (None, None),
        birth: str | None,
    ) -> Operation[Change]:
        """Note down an edit whose rows were just taken; see `Recorded` for the fields.

        `standing` is how the session stood before the edit.
        """
        at = datetime.now(UTC)
        # The time makes an id that nobody holds, even where all changes before it were purged.
        id_ = max(standing.newest + 1, int(at.timestamp() * 1_000_000))
        seen, values = yield from self._seen(session)
        yield self.sql(
            f"INSERT INTO {self.changes} (session_id, id, kind, at, removed, added, tail, first_turn, "
            "last_turn, birth, seen, kept_from, kept_to, took, put) VALUES (:session, :id, :kind, :at, "
            ":removed, :added, :tail, :first, :last, :birth, "
            f"{seen}, :kept_from, "
            f"coalesce((SELECT max(place) FROM {self.kept}), 0), :took, :put)",
            {
                "session": session,
                "id": id_,
                "kind": kind,
                "at": at.isoformat(),
                "removed": removed,
                "added": added,
                "tail": None if tail is None else self.tables.mark(tail),
                "first": turns[0],
                "last": turns[1],
                "birth": birth,
                "kept_from": standing.kept + 1,
                "took": self._as_text(took),
                "put": self._as_text(put or []),
                **values,
            },
        )
        return change_of(id_, kind, at, removed, added, turns=turns)

    def _seen(self, session: str) -> Operation[tuple[str, dict[str, Any]]]:
        """The mark of the last row that is left, as SQL, and its values."""
        return self.seen, {"start": self.tables.start}
        yield  # an operation that needs no statement

    def swap(self, session: str, recorded: Recorded, standing: Standing) -> Operation[None]:
        """Note down that a change was undone, or made again, and where its other side was just laid."""
        yield self.sql(
            f"UPDATE {self.changes} SET undone = 1 - undone, moves = moves + 1, kept_from = :kept_from, "
            f"kept_to = coalesce((SELECT max(place) FROM {self.kept}), 0) "
            "WHERE session_id = :session AND id = :change",
            {"session": session, "change": recorded.id, "kept_from": standing.kept + 1},
        )

    def history(self, session: str) -> Operation[list[Recorded]]:
        """Every change of the session, oldest first."""
        rows = yield self.sql(
            f"SELECT {FIELDS} FROM {self.changes} WHERE session_id = :session ORDER BY id",
            {"session": session},
        )
        return [self._recorded(row) for row in rows]

    def one(self, session: str, change: int) -> Operation[Recorded]:
        rows = yield self.sql(
            f"SELECT {FIELDS} FROM {self.changes} WHERE session_id = :session AND id = :change",
            {"session": session, "change": change},
        )
        return self._recorded(rows[0])

    def drop_undone(self, session: str, standing: Standing) -> Operation[Standing]:
        """A new edit ends the chance to redo what was undone before it; how the session stands then."""
        if standing.undone is None:
            return standing
        undone = f"FROM {self.changes} WHERE session_id = :session AND id >= :undone"
        values = {"session": session, "undone": standing.undone}
        yield from self._drop_kept(session, (yield self.sql(f"SELECT kept_from, kept_to {undone}", values)))
        yield self.sql(f"DELETE {undone}", values)
        rows = yield self.sql(f"SELECT coalesce(max(place), 0) FROM {self.kept}")
        return standing._replace(undone=None, kept=int(rows[0][0]))

    def _drop_kept(self, session: str, places: Sequence[tuple[Any, ...]]) -> Operation[None]:
        yield self.many(
            f"DELETE FROM {self.kept} WHERE place BETWEEN :first AND :last AND session_id = :session",
            [{"session": session, "first": first, "last": last} for first, last in places if first <= last],
        )

    # the rows they moved

    def take(self, session: str, ranges: Ranges, *, expected: int | None = None) -> Operation[None]:
        """Move rows out of the messages and to the end of the ledger, in stored order.

        Raises HistoryChanged where they are not as many as `expected`, if that is given.
        """
        if not ranges:
            return
        tables = self.tables
        edges, _ = tables.range(*ranges[0])
        going = [{"session": session, **tables.range(first, last)[1]} for first, last in sorted(ranges)]
        if self.dialect.moves:
            moved = 0
            for values in going:
                rows = yield Sql(
                    f"WITH gone AS (DELETE {tables.own}{edges} "
                    "RETURNING id, session_id, message_data, created_at), "
                    f"taken AS (INSERT INTO {self.kept} (session_id, id, message_data, created_at) "
                    f"SELECT session_id, id, message_data, created_at FROM gone ORDER BY {tables.order} "
                    "RETURNING 1) SELECT count(*) FROM taken",
                    values,
                )
                moved += rows[0][0]
            must_be(moved, expected)
            return
        if expected is not None:
            there = 0
            for first, last in ranges:
                there += yield from tables.count(session, first, last)
            must_be(there, expected)
        yield Many(
            f"INSERT INTO {self.kept} (session_id, id, message_data, created_at) "
            f"SELECT session_id, id, message_data, created_at {tables.own}{edges} ORDER BY {tables.order}",
            going,
        )
        yield Many(f"DELETE {tables.own}{edges}", going)

    def kept_keys(self, session: str, recorded: Recorded) -> Operation[list[Key]]:
        """The keys of the rows of a change that lie in the ledger, ascending."""
        rows = yield self.sql(
            f"SELECT {self.tables.place} {self.lying} ORDER BY place", self.lies(session, recorded)
        )
        return [self.tables.key(row) for row in rows]

    def put_back(self, session: str, recorded: Recorded) -> Operation[None]:
        """Move the rows of a change that lie in the ledger to the messages, under their own ids and times.

        A row whose id was used by another program meanwhile is left out: count them afterwards.
        """
        values = self.lies(session, recorded)
        yield Sql(
            f"{self.dialect.insert_new} {self.tables.messages} (id, session_id, message_data, created_at) "
            f"SELECT id, session_id, message_data, created_at {self.lying} ORDER BY place"
            f"{self.dialect.unless_there}",
            values,
        )
        yield self.sql(f"DELETE {self.lying}", values)

    def put_changed(self, session: str, standing: Standing, key: Key, text: str) -> Operation[None]:
        """Put new text in the place of the row that was just taken: same id, same time."""
        yield Sql(
            f"INSERT INTO {self.tables.messages} (id, session_id, message_data, created_at) "
            f"SELECT id, session_id, :text, created_at FROM {self.kept} "
            "WHERE place > :kept AND session_id = :session",
            {"session": session, "text": text, "kept": standing.kept},
        )

    def put_anew(
        self, session: str, standing: Standing, behind: Key
    ) -> Operation[tuple[list[Key], list[Key]]]:
        """Write the rows that were just taken again, with their times, under new ids, where `behind` is last.

        Their old keys come back, and their new ones.
        """
        taken = f"FROM {self.kept} WHERE place > :kept AND session_id = :session ORDER BY place"
        values = {"session": session, "kept": standing.kept}
        old = [self.tables.key(row) for row in (yield Sql(f"SELECT {self.tables.place} {taken}", values))]
        if old:
            yield Sql(
                f"INSERT INTO {self.tables.messages} (session_id, message_data, created_at) "
                f"SELECT session_id, message_data, created_at {taken}",
                values,
            )
        return old, (yield from self._behind(session, behind, old))

    def _behind(self, session: str, behind: Key, old: Sequence[Key]) -> Operation[list[Key]]:
        return (yield from self.tables.keys(session, above(behind))) if old else []

    def copy(
        self, session: str, first: Place, last: Place, target: str, change: Recorded | None = None
    ) -> Operation[list[Key]]:
        """Copy the rows from `first` to `last`, and those a change took, in order into another session.

        The keys of the originals come back, in the order of the copies.
        """
        tables = self.tables
        edges, values = tables.range(first, last)
        values |= {"session": session}
        rows = f"SELECT id, message_data, created_at {tables.own}{edges}"
        if change is not None:
            rows += f" UNION ALL SELECT id, message_data, created_at {self.lying}"
            values |= self.lies(session, change)
        found = yield Sql(f"SELECT {tables.place} FROM ({rows}) AS original ORDER BY {tables.order}", values)
        yield Sql(
            f"INSERT INTO {tables.messages} (session_id, message_data, created_at) "
            f"SELECT :target, message_data, created_at FROM ({rows}) AS original ORDER BY {tables.order}",
            {**values, "target": target},
        )
        return [tables.key(row) for row in found]

    @staticmethod
    def lies(session: str, recorded: Recorded) -> dict[str, Any]:
        """The values that `lying` asks for, to find the side of a change that is in the ledger."""
        return {"session": session, "kept_from": recorded.kept_from, "kept_to": recorded.kept_to}


def must_be(found: int, expected: int | None) -> None:
    """Raises HistoryChanged where so many rows were found and not as many as expected, if that is known."""
    if expected is not None and found != expected:
        raise HistoryChanged


def change_of(
    id_: int,
    kind: ChangeKind,
    at: datetime,
    removed: int,
    added: int,
    *,
    turns: tuple[int | None, int | None],
    undone: bool = False,
    void: bool = False,
) -> Change:
    """A change as a person sees it: completing a call moves the rows after it, which neither go nor come."""
    moved = removed if kind == "repair" and added else 0
    return Change(id_, kind, at, removed - moved, added - moved, undone, turns, void)
