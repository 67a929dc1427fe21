"""How a run is accepted: its session is held, what was left there is settled, its question is stored.

Each of the three ways into a run ends in a `Job`, or in an `Outcome` that refuses it and leaves nothing
behind. An error of the store leaves nothing behind either, and is raised.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from memory.edits import RollBack
from memory.entries import Entry, Item
from memory.errors import DecisionClosed
from memory.items import text_of
from memory.notes import Pause, PauseState

from .closing import lone_calls
from .ids import LONGEST, problem_of
from .job import Job
from .kept import save_kept
from .run_session import Now, RunSession, history
from .runs import LiveRun
from .settling import asked_note, settle
from .starting import FRONT, starting_agent
from .stopping import Stopper
from .tail import tail
from .values import AGENTS, Address, Outcome

if TYPE_CHECKING:
    from memory.inspectable import InspectableSession

    from .holding import Hold, Holds
    from .orders import Orders
    from .runs import Runs
    from .settings import Settings
    from .stores import Stores

NOTHING_TO_RETRY = Outcome(False, "nothing_to_retry")
CLOSED = Outcome(False, "decision_closed")


class Door:
    """Where runs come in. `loose` are the decisions that wait where there is no memory, and `runs` shows
    there what became of them."""

    def __init__(
        self,
        settings: Settings,
        stores: Stores,
        holds: Holds,
        orders: Callable[[], Orders],
        runs: Runs,
        loose: dict[Address, Pause],
    ) -> None:
        self._settings = settings
        self._stores = stores
        self._holds = holds
        self._orders = orders
        self._runs = runs
        self._loose = loose

    async def ask(
        self, run: LiveRun, before: LiveRun | None, agent: str | None, turns: int | None
    ) -> Job | Outcome:
        """A new question. `before` is the run that ended last here: what it could not store goes first."""
        problem = problem_of(run.address.session_id)
        if problem is not None and not await self._stores.has(run.address):
            return Outcome(False, problem, {"most": LONGEST})
        text = run.question or ""
        if run.address.backend == "none":
            if (pause := self._loose.pop(run.address, None)) is not None:
                self._runs.supersede(run.address, [call[0] for call in pause.calls])
            return Job(run, self._stopper(), Now(run.agent), run.agent, text)
        wanted = self._turns(turns)
        session = await self._stores.session(run.address)
        async with self._held(run.address, session) as hold:
            if before is not None and before.kept:
                await save_kept(before, hold, self._orders())
            await settle(hold, self._orders())
            entries = await session.recent(max(wanted, 2))
            run.base = (await tail(session)).newest
            start = agent or starting_agent(entries)
            question: Item = {"content": text, "role": "user"}
            asked = asked_note(run.address.session_id, start, wanted)
            (newest,) = await session.append([question], lease=hold.lease, note=asked)
        job = self._job(run, hold, start, text)
        job.view = RunSession(session, hold.lease, job.now, history(entries, wanted), [question], newest)
        return job

    async def ask_again(self, run: LiveRun, agent: str | None, turns: int | None) -> Job | Outcome:
        """The last question again. It stays where it is, so there is one of it whatever happens."""
        wanted = self._turns(turns)
        session = await self._stores.session(run.address)
        if (await tail(session)).question is None:
            return NOTHING_TO_RETRY
        async with self._held(run.address, session) as hold:
            end = await tail(session)
            asked, change = end.question, None
            if asked is None or asked.item is None:
                await hold.give_back()
                return NOTHING_TO_RETRY
            if len(end.entries) > 1:
                change = await session.apply(await session.plan(RollBack(asked.id)), lease=hold.lease)
            entries = await session.recent(max(wanted, 2) + 1)
            earlier = [entry for entry in entries if entry.id != asked.id]
            start = agent or starting_agent(earlier)
            kind, detail = asked_note(run.address.session_id, start, wanted)
            await session.note(kind, detail, lease=hold.lease)
        run.base, run.question = end.before, text_of(asked.item)
        content = asked.item.get("content")
        job = self._job(run, hold, start, [asked.item])
        if isinstance(content, str):
            job.given = content
        job.view = RunSession(session, hold.lease, job.now, history(earlier, wanted), [asked.item], asked.id)
        job.change = change
        return job

    async def waits(self, address: Address, pause_id: int, call_id: str) -> bool:
        """Whether this call of this decision can still be decided."""
        if address.backend == "none":
            pause = self._loose.get(address)
        else:
            pause = await (await self._stores.session(address)).waiting()
        return (
            pause is not None
            and pause.id == pause_id
            and pause.status is PauseState.PENDING
            and any(call[0] == call_id for call in pause.calls)
        )

    async def go_on(
        self, run: LiveRun, pause_id: int, call_id: str, approve: bool, note: str
    ) -> Job | Outcome:
        """On from a decision, which is closed for everybody else by this."""
        if not await self.waits(run.address, pause_id, call_id):
            return CLOSED
        verdicts = {call_id: (approve, note)}
        if run.address.backend == "none":
            return self._resumed(run, None, self._loose.pop(run.address), verdicts, [])
        session = await self._stores.session(run.address)
        try:
            async with self._held(run.address, session) as hold:
                end = await tail(session)
                pause = await session.decide(pause_id, verdicts)
        except DecisionClosed:
            return CLOSED
        run.base = end.newest
        return self._resumed(run, hold, pause, verdicts, end.entries)

    def _resumed(
        self,
        run: LiveRun,
        hold: Hold | None,
        pause: Pause,
        verdicts: dict[str, tuple[bool, str]],
        entries: Sequence[Entry],
    ) -> Job:
        job = self._job(run, hold, _start_of(pause), "")
        job.pause, job.verdicts = pause, verdicts
        job.now.agent = next((call[3] for call in pause.calls if call[0] in verdicts), FRONT)
        job.now.acting = True  # what was approved is done before anything else
        if hold is not None:
            calls = [entry.item for entry in lone_calls(entries) if entry.item is not None]
            job.view = RunSession(hold.session, hold.lease, job.now, [], calls, run.base)
        return job

    def _job(self, run: LiveRun, hold: Hold | None, start: str, given: str | list[Item]) -> Job:
        return Job(run, self._stopper(), Now(start), start, given, hold)

    def _stopper(self) -> Stopper:
        return Stopper(self._settings.patience)

    def _turns(self, turns: int | None) -> int:
        return self._settings.turns if turns is None else turns

    @asynccontextmanager
    async def _held(self, address: Address, session: InspectableSession) -> AsyncIterator[Hold]:
        """Hold the session, and give it back if the run is not accepted after all."""
        hold = await self._holds.take(address, session)
        try:
            yield hold
        except BaseException:
            await hold.give_back()
            raise


def _start_of(pause: Pause) -> str:
    """The agent the frozen run began with; the front agent where that cannot be read."""
    try:
        start = json.loads(pause.state)["start"]
    except (ValueError, TypeError, KeyError):
        return FRONT
    return start if start in AGENTS else FRONT
