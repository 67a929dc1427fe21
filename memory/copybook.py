"""Copies of what an edit takes from a store that is not ours, so that it can be put back.

A copy goes through these states; each is kept before the step it names is begun:

    taking -> taken -> returning -> returned -> taking ...     edit, undo, redo
    taking -> stopped -> (gone)                                the edit met something else; all goes back
    any -> void                                                another program cleared or changed the session

What a crash leaves in `taking`, `returning` or `stopped` is brought to an end when the session is opened
again. One edit at a time is made with a book; where the book is a file, a lock beside it tells other
processes so, and is free at once when its holder dies.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from .codec import Codec, PlainCodec
from .dialects import SQLITE
from .edits import ChangeKind
from .errors import NotSupported, SessionBusy
from .side_tables import as_json
from .sqlite_database import SQLiteDatabase
from .sqlite_file import Place
from .statements import Ensure, Many, Operation, Present, Sql
from .tables import parse_time


class CopyState(StrEnum):
    """Where the items of a copy are."""

    TAKING = "taking"
    TAKEN = "taken"
    RETURNING = "returning"
    RETURNED = "returned"
    STOPPED = "stopped"
    VOID = "void"


UNFINISHED = frozenset({CopyState.TAKING, CopyState.RETURNING, CopyState.STOPPED})


@dataclass(frozen=True, slots=True)
class Copy:
    """What one edit takes from a session.

    `kept` are the items, in order. `before` is how many stand in front of them and `digest` what those
    hold. `strangers` are items of another program that were popped as well and go back behind them.
    `id` is given by the book.
    """

    session_id: str
    kind: ChangeKind
    at: datetime
    kept: tuple[Any, ...]
    before: int
    digest: str
    state: CopyState = CopyState.TAKING
    strangers: tuple[Any, ...] = ()
    id: int = 0


class CopyBook(Protocol):
    """Where copies are kept. What was added or saved is durable on return if `durable` is true."""

    durable: bool

    async def load(self, session_id: str) -> list[Copy]:
        """The copies of a session, oldest first."""

    async def add(self, copy: Copy) -> Copy:
        """Keep a new copy; it comes back with its id. Raises NotSupported for what cannot be kept."""

    async def save(self, copy: Copy) -> None:
        """Keep what has become of a copy."""

    async def forget(self, session_id: str, ids: Collection[int]) -> None:
        """Delete these copies."""

    async def erase(self) -> None:
        """Make what was deleted unrecoverable."""

    def editing(self, session_id: str) -> AbstractContextManager[None]:
        """Be the one edit of the session that is under way. Raises SessionBusy."""


UNDER_WAY = "Another edit of this session is under way; try again when it is done."


@dataclass
class CopiesInMemory:
    """Copies that end with the process."""

    durable: bool = False
    copies: dict[int, Copy] = field(default_factory=dict)
    busy: set[str] = field(default_factory=set)

    async def load(self, session_id: str) -> list[Copy]:
        return [copy for _, copy in sorted(self.copies.items()) if copy.session_id == session_id]

    async def add(self, copy: Copy) -> Copy:
        copy = replace(copy, id=max(self.copies, default=0) + 1)
        await self.save(copy)
        return copy

    async def save(self, copy: Copy) -> None:
        self.copies[copy.id] = copy

    async def forget(self, session_id: str, ids: Collection[int]) -> None:
        for id_ in ids:
            self.copies.pop(id_, None)

    async def erase(self) -> None:
        """Nothing of a memory outlives what was deleted."""

    @contextmanager
    def editing(self, session_id: str) -> Iterator[None]:
        if session_id in self.busy:
            raise SessionBusy(UNDER_WAY)
        self.busy.add(session_id)
        try:
            yield
        finally:
            self.busy.discard(session_id)


FIELDS = "id, session_id, kind, at, kept, place, digest, state, strangers"


class FileCopies:
    """Copies in a SQLite file, made when first needed: `inspect(session, ledger=FileCopies("desk.db"))`.

    `store` tells sessions of the same id in different stores apart. `codec` seals what is kept.
    """

    durable = True

    def __init__(self, path: str | Path, *, store: str = "", codec: Codec | None = None) -> None:
        self.database = SQLiteDatabase.at(Path(path))
        self.path = Path(path).resolve()
        self.store, self.codec = store, codec or PlainCodec()
        self.names = frozenset({"foreign_copies"})
        self.table = SQLITE.quote("foreign_copies")
        self.ddl = (
            f"CREATE TABLE IF NOT EXISTS {self.table} (id INTEGER PRIMARY KEY AUTOINCREMENT, "
            "store TEXT NOT NULL, session_id TEXT NOT NULL, kind TEXT NOT NULL, at TEXT NOT NULL, "
            "kept TEXT NOT NULL, place INTEGER NOT NULL, digest TEXT NOT NULL, state TEXT NOT NULL, "
            "strangers TEXT NOT NULL)",
            f"CREATE INDEX IF NOT EXISTS idx_foreign_copies ON {self.table} (store, session_id, id)",
        )

    async def load(self, session_id: str) -> list[Copy]:
        def operation() -> Operation[list[Copy]]:
            (found,) = (yield Present(self.names))[0]
            if not found:
                return []
            rows = yield Sql(
                f"SELECT {FIELDS} FROM {self.table} WHERE store = :store AND session_id = :session "
                "ORDER BY id",
                {"store": self.store, "session": session_id},
            )
            return [self._read(row) for row in rows]

        return await self.database.read(operation)

    async def add(self, copy: Copy) -> Copy:
        values = self._values(copy)

        def operation() -> Operation[int]:
            yield Ensure(self.names, self.ddl)
            rows = yield Sql(
                f"INSERT INTO {self.table} (store, session_id, kind, at, kept, place, digest, state, "
                "strangers) VALUES (:store, :session, :kind, :at, :kept, :place, :digest, :state, "
                ":strangers) RETURNING id",
                values,
            )
            return int(rows[0][0])

        return replace(copy, id=await self.database.write(operation))

    async def save(self, copy: Copy) -> None:
        """Keep where the items are now; the items themselves never change."""
        values = {"id": copy.id, "state": str(copy.state), "strangers": self._sealed(copy.strangers)}

        def operation() -> Operation[None]:
            yield Sql(
                f"UPDATE {self.table} SET state = :state, strangers = :strangers WHERE id = :id", values
            )

        await self.database.write(operation)

    async def forget(self, session_id: str, ids: Collection[int]) -> None:
        def operation() -> Operation[None]:
            yield Many(f"DELETE FROM {self.table} WHERE id = :id", [{"id": id_} for id_ in ids])

        if ids:
            await self.database.write(operation)

    async def erase(self) -> None:
        await self.database.erase()

    @contextmanager
    def editing(self, session_id: str) -> Iterator[None]:
        beside = self.path.with_name(f"{self.path.name}-editing")
        with Place(beside).named():
            beside.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(beside, timeout=0, isolation_level=None)
        with closing(connection):
            with Place(beside).named():
                try:
                    connection.execute("BEGIN EXCLUSIVE")
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                        raise
                    raise SessionBusy(UNDER_WAY) from error
            yield

    def _values(self, copy: Copy) -> dict[str, Any]:
        return {
            "store": self.store,
            "session": copy.session_id,
            "kind": copy.kind,
            "at": copy.at.isoformat(),
            "kept": self._sealed(copy.kept),
            "place": copy.before,
            "digest": copy.digest,
            "state": str(copy.state),
            "strangers": self._sealed(copy.strangers),
        }

    def _sealed(self, items: tuple[Any, ...]) -> str:
        try:
            return self.codec.seal(as_json(items))
        except (TypeError, ValueError, RecursionError):
            raise NotSupported(
                "An item of this session is not JSON, so no copy of it can be kept and nothing was changed."
            ) from None

    def _read(self, row: tuple[Any, ...]) -> Copy:
        id_, session_id, kind, at, kept, before, digest, state, strangers = row
        moment = parse_time(at)
        assert moment is not None
        return Copy(
            session_id=session_id,
            kind=kind,
            at=moment,
            kept=tuple(json.loads(self.codec.unseal(kept))),
            before=before,
            digest=digest,
            state=CopyState(state),
            strangers=tuple(json.loads(self.codec.unseal(strangers))),
            id=id_,
        )
