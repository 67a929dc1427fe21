"""Any database that SQLAlchemy's async engines reach: Core statements, no ORM.

- A write is one transaction that first locks the session's own row, so the writers of one session are
  serial; one that is a single statement needs no transaction around it.
- A read of one statement has no transaction; a longer one has a snapshot (REPEATABLE READ).
- Where others were in the way (a deadlock, a lock, two first writers) the operation is begun afresh, and
  also where the connection broke before anything could be stored.
- An engine belongs to the event loop it is used on. It is disposed of only if it was made here.

The whole of an operation runs in one greenlet, which costs less than one for each statement.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar
from weakref import WeakValueDictionary

from sqlalchemy import BigInteger, Connection, String, Text, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import StaticPool
from sqlalchemy.sql.elements import TextClause
from sqlalchemy.util import greenlet_spawn

from . import database_errors as trouble
from . import unerased
from .dialects import DIALECTS
from .errors import NotErased, StoreUnavailable
from .finishing import to_the_end
from .side_tables import as_json
from .sqlite_file import STILL_HELD, STILL_READ
from .statements import Ensure, Locked, Many, Moved, Operation, Outdated, Present, Row, Sql, Start, Statement

T = TypeVar("T")

PATIENCE = 30.0  # seconds to wait for one operation
PERSISTENCE = 5.0  # seconds to go on trying while others are in the way

TYPES: dict[type, Any] = {str: String(), int: BigInteger(), list: ARRAY(Text())}


class _MustMake(Exception):
    """The operation needs tables first."""

    def __init__(self, wanted: Ensure) -> None:
        self.wanted = wanted


class _MustBegin(Exception):
    """The operation reads more than one statement's worth: it needs a snapshot."""


class Progress:
    """How far a write got: whether it may be stored although its end was not heard."""

    may_be_stored = False


class Ear:
    """When a database answered a statement last; all that share its engine share it."""

    heard = 0.0  # by the monotonic clock


class Beside(Protocol):
    """A ledger in another database, taking part in one operation."""

    def recover(self, connection: Connection) -> None:
        """Bring an operation that a crash cut off to an end."""

    def concerns(self, statement: Statement) -> bool:
        """Whether the statement is for the ledger."""

    def execute(self, connection: Connection, statement: Statement) -> list[Row]: ...

    def commit(self, connection: Connection, progress: Progress) -> None:
        """Commit both."""


class SQLAlchemyDatabase:
    """See `Database` for the methods. Make one with `SQLAlchemyDatabase.of(engine)`.

    `patience` is how many seconds an operation may take before the database counts as silent.
    """

    _open: ClassVar[WeakValueDictionary[int, SQLAlchemyDatabase]] = WeakValueDictionary()

    def __init__(self, engine: AsyncEngine, *, patience: float = PATIENCE) -> None:
        if engine.dialect.name not in DIALECTS:
            raise StoreUnavailable(
                f"Sessions can lie in SQLite, PostgreSQL, MySQL and MariaDB, not in {engine.dialect.name}."
            )
        self.engine = engine
        self.patience = patience
        self.dialect = DIALECTS[engine.dialect.name]
        plain = engine.sync_engine
        self._write_engine = self._read_engine = self._alone_engine = plain
        if self.dialect.name == "postgresql":
            self._write_engine = plain.execution_options(isolation_level="READ COMMITTED")
            self._read_engine = plain.execution_options(isolation_level="REPEATABLE READ")
            self._alone_engine = plain.execution_options(isolation_level="AUTOCOMMIT")
        self.memory: Any = None  # the ledger of sessions that may keep none in the database or a file
        self._tables: set[str] = set()
        self._writes = 0
        self._ear = Ear()
        self._unerased: bool | None = None  # until the marks in the file were looked at
        self._loop: asyncio.AbstractEventLoop | None = None
        # A memory has one connection for everybody, so one operation at a time.
        self._turn = asyncio.Lock() if isinstance(plain.pool, StaticPool) else None

    @classmethod
    def of(cls, engine: AsyncEngine) -> SQLAlchemyDatabase:
        """The database of an engine: sessions on the same engine share what is known about its tables."""
        # A database holds its engine, so an id is not given to another engine while it is known here.
        database = cls._open.get(id(engine.sync_engine))
        if database is None:
            database = cls._open[id(engine.sync_engine)] = cls(engine)
        return database

    @property
    def heard(self) -> float:
        """When it answered a statement last, by the monotonic clock; 0.0 where it never did.

        So a database that falls silent can be told from an operation that takes long.
        """
        return self._ear.heard

    @property
    def unerased(self) -> bool:
        return bool(self._unerased)

    @unerased.setter
    def unerased(self, still: bool) -> None:
        self._unerased = still

    async def read(self, start: Start[T], *, brief: bool = False) -> T:
        return await self._settled(lambda: self._read(start))

    async def write(self, start: Start[T], *, brief: bool = False) -> T:
        try:
            return await self._settled(lambda: self._write(start))
        finally:
            self._writes += 1

    async def revision(self) -> Hashable:
        """PostgreSQL's snapshot, which every commit changes; the state of SQLite's files."""
        if self.dialect.name == "postgresql":
            return (await self._ask("SELECT CAST(txid_current_snapshot() AS text)"), None)
        path = self.engine.url.database if self.dialect.name == "sqlite" else None
        if path and self._turn is None:
            return (self._writes, state_of_file(Path(path)))
        if self.dialect.name == "sqlite":
            return (self._writes, await self._ask("SELECT total_changes()"))
        return self._writes

    async def erase(self) -> None:
        """Rewrite a SQLite file without what was deleted. A server reuses the room in its own time."""
        if self.dialect.name == "sqlite":
            self.unerased = True
            try:
                await self._settled(self._vacuum)
            except NotErased:
                raise
            except StoreUnavailable as error:  # what was deleted before is deleted
                said = str(error).removesuffix(trouble.UNCHANGED).removesuffix(trouble.UNKNOWN)
                raise NotErased(f"{said}{STILL_HELD}") from error
        self.unerased = False

    def close(self) -> None:
        """Let go of the connections without waiting; `aclose` waits."""
        self.engine.sync_engine.dispose(close=False)

    async def aclose(self) -> None:
        await self.engine.dispose()

    # one operation

    def _read(self, start: Start[T]) -> T:
        alone = True
        while True:
            try:
                return self._run(start, write=False, alone=alone)
            except _MustBegin:
                alone = False

    def _write(self, start: Start[T]) -> T:
        while True:
            try:
                return self._run(start, write=True, alone=True)
            except _MustMake as error:
                self._make(error.wanted)

    def _run(self, start: Start[T], *, write: bool, alone: bool) -> T:
        """Drive the operation to its end on one connection."""
        operation = start()
        progress = Progress()
        try:
            statement = next(operation)
            while (known := self._known_answer(statement)) is not None:
                statement = operation.send(known)
        except StopIteration as done:
            result: T = done.value
            return result
        single = alone and isinstance(statement, Sql) and statement.alone
        engine = self._alone_engine if single else self._write_engine if write else self._read_engine
        with self._named(progress), self._beside(write, single) as beside, engine.connect() as connection:
            if beside is not None:
                beside.recover(connection)
            if not single:
                self._begin(connection, write=write)
            if self._unerased is None:
                self._unerased = self.dialect.name == "sqlite" and bool(unerased.marks(_runner(connection)))
            try:
                while True:
                    progress.may_be_stored = single and write
                    if beside is not None and beside.concerns(statement):
                        rows = beside.execute(connection, statement)
                    else:
                        rows = self._execute(connection, statement)
                    progress.may_be_stored = False
                    statement = operation.send(rows)
                    while (known := self._known_answer(statement)) is not None:
                        statement = operation.send(known)
                    if single and not write:
                        raise _MustBegin
                    if single:
                        raise RuntimeError("A write went on after a statement that was to be all of it.")
            except StopIteration as done:
                if write and beside is not None:
                    beside.commit(connection, progress)
                elif write:
                    progress.may_be_stored = True
                    connection.commit()
                outcome: T = done.value
            return outcome

    def _beside(self, write: bool, single: bool) -> AbstractContextManager[Beside | None]:
        """What else takes part in an operation: nothing, where the ledger lies in this database."""
        return nullcontext()

    def _begin(self, connection: Connection, *, write: bool) -> None:
        if self.dialect.name != "sqlite":
            return  # the driver begins with the first statement
        driver = connection.connection.driver_connection
        if not getattr(driver, "in_transaction", False):
            connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

    def _known_answer(self, statement: Statement) -> list[Row] | None:
        """The answer that needs no connection: the tables are known to be there."""
        if isinstance(statement, Present) and statement.names <= self._tables:
            return [(statement.names,)]
        if isinstance(statement, (Locked, Moved)):
            return []
        if isinstance(statement, Outdated) and (self.dialect.name != "sqlite" or self._turn is not None):
            return []  # a server reuses the room in its own time, and a memory is no file
        if isinstance(statement, Ensure):
            if statement.names <= self._tables:
                return []
            raise _MustMake(statement)
        return None

    def _execute(self, connection: Connection, statement: Statement) -> list[Row]:
        rows = self._answered(connection, statement)
        self._ear.heard = time.monotonic()
        return rows

    def _answered(self, connection: Connection, statement: Statement) -> list[Row]:
        if isinstance(statement, Sql):
            result = connection.execute(self._prepared(statement.text, statement.values), statement.values)
            return [tuple(row) for row in result] if result.returns_rows else []
        if isinstance(statement, Many):
            if statement.values:
                prepared = self._prepared(statement.text, statement.values[0])
                many = [dict(values) for values in statement.values]
                connection.execute(prepared, many if len(many) > 1 else many[0])
            return []
        if isinstance(statement, Outdated):
            unerased.mark(_runner(connection), statement.whose)
            return []
        assert isinstance(statement, Present)
        return [(self._present(connection, statement.names),)]

    def _present(self, connection: Connection, names: frozenset[str]) -> frozenset[str]:
        asked = {"names": as_json(sorted(names))}
        rows = connection.execute(self._prepared(self.dialect.present, asked), asked)
        found = frozenset(row[0].decode() if isinstance(row[0], bytes) else row[0] for row in rows)
        self._tables |= found
        return found

    def _make(self, wanted: Ensure) -> None:
        """Make tables in a transaction of their own, unless they are there."""
        progress = Progress()
        with self._named(progress), self._write_engine.connect() as connection:
            if (
                self.dialect.name == "sqlite"
                and not connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar()
            ):
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")  # a new file: readers never wait
            self._begin(connection, write=True)
            if not wanted.names <= self._present(connection, wanted.names):
                for ddl in wanted.ddl:
                    connection.execute(text(ddl))
            connection.commit()
        self._tables |= wanted.names

    def _prepared(self, statement: str, values: Mapping[str, Any]) -> TextClause:
        if self.dialect.name != "postgresql":
            return _text(statement)
        return _typed(statement, tuple((name, type(value)) for name, value in values.items()))

    def _vacuum(self) -> None:
        with self._named(Progress()), self.engine.sync_engine.connect() as connection:
            marks = unerased.marks(_runner(connection))
            connection.exec_driver_sql("VACUUM")
            busy = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0][0]
            if not busy:
                unerased.erased(_runner(connection), marks, "")
                connection.commit()
        if busy:
            raise NotErased(STILL_READ.format("the database"))

    async def _ask(self, question: str) -> Hashable:
        def operation() -> Operation[Hashable]:
            rows = yield Sql(question, alone=True)
            return str(rows[0][0])

        return await self.read(operation)

    # trouble

    @contextmanager
    def _named(self, progress: Progress) -> Iterator[None]:
        """Turn what the database reports into `_Again` or StoreUnavailable with a sentence."""
        try:
            yield
        except (_MustBegin, _MustMake, StoreUnavailable):
            raise
        except Exception as error:
            if not trouble.is_trouble(error):
                raise
            raise self._judged(error, progress) from None

    def _judged(self, error: Exception, progress: Progress) -> Exception:
        if trouble.is_absent(error):
            self._tables.clear()
        lost = trouble.is_lost(error)
        unknown = progress.may_be_stored and lost and not trouble.was_unsent(error)
        outcome = trouble.UNKNOWN if unknown else trouble.UNCHANGED
        why = "unknown" if unknown else trouble.why(error)
        said = StoreUnavailable(f"{trouble.sentence(error)} {outcome}", why)
        tries = 0 if unknown else trouble.tries_left(error)
        return _Again(said, tries) if tries else said

    async def _settled(self, job: Callable[[], T]) -> T:
        """What `job` returns, tried again where that may help.

        A caller that is cancelled still waits for it: a write that has begun will happen.
        """
        self._must_be_home()
        return await to_the_end(self._patiently(job))

    async def _patiently(self, job: Callable[[], T]) -> T:
        give_up, wait, tried = time.monotonic() + PERSISTENCE, 0.01, 0
        while True:
            try:
                return await self._once(job)
            except _Again as error:
                tried += 1
                if time.monotonic() > give_up or tried > error.tries:
                    raise error.said from None
            await asyncio.sleep(wait)
            wait = min(wait * 2, 0.2)

    async def _once(self, job: Callable[[], T]) -> T:
        try:
            async with asyncio.timeout(self.patience):
                if self._turn is None:
                    return await greenlet_spawn(job)
                async with self._turn:
                    return await greenlet_spawn(job)
        except TimeoutError:
            raise StoreUnavailable(
                f"The database did not answer within {self.patience:g} seconds. {trouble.UNKNOWN}", "unknown"
            ) from None

    def _must_be_home(self) -> None:
        """Raises StoreUnavailable on another event loop than that of the engine's connections."""
        loop = asyncio.get_running_loop()
        if self._loop is None or self.dialect.name == "sqlite":
            self._loop = loop
        elif self._loop is not loop:
            if not self._loop.is_closed():
                raise StoreUnavailable(
                    "This database is in use on another event loop; give each loop an engine of its own."
                )
            # Connections of a loop that has ended are dead; the engine makes new ones here.
            self.engine.sync_engine.dispose(close=False)
            self._loop = loop


class _Again(Exception):
    """To be begun afresh, so many times; `said` is what to raise when that does not help."""

    def __init__(self, said: StoreUnavailable, tries: int) -> None:
        self.said, self.tries = said, tries


def _runner(connection: Connection) -> unerased.Run:
    def run(statement: str, values: Sequence[Any]) -> Sequence[Any]:
        result = connection.exec_driver_sql(statement, tuple(values))
        return result.fetchall() if result.returns_rows else []

    return run


@lru_cache(maxsize=1024)
def _text(statement: str) -> TextClause:
    return text(statement)


@lru_cache(maxsize=1024)
def _typed(statement: str, types: tuple[tuple[str, type], ...]) -> TextClause:
    """A statement whose parameters say their types, which PostgreSQL cannot always guess."""
    clause = text(statement)
    known = [bindparam(name, type_=TYPES[kind]) for name, kind in types if kind in TYPES]
    return clause.bindparams(*known) if known else clause


def state_of_file(path: Path) -> Hashable:
    """What differs after every commit to a SQLite file: the state of it and of its write-ahead log."""
    states: list[tuple[int, int, int] | None] = []
    for part in (path, path.with_name(path.name + "-wal")):
        try:
            found = part.stat()
        except OSError:
            states.append(None)
        else:
            states.append((found.st_ino, found.st_size, found.st_mtime_ns))
    return tuple(states)
