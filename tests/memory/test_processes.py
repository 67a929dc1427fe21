"""Several processes on one file: every batch of each is stored whole, wherever the others are."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from memory import SQLiteSession

ROOT = Path(__file__).parents[2]

WRITER = """
import asyncio, sys
from memory import SQLiteSession

path, name = sys.argv[1:]

async def main():
    session = SQLiteSession("shared", path)
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(50):
        question = {"role": "user", "content": f"{name} {number}"}
        await session.add_items([question, {"role": "assistant", "content": f"{name} {number}"}])

asyncio.run(main())
"""


def test_a_hundred_turns_of_two_processes_are_all_stored_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), name],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("one", "two")
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=120)
        assert writer.returncode == 0
    texts = [item["content"] for item in asyncio.run(SQLiteSession("shared", path).get_items())]
    assert texts[::2] == texts[1::2]
    for name in ("one", "two"):
        assert [text for text in texts[::2] if text.startswith(name)] == [f"{name} {n}" for n in range(50)]
