"""Sessions that are not ours: looked into and rolled back through the SDK's four methods alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agents import SQLiteSession as SdkSession

from memory import (
    Clear,
    EntryNotFound,
    FileCopies,
    ForeignSession,
    Kind,
    NothingToDo,
    NotSupported,
    Remove,
    Repair,
    Replace,
    RollBack,
    SQLiteSession,
    State,
    Truncate,
    inspect,
)

from .foreign_store import Store, roll_back
from .items import assistant, call, output, pair, reasoning, relay, turn, turns, user
from .stores import on_disk
from .wholeness import complaints

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


async def test_append_to_a_foreign_session_gives_the_new_entries_ids() -> None:
    seen = inspect(Store(turn(1)))
    ids = await seen.append(pair("k"), agent="Triage", note=("stopped", {}))
    timeline = await seen.timeline()
    assert ids == [entry.id for entry in timeline.entries[-2:]]
    assert await seen.append([]) == []
    assert await seen.notes(timeline) == []
