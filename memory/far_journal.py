"""What an operation does to the messages, kept beside a far ledger until both have it; and the way back.

A journal says which rows are taken, which are added and whether all are cleared. It is durable before the
messages are committed. One that is found later, and whose token the ledger does not hold, belongs to an
operation that was cut off, and `settle` makes it whole, whatever the messages had got of it:

- Rows that were taken go back, rows that were added go. A row counts as one of the operation's only if it
  has the session, the id, the time and the text: a row of others that was given the same id stays.
- What was cleared cannot come back. If it is gone, what the ledger holds of it goes too.
"""

from __future__ import annotations

import base64
import json
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .entries import Key
from .far_ledger import FarLedger, Kept
from .statements import Many, Moved, Operation, Sql
from .tables import fingerprint

Known = tuple[str, str]
"""What tells a row from another one under its id: its time as the text in its key, and its fingerprint."""


@dataclass(slots=True)
class Journal:
    """`added` are the rows of each session by id, `begun` the sessions that had no row of their own before.

    `taken` are rows of `session`, and `cleared` is the highest id it had where all of it is cleared.
    """

    token: str = field(default_factory=lambda: secrets.token_hex(8))
    session: str = ""
    taken: list[Kept] = field(default_factory=list)
    added: dict[str, dict[int, Known | None]] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    cleared: int | None = None

    def __bool__(self) -> bool:
        """Whether anything is done to the messages."""
        return bool(self.taken or self.added or self.cleared is not None)

    def hear(self, moved: Moved, *, begins: bool) -> None:
        """Note down what is done to rows; `begins` says that their session had no row of its own."""
        added = self.added.get(moved.session, {})
        if moved.taken:
            self.session = moved.session
            self.taken += [row for row in moved.taken if row[0] not in added]
        if moved.added:
            self.added[moved.session] = added | {key[-1]: _known(key, text) for key, text in moved.added}
            if begins:
                self.begun.add(moved.session)

    # on disk

    def as_text(self) -> str:
        return json.dumps(
            {
                "token": self.token,
                "session": self.session,
                "taken": [[id_, at, _packed(text)] for id_, at, text in self.taken],
                "added": {session: list(rows.items()) for session, rows in self.added.items()},
                "begun": sorted(self.begun),
                "cleared": self.cleared,
            }
        )

    @classmethod
    def of(cls, text: str) -> Journal:
        """The inverse of `as_text`."""
        found = json.loads(text)
        journal = cls(
            found["token"],
            found["session"],
            [(id_, at, _unpacked(packed)) for id_, at, packed in found["taken"]],
            {
                session: {id_: (at, digest) for id_, (at, digest) in rows}
                for session, rows in found.get("added", {}).items()
            },
            set(found.get("begun", ())),
            found.get("cleared"),
        )
        # One of an earlier version has the ids of rows and no more, and began the session of a branch.
        for session, ids in (found["session"], "placed"), (found.get("into"), "copied"):
            if found.get(ids):
                journal.added.setdefault(session, {}).update(dict.fromkeys(found[ids]))
                journal.begun |= {session} if ids == "copied" else set()
        return journal

    # making it whole

    def settle(self, ledger: FarLedger) -> Operation[None]:
        """Take the operation back, or complete what cannot be taken back."""
        yield from self._lock(ledger)
        if self.cleared is not None:
            yield from self._complete(ledger)
        else:
            yield from self._take_back(ledger)

    def _lock(self, ledger: FarLedger) -> Operation[None]:
        """Wait until the server has heard of the end of the one that was cut off."""
        tables = ledger.tables
        for session in dict.fromkeys([*([self.session] if self.session else []), *self.added]):
            if session in self.begun:  # there may be no row yet that could be waited for
                yield from tables.parent(session)
            yield from tables.lock(session)

    def _take_back(self, ledger: FarLedger) -> Operation[None]:
        tables = ledger.tables
        for session, rows in self.added.items():
            found = yield from tables.some(session, [("", id_) for id_ in rows])
            ours = [
                row.key[-1]
                for row in found
                if rows[row.key[-1]] in (None, (row.key[0], fingerprint(row.raw)))
            ]
            yield Many(f"DELETE {tables.own} AND id = :id", [{"session": session, "id": id_} for id_ in ours])
        if self.taken:
            yield from self._restore(ledger)
        for session in self.begun:
            # One that an edit had emptied stays, with its undo.
            if not (yield from ledger.there()) or not (yield from ledger.history(session)):
                yield from tables.forget_empty(session)

    def _restore(self, ledger: FarLedger) -> Operation[None]:
        """Put the rows that were taken back, under new ids where others have used theirs."""
        tables = ledger.tables
        standing = yield from tables.some(self.session, [("", id_) for id_, _, _ in self.taken])
        there = {(row.key[-1], row.key[0], fingerprint(row.raw)) for row in standing}
        gone = [row for row in self.taken if (row[0], *_known((row[1], row[0]), row[2])) not in there]
        used = set()
        for id_, _, _ in gone:
            if (yield Sql(f"SELECT id FROM {tables.messages} WHERE id = :id", {"id": id_})):
                used.add(id_)
        yield tables.restoring(self.session, [row for row in gone if row[0] not in used])
        yield tables.restoring(self.session, [row for row in gone if row[0] in used], anew=True)

    def _complete(self, ledger: FarLedger) -> Operation[None]:
        tables = ledger.tables
        if (yield Sql(f"SELECT 1 {tables.own} AND id <= :top LIMIT 1", self._cleared_up_to())):
            return  # it was cut off before anything was gone
        yield from tables.forget_empty(self.session)
        if (yield from ledger.there()):
            yield from ledger.forget(self.session)
        yield ledger.outdated()  # it may have been cut off on the way to erasing it

    def _cleared_up_to(self) -> dict[str, Any]:
        return {"session": self.session, "top": self.cleared}


class Shelf:
    """Where the journal of one ledger lies: in a file beside it, or in memory with a ledger that does."""

    def __init__(self, path: Path | None, memory: dict[str, Journal], name: str) -> None:
        self.path = path and path.with_name(f"{path.name}-{name}-journal")
        self._memory, self._name = memory, name

    def holds(self) -> bool:
        return self.path.exists() if self.path else self._name in self._memory

    def keep(self, journal: Journal) -> None:
        """Durably, where it is a file."""
        if self.path:
            _write_durably(self.path, journal.as_text())
        else:
            self._memory[self._name] = journal

    def found(self) -> Journal | None:
        if not self.path:
            return self._memory.get(self._name)
        with suppress(FileNotFoundError):
            return Journal.of(self.path.read_text("utf-8"))
        return None

    def drop(self) -> None:
        if self.path:
            self.path.unlink(missing_ok=True)
        self._memory.pop(self._name, None)


def _write_durably(path: Path, content: str) -> None:
    fresh = path.with_name(path.name + ".new")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    with suppress(OSError):  # not every system lets a folder be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _known(key: Key, text: str | bytes) -> Known:
    return key[0], fingerprint(text if isinstance(text, bytes) else text.encode())


def _packed(text: str | bytes) -> str | list[str]:
    return text if isinstance(text, str) else [base64.b64encode(text).decode()]


def _unpacked(text: str | list[str]) -> str | bytes:
    return text if isinstance(text, str) else base64.b64decode(text[0])
