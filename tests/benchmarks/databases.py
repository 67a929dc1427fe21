"""The other stores, each beside the SDK's class for it: a database over SQLAlchemy, and encrypted items.

Both sides are given the same engine options, the same key and the same rows; the expired tail is written
once for both, by ours, since the envelopes are the same.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents import SQLiteSession as SdkSQLiteSession
from agents.extensions.memory import EncryptedSession as SdkEncryptedSession
from agents.extensions.memory import SQLAlchemySession as SdkSQLAlchemySession
from sqlalchemy.ext.asyncio import create_async_engine

from memory import EncryptedSession, SQLAlchemySession, SQLiteSession

from ..memory import servers
from .contenders import Contender, Ours, Sdk
from .measuring import Effort, Timings, compare
from .sample import Item, items
from .works import TURN, WORKS, Work

SIZE = 10_000
FRESH = 6
"""Items that have not expired, behind a tail of `SIZE` that have."""

TTL = 24 * 60 * 60  # seconds
KEY = "the key of the benchmarks, which is no secret at all"

BY_TITLE = {work.title: work for work in WORKS}
NEWEST, ALL, ROLL_BACK = (BY_TITLE[t] for t in ("read the newest 20", "read all", "roll back 60"))
APPEND = Work("append a turn of 6", lambda store, size: store.session.add_items(TURN), (1, 1))  # type: ignore[attr-defined]
AS_A_RUN = Work("append it as a run, with author and lease", lambda store, size: store.add(TURN), (1, 1))


class OurDatabase(Ours):
    async def open(self, path: str) -> None:
        self.engine = create_async_engine(path)
        self.session: Any = SQLAlchemySession(
            self.session_id, engine=self.engine, create_tables=True, **_tables("ours")
        )
        await self._begin()

    async def _begin(self) -> None:
        self.beside = self.session.sibling(self.session_id)
        self.lease = await self.session.acquire(f"benchmark {id(self)}", TTL)
        self.to = None

    def close(self) -> None:
        """Nothing is left open once `leave` was waited for."""

    async def leave(self) -> None:
        await super().leave()
        await self.engine.dispose()


class SdkDatabase(Sdk):
    async def open(self, path: str) -> None:
        self.engine = create_async_engine(path)
        self.session: Any = SdkSQLAlchemySession(
            self.session_id, engine=self.engine, create_tables=True, **_tables("sdk")
        )

    def close(self) -> None:
        """As above."""

    async def leave(self) -> None:
        await self.engine.dispose()


class OurEncrypted(OurDatabase):
    ttl: int | None = None

    async def open(self, path: str) -> None:
        self.session = EncryptedSession(
            self.session_id, SQLiteSession(self.session_id, path), KEY, ttl=self.ttl
        )
        await self._begin()

    async def leave(self) -> None:
        await self.session.release(self.lease)
        self.session.database.close()


class SdkEncrypted(SdkDatabase):
    ttl: int | None = None

    async def open(self, path: str) -> None:
        self.underlying = SdkSQLiteSession(self.session_id, path)
        self.session = SdkEncryptedSession(self.session_id, self.underlying, KEY, ttl=self.ttl)  # type: ignore[arg-type]

    async def leave(self) -> None:
        self.underlying.close()


class _Tail(Contender):
    """A session of which all but the newest few have expired."""

    async def fill(self, batch: list[Item]) -> None:
        path = str(self.path)
        store = SQLiteSession(self.session_id, path)
        past = EncryptedSession(self.session_id, store, KEY, ttl=TTL, clock=lambda: time.time() - 2 * TTL)
        await past.add_items(batch)
        await self.add(items(FRESH))

    async def open(self, path: str) -> None:
        self.path = path
        await super().open(path)  # type: ignore[safe-super]


class OurTail(_Tail, OurEncrypted):
    ttl = TTL


class SdkTail(_Tail, SdkEncrypted):
    ttl = TTL


@dataclass(frozen=True)
class Pair:
    """Two classes for one store, and how many times as fast ours must be, cold, at each work."""

    title: str
    kinds: tuple[type[Contender], type[Contender]]
    works: Sequence[Work]
    floors: dict[str, float] = field(default_factory=dict)

    def place(self, folder: Path, kind: type[Contender]) -> str:
        if self.title == POSTGRESQL:
            return servers.postgres().render_as_string(hide_password=False)
        path = folder / f"{kind.__name__}.db"
        return f"sqlite+aiosqlite:///{path}" if self.title == SQLITE else str(path)


POSTGRESQL, SQLITE = "PostgreSQL", "SQLite through SQLAlchemy"

PAIRS = [
    Pair(
        POSTGRESQL,
        (OurDatabase, SdkDatabase),
        [NEWEST, ALL, ROLL_BACK, APPEND, AS_A_RUN],
        {NEWEST.title: 1.7, ROLL_BACK.title: 20, APPEND.title: 1.7},
    ),
    Pair(
        SQLITE,
        (OurDatabase, SdkDatabase),
        [NEWEST, ALL, ROLL_BACK, APPEND, AS_A_RUN],
        {APPEND.title: 1.5},
    ),
    Pair(
        "encrypted, in SQLite",
        (OurEncrypted, SdkEncrypted),
        [NEWEST, ALL, ROLL_BACK, APPEND],
        {NEWEST.title: 1.5, ALL.title: 1.0},
    ),
    Pair("encrypted, all but 6 expired", (OurTail, SdkTail), [NEWEST], {NEWEST.title: 50}),
]


async def measure(folder: Path, effort: Effort) -> dict[str, dict[str, Timings]]:
    """Every pair at its works, at `SIZE` items."""
    found: dict[str, dict[str, Timings]] = {}
    try:
        for pair in PAIRS:
            async with _opened(pair, folder) as stores:
                found[pair.title] = {w.title: await compare(stores, w, SIZE, effort) for w in pair.works}
    finally:
        servers.drop()
    return found


def lines(found: dict[str, dict[str, Timings]]) -> list[str]:
    """Markdown: how many times as fast as the SDK, and milliseconds when cold."""
    rows = ["| store | work | cold | floor | warm | ours | SDK |", "|---|---|---:|---:|---:|---:|---:|"]
    for pair in PAIRS:
        for title, timings in found[pair.title].items():
            ratio, floor = timings.ratio(cold=True), pair.floors.get(title)
            cold = f"**{ratio:.2f}**" if floor and ratio < floor else f"{ratio:.2f}"
            times = [f"{timings.of(kind.name, cold=True) * 1000:.3g} ms" for kind in (Ours, Sdk)]
            cells = [
                pair.title,
                title,
                cold,
                f"{floor:g}" if floor else "",
                f"{timings.ratio(cold=False):.2f}",
            ]
            rows.append("| " + " | ".join([*cells, *times]) + " |")
    return rows


@asynccontextmanager
async def _opened(pair: Pair, folder: Path) -> AsyncIterator[list[Contender]]:
    stores: list[Contender] = []
    with_files = folder / pair.title
    with_files.mkdir()
    try:
        for kind in pair.kinds:
            store = kind()
            await store.open(pair.place(with_files, kind))
            stores.append(store)
            await store.fill(items(SIZE))
        yield stores
    finally:
        for store in stores:
            await store.leave()


def _tables(whose: str) -> dict[str, Any]:
    return {"sessions_table": f"{whose}_sessions", "messages_table": f"{whose}_messages"}
