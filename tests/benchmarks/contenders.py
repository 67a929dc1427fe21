"""The stores that are compared, each doing the same work in the way its class offers.

All are durable alike: write-ahead log, synchronous FULL. `Bare` is sqlite3 on the caller's own thread with
text made beforehand: no class can be faster, so it shows what is left to win.
"""

from __future__ import annotations

import json
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

from agents import SQLiteSession as SdkSession

from memory import Lease, RollBack, SQLiteSession, Truncate

from .sample import Item, items

MAIN, OTHER, MEMORY = "main", "other", ":memory:"
BATCH = 1_000

SCHEMA = """
    CREATE TABLE IF NOT EXISTS agent_sessions (session_id TEXT PRIMARY KEY,
        created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
    CREATE TABLE IF NOT EXISTS agent_messages (id INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id TEXT NOT NULL, message_data TEXT NOT NULL, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
        FOREIGN KEY (session_id) REFERENCES agent_sessions (session_id) ON DELETE CASCADE);
    CREATE INDEX IF NOT EXISTS idx_agent_messages_session_id ON agent_messages (session_id, id);
"""
"""The SDK's own."""


class Contender(ABC):
    """One store with a filled session and another small one beside it.

    `ready_*` does what is not measured: what a person or a run knows before the work begins.
    """

    name: ClassVar[str]

    def __init__(self, session_id: str = MAIN) -> None:
        self.session_id = session_id

    @abstractmethod
    async def open(self, path: str) -> None:
        """Open the session in the store at `path`, which may be new."""

    @abstractmethod
    async def add(self, items: list[Item]) -> None:
        """Append one batch, with who wrote it and under a lease where the class can."""

    @abstractmethod
    async def newest(self, limit: int) -> Sequence[Any]: ...

    @abstractmethod
    async def everything(self) -> Sequence[Any]: ...

    @abstractmethod
    async def pop(self) -> Any: ...

    async def ready_to_roll_back(self, count: int) -> None:  # noqa: B027  # most need to know nothing
        """Know what the page knows when a person clicks: the entry to go back to."""

    @abstractmethod
    async def roll_back(self, count: int) -> None:
        """Take the newest `count` items away."""

    @abstractmethod
    async def roll_back_at_once(self, count: int) -> None:
        """The same in the quickest way there is for many."""

    @abstractmethod
    async def truncate(self, keep: int) -> None:
        """Keep the newest `keep` items."""

    async def put_back(self, count: int) -> None:
        """Have as many items again as before `count` went; which ones does not matter."""
        await self.fill(items(count))

    @abstractmethod
    async def open_another(self) -> Sequence[Any]:
        """Open the small session of the same store and read it."""

    async def leave(self) -> None:  # noqa: B027  # most hold nothing
        """Let others write in this session."""

    @abstractmethod
    def close(self) -> None: ...

    async def fill(self, batch: list[Item]) -> None:
        for start in range(0, len(batch), BATCH):
            await self.add(batch[start : start + BATCH])


class Ours(Contender):
    name = "memory desk"

    async def open(self, path: str) -> None:
        self.path = path
        self.session = SQLiteSession(self.session_id, path)
        self.beside = self.session.sibling(self.session_id)  # looks up what a person sees
        self.lease: Lease = await self.session.acquire(f"benchmark {id(self)}", 86_400)
        self.to: str | None = None
        self.middle: str | None = None

    async def add(self, items: list[Item]) -> None:
        await self.session.append(items, agent="Triage", lease=self.lease)

    async def newest(self, limit: int) -> Sequence[Any]:
        return await self.session.get_items(limit)

    async def everything(self) -> Sequence[Any]:
        return await self.session.get_items()

    async def pop(self) -> Any:
        return await self.session.pop_item(lease=self.lease)

    async def ready_to_roll_back(self, count: int) -> None:
        self.to = (await self.beside.timeline(limit=count + 1)).entries[0].id

    async def roll_back(self, count: int) -> None:
        await self.session.apply(await self.session.plan(RollBack(to=self.to)), lease=self.lease)

    roll_back_at_once = roll_back

    async def truncate(self, keep: int) -> None:
        await self.session.apply(await self.session.plan(Truncate(keep_items=keep)), lease=self.lease)

    async def put_back(self, count: int) -> None:
        await self.session.undo(lease=self.lease)

    async def open_another(self) -> Sequence[Any]:
        other = SQLiteSession(OTHER, self.path) if self.path != MEMORY else self.session.sibling(OTHER)
        found = await other.get_items(20)
        other.close()
        return found

    async def page(self) -> Sequence[Any]:
        """The page a person looks at."""
        return (await self.session.timeline(limit=200)).entries

    async def older_page(self) -> Sequence[Any]:
        """A page from the middle of the session."""
        return (await self.session.timeline(before=await self._middle(), limit=200)).entries

    async def _middle(self) -> str:
        if self.middle is None:
            total = (await self.beside.timeline(limit=1)).total or 0
            self.middle = (await self.beside.timeline(limit=total // 2)).entries[0].id
        return self.middle

    async def leave(self) -> None:
        await self.session.release(self.lease)

    def close(self) -> None:
        self.session.database.close()


class Sdk(Contender):
    name = "SDK"

    async def open(self, path: str) -> None:
        self.path = path
        self.session = SdkSession(self.session_id, path)

    async def add(self, items: list[Any]) -> None:
        await self.session.add_items(items)

    async def newest(self, limit: int) -> Sequence[Any]:
        return await self.session.get_items(limit)

    async def everything(self) -> Sequence[Any]:
        return await self.session.get_items()

    async def pop(self) -> Any:
        return await self.session.pop_item()

    async def roll_back(self, count: int) -> None:
        for _ in range(count):
            await self.session.pop_item()

    async def roll_back_at_once(self, count: int) -> None:
        items = await self.session.get_items()
        await self.session.clear_session()
        await self.session.add_items(items[: len(items) - count])

    async def truncate(self, keep: int) -> None:
        items = await self.session.get_items()
        await self.session.clear_session()
        await self.session.add_items(items[len(items) - keep :])

    async def open_another(self) -> Sequence[Any]:
        other = SdkSession(OTHER, self.path)
        found = await other.get_items(20)
        other.close()
        return found

    def close(self) -> None:
        self.session.close()


class Bare(Contender):
    name = "sqlite3"

    async def open(self, path: str) -> None:
        self.path = path
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = FULL")
        self.connection.executescript(SCHEMA)
        self.connection.execute(
            "INSERT OR IGNORE INTO agent_sessions (session_id) VALUES (?)", (self.session_id,)
        )
        self.texts: dict[int, list[tuple[str, str]]] = {}

    async def add(self, items: list[Item]) -> None:
        texts = self.texts.get(id(items)) or [(self.session_id, json.dumps(item)) for item in items]
        with self._transaction():
            self.connection.executemany(
                "INSERT INTO agent_messages (session_id, message_data) VALUES (?, ?)", texts
            )

    def prepare(self, items: list[Item]) -> None:
        """Make the text of this batch beforehand."""
        self.texts[id(items)] = [(self.session_id, json.dumps(item)) for item in items]

    async def newest(self, limit: int) -> Sequence[Any]:
        return self._newest(self.connection, self.session_id, limit)

    @staticmethod
    def _newest(connection: sqlite3.Connection, session: str, limit: int) -> Sequence[Any]:
        return connection.execute(
            "SELECT message_data FROM agent_messages WHERE session_id = ? ORDER BY id DESC LIMIT ?",
            (session, limit),
        ).fetchall()

    async def everything(self) -> Sequence[Any]:
        return self.connection.execute(
            "SELECT message_data FROM agent_messages WHERE session_id = ? ORDER BY id", (self.session_id,)
        ).fetchall()

    async def pop(self) -> Any:
        return self.connection.execute(
            "DELETE FROM agent_messages WHERE id = (SELECT max(id) FROM agent_messages WHERE session_id = ?) "
            "RETURNING message_data",
            (self.session_id,),
        ).fetchall()

    async def roll_back(self, count: int) -> None:
        first = self._newest_ids(count)[-1]
        self.connection.execute(
            "DELETE FROM agent_messages WHERE session_id = ? AND id >= ?", (self.session_id, first)
        )

    roll_back_at_once = roll_back

    async def truncate(self, keep: int) -> None:
        first = self._newest_ids(keep)[-1]
        self.connection.execute(
            "DELETE FROM agent_messages WHERE session_id = ? AND id < ?", (self.session_id, first)
        )

    def _newest_ids(self, count: int) -> list[int]:
        rows = self.connection.execute(
            "SELECT id FROM agent_messages WHERE session_id = ? ORDER BY id DESC LIMIT ?",
            (self.session_id, count),
        )
        return [row[0] for row in rows]

    async def open_another(self) -> Sequence[Any]:
        if self.path == MEMORY:
            return self._newest(self.connection, OTHER, 20)
        with closing(sqlite3.connect(self.path)) as connection:
            return self._newest(connection, OTHER, 20)

    def _transaction(self) -> sqlite3.Connection:
        self.connection.execute("BEGIN IMMEDIATE")
        return self.connection  # as a context manager: commits, or rolls back

    def close(self) -> None:
        self.connection.close()


def fill_another(path: Path, items: list[Item]) -> None:
    """Put a small session beside the main one."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO agent_sessions (session_id) VALUES (?)", (OTHER,))
        connection.executemany(
            "INSERT INTO agent_messages (session_id, message_data) VALUES (?, ?)",
            [(OTHER, json.dumps(item)) for item in items],
        )
