"""Everything that is asked of a session, and what a refusal may say."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memory import MemoryDeskError, RollBack, StoreUnavailable, TableSession, Truncate

from ..items import turn, turns


async def refusal(work: Awaitable[Any], path: Path, error: type[MemoryDeskError] = StoreUnavailable) -> str:
    """What the refusal says, which is a sentence that names the file and no folder."""
    with pytest.raises(error) as caught:
        await work
    said = str(caught.value)
    assert path.name in said
    assert str(path.parent) not in said
    assert path.parent.name not in said
    assert said.endswith(".")
    return said


async def plan_and_apply(session: TableSession) -> None:
    await session.apply(await session.plan(Truncate(keep_turns=1)))


READS: dict[str, Callable[[TableSession], Awaitable[Any]]] = {
    "get_items": lambda s: s.get_items(),
    "timeline": lambda s: s.timeline(),
    "recent": lambda s: s.recent(2),
    "revision": lambda s: s.revision(),
    "changes": lambda s: s.changes(),
    "holder": lambda s: s.holder(),
    "waiting": lambda s: s.waiting(),
}

WRITES: dict[str, Callable[[TableSession], Awaitable[Any]]] = {
    "add_items": lambda s: s.add_items(turn(9)),
    "append with a note": lambda s: s.append(turn(9), agent="Triage", note=("limit", {})),
    "pop": lambda s: s.pop_item(),
    "clear": lambda s: s.clear_session(),
    "apply": plan_and_apply,
    "undo": lambda s: s.undo(),
    "branch": lambda s: s.branch("another"),
    "acquire": lambda s: s.acquire("me", 30),
    "pause": lambda s: s.pause("frozen", []),
    "purge": lambda s: s.purge(),
}


async def fill(session: TableSession) -> None:
    """A session in which everything above has something to do."""
    await session.append(turns(6), agent="Triage")
    entries = (await session.timeline()).entries
    await session.apply(await session.plan(RollBack(entries[-5].id)))


def whole(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as db:
        return db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
