"""What a run could not store: kept on the desk until the store can take it, or something newer is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .closing import close_calls, lone_calls
from .holding import Hold
from .runs import LiveRun
from .settling import close_answered
from .tail import tail
from .values import RunStatus

if TYPE_CHECKING:
    from .orders import Orders


async def save_kept(run: LiveRun, hold: Hold, orders: Orders) -> bool:
    """Store what `run` could not, if nothing was said since; whether it is all stored now.

    Raises what the store raises; what was stored by then is not stored again.
    """
    session = hold.session
    if (await tail(session)).newest != run.kept_after:
        return False
    whole = False
    while run.kept:
        batch = run.kept[0]
        ids = await session.append(list(batch.items), agent=batch.agent, lease=hold.lease)
        run.kept_after = ids[-1]
        whole = batch.items[-1].get("role") == "assistant"
        run.kept.pop(0)
    end = await tail(session)
    await close_calls(session, orders, lone_calls(end.entries), "failed", lease=hold.lease)
    await close_answered(session)
    run.leaves([])
    if whole:
        run.ends(RunStatus.DONE)
    return True
