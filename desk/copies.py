"""Copies from one backend to another."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from memory.carrying import COPIER
from memory.copying import copy, fits, owner_of
from memory.errors import MemoryDeskError

from .background import Background, Facts, ending
from .values import Address, Copying, Outcome

if TYPE_CHECKING:
    from memory.inspectable import InspectableSession

    from .runs import Runs
    from .stores import Stores

BATCH = 200  # entries that are read and written at a time: no more than a page, as other sessions wait for it

BLOCKED = ("stale", "session_not_empty")  # how a copy ends that the same one cannot go on with


class Copies(Background[Copying]):
    """The copies of one desk by their source, one at a time of each session and to each place.

    `into` may be asked from any thread.
    """

    def __init__(self, stores: Stores, runs: Runs) -> None:
        super().__init__(runs)
        self._stores = stores
        self._targets: set[Address] = set()
        # One for the life of this desk: a store that was away when a copy ended still names it as the holder.
        self._owner = owner_of(uuid4().hex)

    def into(self, target: Address) -> bool:
        """Whether something is being copied there."""
        return target in self._targets

    async def start(self, source: Address, target: Address) -> Outcome:
        """Begin a copy, if it can be made. Raises what the stores raise."""
        if self._closing:
            return Outcome(False, "closing")
        if source == target:
            return Outcome(False, "same_place")
        if "none" in (source.backend, target.backend):
            return Outcome(False, "not_supported")
        if self._runs.busy(target):
            return Outcome(False, "busy")
        if source in self._tasks or {source, target} & self._targets:
            return Outcome(False, "copy_running")
        self._targets.add(target)
        begun = False
        try:
            here, there = await self._stores.session(source), await self._stores.session(target)
            problem = await self._problem(here, there, source)
            if problem is None:
                begun = True
                copying = Copying(uuid4().hex, source, target)
                self._begin(source, copying, self._make(copying, here, there), changes=target)
        finally:
            if not begun:
                self._targets.discard(target)
        if problem is not None:
            return Outcome(False, problem, {"session": target.session_id})
        return Outcome(True, session_id=target.session_id)

    async def _make(self, copying: Copying, here: InspectableSession, there: InspectableSession) -> Facts:
        tell, origin = partial(self._tell, copying.source), str(copying.source)
        making = copy(here, there, progress=tell, batch=BATCH, origin=origin, owner=self._owner)
        try:
            end = await ending("receipt", making, stopped="copy_stopped", nothing="nothing_to_copy")
            if "params" in end:
                end["params"] = {**end["params"], "session": copying.target.session_id}
            if end.get("problem") == "copy_stopped" and not self._closing:
                end |= await self._there(copying, there)
            elif end.get("problem") in BLOCKED:
                end |= await self._left(copying, there)
            return end
        finally:
            self._targets.discard(copying.target)

    async def _problem(
        self, here: InspectableSession, there: InspectableSession, source: Address
    ) -> str | None:
        """Why the copy could not be made, as a catalogue key; None if it can."""
        if await here.mark() is None:
            return "nothing_to_copy"
        holder = await there.holder()
        if holder is not None and holder.owner != self._owner:
            return "copying_elsewhere" if holder.owner.startswith(COPIER) else "busy_elsewhere"
        if not await fits(there, str(source)):
            return "session_not_empty"
        return None

    async def _there(self, copying: Copying, there: InspectableSession) -> dict[str, int]:
        """How much of a stopped copy is there: the batch that was on its way came along.

        Nothing before it was known that what is there belongs to the copy, or where that cannot be read.
        """
        known = self.of(copying.source)
        if known is None or known.total is None:
            return {}
        try:
            found = (await there.timeline(limit=1)).total
        except (MemoryDeskError, asyncio.CancelledError):  # stopped twice is stopped
            found = None
        return {} if found is None else {"done": found}

    async def _left(self, copying: Copying, there: InspectableSession) -> dict[str, Any]:
        """What is there of a copy that cannot be gone on with, if that is all that is there."""
        try:
            found = (await there.timeline(limit=1)).total
            if not found or not await fits(there, str(copying.source)):
                return {}
        except (MemoryDeskError, asyncio.CancelledError):
            return {}
        return {"done": found, "unfinished": True}
