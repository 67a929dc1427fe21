"""However many turns there were, nothing is left over: no thread, no file, no connection, no object."""

from __future__ import annotations

import gc
import sqlite3
import threading
from pathlib import Path

import pytest

from desk.values import Address

from .conftest import MakeDesk
from .desks import STORED, Call, ScriptModel, say

LOOK_UP = '{"order_id": "A100"}'


def left_over() -> tuple[set[str], int, int, int]:
    """Names of threads (without pools, which fill up to a size of their own), files, connections, objects."""
    for _ in range(3):
        gc.collect()
    objects = gc.get_objects()
    own = Path("/proc/self/fd")
    return (
        {
            thread.name
            for thread in threading.enumerate()
            if "_work_" not in thread.name and "-work" not in thread.name
        },
        len(list(own.iterdir())) if own.exists() else 0,
        sum(type(one) is sqlite3.Connection for one in objects),  # isinstance would wake lazy modules
        len(objects),
    )


def turns_leave_nothing(desk_of: MakeDesk, rounds: int) -> None:
    """Half of `rounds` turns with a tool each, over every store; the other half may leave no more."""
    turn = (Call("look_up_order", LOOK_UP), "A100.")
    model = ScriptModel(step for _ in range(rounds) for step in turn)
    desk = desk_of(model=model, turns=3)

    def talk(first: int, last: int) -> None:
        for number in range(first, last):
            address = Address(STORED[number % len(STORED)], f"ticket_{number % 10}")
            say(desk, address, "Where is A100?")
            desk.look(address, limit=50)
            model.inputs.clear()

    talk(0, rounds // 2)
    threads, files, connections, objects = left_over()
    talk(rounds // 2, rounds)
    now = left_over()
    assert now[0] <= threads
    assert now[1] <= files
    assert now[2] <= connections
    # Caches fill up to a size of their own; a turn that stayed would be hundreds of objects.
    assert now[3] - objects < 10 * (rounds // 2), "something of each turn is left over"


def test_a_hundred_turns_leave_nothing_behind(desk_of: MakeDesk) -> None:
    turns_leave_nothing(desk_of, 100)


@pytest.mark.long
def test_two_thousand_turns_leave_nothing_behind(desk_of: MakeDesk) -> None:
    turns_leave_nothing(desk_of, 2_000)
