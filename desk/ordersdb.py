"""The file the orders live in: opened for each piece of work, made by the first write.

A connection per piece of work costs a fraction of a millisecond and keeps nothing that could be stale: the
file may be deleted, replaced or written by another process between any two of them. Every write is one
`BEGIN IMMEDIATE` transaction, so a crash leaves the state before or the state after; in rollback-journal
mode there is no write-ahead log, and `secure_delete` leaves no trace of what was erased.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from .effects import Effect, OrdersUnavailable
from .samples import Record

WAIT = 10.0  # seconds to wait for another process's lock

_VERSION = 1
_SCHEMA = (
    "CREATE TABLE orders (position INTEGER PRIMARY KEY, order_id TEXT NOT NULL UNIQUE, data TEXT NOT NULL)",
    # The era grows when the samples are restored: effects of earlier eras are history, no longer in force.
    "CREATE TABLE era (number INTEGER NOT NULL)",
    "INSERT INTO era VALUES (1)",
    "CREATE TABLE effects (id INTEGER PRIMARY KEY AUTOINCREMENT, era INTEGER NOT NULL,"
    " order_id TEXT NOT NULL, kind TEXT NOT NULL, call_id TEXT NOT NULL UNIQUE, session TEXT NOT NULL,"
    " at TEXT NOT NULL, asked TEXT NOT NULL, detail TEXT NOT NULL, before TEXT)",
    "CREATE TABLE summarised (effect_id INTEGER NOT NULL REFERENCES effects (id), order_id TEXT NOT NULL)",
    # An order is refunded or cancelled at most once, whatever the call id.
    "CREATE UNIQUE INDEX settled_once ON effects (era, order_id) WHERE kind IN ('refund', 'cancel')",
    "CREATE INDEX effects_of_order ON effects (order_id, id)",
    "CREATE INDEX effects_of_session ON effects (session, id)",
    "CREATE INDEX summaries_of_order ON summarised (order_id)",
    f"PRAGMA user_version = {_VERSION}",
)

EFFECT = (
    "SELECT id, order_id, kind, call_id, session, at, detail, before,"
    " era = (SELECT number FROM era) FROM effects"
)


class OrdersDatabase:
    """The database at `path`, or one in memory for `":memory:"`."""

    def __init__(self, path: Path | str) -> None:
        self._path = None if path == ":memory:" else Path(path)
        self._kept: sqlite3.Connection | None = None  # only the database in memory is kept open
        self._lock = threading.RLock()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection | None]:
        """A connection to read one state with, or None while nothing was ever written."""
        with _clear_errors():
            if self._path is None:
                with self._lock:
                    yield self._kept if self._kept and _is_made(self._kept) else None
            elif not self._path.exists():
                yield None
            else:
                # "rw" opens what exists and makes nothing, and may roll back what a killed process left.
                with closing(self._connect(f"{self._path.absolute().as_uri()}?mode=rw")) as db:
                    db.execute("BEGIN")
                    yield db if _is_made(db) else None

    @contextmanager
    def writing(self, samples: Mapping[str, Record]) -> Iterator[sqlite3.Connection]:
        """A connection inside one write transaction: committed at the end, rolled back at an error.

        A new file is filled with the samples in the same transaction.
        """
        with _clear_errors(), self._lock, self._opened() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                if not _is_made(db):
                    for statement in _SCHEMA:
                        db.execute(statement)
                    fill(db, samples)
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Let go of the database in memory. A file is not held open."""
        with self._lock:
            if self._kept is not None:
                self._kept.close()
                self._kept = None

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        if self._path is None:
            self._kept = self._kept or self._connect(":memory:")
            yield self._kept
        else:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._connect(f"{self._path.absolute().as_uri()}?mode=rwc")) as db:
                db.execute("PRAGMA secure_delete = ON")
                db.execute("PRAGMA synchronous = FULL")
                yield db

    def _connect(self, uri: str) -> sqlite3.Connection:
        # Used by one thread at a time: a file's connection by the one that opened it, the kept one under
        # the lock.
        return sqlite3.connect(uri, uri=True, timeout=WAIT, isolation_level=None, check_same_thread=False)


def fill(db: sqlite3.Connection, samples: Mapping[str, Record]) -> None:
    """Make the orders the samples."""
    db.execute("DELETE FROM orders")
    rows = [(key, to_json(record)) for key, record in samples.items()]
    db.executemany("INSERT INTO orders (order_id, data) VALUES (?, ?)", rows)


def to_json(value: object) -> str:
    """As stored: one spelling for one value, real characters."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode()  # half a character cannot be stored: "?" stands for it


def read_effect(row: tuple[Any, ...]) -> Effect:
    """The effect of a row of `EFFECT`."""
    effect_id, order_id, kind, call_id, session, at, detail, before, current = row
    return Effect(
        id=effect_id,
        order_id=order_id,
        kind=kind,
        call_id=call_id,
        session=session,
        at=datetime.fromisoformat(at),
        detail=json.loads(detail),
        before=None if before is None else json.loads(before),
        current=bool(current),
    )


def _is_made(db: sqlite3.Connection) -> bool:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > _VERSION:
        raise OrdersUnavailable("The orders' file was written by a newer version of the desk.")
    return bool(version)


@contextmanager
def _clear_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            message = "The orders' file is locked by another program. Nothing was changed; try again."
        else:
            message = f"The orders' file cannot be used: {error}. Nothing was changed."
        raise OrdersUnavailable(message) from error
    except (sqlite3.Error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise OrdersUnavailable(f"The orders' file cannot be used: {reason}. Nothing was changed.") from error
    except ValueError as error:
        raise OrdersUnavailable("The orders' file holds a row that cannot be read.") from error
