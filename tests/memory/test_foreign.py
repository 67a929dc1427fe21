"""Sessions that are not ours: looked into and rolled back through the SDK's four methods alone."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from agents import SQLiteSession as SdkSession

from memory import (
    Clear,
    EntryNotFound,
    FileCopies,
    ForeignSession,
    HalfDone,
    HistoryChanged,
    InspectableSession,
    Kind,
    NothingToDo,
    NotSupported,
    Remove,
    Repair,
    Replace,
    RollBack,
    SessionBusy,
    SQLiteSession,
    State,
    StoreUnavailable,
    Truncate,
    UndoRefused,
    inspect,
)

from .items import Item, assistant, call, output, pair, reasoning, relay, turn, turns, user
from .stores import ListSession, on_disk
from .wholeness import complaints


class Store(ListSession):
    """Somebody's own session, which a test can disturb.

    `before_pop` and `before_add` are called with the number of the call, from 1, before it does anything.
    """

    def __init__(self, items: list[Any] | None = None, session_id: str = "mine") -> None:
        super().__init__(session_id)
        self.items = list(items or [])
        self.pops = self.adds = 0
        self.before_pop: Callable[[int], None] = lambda number: None
        self.before_add: Callable[[int], None] = lambda number: None

    async def pop_item(self) -> Item | None:
        self.pops += 1
        self.before_pop(self.pops)
        return await super().pop_item()

    async def add_items(self, items: list[Item]) -> None:
        self.adds += 1
        self.before_add(self.adds)
        await super().add_items(items)


class Crash(BaseException):
    """The end of the process, as far as one test goes."""


def at(number: int, happen: Callable[[], Any]) -> Callable[[int], None]:
    """Let something happen at one call."""

    def hook(current: int) -> None:
        if current == number:
            happen()

    return hook


def failing() -> None:
    raise ConnectionError("the store is not there")


def crashing() -> None:
    raise Crash


async def roll_back(seen: InspectableSession, keep: int) -> None:
    """Roll back to the entry at this position; nothing is kept for 0."""
    entries = (await seen.timeline()).entries
    await seen.apply(await seen.plan(RollBack(to=entries[keep - 1].id if keep else None)))


# Looking


async def test_ours_is_given_back_as_it_is() -> None:
    session = SQLiteSession("x")
    assert inspect(session) is session
    foreign = inspect(Store())
    assert inspect(foreign) is foreign


async def test_the_items_of_a_foreign_session_are_entries() -> None:
    seen = inspect(Store(relay()))
    timeline = await seen.timeline()
    assert [entry.item for entry in timeline.entries] == relay()
    assert [entry.turn for entry in timeline.entries] == [1] * 7 + [2] * 4
    assert (timeline.total, timeline.turns) == (11, 2)
    assert {(entry.agent, entry.created_at) for entry in timeline.entries} == {(None, None)}


@pytest.mark.parametrize(
    "odd", [42, None, "text", [1], {"role": "user", "content": object()}, {1, 2}], ids=repr
)
async def test_what_is_no_item_is_shown_and_counted(odd: Any) -> None:
    seen = inspect(Store([user(), odd, assistant()]))
    timeline = await seen.timeline()
    assert [entry.state for entry in timeline.entries] == [State.OK, State.CORRUPT, State.OK]
    assert (timeline.entries[1].kind, timeline.entries[1].item) == (Kind.OTHER, None)
    assert timeline.total == 3
    assert [entry.item for entry in await seen.recent(1)] == [user(), assistant()]
    assert await seen.revision() == timeline.revision


async def test_looking_writes_nothing(tmp_path: Path) -> None:
    store = Store(relay())
    seen = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    timeline = await seen.timeline()
    await seen.plan(RollBack(to=timeline.entries[2].id))
    await seen.changes()
    await seen.notes(timeline)
    assert (store.pops, store.adds) == (0, 0)
    assert on_disk(tmp_path) == {}


async def test_there_is_no_lease_and_no_decision_to_hold() -> None:
    seen = inspect(Store(turns(1)))
    assert await seen.holder() is None
    assert await seen.waiting() is None
    for attempt in (
        lambda: seen.acquire("run", 30),
        lambda: seen.pause("{}", []),
        lambda: seen.decide(1, {}),
        lambda: seen.branch("b"),
    ):
        with pytest.raises(NotSupported):
            await attempt()


# Rolling back


@pytest.fixture(params=["list", "sdk", "ours"])
def other(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """A session of each make, wrapped as if it were foreign to us."""
    if request.param == "list":
        yield Store()
    elif request.param == "sdk":
        sdk = SdkSession("x", tmp_path / "sdk.db")
        yield sdk
        sdk.close()
    else:
        yield SQLiteSession("x", tmp_path / "ours.db")


@pytest.fixture
def seen(other: Any) -> ForeignSession:
    from memory import CopiesInMemory

    return ForeignSession(other, CopiesInMemory())


@pytest.mark.parametrize("keep", range(11))
async def test_a_roll_back_leaves_whole_pairs_and_undo_brings_all_back(
    seen: ForeignSession, other: Any, keep: int
) -> None:
    await other.add_items(relay())
    await roll_back(seen, keep)
    left = await other.get_items()
    assert left == relay()[: len(left)]
    assert len(left) <= keep
    assert complaints(left) == []
    await seen.undo()
    assert await other.get_items() == relay()
    await seen.redo()
    assert await other.get_items() == left


async def test_a_plan_tells_what_goes_and_what_is_taken_along() -> None:
    history = [user(), call("far"), user("hello"), assistant(), output("far"), assistant("end")]
    seen = inspect(Store(history))
    entries = (await seen.timeline()).entries
    plan = await seen.plan(RollBack(to=entries[3].id))
    assert (plan.removed, plan.kept) == (5, 1)
    assert [(t.entry.item, t.because) for t in plan.taken] == [
        (call("far"), "output"),
        (user("hello"), "between"),
        (assistant(), "between"),
    ]
    assert (plan.first_turn, plan.last_turn) == (1, 2)
    assert plan.takes("far")


async def test_reasoning_goes_with_what_followed_it() -> None:
    store = Store([user(), reasoning(), call("a"), call("b"), output("a"), output("b")])
    seen = inspect(store)
    entries = (await seen.timeline()).entries
    plan = await seen.plan(RollBack(to=entries[2].id))
    assert [t.because for t in plan.taken] == ["follower", "output"]
    await seen.apply(plan)
    assert store.items == [user()]


async def test_clearing_is_undone_and_made_again(seen: ForeignSession, other: Any) -> None:
    await other.add_items(turns(2))
    change = await seen.apply(await seen.plan(Clear()))
    assert (change.kind, change.removed) == ("clear", 8)
    assert await other.get_items() == []
    assert (await seen.undo()).undone
    assert await other.get_items() == turns(2)
    assert not (await seen.redo()).undone
    assert await other.get_items() == []


async def test_edits_are_undone_newest_first(seen: ForeignSession, other: Any) -> None:
    await other.add_items(turns(3))
    await roll_back(seen, 8)
    await roll_back(seen, 4)
    assert [change.removed for change in await seen.changes()] == [4, 4]
    await seen.undo()
    assert await other.get_items() == turns(2)
    await seen.undo()
    assert await other.get_items() == turns(3)
    with pytest.raises(NothingToDo):
        await seen.undo()
    await seen.redo()
    await seen.redo()
    assert await other.get_items() == turns(1)
    with pytest.raises(NothingToDo):
        await seen.redo()


async def test_a_new_edit_ends_the_chance_to_redo() -> None:
    store = Store(turns(3))
    seen = inspect(store)
    await roll_back(seen, 8)
    await seen.undo()
    await roll_back(seen, 4)
    with pytest.raises(NothingToDo):
        await seen.redo()
    await seen.undo()
    assert store.items == turns(3)


@pytest.mark.parametrize(
    "edit",
    [
        lambda id_: Truncate(keep_turns=1),
        lambda id_: Remove((id_,)),
        lambda id_: Replace(id_, user("x")),
        lambda id_: Repair(id_, "remove"),
    ],
)
async def test_what_would_need_more_than_the_end_is_refused(edit: Any) -> None:
    store = Store(turns(2))
    seen = inspect(store)
    entries = (await seen.timeline()).entries
    with pytest.raises(NotSupported, match="rolled back or cleared"):
        await seen.plan(edit(entries[0].id))


async def test_there_is_nothing_to_do_where_nothing_would_go() -> None:
    seen = inspect(Store())
    with pytest.raises(NothingToDo):
        await seen.plan(Clear())
    seen = inspect(Store(turns(1)))
    entries = (await seen.timeline()).entries
    with pytest.raises(NothingToDo):
        await seen.plan(RollBack(to=entries[-1].id))
    with pytest.raises(EntryNotFound):
        await seen.plan(RollBack(to="9.00000000"))


async def test_items_that_are_none_and_numbers_that_are_none_come_back_too() -> None:
    odd = {"type": "custom", "value": float("nan")}
    store = Store([user(), odd, 42, assistant()])
    seen = inspect(store)
    await roll_back(seen, 1)
    assert store.items == [user()]
    await seen.undo()
    assert repr(store.items) == repr([user(), odd, 42, assistant()])


async def test_what_was_kept_does_not_change_with_the_callers_objects() -> None:
    store = Store(turns(1))
    seen = inspect(store)
    answer = store.items[-1]
    await roll_back(seen, 3)
    answer["content"][0]["text"] = "changed by the caller"
    await seen.undo()
    assert store.items == turns(1)


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


# What outlives the process


async def test_without_a_ledger_a_session_says_that_its_way_back_ends_with_the_process() -> None:
    seen = inspect(Store())
    assert isinstance(seen, ForeignSession)
    assert not seen.durable


async def test_with_a_file_what_an_edit_took_outlives_the_object(tmp_path: Path) -> None:
    store = Store([*turns(2), user("half \ud83d, 半 and \x00"), {"type": "custom", "value": 2**70}])
    before = list(store.items)
    first = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    assert isinstance(first, ForeignSession)
    assert first.durable
    await roll_back(first, 4)
    await roll_back(first, 0)
    later = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    assert [(change.kind, change.removed) for change in await later.changes()] == [
        ("roll_back", 6),
        ("roll_back", 4),
    ]
    await later.undo()
    await later.undo()
    assert store.items == before
    await later.redo()
    assert store.items == turns(1)


async def test_copies_of_different_sessions_and_stores_are_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "desk.db"
    first = inspect(Store(turns(1), "a"), ledger=FileCopies(path))
    second = inspect(Store(turns(1), "b"), ledger=FileCopies(path))
    third = inspect(Store(turns(1), "a"), ledger=FileCopies(path, store="redis"))
    await roll_back(first, 0)
    for untouched in (second, third):
        assert await untouched.changes() == []
        await roll_back(untouched, 0)
        assert len(await untouched.changes()) == 1
    assert len(await first.changes()) == 1


async def test_what_cannot_be_kept_is_not_taken(tmp_path: Path) -> None:
    store = Store([user(), {"role": "user", "content": object()}])
    seen = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    with pytest.raises(NotSupported, match="not JSON"):
        await roll_back(seen, 0)
    assert (len(store.items), store.pops) == (2, 0)


async def test_a_ledger_that_cannot_be_written_takes_nothing(tmp_path: Path) -> None:
    (tmp_path / "desk.db").mkdir()
    store = Store(turns(1))
    seen = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    entries = (await inspect(store).timeline()).entries
    plan = await inspect(store).plan(RollBack(to=entries[0].id))
    with pytest.raises(StoreUnavailable):
        await seen.apply(plan)
    assert (store.items, store.pops) == (turns(1), 0)


async def test_purged_copies_are_in_no_file(tmp_path: Path) -> None:
    marker = "xyzzy-marker"
    seen = inspect(Store([user(), user(marker)]), ledger=FileCopies(tmp_path / "desk.db"))
    await roll_back(seen, 1)
    assert any(marker.encode() in content for content in on_disk(tmp_path).values())
    assert await seen.purge() == 1
    assert not any(marker.encode() in content for content in on_disk(tmp_path).values())
    with pytest.raises(NothingToDo):
        await seen.undo()


async def test_clearing_for_good_forgets_the_copies(tmp_path: Path) -> None:
    seen = inspect(Store(turns(2)), ledger=FileCopies(tmp_path / "desk.db"))
    await roll_back(seen, 4)
    await seen.clear_session()
    assert await seen.changes() == []


async def test_a_codec_seals_what_is_kept(tmp_path: Path) -> None:
    from memory import PlainCodec

    class Sealed(PlainCodec):
        def seal(self, text: str) -> str:
            return text.encode().hex()

        def unseal(self, text: str) -> str:
            return bytes.fromhex(text).decode()

    marker = "xyzzy-marker"
    store = Store([user(), user(marker)])
    seen = inspect(store, ledger=FileCopies(tmp_path / "desk.db", codec=Sealed()))
    await roll_back(seen, 1)
    assert not any(marker.encode() in content for content in on_disk(tmp_path).values())
    await seen.undo()
    assert store.items == [user(), user(marker)]


async def test_another_process_that_edits_is_waited_for_with_a_word(tmp_path: Path) -> None:
    store = Store(turns(2))
    seen = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    plan = await seen.plan(Clear())
    holder = sqlite3.connect(tmp_path / "desk.db-editing", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(SessionBusy, match="under way"):
        await seen.apply(plan)
    assert store.items == turns(2)
    assert (await seen.timeline()).total == 8
    holder.close()
    await seen.apply(plan)
    assert store.items == []


# Cut off by a crash, and opened again


def reopened(store: Store, tmp_path: Path) -> InspectableSession:
    """The session as a new process finds it."""
    store.before_pop = store.before_add = lambda number: None
    return inspect(store, ledger=FileCopies(tmp_path / "desk.db"))


async def crashed(store: Store, tmp_path: Path, keep: int = 4) -> None:
    """An edit that dies where the store's hooks say."""
    seen = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    with pytest.raises(Crash):
        await roll_back(seen, keep)


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

    def last_pop() -> None:
        store.items.pop()
        crashing()

    store.before_pop = at(4, last_pop)
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

    def last_pop() -> None:
        store.items.pop()
        crashing()

    store.before_pop = at(4, last_pop)
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


async def test_append_to_a_foreign_session_gives_the_new_entries_ids() -> None:
    seen = inspect(Store(turn(1)))
    ids = await seen.append(pair("k"), agent="Triage", note=("stopped", {}))
    timeline = await seen.timeline()
    assert ids == [entry.id for entry in timeline.entries[-2:]]
    assert await seen.append([]) == []
    assert await seen.notes(timeline) == []
