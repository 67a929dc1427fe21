"""A server that is killed just before any beginning or end of a write to any of its files."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import threading
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import desk.running  # noqa: F401 - loaded once, before the processes that will be killed part from it
from desk.ordersdb import OrdersDatabase
from memory import sqlite_file

from .roads import Play
from .scene import FILE, WISHES, Scene, over

METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
PROCESSES = multiprocessing.get_context(METHOD)
PROCESSES.set_forkserver_preload([__name__])
KILLED = 137  # how such a process ends


class Bomb:
    """Ends the process, as kill -9 does, just before the nth beginning or end of a write to any file."""

    def __init__(self, at: int) -> None:
        self.left = at
        self.lock = threading.Lock()

    def arm(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        writing = False

        def trace(statement: str) -> None:
            nonlocal writing
            begins = statement == "BEGIN IMMEDIATE"
            if begins or (writing and statement in ("COMMIT", "ROLLBACK")):
                writing = begins
                with self.lock:
                    self.left -= 1
                    if self.left == 0:
                        os._exit(KILLED)  # nothing is flushed, closed or given back, as with kill -9

        connection.set_trace_callback(trace)
        return connection


def doomed(folder: str, wish: str, at: int, retried: bool) -> None:
    """What the process does that is killed; it writes down which messages it was told are accepted."""
    bomb, connect, opened = Bomb(at), sqlite_file._connect, OrdersDatabase._connect
    told = Path(folder) / "told.txt"

    def tell(text: str) -> None:
        with told.open("a") as file:
            print(text, file=file)

    with ExitStack() as stack:
        stack.enter_context(
            patch.object(sqlite_file, "_connect", lambda *args, **how: bomb.arm(connect(*args, **how)))
        )
        stack.enter_context(patch.object(OrdersDatabase, "_connect", lambda *args: bomb.arm(opened(*args))))
        scene = Scene(Path(folder), tell=tell)
        desk = scene.open()
        scene.wish(desk, wish)
        if retried and desk.retry(FILE, agent="Approval").ok:
            over(desk)
            scene.decide(desk)
        scene.close()


def killed(wish: str, at: int, retried: bool) -> Play:
    def play(scene: Scene) -> str:
        child = PROCESSES.Process(target=doomed, args=(str(scene.folder), wish, at, retried))
        child.start()
        child.join(120)
        assert child.exitcode in (0, KILLED), f"The child ended by itself: {child.exitcode}"
        told = scene.folder / "told.txt"
        scene.said += told.read_text().splitlines() if told.exists() else []
        if not scene.said:  # it may have been stored without anybody having been told so
            scene.said.append(f"{WISHES[wish]} (1)")
            scene.edited = True
        return "held, killed" if child.exitcode else "held, and was over before"

    return play
