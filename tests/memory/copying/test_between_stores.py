"""Copying to another store: everything a model could be sent, in order, and a receipt that tells the rest."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import create_async_engine

from memory import Receipt, RollBack, SQLAlchemySession, SQLiteSession, TableSession, copy, inspect
from memory.carrying import Batch, Carried
from memory.notes import Note
from memory.sql_tables import SqlTables

from .. import servers
from ..items import Item, assistant, pair, relay, turn, turns, user
from ..stores import ListSession, Open, entries_of, run_sql
from .copies import BEGIN, at, content, notes, own_tables


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
    await target.apply(await target.plan(RollBack(to=(await entries_of(target))[3].id)))
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
    found = await entries_of(other)
    assert [(e.created_at, e.agent) for e in found] == [(one.at, one.agent) for one in stored]
    assert [e.created_at for e in await entries_of(own)] == [one.at for one in stored]
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
    assert [e.created_at for e in [*await entries_of(own), *await entries_of(back)]] == [moment, moment]


async def test_an_item_whose_time_is_not_known_is_given_the_time_of_the_copy(
    own: TableSession, other: SQLiteSession
) -> None:
    await other.add_items(turn(1))
    await run_sql(other, "UPDATE {messages} SET created_at = 'long ago' WHERE id = 4")
    receipt = await copy(other, own)
    *_, last = await entries_of(own)
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
    assert [e.created_at for e in await entries_of(own)] == kept
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
    await own.apply(await own.plan(RollBack(to=(await entries_of(own))[7].id)))
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
    assert [entry.item for entry in await entries_of(source)] == turns(3)
    assert [entry.item for entry in await source.recent(2)] == turns(3)[4:]
    await source.apply(await source.plan(RollBack(to=(await entries_of(source))[3].id)))
    assert [entry.item for entry in await entries_of(source)] == turns(1)
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
