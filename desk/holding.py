"""Holding a session for one run: its lease is taken, renewed while the run lives, and given back."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Self

from memory.errors import LeaseLost, MemoryDeskError

if TYPE_CHECKING:
    from memory.inspectable import InspectableSession
    from memory.notes import Lease

log = logging.getLogger(__name__)


class Hold:
    """A session and the lease of it."""

    def __init__(self, session: InspectableSession, lease: Lease, seconds: float) -> None:
        self.session = session
        self.lease = lease
        self._seconds = seconds
        self._renewing: asyncio.Task[None] | None = None

    @classmethod
    async def take(cls, session: InspectableSession, owner: str, seconds: float) -> Self:
        """Take the session for `seconds` at a time. Raises SessionBusy, StoreUnavailable."""
        return cls(session, await session.acquire(owner, seconds), seconds)

    def keep(self, lost: Callable[[], None]) -> None:
        """Renew the lease from now on; `lost` is called once if another run has taken the session."""
        self._renewing = asyncio.create_task(self._renew(lost))

    async def give_back(self) -> None:
        """Let others have the session. Where the store cannot be written, the lease runs out by itself."""
        if self._renewing is not None:
            self._renewing.cancel()
            await asyncio.gather(self._renewing, return_exceptions=True)
        with contextlib.suppress(MemoryDeskError):
            await self.session.release(self.lease)

    async def _renew(self, lost: Callable[[], None]) -> None:
        while True:
            await asyncio.sleep(self._seconds / 3)
            try:
                await self.session.renew(self.lease, self._seconds)
            except LeaseLost:
                lost()
                return
            except MemoryDeskError as error:
                log.warning("A lease could not be renewed (%s); trying again.", type(error).__name__)
