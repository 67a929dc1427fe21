"""One run and all that it needs: what is handed from the one who accepts it to the one who performs it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memory.edits import Change
from memory.entries import Item
from memory.notes import Pause

from .run_session import Now, RunSession
from .runs import LiveRun
from .stopping import Stopper

if TYPE_CHECKING:
    from .holding import Hold


@dataclass(slots=True)
class Job:
    """A run that was accepted. `hold` and `view` are None where there is no memory.

    `start` is the agent it started with and `given` what that agent is given. A run that goes on after a
    decision has the `pause` it goes on from and the person's `verdicts`; a retry that took an answer away
    has that `change`.
    """

    run: LiveRun
    stopper: Stopper
    now: Now
    start: str
    given: str | list[Item]
    hold: Hold | None = None
    view: RunSession | None = None
    change: Change | None = None
    pause: Pause | None = None
    verdicts: dict[str, tuple[bool, str]] = field(default_factory=dict)
