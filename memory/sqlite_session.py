"""`SQLiteSession`: the SDK's class by name, signature and rows, with everything an inspector needs."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Self

from . import leases
from .ledger import Ledger
from .pauses import waiting_sessions
from .sqlite_database import SQLiteDatabase
from .sqlite_file import MEMORY
from .statements import Database, Operation
from .table_session import TableSession
from .tables import Tables

if TYPE_CHECKING:
    from agents.memory import SessionSettings

SESSIONS_TABLE, MESSAGES_TABLE = "agent_sessions", "agent_messages"


class SQLiteSession(TableSession):
    """A session in a SQLite file, or in memory: `SQLiteSession("ticket_456", "conversations.db")`.

    Two objects on one file and id are the same session; two in memory are two memories, as in the SDK. The
    file is made on the first write. After `close()` every method raises RuntimeError.
    """

    database: SQLiteDatabase

    def __init__(
        self,
        session_id: str,
        db_path: str | Path = MEMORY,
        sessions_table: str = SESSIONS_TABLE,
        messages_table: str = MESSAGES_TABLE,
        session_settings: SessionSettings | None = None,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(
            session_id,
            SQLiteDatabase.at(db_path),
            Tables.named(sessions_table, messages_table),
            session_settings=session_settings,
            clock=clock,
        )
        self._closed = False

    def _must_be_open(self) -> None:
        if self._closed:
            raise RuntimeError("SQLiteSession is closed")

    def sibling(self, session_id: str) -> Self:
        other = type(self).__new__(type(self))
        TableSession.__init__(other, session_id, self.database, self.scope.tables, clock=self.clock)
        other._closed = False
        return other

    def close(self) -> None:
        """Let go of the store. Other sessions on the same file go on; a memory ends with its last session."""
        if not self._closed:
            self._closed = True
            del self.database  # with the last session on it, its threads and connections end too


async def sessions_in(database: Database, tables: Tables) -> list[tuple[str, str | None]]:
    """Every session of a database with its `updated_at` text, the latest first."""

    def operation() -> Operation[list[tuple[str, str | None]]]:
        return (yield from tables.all_sessions()) if (yield from tables.there()) else []

    return await database.read(operation)


async def waiting_in(database: Database, tables: Tables, ledger: Ledger | None = None) -> list[str]:
    """The sessions of a database that wait for a person's decision, the longest waiting first.

    `ledger` is theirs, if it lies apart.
    """
    return await database.read(lambda: waiting_sessions(ledger or Ledger.of(tables)))


async def ran_in(database: Database, ledger: Ledger) -> list[str]:
    """The sessions of a database in which anything ever ran, those that were renamed or deleted since too."""
    return await database.read(lambda: leases.sessions(ledger))
