"""Copying to another store: everything a model could be sent, in order, and a receipt that tells the rest."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine

from memory import (
    Clear,
    EncryptedSession,
    Entry,
    HistoryChanged,
    InspectableSession,
    NothingToDo,
    Receipt,
    Remove,
    RollBack,
    SessionBusy,
    SessionNotEmpty,
    SQLAlchemySession,
    SQLiteDatabase,
    SQLiteSession,
    State,
    Tables,
    TableSession,
    copy,
    inspect,
)
from memory.carrying import Batch, Carried
from memory.copying import fits, owner_of
from memory.encrypted_session import EncryptedTableSession
from memory.entries import Timeline
from memory.far_database import FarHome, _Far
from memory.notes import Note
from memory.sql_tables import SqlTables
from memory.sqlalchemy_database import SQLAlchemyDatabase
from memory.sqlite_channel import Channel

from . import histories, servers
from .conftest import opened
from .encrypting import NEW, OLD, OTHER, START, Clock, encrypted
from .histories import lone_halves, parsed
from .items import Item, assistant, call, output, pair, reasoning, relay, turn, turns, user
from .stores import KINDS, ListSession, Open, plant, rows, run_sql
from .wholeness import complaints

COMMON = ("sqlite-file", "encrypted-file")
WAYS = [
    pytest.param((one, other), marks=pytest.mark.long if KINDS[one].long or KINDS[other].long else ())
    for one in KINDS
    for other in KINDS
    if one in COMMON or other in COMMON
]
"""From and to every store; not every pair of the rare ones."""


@pytest.fixture(params=WAYS, ids=lambda way: f"{way[0]} to {way[1]}")
async def ways(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Open, Open]]:
    """Two stores, the first to copy from."""
    source, target = request.param
    for name in ("from", "to"):
        (tmp_path / name).mkdir()
    async for source_store in opened(source, tmp_path / "from"):
        async for target_store in opened(target, tmp_path / "to"):
            yield source_store, target_store


@pytest.fixture
def source_store(ways: tuple[Open, Open]) -> Open:
    return ways[0]


@pytest.fixture
def target_store(ways: tuple[Open, Open]) -> Open:
    return ways[1]


@pytest.fixture
def other() -> SQLiteSession:
    """Another store of ours."""
    return SQLiteSession("ticket_456")


def content(items: list[Item]) -> str:
    """The digest that a receipt gives of these items."""
    lines = [json.dumps(item, sort_keys=True, separators=(",", ":")).encode() for item in items]
    return sha256(b"".join(sha256(line).digest() for line in lines)).hexdigest()


async def entries(session: InspectableSession) -> list[Entry]:
    return list((await session.timeline(limit=10**6)).entries)


async def notes(session: InspectableSession) -> list[tuple[str, dict[str, Any], int | None]]:
    """(kind, detail, position of the entry it stands behind), in order."""
    timeline: Timeline = await session.timeline(limit=10**6)
    place = {entry.id: entry.position for entry in timeline.entries}
    return [
        (note.kind, note.detail, None if note.after is None else place[note.after])
        for note in await session.notes(timeline)
    ]


BEGIN = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=1)


def at(seconds: int) -> datetime:
    """A time within the last hour, so that nothing of it has expired."""
    return BEGIN + timedelta(seconds=seconds)


def by_time(session: TableSession) -> bool:
    """Whether the order of the session's rows is that of their times."""
    return isinstance(session.scope.tables, SqlTables)


# Between any two stores


async def test_every_item_comes_along_in_order_between_any_two_stores(
    source_store: Open, target_store: Open
) -> None:
    source, target = source_store("ticket_456"), target_store("copy")
    stored = [*relay(), *turns(4), user("订单 A100？ 😀"), assistant("half a surrogate: \ud83d")]
    await source.add_items(stored)
    receipt = await copy(source, target, batch=3)
    assert await target.get_items() == stored
    assert await source.get_items() == stored
    assert receipt.before == receipt.after == content(stored)
    assert (receipt.seen, receipt.copied, receipt.left_out) == (len(stored), len(stored), {})
    assert receipt.same
    assert (receipt.later, receipt.already, receipt.unreadable) == (0, 0, 0)


async def test_a_copy_may_be_written_to_and_edited_like_any_session(own: TableSession) -> None:
    await own.add_items(turns(2))
    target = own.sibling("copy")
    await copy(own, target)
    await target.add_items(turn(3))
    await target.apply(await target.plan(RollBack(to=(await entries(target))[3].id)))
    assert await target.get_items() == turns(1)
    await target.undo()
    assert await target.get_items() == turns(3)
    assert await own.get_items() == turns(2)


async def test_times_authors_and_notes_come_along(own: TableSession, other: SQLiteSession) -> None:
    told = [Note(kind, None, at(n), {"why": n}) for n, kind in enumerate(("interrupted", "stopped", "limit"))]
    first, second, third, fourth = [user(), *pair("k"), assistant("a")]
    stored = (
        Carried(first, at(1)),
        Carried(second, at(2), agent="Triage"),
        Carried(third, at(4), agent="Triage", notes=(told[1],)),
        Carried(fourth, at(9), agent="Approval", notes=(told[2],)),
    )
    await own.carry(Batch(stored, None, opening=(told[0],)))
    receipt = await copy(own, other, batch=1)
    found = await entries(other)
    assert [(e.created_at, e.agent) for e in found] == [(one.at, one.agent) for one in stored]
    assert [e.created_at for e in await entries(own)] == [one.at for one in stored]
    assert await notes(other) == [
        ("copied", {"origin": "ticket_456", "n": 4, "left": 0}, None),
        ("interrupted", {"why": 0}, None),
        ("stopped", {"why": 1}, 3),
        ("limit", {"why": 2}, 4),
    ]
    assert (receipt.times_lost, receipt.authors_lost, receipt.notes, receipt.notes_lost) == (0, 0, 3, 0)
    page = await other.timeline()
    assert [note.at for note in await other.notes(page)][1:] == [note.at for note in told]


async def test_a_time_with_parts_of_a_second_comes_along(own: TableSession, other: SQLiteSession) -> None:
    moment = at(1) + timedelta(microseconds=789_012)
    await other.carry(Batch((Carried(user(), moment),), None))
    assert (await copy(other, own)).times_lost == 0
    back = other.sibling("back")
    assert (await copy(own, back)).times_lost == 0
    assert [e.created_at for e in [*await entries(own), *await entries(back)]] == [moment, moment]


async def test_an_item_whose_time_is_not_known_is_given_the_time_of_the_copy(
    own: TableSession, other: SQLiteSession
) -> None:
    await other.add_items(turn(1))
    await run_sql(other, "UPDATE {messages} SET created_at = 'long ago' WHERE id = 4")
    receipt = await copy(other, own)
    *_, last = await entries(own)
    assert last.created_at is not None
    assert last.created_at >= BEGIN
    assert receipt.times_lost == 1
    assert await own.get_items() == turn(1)


@pytest.mark.parametrize("moments", [(5, 5, 5, 5), (9, 3, 3, 1), (1, 9, 5, 9)])
async def test_equal_and_backward_times_change_no_order(
    own: TableSession, other: SQLiteSession, moments: tuple[int, ...]
) -> None:
    await other.carry(Batch(tuple(Carried(user(f"{n}"), at(n)) for n in moments), None))
    receipt = await copy(other, own, batch=2)
    assert await own.get_items() == await other.get_items() == [user(f"{n}") for n in moments]
    kept = [at(max(moments[: n + 1])) for n in range(4)] if by_time(own) else [at(n) for n in moments]
    assert [e.created_at for e in await entries(own)] == kept
    assert receipt.times_lost == sum(time != at(n) for time, n in zip(kept, moments, strict=True))
    await own.add_items([user("and on")])
    assert (await own.get_items())[-1] == user("and on")


@pytest.mark.parametrize("year", [1, 1969, 2039, 9999])
async def test_a_time_that_the_other_store_cannot_hold_costs_no_item(
    own: TableSession, other: SQLiteSession, year: int
) -> None:
    await other.add_items(turn(1))
    await run_sql(other, "UPDATE {messages} SET created_at = :at", at=f"{year:04d}-07-01 12:00:00")
    receipt = await copy(other, own)
    assert (receipt.copied, receipt.ordered, receipt.changed) == (4, True, 0)


async def test_an_hour_that_comes_twice_in_the_zone_of_the_database_changes_no_order() -> None:
    """The clocks of Berlin are set back at 1:00 UTC of that day, from three to two."""
    source = SQLiteSession("ticket_456")
    begin = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    carried = [Carried(user(f"{n}"), begin + timedelta(minutes=20 * n)) for n in range(6)]
    await source.carry(Batch(tuple(carried), None))
    for zone in (
        {"connect_args": {"server_settings": {"timezone": "Europe/Berlin"}}, "url": servers.postgres},
        {"connect_args": {"init_command": "SET time_zone = '+05:30'"}, "url": servers.mariadb},
    ):
        engine = create_async_engine(zone["url"](), connect_args=zone["connect_args"])
        try:
            target = SQLAlchemySession("copy", engine=engine, create_tables=True, **own_tables())
            receipt = await copy(source, target, batch=2)
            assert await target.get_items() == await source.get_items()
            assert (receipt.ordered, receipt.same) == (True, True)
        finally:
            await engine.dispose()


async def test_a_store_with_four_methods_loses_times_authors_and_notes_and_the_receipt_counts_them(
    own: TableSession,
) -> None:
    target = inspect(ListSession("copy"))
    await own.append(turn(1), agent="Triage", note=("stopped", {}))
    receipt = await copy(own, target, batch=2)
    assert (receipt.times_lost, receipt.authors_lost, receipt.notes, receipt.notes_lost) == (4, 3, 0, 1)
    assert receipt.same
    back = own.sibling("back")
    receipt = await copy(target, back)
    assert await back.get_items() == turn(1)
    assert (receipt.times_lost, receipt.authors_lost) == (4, 0)


class Forgetful(ListSession):
    """Keeps no ids, as a service may that hands out its own."""

    async def add_items(self, items: list[Item]) -> None:
        self.items += [{name: value for name, value in item.items() if name != "id"} for item in items]


class Unruly(ListSession):
    """Puts each batch in front of what is there."""

    async def add_items(self, items: list[Item]) -> None:
        self.items[:0] = items


async def test_a_store_that_changes_items_is_found_out(own: TableSession) -> None:
    await own.add_items(turns(2))
    receipt = await copy(own, inspect(Forgetful("copy")), batch=4)
    assert (receipt.changed, receipt.ordered, receipt.same) == (2, True, False)
    assert receipt.before != receipt.after


async def test_a_store_that_changes_their_order_is_found_out(own: TableSession) -> None:
    await own.add_items(turns(2))
    receipt = await copy(own, inspect(Unruly("copy")), batch=4)
    assert (receipt.changed, receipt.ordered, receipt.same) == (0, False, False)


async def test_what_edits_keep_stays_behind_and_is_counted(own: TableSession, other: SQLiteSession) -> None:
    await own.add_items(turns(3))
    await own.apply(await own.plan(RollBack(to=(await entries(own))[7].id)))
    await own.pop_item()
    receipt = await copy(own, other)
    assert (receipt.changes_lost, receipt.kept_lost) == (2, 5)
    assert await other.changes() == []
    assert await other.get_items() == turns(2)[:-1]


async def test_progress_tells_how_many_are_there(own: TableSession, other: SQLiteSession) -> None:
    await own.add_items(turns(5))
    told: list[tuple[int, int]] = []
    await copy(own, other, batch=4, progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 20), (4, 20), (8, 20), (12, 20), (16, 20), (20, 20)]


@pytest.mark.parametrize("size", [0, -1])
async def test_a_batch_has_an_entry(own: TableSession, other: SQLiteSession, size: int) -> None:
    with pytest.raises(ValueError, match="at least one entry"):
        await copy(own, other, batch=size)


# What stays behind


async def test_what_cannot_be_read_stays_behind_and_is_counted_by_its_state(
    own: TableSession, other: SQLiteSession
) -> None:
    await own.add_items(turn(1))
    await plant(own, "{broken", "[]")
    await own.add_items(turn(2))
    receipt = await copy(own, other)
    assert await other.get_items() == turns(2)
    assert receipt.left_out == {"corrupt": 2}
    assert (receipt.seen, receipt.copied) == (10, 8)
    assert receipt.before == receipt.after
    assert not receipt.same


async def test_the_other_half_of_what_is_lost_stays_behind_too(
    own: TableSession, other: SQLiteSession
) -> None:
    await own.add_items([user(), call("k"), reasoning(), assistant()])
    await plant(own, '{"type": "function_call_output", "call_id": "k", "out')
    await own.append([user("again"), output("nobody")], note=("stopped", {}))
    receipt = await copy(own, other)
    assert await other.get_items() == [user(), reasoning(), assistant(), user("again")]
    assert receipt.left_out == {"corrupt": 1, "unpaired": 2}
    assert receipt.before == content(await own.get_items())
    assert receipt.after == content(await other.get_items())
    assert receipt.before != receipt.after
    assert receipt.ordered
    assert (receipt.notes, receipt.notes_lost) == (0, 1)


async def test_the_call_of_a_waiting_decision_does_not_go_along(
    own: TableSession, other: SQLiteSession
) -> None:
    await own.add_items([*turn(1), user("Refund me."), call("k", "refund_order")])
    await own.pause("{}", [("k", "refund_order", "{}", "Approval")])
    receipt = await copy(own, other)
    assert receipt.left_out == {"waiting": 1}
    assert await other.get_items() == [*turn(1), user("Refund me.")]
    assert await other.waiting() is None
    assert await own.waiting() is not None


async def test_what_rests_on_a_waiting_call_stays_behind_with_it(
    own: TableSession, other: SQLiteSession
) -> None:
    await own.add_items([user(), reasoning(), call("k1", "refund_order"), call("k2"), output("k2")])
    await own.pause("{}", [("k1", "refund_order", "{}", "Approval")])
    receipt = await copy(own, other)
    assert await other.get_items() == [user()]
    assert receipt.left_out == {"unpaired": 3, "waiting": 1}


async def test_nothing_to_carry_is_said_and_nothing_is_made(own: TableSession, other: SQLiteSession) -> None:
    with pytest.raises(NothingToDo):
        await copy(own, other)
    await plant(own, "{broken")
    with pytest.raises(NothingToDo):
        await copy(own, other)
    assert await notes(other) == []
    assert await rows(other) == []


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(raws=st.lists(histories.raws, max_size=30), size=st.integers(1, 8), stop=st.integers(0, 12))
def test_any_history_is_copied_in_order_whole_and_without_half_of_anything(
    raws: list[bytes], size: int, stop: int
) -> None:
    async def check() -> None:
        source, target = SQLiteSession("source"), SQLiteSession("target")
        add = "INSERT INTO {messages} (session_id, message_data) VALUES (:session, CAST(:raw AS TEXT))"
        for raw in raws:
            await run_sql(source, add, raw=raw)
        readable = [item for item in map(parsed, raws) if item is not None]
        sent = [entry.item for entry in await source.recent(10**6) if entry.item is not None]
        if not sent:
            with pytest.raises(NothingToDo):
                await copy(source, target, batch=size)
            return
        stopper = Stopper(stop)
        try:
            receipt = await copy(source, target, batch=size, progress=stopper)
        except Interrupted:
            half = await target.get_items()
            assert half == sent[: len(half)]
            assert lone_halves(half) == set()
            receipt = await copy(source, target, batch=size)
            assert receipt.already == len(half)
        copied = await target.get_items()
        assert copied == sent
        assert lone_halves(copied) == set()
        assert receipt.copied == len(sent)
        assert receipt.seen == len(raws) == receipt.copied + sum(receipt.left_out.values())
        assert receipt.left_out.get("corrupt", 0) == len(raws) - len(readable)
        assert receipt.before == content(readable)
        assert receipt.after == content(sent)
        assert receipt.ordered
        source.close()
        target.close()

    asyncio.run(check())


# Never over anything


async def test_a_session_that_holds_anything_is_never_written_over(
    source_store: Open, target_store: Open
) -> None:
    source, target = source_store("ticket_456"), target_store("taken")
    await source.add_items(turns(2))
    for there in ([user("mine")], turns(1), turns(2)):
        await target.clear_session()
        await target.add_items(there)
        with pytest.raises(SessionNotEmpty):
            await copy(source, target)
        assert await target.get_items() == there
        assert await target.holder() is None


async def test_a_session_that_could_bring_something_back_is_not_empty(
    own: TableSession, other: SQLiteSession
) -> None:
    await own.add_items(turn(1))
    await other.add_items([user("mine")])
    await other.apply(await other.plan(Clear()))
    with pytest.raises(SessionNotEmpty):
        await copy(own, other)
    await other.undo()
    assert await other.get_items() == [user("mine")]


async def test_a_session_cannot_be_copied_onto_itself(own: TableSession) -> None:
    await own.add_items(turn(1))
    with pytest.raises(SessionNotEmpty):
        await copy(own, own.sibling(own.session_id))
    assert await own.get_items() == turn(1)


async def test_a_whole_copy_is_not_gone_on_with(own: TableSession, other: SQLiteSession) -> None:
    await own.add_items(turn(1))
    await copy(own, other)
    await own.add_items(turn(2))
    with pytest.raises(SessionNotEmpty):
        await copy(own, other)


async def test_what_an_ended_copy_could_not_give_back_is_taken_over_by_its_owner_alone(
    own: TableSession, other: SQLiteSession
) -> None:
    await own.add_items(turns(3))
    await other.acquire(owner_of("desk 1"), 60)  # its store was away when it ended
    with pytest.raises(SessionBusy) as refused:
        await copy(own, other, owner=owner_of("desk 2"))
    assert refused.value.owner == owner_of("desk 1")
    receipt = await copy(own, other, owner=owner_of("desk 1"))
    assert receipt.copied == len(turns(3))
    assert await other.holder() is None


async def test_a_target_that_a_run_writes_is_refused_and_one_that_is_copied_to_is_held(
    own: TableSession, other: SQLiteSession
) -> None:
    await own.add_items(turns(2))
    lease = await other.acquire("a run", 60)
    with pytest.raises(SessionBusy):
        await copy(own, other)
    await other.release(lease)
    refused: list[bool] = []

    async def somebody() -> None:
        with pytest.raises(SessionBusy):
            await other.acquire("a run", 60)
        refused.append(True)

    tasks: list[asyncio.Task[None]] = []
    await copy(own, other, batch=4, progress=lambda *_: tasks.append(asyncio.create_task(somebody())))
    await asyncio.gather(*tasks[:1])
    assert await other.holder() is None


@pytest.mark.parametrize("moment", [0, 1, 2, 3])
async def test_who_writes_into_the_copy_meanwhile_without_asking_is_noticed(
    own: TableSession, other: SQLiteSession, moment: int
) -> None:
    """Before the first batch, between two, and before the copy is called whole."""
    await other.add_items(turns(3))
    somebody = own.sibling(own.session_id)
    meanwhile(own, moment, lambda: somebody.add_items([user("me too")]))
    with pytest.raises(SessionNotEmpty):
        await copy(other, own, batch=4)
    assert await own.get_items() == [*turns(moment), user("me too")]
    assert "copied" not in [kind for kind, _, _ in await notes(own)]
    with pytest.raises(SessionNotEmpty):
        await copy(other, own)


@pytest.mark.parametrize("moment", [0, 1, 2, 3])
async def test_who_writes_into_a_store_with_four_methods_meanwhile_is_noticed_too(
    other: SQLiteSession, moment: int
) -> None:
    await other.add_items(turns(3))
    theirs = ListSession("copy")
    target = inspect(theirs)
    meanwhile(target, moment, lambda: theirs.add_items([user("me too")]))
    with pytest.raises(SessionNotEmpty):
        await copy(other, target, batch=4)
    assert theirs.items == [*turns(moment), user("me too")]


@pytest.mark.parametrize("moment", [1, 3])
async def test_a_row_that_lands_before_those_of_the_copy_is_noticed(
    own: TableSession, other: SQLiteSession, moment: int
) -> None:
    """As the SDK's rows may, whose time is that at which their transaction began."""
    ahead = datetime.now(UTC) + timedelta(seconds=30)
    await other.carry(Batch(tuple(Carried(item, ahead) for item in turns(3)), None))
    meanwhile(own, moment, lambda: plant(own, '{"role": "user", "content": "me too"}'))
    with pytest.raises(SessionNotEmpty):
        await copy(other, own, batch=4)


async def test_who_is_about_to_begin_the_session_in_a_server_is_waited_for_and_noticed(
    other: SQLiteSession,
) -> None:
    await other.add_items(turns(2))
    engine = create_async_engine(servers.postgres())
    target = SQLAlchemySession("copy", engine=engine, create_tables=True, **own_tables())
    await target.sibling("another").add_items([user()])
    tables = target.scope.tables
    try:
        async with engine.connect() as writer, engine.connect() as watcher:
            pid = await writer.scalar(text("SELECT pg_backend_pid()"))
            await writer.execute(text(f"INSERT INTO {tables.sessions} (session_id) VALUES ('copy')"))
            await writer.execute(
                text(f"INSERT INTO {tables.messages} (session_id, message_data) VALUES ('copy', :raw)"),
                {"raw": json.dumps(user("me too"))},
            )
            task = asyncio.create_task(copy(other, target))
            blocked = text("SELECT count(*) FROM pg_stat_activity WHERE :pid = ANY(pg_blocking_pids(pid))")
            while not task.done() and not await watcher.scalar(blocked, {"pid": pid}):
                await watcher.rollback()
            await writer.commit()
        with pytest.raises(SessionNotEmpty):
            await task
        assert await target.get_items() == [user("me too")]
    finally:
        await engine.dispose()


# The source goes on


async def test_the_copy_holds_what_was_there_when_it_began(own: TableSession, other: SQLiteSession) -> None:
    await own.add_items(turns(3))
    meanwhile(other, 1, lambda: own.add_items(turn(9)))
    receipt = await copy(own, other, batch=4)
    assert await other.get_items() == turns(3)
    assert receipt.later == 4
    assert receipt.before == receipt.after == content(turns(3))


async def test_an_edit_of_the_source_meanwhile_is_noticed(own: TableSession, other: SQLiteSession) -> None:
    await own.add_items(turns(3))

    async def edit() -> None:
        await own.apply(await own.plan(Remove(((await entries(own))[9].id,))))

    meanwhile(other, 1, edit)
    with pytest.raises(HistoryChanged):
        await copy(own, other, batch=4)
    assert await other.get_items() == turns(2)
    assert await other.holder() is None
    receipt = await copy(own, other)
    assert (receipt.already, receipt.same) == (8, True)
    assert await other.get_items() == await own.get_items()


async def test_a_source_that_lost_its_end_meanwhile_is_noticed(
    own: TableSession, other: SQLiteSession
) -> None:
    await own.add_items(turns(3))

    async def edit() -> None:
        await own.apply(await own.plan(RollBack(to=(await entries(own))[7].id)))

    meanwhile(other, 1, edit)
    with pytest.raises(HistoryChanged):
        await copy(own, other, batch=4)


# Interrupted


class Interrupted(Exception):
    """The test stops a copy."""


class Stopper:
    """A progress that ends the copy after so many batches."""

    def __init__(self, batches: int) -> None:
        self.left = batches

    def __call__(self, done: int, total: int) -> None:
        if self.left == 0:
            raise Interrupted
        self.left -= 1


def meanwhile(session: InspectableSession, moment: int, do: Callable[[], Any]) -> None:
    """Let something happen before batch number `moment` (from 0) is stored, or before the copy is ended."""
    carry, finish, times = session.carry, session.finish_copy, count()

    async def carrying(*args: Any, **how: Any) -> str:
        if next(times) == moment:
            await do()
        return await carry(*args, **how)

    async def finishing(*args: Any, **how: Any) -> None:
        if next(times) == moment:
            await do()
        await finish(*args, **how)

    session.carry, session.finish_copy = carrying, finishing  # type: ignore[method-assign]


class Dead(BaseException):
    """The process is no more."""


Reopen = Callable[[float], TableSession]
"""The target as a new process finds it, at that time in seconds."""

_numbers = count(1)


def own_tables() -> dict[str, Any]:
    """Names that no other test uses."""
    number = next(_numbers)
    return {"sessions_table": f"copied sessions {number}", "messages_table": f"copied messages {number}"}


Points = list[tuple[type, str]]

COMMITS: Points = [(_Far, "_statement"), (Connection, "commit")]
STATEMENTS: Points = [*COMMITS, (Channel, "_execute"), (SQLAlchemyDatabase, "_execute")]


class Death:
    """Kills the process before point number `left` of these."""

    def __init__(self, patched: pytest.MonkeyPatch, left: int, points: Points) -> None:
        self.left = left
        for owner, name in points:
            patched.setattr(owner, name, self._before(getattr(owner, name)))

    def _before(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def one(*arguments: Any) -> Any:
            self.left -= 1
            if self.left < 0:
                raise Dead
            return work(*arguments)

        return one


@asynccontextmanager
async def on_a_file(folder: Path) -> AsyncIterator[Reopen]:
    yield lambda now: TableSession(
        "copy", SQLiteDatabase.at(folder / "a.db"), Tables("sessions", "messages"), clock=lambda: now
    )
    SQLiteDatabase.at(folder / "a.db").close()


@asynccontextmanager
async def with_a_ledger_apart(url: Any, folder: Path) -> AsyncIterator[Reopen]:
    engine = create_async_engine(url)
    ledger, names = folder / "ledger.db", own_tables()
    await SQLAlchemySession("another", engine=engine, create_tables=True, **names).add_items([user()])

    def reopen(now: float) -> TableSession:
        FarHome.at(ledger).close()
        return SQLAlchemySession("copy", engine=engine, ledger=ledger, clock=lambda: now, **names)

    yield reopen
    FarHome.at(ledger).close()
    await engine.dispose()


MORTAL: dict[str, Callable[[Path], AbstractAsyncContextManager[Reopen]]] = {
    "file": on_a_file,
    "ledger apart from a file": lambda folder: with_a_ledger_apart(
        f"sqlite+aiosqlite:///{folder / 'a.db'}", folder
    ),
    "ledger apart from a server": lambda folder: with_a_ledger_apart(servers.postgres(), folder),
}


@pytest.mark.parametrize(
    ("kind", "points"),
    [
        ("file", STATEMENTS),
        ("ledger apart from a file", COMMITS),
        ("ledger apart from a server", COMMITS),
        pytest.param("ledger apart from a file", STATEMENTS, marks=pytest.mark.long),
        pytest.param("ledger apart from a server", STATEMENTS, marks=pytest.mark.long),
    ],
    ids=lambda value: value if isinstance(value, str) else "commits" if value is COMMITS else "statements",
)
async def test_a_copy_may_die_between_any_two_statements_and_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, points: Points
) -> None:
    source = SQLiteSession("ticket_456")
    await source.note("interrupted")
    await source.append(relay(), agent="Triage", note=("stopped", {}))
    await source.append(turn(1), agent="Summary", note=("limit", {}))
    await run_sql(source, "UPDATE {messages} SET created_at = '2001-02-03 04:05:' || (10 + id)")
    original, written, now, deaths = await entries(source), await notes(source), 1_000_000.0, 0
    async with MORTAL[kind](tmp_path) as reopen:
        for left in range(1000):
            target = reopen(now)
            with monkeypatch.context() as patched:
                Death(patched, left, points)
                try:
                    await copy(source, target, batch=4)
                except Dead:
                    deaths += 1
                else:
                    break
            now += 31
            target = reopen(now)
            there = await target.get_items()
            assert there == [entry.item for entry in original[: len(there)]]
            assert complaints(there) == []
            whole = "copied" in [note[0] for note in await notes(target)]
            assert len(there) == len(original) or not whole
            assert await fits(target, "ticket_456") or whole
            if not whole:
                receipt = await copy(source, target, batch=4)
                assert (receipt.already, receipt.copied, receipt.same) == (len(there), len(original), True)
            found = await entries(target)
            assert [(e.item, e.created_at, e.agent) for e in found] == [
                (e.item, e.created_at, e.agent) for e in original
            ]
            assert (await notes(target))[0][0] == "copied"
            assert (await notes(target))[1:] == written
            await target.clear_session()
    assert deaths > (100 if points is STATEMENTS else 30)


async def test_an_interrupted_copy_is_not_gone_on_with_from_another_source(
    own: TableSession, other: SQLiteSession
) -> None:
    await own.add_items(turns(3))
    with pytest.raises(Interrupted):
        await copy(own, other, batch=4, progress=Stopper(1), origin="file/ticket_456")
    for origin in ("memory/ticket_456", None):
        with pytest.raises(SessionNotEmpty):
            await copy(own, other, origin=origin)
    assert (await copy(own, other, origin="file/ticket_456")).already == 4


async def test_an_interrupted_copy_that_somebody_wrote_to_is_left_alone(
    own: TableSession, other: SQLiteSession
) -> None:
    await own.add_items(turns(3))
    with pytest.raises(Interrupted):
        await copy(own, other, batch=4, progress=Stopper(1))
    await other.add_items([user("mine")])
    with pytest.raises(SessionNotEmpty):
        await copy(own, other)
    assert await other.get_items() == [*turn(1), user("mine")]


async def test_a_pair_far_apart_is_in_one_batch(own: TableSession, other: SQLiteSession) -> None:
    await own.add_items([user(), call("far"), *turns(20), output("far"), *turn(21)])
    with pytest.raises(Interrupted):
        await copy(own, other, batch=2, progress=Stopper(1))
    assert complaints(await other.get_items()) == []
    receipt = await copy(own, other, batch=2)
    assert receipt.same


# Encrypting and decrypting on the way

PLAIN = [name for name, kind in KINDS.items() if kind.edits and not name.startswith("encrypted")]


@pytest.fixture(params=PLAIN)
async def plain_store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Open]:
    async for open_ in opened(request.param, tmp_path):
        yield open_


@pytest.fixture
def under_key(plain_store: Open) -> UnderKey:
    """Encrypted sessions in one store."""

    def open_(session_id: str, key: object, ttl: int | None, clock: Clock) -> EncryptedTableSession:
        session = plain_store(session_id)
        assert isinstance(session, TableSession)
        return encrypted(session, key, ttl, clock)

    return open_


UnderKey = Callable[[str, object, int | None, Clock], EncryptedTableSession]


def moments(found: list[Entry]) -> list[float]:
    return [entry.sealed_at.timestamp() for entry in found if entry.sealed_at is not None]


async def test_what_was_plain_is_sealed_with_its_time_and_comes_back_as_it_was(
    plain_store: Open, under_key: UnderKey
) -> None:
    source, clock = plain_store("ticket_456"), Clock(BEGIN.timestamp() + 100)
    stored = tuple(Carried(item, at(n), agent="Triage") for n, item in enumerate(turns(2)))
    await source.carry(Batch(stored, None, opening=(Note("stopped", None, at(0), {"why": "secret"}),)))
    target = under_key("copy", NEW, 600, clock)
    assert (await copy(source, target, batch=3)).same
    assert moments(await entries(target)) == [at(n).timestamp() for n in range(8)]
    assert await plain_store("copy").get_items() != turns(2)
    clock.now = at(603).timestamp() + 1
    assert await target.get_items() == turns(2)[4:]  # each as old as it would be where it came from
    clock.now = at(1).timestamp()
    back = plain_store("back")
    receipt = await copy(target, back, batch=3)
    assert (receipt.same, receipt.times_lost, receipt.authors_lost) == (True, 0, 0)
    assert await back.get_items() == turns(2)
    assert [e.created_at for e in await entries(back)] == [at(n) for n in range(8)]
    assert ("stopped", {"why": "secret"}, None) in await notes(back)


async def test_from_one_key_to_another_and_one_id_to_another_every_item_keeps_its_own_age(
    under_key: UnderKey,
) -> None:
    clock = Clock()
    source = under_key("ticket_456", OLD, 600, clock)
    await source.append(turn(1), agent="Triage", note=("stopped", {"why": "secret"}))
    clock.now += 100
    await source.append(turn(2), agent="Triage")
    clock.now += 100
    target = under_key("copy", NEW, 600, clock)
    assert (await copy(source, target)).same
    assert moments(await entries(target)) == [START] * 4 + [START + 100] * 4
    assert ("stopped", {"why": "secret"}, 4) in await notes(target)
    assert {e.state for e in await entries(under_key("copy", OLD, 600, clock))} == {State.LOCKED}
    clock.now = START + 601
    assert await target.get_items() == await source.get_items() == turn(2)
    clock.now = START + 701
    assert await target.get_items() == []


async def test_what_has_expired_or_is_locked_is_counted_left_behind_and_never_revived(
    plain_store: Open, under_key: UnderKey
) -> None:
    clock = Clock()
    source = under_key("ticket_456", OLD, 600, clock)
    await source.add_items([*turn(1), user("and?"), call("k")])
    clock.now += 601
    await source.add_items([output("k")])
    await under_key("ticket_456", OTHER, 600, clock).add_items(turn(3))
    await source.add_items(turn(2))
    for target in (plain_store("plain"), under_key("copy", NEW, None, clock)):
        receipt = await copy(source, target)
        assert receipt.left_out == {"expired": 7, "locked": 4}  # a pair expires as one
        assert (receipt.seen, receipt.copied, receipt.before) == (15, 4, receipt.after)
        assert await target.get_items() == turn(2)
    assert [e.state for e in await entries(source)].count(State.EXPIRED) == 7


async def test_what_is_too_old_for_the_copy_is_there_but_counted_as_unreadable(
    plain_store: Open, under_key: UnderKey
) -> None:
    source, clock = plain_store("ticket_456"), Clock(at(700).timestamp())
    stored = [Carried(item, at(500 * (n > 3))) for n, item in enumerate(turns(2))]
    await source.carry(Batch(tuple(stored), None))
    target = under_key("copy", NEW, 600, clock)
    receipt = await copy(source, target)
    assert (receipt.copied, receipt.unreadable, receipt.changed) == (8, 4, 0)
    assert receipt.after == content(await target.get_items()) == content(turns(2)[4:])


async def test_an_item_that_expires_while_it_is_copied_stays_behind(under_key: UnderKey) -> None:
    clock = Clock()
    source, target = under_key("ticket_456", OLD, 600, clock), under_key("copy", NEW, None, clock)
    await source.add_items(turns(3))

    async def grow_old() -> None:
        clock.now += 601

    meanwhile(target, 1, grow_old)
    with pytest.raises(HistoryChanged):
        await copy(source, target, batch=4)
    assert await target.get_items() == turns(2)
    assert "copied" not in [kind for kind, _, _ in await notes(target)]


async def test_an_envelope_in_a_store_with_four_methods_keeps_its_age_too(other: SQLiteSession) -> None:
    clock = Clock(at(100).timestamp())
    await other.carry(Batch(tuple(Carried(item, at(n)) for n, item in enumerate(turns(2))), None))
    target = EncryptedSession("copy", ListSession("copy"), NEW, 600, clock=clock)
    receipt = await copy(other, target, batch=4)
    assert (receipt.same, receipt.times_lost) == (True, 0)
    assert moments(await entries(target)) == [at(n).timestamp() for n in range(8)]
    clock.now = at(603).timestamp() + 1
    back = other.sibling("back")
    receipt = await copy(target, back)
    assert receipt.left_out == {"expired": 4}
    assert [e.created_at for e in await entries(back)] == [at(n) for n in range(4, 8)]


# Stores whose own settings give only the newest


def limited_list() -> ListSession:
    session = ListSession("ticket_456")
    session.session_settings = SimpleNamespace(limit=3)  # type: ignore[assignment]
    return session


def limited_sdk() -> Any:
    from agents import SQLiteSession as SdkSession
    from agents.memory import SessionSettings

    return SdkSession("ticket_456", session_settings=SessionSettings(limit=3))


def limited_sdk_by_sqlalchemy() -> Any:
    from agents.extensions.memory import SQLAlchemySession as SdkSession
    from agents.memory import SessionSettings

    return SdkSession.from_url(
        "ticket_456",
        url="sqlite+aiosqlite://",
        create_tables=True,
        session_settings=SessionSettings(limit=3),
    )


@pytest.mark.parametrize("make", [limited_list, limited_sdk, limited_sdk_by_sqlalchemy])
async def test_a_store_that_gives_few_items_by_itself_is_seen_edited_and_copied_whole(
    make: Callable[[], Any], other: SQLiteSession
) -> None:
    theirs = make()
    source = inspect(theirs)
    await source.add_items(turns(3))
    assert [entry.item for entry in await entries(source)] == turns(3)
    assert [entry.item for entry in await source.recent(2)] == turns(3)[4:]
    await source.apply(await source.plan(RollBack(to=(await entries(source))[3].id)))
    assert [entry.item for entry in await entries(source)] == turns(1)
    await source.undo()
    assert (await copy(source, other)).same
    assert await other.get_items() == turns(3)
    assert await source.get_items() == turns(3)[-3:]
    if isinstance(theirs, ListSession):
        return
    closing = getattr(theirs, "close", None)
    await theirs.engine.dispose() if closing is None else closing()


async def test_a_receipt_is_a_plain_value(own: TableSession, other: SQLiteSession) -> None:
    await own.add_items(turn(1))
    receipt = await copy(own, other)
    assert isinstance(receipt, Receipt)
    assert len(receipt.before) == 64
