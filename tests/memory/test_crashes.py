"""A process may die at any instruction: what is found afterwards is the state before or the state after."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from memory import SQLiteSession

from .crash_works import LONE, SESSION, WORKS, fill, storm
from .crashing import (
    COMMITTED,
    DIED,
    IN_TRANSACTION,
    Crashes,
    State,
    grow_old,
    halves_left,
    state_of,
)
from .items import turn

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")


class Deaths:
    """How many there were, and how many of them inside an open transaction."""

    def __init__(self) -> None:
        self.all = self.inside = 0

    def count(self, *, inside: bool) -> None:
        self.all, self.inside = self.all + 1, self.inside + inside


@pytest.fixture(scope="module")
def crashes() -> Iterator[Crashes]:
    opened = Crashes()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def deaths(request: pytest.FixtureRequest) -> Iterator[Deaths]:
    counted = Deaths()
    yield counted
    tell(request, f"{counted.all} deaths, {counted.inside} of them inside an open transaction")
    assert counted.inside * 2 >= counted.all or counted.all < 100


def tell(request: pytest.FixtureRequest, line: str) -> None:
    """Say it beside the dots."""
    capture = request.config.pluginmanager.get_plugin("capturemanager")
    assert capture is not None
    with capture.global_and_fixture_disabled():
        print(f"\n{line}")


async def make_store(path: Path, name: str) -> None:
    """The store before a work."""
    work = WORKS[name]
    if work.new_file:
        return
    session = SQLiteSession(SESSION, path)
    await (work.before or fill)(session)
    session.database.close()
    grow_old(path)


def put_there(original: Path, path: Path) -> None:
    """A fresh copy of a store that is closed."""
    for old in path.parent.glob(path.name + "*"):
        old.unlink()
    if original.exists():
        shutil.copy(original, path)


async def goes_on(path: Path) -> None:
    """Whatever was cut off, the session can be looked at, written to and edited."""
    session = SQLiteSession(SESSION, path)
    try:
        total = (await session.timeline()).total or 0
        await session.append(turn(99))
        assert (await session.timeline()).total == total + 4
        if await session.waiting() is None:
            lease = await session.holder()
            await session.pop_item(lease=lease)
            await session.undo(lease=lease)
        assert (await session.get_items(4)) == turn(99)
    finally:
        session.database.close()


@pytest.mark.parametrize("name", WORKS)
async def test_a_death_before_any_statement_or_behind_a_commit_leaves_all_or_nothing(
    crashes: Crashes, deaths: Deaths, tmp_path: Path, name: str
) -> None:
    original, path = tmp_path / "original.db", tmp_path / "conversations.db"
    await make_store(original, name)
    before = state_of(original)
    put_there(original, path)
    assert crashes.run(path, name, die_at=0) == 0
    after = state_of(path)
    assert after != before
    for die_at in count(1):
        put_there(original, path)
        code = crashes.run(path, name, die_at)
        if code == 0:
            break
        assert DIED <= code < DIED + 4, f"the process ended with {code} at point {die_at}"
        deaths.count(inside=bool(code & IN_TRANSACTION))
        found = state_of(path)
        assert found == (after if code & COMMITTED else before)
        assert halves_left(found) <= LONE
        if die_at % 4 == 1:
            await goes_on(path)
    assert die_at > 5


async def states_of_a_storm(folder: Path, seed: int) -> list[State]:
    """The state behind each work of a storm that nobody cuts off."""
    path = folder / f"storm-{seed}.db"
    session = SQLiteSession(SESSION, path)
    states: list[State] = [{}]
    await storm(session, seed, lambda: states.append(state_of(path)))
    session.database.close()
    return states


def kill_again_and_again(crashes: Crashes, folder: Path, kills: int) -> Deaths:
    """The kills that met a storm at work."""
    dice = random.Random(kills)
    seeds = range(1 + kills // 50)
    storms = [asyncio.run(states_of_a_storm(folder, seed)) for seed in seeds]
    met = Deaths()
    for number in range(kills):
        seed = dice.choice(seeds)
        path = folder / f"killed-{number}.db"
        running = crashes.storm(path, seed, folder / "progress")
        time.sleep(dice.uniform(0.01, 0.4))
        if number % 5:
            running.stop_inside_a_transaction(depth=dice.uniform(0, 0.002))
        was_inside, works = running.kill()
        found, expected = state_of(path), storms[seed][works : works + 2]
        assert found in expected, f"kill {number}: neither the state before nor after work {works}"
        assert not halves_left(found)
        if works + 1 < len(storms[seed]):
            met.count(inside=was_inside)
        asyncio.run(goes_on(path))
        put_there(folder / "nothing", path)
    return met


def test_a_kill_at_any_time_leaves_the_state_before_or_after(
    crashes: Crashes, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    met = kill_again_and_again(crashes, tmp_path, kills=20)
    tell(request, f"{met.all} kills at random, {met.inside} of them inside an open transaction")
    assert met.inside * 2 >= met.all > 0


@pytest.mark.long
def test_two_hundred_kills_leave_the_state_before_or_after(
    crashes: Crashes, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    met = kill_again_and_again(crashes, tmp_path, kills=200)
    tell(request, f"{met.all} kills at random, {met.inside} of them inside an open transaction")
    assert met.inside * 2 >= met.all >= 100
