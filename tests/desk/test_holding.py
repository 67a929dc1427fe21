"""A session is held for a run, and given back whatever becomes of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from desk.holding import Holds
from desk.values import Address
from memory import Lease, SQLiteSession

HERE = Address("file", "s")


class Slow(SQLiteSession):
    """A session whose store takes its time to say that it has done what it was asked for."""

    async def acquire(self, owner: str, seconds: float) -> Lease:
        lease = await super().acquire(owner, seconds)
        await asyncio.sleep(0.05)
        return lease


async def test_whoever_stops_waiting_for_a_session_does_not_hold_it(tmp_path: Path) -> None:
    session = Slow("s", tmp_path / "a.db")
    here, other = Holds(60.0, tmp_path), Holds(60.0, tmp_path)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.02):
            await here.take(HERE, session)
    hold = await here.take(HERE, session)
    await hold.give_back()

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.02):
            await here.take(HERE, session)
    here.close()  # this server ends: the next one need not wait for the lease to run out
    await (await other.take(HERE, session)).give_back()
    other.close()
