"""A plan is refused once the history is another."""

from __future__ import annotations

from pathlib import Path

import pytest
from agents import SQLiteSession as SdkSession

from memory import (
    Clear,
    Edit,
    HistoryChanged,
    Plan,
    Remove,
    Repair,
    Replace,
    RollBack,
    SQLiteSession,
    TableSession,
    Truncate,
)

from .items import assistant, call, turn, turns, user
from .stores import Open, entries_of, rows

EDITS = ["roll back", "truncate", "remove", "replace", "repair", "clear"]


async def planned(session: TableSession, edit: str) -> Plan:
    """A plan of this kind over three turns with a lone call."""
    entries = await entries_of(session)
    edits: dict[str, Edit] = {
        "roll back": RollBack(to=entries[3].id),
        "truncate": Truncate(keep_turns=1),
        "remove": Remove((entries[5].id,)),
        "replace": Replace(entries[3].id, assistant("better")),
        "repair": Repair(entries[8].id, "complete"),
        "clear": Clear(),
    }
    return await session.plan(edits[edit])


MENDABLE = [*turns(2), call("lone"), *turn(3)]


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("happened", ["append", "pop", "clear", "clear and append"])
async def test_a_plan_is_refused_after_another_program_changed_the_history(
    tmp_path: Path, edit: str, happened: str
) -> None:
    sdk = SdkSession("x", tmp_path / "a.db")
    await sdk.add_items(MENDABLE)  # type: ignore[arg-type]
    ours = SQLiteSession("x", tmp_path / "a.db")
    plan = await planned(ours, edit)
    if happened == "pop":
        await sdk.pop_item()
    if "clear" in happened:
        await sdk.clear_session()
    if "append" in happened:
        await sdk.add_items(MENDABLE)  # type: ignore[arg-type]
    sdk.close()
    before = await rows(ours)
    with pytest.raises(HistoryChanged):
        await ours.apply(plan)
    assert await rows(ours) == before
    assert await ours.changes() == []


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("happened", ["append", "pop", "edit", "edit and undo", "note only"])
async def test_a_plan_is_refused_after_an_edit_of_ours_elsewhere(
    own_store: Open, edit: str, happened: str
) -> None:
    here, there = own_store("x"), own_store("x")
    assert isinstance(here, TableSession)
    assert isinstance(there, TableSession)
    await here.add_items(MENDABLE)
    plan = await planned(here, edit)
    if happened == "append":
        await there.add_items([user("later")])
    if happened == "pop":
        await there.pop_item()
    if "edit" in happened:
        await there.apply(await there.plan(Remove(((await entries_of(there))[0].id,))))
    if "undo" in happened:
        await there.undo()
    if happened == "note only":
        await there.note("stopped")
        await here.apply(plan)
        return
    before = await rows(here)
    with pytest.raises(HistoryChanged):
        await here.apply(plan)
    assert await rows(here) == before


async def test_a_plan_can_be_applied_once(own: TableSession) -> None:
    await own.add_items(turns(3))
    plan = await own.plan(Truncate(keep_turns=2))
    await own.apply(plan)
    with pytest.raises(HistoryChanged):
        await own.apply(plan)
    assert await own.get_items() == turns(3)[4:]


async def test_a_plan_of_another_session_is_refused(own_store: Open) -> None:
    mine, theirs = own_store("mine"), own_store("theirs")
    await mine.add_items(turns(2))
    await theirs.add_items(turns(2))
    plan = await theirs.plan(Clear())
    with pytest.raises(HistoryChanged):
        await mine.apply(plan)
    assert await mine.get_items() == turns(2)


async def test_writing_to_another_session_of_the_file_makes_no_plan_stale(own_store: Open) -> None:
    mine, theirs = own_store("mine"), own_store("theirs")
    await mine.add_items(turns(2))
    plan = await mine.plan(Truncate(keep_turns=1))
    await theirs.add_items(turns(2))
    await mine.apply(plan)
    assert await mine.get_items() == turns(2)[4:]
    assert await theirs.get_items() == turns(2)
