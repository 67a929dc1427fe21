"""Where sessions are kept: nowhere, in this server's memory, or in a file.

A session in memory is one and the same for everybody who opens its id, for the life of the server. One on
file is the file's. Neither is made by looking for it.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from memory.errors import NotSupported
from memory.sqlite_session import SQLiteSession, sessions_in
from memory.tables import parse_time

from .peeking import waiting_sessions
from .values import Address, SessionInfo

if TYPE_CHECKING:
    from .settings import Settings

OPEN = 256  # session objects that are kept; they are small, and making one again costs nothing


class Stores:
    """The backends of one desk. Used on the loop only."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._roots: dict[str, SQLiteSession] = {}
        self._sessions: OrderedDict[Address, SQLiteSession] = OrderedDict()

    async def session(self, address: Address) -> SQLiteSession:
        """The session of an address, there or not; nothing is made before something is written to it."""
        session = self._sessions.get(address)
        if session is None:
            if not _storable(address.session_id):
                raise NotSupported("No store can hold a session of that id.")
            session = self._root(address.backend).sibling(address.session_id)
            self._sessions[address] = session
        self._sessions.move_to_end(address)
        while len(self._sessions) > OPEN:
            self._sessions.popitem(last=False)
        return session

    async def has(self, address: Address) -> bool:
        """Whether there is a session of just that id. Raises StoreUnavailable."""
        if address.backend == "none":
            return False
        return any(info.session_id == address.session_id for info in await self.sessions(address.backend))

    async def sessions(self, backend: str) -> list[SessionInfo]:
        """The sessions of a backend that hold something, the latest first."""
        root = self._root(backend)
        found = await sessions_in(root.database, root.scope.tables)
        return [SessionInfo(session_id, parse_time(at)) for session_id, at in found]

    async def erase(self, address: Address) -> None:
        """Clear a session, and its text out of the store's files. Raises SessionBusy, StoreUnavailable."""
        if address.backend != "file" or self._settings.sessions.exists():
            await (await self.session(address)).erase()
        self._sessions.pop(address, None)

    async def waiting(self) -> list[Address]:
        """The sessions that wait for a person, those on file first, the longest waiting first."""
        self._root("file")
        return [
            Address(backend, session_id)
            for backend, root in sorted(self._roots.items())
            for session_id in await waiting_sessions(root.database, root.scope.tables)
        ]

    async def close(self) -> None:
        """Close every file. What was in memory is gone."""
        databases = [root.database for root in self._roots.values()]
        for session in (*self._sessions.values(), *self._roots.values()):
            session.close()
        for database in databases:
            database.close()
        self._sessions.clear()
        self._roots.clear()

    def _root(self, backend: str) -> SQLiteSession:
        if backend not in ("memory", "file"):
            raise NotSupported(f"There is no backend named {backend!r}.")
        if backend not in self._roots:
            path = self._settings.sessions if backend == "file" else ":memory:"
            self._roots[backend] = SQLiteSession("", path)
        return self._roots[backend]


def _storable(session_id: str) -> bool:
    """Whether the id is text: half a surrogate pair is none."""
    return not any("\ud800" <= character <= "\udfff" for character in session_id)
