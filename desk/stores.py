"""Where sessions are kept: nowhere, in this server's memory, in a file, sealed in a file, in a database.

A session in memory is one and the same for everybody who opens its id, for the life of the server. Any other
is its file's or its database's. None is made by looking for it.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from memory.errors import KeyUnavailable, MemoryDeskError, NotSupported
from memory.sqlite_session import SQLiteSession, ran_in, sessions_in, waiting_in
from memory.tables import parse_time

from .backends import BUILT_IN, Backend, Connection, ConnectionUnusable, connections, typed
from .breaker import Breaker
from .keyring import Keyring
from .lifetimes import Lifetimes
from .secrets import SecretsUnreadable, read_secrets
from .values import Address, SessionInfo

if TYPE_CHECKING:
    from memory.table_session import TableSession

    from .settings import Settings

T = TypeVar("T")
log = logging.getLogger(__name__)

PROMPT = 0.5  # seconds in which a database says which sessions wait, or is not waited for

OPEN = 256  # session objects that are kept; they are small, and making one again costs nothing


class Stores:
    """The backends of one desk. Used on the loop only, but for what says otherwise."""

    def __init__(self, settings: Settings, env: Mapping[str, str]) -> None:
        self._settings = settings
        self._secrets: Mapping[str, Any] | None = None
        self._typed: dict[str, Connection] = {}
        self._roots: dict[str, TableSession] = {}
        self._sessions: OrderedDict[Address, TableSession] = OrderedDict()
        self._opening = asyncio.Lock()
        self._silent: dict[str, asyncio.Task[list[str]]] = {}  # backends that have not yet said what waits
        self._waits: dict[str, list[str]] = {}  # what each said last
        self._breakers: dict[str, Breaker] = {}
        self.keyring = Keyring(env, self.secrets)
        self.lifetimes = Lifetimes(settings.lifetimes)

    # Which there are

    def secrets(self) -> Mapping[str, Any]:
        """What the secrets files hold, read once; nothing where they cannot be read. From any thread."""
        if self._secrets is None:
            try:
                self._secrets = read_secrets(self._settings.secrets)
            except SecretsUnreadable as error:
                log.error("%s No connection or key of it is used.", error)
                self._secrets = {}
        return self._secrets

    def connections(self) -> dict[str, Connection]:
        """The databases that are known, by name. From any thread."""
        return {known.name: known for known in connections(self.secrets())} | self._typed

    def backends(self) -> tuple[Backend, ...]:
        """All that can be chosen, in the order they are offered. From any thread."""
        return BUILT_IN + tuple(
            Backend(known.name, "database", known.label or known.name, known.encrypted, known.problem)
            for known in self.connections().values()
        )

    def backend(self, name: str) -> Backend:
        """The backend of that name. Raises NotSupported. From any thread."""
        found = next((known for known in self.backends() if known.name == name), None)
        if found is None:
            raise NotSupported("There is no backend of that name.")
        return found

    async def connect(self, url: str, *, create_tables: bool = True) -> Backend:
        """Try a database that a person typed, and offer it until the server stops, once.

        Without `create_tables` nothing is made in it: the SDK's tables are there.

        Raises ValueError for no URL, and what the store raises.
        """
        known = typed(url, self.connections(), create_tables=create_tables)
        there = self._roots.get(known.name)
        root = there if there is not None else await asyncio.to_thread(self._connected, known)
        try:
            await sessions_in(root.database, root.scope.tables)
        except BaseException:
            if there is None:
                await _close(root)
            raise
        # Another one may have been typed meanwhile, and have the name now, or be this one.
        known = typed(url, self.connections(), create_tables=create_tables)
        first = self._roots.setdefault(known.name, root)
        self._typed[known.name] = known
        if root not in (first, there):
            await _close(root)
        return self.backend(known.name)

    # Looking at them

    async def look(self, backend: str, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What `work` returns, which only looks; a database that does not answer is not waited for for long.

        Raises what `work` raises, and StoreUnavailable. See `desk.breaker`.
        """
        known = next((known for known in self.backends() if known.name == backend), None)
        if known is None or known.kind != "database":
            return await work()
        if known.encrypted:
            with suppress(KeyUnavailable):  # a command may take its time, which is not the database's
                await self.keyring.keys()
        return await self._breaker(backend).look(work)

    async def act(self, backend: str | None, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What `work` returns, which has all the time that it needs; looks are told what it found wrong."""
        try:
            return await work()
        except MemoryDeskError as error:
            if backend is not None and self.backend(backend).kind == "database":
                self._breaker(backend).note(error)
            raise

    def _breaker(self, backend: str) -> Breaker:
        def heard() -> float:
            root = self._roots.get(backend)
            return getattr(root.database, "heard", 0.0) if root is not None else 0.0

        return self._breakers.setdefault(backend, Breaker(heard))

    # Sessions

    async def session(self, address: Address) -> TableSession:
        """The session of an address, there or not; nothing is made before something is written to it."""
        session = self._sessions.get(address)
        if session is None or getattr(session, "ttl", None) != self._lifetime(address):
            session = self._sessions[address] = await self._made(address)
        self._sessions.move_to_end(address)
        while len(self._sessions) > OPEN:
            self._sessions.popitem(last=False)
        return session

    def _lifetime(self, address: Address) -> int | None:
        """How long the items of a session may be read, which another server may have chosen since."""
        return self.lifetimes.of(address) if self.backend(address.backend).encrypted else None

    async def stored(self, address: Address) -> tuple[int, int]:
        """How many items of a session are stored, and how many of them sealed: no key is needed for that."""
        session = (await self._root(address.backend)).sibling(address.session_id)
        return (await session.timeline(limit=1)).total or 0, await session.sealed()

    async def later(self, address: Address, seconds: float) -> TableSession:
        """The session as it would be seen so many seconds from now. For looking, never for writing."""
        return await self._made(address, ahead=seconds)

    async def live_for(self, address: Address, seconds: int | None) -> None:
        """Choose how long the items of an encrypted session may be read. Raises OSError."""
        await asyncio.to_thread(self.lifetimes.choose, address, seconds)
        self._sessions.pop(address, None)

    async def has(self, address: Address) -> bool:
        """Whether there is a session of just that id. Raises StoreUnavailable."""
        if address.backend == "none":
            return False
        return any(info.session_id == address.session_id for info in await self.sessions(address.backend))

    async def sessions(self, backend: str) -> list[SessionInfo]:
        """The sessions of a backend that hold something, the latest first."""
        root = await self._root(backend)
        found = await sessions_in(root.database, root.scope.tables)
        return [SessionInfo(session_id, parse_time(at)) for session_id, at in found]

    async def written_here(self, address: Address) -> list[str]:
        """The other session ids under which items of this session may have been written.

        Those are the ones of its backend, be it that only what stands beside them tells of them still, and
        all that were opened here or given a lifetime.
        """
        root = await self._root(address.backend)
        ids = [info.session_id for info in await self.sessions(address.backend)]
        ids += await ran_in(root.database, root.scope.ledger)
        ids += [known.session_id for known in (*self._sessions, *self.lifetimes.chosen())]
        return [session_id for session_id in dict.fromkeys(ids) if session_id != address.session_id]

    async def erase(self, address: Address) -> None:
        """Clear a session, and its text out of the store's files. Raises SessionBusy, StoreUnavailable."""
        if await self.has(address):
            # What is sealed is erased as it lies there: no key is needed for that.
            await (await self._root(address.backend)).sibling(address.session_id).erase()
        await self.live_for(address, None)

    async def waiting(self) -> list[Address]:
        """The sessions that wait for a person, those on file first, the longest waiting first.

        A database is asked only once it was opened: looking at the desk connects to nothing. One that does
        not answer is not waited for, as every tab asks this every second: what it said last stands meanwhile.
        """
        for kept in ("file", "encrypted"):
            await self._root(kept)
        for backend, task in list(self._silent.items()):
            if task.done():
                self._waits[backend] = task.result()
                del self._silent[backend]
        asked = {
            backend: asyncio.create_task(self._ask_waiting(backend))
            for backend in self._roots
            if backend not in self._silent and not self._breaker(backend).broken
        }
        if asked:
            await asyncio.wait(asked.values(), timeout=PROMPT)
        for backend, task in asked.items():
            if task.done():
                self._waits[backend] = task.result()
            else:
                self._silent[backend] = task
        order = sorted(self._roots, key=lambda backend: (backend != "file", backend))
        return [Address(backend, waits) for backend in order for waits in self._waits.get(backend, ())]

    async def _ask_waiting(self, backend: str) -> list[str]:
        root = self._roots[backend]

        async def ask() -> list[str]:
            return await waiting_in(root.database, root.scope.tables, root.scope.ledger)

        try:
            return await self.act(backend, ask)
        except MemoryDeskError:
            return []  # what cannot be read hides none of the others

    async def close(self) -> None:
        """Close every file and connection. What was in memory is gone."""
        asking: set[asyncio.Future[Any]] = set(self._silent.values())
        for breaker in self._breakers.values():
            asking |= breaker.looks()
        for task in asking:
            task.cancel()
        if asking:  # one that is answered now gives its connection back
            await asyncio.wait(asking, timeout=PROMPT)
        roots = list(self._roots.values())
        databases = [root.database for root in roots if isinstance(root, SQLiteSession)]
        for session in (*self._sessions.values(), *roots):
            await _close(session)
        for database in databases:
            database.close()
        self._sessions.clear()
        self._roots.clear()

    async def _made(self, address: Address, ahead: float = 0.0) -> TableSession:
        if not _storable(address.session_id):
            raise NotSupported("No store can hold a session of that id.")
        session = (await self._root(address.backend)).sibling(address.session_id)
        if not self.backend(address.backend).encrypted:
            return session
        from memory.encrypted_session import EncryptedTableSession

        keys, lifetime = await self.keyring.keys(), self.lifetimes.of(address)
        clock = (lambda: time.time() + ahead) if ahead else time.time
        return EncryptedTableSession(address.session_id, session, keys, lifetime, clock=clock)

    async def _root(self, backend: str) -> TableSession:
        """A session of a backend through which the others are found."""
        if (root := self._roots.get(backend)) is not None:
            return root
        async with self._opening:
            if backend not in self._roots:
                self._roots[backend] = await self._opened(self.backend(backend))
            return self._roots[backend]

    async def _opened(self, backend: Backend) -> TableSession:
        match backend.kind:
            case "memory":
                return SQLiteSession("")
            case "file":
                return SQLiteSession("", self._settings.sessions)
            case "encrypted":
                return SQLiteSession("", self._settings.encrypted)
            case "database":
                return await asyncio.to_thread(self._connected, self.connections()[backend.name])
            case _:
                raise NotSupported("Without memory there is no store.")

    def _connected(self, known: Connection) -> TableSession:
        """In a thread: SQLAlchemy takes a while to load."""
        from memory.sqlalchemy_session import SQLAlchemySession

        if known.problem is not None:
            raise ConnectionUnusable(known.problem)
        ledger = None if known.create_tables else self._settings.ledger(known.ledger)
        return SQLAlchemySession.from_url("", url=known.url, create_tables=known.create_tables, ledger=ledger)


async def _close(session: Any) -> None:
    closing = session.close()
    if inspect.isawaitable(closing):
        await closing


def _storable(session_id: str) -> bool:
    """Whether the id is text: half a surrogate pair is none."""
    return not any("\ud800" <= character <= "\udfff" for character in session_id)
