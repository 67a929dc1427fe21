"""Making an engine from a URL, with one sentence for what is wrong with it. No URL is ever repeated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from .errors import StoreUnavailable

if TYPE_CHECKING:
    from sqlalchemy.engine import URL
    from sqlalchemy.ext.asyncio import AsyncEngine

ASYNC = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
    "mysql": "mysql+aiomysql",
    "mariadb": "mariadb+aiomysql",
}


def asynchronous_scheme(url: str) -> str | None:
    """How a URL without an asynchronous driver should begin; None for one that has it, or cannot have it."""
    scheme = url.strip().partition(":")[0].lower()
    better = ASYNC.get(scheme.partition("+")[0])
    return better if better is not None and better != scheme else None


CONNECTING = 10  # seconds to wait for a server to take a connection
OPTIONS: dict[str, dict[str, Any]] = {
    "postgresql+asyncpg": {"connect_args": {"timeout": CONNECTING}},
    "mysql+aiomysql": {"connect_args": {"connect_timeout": CONNECTING}, "pool_recycle": 3600},
    "mariadb+aiomysql": {"connect_args": {"connect_timeout": CONNECTING}, "pool_recycle": 3600},
}


def make_engine(url: str, engine_kwargs: dict[str, Any]) -> AsyncEngine:
    """An async engine for `url`; `engine_kwargs` win over what is set here."""
    try:
        from sqlalchemy import event, make_url
        from sqlalchemy.exc import ArgumentError
        from sqlalchemy.ext.asyncio import create_async_engine
    except ImportError:
        raise StoreUnavailable(
            "SQLAlchemy is missing: pip install 'sqlalchemy[asyncio]'", "no_driver"
        ) from None

    try:
        parsed = make_url(url)
        if "\0" in unquote(url) or not url.encode():  # no name, path or word of a database holds a NUL
            raise ValueError
    except (ArgumentError, ValueError):  # a port that is no number, half an address, text that has no bytes
        raise StoreUnavailable(
            "That is no database URL; one looks like postgresql+asyncpg://user@host/name.", "bad_url"
        ) from None
    family = parsed.get_backend_name()
    asynchronous = ASYNC.get(family)
    if asynchronous is None:
        raise StoreUnavailable(
            f"Sessions can lie in SQLite, PostgreSQL, MySQL and MariaDB, not in {family}.", "bad_url"
        )
    if parsed.drivername == family:
        raise StoreUnavailable(
            f"This URL names no asynchronous driver: begin it with {asynchronous}:// instead.", "sync_url"
        )
    _must_be_asynchronous(parsed, asynchronous)
    options = {"hide_parameters": True, **OPTIONS.get(parsed.drivername, {}), **engine_kwargs}
    try:
        engine = create_async_engine(parsed, **options)
    except ImportError as error:
        package = (error.name or parsed.get_driver_name()).partition(".")[0]
        raise StoreUnavailable(
            f"The driver of this database is missing: pip install {package}", "no_driver"
        ) from None
    event.listen(engine.sync_engine, "do_connect", _connect)
    if family == "sqlite":
        event.listen(engine.sync_engine, "connect", _prepare_sqlite(parsed))
    return engine


def _must_be_asynchronous(url: URL, better: str) -> None:
    """Raise StoreUnavailable where it is not, whether or not the driver is there: it would be of no use."""
    from sqlalchemy.exc import NoSuchModuleError

    driver = url.get_driver_name()
    try:
        dialect = url.get_dialect()
        asynchronous = dialect.get_async_dialect_cls(url).is_async
    except NoSuchModuleError:
        raise StoreUnavailable(
            f"SQLAlchemy knows no driver {driver} for {url.get_backend_name()}: "
            f"begin the URL with {better}:// instead.",
            "sync_url",
        ) from None
    if not asynchronous:
        raise StoreUnavailable(
            f"The driver {driver} is not asynchronous: begin the URL with {better}:// instead.", "sync_url"
        )


def _connect(dialect: Any, record: Any, arguments: Any, options: Any) -> Any:
    """A connection of the driver. What it makes nothing of in a URL it reports as if it were a bug of ours.

    A driver's own errors and the system's pass: what they mean is told elsewhere.
    """
    try:
        return dialect.connect(*arguments, **options)
    except (TypeError, ValueError, OverflowError, AttributeError, LookupError):
        raise StoreUnavailable(
            "The driver of this database does not take something in the URL; check its port and its options.",
            "url_setting",
        ) from None


def _prepare_sqlite(url: URL) -> Any:
    """Durable and discreet, as our own SQLite; a file made here is in WAL mode."""
    path = Path(url.database) if url.database and not url.database.startswith((":", "file:")) else None

    def prepare(connection: Any, record: Any) -> None:
        new = path is not None and not (path.exists() and path.stat().st_size)
        cursor = connection.cursor()
        try:
            cursor.execute("PRAGMA busy_timeout = 5000")
            if new:
                cursor.execute("PRAGMA journal_mode = WAL")
            cursor.execute("PRAGMA synchronous = FULL")
            cursor.execute("PRAGMA secure_delete = ON")
        finally:
            cursor.close()

    return prepare
