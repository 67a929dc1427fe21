"""How a run ends: everything it leaves is made whole, stored, and given a word in the chat.

Whatever happened, the session can be used afterwards: each call has its result, the words a person read
are kept or marked, and one note says what became of the answer.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memory.entries import Item, Kind
from memory.errors import LeaseLost, MemoryDeskError
from memory.items import kind_of, text_of

from .closing import Why, close_calls, lone_calls
from .holding import Hold
from .run_session import Batch
from .runs import LiveRun
from .tail import tail
from .values import RunStatus, Step

if TYPE_CHECKING:
    from .failures import Failure
    from .job import Job
    from .orders import Orders
    from .running import Ending
    from .stopping import Stopper

log = logging.getLogger(__name__)


class Verdict(NamedTuple):
    """How a run ended, as the page and the chat will say it. `note` is the kind of the word, if any."""

    status: RunStatus
    error: str | None = None
    note: str | None = None
    params: dict[str, Any] = {}  # noqa: RUF012 - read only


# Some servers answer with nothing at all, and the Runner takes it for an answer.
NOTHING_SAID = Verdict(RunStatus.FAILED, "model_confused", "failed", {"error": "model_confused"})


def judge(ending: Ending | None, failure: Failure | None, stopper: Stopper, *, stored: bool) -> Verdict:
    """What to say of a run; `stored` is whether the whole of its answer was stored anyway."""
    if stopper.lost:
        return Verdict(RunStatus.FAILED, "lease_lost", "failed", {"error": "lease_lost"})
    if failure is not None:
        return Verdict(failure.status, failure.error, failure.note, failure.params)
    if ending is not None and ending.state is not None:
        return Verdict(RunStatus.WAITING)
    if (ending is not None and ending.answered) or stored or stopper.why is None:
        return Verdict(RunStatus.DONE)
    error = "interrupted" if stopper.why == "interrupted" else None
    return Verdict(RunStatus.STOPPED, error, stopper.why)


async def finish(
    job: Job, orders: Orders, ending: Ending | None, failure: Failure | None, frozen: str | None
) -> Verdict:
    """Store what is left of a run with memory, and return how it ended. Does not raise for the store.

    `frozen` is the paused run as text, where it waits for a person.
    """
    run, hold, view, stopper = job.run, job.hold, job.view, job.stopper
    assert hold is not None
    assert view is not None
    try:
        await view.settle()
        if view.held:
            return _unsaved(run, view.held)
        cut = "" if view.answered >= run.messages() else run.unfinished()
        stored = stopper.why is not None and view.answered > 0 and not cut and await _ends_well(hold)
        verdict = judge(ending, failure, stopper, stored=stored)
        if ending is not None and frozen is not None and verdict.status is RunStatus.WAITING:
            await hold.session.pause(frozen, ending.calls, lease=hold.lease)
            return verdict
        newest = await _make_whole(hold, orders, verdict)
        if verdict.status is RunStatus.DONE and newest is Kind.USER:
            return NOTHING_SAID
        if cut and verdict.status is RunStatus.STOPPED:
            view.held.append(Batch(({"role": "assistant", "content": cut},), view.now.agent))
            await view.settle()
            if view.held:
                return _unsaved(run, view.held)
        elif cut and failure is not None:
            # What was read does not vanish from the screen; it is in no store, and says so.
            run.leaves([Step("words", view.now.agent, cut)])
        return verdict
    except LeaseLost:
        run.leaves(_steps(view.held))
        stopper.lost = True
        return judge(None, None, stopper, stored=False)
    except MemoryDeskError as error:
        log.warning("The end of run %s could not be stored: %s", run.id, type(error).__name__)
        return _unsaved(run, view.held)


def _unsaved(run: LiveRun, held: Sequence[Batch]) -> Verdict:
    run.leaves(_steps(held))
    return Verdict(RunStatus.FAILED, "unsaved", "unsaved")


async def _ends_well(hold: Hold) -> bool:
    end = await tail(hold.session)
    return bool(end.entries) and end.entries[-1].kind is Kind.ASSISTANT


async def _make_whole(hold: Hold, orders: Orders, verdict: Verdict) -> Kind | None:
    """Close the calls of this turn that got no result. Returns the kind of what it ended with before."""
    why: Why = "failed"
    if verdict.status is RunStatus.STOPPED:
        why = "interrupted" if verdict.error == "interrupted" else "stopped"
    end = await tail(hold.session)
    await close_calls(hold.session, orders, lone_calls(end.entries), why, lease=hold.lease)
    return end.entries[-1].kind if end.entries else None


def _steps(held: Sequence[Batch]) -> list[Step]:
    """Items that are in no store, as the page would have shown them."""
    return [_step(item, batch.agent or "") for batch in held for item in batch.items]


def _step(item: Item, agent: str) -> Step:
    call_id = str(item.get("call_id") or "")
    kind = kind_of(item)
    if kind is Kind.TOOL_CALL:
        return Step("call", agent, str(item.get("arguments") or ""), str(item.get("name") or ""), call_id)
    if kind is Kind.TOOL_OUTPUT:
        return Step("output", agent, text_of(item), "", call_id)
    if kind is Kind.HANDOFF:
        return Step("handoff", agent, name=_target(item), call_id=call_id)
    return Step("words", agent, text_of(item))


def _target(item: Item) -> str:
    try:
        return str(json.loads(item.get("output") or "{}").get("assistant", ""))
    except (ValueError, AttributeError):
        return ""
