"""Long work in the background: known by an address, stopped by whoever asks, closed with the desk.

It belongs to the desk, not to the tab that asked for it: it goes on whoever looks, and how it ended is kept
until a person has seen it. It goes in batches, each whole, so it can be ended anywhere and gone on with.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any, Generic, TypeAlias, TypeVar

from .refusals import refusal
from .runs import Runs
from .values import Address, Outcome, Work

W = TypeVar("W", bound=Work)

Facts: TypeAlias = dict[str, Any]
"""Fields of a `Work`, to be replaced."""

KEPT = 200  # ended works of a kind that are remembered, the newest


class Background(Generic[W]):
    """The works of one kind of one desk, one at a time of each address.

    Used on the loop; `of` and `forget` may be called from any thread.
    """

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self._closing = False
        self._lock = threading.Lock()
        self._known: OrderedDict[Address, W] = OrderedDict()
        self._tasks: dict[Address, asyncio.Task[None]] = {}

    def of(self, address: Address) -> W | None:
        """The work at an address that is going on, or the one that ended last."""
        with self._lock:
            return self._known.get(address)

    def forget(self, address: Address) -> None:
        """Drop a work that has ended."""
        with self._lock:
            known = self._known.get(address)
            if known is not None and not known.active:
                del self._known[address]

    async def stop(self, address: Address) -> Outcome:
        """End a work where it can be gone on with; what was done stays."""
        task = self._tasks.get(address)
        if task is None:
            return Outcome(False, "nothing_to_stop")
        task.cancel()
        return Outcome(True)

    async def close(self) -> None:
        """End every work where it can be gone on with, and begin none any more."""
        self._closing = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=3.0)

    # What a kind of work begins, tells and ends with

    def _begin(self, address: Address, work: W, doing: Coroutine[Any, Any, Facts], changes: Address) -> None:
        """Let `doing` go on; it gives how the work ended. Pages of `changes` look again then."""
        self._save(address, work)
        self._tasks[address] = asyncio.create_task(self._go(address, doing, changes))

    async def _go(self, address: Address, doing: Coroutine[Any, Any, Facts], changes: Address) -> None:
        end = await doing
        self._change(address, **end)
        del self._tasks[address]
        self._runs.changed(changes)

    def _tell(self, address: Address, done: int, total: int) -> None:
        self._change(address, done=done, total=total)

    def _change(self, address: Address, **facts: Any) -> None:
        with self._lock:
            self._known[address] = replace(self._known[address], **facts)

    def _save(self, address: Address, work: W) -> None:
        with self._lock:
            self._known[address] = work
            self._known.move_to_end(address)
            ended = [other for other, known in self._known.items() if not known.active]
            for other in ended[: max(0, len(self._known) - KEPT)]:
                del self._known[other]


async def ending(
    name: str, doing: Coroutine[Any, Any, Any], stopped: str, nothing: str = "nothing_to_do"
) -> Facts:
    """How `doing` ended: what it gave as the field `name`, or its problem, `stopped` where it was cancelled.

    `nothing` is the problem where there was nothing to act on.
    """
    try:
        return {name: await doing}
    except asyncio.CancelledError:
        return {"problem": stopped}
    except Exception as error:
        told = refusal(error, nothing)
        return {"problem": told.reason, "params": told.params}
