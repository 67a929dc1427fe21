"""Who answers: the agents and their model, built once in a thread of their own.

Loading the SDK takes a second or two. The page is drawn meanwhile; a message that comes earlier waits.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from .refusals import where

if TYPE_CHECKING:
    from .orders import Orders
    from .running import Crew

log = logging.getLogger(__name__)

Build = Callable[["Orders", Mapping[str, str]], "Crew"]
"""Builds the agents for some orders, with the settings of an environment. Runs in the warm thread."""


def build_crew(orders: Orders, env: Mapping[str, str]) -> Crew:
    """The desk's own agents, under its policy, with the model that `env` chooses."""
    from .agents import build_agents
    from .models import choose_model
    from .policy import load_policy
    from .running import Crew
    from .samples import seed_file

    model = choose_model(env).make(orders.used)
    return Crew(build_agents(orders, load_policy(seed_file("policy.json", env)), model), model)


class CrewRoom:
    """Where the crew is built once and waited for. Safe to use from any thread."""

    def __init__(self, build: Callable[[], Crew]) -> None:
        self._build = build
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._crew: concurrent.futures.Future[Crew] | None = None

    def warm(self, then: Callable[[], None] | None = None) -> concurrent.futures.Future[Crew]:
        """Begin building, unless that was begun; `then` is called in the warm thread after it was built."""
        with self._lock:
            failed = self._crew is not None and self._crew.done() and self._crew.exception() is not None
            if self._crew is None or failed:
                crew = self._crew = concurrent.futures.Future()
                self._thread = threading.Thread(
                    target=self._work, args=(crew, then), name="desk-warm", daemon=True
                )
                self._thread.start()
            return self._crew

    @property
    def ready(self) -> bool:
        crew = self._crew
        return crew is not None and crew.done() and crew.exception() is None

    async def crew(self) -> Crew:
        """The crew, when it is built. Raises what building it raised; the next call tries again."""
        return await asyncio.shield(asyncio.wrap_future(self.warm()))

    async def close(self) -> None:
        """Wait for the warm thread and let go of the model."""
        thread, crew = self._thread, self._crew
        if thread is not None:
            await asyncio.to_thread(thread.join, 10.0)
        if crew is not None and self.ready:
            await crew.result().close()

    def _work(self, crew: concurrent.futures.Future[Crew], then: Callable[[], None] | None) -> None:
        try:
            crew.set_result(self._build())
        except Exception as error:
            log.error("The agents could not be built: %s at %s", type(error).__name__, where(error))
            crew.set_exception(error)
            return
        if then is not None:
            then()
