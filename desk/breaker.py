"""Looking at a database that may have fallen silent, so that no page waits for it again and again.

Drawing a page takes several looks, one after the other, and a server that is gone without a word lets each of
them wait. So the first one that fails tells the others: for a while they are answered at once, with the same
error, and then one of them tries again. A look that is not waited for any more goes on by itself; when the
database does answer it, the others may look again.

Only looks are treated like this. A write keeps all of its patience: what may be stored must be known.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from memory.errors import StoreUnavailable

T = TypeVar("T")

PATIENCE = 8.0
"""Seconds of silence that a look waits for: longer than a slow server takes for one statement, and as long
as a person may stare at a page that says nothing. A look of many statements may take longer, if each is
answered."""

AGAIN = 5.0
"""Seconds for which looks are answered at once before one tries again."""

BRIEFLY = 0.5
"""Seconds to wait for the one that tries again: the page has said what is wrong, and stays quick."""

TELLING = ("silent", "unreachable", "unknown")
"""Causes that concern the database as a whole, where the next look would wait as long and fail alike."""

SILENT = "The database did not answer in time. Nothing was changed."


class Breaker:
    """Looks at one database. `heard` says when it answered anything last (monotonic). Used on the loop."""

    def __init__(self, heard: Callable[[], float]) -> None:
        self._heard = heard
        self._trouble: StoreUnavailable | None = None
        self._again = 0.0
        self._well = 0.0  # when a look ended well last
        self._late: dict[asyncio.Future[Any], float] = {}  # when each look that goes on began

    @property
    def broken(self) -> bool:
        """Whether a look would be answered at once now."""
        return self._trouble is not None and time.monotonic() < self._again

    async def look(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What `work` returns. Raises what it raises, or StoreUnavailable without having waited for it."""
        trouble = self._trouble
        if trouble is not None and self.broken:
            raise _same(trouble)
        self._again = time.monotonic() + AGAIN  # one tries; the others are answered meanwhile
        task = asyncio.ensure_future(work())
        self._late[task] = time.monotonic()
        task.add_done_callback(self._ended)
        await self._wait(task, BRIEFLY if trouble is not None else None)
        if not task.done():
            self.note(trouble or StoreUnavailable(SILENT, "silent"))
        elif self._trouble is None or getattr(task.exception(), "why", "") not in TELLING:
            return task.result()
        raise _same(self._trouble or StoreUnavailable(SILENT, "silent"))

    def note(self, error: BaseException) -> None:
        """Something was tried of the database and ended like this."""
        if isinstance(error, StoreUnavailable) and error.why in TELLING:
            # A look stores nothing, so whether something was stored is no question of its own.
            why = "unreachable" if error.why == "unknown" else error.why
            self._trouble = StoreUnavailable(str(error), why)
            self._again = time.monotonic() + AGAIN

    def looks(self) -> set[asyncio.Future[Any]]:
        """Those that go on although nobody waits for them any more."""
        return set(self._late)

    async def _wait(self, task: asyncio.Future[Any], seconds: float | None) -> None:
        begun = time.monotonic()
        while not task.done():
            if seconds is not None:
                left = begun + seconds - time.monotonic()
            else:
                left = max(begun, self._heard()) + PATIENCE - time.monotonic()
            if left <= 0:
                return
            await asyncio.wait({task}, timeout=left)

    def _ended(self, task: asyncio.Future[Any]) -> None:
        began = self._late.pop(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            self._trouble, self._well = None, time.monotonic()
        elif began > self._well:  # else it says how things were before others were answered
            self.note(error)


def _same(error: StoreUnavailable) -> StoreUnavailable:
    """The error once more, for somebody else to raise."""
    return StoreUnavailable(str(error), error.why)
