"""Every kind of session there is, and how a test looks at the rows under one.

A new kind joins with one line in `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from memory import InspectableSession, SessionABC, SQLiteSession, TableSession, inspect
from memory.statements import Operation, Sql

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


class Kind(NamedTuple):
    """A kind of session; `edits` means that its rows are ours and every edit is tried on it."""

    make: Callable[[Path], AbstractContextManager[Open]]
    edits: bool = True


KINDS = {
    "sqlite-memory": Kind(in_memory, edits=False),  # they are tried in memory under other names
    "sqlite-named-tables": Kind(in_named_tables),
    "sqlite-file": Kind(on_file),
    "foreign-sdk": Kind(around_the_sdk, edits=False),
    "foreign-list": Kind(around_a_list, edits=False),
}


class Row(NamedTuple):
    """A stored item to the byte."""

    id: int
    raw: bytes
    created_at: str


async def rows(session: TableSession) -> list[Row]:
    """Every row of the session as it is stored, in order."""
    tables = session.scope.tables

    def operation() -> Operation[list[Row]]:
        if not (yield from tables.there()):
            return []
        found = yield Sql(
            f"SELECT id, CAST(message_data AS BLOB), CAST(created_at AS TEXT) {tables.own} ORDER BY id",
            {"session": session.session_id},
        )
        return [Row(*row) for row in found]

    return await session.database.read(operation)


async def run_sql(session: TableSession, text: str, **values: Any) -> None:
    """Change the tables behind the session's back; `{messages}` and `{sessions}` stand for their names."""
    tables = session.scope.tables
    sql = text.format(messages=tables.messages, sessions=tables.sessions)

    def operation() -> Operation[None]:
        yield from tables.make()
        yield Sql(sql, {"session": session.session_id, **values} if ":session" in sql else values)

    await session.database.write(operation)


async def plant(session: TableSession, *raws: str | bytes) -> None:
    """Append rows of any text or bytes, as another program could."""
    for raw in raws:
        await run_sql(
            session,
            "INSERT INTO {messages} (session_id, message_data) VALUES (:session, :raw)",
            raw=raw,
        )


def on_disk(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its bytes, but for SQLite's shared index, which holds no content."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}


def write(path: Path, content: bytes) -> None:
    """Put a file there, whatever it holds."""
    path.write_bytes(content)
