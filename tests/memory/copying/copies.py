"""What the tests of copying look at, and how they disturb a copy."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from typing import Any

from memory import InspectableSession
from memory.entries import Timeline

from ..items import Item


def content(items: list[Item]) -> str:
    """The digest that a receipt gives of these items."""
    lines = [json.dumps(item, sort_keys=True, separators=(",", ":")).encode() for item in items]
    return sha256(b"".join(sha256(line).digest() for line in lines)).hexdigest()


async def notes(session: InspectableSession) -> list[tuple[str, dict[str, Any], int | None]]:
    """(kind, detail, position of the entry it stands behind), in order."""
    timeline: Timeline = await session.timeline(limit=10**6)
    place = {entry.id: entry.position for entry in timeline.entries}
    return [
        (note.kind, note.detail, None if note.after is None else place[note.after])
        for note in await session.notes(timeline)
    ]


BEGIN = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=1)


def at(seconds: int) -> datetime:
    """A time within the last hour, so that nothing of it has expired."""
    return BEGIN + timedelta(seconds=seconds)


class Interrupted(Exception):
    """The test stops a copy."""


class Stopper:
    """A progress that ends the copy after so many batches."""

    def __init__(self, batches: int) -> None:
        self.left = batches

    def __call__(self, done: int, total: int) -> None:
        if self.left == 0:
            raise Interrupted
        self.left -= 1


def meanwhile(session: InspectableSession, moment: int, do: Callable[[], Any]) -> None:
    """Let something happen before batch number `moment` (from 0) is stored, or before the copy is ended."""
    carry, finish, times = session.carry, session.finish_copy, count()

    async def carrying(*args: Any, **how: Any) -> str:
        if next(times) == moment:
            await do()
        return await carry(*args, **how)

    async def finishing(*args: Any, **how: Any) -> None:
        if next(times) == moment:
            await do()
        await finish(*args, **how)

    session.carry, session.finish_copy = carrying, finishing  # type: ignore[method-assign]


_numbers = count(1)


def own_tables() -> dict[str, Any]:
    """Names that no other test uses."""
    number = next(_numbers)
    return {"sessions_table": f"copied sessions {number}", "messages_table": f"copied messages {number}"}
