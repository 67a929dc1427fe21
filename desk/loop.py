"""The one event loop of a desk, in a thread of its own.

Model clients, database engines and sessions belong to the loop they were made on, and Streamlit's script
threads come and go. So everything that is awaited is awaited here, and a script only ever waits for a
result.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class LoopClosed(RuntimeError):
    """The loop has been closed, so nothing can be awaited any more."""


class Loop:
    """A background event loop, started by the first call; `name` names its threads."""

    def __init__(self, name: str = "desk-loop") -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._pool = concurrent.futures.ThreadPoolExecutor(thread_name_prefix=f"{name}-work")
        self._closed = False

    def spawn(self, work: Coroutine[Any, Any, T]) -> concurrent.futures.Future[T]:
        """Start `work` on the loop and return at once. Raises LoopClosed."""
        with self._lock:
            if self._closed:
                work.close()
                raise LoopClosed("The desk is closed.")
            return asyncio.run_coroutine_threadsafe(work, self._running())

    def call(self, work: Coroutine[Any, Any, T], timeout: float = 30.0) -> T:
        """Run `work` on the loop and wait for its result, at most `timeout` seconds.

        Raises what `work` raises, TimeoutError, or LoopClosed. What did not finish in time is cancelled.
        """
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("The loop cannot wait for itself.")
        future = self.spawn(work)
        try:
            return future.result(timeout)
        except concurrent.futures.CancelledError:
            raise LoopClosed("The desk was closed meanwhile.") from None
        except TimeoutError:
            future.cancel()
            raise

    def close(self) -> None:
        """Cancel what is left, wait for it, and end the thread. Calling it again does nothing."""
        with self._lock:
            self._closed = True
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        with contextlib.suppress(concurrent.futures.CancelledError):
            asyncio.run_coroutine_threadsafe(_end_all(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        # Tools run in this pool. One that hangs cannot be ended; it is not waited for either.
        pool = threading.Thread(target=self._pool.shutdown, kwargs={"cancel_futures": True}, daemon=True)
        pool.start()
        pool.join(1.0)
        loop.close()

    def _running(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._loop.set_default_executor(self._pool)
            self._thread = threading.Thread(target=self._loop.run_forever, name=self._name, daemon=True)
            self._thread.start()
        return self._loop


async def _end_all() -> None:
    loop = asyncio.get_running_loop()
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await loop.shutdown_asyncgens()
