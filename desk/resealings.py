"""Moving sessions to their newest key, in the background: it belongs to the desk, not to the tab that asked.

A move goes in batches, each a transaction of its own, so it can end anywhere: what was moved is under the
newest key, the rest under the old one, and both are read. Begun again, it goes on with the rest.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from memory.encrypted_session import EncryptedSession
from memory.errors import NotSupported

from .refusals import refusal
from .values import Address, Outcome, Resealing

if TYPE_CHECKING:
    from memory.inspectable import InspectableSession

    from .runs import Runs

KEPT = 200  # ended moves that are remembered, the newest


class Resealings:
    """The moves of one desk, one at a time of each session. Used on the loop; `of` from any thread."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self._lock = threading.Lock()
        self._known: OrderedDict[Address, Resealing] = OrderedDict()
        self._tasks: dict[Address, asyncio.Task[None]] = {}
        self._closing = False

    def of(self, address: Address) -> Resealing | None:
        """The move of a session that is going on, or the one that ended last."""
        with self._lock:
            return self._known.get(address)

    def forget(self, address: Address) -> None:
        """Drop a move that has ended."""
        with self._lock:
            known = self._known.get(address)
            if known is not None and not known.active:
                del self._known[address]

    async def start(self, address: Address, session: InspectableSession) -> Outcome:
        """Begin a move; one that is going on goes on."""
        if self._closing:
            return Outcome(False, "closing")
        if not isinstance(session, EncryptedSession):
            raise NotSupported("This session is not encrypted.")
        if address not in self._tasks:
            self._save(Resealing(uuid4().hex, address))
            self._tasks[address] = asyncio.create_task(self._make(address, session))
        return Outcome(True)

    async def stop(self, address: Address) -> Outcome:
        """End a move after the batch it is at; what was moved stays moved."""
        task = self._tasks.get(address)
        if task is None:
            return Outcome(False, "nothing_to_stop")
        task.cancel()
        return Outcome(True)

    async def close(self) -> None:
        """End every move where it can be gone on with."""
        self._closing = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=3.0)

    async def _make(self, address: Address, session: EncryptedSession) -> None:
        def tell(done: int, total: int) -> None:
            self._change(address, done=done, total=total)

        end: dict[str, Any]
        try:
            end = {"result": await session.reencrypt(tell)}
        except asyncio.CancelledError:
            end = {"problem": "reseal_stopped"}
        except Exception as error:
            told = refusal(error)
            end = {"problem": told.reason, "params": told.params}
        self._change(address, **end)
        del self._tasks[address]
        self._runs.changed(address)

    def _change(self, address: Address, **facts: Any) -> None:
        with self._lock:
            self._known[address] = replace(self._known[address], **facts)

    def _save(self, resealing: Resealing) -> None:
        with self._lock:
            self._known[resealing.address] = resealing
            self._known.move_to_end(resealing.address)
            ended = [address for address, known in self._known.items() if not known.active]
            for address in ended[: max(0, len(self._known) - KEPT)]:
                del self._known[address]
