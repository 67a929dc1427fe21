"""A thread of one's own that runs jobs in order and answers on the caller's event loop.

Half the price of `asyncio.to_thread` per hop, and the connections that live on it are never used by two
threads.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from typing import TypeVar, cast

T = TypeVar("T")


class Worker:
    """Runs jobs one after the other on a daemon thread, started with the first job."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._working = threading.Lock()
        self._left = 0  # jobs that were asked for and have not ended
        self._thread: threading.Thread | None = None
        self._closed = False
        self._process = os.getpid()

    @property
    def inherited(self) -> bool:
        """Whether it was made before this process was forked off: it can do nothing here."""
        return self._process != os.getpid()

    async def run(self, job: Callable[[], T]) -> T:
        """What `job` returns or raises. A caller that is cancelled still waits for the job to end.

        A write that has begun will happen; to return before it has would leave the caller guessing.
        """
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        outcome: list[tuple[T | None, BaseException | None]] = []

        def tell() -> None:
            if not done.done():
                done.set_result(None)

        def perform() -> None:
            with self._working:
                try:
                    outcome.append((job(), None))
                except BaseException as error:
                    outcome.append((None, error))
                with self._lock:
                    self._left -= 1
            with suppress(RuntimeError):  # the loop that asked is closed: nobody is waiting
                loop.call_soon_threadsafe(tell)

        self._put(perform)
        cancelled: asyncio.CancelledError | None = None
        while not outcome:
            try:
                await done
            except asyncio.CancelledError as error:
                cancelled, done = error, loop.create_future()
        if cancelled is not None:
            raise cancelled
        result, failure = outcome.pop()
        if failure is not None:
            try:
                raise failure
            finally:
                del failure  # it holds this frame, which would hold it
        return cast("T", result)

    @contextmanager
    def idle(self) -> Iterator[bool]:
        """Whether the thread has nothing to do; if so, it begins nothing before this context ends.

        What the thread owns may be used by the caller meanwhile.
        """
        free = self._working.acquire(blocking=False)
        try:
            # Not whether the queue is empty: the thread may have taken a job out of it and not begun it.
            yield free and not self._left and not self._closed and not self.inherited
        finally:
            if free:
                self._working.release()

    def stop(self, last: Callable[[], None], wait: bool = True) -> None:
        """Run `last` after everything asked so far and end the thread. Later jobs raise RuntimeError."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            thread = self._thread
        if thread is None:
            last()
            return

        def end() -> None:
            with self._working:
                last()

        self._jobs.put(end)
        self._jobs.put(None)
        if wait and thread is not threading.current_thread():
            thread.join()

    def _put(self, job: Callable[[], None]) -> None:
        if self.inherited:
            # The thread stayed in the process that was forked, and its connections must not be used here.
            raise RuntimeError("The store was opened before the process was forked; open it again here.")
        with self._lock:
            if self._closed:
                raise RuntimeError("The store was closed.")
            if self._thread is None:
                self._thread = threading.Thread(
                    target=_serve, args=(self._jobs,), name=self._name, daemon=True
                )
                self._thread.start()
            self._left += 1
            self._jobs.put(job)


def _serve(jobs: SimpleQueue[Callable[[], None] | None]) -> None:
    while (job := jobs.get()) is not None:
        job()
        del job  # or the last job, and all it holds, would live until the next one
