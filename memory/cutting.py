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
from .tables import row

NEARBY = 8
"""Rows read on each side of a row at once; runs and parallel calls are rarely longer."""

SHOWN = 50
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
    """The side of a cut that was read: whether it lies behind the cut, and whether it goes.

    `near` are its rows at the cut, at most `SHOWN` of them; `ids` and `sketches` are of all its rows.
    """

    near: list[Entry]
    ids: list[int]
    sketches: list[Sketch]
    behind: bool
    goes: bool

    def reaching_over(self) -> list[int]:
        """The rows of halves whose partner may lie on the other side.

        A pair lies across a cut with its call before and its output behind it, so on either side only halves
        of one role can have a partner over there.
        """
        halves = [(id_, sketch.half) for id_, sketch in zip(self.ids, self.sketches, strict=True)]
        partner = match_halves(halves)
        role = Role.OUTPUT if self.behind else Role.CALL
        return [id_ for id_, half in halves if half and half.role is role and id_ not in partner]

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
    known = Known()
    known.add_stretch(
        side.near,
        from_start=bool(side.near) and side.near[0].key == (bounds.first,),
        to_end=bool(side.near) and side.near[-1].key == (bounds.last,),
    )
    suspects = scope.read((yield from scope.tables.some(scope.session, side.reaching_over())))
    # A run over the cut touches it, so its border is looked at too.
    suspects += side.near[:1] if side.behind else side.near[-1:]
    taken = yield from run_closure(scope, known, lambda key: first <= row(key) <= last, suspects)
    removed = going + len(taken)
    turns = (yield from _turns(scope, bounds.tally, side, goes)) if bounds.tally else (None, None)
    ends = yield from scope.tables.some(scope.session, sorted({*side.ids[:1], *side.ids[-1:]}))
    return Plan(
        edit=edit,
        session_id=scope.session,
        guard=guard(bounds, scope.read(ends), taken, removed),
        removed=removed,
        kept=bounds.tally.entries - removed if bounds.tally else None,
        span=((first,), (last,)),
        singles=tuple(t.entry.key for t in taken),
        taken=tuple(taken),
        shown=tuple(_placed(bounds.tally, side)),
        shown_go=side.goes,
        calls=side.calls,
        superseded=bounds.waiting,
        first_turn=turns[0],
        last_turn=turns[1],
    )


def _read_smaller(scope: Scope, bounds: Bounds, goes: Range) -> Operation[tuple[Side, int]]:
    """The side with fewer rows, and how many rows go."""
    tail = goes[1] >= bounds.last
    stays = (bounds.first, goes[0] - 1) if tail else (goes[1] + 1, bounds.last)
    read_going = yield from _is_smaller(scope, goes, stays)
    behind = tail is read_going
    first, last = goes if read_going else stays
    if behind:
        near = yield from scope.tables.oldest(scope.session, SHOWN, first - 1)
    else:
        near = (yield from scope.tables.newest(scope.session, SHOWN, last + 1))[::-1]
    if len(near) < SHOWN:
        texts = [(stored.id, stored.raw) for stored in near]
    else:
        texts = yield from scope.tables.texts(scope.session, first, last)
    going = len(texts) if read_going else (yield from scope.tables.count(scope.session, *goes))
    ids, sketches = [id_ for id_, _ in texts], scope.sketch(raw for _, raw in texts)
    return Side(scope.read(near), ids, sketches, behind, read_going), going


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
        most *= 64


def _turns(scope: Scope, tally: Tally, side: Side, goes: Range) -> Operation[tuple[int, int]]:
    """The first and the last turn that something goes of."""
    before_cut = tally.turns - side.questions if side.behind else side.questions
    if side.goes:
        opens = side.sketches[0].question
    else:
        (first_going,) = yield from scope.tables.oldest(scope.session, 1, goes[0] - 1)
        opens = scope.sketch([first_going.raw])[0].question
    tail_goes = side.behind is side.goes
    return (before_cut + opens, tally.turns) if tail_goes else (int(opens), before_cut)


def _placed(tally: Tally | None, side: Side) -> list[Entry]:
    """The entries at the cut with their places in the whole, where that was counted."""
    if tally is None:
        return side.near
    if not side.behind:
        return number(side.near, len(side.ids), side.questions)
    left_out = len(side.ids) - len(side.near)
    questions = sum(sketch.question for sketch in side.sketches[len(side.near) :])
    return number(side.near, tally.entries - left_out, tally.turns - questions)


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
