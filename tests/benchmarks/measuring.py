"""Rounds in which the contenders take turns, so that a busy machine is busy for all of them.

Cold: `gc.collect()` before each call, which also sweeps the processor's caches. Warm: call after call.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from .contenders import MEMORY, Bare, Contender, Ours, Sdk, fill_another
from .sample import items
from .works import SIXTY, TURN, WORKS, Work

CONTENDERS: tuple[type[Contender], ...] = (Ours, Sdk, Bare)


@dataclass(frozen=True)
class Effort:
    """How often each call is made: per round and contender, warm and cold, light works and heavy ones.

    Many short rounds rather than few long ones: what else the machine does then falls on all alike.
    """

    rounds: int
    light: int
    heavy: int
    cold: int

    def warm_calls(self, work: Work, size: int) -> int:
        return self.light if work.light else max(1, min(self.light, self.heavy * 10_000 // size))

    def cold_calls(self, work: Work, size: int) -> int:
        return self.cold if work.light else min(self.cold, self.warm_calls(work, size))


FULL = Effort(rounds=11, light=40, heavy=3, cold=4)
QUICK = Effort(rounds=5, light=20, heavy=2, cold=2)


@dataclass
class Timings:
    """Seconds per call, one median per round, of one work at one size; the bare driver only warm."""

    warm: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    cold: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def of(self, name: str, *, cold: bool) -> float:
        return median((self.cold if cold else self.warm)[name])

    def ratio(self, *, cold: bool) -> float:
        """How many times as fast as the SDK: the median over rounds, each compared with itself."""
        by_name = self.cold if cold else self.warm
        return median(sdk / ours for sdk, ours in zip(by_name[Sdk.name], by_name[Ours.name], strict=True))


@asynccontextmanager
async def stores(folder: Path | None, size: int) -> AsyncIterator[list[Contender]]:
    """Every contender over a store of its own with `size` items; in memory where there is no folder."""
    opened: list[Contender] = []
    sample = items(size)
    try:
        for kind in CONTENDERS:
            store = kind()
            path = folder / f"{kind.__name__}.db" if folder else None
            await store.open(str(path) if path else MEMORY)
            opened.append(store)
            await store.fill(sample)
            if path:
                fill_another(path, items(20))
            if isinstance(store, Bare):
                store.prepare(TURN)
                store.prepare(SIXTY)
        yield opened
    finally:
        for store in opened:
            store.close()


async def compare(opened: list[Contender], work: Work, size: int, effort: Effort) -> Timings:
    """Measure one work."""
    timings = Timings()
    for round_ in range(effort.rounds):
        order = opened if round_ % 2 == 0 else opened[::-1]
        for store in order:
            taken = await _calls(store, work, size, effort.warm_calls(work, size), collect=False)
            timings.warm[store.name].append(median(taken))
        for store in order:
            if not isinstance(store, Bare):
                taken = await _calls(store, work, size, effort.cold_calls(work, size), collect=True)
                timings.cold[store.name].append(median(taken))
    return timings


async def _calls(store: Contender, work: Work, size: int, times: int, *, collect: bool) -> list[float]:
    taken = []
    for _ in range(times):
        await work.ready(store, size)
        if collect:
            gc.collect()
        start = time.perf_counter()
        await work.call(store, size)
        taken.append(time.perf_counter() - start)
        await work.restore(store, size)
    return taken


async def compare_all(
    folder: Path | None, size: int, effort: Effort, tell: Callable[[str], None]
) -> dict[str, Timings]:
    """Measure every work at one size."""
    results = {}
    async with stores(folder, size) as opened:
        for work in WORKS:
            if work.only_on_file and folder is None:
                continue
            results[work.title] = await compare(opened, work, size, effort)
            tell(f"{work.title}: {results[work.title].ratio(cold=False):.2f} times as fast")
    return results


@dataclass
class Crowd:
    """Eight tasks at once: turns stored per second, and the slowest of a hundred waits, in seconds."""

    per_second: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    p99: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


async def crowd(folder: Path, effort: Effort, tasks: int = 8) -> Crowd:
    """Each task appends turns to a session of its own, all in one file."""
    found = Crowd()
    turns = effort.light * 2
    for round_ in range(effort.rounds):
        kinds: list[type[Contender]] = [Ours, Sdk]
        for kind in kinds if round_ % 2 == 0 else kinds[::-1]:
            path = folder / f"crowd-{kind.__name__}.db"
            opened = []
            for number in range(tasks):
                store = kind(f"session {number}")
                await store.open(str(path))
                await store.add(TURN)
                opened.append(store)
            waits: list[float] = []
            start = time.perf_counter()
            await asyncio.gather(*(_append(store, turns, waits) for store in opened))
            elapsed = time.perf_counter() - start
            found.per_second[kind.name].append(tasks * turns / elapsed)
            found.p99[kind.name].append(sorted(waits)[int(len(waits) * 0.99)])
            for store in opened:
                await store.leave()
            for store in opened:
                store.close()
    return found


async def _append(store: Contender, turns: int, waits: list[float]) -> None:
    for _ in range(turns):
        start = time.perf_counter()
        await store.add(TURN)
        waits.append(time.perf_counter() - start)


async def pages(folder: Path, sizes: tuple[int, ...], effort: Effort) -> dict[str, dict[int, float]]:
    """Seconds for a page of 200 entries at each size: the newest one, and the one in the middle."""
    opened: dict[int, Ours] = {}
    for size in sizes:
        store = opened[size] = Ours()
        await store.open(str(folder / f"page-{size}.db"))
        await store.fill(items(size))
    taken: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    looks: dict[str, Callable[[Ours], Awaitable[object]]] = {"newest": Ours.page, "older": Ours.older_page}
    for _ in range(effort.rounds):
        for title, look in looks.items():
            for size, store in opened.items():
                await look(store)  # once, as a page that is open has done
                for _ in range(effort.light // 6):
                    start = time.perf_counter()
                    await look(store)
                    taken[title][size].append(time.perf_counter() - start)
    for store in opened.values():
        store.close()
    return {title: {size: median(times) for size, times in by.items()} for title, by in taken.items()}
