"""Where a SQLite database lies: opening it, noticing when it is not the same file any more, and the words.

SQLite trusts the names of its files. A write-ahead log that lies beside another database than its own is
laid over that one, so a file that was replaced while its log was in use is refused until the log is gone.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote as url_quote

from .errors import NotErased, StoreUnavailable

T = TypeVar("T")

STILL_READ = (
    "The items were deleted, but another program is reading {}, so its write-ahead log still holds their "
    "text; purge again when that program is done."
)

STILL_HELD = "The items were deleted, but it may still hold their text; purge again."

PATIENCE = 5.0  # seconds to wait for another program's lock
NAP = 0.005  # seconds SQLite waits by itself: it sleeps ever longer, and would starve beside a busy writer
MEMORY = ":memory:"
UNCHANGED = "Nothing was changed."

Identity = tuple[int, int]
"""What tells a file from another one put in its place: device and inode."""


class Place:
    """The file of a database, or a memory where `path` is None; shared by the connections into it."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.name = path.name if path is not None else "the in-memory store"
        self.unerased: set[str] = set()  # whose deleted text the file may still hold (see `unerased`)
        self._known: Identity | None = None
        self._known_log: Identity | None = None

    def look(self) -> Identity | None:
        """The file that is there now, None before there is one.

        Raises StoreUnavailable if the one in use is gone, or was replaced and left its log behind.
        """
        if self.path is None:
            return (0, 0)  # a memory is always itself
        found = identity_of(self.path)
        if self._known is None or found == self._known:
            return found
        if found is None:
            raise StoreUnavailable(
                f"The file {self.name} was removed while it was in use; put it back, or restart to begin a "
                "new one."
            )
        if self._known_log is not None and identity_of(_log_of(self.path)) == self._known_log:
            raise StoreUnavailable(
                f"The file {self.name} was replaced while it was in use, and the log of the old one still "
                f"lies beside it; remove {self.name}-wal and {self.name}-shm and try again. {UNCHANGED}"
            )
        self._known = self._known_log = None
        return found

    def connect(self, *, write: bool) -> tuple[sqlite3.Connection, Identity | None]:
        """A new connection and the file it is to. Reading changes no byte of the file."""
        if self.path is None:
            return _prepared(_connect(MEMORY)), (0, 0)
        if self.path.is_dir():
            raise StoreUnavailable(
                f"{self.name} is a folder, not a file; choose another place. {UNCHANGED}", "unopened"
            )
        if write:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            new = not (self.path.exists() and self.path.stat().st_size)
            connection = _prepared(_connect(str(self.path)), wal=new)
        else:
            connection = _read_only(self.path)
        self._known = identity_of(self.path)
        return connection, self._known

    def note_log(self) -> None:
        """Remember the write-ahead log of the file, once there is one."""
        if self._known_log is None and self.path is not None:
            self._known_log = identity_of(_log_of(self.path))

    def patiently(self, work: Callable[[], T]) -> T:
        """Do the work, again from its start while another program holds the file, up to `PATIENCE`."""
        give_up: float | None = None
        while True:
            try:
                return work()
            except sqlite3.OperationalError as error:
                now = time.monotonic()
                give_up = give_up or now + PATIENCE
                if _code(error) != sqlite3.SQLITE_BUSY or now >= give_up:
                    raise
            time.sleep(0.001)

    @contextmanager
    def named(self, outcome: str = UNCHANGED) -> Iterator[None]:
        """Turn what SQLite and the system report into StoreUnavailable: a sentence, then `outcome`."""
        try:
            yield
        except sqlite3.Error as error:
            raise StoreUnavailable(f"{_sentence(error, self.name)} {outcome}", _why(error)) from error
        except OSError as error:
            raise StoreUnavailable(
                f"The folder of {self.name} cannot be used ({error.strerror}); choose another one. {outcome}",
                "unopened",
            ) from error

    @contextmanager
    def erasing(self) -> Iterator[None]:
        """The same for what has to go from the file after it was deleted: NotErased."""
        try:
            with self.named(STILL_HELD):
                yield
        except StoreUnavailable as error:
            raise NotErased(str(error)) from error


def _connect(target: str, uri: bool = False) -> sqlite3.Connection:
    # check_same_thread: opened and used on the worker, but closed by whoever ends the process.
    return sqlite3.connect(target, timeout=NAP, isolation_level=None, uri=uri, check_same_thread=False)


def _prepared(connection: sqlite3.Connection, *, wal: bool = False) -> sqlite3.Connection:
    """The connection, made durable and discreet; in WAL mode if the file is new."""
    try:
        if wal:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("PRAGMA synchronous = FULL").fetchall()
        connection.execute("PRAGMA secure_delete = FAST").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _read_only(path: Path) -> sqlite3.Connection:
    """Open a file without ever changing it.

    A write-ahead log cannot be read in a folder that cannot be written, since readers share an index file
    there; if the log is empty, what the file itself holds is all there is.
    """
    target = f"file:{url_quote(path.as_posix())}"
    connection = _connect(f"{target}?mode=ro", uri=True)
    try:
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    except sqlite3.Error as error:
        connection.close()
        log = _log_of(path)
        unopened = _code(error) == sqlite3.SQLITE_CANTOPEN
        if unopened and path.is_file() and not (log.exists() and log.stat().st_size):
            return _connect(f"{target}?mode=ro&immutable=1", uri=True)
        raise
    return connection


def identity_of(path: Path) -> Identity | None:
    """The file at `path`, None if there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return (found.st_dev, found.st_ino)


def _log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code, 0 for an error of the driver itself."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _why(error: sqlite3.Error) -> str:
    """The cause in one word, as StoreUnavailable names it; ``""`` where it is not known."""
    words = {
        sqlite3.SQLITE_BUSY: "held",
        sqlite3.SQLITE_LOCKED: "held",
        sqlite3.SQLITE_FULL: "full",
        sqlite3.SQLITE_READONLY: "read_only",
        sqlite3.SQLITE_CANTOPEN: "unopened",
        sqlite3.SQLITE_NOTADB: "not_a_database",
        sqlite3.SQLITE_CORRUPT: "damaged",
        sqlite3.SQLITE_INTERRUPT: "interrupted",
    }
    return words.get(_code(error), "")


def _sentence(error: sqlite3.Error, name: str) -> str:
    """What is wrong and what to do next. Names the file, not its folder."""
    sentences = {
        sqlite3.SQLITE_BUSY: f"Another program has held {name} for over {PATIENCE:g} seconds; try again.",
        sqlite3.SQLITE_LOCKED: f"Another part of this program holds {name}; try again.",
        sqlite3.SQLITE_FULL: f"The disk that holds {name} is full; make room and try again.",
        sqlite3.SQLITE_READONLY: f"{name} may not be written; check its permissions or choose another place.",
        sqlite3.SQLITE_CANTOPEN: f"{name} cannot be opened; check that it is a file and may be read.",
        sqlite3.SQLITE_NOTADB: f"{name} is not a SQLite database; it was left as it is. Choose another file.",
        sqlite3.SQLITE_CORRUPT: f"{name} is damaged; it was left as it is. Restore a copy of it.",
        sqlite3.SQLITE_IOERR: f"Reading or writing {name} failed; check the disk and try again.",
        sqlite3.SQLITE_TOOBIG: f"The item is too large for {name}.",
    }
    return sentences.get(_code(error), f"{name} cannot be used: {error}.")
