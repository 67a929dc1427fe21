"""How a program that writes a file again and again leaves room for others that want to."""

from __future__ import annotations

import sqlite3
import time


class Turn:
    """Gives way to other programs now and then, when one write follows the other without a gap.

    Whoever waits for the file's lock asks for it every few milliseconds (`sqlite_file.NAP`). A writer that
    takes it again at once would keep it for as long as it has work. Where others were seen to write, it is
    their turn sooner.
    """

    LONGEST, LONGEST_BESIDE_OTHERS = 1.0, 0.1  # seconds of writing without a gap
    LOOK = 0.01  # seconds between two looks for others
    GAP = 0.006  # seconds in which others can take the lock
    KEPT_IN_MIND = 30.0  # seconds since others were seen: room is left for them
    JUST_NOW = 1.0  # seconds since others were seen: they are likely to hold the file

    def __init__(self) -> None:
        self._began = self._ended = self._looked = 0.0
        self._met = -self.KEPT_IN_MIND
        self._version: int | None = None

    def begin(self, connection: sqlite3.Connection | None) -> None:
        """Before a write on this connection: wait a moment, if it is time for that."""
        if self._due(self._since(connection) < self.KEPT_IN_MIND):
            time.sleep(self.GAP)
            self._began = time.monotonic()

    def free(self, connection: sqlite3.Connection) -> bool:
        """The same for a caller who cannot wait: whether nobody else writes and it is no time for a pause."""
        since = self._since(connection)
        return since >= self.JUST_NOW and not self._due(since < self.KEPT_IN_MIND)

    def _since(self, connection: sqlite3.Connection | None) -> float:
        """Seconds since others were seen to write."""
        now = time.monotonic()
        if connection is not None and now - self._looked >= self.LOOK:
            self._looked = now
            (version,) = connection.execute("PRAGMA data_version").fetchone()
            if self._version is not None and version != self._version:
                self._met = now  # it differs for the commits of others alone
            self._version = version
        return now - self._met

    def _due(self, beside: bool) -> bool:
        """Whether to pause before the write that begins now."""
        now = time.monotonic()
        if now - self._ended >= self.GAP:
            self._began = now
        return now - self._began >= (self.LONGEST_BESIDE_OTHERS if beside else self.LONGEST)

    def end(self) -> None:
        """After a write."""
        self._ended = time.monotonic()
