"""An encrypted session over somebody else's, through four methods: what lies in it are envelopes.

What can be done to a foreign store, and how, is `ForeignSession`'s; here its items are opened for looking and
planning, and sealed for writing. Copies that undo needs are the envelopes as they were stored.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from . import census
from .carrying import Batch
from .codec import encode_item
from .contract import MOST, resolve_limit
from .edits import Change, Clear, Edit, Plan, RollBack
from .encrypted_session import TTL, EncryptedSession
from .entries import Entry, Item, Key, Kind, Revision, State, Timeline
from .foreign import ForeignSession, inspect
from .foreign_items import find, kept_by, whole_cut
from .freshness import NEARBY, aged, lost_among, next_change, seams_of
from .items import kind_of
from .keyguard import must_open_entries
from .notes import Lease
from .pairs import halves, is_call, whole
from .scope import carried

if TYPE_CHECKING:
    from agents.memory import SessionSettings


class EncryptedForeignSession(EncryptedSession):
    """See `EncryptedSession`, and `ForeignSession` for what four methods allow."""

    def __init__(
        self,
        session_id: str,
        underlying_session: Any,
        encryption_key: object,
        ttl: int | None = TTL,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(session_id, underlying_session, encryption_key, ttl, clock=clock)
        self.session_id = session_id
        self.stored = inspect(underlying_session)
        self.clock = clock
        self._ages = 0
        self._next_age: float | None = None

    @property
    def durable(self) -> bool:
        """Whether what undo needs outlives the process."""
        return not isinstance(self.stored, ForeignSession) or self.stored.durable

    @property
    def session_settings(self) -> SessionSettings | None:
        """Those of the session underneath, as in the SDK."""
        settings: SessionSettings | None = getattr(self.underlying_session, "session_settings", None)
        return settings

    @session_settings.setter
    def session_settings(self, settings: SessionSettings | None) -> None:
        self.underlying_session.session_settings = settings

    # the SDK's contract

    async def get_items(self, limit: int | None = None) -> list[Item]:
        wanted = resolve_limit(limit, self.session_settings)
        if wanted == 0:
            return []
        if wanted is None:
            return self._newest(list(await self.underlying_session.get_items()), MOST)
        window = wanted
        while True:
            stored = list(await self.underlying_session.get_items(limit=window))
            found = self._newest(stored, wanted)
            if len(found) == wanted or len(stored) < window:
                return found
            window = min(window * 4, MOST)

    def _newest(self, stored: Sequence[Any], wanted: int) -> list[Item]:
        """The newest so many readable items among these, opening no more than needed."""
        fresh: list[tuple[Key, Item]] = []
        behind: set[Key] = set()
        index = len(stored)
        while index and len(fresh) < wanted:
            index -= 1
            item = self.codec.decode(_text(stored[index]))[0]
            if item is not None:
                fresh.append(((index,), item))
            elif fresh:
                behind.add(fresh[-1][0])
        if self.ttl is None or not fresh:
            return [item for _, item in reversed(fresh)]
        fresh.reverse()
        behind.add(fresh[0][0])
        seams = seams_of(fresh, behind)
        ours = {key[0] for key, _ in fresh}
        near = {i for (seam,) in seams for i in range(max(0, seam - NEARBY), seam)} - ours
        around = []
        if any(self.codec.expired(_text(stored[i])) for i in near):
            around = [self._opened(_bare(i, _text(stored[i]))) for i in sorted(near)]
        lost = lost_among(fresh, seams, around)
        return [item for key, item in fresh if key not in lost]

    async def add_items(self, items: list[Item]) -> None:
        await self.append(items)

    async def pop_item(self) -> Item | None:  # type: ignore[override]  # four methods know no lease
        """Take the newest readable item and what stands after it, keeping a copy that undo puts back."""
        entries = await self._entries()
        place = next((i for i in reversed(range(len(entries))) if entries[i].readable), None)
        if place is None:
            return None
        item = entries[place].item
        must_open_entries(entries[place:])
        to = entries[place - 1].id if place else None
        await self.stored.apply(await self.stored.plan(RollBack(to)))
        return item

    async def clear_session(self) -> None:  # type: ignore[override]
        await self.stored.clear_session()

    # looking

    async def timeline(self, before: str | None = None, limit: int = 200) -> Timeline:
        revision = await self.revision()
        entries = await self._entries()
        upto = len(entries) if before is None else find(entries, before)
        first = max(0, upto - limit)
        page = entries[first:upto]
        moment = next_change(page, self.clock())
        if moment is not None:
            self._next_age = moment if self._next_age is None else min(moment, self._next_age)
        turns = entries[-1].turn or 0 if entries else 0
        return Timeline(
            tuple(entry.veiled() for entry in page), revision, first > 0, total=len(entries), turns=turns
        )

    async def revision(self) -> Revision:
        stored = await self.stored.revision()
        if self._next_age is not None and self.clock() >= self._next_age:
            self._ages, self._next_age = self._ages + 1, None
        return Revision((stored.value, self._ages))

    async def recent(self, turns: int) -> list[Entry]:
        entries = await self._entries()
        newest = entries[-1].turn or 0 if entries else 0
        return whole([e for e in entries if turns > 0 and (e.turn or 0) > newest - turns])

    async def states(self) -> Counter[State]:
        return Counter(self._opened(entry).state for entry in await self._stored_entries())

    async def written_as(self, session_ids: Iterable[str]) -> str | None:
        stored = reversed(await self._stored_entries())
        return next(iter(census.recognised(self.codec, (e.raw for e in stored), session_ids)), None)

    async def _stored_entries(self) -> list[Entry]:
        return list((await self.stored.timeline(limit=MOST)).entries)

    async def _entries(self) -> list[Entry]:
        """Every entry, opened, with its turn and its pair's state; expired ones with their items."""
        entries: list[Entry] = []
        turn = 0
        for stored in await self._stored_entries():
            entry = self._opened(stored)
            turn += entry.kind is Kind.USER
            entries.append(replace(entry, turn=turn))
        known = [e.veiled() if e.state is State.PLAINTEXT else e for e in entries]
        entries = aged(entries, known)
        calls, outputs = halves(known)
        alone = {e.key for e in (*calls, *outputs)}
        return [replace(e, state=State.UNPAIRED) if e.key in alone and e.readable else e for e in entries]

    def _opened(self, stored: Entry) -> Entry:
        item, state, sealed_at, expires_at, _ = self.codec.examine(stored.raw)
        return replace(
            stored, item=item, kind=kind_of(item), state=state, sealed_at=sealed_at, expires_at=expires_at
        )

    # steering

    async def plan(self, edit: Edit) -> Plan:
        entries = await self._entries()
        keep, taken = whole_cut(entries, kept_by(edit, entries))
        going = entries[keep:]
        must_open_entries(going)
        stored_edit = edit if isinstance(edit, Clear) else RollBack(entries[keep - 1].id if keep else None)
        plan = await self.stored.plan(stored_edit)
        return replace(
            plan,
            edit=edit,
            session_id=self.session_id,
            taken=tuple(replace(t, entry=t.entry.veiled()) for t in taken),
            shown=tuple(entry.veiled() for entry in going),
            calls=frozenset(call for e in going if is_call(e) and (call := carried(e))),
            first_turn=going[0].turn,
            last_turn=going[-1].turn,
        )

    async def apply(self, plan: Plan, *, lease: Lease | None = None) -> Change:
        return await self.stored.apply(replace(plan, session_id=self.stored.session_id), lease=lease)

    async def undo(self, *, lease: Lease | None = None) -> Change:
        return await self.stored.undo(lease=lease)

    async def redo(self, *, lease: Lease | None = None) -> Change:
        return await self.stored.redo(lease=lease)

    async def changes(self) -> list[Change]:
        return await self.stored.changes()

    async def purge(self, *, lease: Lease | None = None) -> int:
        return await self.stored.purge(lease=lease)

    async def append(
        self,
        items: Sequence[Item],
        *,
        agent: str | None = None,
        lease: Lease | None = None,
        note: tuple[str, dict[str, Any]] | None = None,
    ) -> list[str]:
        envelopes: list[Item] = [json.loads(self.codec.encode(item)) for item in items]
        return await self.stored.append(envelopes, agent=agent, lease=lease) if envelopes else []

    async def carry(self, batch: Batch, *, lease: Lease | None = None) -> str:
        sealed = tuple(
            replace(
                carried, item=json.loads(self.codec.encode(carried.item, at=carried.said_at or carried.at))
            )
            for carried in batch.items
        )
        return await self.stored.carry(replace(batch, items=sealed), lease=lease)

    async def mark(self) -> str | None:
        return await self.stored.mark()


def _bare(index: int, text: str) -> Entry:
    """An entry that is only told by its place, for working out what rests on what."""
    return Entry("", Kind.OTHER, None, None, None, text, 0, State.OK, key=(index,))


def _text(stored: Any) -> str:
    """A stored item as text; what is no JSON of an item gives text that is none either."""
    try:
        return encode_item(stored)
    except (TypeError, ValueError):
        return repr(stored)
