"""The desk as a process among others: what it loads, what it leaves, what it survives."""

from __future__ import annotations

import gc
import logging
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from desk.loop import Loop, LoopClosed
from desk.values import Address, RunStatus

from .conftest import MakeDesk
from .desks import Call, Gate, ScriptModel, ended, kinds, make_desk, notes, say, shape, until

ROOT = Path(__file__).parents[2]
FILE = Address("file", "ticket_1")

CHILD = """
import sys
from pathlib import Path
from tests.desk.desks import Call, Gate, ScriptModel, add_tool, make_desk, until
from desk.values import Address

FILE = Address("file", "ticket_1")
folder = Path(sys.argv[1])
"""


def run_python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def start_python(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD + code, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


# What it loads


def test_looking_and_editing_never_load_the_sdk(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from desk.desk import Desk
from desk.settings import Settings
from desk.values import Address
from memory.edits import Clear
desk = Desk({}, settings=Settings(data=Path(sys.argv[1])))
address = Address("file", "x")
desk.look(address), desk.sessions("file"), desk.revision(address), desk.resolve("file", "y")
desk.plan(address, Clear()), desk.undo(address), desk.waiting_count(), desk.run(address)
desk.close()
heavy = {"agents", "openai", "sqlalchemy", "streamlit", "pandas"} & set(sys.modules)
assert not heavy, heavy
"""
    result = run_python(code, str(tmp_path / "data"))
    assert result.returncode == 0, result.stderr
    assert not (tmp_path / "data").exists()


def test_the_agents_are_built_once_in_the_background(tmp_path: Path) -> None:
    built: list[str] = []
    seen = threading.Event()

    def change(agents: object) -> None:
        built.append(threading.current_thread().name)

    desk = make_desk(tmp_path, ScriptModel(["A."]), change=change)
    assert not desk.ready
    desk.warm(seen.set)
    desk.warm()
    assert seen.wait(60)
    until(lambda: desk.ready)
    say(desk, FILE, "hi")
    assert built == ["desk-warm"]
    desk.close()


# What it leaves


def test_a_closed_desk_leaves_no_thread_file_or_client(tmp_path: Path) -> None:
    def open_files() -> list[str]:
        folder = Path("/proc/self/fd")  # where there is none, only threads are counted
        links = list(folder.iterdir()) if folder.exists() else []
        return [str(link.readlink()) for link in links if tmp_path in link.resolve().parents]

    before = set(threading.enumerate())
    model = ScriptModel(["A.", Call("look_up_order", '{"order_id": "A100"}'), "B."])
    desk = make_desk(tmp_path, model)
    say(desk, FILE, "hi")
    say(desk, Address("memory", "x"), "hi")
    desk.close()
    gc.collect()
    assert set(threading.enumerate()) <= before
    assert open_files() == []
    assert model.closed


def test_many_turns_leave_threads_as_they_were(desk_of: MakeDesk) -> None:
    desk = desk_of(*["A."] * 40)

    def threads() -> set[str]:
        # The loop's pool fills up as it is needed, to a size of its own.
        names = {thread.name for thread in threading.enumerate()}
        return {name for name in names if "-work_" not in name}

    for _ in range(5):
        say(desk, FILE, "hi")
    before = threads()
    for number in range(35):
        say(desk, Address("file", f"ticket_{number % 7}"), "hi")
        desk.look(FILE)
    assert threads() <= before


def test_no_word_of_the_conversation_reaches_the_log(
    desk_of: MakeDesk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    desk = desk_of(
        Call("look_up_order", '{"order_id": "marker"}'),
        "An answer with marker.",
        RuntimeError("an error that quotes marker"),
    )
    say(desk, FILE, "A question with marker")
    say(desk, FILE, "marker again")
    records = [record for record in caplog.records if not record.name.startswith("aiosqlite")]
    assert records
    assert not any("marker" in record.getMessage() for record in records)


# What it survives


def test_ten_tabs_that_send_at_once_to_a_new_session_get_one_run(desk_of: MakeDesk) -> None:
    gate = Gate()
    desk = desk_of([gate, "A."])
    answers = []
    threads = [
        threading.Thread(target=lambda n=number: answers.append(desk.send(FILE, f"tab {n}")))
        for number in range(10)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.reason or "" for answer in answers) == [""] + ["busy"] * 9
    gate.opened.set()
    ended(desk, FILE)
    assert kinds(desk.look(FILE)) == ["user", "assistant"]


def test_eight_servers_that_open_one_new_file_at_once_all_work(tmp_path: Path) -> None:
    desks = [make_desk(tmp_path / "data", ScriptModel(["A."])) for _ in range(8)]
    runs = []
    threads = [
        threading.Thread(target=lambda d=desk, n=n: runs.append(say(d, Address("file", f"t{n}"), "hi")))
        for n, desk in enumerate(desks)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [run.status for run in runs] == [RunStatus.DONE] * 8
    assert len(desks[0].sessions("file")) == 8
    for desk in desks:
        desk.close()


def test_a_server_killed_while_a_tool_ran_leaves_a_session_that_goes_on(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    code = """
def work() -> str:
    print("working", flush=True)
    Gate().opened.wait()
    return "never"

desk = make_desk(folder, ScriptModel([Call("work")]), change=add_tool("work", work), lease=3600.0)
desk.send(FILE, "Where is A100?")
Gate().opened.wait()
"""
    child = start_python(code, str(tmp_path / "data"))
    assert child.stdout is not None
    assert child.stdout.readline() == "working\n"
    child.kill()
    child.wait()
    child.stdout.close()
    desk = desk_of("I am here.")
    view = desk.look(FILE)
    assert view.busy is None, "what a dead server held is free at once"
    assert (kinds(view), notes(view)) == (["user", "tool_call"], ["interrupted"])
    assert say(desk, FILE, "are you there?").status is RunStatus.DONE
    view = desk.look(FILE)
    assert kinds(view) == ["user", "tool_call", "tool_output", "user", "assistant"]
    assert '"error": "interrupted"' in shape(view)[2][1]


def test_two_processes_on_one_session_have_one_live_run(desk_of: MakeDesk, tmp_path: Path) -> None:
    code = """
gate = Gate()
desk = make_desk(folder, ScriptModel([[gate, "From the child."]]))
assert desk.send(FILE, "child").ok
print("answering", flush=True)
sys.stdin.readline()
gate.opened.set()
until(lambda: not desk.run(FILE).active)
desk.close()
"""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD + code, str(tmp_path / "data")],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    desk = desk_of("From here.")
    with child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stdout.readline() == "answering\n"
        assert desk.send(FILE, "here").reason == "busy_elsewhere"
        child.stdin.write("\n")
        child.stdin.flush()
        assert child.wait(60) == 0
    assert say(desk, FILE, "here").status is RunStatus.DONE
    assert [text for _, text in shape(desk.look(FILE))] == ["child", "From the child.", "here", "From here."]


def test_closing_does_not_wait_for_a_tool_that_hangs(tmp_path: Path) -> None:
    gate = Gate()

    def work() -> str:
        """Hang."""
        gate.reached.set()
        gate.opened.wait()
        return "late"

    from .desks import add_tool

    desk = make_desk(tmp_path, ScriptModel([Call("work")]), change=add_tool("work", work), settle=0.1)
    desk.send(FILE, "Go")
    assert gate.reached.wait(20)
    closing = threading.Thread(target=desk.close)
    closing.start()
    closing.join(30)
    hung = closing.is_alive()
    gate.opened.set()
    closing.join()
    assert not hung
    after = make_desk(tmp_path, ScriptModel([]))
    assert kinds(after.look(FILE)) == ["user", "tool_call", "tool_output"]
    assert notes(after.look(FILE)) == ["interrupted"]
    after.close()


# The loop


def test_the_loop_gives_back_results_and_errors() -> None:
    loop = Loop()

    async def one() -> int:
        return 1

    async def fails() -> int:
        raise KeyError("x")

    assert loop.call(one()) == 1
    with pytest.raises(KeyError):
        loop.call(fails())
    loop.close()


def test_a_closed_loop_says_so_and_closing_cancels_what_is_left() -> None:
    import asyncio

    loop = Loop()
    state: list[str] = []

    async def forever() -> None:
        try:
            state.append("began")
            await asyncio.Event().wait()
        finally:
            state.append("ended")

    future = loop.spawn(forever())
    until(lambda: state)
    loop.close()
    loop.close()
    assert state == ["began", "ended"]
    assert future.cancelled()
    with pytest.raises(LoopClosed):
        loop.call(forever())


def test_a_call_that_takes_too_long_is_cancelled() -> None:
    import asyncio

    loop = Loop()
    ended_: list[bool] = []

    async def forever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended_.append(True)

    with pytest.raises(TimeoutError):
        loop.call(forever(), timeout=0.01)
    until(lambda: ended_)
    loop.close()
