"""Edits a person makes on a session, each worked out, done and told as an `Outcome`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from memory.edits import Change, Edit, Plan, RollBack
from memory.encrypted_session import EncryptedSession
from memory.entries import State
from memory.errors import NothingToDo, NotSupported, SessionBusy
from memory.items import text_of

from .settling import close_answered
from .tail import tail
from .values import Address, Outcome, Preview

if TYPE_CHECKING:
    from memory.inspectable import InspectableSession

    from .effects import Effect
    from .holding import Holds
    from .orders import Orders
    from .stores import Stores

Step = Callable[["InspectableSession"], Awaitable[Outcome]]


async def on(address: Address, stores: Stores, holds: Holds, step: Step) -> Outcome:
    """Do `step` on the session of an address, if it has one and no decision on it hangs in the air."""
    session = await _session(address, stores)
    await holds.free(address, session)
    if not await close_answered(session):
        return Outcome(False, "effect_unknown")
    return await step(session)


async def preview(address: Address, stores: Stores, orders: Callable[[], Orders], edit: Edit) -> Preview:
    """What an edit would do, and which effects stay in the world all the same."""
    session = await _session(address, stores)
    plan = await session.plan(edit)
    if plan.shown_go:
        going = plan.calls | {taken.entry.call_id for taken in plan.taken if taken.entry.call_id}
        effects = await asyncio.to_thread(orders().effects, call_ids=going)
    else:
        effects = await asyncio.to_thread(orders().effects, session=str(address))
    stays = [effect for effect in effects if effect.current and plan.takes(effect.call_id)]
    if not plan.shown_go:
        # The session had them at some time: of a history that was cleared since, the calls are not here.
        there = await session.calls_among({effect.call_id for effect in stays})
        stays = [effect for effect in stays if effect.call_id in there]
    return Preview(plan, tuple(stays))


async def _session(address: Address, stores: Stores) -> InspectableSession:
    if address.backend == "none":
        raise NothingToDo("Without memory there is nothing to edit.")
    return await stores.session(address)


async def apply(session: InspectableSession, plan: Plan) -> Outcome:
    return Outcome(True, change=await session.apply(plan))


async def undo(session: InspectableSession) -> Outcome:
    await _must_have_changes(session)
    return Outcome(True, change=await session.undo())


async def redo(session: InspectableSession) -> Outcome:
    await _must_have_changes(session)
    return Outcome(True, change=await session.redo())


async def purge(session: InspectableSession, address: Address, orders: Callable[[], Orders]) -> Outcome:
    """What edits keep goes for good, here and in the orders' history: the words of calls that went.

    As in `delete`, the words in the orders go first.
    """
    changes = await session.changes()  # first, for a store that was not looked at yet knows of no mark
    if not changes and not getattr(session, "unerased", False):
        raise NothingToDo("Nothing was edited here.")
    if (holder := await session.holder()) is not None:
        raise SessionBusy("A run is working on this session; nothing can be erased now.", holder.owner)
    if gone := await _calls_gone(session, await asyncio.to_thread(orders().effects, session=str(address))):
        await asyncio.to_thread(orders().forget, str(address), gone)
    return Outcome(True, count=await session.purge())


async def _calls_gone(session: InspectableSession, effects: Sequence[Effect]) -> set[str]:
    """The calls of these effects that the session does not hold any more; none where that cannot be known."""
    calls = {effect.call_id for effect in effects}
    gone = calls - await session.calls_among(calls)
    if gone:
        async for page in session.pages(1_000):
            if any(entry.state is State.LOCKED for entry in page.entries):
                return set()  # it may be one of these
    return gone


async def _must_have_changes(session: InspectableSession) -> None:
    # Asked by reading: a store that is not there yet must not be made by an edit of nothing.
    if not await session.changes():
        raise NothingToDo("Nothing was edited here.")


async def encrypt_plain_rows(session: InspectableSession) -> Outcome:
    if not isinstance(session, EncryptedSession):
        raise NotSupported("This session is not encrypted.")
    count = await session.encrypt_plain_rows()
    if not count:
        raise NothingToDo("There was nothing to encrypt.")
    return Outcome(True, count=count)


async def take_back(session: InspectableSession) -> Outcome:
    """The last turn goes; its question comes back as text."""
    end = await tail(session)
    if end.question is None or end.question.item is None:  # what cannot be read cannot be put into the box
        return Outcome(False, "nothing_to_take_back")
    change = await session.apply(await session.plan(RollBack(end.before)))
    return Outcome(True, change=change, text=text_of(end.question.item))


async def branch(
    address: Address, stores: Stores, holds: Holds, new_id: str, upto: str | None, before: Change | None
) -> Outcome:
    """A copy under a new id. It waits for nobody, unless a decision waits in what is copied: that ends first.

    Whether one does is found where it is ended, in the session's own transaction, and so is what refuses it:
    a live run, and a decision whose effect is unknown.
    """
    session = await _session(address, stores)
    await holds.free(address, session)
    waited = await session.waiting()
    await session.branch(new_id, upto=upto, before=before)
    ended = waited is not None and await session.waiting() is None
    return Outcome(True, session_id=new_id, decision_ended=ended)


async def delete(address: Address, stores: Stores, holds: Holds, orders: Callable[[], Orders]) -> Outcome:
    """The session and every word of it, wherever the desk keeps one.

    Its words in the orders go first: if they cannot, the session is still there to be deleted again.
    """
    if address.backend == "none":
        await asyncio.to_thread(orders().forget, str(address))
        return Outcome(True)
    session = await stores.session(address)
    await holds.free(address, session)
    if (holder := await session.holder()) is not None:
        raise SessionBusy("A run is working on this session; it cannot be deleted now.", holder.owner)
    await asyncio.to_thread(orders().forget, str(address))
    await stores.erase(address)
    return Outcome(True)
