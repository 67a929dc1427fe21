"""What gets in the way of an edit of a foreign session: others who write, and a store that fails."""

from __future__ import annotations

import asyncio

import pytest

from memory import Clear, HalfDone, HistoryChanged, NothingToDo, RollBack, SessionBusy, UndoRefused, inspect

from .foreign_store import Store, at, failing, roll_back
from .items import Item, turns, user

# A history that moved


async def test_a_stale_plan_takes_nothing() -> None:
    store = Store(turns(2))
    seen = inspect(store)
    plan = await seen.plan(RollBack(to=(await seen.timeline()).entries[3].id))
    for change in (
        lambda: store.items.append(user("later")),
        store.items.pop,
        store.items.pop,
        store.items.clear,
    ):
        change()
        before, pops = list(store.items), store.pops
        if before == turns(2):
            continue
        with pytest.raises(HistoryChanged):
            await seen.apply(plan)
        assert (store.items, store.pops) == (before, pops)
    assert await seen.changes() == []


async def test_a_plan_of_another_session_takes_nothing() -> None:
    first, second = Store(turns(2), "first"), Store(turns(2), "second")
    plan = await inspect(first).plan(Clear())
    with pytest.raises(HistoryChanged):
        await inspect(second).apply(plan)
    assert second.items == turns(2)


@pytest.mark.parametrize("when", [1, 2, 4])
async def test_a_stranger_in_the_middle_of_an_edit_ends_it_and_all_goes_back_in_one_append(when: int) -> None:
    store = Store(turns(2))
    seen = inspect(store)
    plan = await seen.plan(RollBack(to=(await seen.timeline()).entries[3].id))
    store.before_pop = at(when, lambda: store.items.append(user("stranger")))
    with pytest.raises(HistoryChanged):
        await seen.apply(plan)
    assert store.items == [*turns(2), user("stranger")]
    assert (store.pops, store.adds) == (when, 1)
    assert await seen.changes() == []
    with pytest.raises(NothingToDo):
        await seen.undo()


async def test_an_item_another_program_popped_in_the_middle_ends_the_edit() -> None:
    store = Store(turns(2))
    seen = inspect(store)
    plan = await seen.plan(RollBack(to=(await seen.timeline()).entries[3].id))
    store.before_pop = at(3, store.items.pop)
    with pytest.raises(HistoryChanged):
        await seen.apply(plan)
    missing = turns(2)[5]
    assert [item for item in turns(2) if item not in store.items] == [missing]


async def test_an_undo_is_refused_after_something_was_appended_and_what_it_took_is_kept() -> None:
    store = Store(turns(2))
    seen = inspect(store)
    await roll_back(seen, 4)
    await store.add_items([user("later")])
    with pytest.raises(UndoRefused, match="is kept, but not put back"):
        await seen.undo()
    assert store.items == [*turns(1), user("later")]
    store.items.pop()
    await seen.undo()
    assert store.items == turns(2)


async def test_an_undo_is_refused_after_another_program_cleared_the_session() -> None:
    store = Store(turns(2))
    seen = inspect(store)
    await roll_back(seen, 4)
    store.items = [user("new life")]
    with pytest.raises(UndoRefused):
        await seen.undo()
    assert store.items == [user("new life")]


async def test_a_redo_is_refused_after_something_changed() -> None:
    store = Store(turns(2))
    seen = inspect(store)
    await roll_back(seen, 4)
    await seen.undo()
    await store.add_items([user("later")])
    with pytest.raises(HistoryChanged):
        await seen.redo()
    assert store.items == [*turns(2), user("later")]


async def test_a_repeated_item_does_not_hide_a_change() -> None:
    store = Store([user("again")] * 4)
    seen = inspect(store)
    plan = await seen.plan(RollBack(to=(await seen.timeline()).entries[1].id))
    store.items.append(user("again"))
    with pytest.raises(HistoryChanged):
        await seen.apply(plan)
    assert len(store.items) == 5


# A store that fails


@pytest.mark.parametrize("when", [1, 2, 4])
async def test_a_pop_that_fails_puts_everything_back(when: int) -> None:
    store = Store(turns(2))
    seen = inspect(store)
    plan = await seen.plan(RollBack(to=(await seen.timeline()).entries[3].id))
    store.before_pop = at(when, failing)
    with pytest.raises(ConnectionError):
        await seen.apply(plan)
    assert store.items == turns(2)
    assert await seen.changes() == []


async def test_a_pop_that_took_the_item_and_failed_all_the_same_loses_nothing() -> None:
    store = Store(turns(2))
    seen = inspect(store)
    plan = await seen.plan(RollBack(to=(await seen.timeline()).entries[3].id))

    def lose_the_answer() -> None:
        store.items.pop()
        failing()

    store.before_pop = at(2, lose_the_answer)
    with pytest.raises(ConnectionError):
        await seen.apply(plan)
    assert store.items == turns(2)


async def test_a_putting_back_that_fails_is_half_done_and_stays_in_the_ledger() -> None:
    store = Store(turns(2))
    seen = inspect(store)
    plan = await seen.plan(RollBack(to=(await seen.timeline()).entries[3].id))
    store.before_pop = at(3, lambda: store.items.append(user("stranger")))
    store.before_add = lambda number: failing()
    with pytest.raises(HalfDone, match="its copies are kept"):
        await seen.apply(plan)
    assert store.items == turns(2)[:6]
    assert [change.removed for change in await seen.changes()] == [4]


async def test_what_is_half_done_is_made_whole_once_the_store_is_well_again() -> None:
    store = Store(turns(2))
    seen = inspect(store)
    plan = await seen.plan(RollBack(to=(await seen.timeline()).entries[3].id))
    store.before_pop = at(3, lambda: store.items.append(user("stranger")))
    store.before_add = lambda number: failing()
    with pytest.raises(HalfDone):
        await seen.apply(plan)
    with pytest.raises(HalfDone):
        await seen.undo()
    store.before_add = lambda number: None
    assert (await seen.timeline()).total == 9
    assert store.items == [*turns(2), user("stranger")]
    assert await seen.changes() == []


async def test_what_was_said_meanwhile_stands_behind_what_goes_back() -> None:
    store = Store(turns(2))
    seen = inspect(store)
    plan = await seen.plan(RollBack(to=(await seen.timeline()).entries[3].id))
    store.before_pop = at(3, lambda: store.items.append(user("stranger")))
    store.before_add = lambda number: failing()
    with pytest.raises(HalfDone):
        await seen.apply(plan)
    store.before_add = lambda number: None
    store.items.append(user("said meanwhile"))
    assert await seen.get_items() == [*turns(2), user("stranger"), user("said meanwhile")]


async def test_an_undo_that_fails_changes_nothing_and_can_be_repeated() -> None:
    store = Store(turns(2))
    seen = inspect(store)
    await roll_back(seen, 4)
    store.before_add = at(1, failing)
    with pytest.raises(ConnectionError):
        await seen.undo()
    assert store.items == turns(1)
    await seen.undo()
    assert store.items == turns(2)


async def test_an_undo_whose_append_was_stored_and_failed_all_the_same_is_done() -> None:
    store = Store(turns(2))
    seen = inspect(store)
    await roll_back(seen, 4)

    def store_and_fail() -> None:
        store.items += turns(2)[4:]
        failing()

    store.before_add = at(1, store_and_fail)
    with pytest.raises(ConnectionError):
        await seen.undo()
    assert store.items == turns(2)
    assert [change.undone for change in await seen.changes()] == [True]
    await seen.redo()
    assert store.items == turns(1)


# One at a time


async def test_of_two_edits_at_once_one_is_refused() -> None:
    store = Store(turns(3))
    seen = inspect(store)
    plan = await seen.plan(RollBack(to=(await seen.timeline()).entries[7].id))

    async def slow_pop() -> Item | None:
        await asyncio.sleep(0)
        return await Store.pop_item(store)

    store.pop_item = slow_pop  # type: ignore[method-assign]
    results = await asyncio.gather(*(seen.apply(plan) for _ in range(3)), return_exceptions=True)
    assert sum(isinstance(result, SessionBusy | HistoryChanged) for result in results) == 2
    assert store.items == turns(2)


async def test_a_caller_that_is_cancelled_leaves_a_whole_edit() -> None:
    store = Store(turns(2))
    seen = inspect(store)
    plan = await seen.plan(RollBack(to=(await seen.timeline()).entries[3].id))
    half_way = asyncio.Event()

    async def slow_pop() -> Item | None:
        half_way.set()
        await asyncio.sleep(0)
        return await Store.pop_item(store)

    store.pop_item = slow_pop  # type: ignore[method-assign]
    task = asyncio.create_task(seen.apply(plan))
    await half_way.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert store.items == turns(1)
    await seen.undo()
    assert store.items == turns(2)
