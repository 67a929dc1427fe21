"""Working an edit out: reads the smaller side of the cut and a few rows around it, and changes nothing.

Each kind of edit is one operation here that ends in a `Plan`. What must come along is decided in
`closure`; this file fetches the rows it asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from . import freshness, pauses
from .closure import Known, NeedPair, close
from .contract import MOST
from .edits import Clear, Edit, Guard, Plan, Remove, Repair, Replace, RollBack, Taken, Truncate
from .entries import Entry, Key, Kind, above, below
from .errors import NothingToDo, NotSupported
from .items import half_of, kind_of, output_for
from .keyguard import must_open_plan
from .pairs import halves, is_call
from .reading import CHUNK, Tally, number, tally
from .scope import Scope, carried
from .statements import Operation
from .tables import Place

NEARBY = 8
"""Rows read on each side of a row at once; runs and parallel calls are rarely longer."""

CANCELLED = "Cancelled: the result of this call was never stored."
"""What a lone call is completed with."""

Range = tuple[Key, Key]


class Bounds(NamedTuple):
    """The session as a plan finds it: its first and last row, edits so far, calls that wait, and how long."""

    first: Key
    last: Key
    edits: tuple[int, int]
    waiting: tuple[str, ...]
    tally: Tally | None


def plan(scope: Scope, edit: Edit, known: Tally) -> Operation[Plan]:
    """The plan of any edit; `known` is what was counted so far, if anything.

    Raises EntryNotFound, NothingToDo, NotSupported for an edit that cannot be, or WrongKey.
    """
    plan = yield from _worked_out(scope, edit, known)
    must_open_plan(plan)
    return _shown(plan)


def _worked_out(scope: Scope, edit: Edit, known: Tally) -> Operation[Plan]:
    bounds = yield from _bounds(scope, known)
    match edit:
        case RollBack(None) | Clear():
            return (yield from _cut(scope, edit, bounds, (bounds.first, bounds.last)))
        case RollBack(str(to)):
            first = above((yield from scope.entry(to)).key)
            return (yield from _cut(scope, edit, bounds, (first, bounds.last)))
        case Truncate():
            first = yield from _first_kept(scope, edit, bounds)
            return (yield from _cut(scope, edit, bounds, (bounds.first, below(first))))
        case Remove(ids):
            named: list[Entry] = []
            for token in dict.fromkeys(ids):
                named += [(yield from scope.entry(token))]
            return (yield from _remove(scope, edit, bounds, named))
        case Repair(token, "remove"):
            return (yield from _remove(scope, edit, bounds, [(yield from scope.entry(token))]))
        case Repair(token, "complete"):
            return (yield from _complete(scope, edit, bounds, (yield from scope.entry(token))))
        case Replace(token, _):
            return _replace(scope, edit, bounds, (yield from scope.entry(token)))
    raise NotSupported("That is no edit this session knows.")


def _shown(plan: Plan) -> Plan:
    """The plan as it may be shown: what no model may be sent is named in it, not quoted."""
    everything = {entry.key: entry for entry in (*plan.shown, *(taken.entry for taken in plan.taken))}
    aged = {e.key: e.veiled() for e in freshness.aged([everything[key] for key in sorted(everything)])}
    return replace(
        plan,
        shown=tuple(aged[entry.key] for entry in plan.shown),
        taken=tuple(replace(taken, entry=aged[taken.entry.key]) for taken in plan.taken),
        taken_calls=frozenset(taken.entry.call_id for taken in plan.taken if taken.entry.call_id),
    )


def _bounds(scope: Scope, known: Tally) -> Operation[Bounds]:
    ends = (yield from scope.tables.ends(scope.session)) if (yield from scope.tables.there()) else None
    if ends is None:
        raise NothingToDo("The session holds no items.")
    edits: tuple[int, int] = (0, 0)
    waiting: tuple[str, ...] = ()
    if (yield from scope.ledger.there()):
        edits = yield from scope.ledger.edits(scope.session)
        pause = yield from pauses.waiting(scope.ledger, scope.codec, scope.session)
        waiting = tuple(call[0] for call in pause.calls) if pause else ()
    counted = (yield from tally(scope, known)) if known.last is not None else None
    return Bounds(ends[0], ends[1], edits, waiting, counted)


def _first_kept(scope: Scope, edit: Truncate, bounds: Bounds) -> Operation[Key]:
    """The first row that a truncation keeps: one past the last where none is to be kept."""
    if edit.keep_items:
        newest = yield from scope.tables.newest(scope.session, min(edit.keep_items, MOST))
        return newest[-1].key
    turns = edit.keep_turns or 0
    if turns == 0:
        return above(bounds.last)
    before: Place = None
    while rows := (yield from scope.tables.newest(scope.session, CHUNK, before)):
        for entry in scope.read(rows):
            turns -= entry.kind is Kind.USER
            if turns == 0:
                return entry.key
        before = rows[-1].key
    return bounds.first


def _cut(scope: Scope, edit: Edit, bounds: Bounds, goes: Range) -> Operation[Plan]:
    """A plan in which one end of the session goes: all rows of `goes`, and what comes along."""
    first, last = goes
    tail = last >= bounds.last
    stays = (bounds.first, below(first)) if tail else (above(last), bounds.last)
    read_going = yield from _is_smaller(scope, goes, stays)
    side_range = goes if read_going else stays
    side = yield from _rows(scope, side_range)
    going = len(side) if read_going else (yield from scope.tables.count(scope.session, *goes))
    if going == 0:
        raise NothingToDo("Nothing would change: there is nothing to take away.")

    known = Known()
    known.add_stretch(side, from_start=side_range[0] <= bounds.first, to_end=side_range[1] >= bounds.last)
    # A pair lies across the cut with its call before and its output after it, so on the side that was
    # read only the halves of one role can have a partner over there; and a run over the cut touches it.
    after_cut = tail is read_going
    calls, outputs = halves(side)
    border = side[:1] if after_cut else side[-1:]
    taken = yield from _closed(
        scope, known, lambda key: first <= key <= last, [*(outputs if after_cut else calls), *border]
    )

    before_cut = sum(entry.kind is Kind.USER for entry in side)
    if after_cut and bounds.tally:
        before_cut = bounds.tally.turns - before_cut
    starts = yield from scope.tables.oldest(scope.session, 1, below(first))
    starts_turn = scope.read(starts)[0].kind is Kind.USER
    first_turn = (before_cut if tail else 0) + starts_turn
    last_turn = (bounds.tally.turns if tail else before_cut) if bounds.tally else None
    shown = side
    if bounds.tally:
        shown = (
            number(side, bounds.tally.entries, bounds.tally.turns)
            if after_cut
            else number(side, len(side), before_cut)
        )
    removed = going + len(taken)
    return Plan(
        edit=edit,
        session_id=scope.session,
        guard=_guard(bounds, [*side[:1], *side[-1:]], taken, removed),
        removed=removed,
        kept=bounds.tally.entries - removed if bounds.tally else None,
        span=(first, last),
        singles=tuple(t.entry.key for t in taken),
        taken=tuple(taken),
        shown=tuple(shown),
        shown_go=read_going,
        calls=_calls(side),
        superseded=bounds.waiting,
        first_turn=first_turn if bounds.tally else None,
        last_turn=last_turn,
    )


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


def _rows(scope: Scope, between: Range) -> Operation[list[Entry]]:
    rows = yield from scope.tables.between(scope.session, *between)
    return scope.read(rows)


def _closed(
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
        if isinstance(need, NeedPair):
            known.add_pair(need.call_id, (yield from scope.carriers([need.call_id])))
            continue
        left = yield from scope.tables.newest(scope.session, NEARBY, need.key)
        right = yield from scope.tables.oldest(scope.session, NEARBY + 1, below(need.key))
        known.add_stretch(
            scope.read([*reversed(left), *right]),
            from_start=len(left) < NEARBY,
            to_end=len(right) < NEARBY + 1,
        )


def come_along(scope: Scope, named: Sequence[Entry]) -> Operation[list[Taken]]:
    """What could not stand without these entries, in order."""
    known = Known(entries={entry.key: entry for entry in named})
    keys = set(known.entries)
    return (yield from _closed(scope, known, keys.__contains__, named))


def _remove(scope: Scope, edit: Edit, bounds: Bounds, named: Sequence[Entry]) -> Operation[Plan]:
    if not named:
        raise NothingToDo("No entry was chosen.")
    taken = yield from come_along(scope, named)
    going = sorted([*named, *(t.entry for t in taken)], key=lambda entry: entry.key)
    return Plan(
        edit=edit,
        session_id=scope.session,
        guard=_guard(bounds, named, taken, len(going)),
        removed=len(going),
        kept=bounds.tally.entries - len(going) if bounds.tally else None,
        singles=tuple(entry.key for entry in going),
        taken=tuple(taken),
        shown=tuple(going),
        calls=_calls(going),
        superseded=bounds.waiting,
    )


def _complete(scope: Scope, edit: Edit, bounds: Bounds, call: Entry) -> Operation[Plan]:
    half = half_of(call.item)
    if call.item is None or half is None or not is_call(call):
        raise NotSupported("Only a call without its result can be completed; this entry can be removed.")
    if half.call_id in bounds.waiting:
        raise NotSupported("This call waits for a person: approve or reject it instead.")
    known = Known(entries={call.key: call})
    known.add_pair(half.call_id, (yield from scope.carriers([half.call_id])))
    if known.paired(call, half.call_id) is not None:
        raise NothingToDo("This call has its result already.")
    try:
        text = scope.codec.encode(output_for(call.item, CANCELLED), like=call.raw)
    except ValueError as error:
        raise NotSupported(str(error)) from None
    last = yield from _last_beside(scope, call)
    return Plan(
        edit=edit,
        session_id=scope.session,
        guard=_guard(bounds, [call, last], [], 0),
        removed=0,
        kept=bounds.tally.entries if bounds.tally else None,
        inserted=(last.key, text),
        superseded=bounds.waiting,
    )


def _last_beside(scope: Scope, call: Entry) -> Operation[Entry]:
    """The last of the calls made side by side with `call`; their results stand behind all of them."""
    last = call
    while rows := (yield from scope.tables.oldest(scope.session, NEARBY, last.key)):
        for entry in scope.read(rows):
            if not is_call(entry):
                return last
            last = entry
    return last


def _replace(scope: Scope, edit: Replace, bounds: Bounds, old: Entry) -> Plan:
    if old.item is not None and not old.readable:
        raise NotSupported("What no model would be sent cannot be replaced; it can be removed.")
    if half_of(edit.item) != half_of(old.item):
        raise NotSupported("Replacing must keep the call id: a call and its result belong together.")
    if old.item is not None and kind_of(edit.item) is not old.kind:
        raise NotSupported("Replacing must keep the kind of the entry; remove it instead.")
    text = scope.codec.encode(edit.item, like=old.raw)
    if old.item == edit.item:
        raise NothingToDo("Nothing would change: the entry already says this.")
    return Plan(
        edit=edit,
        session_id=scope.session,
        guard=_guard(bounds, [old], [], 1),
        removed=1,
        kept=bounds.tally.entries if bounds.tally else None,
        singles=(old.key,),
        shown=(old,),
        replaced=(old.key, text),
        superseded=bounds.waiting,
    )


def _guard(bounds: Bounds, rows: Iterable[Entry], taken: Iterable[Taken], removed: int) -> Guard:
    checked = {entry.key: entry.fingerprint for entry in [*rows, *(t.entry for t in taken)]}
    return Guard(tuple(checked.items()), bounds.first, bounds.last, removed, bounds.edits)


def _calls(entries: Iterable[Entry]) -> frozenset[str]:
    return frozenset(call for entry in entries if is_call(entry) and (call := carried(entry)))


def cut_after(scope: Scope, last: Key) -> Operation[set[Key]]:
    """The rows at or before row `last` that could not stand without what comes after it."""
    bounds = yield from _bounds(scope, Tally())
    if last >= bounds.last:
        return set()
    cut = yield from _cut(scope, RollBack(None), bounds, (above(last), bounds.last))
    return set(cut.singles)
