"""Which servers on the same data still live."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

from desk.alive import KEPT, Alive

ROOT = Path(__file__).parents[2]

CHILD = """
import sys
from pathlib import Path
from desk.alive import Alive
alive = Alive(Path(sys.argv[1]), sys.argv[2])
alive.begin()
print("begun", flush=True)
sys.stdin.readline()
alive.close(holds=False)
"""


def start(folder: Path, owner: str) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder), owner],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "begun\n"
    return child


def test_a_server_that_was_killed_is_known_to_be_dead_and_one_that_lives_is_not(tmp_path: Path) -> None:
    owner = uuid4().hex
    with start(tmp_path, owner) as child:
        here = Alive(tmp_path, uuid4().hex)
        assert not here.dead(owner)
        child.kill()
        child.wait()
        assert here.dead(owner)


def test_a_server_that_ended_well_leaves_no_file(tmp_path: Path) -> None:
    with start(tmp_path, uuid4().hex) as child:
        child.communicate("\n")
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_ended_with_something_held_is_known_to_be_dead(tmp_path: Path) -> None:
    one, other = Alive(tmp_path, uuid4().hex), Alive(tmp_path, uuid4().hex)
    one.begin()
    assert not other.dead(one._owner)
    one.close(holds=True)
    assert other.dead(one._owner)


def test_two_servers_in_one_process_are_told_apart(tmp_path: Path) -> None:
    one, other = Alive(tmp_path, uuid4().hex), Alive(tmp_path, uuid4().hex)
    one.begin()
    other.begin()
    assert not one.dead(other._owner)
    assert not other.dead(one._owner)
    one.close(holds=False)
    other.close(holds=False)


def test_nothing_is_known_of_a_server_elsewhere_nor_of_a_name_that_is_none(tmp_path: Path) -> None:
    here = Alive(tmp_path, uuid4().hex)
    (tmp_path / "server-x.lock").touch()
    for owner in (uuid4().hex, "", "x", "../server-x", "a server that is gone", "0" * 31 + "\n"):
        assert not here.dead(owner)
    assert [file.name for file in tmp_path.iterdir()] == ["server-x.lock"], "a look makes nothing"


def test_the_file_of_a_server_that_died_long_ago_is_removed(tmp_path: Path) -> None:
    old, new = (tmp_path / f"server-{uuid4().hex}.lock" for _ in range(2))
    old.touch()
    new.touch()
    os.utime(old, (0, time.time() - KEPT - 60))
    here = Alive(tmp_path, uuid4().hex)
    here.begin()
    assert not old.exists()
    assert new.exists()
    here.close(holds=False)


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    here = Alive(tmp_path / "file" / "data", uuid4().hex)
    here.begin()
    assert not here.dead(uuid4().hex)
    here.close(holds=False)


def test_what_cannot_be_tidied_away_keeps_nobody_from_saying_that_it_lives(tmp_path: Path) -> None:
    (tmp_path / f"server-{uuid4().hex}.lock").symlink_to(tmp_path / "gone")
    owner = uuid4().hex
    one, other = Alive(tmp_path, owner), Alive(tmp_path, uuid4().hex)
    one.begin()
    one.close(holds=True)
    assert other.dead(owner)
