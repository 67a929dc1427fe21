"""Cuts: edits in which one end of a session goes. The smaller side is read, and a few rows around the cut.

Rows that only go or stay are not made into entries: of each it is enough to know what it is a half of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .closure import Known, NeedPartner, close
from .codec import Codec
from .edits import Edit, Guard, Plan, RollBack, Taken
from .entries import Entry, Key, Kind, above, below
from .errors import NothingToDo
from .items import Role, is_question
from .reading import Tally, number
from .scope import Scope
from .statements import Operation
from .tables import Stored, fingerprint

NEARBY = 4
"""Rows read beside a row at once; runs and parallel calls are rarely longer."""

SHOWN = 8
"""The most entries a plan shows of the side that was read."""

FEW = 64
"""An end of so many rows is read without counting anything first, with a few rows beyond the cut."""

SHORT = 256
"""A side of so many rows is read at once; of a longer one, the text without the rest."""

Range = tuple[Key, Key]


class Bounds(NamedTuple):
    """The session as a plan finds it: its first and last row, edits so far, calls that wait, and how long."""

    first: Key
    last: Key
    edits: tuple[int, int]
    waiting: tuple[str, ...]
    tally: Tally | None


class Reading(NamedTuple):
    """What must be known of many rows: calls, halves without a partner among them, and questions.

    `calls` are the ids of all calls; `lone_calls` and `lone_outputs` are rows.
    """

    calls: frozenset[str]
    lone_calls: list[Key]
    lone_outputs: list[Key]
    questions: int


class Side(NamedTuple):
    """The side of a cut that was read: whether it lies behind the cut, and whether it goes.

    `near` are its entries at the cut, at most `SHOWN` of them; `ends` are its first and its last row with
    their fingerprints; `size` and `reading` are of all. `beyond` are the entries on the other side of the
    cut, as far as they were read.
    """

    near: list[Entry]
    ends: list[tuple[Key, str]]
    size: int
    reading: Reading
    behind: bool
    goes: bool
    beyond: list[Entry]

    @property
    def around(self) -> list[Entry]:
        """What was read on both sides of the cut, without a gap."""
        return [*self.beyond, *self.near] if self.behind else [*self.near, *self.beyond]

    @property
    def border(self) -> list[Entry]:
        """The entry at the cut."""
        return self.near[:1] if self.behind else self.near[-1:]

    @property
    def reaching_over(self) -> list[Key]:
        """The rows of halves whose partner may lie on the other side.

        A pair lies across a cut with its call before and its output behind it, so on either side only halves
        of one role can have a partner over there.
        """
        return self.reading.lone_outputs if self.behind else self.reading.lone_calls


def cut(
    scope: Scope,
    edit: Edit,
    bounds: Bounds,
    goes: Range,
    *,
    after: str | None = None,
    end: Sequence[Stored] | None = None,
) -> Operation[Plan]:
    """A plan in which all rows of `goes`, one end of the session, go, and what comes along.

    `after` is the token of the entry that the cut follows, which must be there; `end` are the newest
    `FEW + NEARBY` rows, where they were read already, in order. Raises EntryNotFound.
    """
    side, going = yield from _read_smaller(scope, bounds, goes, after, end)
    if going == 0:
        raise NothingToDo("Nothing would change: there is nothing to take away.")
    first, last = goes
    known = Known()
    around = side.around
    known.add_stretch(
        around,
        from_start=bool(around) and around[0].key == bounds.first,
        to_end=bool(around) and around[-1].key == bounds.last,
    )
    # A run over the cut touches it, so its border is looked at too.
    reaching = scope.read((yield from scope.tables.some(scope.session, side.reaching_over)))
    suspects = [*reaching, *side.border]
    taken = yield from run_closure(scope, known, lambda key: first <= key <= last, suspects)
    removed = going + len(taken)
    turns = (yield from _turns(scope, bounds.tally, side, goes)) if bounds.tally else (None, None)
    return Plan(
        edit=edit,
        session_id=scope.session,
        guard=guard(bounds, side.ends, taken, removed),
        removed=removed,
        kept=bounds.tally.entries - removed if bounds.tally else None,
        span=(first, last),
        singles=tuple(t.entry.key for t in taken),
        taken=tuple(taken),
        shown=tuple(_placed(bounds.tally, side)),
        shown_go=side.goes,
        calls=side.reading.calls,
        superseded=bounds.waiting,
        first_turn=turns[0],
        last_turn=turns[1],
    )


def _read_smaller(
    scope: Scope, bounds: Bounds, goes: Range, after: str | None, end: Sequence[Stored] | None
) -> Operation[tuple[Side, int]]:
    """The side with fewer rows, and how many rows go; EntryNotFound is raised where entry `after` is gone."""
    tail = goes[1] >= bounds.last
    everything = tail and goes[0] <= bounds.first
    few = None if everything else (yield from _few(scope, bounds.tally, goes, tail, end))
    if after is not None and not (few and few.beyond and few.beyond[-1].id == after):
        yield from scope.entry(after)
    if few is not None:
        return few, few.size
    stays = (bounds.first, below(goes[0])) if tail else (above(goes[1]), bounds.last)
    read_going, size = yield from _smaller(scope, goes, stays)
    behind = tail is read_going
    first, last = goes if read_going else stays
    texts: list[tuple[Key, bytes]]
    if size <= SHORT:
        rows = yield from scope.tables.between(scope.session, first, last)
        texts = [(stored.key, stored.raw) for stored in rows]
        near = rows[:SHOWN] if behind else rows[-SHOWN:]
    else:
        texts = [
            (scope.tables.key(row), row[-1])
            for row in (yield from scope.tables.texts(scope.session, first, last))
        ]
        if behind:
            near = yield from scope.tables.oldest(scope.session, SHOWN, below(first))
        else:
            near = (yield from scope.tables.newest(scope.session, SHOWN, above(last)))[::-1]
    going = len(texts) if read_going else (yield from scope.tables.count(scope.session, *goes))
    ends = [(key, fingerprint(raw)) for key, raw in (*texts[:1], *texts[-1:])]
    side = Side(scope.read(near), ends, len(texts), _read(texts, scope.codec), behind, read_going, [])
    return side, going


def _few(
    scope: Scope, tally: Tally | None, goes: Range, tail: bool, end: Sequence[Stored] | None
) -> Operation[Side | None]:
    """The side that goes, read at once; None where it is long, or the other one is known to be smaller."""
    if end is not None:
        rows = list(end)
    elif tail:
        rows = (yield from scope.tables.newest(scope.session, FEW + NEARBY))[::-1]
    else:
        rows = yield from scope.tables.oldest(scope.session, FEW + NEARBY)
    going = [stored for stored in rows if goes[0] <= stored.key <= goes[1]]
    size, whole = len(going), tally.entries if tally else None
    if len(rows) < FEW + NEARBY:
        whole = len(rows)
    if not 0 < size <= FEW or (whole is not None and size > whole - size):
        return None
    beyond = rows[-size - NEARBY : -size] if tail else rows[size : size + NEARBY]
    near = going[:SHOWN] if tail else going[-SHOWN:]
    ends = [(stored.key, fingerprint(stored.raw)) for stored in (going[0], going[-1])]
    reading = _read(((stored.key, stored.raw) for stored in going), scope.codec)
    return Side(scope.read(near), ends, size, reading, tail, True, scope.read(beyond))


def _read(texts: Iterable[tuple[Key, bytes]], codec: Codec) -> Reading:
    """Read rows in stored order without making entries of them; `pairs.match` says who is whose partner."""
    glance, searchable = codec.glance, codec.searchable
    calls: set[str] = set()
    open_calls: dict[tuple[str, str], list[Key]] = {}  # by `Half.pair`, which takes longer to ask for
    lone_outputs: list[Key] = []
    questions = 0
    for key, raw in texts:
        # Parsing is most of the work, and what holds none of these words is neither half nor question.
        if searchable and not (b"call_id" in raw or b'"user"' in raw or b"mcp_approval" in raw):
            continue
        question, half = glance(raw)
        if half is None:
            questions += question
        elif half.role is Role.CALL:
            calls.add(half.call_id)
            open_calls.setdefault(half[1:], []).append(key)
        elif answered := open_calls.get(half[1:]):
            answered.pop()
        else:
            lone_outputs.append(key)
    lone_calls = sorted(lone for keys in open_calls.values() for lone in keys)
    return Reading(frozenset(calls), lone_calls, lone_outputs, questions)


def _smaller(scope: Scope, goes: Range, stays: Range) -> Operation[tuple[bool, int]]:
    """Whether no more rows go than stay, and how many these are, in time proportional to that number."""
    most = 64
    while True:
        going, staying = yield from scope.tables.counts(scope.session, goes, stays, most)
        if going < most or staying < most:
            return staying >= going, min(going, staying)
        most *= 64


def _turns(scope: Scope, tally: Tally, side: Side, goes: Range) -> Operation[tuple[int, int]]:
    """The first and the last turn that something goes of."""
    questions = side.reading.questions
    before_cut = tally.turns - questions if side.behind else questions
    if side.behind and side.goes:
        first_going = side.near[0]
    else:
        (first_going,) = scope.read((yield from scope.tables.oldest(scope.session, 1, below(goes[0]))))
    opens = is_question(first_going.item)
    tail_goes = side.behind is side.goes
    return (before_cut + opens, tally.turns) if tail_goes else (int(opens), before_cut)


def _placed(tally: Tally | None, side: Side) -> list[Entry]:
    """The entries at the cut with their places in the whole, where that was counted."""
    if tally is None:
        return side.near
    if not side.behind:
        return number(side.near, side.size, side.reading.questions)
    left_out = side.reading.questions - sum(entry.kind is Kind.USER for entry in side.near)
    return number(side.near, tally.entries - side.size + len(side.near), tally.turns - left_out)


def run_closure(
    scope: Scope, known: Known, named: Callable[[Key], bool], suspects: Iterable[Entry]
) -> Operation[list[Taken]]:
    """Run the closure, fetching what it asks for."""
    closing = close(known, named, suspects)
    while True:
        try:
            need = next(closing)
        except StopIteration as done:
            taken: list[Taken] = done.value
            return taken
        if isinstance(need, NeedPartner):
            known.add_partner(need.entry, (yield from scope.partner(need.entry)))
            continue
        if need.older:
            rows = (yield from scope.tables.newest(scope.session, NEARBY, need.entry.key))[::-1]
            stretch = [*scope.read(rows), need.entry]
        else:
            rows = yield from scope.tables.oldest(scope.session, NEARBY, need.entry.key)
            stretch = [need.entry, *scope.read(rows)]
        end = len(rows) < NEARBY
        known.add_stretch(stretch, from_start=need.older and end, to_end=not need.older and end)


def come_along(scope: Scope, named: Sequence[Entry]) -> Operation[list[Taken]]:
    """What could not stand without these entries, in order."""
    known = Known(entries={entry.key: entry for entry in named})
    keys = set(known.entries)
    return (yield from run_closure(scope, known, keys.__contains__, named))


def guard(bounds: Bounds, rows: Iterable[tuple[Key, str]], taken: Iterable[Taken], removed: int) -> Guard:
    """What must still be so when the plan is applied; `rows` are keys with fingerprints."""
    checked = dict([*rows, *((t.entry.key, t.entry.fingerprint) for t in taken)])
    return Guard(tuple(checked.items()), bounds.first, bounds.last, removed, bounds.edits)


def checks(entries: Iterable[Entry]) -> list[tuple[Key, str]]:
    return [(entry.key, entry.fingerprint) for entry in entries]


def cut_after(scope: Scope, bounds: Bounds, last: Key) -> Operation[set[Key]]:
    """The rows at or before row `last` that could not stand without what comes after it."""
    if last >= bounds.last:
        return set()
    plan = yield from cut(scope, RollBack(None), bounds, (above(last), bounds.last))
    return set(plan.singles)
