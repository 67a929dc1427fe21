"""Looking into a session that is not ours, through the SDK's four methods alone.

A foreign store shows its items and nothing else: no row ids, no times, no authors. An entry is told by its
place and what it holds. What can be done to it with four methods and no harm is done: roll back (pop, one
item at a time, each compared with the plan) and its undo; an emptying of the whole session and its undo.
Anything that would need a moment at which the store holds less than both before and after is refused.

Every edit goes keep first, remove, mark done. What was kept lies in a `CopyBook`: in memory by default,
which the session says of itself, or wherever the caller's own book puts it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal, Protocol

from .codec import encode_item
from .contract import resolve_limit
from .edits import Change, ChangeKind, Clear, Edit, Guard, Plan, RollBack, Taken
from .entries import Entry, Item, Kind, Revision, State, Timeline
from .errors import EntryNotFound, HalfDone, HistoryChanged, NothingToDo, NotSupported, UndoRefused
from .inspectable import InspectableSession
from .items import half_of, kind_of
from .notes import Lease
from .pairs import halves, is_call, match, runs, whole


class FollowsProtocol(Protocol):
    """What the SDK asks of a session."""

    session_id: str

    async def get_items(self, limit: int | None = None) -> list[Any]: ...
    async def add_items(self, items: list[Any]) -> None: ...
    async def pop_item(self) -> Any: ...
    async def clear_session(self) -> None: ...


@dataclass
class Copy:
    """What an edit of a foreign session took: `kept` items in order, and the digest of what it left."""

    id: int
    kind: ChangeKind
    at: datetime
    kept: list[Item]
    left: str
    status: Literal["open", "done", "half"] = "open"
    undone: bool = False


class CopyBook(Protocol):
    """Where the copies of a foreign session are kept. `save` must be durable when it returns."""

    durable: bool

    async def load(self) -> list[Copy]: ...
    async def save(self, copy: Copy) -> None: ...
    async def drop(self) -> None: ...


@dataclass
class CopiesInMemory:
    """Copies that end with the process."""

    durable: bool = False
    copies: dict[int, Copy] = field(default_factory=dict)

    async def load(self) -> list[Copy]:
        return [replace(copy, kept=list(copy.kept)) for _, copy in sorted(self.copies.items())]

    async def save(self, copy: Copy) -> None:
        self.copies[copy.id] = replace(copy, kept=list(copy.kept))

    async def drop(self) -> None:
        self.copies.clear()


def inspect(session: FollowsProtocol, *, ledger: CopyBook | None = None) -> InspectableSession:
    """A session one can look into. Ours is returned as it is; any other is wrapped.

    Without a `ledger` the copies that undo needs are kept in memory: `wrapped.durable` says so.
    """
    if isinstance(session, InspectableSession):
        return session
    return ForeignSession(session, ledger or CopiesInMemory())


class ForeignSession(InspectableSession):
    """Any object that follows the SDK's protocol; see `InspectableSession` for the methods.

    `durable` says whether what undo needs outlives the process. The four methods of the contract pass
    straight through. There is no lease to hold: one live run at a time is the caller's own promise.
    """

    def __init__(self, session: FollowsProtocol, copies: CopyBook) -> None:
        self.session = session
        self.copies = copies
        self.session_settings = getattr(session, "session_settings", None)

    @property
    def session_id(self) -> str:  # type: ignore[override]
        return self.session.session_id

    @property
    def durable(self) -> bool:
        return self.copies.durable

    # the SDK's contract

    async def get_items(self, limit: int | None = None) -> list[Item]:
        wanted = resolve_limit(limit, self.session_settings)
        if wanted is None:
            return list(await self.session.get_items())
        return list(await self.session.get_items(limit=wanted)) if wanted else []

    async def add_items(self, items: list[Item]) -> None:
        await self.session.add_items(items)

    async def pop_item(self) -> Item | None:
        item: Item | None = await self.session.pop_item()
        return item

    async def clear_session(self) -> None:
        await self.session.clear_session()
        await self.copies.drop()

    # looking

    async def timeline(self, before: str | None = None, limit: int = 200) -> Timeline:
        entries = await self._entries()
        upto = len(entries) if before is None else self._find(entries, before)
        first = max(0, upto - limit)
        turns = entries[-1].turn if entries else 0
        return Timeline(
            tuple(entries[first:upto]), _revision(entries), first > 0, total=len(entries), turns=turns or 0
        )

    async def revision(self) -> Revision:
        """The digest of the newest items: a foreign store has nothing cheaper to offer."""
        newest = await self.session.get_items(limit=8)
        return Revision(_digest(list(newest)))

    async def recent(self, turns: int) -> list[Entry]:
        entries = await self._entries()
        newest = entries[-1].turn or 0 if entries else 0
        return whole([e for e in entries if turns > 0 and (e.turn or 0) > newest - turns])

    async def _entries(self) -> list[Entry]:
        entries: list[Entry] = []
        turn = 0
        for position, item in enumerate(await self.session.get_items(), start=1):
            entry = _entry(position, item)
            turn += entry.kind is Kind.USER
            entries.append(replace(entry, turn=turn))
        calls, outputs = halves(entries)
        alone = {entry.key for entry in (*calls, *outputs)}
        return [replace(e, state=State.UNPAIRED) if e.key in alone else e for e in entries]

    @staticmethod
    def _find(entries: Sequence[Entry], token: str) -> int:
        for index, entry in enumerate(entries):
            if entry.id == token:
                return index
        raise EntryNotFound("That entry is not in the session any more; look at the list again.")

    # steering

    async def plan(self, edit: Edit) -> Plan:
        entries = await self._entries()
        if not entries:
            raise NothingToDo("The session holds no items.")
        if isinstance(edit, Clear):
            keep = 0
        elif isinstance(edit, RollBack):
            keep = 0 if edit.to is None else self._find(entries, edit.to) + 1
        else:
            raise NotSupported(
                "A store that only follows the session protocol can be rolled back or cleared, no more."
            )
        keep, taken = _whole_cut(entries, keep)
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
        entries = await self._entries()
        going = [e for e in entries if plan.span and e.key >= plan.span[0]]
        if tuple((e.key, e.fingerprint) for e in going) != plan.guard.rows:
            raise HistoryChanged(MOVED)
        left = _digest([e.item for e in entries[: len(entries) - len(going)]])
        kind: ChangeKind = "clear" if isinstance(plan.edit, Clear) else "roll_back"
        copies = await self.copies.load()
        copy = Copy(
            id=max((c.id for c in copies), default=0) + 1,
            kind=kind,
            at=datetime.now(UTC),
            kept=[e.item for e in going if e.item is not None],
            left=left,
        )
        await self.copies.save(copy)
        await self._take(copy)
        copy.status = "done"
        await self.copies.save(copy)
        return _change(copy)

    async def _take(self, copy: Copy) -> None:
        """Pop the copied items, newest first, each compared; at a stranger everything goes back."""
        popped: list[Item] = []
        for expected in reversed(copy.kept):
            item = await self.session.pop_item()
            if item == expected:
                popped.append(item)
                continue
            back = [*reversed(popped), *([item] if item is not None else [])]
            try:
                if back:
                    await self.session.add_items(back)
            except Exception as error:
                copy.status = "half"
                await self.copies.save(copy)
                raise HalfDone(
                    "Another program wrote to the session during the edit, and what was taken could not be "
                    "put back; its copies are kept."
                ) from error
            copy.undone, copy.status = True, "done"
            await self.copies.save(copy)
            raise HistoryChanged(MOVED)

    async def undo(self, *, lease: Lease | None = None) -> Change:
        copies = await self.copies.load()
        copy = next((c for c in reversed(copies) if not c.undone), None)
        if copy is None:
            raise NothingToDo("There is nothing to undo.")
        items = list(await self.session.get_items())
        if _digest(items) != copy.left:
            raise UndoRefused(
                "The session has changed since this edit; what it took is kept, but not put back."
            )
        await self.session.add_items(list(copy.kept))
        copy.undone, copy.status = True, "done"
        await self.copies.save(copy)
        return _change(copy)

    async def redo(self, *, lease: Lease | None = None) -> Change:
        copies = await self.copies.load()
        copy = next((c for c in copies if c.undone), None)
        if copy is None:
            raise NothingToDo("There is nothing to redo.")
        items = list(await self.session.get_items())
        keep = len(items) - len(copy.kept)
        if keep < 0 or items[keep:] != copy.kept or _digest(items[:keep]) != copy.left:
            raise HistoryChanged("The session has changed since; this edit cannot be made again.")
        copy.undone = False
        await self._take(copy)
        await self.copies.save(copy)
        return _change(copy)

    async def changes(self) -> list[Change]:
        return [_change(copy) for copy in await self.copies.load()]

    async def purge(self, *, lease: Lease | None = None) -> int:
        gone = sum(len(copy.kept) for copy in await self.copies.load())
        await self.copies.drop()
        return gone

    async def append(
        self,
        items: Sequence[Item],
        *,
        agent: str | None = None,
        lease: Lease | None = None,
        note: tuple[str, dict[str, Any]] | None = None,
    ) -> list[str]:
        """Stores the items; a foreign store has no place for who wrote them, nor for a note."""
        if items:
            await self.session.add_items(list(items))
        entries = await self._entries()
        return [entry.id for entry in entries[len(entries) - len(items) :]]


MOVED = "The conversation has changed since this was prepared; look at it again and repeat the edit."


def _whole_cut(entries: Sequence[Entry], keep: int) -> tuple[int, list[Taken]]:
    """Move a cut back until it parts no pair and no run; what that adds, in order."""
    partner = match(entries)
    first = keep
    while True:
        going = {e.key for e in entries[first:]}
        lowest = first
        for entry in entries[:first]:
            if partner.get(entry.key) in going:
                lowest = min(lowest, entries.index(entry))
        while 0 < lowest < len(entries) and _same_run(entries, lowest):
            lowest -= 1
        if lowest == first:
            break
        first = lowest
    return first, [Taken(e, "output" if half_of(e.item) else "follower") for e in entries[first:keep]]


def _same_run(entries: Sequence[Entry], index: int) -> bool:
    key, before = entries[index].key, entries[index - 1].key
    return any({key, before} <= {e.key for e in run} for run in runs(entries))


def _entry(position: int, item: Any) -> Entry:
    readable = isinstance(item, dict)
    raw = encode_item(item) if readable else repr(item)
    digest = hashlib.blake2b(raw.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return Entry(
        id=f"{position}.{digest[:8]}",
        kind=kind_of(item if readable else None),
        agent=None,
        created_at=None,
        item=item if readable else None,
        raw=raw,
        size=len(raw.encode("utf-8", "surrogatepass")),
        state=State.OK if readable else State.CORRUPT,
        position=position,
        key=(position,),
        fingerprint=digest,
    )


def _digest(items: Sequence[Any]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for item in items:
        digest.update(_entry(0, item).fingerprint.encode())
    return digest.hexdigest()


def _revision(entries: Sequence[Entry]) -> Revision:
    return Revision(_digest([e.item for e in entries[-8:]]))


def _change(copy: Copy) -> Change:
    return Change(copy.id, copy.kind, copy.at, removed=len(copy.kept), added=0, undone=copy.undone)
