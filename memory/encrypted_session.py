"""`EncryptedSession`: the SDK's class by name, signature and wire format, over any session.

    session = EncryptedSession("ticket_456", SQLiteSession("ticket_456", "conversations.db"), key)

Over one of our sessions everything an inspector can do works on the encrypted rows, and what is kept beside
them is sealed with the same key. Over any other session it does what four methods allow.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, TypeVar

from . import census, resealing, unerased
from .contract import resolve_limit
from .entries import Item, Revision, State, Timeline, Unread
from .errors import NotErased, NotSupported, StoreUnavailable
from .inspectable import InspectableSession
from .keys import Keys
from .notes import Lease
from .popping import FollowsProtocol
from .reading import Tally
from .resealing import Resealed
from .scope import Scope
from .sealing import FernetCodec, checked_ttl
from .statements import Operation
from .table_session import LedgerHome, TableSession
from .tables import Place

if TYPE_CHECKING:
    from agents.memory import SessionSettings

T = TypeVar("T")

if TYPE_CHECKING:
    # Making one gives a subclass that lacks nothing; this is how a type checker learns of it.
    _Inspectable = TableSession
else:
    _Inspectable = InspectableSession

ONLY_FOUR = "A store that only follows the session protocol cannot be written anew; copy it to another one."

TTL = 600  # seconds: 10 minutes, the SDK's default


PATIENCE = 30.0
"""Seconds by which the count of what has expired in the rest of a session may be behind."""


class EncryptedSession(_Inspectable):
    """A session whose items are stored encrypted.

    `encryption_key` is one key as text, several (newest first), or a callable that gives either. `ttl` is the
    age in whole seconds after which items are not given any more, None for no end; they stay stored and
    shown as expired. `clock` gives seconds since the epoch and is for tests.

    Making one gives a subclass for the session it wraps. Raises ValueError for a key or `ttl` that is none,
    and for a session that cannot hold envelopes.
    """

    underlying_session: Any
    ttl: int | None
    codec: FernetCodec

    def __new__(cls, session_id: str, underlying_session: Any, *args: Any, **kwargs: Any) -> EncryptedSession:
        if cls is not EncryptedSession:
            return object.__new__(cls)
        if isinstance(underlying_session, TableSession):
            return object.__new__(EncryptedTableSession)
        from . import encrypted_foreign

        return object.__new__(encrypted_foreign.EncryptedForeignSession)

    def __init__(
        self,
        session_id: str,
        underlying_session: FollowsProtocol,
        encryption_key: object,
        ttl: int | None = TTL,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        _must_hold_envelopes(underlying_session)
        self.ttl = checked_ttl(ttl)
        self.underlying_session = underlying_session
        self.codec = FernetCodec(Keys.of(encryption_key), session_id, self.ttl, clock)

    async def states(self) -> Counter[State]:
        """How many entries there are in each state. Opens every one of them."""
        raise NotImplementedError

    async def reencrypt(self, progress: Callable[[int, int], None] | None = None) -> Resealed:
        """Move all that is stored of the session to the newest key, each item with its own time.

        `progress` is called with (rows seen, rows in all) after each batch. It can be stopped anywhere and
        begun again; meanwhile both keys are needed. Raises NotSupported over a store of four methods.
        """
        raise NotSupported(ONLY_FOUR)

    async def encrypt_plain_rows(self, *, lease: Lease | None = None) -> int:
        """Encrypt the rows that stand in the open, all or none; how many.

        Order, times and authors stay. The plain text is erased from the store's files. Raises SessionBusy,
        or NotErased where the rows are encrypted, but their old text could not be erased yet: doing it again
        or a purge erases it; NotSupported over a store of four methods.
        """
        raise NotSupported(ONLY_FOUR)

    async def written_as(self, session_ids: Iterable[str]) -> str | None:
        """The one of these session ids under which these keys open the newest locked entry that can be so."""
        raise NotImplementedError


class EncryptedTableSession(EncryptedSession, TableSession):
    """An encrypted session in our own tables."""

    underlying_session: TableSession

    def __init__(
        self,
        session_id: str,
        underlying_session: Any,
        encryption_key: object,
        ttl: int | None = TTL,
        *,
        clock: Callable[[], float] | None = None,
    ) -> None:
        clock = clock or underlying_session.clock
        EncryptedSession.__init__(self, session_id, underlying_session, encryption_key, ttl, clock=clock)
        scope = underlying_session.scope
        TableSession.__init__(
            self, scope.session, underlying_session.database, scope.tables, codec=self.codec, clock=clock
        )
        self.session_id = session_id
        self._asked: Revision | None = None  # when it was last asked where locked entries come from
        self._tried: tuple[int, frozenset[str]] | None = None  # how many those were, and what was asked
        self._under_key(scope)

    @property
    def ledger_home(self) -> LedgerHome:
        return self.underlying_session.ledger_home

    # The session underneath knows where its tables and its ledger are; only what rows say is ours.

    def _under_key(self, scope: Scope) -> Scope:
        if self.scope.ledger is not scope.ledger:
            self.scope = replace(scope, codec=self.codec)
            self.database = self.underlying_session.database
        return self.scope

    async def _find_home(self) -> None:
        await self.underlying_session._find_home()
        self._under_key(self.underlying_session.scope)

    async def _read(self, operation: Callable[[Scope], Operation[T]], *, brief: bool = False) -> T:
        return await self.underlying_session._read(
            lambda scope: operation(self._under_key(scope)), brief=brief
        )

    async def _write(self, operation: Callable[[Scope], Operation[T]], *, brief: bool = False) -> T:
        return await self.underlying_session._write(
            lambda scope: operation(self._under_key(scope)), brief=brief
        )

    async def _stored_revision(self) -> Hashable:
        return (await self.underlying_session.revision()).value

    def _must_be_open(self) -> None:
        self.underlying_session._must_be_open()

    def close(self) -> Any:
        """Close the session underneath, where it can be; to be awaited where that one's is."""
        close = getattr(self.underlying_session, "close", None)
        if close is None:
            return None
        closing = close()
        self.__dict__.pop("database", None)  # with the last session on it, its threads end too
        return closing

    @property
    def session_settings(self) -> SessionSettings | None:
        """Those of the session underneath, as in the SDK."""
        return self.underlying_session.session_settings

    @session_settings.setter
    def session_settings(self, settings: SessionSettings | None) -> None:
        self.underlying_session.session_settings = settings

    async def get_items(self, limit: int | None = None) -> list[Item]:
        return await super().get_items(resolve_limit(limit, self.underlying_session._settings))

    def sibling(self, session_id: str) -> Self:
        return type(self)(
            session_id,
            self.underlying_session.sibling(session_id),
            self.codec.keys,
            self.ttl,
            clock=self.clock,
        )

    async def states(self) -> Counter[State]:
        def operation(scope: Scope) -> Operation[Counter[State]]:
            found: Counter[State] = Counter()
            after: Place = None
            while (yield from scope.tables.there()):
                rows = yield from scope.tables.oldest(scope.session, resealing.BATCH, after)
                found.update(scope.codec.examine(stored.raw).state for stored in rows)
                if len(rows) < resealing.BATCH:
                    break
                after = rows[-1].key
            return found

        return await self._read(operation)

    async def reencrypt(self, progress: Callable[[int, int], None] | None = None) -> Resealed:
        total = await self._read(resealing.count)
        try:
            moved, locked = await self._sweep(total, progress)
        except BaseException:
            # Old texts may lie in the store's files still: whoever goes on, or purges, erases them.
            self.database.unerased |= total > 0
            raise
        erased = await self._erased() if moved or self.database.unerased else True
        return Resealed(moved, locked, erased)

    async def _sweep(self, total: int, progress: Callable[[int, int], None] | None) -> tuple[int, int]:
        """How many texts were moved, and how many no key opens."""
        moved = seen = 0
        first = True
        while True:
            # Another program may bring back or append old rows meanwhile: sweep until nothing is found.
            changed = locked = 0
            for cells in resealing.places(self.scope):
                after: tuple[Any, ...] | None = None
                while True:
                    batch = await self._write(
                        lambda scope, cells=cells, after=after: resealing.move_batch(scope, cells, after)  # type: ignore[misc]
                    )
                    changed, locked = changed + batch.moved, locked + batch.locked
                    if first and progress is not None and batch.seen:
                        seen += batch.seen
                        progress(min(seen, total), total)
                    after = batch.after
                    if after is None:
                        break
            moved, first = moved + changed, False
            if not changed:
                return moved, locked

    async def _erased(self) -> bool:
        try:
            await self.database.erase()
        except StoreUnavailable:
            return False
        return True

    async def encrypt_plain_rows(self, *, lease: Lease | None = None) -> int:
        with unerased.known_if_cancelled(self):
            done = await self._write(lambda scope: resealing.encrypt_open(scope, lease, self.clock()))
        if not await self._erased():
            raise NotErased(
                "The items are encrypted, but the file may still hold their old text, because another "
                "program is reading it; do this again, or purge, when that program is done.",
                "encrypted",
            )
        return done

    async def written_as(self, session_ids: Iterable[str]) -> str | None:
        return next(iter(await self._written_as(session_ids)), None)

    async def _written_as(self, session_ids: Iterable[str]) -> list[str]:
        def operation(scope: Scope) -> Operation[list[bytes]]:
            if not (yield from scope.tables.there()):
                return []
            rows = yield from scope.tables.between(scope.session, None, None)
            return [stored.raw for stored in reversed(rows)]

        raws = await self._read(operation)
        return await asyncio.to_thread(census.recognised, self.codec, raws, list(session_ids))

    async def recognise(
        self, timeline: Timeline, session_ids: Callable[[], Awaitable[Iterable[str]]]
    ) -> bool:
        """Find out under which of these session ids the locked entries were written; whether more are known.

        From then on a timeline tells of them. Nothing is asked where no entry of the session is locked, nor
        again before it has changed.
        """
        unread = timeline.unread
        if unread is None or not unread.states.get(State.LOCKED) or self._asked == timeline.revision:
            return False
        self._asked = timeline.revision
        ids = frozenset(await session_ids())
        if self._tried == (unread.states[State.LOCKED], ids):
            return False
        self._tried = unread.states[State.LOCKED], ids
        if not (found := await self._written_as(ids)):
            return False
        self.codec.recognise(found)
        self._tally = Tally()
        return True

    def _unread(self, tally: Tally) -> Unread:
        moment = tally.census.next_change(self.codec)
        if moment is not None:  # what is on the page is expected to the second, the rest is only counted
            self._expect(max(moment, self.clock() + PATIENCE))
        return tally.census.unread(self.codec)


def _must_hold_envelopes(session: Any) -> None:
    if isinstance(session, EncryptedSession):
        raise ValueError("This session is encrypted already; wrap the one underneath.")
    # The SDK is not loaded to find out: whoever has an object of the class has loaded it.
    if any(kind.__name__ == "OpenAIConversationsSession" for kind in type(session).__mro__):
        raise ValueError(
            "The Conversations service stores only its own kinds of items, and no encrypted ones."
        )
