"""What is written with a ledger apart is wholly there or wholly not, wherever the process dies."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from memory import (
    Clear,
    EncryptedSession,
    Repair,
    TableSession,
    sessions_in,
)
from memory.carrying import Batch, Carried
from memory.notes import Note

from .apart import DATABASES, Apart, opened_apart
from .clock import START, Clock
from .copying.copies import at
from .deaths import COMMITS, STATEMENTS, Dead, Death
from .items import assistant, call, turn, user
from .stores import Row, rows


@pytest.fixture(params=DATABASES)
async def apart(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Apart]:
    async with opened_apart(request.param, tmp_path) as opened:
        yield opened


KEY = "one key of the tests, long enough to be one"

Step = Callable[[TableSession], Awaitable[Any]]
Open = Callable[[str], TableSession]


class Work(NamedTuple):
    """Something that is written: what is there before, and the work itself."""

    prepare: Step
    act: Step
    journal: bool = True  # whether it changes both the messages and the ledger
    encrypted: bool = False  # with a time to live, which has passed when the work is done


async def nothing(session: TableSession) -> None:
    """A session that is not there yet."""


async def a_turn(session: TableSession) -> None:
    await session.append(turn(1), agent="Triage", note=("stopped", {}))


async def a_decision(session: TableSession) -> None:
    await a_turn(session)
    await session.append([user("refund me"), call("refund"), call("cancel")], agent="Approval")
    calls = [(name, f"{name}_order", "{}", "Approval") for name in ("refund", "cancel")]
    await session.pause("{}", calls)


async def an_edit(session: TableSession) -> None:
    await a_decision(session)
    await session.pop_item()


async def an_emptied_session(session: TableSession) -> None:
    await a_turn(session)
    await session.apply(await session.plan(Clear()))


async def a_lone_call(session: TableSession) -> None:
    await session.append([call("lone"), user("and on"), assistant("yes")], agent="Triage")


async def complete(session: TableSession) -> None:
    entry = (await session.timeline()).entries[0]
    await session.apply(await session.plan(Repair(entry.id, "complete")))


async def first_batch(session: TableSession) -> str:
    said = Note("limit", None, at(3))
    items = tuple(Carried(item, at(n), agent="Triage", notes=(said,)) for n, item in enumerate(turn(1)))
    return await session.carry(Batch(items, None, (said,), {"origin": "elsewhere"}))


async def next_batch(session: TableSession) -> None:
    agents = ("Triage", "Triage", "Summary", None)
    items = tuple(Carried(item, at(9), agent=agent) for item, agent in zip(turn(2), agents, strict=True))
    await session.carry(Batch(items, await session.mark()))


def append(**options: Any) -> Step:
    return lambda session: session.append([user("and"), assistant("and on")], **options)


WORKS = {
    "append with an author": Work(a_turn, append(agent="Triage")),
    "append with a note": Work(a_turn, append(note=("limit", {}))),
    "the first append": Work(nothing, append(agent="user", note=("limit", {}))),
    "append to an emptied session": Work(an_emptied_session, append(agent="user")),
    "append of nothing but a note": Work(
        a_turn, lambda session: session.append([], note=("limit", {})), journal=False
    ),
    "append of nothing but items": Work(a_turn, append(), journal=False),
    "supersede": Work(a_decision, lambda session: session.supersede()),
    "lapse": Work(a_decision, lambda session: session.lapse(), encrypted=True),
    "pause": Work(a_turn, lambda session: session.pause("{}", []), journal=False),
    "close lone calls": Work(
        lambda session: session.append([user(), call("lone")]),
        lambda session: session.close_lone_calls("cut off"),
        journal=False,
    ),
    "the first batch of a copy": Work(nothing, first_batch),
    "the next batch of a copy": Work(first_batch, next_batch),
    "pop": Work(a_decision, lambda session: session.pop_item()),
    "repair": Work(a_lone_call, complete),
    "branch": Work(a_decision, lambda session: session.branch(f"{session.session_id} again")),
    "branch of an encrypted session": Work(
        a_decision, lambda session: session.branch(f"{session.session_id} again"), encrypted=True
    ),
    "clear": Work(an_edit, lambda session: session.clear_session()),
    "clear of an emptied session": Work(an_emptied_session, lambda session: session.clear_session()),
}


async def seen(session: TableSession, other: TableSession) -> Any:
    """All that a person sees of a session and of its branch, without what differs from one to the next."""
    said: list[Any] = []
    listed = [name for name, _ in await sessions_in(session.database, session.scope.tables)]
    for one in (session, other):
        timeline = await one.timeline()
        places = {entry.id: number for number, entry in enumerate(timeline.entries)}
        notes = [(n.kind, n.detail, places[n.after] if n.after else None) for n in await one.notes(timeline)]
        pause = await one.waiting()
        changes = [(c.kind, c.removed, c.added, c.undone, c.void) for c in await one.changes()]
        items = [(json.dumps(entry.item), entry.agent) for entry in timeline.entries]
        said += [items, notes, pause and pause.calls, changes, one.session_id in listed]
    return said


async def kept(session: TableSession, other: TableSession) -> tuple[list[Row], list[Row]]:
    return await rows(session), await rows(other)


@pytest.mark.parametrize(
    "points",
    [
        pytest.param(COMMITS, id="commits"),
        pytest.param(STATEMENTS, id="statements", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("name", WORKS)
async def test_a_death_anywhere_leaves_the_state_before_or_the_state_after(
    apart: Apart, monkeypatch: pytest.MonkeyPatch, name: str, points: Any
) -> None:
    work, found, journals, clock = WORKS[name], [], 0, Clock()
    before: Any = None
    apart.restart()
    await a_turn(apart.open("somebody before"))  # the ledger has its tables

    def reopen(number: int) -> tuple[TableSession, TableSession]:
        apart.restart()
        opened: list[TableSession] = []
        for session_id in (f"ticket {number}", f"ticket {number} again"):
            opened.append(apart.open(session_id))
            if work.encrypted:
                opened[-1] = EncryptedSession(session_id, opened[-1], KEY, ttl=60, clock=clock)  # type: ignore[assignment]
        return opened[0], opened[1]

    for number in range(1000):
        clock.now = START
        session, other = reopen(number)
        await work.prepare(session)
        clock.now += 61 if name == "lapse" else 0
        before, rows_before = await seen(session, other), await kept(session, other)
        with monkeypatch.context() as patched:
            Death(patched, number, points)
            try:
                await work.act(session)
                died = False
            except Dead:
                died = True
        journals += bool(apart.journals())
        session, other = reopen(number)
        found.append(await seen(session, other))
        if found[-1] == before:
            assert await kept(session, other) == rows_before
        lease = await session.acquire("whoever writes next", 30)
        await session.release(lease)
        assert await seen(session, other) == found[-1]
        assert apart.journals() == []
        if not died:
            break
    after = found[-1]
    done = found.index(after)
    assert after != before
    assert found == [before] * done + [after] * (len(found) - done)
    assert bool(journals) == work.journal
