"""A database whose ledger lies elsewhere: two transactions for one operation, and a way back from a crash.

An operation that changes the messages and the ledger goes in the order keep first, remove, mark done:

1. What it does to the messages is kept in a journal: a small file beside the ledger's (see `far_journal`).
2. The messages are committed.
3. The ledger is committed, with the journal's token, and the journal is removed.

A journal that is found later belongs to an operation that was cut off. If its token is in the ledger the
operation was finished; else the messages are brought back to where they were, and the ledger has never heard
of it. Whoever writes holds the ledger's file for the whole of the operation, so a journal is never that of
somebody who is still at work. One that changes only one of the two is one commit, and needs no journal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar, TypeVar
from weakref import WeakValueDictionary, finalize

from sqlalchemy import Connection
from sqlalchemy.util import await_

from . import database_errors as trouble
from . import sqlite_file
from .errors import NotErased, StoreUnavailable
from .far_journal import Journal, Shelf
from .far_ledger import FarLedger
from .sqlalchemy_database import Beside, Progress, SQLAlchemyDatabase, state_of_file
from .sqlite_channel import Channel
from .sqlite_file import Place
from .statements import Locked, Moved, Present, Row, Sql, Start, Statement, drive
from .worker import Worker

T = TypeVar("T")

READERS = 4
"""Connections that are kept to read with; more are made while more read at once."""


class FarHome:
    """A SQLite file, or a memory where `path` is None, that holds ledgers of stores elsewhere."""

    _open: ClassVar[WeakValueDictionary[Path, FarHome]] = WeakValueDictionary()

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.place = Place(path)
        self.worker = Worker("memory-ledger")
        self.writing = Channel(self.place, write=True)
        self.reading: list[Channel] = []  # those that no operation reads with just now
        self.channels = [self.writing]
        self.turn = asyncio.Lock()
        self.journals: dict[str, Journal] = {}  # those of a memory
        # Nobody waits for the thread of a home that is merely forgotten.
        self._end = finalize(self, _end, self.worker, self.channels, False)
        self._end.atexit = False

    @classmethod
    def at(cls, path: str | Path) -> FarHome:
        """The home in this file, which need not exist yet; one object for each file in the process."""
        resolved = Path(path).resolve()
        home = cls._open.get(resolved)
        if home is None or not home._end.alive:
            home = cls._open[resolved] = cls(resolved)
        return home

    async def erase(self, whose: str) -> None:
        """Rewrite the file without what was deleted, and empty its write-ahead log: done for this store."""
        async with self.turn:
            await self.worker.run(lambda: self._erase(whose))

    def _erase(self, whose: str) -> None:
        place = self.place
        with place.erasing():
            busy = place.look() is not None and self.writing.rewrite(sqlite_file.PATIENCE, whose)
        if busy:
            raise NotErased(sqlite_file.STILL_READ.format(place.name))
        place.unerased.discard(whose)

    def close(self) -> None:
        """End the thread and the connections; who asks for the same file later gets a new home."""
        if self._end.detach() is not None:
            _end(self.worker, self.channels, True)

    def lend(self) -> Channel:
        """A connection to read with: a snapshot each, since the store is waited for in between."""
        if not self.reading:
            self.channels.append(Channel(self.place, write=False))
            return self.channels[-1]
        return self.reading.pop()

    def take_back(self, channel: Channel) -> None:
        """That connection again, which reads no more. On the thread: it may be closed here."""
        if len(self.reading) < READERS:
            self.reading.append(channel)
        else:
            channel.close()
            self.channels.remove(channel)


def _end(worker: Worker, channels: Sequence[Channel], wait: bool) -> None:
    def last() -> None:
        for channel in channels:
            channel.close()

    worker.stop(last, wait)


class FarDatabase(SQLAlchemyDatabase):
    """See `Database` for the methods."""

    def __init__(self, base: SQLAlchemyDatabase, home: FarHome, ledger: FarLedger) -> None:
        super().__init__(base.engine, patience=base.patience)
        self._turn, self._tables, self._ear = base._turn, base._tables, base._ear
        self.home, self.ledger = home, ledger
        self.shelf = Shelf(home.path, home.journals, ledger.whose)

    async def read(self, start: Start[T], *, brief: bool = False) -> T:
        """What was cut off is made whole first, as well as it can be: nobody looks at half of it."""
        if self.shelf.holds() and not self.home.turn.locked():
            with suppress(StoreUnavailable):
                await self._settled(lambda: self._write(self.ledger.there))
        return await super().read(start, brief=brief)

    async def revision(self) -> Hashable:
        path = self.home.path
        return (await super().revision(), self._writes, state_of_file(path) if path else None)

    def _known_answer(self, statement: Statement) -> list[Row] | None:
        if isinstance(statement, (Locked, Moved)) or getattr(statement, "ledger", False):
            return None
        return super()._known_answer(statement)

    @contextmanager
    def _beside(self, write: bool, single: bool) -> Iterator[Beside | None]:
        if single:
            yield None
            return
        far = _Far(self, write)
        far.begin()
        try:
            yield far
        finally:
            far.end()

    @property
    def unerased(self) -> bool:
        return self._unerased or self.ledger.whose in self.home.place.unerased

    @unerased.setter
    def unerased(self, still: bool) -> None:
        self._unerased = still

    async def erase(self) -> None:
        await super().erase()
        if self.home.path is not None:
            self.unerased = True
            await self.home.erase(self.ledger.whose)
            self.unerased = False

    def close(self) -> None:
        self.home.close()
        super().close()


class _Far:
    """The ledger's part in one operation; every method runs inside the operation's greenlet."""

    def __init__(self, database: FarDatabase, write: bool) -> None:
        self.database, self.home, self.write = database, database.home, write
        self.locks = write or self.home.path is None
        self.channel = self.home.writing if self.locks else self.home.lend()
        self.journal = Journal()
        self.there: dict[str, bool] = {}  # whether a session had a row of its own when it was locked
        self.written = 0  # rows that the ledger's connection had written before this operation
        self.done = False

    def begin(self) -> None:
        if self.locks:
            await_(self.home.turn.acquire())
        try:
            self._do(self._begin)
        except BaseException:
            with suppress(StoreUnavailable):
                self.end()
            raise

    def _begin(self) -> None:
        self.home.place.patiently(lambda: self._statement("BEGIN IMMEDIATE" if self.write else "BEGIN"))
        self.written = self._rows_written()

    def end(self) -> None:
        """Give the ledger free; what was not committed is rolled back."""
        try:
            if not self.done:
                self._do(self._let_go)
        finally:
            if self.locks:
                self.home.turn.release()

    def concerns(self, statement: Statement) -> bool:
        return isinstance(statement, (Locked, Moved)) or bool(getattr(statement, "ledger", False))

    def execute(self, connection: Connection, statement: Statement) -> list[Row]:
        if isinstance(statement, Locked):
            if statement.session not in self.there:
                self.there[statement.session] = self._is_there(connection, statement)
            return []
        if isinstance(statement, Moved):
            self.journal.hear(statement, begins=not self.there.get(statement.session, True))
            if statement.cleared:
                self.journal.session = statement.session
                self.journal.cleared = self._top(connection, statement.session)
            return []
        rows: list[Row] = self._do(lambda: self._in_ledger(statement))
        return rows

    def _is_there(self, connection: Connection, locked: Locked) -> bool:
        if locked.there is not None:
            return locked.there
        asked = f"SELECT 1 FROM {self.database.ledger.tables.sessions} WHERE session_id = :session"
        return bool(self.database._execute(connection, Sql(asked, {"session": locked.session})))

    def _top(self, connection: Connection, session: str) -> int:
        asked = Sql(f"SELECT max(id) {self.database.ledger.tables.own}", {"session": session})
        return int(self.database._execute(connection, asked)[0][0] or 0)

    def commit(self, connection: Connection, progress: Progress) -> None:
        if not self.journal or self._rows_written() == self.written:
            self._do(lambda: self._statement("COMMIT"))
            self.done = progress.may_be_stored = True
            connection.commit()
            return
        self._keep()
        progress.may_be_stored = True
        connection.commit()
        try:
            self._do(self._finish)
            self.done = True
        except StoreUnavailable as error:
            self._do(self._roll_back)
            self.done = True
            if self.journal.cleared is not None:  # what is gone stays gone; the journal sees to the rest
                said = str(error).removesuffix(sqlite_file.UNCHANGED)
                raise StoreUnavailable(f"{said}{trouble.UNKNOWN}", "unknown") from error
            self._settle(connection, self.journal)
            self._drop_journal()
            raise
        with suppress(StoreUnavailable):  # it is finished, so one that is found is only removed
            self._drop_journal()

    def recover(self, connection: Connection) -> None:
        journal = self.database.shelf.found() if self.write else None
        if journal is None:
            return
        if self._do(self._token) != journal.token:
            self._settle(connection, journal)
            if journal.cleared is not None:
                self._do(lambda: self._statement("COMMIT"))
                self._do(self._begin)
        self._drop_journal()

    def _settle(self, connection: Connection, journal: Journal) -> None:
        def answer(statement: Statement) -> list[Row]:
            if isinstance(statement, (Locked, Moved)):
                return []
            if self.concerns(statement):
                return self.execute(connection, statement)
            return self.database._execute(connection, statement)

        self.database._begin(connection, write=True)
        drive(journal.settle(self.database.ledger), answer)
        connection.commit()

    def _keep(self) -> None:
        self._do(lambda: self.database.shelf.keep(self.journal))

    def _drop_journal(self) -> None:
        self._do(self.database.shelf.drop)

    # on the ledger's thread

    def _in_ledger(self, statement: Statement) -> list[Row]:
        opened = self.channel.open()
        if opened is None:
            return [(frozenset(),)] if isinstance(statement, Present) else []
        return self.channel._execute(opened, statement)

    def _finish(self) -> None:
        finished = f"INSERT OR REPLACE INTO {self.database.ledger.finished} (id, token) VALUES (1, :token)"
        self._in_ledger(Sql(self.database.ledger.finishing))  # a mark may be all that there is yet
        self._in_ledger(Sql(finished, {"token": self.journal.token}))
        self._statement("COMMIT")

    def _token(self) -> str | None:
        """That of the last operation that was finished; None also where the ledger has no such table yet."""
        opened = self.channel.open()
        assert opened is not None
        with suppress(Exception):
            row = opened.execute(f"SELECT token FROM {self.database.ledger.finished}").fetchone()
            return None if row is None else str(row[0])
        return None

    def _rows_written(self) -> int:
        opened = self.channel.connection
        return opened.total_changes if opened is not None else 0

    def _statement(self, text: str) -> None:
        opened = self.channel.open()
        if opened is not None:
            opened.execute(text)

    def _let_go(self) -> None:
        try:
            self._roll_back()
        finally:
            if not self.locks:
                self.home.take_back(self.channel)

    def _roll_back(self) -> None:
        opened = self.channel.connection
        if opened is not None and opened.in_transaction:
            opened.execute("ROLLBACK")
        self.channel.tables = frozenset()

    def _do(self, job: Any) -> Any:
        """Run something on the ledger's thread; its trouble comes back as StoreUnavailable."""

        def named() -> Any:
            with self.home.place.named():
                return job()

        return await_(self.home.worker.run(named))
