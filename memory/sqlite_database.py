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
from urllib.parse import quote as url_quote
from weakref import WeakValueDictionary, finalize

from .errors import StoreUnavailable
from .statements import Ensure, Many, Operation, Present, Row, Sql, Start, Statement
from .worker import Worker

T = TypeVar("T")

PATIENCE = 5.0  # seconds to wait for another program's lock
MEMORY = ":memory:"


class Channel:
    """One connection and the tables it has seen; used on one thread only."""

    def __init__(self, path: Path | None, *, write: bool) -> None:
        self.path, self.write = path, write
        self.connection: sqlite3.Connection | None = None
        self.identity: tuple[int, int] | None = None
        self.tables: set[str] = set()

    def open(self) -> sqlite3.Connection | None:
        """The connection, made or renewed if need be; None for a reader whose file is not there yet."""
        identity = _identity(self.path)
        if self.connection is not None and identity == self.identity:
            return self.connection
        if self.connection is not None and identity is None:
            raise StoreUnavailable(
                f"The file {_name(self.path)} was removed while it was in use; put it back, or restart to "
                "begin a new one."
            )
        self.close()
        if identity is None and self.path is not None and not self.write:
            return None
        self.connection = self._connect(new=identity is None)
        self.identity = _identity(self.path)
        return self.connection

    def _connect(self, new: bool) -> sqlite3.Connection:
        if self.path is None:
            connection = _raw_connect(MEMORY)
        elif self.write:
            if new:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = _raw_connect(str(self.path))
        else:
            connection = _read_only(self.path)
        try:
            if self.write:
                if new and self.path is not None:
                    connection.execute("PRAGMA journal_mode = WAL").fetchall()
                connection.execute("PRAGMA synchronous = FULL").fetchall()
                connection.execute("PRAGMA secure_delete = ON").fetchall()
        except BaseException:
            connection.close()
            raise
        return connection

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
        self.connection, self.identity = None, None
        self.tables.clear()

    def run(self, start: Start[T]) -> T:
        """Run an operation. Raises StoreUnavailable with a sentence for whatever SQLite reports."""
        try:
            connection = self.open()
            if connection is None:
                return _drive(start(), _nothing)
            connection.execute("BEGIN IMMEDIATE" if self.write else "BEGIN")
            seen = set(self.tables)
            try:
                result = _drive(start(), lambda statement: self._execute(connection, statement))
                connection.execute("COMMIT")
            except BaseException:
                # A full disk rolls back by itself, and then there is nothing left to roll back.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                self.tables = seen
                raise
            return result
        except sqlite3.Error as error:
            raise StoreUnavailable(explain(error, _name(self.path))) from error
        except OSError as error:
            raise StoreUnavailable(
                f"The folder of {_name(self.path)} cannot be used ({error.strerror}); choose another one."
            ) from error

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
        return [(self._present(connection, statement),)]

    def _present(self, connection: sqlite3.Connection, wanted: Present) -> frozenset[str]:
        if not wanted.names <= self.tables:
            rows = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
            self.tables = {name for (name,) in rows}
        return wanted.names & self.tables


class SQLiteDatabase:
    """A SQLite file, or a memory that ends with the object; see `Database` for the methods.

    Make one with `SQLiteDatabase.at(path)`: every caller in the process shares the one of its file.
    """

    _open: ClassVar[WeakValueDictionary[Path, SQLiteDatabase]] = WeakValueDictionary()
    _lock = threading.Lock()

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._writer, self._write_channel = Worker("memory-writer"), Channel(path, write=True)
        if path is None:
            self._reader, self._read_channel = self._writer, self._write_channel
        else:
            self._reader, self._read_channel = Worker("memory-reader"), Channel(path, write=False)
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
        if self.path is None:
            return self._writes
        try:
            connection = self._read_channel.open()
            if connection is None:
                return None
            (version,) = connection.execute("PRAGMA data_version").fetchone()
        except sqlite3.Error as error:
            raise StoreUnavailable(explain(error, _name(self.path))) from error
        return (self._read_channel.identity, version)

    async def erase(self) -> None:
        """Rewrite the file without what was deleted, and empty the write-ahead log."""

        def job() -> None:
            channel = self._write_channel
            if channel.path is not None and _identity(channel.path) is None:
                return
            try:
                connection = channel.open()
                assert connection is not None
                connection.execute("VACUUM")
                busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            except sqlite3.Error as error:
                raise StoreUnavailable(explain(error, _name(self.path))) from error
            if busy:
                raise StoreUnavailable(
                    f"The items were deleted, but another program is reading {_name(self.path)}, so its "
                    "write-ahead log still holds their text; purge again when that program is done."
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


def _raw_connect(target: str, uri: bool = False) -> sqlite3.Connection:
    # check_same_thread: opened and used on the worker, but closed by whoever ends the process.
    return sqlite3.connect(target, timeout=PATIENCE, isolation_level=None, uri=uri, check_same_thread=False)


def _read_only(path: Path) -> sqlite3.Connection:
    """Open a file without ever changing it.

    A write-ahead log cannot be read in a folder that cannot be written, since readers share an index file
    there; if the log is empty, what the file itself holds is all there is.
    """
    target = f"file:{url_quote(path.as_posix())}"
    connection = _raw_connect(f"{target}?mode=ro", uri=True)
    try:
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    except sqlite3.Error as error:
        connection.close()
        log = path.with_name(path.name + "-wal")
        unopened = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CANTOPEN
        if unopened and path.is_file() and not (log.exists() and log.stat().st_size):
            return _raw_connect(f"{target}?mode=ro&immutable=1", uri=True)
        raise
    return connection


def _identity(path: Path | None) -> tuple[int, int] | None:
    """What tells a file from another one put in its place; a memory is always itself."""
    if path is None:
        return (0, 0)
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return (found.st_dev, found.st_ino)


def _name(path: Path | None) -> str:
    return path.name if path is not None else "the in-memory store"


def explain(error: sqlite3.Error, name: str) -> str:
    """One sentence for an error of SQLite: what, why, what to do next. Names the file, not its folder."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    sentences = {
        sqlite3.SQLITE_BUSY: f"Another program has held {name} for over {PATIENCE:.0f} seconds; try again.",
        sqlite3.SQLITE_LOCKED: f"Another part of this program holds {name}; try again.",
        sqlite3.SQLITE_FULL: f"The disk that holds {name} is full; make room and try again.",
        sqlite3.SQLITE_READONLY: f"{name} may not be written; check its permissions or choose another place.",
        sqlite3.SQLITE_CANTOPEN: f"{name} cannot be opened; check that it is a file and may be read.",
        sqlite3.SQLITE_NOTADB: f"{name} is not a SQLite database; it was left as it is. Choose another file.",
        sqlite3.SQLITE_CORRUPT: f"{name} is damaged; it was left as it is. Restore a copy of it.",
        sqlite3.SQLITE_IOERR: f"Reading or writing {name} failed; check the disk and try again.",
        sqlite3.SQLITE_TOOBIG: f"The item is too large for {name}.",
    }
    return sentences.get(code, f"{name} cannot be used: {error}.") + " Nothing was changed."
