"""The roads on which a try does its worst within one process: stops, faults, races and storms.

Each function gives the play of a try: what it does on a scene, and a remark for the print.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

from desk.desk import Desk
from desk.effects import OrdersUnavailable
from desk.ordersdb import OrdersDatabase
from desk.values import Outcome
from memory.edits import Clear, Edit, RollBack, Truncate
from memory.errors import StoreUnavailable
from memory.sqlite_session import SQLiteSession

from .scene import FILE, WISHES, Scene, over

Play = Callable[[Scene], str | None]


def stopped(wish: str, moment: int, then: str) -> Play:
    """Stop before the model's nth event."""

    def play(scene: Scene) -> str:
        async def stop(events: int) -> None:
            if events == moment:
                await asyncio.to_thread(desk.stop, FILE)

        desk = scene.open(stop)
        scene.wish(desk, wish)
        run = desk.run(FILE)
        follow(scene, desk, wish, then)
        return f"held, {run.status if run else 'no run'}"

    return play


def follow(scene: Scene, desk: Desk, wish: str, then: str) -> None:
    """What an impatient person does next."""
    if then == "retry" and desk.retry(FILE, agent="Approval").ok:
        over(desk)
        scene.decide(desk)
    elif then == "again":
        scene.wish(desk, wish)
    elif then == "twice":
        for _ in range(2):
            if desk.retry(FILE, agent="Approval").ok:
                over(desk)
        scene.decide(desk)


@contextmanager
def failing_store(at: int, times: int) -> Iterator[list[int]]:
    """Let the sessions' store fail at its nth write and the `times` - 1 after it."""
    write, count = SQLiteSession._write, [0]

    async def failing(session: SQLiteSession, operation: Any) -> Any:
        count[0] += 1
        if at <= count[0] < at + times:
            raise StoreUnavailable("The disk is full.")
        return await write(session, operation)

    with patch.object(SQLiteSession, "_write", failing):
        yield count


def store_fails(wish: str, at: int, times: int, then: str) -> Play:
    def play(scene: Scene) -> str:
        desk = scene.open()
        with failing_store(at, times) as count:
            scene.wish(desk, wish)
        if then == "save":
            desk.save_again(FILE)
        follow(scene, desk, wish, then)
        return "held" if count[0] >= at else "held, and was never reached"

    return play


def orders_fail(wish: str, when: str, then: str) -> Play:
    """The orders say no before the first write, or after it was committed."""

    def play(scene: Scene) -> None:
        writing, count = OrdersDatabase.writing, [0]

        @contextmanager
        def failing(database: OrdersDatabase, samples: Any) -> Iterator[sqlite3.Connection]:
            count[0] += 1
            if when == "before" and count[0] == 1:
                raise OrdersUnavailable("The orders' file is locked.")
            with writing(database, samples) as db:
                yield db
            if when == "after" and count[0] == 1:
                raise RuntimeError("The answer was lost on its way.")

        desk = scene.open()
        with patch.object(OrdersDatabase, "writing", failing):
            scene.wish(desk, wish)
        follow(scene, desk, wish, then)

    return play


def raced(wish: str, other: str, desks: int, seed: int) -> Play:
    """Approve while somebody else, on the same desk or another one, does something at the same time."""

    def play(scene: Scene) -> str:
        one = scene.open()
        two = scene.open() if desks == 2 else one
        scene.say(one, WISHES[wish])
        pause = one.look(FILE).waiting
        assert pause is not None
        call = pause.calls[0][0]
        chance, start = random.Random(seed), threading.Barrier(3)
        outcomes: dict[str, Any] = {}

        def act(name: str, delay: float, work: Callable[[], Any]) -> None:
            start.wait()
            time.sleep(delay)
            outcomes[name] = work()

        works = {
            "approve": partial(one.decide, FILE, pause.id, call, True),
            other: partial(RIVALS[other], scene, two, pause.id, call),
        }
        delays = [chance.uniform(0, 0.02) for _ in works]
        threads = [
            threading.Thread(target=act, args=(name, delay, work))
            for (name, work), delay in zip(works.items(), delays, strict=True)
        ]
        for thread in threads:
            thread.start()
        start.wait()
        for thread in threads:
            thread.join()
        for desk in {one, two}:
            if not desk.closed:
                over(desk)
        return f"held, {'; '.join(f'{name}: {_told(outcome)}' for name, outcome in outcomes.items())}"

    return play


def _told(outcome: Any) -> str:
    return str(outcome.reason or "done") if isinstance(outcome, Outcome) else "done"


def _edit(edit: Callable[[Desk], Edit], scene: Scene, desk: Desk, *_: Any) -> Outcome:
    plan = desk.plan(FILE, edit(desk)).plan
    outcome = Outcome(False, "no plan") if plan is None else desk.apply(FILE, plan)
    scene.edited |= outcome.ok
    return outcome


def _take_back(scene: Scene, desk: Desk, *_: Any) -> Outcome:
    outcome = desk.take_back(FILE)
    scene.edited |= outcome.ok
    return outcome


def _delete(scene: Scene, desk: Desk, *_: Any) -> Outcome:
    outcome = desk.delete(FILE)
    scene.edited |= outcome.ok
    return outcome


RIVALS: dict[str, Callable[..., Any]] = {
    "approve again": lambda scene, desk, pause, call: desk.decide(FILE, pause, call, True),
    "reject": lambda scene, desk, pause, call: desk.decide(FILE, pause, call, False, "no"),
    "conclude": lambda scene, desk, pause, call: desk.conclude(FILE, pause),
    "send": lambda scene, desk, pause, call: scene.say(desk, "Refund C310", wait=False),
    "stop": lambda scene, desk, pause, call: desk.stop(FILE),
    "retry": lambda scene, desk, pause, call: desk.retry(FILE, agent="Approval"),
    "undo": lambda scene, desk, pause, call: desk.undo(FILE),
    "branch": lambda scene, desk, pause, call: desk.branch(FILE, "ticket_2", None),
    "restore": lambda scene, desk, pause, call: desk.save_again(FILE),
    "close": lambda scene, desk, pause, call: desk.close(),
    "take back": _take_back,
    "delete": _delete,
    "clear": partial(_edit, lambda desk: Clear()),
    "truncate": partial(_edit, lambda desk: Truncate(keep_items=1)),
    "roll back": partial(_edit, lambda desk: RollBack(None)),
}


def stormed(seed: int) -> Play:
    """Two impatient people at two desks on one folder, whose store fails now and then."""

    def play(scene: Scene) -> str:
        chance = random.Random(seed)
        desks = [scene.open(), scene.open()]
        done: Counter[str] = Counter()
        for _ in range(40):
            desk, act = chance.choice(desks), chance.choice(ACTS)
            done[act] += 1
            with failing_store(chance.randint(1, 6), 1 if chance.random() < 0.2 else 0):
                _act(scene, desk, act, chance)
                time.sleep(chance.choice((0, 0, 0.01, 0.05)))
        for desk in desks:
            over(desk)
            desk.save_again(FILE)
        return f"held, {len(scene.said)} messages"

    return play


ACTS = ("send", "wish", "stop", "retry", "approve", "approve", "reject", "save", "wait", "wait")


def _act(scene: Scene, desk: Desk, act: str, chance: random.Random) -> None:
    if act in ("send", "wish"):
        wish = "hello" if act == "send" else chance.choice(list(WISHES))
        scene.say(desk, WISHES[wish], wait=False)
    elif act == "stop":
        desk.stop(FILE)
    elif act == "retry":
        desk.retry(FILE, agent="Approval")
    elif act == "save":
        desk.save_again(FILE)
    elif act == "wait":
        over(desk)
    else:
        scene.decide(desk, act == "approve", wait=False)
