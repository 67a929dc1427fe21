"""A database whose ledger lies elsewhere: two transactions for one operation, and a way back from a crash.

An edit goes in the order keep first, remove, mark done:

1. The rows it takes, and the ids it puts in their place or into a branch, are written into a journal: a
   small file beside the ledger's.
2. The messages are committed.
3. The ledger is committed, with the journal's token, and the journal is removed.

A journal that is found later belongs to an operation that was cut off. If its token is in the ledger the
operation was finished; else the rows go back to where they were, whatever the database had got of it, and
the ledger has never heard of it. Whoever writes holds the ledger's file for the whole of the operation, so
a journal is never that of somebody who is still at work.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import secrets
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar
from weakref import WeakValueDictionary, finalize

from sqlalchemy import Connection
from sqlalchemy.util import await_

from . import sqlite_file
from .errors import NotErased, StoreUnavailable
from .far_ledger import FarLedger
from .sqlalchemy_database import Beside, Progress, SQLAlchemyDatabase, state_of_file
from .sqlite_channel import Channel
from .sqlite_file import Place
from .statements import Locked, Many, Moved, Present, Row, Sql, Statement
from .worker import Worker


class FarHome:
    """A SQLite file, or a memory where `path` is None, that holds ledgers of stores elsewhere."""

    _open: ClassVar[WeakValueDictionary[Path, FarHome]] = WeakValueDictionary()

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.place = Place(path)
        self.worker = Worker("memory-ledger")
        self.writing = Channel(self.place, write=True)
        self.reading = self.writing if path is None else Channel(self.place, write=False)
        self.turn = asyncio.Lock()
        # Nobody waits for the thread of a home that is merely forgotten.
        self._end = finalize(self, _end, self.worker, (self.writing, self.reading), False)
        self._end.atexit = False

    @classmethod
    def at(cls, path: str | Path) -> FarHome:
        """The home in this file, which need not exist yet; one object for each file in the process."""
        resolved = Path(path).resolve()
        home = cls._open.get(resolved)
        if home is None or not home._end.alive:
            home = cls._open[resolved] = cls(resolved)
        return home

    async def erase(self) -> None:
        """Rewrite the file without what was deleted, and empty its write-ahead log."""
        async with self.turn:
            await self.worker.run(self._erase)

    def _erase(self) -> None:
        place = self.place
        with place.erasing():
            busy = place.look() is not None and self.writing.rewrite(sqlite_file.PATIENCE)
        if busy:
            raise NotErased(sqlite_file.STILL_READ.format(place.name))

    def close(self) -> None:
        """End the thread and the connections; who asks for the same file later gets a new home."""
        if self._end.detach() is not None:
            _end(self.worker, (self.writing, self.reading), True)


def _end(worker: Worker, channels: tuple[Channel, ...], wait: bool) -> None:
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
        digest = ledger.finished.strip('"').rpartition("_finished")[0]
        self.journal = home.path and home.path.with_name(f"{home.path.name}-{digest}-journal")

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

    async def erase(self) -> None:
        await super().erase()
        if self.home.path is not None:
            self.unerased = True
            await self.home.erase()
            self.unerased = False

    def close(self) -> None:
        self.home.close()
        super().close()


class _Far:
    """The ledger's part in one operation; every method runs inside the operation's greenlet."""

    def __init__(self, database: FarDatabase, write: bool) -> None:
        self.database, self.home, self.write = database, database.home, write
        self.channel = self.home.writing if write else self.home.reading
        self.locks = write or self.home.path is None
        self.session: str | None = None
        self.top = 0
        self.taken: list[tuple[int, str, str | bytes]] = []
        self.placed: list[int] = []
        self.into: str | None = None
        self.copied: tuple[int, ...] = ()
        self.done = False

    def begin(self) -> None:
        if self.locks:
            await_(self.home.turn.acquire())
        try:
            begin = "BEGIN IMMEDIATE" if self.write else "BEGIN"
            self._do(lambda: self.home.place.patiently(lambda: self._statement(begin)))
        except BaseException:
            if self.locks:
                self.home.turn.release()
            raise

    def end(self) -> None:
        """Give the ledger free; what was not committed is rolled back."""
        try:
            if not self.done:
                self._do(self._roll_back)
        finally:
            if self.locks:
                self.home.turn.release()

    def concerns(self, statement: Statement) -> bool:
        return isinstance(statement, (Locked, Moved)) or bool(getattr(statement, "ledger", False))

    def execute(self, connection: Connection, statement: Statement) -> list[Row]:
        if isinstance(statement, Locked):
            if self.session is not None:  # a branch locks its new session, too
                return []
            self.session = statement.session
            tables = self.database.ledger.tables
            newest = self.database._execute(connection, Sql(f"SELECT max(id) FROM {tables.messages}"))
            self.top = int(newest[0][0] or 0)
            return []
        if isinstance(statement, Moved):
            self.taken += [row for row in statement.taken if row[0] <= self.top]
            self.placed += statement.placed
            if statement.into is not None:
                self.into, self.copied = statement.into, statement.copied
            return []

        def job() -> list[Row]:
            opened = self.channel.open()
            if opened is None:
                return [(frozenset(),)] if isinstance(statement, Present) else []
            return self.channel._execute(opened, statement)

        rows: list[Row] = self._do(job)
        return rows

    def commit(self, connection: Connection, progress: Progress) -> None:
        if not self.taken and not self.placed and not self.copied:
            self._do(lambda: self._statement("COMMIT"))
            self.done = progress.may_be_stored = True
            connection.commit()
            return
        token = secrets.token_hex(8)
        self._keep(connection, token)
        progress.may_be_stored = True
        connection.commit()
        ledger = self.database.ledger
        finish = Sql(
            f"INSERT OR REPLACE INTO {ledger.finished} (id, token) VALUES (1, :token)", {"token": token}
        )
        try:
            self.execute(connection, finish)
            self._do(lambda: self._statement("COMMIT"))
            self.done = True
        except StoreUnavailable:
            self._do(self._roll_back)
            self.done = True
            self.recover(connection)
            raise
        self._drop_journal()

    def _keep(self, connection: Connection, token: str) -> None:
        """Write the journal, durably."""
        path = self.database.journal
        if path is None:
            return
        tables = self.database.ledger.tables
        new = self.database._execute(
            connection,
            Sql(f"SELECT id {tables.own} AND id > :top", {"session": self.session, "top": self.top}),
        )
        content = json.dumps(
            {
                "token": token,
                "session": self.session,
                "taken": [[id_, at, _packed(text)] for id_, at, text in self.taken],
                "placed": [*self.placed, *(int(row[0]) for row in new)],
                "into": self.into,
                "copied": self.copied,
            }
        )
        self._do(lambda: _write_durably(path, content))

    def recover(self, connection: Connection) -> None:
        path = self.database.journal
        if path is None or not self.write or not path.exists():
            return
        journal = json.loads(path.read_text("utf-8"))
        ledger, database = self.database.ledger, self.database
        finished = self._do(lambda: self._token())
        if finished != journal["token"]:
            tables, session = ledger.tables, journal["session"]
            database._begin(connection, write=True)
            lock = f"SELECT session_id FROM {tables.sessions} WHERE session_id = :session"
            database._execute(connection, Sql(lock + tables.dialect.for_update, {"session": session}))
            placed = [{"session": session, "id": id_} for id_ in journal["placed"]]
            # A journal of an earlier version has none.
            placed += [{"session": journal["into"], "id": id_} for id_ in journal.get("copied", ())]
            database._execute(connection, Many(f"DELETE {tables.own} AND id = :id", placed))
            gone = [
                (id_, at, _unpacked(text))
                for id_, at, text in journal["taken"]
                if not database._execute(
                    connection, Sql(f"SELECT id FROM {tables.messages} WHERE id = :id", {"id": id_})
                )
            ]
            database._execute(connection, tables.restoring(session, gone))
            if journal.get("copied"):
                self._drop_empty(connection, journal["into"])
            connection.commit()
        self._drop_journal()

    def _drop_empty(self, connection: Connection, session: str) -> None:
        """Forget the session a branch was to begin; one that an edit had emptied stays, with its undo."""
        tables, changes = self.database.ledger.tables, self.database.ledger.changes
        if self._do(lambda: self._first(f"SELECT id FROM {changes} WHERE session_id = ?", session)) is None:
            forget = f"DELETE FROM {tables.sessions} WHERE session_id = :session"
            empty = f" AND NOT EXISTS (SELECT 1 {tables.own})"
            self.database._execute(connection, Sql(forget + empty, {"session": session}))

    def _token(self) -> str | None:
        return self._first(f"SELECT token FROM {self.database.ledger.finished}")

    def _first(self, statement: str, *values: str) -> str | None:
        """The first value the ledger answers with; None also where it has no such table yet."""
        opened = self.channel.open()
        assert opened is not None
        with suppress(Exception):
            row = opened.execute(statement, values).fetchone()
            return None if row is None else str(row[0])
        return None

    def _drop_journal(self) -> None:
        path = self.database.journal
        if path is not None:
            self._do(lambda: path.unlink(missing_ok=True))

    def _statement(self, text: str) -> None:
        opened = self.channel.open()
        if opened is not None:
            opened.execute(text)

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


def _write_durably(path: Path, content: str) -> None:
    fresh = path.with_name(path.name + ".new")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    with suppress(OSError):  # not every system lets a folder be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _packed(text: str | bytes) -> str | list[str]:
    return text if isinstance(text, str) else [base64.b64encode(text).decode()]


def _unpacked(text: str | list[str]) -> str | bytes:
    return text if isinstance(text, str) else base64.b64decode(text[0])
