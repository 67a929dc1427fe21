"""Runs while they happen, and what is left of them for the page.

A `LiveRun` is written on the desk's loop and read from any thread; the registry holds at most one that is
live per address, which is what refuses a second send. Runs that ended stay for a while, so that a page
that comes late still learns how its question ended.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import uuid4

from memory.writing import SUPERSEDED

from .cards import mask_cards
from .run_session import Batch
from .values import LIVE, Address, Run, RunStatus, Step

KEPT_RUNS = 200  # addresses whose last run is remembered after it ended
KEPT_PAST = 500  # runs shown of an address without memory

# The digits at the end of what was said so far: they may be the first half of a card number, which can
# only be masked once it is whole. Held back until the next word shows what they were.
_OPEN_DIGITS = re.compile(r"\d(?:[\W_]{0,3}\d){5,}[\W_]*$")
_LONGEST_CARD = 80  # characters, separators included


@dataclass(slots=True)
class _Words:
    agent: str
    parts: list[str]
    whole: bool = False  # the message has ended


class LiveRun:
    """One run: its place, its question, how it stands and what happened in it so far.

    `language` is what to answer in where the conversation does not tell.
    """

    def __init__(
        self,
        address: Address,
        question: str | None,
        agent: str,
        language: str | None = None,
        base: str | None = None,
    ) -> None:
        self.id = uuid4().hex
        self.address = address
        self.question = question
        self.agent = agent
        self.language = language
        self.base = base
        self.started_at = datetime.now(UTC)
        self.status = RunStatus.STARTING
        self.error: str | None = None
        self.params: Mapping[str, Any] = {}
        self.saved = True
        self.kept: list[Batch] = []  # what the store could not take
        self.kept_after: str | None = None  # the entry it belongs behind
        self._steps: list[Step | _Words] = []
        self._lock = threading.Lock()

    @property
    def active(self) -> bool:
        return self.status in LIVE

    def seen(self) -> Run:
        """How the run stands now, as a value."""
        with self._lock:
            steps = tuple(self._shown(step) for step in self._steps)
            return Run(
                id=self.id,
                address=self.address,
                question=self.question,
                agent=self.agent,
                status=self.status,
                steps=tuple(step for step in steps if step.kind != "words" or step.text),
                error=self.error,
                params=self.params,
                base=self.base,
                saved=self.saved,
                started_at=self.started_at,
            )

    def _shown(self, step: Step | _Words) -> Step:
        if isinstance(step, Step):
            return step
        text = "".join(step.parts)
        if not step.whole and self.active:
            text = text[:-_LONGEST_CARD] + _OPEN_DIGITS.sub("", text[-_LONGEST_CARD:])
        return Step("words", step.agent, mask_cards(text))

    # What happens, in order; called on the loop

    def speaks(self, agent: str, delta: str) -> None:
        """More words of the message that is being written."""
        with self._lock:
            last = self._steps[-1] if self._steps else None
            if isinstance(last, _Words) and not last.whole:
                last.parts.append(delta)
            else:
                self._steps.append(_Words(agent, [delta]))
            self._answering()

    def said(self, agent: str, text: str) -> None:
        """A message is finished and reads `text`, whether or not it was streamed."""
        with self._lock:
            for step in self._steps:
                if isinstance(step, _Words) and not step.whole:
                    step.parts, step.whole = [text], True
                    break
            else:
                self._steps.append(_Words(agent, [text], whole=True))
            self._answering()

    def does(self, kind: Literal["call", "output", "handoff"], **what: str) -> None:
        """A call, an output or a handoff; `what` are the fields of the `Step`."""
        with self._lock:
            if "text" in what:
                what["text"] = mask_cards(what["text"])
            self._steps.append(Step(kind, **what))
            self._answering()

    def unsays(self) -> None:
        """Take back the words since the last call or output: a check refused them."""
        with self._lock:
            while self._steps and isinstance(self._steps[-1], _Words):
                self._steps.pop()

    def unfinished(self) -> str:
        """The words of the message that had not ended yet, masked; empty if there is none."""
        with self._lock:
            open_ = [step for step in self._steps if isinstance(step, _Words) and not step.whole]
            return mask_cards("".join("".join(step.parts) for step in open_))

    def messages(self) -> int:
        """How many messages were begun."""
        with self._lock:
            return sum(isinstance(step, _Words) for step in self._steps)

    def leaves(self, steps: Iterable[Step]) -> None:
        """Only these steps are left to show, because they are in no store."""
        with self._lock:
            self._steps = [replace(step, text=mask_cards(step.text)) for step in steps]
            self.saved = not self._steps

    def _answering(self) -> None:
        if self.status is RunStatus.STARTING:
            self.status = RunStatus.ANSWERING

    def stopping(self) -> None:
        with self._lock:
            if self.status in LIVE:
                self.status = RunStatus.STOPPING

    def ends(
        self, status: RunStatus, error: str | None = None, params: Mapping[str, Any] | None = None
    ) -> None:
        """The run is over: everything that will be stored of it is stored."""
        with self._lock:
            self.status, self.error, self.params = status, error, dict(params or {})


@dataclass(slots=True)
class _Place:
    run: LiveRun | None = None
    reserved: LiveRun | None = None
    version: int = 0
    past: list[Run] = field(default_factory=list)
    taken_back: str | None = None  # the past run whose turn goes when another was answered

    @property
    def busy(self) -> bool:
        return self.reserved is not None or (self.run is not None and self.run.active)


def _place_of(run_id: str | None, past: list[Run]) -> int:
    """Where a run stands among the past ones; behind them where it is not there."""
    return next((at for at, run in enumerate(past) if run.id == run_id), len(past))


def _newest_waiting(past: list[Run]) -> int | None:
    return next((at for at in reversed(range(len(past))) if past[at].status is RunStatus.WAITING), None)


class Runs:
    """The runs of one desk by address. Safe to use from any thread.

    A run first reserves its address, while its question is being stored, and begins when it is accepted;
    only then is it seen.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._places: OrderedDict[Address, _Place] = OrderedDict()

    def reserve(self, run: LiveRun) -> bool:
        """Keep the address of `run` for it; False if it is taken."""
        with self._lock:
            place = self._places.setdefault(run.address, _Place())
            if place.busy:
                return False
            place.reserved = run
            self._places.move_to_end(run.address)
            self._drop_old()
            return True

    def begin(self, run: LiveRun) -> None:
        """A run that had reserved its address is live from now on."""
        with self._lock:
            place = self._places[run.address]
            place.run, place.reserved = run, None
            place.version += 1

    def withdraw(self, run: LiveRun) -> None:
        """A run that had reserved its address was not accepted."""
        with self._lock:
            self._places[run.address].reserved = None

    def ended(self, run: LiveRun) -> None:
        """The run is over: pages should look again. An address without memory keeps it as past."""
        with self._lock:
            place = self._places.setdefault(run.address, _Place())
            place.version += 1
            if run.address.backend == "none":
                if run.question is not None and run.status in (RunStatus.DONE, RunStatus.WAITING):
                    place.past = place.past[: _place_of(place.taken_back, place.past)]
                    place.taken_back = None
                place.past = [*place.past, run.seen()][-KEPT_PAST:]

    def changed(self, address: Address) -> None:
        """Something about the address changed that no store tells."""
        with self._lock:
            self._places.setdefault(address, _Place()).version += 1

    def at(self, address: Address) -> LiveRun | None:
        """The live run, or the one that ended last."""
        with self._lock:
            place = self._places.get(address)
            return place.run if place else None

    def busy(self, address: Address) -> bool:
        """Whether a run is live here, or about to be."""
        with self._lock:
            place = self._places.get(address)
            return place is not None and place.busy

    def live(self) -> list[LiveRun]:
        """Every run that is going on."""
        with self._lock:
            return [place.run for place in self._places.values() if place.run and place.run.active]

    def version(self, address: Address) -> int:
        """A number that grows whenever a run of the address begins or ends."""
        with self._lock:
            place = self._places.get(address)
            return place.version if place else 0

    def past(self, address: Address) -> tuple[Run, ...]:
        """What was said at an address without memory, oldest first."""
        with self._lock:
            place = self._places.get(address)
            return tuple(place.past) if place else ()

    def supersede(self, address: Address, call_ids: Iterable[str]) -> None:
        """The decision about these calls, for which an address without memory waited, will not be made.

        They get the result that a store would close them with, and the run that waited says why it ended.
        """
        with self._lock:
            place = self._places.get(address)
            at = _newest_waiting(place.past) if place else None
            if place is None or at is None:
                return
            waited = place.past[at]
            closed = [Step("output", waited.agent, SUPERSEDED, call_id=call_id) for call_id in call_ids]
            ended = replace(
                waited,
                status=RunStatus.STOPPED,
                error="superseded",
                steps=(*waited.steps, *closed),
            )
            place.past = [*place.past[:at], ended, *place.past[at + 1 :]]
            place.version += 1

    def take_back(self, address: Address) -> str | None:
        """The last question at an address without memory; None where nothing was asked.

        Its turn is shown until another was answered: there is no undo that could bring it back.
        """
        with self._lock:
            place = self._places.get(address)
            last = next((run for run in reversed(place.past if place else ()) if run.question), None)
            if place is None or last is None:
                return None
            if place.taken_back is None or _place_of(place.taken_back, place.past) == len(place.past):
                place.taken_back = last.id  # else this one stands for the turn that was taken back before it
            return last.question

    def keep(self, address: Address) -> None:
        """The turn that was taken back stays after all: nothing was asked in its place."""
        with self._lock:
            if (place := self._places.get(address)) is not None:
                place.taken_back = None

    def addresses(self, backend: str) -> list[tuple[Address, datetime]]:
        """Addresses of a backend where a run was, with when the last one began."""
        with self._lock:
            return [
                (address, place.run.started_at)
                for address, place in self._places.items()
                if address.backend == backend and place.run is not None
            ]

    def forget(self, address: Address) -> None:
        """Drop what is remembered of an address, unless a run is live there."""
        with self._lock:
            place = self._places.get(address)
            if place is not None and not place.busy:
                version = place.version + 1
                self._places[address] = _Place(version=version)

    def _drop_old(self) -> None:
        for address in [address for address, place in self._places.items() if not place.busy]:
            if len(self._places) <= KEPT_RUNS:
                return
            del self._places[address]
