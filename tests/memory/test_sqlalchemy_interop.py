"""The SDK's SQLAlchemySession and ours on the same tables, both writing: one order, one end, one way back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from agents.extensions.memory import SQLAlchemySession as SdkSession
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from memory import Clear, Entry, HistoryChanged, Remove, RollBack, SQLAlchemySession, Truncate

from . import servers
from .items import Item, pair, turns, user

Url = Callable[[Path], Any]
DATABASES: dict[str, Url] = {
    "postgresql": lambda folder: servers.postgres(),
    "sqlite": lambda folder: f"sqlite+aiosqlite:///{folder / 'a.db'}",
    "mariadb": lambda folder: servers.mariadb(),
}
LEDGER = [f"agent_messages_{part}" for part in ("authors", "changes", "kept", "notes", "leases", "pauses")]


class Both:
    """One session as both classes open it, each through an engine of its own."""

    def __init__(self, url: Any) -> None:
        self.engines = [create_async_engine(url), create_async_engine(url)]
        self.ours = SQLAlchemySession("ticket_456", engine=self.engines[0], create_tables=True)
        self.sdk = SdkSession("ticket_456", engine=self.engines[1], create_tables=url_can(url))

    async def entries(self, page: int = 7) -> list[Entry]:
        """All entries, fetched page by page."""
        found: list[Entry] = []
        before: str | None = None
        while True:
            timeline = await self.ours.timeline(before=before, limit=page)
            found = [*timeline.entries, *found]
            if not timeline.older:
                return found
            before = timeline.entries[0].id

    async def agree(self) -> list[Item]:
        """What both read, which is the same."""
        theirs = list(await self.sdk.get_items())
        assert await self.ours.get_items() == theirs
        assert await self.ours.get_items(limit=5) == theirs[-5:]
        entries = await self.entries()
        assert [entry.item for entry in entries] == theirs
        assert [entry.position for entry in entries] == list(range(1, len(theirs) + 1))
        assert (await self.ours.timeline()).total == len(theirs)
        return theirs  # type: ignore[return-value]


def url_can(url: Any) -> bool:
    """Whether the SDK's class can make its own tables there."""
    return "mysql" not in str(url)


@pytest.fixture(params=DATABASES)
async def both(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Both]:
    opened = Both(DATABASES[request.param](tmp_path))
    await opened.ours.database.write(opened.ours.scope.tables.make)
    yield opened
    await _drop(opened.engines[0])
    for engine in opened.engines:
        await engine.dispose()


async def _drop(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        for table in (*LEDGER, "agent_messages", "agent_sessions"):
            await connection.execute(text(f"DROP TABLE IF EXISTS {table}"))


async def mixed(both: Both, writers: int = 4, batches: int = 6) -> None:
    """Both classes write at once, from several tasks each."""

    async def write(session: Any, name: str) -> None:
        for number in range(batches):
            batch = [user(f"{name} {number}"), *pair(f"call_{name}_{number}"), user(f"{name} {number} end")]
            while True:
                try:
                    await session.add_items(batch)
                    break
                except OperationalError as error:
                    # MariaDB ends one of two deadlocked writers; the SDK does not try again.
                    if session is both.ours or "Deadlock" not in str(error.orig):
                        raise

    tasks = [write(both.ours, f"ours{n}") for n in range(writers)]
    tasks += [write(both.sdk, f"sdk{n}") for n in range(writers)]
    await asyncio.gather(*tasks)


async def test_each_reads_what_the_other_wrote(both: Both) -> None:
    await both.sdk.add_items(turns(1))  # type: ignore[arg-type]
    await both.ours.add_items(turns(2))
    await both.sdk.add_items([user("last")])
    assert await both.agree() == [*turns(1), *turns(2), user("last")]


async def test_each_can_be_first(both: Both) -> None:
    await both.ours.add_items(turns(1))
    assert await both.sdk.pop_item() == turns(1)[-1]
    await both.sdk.clear_session()
    assert await both.ours.get_items() == []
    await both.ours.add_items([user("again")])
    assert await both.agree() == [user("again")]


async def test_the_sdk_finds_the_rows_it_would_have_made(both: Both) -> None:
    await both.ours.add_items([user("票 \ud83c")])
    await both.sdk.add_items([user("票 \ud83c")])
    async with both.engines[0].connect() as connection:
        raws = await connection.execute(text("SELECT message_data FROM agent_messages"))
        ours, theirs = (row[0] for row in raws)
    assert ours == theirs


async def test_writers_of_both_classes_leave_one_order(both: Both) -> None:
    await mixed(both)
    items = await both.agree()
    assert len(items) == 8 * 6 * 4
    for name in (*(f"ours{n}" for n in range(4)), *(f"sdk{n}" for n in range(4))):
        own = [item["content"] for item in items if str(item.get("content", "")).startswith(name + " ")]
        assert len(own) == len(set(own)) == 12
        if name.startswith("ours"):  # the SDK's batches may lie in another order than they were stored in
            assert own == [f"{name} {n}{end}" for n in range(6) for end in ("", " end")]


async def test_nothing_comes_between_the_items_of_a_batch_of_ours(both: Both) -> None:
    await mixed(both)
    items = await both.agree()
    for index, item in enumerate(items):
        content = str(item.get("content", ""))
        if content.startswith("ours") and not content.endswith("end"):
            assert items[index + 3] == user(f"{content} end")


async def test_a_reader_of_either_class_sees_a_beginning_that_stays(both: Both) -> None:
    seen: list[list[Item]] = []

    async def look() -> None:
        for _ in range(10):
            seen.append(await both.ours.get_items())
            await asyncio.sleep(0)

    async def write() -> None:
        for number in range(20):
            await both.ours.add_items([user(str(number)), user(f"{number} end")])

    await asyncio.gather(look(), write())
    final = await both.agree()
    for read in seen:
        assert read == final[: len(read)]
        assert len(read) % 2 == 0


async def test_both_pop_the_same_end(both: Both) -> None:
    await mixed(both, 2, 3)
    items = await both.agree()
    for number in range(10):
        popped: Any = await (both.sdk if number % 2 else both.ours).pop_item()
        assert popped == items.pop()
    assert await both.agree() == items


async def test_pops_of_both_classes_at_once_take_each_item_once(both: Both) -> None:
    items = [user(str(number)) for number in range(24)]
    await both.ours.add_items(items)
    popped = await asyncio.gather(*(session.pop_item() for session in (both.ours, both.sdk) * 12))
    assert sorted(popped, key=str) == sorted(items, key=str)
    assert await both.agree() == []


@pytest.mark.parametrize("kind", ["roll back", "truncate", "remove", "clear"])
async def test_a_cut_hits_exactly_what_the_reader_saw(both: Both, kind: str) -> None:
    await mixed(both, 3, 3)
    items = await both.agree()
    entries = await both.entries()
    at = next(n for n, item in enumerate(items) if n > 30 and str(item.get("content", "")).endswith("end"))
    edit = {
        "roll back": RollBack(to=entries[at].id),
        "truncate": Truncate(keep_items=len(items) - at),
        "remove": Remove((entries[at].id,)),
        "clear": Clear(),
    }[kind]
    plan = await both.ours.plan(edit)
    left = [item for item, entry in zip(items, entries, strict=True) if _stays(entry, plan)]
    await both.ours.apply(plan)
    assert await both.agree() == left
    await both.ours.undo()
    assert await both.agree() == items
    await both.ours.redo()
    assert await both.agree() == left


def _stays(entry: Entry, plan: Any) -> bool:
    inside = plan.span is not None and plan.span[0] <= entry.key <= plan.span[1]
    return not inside and entry.key not in plan.singles


async def test_a_plan_is_refused_when_the_sdk_wrote_since(both: Both) -> None:
    await both.ours.add_items(turns(3))
    plan = await both.ours.plan(RollBack(to=(await both.entries())[3].id))
    await both.sdk.add_items([user("meanwhile")])
    with pytest.raises(HistoryChanged):
        await both.ours.apply(plan)
    assert await both.agree() == [*turns(3), user("meanwhile")]


async def test_authors_stay_with_their_rows_among_strangers(both: Both) -> None:
    async def ours() -> None:
        for number in range(8):
            await both.ours.append([*pair(f"k{number}")], agent=f"Agent {number}")

    async def theirs() -> None:
        for number in range(8):
            await both.sdk.add_items([user(f"from the SDK {number}")])

    await both.ours.append([user("first")], agent="user")
    await asyncio.gather(ours(), theirs())
    for entry in await both.entries():
        call = entry.call_id
        assert entry.agent == (f"Agent {call[1:]}" if call else None)


async def test_what_the_sdk_cleared_is_not_brought_back(both: Both) -> None:
    await both.ours.add_items(turns(2))
    await both.ours.apply(await both.ours.plan(RollBack(to=(await both.entries())[3].id)))
    await both.sdk.clear_session()
    await both.sdk.add_items([user("new")])
    (change,) = await both.ours.changes()
    assert change.void
    assert await both.agree() == [user("new")]


async def test_a_cancelled_result_stands_behind_its_call_for_both(both: Both) -> None:
    from memory import Repair

    call, _ = pair("lonely")
    await both.ours.add_items([user("first"), call])
    await both.sdk.add_items([user("second")])
    await both.ours.add_items([user("third")])
    lonely = (await both.entries())[1]
    await both.ours.apply(await both.ours.plan(Repair(lonely.id, "complete")))
    items = await both.agree()
    assert [item.get("type") or item["content"] for item in items] == [
        "first",
        "function_call",
        "function_call_output",
        "second",
        "third",
    ]
    await both.ours.undo()
    assert await both.agree() == [user("first"), call, user("second"), user("third")]
