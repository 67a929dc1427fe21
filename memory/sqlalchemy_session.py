"""`SQLAlchemySession`: the SDK's class by name, signature and rows, on any database its engine reaches."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from . import reading
from .codec import PlainCodec
from .contract import session_settings_class
from .engines import make_engine
from .entries import Revision
from .far_database import FarDatabase, FarHome
from .far_ledger import FarLedger
from .scope import Scope
from .sql_tables import SqlTables, tables_of
from .sqlalchemy_database import SQLAlchemyDatabase
from .sqlite_session import MESSAGES_TABLE, SESSIONS_TABLE
from .statements import Operation
from .table_session import LedgerHome, TableSession

if TYPE_CHECKING:
    from agents.memory import SessionSettings
    from sqlalchemy.ext.asyncio import AsyncEngine


T = TypeVar("T")


class SQLAlchemySession(TableSession):
    """A session in a database: `SQLAlchemySession("ticket_456", engine=engine, create_tables=True)`.

    `engine` is the caller's and is never disposed of here. Without `create_tables` nothing is ever made in
    the database; what undo needs then lies in the SQLite file `ledger`, or in memory if none is given and
    the side tables are not there. `ledger_home` says which.
    """

    database: SQLAlchemyDatabase

    def __init__(
        self,
        session_id: str,
        *,
        engine: AsyncEngine,
        create_tables: bool = False,
        sessions_table: str = SESSIONS_TABLE,
        messages_table: str = MESSAGES_TABLE,
        session_settings: SessionSettings | dict[str, Any] | None = None,
        ensure_ascii: bool = True,
        ledger: str | Path | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        settings = (
            session_settings_class()(**session_settings)
            if isinstance(session_settings, dict)
            else session_settings
        )
        database = SQLAlchemyDatabase.of(engine)
        super().__init__(
            session_id,
            database,
            tables_of(sessions_table, messages_table, database.dialect, create_tables),
            codec=PlainCodec(ensure_ascii=ensure_ascii),
            session_settings=settings,
            clock=clock,
        )
        self._ours = False
        self._ledger_home: LedgerHome = "database"
        self._settled = create_tables
        if ledger is not None:
            self._move_ledger(FarHome.at(ledger))

    @classmethod
    def from_url(
        cls,
        session_id: str,
        *,
        url: str,
        engine_kwargs: dict[str, Any] | None = None,
        session_settings: SessionSettings | dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> Self:
        """A session with an engine of its own, which `close()` disposes of.

        `engine_kwargs` go to SQLAlchemy's `create_async_engine`, `kwargs` to the constructor. Raises
        StoreUnavailable with one sentence for a URL that is not asynchronous or whose driver is missing.
        """
        engine = make_engine(url, engine_kwargs or {})
        session = cls(session_id, engine=engine, session_settings=session_settings, **kwargs)
        session._ours = True
        return session

    @property
    def engine(self) -> AsyncEngine:
        """SQLAlchemy's own engine under the session."""
        return self.database.engine

    @property
    def ledger_home(self) -> LedgerHome:
        return self._ledger_home

    def sibling(self, session_id: str) -> Self:
        other = type(self).__new__(type(self))
        TableSession.__init__(
            other, session_id, self.database, self.scope.tables, codec=self.scope.codec, clock=self.clock
        )
        other._ours = False
        other._ledger_home, other._settled = self._ledger_home, self._settled
        other.scope = Scope(session_id, self.scope.tables, self.scope.ledger, self.scope.codec)
        return other

    def _move_ledger(self, home: FarHome) -> None:
        """Keep what is ours elsewhere than in the database."""
        tables = self.scope.tables
        assert isinstance(tables, SqlTables)
        url = self.engine.url
        ledger = FarLedger(tables, f"{url.get_backend_name()}://{url.host}:{url.port}/{url.database}")
        self.database = FarDatabase(self.database, home, ledger)
        self.scope = Scope(self.session_id, tables, ledger, self.scope.codec)
        self._ledger_home = "memory" if home.path is None else "file"
        self._settled = True

    async def _find_home(self) -> None:
        """Where nothing may be made, the side tables serve if they are there, and memory does if not."""
        if self._settled:
            return
        if not await self.database.read(self.scope.ledger.there):
            if self.database.memory is None:
                self.database.memory = FarHome(None)
            self._move_ledger(self.database.memory)
        self._settled = True

    async def revision(self) -> Revision:
        if self.database.dialect.name != "mysql":
            return await super().revision()
        return Revision(await self._read(reading.state))

    async def _read(self, operation: Callable[[Scope], Operation[T]], *, brief: bool = False) -> T:
        await self._find_home()
        return await super()._read(operation, brief=brief)

    async def _write(self, operation: Callable[[Scope], Operation[T]], *, brief: bool = False) -> T:
        await self._find_home()
        return await super()._write(operation, brief=brief)

    async def close(self) -> None:
        """Close the connections of an engine that `from_url` made; siblings use the same one."""
        if self._ours:
            await self.database.aclose()
