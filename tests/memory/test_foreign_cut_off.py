"""An edit of a foreign session that a crash cut off is finished when the session is opened again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from memory import FileCopies, InspectableSession, NothingToDo, RollBack, inspect

from .foreign_store import Crash, Store, at, crashing, roll_back
from .items import Item, assistant, turns, user


def reopened(store: Store, tmp_path: Path) -> InspectableSession:
    """The session as a new process finds it."""
    store.before_pop = store.before_add = lambda number: None
    return inspect(store, ledger=FileCopies(tmp_path / "desk.db"))


async def crashed(store: Store, tmp_path: Path, keep: int = 4) -> None:
    """An edit that dies where the store's hooks say."""
    seen = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    with pytest.raises(Crash):
        await roll_back(seen, keep)


def popping(store: Store) -> Callable[[], None]:
    """The pop is made, and the process dies before it is told so."""

    def pop() -> None:
        store.items.pop()
        crashing()

    return pop


@pytest.mark.parametrize("when", [2, 3, 4])
async def test_a_roll_back_cut_off_in_the_middle_is_finished_on_reopening(tmp_path: Path, when: int) -> None:
    store = Store(turns(2))
    store.before_pop = at(when, crashing)
    await crashed(store, tmp_path)
    assert len(store.items) == 8 - (when - 1)
    seen = reopened(store, tmp_path)
    assert (await seen.timeline()).total == 4
    assert store.items == turns(1)
    assert [change.undone for change in await seen.changes()] == [False]
    await seen.undo()
    assert store.items == turns(2)


async def test_a_roll_back_cut_off_before_the_first_pop_never_was(tmp_path: Path) -> None:
    store = Store(turns(2))
    store.before_pop = at(1, crashing)
    await crashed(store, tmp_path)
    seen = reopened(store, tmp_path)
    assert await seen.changes() == []
    assert store.items == turns(2)


async def test_a_roll_back_cut_off_after_the_last_pop_is_done(tmp_path: Path) -> None:
    store = Store(turns(2))
    store.before_pop = at(4, popping(store))
    await crashed(store, tmp_path)
    assert store.items == turns(1)
    seen = reopened(store, tmp_path)
    assert [change.undone for change in await seen.changes()] == [False]
    await seen.undo()
    assert store.items == turns(2)


@pytest.mark.parametrize("when", [2, 4])
async def test_what_was_said_after_the_crash_is_kept_behind_what_goes_back(tmp_path: Path, when: int) -> None:
    store = Store(turns(2))
    store.before_pop = at(when, crashing)
    await crashed(store, tmp_path)
    store.items += [user("later"), assistant("later")]
    seen = reopened(store, tmp_path)
    assert await seen.get_items() == [*turns(2), user("later"), assistant("later")]
    assert await seen.changes() == []


async def test_what_was_said_after_a_roll_back_that_was_complete_stays_where_it_is(tmp_path: Path) -> None:
    store = Store(turns(2))
    store.before_pop = at(4, popping(store))
    await crashed(store, tmp_path)
    store.items.append(user("later"))
    seen = reopened(store, tmp_path)
    assert await seen.get_items() == [*turns(1), user("later")]
    assert [change.undone for change in await seen.changes()] == [False]


async def test_a_crash_while_a_crash_is_mended_is_mended_too(tmp_path: Path) -> None:
    """Every pop and append of the mending dies once."""
    store = Store(turns(2))
    store.before_pop = at(3, crashing)
    await crashed(store, tmp_path)
    store.items += [user("later"), assistant("later")]
    for number in range(1, 6):
        seen = reopened(store, tmp_path)
        store.pops = store.adds = 0
        store.before_pop, store.before_add = at(number, crashing), at(1, crashing)
        with pytest.raises(Crash):
            await seen.get_items()
    assert await reopened(store, tmp_path).get_items() == [*turns(2), user("later"), assistant("later")]


async def test_an_undo_cut_off_before_its_append_is_still_to_do(tmp_path: Path) -> None:
    store = Store(turns(2))
    seen = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    await roll_back(seen, 4)
    store.before_add = at(1, crashing)
    with pytest.raises(Crash):
        await seen.undo()
    seen = reopened(store, tmp_path)
    assert [change.undone for change in await seen.changes()] == [False]
    assert store.items == turns(1)
    await seen.undo()
    assert store.items == turns(2)


@pytest.mark.parametrize("stored", [1, 3, 4])
async def test_an_undo_cut_off_in_or_after_its_append_is_finished(tmp_path: Path, stored: int) -> None:
    """A store that appends one by one may have got only so far."""
    store = Store(turns(2))
    seen = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    await roll_back(seen, 4)

    def some() -> None:
        store.items += turns(2)[4 : 4 + stored]
        crashing()

    store.before_add = at(1, some)
    with pytest.raises(Crash):
        await seen.undo()
    seen = reopened(store, tmp_path)
    assert [change.undone for change in await seen.changes()] == [True]
    assert store.items == turns(2)
    await seen.redo()
    assert store.items == turns(1)


async def test_a_session_another_program_cleared_after_the_crash_is_left_alone(tmp_path: Path) -> None:
    store = Store(turns(2))
    store.before_pop = at(3, crashing)
    await crashed(store, tmp_path)
    store.items = [user("new life")]
    seen = reopened(store, tmp_path)
    assert await seen.get_items() == [user("new life")]
    assert [change.void for change in await seen.changes()] == [True]
    with pytest.raises(NothingToDo, match="leftover"):
        await seen.undo()
    assert await seen.purge() == 4
    assert store.items == [user("new life")]


async def test_an_edit_under_way_in_another_object_is_not_taken_for_a_crash(tmp_path: Path) -> None:
    store = Store(turns(2))
    seen = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    plan = await seen.plan(RollBack(to=(await seen.timeline()).entries[3].id))
    half_way, go_on = asyncio.Event(), asyncio.Event()

    async def slow_pop() -> Item | None:
        half_way.set()
        await go_on.wait()
        return await Store.pop_item(store)

    store.pop_item = slow_pop  # type: ignore[method-assign]
    task = asyncio.create_task(seen.apply(plan))
    await half_way.wait()
    another = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    assert (await another.timeline()).total == 8
    go_on.set()
    await task
    assert store.items == turns(1)
