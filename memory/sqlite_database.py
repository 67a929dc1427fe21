"""SQLite through the standard library: per file one writer thread, a reader beside it.

- One transaction per operation, in one hop; commits are durable (synchronous FULL).
- A file made here is in WAL mode, so that readers never wait for a writer. A file that was there keeps its
  journal mode, and is opened read-only until the first write: looking changes no byte of it.
- Deleted text is overwritten with zeros as it goes (`secure_delete`).
- The file is looked at before each operation: one that was replaced is opened afresh, one that vanished is
  reported rather than shown as empty.
- Sessions on the same file share its connections, so that opening another one costs nothing.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Hashable
from pathlib import Path
from typing import Any, ClassVar, TypeVar
from weakref import WeakValueDictionary, finalize

from .errors import StoreUnavailable
from .sqlite_file import MEMORY, Identity, Place
from .statements import Ensure, Many, Operation, Present, Row, Sql, Start, Statement
from .worker import Worker

T = TypeVar("T")


class Channel:
    """One connection and the tables it has seen; used on one thread only."""

    def __init__(self, place: Place, *, write: bool) -> None:
        self.place, self.write = place, write
        self.connection: sqlite3.Connection | None = None
        self.identity: Identity | None = None
        self.tables: frozenset[str] = frozenset()

    def open(self) -> sqlite3.Connection | None:
        """The connection, made or renewed if need be; None for a reader whose file is not there yet."""
        identity = self.place.look()
        if self.connection is not None and identity == self.identity:
            return self.connection
        self.close()
        if identity is None and not self.write:
            return None
        self.connection, self.identity = self.place.connect(write=self.write)
        return self.connection

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
        self.connection, self.identity = None, None
        self.tables = frozenset()

    def run(self, start: Start[T]) -> T:
        """Run an operation. Raises StoreUnavailable with a sentence for whatever SQLite reports."""
        with self.place.named():
            connection = self.open()
            if connection is None:
                return _drive(start(), _nothing)
            connection.execute("BEGIN IMMEDIATE" if self.write else "BEGIN")
            seen = self.tables
            try:
                result = _drive(start(), lambda statement: self._execute(connection, statement))
                connection.execute("COMMIT")
            except BaseException:
                # A full disk rolls back by itself, and then there is nothing left to roll back.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                self.tables = seen
                raise
            self.place.note_log()
            return result

    def _execute(self, connection: sqlite3.Connection, statement: Statement) -> list[Row]:
        if isinstance(statement, Sql):
            return connection.execute(statement.text, statement.values).fetchall()
        if isinstance(statement, Many):
            connection.executemany(statement.text, statement.values)
            return []
        if isinstance(statement, Ensure):
            if not statement.names <= self.tables:
                for ddl in statement.ddl:
                    connection.execute(ddl)
                self.tables |= statement.names
            return []
        if isinstance(statement, Present):
            return [(self._present(connection, statement),)]
        return []

    def _present(self, connection: sqlite3.Connection, wanted: Present) -> frozenset[str]:
        if not wanted.names <= self.tables:
            rows = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
            self.tables = frozenset(name for (name,) in rows)
        return wanted.names & self.tables


class SQLiteDatabase:
    """A SQLite file, or a memory that ends with the object; see `Database` for the methods.

    Make one with `SQLiteDatabase.at(path)`: every caller in the process shares the one of its file.
    """

    _open: ClassVar[WeakValueDictionary[Path, SQLiteDatabase]] = WeakValueDictionary()
    _lock = threading.Lock()

    def __init__(self, path: Path | None) -> None:
        self.place = Place(path)
        self._writer, self._write_channel = Worker("memory-writer"), Channel(self.place, write=True)
        if path is None:
            self._reader, self._read_channel = self._writer, self._write_channel
        else:
            self._reader, self._read_channel = Worker("memory-reader"), Channel(self.place, write=False)
        self._writes = 0
        self._end = finalize(
            self, _end, self._writer, self._write_channel, self._reader, self._read_channel, False
        )
        self._end.atexit = False

    @classmethod
    def at(cls, path: str | Path) -> SQLiteDatabase:
        """The database of a file, which need not exist yet; `":memory:"` makes a new memory each time."""
        if str(path) == MEMORY:
            return cls(None)
        resolved = Path(path).resolve()
        with cls._lock:
            database = cls._open.get(resolved)
            if database is None or database.closed:
                database = cls._open[resolved] = cls(resolved)
            return database

    @property
    def closed(self) -> bool:
        return not self._end.alive

    async def read(self, start: Start[T]) -> T:
        return await self._reader.run(lambda: self._read_channel.run(start))

    async def write(self, start: Start[T]) -> T:
        def job() -> T:
            try:
                return self._write_channel.run(start)
            finally:
                self._writes += 1

        return await self._writer.run(job)

    async def revision(self) -> Hashable:
        return await self._reader.run(self._revision)

    def _revision(self) -> Hashable:
        if self.place.path is None:
            return self._writes
        with self.place.named():
            connection = self._read_channel.open()
            if connection is None:
                return None
            (version,) = connection.execute("PRAGMA data_version").fetchone()
            return (self._read_channel.identity, version)

    async def erase(self) -> None:
        """Rewrite the file without what was deleted, and empty the write-ahead log."""
        name = self.place.name

        def job() -> None:
            with self.place.named(
                "The items were deleted, but the file may still hold their text; purge again."
            ):
                if self.place.look() is None:
                    return
                connection = self._write_channel.open()
                assert connection is not None
                connection.execute("VACUUM")
                busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            if busy:
                raise StoreUnavailable(
                    f"The items were deleted, but another program is reading {name}, so its write-ahead log "
                    "still holds their text; purge again when that program is done."
                )

        await self._writer.run(job)

    def close(self) -> None:
        """End the threads and connections; other sessions on the same file open new ones when asked."""
        if self._end.detach() is not None:
            _end(self._writer, self._write_channel, self._reader, self._read_channel, True)


def _end(writer: Worker, write: Channel, reader: Worker, read: Channel, wait: bool) -> None:
    if reader is not writer:
        reader.stop(read.close, wait)
    writer.stop(write.close, wait)


def _drive(operation: Operation[T], execute: Any) -> T:
    """Run an operation to its end, handing each statement's rows back to it."""
    try:
        statement = next(operation)
        while True:
            statement = operation.send(execute(statement))
    except StopIteration as done:
        result: T = done.value
        return result


def _nothing(statement: Statement) -> list[Row]:
    """What a store that does not exist yet answers: no tables, so no operation asks further."""
    return [(frozenset(),)] if isinstance(statement, Present) else []
