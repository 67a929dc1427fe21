"""Holding a session for one run: its lease is taken, renewed while the run lives, and given back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from memory.errors import LeaseLost, MemoryDeskError
from memory.finishing import to_the_end

from .alive import Alive
from .values import Address

if TYPE_CHECKING:
    from memory.inspectable import InspectableSession
    from memory.notes import Lease

log = logging.getLogger(__name__)


class Hold:
    """A session and the lease of it."""

    def __init__(self, holds: Holds, address: Address, session: InspectableSession, lease: Lease) -> None:
        self.address = address
        self.session = session
        self.lease = lease
        self._holds = holds
        self._renewing: asyncio.Task[None] | None = None

    def keep(self, lost: Callable[[], None]) -> None:
        """Renew the lease from now on; `lost` is called once if another run has taken the session."""
        self._renewing = asyncio.create_task(self._renew(lost))

    async def give_back(self) -> None:
        """Let others have the session. Does not raise; see `Holds` for a store that cannot be written."""
        if self._renewing is not None:
            self._renewing.cancel()
            await asyncio.gather(self._renewing, return_exceptions=True)
        try:
            await self.session.release(self.lease)
        except MemoryDeskError:
            self._holds.owed[self.address] = self.lease
        self._holds.out.discard(self.lease)

    async def _renew(self, lost: Callable[[], None]) -> None:
        while True:
            await asyncio.sleep(self._holds.seconds / 3)
            try:
                await self.session.renew(self.lease, self._holds.seconds)
            except LeaseLost:
                lost()
                return
            except MemoryDeskError as error:
                log.warning("A lease could not be renewed (%s); trying again.", type(error).__name__)


class Holds:
    """The leases of one desk, each for `seconds` at a time.

    A lease that could not be given back, because the store could not be written just then or nobody waited
    for it any more, is owed: it is given back before anything else is asked of the session, and runs out
    otherwise. `out` are those that runs have.
    """

    def __init__(self, seconds: float, data: Path) -> None:
        self.owner = uuid4().hex
        self.seconds = seconds
        self.owed: dict[Address, Lease] = {}
        self.out: set[Lease] = set()
        self._alive = Alive(data, self.owner)

    async def take(self, address: Address, session: InspectableSession) -> Hold:
        """Take a session. Raises SessionBusy, StoreUnavailable."""
        await self.free(address, session)
        if address.backend != "memory":  # which no other server knows of
            self._alive.begin()
        taken: list[Lease] = []

        async def acquire() -> None:
            taken.append(await session.acquire(self.owner, self.seconds))

        try:
            await to_the_end(acquire())
        except asyncio.CancelledError:
            if taken:
                self.owed[address] = taken[0]
            raise
        (lease,) = taken
        self.out.add(lease)
        return Hold(self, address, session, lease)

    def elsewhere(self, lease: Lease | None) -> Lease | None:
        """The lease, where it is neither one of this desk nor of a server that has died."""
        if lease is None or lease.owner == self.owner or self._alive.dead(lease.owner):
            return None
        return lease

    async def free(self, address: Address, session: InspectableSession) -> None:
        """Give back what is owed of a session, or was held by a server that died. Raises StoreUnavailable."""
        if (lease := self.owed.get(address)) is not None:
            await session.release(lease)
            del self.owed[address]
        left = await session.holder()
        if left is not None and self._alive.dead(left.owner):
            await session.release(left)

    def close(self) -> None:
        """This server ends. What it could not give back is free all the same."""
        self._alive.close(holds=bool(self.out or self.owed))
