"""What the desk tells the page: plain frozen values, safe to hold and to draw from any thread.

A value here never reaches back into the desk. Reasons, errors and problems are keys of the page's
catalogue, with the values for their sentence in `params`; no sentence is written in this package.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from memory.carrying import COPIER

if TYPE_CHECKING:
    from memory.copying import Receipt
    from memory.edits import Change, Plan
    from memory.entries import Timeline
    from memory.notes import Lease, Note, Pause
    from memory.resealing import Resealed

    from .orders import Effect

AGENTS: tuple[str, ...] = ("Triage", "Approval", "Summary")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a conversation is kept: the name of a backend (see `desk.backends`) and a session id."""

    backend: str
    session_id: str

    def __str__(self) -> str:
        return f"{self.backend}/{self.session_id}"


class RunStatus(StrEnum):
    """The life of a run. The first three are live, the others are its end."""

    STARTING = "starting"  # nothing came from the model yet
    ANSWERING = "answering"
    STOPPING = "stopping"  # a person pressed Stop, or the server is going down
    DONE = "done"
    STOPPED = "stopped"  # `Run.error` is "superseded" where it waited, without memory, for nothing
    FAILED = "failed"  # `Run.error` says why
    WAITING = "waiting"  # a person has to decide
    REFUSED = "refused"  # a check tripped: `Run.error` is "refused" (input) or "withheld" (output)


LIVE = frozenset({RunStatus.STARTING, RunStatus.ANSWERING, RunStatus.STOPPING})


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened in a run, in order.

    `words`: `text` is what `agent` has said so far (card numbers masked).
    `call`: `agent` calls tool `name` with the arguments `text` (JSON).
    `output`: the tool of `call_id` answered `text`.
    `handoff`: `agent` hands over to the agent `name`.
    """

    kind: Literal["words", "call", "output", "handoff"]
    agent: str
    text: str = ""
    name: str = ""
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it stood when asked for. Ask again for news.

    `base` is the id of the newest stored entry before the run (None: there was none): while the run is
    active the page draws the entries up to `base` and the run below them. `question` is None where the run
    goes on after a decision. When `saved` is False, the run has ended and `steps` holds what was shown but
    is in no store: it stays on the page below the entries, marked as not saved.
    """

    id: str
    address: Address
    question: str | None
    agent: str
    status: RunStatus
    steps: tuple[Step, ...] = ()
    error: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    base: str | None = None
    saved: bool = True
    started_at: datetime | None = None

    @property
    def active(self) -> bool:
        """Whether it is still going on."""
        return self.status in LIVE


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a request. `reason` is a catalogue key where `ok` is False.

    `change` is the edit that was made (apply, undo, redo, take_back, retry); `text` the question that was
    taken back; `session_id` the session a branch made, and `decision_ended` whether a waiting decision ended
    for it; `run_id` the run that was started; `count` how many rows were erased.
    """

    ok: bool
    reason: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    change: Change | None = None
    text: str | None = None
    session_id: str | None = None
    run_id: str | None = None
    count: int | None = None
    decision_ended: bool = False


@dataclass(frozen=True, slots=True)
class Work(ABC):
    """Long work of the desk as it stood when asked for. Ask again for news.

    `done` of `total` steps are behind it, which is None until it is known. It has ended with something that
    came of it (each kind has a field for it), or with a `problem` (a catalogue key) and `params`.
    """

    id: str
    _: KW_ONLY
    done: int = 0
    total: int | None = None
    problem: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    @abstractmethod
    def active(self) -> bool:
        """Whether it is still going on."""


@dataclass(frozen=True, slots=True)
class Copying(Work):
    """A copy from `source` to `target`; its steps are the entries that are there.

    It has ended with a `receipt`, or with a `problem` ("copy_stopped" where a person stopped it): what was
    copied by then stays, and the same copy goes on with it. Where it cannot, as the session was edited
    meanwhile, `unfinished` says that what is there is a part of this copy and may be deleted.
    """

    source: Address
    target: Address
    receipt: Receipt | None = None
    unfinished: bool = False

    @property
    def active(self) -> bool:
        return self.receipt is None and self.problem is None


@dataclass(frozen=True, slots=True)
class Resealing(Work):
    """A move to the newest key; its steps are the stored texts that were looked at.

    All of them are looked at once more at the end, as others may have written meanwhile. It has ended with a
    `result`, or with a `problem` ("reseal_stopped" where a person stopped it): what was moved by then is
    under the newest key, and the same move goes on with the rest.
    """

    address: Address
    result: Resealed | None = None

    @property
    def active(self) -> bool:
        return self.result is None and self.problem is None


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A session of a backend. `updated_at` is aware UTC, None where the store does not say."""

    session_id: str
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a typed session id means.

    `session_id` is the id to open, exactly as stored or as typed, None where there is a `problem` (a
    catalogue key: "id_empty", "id_too_long", "id_invisible", "copy_exists": only blanks around it tell it
    from one that is there). `exists` says whether a session has just that id; `similar` are other
    existing ids that differ from it only by case, blanks or width, reported for an id that could not be
    new, too.
    """

    session_id: str | None
    exists: bool = False
    similar: tuple[str, ...] = ()
    problem: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Preview:
    """What an edit would do. `effects` are effects in the orders that stay in the world all the same.

    Where the edit cannot be planned, `plan` is None and `reason` says why, as in `Outcome`.
    """

    plan: Plan | None
    effects: tuple[Effect, ...] = ()
    reason: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class View:
    """All the page draws of one session, read at one time.

    `waiting` is the decision that is open, pending or deciding. `effect_unknown` is True where it was
    approved and the server went down before the outcome was stored: `effects` then holds what the orders
    say about its calls, and the person may `conclude` it. `effects` maps call ids of the shown entries to
    what they did in the orders. `run` is the live run, or the one that ended last here.
    `busy` is the lease of a live run elsewhere (another server), None if free or ours. `past` holds the
    runs of an address without memory, oldest first: shown, never sent. `problem` is a catalogue key where
    the store could not be read; the timeline is then empty, which says nothing about what is stored.
    `sent_from` is the id of the first entry that the next turn would send (with the rule of `turns` given
    to `look`), None where the cut is not on this page: all of it is sent, or nothing where `turns` is 0.
    `lifetime` is how many seconds the items of an encrypted session may be read, None for ever; `keys` how
    many keys open it, 0 where it is not encrypted. Where no key is there, `sealed` is how many of the
    stored items need one; the others stand in the open. `ahead` is how many seconds later than now it was
    looked at: what would have expired by then is shown as expired, and nothing can be changed from there.
    `unerased` says that the store's files may still hold what was erased, because another program was in the
    way: a purge tries again. `ledger_apart` says that what undo needs lies in a file of the desk's own,
    because the database may not be given tables.
    `undo_problem` is a catalogue key where there is an edit and an undo of it would be refused; a branch
    before `newest_change` then brings the earlier state back. `stored` says whether the store holds
    anything of the session, be it only its row. `took` is how many seconds it took to look.
    """

    address: Address
    timeline: Timeline
    revision: Hashable
    notes: tuple[Note, ...] = ()
    waiting: Pause | None = None
    effect_unknown: bool = False
    effects: Mapping[str, Effect] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    can_undo: bool = False
    can_redo: bool = False
    run: Run | None = None
    busy: Lease | None = None
    past: tuple[Run, ...] = ()
    problem: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    sent_from: str | None = None
    undo_problem: str | None = None
    stored: bool = False
    lifetime: int | None = None
    keys: int = 0
    ahead: int = 0
    ledger_apart: bool = False
    sealed: int = 0
    took: float = 0.0
    unerased: bool = False

    @property
    def copied_to(self) -> bool:
        """Whether something is being copied into this session."""
        return self.busy is not None and self.busy.owner.startswith(COPIER)

    @property
    def newest_change(self) -> Change | None:
        """The edit an undo would take back; None where nothing was edited."""
        standing = [change for change in self.changes if not (change.undone or change.void)]
        return standing[-1] if standing else None
