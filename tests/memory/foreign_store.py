"""Somebody's own session, which a test can disturb, and what may happen to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memory import InspectableSession, RollBack

from .items import Item
from .stores import ListSession


class Store(ListSession):
    """Somebody's own session, which a test can disturb.

    `before_pop` and `before_add` are called with the number of the call, from 1, before it does anything.
    """

    def __init__(self, items: list[Any] | None = None, session_id: str = "mine") -> None:
        super().__init__(session_id)
        self.items = list(items or [])
        self.pops = self.adds = 0
        self.before_pop: Callable[[int], None] = lambda number: None
        self.before_add: Callable[[int], None] = lambda number: None

    async def pop_item(self) -> Item | None:
        self.pops += 1
        self.before_pop(self.pops)
        return await super().pop_item()

    async def add_items(self, items: list[Item]) -> None:
        self.adds += 1
        self.before_add(self.adds)
        await super().add_items(items)


class Crash(BaseException):
    """The end of the process, as far as one test goes."""


def at(number: int, happen: Callable[[], Any]) -> Callable[[int], None]:
    """Let something happen at one call."""

    def hook(current: int) -> None:
        if current == number:
            happen()

    return hook


def failing() -> None:
    raise ConnectionError("the store is not there")


def crashing() -> None:
    raise Crash


async def roll_back(seen: InspectableSession, keep: int) -> None:
    """Roll back to the entry at this position; nothing is kept for 0."""
    entries = (await seen.timeline()).entries
    await seen.apply(await seen.plan(RollBack(to=entries[keep - 1].id if keep else None)))
