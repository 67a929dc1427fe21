"""What is measured, and the ratios that must be reached on file at 10,000 and 100,000 items."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from .contenders import Contender
from .sample import Item, items, turn

Step = Callable[[Contender, int], Awaitable[Any]]
"""Something a store of so many items does."""

TURN: list[Item] = turn(0)
SIXTY = items(60)
TRUNCATED = 10_000
"""The size at which truncating to 20 has a floor: where the price is the rows that go, so is the work."""


async def _nothing(store: Contender, size: int) -> None:
    pass


@dataclass(frozen=True)
class Work:
    """One measured call. `ready` and `restore` run before and after it, unmeasured.

    `floors` are (cold, warm): how many times as fast as the SDK. `floor_at` limits them to one size.
    """

    title: str
    call: Step
    floors: tuple[float, float]
    ready: Step = _nothing
    restore: Step = _nothing
    light: bool = True  # may be repeated often, whatever the size
    floor_at: int | None = None
    only_on_file: bool = False

    def floor(self, size: int, *, cold: bool) -> float | None:
        if size < 10_000 or self.floor_at not in (None, size):
            return None
        return self.floors[0 if cold else 1]


# What appends and does not restore comes last, so that a small session is still small for the others.
WORKS = [
    Work("read the newest 20", lambda store, size: store.newest(20), (1.2, 1.7)),
    Work("read all", lambda store, size: store.everything(), (1.3, 1.4), light=False),
    Work(
        "open another session, first read",
        lambda store, size: store.open_another(),
        (2.5, 4),
        only_on_file=True,
    ),
    Work(
        "pop", lambda store, size: store.pop(), (0.9, 0.9), restore=lambda store, size: store.add(SIXTY[:1])
    ),
    Work(
        "roll back 60",
        lambda store, size: store.roll_back(60),
        (10, 15),
        ready=lambda store, size: store.ready_to_roll_back(60),
        restore=lambda store, size: store.add(SIXTY),
    ),
    Work(
        "roll back half",
        lambda store, size: store.roll_back_at_once(size // 2),
        (2, 4),
        ready=lambda store, size: store.ready_to_roll_back(size // 2),
        restore=lambda store, size: store.put_back(size // 2),
        light=False,
    ),
    Work(
        "truncate to 20",
        lambda store, size: store.truncate(20),
        (1.0, 1.0),
        restore=lambda store, size: store.put_back(size - 20),
        light=False,
        floor_at=TRUNCATED,
    ),
    Work("append a turn of 6", lambda store, size: store.add(TURN), (1.1, 1.1)),
]
