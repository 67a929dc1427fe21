"""The side tables of a messages table: which there are, how they are made, how keys are held in them.

    <messages>_authors   who wrote which rows, as ranges of keys
    <messages>_changes   the edits made, newest undoable first
    <messages>_kept      the rows an edit took away or put in place, exactly as stored, in order of taking
    <messages>_notes     words in the chat that no item says
    <messages>_leases    which run may write
    <messages>_pauses    runs that wait for a person

Keys are held as marks. Nothing here is ever put into an item.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .dialects import Dialect
from .entries import Key
from .statements import Ensure, Many, Operation, Outdated, Present, Sql
from .tables import Mark, Place, Tables

PARTS = ("authors", "changes", "kept", "notes", "leases", "pauses")


class SideTables:
    """The tables and what every statement over them needs."""

    def __init__(self, tables: Tables, *, dialect: Dialect | None = None, prefix: str | None = None) -> None:
        """`dialect` and `prefix` are those of the database the ledger lies in, if that is another one."""
        self.tables = tables
        self.whose = ""  # under what name text is marked that the files still hold
        self.dialect = dialect or tables.dialect
        names = {part: f"{prefix or tables.prefix}_{part}" for part in PARTS}
        self.names = frozenset(names.values())
        self.authors, self.changes, self.kept, self.notes, self.leases, self.pauses = (
            self.dialect.quote(names[part]) for part in PARTS
        )
        self.ddl = self._ddl({part: f"idx_{name}" for part, name in names.items()})

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

    def sql(self, text: str, values: Mapping[str, Any] | None = None) -> Sql:
        """A statement over the side tables."""
        return Sql(text, values or {}, ledger=True)

    def many(self, text: str, values: Sequence[Mapping[str, Any]]) -> Many:
        return Many(text, values, ledger=True)

    def outdated(self) -> Outdated:
        """Said by an operation that deletes or replaces text for good."""
        return Outdated(self.whose)

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

    # marks

    def _marks(self, **places: Place) -> dict[str, Mark]:
        return {name: self.tables.mark(place) for name, place in places.items()}

    def _key(self, mark: Any) -> Key:
        key = self.tables.unmark(mark)
        assert key is not None
        return key


def as_json(value: Any) -> str:
    """A small value of the ledger's own as text."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))
