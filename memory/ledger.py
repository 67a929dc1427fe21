"""What is ours about a session, beside the SDK's rows: side tables made when first needed.

    <messages>_authors   who wrote which rows, as ranges of keys
    <messages>_changes   the edits made, newest undoable first
    <messages>_kept      the rows an edit took away or put in place, exactly as stored
    <messages>_notes     words in the chat that no item says
    <messages>_leases    which run may write
    <messages>_pauses    runs that wait for a person

They live in the same database as the items, so that an edit and its way back are one commit; `FarLedger`
is for a database that takes no tables of ours. Keys are held as marks. Nothing here is ever put into an
item.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from .dialects import Dialect
from .edits import Change, ChangeKind
from .entries import Key
from .statements import Ensure, Many, Operation, Present, Sql
from .tables import Mark, Place, Tables, parse_time

PARTS = ("authors", "changes", "kept", "notes", "leases", "pauses")
BEFORE, AFTER = 0, 1
"""The two sides of a change: the rows it took away, and the rows it put in place."""


Ranges = list[tuple[Key, Key]]
"""Keys as (first, last), both included; rows of other sessions in between do not count."""


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
    tail: Key | None
    first_turn: int | None
    last_turn: int | None
    birth: str | None
    seen: Place
    took: Ranges
    put: Ranges


FIELDS = "id, kind, at, removed, added, undone, tail, first_turn, last_turn, birth, seen, took, put"


class Ledger:
    """Statements over the side tables of one messages table."""

    def __init__(self, tables: Tables, *, dialect: Dialect | None = None, prefix: str | None = None) -> None:
        """`dialect` and `prefix` are those of the database the ledger lies in, if that is another one."""
        self.tables = tables
        self.dialect = dialect or tables.dialect
        names = {part: f"{prefix or tables.prefix}_{part}" for part in PARTS}
        self.names = frozenset(names.values())
        self.authors, self.changes, self.kept, self.notes, self.leases, self.pauses = (
            self.dialect.quote(names[part]) for part in PARTS
        )
        self.ddl = self._ddl({part: f"idx_{name}" for part, name in names.items()})

    def _ddl(self, index: dict[str, str]) -> tuple[str, ...]:
        to = self.dialect
        mark = to.place_text if isinstance(self.tables.start, str) else to.number
        start = f"DEFAULT {self.tables.start!r}"
        name, text, number, serial = to.name_text, to.text, to.number, to.serial
        return (
            *to.create(
                self.authors,
                f"session_id {name} NOT NULL, first_id {mark} NOT NULL, last_id {mark} NOT NULL, "
                f"agent {text} NOT NULL",
                key="session_id, first_id",
            ),
            *to.create(
                self.changes,
                f"id {serial}, session_id {name} NOT NULL, kind {text} NOT NULL, at {text} NOT NULL, "
                f"removed {number} NOT NULL, added {number} NOT NULL, undone {number} NOT NULL DEFAULT 0, "
                f"tail {mark}, first_turn {number}, last_turn {number}, birth {text}, "
                f"seen {mark} NOT NULL {start}, took {text} NOT NULL, put {text} NOT NULL, "
                f"moves {number} NOT NULL DEFAULT 1",
                index=(index["changes"], "session_id, id"),
            ),
            *to.create(
                self.kept,
                f"change_id {number} NOT NULL, side {number} NOT NULL, id {number} NOT NULL, "
                f"message_data {text} NOT NULL, created_at {to.time}",
                index=(index["kept"], "change_id"),
            ),
            *to.create(
                self.notes,
                f"id {serial}, session_id {name} NOT NULL, after_id {mark} NOT NULL, kind {text} NOT NULL, "
                f"detail {text} NOT NULL, at {text} NOT NULL",
                index=(index["notes"], "session_id, after_id"),
            ),
            *to.create(
                self.leases,
                f"session_id {name} NOT NULL, owner {text}, number {number} NOT NULL, "
                f"expires_at {to.decimal} NOT NULL",
                key="session_id",
            ),
            *to.create(
                self.pauses,
                f"id {serial}, session_id {name} NOT NULL, status {to.status_text} NOT NULL, "
                f"calls {text} NOT NULL, state {text} NOT NULL, head_id {mark} NOT NULL, "
                f"verdicts {text} NOT NULL, created_at {text} NOT NULL",
                index=(index["pauses"], "session_id, status"),
            ),
        )

    def sql(self, text: str, values: Mapping[str, Any] | None = None) -> Sql:
        """A statement over the side tables."""
        return Sql(text, values or {}, ledger=True)

    def many(self, text: str, values: Sequence[Mapping[str, Any]]) -> Many:
        return Many(text, values, ledger=True)

    def insert_one(self, text: str, values: Mapping[str, Any]) -> Operation[int]:
        """Insert a row into a table that counts; its id."""
        if self.dialect.returning:
            rows = yield self.sql(f"{text} RETURNING id", values)
        else:
            yield self.sql(text, values)
            rows = yield self.sql("SELECT LAST_INSERT_ID()")
        return int(rows[0][0])

    def there(self) -> Operation[bool]:
        (found,) = (yield Present(self.names, ledger=True))[0]
        return bool(found == self.names)

    def make(self) -> Operation[None]:
        yield Ensure(self.names, self.ddl, ledger=True)

    # who wrote what

    def credit(self, session: str, keys: Sequence[Key], agent: str) -> Operation[None]:
        """Record that `agent` wrote these neighbouring rows."""
        yield self.sql(
            f"INSERT INTO {self.authors} (session_id, first_id, last_id, agent) "
            "VALUES (:session, :first, :last, :agent)",
            {"session": session, **self._marks(first=keys[0], last=keys[-1]), "agent": agent},
        )

    def credits(self, session: str, first: Key, last: Key) -> Operation[list[tuple[Key, Key, str]]]:
        """(first key, last key, agent) of every range that touches these rows, in order."""
        rows = yield self.sql(
            f"SELECT first_id, last_id, agent FROM {self.authors} WHERE session_id = :session "
            "AND first_id <= :last AND last_id >= :first ORDER BY first_id",
            {"session": session, **self._marks(first=first, last=last)},
        )
        return [(self._key(row[0]), self._key(row[1]), str(row[2])) for row in rows]

    def _marks(self, **places: Place) -> dict[str, Mark]:
        return {name: self.tables.mark(place) for name, place in places.items()}

    def _key(self, mark: Any) -> Key:
        key = self.tables.unmark(mark)
        assert key is not None
        return key

    def _as_text(self, ranges: Ranges) -> str:
        return as_json([[self.tables.mark(first), self.tables.mark(last)] for first, last in ranges])

    def _ranges(self, text: str) -> Ranges:
        return [(self._key(first), self._key(last)) for first, last in json.loads(text)]

    def _recorded(self, row: Sequence[Any]) -> Recorded:
        found = Recorded._make(row)
        return found._replace(
            tail=None if row[6] is None else self.tables.unmark(row[6]),
            seen=self.tables.unmark(row[-3]),
            took=self._ranges(row[-2]),
            put=self._ranges(row[-1]),
        )

    # changes and the rows they moved

    def edits(self, session: str) -> Operation[tuple[int, int]]:
        """A value that differs after every edit, undo and redo of the session.

        The newest change's id tells edits apart, the sum of their moves undos and redos.
        """
        rows = yield self.sql(
            f"SELECT coalesce(max(id), 0), coalesce(sum(moves), 0) FROM {self.changes} "
            "WHERE session_id = :session",
            {"session": session},
        )
        return (int(rows[0][0]), int(rows[0][1]))

    def state(self, session: str) -> Operation[tuple[Any, ...]]:
        """A value that differs after everything that happens to the session in the ledger."""
        own = {"session": session}
        edits = yield from self.edits(session)
        newest = yield self.sql(f"SELECT max(id) FROM {self.notes} WHERE session_id = :session", own)
        pauses = yield self.sql(
            f"SELECT id, status FROM {self.pauses} WHERE session_id = :session ORDER BY id DESC LIMIT 1", own
        )
        lease = yield self.sql(
            f"SELECT number, owner, expires_at FROM {self.leases} WHERE session_id = :session", own
        )
        return (edits, tuple(newest), tuple(pauses), tuple(lease))

    def record(
        self,
        session: str,
        kind: ChangeKind,
        *,
        removed: int,
        took: Ranges,
        tail: Key | None = None,
        turns: tuple[int | None, int | None] = (None, None),
        birth: str | None,
    ) -> Operation[Change]:
        """Open a change and take its rows out of the messages; see `Recorded` for the fields."""
        at = datetime.now(UTC)
        number = yield from self.insert_one(
            f"INSERT INTO {self.changes} (session_id, kind, at, removed, added, tail, first_turn, last_turn, "
            "birth, took, put) "
            "VALUES (:session, :kind, :at, :removed, 0, :tail, :first, :last, :birth, :took, '[]')",
            {
                "session": session,
                "kind": kind,
                "at": at.isoformat(),
                "removed": removed,
                "tail": None if tail is None else self.tables.mark(tail),
                "first": turns[0],
                "last": turns[1],
                "birth": birth,
                "took": self._as_text(took),
            },
        )
        change = Change(number, kind, at, removed, 0, turns=turns)
        yield from self.take(change.id, BEFORE, session, took)
        return change

    def close(self, change: int, *, seen: Place, put: Ranges, added: int) -> Operation[None]:
        """Note what the edit put in place, and the highest row left after it."""
        yield self.sql(
            f"UPDATE {self.changes} SET seen = :seen, put = :put, added = :added WHERE id = :change",
            {**self._marks(seen=seen), "put": self._as_text(put), "added": added, "change": change},
        )

    def toggle(self, change: int, undone: bool) -> Operation[None]:
        yield self.sql(
            f"UPDATE {self.changes} SET undone = :undone, moves = moves + 1 WHERE id = :change",
            {"undone": int(undone), "change": change},
        )

    def history(self, session: str) -> Operation[list[Recorded]]:
        """Every change of the session, oldest first."""
        rows = yield self.sql(
            f"SELECT {FIELDS} FROM {self.changes} WHERE session_id = :session ORDER BY id",
            {"session": session},
        )
        return [self._recorded(row) for row in rows]

    def one(self, change: int) -> Operation[Recorded]:
        rows = yield self.sql(f"SELECT {FIELDS} FROM {self.changes} WHERE id = :change", {"change": change})
        return self._recorded(rows[0])

    def latest(self, session: str, *, undone: bool) -> Operation[Recorded | None]:
        """The change an undo would take back, or a redo make again; None if there is none.

        Undone changes are always the newest ones, since a new edit drops them: the next to undo is the
        newest that stands, the next to redo the oldest that does not.
        """
        way = "ASC" if undone else "DESC"
        rows = yield self.sql(
            f"SELECT {FIELDS} FROM {self.changes} WHERE session_id = :session AND undone = :undone "
            f"ORDER BY id {way} LIMIT 1",
            {"session": session, "undone": int(undone)},
        )
        return self._recorded(rows[0]) if rows else None

    def drop_undone(self, session: str) -> Operation[None]:
        """A new edit ends the chance to redo what was undone before it."""
        rows = yield self.sql(
            f"SELECT id FROM {self.changes} WHERE session_id = :session AND undone = 1", {"session": session}
        )
        if rows:
            ids = [{"change": row[0]} for row in rows]
            yield self.many(f"DELETE FROM {self.kept} WHERE change_id = :change", ids)
            yield self.many(f"DELETE FROM {self.changes} WHERE id = :change", ids)

    def take(self, change: int, side: int, session: str, ranges: Ranges) -> Operation[None]:
        """Move rows out of the messages and into the ledger, onto one side of the change."""
        if not ranges:
            return
        tables = self.tables
        edges, _ = tables.range(*ranges[0])
        going = [{"session": session, **tables.range(first, last)[1]} for first, last in ranges]
        yield Many(
            f"INSERT INTO {self.kept} (change_id, side, id, message_data, created_at) "
            f"SELECT :change, :side, id, message_data, created_at {tables.own}{edges} "
            f"ORDER BY {tables.order}",
            [{"change": change, "side": side, **values} for values in going],
        )
        yield Many(f"DELETE {tables.own}{edges}", going)

    def kept_keys(self, change: int, side: int) -> Operation[list[Key]]:
        rows = yield self.sql(
            f"SELECT {self.tables.place} FROM {self.kept} WHERE change_id = :change AND side = :side "
            f"ORDER BY {self.tables.order}",
            {"change": change, "side": side},
        )
        return [self.tables.key(row) for row in rows]

    def count_kept(self, change: int) -> Operation[int]:
        """How many rows the ledger holds of a change, on both sides."""
        rows = yield self.sql(
            f"SELECT count(*) FROM {self.kept} WHERE change_id = :change", {"change": change}
        )
        return int(rows[0][0])

    def put_back(self, change: int, side: int, session: str) -> Operation[None]:
        """Move one side of a change back into the messages, each row under its own id and time."""
        values = {"change": change, "side": side}
        yield Sql(
            f"INSERT INTO {self.tables.messages} (id, session_id, message_data, created_at) "
            f"SELECT id, :session, message_data, created_at FROM {self.kept} "
            f"WHERE change_id = :change AND side = :side ORDER BY {self.tables.order}",
            {"session": session, **values},
        )
        yield self.sql(f"DELETE FROM {self.kept} WHERE change_id = :change AND side = :side", values)

    def put_changed(self, change: int, session: str, key: Key, text: str) -> Operation[None]:
        """Put new text in the place of a row that was just taken: same id, same time."""
        yield Sql(
            f"INSERT INTO {self.tables.messages} (id, session_id, message_data, created_at) "
            f"SELECT id, :session, :text, created_at FROM {self.kept} WHERE change_id = :change "
            f"AND side = {BEFORE} AND id = :id",
            {"session": session, "text": text, "change": change, "id": key[-1]},
        )

    def put_anew(self, change: int, session: str) -> Operation[None]:
        """Write the rows a change took into the messages of a session, with their times, under new ids."""
        yield Sql(
            f"INSERT INTO {self.tables.messages} (session_id, message_data, created_at) "
            f"SELECT :session, message_data, created_at FROM {self.kept} "
            f"WHERE change_id = :change AND side = {BEFORE} ORDER BY {self.tables.order}",
            {"session": session, "change": change},
        )

    def copy(self, session: str, last: Place, change: int | None, target: str) -> Operation[list[Key]]:
        """Copy the rows up to `last`, and those a change took, in order into another session.

        The keys of the originals come back, in the order of the copies.
        """
        tables = self.tables
        edges, values = tables.range(None, last)
        values |= {"session": session}
        rows = f"SELECT id, message_data, created_at {tables.own}{edges}"
        if change is not None:
            rows += (
                f" UNION ALL SELECT id, message_data, created_at FROM {self.kept} "
                f"WHERE change_id = :change AND side = {BEFORE}"
            )
            values |= {"change": change}
        found = yield Sql(f"SELECT {tables.place} FROM ({rows}) AS original ORDER BY {tables.order}", values)
        yield Sql(
            f"INSERT INTO {tables.messages} (session_id, message_data, created_at) "
            f"SELECT :target, message_data, created_at FROM ({rows}) AS original ORDER BY {tables.order}",
            {**values, "target": target},
        )
        return [tables.key(row) for row in found]

    def occupied(self, change: int) -> Operation[list[Key]]:
        """The rows that stand where those a change took would be put back."""
        rows = yield Sql(
            f"SELECT {self.tables.place} FROM {self.tables.messages} WHERE id IN "
            f"(SELECT id FROM {self.kept} WHERE change_id = :change AND side = {BEFORE})",
            {"change": change},
        )
        return [self.tables.key(row) for row in rows]

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
        changes = f"SELECT id FROM {self.changes} WHERE session_id = :session"
        rows = yield self.sql(f"SELECT count(*) FROM {self.kept} WHERE change_id IN ({changes})", own)
        yield self.sql(f"DELETE FROM {self.kept} WHERE change_id IN ({changes})", own)
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
