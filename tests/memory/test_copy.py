"""Copying to another store: everything a model could be sent, in order, and a receipt that tells the rest."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Hashable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory import (
    Clear,
    Entry,
    HistoryChanged,
    InspectableSession,
    NothingToDo,
    Receipt,
    Remove,
    RollBack,
    SessionBusy,
    SessionNotEmpty,
    SQLiteDatabase,
    SQLiteSession,
    State,
    Tables,
    TableSession,
    copy,
    inspect,
)
from memory.entries import Timeline
from memory.statements import Start

from . import histories
from .conftest import opened
from .histories import lone_halves, parsed
from .items import Item, assistant, call, output, pair, reasoning, relay, turn, turns, user
from .stores import KINDS, ListSession, Open, plant, rows, run_sql
from .test_codec import Sealed
from .wholeness import complaints

T = TypeVar("T")


COMMON = ("sqlite-file", "encrypted-file")
WAYS = [(one, other) for one in KINDS for other in KINDS if one in COMMON or other in COMMON]
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
    lines = [json.dumps(item, sort_keys=True, separators=(",", ":")) + "\n" for item in items]
    return sha256("".join(lines).encode()).hexdigest()


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
    await own.note("interrupted")
    await own.append([user(), *pair("k")], agent="Triage", note=("stopped", {"after": "k"}))
    await own.append([assistant("a")], agent="Approval", note=("limit", {}))
    await run_sql(own, "UPDATE {messages} SET created_at = '2001-02-03 04:05:' || (10 + id)")
    receipt = await copy(own, other, batch=1)
    first, second = await entries(own), await entries(other)
    assert [(e.created_at, e.agent) for e in second] == [(e.created_at, e.agent) for e in first]
    assert second[0].created_at == datetime(2001, 2, 3, 4, 5, 11, tzinfo=UTC)
    assert [row.created_at for row in await rows(other)] == [row.created_at for row in await rows(own)]
    assert await notes(other) == [
        ("copied", {"origin": "ticket_456", "n": 4, "left": 0}, None),
        ("interrupted", {}, None),
        ("stopped", {"after": "k"}, 3),
        ("limit", {}, 4),
    ]
    assert (receipt.times_lost, receipt.authors_lost, receipt.notes, receipt.notes_lost) == (0, 0, 3, 0)
    told = [note.at for note in await own.notes(await own.timeline())]
    assert [note.at for note in await other.notes(await other.timeline())][1:] == told


async def test_a_time_with_parts_of_a_second_and_one_that_is_none(
    own: TableSession, other: SQLiteSession
) -> None:
    await own.add_items(turn(1))
    await run_sql(own, "UPDATE {messages} SET created_at = '2001-02-03 04:05:06.789' WHERE id = 1")
    await run_sql(own, "UPDATE {messages} SET created_at = 'long ago' WHERE id = 2")
    receipt = await copy(own, other)
    first, second, *_ = await entries(other)
    assert first.created_at == datetime(2001, 2, 3, 4, 5, 6, 789_000, tzinfo=UTC)
    assert second.created_at is not None
    assert receipt.times_lost == 1


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
    await plant(own, "{broken", b"\xff")
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


async def test_what_would_expire_in_the_copy_is_counted(own: TableSession, other: SQLiteSession) -> None:
    await own.add_items(turns(2))
    await run_sql(own, "UPDATE {messages} SET created_at = '2001-02-03 04:05:06' WHERE id <= 4")
    target = TableSession("copy", other.database, Tables("sessions", "messages"), codec=Mortal())
    receipt = await copy(own, target)
    assert (receipt.copied, receipt.unreadable, receipt.changed) == (8, 4, 0)
    assert receipt.after == content(await target.get_items()) == content(turns(2)[4:])


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


async def test_who_writes_into_the_copy_meanwhile_without_asking_is_noticed(
    own: TableSession, other: SQLiteSession
) -> None:
    await own.add_items(turns(3))
    intruder = Meanwhile(other, at=1, do=lambda: other.add_items([user("me too")]))
    with pytest.raises(SessionNotEmpty):
        await copy(own, intruder, batch=4)
    assert await other.get_items() == [*turn(1), user("me too")]
    with pytest.raises(SessionNotEmpty):
        await copy(own, other)


# The source goes on


async def test_the_copy_holds_what_was_there_when_it_began(own: TableSession, other: SQLiteSession) -> None:
    await own.add_items(turns(3))
    growing = Meanwhile(other, at=1, do=lambda: own.add_items(turn(9)))
    receipt = await copy(own, growing, batch=4)
    assert await other.get_items() == turns(3)
    assert receipt.later == 4
    assert receipt.before == receipt.after == content(turns(3))


async def test_an_edit_of_the_source_meanwhile_is_noticed(own: TableSession, other: SQLiteSession) -> None:
    await own.add_items(turns(3))

    async def edit() -> None:
        await own.apply(await own.plan(Remove(((await entries(own))[9].id,))))

    with pytest.raises(HistoryChanged):
        await copy(own, Meanwhile(other, at=1, do=edit), batch=4)
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

    with pytest.raises(HistoryChanged):
        await copy(own, Meanwhile(other, at=1, do=edit), batch=4)


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


class Meanwhile(TableSession):
    """A session beside which something happens before batch number `at` (from 0) is stored."""

    def __init__(self, session: TableSession, at: int, do: Callable[[], Any]) -> None:
        super().__init__(session.session_id, session.database, session.scope.tables)
        self.left, self.do = at, do

    async def carry(self, *args: Any, **how: Any) -> str:
        if self.left == 0:
            await self.do()
        self.left -= 1
        return await super().carry(*args, **how)


class Dead(BaseException):
    """The process is no more."""


class DyingDatabase:
    """A store whose process dies at a write: before it, or right after its commit."""

    def __init__(self, database: SQLiteDatabase, writes: int, *, committed: bool) -> None:
        self.database, self.left, self.committed = database, writes, committed

    async def read(self, start: Start[T]) -> T:
        self._alive()
        return await self.database.read(start)

    async def write(self, start: Start[T]) -> T:
        self._alive()
        self.left -= 1
        if self.left < 0 and not self.committed:
            raise Dead
        done = await self.database.write(start)
        self._alive()
        return done

    def _alive(self) -> None:
        if self.left < 0:
            raise Dead

    async def revision(self) -> Hashable:
        return await self.database.revision()

    async def erase(self) -> None:
        await self.database.erase()

    def close(self) -> None:
        self.database.close()


@pytest.mark.parametrize("committed", [False, True])
async def test_a_copy_may_die_at_any_write_and_is_gone_on_with(tmp_path: Path, committed: bool) -> None:
    source = SQLiteSession("ticket_456")
    await source.append(relay(), agent="Triage", note=("stopped", {}))
    await source.append(turns(3), agent="Summary")
    await run_sql(source, "UPDATE {messages} SET created_at = '2001-02-03 04:05:' || (10 + id)")
    original, now, deaths = await entries(source), 1_000_000.0, 0
    for writes in range(100):
        database = SQLiteDatabase.at(tmp_path / f"{committed}-{writes}.db")
        dying = DyingDatabase(database, writes, committed=committed)
        tables = Tables("sessions", "messages")
        try:
            await copy(source, TableSession("copy", dying, tables, clock=lambda: now), batch=4)
        except Dead:
            deaths += 1
        else:
            break
        target = TableSession("copy", database, tables, clock=lambda: now + 31)
        there = await target.get_items()
        assert there == [entry.item for entry in original[: len(there)]]
        assert complaints(there) == []
        if there and (await notes(target))[0][0] == "copied":
            assert len(there) == len(original)
        else:
            assert not there or (await notes(target))[0][:2] == ("copying", {"origin": "ticket_456"})
            receipt = await copy(source, target, batch=4)
            assert (receipt.already, receipt.copied) == (len(there), len(original))
            assert receipt.same
        assert await target.get_items() == await source.get_items()
        found = await entries(target)
        assert [(e.created_at, e.agent) for e in found] == [(e.created_at, e.agent) for e in original]
        assert [note[0] for note in await notes(target)] == ["copied", "stopped"]
        database.close()
    assert deaths > 10
    database.close()


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


# Another way of writing


class Timed(Sealed):
    """Seals each item with a time, as an envelope does."""

    def __init__(self) -> None:
        super().__init__("key ")

    def encode(self, item: Item, *, at: datetime | None = None) -> str:
        return json.dumps(json.loads(super().encode(item)) | {"at": at.isoformat() if at else "now"})


class Mortal(Timed):
    """What was first stored long ago has expired."""

    def decode(self, raw: bytes | str) -> tuple[Item | None, State]:
        return (None, State.EXPIRED) if json.loads(raw)["at"] < "2020" else super().decode(raw)


async def test_a_sealed_copy_is_sealed_with_the_time_of_the_original_and_opens_again(
    own: TableSession, other: SQLiteSession
) -> None:
    def sealed(name: str) -> TableSession:
        return TableSession(name, other.database, Tables("sessions", "messages"), codec=Timed())

    await own.append(turns(2), agent="Triage", note=("stopped", {"why": "secret"}))
    await run_sql(own, "UPDATE {messages} SET created_at = '2001-02-03 04:05:' || (10 + id)")
    target = sealed("copy")
    receipt = await copy(own, target, batch=3)
    assert receipt.same
    envelopes = [json.loads(row.raw) for row in await rows(target)]
    assert [envelope["at"] for envelope in envelopes] == [
        entry.created_at.isoformat() for entry in await entries(own) if entry.created_at
    ]
    back = own.sibling("back")
    assert (await copy(target, back)).same
    assert await back.get_items() == turns(2)
    assert [row.created_at for row in await rows(back)] == [row.created_at for row in await rows(own)]
    assert ("stopped", {"why": "secret"}, 8) in await notes(back)


async def test_entries_under_another_key_stay_behind(own: TableSession, other: SQLiteSession) -> None:
    tables = Tables("sessions", "messages")
    old = TableSession("s", other.database, tables, codec=Sealed("old "))
    new = TableSession("s", other.database, tables, codec=Sealed("new "))
    await old.add_items(turn(1))
    await new.add_items(turn(2))
    receipt = await copy(new, own)
    assert receipt.left_out == {str(State.LOCKED): 4}
    assert await own.get_items() == turn(2)


async def test_a_receipt_is_a_plain_value(own: TableSession, other: SQLiteSession) -> None:
    await own.add_items(turn(1))
    receipt = await copy(own, other)
    assert isinstance(receipt, Receipt)
    assert len(receipt.before) == 64
