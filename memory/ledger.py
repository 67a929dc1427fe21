"""What is ours about a session, beside the SDK's rows: side tables made when first needed.

    <messages>_authors   who wrote which rows, as ranges of keys
    <messages>_changes   the edits made, newest undoable first
    <messages>_kept      the rows an edit took away or put in place, exactly as stored, in order of taking
    <messages>_notes     words in the chat that no item says
    <messages>_leases    which run may write
    <messages>_pauses    runs that wait for a person

They live in the same database as the items, so that an edit and its way back are one commit; `FarLedger`
is for a database that takes no tables of ours. Keys are held as marks. Nothing here is ever put into an
item.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from .dialects import Dialect
from .edits import Change, ChangeKind
from .entries import Key
from .errors import HistoryChanged
from .statements import Ensure, Many, Operation, Present, Sql
from .tables import Mark, Place, Tables, parse_time, text_of_column

PARTS = ("authors", "changes", "kept", "notes", "leases", "pauses")

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
        self.lying = f"FROM {self.kept} WHERE place BETWEEN :kept_from AND :kept_to AND session_id = :session"
        last = f"({tables.few(tables.marked, '', tables.backwards, '1')})"
        self.seen = f"coalesce({last}, :start)"
        self._standing = self._standing_with(
            f"({tables.few(tables.marked, '', tables.order, '1')})",
            last,
            f"(SELECT {tables.dialect.at.format('created_at')} FROM {tables.sessions} "
            "WHERE session_id = :session)",
        )

    def _ddl(self, index: dict[str, str]) -> tuple[str, ...]:
        """Few pages are written with each edit: changes are clustered, kept rows found by their places."""
        to = self.dialect
        mark = to.place_text if isinstance(self.tables.start, str) else to.number
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
                f"session_id {name} NOT NULL, id {number} NOT NULL, kind {text} NOT NULL, "
                f"at {text} NOT NULL, removed {number} NOT NULL, added {number} NOT NULL, "
                f"undone {number} NOT NULL DEFAULT 0, "
                f"tail {mark}, first_turn {number}, last_turn {number}, birth {text}, seen {mark} NOT NULL, "
                f"kept_from {number} NOT NULL, kept_to {number} NOT NULL, took {text} NOT NULL, "
                f"put {text} NOT NULL, moves {number} NOT NULL DEFAULT 1",
                key="session_id, id",
            ),
            *to.create(
                self.kept,
                f"place {to.counter}, session_id {name} NOT NULL, id {number} NOT NULL, "
                f"message_data {text} NOT NULL, created_at {to.time}",
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
                f"expires_at {to.decimal} NOT NULL, seconds {to.decimal} NOT NULL",
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

    def _standing_with(self, first: str, last: str, born: str) -> str:
        """The statement that `standing` is; the three are what the messages tell."""
        return (
            f"SELECT {first}, {last}, {born}, "
            "lease.owner, lease.number, lease.expires_at, lease.seconds, "
            "stands.id, stands.moves, undone.id, undone.moves, "
            f"(SELECT max(id) FROM {self.pauses} WHERE session_id = :session "
            "AND status IN ('pending', 'deciding')), "
            f"(SELECT max(id) FROM {self.changes} WHERE session_id = :session), "
            f"(SELECT max(place) FROM {self.kept}) "
            "FROM (SELECT 1 AS one) AS one "
            f"LEFT JOIN {self.leases} AS lease ON lease.session_id = :session "
            f"LEFT JOIN {self.changes} AS stands ON stands.session_id = :session AND stands.id = "
            f"(SELECT id FROM {self.changes} WHERE session_id = :session AND undone = 0 "
            "ORDER BY id DESC LIMIT 1) "
            # Undone changes are always the newest ones, since a new edit drops them.
            f"LEFT JOIN {self.changes} AS undone ON undone.session_id = :session AND undone.id = "
            f"(SELECT min(id) FROM {self.changes} WHERE session_id = :session "
            "AND id > coalesce(stands.id, 0))"
        )

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, tables: Tables) -> Ledger:
        """The ledger of these tables; its statements are written out once."""
        return cls(tables)

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

    def standing(self, session: str) -> Operation[Standing]:
        """How the session stands, in one statement; its tables and the ledger's must be there."""
        (row,) = yield Sql(self._standing, {"session": session})
        return self._stands(row)

    def _stands(self, row: Sequence[Any]) -> Standing:
        first, last, born, owner, number, expires_at, seconds = row[:7]
        stands, moves, undone, moved_back, waiting, newest, kept = row[7:]
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

    # marks

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
            seen=self.tables.unmark(row[10]),
            took=self._ranges(row[-2]),
            put=self._ranges(row[-1]),
        )

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

    # changes and the rows they moved

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

    def put_anew(self, session: str, standing: Standing) -> Operation[list[Key]]:
        """Write the rows that were just taken again, with their times, under new ids; their old keys."""
        taken = f"FROM {self.kept} WHERE place > :kept AND session_id = :session ORDER BY place"
        values = {"session": session, "kept": standing.kept}
        old = [self.tables.key(row) for row in (yield Sql(f"SELECT {self.tables.place} {taken}", values))]
        if old:
            yield Sql(
                f"INSERT INTO {self.tables.messages} (session_id, message_data, created_at) "
                f"SELECT session_id, message_data, created_at {taken}",
                values,
            )
        return old

    def copy(self, session: str, last: Place, change: Recorded | None, target: str) -> Operation[list[Key]]:
        """Copy the rows up to `last`, and those a change took, in order into another session.

        The keys of the originals come back, in the order of the copies.
        """
        tables = self.tables
        edges, values = tables.range(None, last)
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
        """Forget what is said of rows behind `place`, after which there are none: a write was cut off."""
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


def as_json(value: Any) -> str:
    """A small value of the ledger's own as text."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))
