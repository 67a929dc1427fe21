"""The orders under several processes, and under processes that die."""

from __future__ import annotations

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from desk.orders import Orders

ROOT = Path(__file__).parents[2]

# Waits for a line, so that all processes begin at once, then asks for a refund and says what came of it.
REFUND = """
import sys
from pathlib import Path
from desk.orders import OrderError, Orders

path, call_id = sys.argv[1:]
orders = Orders(Path(path))
print("ready", flush=True)
sys.stdin.readline()
try:
    print("effect", orders.refund("C310", None, "broken", call_id=call_id, session="s").id)
except OrderError as error:
    print(error.code)
"""

# Dies at the nth statement SQLite runs, as a killed process would: no rollback, no closing.
DYING = """
import os, sqlite3, sys
from pathlib import Path
from desk.orders import Orders

path, number = Path(sys.argv[1]), int(sys.argv[2])
seen = 0

def dies(statement):
    global seen
    seen += 1
    if seen == number:
        os._exit(9)

connect = sqlite3.connect

def watched(*args, **options):
    db = connect(*args, **options)
    db.set_trace_callback(dies)
    return db

sqlite3.connect = watched
Orders(path).refund("C310", None, "broken", call_id="c1", session="s")
"""


def race(path: Path, call_ids: list[str]) -> list[str]:
    running = [
        subprocess.Popen(
            [sys.executable, "-c", REFUND, str(path), call_id],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for call_id in call_ids
    ]
    for process in running:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    with ThreadPoolExecutor(len(running)) as pool:
        answers = pool.map(lambda process: process.communicate("go\n", timeout=60)[0].strip(), running)
        return list(answers)


def test_processes_racing_with_one_call_have_one_effect_between_them(tmp_path: Path) -> None:
    path = tmp_path / "orders.db"
    assert race(path, ["c1"] * 3) == ["effect 1"] * 3
    assert len(Orders(path).history("C310")) == 1


def test_processes_racing_for_one_order_refund_it_once(tmp_path: Path) -> None:
    path = tmp_path / "orders.db"
    assert sorted(race(path, ["c1", "c2", "c3"])) == ["already_refunded", "already_refunded", "effect 1"]
    assert len(Orders(path).history("C310")) == 1


def die_at(number: int, path: Path) -> bool:
    """Refund with a process that dies at that statement. Returns whether it did."""
    command = [sys.executable, "-c", DYING, str(path), str(number)]
    code = subprocess.run(command, cwd=ROOT, check=False).returncode
    assert code in (0, 9)
    return code == 9


def state(path: Path) -> tuple[str, int]:
    orders = Orders(path)
    order = orders.get("C310")
    assert order
    return order.status, len(orders.history("C310"))


BEFORE, AFTER = ("delivered", 0), ("refunded", 1)


def test_a_process_that_dies_at_any_statement_leaves_before_or_after(tmp_path: Path) -> None:
    made = tmp_path / "made.db"
    Orders(made).record_summary("made", [], call_id="c0", session="s")
    outcomes, died, number = [], True, 0
    while died:
        number += 1
        path = tmp_path / f"{number}.db"
        shutil.copy(made, path)
        died = die_at(number, path)
        outcomes.append(state(path))
        # Whatever was left, the same call can be made good, once.
        Orders(path).refund("C310", None, "broken", call_id="c1", session="s")
        assert state(path) == AFTER
    assert len(outcomes) > 8
    assert set(outcomes[:-1]) == {BEFORE}  # the last statement is the commit: all deaths were before it
    assert outcomes[-1] == AFTER


@pytest.mark.parametrize("number", [3, 9, 15, 21])
def test_a_process_that_dies_while_making_the_file_leaves_the_samples(tmp_path: Path, number: int) -> None:
    path = tmp_path / "orders.db"
    assert die_at(number, path)
    assert state(path) == BEFORE
    Orders(path).refund("C310", None, "broken", call_id="c1", session="s")
    assert state(path) == AFTER
