"""The lease: one live run per session, with time passed in."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory import (
    Clear,
    Lease,
    LeaseLost,
    MemoryDeskError,
    NothingToDo,
    SessionBusy,
    SQLiteSession,
    TableSession,
    Truncate,
)

from .clock import Clock
from .items import assistant, call, turn, turns, user
from .stores import Open, rows

NOON = 1_767_268_800.0  # 2026-01-01 12:00 UTC, in seconds


@pytest.fixture
def clock() -> Clock:
    return Clock(NOON)


@pytest.fixture(params=["memory", "file"])
def session(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> SQLiteSession:
    path = ":memory:" if request.param == "memory" else tmp_path / "a.db"
    return SQLiteSession("ticket_456", path, clock=clock)


async def test_a_lease_says_whose_it_is_and_until_when(session: SQLiteSession) -> None:
    lease = await session.acquire("run 1", 30)
    assert lease == Lease("ticket_456", "run 1", 1, datetime.fromtimestamp(NOON + 30, UTC))
    assert await session.holder() == lease


async def test_nobody_holds_a_session_before_the_first_lease(session: SQLiteSession) -> None:
    assert await session.holder() is None


async def test_a_second_run_is_refused_while_the_first_lives(session: SQLiteSession) -> None:
    await session.acquire("run 1", 30)
    for owner in ("run 2", "run 1"):
        with pytest.raises(SessionBusy):
            await session.acquire(owner, 30)


async def test_of_many_that_ask_at_once_one_gets_the_lease(own_store: Open) -> None:
    asked = (own_store("x").acquire(f"run {number}", 30) for number in range(8))
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(result, Lease) for result in results) == 1
    assert sum(isinstance(result, SessionBusy) for result in results) == 7


async def test_a_lease_of_one_session_leaves_the_others_free(own_store: Open) -> None:
    await own_store("a").acquire("run 1", 30)
    await own_store("b").acquire("run 1", 30)
    assert await own_store("c").holder() is None


async def test_a_lease_that_was_given_back_is_free_for_the_next_with_a_higher_number(
    session: SQLiteSession,
) -> None:
    first = await session.acquire("run 1", 30)
    await session.release(first)
    assert await session.holder() is None
    second = await session.acquire("run 2", 30)
    assert second.number > first.number


async def test_an_abandoned_lease_runs_out(session: SQLiteSession, clock: Clock) -> None:
    await session.acquire("run 1", 30)
    clock.now += 29
    with pytest.raises(SessionBusy):
        await session.acquire("run 2", 30)
    clock.now += 1
    assert await session.holder() is None
    assert (await session.acquire("run 2", 30)).owner == "run 2"


async def test_a_lease_that_is_renewed_lives_on(session: SQLiteSession, clock: Clock) -> None:
    lease = await session.acquire("run 1", 30)
    clock.now += 20
    renewed = await session.renew(lease, 30)
    assert (renewed.number, renewed.expires_at) == (lease.number, datetime.fromtimestamp(NOON + 50, UTC))
    clock.now += 20
    with pytest.raises(SessionBusy):
        await session.acquire("run 2", 30)


async def test_a_run_that_was_slow_to_renew_goes_on_if_nobody_came(
    session: SQLiteSession, clock: Clock
) -> None:
    lease = await session.acquire("run 1", 30)
    clock.now += 100
    await session.append([user()], lease=lease)
    await session.renew(lease, 30)
    assert await session.holder() is not None


async def test_a_run_that_lost_its_lease_stores_nothing_and_is_told(
    session: SQLiteSession, clock: Clock
) -> None:
    lost = await session.acquire("run 1", 30)
    clock.now += 31
    await session.acquire("run 2", 30)
    with pytest.raises(LeaseLost):
        await session.append([user()], lease=lost)
    with pytest.raises(LeaseLost):
        await session.renew(lost, 30)
    with pytest.raises(LeaseLost):
        await session.note("stopped", lease=lost)
    with pytest.raises(LeaseLost):
        await session.pause("{}", [], lease=lost)
    assert await session.get_items() == []


async def test_giving_back_a_lease_that_was_lost_takes_nothing_from_the_new_holder(
    session: SQLiteSession, clock: Clock
) -> None:
    lost = await session.acquire("run 1", 30)
    clock.now += 31
    held = await session.acquire("run 2", 30)
    await session.release(lost)
    assert await session.holder() == held


async def test_a_lease_given_back_is_good_for_nothing_more(session: SQLiteSession) -> None:
    lease = await session.acquire("run 1", 30)
    await session.release(lease)
    with pytest.raises(LeaseLost):
        await session.append([user()], lease=lease)


async def test_the_same_owner_later_is_another_lease(session: SQLiteSession) -> None:
    first = await session.acquire("run 1", 30)
    await session.release(first)
    await session.acquire("run 1", 30)
    with pytest.raises(LeaseLost):
        await session.append([user()], lease=first)


async def test_a_lease_survives_the_object_that_took_it(tmp_path: Path, clock: Clock) -> None:
    first = SQLiteSession("x", tmp_path / "a.db", clock=clock)
    lease = await first.acquire("run 1", 30)
    first.database.close()
    later = SQLiteSession("x", tmp_path / "a.db", clock=clock)
    assert await later.holder() == lease
    await later.append([user()], lease=lease)


async def test_a_lease_of_a_session_that_is_gone_is_lost(session: SQLiteSession) -> None:
    lease = Lease("ticket_456", "run 1", 1, datetime.now(UTC))
    with pytest.raises(LeaseLost):
        await session.renew(lease, 30)
    with pytest.raises(LeaseLost):
        await session.append([user()], lease=lease)
    await session.release(lease)
    assert await session.get_items() == []


# What a lease keeps away


async def busy(session: TableSession) -> Lease:
    """Two turns, one edit to undo, and a run that holds the session."""
    await session.add_items(turns(3))
    await session.apply(await session.plan(Truncate(keep_turns=2)))
    return await session.acquire("a run", 60)


@pytest.mark.parametrize("what", ["apply", "undo", "pop", "clear", "purge", "supersede", "close lone calls"])
async def test_whatever_takes_items_away_waits_for_the_run(own: TableSession, what: str) -> None:
    await busy(own)
    plan = await own.plan(Clear())
    before, changes = await rows(own), await own.changes()
    attempts = {
        "apply": lambda: own.apply(plan),
        "undo": own.undo,
        "pop": own.pop_item,
        "clear": own.clear_session,
        "purge": own.purge,
        "supersede": own.supersede,
        "close lone calls": lambda: own.close_lone_calls("closed"),
    }
    with pytest.raises(SessionBusy, match=r"^A run is working on this session; edits wait until it ends\.$"):
        await attempts[what]()
    assert await rows(own) == before
    assert await own.changes() == changes


async def test_a_redo_waits_for_the_run(own: TableSession) -> None:
    lease = await busy(own)
    await own.undo(lease=lease)
    with pytest.raises(SessionBusy):
        await own.redo()
    await own.redo(lease=lease)
    assert await own.get_items() == turns(3)[4:]


async def test_the_run_itself_may_edit(own: TableSession) -> None:
    lease = await busy(own)
    await own.apply(await own.plan(Truncate(keep_turns=1)), lease=lease)
    await own.undo(lease=lease)
    assert await own.pop_item(lease=lease) == turns(3)[-1]
    await own.clear_session(lease=lease)
    assert await own.get_items() == []
    await own.append([user()], lease=lease)


async def test_edits_go_on_when_the_run_has_ended(own: TableSession) -> None:
    lease = await busy(own)
    plan = await own.plan(Clear())
    await own.release(lease)
    await own.apply(plan)
    assert await own.get_items() == []


async def test_edits_go_on_when_the_run_was_abandoned(session: SQLiteSession, clock: Clock) -> None:
    await busy(session)
    clock.now += 61
    await session.undo()
    assert await session.get_items() == turns(3)


async def test_an_append_without_a_lease_passes(own: TableSession) -> None:
    """A program that uses the class in place of the SDK's knows nothing of leases."""
    await busy(own)
    await own.add_items([user("from elsewhere")])
    await own.append([assistant("and on")], agent="Triage")
    assert len(await own.get_items()) == 10


async def test_looking_and_branching_never_wait(own: TableSession) -> None:
    await busy(own)
    assert (await own.timeline()).total == 8
    assert len(await own.recent(1)) == 4
    assert len(await own.changes()) == 1
    await own.plan(Clear())
    other = await own.branch("b")
    assert len(await other.get_items()) == 8


async def test_a_run_that_lost_its_lease_may_not_edit(session: SQLiteSession, clock: Clock) -> None:
    lost = await busy(session)
    clock.now += 61
    await session.acquire("run 2", 60)
    with pytest.raises(LeaseLost):
        await session.undo(lease=lost)
    with pytest.raises(LeaseLost):
        await session.pop_item(lease=lost)


# What a run left behind


async def test_calls_a_crash_left_without_result_are_closed_with_one(own: TableSession) -> None:
    await own.add_items([user(), call("a"), call("b")])
    assert await own.close_lone_calls("The server stopped.") == 2
    items = await own.get_items()
    assert [(item["call_id"], item["output"]) for item in items[3:]] == [
        ("a", "The server stopped."),
        ("b", "The server stopped."),
    ]
    assert await own.close_lone_calls("The server stopped.") == 0


async def test_a_call_whose_neighbour_was_answered_is_closed_too(own: TableSession) -> None:
    from .items import output
    from .wholeness import complaints

    await own.add_items([user(), call("a"), call("b"), output("b")])
    assert await own.close_lone_calls("The server stopped.") == 1
    assert complaints(await own.get_items()) == []


async def test_a_call_that_waits_for_a_person_is_not_closed(own: TableSession) -> None:
    await own.add_items([user(), call("a"), call("k")])
    await own.pause("{}", [("k", "refund", "{}", "Approval")])
    assert await own.close_lone_calls("The server stopped.") == 1
    assert (await own.get_items())[-1]["call_id"] == "a"
    assert await own.waiting() is not None


async def test_a_lone_call_of_an_older_turn_is_left_as_it_is(own: TableSession) -> None:
    await own.add_items([user(), call("old"), user("hello"), assistant("hi")])
    assert await own.close_lone_calls("The server stopped.") == 0


async def test_there_is_nothing_to_close_in_a_session_that_is_not_there(own: TableSession) -> None:
    assert await own.close_lone_calls("closed") == 0
    with pytest.raises(NothingToDo):
        await own.plan(Clear())


async def test_a_session_that_was_leased_before_its_first_item_has_no_changes_yet(tmp_path: Path) -> None:
    session = SQLiteSession("new", tmp_path / "new.db")
    await session.acquire("a run", 10)
    assert await session.changes() == []


# A clock that is set back


async def test_a_clock_that_is_set_back_a_little_takes_nobody_the_session() -> None:
    clock = Clock()
    session = SQLiteSession("ticket_456", clock=clock)
    await session.add_items(turn(1))
    await session.acquire("a run", 30)
    clock.now -= 20
    with pytest.raises(SessionBusy):
        await session.acquire("another", 30)
    with pytest.raises(SessionBusy):
        await session.pop_item()


async def test_a_clock_that_is_set_back_far_does_not_lock_the_session_until_it_has_caught_up() -> None:
    clock = Clock()
    session = SQLiteSession("ticket_456", clock=clock)
    abandoned = await session.acquire("a run", 30)
    clock.now -= 100_000
    assert await session.holder() is None
    lease = await session.acquire("another", 30)
    assert lease.number == abandoned.number + 1
    with pytest.raises(MemoryDeskError):
        await session.append(turn(1), lease=abandoned)


async def test_a_run_that_renews_after_the_clock_was_set_back_goes_on() -> None:
    clock = Clock()
    session = SQLiteSession("ticket_456", clock=clock)
    lease = await session.acquire("a run", 30)
    clock.now -= 20
    lease = await session.renew(lease, 30)
    clock.now += 29
    with pytest.raises(SessionBusy):
        await session.acquire("another", 30)
    await session.append(turn(1), lease=lease)
