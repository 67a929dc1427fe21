"""Making an edit, taking it back, making it again: each one transaction that refuses a moved history.

A change has two sides, the rows it takes and the rows it puts in place. One side lies in the messages and
the other in the ledger; undo and redo swap them, every row under its own id, time and bytes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from . import leases, pauses
from .edits import Change, ChangeKind, Clear, Plan, Remove, Repair, Replace, RollBack, Truncate
from .entries import Key, above, below
from .errors import HistoryChanged, NothingToDo, UndoRefused
from .keyguard import must_open, must_open_kept
from .ledger import AFTER, BEFORE, Ranges, Recorded, change_of
from .notes import Lease
from .scope import Scope
from .statements import Operation
from .tables import fingerprint
from .writing import SUPERSEDED, close_calls, supersede, waiting_calls

KIND_OF_EDIT: dict[type, ChangeKind] = {
    RollBack: "roll_back",
    Truncate: "truncate",
    Remove: "remove",
    Replace: "replace",
    Repair: "repair",
    Clear: "clear",
}

MOVED = "The conversation has changed since this was prepared; look at it again and repeat the edit."


def apply(scope: Scope, plan: Plan, lease: Lease | None, now: float) -> Operation[Change]:
    """Make the planned edit.

    Raises HistoryChanged, SessionBusy, LeaseLost or WrongKey, and then changes nothing.
    """
    yield from scope.tables.make()
    yield from scope.ledger.make()
    yield from scope.tables.lock(scope.session)
    yield from leases.must_be_free(scope.ledger, scope.session, lease, now)
    yield from _check(scope, plan)
    yield from scope.ledger.drop_undone(scope.session)

    took: Ranges = [plan.span] if plan.span else []
    took += [(key, key) for key in plan.singles]
    # A call that goes takes a result along, so that an undo brings back a whole pair.
    going = [] if plan.replaced else (yield from waiting_calls(scope, took))
    closed = yield from close_calls(scope, going, SUPERSEDED)
    took += [(key, key) for key in closed]
    if plan.inserted:
        took = yield from _rows_after(scope, plan.inserted[0])

    yield from must_open(scope, took)

    removed = plan.guard.removed + len(closed)
    if plan.inserted:
        removed = yield from _count(scope, took)
    change = yield from scope.ledger.record(
        scope.session,
        KIND_OF_EDIT[type(plan.edit)],
        removed=removed,
        took=took,
        tail=took[0][0] if isinstance(plan.edit, RollBack) else None,
        turns=(plan.first_turn, plan.last_turn),
        birth=(yield from scope.tables.birth(scope.session)),
    )
    if (yield from scope.ledger.count_kept(change.id)) != removed:
        raise HistoryChanged(MOVED)
    put: Ranges = []
    if plan.replaced:
        key, text = plan.replaced
        yield from scope.ledger.put_changed(change.id, scope.session, key, text)
        put = [(key, key)]
    elif plan.inserted:
        put = yield from _insert(scope, change.id, *plan.inserted)
    added = len(put) if plan.replaced else 0
    if plan.inserted:
        added = removed + 1
    if plan.superseded:
        yield from supersede(scope, but=going)
    ends = yield from scope.tables.ends(scope.session)
    yield from scope.ledger.close(change.id, seen=ends[1] if ends else None, put=put, added=added)
    return change_of((yield from scope.ledger.one(change.id)))


def _check(scope: Scope, plan: Plan) -> Operation[None]:
    """Raises HistoryChanged unless the store is what the plan was made from."""
    ends = yield from scope.tables.ends(scope.session)
    expected = (plan.guard.oldest, plan.guard.newest)
    if plan.session_id != scope.session or ends != expected:
        raise HistoryChanged(MOVED)
    if (yield from scope.ledger.edits(scope.session)) != plan.guard.edits:
        raise HistoryChanged(MOVED)
    for key, digest in plan.guard.rows:
        stored = yield from scope.tables.one(scope.session, key)
        if stored is None or fingerprint(stored.raw) != digest:
            raise HistoryChanged(MOVED)
    pause = yield from pauses.waiting(scope.ledger, scope.codec, scope.session)
    if (tuple(call[0] for call in pause.calls) if pause else ()) != plan.superseded:
        raise HistoryChanged(MOVED)


def _count(scope: Scope, ranges: Ranges) -> Operation[int]:
    total = 0
    for first, last in ranges:
        total += yield from scope.tables.count(scope.session, first, last)
    return total


def _rows_after(scope: Scope, key: Key) -> Operation[Ranges]:
    ends = yield from scope.tables.ends(scope.session)
    return [(above(key), ends[1])] if ends and ends[1] > key else []


def _insert(scope: Scope, change: int, behind: Key, text: str) -> Operation[Ranges]:
    """Write a row where the rows after it were just taken, and those again behind it, under new ids."""
    old = yield from scope.ledger.kept_keys(change, BEFORE)
    first = yield from scope.tables.insert_behind(scope.session, behind, text)
    if not old:
        return [(first, first)]
    yield from scope.ledger.put_anew(change, scope.session)
    new = yield from scope.tables.keys(scope.session, above(first))
    yield from copy_credits(scope, old, scope, new)
    yield from scope.ledger.move_notes(scope.session, old, new)
    return [(first, new[-1])]


def copy_credits(source: Scope, old: Sequence[Key], target: Scope, new: Sequence[Key]) -> Operation[None]:
    """Credit the rows `new` as the rows `old` were, one for one; both ascend."""
    for first, last, agent in (yield from source.ledger.credits(source.session, old[0], old[-1])):
        start, stop = bisect_left(old, first), bisect_right(old, last)
        if start < stop:
            yield from target.ledger.credit(target.session, [new[start], new[stop - 1]], agent)


def undo(scope: Scope, lease: Lease | None, now: float) -> Operation[Change]:
    """Take back the newest edit that stands.

    Raises NothingToDo if there is none, UndoRefused where something was appended after the cut of a roll
    back or a pop, HistoryChanged where another program took what the edit had put in place.
    """
    recorded = yield from _next(scope, lease, now, undone=False)
    if recorded.tail is not None and (yield from scope.tables.oldest(scope.session, 1, below(recorded.tail))):
        raise UndoRefused(
            "Something was said after this edit, so the old items have no place at the end any more; "
            "branch the earlier state into a new session instead."
        )
    if (yield from _count(scope, recorded.put)) != recorded.added:
        raise HistoryChanged("Another program has changed what this edit put in place; it cannot be undone.")
    yield from must_open(scope, recorded.put)
    yield from must_open_kept(scope, recorded.id)
    taken = yield from scope.ledger.kept_keys(recorded.id, BEFORE)
    if (yield from _occupied(scope, recorded.id, recorded.put)):
        raise UndoRefused(
            "Another program has used the places of the old items; branch the earlier state instead."
        )
    yield from supersede(scope)
    placed = yield from _keys(scope, recorded.put)
    yield from scope.ledger.take(recorded.id, AFTER, scope.session, recorded.put)
    yield from scope.ledger.put_back(recorded.id, BEFORE, scope.session)
    if recorded.kind == "repair" and placed and taken:
        yield from scope.ledger.move_notes(scope.session, placed[-len(taken) :], taken)
    return (yield from _swapped(scope, recorded, undone=True))


def redo(scope: Scope, lease: Lease | None, now: float) -> Operation[Change]:
    """Make the oldest undone edit again. Raises NothingToDo or HistoryChanged."""
    recorded = yield from _next(scope, lease, now, undone=True)
    if (yield from _count(scope, recorded.took)) != recorded.removed:
        raise HistoryChanged("The items this edit took are not all there any more; it cannot be made again.")
    if recorded.tail is not None:
        ends = yield from scope.tables.ends(scope.session)
        if ends and ends[1] > max(last for _, last in recorded.took):
            raise HistoryChanged("Something was said since; this edit cannot be made again.")
    if (yield from waiting_calls(scope, recorded.took)):
        raise HistoryChanged("A decision waits on what this edit takes; decide first, then make it again.")
    yield from must_open(scope, recorded.took)
    yield from must_open_kept(scope, recorded.id)
    yield from supersede(scope)
    yield from scope.ledger.take(recorded.id, BEFORE, scope.session, recorded.took)
    placed = yield from scope.ledger.kept_keys(recorded.id, AFTER)
    yield from scope.ledger.put_back(recorded.id, AFTER, scope.session)
    if recorded.kind == "repair" and placed:
        old = yield from scope.ledger.kept_keys(recorded.id, BEFORE)
        if old:
            yield from scope.ledger.move_notes(scope.session, old, placed[-len(old) :])
    return (yield from _swapped(scope, recorded, undone=False))


def changes(scope: Scope) -> Operation[list[Change]]:
    """Every edit of the session, oldest first; void ones are leftovers of a session that was cleared."""
    if not (yield from scope.ledger.there()) or not (yield from scope.tables.there()):
        return []
    history = yield from scope.ledger.history(scope.session)
    standing = [recorded for recorded in history if not recorded.undone]
    void_up_to = 0
    if standing and (yield from _is_void(scope, standing[-1])):
        void_up_to = standing[-1].id
    born = yield from scope.tables.born(scope.session)
    return [change_of(r, void=r.id <= void_up_to or r.birth != born) for r in history]


def _next(scope: Scope, lease: Lease | None, now: float, *, undone: bool) -> Operation[Recorded]:
    word = "redo" if undone else "undo"
    if not (yield from scope.ledger.there()):
        raise NothingToDo(f"There is nothing to {word}.")
    yield from scope.tables.lock(scope.session)
    yield from leases.must_be_free(scope.ledger, scope.session, lease, now)
    recorded = yield from scope.ledger.latest(scope.session, undone=undone)
    if recorded is None:
        raise NothingToDo(f"There is nothing to {word}.")
    if (yield from _is_void(scope, recorded)):
        raise NothingToDo(
            "Another program has cleared this session since; what was kept of it is a leftover that can only "
            "be purged."
        )
    return recorded


def _is_void(scope: Scope, recorded: Recorded) -> Operation[bool]:
    if (yield from scope.tables.born(scope.session)) != recorded.birth:
        return True
    if recorded.seen is None or recorded.undone:
        return False
    return (yield from scope.tables.count(scope.session, None, recorded.seen, 1)) == 0


def _occupied(scope: Scope, change: int, put: Ranges) -> Operation[bool]:
    """Whether a row stands where an undo would put one back, other than those the edit itself placed.

    Tables that another program made may hand out the id of a deleted row again.
    """
    found = yield from scope.ledger.occupied(change)
    return any(not any(first <= key <= last for first, last in put) for key in found)


def _keys(scope: Scope, ranges: Ranges) -> Operation[list[Key]]:
    found: list[Key] = []
    for first, last in ranges:
        found += yield from scope.tables.keys(scope.session, first, last)
    return found


def _swapped(scope: Scope, recorded: Recorded, *, undone: bool) -> Operation[Change]:
    yield from scope.ledger.toggle(recorded.id, undone)
    return change_of(recorded._replace(undone=int(undone)))
