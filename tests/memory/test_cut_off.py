"""An edit that fails in the middle, or whose process dies there, leaves the state before or after it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory import (
    Clear,
    Edit,
    Remove,
    Repair,
    Replace,
    RollBack,
    SQLiteSession,
    StoreUnavailable,
    TableSession,
    Truncate,
)

from .items import assistant, call, turn, turns, user
from .stores import Row, rows, run_sql

EDITS = ["roll back", "truncate", "remove", "replace", "repair", "clear"]


async def prepared(session: TableSession, edit: str) -> Edit:
    """Eleven items with a lone call among them, and the edit."""
    await session.append([*turns(1), user(), call("lone")], agent="Triage")
    await session.append([*turn(2), assistant("more")], agent="Summary", note=("stopped", {}))
    entries = (await session.timeline()).entries
    edits: dict[str, Edit] = {
        "roll back": RollBack(to=entries[3].id),
        "truncate": Truncate(keep_turns=1),
        "remove": Remove((entries[1].id, entries[6].id)),
        "replace": Replace(entries[3].id, assistant("better")),
        "repair": Repair(entries[5].id, "complete"),
        "clear": Clear(),
    }
    return edits[edit]


@pytest.mark.parametrize("edit", EDITS)
async def test_an_edit_the_store_refuses_in_the_middle_never_was(own: TableSession, edit: str) -> None:
    """The ledger has its copies and some rows are gone already when the store says no."""
    if own.scope.tables.dialect.for_update:
        pytest.skip("a trigger of SQLite's")
    plan = await own.plan(await prepared(own, edit))
    before = await rows(own)
    for verb, row in (("DELETE", "OLD"), ("UPDATE", "OLD"), ("INSERT", "NEW")):
        await run_sql(
            own,
            f"CREATE TRIGGER no_{verb} BEFORE {verb} ON {{messages}} WHEN {row}.id >= {before[3].id} "
            "BEGIN SELECT RAISE(ABORT, 'no room'); END",
        )
    with pytest.raises(StoreUnavailable, match=r"Nothing was changed\.$"):
        await own.apply(plan)
    assert await rows(own) == before
    assert await own.changes() == []
    for verb in ("DELETE", "UPDATE", "INSERT"):
        await run_sql(own, f"DROP TRIGGER no_{verb}")
    await own.apply(plan)
    assert await rows(own) != before
    await own.undo()
    assert await rows(own) == before


@pytest.fixture
def deaths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """While a folder is in it: a copy of that folder at each statement, as a killed process leaves it."""
    copies: list[Path] = []
    connect = sqlite3.connect

    def dies(statement: str) -> None:
        if copies:
            copies.append(tmp_path / f"died-{len(copies)}")
            copies[-1].mkdir()
            for file in copies[0].iterdir():
                if not file.name.endswith("-shm"):  # an index into the log that the next reader makes anew
                    shutil.copy(file, copies[-1] / file.name)

    def watched(*given: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*given, **options)
        connection.set_trace_callback(dies)
        return connection

    monkeypatch.setattr(sqlite3, "connect", watched)
    yield copies
    copies.clear()


async def reopened(folder: Path) -> list[Row]:
    """What the next process finds; it can undo, and go on."""
    session = SQLiteSession("x", folder / "a.db")
    found = await rows(session)
    if await session.changes():
        await session.undo()
    await session.add_items([user("and on")])
    session.database.close()
    return found


@pytest.mark.parametrize("edit", EDITS)
async def test_a_process_that_dies_at_any_statement_of_an_edit_leaves_before_or_after(
    tmp_path: Path, deaths: list[Path], edit: str
) -> None:
    live = tmp_path / "live"
    session = SQLiteSession("x", live / "a.db")
    plan = await session.plan(await prepared(session, edit))
    before = await rows(session)
    deaths.append(live)
    await session.apply(plan)
    copies = deaths[1:]
    deaths.clear()
    after = await rows(session)
    assert after != before
    found = [await reopened(copy) for copy in copies]
    assert len(found) > 5
    assert all(state == before for state in found), "the last statement is the commit"
    shutil.copytree(live, tmp_path / "done", ignore=shutil.ignore_patterns("*-shm"))
    assert await reopened(tmp_path / "done") == after
