"""The SDK's two tables, and the statements that read and write them.

The tables are the SDK's to the letter, so that its classes and ours work on the same rows:

    agent_sessions (session_id, created_at, updated_at)
    agent_messages (id, session_id, message_data, created_at), index (session_id, id)

Order is by `id`. Stored text is read as bytes, because a row another program wrote may hold bytes that are
no text, and looking at it must not fail.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from .codec import Codec
from .entries import Entry, Key, State
from .items import kind_of
from .statements import Ensure, Many, Operation, Present, Sql

CREATED_AT_FORMAT = "%Y-%m-%d %H:%M:%S"
"""How SQLite's CURRENT_TIMESTAMP writes a time: UTC, whole seconds."""


LAST = 2**62
"""Behind every row."""

AT_ONCE = 500
"""Rows named one by one in a statement; databases limit the number of values."""


class Stored(NamedTuple):
    """A row of the messages table."""

    id: int
    raw: bytes
    created_at: bytes | None


def quote(name: str) -> str:
    """A table name as SQL takes it. Raises ValueError for a name that is empty or holds a NUL."""
    if not name or "\x00" in name:
        raise ValueError(f"{name!r} is no name for a table.")
    return '"' + name.replace('"', '""') + '"'


def fingerprint(raw: bytes) -> str:
    """A digest of a row's stored text: 16 hex digits of BLAKE2b."""
    return hashlib.blake2b(raw, digest_size=8).hexdigest()


def entry_id(row_id: int, digest: str) -> str:
    """The token a person's click carries: the row and what it held when it was drawn."""
    return f"{row_id}.{digest[:8]}"


def row_id_of(token: str) -> int | None:
    """The row id in an entry's token, or None if it is no token of ours."""
    number, dot, _ = token.partition(".")
    return int(number) if dot and number.isascii() and number.isdigit() and len(number) < 19 else None


class Tables:
    """Statements over one pair of tables."""

    def __init__(self, sessions: str, messages: str) -> None:
        self.names = frozenset({sessions, messages})
        self.prefix = messages
        self.sessions, self.messages = quote(sessions), quote(messages)
        self.ddl = (
            f"CREATE TABLE IF NOT EXISTS {self.sessions} (session_id TEXT PRIMARY KEY, "
            "created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)",
            f"CREATE TABLE IF NOT EXISTS {self.messages} (id INTEGER PRIMARY KEY AUTOINCREMENT, "
            "session_id TEXT NOT NULL, message_data TEXT NOT NULL, "
            "created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, "
            f"FOREIGN KEY (session_id) REFERENCES {self.sessions} (session_id) ON DELETE CASCADE)",
            f"CREATE INDEX IF NOT EXISTS {quote(f'idx_{messages}_session_id')} "
            f"ON {self.messages} (session_id, id)",
        )
        self.row = "id, CAST(message_data AS BLOB), CAST(created_at AS BLOB)"
        self.own = f"FROM {self.messages} WHERE session_id = :session"

    @classmethod
    @lru_cache(maxsize=64)
    def named(cls, sessions: str, messages: str) -> Tables:
        """The pair with these names; its statements are written out once."""
        return cls(sessions, messages)

    # reading

    def there(self) -> Operation[bool]:
        """Whether both tables exist; until then every session is empty."""
        (found,) = (yield Present(self.names))[0]
        return bool(found == self.names)

    def newest(self, session: str, limit: int, before: int | None = None) -> Operation[list[Stored]]:
        """At most `limit` rows, newest first, those before row `before` only."""
        cut = "" if before is None else " AND id < :before"
        rows = yield Sql(
            f"SELECT {self.row} {self.own}{cut} ORDER BY id DESC LIMIT :limit",
            {"session": session, "limit": limit, "before": before},
        )
        return [Stored(*row) for row in rows]

    def oldest(self, session: str, limit: int, after: int = -1) -> Operation[list[Stored]]:
        """At most `limit` rows, oldest first, those after row `after` only."""
        rows = yield Sql(
            f"SELECT {self.row} {self.own} AND id > :after ORDER BY id LIMIT :limit",
            {"session": session, "limit": limit, "after": after},
        )
        return [Stored(*row) for row in rows]

    def between(self, session: str, first: int, last: int) -> Operation[list[Stored]]:
        """The rows between two ids, both included, oldest first."""
        rows = yield Sql(
            f"SELECT {self.row} {self.own} AND id BETWEEN :first AND :last ORDER BY id",
            {"session": session, "first": first, "last": last},
        )
        return [Stored(*row) for row in rows]

    def newest_texts(
        self, session: str, limit: int, before: int | None = None
    ) -> Operation[list[tuple[int, bytes]]]:
        """The row id and stored text of what `newest` gives, and no more."""
        cut = "" if before is None else " AND id < :before"
        rows = yield Sql(
            f"SELECT id, CAST(message_data AS BLOB) {self.own}{cut} ORDER BY id DESC LIMIT :limit",
            {"session": session, "limit": limit, "before": before},
        )
        return rows

    def texts(self, session: str, first: int, last: int) -> Operation[list[tuple[int, bytes]]]:
        """The row id and stored text of the rows between two ids, both included, oldest first."""
        rows = yield Sql(
            f"SELECT id, CAST(message_data AS BLOB) {self.own} AND id BETWEEN :first AND :last ORDER BY id",
            {"session": session, "first": first, "last": last},
        )
        return rows

    def everything(self, session: str) -> Operation[list[bytes]]:
        """The stored text of every row, oldest first."""
        rows = yield Sql(f"SELECT CAST(message_data AS BLOB) {self.own} ORDER BY id", {"session": session})
        return [row[0] for row in rows]

    def one(self, session: str, row_id: int) -> Operation[Stored | None]:
        rows = yield Sql(f"SELECT {self.row} {self.own} AND id = :id", {"session": session, "id": row_id})
        return Stored(*rows[0]) if rows else None

    def some(self, session: str, row_ids: Sequence[int]) -> Operation[list[Stored]]:
        """Those of the rows with these ids that are there, in order."""
        found: list[Stored] = []
        for start in range(0, len(row_ids), AT_ONCE):
            values = {f"id{n}": row_id for n, row_id in enumerate(row_ids[start : start + AT_ONCE])}
            names = ", ".join(f":{name}" for name in values)
            rows = yield Sql(
                f"SELECT {self.row} {self.own} AND id IN ({names})", {"session": session, **values}
            )
            found += [Stored(*row) for row in rows]
        return sorted(found)

    def ends(self, session: str) -> Operation[tuple[int, int] | None]:
        """The first and the last row id, or None for an empty session."""
        rows = yield Sql(
            f"SELECT (SELECT id {self.own} ORDER BY id LIMIT 1), "
            f"(SELECT id {self.own} ORDER BY id DESC LIMIT 1)",
            {"session": session},
        )
        first, last = rows[0]
        return None if first is None else (first, last)

    def count(self, session: str, first: int, last: int, most: int = -1) -> Operation[int]:
        """How many rows lie between two ids, both included; counting stops at `most` where that is given."""
        rows = yield Sql(
            f"SELECT count(*) FROM (SELECT 1 {self.own} AND id BETWEEN :first AND :last LIMIT :most)",
            {"session": session, "first": first, "last": last, "most": most},
        )
        return int(rows[0][0])

    def containing(
        self, session: str, words: Sequence[str], first: int = -1, last: int = LAST
    ) -> Operation[list[Stored]]:
        """The rows between two ids whose stored text holds one of `words`, oldest first."""
        test, values = _holds(words)
        rows = yield Sql(
            f"SELECT {self.row} {self.own} AND id BETWEEN :first AND :last AND {test} ORDER BY id",
            {"session": session, "first": first, "last": last, **values},
        )
        return [Stored(*row) for row in rows]

    def next_containing(
        self, session: str, words: Sequence[str], at: int, *, older: bool
    ) -> Operation[list[Stored]]:
        """The row nearest to row `at` on one side of it whose stored text holds one of `words`, if any."""
        test, values = _holds(words)
        side, way = ("<", "DESC") if older else (">", "ASC")
        rows = yield Sql(
            f"SELECT {self.row} {self.own} AND id {side} :at AND {test} ORDER BY id {way} LIMIT 1",
            {"session": session, "at": at, **values},
        )
        return [Stored(*row) for row in rows]

    def born(self, session: str) -> Operation[str | None]:
        """When the session began, as stored; None if it has no row of its own."""
        rows = yield Sql(
            f"SELECT created_at FROM {self.sessions} WHERE session_id = :session", {"session": session}
        )
        return None if not rows else str(rows[0][0])

    def all_sessions(self) -> Operation[list[tuple[str, str | None]]]:
        """Every session id that has a row or an item, with its `updated_at`; the latest first."""
        rows = yield Sql(
            f"SELECT session_id, max(at) FROM (SELECT session_id, updated_at AS at FROM {self.sessions} "
            f"UNION ALL SELECT DISTINCT session_id, NULL FROM {self.messages}) "
            "GROUP BY session_id ORDER BY max(at) DESC, session_id"
        )
        return [(str(row[0]), row[1]) for row in rows]

    # writing

    def make(self) -> Operation[None]:
        yield Ensure(self.names, self.ddl)

    def birth(self, session: str) -> Operation[str | None]:
        """When the session began; one that another program wrote without a row of its own is given it now."""
        born = yield from self.born(session)
        if born is None:
            yield Sql(
                f"INSERT INTO {self.sessions} (session_id) VALUES (:session) "
                "ON CONFLICT (session_id) DO NOTHING",
                {"session": session},
            )
            born = yield from self.born(session)
        return born

    def insert(
        self, session: str, texts: Sequence[str], times: Sequence[datetime | None] = ()
    ) -> Operation[list[int]]:
        """Append rows, under a parent row that is made if it is missing; their ids, in order.

        `times`, one for each text, are when the rows were first stored, in another place; None is now.
        """
        yield Sql(
            f"INSERT INTO {self.sessions} (session_id) VALUES (:session) "
            "ON CONFLICT (session_id) DO UPDATE SET updated_at = CURRENT_TIMESTAMP",
            {"session": session},
        )
        add = f"INSERT INTO {self.messages} (session_id, message_data) VALUES (:session, :text)"
        if times:
            yield Many(
                f"INSERT INTO {self.messages} (session_id, message_data, created_at) "
                "VALUES (:session, :text, coalesce(:at, CURRENT_TIMESTAMP))",
                [
                    {"session": session, "text": text, "at": None if at is None else write_time(at)}
                    for text, at in zip(texts, times, strict=True)
                ],
            )
        elif len(texts) == 1:
            rows = yield Sql(f"{add} RETURNING id", {"session": session, "text": texts[0]})
            return [rows[0][0]]
        else:
            yield Many(add, [{"session": session, "text": text} for text in texts])
        rows = yield Sql(
            f"SELECT id {self.own} ORDER BY id DESC LIMIT :limit", {"session": session, "limit": len(texts)}
        )
        return [row[0] for row in reversed(rows)]

    def forget(self, session: str) -> Operation[None]:
        """Delete the session's rows and its own row, for good."""
        yield Sql(f"DELETE {self.own}", {"session": session})
        yield Sql(f"DELETE FROM {self.sessions} WHERE session_id = :session", {"session": session})


def read_entry(stored: Stored, codec: Codec, agent: str | None = None) -> Entry:
    """A row as an entry, its place in the whole not counted yet."""
    id_, raw, created_at = stored
    item, state = codec.decode(raw)
    digest = fingerprint(raw)
    return Entry(
        entry_id(id_, digest),
        kind_of(item),
        agent,
        parse_time(created_at),
        item,
        raw.decode("utf-8", "surrogateescape"),
        len(raw),
        state if state is not State.OK or item is not None else State.CORRUPT,
        None,
        None,
        (id_,),
        digest,
    )


def _holds(words: Sequence[str]) -> tuple[str, dict[str, str]]:
    """A test of the stored text for any of these words, and its values."""
    values = {f"word{number}": word for number, word in enumerate(words)}
    return "(" + " OR ".join(f"instr(message_data, :{name}) > 0" for name in values) + ")", values


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


def row(key: Key) -> int:
    """The row id in an order key of these tables."""
    return int(key[0])
