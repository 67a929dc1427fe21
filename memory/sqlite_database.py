"""SQLite through the standard library: per file one writer thread, a reader beside it.

- One transaction per operation, in one hop; commits are durable (synchronous FULL).
- A brief read makes no hop where the reader is idle: to a thread and back takes as long as reading 20 rows.
- A file made here is in WAL mode, so that readers never wait for a writer. A file that was there keeps its
  journal mode, and is opened read-only until the first write: looking changes no byte of it.
- Deleted text is overwritten with zeros where that writes no page more; `erase` rewrites the file.
- The file is looked at before each operation: one that was replaced is opened afresh, one that vanished is
  reported rather than shown as empty.
- Sessions on the same file share its connections, so that opening another one costs nothing.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, TypeVar
from weakref import WeakValueDictionary, finalize

from . import sqlite_file
from .errors import NotErased, StoreUnavailable
from .sqlite_file import MEMORY, Identity, Place, identity_of
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
        return self.patiently(lambda channel: channel.once(start))

    def patiently(self, job: Callable[[Channel], T]) -> T:
        """What the job returns, again from its start while another program holds the file."""
        with self.place.named():
            return self.place.patiently(lambda: job(self))

    def at_once(self, job: Callable[[Channel], T]) -> list[T]:
        """What the job returns, in a list; an empty one where there is no connection yet, or it fails.

        Whoever gets an empty one lets the thread try, which has patience and finds the words.
        """
        if self.connection is None:
            return []
        try:
            return [job(self)]
        except (sqlite3.Error, OSError, StoreUnavailable):
            return []

    def once(self, start: Start[T]) -> T:
        """Run an operation, whoever else holds the file. Raises what SQLite raises."""
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

    def rewrite(self, patience: float) -> bool:
        """Write the file anew, and empty the log unless another program reads it; whether one does.

        `patience` is how many seconds to wait for other programs.
        """
        connection = self.open()
        assert connection is not None
        connection.execute(f"PRAGMA busy_timeout = {1000 * patience:.0f}")
        try:
            connection.execute("VACUUM")
            (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            return bool(busy)
        finally:
            connection.execute(f"PRAGMA busy_timeout = {1000 * sqlite_file.NAP:.0f}")

    def version(self) -> Hashable:
        """A value that differs whenever another connection has changed the file, None before there is one."""
        connection = self.open()
        if connection is None:
            return None
        (version,) = connection.execute("PRAGMA data_version").fetchone()
        return (self.identity, version)

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


class Turn:
    """Gives way to other programs now and then, when one write follows the other without a gap.

    Whoever waits for the file's lock asks for it every few milliseconds (`sqlite_file.NAP`). A writer that
    takes it again at once would keep it for as long as it has work. Where others were seen to write, it is
    their turn sooner.
    """

    LONGEST, LONGEST_BESIDE_OTHERS = 1.0, 0.1  # seconds of writing without a gap
    LOOK = 0.01  # seconds between two looks for others
    GAP = 0.006  # seconds in which others can take the lock
    KEPT_IN_MIND = 30.0  # seconds since others were seen

    def __init__(self) -> None:
        self._began = self._ended = self._looked = 0.0
        self._met = -self.KEPT_IN_MIND
        self._version: int | None = None

    def begin(self, connection: sqlite3.Connection | None) -> None:
        """Before a write on this connection: wait a moment, if it is time for that."""
        now = time.monotonic()
        if connection is not None and now - self._looked >= self.LOOK:
            self._looked = now
            (version,) = connection.execute("PRAGMA data_version").fetchone()
            if self._version is not None and version != self._version:
                self._met = now  # it differs for the commits of others alone
            self._version = version
        beside = now - self._met < self.KEPT_IN_MIND
        if now - self._ended >= self.GAP:
            self._began = now
        elif now - self._began >= (self.LONGEST_BESIDE_OTHERS if beside else self.LONGEST):
            time.sleep(self.GAP)
            self._began = time.monotonic()

    def end(self) -> None:
        """After a write."""
        self._ended = time.monotonic()


class SQLiteDatabase:
    """A SQLite file, or a memory that ends with the object; see `Database` for the methods.

    Make one with `SQLiteDatabase.at(path)`: every caller in the process shares the one of its file.
    """

    _open: ClassVar[WeakValueDictionary[Path | Identity, SQLiteDatabase]] = WeakValueDictionary()
    _lock = threading.Lock()
    BREATH = 0.001  # seconds after which a caller who reads without a hop lets the other tasks go on

    def __init__(self, path: Path | None) -> None:
        self.place = Place(path)
        self._writer, self._write_channel = Worker("memory-writer"), Channel(self.place, write=True)
        if path is None:
            self._reader, self._read_channel = self._writer, self._write_channel
        else:
            self._reader, self._read_channel = Worker("memory-reader"), Channel(self.place, write=False)
        self._writes = 0
        self._turn = Turn()
        self._breathed = 0.0
        self.unerased = False  # deleted text that the file still holds: another program was in the way
        self._end = finalize(
            self, _end, self._writer, self._write_channel, self._reader, self._read_channel, False
        )
        self._end.atexit = False

    @classmethod
    def at(cls, path: str | Path) -> SQLiteDatabase:
        """The database of a file, which need not exist yet; `":memory:"` makes a new memory each time."""
        if str(path) == MEMORY:
            return cls(None)
        with cls._lock:
            file = _file_at(path)
            if file is not None and (known := cls._open.get(file)) is not None and known.holds(file):
                return known
            resolved = Path(path).resolve()
            database = cls._open.get(resolved)
            if database is None or database.closed:
                database = cls._open[resolved] = cls(resolved)
            if file is not None:
                cls._open[file] = database  # resolving a path costs ten times a look at its file
            return database

    def holds(self, file: Identity) -> bool:
        """Whether it is open and this file is the one that lies in its place."""
        return not self.closed and self.place.path is not None and _file_at(self.place.path) == file

    @property
    def closed(self) -> bool:
        return not self._end.alive

    async def read(self, start: Start[T], *, brief: bool = False) -> T:
        if brief and (found := await self._at_once(lambda channel: channel.once(start))):
            return found[0]
        return await self._reader.run(lambda: self._read_channel.run(start))

    async def _at_once(self, job: Callable[[Channel], T]) -> list[T]:
        """What the job returns, in a list, if it can be done here and now; an empty one otherwise."""
        with self._reader.idle() as idle:
            found = self._read_channel.at_once(job) if idle else []
        if time.monotonic() - self._breathed >= self.BREATH:
            await asyncio.sleep(0)
            self._breathed = time.monotonic()
        return found

    async def write(self, start: Start[T]) -> T:
        def job() -> T:
            with suppress(sqlite3.Error):  # what is wrong with the file is said by the write itself
                self._turn.begin(self._write_channel.connection)
            try:
                return self._write_channel.run(start)
            finally:
                self._turn.end()
                self._writes += 1
                if self.unerased:
                    self._erase_if_free()

        return await self._writer.run(job)

    async def revision(self) -> Hashable:
        if self.place.path is None:
            return self._writes
        if found := await self._at_once(Channel.version):
            return found[0]
        return await self._reader.run(lambda: self._read_channel.patiently(Channel.version))

    async def erase(self) -> None:
        """Rewrite the file without what was deleted, and empty the write-ahead log."""
        await self._writer.run(lambda: self._erase(sqlite_file.PATIENCE))

    def _erase(self, patience: float) -> None:
        self.unerased = True
        with self.place.erasing():
            busy = self.place.look() is not None and self._write_channel.rewrite(patience)
        if busy:
            raise NotErased(sqlite_file.STILL_READ.format(self.place.name))
        self.unerased = False

    def _erase_if_free(self) -> None:
        """Make up for an `erase` that failed, without waiting for anybody."""
        with suppress(StoreUnavailable):
            self._erase(patience=0.0)

    def close(self) -> None:
        """End the threads and connections; other sessions on the same file open new ones when asked."""
        if self._end.detach() is not None:
            _end(self._writer, self._write_channel, self._reader, self._read_channel, True)


def _end(writer: Worker, write: Channel, reader: Worker, read: Channel, wait: bool) -> None:
    if reader is not writer:
        reader.stop(read.close, wait)
    writer.stop(write.close, wait)


def _file_at(path: str | Path) -> Identity | None:
    try:
        return identity_of(Path(path))
    except OSError:  # whoever opens it is told
        return None


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
