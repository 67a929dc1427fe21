"""Words beside the items: what happened in the conversation that no item of the model says.

A note stands after one entry (or at the start) and goes when that entry goes. Its `kind` is a plain word
("stopped", "failed", "refused", "withheld", "superseded", "interrupted", "unsaved", "limit") that the page
turns into a sentence; `detail` holds the values for that sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, slots=True)
class Note:
    """One word in the chat. `after` is the id of the entry it stands behind, None at the very start."""

    kind: str
    after: str | None
    at: datetime
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write as the one live run of a session.

    `number` grows with every lease of the session, so that a run which lost its lease can be told from the
    one that holds it now. `expires_at` is aware UTC.
    """

    session_id: str
    owner: str
    number: int
    expires_at: datetime


class PauseState(StrEnum):
    """The life of a paused run: `pending -> deciding -> settled`, or `superseded` at the first two."""

    PENDING = "pending"
    DECIDING = "deciding"
    SETTLED = "settled"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class Pause:
    """A run that waits for a person: its frozen state and the calls that need a decision.

    `calls` are (call id, tool name, arguments text, agent) in the order the model made them; `state` is the
    run's own serialised state, which holds the whole history and must stay on the server; `verdicts` maps a
    call id to (approved, note).
    """

    id: int
    session_id: str
    status: PauseState
    calls: tuple[tuple[str, str, str, str], ...]
    state: str
    created_at: datetime
    verdicts: dict[str, tuple[bool, str]] = field(default_factory=dict)
