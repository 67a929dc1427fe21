"""Runs from beginning to end: who may start one, what it is sent, and how it goes on after a decision.

Everything here happens on the desk's loop. A run is accepted when its session is held and its question is
stored; only then does the person hear that it began. From there on it belongs to the desk.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from memory.edits import Change, RollBack
from memory.entries import Entry, Item
from memory.errors import DecisionClosed, MemoryDeskError
from memory.items import text_of
from memory.notes import Pause, PauseState

from .closing import close_calls, lone_calls
from .ending import Verdict, finish, judge
from .failures import CrewMissing, Failure, failure_of
from .holding import Hold, Holds
from .refusals import where
from .run_session import Now, RunSession, history
from .runs import LiveRun, Runs
from .settling import settle
from .starting import FRONT, starting_agent
from .stopping import Stopper
from .tail import tail
from .values import AGENTS, Address, Outcome, RunStatus

if TYPE_CHECKING:
    from .orders import Orders
    from .running import Crew, Ending
    from .settings import Settings
    from .stores import Stores

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Job:
    """All that one run needs. `hold` and `view` are None where there is no memory."""

    run: LiveRun
    stopper: Stopper
    now: Now
    start: str  # the agent it started with
    given: str | list[Item]
    hold: Hold | None = None
    view: RunSession | None = None
    pause: Pause | None = None  # the decision it goes on from
    change: Change | None = None  # the edit that took the old answer back
    verdicts: dict[str, tuple[bool, str]] = field(default_factory=dict)


Prepare = Callable[[LiveRun | None], Awaitable[_Job | Outcome]]
"""Makes a run ready, given the run that ended last at its address; an Outcome refuses it."""


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
        self.holds = Holds(settings.lease)
        self._settings = settings
        self._stores = stores
        self._runs = runs
        self._orders = orders
        self._crew = crew
        self._tasks: set[asyncio.Task[None]] = set()
        self._stoppers: dict[str, Stopper] = {}
        self._loose: dict[Address, Pause] = {}  # decisions that wait where there is no memory
        self._closing = False

    # What a person asks for

    async def send(self, address: Address, text: str, agent: str | None, turns: int | None) -> Outcome:
        if not text.strip():
            return Outcome(False, "empty")
        if (problem := self._problem(agent, turns)) is not None:
            return problem
        run = LiveRun(address, text, agent or FRONT)
        return await self._begin(run, lambda before: self._ask(run, before, text, agent, turns))

    async def retry(self, address: Address, agent: str | None, turns: int | None) -> Outcome:
        if (problem := self._problem(agent, turns)) is not None:
            return problem
        if address.backend == "none":
            past = self._runs.at(address)
            if past is None or past.question is None:
                return Outcome(False, "nothing_to_retry")
            return await self.send(address, past.question, agent, turns)
        run = LiveRun(address, None, agent or FRONT)
        return await self._begin(run, lambda _: self._ask_again(run, agent, turns))

    async def decide(
        self, address: Address, pause_id: int, call_id: str, approve: bool, note: str
    ) -> Outcome:
        run = LiveRun(address, None, FRONT)
        return await self._begin(run, lambda _: self._go_on(run, pause_id, call_id, approve, note))

    async def conclude(self, address: Address, pause_id: int) -> Outcome:
        """Close a decision whose effect is unknown, with what the orders say."""
        live = self._runs.at(address)
        if live is not None and live.active:
            return Outcome(False, "busy")
        closed = Outcome(False, "decision_closed")
        if address.backend == "none":
            return closed
        session = await self._stores.session(address)
        pause = await session.waiting()
        if pause is None or pause.id != pause_id or pause.status is not PauseState.DECIDING:
            return closed
        hold = await self.holds.take(address, session)
        try:
            await settle(hold, self._orders())
        finally:
            await hold.give_back()
            self._runs.changed(address)
        return Outcome(True)

    async def stop(self, address: Address) -> Outcome:
        run = self._runs.at(address)
        stopper = self._stoppers.get(run.id) if run is not None else None
        if run is None or stopper is None or not run.active:
            return Outcome(False, "nothing_to_stop")
        run.stopping()
        stopper.ask("stopped")
        return Outcome(True, run_id=run.id)

    async def save_again(self, address: Address) -> Outcome:
        """Try once more to store what the last run could not."""
        run = self._runs.at(address)
        if run is None or run.active or not run.kept:
            return Outcome(False, "nothing_to_save")
        session = await self._stores.session(address)
        hold = await self.holds.take(address, session)
        try:
            saved = await self._save_kept(run, hold)
        finally:
            await hold.give_back()
            self._runs.changed(address)
        return Outcome(True, run_id=run.id) if saved else Outcome(False, "stale")

    def loose(self, address: Address) -> Pause | None:
        """The decision that waits at an address without memory."""
        return self._loose.get(address)

    def loose_count(self) -> int:
        return len(self._loose)

    def forget(self, address: Address) -> None:
        self._loose.pop(address, None)

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

    # Being accepted

    def _problem(self, agent: str | None, turns: int | None) -> Outcome | None:
        if agent is not None and agent not in AGENTS:
            return Outcome(False, "unknown_agent", {"agent": agent})
        if turns is not None and (type(turns) is not int or turns < 0):
            return Outcome(False, "bad_turns")
        return None

    async def _begin(self, run: LiveRun, prepare: Prepare) -> Outcome:
        """Start `run` if its address is free and `prepare` agrees; nothing is left of it otherwise."""
        if self._closing:
            return Outcome(False, "closing")
        before = self._runs.at(run.address)
        if not self._runs.begin(run):
            return Outcome(False, "busy")
        stopper = self._stoppers[run.id] = Stopper(self._settings.patience)
        try:
            job = await prepare(before)
        except BaseException:
            self._withdraw(run, before)
            raise
        if isinstance(job, Outcome):
            self._withdraw(run, before)
            return job
        run.agent = job.now.agent
        if job.hold is not None:
            job.hold.keep(stopper.lose)
        task = asyncio.create_task(self._conduct(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return Outcome(True, run_id=run.id, change=job.change)

    def _withdraw(self, run: LiveRun, before: LiveRun | None) -> None:
        self._stoppers.pop(run.id, None)
        self._runs.withdraw(run, before)

    async def _ask(
        self, run: LiveRun, before: LiveRun | None, text: str, agent: str | None, turns: int | None
    ) -> _Job | Outcome:
        stopper = self._stoppers[run.id]
        if run.address.backend == "none":
            self._loose.pop(run.address, None)
            return _Job(run, stopper, Now(run.agent), run.agent, text)
        session = await self._stores.session(run.address)
        hold = await self.holds.take(run.address, session)
        try:
            if before is not None and before.kept:
                await self._save_kept(before, hold)
            await settle(hold, self._orders())
            wanted = self._settings.turns if turns is None else turns
            entries = await session.recent(max(wanted, 2))
            run.base = (await tail(session)).newest
            question: Item = {"content": text, "role": "user"}
            (newest,) = await session.append([question], lease=hold.lease)
        except BaseException:
            await hold.give_back()
            raise
        start = agent or starting_agent(entries)
        return self._job(run, hold, start, text, question, newest, history(entries, wanted))

    async def _ask_again(self, run: LiveRun, agent: str | None, turns: int | None) -> _Job | Outcome:
        """The question stays where it is, so there is one of it whatever happens; its answer goes."""
        session = await self._stores.session(run.address)
        if (await tail(session)).question is None:
            return Outcome(False, "nothing_to_retry")
        hold = await self.holds.take(run.address, session)
        try:
            wanted = self._settings.turns if turns is None else turns
            end = await tail(session)
            asked = end.question
            if asked is None or asked.item is None:
                await hold.give_back()
                return Outcome(False, "nothing_to_retry")
            change = None
            if len(end.entries) > 1:
                change = await session.apply(await session.plan(RollBack(asked.id)), lease=hold.lease)
            entries = await session.recent(max(wanted, 2) + 1)
            earlier = [entry for entry in entries if entry.id != asked.id]
        except BaseException:
            await hold.give_back()
            raise
        run.base = end.before
        run.question = text_of(asked.item)
        content = asked.item.get("content")
        given: str | list[Item] = content if isinstance(content, str) else [asked.item]
        start = agent or starting_agent(earlier)
        job = self._job(run, hold, start, given, asked.item, asked.id, history(earlier, wanted))
        job.change = change
        return job

    def _job(
        self,
        run: LiveRun,
        hold: Hold,
        start: str,
        given: str | list[Item],
        question: Item,
        newest: str,
        earlier: list[Item],
    ) -> _Job:
        now = Now(start)
        view = RunSession(hold.session, hold.lease, now, earlier, [question], newest)
        return _Job(run, self._stoppers[run.id], now, start, given, hold, view)

    async def _go_on(
        self, run: LiveRun, pause_id: int, call_id: str, approve: bool, note: str
    ) -> _Job | Outcome:
        closed = Outcome(False, "decision_closed")
        verdicts = {call_id: (approve, note)}
        if run.address.backend == "none":
            pause = self._loose.get(run.address)
            if pause is None or pause.id != pause_id or call_id not in _called(pause):
                return closed
            del self._loose[run.address]
            return self._resumed(run, None, pause, verdicts, [])
        session = await self._stores.session(run.address)
        waiting = await session.waiting()
        if (
            waiting is None
            or waiting.id != pause_id
            or waiting.status is not PauseState.PENDING
            or call_id not in _called(waiting)
        ):
            return closed
        hold = await self.holds.take(run.address, session)
        try:
            end = await tail(session)
            pause = await session.decide(pause_id, verdicts)
        except DecisionClosed:
            await hold.give_back()
            return closed
        except BaseException:
            await hold.give_back()
            raise
        run.base = end.newest
        return self._resumed(run, hold, pause, verdicts, end.entries)

    def _resumed(
        self,
        run: LiveRun,
        hold: Hold | None,
        pause: Pause,
        verdicts: dict[str, tuple[bool, str]],
        entries: Sequence[Entry],
    ) -> _Job:
        start = str(json.loads(pause.state).get("start", FRONT))
        now = Now(next((call[3] for call in pause.calls if call[0] in verdicts), FRONT), acting=True)
        job = _Job(run, self._stoppers[run.id], now, start, "", hold, pause=pause, verdicts=verdicts)
        if hold is not None:
            calls = [entry.item for entry in lone_calls(entries) if entry.item is not None]
            job.view = RunSession(hold.session, hold.lease, now, [], calls, run.base)
        return job

    # Running

    async def _conduct(self, job: _Job) -> None:
        """One accepted run, to its end. Never raises."""
        run = job.run
        ending: Ending | None = None
        failure: Failure | None = None
        verdict = Verdict(RunStatus.FAILED, "internal", "failed", {"error": "internal"})
        try:
            try:
                ending = await self._converse(job)
            except asyncio.CancelledError:
                job.stopper.force()
            except Exception as error:
                failure = failure_of(error, steps=self._settings.steps)
                name = type(error).__name__
                log.warning("Run %s failed: %s (%s at %s)", run.id, failure.error, name, where(error))
            verdict = await self._finish(job, ending, failure)
        except Exception as error:
            log.error("Run %s could not be ended: %s at %s", run.id, type(error).__name__, where(error))
        finally:
            await self._leave(job, verdict)

    async def _converse(self, job: _Job) -> Ending:
        try:
            crew = await self._crew()
            from . import running
        except Exception as error:
            raise CrewMissing from error
        start = crew.agents[job.start]
        given: Any = job.given
        if job.pause is not None:
            state = json.loads(job.pause.state)["state"]
            given = await running.decided(start, state, job.verdicts, str(job.run.address))
        return await running.converse(
            job.run,
            start,
            given,
            session=job.view,
            now=job.now,
            stopper=job.stopper,
            settings=self._settings,
        )

    async def _finish(self, job: _Job, ending: Ending | None, failure: Failure | None) -> Verdict:
        """Make everything whole that the run leaves, and say how it ended."""
        run = job.run
        if failure is not None and failure.error == "withheld":
            run.unsays()
        frozen = None
        if ending is not None and ending.state is not None:
            frozen = json.dumps({"start": job.start, "state": ending.state})
        if job.hold is None or job.view is None:
            if ending is not None and frozen is not None:
                self._loose[run.address] = _loose_pause(run, ending, frozen)
            return judge(ending, failure, job.stopper, stored=False)
        verdict = await finish(run, job.hold, job.view, self._orders(), ending, failure, job.stopper, frozen)
        if verdict.error == "unsaved":
            run.kept, run.kept_after = list(job.view.held), job.view.newest
        if job.pause is not None and verdict.error not in ("unsaved", "lease_lost"):
            # A pause that waits again has taken the old one's place already; this then does nothing.
            await job.hold.session.settle(job.pause.id)
        return verdict

    async def _leave(self, job: _Job, verdict: Verdict) -> None:
        """Let go of the session, put back an answer that found no better one, and say the word."""
        run, hold, view = job.run, job.hold, job.view
        try:
            if hold is not None and view is not None:
                if job.change is not None and verdict.status is RunStatus.FAILED and not view.appended:
                    await hold.session.undo(lease=hold.lease)
                if verdict.note is not None:
                    lease = None if job.stopper.lost else hold.lease
                    await hold.session.note(verdict.note, verdict.params, lease=lease)
        except MemoryDeskError as error:
            log.warning("The end of run %s was not noted: %s", run.id, type(error).__name__)
        finally:
            if hold is not None:
                await hold.give_back()
            run.ends(verdict.status, verdict.error, verdict.params)
            self._stoppers.pop(run.id, None)
            self._runs.ended(run)

    async def _save_kept(self, run: LiveRun, hold: Hold) -> bool:
        """Store what a run could not, if nothing was said since; whether it is all stored now."""
        session = hold.session
        if (await tail(session)).newest != run.kept_after:
            return False
        whole = False
        while run.kept:
            batch = run.kept[0]
            ids = await session.append(list(batch.items), agent=batch.agent, lease=hold.lease)
            run.kept_after = ids[-1]
            whole = batch.items[-1].get("role") == "assistant"
            run.kept.pop(0)
        lone = lone_calls((await tail(session)).entries)
        await close_calls(session, self._orders(), lone, "failed", lease=hold.lease)
        run.leaves([])
        if whole:
            run.ends(RunStatus.DONE)
        return True


def _called(pause: Pause) -> set[str]:
    return {call[0] for call in pause.calls}


def _loose_pause(run: LiveRun, ending: Ending, frozen: str) -> Pause:
    return Pause(
        id=uuid4().int >> 96,
        session_id=run.address.session_id,
        status=PauseState.PENDING,
        calls=ending.calls,
        state=frozen,
        created_at=run.started_at,
    )
