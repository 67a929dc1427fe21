"""Working an edit out, which changes nothing: each kind of edit is one operation that ends in a `Plan`.

Edits that take one end of a session are worked out in `cutting`, what must come along in `closure`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from . import freshness, pauses
from .contract import MOST
from .cutting import FEW, NEARBY, Bounds, checks, come_along, cut, guard
from .edits import Clear, Edit, Plan, Remove, Repair, Replace, RollBack, Truncate
from .entries import Entry, Key, Kind, above, below
from .errors import EntryNotFound, NothingToDo, NotSupported
from .items import half_of, kind_of, output_for
from .keyguard import must_open_plan
from .pairs import is_call
from .reading import Tally, tally
from .recorded import Standing
from .scope import CHUNK, Scope, carried
from .statements import Operation
from .tables import Place, key_of
from .writing import closable

CANCELLED = "Cancelled: the result of this call was never stored."
"""What a lone call is completed with."""


def plan(scope: Scope, edit: Edit, known: Tally) -> Operation[Plan]:
    """The plan of any edit; `known` is what was counted so far, if anything.

    Raises EntryNotFound, NothingToDo, NotSupported for an edit that cannot be, or WrongKey.
    """
    plan = yield from _worked_out(scope, edit, known)
    must_open_plan(plan)
    if plan.superseded:
        plan = yield from _closing(scope, plan)
    return plan if scope.codec.portable else _shown(plan)


def _worked_out(scope: Scope, edit: Edit, known: Tally) -> Operation[Plan]:
    if isinstance(edit, RollBack) and edit.to is not None:
        return (yield from _roll_back(scope, edit, edit.to, known))
    bounds = yield from bounds_of(scope, known, (yield from scope.standing()))
    match edit:
        case RollBack() | Clear():
            return (yield from cut(scope, edit, bounds, (bounds.first, bounds.last)))
        case Truncate():
            first = yield from _first_kept(scope, edit, bounds)
            return (yield from cut(scope, edit, bounds, (bounds.first, below(first))))
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


def _closing(scope: Scope, plan: Plan) -> Operation[Plan]:
    """The plan with the results counted that close the calls of the decision it ends."""
    calls = yield from closable(scope, plan.superseded)
    # A call that is replaced, or moved behind an insertion, stays all the same.
    stay = len(calls) if plan.replaced or plan.inserted else sum(not plan.removes(call.key) for call in calls)
    go = len(calls) - stay
    return replace(
        plan,
        removed=plan.removed + go,
        kept=None if plan.kept is None else plan.kept + stay,
        closing_go=go,
        closing_stay=stay,
    )


def _shown(plan: Plan) -> Plan:
    """The plan as it may be shown: what no model may be sent is named in it, not quoted."""
    everything = {entry.key: entry for entry in (*plan.shown, *(taken.entry for taken in plan.taken))}
    aged = {e.key: e.veiled() for e in freshness.aged([everything[key] for key in sorted(everything)])}
    return replace(
        plan,
        shown=tuple(aged[entry.key] for entry in plan.shown),
        taken=tuple(replace(taken, entry=aged[taken.entry.key]) for taken in plan.taken),
    )


def _roll_back(scope: Scope, edit: RollBack, to: str, known: Tally) -> Operation[Plan]:
    """Most often few entries go: the end of the session is looked at together with how it stands."""
    standing, end = yield from scope.standing_and_newest(FEW + NEARBY, alone=known.last is None)
    bounds = yield from bounds_of(scope, known, standing)
    key = key_of(to)
    if key is None or len(key) != len(bounds.last):
        raise EntryNotFound
    # The entry itself is looked at in passing, among the rows around the cut.
    return (yield from cut(scope, edit, bounds, (above(key), bounds.last), after=to, end=end[::-1]))


def bounds_of(scope: Scope, known: Tally, standing: Standing) -> Operation[Bounds]:
    """The session that stands so. Raises NothingToDo for an empty one."""
    if standing.first is None or standing.last is None:
        raise NothingToDo("The session holds no items.")
    waiting: tuple[str, ...] = ()
    if standing.waiting is not None:
        pause = yield from pauses.waiting(scope.ledger, scope.codec, scope.session)
        waiting = tuple(call[0] for call in pause.calls) if pause else ()
    counted = (yield from tally(scope, known, standing)) if known.last is not None else None
    return Bounds(standing.first, standing.last, standing.edits, waiting, counted)


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


def _remove(scope: Scope, edit: Edit, bounds: Bounds, named: Sequence[Entry]) -> Operation[Plan]:
    if not named:
        raise NothingToDo("No entry was chosen.")
    taken = yield from come_along(scope, named)
    going = sorted([*named, *(t.entry for t in taken)], key=lambda entry: entry.key)
    return Plan(
        edit=edit,
        session_id=scope.session,
        guard=guard(bounds, checks(named), taken, len(going)),
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
    if (yield from scope.partner(call)) is not None:
        raise NothingToDo("This call has its result already.")
    try:
        text = scope.codec.encode(output_for(call.item, CANCELLED), like=call.raw)
    except ValueError as error:
        raise NotSupported(str(error)) from None
    last = yield from _last_beside(scope, call)
    return Plan(
        edit=edit,
        session_id=scope.session,
        guard=guard(bounds, checks([call, last]), [], 0),
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
    text = scope.codec.encode(edit.item, like=old.raw)
    if half_of(edit.item) != half_of(old.item):
        raise NotSupported("Replacing must keep the call id: a call and its result belong together.")
    if old.item is not None and kind_of(edit.item) is not old.kind:
        raise NotSupported("Replacing must keep the kind of the entry; remove it instead.")
    if old.item == edit.item:
        raise NothingToDo("Nothing would change: the entry already says this.")
    return Plan(
        edit=edit,
        session_id=scope.session,
        guard=guard(bounds, checks([old]), [], 1),
        removed=1,
        kept=bounds.tally.entries if bounds.tally else None,
        singles=(old.key,),
        shown=(old,),
        replaced=(old.key, text),
        superseded=bounds.waiting,
    )


def _calls(entries: Iterable[Entry]) -> frozenset[str]:
    return frozenset(call for entry in entries if is_call(entry) and (call := carried(entry)))
