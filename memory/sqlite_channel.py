"""One connection to a SQLite file, and how an operation is run on it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Hashable
from typing import TypeVar

from . import sqlite_file, unerased
from .errors import StoreUnavailable
from .sqlite_file import Identity, Place
from .statements import Ensure, Many, Outdated, Present, Row, Sql, Start, Statement, drive

T = TypeVar("T")

AT_ONCE = 0.001  # seconds a caller may be kept who does not send the work to a thread
STEPS = 1000  # of SQLite between two looks at the clock, some 20 microseconds


class TakesLonger(Exception):
    """What was tried at once could not be done at once; nothing of it was done."""


class Channel:
    """One connection and the tables it has seen; used by one thread at a time."""

    def __init__(self, place: Place, *, write: bool) -> None:
        self.place, self.write = place, write
        self.connection: sqlite3.Connection | None = None
        self.identity: Identity | None = None
        self.tables: frozenset[str] = frozenset()
        self._until: float | None = None  # when a caller who is kept waiting has waited long enough

    def open(self) -> sqlite3.Connection | None:
        """The connection, made or renewed if need be; None for a reader whose file is not there yet."""
        identity = self.place.look()
        if self.connection is not None and identity == self.identity:
            return self.connection
        self.close()
        if identity is None and not self.write:
            return None
        connection, self.identity = self.place.connect(write=self.write)
        try:
            self.place.unerased |= unerased.marks(_runner(connection)).keys()
        except BaseException:
            connection.close()
            raise
        self.connection = connection
        return connection

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

    def at_once(self, job: Callable[[Channel], T]) -> T:
        """What the job returns, for a caller who cannot wait, in the place of the thread.

        Raises TakesLonger where the job is not done within `AT_ONCE` seconds (a commit is waited for), where
        another program holds the file and where there is no connection yet: the thread has patience.
        """
        if self.connection is None:
            raise TakesLonger
        self._until = time.monotonic() + AT_ONCE
        self.connection.set_progress_handler(self._late, STEPS)
        try:
            with self.place.named():
                return job(self)
        except StoreUnavailable as error:
            if error.why in ("held", "interrupted"):
                raise TakesLonger from error
            raise
        finally:
            self._until = None
            if self.connection is not None:
                self.connection.set_progress_handler(None, 0)

    def _late(self) -> bool:
        return self._until is not None and time.monotonic() > self._until

    def once(self, start: Start[T]) -> T:
        """Run an operation, whoever else holds the file. Raises what SQLite raises."""
        connection = self.open()
        if connection is None:
            return drive(start(), _nothing)
        seen = self.tables
        try:
            # One that runs out of time has begun all the same: SQLite looks at the clock behind it.
            connection.execute("BEGIN IMMEDIATE" if self.write else "BEGIN")
            result = drive(start(), lambda statement: self._execute(connection, statement))
            self._until = None  # what is begun now is ended
            connection.execute("COMMIT")
        except BaseException:
            self._until = None
            # A full disk rolls back by itself, and then there is nothing left to roll back.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            self.tables = seen
            raise
        self.place.note_log()
        return result

    def rewrite(self, patience: float, whose: str = "") -> bool:
        """Write the file anew, and empty the log unless another program reads it; whether one does.

        If none does, the mark of `whose` goes. `patience` is how many seconds to wait for other programs.
        """
        connection = self.open()
        assert connection is not None
        connection.execute(f"PRAGMA busy_timeout = {1000 * patience:.0f}")
        try:
            marks = unerased.marks(_runner(connection))
            connection.execute("VACUUM")
            (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy:
                unerased.erased(_runner(connection), marks, whose)
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
        if self._until is not None and self._late():
            raise TakesLonger
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
        if isinstance(statement, Outdated) and self.place.path is not None:
            unerased.mark(_runner(connection), statement.whose)
        return []

    def _present(self, connection: sqlite3.Connection, wanted: Present) -> frozenset[str]:
        if not wanted.names <= self.tables:
            rows = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
            self.tables = frozenset(name for (name,) in rows)
        return wanted.names & self.tables


def _runner(connection: sqlite3.Connection) -> unerased.Run:
    return lambda statement, values: connection.execute(statement, values).fetchall()


def _nothing(statement: Statement) -> list[Row]:
    """What a store that does not exist yet answers: no tables, so no operation asks further."""
    return [(frozenset(),)] if isinstance(statement, Present) else []
