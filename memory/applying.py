"""Making an edit, taking it back, making it again: each one transaction that refuses a moved history.

A change has two sides, the rows it takes and the rows it puts in place. One side lies in the messages and
the other in the ledger; undo and redo swap them, every row under its own id, time and bytes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from . import leases, pauses
from .edits import Change, ChangeKind, Clear, Plan, Remove, Repair, Replace, RollBack, Truncate
from .entries import Key, above
from .errors import HistoryChanged, MemoryDeskError, NothingToDo, UndoRefused
from .keyguard import must_open, must_open_kept
from .notes import Lease
from .recorded import Made, Ranges, Recorded, Standing
from .scope import Scope
from .statements import Operation
from .tables import Place, Stored, fingerprint
from .writing import close_going, supersede, waiting_calls

KIND_OF_EDIT: dict[type, ChangeKind] = {
    RollBack: "roll_back",
    Truncate: "truncate",
    Remove: "remove",
    Replace: "replace",
    Repair: "repair",
    Clear: "clear",
}


def apply(scope: Scope, plan: Plan, lease: Lease | None, now: float) -> Operation[Change]:
    """Make the planned edit.

    Raises HistoryChanged, SessionBusy, LeaseLost or WrongKey, and then changes nothing.
    """
    yield from scope.tables.make()
    yield from scope.ledger.make()
    yield from scope.tables.lock(scope.session)
    looked_at = [key for key, _ in plan.guard.rows]
    standing, stored = yield from scope.ledger.standing_and(scope.session, looked_at)
    leases.must_be_free(standing, scope.session, lease, now)
    took, removed = yield from _checked(scope, plan, standing, stored)
    yield from must_open(scope, took)
    standing = yield from scope.ledger.drop_undone(scope.session, standing)

    made = Made(
        KIND_OF_EDIT[type(plan.edit)],
        took,
        removed,
        standing.born or (yield from scope.tables.birth(scope.session)),
        tail=took[0][0] if isinstance(plan.edit, RollBack) else None,
        turns=(plan.first_turn, plan.last_turn),
    )
    if not (plan.replaced or plan.inserted or plan.superseded):
        return (yield from scope.ledger.take_and_record(scope.session, standing, made))
    going: list[str] = []
    if plan.superseded and not (plan.replaced or plan.inserted):
        going, closed = yield from close_going(scope, took)
        made = made._replace(took=[*took, *((key, key) for key in closed)], removed=removed + len(closed))
    yield from scope.ledger.take(scope.session, made.took, expected=made.removed)
    if plan.replaced:
        key, text = plan.replaced
        yield from scope.ledger.put_changed(scope.session, standing, key, text)
        made = made._replace(put=[(key, key)], added=1)
    elif plan.inserted:
        put = yield from _insert(scope, standing, *plan.inserted)
        made = made._replace(put=put, added=removed + 1)
    if plan.superseded:
        yield from supersede(scope, "edited", but=going)
    return (yield from scope.ledger.record(scope.session, standing, made))


def _checked(
    scope: Scope, plan: Plan, standing: Standing, stored: Sequence[Stored]
) -> Operation[tuple[Ranges, int]]:
    """The rows that go and how many. Raises HistoryChanged unless the store is what the plan is about."""
    guard = plan.guard
    if (plan.session_id, guard.oldest, guard.newest, guard.edits) != (
        scope.session,
        standing.first,
        standing.last,
        standing.edits,
    ):
        raise HistoryChanged
    if [(each.key, fingerprint(each.raw)) for each in stored] != sorted(guard.rows):
        raise HistoryChanged
    waiting: tuple[str, ...] = ()
    if standing.waiting is not None:
        pause = yield from pauses.waiting(scope.ledger, scope.codec, scope.session)
        waiting = tuple(call[0] for call in pause.calls) if pause else ()
    if waiting != plan.superseded:
        raise HistoryChanged
    if plan.inserted:
        # The rows behind an insertion go and come back under new ids.
        after: Ranges = [(above(plan.inserted[0]), guard.newest)] if guard.newest else []
        return after, (yield from _count(scope, after))
    took: Ranges = [plan.span] if plan.span else []
    took += [(key, key) for key in plan.singles]
    return took, guard.removed


def _count(scope: Scope, ranges: Ranges) -> Operation[int]:
    total = 0
    for first, last in ranges:
        total += yield from scope.tables.count(scope.session, first, last)
    return total


def _insert(scope: Scope, standing: Standing, behind: Key, text: str) -> Operation[Ranges]:
    """Write a row where the rows after it were just taken, and those again behind it, under new ids."""
    first = yield from scope.tables.insert_behind(scope.session, behind, text)
    old, new = yield from scope.ledger.put_anew(scope.session, standing, first)
    if not old:
        return [(first, first)]
    yield from copy_credits(scope, old, scope, new)
    yield from scope.ledger.move_notes(scope.session, old, new)
    return [(first, new[-1])]


def copy_credits(source: Scope, old: Sequence[Key], target: Scope, new: Sequence[Key]) -> Operation[None]:
    """Credit the rows `new` as the rows `old` were, one for one; both ascend."""
    for first, last, agent in (yield from source.ledger.credits(source.session, old[0], old[-1])):
        start, stop = bisect_left(old, first), bisect_right(old, last)
        if start < stop:
            yield from target.ledger.credit(target.session, [new[start], new[stop - 1]], agent)


class Swapped(NamedTuple):
    """A change that was undone or made again: the first row it touched, and `Standing.edits` around it."""

    change: Change
    lowest: Key
    before: tuple[int, int]
    after: tuple[int, int]


def undo(scope: Scope, lease: Lease | None, now: float) -> Operation[Swapped]:
    """Take back the newest edit that stands.

    Raises NothingToDo if there is none, UndoRefused where something was appended after the cut of a roll
    back or a pop, HistoryChanged where another program took what the edit had put in place.
    """
    standing, recorded = yield from _next(scope, lease, now, undone=False)
    if _at_or_behind(standing.last, recorded.tail):
        raise UndoRefused(
            "Something was said after this edit, so the old items have no place at the end any more; "
            "branch the earlier state into a new session instead."
        )
    if (yield from _count(scope, recorded.put)) != recorded.added:
        raise HistoryChanged("Another program has changed what this edit put in place; it cannot be undone.")
    yield from _supersede(scope, standing)
    used = UndoRefused(
        "Another program has used the places of the old items; branch the earlier state instead."
    )
    yield from _swap(scope, recorded, standing, away=recorded.put, back=recorded.took, occupied=used)
    return (yield from _swapped(scope, recorded, standing))


def redo(scope: Scope, lease: Lease | None, now: float) -> Operation[Swapped]:
    """Make the oldest undone edit again. Raises NothingToDo or HistoryChanged."""
    standing, recorded = yield from _next(scope, lease, now, undone=True)
    if (yield from _count(scope, recorded.took)) != recorded.removed:
        raise HistoryChanged("The items this edit took are not all there any more; it cannot be made again.")
    late = HistoryChanged("Something was said since; this edit cannot be made again.")
    if recorded.tail and _at_or_behind(standing.last, above(max(last for _, last in recorded.took))):
        raise late
    if standing.waiting is not None and (yield from waiting_calls(scope, recorded.took)):
        raise HistoryChanged("A decision waits on what this edit takes; decide first, then make it again.")
    yield from _supersede(scope, standing)
    yield from _swap(scope, recorded, standing, away=recorded.took, back=recorded.put, occupied=late)
    return (yield from _swapped(scope, recorded, standing))


def _swapped(scope: Scope, recorded: Recorded, before: Standing) -> Operation[Swapped]:
    after = yield from scope.ledger.standing(scope.session)
    lowest = min(first for first, _ in (*recorded.took, *recorded.put))
    return Swapped(recorded.change(undone=not recorded.undone), lowest, before.edits, after.edits)


def _supersede(scope: Scope, standing: Standing) -> Operation[None]:
    if standing.waiting is not None:
        yield from supersede(scope, "edited")


def _swap(
    scope: Scope,
    recorded: Recorded,
    standing: Standing,
    *,
    away: Ranges,
    back: Ranges,
    occupied: MemoryDeskError,
) -> Operation[None]:
    """Take one side of a change into the ledger and put the other back.

    Raises WrongKey for rows that cannot be read here, and `occupied` where another row stands in a place
    that is needed: tables that another program made may hand out the id of a deleted row again.
    """
    yield from must_open(scope, away)
    yield from must_open_kept(scope, recorded)
    moved = recorded.kind == "repair"
    leaving = (yield from _keys(scope, away)) if moved else []
    coming = (yield from scope.ledger.kept_keys(scope.session, recorded)) if moved else []
    yield from scope.ledger.take(scope.session, away)
    if (yield from _count(scope, back)):
        raise occupied
    yield from scope.ledger.put_back(scope.session, recorded)
    if (yield from _count(scope, back)) != (recorded.added if recorded.undone else recorded.removed):
        raise occupied
    yield from scope.ledger.swap(scope.session, recorded, standing)
    # Completing a call put one row more in place than it took; the rows behind that one are the same.
    same = min(len(leaving), len(coming))
    if same:
        yield from scope.ledger.move_notes(scope.session, leaving[-same:], coming[-same:])


def undo_refused(scope: Scope) -> Operation[bool]:
    """Whether something was said behind the newest edit, so that what it took has no place any more."""
    if not (yield from scope.tables.there()) or not (yield from scope.ledger.there()):
        return False
    standing = yield from scope.standing()
    if standing.stands is None:
        return False
    newest = yield from scope.ledger.one(scope.session, standing.stands)
    return newest.tail is not None and standing.last is not None and standing.last >= newest.tail


def changes(scope: Scope) -> Operation[list[Change]]:
    """Every edit of the session, oldest first; void ones are leftovers of a session that was cleared."""
    if not (yield from scope.ledger.there()) or not (yield from scope.tables.there()):
        return []
    history = yield from scope.ledger.history(scope.session)
    born = yield from scope.tables.born(scope.session)
    standing = [recorded for recorded in history if not recorded.undone]
    void_up_to = 0
    if standing and (yield from is_void(scope, standing[-1], born)):
        void_up_to = standing[-1].id
    return [r.change(void=r.id <= void_up_to or r.birth != born) for r in history]


def _next(
    scope: Scope, lease: Lease | None, now: float, *, undone: bool
) -> Operation[tuple[Standing, Recorded]]:
    word = "redo" if undone else "undo"
    if not (yield from scope.ledger.there()) or not (yield from scope.tables.there()):
        raise NothingToDo(f"There is nothing to {word}.")
    yield from scope.tables.lock(scope.session)
    standing = yield from scope.ledger.standing(scope.session)
    leases.must_be_free(standing, scope.session, lease, now)
    change = standing.undone if undone else standing.stands
    if change is None:
        raise NothingToDo(f"There is nothing to {word}.")
    recorded = yield from scope.ledger.one(scope.session, change)
    if (yield from is_void(scope, recorded, standing.born)):
        raise NothingToDo(
            "Another program has cleared this session since; what was kept of it is a leftover that can only "
            "be purged."
        )
    return standing, recorded


def is_void(scope: Scope, recorded: Recorded, born: str | None) -> Operation[bool]:
    """Whether another program cleared the session after this change; `born` is when it began."""
    if born != recorded.birth:
        return True
    if recorded.seen is None or recorded.undone:
        return False
    return (yield from scope.tables.count(scope.session, None, recorded.seen, 1)) == 0


def _keys(scope: Scope, ranges: Ranges) -> Operation[list[Key]]:
    found: list[Key] = []
    for first, last in ranges:
        found += yield from scope.tables.keys(scope.session, first, last)
    return found


def _at_or_behind(place: Place, tail: Place) -> bool:
    return place is not None and tail is not None and place >= tail
