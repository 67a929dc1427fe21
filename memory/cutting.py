"""Cuts: edits in which one end of a session goes. The smaller side is read, and a few rows around the cut.

Rows that only go or stay are not made into entries: of each it is enough to know what it is a half of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .closure import Known, NeedPartner, close
from .edits import Edit, Guard, Plan, RollBack, Taken
from .entries import Entry, Key
from .errors import NothingToDo
from .items import Role
from .pairs import match_halves
from .reading import Tally, number
from .scope import Scope, Sketch
from .statements import Operation
from .tables import Stored, row

NEARBY = 8
"""Rows read on each side of a row at once; runs and parallel calls are rarely longer."""

SHOWN = 200
"""The most entries a plan shows of the side that was read."""

Range = tuple[int, int]


class Bounds(NamedTuple):
    """The session as a plan finds it: its first and last row, edits so far, calls that wait, and how long."""

    first: int
    last: int
    edits: tuple[int, int]
    waiting: tuple[str, ...]
    tally: Tally | None


class Side(NamedTuple):
    """The side of a cut that was read: whether it lies behind the cut, and whether it goes."""

    rows: list[Stored]
    sketches: list[Sketch]
    behind: bool
    goes: bool

    def at_the_cut(self, most: int) -> list[Stored]:
        return self.rows[:most] if self.behind else self.rows[-most:]

    def reaching_over(self) -> list[Stored]:
        """The halves whose partner may lie on the other side.

        A pair lies across a cut with its call before and its output behind it, so on either side only halves
        of one role can have a partner over there.
        """
        ids = [stored.id for stored in self.rows]
        partner = match_halves((id_, s.half) for id_, s in zip(ids, self.sketches, strict=True))
        role = Role.OUTPUT if self.behind else Role.CALL
        return [
            stored
            for stored, sketch in zip(self.rows, self.sketches, strict=True)
            if sketch.half and sketch.half.role is role and stored.id not in partner
        ]

    @property
    def questions(self) -> int:
        return sum(sketch.question for sketch in self.sketches)

    @property
    def calls(self) -> frozenset[str]:
        halves = (sketch.half for sketch in self.sketches)
        return frozenset(half.call_id for half in halves if half and half.role is Role.CALL)


def cut(scope: Scope, edit: Edit, bounds: Bounds, goes: Range) -> Operation[Plan]:
    """A plan in which all rows of `goes`, one end of the session, go, and what comes along."""
    side, going = yield from _read_smaller(scope, bounds, goes)
    if going == 0:
        raise NothingToDo("Nothing would change: there is nothing to take away.")
    first, last = goes
    edge = scope.read(side.at_the_cut(NEARBY))
    whole = len(side.rows) <= NEARBY
    known = Known()
    known.add_stretch(
        edge,
        from_start=(side.behind or whole) and bool(edge) and edge[0].key == (bounds.first,),
        to_end=(not side.behind or whole) and bool(edge) and edge[-1].key == (bounds.last,),
    )
    # A run over the cut touches it, so its border is looked at too.
    suspects = scope.read(side.reaching_over()) + (edge[:1] if side.behind else edge[-1:])
    taken = yield from run_closure(scope, known, lambda key: first <= row(key) <= last, suspects)
    removed = going + len(taken)
    turns = (yield from _turns(scope, bounds.tally, side, goes)) if bounds.tally else (None, None)
    return Plan(
        edit=edit,
        session_id=scope.session,
        guard=guard(bounds, scope.read([*side.rows[:1], *side.rows[-1:]]), taken, removed),
        removed=removed,
        kept=bounds.tally.entries - removed if bounds.tally else None,
        span=((first,), (last,)),
        singles=tuple(t.entry.key for t in taken),
        taken=tuple(taken),
        shown=tuple(_shown(scope, bounds.tally, side)),
        shown_go=side.goes,
        calls=side.calls,
        superseded=bounds.waiting,
        first_turn=turns[0],
        last_turn=turns[1],
    )


def _read_smaller(scope: Scope, bounds: Bounds, goes: Range) -> Operation[tuple[Side, int]]:
    """The side with fewer rows, and how many rows go."""
    first, last = goes
    tail = last >= bounds.last
    stays = (bounds.first, first - 1) if tail else (last + 1, bounds.last)
    read_going = yield from _is_smaller(scope, goes, stays)
    rows = yield from scope.tables.between(scope.session, *(goes if read_going else stays))
    going = len(rows) if read_going else (yield from scope.tables.count(scope.session, *goes))
    return Side(rows, scope.sketch(rows), tail is read_going, read_going), going


def _is_smaller(scope: Scope, goes: Range, stays: Range) -> Operation[bool]:
    """Whether fewer rows go than stay, found in time proportional to the smaller number."""
    most = 64
    while True:
        going = yield from scope.tables.count(scope.session, *goes, most)
        if going < most:
            staying = yield from scope.tables.count(scope.session, *stays, going)
            return staying >= going
        if (yield from scope.tables.count(scope.session, *stays, most)) < most:
            return False
        most *= 8


def _turns(scope: Scope, tally: Tally, side: Side, goes: Range) -> Operation[tuple[int, int]]:
    """The first and the last turn that something goes of."""
    before_cut = tally.turns - side.questions if side.behind else side.questions
    if side.goes:
        opens = side.sketches[0].question
    else:
        first_going = yield from scope.tables.oldest(scope.session, 1, goes[0] - 1)
        opens = scope.sketch(first_going)[0].question
    tail_goes = side.behind is side.goes
    return (before_cut + opens, tally.turns) if tail_goes else (int(opens), before_cut)


def _shown(scope: Scope, tally: Tally | None, side: Side) -> list[Entry]:
    entries = scope.read(side.at_the_cut(SHOWN))
    if tally is None:
        return entries
    if not side.behind:
        return number(entries, len(side.rows), side.questions)
    left_out = len(side.rows) - len(entries)
    questions = sum(sketch.question for sketch in side.sketches[len(entries) :])
    return number(entries, tally.entries - left_out, tally.turns - questions)


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
        at = row(need.key)
        left = yield from scope.tables.newest(scope.session, NEARBY, at)
        right = yield from scope.tables.oldest(scope.session, NEARBY + 1, at - 1)
        known.add_stretch(
            scope.read([*reversed(left), *right]),
            from_start=len(left) < NEARBY,
            to_end=len(right) < NEARBY + 1,
        )


def come_along(scope: Scope, named: Sequence[Entry]) -> Operation[list[Taken]]:
    """What could not stand without these entries, in order."""
    known = Known(entries={entry.key: entry for entry in named})
    keys = set(known.entries)
    return (yield from run_closure(scope, known, keys.__contains__, named))


def guard(bounds: Bounds, rows: Iterable[Entry], taken: Iterable[Taken], removed: int) -> Guard:
    checked = {entry.key: entry.fingerprint for entry in [*rows, *(t.entry for t in taken)]}
    return Guard(tuple(checked.items()), (bounds.first,), (bounds.last,), removed, bounds.edits)


def cut_after(scope: Scope, bounds: Bounds, last: int) -> Operation[set[int]]:
    """The rows at or before row `last` that could not stand without what comes after it."""
    if last >= bounds.last:
        return set()
    plan = yield from cut(scope, RollBack(None), bounds, (last + 1, bounds.last))
    return {row(key) for key in plan.singles}
