"""Every try: a road, a wish and a moment."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from .kills import killed
from .roads import RIVALS, Play, orders_fail, raced, stopped, store_fails, stormed
from .scene import DECIDED, WISHES, Scene, verdict

# How many writes begin or end until a wish is granted, and until it was granted and asked again.
MARKS = {"hello": 8, "refund": 14, "cancel": 14, "large refund": 24, "late cancel": 24, "two refunds": 38}
RETRIED = {"hello": 18, "refund": 30, "large refund": 40}


@dataclass(frozen=True)
class Try:
    """`play` does its worst on a scene; what it returns is a remark for the print."""

    name: str
    wish: str
    play: Play


def attempt(one: Try) -> tuple[bool, str]:
    """Whether the desk held, and what happened."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        scene = Scene(Path(folder))
        try:
            remark = one.play(scene)
            fault = verdict(scene, one.wish)
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
        finally:
            scene.close()
    return fault is None, fault or remark or "held"


def tries() -> list[Try]:
    """Every try there is."""
    found: list[Try] = []

    def add(name: str, wish: str, play: Play) -> None:
        found.append(Try(name, wish, play))

    for wish, then in product(WISHES, ("next", "retry", "again")):
        for moment in range(5 if wish == "hello" else 10):
            add(f"stop: {wish}, at event {moment}, then {then}", wish, stopped(wish, moment, then))
    for wish, times in product(WISHES, (1, 1000)):
        for at in range(1, 7 if wish == "hello" else 14 if wish in DECIDED else 9):
            then = ("save", "retry", "again", "next")[at % 4]
            name = f"store fails: {wish}, at write {at}, {'once' if times == 1 else 'for good'}, then {then}"
            add(name, wish, store_fails(wish, at, times, then))
    for wish, when, then in product(list(WISHES)[1:], ("before", "after"), ("retry", "again", "twice")):
        add(f"orders fail: {wish}, {when} the write, then {then}", wish, orders_fail(wish, when, then))
    for other, desks, seed in product(RIVALS, (1, 2), range(3)):
        wish = DECIDED[seed]
        name = f"race: {wish}, approve and {other}, {desks} desk(s), seed {seed}"
        add(name, wish, raced(wish, other, desks, seed))
    for wish, last in MARKS.items():
        for at in range(1, last + 1):
            add(f"kill: {wish}, at mark {at}", wish, killed(wish, at, retried=False))
    for wish, last in RETRIED.items():
        for at in range(MARKS[wish] + 1, last + 1):
            add(f"kill: {wish}, in a retry, at mark {at}", wish, killed(wish, at, retried=True))
    for seed in range(30):
        add(f"storm: seed {seed}", "large refund", stormed(seed))
    return found
