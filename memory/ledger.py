"""What is ours about a session, beside the SDK's rows: side tables made when first needed.

    <messages>_authors   who wrote which rows, as ranges of row ids
    <messages>_changes   the edits made, newest undoable first
    <messages>_kept      the rows an edit took away or put in place, exactly as stored, in order of taking
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
from functools import lru_cache
from typing import Any, NamedTuple

from .edits import Change, ChangeKind
from .statements import Ensure, Many, Operation, Present, Sql
from .tables import Tables, parse_time, quote

PARTS = ("authors", "changes", "kept", "notes", "leases", "pauses")

Ranges = list[tuple[int, int]]
"""Row ids as (first, last), both included; rows of other sessions in between do not count."""


class Standing(NamedTuple):
    """How a session stands: what an edit must know before it touches anything.

    `first` and `last` are the rows at its ends and `born` is when it began; `lease` is (owner, number,
    expires at, seconds); `stands` is the change that an undo would take back and `undone` the one that a
    redo would make again, with the `moves` they went through; `waiting` is the pause that is open, `newest`
    the last change of all and `kept` the last place taken in the ledger.
    """

    first: int | None
    last: int | None
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
    tail: int | None
    first_turn: int | None
    last_turn: int | None
    birth: str | None
    seen: int
    kept_from: int
    kept_to: int
    took: Ranges
    put: Ranges

    @classmethod
    def of(cls, row: tuple[Any, ...]) -> Recorded:
        return cls._make([*row[:-2], _ranges(row[-2]), _ranges(row[-1])])

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
        # Few pages are written with each edit: changes are clustered, kept rows are found by their places.
        self.ddl = (
            f"CREATE TABLE IF NOT EXISTS {self.authors} (session_id TEXT NOT NULL, "
            "first_id INTEGER NOT NULL, last_id INTEGER NOT NULL, agent TEXT NOT NULL, "
            "PRIMARY KEY (session_id, first_id)) WITHOUT ROWID",
            f"CREATE TABLE IF NOT EXISTS {self.changes} (session_id TEXT NOT NULL, id INTEGER NOT NULL, "
            "kind TEXT NOT NULL, at TEXT NOT NULL, removed INTEGER NOT NULL, "
            "added INTEGER NOT NULL, undone INTEGER NOT NULL DEFAULT 0, tail INTEGER, first_turn INTEGER, "
            "last_turn INTEGER, birth TEXT, seen INTEGER NOT NULL, kept_from INTEGER NOT NULL, "
            "kept_to INTEGER NOT NULL, took TEXT NOT NULL, put TEXT NOT NULL, "
            "moves INTEGER NOT NULL DEFAULT 1, PRIMARY KEY (session_id, id)) WITHOUT ROWID",
            f"CREATE TABLE IF NOT EXISTS {self.kept} (place INTEGER PRIMARY KEY, "
            "session_id TEXT NOT NULL, id INTEGER NOT NULL, message_data TEXT NOT NULL, "
            "created_at TIMESTAMP)",
            f"CREATE TABLE IF NOT EXISTS {self.notes} (id INTEGER PRIMARY KEY AUTOINCREMENT, "
            "session_id TEXT NOT NULL, after_id INTEGER NOT NULL, kind TEXT NOT NULL, detail TEXT NOT NULL, "
            "at TEXT NOT NULL)",
            f"CREATE INDEX IF NOT EXISTS {index['notes']} ON {self.notes} (session_id, after_id)",
            f"CREATE TABLE IF NOT EXISTS {self.leases} (session_id TEXT PRIMARY KEY, owner TEXT, "
            "number INTEGER NOT NULL, expires_at REAL NOT NULL, seconds REAL NOT NULL) WITHOUT ROWID",
            f"CREATE TABLE IF NOT EXISTS {self.pauses} (id INTEGER PRIMARY KEY AUTOINCREMENT, "
            "session_id TEXT NOT NULL, status TEXT NOT NULL, calls TEXT NOT NULL, state TEXT NOT NULL, "
            "head_id INTEGER NOT NULL, verdicts TEXT NOT NULL, created_at TEXT NOT NULL)",
            f"CREATE INDEX IF NOT EXISTS {index['pauses']} ON {self.pauses} (session_id, status)",
        )

        self.lying = f"FROM {self.kept} WHERE place BETWEEN :kept_from AND :kept_to AND session_id = :session"
        self._standing = (
            f"SELECT (SELECT id {tables.own} ORDER BY id LIMIT 1), "
            f"(SELECT id {tables.own} ORDER BY id DESC LIMIT 1), "
            f"(SELECT created_at FROM {tables.sessions} WHERE session_id = :session), "
            "lease.owner, lease.number, lease.expires_at, lease.seconds, "
            "stands.id, stands.moves, undone.id, undone.moves, "
            f"(SELECT max(id) FROM {self.pauses} WHERE session_id = :session "
            "AND status IN ('pending', 'deciding')), "
            f"(SELECT max(id) FROM {self.changes} WHERE session_id = :session), "
            f"(SELECT max(place) FROM {self.kept}) "
            "FROM (SELECT 1) AS one "
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

    def there(self) -> Operation[bool]:
        (found,) = (yield Present(self.names))[0]
        return bool(found == self.names)

    def make(self) -> Operation[None]:
        yield Ensure(self.names, self.ddl)

    def standing(self, session: str) -> Operation[Standing]:
        """How the session stands, in one statement; its tables and the ledger's must be there."""
        (row,) = yield Sql(self._standing, {"session": session})
        first, last, born, owner, number, expires_at, seconds = row[:7]
        stands, moves, undone, moved_back, waiting, newest, kept = row[7:]
        return Standing(
            first,
            last,
            None if born is None else str(born),
            None if number is None else (owner, number, expires_at, seconds),
            stands,
            undone,
            (moves or 0) + (moved_back or 0),
            waiting,
            newest or 0,
            kept or 0,
        )

    # who wrote what

    def credit(self, session: str, ids: Sequence[int], agent: str) -> Operation[None]:
        """Record that `agent` wrote these neighbouring rows."""
        yield Sql(
            f"INSERT INTO {self.authors} (session_id, first_id, last_id, agent) "
            "VALUES (:session, :first, :last, :agent) "
            "ON CONFLICT (session_id, first_id) DO UPDATE SET last_id = :last, agent = :agent",
            {"session": session, "first": ids[0], "last": ids[-1], "agent": agent},
        )

    def credits(self, session: str, first: int, last: int) -> Operation[list[tuple[int, int, str]]]:
        """(first id, last id, agent) of every range that touches these ids, in order; no ranges overlap."""
        rows = yield Sql(
            f"SELECT first_id, last_id, agent FROM {self.authors} WHERE session_id = :session "
            f"AND first_id BETWEEN coalesce((SELECT max(first_id) FROM {self.authors} "
            "WHERE session_id = :session AND first_id <= :first), :first) AND :last "
            "AND last_id >= :first ORDER BY first_id",
            {"session": session, "first": first, "last": last},
        )
        return [(int(row[0]), int(row[1]), str(row[2])) for row in rows]

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
        tail: int | None = None,
        turns: tuple[int | None, int | None] = (None, None),
        birth: str | None,
    ) -> Operation[Change]:
        """Note down an edit whose rows were just taken; see `Recorded` for the fields.

        `standing` is how the session stood before the edit.
        """
        at = datetime.now(UTC)
        # The time makes an id that nobody holds, even where all changes before it were purged.
        id_ = max(standing.newest + 1, int(at.timestamp() * 1_000_000))
        yield Sql(
            f"INSERT INTO {self.changes} (session_id, id, kind, at, removed, added, tail, first_turn, "
            "last_turn, birth, seen, kept_from, kept_to, took, put) VALUES (:session, :id, :kind, :at, "
            ":removed, :added, :tail, :first, :last, :birth, "
            f"coalesce((SELECT max(id) {self.tables.own}), 0), :kept_from, "
            f"coalesce((SELECT max(place) FROM {self.kept}), 0), :took, :put)",
            {
                "session": session,
                "id": id_,
                "kind": kind,
                "at": at.isoformat(),
                "removed": removed,
                "added": added,
                "tail": tail,
                "first": turns[0],
                "last": turns[1],
                "birth": birth,
                "kept_from": standing.kept + 1,
                "took": as_json(took),
                "put": as_json(put or []),
            },
        )
        return change_of(id_, kind, at, removed, added, turns=turns)

    def swap(self, session: str, recorded: Recorded, standing: Standing) -> Operation[None]:
        """Note down that a change was undone, or made again, and where its other side was just laid."""
        yield Sql(
            f"UPDATE {self.changes} SET undone = 1 - undone, moves = moves + 1, kept_from = :kept_from, "
            f"kept_to = coalesce((SELECT max(place) FROM {self.kept}), 0) "
            "WHERE session_id = :session AND id = :change",
            {"session": session, "change": recorded.id, "kept_from": standing.kept + 1},
        )

    def history(self, session: str) -> Operation[list[Recorded]]:
        """Every change of the session, oldest first."""
        rows = yield Sql(
            f"SELECT {FIELDS} FROM {self.changes} WHERE session_id = :session ORDER BY id",
            {"session": session},
        )
        return [Recorded.of(row) for row in rows]

    def one(self, session: str, change: int) -> Operation[Recorded]:
        rows = yield Sql(
            f"SELECT {FIELDS} FROM {self.changes} WHERE session_id = :session AND id = :change",
            {"session": session, "change": change},
        )
        return Recorded.of(rows[0])

    def drop_undone(self, session: str, standing: Standing) -> Operation[Standing]:
        """A new edit ends the chance to redo what was undone before it; how the session stands then."""
        if standing.undone is None:
            return standing
        undone = f"FROM {self.changes} WHERE session_id = :session AND id >= :undone"
        values = {"session": session, "undone": standing.undone}
        yield from self._drop_kept(session, (yield Sql(f"SELECT kept_from, kept_to {undone}", values)))
        yield Sql(f"DELETE {undone}", values)
        rows = yield Sql(f"SELECT coalesce(max(place), 0) FROM {self.kept}")
        return standing._replace(undone=None, kept=int(rows[0][0]))

    def _drop_kept(self, session: str, places: Sequence[tuple[Any, ...]]) -> Operation[None]:
        yield Many(
            f"DELETE FROM {self.kept} WHERE place BETWEEN :first AND :last AND session_id = :session",
            [{"session": session, "first": first, "last": last} for first, last in places if first <= last],
        )

    def take(self, session: str, ranges: Ranges) -> Operation[None]:
        """Move rows out of the messages and to the end of the ledger, in stored order."""
        values = [{"session": session, "first": first, "last": last} for first, last in sorted(ranges)]
        if not values:
            return
        yield Many(
            f"INSERT INTO {self.kept} (session_id, id, message_data, created_at) "
            f"SELECT session_id, id, message_data, created_at {self.tables.own} "
            "AND id BETWEEN :first AND :last ORDER BY id",
            values,
        )
        yield Many(f"DELETE {self.tables.own} AND id BETWEEN :first AND :last", values)

    def kept_ids(self, session: str, recorded: Recorded) -> Operation[list[int]]:
        """The ids of the rows of a change that lie in the ledger, ascending."""
        rows = yield Sql(f"SELECT id {self.lying} ORDER BY place", self.lies(session, recorded))
        return [int(row[0]) for row in rows]

    def put_back(self, session: str, recorded: Recorded) -> Operation[None]:
        """Move the rows of a change that lie in the ledger to the messages, under their own ids and times.

        A row whose id was used by another program meanwhile is left out: count them afterwards.
        """
        values = self.lies(session, recorded)
        yield Sql(
            f"INSERT INTO {self.tables.messages} (id, session_id, message_data, created_at) "
            f"SELECT id, session_id, message_data, created_at {self.lying} ORDER BY place "
            "ON CONFLICT (id) DO NOTHING",
            values,
        )
        yield Sql(f"DELETE {self.lying}", values)

    @staticmethod
    def lies(session: str, recorded: Recorded) -> dict[str, Any]:
        """The values that `lying` asks for, to find the side of a change that is in the ledger."""
        return {"session": session, "kept_from": recorded.kept_from, "kept_to": recorded.kept_to}

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

    def drop_notes(self, session: str, kind: str) -> Operation[None]:
        """Delete the notes of one kind."""
        yield Sql(
            f"DELETE FROM {self.notes} WHERE session_id = :session AND kind = :kind",
            {"session": session, "kind": kind},
        )

    def turn_notes(self, session: str, kind: str, new: str, detail: str) -> Operation[None]:
        """Make the notes of one kind into others, in their places; `detail` is sealed text."""
        yield Sql(
            f"UPDATE {self.notes} SET kind = :new, detail = :detail "
            "WHERE session_id = :session AND kind = :kind",
            {"session": session, "kind": kind, "new": new, "detail": detail},
        )

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
        history = yield from self.history(session)
        yield from self._drop_kept(session, [(r.kept_from, r.kept_to) for r in history])
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
        return sum(r.added if r.undone else r.removed for r in history)


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
