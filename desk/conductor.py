"""Runs from beginning to end: who may start one, and how it is stopped, decided and settled.

Everything here happens on the desk's loop. A run is accepted when its session is held and its question is
stored; only then does the person hear that it began. From there on it belongs to the desk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from memory.notes import Pause, PauseState

from .accepting import CLOSED, NOTHING_TO_RETRY, Door
from .cards import mask_cards
from .holding import Holds
from .job import Job
from .kept import save_kept
from .performing import Stage
from .runs import LiveRun, Runs
from .settling import settle
from .starting import FRONT
from .stopping import Stopper
from .values import AGENTS, Address, Outcome

if TYPE_CHECKING:
    from .orders import Orders
    from .running import Crew
    from .settings import Settings
    from .stores import Stores

Prepare = Callable[[], Awaitable[Job | Outcome]]
"""Makes a run ready; an Outcome refuses it."""

LONGEST_MESSAGE = 100_000
"""Characters of one message: more than a person types, and than most models read."""


class Conductor:
    """Starts, stops and settles the runs of one desk."""

    def __init__(
        self,
        settings: Settings,
        stores: Stores,
        runs: Runs,
        orders: Callable[[], Orders],
        crew: Callable[[], Awaitable[Crew]],
    ) -> None:
        self.holds = Holds(settings.lease, settings.data)
        self.loose: dict[Address, Pause] = {}  # decisions that wait where there is no memory
        self._settings = settings
        self._stores = stores
        self._runs = runs
        self._orders = orders
        self._door = Door(settings, stores, self.holds, orders, runs, self.loose)
        self._stage = Stage(settings, orders, crew, self.loose)
        self._tasks: set[asyncio.Task[None]] = set()
        self._stoppers: dict[str, Stopper] = {}  # by run id
        self._closing = False

    async def send(
        self, address: Address, text: str, agent: str | None, turns: int | None, language: str | None
    ) -> Outcome:
        if not text.strip():
            return Outcome(False, "empty")
        if len(text) > LONGEST_MESSAGE:
            return Outcome(False, "message_too_long", {"n": len(text), "most": LONGEST_MESSAGE})
        if (problem := _problem(agent, turns)) is not None:
            return problem
        run, before = LiveRun(address, text, agent or FRONT, language), self._runs.at(address)
        return await self._begin(run, lambda: self._door.ask(run, before, agent, turns))

    async def retry(
        self, address: Address, agent: str | None, turns: int | None, language: str | None
    ) -> Outcome:
        if (problem := _problem(agent, turns)) is not None:
            return problem
        if address.backend == "none":
            return await self._ask_again(address, agent, turns, language)
        run = LiveRun(address, None, agent or FRONT, language)
        return await self._begin(run, lambda: self._door.ask_again(run, agent, turns))

    async def _ask_again(
        self, address: Address, agent: str | None, turns: int | None, language: str | None
    ) -> Outcome:
        """Where there is no memory: the old turn is shown until the new one is answered."""
        if self._runs.busy(address):
            return Outcome(False, "busy")
        if (question := self._runs.take_back(address)) is None:
            return NOTHING_TO_RETRY
        outcome = await self.send(address, question, agent, turns, language)
        if not outcome.ok:
            self._runs.keep(address)
        return outcome

    async def decide(
        self,
        address: Address,
        pause_id: int,
        call_id: str,
        approve: bool,
        note: str,
        language: str | None,
    ) -> Outcome:
        if not await self._door.waits(address, pause_id, call_id):
            return CLOSED
        run = LiveRun(address, None, FRONT, language)
        word = mask_cards(note)  # it is stored, and told to the model
        return await self._begin(run, lambda: self._door.go_on(run, pause_id, call_id, approve, word))

    async def conclude(self, address: Address, pause_id: int) -> Outcome:
        """Close a decision whose effect is unknown, with what the orders say."""
        if self._runs.busy(address):
            return Outcome(False, "busy")
        if address.backend == "none":
            return CLOSED
        session = await self._stores.session(address)
        pause = await session.waiting()
        if pause is None or pause.id != pause_id or pause.status is not PauseState.DECIDING:
            return CLOSED
        hold = await self.holds.take(address, session)
        try:
            await settle(hold, self._orders())
        finally:
            await hold.give_back()
            self._runs.changed(address)
        return Outcome(True)

    async def save_again(self, address: Address) -> Outcome:
        """Try once more to store what the last run could not."""
        run = self._runs.at(address)
        if run is None or run.active or not run.kept:
            return Outcome(False, "nothing_to_save")
        hold = await self.holds.take(address, await self._stores.session(address))
        try:
            saved = await save_kept(run, hold, self._orders())
        finally:
            await hold.give_back()
            self._runs.changed(address)
        return Outcome(True, run_id=run.id) if saved else Outcome(False, "stale")

    async def stop(self, address: Address) -> Outcome:
        run = self._runs.at(address)
        stopper = self._stoppers.get(run.id) if run is not None else None
        if run is None or stopper is None or not run.active:
            return Outcome(False, "nothing_to_stop")
        run.stopping()
        stopper.ask("stopped")
        return Outcome(True, run_id=run.id)

    async def close(self) -> None:
        """Settle every live run: first gently, then at once, each within the time the settings give."""
        self._closing = True
        for run in self._runs.live():
            if (stopper := self._stoppers.get(run.id)) is not None:
                run.stopping()
                stopper.ask("interrupted")
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=self._settings.settle)
        for stopper in self._stoppers.values():
            stopper.force()
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=1.0)
        self.holds.close()

    async def _begin(self, run: LiveRun, prepare: Prepare) -> Outcome:
        """Start `run` if its address is free and `prepare` agrees; nothing is left of it otherwise."""
        if self._closing:
            return Outcome(False, "closing")
        if not self._runs.reserve(run):
            return Outcome(False, "busy")
        try:
            job = await prepare()
        except BaseException:
            self._runs.withdraw(run)
            raise
        if isinstance(job, Outcome):
            self._runs.withdraw(run)
            return job
        run.agent = job.now.agent
        self._stoppers[run.id] = job.stopper
        self._runs.begin(run)
        if job.hold is not None:
            job.hold.keep(job.stopper.lose)
        task = asyncio.create_task(self._perform(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return Outcome(True, run_id=run.id, change=job.change)

    async def _perform(self, job: Job) -> None:
        try:
            await self._stage.perform(job)
        finally:
            del self._stoppers[job.run.id]
            self._runs.ended(job.run)


def _problem(agent: str | None, turns: int | None) -> Outcome | None:
    if agent is not None and agent not in AGENTS:
        return Outcome(False, "unknown_agent", {"agent": agent})
    if turns is not None and (type(turns) is not int or turns < 0):
        return Outcome(False, "bad_turns")
    return None
