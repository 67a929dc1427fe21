"""Copies from one backend to another: they belong to the desk, not to the tab that asked for them."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from memory.carrying import COPIER
from memory.copying import copy, fits, owner_of
from memory.errors import MemoryDeskError

from .refusals import refusal
from .values import Address, Copying, Outcome

if TYPE_CHECKING:
    from memory.inspectable import InspectableSession

    from .runs import Runs
    from .stores import Stores

BATCH = 200  # entries that are read and written at a time: no more than a page, as other sessions wait for it

KEPT = 200  # ended copies that are remembered, the newest


class Copies:
    """The copies of one desk, one at a time of each session and to each place.

    Used on the loop; `of` and `into` may be asked from any thread.
    """

    def __init__(self, stores: Stores, runs: Runs) -> None:
        self._stores = stores
        self._runs = runs
        self._lock = threading.Lock()
        self._known: OrderedDict[Address, Copying] = OrderedDict()  # by source
        self._tasks: dict[Address, asyncio.Task[None]] = {}  # by source
        self._targets: set[Address] = set()
        self._closing = False
        # One for the life of this desk: a store that was away when a copy ended still names it as the holder.
        self._owner = owner_of(uuid4().hex)

    def of(self, source: Address) -> Copying | None:
        """The copy of a session that is going on, or the one that ended last."""
        with self._lock:
            return self._known.get(source)

    def forget(self, source: Address) -> None:
        """Drop a copy that has ended."""
        with self._lock:
            known = self._known.get(source)
            if known is not None and not known.active:
                del self._known[source]

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
                self._begin(Copying(uuid4().hex, source, target), here, there)
        finally:
            if not begun:
                self._targets.discard(target)
        if problem is not None:
            return Outcome(False, problem, {"session": target.session_id})
        return Outcome(True, session_id=target.session_id)

    async def stop(self, source: Address) -> Outcome:
        """End a copy; what is there of it stays."""
        task = self._tasks.get(source)
        if task is None:
            return Outcome(False, "nothing_to_stop")
        task.cancel()
        return Outcome(True)

    async def close(self) -> None:
        """End every copy, each where it can be gone on with."""
        self._closing = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=3.0)

    def _begin(self, copying: Copying, here: InspectableSession, there: InspectableSession) -> None:
        self._save(copying)
        task = asyncio.create_task(self._make(copying, here, there))
        self._tasks[copying.source] = task

    async def _make(self, copying: Copying, here: InspectableSession, there: InspectableSession) -> None:
        def tell(done: int, total: int) -> None:
            self._save(replace(copying, done=done, total=total))

        end: dict[str, Any]
        try:
            receipt = await copy(
                here, there, progress=tell, batch=BATCH, origin=str(copying.source), owner=self._owner
            )
            end = {"receipt": receipt}
        except asyncio.CancelledError:
            end = {"problem": "copy_stopped"}
        except Exception as error:
            told = refusal(error, "nothing_to_copy")
            end = {"problem": told.reason, "params": {**told.params, "session": copying.target.session_id}}
        if end.get("problem") == "copy_stopped" and not self._closing:
            end |= await self._there(copying, there)
        with self._lock:
            self._known[copying.source] = replace(self._known[copying.source], **end)
        del self._tasks[copying.source]
        self._targets.discard(copying.target)
        self._runs.changed(copying.target)

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

    def _save(self, copying: Copying) -> None:
        with self._lock:
            self._known[copying.source] = copying
            self._known.move_to_end(copying.source)
            ended = [source for source, known in self._known.items() if not known.active]
            for source in ended[: max(0, len(self._known) - KEPT)]:
                del self._known[source]
