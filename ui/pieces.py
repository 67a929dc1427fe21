"""What a conversation is drawn from: stored entries and the steps of a live run, as the same few pieces.

A tool call and its output are one piece, and so are a handoff and its answer; that way a row stays where it
is from the first word of a run to the last reading from the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from desk.values import Run, Step
from memory.entries import Entry, Kind
from memory.items import HANDOFF_PREFIX, Role, half_of, text_of
from memory.notes import Note

from .text import parsed

PieceKind = Literal["user", "words", "call", "output", "handoff", "reasoning", "other", "unreadable", "note"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing to draw. `text` is a message, the arguments of a call or the output of a lone output.

    `name` is the tool, the agent a handoff goes to, the kind of a note or the state of an unreadable
    entry; `position` the entry's number in the session. `output` is None while a call has no result, and
    `alone` says that it will never have one. `count` is how many entries one after the other it stands for.
    """

    kind: PieceKind
    agent: str | None = None
    text: str = ""
    name: str = ""
    call_id: str = ""
    output: str | None = None
    effect: Any = None
    position: int | None = None
    alone: bool = False
    count: int = 1
    detail: Mapping[str, Any] = field(default_factory=dict)


def from_entries(
    entries: Sequence[Entry],
    notes: Iterable[Note] = (),
    effects: Mapping[str, Any] | None = None,
    *,
    start: bool = True,
) -> list[list[Piece]]:
    """The pieces of stored entries, oldest first, one list per turn.

    `effects` are by call id; `start` says whether the entries begin where the session does.
    """
    effects = effects or {}
    behind: dict[str | None, list[Note]] = {}
    for note in notes:
        behind.setdefault(note.after, []).append(note)
    outputs = _outputs(entries)
    calls = {half.pair for entry in entries if (half := half_of(entry.item)) and half.role is Role.CALL}

    turns: list[list[Piece]] = [[]]
    if start:
        turns[0].extend(map(_note, behind.get(None, ())))
    for entry in entries:
        if entry.kind is Kind.USER and entry.readable and turns[-1]:
            turns.append([])
        half = half_of(entry.item)
        joined = half is not None and half.role is Role.OUTPUT and half.pair in calls
        if not joined:
            output = outputs.get(half.pair) if half and half.role is Role.CALL else None
            turns[-1].append(_piece(entry, output, effects))
        turns[-1].extend(map(_note, behind.get(entry.id, ())))
    past = [[_ended(piece) for piece in turn] for turn in turns[:-1]]
    return [_gathered(turn) for turn in (*past, turns[-1]) if turn]


def _ended(piece: Piece) -> Piece:
    """A piece of a turn that is over."""
    return replace(piece, alone=True) if piece.kind == "call" and piece.output is None else piece


def _gathered(turn: Iterable[Piece]) -> list[Piece]:
    """The pieces, one for entries one after the other that cannot be read for the same cause."""
    made: list[Piece] = []
    for piece in turn:
        if piece.kind == "unreadable" and made and _follows(made[-1], piece):
            made[-1] = replace(made[-1], agent=None, count=made[-1].count + 1)
        else:
            made.append(piece)
    return made


def _follows(last: Piece, piece: Piece) -> bool:
    behind = None if last.position is None else last.position + last.count
    return (last.kind, last.name, behind) == (piece.kind, piece.name, piece.position)


def from_run(run: Run, effects: Mapping[str, Any] | None = None, begun: Iterable[Piece] = ()) -> list[Piece]:
    """The pieces of a run, in order, its question first if it has one.

    `begun` are the calls of an earlier one that this one goes on with.
    """
    asked = [Piece("user", text=run.question)] if run.question is not None else []
    return from_steps(run.steps, effects, [*asked, *begun])


def from_steps(
    steps: Iterable[Step], effects: Mapping[str, Any] | None = None, begun: Iterable[Piece] = ()
) -> list[Piece]:
    """The pieces of a run's steps, behind those that were there."""
    pieces = list(begun)
    for step in steps:
        if step.kind == "output":
            at = next(
                (
                    i
                    for i, piece in enumerate(pieces)
                    if piece.kind == "call" and piece.call_id == step.call_id
                ),
                None,
            )
            if at is not None:
                pieces[at] = replace(pieces[at], output=step.text, effect=(effects or {}).get(step.call_id))
            elif step.call_id:
                pieces.append(Piece("output", step.agent, step.text, call_id=step.call_id))
        elif step.kind == "call":
            pieces.append(Piece("call", step.agent, step.text, step.name, step.call_id))
        else:
            pieces.append(Piece(step.kind, step.agent, step.text, step.name))
    return pieces


def argument(arguments: str) -> str:
    """The one argument of a call that says what it is about, "" if there is none."""
    found = parsed(arguments)
    if not isinstance(found, dict):
        return ""
    first = found.get("order_id") or next(iter(found.values()), "")
    return first if isinstance(first, str) else ""


# How the outputs begin that stand in the place of a result: a person's refusal, a decision that ended.
_UNDONE = {"The person declined": "declined", "Superseded:": "superseded"}


def result_code(output: str | None) -> str | None:
    """The code of a tool's output that did nothing; "" for one that went well, None where it does not say."""
    for beginning, code in _UNDONE.items():
        if output and output.startswith(beginning):
            return code
    found = parsed(output or "")
    if not isinstance(found, dict) or not isinstance(found.get("ok"), bool):
        return None
    return "" if found["ok"] else str(found.get("error", ""))


def _piece(entry: Entry, output: Entry | None, effects: Mapping[str, Any]) -> Piece:
    item = entry.item or {}
    if not entry.readable:
        return Piece("unreadable", entry.agent, name=entry.state, position=entry.position)
    half = half_of(entry.item)
    call_id = half.call_id if half else ""
    result = text_of(output.item) if output else None
    if entry.kind is Kind.HANDOFF:
        return Piece(
            "handoff", entry.agent, name=_target(item, result), call_id=call_id, position=entry.position
        )
    if half and half.role is Role.CALL:
        arguments = item.get("arguments")
        return Piece(
            "call",
            entry.agent,
            arguments if isinstance(arguments, str) else text_of(item),
            str(item.get("name") or item.get("type", "")),
            call_id,
            result,
            effects.get(call_id),
            entry.position,
        )
    kinds: dict[Kind, PieceKind] = {Kind.USER: "user", Kind.ASSISTANT: "words", Kind.REASONING: "reasoning"}
    kind: PieceKind = "output" if half else kinds.get(entry.kind, "other")
    name = str(item.get("type") or item.get("role") or "")
    return Piece(kind, entry.agent, text_of(item), name, call_id, position=entry.position)


def _target(item: Mapping[str, Any], result: str | None) -> str:
    """The agent a handoff goes to: as its answer names it, else as its tool is called."""
    for text in (result, item.get("output")):
        found = parsed(text) if isinstance(text, str) else None
        if isinstance(found, dict) and isinstance(found.get("assistant"), str):
            return str(found["assistant"])
    return str(item.get("name", "")).removeprefix(HANDOFF_PREFIX).replace("_", " ").title()


def _outputs(entries: Sequence[Entry]) -> dict[tuple[str, str], Entry]:
    found: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        half = half_of(entry.item)
        if half and half.role is Role.OUTPUT:
            found.setdefault(half.pair, entry)
    return found


def _note(note: Note) -> Piece:
    return Piece("note", name=note.kind, detail=note.detail)
