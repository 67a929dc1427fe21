"""Looking into a session that is not ours, through the SDK's four methods alone.

A foreign store shows its items and nothing else: no row ids, no times, no authors. An entry is told by its
place and what it holds. What can be done to it with four methods and no harm is done: roll back and its
undo, an emptying of the whole session and its undo. Anything that would need a moment at which the store
holds less than both before and after is refused.

What an edit takes lies in a `CopyBook`: in memory by default, which the session says of itself, or in a
file. An edit that was cut off is brought to an end when the session is first used again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from .contract import resolve_limit, whole_number
from .copybook import UNFINISHED, CopiesInMemory, Copy, CopyBook, CopyState
from .edits import Change, Clear, Edit, Guard, Plan
from .entries import Entry, Item, Revision, Timeline
from .errors import (
    HistoryChanged,
    MemoryDeskError,
    NothingToDo,
    UndoRefused,
)
from .finishing import to_the_end
from .foreign_items import digest, entries_of, find, kept_by, whole_cut
from .inspectable import InspectableSession
from .notes import Lease
from .pairs import is_call, whole
from .popping import FollowsProtocol, finish_all, put_back, read_all, take

T = TypeVar("T")

WATCHED = 50
"""How many of the newest items tell whether a foreign session has changed: it has nothing cheaper to ask."""


def inspect(session: FollowsProtocol, *, ledger: CopyBook | None = None) -> InspectableSession:
    """A session one can look into. Ours is returned as it is; any other is wrapped.

    Without a `ledger` the copies that undo needs are kept in memory: `wrapped.durable` says so.
    """
    if isinstance(session, InspectableSession):
        return session
    return ForeignSession(session, ledger if ledger is not None else CopiesInMemory())


class ForeignSession(InspectableSession):
    """Any object that follows the SDK's protocol; see `InspectableSession` for the methods.

    `durable` says whether what undo needs outlives the process. The four methods of the contract pass
    straight through. There is no lease to hold: one live run at a time is the caller's own promise.
    """

    def __init__(self, session: FollowsProtocol, copies: CopyBook) -> None:
        self.session = session
        self.copies = copies
        self.session_settings = getattr(session, "session_settings", None)
        self._opened = False
        self._writes = 0

    @property
    def session_id(self) -> str:  # type: ignore[override]
        return self.session.session_id

    @property
    def durable(self) -> bool:
        return self.copies.durable

    # the SDK's contract

    async def get_items(self, limit: int | None = None) -> list[Item]:
        wanted = resolve_limit(limit, self.session_settings)
        await self._open()
        if wanted is None:
            return list(await self.session.get_items())
        return list(await self.session.get_items(limit=wanted)) if wanted else []

    async def add_items(self, items: list[Item]) -> None:
        if items:
            await self._open()
            self._writes += 1
            await self.session.add_items(items)

    async def pop_item(self) -> Item | None:
        await self._open()
        self._writes += 1
        item: Item | None = await self.session.pop_item()
        return item

    async def clear_session(self) -> None:
        self._writes += 1
        await self.session.clear_session()
        await self.copies.forget(self.session_id, [c.id for c in await self.copies.load(self.session_id)])

    # looking

    async def timeline(self, before: str | None = None, limit: int = 200) -> Timeline:
        items = await self._items()
        entries = entries_of(items)
        upto = len(entries) if before is None else find(entries, before)
        first = max(0, upto - whole_number(limit))
        return Timeline(
            tuple(entries[first:upto]),
            self._revision(items[-WATCHED:]),
            first > 0,
            total=len(entries),
            turns=(entries[-1].turn or 0) if entries else 0,
        )

    async def revision(self) -> Revision:
        """Differs whenever the newest items do or this object wrote; telling more would mean reading all."""
        return self._revision(list(await self.session.get_items(limit=WATCHED)))

    def _revision(self, newest: list[Any]) -> Revision:
        return Revision((digest(newest), self._writes))

    async def recent(self, turns: int) -> list[Entry]:
        turns = whole_number(turns, "turns must be")
        entries = entries_of(await self._items())
        newest = entries[-1].turn or 0 if entries else 0
        return whole([e for e in entries if turns > 0 and (e.turn or 0) > newest - turns])

    async def _items(self) -> list[Any]:
        await self._open()
        return await read_all(self.session)

    async def _open(self) -> None:
        """Bring to an end what a crash or a failing store cut off, on first use and after a failure."""
        if self._opened:
            return
        self._opened = True
        with suppress(MemoryDeskError):
            if any(copy.state in UNFINISHED for copy in await self._copies()):
                with self.copies.editing(self.session_id):
                    await finish_all(self.session, self.copies)

    # steering

    async def plan(self, edit: Edit) -> Plan:
        entries = entries_of(await self._items())
        keep, taken = whole_cut(entries, kept_by(edit, entries))
        going = entries[keep:]
        if not going:
            raise NothingToDo("Nothing would change: there is nothing to take away.")
        return Plan(
            edit=edit,
            session_id=self.session_id,
            guard=Guard(
                rows=tuple((e.key, e.fingerprint) for e in going),
                oldest=entries[0].key,
                newest=entries[-1].key,
                removed=len(going),
                edits=(0, 0),
            ),
            removed=len(going),
            kept=keep,
            span=(going[0].key, going[-1].key),
            taken=tuple(taken),
            shown=tuple(going),
            calls=frozenset(e.call_id for e in going if is_call(e) and e.call_id),
            first_turn=going[0].turn,
            last_turn=going[-1].turn,
        )

    async def apply(self, plan: Plan, *, lease: Lease | None = None) -> Change:
        """Do it. Raises what `InspectableSession` says, SessionBusy for an edit made at the same time, and
        HalfDone where the store failed and what was taken could not be put back."""
        return await self._edit(lambda: self._apply(plan))

    async def _apply(self, plan: Plan) -> Change:
        items = await read_all(self.session)
        keep = len(items) - plan.guard.removed
        going = entries_of(items)[max(keep, 0) :]
        expected = (plan.session_id, plan.guard.rows)
        if (self.session_id, tuple((e.key, e.fingerprint) for e in going)) != expected:
            raise HistoryChanged
        undone = [c.id for c in await self._copies() if c.state is CopyState.RETURNED]
        copy = await self.copies.add(
            Copy(
                session_id=self.session_id,
                kind="clear" if isinstance(plan.edit, Clear) else "roll_back",
                at=datetime.now(UTC),
                kept=tuple(deepcopy(items[keep:])),
                before=keep,
                digest=digest(items[:keep]),
            )
        )
        await self.copies.forget(self.session_id, undone)
        await take(self.session, self.copies, copy)
        return _change(copy)

    async def undo(self, *, lease: Lease | None = None) -> Change:
        return await self._edit(self._undo)

    async def _undo(self) -> Change:
        copies = [c for c in await self._copies() if c.state is not CopyState.RETURNED]
        if not copies:
            raise NothingToDo("There is nothing to undo.")
        copy = copies[-1]
        if copy.state is CopyState.VOID:
            raise NothingToDo(
                "Another program has cleared or changed this session since; what was kept of it is a "
                "leftover that can only be purged."
            )
        items = await read_all(self.session)
        if (len(items), digest(items)) != (copy.before, copy.digest):
            raise UndoRefused(
                "The session has changed since this edit; what it took is kept, but not put back."
            )
        await put_back(self.session, self.copies, copy)
        return _change(copy, undone=True)

    async def redo(self, *, lease: Lease | None = None) -> Change:
        return await self._edit(self._redo)

    async def _redo(self) -> Change:
        copy = next((c for c in await self._copies() if c.state is CopyState.RETURNED), None)
        if copy is None:
            raise NothingToDo("There is nothing to redo.")
        items = await read_all(self.session)
        left, going = items[: copy.before], items[copy.before :]
        if (digest(left), digest(going)) != (copy.digest, digest(copy.kept)):
            raise HistoryChanged("The session has changed since; this edit cannot be made again.")
        taking = replace(copy, state=CopyState.TAKING)
        await self.copies.save(taking)
        await take(self.session, self.copies, taking)
        return _change(taking)

    async def _edit(self, make: Callable[[], Awaitable[T]]) -> T:
        """Make an edit as the only one under way, to its end even where the caller is cancelled."""

        async def whole_edit() -> T:
            with self.copies.editing(self.session_id):
                self._writes += 1
                self._opened = False
                await finish_all(self.session, self.copies)
                made = await make()
                self._opened = True
                return made

        return await to_the_end(whole_edit())

    async def _copies(self) -> list[Copy]:
        return await self.copies.load(self.session_id)

    async def changes(self) -> list[Change]:
        await self._open()
        return [_change(copy) for copy in await self._copies()]

    async def purge(self, *, lease: Lease | None = None) -> int:
        copies = await self._copies()
        await self.copies.forget(self.session_id, [copy.id for copy in copies])
        await self.copies.erase()
        return sum(len(copy.kept) for copy in copies)

    async def append(
        self,
        items: Sequence[Item],
        *,
        agent: str | None = None,
        lease: Lease | None = None,
        note: tuple[str, dict[str, Any]] | None = None,
    ) -> list[str]:
        """Stores the items; a foreign store has no place for who wrote them, nor for a note."""
        if not items:
            return []
        await self.add_items(list(items))
        return [entry.id for entry in entries_of(await self._items())[-len(items) :]]


def _change(copy: Copy, *, undone: bool = False) -> Change:
    return Change(
        copy.id,
        copy.kind,
        copy.at,
        removed=len(copy.kept),
        added=0,
        undone=undone or copy.state in (CopyState.RETURNED, CopyState.RETURNING),
        void=copy.state is CopyState.VOID,
    )
