"""A session over the SDK's tables in any `Database`: each method is one operation in one transaction."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Collection, Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

from . import applying, branching, carrying, envelope, freshness, leases, pauses, planning, reading, writing
from .carrying import Batch
from .codec import Codec, PlainCodec
from .contract import resolve_limit, session_settings_class, whole_number
from .cutting import FEW
from .edits import Change, Edit, Plan
from .entries import Entry, Item, Revision, Timeline, Unread
from .errors import DecisionClosed, WrongKey
from .inspectable import InspectableSession
from .ledger import Ledger
from .notes import Lease, Note, Pause, PauseState
from .scope import Scope
from .statements import Database, Operation
from .tables import Tables, entry_id, fingerprint
from .unerased import known_if_cancelled

if TYPE_CHECKING:
    from agents.memory import SessionSettings

T = TypeVar("T")

LedgerHome = Literal["database", "file", "memory"]
"""Where what undo needs lies: beside the messages in their database, or apart from it."""


class TableSession(InspectableSession):
    """See `InspectableSession` for the methods; `clock` gives seconds since the epoch and is for tests."""

    def __init__(
        self,
        session_id: str,
        database: Database,
        tables: Tables,
        *,
        codec: Codec | None = None,
        session_settings: SessionSettings | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.session_id = session_id
        self.database = database
        self.scope = Scope(session_id, tables, Ledger.of(tables), codec or PlainCodec())
        self.clock = clock
        self._settings = session_settings
        self._tally = reading.Tally()
        self._calls: tuple[Hashable, frozenset[str]] | None = None  # what `calls_among` was asked last
        self._ages = 0  # how often time alone has changed what was shown
        self._next_age: float | None = None
        self._lapses: dict[int, float | None] = {}  # when time ends each waiting decision

    @property
    def session_settings(self) -> SessionSettings | None:
        """The SDK's settings of this session; the SDK is imported when they are first asked for."""
        if self._settings is None:
            self._settings = session_settings_class()()
        return self._settings

    @session_settings.setter
    def session_settings(self, settings: SessionSettings | None) -> None:
        self._settings = settings

    @property
    def ledger_home(self) -> LedgerHome:
        """Where the ledger lies, known for sure once the store was asked."""
        return "database"

    def _must_be_open(self) -> None:
        """Raises RuntimeError for a session that was closed, where a kind of session can be."""

    async def _find_home(self) -> None:
        """Find out where the ledger lies, where that is only known once the store was asked."""

    async def _read(self, operation: Callable[[Scope], Operation[T]], *, brief: bool = False) -> T:
        self._must_be_open()
        return await self.database.read(lambda: operation(self.scope), brief=brief)

    async def _write(self, operation: Callable[[Scope], Operation[T]], *, brief: bool = False) -> T:
        self._must_be_open()
        return await self.database.write(lambda: operation(self.scope), brief=brief)

    # the SDK's contract

    async def get_items(self, limit: int | None = None) -> list[Item]:
        wanted = resolve_limit(limit, self._settings)
        if wanted is not None and wanted <= reading.FEW:
            found = await self._read(lambda scope: reading.newest(scope, wanted), brief=True)
            if found is not None:
                return found
        return await self._read(lambda scope: reading.items(scope, wanted))

    async def add_items(self, items: list[Item]) -> None:
        await self.append(items)

    async def pop_item(self, *, lease: Lease | None = None) -> Item | None:
        return await self._write(lambda scope: writing.pop(scope, lease, self.clock()), brief=True)

    async def clear_session(self, *, lease: Lease | None = None) -> None:
        """Remove the session and all that was kept beside it, for good.

        `Clear()` is the edit with a way back. Raises SessionBusy while a run holds the session.
        """
        await self._write(lambda scope: writing.clear(scope, lease, self.clock()))

    # looking

    async def timeline(self, before: str | None = None, limit: int = 200) -> Timeline:
        limit = whole_number(limit)
        revision = await self.revision()
        page = await self._read(lambda scope: reading.page(scope, before, limit, self._tally))
        self._tally = page.tally
        self._expect(freshness.next_change(page.entries, self.clock()))
        return Timeline(
            tuple(page.entries),
            revision,
            page.older,
            page.tally.entries,
            page.tally.turns,
            self._unread(page.tally),
        )

    def _unread(self, tally: reading.Tally) -> Unread | None:
        """What no model will be sent of all that was counted; None where that is not counted."""
        return None

    async def sealed(self) -> int:
        """How many of the stored items lie in an envelope, whatever it holds. No key is needed."""

        def operation(scope: Scope) -> Operation[int]:
            if not (yield from scope.tables.there()):
                return 0
            return (yield from scope.tables.count_containing(scope.session, [f'"{envelope.MARKER}"']))

        return await self._read(operation)

    async def revision(self) -> Revision:
        self._must_be_open()
        stored = await self._stored_revision()
        if self.scope.codec.ttl is None:
            return Revision(stored)
        if self._next_age is not None and self.clock() >= self._next_age:
            self._ages, self._next_age = self._ages + 1, None
        return Revision((stored, self._ages))

    async def _stored_revision(self) -> Hashable:
        return await self.database.revision()

    def _expect(self, moment: float | None) -> None:
        """Let the revision differ from this moment on: what was shown is out of date then."""
        if moment is not None:
            self._next_age = moment if self._next_age is None else min(moment, self._next_age)

    async def recent(self, turns: int) -> list[Entry]:
        turns = whole_number(turns, "turns must be")
        return await self._read(lambda scope: reading.recent(scope, turns))

    async def notes(self, timeline: Timeline) -> list[Note]:
        return await self._read(
            lambda scope: reading.notes(scope, timeline.entries, from_start=not timeline.older)
        )

    async def calls_among(self, call_ids: Collection[str]) -> frozenset[str]:
        """As it is meant; asked again of the same history, nothing is read again."""
        if not call_ids:
            return frozenset()
        asked = (await self.revision(), frozenset(call_ids))
        if self._calls is None or self._calls[0] != asked:
            found = await self._read(lambda scope: reading.calls_among(scope, asked[1]))
            self._calls = (asked, found)
        return self._calls[1]

    async def pages(self, size: int) -> AsyncGenerator[Timeline, None]:
        after: Entry | None = None
        while True:
            revision = await self.revision()
            entries = await self._read(partial(reading.onward, after=after, limit=size))
            if entries:
                yield Timeline(tuple(entries), revision, older=after is not None)
            if len(entries) < size:
                return
            after = entries[-1]

    # steering

    async def plan(self, edit: Edit) -> Plan:
        return await self._read(lambda scope: planning.plan(scope, edit, self._tally), brief=True)

    async def apply(self, plan: Plan, *, lease: Lease | None = None) -> Change:
        change = await self._write(
            lambda scope: applying.apply(scope, plan, lease, self.clock()), brief=plan.removed <= FEW
        )
        # The change is the newest one and has not moved yet: see `Standing.edits`.
        self._tally = self._tally.edited(plan.lowest, plan.guard.edits, (change.id, 1))
        return change

    async def undo(self, *, lease: Lease | None = None) -> Change:
        return await self._swap(lambda scope: applying.undo(scope, lease, self.clock()))

    async def redo(self, *, lease: Lease | None = None) -> Change:
        return await self._swap(lambda scope: applying.redo(scope, lease, self.clock()))

    async def _swap(self, operation: Callable[[Scope], Operation[applying.Swapped]]) -> Change:
        swapped = await self._write(operation)
        self._tally = self._tally.edited(swapped.lowest, swapped.before, swapped.after)
        return swapped.change

    async def changes(self) -> list[Change]:
        return await self._read(applying.changes)

    async def undo_refused(self) -> bool:
        return await self._read(applying.undo_refused)

    async def branch(
        self,
        new_id: str,
        *,
        upto: str | None = None,
        before: Change | None = None,
        lease: Lease | None = None,
    ) -> Self:
        await self._find_home()  # the branch keeps its ledger in the same place
        other = self.sibling(new_id)
        change = before.id if before is not None else None
        await self._write(
            lambda scope: branching.branch(scope, other.scope, upto, change, lease, self.clock())
        )
        return other

    def sibling(self, session_id: str) -> Self:
        """Another session in the same tables."""
        raise NotImplementedError

    @property
    def unerased(self) -> bool:
        """Whether the store's files may still hold text that was deleted for good; a purge erases it."""
        return self.database.unerased

    async def purge(self, *, lease: Lease | None = None) -> int:
        with known_if_cancelled(self):
            gone = await self._write(lambda scope: writing.purge(scope, lease, self.clock()))
        await self.database.erase()
        return gone

    async def erase(self, *, lease: Lease | None = None) -> None:
        """Clear the session and make its text unrecoverable from the store's files."""
        with known_if_cancelled(self):
            await self._write(lambda scope: writing.clear(scope, lease, self.clock(), erasing=True))
        await self.database.erase()

    # running

    async def append(
        self,
        items: Sequence[Item],
        *,
        agent: str | None = None,
        lease: Lease | None = None,
        note: tuple[str, dict[str, Any]] | None = None,
    ) -> list[str]:
        self._must_be_open()
        texts = [self.scope.codec.encode(item) for item in items]
        if not texts and note is None:
            return []
        keys = await self._write(
            lambda scope: writing.append(scope, texts, agent=agent, lease=lease, note=note),
            brief=len(texts) <= FEW,
        )
        return [entry_id(key, fingerprint(text.encode())) for key, text in zip(keys, texts, strict=True)]

    async def carry(self, batch: Batch, *, lease: Lease | None = None) -> str:
        codec = self.scope.codec
        texts = [codec.encode(carried.item, at=carried.said_at or carried.at) for carried in batch.items]
        return await self._write(lambda scope: carrying.carry(scope, batch, texts, lease))

    async def finish_copy(
        self, detail: dict[str, Any], mark: str | None, *, lease: Lease | None = None
    ) -> None:
        await self._write(lambda scope: carrying.finish(scope, detail, mark, lease))

    async def mark(self) -> str | None:
        return await self._read(carrying.newest)

    async def acquire(self, owner: str, seconds: float) -> Lease:
        def operation(scope: Scope) -> Operation[Lease]:
            yield from scope.ledger.make()
            yield from writing.lock(scope)
            return (yield from leases.acquire(scope.ledger, scope.session, owner, seconds, self.clock()))

        return await self._write(operation, brief=True)

    async def renew(self, lease: Lease, seconds: float) -> Lease:
        def operation(scope: Scope) -> Operation[Lease]:
            yield from scope.ledger.make()
            return (yield from leases.renew(scope.ledger, lease, seconds, self.clock()))

        return await self._write(operation, brief=True)

    async def release(self, lease: Lease) -> None:
        def operation(scope: Scope) -> Operation[None]:
            if (yield from scope.ledger.there()):
                yield from leases.release(scope.ledger, lease)

        await self._write(operation, brief=True)

    async def holder(self) -> Lease | None:
        def operation(scope: Scope) -> Operation[Lease | None]:
            if not (yield from scope.ledger.there()):
                return None
            return (yield from leases.holder(scope.ledger, scope.session, self.clock()))

        return await self._read(operation, brief=True)

    # waiting for a person

    async def pause(
        self, state: str, calls: Sequence[tuple[str, str, str, str]], *, lease: Lease | None = None
    ) -> Pause:
        def operation(scope: Scope) -> Operation[Pause]:
            yield from scope.tables.make()
            yield from scope.ledger.make()
            yield from writing.lock(scope)
            if lease is not None:
                yield from leases.must_hold(scope.ledger, lease)
            head = yield from writing.last_place(scope)
            return (yield from pauses.add(scope.ledger, scope.codec, scope.session, state, calls, head))

        return await self._write(operation, brief=True)

    async def waiting(self) -> Pause | None:
        def operation(scope: Scope) -> Operation[Pause | None]:
            if not (yield from scope.ledger.there()):
                return None
            try:
                pause = yield from pauses.waiting(scope.ledger, scope.codec, scope.session)
            except WrongKey:
                return None  # there is a decision, but nobody who could take it here
            return None if pause is None or (yield from self._lapsed(scope, pause)) else pause

        return await self._read(operation, brief=True)

    def _lapsed(self, scope: Scope, pause: Pause) -> Operation[bool]:
        """Whether time has ended a waiting decision: a part of what it rests on has expired.

        One that was taken is not ended any more: its effect is under way.
        """
        if pause.status is not PauseState.PENDING:
            return False
        if pause.id not in self._lapses:
            self._lapses[pause.id] = yield from freshness.lapses_at(scope, pause)
        moment = self._lapses[pause.id]
        self._expect(moment if moment is not None and moment > self.clock() else None)
        return moment is not None and self.clock() >= moment

    async def lapse(self) -> tuple[str, ...]:
        def operation(scope: Scope) -> Operation[tuple[str, ...]]:
            if not (yield from scope.ledger.there()):
                return ()
            yield from writing.lock(scope)
            pause = yield from pauses.waiting(scope.ledger, scope.codec, scope.session)
            if pause is None or not (yield from self._lapsed(scope, pause)):
                return ()
            return (yield from writing.supersede(scope, "expired"))

        return await self._write(operation, brief=True) if self.scope.codec.ttl is not None else ()

    async def decide(self, pause: int, verdicts: dict[str, tuple[bool, str]]) -> Pause:
        def operation(scope: Scope) -> Operation[Pause | None]:
            yield from scope.ledger.make()
            there = yield from writing.lock(scope)
            head = (yield from writing.last_place(scope)) if there else None
            if (yield from pauses.moved_on(scope.ledger, scope.session, pause, head)):
                yield from writing.supersede(scope, "went_on")
                return None
            return (yield from pauses.begin(scope.ledger, scope.codec, scope.session, pause, verdicts, head))

        if await self.lapse():
            raise DecisionClosed(pauses.LAPSED)
        decided = await self._write(operation, brief=True)
        if decided is None:
            raise DecisionClosed(pauses.MOVED_ON)
        return decided

    async def settle(self, pause: int, status: PauseState = PauseState.SETTLED) -> bool:
        def operation(scope: Scope) -> Operation[bool]:
            if not (yield from scope.ledger.there()):
                return False
            return (yield from pauses.end(scope.ledger, scope.session, pause, status))

        return await self._write(operation, brief=True)

    async def supersede(self, *, lease: Lease | None = None) -> tuple[str, ...]:
        def operation(scope: Scope) -> Operation[tuple[str, ...]]:
            if not (yield from scope.ledger.there()):
                return ()
            yield from writing.lock(scope)
            leases.must_be_free((yield from scope.standing()), scope.session, lease, self.clock())
            pause = yield from pauses.waiting(scope.ledger, scope.codec, scope.session)
            expired = pause is not None and (yield from self._lapsed(scope, pause))
            return (yield from writing.supersede(scope, "expired" if expired else "went_on"))

        return await self._write(operation, brief=True)

    async def close_lone_calls(self, text: str, *, lease: Lease | None = None) -> int:
        """Give `text` as result to the unanswered calls of the newest turn; how many. For crashed runs."""

        def operation(scope: Scope) -> Operation[int]:
            if not (yield from scope.tables.there()):
                return 0
            yield from scope.ledger.make()
            yield from writing.lock(scope)
            leases.must_be_free((yield from scope.standing()), scope.session, lease, self.clock())
            pause = yield from pauses.waiting(scope.ledger, scope.codec, scope.session)
            return len((yield from writing.settle_lone_calls(scope, pause, text)))

        return await self._write(operation, brief=True)
