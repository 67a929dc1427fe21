"""The edits a person can ask for, what they would do (`Plan`) and what they did (`Change`).

An edit is an intention; a plan is that intention worked out against the stored items, as a value that
can be shown before anything happens; a change is a plan that was applied, with all it needs to be undone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from .entries import Entry, Item, Key
from .items import half_of


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


Because = Literal["call", "output", "reasoning", "follower", "between"]


@dataclass(frozen=True, slots=True)
class Taken:
    """An entry that goes although nobody named it, and why.

    `because` is one of `call` (its call goes), `output` (its output goes), `reasoning` (the reasoning it
    rests on goes), `follower` (what followed the reasoning goes) and `between` (it stands between two that
    go, in a store of which only the end can be taken). `call_id` ties a half of a pair to its other half.
    """

    entry: Entry
    because: Because
    call_id: str | None = None

    @classmethod
    def of(cls, entry: Entry, because: Because) -> Taken:
        half = half_of(entry.item)
        return cls(entry, because, half.call_id if half else None)


@dataclass(frozen=True, slots=True)
class Guard:
    """What must still be true of the store when a plan is applied.

    `rows` are (order key, fingerprint) of rows that must be there unchanged; `oldest` and `newest` are the
    keys at the two ends of the session (None for an empty one); `removed` is how many rows must go;
    `edits` differs after any other edit, undo or redo.
    """

    rows: tuple[tuple[Key, str], ...]
    oldest: Key | None
    newest: Key | None
    removed: int
    edits: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Plan:
    """An edit worked out against the store: what goes, what stays, what comes along.

    `span` is the range of order keys (first, last), both included, that goes as a whole; `singles` are the
    keys that go one by one outside of it. `taken` names the entries nobody asked for that go along.
    `removed` and `kept` count entries, `kept` where the session was counted. `shown` holds entries of the
    side that was read, those at the cut and not more than a person looks at: they go if `shown_go`, else
    they stay. `replaced` is (key, new text); `inserted` is (the key it follows, new text). `superseded` are
    the calls whose waiting decision ends with this edit: `closing_go` and `closing_stay` count the results
    that are stored for them first, and then go with their calls or stay; `removed` and `kept` count them too.
    """

    edit: Edit
    session_id: str
    guard: Guard
    removed: int
    kept: int | None
    span: tuple[Key, Key] | None = None
    singles: tuple[Key, ...] = ()
    taken: tuple[Taken, ...] = ()
    shown: tuple[Entry, ...] = ()
    shown_go: bool = True
    calls: frozenset[str] = frozenset()
    replaced: tuple[Key, str] | None = None
    inserted: tuple[Key, str] | None = None
    superseded: tuple[str, ...] = ()
    closing_go: int = 0
    closing_stay: int = 0
    first_turn: int | None = None
    last_turn: int | None = None

    @property
    def lowest(self) -> Key | None:
        """The first row that this touches; None for an edit of nothing."""
        touched = [*self.singles]
        touched += [place[0] for place in (self.span, self.replaced, self.inserted) if place]
        return min(touched, default=None)

    def removes(self, key: Key) -> bool:
        """Whether the row with this key goes."""
        return key in self.singles or (self.span is not None and self.span[0] <= key <= self.span[1])

    def takes(self, call_id: str) -> bool:
        """Whether the call with this id goes. `calls` are those of the side that was read."""
        if any(taken.call_id == call_id for taken in self.taken):
            return True
        return (call_id in self.calls) is self.shown_go


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
