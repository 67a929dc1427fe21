"""The edits a person can ask for, what they would do (`Plan`) and what they did (`Change`).

An edit is an intention; a plan is that intention worked out against the stored items, as a value that
can be shown before anything happens; a change is a plan that was applied, with all it needs to be undone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from .entries import Entry, Item


@dataclass(frozen=True, slots=True)
class RollBack:
    """Keep everything up to and including entry `to`; `None` goes back to before the first entry."""

    to: str | None


@dataclass(frozen=True, slots=True)
class Truncate:
    """Keep only the newest: so many whole turns, or so many items (fewer where a pair would be cut)."""

    keep_turns: int | None = None
    keep_items: int | None = None

    def __post_init__(self) -> None:
        given = [value for value in (self.keep_turns, self.keep_items) if value is not None]
        if len(given) != 1 or type(given[0]) is not int or given[0] < 0:
            raise ValueError("Truncate takes either keep_turns or keep_items, a whole number from 0 up.")


@dataclass(frozen=True, slots=True)
class Remove:
    """Take out these entries and the partners that could not stand without them."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Replace:
    """Put another item in the place of entry `id`: same place, same time, same author."""

    id: str
    item: Item


@dataclass(frozen=True, slots=True)
class Repair:
    """Mend half a pair: `remove` it, or `complete` a call with a result that says it was cancelled."""

    id: str
    how: Literal["remove", "complete"]


@dataclass(frozen=True, slots=True)
class Clear:
    """Empty the session, undoably."""


Edit = RollBack | Truncate | Remove | Replace | Repair | Clear


@dataclass(frozen=True, slots=True)
class Taken:
    """An entry that goes although nobody named it, and why.

    `because` is one of `call` (its call goes), `output` (its output goes), `reasoning` (the reasoning it
    rests on goes) and `follower` (what followed the reasoning goes).
    """

    entry: Entry
    because: Literal["call", "output", "reasoning", "follower"]


@dataclass(frozen=True, slots=True)
class Guard:
    """What must still be true of the store when a plan is applied.

    `rows` are (order key, fingerprint) of single rows that must be there unchanged; `newest` and `oldest`
    are the key at that end of the session, checked where not None; `count` is how many rows the span that
    goes holds.
    """

    rows: tuple[tuple[tuple[Any, ...], str], ...] = ()
    newest: tuple[Any, ...] | None = None
    oldest: tuple[Any, ...] | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """An edit worked out against the store: what goes, what stays, what comes along.

    `span` is the range of order keys (first, last), both included, that goes as a whole; `singles` are keys
    that go one by one; `spared` are keys inside the span that stay. `removed` and `kept` count entries, and
    `shown` holds the entries on the side that was read, for a preview. `placed` are the items the edit
    writes, each (after which key, text, agent, created_at text); `superseded` are calls whose waiting
    decision ends with this edit.
    """

    edit: Edit
    session_id: str
    guard: Guard
    removed: int
    kept: int | None
    first_turn: int | None = None
    last_turn: int | None = None
    span: tuple[tuple[Any, ...], tuple[Any, ...]] | None = None
    singles: tuple[tuple[Any, ...], ...] = ()
    taken: tuple[Taken, ...] = ()
    shown: tuple[Entry, ...] = ()
    removed_calls: frozenset[str] | None = None
    kept_calls: frozenset[str] = frozenset()
    replaced: tuple[tuple[Any, ...], str] | None = None  # (key, new text)
    inserted: tuple[tuple[Any, ...], str] | None = None  # (after which key, new text)
    superseded: tuple[str, ...] = ()

    def takes(self, call_id: str) -> bool:
        """Whether the call with this id goes. Exact on the side that was read, by exclusion on the other."""
        if self.removed_calls is not None:
            return call_id in self.removed_calls
        return call_id not in self.kept_calls


ChangeKind = Literal["roll_back", "truncate", "remove", "replace", "repair", "clear", "pop"]


@dataclass(frozen=True, slots=True)
class Change:
    """An edit that was made. `undone` says whether it is taken back at the moment."""

    id: int
    kind: ChangeKind
    at: datetime
    removed: int
    added: int
    undone: bool = False
    turns: tuple[int | None, int | None] = field(default=(None, None))
    void: bool = False  # the session was cleared or replaced by another program since
