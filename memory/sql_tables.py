"""The SDK's tables as its SQLAlchemySession makes and reads them: ordered by `created_at`, then `id`.

    agent_sessions (session_id, created_at, updated_at)
    agent_messages (id, session_id, message_data, created_at), index (session_id, created_at)

A key is (time as text, id), and its text sorts as the database sorts the times. Whoever writes locks the
session's own row first. Rows of ours get one time for a whole batch, read under that lock and never before
a time that is stored already, so a batch lies at the end and nothing comes between its rows. The SDK's rows
have the time at which their transaction began, and may land before rows that were stored earlier.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from .dialects import LONGEST_NAME, Dialect
from .entries import Key
from .errors import StoreUnavailable
from .statements import Ensure, Locked, Many, Moved, Operation, Row, Sql
from .tables import Mark, Place, Stored, Tables, text_of_column, write_time

BATCH = 200
"""Rows in one INSERT, where a batch cannot be handed over as one value."""

NO_TABLES = (
    "The tables {} are not in this database. Make them there, or let them be made with create_tables=True."
)


class SqlTables(Tables):
    """Statements over one pair of tables of a database that SQLAlchemy reaches.

    With `create_tables` they are made when first written to; without, StoreUnavailable is raised then.
    """

    order, backwards = "created_at, id", "created_at DESC, id DESC"
    start: Mark = ""

    def __init__(self, sessions: str, messages: str, dialect: Dialect, *, create_tables: bool) -> None:
        self.dialect = dialect
        self.create_tables = create_tables
        self.at = dialect.at.format("created_at")
        self.place = f"{self.at} AS at, id"
        self.marked = dialect.marked.format(self.at)
        super().__init__(sessions, messages)
        self._missing = NO_TABLES.format(f"{sessions} and {messages}")

    def _ddl(self, messages: str) -> tuple[str, ...]:
        to = self.dialect
        now = f"{to.time.removesuffix(' NULL')} NOT NULL DEFAULT {to.now}"
        return (
            *to.create(
                self.sessions, f"session_id {to.name_text} PRIMARY KEY, created_at {now}, updated_at {now}"
            ),
            *to.create(
                self.messages,
                f"id {to.sdk_serial}, session_id {to.name_text} NOT NULL, message_data {to.text} NOT NULL, "
                f"created_at {now}, FOREIGN KEY (session_id) REFERENCES {self.sessions} (session_id) "
                "ON DELETE CASCADE",
                index=(f"idx_{messages}_session_time", self.dialect.in_order),
            ),
        )

    # keys

    def key(self, place: Sequence[Any]) -> Key:
        return (text_of_column(place[0]), int(place[1]))

    def mark(self, place: Place) -> Mark:
        # The tab sorts before all that a time is written with, so a shorter time stays the earlier one.
        return self.start if place is None else f"{place[0]}\t{place[1]:019d}"

    def unmark(self, mark: Any) -> Place:
        at, tab, number = text_of_column(mark).rpartition("\t")
        return (at, int(number)) if tab else None

    def edge(self, sign: str, name: str) -> str:
        at, strict = self.dialect.from_at.format(f"{name}_at"), sign[0]
        if self.dialect.row_values:
            return f" AND (created_at, id) {sign} ({at}, :{name})"
        # Said twice, because the first half is what an index can follow.
        return f" AND created_at {strict}= {at} AND (created_at {strict} {at} OR id {sign} :{name})"

    def bound(self, **keys: Place) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, key in keys.items():
            if key is not None:
                values[f"{name}_at"], values[name] = key
        return values

    def few(self, columns: str, cut: str, order: str, limit: str = ":limit") -> str:
        """Times and texts are converted for the few rows alone, not for all that had to be sorted."""
        chosen = f"SELECT id, message_data, created_at {self.own}{cut} ORDER BY {order} LIMIT {limit}"
        return f"SELECT {columns} FROM ({chosen}) AS chosen ORDER BY {order}"

    def stored(self, row: Sequence[Any]) -> Stored:
        at, id_, raw, utc = row
        return Stored((text_of_column(at), id_), raw, None if utc is None else text_of_column(utc))

    # reading

    def ends(self, session: str) -> Operation[tuple[Key, Key] | None]:
        first = self.few(self.place, "", self.order, "1")
        last = self.few(self.place, "", self.backwards, "1")
        rows = yield Sql(
            "SELECT oldest.at, oldest.id, newest.at, newest.id "
            f"FROM ({first}) AS oldest CROSS JOIN ({last}) AS newest",
            {"session": session},
        )
        return (self.key(rows[0][:2]), self.key(rows[0][2:])) if rows else None

    def late(self, session: str, last: Key, top: int) -> Operation[bool]:
        """Whether a row that was stored after row `top` stands before `last` all the same.

        Writers of one session are serial, so a higher id is a later commit.
        """
        edges, values = self.range(None, last)
        rows = yield Sql(
            f"SELECT 1 {self.own} AND id > :top{edges} LIMIT 1", {"session": session, "top": top, **values}
        )
        return bool(rows)

    def still(self, session: str, last: Key, top: int) -> Operation[tuple[Stored | None, bool]]:
        edges, values = self.range(None, last)
        rows = yield Sql(
            f"SELECT {self.row}, EXISTS (SELECT 1 {self.own} AND id > :top{edges}) {self.own} AND id = :id",
            {"session": session, "id": last[-1], "top": top, **values},
        )
        return (self.stored(rows[0][:-1]), bool(rows[0][-1])) if rows else (None, False)

    def highest(self, session: str, first: Place, last: Place) -> Operation[int]:
        edges, values = self.range(first, last)
        rows = yield Sql(f"SELECT max(id) {self.own}{edges}", {"session": session, **values})
        return int(rows[0][0] or 0)

    # writing

    def make(self) -> Operation[None]:
        if self.create_tables:
            yield Ensure(self.names, self.ddl)
        elif not (yield from self.there()):
            raise StoreUnavailable(f"{self._missing} Nothing was changed.", "no_table")

    def lock(self, session: str) -> Operation[None]:
        rows: list[Row] = []
        if self.dialect.for_update:  # a write has the whole of a SQLite file for itself
            wait = self.dialect.for_update
            rows = yield Sql(
                f"SELECT session_id FROM {self.sessions} WHERE session_id = :session{wait}",
                {"session": session},
            )
        yield Locked(session, bool(rows) if self.dialect.for_update else None)
        if rows and text_of_column(rows[0][0]) != session:
            raise StoreUnavailable(
                "The tables take this session's id for another one's, which differs in case, accents, "
                "trailing blanks or length. Choose another id, or make their columns binary. "
                "Nothing was changed."
            )

    def parent(self, session: str) -> Operation[None]:
        if self.dialect.name == "mysql":
            if len(session.encode()) > LONGEST_NAME:
                raise StoreUnavailable(
                    f"A session id may have {LONGEST_NAME} bytes here. Nothing was changed."
                )
            yield from super().parent(session)
            yield from self.lock(session)  # tables of others may not tell two ids apart, or cut a long one
            return
        yield from super().parent(session)

    def insert(self, session: str, texts: Sequence[str], *, alone: bool = False) -> Operation[list[Key]]:
        keys = yield from self._inserted(session, texts, alone)
        if not alone:
            yield Moved(session, added=list(zip(keys, texts, strict=True)))
        return keys

    def _inserted(self, session: str, texts: Sequence[str], alone: bool) -> Operation[list[Key]]:
        if self.dialect.name == "postgresql":
            return (yield from self._insert_in_one(session, texts, alone))
        yield from self.parent(session)
        if self.dialect.name == "mysql":
            return (yield from self._insert_in_parts(session, texts))
        rows = yield Sql(
            f"INSERT INTO {self.messages} (session_id, message_data, created_at) "
            "SELECT :session, item.value, max(CURRENT_TIMESTAMP, coalesce("
            f"(SELECT max(created_at) {self.own}), '')) FROM json_each(:texts) AS item "
            f"WHERE true ORDER BY item.key RETURNING {self.place}",
            {"session": session, "texts": json.dumps(texts, ensure_ascii=False)},
        )
        return sorted(self.key(row) for row in rows)

    def insert_dated(
        self, session: str, texts: Sequence[str], times: Sequence[datetime | None]
    ) -> Operation[list[Key]]:
        at = self.dialect.from_utc.format("at")
        # The database compares: in its own zone an hour may come twice, and order is that of its times.
        never_before = f"{self.dialect.latest}({at}, coalesce((SELECT max(created_at) {self.own}), {at}))"
        now = datetime.now(UTC)
        yield Many(
            f"INSERT INTO {self.messages} (session_id, message_data, created_at) "
            f"SELECT :session, :text, {never_before}",
            [
                {"session": session, "text": text, "at": write_time(time or now)}
                for text, time in zip(texts, times, strict=True)
            ],
        )
        keys = yield from self._just_appended(session, len(texts))
        yield Moved(session, added=list(zip(keys, texts, strict=True)))
        return keys

    def _insert_in_one(self, session: str, texts: Sequence[str], alone: bool) -> Operation[list[Key]]:
        """One round trip: the session's row is locked, then the time is read, then the rows are written."""
        rows = yield Sql(
            f"WITH parent AS (INSERT INTO {self.sessions} (session_id) VALUES (:session) "
            f"{self.dialect.upsert.format(sessions=self.sessions)} RETURNING updated_at), "
            "stamp AS (SELECT greatest(updated_at, CAST(clock_timestamp() AS timestamp), "
            f"(SELECT max(created_at) {self.own})) AS at FROM parent) "
            f"INSERT INTO {self.messages} (session_id, message_data, created_at) "
            "SELECT :session, item.text, stamp.at FROM stamp, "
            "unnest(:texts) WITH ORDINALITY AS item(text, number) ORDER BY item.number "
            f"RETURNING {self.place}",
            {"session": session, "texts": list(texts)},
            alone=alone,
        )
        return sorted(self.key(row) for row in rows)

    def _insert_in_parts(self, session: str, texts: Sequence[str]) -> Operation[list[Key]]:
        """Each INSERT under the lock of the session's row, with the time at which it began."""
        keys: list[Key] = []
        for begin in range(0, len(texts), BATCH):
            part = {f"text{n}": text for n, text in enumerate(texts[begin : begin + BATCH])}
            yield Sql(
                f"INSERT INTO {self.messages} (session_id, message_data) VALUES "
                + ", ".join(f"(:session, :{name})" for name in part),
                {"session": session, **part},
            )
            keys += yield from self._just_inserted(session)
        return keys

    def _just_inserted(self, session: str) -> Operation[list[Key]]:
        rows = yield Sql(
            f"SELECT {self.place} {self.own} AND id >= LAST_INSERT_ID() ORDER BY id", {"session": session}
        )
        return [self.key(row) for row in rows]

    def insert_behind(self, session: str, key: Key, text: str) -> Operation[Key]:
        """Under the time of row `key`, so that what stood behind that row can stand behind this one."""
        yield from self.parent(session)
        returning = f" RETURNING {self.place}" if self.dialect.returning else ""
        rows = yield Sql(
            f"INSERT INTO {self.messages} (session_id, message_data, created_at) "
            f"SELECT :session, :text, created_at FROM {self.messages} WHERE id = :id{returning}",
            {"session": session, "text": text, "id": key[-1]},
        )
        new = self.key(rows[0]) if returning else (yield from self._just_inserted(session))[0]
        yield Moved(session, added=[(new, text)])
        return new

    def forget(self, session: str) -> Operation[None]:
        yield Moved(session, cleared=True)
        yield from super().forget(session)

    def forget_empty(self, session: str) -> Operation[None]:
        """Delete the session's own row if no other is left of it."""
        yield Sql(
            f"DELETE FROM {self.sessions} WHERE session_id = :session AND NOT EXISTS (SELECT 1 {self.own})",
            {"session": session},
        )

    def restoring(
        self, session: str, rows: Iterable[tuple[int, str, str | bytes]], *, anew: bool = False
    ) -> Many:
        """The statement that writes rows with their times, under their own ids or under new ones."""
        text = "CAST(:text AS TEXT)" if self.dialect.name == "sqlite" else ":text"
        ids, id_ = ("", "") if anew else ("id, ", ":id, ")
        return Many(
            f"{self.dialect.insert_new} {self.messages} ({ids}session_id, message_data, created_at) "
            f"VALUES ({id_}:session, {text}, {self.dialect.from_at.format('at')}){self.dialect.unless_there}",
            [
                {"session": session, "text": raw, "at": at} | ({} if anew else {"id": number})
                for number, at, raw in rows
            ],
        )


@lru_cache(maxsize=64)
def tables_of(sessions: str, messages: str, dialect: Dialect, create_tables: bool) -> SqlTables:
    """The pair with these names; its statements are written out once."""
    return SqlTables(sessions, messages, dialect, create_tables=create_tables)
