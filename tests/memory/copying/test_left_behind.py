"""What a copy leaves behind: what no model could be sent, counted by its reason."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory import NothingToDo, SQLiteSession, TableSession, copy

from .. import histories
from ..histories import lone_halves, parsed
from ..items import assistant, call, output, reasoning, turn, turns, user
from ..stores import plant, rows, run_sql
from .copies import Interrupted, Stopper, content, notes


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
