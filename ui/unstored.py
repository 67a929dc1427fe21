"""What is drawn where no store holds the conversation: the runs themselves, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desk.values import RunStatus

from .pieces import Piece, from_run, from_steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from desk.values import Run


def from_past(runs: Iterable[Run], effects: Mapping[str, Any] | None = None) -> list[list[Piece]]:
    """The pieces of runs that ended, oldest first, one list per turn.

    A run without a question goes on with the turn of the one before it, so that the result of a call a
    person decided on is drawn in that call.
    """
    turns: list[list[Piece]] = []
    for run in runs:
        if run.active:
            continue
        if run.question is None and turns:
            turns[-1] = from_steps(run.steps, effects, turns[-1])
        else:
            turns.append(from_run(run, effects))
        turns[-1].extend(_end(run))
    return [turn for turn in turns if turn]


def _end(run: Run) -> list[Piece]:
    """How a run ended, where no store holds a word about it."""
    if run.error == "superseded":
        kind = "superseded"
    elif run.status is RunStatus.STOPPED:
        kind = "stopped"
    elif run.status is RunStatus.REFUSED or run.error == "limit":
        kind = run.error or "refused"
    elif run.status is RunStatus.FAILED:
        kind = "failed"
    else:
        return []
    return [Piece("note", name=kind, detail={**run.params, "error": run.error or ""})]
