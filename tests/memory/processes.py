"""What another process does in a test: `python -m tests.memory.processes <what> <arguments as JSON>`."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from memory import SessionBusy, SQLiteSession

from .items import assistant, user

SESSION = "ticket_456"


async def write(path: str, name: str, tasks: int, batches: int) -> dict[str, Any]:
    """Append batches of three from several tasks at once, while a reader looks on; what the reader saw."""
    session = SQLiteSession(SESSION, path)
    seen: list[int] = []

    async def one(task: int) -> None:
        for batch in range(batches):
            items = [user(f"{name}.{task}/{batch}/{part}") for part in range(3)]
            await session.append(items, agent=f"{name}.{task}")

    async def look(writers: asyncio.Future[Any]) -> None:
        reader = SQLiteSession(SESSION, path)
        while not writers.done():
            newest = [str(item["content"]) for item in await reader.get_items(30)]
            seen.append((await reader.timeline(limit=1)).total or 0)
            whole = [newest[start : start + 3] for start in range(0, len(newest), 3)]
            assert all(text.endswith(f"/{part}") for three in whole for part, text in enumerate(three)), (
                newest
            )

    writers = asyncio.gather(*map(one, range(tasks)))
    await asyncio.gather(writers, look(writers))
    assert seen == sorted(seen)
    return {"looks": len(seen)}


async def take_turns(path: str, name: str, turns: int) -> dict[str, Any]:
    """Store whole turns of two appends, each under a lease that is fought for."""
    session = SQLiteSession(SESSION, path)
    numbers: list[int] = []
    refused = 0
    while len(numbers) < turns:
        try:
            lease = await session.acquire(name, 60)
        except SessionBusy:
            refused += 1
            await asyncio.sleep(0.001)
            continue
        turn = f"{name}/{len(numbers)}"
        await session.append([user(turn)], lease=lease)
        await session.append([assistant(turn)], agent=name, lease=lease)
        numbers.append(lease.number)
        await session.release(lease)
    return {"numbers": numbers, "refused": refused}


async def abandon(path: str, seconds: float) -> dict[str, Any]:
    """Take the lease, store a question and be gone."""
    session = SQLiteSession(SESSION, path)
    lease = await session.acquire("abandoned", seconds)
    await session.append([user("Is anybody there?")], lease=lease)
    print(json.dumps({"number": lease.number}), flush=True)
    os._exit(9)


async def open_and_write(path: str, name: str) -> dict[str, Any]:
    """Be one of many who begin a file."""
    await SQLiteSession(SESSION, path).append([user(name)])
    return {}


WHAT: dict[str, Callable[..., Awaitable[dict[str, Any]]]] = {
    "write": write,
    "take_turns": take_turns,
    "abandon": abandon,
    "open_and_write": open_and_write,
}


async def _at_work(what: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return await WHAT[what](**arguments)


class Process:
    """Another process at work; `told` waits for it and gives what it says at the end."""

    def __init__(self, what: str, **arguments: Any) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.memory.processes", what, json.dumps(arguments)],
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def told(self, *, code: int = 0) -> dict[str, Any]:
        said, failed = self._process.communicate(timeout=120)
        assert self._process.returncode == code, failed
        found: dict[str, Any] = json.loads(said)
        return found


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_at_work(sys.argv[1], json.loads(sys.argv[2])))))
