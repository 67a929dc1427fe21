"""Notes: words beside the entries that no item of the model says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory import Clear, InspectableSession, Remove, RollBack, TableSession, Truncate

from .items import assistant, turns, user
from .stores import Open, rows


async def notes(session: TableSession) -> list[tuple[str, str | None]]:
    return [(note.kind, note.after) for note in await session.notes(await session.timeline())]


async def test_a_note_stands_behind_the_newest_entry(own: TableSession) -> None:
    await own.add_items(turns(1))
    await own.note("stopped", {"seconds": 3, "text": "停"})
    timeline = await own.timeline()
    (note,) = await own.notes(timeline)
    assert (note.kind, note.after, note.detail) == (
        "stopped",
        timeline.entries[-1].id,
        {"seconds": 3, "text": "停"},
    )
    assert abs(datetime.now(UTC) - note.at) < timedelta(hours=1)


async def test_a_note_can_be_stored_with_the_items_it_stands_behind(own: TableSession) -> None:
    ids = await own.append([user(), assistant()], note=("withheld", {}))
    assert await notes(own) == [("withheld", ids[-1])]


async def test_a_note_in_an_empty_session_stands_at_the_start(own: TableSession) -> None:
    await own.note("failed")
    assert await notes(own) == [("failed", None)]
    await own.add_items(turns(1))
    assert await notes(own) == [("failed", None)]


async def test_notes_behind_one_entry_stand_in_the_order_they_were_made(own: TableSession) -> None:
    (first,) = await own.append([user()])
    await own.note("failed")
    await own.note("stopped")
    (second,) = await own.append([user()], note=("limit", {}))
    await own.note("refused")
    assert await notes(own) == [
        ("failed", first),
        ("stopped", first),
        ("limit", second),
        ("refused", second),
    ]


async def test_a_note_is_no_item_and_no_row_of_the_sdks(own: TableSession) -> None:
    await own.append([user()])
    before = await rows(own)
    await own.note("stopped")
    assert await rows(own) == before
    assert await own.get_items() == [user()]
    assert (await own.timeline()).total == 1


async def test_a_page_shows_the_notes_of_its_own_entries(own: TableSession) -> None:
    await own.note("start")
    for number in (1, 2, 3):
        await own.append([user(str(number))], note=(f"after {number}", {}))
    newest = await own.timeline(limit=2)
    assert [note.kind for note in await own.notes(newest)] == ["after 2", "after 3"]
    older = await own.timeline(before=newest.entries[0].id, limit=2)
    assert [note.kind for note in await own.notes(older)] == ["start", "after 1"]


async def test_notes_of_two_sessions_do_not_mix(own_store: Open) -> None:
    first, second = own_store("first"), own_store("second")
    await first.append([user()], note=("stopped", {}))
    await second.append([user()])
    assert await second.notes(await second.timeline()) == []


@pytest.mark.parametrize("edit", ["roll back", "truncate", "remove", "clear"])
async def test_a_note_goes_with_its_entry_and_comes_back_with_it(own: TableSession, edit: str) -> None:
    (first,) = await own.append([user("one")], note=("stopped", {}))
    (second,) = await own.append([user("two")], note=("failed", {}))
    before = await notes(own)
    edits = {
        "roll back": RollBack(to=first),
        "truncate": Truncate(keep_items=1),
        "remove": Remove((second,)),
        "clear": Clear(),
    }
    await own.apply(await own.plan(edits[edit]))
    left = {
        "roll back": [("stopped", first)],
        "remove": [("stopped", first)],
        "truncate": [("failed", second)],
    }
    assert await notes(own) == left.get(edit, [])
    await own.undo()
    assert await notes(own) == before


async def test_clearing_for_good_takes_the_notes_along(own: TableSession) -> None:
    await own.note("start")
    await own.append([user()], note=("stopped", {}))
    await own.clear_session()
    assert await notes(own) == []
    await own.add_items([user()])
    assert await notes(own) == []


async def test_a_purge_keeps_the_notes_of_what_is_stored(own: TableSession) -> None:
    (first,) = await own.append([user("one")], note=("stopped", {}))
    await own.append([user("two")], note=("failed", {}))
    await own.apply(await own.plan(RollBack(to=first)))
    await own.purge()
    assert await notes(own) == [("stopped", first)]


async def test_a_note_whose_detail_is_not_json_stores_neither_itself_nor_the_items(own: TableSession) -> None:
    with pytest.raises(TypeError):
        await own.append([user()], note=("stopped", {"what": object()}))
    assert await own.get_items() == []
    assert await notes(own) == []


async def test_a_session_with_no_place_for_notes_stores_the_items_and_shows_none(
    session: InspectableSession,
) -> None:
    await session.append([user()], note=("stopped", {}))
    assert await session.get_items() == [user()]
    shown = [note.kind for note in await session.notes(await session.timeline())]
    assert shown in ([], ["stopped"])
