"""Undo and redo: every byte, id and time comes back, or the undo says why it cannot."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from agents import SQLiteSession as SdkSession

from memory import (
    Change,
    Clear,
    Edit,
    Entry,
    HistoryChanged,
    NotErased,
    NothingToDo,
    Remove,
    Repair,
    Replace,
    RollBack,
    SessionBusy,
    SQLAlchemySession,
    SQLiteSession,
    StoreUnavailable,
    TableSession,
    Truncate,
    UndoRefused,
)

from .items import assistant, call, output, relay, turn, turns, user
from .stores import Open, Row, on_disk, plant, rows, run_sql
from .wholeness import complaints

BROKEN = ("{broken", b"\xff\xfe", "42")

KINDS = ["roll back", "roll back far", "truncate", "remove", "remove several", "replace", "complete", "clear"]


async def prepared(session: TableSession) -> None:
    """Eighteen rows with times and authors of their own, a lone call and rows that cannot be read."""
    await session.append(turn(1), agent="Triage")
    await plant(session, *BROKEN)
    await session.append([user("then"), call("lone")], agent="Approval")
    await session.append([*turn(2), *turn(3)], agent="Summary", note=("stopped", {}))
    await run_sql(session, "UPDATE {messages} SET created_at = {time_of_its_own}")


async def edit_of(session: TableSession, kind: str) -> Edit:
    entries = (await session.timeline()).entries
    match kind:
        case "roll back":
            return RollBack(to=entries[-4].id)
        case "roll back far":
            return RollBack(to=entries[1].id)
        case "truncate":
            return Truncate(keep_items=5)
        case "remove":
            return Remove((entries[1].id,))
        case "remove several":
            return Remove((entries[0].id, entries[5].id, entries[-1].id))
        case "replace":
            return Replace(entries[3].id, assistant("better"))
        case "complete":
            return Repair(next(e.id for e in entries if e.call_id == "lone"), "complete")
    return Clear()


async def make(session: TableSession, edit: Edit) -> Change:
    return await session.apply(await session.plan(edit))


async def everything(
    session: TableSession,
) -> tuple[list[Row], tuple[Entry, ...], list[tuple[str, str | None]]]:
    """Rows to the byte, entries with places and authors, notes with what they stand behind."""
    timeline = await session.timeline()
    notes = [(note.kind, note.after) for note in await session.notes(timeline)]
    return await rows(session), timeline.entries, notes


@pytest.mark.parametrize("kind", KINDS)
async def test_undo_brings_back_every_byte_id_time_author_and_note(own: TableSession, kind: str) -> None:
    await prepared(own)
    before = await everything(own)
    await make(own, await edit_of(own, kind))
    assert await rows(own) != before[0]
    await own.undo()
    assert await everything(own) == before


@pytest.mark.parametrize("kind", KINDS)
async def test_redo_makes_the_edit_again_under_the_same_ids(own: TableSession, kind: str) -> None:
    await prepared(own)
    before = await everything(own)
    await make(own, await edit_of(own, kind))
    after = await everything(own)
    for _ in range(2):
        await own.undo()
        await own.redo()
        assert await everything(own) == after
    await own.undo()
    assert await everything(own) == before


async def test_edits_are_undone_newest_first_and_redone_in_order(own: TableSession) -> None:
    await prepared(own)
    states = [await everything(own)]
    for kind in ("replace", "remove", "complete", "roll back", "truncate", "clear"):
        await make(own, await edit_of(own, kind))
        states.append(await everything(own))
    for state in reversed(states[:-1]):
        await own.undo()
        assert await everything(own) == state
    with pytest.raises(NothingToDo):
        await own.undo()
    for state in states[1:]:
        await own.redo()
        assert await everything(own) == state
    with pytest.raises(NothingToDo):
        await own.redo()


async def test_undo_and_redo_tell_what_they_did(own: TableSession) -> None:
    await own.add_items(turns(2))
    made = await make(own, Truncate(keep_turns=1))
    assert (made.kind, made.removed, made.added, made.undone) == ("truncate", 4, 0, False)
    undone = await own.undo()
    assert (undone.id, undone.undone) == (made.id, True)
    redone = await own.redo()
    assert (redone.id, redone.undone) == (made.id, False)


async def test_the_changes_of_a_session_are_listed_oldest_first(own: TableSession) -> None:
    await own.add_items(turns(3))
    await make(own, Truncate(keep_turns=2))
    await own.pop_item()
    await own.undo()
    changes = await own.changes()
    assert [(change.kind, change.removed, change.undone) for change in changes] == [
        ("truncate", 4, False),
        ("pop", 1, True),
    ]


async def test_a_session_without_edits_has_nothing_to_undo_or_redo(own: TableSession) -> None:
    await own.add_items(turns(1))
    with pytest.raises(NothingToDo, match="nothing to undo"):
        await own.undo()
    with pytest.raises(NothingToDo, match="nothing to redo"):
        await own.redo()
    assert await own.changes() == []


async def test_a_new_edit_ends_the_chance_to_redo(own: TableSession) -> None:
    await own.add_items(turns(3))
    await make(own, Truncate(keep_turns=2))
    await own.undo()
    await make(own, Truncate(keep_turns=1))
    with pytest.raises(NothingToDo):
        await own.redo()
    await own.undo()
    assert await own.get_items() == turns(3)


async def test_edits_of_two_sessions_are_undone_apart(own_store: Open) -> None:
    first, second = own_store("first"), own_store("second")
    for session in (first, second):
        await session.add_items(turns(2))
        await session.pop_item()
    await first.undo()
    with pytest.raises(NothingToDo):
        await first.undo()
    assert await first.get_items() == turns(2)
    assert await second.get_items() == turns(2)[:-1]


async def test_undo_brings_rows_back_between_those_of_another_session(own_store: Open) -> None:
    first, second = own_store("first"), own_store("second")
    assert isinstance(first, TableSession)
    for number in (1, 2, 3):
        await first.add_items(turn(number))
        await second.add_items(turn(number))
    before = await rows(first)
    await make(first, Truncate(keep_turns=1))
    await first.undo()
    assert await rows(first) == before
    assert await second.get_items() == turns(3)


# Appended since


@pytest.mark.parametrize("kind", ["roll back", "roll back far"])
async def test_a_roll_back_is_not_undone_after_something_was_appended(own: TableSession, kind: str) -> None:
    await prepared(own)
    await make(own, await edit_of(own, kind))
    await own.add_items([user("later")])
    before = await rows(own)
    with pytest.raises(UndoRefused, match="branch the earlier state"):
        await own.undo()
    assert await rows(own) == before


async def test_a_pop_is_not_undone_after_something_was_appended(own: TableSession) -> None:
    await own.add_items(turns(1))
    await own.pop_item()
    await own.add_items([assistant("another answer")])
    with pytest.raises(UndoRefused):
        await own.undo()


@pytest.mark.parametrize("kind", ["truncate", "remove", "replace", "complete", "clear"])
async def test_any_other_edit_is_undone_whatever_was_appended_since(own: TableSession, kind: str) -> None:
    await prepared(own)
    before = await rows(own)
    await make(own, await edit_of(own, kind))
    await own.add_items([user("later"), assistant("on")])
    later = (await rows(own))[-2:]
    await own.undo()
    if kind == "complete":
        assert [row.raw for row in await rows(own)] == [row.raw for row in [*before, *later]]
    assert await rows(own) == [*before, *later]
    await own.redo()
    assert complaints([item for item in await own.get_items() if item.get("call_id") != "lone"]) == []


async def test_what_was_appended_after_a_mended_call_stays_last(own: TableSession) -> None:
    await own.add_items([user(), call("lone"), user("hello")])
    entries = (await own.timeline()).entries
    await make(own, Repair(entries[1].id, "complete"))
    await own.add_items([assistant("later")])
    await own.undo()
    assert await own.get_items() == [user(), call("lone"), user("hello"), assistant("later")]
    await own.redo()
    assert [item.get("type", item.get("role")) for item in await own.get_items()] == [
        "user",
        "function_call",
        "function_call_output",
        "user",
        "message",
    ]


async def test_an_edit_is_not_made_again_where_its_rows_are_gone(own: TableSession) -> None:
    await own.add_items(turns(3))
    await make(own, Truncate(keep_turns=1))
    await own.undo()
    await run_sql(own, "DELETE FROM {messages} WHERE id = (SELECT min(id) FROM {messages})")
    before = await rows(own)
    with pytest.raises(HistoryChanged):
        await own.redo()
    assert await rows(own) == before


async def test_a_roll_back_is_not_made_again_after_something_was_said(own: TableSession) -> None:
    await own.add_items(turns(2))
    await make(own, RollBack(to=None))
    await own.undo()
    await own.add_items([user("later")])
    with pytest.raises(HistoryChanged):
        await own.redo()
    assert await own.get_items() == [*turns(2), user("later")]


async def test_a_replacement_another_program_popped_is_not_undone(own: TableSession) -> None:
    await own.add_items(turns(1))
    entries = (await own.timeline()).entries
    await make(own, Replace(entries[3].id, assistant("better")))
    await run_sql(own, "DELETE FROM {messages} WHERE id = (SELECT max(id) FROM {messages})")
    with pytest.raises(HistoryChanged):
        await own.undo()
    assert await own.get_items() == turns(1)[:3]


async def test_a_place_another_program_took_is_not_written_over(own: TableSession) -> None:
    """Tables that another program made without AUTOINCREMENT hand out the id of a deleted row again."""
    await own.add_items(turns(2))
    before = await rows(own)
    entries = (await own.timeline()).entries
    await make(own, Remove((entries[0].id,)))
    await run_sql(own, "INSERT INTO {sessions} (session_id) VALUES ('somebody else')")
    await run_sql(
        own,
        "INSERT INTO {messages} (id, session_id, message_data) VALUES (:id, 'somebody else', '{{}}')",
        id=before[0].id,
    )
    with pytest.raises(UndoRefused, match="branch"):
        await own.undo()
    assert await rows(own) == before[1:]


# Another program


async def test_what_was_kept_of_a_session_another_program_cleared_is_never_put_back(tmp_path: Path) -> None:
    ours, sdk = SQLiteSession("x", tmp_path / "a.db"), SdkSession("x", tmp_path / "a.db")
    await ours.add_items(turns(3))
    await make(ours, Truncate(keep_turns=2))
    await ours.pop_item()
    await sdk.clear_session()
    with pytest.raises(NothingToDo, match="leftover"):
        await ours.undo()
    await sdk.add_items([user("new"), assistant("life")])  # type: ignore[list-item]
    sdk.close()
    with pytest.raises(NothingToDo, match="leftover"):
        await ours.undo()
    assert await ours.get_items() == [user("new"), assistant("life")]
    assert [change.void for change in await ours.changes()] == [True, True]


async def test_edits_of_the_new_life_are_undone_and_the_leftovers_are_not(tmp_path: Path) -> None:
    ours, sdk = SQLiteSession("x", tmp_path / "a.db"), SdkSession("x", tmp_path / "a.db")
    await ours.add_items(turns(2))
    await ours.pop_item()
    await sdk.clear_session()
    await sdk.add_items(turns(1))  # type: ignore[arg-type]
    sdk.close()
    await ours.pop_item()
    await ours.undo()
    assert await ours.get_items() == turns(1)
    with pytest.raises(NothingToDo):
        await ours.undo()
    assert await ours.get_items() == turns(1)


async def test_an_undone_edit_of_a_session_another_program_cleared_is_not_made_again(tmp_path: Path) -> None:
    ours, sdk = SQLiteSession("x", tmp_path / "a.db"), SdkSession("x", tmp_path / "a.db")
    await ours.add_items(turns(2))
    await make(ours, Truncate(keep_turns=1))
    await ours.undo()
    await sdk.clear_session()
    await sdk.add_items(turns(2))  # type: ignore[arg-type]
    sdk.close()
    with pytest.raises((NothingToDo, HistoryChanged)):
        await ours.redo()
    assert await ours.get_items() == turns(2)


async def test_leftovers_of_a_cleared_session_can_be_purged(tmp_path: Path) -> None:
    ours, sdk = SQLiteSession("x", tmp_path / "a.db"), SdkSession("x", tmp_path / "a.db")
    await ours.add_items(turns(2))
    await make(ours, Truncate(keep_turns=1))
    await sdk.clear_session()
    sdk.close()
    assert await ours.purge() == 4
    assert await ours.changes() == []


async def test_a_clear_of_ours_is_no_leftover(own: TableSession) -> None:
    await own.add_items(turns(2))
    before = await rows(own)
    await make(own, Clear())
    assert [change.void for change in await own.changes()] == [False]
    await own.undo()
    assert await rows(own) == before


async def test_emptying_a_session_by_pops_can_be_undone(own: TableSession) -> None:
    await own.add_items(turns(2))
    before = await rows(own)
    for _ in range(8):
        await own.pop_item()
    assert await rows(own) == []
    for _ in range(8):
        await own.undo()
    assert await rows(own) == before


async def test_a_cleared_session_begins_a_history_of_edits_of_its_own(own: TableSession) -> None:
    await own.add_items(turns(2))
    await own.pop_item()
    await own.clear_session()
    await own.add_items(turns(1))
    assert await own.changes() == []
    with pytest.raises(NothingToDo):
        await own.undo()
    await own.pop_item()
    await own.undo()
    assert await own.get_items() == turns(1)


# Together


async def test_of_many_undoing_at_once_each_takes_back_one_edit(own: TableSession) -> None:
    await own.add_items(turns(3))
    before = await rows(own)
    for _ in range(4):
        await own.pop_item()
    results = await asyncio.gather(*(own.undo() for _ in range(6)), return_exceptions=True)
    assert sum(isinstance(result, Change) for result in results) == 4
    assert sum(isinstance(result, NothingToDo) for result in results) == 2
    assert await rows(own) == before


async def test_of_many_applying_one_plan_at_once_one_does(own: TableSession) -> None:
    await own.add_items(turns(3))
    plan = await own.plan(Truncate(keep_turns=2))
    results = await asyncio.gather(*(own.apply(plan) for _ in range(6)), return_exceptions=True)
    assert sum(isinstance(result, Change) for result in results) == 1
    assert sum(isinstance(result, HistoryChanged) for result in results) == 5
    assert await own.get_items() == turns(3)[4:]


# Gone for good


def files_with(folder: Path, word: str) -> list[str]:
    return [name for name, content in on_disk(folder).items() if word.encode() in content]


MARKER = "xyzzy-订单-marker"


@pytest.mark.parametrize("way", ["purge", "erase", "clear", "roll back and purge"])
async def test_what_is_purged_is_in_no_file(tmp_path: Path, way: str) -> None:
    session = SQLiteSession("x", tmp_path / "a.db")
    await session.add_items([user("kept"), *turns(20)])
    await session.add_items([user(MARKER), assistant(MARKER * 500), call("k", arguments=MARKER)])
    await session.pause(MARKER, [("k", "refund", MARKER, "Approval")])
    await session.note("stopped", {"said": MARKER})
    assert files_with(tmp_path, MARKER)
    if way == "erase":
        await session.erase()
    elif way == "clear":
        await session.clear_session()
        await session.purge()
    else:
        entries = (await session.timeline()).entries
        await make(session, RollBack(to=entries[0].id))
        assert files_with(tmp_path, MARKER)
        await session.purge()
    assert files_with(tmp_path, MARKER) == []


async def test_a_purge_keeps_what_is_stored_and_ends_the_way_back(own: TableSession) -> None:
    await own.append([user(), assistant("first", "msg_9")], agent="Triage", note=("stopped", {}))
    await own.append(turns(2), agent="Summary")
    await make(own, RollBack(to=(await own.timeline()).entries[1].id))
    before = await everything(own)
    assert await own.purge() == 8
    assert await everything(own) == before
    assert await own.changes() == []
    with pytest.raises(NothingToDo):
        await own.undo()
    assert await own.purge() == 0


async def test_a_purge_of_one_session_leaves_the_others_way_back(own_store: Open) -> None:
    first, second = own_store("first"), own_store("second")
    for session in (first, second):
        await session.add_items(turns(2))
        await session.pop_item()
    await first.purge()
    await second.undo()
    assert await second.get_items() == turns(2)


async def test_a_purge_while_another_program_reads_says_that_the_log_still_holds_the_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.sqlite_file.PATIENCE", 0.05)
    session = SQLiteSession("x", tmp_path / "a.db")
    await session.add_items([user(MARKER)])
    reader = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM agent_messages").fetchall()
    with pytest.raises(StoreUnavailable, match="another program is reading"):
        await session.erase()
    reader.close()
    assert await session.get_items() == []
    await session.purge()
    assert files_with(tmp_path, MARKER) == []


async def test_a_purge_waits_for_a_run(own: TableSession) -> None:
    await own.add_items(turns(1))
    await own.pop_item()
    await own.acquire("a run", 60)
    with pytest.raises(SessionBusy):
        await own.purge()
    assert len(await own.changes()) == 1


async def test_undo_of_a_relay_leaves_whole_pairs_at_every_step(own: TableSession) -> None:
    await own.add_items(relay())
    for keep in (9, 6, 4, 2, 1):
        entries = (await own.timeline()).entries
        if keep < len(entries):
            await make(own, RollBack(to=entries[keep - 1].id))
        assert complaints(await own.get_items()) == []
    while True:
        try:
            await own.undo()
        except NothingToDo:
            break
        assert complaints(await own.get_items()) == []
    assert await own.get_items() == relay()


async def test_an_output_put_back_finds_its_call_again(own: TableSession) -> None:
    await own.add_items([user(), call("k"), user("hello"), output("k")])
    entries = (await own.timeline()).entries
    await make(own, Remove((entries[3].id,)))
    assert await own.get_items() == [user(), user("hello")]
    await own.undo()
    assert complaints(await own.get_items()) == []


async def test_text_that_a_reader_kept_in_the_log_goes_with_the_next_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.sqlite_file.PATIENCE", 0.05)
    session = SQLiteSession("s", tmp_path / "a.db")
    await session.append([user(MARKER)])
    await session.apply(await session.plan(Clear()))
    reader = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM agent_messages").fetchall()
    with pytest.raises(StoreUnavailable, match="purge again"):
        await session.purge()
    await session.append([user("said while it still reads")])
    reader.close()
    await session.append([user("said when it is done")])
    assert files_with(tmp_path, MARKER) == []
    assert len(await session.get_items()) == 2
    session.close()


async def test_what_a_reader_kept_is_erased_by_purging_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.sqlite_file.PATIENCE", 0.05)
    session = SQLiteSession("s", tmp_path / "a.db")
    await session.append([user(MARKER)])
    await session.apply(await session.plan(Clear()))
    reader = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM agent_messages").fetchall()
    with pytest.raises(NotErased):
        await session.purge()
    assert session.unerased
    reader.close()
    await session.purge()
    assert not session.unerased
    assert files_with(tmp_path, MARKER) == []
    session.close()


async def test_a_ledger_that_lies_apart_is_erased_too(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{(tmp_path / 'team.db').as_posix()}"
    made = SQLAlchemySession.from_url("s", url=url, create_tables=True)
    await made.append([user("first")])
    await made.close()
    session = SQLAlchemySession.from_url("s", url=url, ledger=tmp_path / "ledger.db")
    await session.append([user(MARKER)])
    await session.apply(await session.plan(Clear()))
    assert any("ledger" in name for name in files_with(tmp_path, "xyzzy"))
    await session.purge()
    assert files_with(tmp_path, "xyzzy") == []
    await session.close()
