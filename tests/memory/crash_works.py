"""What may be cut off: every way in which a session writes, and a long storm of them."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple

from memory import (
    Clear,
    HistoryChanged,
    Kind,
    Lease,
    NothingToDo,
    Remove,
    Repair,
    Replace,
    RollBack,
    SQLiteSession,
    Truncate,
    UndoRefused,
)

from .items import assistant, call, output, pair, reasoning, relay, turns, user

SESSION, OTHER = "ticket_456", "other_1"

LONE = {"call_lone", "call_cut"}
"""Calls that were alone from the start, for repairs to mend."""


class Work(NamedTuple):
    """One thing that may be cut off: `before` makes the store, `ready` looks at it, `act` writes."""

    act: Callable[[SQLiteSession, Any], Awaitable[Any]]
    before: Callable[[SQLiteSession], Awaitable[Any]] | None = None
    ready: Callable[[SQLiteSession], Awaitable[Any]] | None = None
    new_file: bool = False


async def fill(session: SQLiteSession) -> None:
    """A history with everything: turns, a relay, a reasoning run, a row that is no item, a lone call."""
    other = session.sibling(OTHER)
    await session.append(turns(3), agent="Triage")
    await other.append(turns(1))
    await session.append([user("broken?"), call("call_lone"), assistant("Never mind.")], agent="Triage")
    await session.append([reasoning("rs_9"), *pair("call_9a"), *pair("call_9b")], note=("stopped", {}))
    await session.append(relay(), agent="Approval")
    await other.append(turns(1))
    lease = await session.acquire("somebody", 60)
    await session.release(lease)


async def _id(session: SQLiteSession, place: int) -> str:
    entries = (await session.timeline()).entries
    return entries[place].id


def _edit(make: Callable[[SQLiteSession], Awaitable[Any]]) -> Work:
    async def ready(session: SQLiteSession) -> Any:
        return await session.plan(await make(session))

    return Work(lambda session, plan: session.apply(plan), ready=ready)


async def _roll_back_into_a_pair(session: SQLiteSession) -> RollBack:
    return RollBack(await _id(session, 17))


async def _remove(session: SQLiteSession) -> Remove:
    return Remove((await _id(session, 1), await _id(session, 15)))


async def _replace(session: SQLiteSession) -> Replace:
    return Replace(await _id(session, 0), user("something else"))


async def _complete(session: SQLiteSession) -> Repair:
    return Repair(await _id(session, 13), "complete")


async def _truncate(session: SQLiteSession) -> Truncate:
    return Truncate(keep_turns=2)


async def _clear(session: SQLiteSession) -> Clear:
    return Clear()


def _after(make: Callable[[SQLiteSession], Awaitable[Any]], undone: bool = False) -> Any:
    async def before(session: SQLiteSession) -> None:
        await fill(session)
        await session.apply(await session.plan(await make(session)))
        if undone:
            await session.undo()

    return before


async def _waits(session: SQLiteSession) -> None:
    await fill(session)
    await session.append([user("refund it"), call("call_wait", "refund_order")], agent="Approval")
    await session.pause("frozen", [("call_wait", "refund_order", "{}", "Approval")])


async def _answered(session: SQLiteSession) -> None:
    await _waits(session)
    await session.decide(await _pause_id(session), {"call_wait": (True, "")})
    await session.append([output("call_wait")], agent="Approval")


async def _pause_id(session: SQLiteSession) -> int:
    pause = await session.waiting()
    assert pause is not None
    return pause.id


async def _append_as_a_run(session: SQLiteSession, lease: Lease | None) -> None:
    await session.append(pair("call_n"), agent="Summary", lease=lease, note=("limit", {"turns": 3}))


async def _held(session: SQLiteSession) -> None:
    await fill(session)
    await session.acquire("the run", 3600)


async def _holder(session: SQLiteSession) -> Lease | None:
    return await session.holder()


WORKS: dict[str, Work] = {
    "first append": Work(lambda s, _: s.append(turns(2), agent="Triage"), new_file=True),
    "append": Work(lambda s, _: s.add_items(turns(2))),
    "append under a lease": Work(_append_as_a_run, _held, _holder),
    "pop": Work(lambda s, _: s.pop_item()),
    "roll back": _edit(_roll_back_into_a_pair),
    "truncate": _edit(_truncate),
    "remove": _edit(_remove),
    "replace": _edit(_replace),
    "complete": _edit(_complete),
    "clear": _edit(_clear),
    "undo a roll back": Work(lambda s, _: s.undo(), _after(_roll_back_into_a_pair)),
    "undo a completion": Work(lambda s, _: s.undo(), _after(_complete)),
    "undo a replacement": Work(lambda s, _: s.undo(), _after(_replace)),
    "redo a truncation": Work(lambda s, _: s.redo(), _after(_truncate, undone=True)),
    "redo a completion": Work(lambda s, _: s.redo(), _after(_complete, undone=True)),
    "edit after an undo": _edit(_truncate)._replace(before=_after(_remove, undone=True)),
    "branch": Work(lambda s, upto: s.branch("branch", upto=upto), ready=lambda s: _id(s, 17)),
    "branch off what waits": Work(
        lambda s, upto: s.branch("branch", upto=upto), _waits, lambda s: _id(s, -1)
    ),
    "branch before what waits": Work(
        lambda s, upto: s.branch("branch", upto=upto), _waits, lambda s: _id(s, -2)
    ),
    "purge": Work(lambda s, _: s.purge(), _after(_truncate)),
    "clear for good": Work(lambda s, _: s.clear_session(), _after(_remove)),
    "erase": Work(lambda s, _: s.erase(), _after(_remove)),
    "acquire": Work(lambda s, _: s.acquire("another", 60)),
    "pause": Work(lambda s, _: s.pause("frozen", [("call_lone", "look_up_order", "{}", "Triage")])),
    "decide": Work(lambda s, pause: s.decide(pause, {"call_wait": (True, "")}), _waits, _pause_id),
    "settle": Work(lambda s, pause: s.settle(pause), _answered, _pause_id),
    "supersede": Work(lambda s, _: s.supersede(), _waits),
    "roll back what waits": _edit(_roll_back_into_a_pair)._replace(before=_waits),
    "truncate while it waits": _edit(_truncate)._replace(before=_waits),
    "pop what waits": Work(lambda s, _: s.pop_item(), _waits),
    "close lone calls": Work(
        lambda s, _: s.close_lone_calls("Interrupted."),
        lambda s: s.append([user("and now?"), call("call_cut")]),
    ),
}


async def storm(session: SQLiteSession, seed: int, done: Callable[[], Any]) -> None:
    """The same long row of works for the same seed; `done` is called behind each."""
    dice = random.Random(seed)
    await session.append(turns(150), agent="Triage")
    done()
    for number in range(60):
        entries = (await session.timeline(limit=400)).entries
        match dice.choice(["append", "append", "roll back", "truncate", "pop", "undo", "redo", "clear"]):
            case "append":
                await session.append(turns(dice.randint(80, 200)), agent=f"agent {number}")
            case "roll back" if entries:
                to = dice.choice(entries).id
                await session.apply(await session.plan(RollBack(to)))
            case "truncate" if len(entries) > 5:
                await session.apply(await session.plan(Truncate(keep_items=len(entries) // 2)))
            case "pop" if entries and entries[-1].kind in (Kind.ASSISTANT, Kind.USER):
                await session.pop_item()  # of a pair, it would leave a half by right
            case "clear" if entries and dice.random() < 0.3:
                await session.apply(await session.plan(Clear()))
            case "undo" | "redo" as way:
                changes = await session.changes()
                if any(change.undone is (way == "redo") for change in changes):
                    await _unless_refused(session.undo() if way == "undo" else session.redo())
        done()


async def _unless_refused(work: Awaitable[Any]) -> None:
    with suppress(HistoryChanged, NothingToDo, UndoRefused):
        await work
