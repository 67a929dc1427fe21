"""A tool's work, off the loop: a cancelled call is not left half known."""

from __future__ import annotations

import asyncio
import threading

import pytest

from desk.tool_calls import in_thread


async def test_work_is_done_in_another_thread() -> None:
    assert await in_thread(threading.get_ident) != threading.get_ident()


async def test_a_cancelled_call_ends_only_when_its_work_did() -> None:
    started, release, done = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        started.set()
        assert release.wait(30)
        done.set()

    call = asyncio.create_task(in_thread(work))
    await asyncio.to_thread(started.wait, 30)
    call.cancel()
    await asyncio.wait([call], timeout=0.05)
    assert not call.done()
    release.set()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert done.is_set()


async def test_work_that_fails_while_cancelled_is_still_a_cancelled_call() -> None:
    started, release = threading.Event(), threading.Event()

    def work() -> None:
        started.set()
        assert release.wait(30)
        raise ValueError

    call = asyncio.create_task(in_thread(work))
    await asyncio.to_thread(started.wait, 30)
    call.cancel()
    release.set()
    with pytest.raises(asyncio.CancelledError):
        await call
