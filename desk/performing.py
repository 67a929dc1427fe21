"""How an accepted run is performed, to its end, whatever the end is."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from memory.errors import MemoryDeskError
from memory.notes import Pause, PauseState

from .ending import Verdict, finish, judge
from .failures import CrewMissing, Failure, failure_of
from .job import Job
from .refusals import where
from .values import Address, RunStatus

if TYPE_CHECKING:
    from .orders import Orders
    from .running import Crew, Ending
    from .settings import Settings

log = logging.getLogger(__name__)

BROKEN = Verdict(RunStatus.FAILED, "internal", "failed", {"error": "internal"})


class Stage:
    """Where runs are performed. `loose` takes the decisions that wait where there is no memory."""

    def __init__(
        self,
        settings: Settings,
        orders: Callable[[], Orders],
        crew: Callable[[], Awaitable[Crew]],
        loose: dict[Address, Pause],
    ) -> None:
        self._settings = settings
        self._orders = orders
        self._crew = crew
        self._loose = loose

    async def perform(self, job: Job) -> None:
        """One run from its question to its end. Never raises; the run has ended when this returns."""
        verdict = BROKEN
        try:
            ending, failure = await self._play(job)
            verdict = await self._finish(job, ending, failure)
        except Exception as error:
            log.error("Run %s could not be ended: %s at %s", job.run.id, type(error).__name__, where(error))
        try:
            await self._leave(job, verdict)
        except Exception as error:
            log.error("Run %s could not be left: %s at %s", job.run.id, type(error).__name__, where(error))
        finally:
            job.run.ends(verdict.status, verdict.error, verdict.params)

    async def _play(self, job: Job) -> tuple[Ending | None, Failure | None]:
        """How the run ended by itself, or why it failed; neither where it was stopped."""
        try:
            return await self._converse(job), None
        except asyncio.CancelledError:
            job.stopper.force()
            return None, None
        except Exception as error:
            failure = failure_of(error, steps=self._settings.steps)
            level = logging.INFO if failure.status is RunStatus.REFUSED else logging.WARNING
            name = type(error).__name__
            log.log(level, "Run %s ended: %s (%s at %s)", job.run.id, failure.error, name, where(error))
            return None, failure

    async def _converse(self, job: Job) -> Ending:
        try:
            crew = await self._crew()
            from . import running
        except Exception as error:
            raise CrewMissing from error
        start = crew.agents[job.start]
        given: Any = job.given
        if job.pause is not None:
            state = json.loads(job.pause.state)["state"]
            given = await running.decided(start, state, job.verdicts, job.run)
        return await running.converse(
            job.run,
            start,
            given,
            session=job.view,
            now=job.now,
            stopper=job.stopper,
            settings=self._settings,
        )

    async def _finish(self, job: Job, ending: Ending | None, failure: Failure | None) -> Verdict:
        """Make everything whole that the run leaves, and say how it ended."""
        run = job.run
        if failure is not None and failure.error == "withheld":
            run.unsays()
        frozen = None
        if ending is not None and ending.state is not None:
            frozen = json.dumps({"start": job.start, "state": ending.state})
        if job.hold is None or job.view is None:
            if ending is not None and frozen is not None:
                self._loose[run.address] = _loose_pause(job, ending, frozen)
            return judge(ending, failure, job.stopper, stored=False)
        verdict = await finish(job, self._orders(), ending, failure, frozen)
        if verdict.error == "unsaved":
            run.kept, run.kept_after = list(job.view.held), job.view.newest
        elif job.pause is not None and verdict.error != "lease_lost":
            # A pause that waits again has taken the old one's place already; this then does nothing.
            await job.hold.session.settle(job.pause.id)
        return verdict

    async def _leave(self, job: Job, verdict: Verdict) -> None:
        """Put back an answer that found no better one, say the word, and let go of the session."""
        hold, view = job.hold, job.view
        if hold is None or view is None:
            return
        try:
            if job.change is not None and verdict.status is RunStatus.FAILED and not view.appended:
                await hold.session.undo(lease=hold.lease)
            lease = None if job.stopper.lost else hold.lease
            if job.now.left_out:
                await hold.session.note("left_out", {"n": job.now.left_out}, lease=lease)
            if verdict.note is not None:
                await hold.session.note(verdict.note, verdict.params, lease=lease)
        except MemoryDeskError as error:
            log.warning("The end of run %s was not noted: %s", job.run.id, type(error).__name__)
        finally:
            await hold.give_back()


def _loose_pause(job: Job, ending: Ending, frozen: str) -> Pause:
    return Pause(
        id=uuid4().int >> 96,
        session_id=job.run.address.session_id,
        status=PauseState.PENDING,
        calls=ending.calls,
        state=frozen,
        created_at=job.run.started_at,
    )
