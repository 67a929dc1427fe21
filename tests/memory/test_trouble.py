"""A server that breaks, hangs, refuses or is slow: nothing lost, nothing stored twice, one sentence said."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from memory import LeaseLost, RollBack, SessionBusy, SQLAlchemySession, StoreUnavailable

from . import servers
from .items import turns, user
from .proxy import Proxy

SERVERS = {"postgresql": servers.postgres, "mariadb": servers.mariadb}


class Distant:
    """A session whose server is behind a proxy, and the same one without it."""

    def __init__(self, url: URL, proxy: Proxy) -> None:
        self.proxy = proxy
        self.engine = create_async_engine(servers.behind(url, proxy.at))
        self.near_engine = create_async_engine(url)
        self.commit = b"COMMIT;" if "postgresql" in url.drivername else b"COMMIT"
        self.session = SQLAlchemySession("ticket_456", engine=self.engine, create_tables=True)
        self.near = SQLAlchemySession("ticket_456", engine=self.near_engine, create_tables=True)


@pytest.fixture(params=SERVERS)
async def distant(request: pytest.FixtureRequest) -> AsyncIterator[Distant]:
    url = SERVERS[request.param]()
    async with Proxy(*servers.address(url)) as proxy:
        opened = Distant(url, proxy)
        await opened.session.add_items(turns(3))
        yield opened
        proxy.hold = proxy.refuse = False
        await opened.engine.dispose()
        await drop_tables(opened.near_engine)
        await opened.near_engine.dispose()


async def drop_tables(engine: AsyncEngine) -> None:
    parts = ("authors", "changes", "kept", "notes", "leases", "pauses")
    async with engine.begin() as connection:
        for table in (*(f"agent_messages_{part}" for part in parts), "agent_messages", "agent_sessions"):
            await connection.execute(text(f"DROP TABLE IF EXISTS {table}"))


def is_one_sentence_without_secrets(error: BaseException, distant: Distant) -> bool:
    said = str(error)
    words = ("127.0.0.1", str(distant.proxy.at), "postgres:", "root", "INSERT", "ticket_456", "\n")
    return said.endswith((".",)) and not any(word in said for word in words)


# Broken connections


async def test_a_connection_that_broke_while_idle_is_made_anew(distant: Distant) -> None:
    distant.proxy.reset()
    await asyncio.sleep(0.05)
    assert await distant.session.get_items() == turns(3)
    distant.proxy.reset()
    await asyncio.sleep(0.05)
    await distant.session.append([user("after")], agent="user")
    assert await distant.near.get_items() == [*turns(3), user("after")]


async def test_a_connection_that_breaks_before_the_commit_is_tried_again(distant: Distant) -> None:
    distant.proxy.reset_after = b"agent_messages"
    await distant.session.append([user("once")], agent="user", note=("stopped", {}))
    assert await distant.near.get_items() == [*turns(3), user("once")]


async def test_a_break_at_the_commit_says_that_nobody_knows(distant: Distant) -> None:
    await distant.session.append([user("one")], agent="user")
    distant.proxy.reset_after = distant.commit
    with pytest.raises(StoreUnavailable, match="look again before repeating") as caught:
        await distant.session.append([user("two")], agent="user")
    assert is_one_sentence_without_secrets(caught.value, distant)
    assert await distant.session.get_items() == await distant.near.get_items()


async def test_an_edit_cut_off_at_any_statement_is_made_whole_or_not_at_all(distant: Distant) -> None:
    """The edit is begun again by itself; whichever way it went, the history is one of the two."""
    before = await distant.near.get_items()
    entries = (await distant.session.timeline()).entries
    await distant.session.note("warm")
    for cut in (b"FOR UPDATE", b"_changes", b"_kept", b"DELETE", distant.commit):
        plan = await distant.session.plan(RollBack(to=entries[3].id))
        distant.proxy.reset_after = cut
        try:
            await distant.session.apply(plan)
        except StoreUnavailable as error:
            assert "look again" in str(error)  # noqa: PT017
        distant.proxy.reset_after = None
        now = await distant.near.get_items()
        assert now in (before, before[:4])
        if now != before:
            await distant.near.undo()
        assert await distant.near.get_items() == before


async def test_a_server_that_is_gone_is_said_in_one_sentence(distant: Distant) -> None:
    distant.proxy.refuse = True
    distant.proxy.reset()
    await asyncio.sleep(0.05)
    for ask in (
        distant.session.get_items,
        lambda: distant.session.add_items([user()]),
        distant.session.pop_item,
    ):
        with pytest.raises(StoreUnavailable) as caught:
            await ask()
        assert is_one_sentence_without_secrets(caught.value, distant)
        assert caught.value.__suppress_context__
    distant.proxy.refuse = False
    await distant.session.add_items([user("back")])
    assert await distant.near.get_items() == [*turns(3), user("back")]


async def test_a_server_that_says_nothing_is_given_up_on(distant: Distant) -> None:
    distant.session.database.patience = 0.3
    distant.proxy.hold = True
    for ask in (distant.session.get_items, lambda: distant.session.append([user("x")], agent="user")):
        with pytest.raises(StoreUnavailable, match="did not answer within") as caught:
            await ask()
        assert is_one_sentence_without_secrets(caught.value, distant)
    distant.proxy.reset()
    distant.proxy.hold = False
    distant.session.database.patience = 30
    assert await distant.session.get_items() == turns(3)
    await distant.session.add_items([user("after")])
    assert (await distant.near.get_items())[-1] == user("after")


async def test_a_slow_server_is_waited_for(distant: Distant) -> None:
    distant.proxy.delay = 0.02
    await distant.session.append([user("slow")], agent="user")
    assert await distant.session.get_items() == [*turns(3), user("slow")]


async def test_a_caller_that_is_cancelled_leaves_a_whole_write_and_a_usable_pool(distant: Distant) -> None:
    distant.proxy.delay = 0.01
    for number in range(5):
        task = asyncio.ensure_future(distant.session.append([user(str(number)), user("end")], agent="user"))
        await asyncio.sleep(0.015 * number)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    distant.proxy.delay = 0
    items = (await distant.session.get_items())[12:]
    assert items == [part for n in range(5) for part in (user(str(n)), user("end")) if user(str(n)) in items]


# A server that refuses


async def test_a_database_that_is_read_only_can_be_read(distant: Distant) -> None:
    if distant.engine.dialect.name != "postgresql":
        pytest.skip("a setting of PostgreSQL")
    url = distant.near_engine.url
    engine = create_async_engine(
        url, connect_args={"server_settings": {"default_transaction_read_only": "on"}}
    )
    session = SQLAlchemySession("ticket_456", engine=engine, create_tables=True)
    assert await session.get_items() == turns(3)
    timeline = await session.timeline()
    assert timeline.total == 12
    await session.plan(RollBack(to=timeline.entries[3].id))
    for ask in (lambda: session.add_items([user()]), session.pop_item, lambda: session.note("stopped")):
        with pytest.raises(StoreUnavailable, match="read only") as caught:
            await ask()
        assert str(caught.value).endswith("Nothing was changed.")
    assert await distant.near.get_items() == turns(3)
    await engine.dispose()


async def test_a_wrong_password_and_a_wrong_name_are_told_apart_and_not_repeated(distant: Distant) -> None:
    url = distant.near_engine.url
    for wrong in (url.set(database="no_such_database"), url.set(username="nobody", password="s3cret")):
        session = SQLAlchemySession.from_url("x", url=wrong.render_as_string(hide_password=False))
        with pytest.raises(StoreUnavailable) as caught:
            await session.get_items()
        assert "s3cret" not in str(caught.value)
        assert "no_such_database" not in str(caught.value)
        assert "check the URL" in str(caught.value)
        await session.close()


# Many at once


async def test_tasks_that_append_at_once_lose_and_double_nothing(distant: Distant) -> None:
    async def append(task: int) -> None:
        session = SQLAlchemySession(f"session {task % 8}", engine=distant.engine, create_tables=True)
        for number in range(6):
            await session.append([user(f"{task} {number}"), user(f"{task} {number} end")], agent="user")

    await asyncio.gather(*(append(task) for task in range(32)))
    for number in range(8):
        session = SQLAlchemySession(f"session {number}", engine=distant.near_engine)
        texts = [item["content"] for item in await session.get_items()]
        assert len(texts) == len(set(texts)) == 4 * 6 * 2
        assert all(texts[n + 1] == f"{texts[n]} end" for n in range(0, len(texts), 2))
        for task in range(number, 32, 8):
            own = [name for name in texts if name.split()[0] == str(task)]
            assert own == [f"{task} {n}{end}" for n in range(6) for end in ("", " end")]


async def test_one_run_of_two_desks_holds_the_session_until_its_lease_runs_out(distant: Distant) -> None:
    now = 1_000_000.0
    first = SQLAlchemySession("t", engine=distant.engine, create_tables=True, clock=lambda: now)
    second = SQLAlchemySession("t", engine=distant.near_engine, create_tables=True, clock=lambda: now)
    asked: list[Any] = await asyncio.gather(
        first.acquire("desk 1", 30), second.acquire("desk 2", 30), return_exceptions=True
    )
    refused = [answer for answer in asked if isinstance(answer, SessionBusy)]
    (lease,) = [answer for answer in asked if not isinstance(answer, BaseException)]
    assert len(refused) == 1
    holder, other = (first, second) if lease.owner == "desk 1" else (second, first)
    await holder.append([user("mine")], agent="user", lease=lease)
    with pytest.raises(SessionBusy):
        await other.pop_item()
    now += 31
    taken = await other.acquire("the other desk", 30)
    assert taken.number == lease.number + 1
    with pytest.raises(LeaseLost):
        await holder.append([user("too late")], lease=lease)
    await other.append([user("theirs")], lease=taken)
    assert await first.get_items() == [user("mine"), user("theirs")]


async def test_first_writers_of_a_new_database_all_succeed(tmp_path: Path) -> None:
    engines = [create_async_engine(f"sqlite+aiosqlite:///{tmp_path / 'a.db'}") for _ in range(4)]
    sessions = [SQLAlchemySession("x", engine=engine, create_tables=True) for engine in engines]
    await asyncio.gather(*(s.append([user(str(n))], agent="user") for n, s in enumerate(sessions * 3)))
    assert len(await sessions[0].get_items()) == 12
    for engine in engines:
        await engine.dispose()


async def test_first_writers_on_a_server_all_succeed(distant: Distant) -> None:
    await drop_tables(distant.near_engine)
    engines = [create_async_engine(distant.near_engine.url) for _ in range(3)]
    sessions = [SQLAlchemySession("x", engine=engine, create_tables=True) for engine in engines]
    await asyncio.gather(*(s.append([user(str(n))], agent="user") for n, s in enumerate(sessions * 3)))
    assert len(await sessions[0].get_items()) == 9
    for engine in engines:
        await engine.dispose()
