"""A copy is never made over anything, and what happens beside it meanwhile is noticed."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from memory import (
    Clear,
    HistoryChanged,
    Remove,
    RollBack,
    SessionBusy,
    SessionNotEmpty,
    SQLAlchemySession,
    SQLiteSession,
    TableSession,
    copy,
    inspect,
)
from memory.carrying import Batch, Carried
from memory.copying import owner_of

from .. import servers
from ..items import turn, turns, user
from ..stores import ListSession, Open, entries_of, plant
from .copies import content, meanwhile, notes, own_tables

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
        await own.apply(await own.plan(Remove(((await entries_of(own))[9].id,))))

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
        await own.apply(await own.plan(RollBack(to=(await entries_of(own))[7].id)))

    meanwhile(other, 1, edit)
    with pytest.raises(HistoryChanged):
        await copy(own, other, batch=4)
