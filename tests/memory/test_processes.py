"""Many writers on one file: processes, tasks, threads, and programs that are not ours."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from agents import SQLiteSession as SdkSession

from memory import (
    Change,
    Clear,
    Edit,
    HistoryChanged,
    NothingToDo,
    RollBack,
    SQLiteDatabase,
    SQLiteSession,
    Tables,
    TableSession,
    Truncate,
    UndoRefused,
)

from .items import Item, turn, turns, user
from .processes import SESSION, Process
from .stores import rows


@pytest.fixture
def session(filed: SQLiteSession) -> SQLiteSession:
    return filed


def told(items: list[Item]) -> list[str]:
    return [str(item["content"]) for item in items]


# many at once


async def test_nothing_of_two_processes_and_sixteen_tasks_is_lost_doubled_split_or_out_of_order(
    path: Path, session: SQLiteSession
) -> None:
    processes = [Process("write", path=str(path), name=name, tasks=8, batches=12) for name in "ab"]
    assert all(process.told()["looks"] > 0 for process in processes)
    stored = told(await session.get_items())
    batches = [stored[start : start + 3] for start in range(0, len(stored), 3)]
    by_task: dict[str, list[str]] = defaultdict(list)
    for batch in batches:
        (writer,) = {text.split("/")[0] for text in batch}
        by_task[writer] += batch
    assert sorted(by_task) == sorted(f"{name}.{task}" for name in "ab" for task in range(8))
    for task, texts in by_task.items():
        assert texts == [f"{task}/{batch}/{part}" for batch in range(12) for part in range(3)]


async def test_who_wrote_what_is_right_whatever_is_written_beside_it(
    path: Path, session: SQLiteSession
) -> None:
    async def write(agent: str) -> None:
        for _ in range(30):
            await session.append([{"role": "assistant", "content": agent}] * 2, agent=agent)

    await asyncio.gather(*(write(f"agent {number}") for number in range(4)))
    entries = (await session.timeline(limit=1000)).entries
    assert len(entries) == 240
    assert all(entry.item is not None and entry.agent == entry.item["content"] for entry in entries)


async def test_ten_threads_begin_one_session_of_a_new_file_at_once(
    path: Path, session: SQLiteSession
) -> None:
    failures = run_in_threads(10, lambda number: _append_alone(path, [user(f"tab {number}")]))
    assert failures == []
    assert sorted(told(await session.get_items())) == sorted(f"tab {number}" for number in range(10))


async def test_batches_of_two_threads_with_loops_of_their_own_are_never_split(
    path: Path, session: SQLiteSession
) -> None:
    async def save(number: int) -> None:
        own = SQLiteSession(SESSION, path)
        for batch in range(100):
            await own.add_items([user(f"{number}/{batch}"), user(f"{number}/{batch}")])

    assert run_in_threads(2, save) == []
    stored = told(await session.get_items())
    assert len(stored) == 400
    assert stored[::2] == stored[1::2]
    for number in range(2):
        own = [text for text in stored[::2] if text.startswith(f"{number}/")]
        assert own == [f"{number}/{batch}" for batch in range(100)]


async def _append_alone(path: Path, items: list[Item]) -> None:
    await SQLiteSession(SESSION, path).append(items)


def run_in_threads(count: int, work: Callable[[int], Awaitable[None]]) -> list[BaseException]:
    """Run `work(0)`, `work(1)` ... at once, each on a thread and loop of its own; what went wrong."""
    ready = threading.Barrier(count)
    failures: list[BaseException] = []

    async def on_time(number: int) -> None:
        ready.wait()
        await work(number)

    def one(number: int) -> None:
        try:
            asyncio.run(on_time(number))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failures


# a new file


async def test_eight_who_share_nothing_begin_a_new_file_at_once_twenty_times(tmp_path: Path) -> None:
    for round_ in range(20):
        databases = [SQLiteDatabase(tmp_path / f"new-{round_}.db") for _ in range(8)]
        sessions = [
            TableSession(SESSION, each, Tables("agent_sessions", "agent_messages")) for each in databases
        ]
        await asyncio.gather(*(each.append([user(f"{n}")]) for n, each in enumerate(sessions)))
        seen = [sorted(told(await each.get_items())) for each in sessions]
        assert seen == [[str(number) for number in range(8)]] * 8
        for database in databases:
            database.close()


async def test_eight_processes_begin_a_new_file_at_once(path: Path, session: SQLiteSession) -> None:
    processes = [Process("open_and_write", path=str(path), name=f"process {number}") for number in range(8)]
    for process in processes:
        process.told()
    assert sorted(told(await session.get_items())) == [f"process {number}" for number in range(8)]


async def test_we_and_the_sdk_begin_a_new_file_at_once(tmp_path: Path) -> None:
    for round_ in range(10):
        path = tmp_path / f"new-{round_}.db"

        async def ours(path: Path = path) -> None:
            database = SQLiteDatabase(path)
            session = TableSession(SESSION, database, Tables("agent_sessions", "agent_messages"))
            await session.append([user("ours")])
            database.close()

        async def theirs(path: Path = path) -> None:
            sdk = await asyncio.to_thread(SdkSession, SESSION, path)
            await sdk.add_items([user("theirs")])  # type: ignore[list-item]
            sdk.close()

        await asyncio.gather(ours(), theirs(), ours(), theirs())
        last = SQLiteSession(SESSION, path)
        assert sorted(told(await last.get_items())) == ["ours", "ours", "theirs", "theirs"]
        last.database.close()


# one run at a time


async def test_turns_of_two_processes_that_fight_for_one_lease_are_never_mixed(
    path: Path, session: SQLiteSession
) -> None:
    processes = [Process("take_turns", path=str(path), name=name, turns=25) for name in "ab"]
    reports = [process.told() for process in processes]
    numbers = [number for report in reports for number in report["numbers"]]
    assert sorted(numbers) == list(range(1, 51))
    entries = (await session.timeline(limit=200)).entries
    texts = [str(entry.item["content"]) if entry.item else "" for entry in entries]
    assert len(texts) == 100
    for question, answer in zip(texts[::2], texts[1::2], strict=True):
        assert question in answer


async def test_a_lease_that_a_process_left_behind_runs_out(path: Path) -> None:
    abandoned = Process("abandon", path=str(path), seconds=30).told(code=9)
    now = SQLiteSession(SESSION, path)
    held = await now.holder()
    assert held is not None
    assert held.owner == "abandoned"
    later = SQLiteSession(SESSION, path, clock=lambda: held.expires_at.timestamp() + 1)
    lease = await later.acquire("next", 30)
    assert lease.number == abandoned["number"] + 1
    await later.append([user("Yes.")], lease=lease)
    assert told(await now.get_items()) == ["Is anybody there?", "Yes."]
    now.database.close()


# another program between two of our steps


async def _appends(sdk: SdkSession) -> None:
    await sdk.add_items([user("from elsewhere")])  # type: ignore[list-item]


async def _pops(sdk: SdkSession) -> None:
    await sdk.pop_item()


async def _clears(sdk: SdkSession) -> None:
    await sdk.clear_session()


async def _pops_and_appends(sdk: SdkSession) -> None:
    await _pops(sdk)
    await _appends(sdk)


async def _clears_and_begins_again(sdk: SdkSession) -> None:
    await _clears(sdk)
    await sdk.add_items(turns(4))  # type: ignore[arg-type]


STRANGERS = {
    "appends": _appends,
    "pops": _pops,
    "clears": _clears,
    "pops and appends": _pops_and_appends,
    "clears and begins again": _clears_and_begins_again,
}

EDITS: dict[str, Callable[[str], Edit]] = {
    "roll back": RollBack,
    "truncate": lambda _: Truncate(keep_turns=1),
    "clear": lambda _: Clear(),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("stranger", STRANGERS)
async def test_a_plan_is_void_when_another_program_wrote_before_it_was_applied(
    session: SQLiteSession, sdk: SdkSession, stranger: str, edit: str
) -> None:
    await session.add_items(turns(4))
    entries = (await session.timeline()).entries
    plan = await session.plan(EDITS[edit](entries[7].id))
    await STRANGERS[stranger](sdk)
    before = await rows(session)
    with pytest.raises(HistoryChanged):
        await session.apply(plan)
    assert await rows(session) == before
    assert await session.changes() == []


async def edited(session: SQLiteSession, edit: str) -> Change:
    await session.add_items(turns(4))
    entries = (await session.timeline()).entries
    return await session.apply(await session.plan(EDITS[edit](entries[7].id)))


async def test_a_roll_back_is_not_undone_behind_what_another_program_appended(
    session: SQLiteSession, sdk: SdkSession
) -> None:
    change = await edited(session, "roll back")
    await _appends(sdk)
    before = await rows(session)
    with pytest.raises(UndoRefused):
        await session.undo()
    assert await rows(session) == before
    branch = await session.branch("as it was", before=change)
    assert await branch.get_items() == turns(4)


async def test_a_truncation_is_undone_in_front_of_what_another_program_appended(
    session: SQLiteSession, sdk: SdkSession
) -> None:
    await edited(session, "truncate")
    await _appends(sdk)
    await session.undo()
    assert await session.get_items() == [*turns(4), user("from elsewhere")]


async def test_an_undo_puts_back_all_but_what_another_program_popped(
    session: SQLiteSession, sdk: SdkSession
) -> None:
    await edited(session, "truncate")
    await _pops(sdk)
    await session.undo()
    assert await session.get_items() == turns(4)[:-1]


@pytest.mark.parametrize("edit", ["roll back", "truncate"])
@pytest.mark.parametrize("stranger", ["clears", "clears and begins again"])
async def test_nothing_is_put_back_into_a_session_that_another_program_cleared(
    session: SQLiteSession, sdk: SdkSession, stranger: str, edit: str
) -> None:
    change = await edited(session, edit)
    await STRANGERS[stranger](sdk)
    before = await rows(session)
    with pytest.raises(NothingToDo):
        await session.undo()
    assert await rows(session) == before
    assert [change.void for change in await session.changes()] == [True]
    with pytest.raises(Exception, match="no such edit"):
        await session.branch("as it was", before=change)


async def test_an_edit_is_not_made_again_over_what_another_program_appended(
    session: SQLiteSession, sdk: SdkSession
) -> None:
    await edited(session, "roll back")
    await session.undo()
    await _appends(sdk)
    before = await rows(session)
    with pytest.raises(HistoryChanged):
        await session.redo()
    assert await rows(session) == before


async def test_what_two_programs_append_by_turns_stands_in_that_order(
    session: SQLiteSession, sdk: SdkSession
) -> None:
    expected: list[Any] = []
    for number in range(20):
        items = turn(number)
        await (sdk if number % 2 else session).add_items(items)  # type: ignore[arg-type]
        expected += items
    assert await session.get_items() == expected
    assert await sdk.get_items() == expected


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")
def test_a_session_of_before_a_fork_says_so_and_one_opened_after_it_works(tmp_path: Path) -> None:
    code = """
import asyncio, os, sys
from memory import SQLiteSession
from tests.memory.items import user

path = sys.argv[1]
before = SQLiteSession("s", path)
asyncio.run(before.add_items([user("parent")]))
child = os.fork()
if child == 0:
    try:
        asyncio.run(asyncio.wait_for(before.add_items([user("lost")]), 20))
    except RuntimeError as error:
        assert "forked" in str(error)
    else:
        os._exit(1)
    asyncio.run(asyncio.wait_for(SQLiteSession("s", path).add_items([user("child")]), 20))
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
assert len(asyncio.run(before.get_items())) == 2
"""
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "a.db")],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
