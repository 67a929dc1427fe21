"""Looking at a database that may have fallen silent: who waits, who is answered at once, what is believed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from desk import breaker
from desk.breaker import Breaker
from memory.errors import EntryNotFound, StoreUnavailable


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("PATIENCE", 0.1), ("AGAIN", 0.2), ("BRIEFLY", 0.02)):
        monkeypatch.setattr(breaker, name, seconds)


def gives(value: object, after: float = 0.0) -> Callable[[], Coroutine[Any, Any, object]]:
    """A look that gives this, or raises it, so many seconds from when it began."""

    async def work() -> object:
        await asyncio.sleep(after)
        if isinstance(value, Exception):
            raise value
        return value

    return work


async def why(looks: Breaker, work: Callable[[], Coroutine[Any, Any, object]]) -> str:
    with pytest.raises(StoreUnavailable) as told:
        await looks.look(work)
    return told.value.why


async def test_a_silent_look_is_not_waited_for_and_the_next_ones_are_answered_at_once() -> None:
    looks = Breaker(lambda: 0.0)
    assert await why(looks, gives("late", 0.5)) == "silent"
    assert looks.broken
    assert await why(looks, gives("never asked")) == "silent"
    await asyncio.sleep(0.2)
    assert not looks.broken
    assert await looks.look(gives("back")) == "back"


async def test_a_look_that_ends_late_all_the_same_lets_the_others_look_again() -> None:
    looks = Breaker(lambda: 0.0)
    assert await why(looks, gives("late", 0.15)) == "silent"
    await asyncio.gather(*looks.looks())
    assert await looks.look(gives("at once")) == "at once"


async def test_a_look_that_fails_late_says_nothing_about_a_database_that_answered_since() -> None:
    looks = Breaker(lambda: 0.0)
    assert await why(looks, gives(StoreUnavailable("Gone.", "unknown"), 0.4)) == "silent"
    await asyncio.sleep(0.2)
    assert await looks.look(gives("back")) == "back"
    await asyncio.sleep(0.2)
    assert await looks.look(gives("still there")) == "still there"


async def test_what_concerns_the_look_alone_stops_no_other() -> None:
    looks = Breaker(lambda: 0.0)
    with pytest.raises(EntryNotFound):
        await looks.look(gives(EntryNotFound("It is gone.")))
    assert await why(looks, gives(StoreUnavailable("Read only.", "read_only"))) == "read_only"
    assert await looks.look(gives("answered")) == "answered"


async def test_a_look_says_nothing_of_what_may_have_been_stored() -> None:
    looks = Breaker(lambda: 0.0)
    looks.note(StoreUnavailable("Whether it was stored is not known.", "unknown"))
    assert await why(looks, gives("never asked")) == "unreachable"
