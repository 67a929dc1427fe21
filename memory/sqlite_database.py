"""SQLite through the standard library: per file one writer thread, a reader beside it.

- One transaction per operation, in one hop; commits are durable (synchronous FULL).
- What is brief makes no hop while the thread is idle, for going there and back takes as long as reading 20
  rows. It has a millisecond, and begins again on the thread if that was not enough. A commit is waited for
  here only as long as the disk is swift and nobody else writes the file.
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
from typing import ClassVar, TypeVar
from weakref import WeakValueDictionary, finalize

from . import sqlite_file
from .errors import NotErased, StoreUnavailable
from .sqlite_channel import Channel, TakesLonger
from .sqlite_file import MEMORY, Identity, Place, identity_of
from .sqlite_turn import Turn
from .statements import Start
from .worker import Worker

T = TypeVar("T")


class SQLiteDatabase:
    """A SQLite file, or a memory that ends with the object; see `Database` for the methods.

    Make one with `SQLiteDatabase.at(path)`: every caller in the process shares the one of its file.
    """

    _open: ClassVar[WeakValueDictionary[Path | Identity, SQLiteDatabase]] = WeakValueDictionary()
    _lock = threading.Lock()
    BREATH = 0.001  # seconds after which a caller who makes no hop lets the other tasks go on
    SWIFT = 0.005  # seconds: a disk that took longer twice running is waited for on the thread

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
        self._took = (self.SWIFT, self.SWIFT)  # seconds of the last two writes; nothing is known before them
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
    def unerased(self) -> bool:
        """Whether the file may hold deleted text: another program was in the way, or a process died."""
        return "" in self.place.unerased

    @unerased.setter
    def unerased(self, still: bool) -> None:
        (self.place.unerased.add if still else self.place.unerased.discard)("")

    @property
    def closed(self) -> bool:
        return not self._end.alive or self._writer.inherited

    async def read(self, start: Start[T], *, brief: bool = False) -> T:
        if brief:
            with suppress(TakesLonger):
                return await self._breathed_after(self._read_here(lambda channel: channel.once(start)))
        return await self._reader.run(lambda: self._read_channel.run(start))

    def _read_here(self, job: Callable[[Channel], T]) -> T:
        """What the job returns, done by the caller. Raises TakesLonger."""
        with self._reader.idle() as idle:
            if not idle:
                raise TakesLonger
            return self._read_channel.at_once(job)

    async def write(self, start: Start[T], *, brief: bool = False) -> T:
        def job() -> T:
            with suppress(sqlite3.Error):  # what is wrong with the file is said by the write itself
                self._turn.begin(self._write_channel.connection)
            return self._written(lambda: self._write_channel.run(start))

        if brief and min(self._took) < self.SWIFT and not self.unerased:
            # Nothing is awaited before the thread has the job: writes keep the order they were asked for in.
            with suppress(TakesLonger):
                return await self._breathed_after(self._write_here(start))
        return await self._writer.run(job)

    def _write_here(self, start: Start[T]) -> T:
        """Do a write for a caller who would wait longer for the thread. Raises TakesLonger."""
        with self._writer.idle() as idle:
            connection = self._write_channel.connection
            if not idle or connection is None:
                raise TakesLonger
            try:
                free = self._turn.free(connection)
            except sqlite3.Error as error:  # the thread finds the words for what is wrong with the file
                raise TakesLonger from error
            if not free:
                raise TakesLonger
            return self._written(lambda: self._write_channel.at_once(lambda channel: channel.once(start)))

    async def _breathed_after(self, found: T) -> T:
        """Let the other tasks go on now and then, which a caller who makes no hop would not."""
        if time.monotonic() - self._breathed >= self.BREATH:
            await asyncio.sleep(0)
            self._breathed = time.monotonic()
        return found

    def _written(self, work: Callable[[], T]) -> T:
        """What the work returns, and all that follows a write."""
        began = time.monotonic()
        try:
            return work()
        finally:
            self._turn.end()
            self._writes += 1
            self._took = (self._took[1], time.monotonic() - began)
            if self.unerased:
                self._erase_if_free()

    async def revision(self) -> Hashable:
        if self.place.path is None:
            return self._writes
        with suppress(TakesLonger):
            return await self._breathed_after(self._read_here(Channel.version))
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
