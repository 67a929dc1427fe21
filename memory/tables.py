"""The SDK's two tables, and the statements that read and write them.

The tables are the SDK's to the letter, so that its classes and ours work on the same rows:

    agent_sessions (session_id, created_at, updated_at)
    agent_messages (id, session_id, message_data, created_at), index (session_id, id)

Order is by `id`; `SqlTables` has the other order the SDK knows. Whatever the order, a row is found by its
key, and everybody but the tables takes a key as it is. Stored text is read as bytes, because a row another
program wrote may hold bytes that are no text, and looking at it must not fail.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from .codec import HEAD, Codec
from .dialects import SQLITE, Dialect
from .entries import Entry, Key, State
from .items import kind_of
from .statements import Ensure, Many, Operation, Present, Row, Sql

TOGETHER = 32
"""So many rows are inserted by one statement."""

AT_ONCE = 500
"""Rows named one by one in a statement; databases limit the number of values."""

Mark = int | str
"""A key as one value that the ledger stores; marks sort like their keys, and the start before all."""

Place = Key | None
"""A key, or None for the start of the session."""


class Stored(NamedTuple):
    """A row of the messages table."""

    key: Key
    raw: bytes
    created_at: str | bytes | None  # as UTC


def fingerprint(raw: bytes) -> str:
    """A digest of a row's stored text: 16 hex digits of BLAKE2b."""
    return hashlib.blake2b(raw, digest_size=8).hexdigest()


def entry_id(key: Key, digest: str) -> str:
    """The token a person's click carries: the row and what it held when it was drawn."""
    *rest, number = key
    token = f"{number}.{digest[:8]}"
    return f"{token}.{rest[0]}" if rest else token


def key_of(token: str) -> Key | None:
    """The key in an entry's token, or None if it is no token of ours."""
    number, *rest = token.split(".", 2)
    if not rest or not (number.isascii() and number.isdigit() and len(number) < 19):
        return None
    return (*rest[1:], int(number))


class Tables:
    """Statements over one pair of tables."""

    dialect: Dialect = SQLITE
    order, backwards = "id", "id DESC"
    place = "id"  # the columns that make a key
    marked = "id"  # the same as one value
    mark_type = SQLITE.number
    start: Mark = 0  # the mark of the place before all rows

    def __init__(self, sessions: str, messages: str) -> None:
        self.names = frozenset({sessions, messages})
        self.prefix = messages
        self.sessions, self.messages = self.dialect.quote(sessions), self.dialect.quote(messages)
        self.ddl = self._ddl(messages)
        self.own = f"FROM {self.messages} WHERE session_id = :session"
        raw, at = self.dialect.raw.format("message_data"), self.dialect.utc.format("created_at")
        self.row = f"{self.place}, {raw}, {at}"

    def _ddl(self, messages: str) -> tuple[str, ...]:
        return (
            f"CREATE TABLE IF NOT EXISTS {self.sessions} (session_id TEXT PRIMARY KEY, "
            "created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)",
            f"CREATE TABLE IF NOT EXISTS {self.messages} (id INTEGER PRIMARY KEY AUTOINCREMENT, "
            "session_id TEXT NOT NULL, message_data TEXT NOT NULL, "
            "created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, "
            f"FOREIGN KEY (session_id) REFERENCES {self.sessions} (session_id) ON DELETE CASCADE)",
            f"CREATE INDEX IF NOT EXISTS {self.dialect.quote(f'idx_{messages}_session_id')} "
            f"ON {self.messages} (session_id, id)",
        )

    @classmethod
    @lru_cache(maxsize=64)
    def named(cls, sessions: str, messages: str) -> Tables:
        """The pair with these names; its statements are written out once."""
        return cls(sessions, messages)

    # keys

    def key(self, place: Sequence[Any]) -> Key:
        """The key that the columns of `place` make."""
        return (place[0],)

    def mark(self, place: Place) -> Mark:
        """The place as the ledger stores it."""
        return self.start if place is None else int(place[0])

    def unmark(self, mark: Any) -> Place:
        """The inverse of `mark`."""
        return (int(mark),) if mark else None

    def edge(self, sign: str, name: str) -> str:
        """A condition: the row lies on that side (`<`, `<=`, `>` or `>=`) of the key bound to `name`."""
        return f" AND id {sign} :{name}"

    def bound(self, **keys: Place) -> dict[str, Any]:
        """The values of keys, for the conditions that `edge` writes; None binds nothing."""
        return {name: key[0] for name, key in keys.items() if key is not None}

    def range(self, first: Place, last: Place) -> tuple[str, dict[str, Any]]:
        """A condition for the rows between two keys, both included, and its values; None is an open end."""
        edges = ("" if first is None else self.edge(">=", "first")) + (
            "" if last is None else self.edge("<=", "last")
        )
        return edges, self.bound(first=first, last=last)

    def few(self, columns: str, cut: str, order: str, limit: str = ":limit") -> str:
        """The statement for the first few rows of the session in this order."""
        return f"SELECT {columns} {self.own}{cut} ORDER BY {order} LIMIT {limit}"

    def stored(self, row: Sequence[Any]) -> Stored:
        return Stored((row[0],), row[1], row[2])

    # reading

    def there(self) -> Operation[bool]:
        """Whether both tables exist; until then every session is empty."""
        (found,) = (yield Present(self.names))[0]
        return bool(found == self.names)

    def newest(
        self, session: str, limit: int, before: Place = None, *, alone: bool = False
    ) -> Operation[list[Stored]]:
        """At most `limit` rows, newest first, those before row `before` only."""
        cut = "" if before is None else self.edge("<", "before")
        rows = yield Sql(
            self.few(self.row, cut, self.backwards),
            {"session": session, "limit": limit, **self.bound(before=before)},
            alone=alone,
        )
        return [self.stored(row) for row in rows]

    def heads(self, session: str, limit: int, before: Place = None) -> Operation[list[tuple[Key, bytes]]]:
        """(key, its first `HEAD` characters) of at most `limit` rows, newest first, before `before` only."""
        cut = "" if before is None else self.edge("<", "before")
        head = self.dialect.raw.format(f"substr(message_data, 1, {HEAD})")
        rows = yield Sql(
            f"SELECT {self.place}, {head} {self.own}{cut} ORDER BY {self.backwards} LIMIT :limit",
            {"session": session, "limit": limit, **self.bound(before=before)},
        )
        return [(self.key(row[:-1]), row[-1]) for row in rows]

    def oldest(self, session: str, limit: int, after: Place = None) -> Operation[list[Stored]]:
        """At most `limit` rows, oldest first, those after row `after` only."""
        cut = "" if after is None else self.edge(">", "after")
        rows = yield Sql(
            self.few(self.row, cut, self.order),
            {"session": session, "limit": limit, **self.bound(after=after)},
        )
        return [self.stored(row) for row in rows]

    def between(self, session: str, first: Place, last: Place) -> Operation[list[Stored]]:
        """The rows between two keys, both included, oldest first."""
        edges, values = self.range(first, last)
        rows = yield Sql(
            f"SELECT {self.row} {self.own}{edges} ORDER BY {self.order}", {"session": session, **values}
        )
        return [self.stored(row) for row in rows]

    def newest_texts(
        self, session: str, limit: int, before: Place = None, *, alone: bool = False
    ) -> Operation[list[Row]]:
        """Of what `newest` gives the columns of the key and the text, and no more."""
        cut = "" if before is None else self.edge("<", "before")
        raw = self.dialect.raw.format("message_data")
        rows = yield Sql(
            self.few(f"{self.place}, {raw}", cut, self.backwards),
            {"session": session, "limit": limit, **self.bound(before=before)},
            alone=alone,
        )
        return rows

    def texts(self, session: str, first: Place, last: Place) -> Operation[list[Row]]:
        """Of the rows between two keys, both included, the columns of the key and the text, oldest first."""
        edges, values = self.range(first, last)
        raw = self.dialect.raw.format("message_data")
        return (
            yield Sql(
                f"SELECT {self.place}, {raw} {self.own}{edges} ORDER BY {self.order}",
                {"session": session, **values},
            )
        )

    def keys(self, session: str, first: Place = None, last: Place = None) -> Operation[list[Key]]:
        """The keys between two keys, both included, in order."""
        edges, values = self.range(first, last)
        rows = yield Sql(
            f"SELECT {self.place} {self.own}{edges} ORDER BY {self.order}", {"session": session, **values}
        )
        return [self.key(row) for row in rows]

    def everything(self, session: str) -> Operation[list[bytes]]:
        """The stored text of every row, oldest first."""
        raw = self.dialect.raw.format("message_data")
        rows = yield Sql(f"SELECT {raw} {self.own} ORDER BY {self.order}", {"session": session}, alone=True)
        return [row[0] for row in rows]

    def one(self, session: str, key: Key) -> Operation[Stored | None]:
        rows = yield Sql(f"SELECT {self.row} {self.own} AND id = :id", {"session": session, "id": key[-1]})
        return self.stored(rows[0]) if rows else None

    def some(self, session: str, keys: Sequence[Key]) -> Operation[list[Stored]]:
        """Those of the rows with these keys that are there, in order."""
        found: list[Stored] = []
        for start in range(0, len(keys), AT_ONCE):
            values = {f"id{n}": key[-1] for n, key in enumerate(keys[start : start + AT_ONCE])}
            names = ", ".join(f":{name}" for name in values)
            rows = yield Sql(
                f"SELECT {self.row} {self.own} AND id IN ({names})", {"session": session, **values}
            )
            found += [self.stored(row) for row in rows]
        return sorted(found)

    def ends(self, session: str) -> Operation[tuple[Key, Key] | None]:
        """The keys of the first and the last row, or None for an empty session."""
        first = self.few(self.place, "", self.order, "1")
        last = self.few(self.place, "", self.backwards, "1")
        rows = yield Sql(f"SELECT ({first}), ({last})", {"session": session})
        return None if rows[0][0] is None else (self.key(rows[0][:1]), self.key(rows[0][1:]))

    def count(self, session: str, first: Place, last: Place, most: int | None = None) -> Operation[int]:
        """How many rows lie between two keys, both included; counting stops at `most` where that is given."""
        edges, values = self.range(first, last)
        rows = yield Sql(
            f"SELECT count(*) {self.own}{edges}"
            if most is None
            else f"SELECT count(*) FROM (SELECT 1 AS one {self.own}{edges} LIMIT :most) AS counted",
            {"session": session, **values} | ({} if most is None else {"most": most}),
        )
        return int(rows[0][0])

    def counts(
        self, session: str, one: tuple[Place, Place], other: tuple[Place, Place], most: int
    ) -> Operation[tuple[int, int]]:
        """How many rows lie in each of two ranges; counting stops at `most`."""
        values: dict[str, Any] = {"session": session, "most": most}
        counts = []
        for name, (first, last) in (("one", one), ("other", other)):
            below, above = f"{name}_first", f"{name}_last"
            edges = ("" if first is None else self.edge(">=", below)) + (
                "" if last is None else self.edge("<=", above)
            )
            values |= self.bound(**{below: first, above: last})
            counts.append(f"(SELECT count(*) FROM (SELECT 1 AS one {self.own}{edges} LIMIT :most) AS {name})")
        (row,) = yield Sql(f"SELECT {', '.join(counts)}", values)
        return int(row[0]), int(row[1])

    def containing(
        self, session: str, words: Sequence[str], first: Place = None, last: Place = None
    ) -> Operation[list[Stored]]:
        """The rows between two keys whose stored text holds one of `words`, oldest first."""
        edges, values = self.range(first, last)
        test, named = self._holds(words)
        rows = yield Sql(
            f"SELECT {self.row} {self.own}{edges} AND {test} ORDER BY {self.order}",
            {"session": session, **values, **named},
        )
        return [self.stored(row) for row in rows]

    def count_containing(self, session: str, words: Sequence[str]) -> Operation[int]:
        """How many rows there are whose stored text holds one of `words`."""
        test, named = self._holds(words)
        rows = yield Sql(f"SELECT count(*) {self.own} AND {test}", {"session": session, **named})
        return int(rows[0][0])

    def next_containing(
        self, session: str, words: Sequence[str], at: Place, *, older: bool
    ) -> Operation[list[Stored]]:
        """The row nearest to row `at` on one side of it whose stored text holds one of `words`, if any.

        Without `at` it is the row nearest to the end.
        """
        test, named = self._holds(words)
        side = "" if at is None else self.edge("<" if older else ">", "at")
        way = self.backwards if older else self.order
        rows = yield Sql(
            f"SELECT {self.row} {self.own}{side} AND {test} ORDER BY {way} LIMIT 1",
            {"session": session, **self.bound(at=at), **named},
        )
        return [self.stored(row) for row in rows]

    def _holds(self, words: Sequence[str]) -> tuple[str, dict[str, str]]:
        """A test of the stored text for any of these words, and its values."""
        values = {f"word{number}": word for number, word in enumerate(words)}
        tests = (self.dialect.contains.format("message_data", name) for name in values)
        return f"({' OR '.join(tests)})", values

    def late(self, session: str, last: Key, top: int) -> Operation[bool]:
        """Whether a row with a higher id than `top` stands before `last`: never, where ids are the order."""
        return False
        yield  # an operation that needs no statement

    def still(self, session: str, last: Key, top: int) -> Operation[tuple[Stored | None, bool]]:
        """Row `last`, if it is still there, and whether one that is `late` stands before it."""
        return (yield from self.one(session, last)), (yield from self.late(session, last, top))

    def highest(self, session: str, first: Place, last: Place) -> Operation[int]:
        """The highest id between two keys, 0 if it does not matter."""
        return 0
        yield

    def born(self, session: str) -> Operation[str | None]:
        """When the session began, as stored; None if it has no row of its own."""
        rows = yield Sql(
            f"SELECT {self.dialect.at.format('created_at')} FROM {self.sessions} WHERE session_id = :session",
            {"session": session},
        )
        return None if not rows else text_of_column(rows[0][0])

    def touched(self, session: str) -> Operation[str | None]:
        """When a program last said that it wrote to the session; None if it has no row of its own."""
        rows = yield Sql(
            f"SELECT {self.dialect.at.format('updated_at')} FROM {self.sessions} WHERE session_id = :session",
            {"session": session},
        )
        return None if not rows else text_of_column(rows[0][0])

    def all_sessions(self) -> Operation[list[tuple[str, str | None]]]:
        """Every session id that has a row or an item, with its `updated_at`; the latest first."""
        at = self.dialect.utc.format("max(at)")
        rows = yield Sql(
            f"SELECT session_id, {at} FROM (SELECT session_id, updated_at AS at FROM {self.sessions} "
            f"UNION ALL SELECT session_id, NULL FROM {self.messages} GROUP BY session_id) AS found "
            "GROUP BY session_id ORDER BY max(at) IS NULL, max(at) DESC, session_id"
        )
        return [(text_of_column(row[0]), None if row[1] is None else text_of_column(row[1])) for row in rows]

    # writing

    def make(self) -> Operation[None]:
        yield Ensure(self.names, self.ddl)

    def birth(self, session: str) -> Operation[str | None]:
        """When the session began; one that another program wrote without a row of its own is given it now."""
        born = yield from self.born(session)
        if born is None:
            yield from self.parent(session)
            born = yield from self.born(session)
        return born

    def lock(self, session: str) -> Operation[None]:
        """Wait for other writers of the session; nothing to do where a write has the store for itself."""
        return
        yield

    def parent(self, session: str) -> Operation[None]:
        """Make the session's own row, or note on it that something was written."""
        yield Sql(
            f"INSERT INTO {self.sessions} (session_id) VALUES (:session) "
            + self.dialect.upsert.format(sessions=self.sessions),
            {"session": session},
        )

    def insert(self, session: str, texts: Sequence[str], *, alone: bool = False) -> Operation[list[Key]]:
        """Append rows, under a parent row that is made if it is missing; their keys, in order.

        `alone` says that nothing else happens in the transaction.
        """
        yield from self.parent(session)
        count = len(texts)
        add = f"INSERT INTO {self.messages} (session_id, message_data) VALUES "
        if count == 1:
            rows = yield Sql(f"{add} (:session, :text) RETURNING id", {"session": session, "text": texts[0]})
            return [(rows[0][0],)]
        if count > TOGETHER:
            yield Many(f"{add} (:session, :text)", [{"session": session, "text": text} for text in texts])
            return (yield from self._just_appended(session, count))
        # One statement: between two, another thread of the process may hold the interpreter for long.
        named = {f"text{n}": text for n, text in enumerate(texts)}
        yield Sql(add + ", ".join(f"(:session, :{name})" for name in named), {"session": session, **named})
        ((first, last, found),) = yield Sql(
            f"SELECT min(id), max(id), count(*) {self.own} AND id > last_insert_rowid() - :count",
            {"session": session, "count": count},
        )
        if found == count == last - first + 1:
            return [(id_,) for id_ in range(first, last + 1)]
        return (yield from self._just_appended(session, count))

    def insert_dated(
        self, session: str, texts: Sequence[str], times: Sequence[datetime | None]
    ) -> Operation[list[Key]]:
        """Append rows that were first stored elsewhere, each with the time of that; their keys, in order.

        The session's own row is there. A time that is None is now. Where the order of rows is that of their
        times, one that would stand before the row it follows is given the time of that row.
        """
        yield Many(
            f"INSERT INTO {self.messages} (session_id, message_data, created_at) "
            "VALUES (:session, :text, coalesce(:at, CURRENT_TIMESTAMP))",
            [
                {"session": session, "text": text, "at": None if at is None else write_time(at)}
                for text, at in zip(texts, times, strict=True)
            ],
        )
        return (yield from self._just_appended(session, len(texts)))

    def _just_appended(self, session: str, count: int) -> Operation[list[Key]]:
        rows = yield Sql(
            f"SELECT {self.place} FROM (SELECT id, created_at {self.own} ORDER BY {self.backwards} "
            "LIMIT :limit) AS appended",
            {"session": session, "limit": count},
        )
        return sorted(self.key(row) for row in rows)

    def insert_behind(self, session: str, key: Key, text: str) -> Operation[Key]:
        """Write a row behind row `key`, after which there is none; its key."""
        (new,) = yield from self.insert(session, [text])
        return new

    def forget(self, session: str) -> Operation[None]:
        """Delete the session's rows and its own row, for good."""
        yield Sql(f"DELETE {self.own}", {"session": session})
        yield Sql(f"DELETE FROM {self.sessions} WHERE session_id = :session", {"session": session})


def read_entry(stored: Stored, codec: Codec, agent: str | None = None) -> Entry:
    """A row as an entry, its place in the whole not counted yet.

    The item may be there although no model may be sent it; see `Opened`, and `Entry.veiled`.
    """
    key, raw, created_at = stored
    item, state, sealed_at, expires_at, written_as = codec.examine(raw)
    digest = fingerprint(raw)
    return Entry(
        entry_id(key, digest),
        kind_of(item),
        agent,
        parse_time(created_at),
        item,
        raw.decode("utf-8", "surrogateescape"),
        len(raw),
        state if state is not State.OK or item is not None else State.CORRUPT,
        None,
        None,
        key,
        digest,
        sealed_at,
        expires_at,
        written_as,
    )


@lru_cache(maxsize=4096)  # rows of one batch were stored at the same second
def parse_time(stored: str | bytes | None) -> datetime | None:
    """A stored `created_at` as aware UTC, or None where it is missing or no time."""
    try:
        moment = datetime.fromisoformat(stored.decode() if isinstance(stored, bytes) else str(stored))
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def write_time(moment: datetime) -> str:
    """The inverse of `parse_time`: a `created_at` as SQLite's own clock writes it, with what it has of a
    second."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(" ")


def as_stored(call_id: str) -> list[str]:
    """How a call id may stand in stored JSON: as itself, or with the escapes that JSON writers use."""
    forms = {json.dumps(call_id, ensure_ascii=False)[1:-1], json.dumps(call_id)[1:-1]}
    forms |= {re.sub(r"\\u[0-9a-f]{4}", lambda escape: "\\u" + escape[0][2:].upper(), form) for form in forms}
    forms |= {form.replace("/", "\\/") for form in forms}
    return sorted(form for form in forms if _has_utf8(form))


def _has_utf8(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


def text_of_column(value: Any) -> str:
    """A text that a driver may hand over as bytes."""
    return value.decode(errors="surrogateescape") if isinstance(value, bytes) else str(value)
