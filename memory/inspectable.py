"""The session a person can look into: the SDK's contract, and what looking and steering need."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncGenerator, Collection, Sequence
from typing import Any, Self

from .carrying import NOT_EMPTY, Batch
from .contract import MOST, SessionABC
from .edits import Change, Edit, Plan
from .entries import Entry, Item, Revision, Timeline
from .errors import NotSupported, SessionNotEmpty
from .foreign_items import digest
from .items import Role, half_of
from .notes import Lease, Note, Pause, PauseState


class InspectableSession(SessionABC):
    """A session with a timeline, edits that can be taken back, and one live run at a time.

    All methods are coroutines. Where one is said to raise, nothing was changed. Edits, pops and clears
    raise SessionBusy while a run of somebody else holds the session.
    """

    # looking

    @abstractmethod
    async def timeline(self, before: str | None = None, limit: int = 200) -> Timeline:
        """The newest `limit` entries, oldest first; with `before`, those that stand before that entry."""

    @abstractmethod
    async def revision(self) -> Revision:
        """Differs whenever the timeline may have changed; costs the same at any length."""

    @abstractmethod
    async def recent(self, turns: int) -> list[Entry]:
        """The newest whole turns as a model may be sent them: readable, and no half of a pair."""

    async def notes(self, timeline: Timeline) -> list[Note]:
        """The notes beside the entries of a page, in order."""
        return []

    async def pages(self, size: int) -> AsyncGenerator[Timeline, None]:
        """Every entry, oldest first, so many at a time; their places are not counted.

        What is appended meanwhile comes too; an edit made meanwhile may be seen in part.
        """
        timeline = await self.timeline(limit=MOST)
        for first in range(0, len(timeline.entries), size):
            entries = timeline.entries[first : first + size]
            yield Timeline(entries, timeline.revision, older=first > 0)

    async def calls_among(self, call_ids: Collection[str]) -> frozenset[str]:
        """Which of these are the ids of calls that are stored here."""
        halves = [half_of(item) for item in await self.get_items()]
        return frozenset(h.call_id for h in halves if h and h.role is Role.CALL and h.call_id in call_ids)

    # steering

    @abstractmethod
    async def plan(self, edit: Edit) -> Plan:
        """What the edit would do. Raises EntryNotFound, NothingToDo or NotSupported."""

    @abstractmethod
    async def apply(self, plan: Plan, *, lease: Lease | None = None) -> Change:
        """Do it, all or nothing. Raises HistoryChanged if the store is not what the plan was made from."""

    @abstractmethod
    async def undo(self, *, lease: Lease | None = None) -> Change:
        """Take back the newest edit that stands. Raises NothingToDo, UndoRefused or HistoryChanged."""

    @abstractmethod
    async def redo(self, *, lease: Lease | None = None) -> Change:
        """Make again what was undone last. Raises NothingToDo or HistoryChanged."""

    @abstractmethod
    async def changes(self) -> list[Change]:
        """Every edit that was made and can still be named, oldest first."""

    async def undo_refused(self) -> bool:
        """Whether `undo` would raise UndoRefused now: something was said behind the newest edit."""
        return False

    async def branch(
        self,
        new_id: str,
        *,
        upto: str | None = None,
        before: Change | None = None,
        lease: Lease | None = None,
    ) -> Self:
        """A new session with a copy of this one up to entry `upto`, or as it was before a change.

        Where a call that waits for a person stands in what is copied, its decision ends here first, in the
        same transaction, and the copy holds the call with the result that says so. Where the copy ends
        before that call, or is of the state before a change, the decision waits on.

        Raises SessionNotEmpty, EntryNotFound or NothingToDo; and only where a decision would end, SessionBusy
        while a run of somebody else holds the session, LeaseLost, or EffectUnknown for a decision that was
        taken.
        """
        raise NotSupported("This kind of session cannot be branched.")

    async def purge(self, *, lease: Lease | None = None) -> int:
        """Erase what was kept for undo, from the store's files too; how many items that were."""
        raise NotSupported("This kind of session keeps nothing that could be purged.")

    # running

    @abstractmethod
    async def append(
        self,
        items: Sequence[Item],
        *,
        agent: str | None = None,
        lease: Lease | None = None,
        note: tuple[str, dict[str, Any]] | None = None,
    ) -> list[str]:
        """`add_items` with who wrote them, under a lease, and a note behind them; the rows' order is kept.

        Returns the ids of the new entries. Raises LeaseLost, TypeError or ValueError, storing nothing.
        """

    async def carry(self, batch: Batch, *, lease: Lease | None = None) -> str:
        """Store what comes from another session; the mark of what stands last now.

        Raises SessionNotEmpty where something else than `batch.behind` stands last. This one, for a store
        with four methods, keeps the items alone, and looks before it writes.
        """
        if await self.mark() != batch.behind:
            raise SessionNotEmpty(NOT_EMPTY)
        await self.add_items([carried.item for carried in batch.items])
        return await self.mark() or ""

    async def finish_copy(
        self, detail: dict[str, Any], mark: str | None, *, lease: Lease | None = None
    ) -> None:
        """Say at the start of the session that what was carried to it, up to this mark, is whole.

        Raises SessionNotEmpty where something else stands last. This one only looks.
        """
        if await self.mark() != mark:
            raise SessionNotEmpty(NOT_EMPTY)

    async def mark(self) -> str | None:
        """What `carry` would give for what stands last now; None for an empty session."""
        newest = await self.get_items(limit=1)
        return digest(newest) if newest else None

    async def acquire(self, owner: str, seconds: float) -> Lease:
        """Become the session's one live run for so long. Raises SessionBusy."""
        raise NotSupported("This kind of session cannot hold a lease.")

    async def renew(self, lease: Lease, seconds: float) -> Lease:
        """Stay it for so much longer. Raises LeaseLost."""
        raise NotSupported("This kind of session cannot hold a lease.")

    async def release(self, lease: Lease) -> None:
        """Stop being it."""
        raise NotSupported("This kind of session cannot hold a lease.")

    async def holder(self) -> Lease | None:
        """The live run's lease, or None."""
        return None

    # waiting for a person

    async def pause(
        self, state: str, calls: Sequence[tuple[str, str, str, str]], *, lease: Lease | None = None
    ) -> Pause:
        """Store a run that waits. `calls` are (call id, tool, arguments text, agent)."""
        raise NotSupported("This kind of session cannot hold a waiting decision.")

    async def waiting(self) -> Pause | None:
        """The decision that is open, or None."""
        return None

    async def decide(self, pause: int, verdicts: dict[str, tuple[bool, str]]) -> Pause:
        """`pending -> deciding`, once. `verdicts` maps a call id to (approved, note).

        Raises DecisionClosed for everyone but the first, and where the history has moved.
        """
        raise NotSupported("This kind of session cannot hold a waiting decision.")

    async def settle(self, pause: int, status: PauseState = PauseState.SETTLED) -> bool:
        """Close a decision; whether it was open."""
        return False

    async def supersede(self, *, lease: Lease | None = None) -> tuple[str, ...]:
        """Close the open decision because the conversation goes on; the ids of its calls.

        Each of its calls is given a result that says so, and a note stands behind it.
        """
        return ()

    async def lapse(self) -> tuple[str, ...]:
        """Close the open decision if a part of what it rests on has expired; the ids of its calls.

        `waiting` does not show such a decision any more; this closes its calls with a result that says so.
        """
        return ()

    async def note(
        self, kind: str, detail: dict[str, Any] | None = None, *, lease: Lease | None = None
    ) -> None:
        """Put a note behind the newest entry."""
        await self.append([], note=(kind, detail or {}), lease=lease)
