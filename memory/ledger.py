"""What is ours about a session, beside the SDK's rows: side tables made when first needed.

    <messages>_authors   who wrote which rows, as ranges of row ids
    <messages>_changes   the edits made, newest undoable first
    <messages>_kept      the rows an edit took away or put in place, exactly as stored
    <messages>_notes     words in the chat that no item says
    <messages>_leases    which run may write
    <messages>_pauses    runs that wait for a person

They live in the same database as the items, so that an edit and its way back are one commit. Nothing in
them is ever put into an item.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from .edits import Change, ChangeKind
from .statements import Ensure, Many, Operation, Present, Sql
from .tables import Tables, parse_time, quote

PARTS = ("authors", "changes", "kept", "notes", "leases", "pauses")
BEFORE, AFTER = 0, 1
"""The two sides of a change: the rows it took away, and the rows it put in place."""


Ranges = list[tuple[int, int]]
"""Row ids as (first, last), both included; rows of other sessions in between do not count."""


class Recorded(NamedTuple):
    """A change as the ledger holds it.

    `took` are the rows it takes away and `put` those it puts in place; one of the two sides lies in the
    ledger at any time, the other in the messages. `tail` is the first row an edit of the tail takes, else
    None. `birth` is when the session began and `seen` the highest row left after the edit: if neither is
    there any more, another program cleared the session and the change is void.
    """

    id: int
    kind: str
    at: str
    removed: int
    added: int
    undone: int
    tail: int | None
    first_turn: int | None
    last_turn: int | None
    birth: str | None
    seen: int
    took: Ranges
    put: Ranges

    @classmethod
    def of(cls, row: tuple[Any, ...]) -> Recorded:
        return cls._make([*row[:-2], _ranges(row[-2]), _ranges(row[-1])])


FIELDS = "id, kind, at, removed, added, undone, tail, first_turn, last_turn, birth, seen, took, put"


def _ranges(text: str) -> Ranges:
    return [(int(first), int(last)) for first, last in json.loads(text)]


class Ledger:
    """Statements over the side tables of one messages table."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        names = {part: f"{tables.prefix}_{part}" for part in PARTS}
        self.names = frozenset(names.values())
        self.authors, self.changes, self.kept, self.notes, self.leases, self.pauses = (
            quote(names[part]) for part in PARTS
        )
        index = {part: quote(f"idx_{name}") for part, name in names.items()}
        self.ddl = (
            f"CREATE TABLE IF NOT EXISTS {self.authors} (session_id TEXT NOT NULL, "
            "first_id INTEGER NOT NULL, last_id INTEGER NOT NULL, agent TEXT NOT NULL, "
            "PRIMARY KEY (session_id, first_id)) WITHOUT ROWID",
            f"CREATE TABLE IF NOT EXISTS {self.changes} (id INTEGER PRIMARY KEY AUTOINCREMENT, "
            "session_id TEXT NOT NULL, kind TEXT NOT NULL, at TEXT NOT NULL, removed INTEGER NOT NULL, "
            "added INTEGER NOT NULL, undone INTEGER NOT NULL DEFAULT 0, tail INTEGER, first_turn INTEGER, "
            "last_turn INTEGER, birth TEXT, seen INTEGER NOT NULL DEFAULT 0, took TEXT NOT NULL, "
            "put TEXT NOT NULL DEFAULT '[]', moves INTEGER NOT NULL DEFAULT 1)",
            f"CREATE INDEX IF NOT EXISTS {index['changes']} ON {self.changes} (session_id, id)",
            f"CREATE TABLE IF NOT EXISTS {self.kept} (change_id INTEGER NOT NULL, side INTEGER NOT NULL, "
            "id INTEGER NOT NULL, message_data TEXT NOT NULL, created_at TIMESTAMP)",
            f"CREATE INDEX IF NOT EXISTS {index['kept']} ON {self.kept} (change_id)",
            f"CREATE TABLE IF NOT EXISTS {self.notes} (id INTEGER PRIMARY KEY AUTOINCREMENT, "
            "session_id TEXT NOT NULL, after_id INTEGER NOT NULL, kind TEXT NOT NULL, detail TEXT NOT NULL, "
            "at TEXT NOT NULL)",
            f"CREATE INDEX IF NOT EXISTS {index['notes']} ON {self.notes} (session_id, after_id)",
            f"CREATE TABLE IF NOT EXISTS {self.leases} (session_id TEXT PRIMARY KEY, owner TEXT, "
            "number INTEGER NOT NULL, expires_at REAL NOT NULL) WITHOUT ROWID",
            f"CREATE TABLE IF NOT EXISTS {self.pauses} (id INTEGER PRIMARY KEY AUTOINCREMENT, "
            "session_id TEXT NOT NULL, status TEXT NOT NULL, calls TEXT NOT NULL, state TEXT NOT NULL, "
            "head_id INTEGER NOT NULL, verdicts TEXT NOT NULL, created_at TEXT NOT NULL)",
            f"CREATE INDEX IF NOT EXISTS {index['pauses']} ON {self.pauses} (session_id, status)",
        )

    def there(self) -> Operation[bool]:
        (found,) = (yield Present(self.names))[0]
        return bool(found == self.names)

    def make(self) -> Operation[None]:
        yield Ensure(self.names, self.ddl)

    # who wrote what

    def credit(self, session: str, ids: Sequence[int], agent: str) -> Operation[None]:
        """Record that `agent` wrote these neighbouring rows."""
        yield Sql(
            f"INSERT INTO {self.authors} (session_id, first_id, last_id, agent) "
            "VALUES (:session, :first, :last, :agent)",
            {"session": session, "first": ids[0], "last": ids[-1], "agent": agent},
        )

    def credits(self, session: str, first: int, last: int) -> Operation[list[tuple[int, int, str]]]:
        """(first id, last id, agent) of every range that touches these ids, in order."""
        rows = yield Sql(
            f"SELECT first_id, last_id, agent FROM {self.authors} WHERE session_id = :session "
            "AND first_id <= :last AND last_id >= :first ORDER BY first_id",
            {"session": session, "first": first, "last": last},
        )
        return [(int(row[0]), int(row[1]), str(row[2])) for row in rows]

    # changes and the rows they moved

    def edits(self, session: str) -> Operation[tuple[int, int]]:
        """A value that differs after every edit, undo and redo of the session.

        The newest change's id tells edits apart, the sum of their moves undos and redos.
        """
        rows = yield Sql(
            f"SELECT coalesce(max(id), 0), coalesce(sum(moves), 0) FROM {self.changes} "
            "WHERE session_id = :session",
            {"session": session},
        )
        return (int(rows[0][0]), int(rows[0][1]))

    def record(
        self,
        session: str,
        kind: ChangeKind,
        *,
        removed: int,
        took: Ranges,
        tail: int | None = None,
        turns: tuple[int | None, int | None] = (None, None),
        birth: str | None,
    ) -> Operation[Change]:
        """Open a change and take its rows out of the messages; see `Recorded` for the fields."""
        at = datetime.now(UTC)
        rows = yield Sql(
            f"INSERT INTO {self.changes} (session_id, kind, at, removed, added, tail, first_turn, last_turn, "
            "birth, took) VALUES (:session, :kind, :at, :removed, 0, :tail, :first, :last, :birth, :took) "
            "RETURNING id",
            {
                "session": session,
                "kind": kind,
                "at": at.isoformat(),
                "removed": removed,
                "tail": tail,
                "first": turns[0],
                "last": turns[1],
                "birth": birth,
                "took": as_json(took),
            },
        )
        change = Change(int(rows[0][0]), kind, at, removed, 0, turns=turns)
        yield from self.take(change.id, BEFORE, session, took)
        return change

    def close(self, change: int, *, seen: int, put: Ranges, added: int) -> Operation[None]:
        """Note what the edit put in place, and the highest row left after it."""
        yield Sql(
            f"UPDATE {self.changes} SET seen = :seen, put = :put, added = :added WHERE id = :change",
            {"seen": seen, "put": as_json(put), "added": added, "change": change},
        )

    def toggle(self, change: int, undone: bool) -> Operation[None]:
        yield Sql(
            f"UPDATE {self.changes} SET undone = :undone, moves = moves + 1 WHERE id = :change",
            {"undone": int(undone), "change": change},
        )

    def history(self, session: str) -> Operation[list[Recorded]]:
        """Every change of the session, oldest first."""
        rows = yield Sql(
            f"SELECT {FIELDS} FROM {self.changes} WHERE session_id = :session ORDER BY id",
            {"session": session},
        )
        return [Recorded.of(row) for row in rows]

    def one(self, change: int) -> Operation[Recorded]:
        rows = yield Sql(f"SELECT {FIELDS} FROM {self.changes} WHERE id = :change", {"change": change})
        return Recorded.of(rows[0])

    def latest(self, session: str, *, undone: bool) -> Operation[Recorded | None]:
        """The change an undo would take back, or a redo make again; None if there is none.

        Undone changes are always the newest ones, since a new edit drops them: the next to undo is the
        newest that stands, the next to redo the oldest that does not.
        """
        way = "ASC" if undone else "DESC"
        rows = yield Sql(
            f"SELECT {FIELDS} FROM {self.changes} WHERE session_id = :session AND undone = :undone "
            f"ORDER BY id {way} LIMIT 1",
            {"session": session, "undone": int(undone)},
        )
        return Recorded.of(rows[0]) if rows else None

    def drop_undone(self, session: str) -> Operation[None]:
        """A new edit ends the chance to redo what was undone before it."""
        rows = yield Sql(
            f"SELECT id FROM {self.changes} WHERE session_id = :session AND undone = 1", {"session": session}
        )
        if rows:
            ids = [{"change": row[0]} for row in rows]
            yield Many(f"DELETE FROM {self.kept} WHERE change_id = :change", ids)
            yield Many(f"DELETE FROM {self.changes} WHERE id = :change", ids)

    def take(self, change: int, side: int, session: str, ranges: Ranges) -> Operation[None]:
        """Move rows out of the messages and into the ledger, onto one side of the change."""
        values = [
            {"change": change, "side": side, "session": session, "first": first, "last": last}
            for first, last in ranges
        ]
        if not values:
            return
        yield Many(
            f"INSERT INTO {self.kept} (change_id, side, id, message_data, created_at) "
            f"SELECT :change, :side, id, message_data, created_at {self.tables.own} "
            "AND id BETWEEN :first AND :last ORDER BY id",
            values,
        )
        yield Many(f"DELETE {self.tables.own} AND id BETWEEN :first AND :last", values)

    def kept_ids(self, change: int, side: int) -> Operation[list[int]]:
        rows = yield Sql(
            f"SELECT id FROM {self.kept} WHERE change_id = :change AND side = :side ORDER BY id",
            {"change": change, "side": side},
        )
        return [int(row[0]) for row in rows]

    def count_kept(self, change: int) -> Operation[int]:
        """How many rows the ledger holds of a change, on both sides."""
        rows = yield Sql(f"SELECT count(*) FROM {self.kept} WHERE change_id = :change", {"change": change})
        return int(rows[0][0])

    def put_back(self, change: int, side: int, session: str) -> Operation[None]:
        """Move one side of a change back into the messages, each row under its own id and time."""
        values = {"change": change, "side": side, "session": session}
        yield Sql(
            f"INSERT INTO {self.tables.messages} (id, session_id, message_data, created_at) "
            f"SELECT id, :session, message_data, created_at FROM {self.kept} "
            "WHERE change_id = :change AND side = :side ORDER BY id",
            values,
        )
        yield Sql(f"DELETE FROM {self.kept} WHERE change_id = :change AND side = :side", values)

    # words in the chat

    def add_note(
        self, session: str, after: int, kind: str, detail: str, at: str | None = None
    ) -> Operation[None]:
        """`detail` is sealed text; `after` is the row the note stands behind, 0 at the start."""
        yield Sql(
            f"INSERT INTO {self.notes} (session_id, after_id, kind, detail, at) "
            "VALUES (:session, :after, :kind, :detail, :at)",
            {
                "session": session,
                "after": after,
                "kind": kind,
                "detail": detail,
                "at": at or datetime.now(UTC).isoformat(),
            },
        )

    def notes_between(
        self, session: str, first: int, last: int
    ) -> Operation[list[tuple[int, str, str, str]]]:
        """(after id, kind, sealed detail, at) behind these rows, in order."""
        rows = yield Sql(
            f"SELECT after_id, kind, detail, at FROM {self.notes} WHERE session_id = :session "
            "AND after_id BETWEEN :first AND :last ORDER BY after_id, id",
            {"session": session, "first": first, "last": last},
        )
        return [(int(row[0]), str(row[1]), str(row[2]), str(row[3])) for row in rows]

    # going

    def forget(self, session: str) -> Operation[int]:
        """Delete everything held of the session but its lease, for good; how many kept rows went."""
        gone = yield from self.forget_copies(session)
        for table in (self.authors, self.notes, self.pauses):
            yield Sql(f"DELETE FROM {table} WHERE session_id = :session", {"session": session})
        return gone

    def forget_copies(self, session: str) -> Operation[int]:
        """Delete the changes, the rows they kept, and notes and decisions that have no place any more."""
        own = {"session": session}
        changes = f"SELECT id FROM {self.changes} WHERE session_id = :session"
        rows = yield Sql(f"SELECT count(*) FROM {self.kept} WHERE change_id IN ({changes})", own)
        yield Sql(f"DELETE FROM {self.kept} WHERE change_id IN ({changes})", own)
        yield Sql(f"DELETE FROM {self.changes} WHERE session_id = :session", own)
        yield Sql(
            f"DELETE FROM {self.notes} WHERE session_id = :session AND after_id > 0 "
            f"AND after_id NOT IN (SELECT id {self.tables.own})",
            own,
        )
        yield Sql(
            f"DELETE FROM {self.pauses} WHERE session_id = :session "
            "AND status NOT IN ('pending', 'deciding')",
            own,
        )
        return int(rows[0][0])


def change_of(recorded: Recorded, void: bool = False) -> Change:
    """A recorded change as a person sees it."""
    at = parse_time(recorded.at)
    assert at is not None
    # Completing a call moves the rows after it; to a person they neither went nor came.
    moved = recorded.removed if recorded.kind == "repair" and recorded.added else 0
    return Change(
        id=recorded.id,
        kind=recorded.kind,  # type: ignore[arg-type]  # written by `record`
        at=at,
        removed=recorded.removed - moved,
        added=recorded.added - moved,
        undone=bool(recorded.undone),
        turns=(recorded.first_turn, recorded.last_turn),
        void=void,
    )


def as_json(value: Any) -> str:
    """A small value of the ledger's own as text."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))
