"""What the page says when something cannot be done: errors of the memory as catalogue keys."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

from memory.carrying import COPIER
from memory.errors import (
    DecisionClosed,
    EffectUnknown,
    EntryNotFound,
    HalfDone,
    HistoryChanged,
    KeyUnavailable,
    LeaseLost,
    MemoryDeskError,
    NotErased,
    NothingToDo,
    NotSupported,
    SessionBusy,
    SessionNotEmpty,
    StoreUnavailable,
    UndoRefused,
    WrongKey,
)

from .backends import ConnectionUnusable
from .keyring import NoKey
from .loop import LoopClosed
from .samples import SampleError
from .values import Outcome

log = logging.getLogger(__name__)

_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (HistoryChanged, "stale"),
    (SessionBusy, "busy_elsewhere"),
    (LeaseLost, "busy_elsewhere"),
    (EntryNotFound, "entry_gone"),
    (NothingToDo, "nothing_to_do"),
    (UndoRefused, "undo_refused"),
    (SessionNotEmpty, "session_not_empty"),
    (NotSupported, "not_supported"),
    (DecisionClosed, "decision_closed"),
    (EffectUnknown, "effect_unknown"),
    (HalfDone, "half_done"),
    (WrongKey, "wrong_key"),
    (NoKey, "no_key"),
    (KeyUnavailable, "key_unavailable"),
    (NotErased, "not_erased"),
    (StoreUnavailable, "unavailable"),
    (MemoryDeskError, "unavailable"),
    (SampleError, "samples_broken"),
    (LoopClosed, "closing"),
    (TimeoutError, "too_slow"),
)


def refusal(error: Exception, nothing: str = "nothing_to_do") -> Outcome:
    """The outcome that tells of `error`; `nothing` is the key where there was nothing to act on.

    Where a store names its trouble, `params` holds it as `why`: the page has a sentence for each.
    """
    if isinstance(error, ConnectionUnusable):
        return Outcome(False, error.problem)
    if isinstance(error, SessionBusy) and error.owner.startswith(COPIER):
        return Outcome(False, "copying_elsewhere")
    for kind, reason in _REASONS:
        if isinstance(error, kind):
            why = getattr(error, "why", "")
            return Outcome(False, nothing if kind is NothingToDo else reason, {"why": why} if why else {})
    log.error("Unexpected %s at %s", type(error).__name__, where(error))
    return Outcome(False, "internal", {"error": type(error).__name__})


def where(error: BaseException) -> str:
    """The file and line an error came from. Its words stay out of the log: they may quote anything."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "nowhere"
