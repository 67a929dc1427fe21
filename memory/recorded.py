"""Edits as the ledger holds them: what each took and put, and where the side of it that is away lies."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from .dialects import Dialect
from .edits import Change, ChangeKind
from .entries import Key
from .errors import HistoryChanged
from .side_tables import SideTables, as_json
from .statements import Operation
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


class Made(NamedTuple):
    """An edit that is made just now; see `Recorded` for the fields."""

    kind: ChangeKind
    took: Ranges
    removed: int
    birth: str | None
    put: Sequence[tuple[Key, Key]] = ()
    added: int = 0
    tail: Key | None = None
    turns: tuple[int | None, int | None] = (None, None)


FIELDS = (
    "id, kind, at, removed, added, undone, tail, first_turn, last_turn, birth, seen, kept_from, kept_to, "
    "took, put"
)


class Records(SideTables):
    """Noting changes down and reading them."""

    def __init__(self, tables: Tables, *, dialect: Dialect | None = None, prefix: str | None = None) -> None:
        super().__init__(tables, dialect=dialect, prefix=prefix)
        self.lying = f"FROM {self.kept} WHERE place BETWEEN :kept_from AND :kept_to AND session_id = :session"
        self.seen = f"coalesce(({tables.few(tables.marked, '', tables.backwards, '1')}), :start)"

    def _as_text(self, ranges: Iterable[tuple[Key, Key]]) -> str:
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

    def record(self, session: str, standing: Standing, made: Made) -> Operation[Change]:
        """Note down an edit whose rows were just taken. `standing` is how the session stood before it."""
        change, values = self._noting(session, standing, made)
        seen, marks = yield from self._seen(session)
        yield self.sql(self._note(seen, self.kept), {**values, **marks})
        return change

    def _noting(self, session: str, standing: Standing, made: Made) -> tuple[Change, dict[str, Any]]:
        """The change, and the values of `_note` but for what was seen."""
        at = datetime.now(UTC)
        # The time makes an id that nobody holds, even where all changes before it were purged.
        id_ = max(standing.newest + 1, int(at.timestamp() * 1_000_000))
        return change_of(id_, made.kind, at, made.removed, made.added, turns=made.turns), {
            "session": session,
            "id": id_,
            "kind": made.kind,
            "at": at.isoformat(),
            "removed": made.removed,
            "added": made.added,
            "tail": None if made.tail is None else self.tables.mark(made.tail),
            "first_turn": made.turns[0],
            "last_turn": made.turns[1],
            "birth": made.birth,
            "kept_from": standing.kept + 1,
            "took": self._as_text(made.took),
            "put": self._as_text(made.put),
        }

    def _note(self, seen: str, kept: str) -> str:
        """The statement that notes a change down; its rows lie in `kept`, `seen` is the last that is left."""
        return (
            f"INSERT INTO {self.changes} (session_id, id, kind, at, removed, added, tail, first_turn, "
            "last_turn, birth, seen, kept_from, kept_to, took, put) VALUES (:session, :id, :kind, :at, "
            ":removed, :added, :tail, :first_turn, :last_turn, :birth, "
            f"{seen}, :kept_from, coalesce((SELECT max(place) FROM {kept}), 0), :took, :put)"
        )

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
