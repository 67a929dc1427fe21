"""What an edit took of a foreign session, kept in a file of ours."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from memory import (
    Clear,
    FileCopies,
    ForeignSession,
    NothingToDo,
    NotSupported,
    RollBack,
    SessionBusy,
    StoreUnavailable,
    inspect,
)

from .foreign_store import Store, roll_back
from .items import turns, user
from .stores import on_disk


async def test_without_a_ledger_a_session_says_that_its_way_back_ends_with_the_process() -> None:
    seen = inspect(Store())
    assert isinstance(seen, ForeignSession)
    assert not seen.durable


async def test_with_a_file_what_an_edit_took_outlives_the_object(tmp_path: Path) -> None:
    store = Store([*turns(2), user("half \ud83d, 半 and \x00"), {"type": "custom", "value": 2**70}])
    before = list(store.items)
    first = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    assert isinstance(first, ForeignSession)
    assert first.durable
    await roll_back(first, 4)
    await roll_back(first, 0)
    later = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    assert [(change.kind, change.removed) for change in await later.changes()] == [
        ("roll_back", 6),
        ("roll_back", 4),
    ]
    await later.undo()
    await later.undo()
    assert store.items == before
    await later.redo()
    assert store.items == turns(1)


async def test_copies_of_different_sessions_and_stores_are_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "desk.db"
    first = inspect(Store(turns(1), "a"), ledger=FileCopies(path))
    second = inspect(Store(turns(1), "b"), ledger=FileCopies(path))
    third = inspect(Store(turns(1), "a"), ledger=FileCopies(path, store="redis"))
    await roll_back(first, 0)
    for untouched in (second, third):
        assert await untouched.changes() == []
        await roll_back(untouched, 0)
        assert len(await untouched.changes()) == 1
    assert len(await first.changes()) == 1


async def test_what_cannot_be_kept_is_not_taken(tmp_path: Path) -> None:
    store = Store([user(), {"role": "user", "content": object()}])
    seen = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    with pytest.raises(NotSupported, match="not JSON"):
        await roll_back(seen, 0)
    assert (len(store.items), store.pops) == (2, 0)


async def test_a_ledger_that_cannot_be_written_takes_nothing(tmp_path: Path) -> None:
    (tmp_path / "desk.db").mkdir()
    store = Store(turns(1))
    seen = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    entries = (await inspect(store).timeline()).entries
    plan = await inspect(store).plan(RollBack(to=entries[0].id))
    with pytest.raises(StoreUnavailable):
        await seen.apply(plan)
    assert (store.items, store.pops) == (turns(1), 0)


async def test_purged_copies_are_in_no_file(tmp_path: Path) -> None:
    marker = "xyzzy-marker"
    seen = inspect(Store([user(), user(marker)]), ledger=FileCopies(tmp_path / "desk.db"))
    await roll_back(seen, 1)
    assert any(marker.encode() in content for content in on_disk(tmp_path).values())
    assert await seen.purge() == 1
    assert not any(marker.encode() in content for content in on_disk(tmp_path).values())
    with pytest.raises(NothingToDo):
        await seen.undo()


async def test_clearing_for_good_forgets_the_copies(tmp_path: Path) -> None:
    seen = inspect(Store(turns(2)), ledger=FileCopies(tmp_path / "desk.db"))
    await roll_back(seen, 4)
    await seen.clear_session()
    assert await seen.changes() == []


async def test_a_codec_seals_what_is_kept(tmp_path: Path) -> None:
    from memory import PlainCodec

    class Sealed(PlainCodec):
        def seal(self, text: str) -> str:
            return text.encode().hex()

        def unseal(self, text: str) -> str:
            return bytes.fromhex(text).decode()

    marker = "xyzzy-marker"
    store = Store([user(), user(marker)])
    seen = inspect(store, ledger=FileCopies(tmp_path / "desk.db", codec=Sealed()))
    await roll_back(seen, 1)
    assert not any(marker.encode() in content for content in on_disk(tmp_path).values())
    await seen.undo()
    assert store.items == [user(), user(marker)]


async def test_another_process_that_edits_is_waited_for_with_a_word(tmp_path: Path) -> None:
    store = Store(turns(2))
    seen = inspect(store, ledger=FileCopies(tmp_path / "desk.db"))
    plan = await seen.plan(Clear())
    holder = sqlite3.connect(tmp_path / "desk.db-editing", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(SessionBusy, match="under way"):
        await seen.apply(plan)
    assert store.items == turns(2)
    assert (await seen.timeline()).total == 8
    holder.close()
    await seen.apply(plan)
    assert store.items == []
