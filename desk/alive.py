"""Which of the servers on the same data still live, so that what a dead one held is free at once.

Each holds a lock from its first run on, on a file named for it. The system lets go of the lock when the
process ends, however it ends. The lock is SQLite's, on a file that stays empty: it is the same everywhere.
"""

from __future__ import annotations

import re
import sqlite3
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

_OWNER = re.compile(r"[0-9a-f]{32}")

KEPT = 24 * 60 * 60.0  # seconds after which the file of a server that died is removed


class Alive:
    """The lock of one server, and the look at those of others. From any thread."""

    def __init__(self, folder: Path, owner: str) -> None:
        self._folder, self._owner = folder, owner
        self._guard = threading.Lock()
        self._lock: sqlite3.Connection | None = None
        self._dead: set[str] = set()

    def begin(self) -> None:
        """Say that this server lives. Where that cannot be written, the others wait for it to fall silent."""
        with self._guard, suppress(OSError, sqlite3.Error):
            if self._lock is not None:
                return
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(self._file(self._owner))
            self._tidy()

    def dead(self, owner: str) -> bool:
        """Whether this was a server on the same data that has ended. False where that is not known."""
        if owner == self._owner or not _OWNER.fullmatch(owner):
            return False
        if owner not in self._dead and _free(self._file(owner)):
            self._dead.add(owner)
        return owner in self._dead

    def close(self, *, holds: bool) -> None:
        """Say that this server has ended. While it `holds` anything still, its file tells the others so."""
        with self._guard, suppress(OSError, sqlite3.Error):
            if self._lock is not None:
                self._lock.close()
                self._lock = None
                if not holds:
                    self._file(self._owner).unlink(missing_ok=True)

    def _file(self, owner: str) -> Path:
        return self._folder / f"server-{owner}.lock"

    def _tidy(self) -> None:
        for left in self._folder.glob("server-*.lock"):
            if left.stat().st_mtime < time.time() - KEPT and _free(left):
                left.unlink(missing_ok=True)


def _locked(file: Path) -> sqlite3.Connection:
    """A connection that holds the lock of a file, which is made for it. No file is left without its lock."""
    lock = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error:
        lock.close()
        file.unlink(missing_ok=True)
        raise
    return lock


def _free(file: Path) -> bool:
    """Whether the file is there and nobody holds its lock."""
    if not file.exists():
        return False
    try:
        with closing(sqlite3.connect(file, timeout=0.0, isolation_level=None)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error:
        return False
    return True
