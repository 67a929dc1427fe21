"""How long what is said in an encrypted session may be read: chosen by a person, kept with the desk's data.

A lifetime is a rule for reading. Changing it neither revives nor erases anything that is stored.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

from .values import Address

WAITING = 10.0  # seconds to wait for another server that chooses at this moment


class Lifetimes:
    """Seconds by address, in a small JSON file that is made by the first choice.

    Safe from any thread, and for several servers on the same data: who chooses holds a lock beside the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._known: tuple[tuple[int, int, int], dict[str, int]] | None = (
            None  # as the file was, what it held
        )

    def of(self, address: Address) -> int | None:
        """The lifetime of a session's items in seconds; None where they live for ever.

        Another server on the same data may have chosen it. Cheap: the file is read again when it changed.
        """
        try:
            found = self._path.stat()
        except OSError:
            return None
        state = (found.st_ino, found.st_size, found.st_mtime_ns)
        if self._known is None or self._known[0] != state:
            self._known = (state, self._read())
        return self._known[1].get(str(address))

    def chosen(self) -> list[Address]:
        """The sessions for which one was chosen."""
        return [Address(backend, id_) for backend, _, id_ in (name.partition("/") for name in self._read())]

    def choose(self, address: Address, seconds: int | None) -> None:
        """Set it. Raises OSError where the file cannot be written."""
        if seconds == self.of(address):
            return  # a session without a lifetime may be deleted: that makes no file
        with self._lock, self._alone():
            chosen = self._read()
            if seconds == chosen.get(str(address)):
                return
            if seconds is None:
                del chosen[str(address)]
            else:
                chosen[str(address)] = seconds
            self._write(chosen)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let no other server choose meanwhile. Raises OSError.

        The lock is SQLite's, on a database that stays empty: it is the same on every system, and a server
        that dies gives it free.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        place = self._path.with_suffix(".lock")
        try:
            with closing(sqlite3.connect(place, timeout=WAITING, isolation_level=None)) as lock:
                lock.execute("BEGIN EXCLUSIVE")
                yield
        except sqlite3.Error as error:
            raise OSError(f"{place.name} cannot be locked.") from error

    def _read(self) -> dict[str, int]:
        try:
            held = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(held, dict):
            return {}
        return {name: value for name, value in held.items() if type(value) is int and value > 0}

    def _write(self, chosen: dict[str, int]) -> None:
        """All or nothing: the file is replaced by a whole one."""
        with NamedTemporaryFile(
            "w", encoding="utf-8", dir=self._path.parent, prefix=self._path.name, delete=False
        ) as new:
            json.dump(chosen, new, indent=1, sort_keys=True)
            new.flush()
            os.fsync(new.fileno())
        Path(new.name).replace(self._path)
