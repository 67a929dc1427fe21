"""Every kind of session there is, and how a test looks at the rows under one.

A new kind joins with one line in `KINDS`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
)
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from memory import (
    Edit,
    EncryptedSession,
    Entry,
    InspectableSession,
    SessionABC,
    SQLAlchemySession,
    SQLiteSession,
    TableSession,
    inspect,
)
from memory.far_database import FarHome
from memory.statements import Operation, Sql
from memory.tables import text_of_column

from . import servers
from .items import Item

Open = Callable[[str], InspectableSession]
"""Opens the session with this id in one store; the same id is the same session."""


class ListSession(SessionABC):
    """What somebody may write in ten lines: four methods over a list."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.items: list[Any] = []

    async def get_items(self, limit: int | None = None) -> list[Item]:
        return list(self.items) if limit is None else self.items[len(self.items) - limit :]

    async def add_items(self, items: list[Item]) -> None:
        self.items.extend(items)

    async def pop_item(self) -> Item | None:
        return self.items.pop() if self.items else None

    async def clear_session(self) -> None:
        self.items.clear()


@contextmanager
def in_memory(folder: Path) -> Iterator[Open]:
    first = SQLiteSession("the first session")
    yield first.sibling


@contextmanager
def on_file(folder: Path) -> Iterator[Open]:
    yield lambda session_id: SQLiteSession(session_id, folder / "conversations.db")


@contextmanager
def in_named_tables(folder: Path) -> Iterator[Open]:
    """In memory, under names that need quoting, so that none is ever used as it stands."""
    first = SQLiteSession("the first session", ":memory:", "desk sessions", 'desk "messages"')
    yield first.sibling


@contextmanager
def around_the_sdk(folder: Path) -> Iterator[Open]:
    from agents import SQLiteSession as SdkSession

    opened: list[SdkSession] = []

    def open_(session_id: str) -> InspectableSession:
        opened.append(SdkSession(session_id, folder / "sdk.db"))
        return inspect(opened[-1])

    yield open_
    for session in opened:
        session.close()


@contextmanager
def around_a_list(folder: Path) -> Iterator[Open]:
    kept: dict[str, ListSession] = {}
    yield lambda session_id: inspect(kept.setdefault(session_id, ListSession(session_id)))


_numbers = count(1)


@asynccontextmanager
async def through_sqlalchemy(url: Any, *, apart: Path | bool | None = False) -> AsyncIterator[Open]:
    """Sessions over one engine, in tables of their own; the names need quoting.

    `apart` is where the ledger lies, if nothing may be made in the database: a file, or memory for None.
    """
    from sqlalchemy.ext.asyncio import create_async_engine

    engine = create_async_engine(url)
    number = next(_numbers)
    names = {"sessions_table": f"desk: sessions {number}", "messages_table": f"desk: messages {number}"}
    options: dict[str, Any] = {"engine": engine, "create_tables": True, **names}
    if apart is not False:
        first = SQLAlchemySession("the first session", **options)
        await first.database.write(first.scope.tables.make)
        options |= {"create_tables": False, "ledger": apart}
    yield lambda session_id: SQLAlchemySession(session_id, **options)
    if isinstance(apart, Path):
        FarHome.at(apart).close()
    await engine.dispose()


def in_a_file_through_sqlalchemy(folder: Path) -> AbstractAsyncContextManager[Open]:
    return through_sqlalchemy(f"sqlite+aiosqlite:///{folder / 'alchemy.db'}")


def in_memory_through_sqlalchemy(folder: Path) -> AbstractAsyncContextManager[Open]:
    return through_sqlalchemy("sqlite+aiosqlite://")


def on_postgresql(folder: Path) -> AbstractAsyncContextManager[Open]:
    return through_sqlalchemy(servers.postgres())


def on_mariadb(folder: Path) -> AbstractAsyncContextManager[Open]:
    return through_sqlalchemy(servers.mariadb())


def with_the_ledger_in_a_file(folder: Path) -> AbstractAsyncContextManager[Open]:
    return through_sqlalchemy(servers.postgres(), apart=folder / "ledger.db")


def with_the_ledger_in_memory(folder: Path) -> AbstractAsyncContextManager[Open]:
    return through_sqlalchemy(f"sqlite+aiosqlite:///{folder / 'alchemy.db'}", apart=None)


KEY = "one key of the tests, long enough to be one"
DAY = 24 * 60 * 60  # seconds


@contextmanager
def encrypted_in_memory(folder: Path) -> Iterator[Open]:
    with in_memory(folder) as open_:
        yield lambda session_id: EncryptedSession(session_id, open_(session_id), KEY, ttl=None)


@contextmanager
def encrypted_on_file(folder: Path) -> Iterator[Open]:
    """With a time to live, so that expiry is looked after everywhere, though nothing expires."""
    with on_file(folder) as open_:
        yield lambda session_id: EncryptedSession(session_id, open_(session_id), KEY, ttl=DAY)


@contextmanager
def encrypted_around_the_sdk(folder: Path) -> Iterator[Open]:
    with around_the_sdk(folder) as open_:
        yield lambda session_id: EncryptedSession(session_id, open_(session_id), KEY, ttl=DAY)


@asynccontextmanager
async def encrypted_in_a_database(folder: Path) -> AsyncIterator[Open]:
    async with on_postgresql(folder) as open_:
        yield lambda session_id: EncryptedSession(session_id, open_(session_id), KEY, ttl=DAY)


@asynccontextmanager
async def encrypted_with_the_ledger_in_memory(folder: Path) -> AsyncIterator[Open]:
    async with with_the_ledger_in_memory(folder) as open_:
        yield lambda session_id: EncryptedSession(session_id, open_(session_id), KEY, ttl=None)


class Kind(NamedTuple):
    """A kind of session; `edits` means that its rows are ours and every edit is tried on it.

    `long` marks a mixture of two others, which is tried with the long forms.
    """

    make: Callable[[Path], AbstractContextManager[Open] | AbstractAsyncContextManager[Open]]
    edits: bool = True
    long: bool = False


KINDS = {
    "sqlite-memory": Kind(in_memory, edits=False),  # they are tried in memory under other names
    "sqlite-named-tables": Kind(in_named_tables),
    "sqlite-file": Kind(on_file),
    "sqlalchemy-file": Kind(in_a_file_through_sqlalchemy),
    "sqlalchemy-memory": Kind(in_memory_through_sqlalchemy),
    "sqlalchemy-postgresql": Kind(on_postgresql),
    "sqlalchemy-mariadb": Kind(on_mariadb),
    "sqlalchemy-ledger-in-a-file": Kind(with_the_ledger_in_a_file),
    "sqlalchemy-ledger-in-memory": Kind(with_the_ledger_in_memory),
    "encrypted-memory": Kind(encrypted_in_memory, long=True),
    "encrypted-file": Kind(encrypted_on_file),
    "encrypted-postgresql": Kind(encrypted_in_a_database),
    "encrypted-ledger-in-memory": Kind(encrypted_with_the_ledger_in_memory, long=True),
    "encrypted-sdk": Kind(encrypted_around_the_sdk, edits=False),
    "foreign-sdk": Kind(around_the_sdk, edits=False),
    "foreign-list": Kind(around_a_list, edits=False),
}


class Row(NamedTuple):
    """A stored item to the byte."""

    id: int
    raw: bytes
    created_at: str


async def entries_of(session: InspectableSession) -> list[Entry]:
    """Every entry of the session, in order."""
    return list((await session.timeline(limit=10**6)).entries)


async def remaining(session: TableSession, edit: Edit) -> list[Item]:
    """What is stored after an edit."""
    await session.apply(await session.plan(edit))
    return await session.get_items()


async def rows(session: TableSession) -> list[Row]:
    """Every row of the session as it is stored, in order."""
    tables = session.scope.tables

    def operation() -> Operation[list[Row]]:
        if not (yield from tables.there()):
            return []
        stored = yield from tables.between(session.session_id, None, None)
        return [Row(row.key[-1], row.raw, text_of_column(row.created_at)) for row in stored]

    return await session.database.read(operation)


def among_strangers(session: InspectableSession) -> bool:
    """Whether the revision also tells what strangers write elsewhere on the server."""
    store = getattr(session, "underlying_session", session)
    return "postgresql" in str(getattr(store, "engine", ""))


def said(session: TableSession, row: Row) -> Item | bytes:
    """What a row says: the item, or its bytes where it holds none. Encrypted rows may look different."""
    item, _ = session.scope.codec.decode(row.raw)
    return row.raw if item is None else item


async def run_sql(session: TableSession, text: str, **values: Any) -> None:
    """Change the tables behind the session's back; `{messages}` and `{sessions}` stand for their names.

    `{time_of_its_own}` is a time that differs from row to row and grows with the id.
    """
    tables = session.scope.tables
    by_id = {
        "sqlite": "'2001-02-03 04:05:' || (10 + id)",
        "postgresql": "CAST('2001-02-03 04:05:' || (10 + id) AS timestamp)",
        "mysql": "concat('2001-02-03 04:05:', 10 + id)",
    }[tables.dialect.name]
    sql = text.format(messages=tables.messages, sessions=tables.sessions, time_of_its_own=by_id)

    def operation() -> Operation[None]:
        yield from tables.make()
        yield Sql(sql, {"session": session.session_id, **values} if ":session" in sql else values)

    await session.database.write(operation)


async def plant(session: TableSession, *raws: str | bytes) -> None:
    """Append rows of any text or bytes, as another program could."""
    tables = session.scope.tables

    def operation(raw: str | bytes) -> Operation[None]:
        yield from tables.make()
        if tables.dialect.for_update:
            yield from tables.parent(session.session_id)
        yield Sql(
            f"INSERT INTO {tables.messages} (session_id, message_data) VALUES (:session, :raw)",
            {"session": session.session_id, "raw": raw},
        )

    if tables.dialect.for_update and not (raws := tuple(raw for raw in raws if isinstance(raw, str))):
        pytest.skip("a server's column of text holds text only")
    for raw in raws:
        await session.database.write(partial(operation, raw))


def on_disk(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its bytes, but for SQLite's shared index, which holds no content."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}


def write(path: Path, content: bytes) -> None:
    """Put a file there, whatever it holds."""
    path.write_bytes(content)
