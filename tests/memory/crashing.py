"""Processes that die in the middle of a write, and what they leave behind.

`python -m tests.memory.crashing` is a small server: for each line of JSON it forks a child that works on a
file and dies on the way, so that no import is paid for more than once. Children that die by themselves do
so before a statement, in the middle of a batch, or right after a commit; others are killed from outside.
"""

from __future__ import annotations

import asyncio
import json
import mmap
import os
import signal
import sqlite3
import struct
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from memory import SQLiteSession

from .crash_works import SESSION, WORKS, storm
from .histories import lone_halves, parsed

DIED = 64
IN_TRANSACTION, COMMITTED = 1, 2
"""Exit code of a child that died by itself: `DIED`, plus where it was and whether it had committed."""

PROGRESS = struct.Struct("<BI")
"""What a child says while it lives: whether it is inside a write transaction, how many works are done."""

State = dict[str, list[tuple[Any, ...]]]


# dying


class Dying(sqlite3.Connection):
    """A connection whose process dies at the n-th point that is reached once it is armed."""

    armed = False
    die_at = 0
    reached = 0
    committed = False
    progress: mmap.mmap | None = None
    writing = False

    def point(self) -> None:
        if Dying.armed:
            Dying.reached += 1
            if Dying.reached == Dying.die_at:
                here = (IN_TRANSACTION if self.in_transaction else 0) | (COMMITTED if Dying.committed else 0)
                os._exit(DIED + here)

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        self.point()
        cursor = super().execute(sql, *values)
        if sql == "BEGIN IMMEDIATE":
            self.writing = True
            self._tell(inside=1)
        elif sql in ("COMMIT", "ROLLBACK") and self.writing:
            self.writing = False
            Dying.committed |= Dying.armed and sql == "COMMIT"
            self._tell(inside=0)
            self.point()
        return cursor

    def executemany(self, sql: str, rows: Iterable[Any]) -> sqlite3.Cursor:
        def each() -> Iterable[Any]:
            for row in rows:
                self.point()
                yield row

        return super().executemany(sql, each())

    def _tell(self, *, inside: int) -> None:
        if Dying.progress is not None:
            Dying.progress[0] = inside


def _connect(*arguments: Any, **options: Any) -> sqlite3.Connection:
    return _real_connect(*arguments, factory=Dying, **options)


_real_connect = sqlite3.connect


async def _work(path: str, name: str, die_at: int) -> None:
    work, session = WORKS[name], SQLiteSession(SESSION, path)
    seen = await work.ready(session) if work.ready else None
    Dying.armed, Dying.die_at = True, die_at
    await work.act(session, seen)
    Dying.armed = False
    session.database.close()


async def _storm(path: str, seed: int, progress: mmap.mmap) -> None:
    Dying.progress = progress

    def done() -> None:
        inside, works = PROGRESS.unpack_from(progress)
        PROGRESS.pack_into(progress, 0, inside, works + 1)

    while True:  # until it is killed
        await storm(SQLiteSession(SESSION, path), seed, done)
        await asyncio.sleep(60)


# the server and its client


def serve() -> None:
    """Answer each line of standard input: fork a child, and say how it ended or, for a storm, its id."""
    for line in sys.stdin:
        asked = json.loads(line)
        if "reap" in asked:
            os.waitpid(asked["reap"], 0)
            answer = 0
        else:
            child = os.fork()
            if child == 0:
                _child(asked)
            answer = child if "progress" in asked else os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(answer, flush=True)


def _child(asked: dict[str, Any]) -> None:
    code = 1
    try:
        sqlite3.connect = _connect  # type: ignore[assignment]
        if "progress" in asked:
            with Path(asked["progress"]).open("r+b") as file, mmap.mmap(file.fileno(), 0) as progress:
                asyncio.run(_storm(asked["path"], asked["seed"], progress))
        else:
            asyncio.run(_work(asked["path"], asked["work"], asked["die_at"]))
        code = 0
    finally:
        os._exit(code)


class Crashes:
    """The client of `serve`."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.memory.crashing"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )

    def run(self, path: Path, work: str, die_at: int) -> int:
        """The exit code of a child that dies at the given point, 0 if it came to the end before."""
        return self._ask(path=str(path), work=work, die_at=die_at)

    def storm(self, path: Path, seed: int, progress: Path) -> Running:
        """Start a storm."""
        progress.write_bytes(bytes(PROGRESS.size))
        return Running(self._ask(path=str(path), seed=seed, progress=str(progress)), progress, self)

    def reap(self, child: int) -> None:
        self._ask(reap=child)

    def _ask(self, **what: Any) -> int:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        print(json.dumps(what), file=self._server.stdin, flush=True)
        return int(self._server.stdout.readline())

    def close(self) -> None:
        self._server.communicate()


class Running(NamedTuple):
    """A child in a storm."""

    child: int
    progress: Path
    crashes: Crashes

    def stop_inside_a_transaction(self, depth: float) -> None:
        """Stop it about `depth` seconds into one, so that a kill finds it there; not at the storm's end."""
        give_up = time.monotonic() + 2
        while time.monotonic() < give_up:
            if not self._look()[0]:
                continue
            time.sleep(depth)
            os.kill(self.child, signal.SIGSTOP)
            time.sleep(0.002)  # until it has heard
            if self._look()[0]:
                return
            os.kill(self.child, signal.SIGCONT)

    def kill(self) -> tuple[bool, int]:
        """Whether it was inside a transaction, and how many works were done."""
        os.kill(self.child, signal.SIGKILL)
        self.crashes.reap(self.child)
        return self._look()

    def _look(self) -> tuple[bool, int]:
        inside, works = PROGRESS.unpack(self.progress.read_bytes())
        return bool(inside), works


# what is left behind

COLUMNS = {
    "agent_messages": "id, session_id, CAST(message_data AS BLOB), CAST(created_at AS TEXT)",
    "agent_sessions": "session_id, CAST(created_at AS TEXT)",
    "agent_messages_authors": "session_id, first_id, last_id, agent",
    "agent_messages_changes": "session_id, kind, removed, added, undone, tail, first_turn, last_turn, seen, "
    "kept_from, kept_to, took, put, moves",
    "agent_messages_kept": "place, session_id, id, CAST(message_data AS BLOB), CAST(created_at AS TEXT)",
    "agent_messages_notes": "session_id, after_id, kind, detail",
    "agent_messages_leases": "session_id, owner, number",
    "agent_messages_pauses": "id, session_id, status, calls, state, head_id, verdicts",
}
"""Everything but the ids of changes, which are made from the time."""


LONG_AGO = "2001-02-03 04:05:06"


def grow_old(path: Path) -> None:
    """Let everything in a store have happened long ago, so that what happens now can be told from it."""
    with closing(sqlite3.connect(path)) as db, db:
        there = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for table, column in (
            ("agent_messages", "created_at"),
            ("agent_sessions", "created_at"),
            ("agent_messages_kept", "created_at"),
            ("agent_messages_changes", "birth"),
        ):
            if table in there:
                db.execute(f"UPDATE {table} SET {column} = ?", (LONG_AGO,))


def state_of(path: Path) -> State:
    """Every row of every table that has any; a time that is not long ago is only said to be one."""
    if not path.exists():
        return {}
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        there = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        state: State = {}
        for table, columns in COLUMNS.items():
            if table in there and (rows := db.execute(f"SELECT {columns} FROM {table}").fetchall()):
                state[table] = sorted((tuple(map(_without_time, row)) for row in rows), key=repr)
        return state


def _without_time(value: Any) -> Any:
    recent = isinstance(value, str) and len(value) == len(LONG_AGO) and value[:2] == "20"
    return "a time" if recent and value != LONG_AGO else value


def halves_left(state: State) -> set[str]:
    """The call id of each half pair that waits for nobody."""
    waiting = {
        (row[1], one[0])
        for row in state.get("agent_messages_pauses", [])
        if row[2] in ("pending", "deciding")
        for one in json.loads(row[3])
    }
    found = set()
    for session in {row[1] for row in state.get("agent_messages", [])}:
        rows = [row for row in state["agent_messages"] if row[1] == session]
        history = [parsed(row[2]) for row in sorted(rows, key=lambda row: int(row[0]))]
        for index in lone_halves(history):
            item = history[index]
            assert item is not None
            found.add((session, str(item["call_id"])))
    return {call_id for _, call_id in found - waiting}


if __name__ == "__main__":
    serve()
