"""A database that takes no tables of ours, and a ledger in a file beside it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from memory import SQLAlchemySession
from memory.far_database import FarHome

from . import servers
from .items import user
from .test_trouble import drop_tables

DATABASES: dict[str, Callable[[Path], Any]] = {
    "postgresql": lambda folder: servers.postgres(),
    "sqlite": lambda folder: f"sqlite+aiosqlite:///{folder / 'theirs.db'}",
    "mariadb": lambda folder: servers.mariadb(),
}


class Apart:
    """Both, and what a new process finds of them."""

    def __init__(self, engine: AsyncEngine, folder: Path) -> None:
        self.engine, self.ledger = engine, folder / "ledger.db"

    def open(self, session_id: str = "ticket_456", **options: Any) -> SQLAlchemySession:
        options = {"ledger": self.ledger, **options}
        return SQLAlchemySession(session_id, engine=self.engine, **options)

    def restart(self) -> None:
        """What a new process finds: the files as they lie there."""
        FarHome.at(self.ledger).close()

    def journals(self) -> list[Path]:
        return list(self.ledger.parent.glob("*journal*"))


@asynccontextmanager
async def opened_apart(database: str, folder: Path) -> AsyncIterator[Apart]:
    engine = create_async_engine(DATABASES[database](folder))
    await drop_tables(engine)  # another test may have left side tables in the server's database
    await SQLAlchemySession("another", engine=engine, create_tables=True).add_items([user("somebody else")])
    opened = Apart(engine, folder)
    yield opened
    opened.restart()
    await drop_tables(engine)
    await engine.dispose()
