"""What is SQLAlchemySession's own: engines and URLs, tables that may not be made, words for trouble."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from memory import RollBack, SQLAlchemySession, StoreUnavailable, sessions_in

from . import servers
from .items import turns, user

SERVERS = {"postgresql": servers.postgres, "mariadb": servers.mariadb}


@pytest.fixture
async def file(tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    engine = create_async_engine(f"sqlite+aiosqlite:///{tmp_path / 'a.db'}")
    yield engine
    await engine.dispose()


@pytest.fixture(params=SERVERS)
async def server(request: pytest.FixtureRequest) -> AsyncIterator[AsyncEngine]:
    engine = create_async_engine(SERVERS[request.param]())
    yield engine
    async with engine.begin() as connection:
        for table in await connection.run_sync(lambda c: _tables(c)):
            await connection.execute(text(f"DROP TABLE {table}"))
    await engine.dispose()


def _tables(connection: Any) -> list[str]:
    from sqlalchemy import inspect

    names = inspect(connection).get_table_names()
    return sorted((name for name in names if name.startswith("agent_")), key=lambda n: n == "agent_sessions")


# URLs and engines


@pytest.mark.parametrize(
    ("url", "better"),
    [
        ("sqlite:///a.db", "sqlite+aiosqlite://"),
        ("postgresql://me:secret@host/name", "postgresql+asyncpg://"),
        ("postgres://me:secret@host/name", "postgresql+asyncpg://"),
        ("postgresql+pg8000://me:secret@host/name", "postgresql+asyncpg://"),
        ("postgresql+psycopg2://me:secret@host/name", "postgresql+asyncpg://"),
        ("postgresql+nosuch://me:secret@host/name", "postgresql+asyncpg://"),
        ("mysql+mysqldb://me:secret@host/name", "mysql+aiomysql://"),
        ("mysql+mysqlconnector://me:secret@host/name", "mysql+aiomysql://"),
        ("mariadb+mariadbconnector://me:secret@host/name", "mariadb+aiomysql://"),
        ("mysql://me:secret@host/name", "mysql+aiomysql://"),
        ("mysql+pymysql://me:secret@host/name", "mysql+aiomysql://"),
        ("mariadb://me:secret@host/name", "mariadb+aiomysql://"),
        ("sqlite+pysqlite:///a.db", "sqlite+aiosqlite://"),
        ("sqlite+pysqlcipher:///a.db", "sqlite+aiosqlite://"),
    ],
)
def test_a_synchronous_url_is_told_the_asynchronous_one(url: str, better: str) -> None:
    with pytest.raises(StoreUnavailable) as caught:
        SQLAlchemySession.from_url("x", url=url)
    assert better in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "package"),
    [
        ("postgresql+asyncpg://me:secret@host/name", "asyncpg"),
        ("mysql+aiomysql://me:secret@host/name", "aiomysql"),
        ("sqlite+aiosqlite:///a.db", "aiosqlite"),
    ],
)
def test_a_missing_driver_is_named_with_its_package(
    monkeypatch: pytest.MonkeyPatch, url: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(StoreUnavailable, match=f"pip install {package}$") as caught:
        SQLAlchemySession.from_url("x", url=url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["", "not a url", "oracle+oracledb://me:secret@host/x", "nosuch://x"])
def test_a_url_that_is_of_no_use_is_refused_without_being_repeated(url: str) -> None:
    with pytest.raises(StoreUnavailable, match=r"\.$") as caught:
        SQLAlchemySession.from_url("x", url=url)
    assert "secret" not in str(caught.value)


async def test_an_engine_that_was_handed_over_is_left_open(file: AsyncEngine) -> None:
    session = SQLAlchemySession("x", engine=file, create_tables=True)
    await session.add_items([user()])
    await session.close()
    assert session.engine is file
    assert await session.get_items() == [user()]


async def test_a_session_from_a_url_has_an_engine_of_its_own(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'a.db'}"
    session = SQLAlchemySession.from_url("x", url=url, create_tables=True, engine_kwargs={"echo": False})
    await session.add_items([user()])
    await session.close()
    again = SQLAlchemySession.from_url("x", url=url)
    assert await again.get_items() == [user()]
    await again.close()


async def test_settings_may_be_a_dict(file: AsyncEngine) -> None:
    session = SQLAlchemySession("x", engine=file, create_tables=True, session_settings={"limit": 1})
    await session.add_items([user("one"), user("two")])
    assert await session.get_items() == [user("two")]


@pytest.mark.parametrize(("ensure_ascii", "stored"), [(True, "\\u7968"), (False, "票")])
async def test_text_is_stored_in_ascii_unless_asked_otherwise(
    file: AsyncEngine, ensure_ascii: bool, stored: str
) -> None:
    session = SQLAlchemySession("x", engine=file, create_tables=True, ensure_ascii=ensure_ascii)
    await session.add_items([user("票")])
    (entry,) = (await session.timeline()).entries
    assert stored in entry.raw
    assert await session.get_items() == [user("票")]


def test_sessions_on_one_engine_work_in_one_event_loop_after_another(tmp_path: Path) -> None:
    session = SQLAlchemySession.from_url(
        "x", url=f"sqlite+aiosqlite:///{tmp_path / 'a.db'}", create_tables=True
    )

    async def ask(question: str) -> int:
        await session.add_items([user(question)])
        count = len(await session.get_items())
        await session.close()
        return count

    assert [asyncio.run(ask(str(number))) for number in range(3)] == [1, 2, 3]


# Tables


async def test_nothing_is_made_where_it_was_not_asked_for(file: AsyncEngine) -> None:
    session = SQLAlchemySession("x", engine=file)
    assert await session.get_items() == []
    assert await session.pop_item() is None
    assert (await session.timeline()).entries == ()
    with pytest.raises(StoreUnavailable, match="create_tables=True"):
        await session.add_items([user()])
    async with file.connect() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM sqlite_master"))).scalar() == 0


async def test_reading_and_appending_make_no_table_of_ours(server: AsyncEngine) -> None:
    session = SQLAlchemySession("x", engine=server, create_tables=True)
    await session.add_items(turns(1))
    await session.timeline()
    async with server.connect() as connection:
        assert await connection.run_sync(_tables) == ["agent_messages", "agent_sessions"]


async def test_ids_that_share_a_long_beginning_are_different_sessions(server: AsyncEngine) -> None:
    for length in (189, 190, 191, 400):
        first, second = (
            SQLAlchemySession("x" * length + end, engine=server, create_tables=True) for end in "ab"
        )
        await first.add_items([user("first")])
        assert await second.get_items() == []
        await second.add_items([user("second")])
        assert await first.get_items() == [user("first")]


async def test_ids_that_differ_in_case_accents_or_blanks_are_different_sessions(server: AsyncEngine) -> None:
    ids = ["abc", "Abc", "abc ", "äbc", "ABC", " abc"]
    for id_ in ids:
        await SQLAlchemySession(id_, engine=server, create_tables=True).add_items([user(id_)])
    for id_ in ids:
        session = SQLAlchemySession(id_, engine=server)
        assert await session.get_items() == [user(id_)]
        await session.append([user("again")], agent="Triage")
        assert len(await session.get_items()) == 2
    found = await sessions_in(session.database, session.scope.tables)
    assert sorted(name for name, _ in found) == sorted(ids)


@pytest.mark.parametrize("id_", ["".join(map(chr, range(0x4E00, 0x4E00 + 9000))), "nul\x00"])
async def test_an_id_the_database_cannot_hold_is_refused(server: AsyncEngine, id_: str) -> None:
    session = SQLAlchemySession(id_, engine=server, create_tables=True)
    holds = server.dialect.name == "mysql" and "\x00" in id_  # bytes may be anything
    if holds:
        await session.add_items([user()])
        assert await session.get_items() == [user()]
        return
    with pytest.raises(StoreUnavailable, match=r"Nothing was changed\.$"):
        await session.add_items([user()])


async def test_a_long_item_comes_back_whole(server: AsyncEngine) -> None:
    session = SQLAlchemySession("x", engine=server, create_tables=True, ensure_ascii=False)
    item = user("🎫票" * 100_000)
    await session.add_items([item])
    assert await session.get_items() == [item]


async def test_tables_of_others_that_do_not_tell_ids_apart_are_refused() -> None:
    engine = create_async_engine(servers.mariadb())
    async with engine.begin() as connection:
        for statement in (
            "CREATE TABLE agent_sessions (session_id VARCHAR(100) PRIMARY KEY, created_at TIMESTAMP NOT NULL "
            "DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP)",
            "CREATE TABLE agent_messages (id INTEGER AUTO_INCREMENT PRIMARY KEY, session_id VARCHAR(100) NOT "
            "NULL, message_data TEXT NOT NULL, created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, "
            "FOREIGN KEY (session_id) REFERENCES agent_sessions (session_id))",
        ):
            await connection.execute(text(statement))
    await SQLAlchemySession("Ticket", engine=engine).add_items([user()])
    with pytest.raises(StoreUnavailable, match="another one's"):
        await SQLAlchemySession("ticket", engine=engine).add_items([user()])
    async with engine.begin() as connection:
        for table in ("agent_messages", "agent_sessions"):
            await connection.execute(text(f"DROP TABLE {table}"))
    await engine.dispose()


# Changes of others


async def test_a_revision_tells_what_another_engine_changed(server: AsyncEngine) -> None:
    session = SQLAlchemySession("x", engine=server, create_tables=True)
    await session.add_items(turns(2))
    other_engine = create_async_engine(server.url)
    other = SQLAlchemySession("x", engine=other_engine, create_tables=True)
    seen = [await session.revision()]
    assert await session.revision() == seen[0]

    async def differs() -> None:
        now = await session.revision()
        assert now not in seen
        seen.append(now)

    await other.add_items([user()])
    await differs()
    await other.pop_item()
    await differs()
    await other.undo()
    await differs()
    await other.note("stopped")
    await differs()
    lease = await other.acquire("run", 30)
    await differs()
    await other.release(lease)
    await differs()
    await other_engine.dispose()


async def test_a_row_that_lands_before_the_newest_is_counted(server: AsyncEngine) -> None:
    """As the SDK's class stores it: with the time at which its transaction began."""
    session = SQLAlchemySession("x", engine=server, create_tables=True)
    await session.add_items(turns(2))
    assert (await session.timeline()).total == 8
    async with server.begin() as connection:
        await connection.execute(
            text(
                "INSERT INTO agent_messages (session_id, message_data, created_at) "
                'VALUES (\'x\', \'{"role": "user", "content": "late"}\', \'2001-02-03 04:05:06\')'
            )
        )
    timeline = await session.timeline()
    assert (timeline.total, timeline.turns) == (9, 3)
    assert [entry.position for entry in timeline.entries] == list(range(1, 10))
    assert timeline.entries[0].item == user("late")
    plan = await session.plan(RollBack(to=timeline.entries[0].id))
    assert plan.removed == 8
    await session.apply(plan)
    assert await session.get_items() == [user("late")]
    await session.undo()
    assert await session.get_items() == [user("late"), *turns(2)]
