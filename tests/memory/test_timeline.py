"""The timeline: every stored row is there, and says what it is."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from agents import SQLiteSession as SdkSession

from memory import (
    Clear,
    EntryNotFound,
    InspectableSession,
    Kind,
    MemoryDeskError,
    Remove,
    RollBack,
    SQLiteSession,
    State,
    TableSession,
    Timeline,
    Truncate,
    text_of,
)

from .histories import in_ours, in_upper_case
from .items import Item, assistant, call, handoff, output, pair, reasoning, relay, turn, turns, unknown, user
from .stores import Open, among_strangers, plant, rows, run_sql, said

BROKEN: dict[str, str | bytes] = {
    "not JSON": "{not json",
    "cut off": '{"role": "user", "content": "he',
    "empty": "",
    "a number": "42",
    "a text": '"text"',
    "a list": "[1]",
    "nothing": "null",
    "no text": b"\xff\xfe\x00\x80",
    "bytes in a text": b'{"role": "user", "content": "\xff"}',
}


def kinds(timeline: Timeline) -> list[Kind]:
    return [entry.kind for entry in timeline.entries]


def places(timeline: Timeline) -> list[tuple[int | None, int | None]]:
    return [(entry.position, entry.turn) for entry in timeline.entries]


# What an entry is


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        (user(), Kind.USER),
        ({"role": "user", "content": [{"type": "input_text", "text": "hi"}], "type": "message"}, Kind.USER),
        (assistant(), Kind.ASSISTANT),
        (call("k"), Kind.TOOL_CALL),
        (output("k"), Kind.TOOL_OUTPUT),
        (handoff("k", "Approval")[0], Kind.HANDOFF),
        (handoff("k", "Approval")[1], Kind.HANDOFF),
        (output("k", '{"assistant": "Approval", "more": 1}'), Kind.TOOL_OUTPUT),
        (output("k", '{"assistant": '), Kind.TOOL_OUTPUT),
        (reasoning(), Kind.REASONING),
        ({"type": "compaction", "encrypted_content": "x"}, Kind.SUMMARY),
        ({"type": "web_search_call", "id": "ws_1", "status": "completed"}, Kind.TOOL_CALL),
        ({"type": "computer_call_output", "call_id": "k", "output": {}}, Kind.TOOL_OUTPUT),
        ({"role": "system", "content": "be kind"}, Kind.OTHER),
        ({"role": "wizard", "content": "hi"}, Kind.OTHER),
        (unknown(), Kind.OTHER),
        ({}, Kind.OTHER),
        ({"type": 7}, Kind.OTHER),
        ({"type": "function_call", "call_id": 7, "name": None}, Kind.TOOL_CALL),
    ],
)
async def test_an_entry_says_what_its_item_is(session: InspectableSession, item: Item, kind: Kind) -> None:
    await session.add_items([item])
    (entry,) = (await session.timeline()).entries
    assert (entry.kind, entry.item) == (kind, item)


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (user("你好"), "你好"),
        (assistant("hello"), "hello"),
        (output("k", "result"), "result"),
        (call("k", "look_up", '{"a": 1}'), 'look_up({"a": 1})'),
        (reasoning(), "Look it up."),
        ({"role": "user", "content": [{"type": "input_image"}, {"text": "see"}]}, "[input_image]\nsee"),
        ({"role": "user", "content": None}, ""),
        ({"role": "user", "content": 7}, "7"),
        ({"type": "x", "y": "é"}, '{"type": "x", "y": "é"}'),
        (None, ""),
    ],
)
def test_the_words_of_an_item_are_what_a_person_would_read(item: Item | None, text: str) -> None:
    assert text_of(item) == text


async def test_an_entry_shows_its_stored_text_and_its_size_in_bytes(own: TableSession) -> None:
    await own.add_items([user("你好")])
    (entry,) = (await own.timeline()).entries
    (stored,) = await rows(own)
    assert entry.raw == stored.raw.decode()
    assert entry.size == len(stored.raw)
    assert said(own, stored) == user("你好")


async def test_an_entry_bears_the_time_it_was_stored(own: TableSession) -> None:
    await own.add_items([user()])
    (entry,) = (await own.timeline()).entries
    assert entry.created_at is not None
    assert entry.created_at.utcoffset() == timedelta(0)
    assert abs(datetime.now(UTC) - entry.created_at) < timedelta(hours=1)


async def test_a_time_that_is_no_time_is_none(own: TableSession) -> None:
    if own.scope.tables.dialect.for_update:
        pytest.skip("a server's column of times holds times only")
    await own.add_items([user()])
    await run_sql(own, "UPDATE {messages} SET created_at = 'yesterday'")
    (entry,) = (await own.timeline()).entries
    assert entry.created_at is None


async def test_equal_items_are_different_entries(session: InspectableSession) -> None:
    await session.add_items([user("again"), user("again"), assistant("x", "__fake_id__")])
    await session.add_items([assistant("x", "__fake_id__")])
    assert len({entry.id for entry in (await session.timeline()).entries}) == 4


# Who wrote it


async def test_an_entry_names_the_agent_that_wrote_it(own: TableSession) -> None:
    await own.append([user("hi")], agent="user")
    await own.append([*pair("k"), assistant("a")], agent="Triage")
    await own.add_items([assistant("from a program that names nobody")])
    await own.append([assistant("b")], agent="Approval")
    agents = [entry.agent for entry in (await own.timeline()).entries]
    assert agents == [None, "Triage", "Triage", "Triage", None, "Approval"]


async def test_a_persons_message_is_credited_to_no_agent(own: TableSession) -> None:
    await own.append([user("hi"), assistant("a")], agent="Triage")
    assert [entry.agent for entry in (await own.timeline()).entries] == [None, "Triage"]


async def test_who_wrote_it_is_no_part_of_the_item(own: TableSession) -> None:
    await own.append([assistant("a")], agent="Triage")
    assert await own.get_items() == [assistant("a")]


async def test_credits_of_two_sessions_do_not_mix(own_store: Open) -> None:
    first, second = own_store("a"), own_store("b")
    await first.append([assistant("1")], agent="Triage")
    await second.append([assistant("2")], agent="Approval")
    await first.append([assistant("3")], agent="Summary")
    assert [entry.agent for entry in (await first.timeline()).entries] == ["Triage", "Summary"]
    assert [entry.agent for entry in (await second.timeline()).entries] == ["Approval"]


async def test_append_gives_the_ids_the_timeline_shows(session: InspectableSession) -> None:
    await session.append([user("before")])
    ids = await session.append([user("你好"), assistant("hello"), *pair("k")], agent="Triage")
    assert ids == [entry.id for entry in (await session.timeline()).entries][1:]


# Places


async def test_positions_count_from_one_and_turns_from_the_first_question(
    session: InspectableSession,
) -> None:
    await session.add_items([assistant("welcome"), *turns(2), user("three")])
    timeline = await session.timeline()
    assert places(timeline) == list(
        zip(range(1, 11), [0, 1, 1, 1, 1, 2, 2, 2, 2, 3], strict=True),
    )
    assert (timeline.total, timeline.turns, timeline.older) == (10, 3, False)


async def test_pages_going_back_hold_every_entry_once_in_its_place(session: InspectableSession) -> None:
    await session.add_items([assistant("welcome"), *turns(6)])
    whole = await session.timeline()
    page = await session.timeline(limit=4)
    collected = [*page.entries]
    while page.older:
        page = await session.timeline(before=page.entries[0].id, limit=4)
        assert (page.total, page.turns) == (25, 6)
        collected = [*page.entries, *collected]
    assert collected == list(whole.entries)
    assert [item for entry in collected if (item := entry.item)] == await session.get_items()


@pytest.mark.parametrize(("limit", "older"), [(1, True), (7, True), (8, False), (9, False)])
async def test_a_page_says_whether_there_is_more_before_it(
    session: InspectableSession, limit: int, older: bool
) -> None:
    await session.add_items(turns(2))
    page = await session.timeline(limit=limit)
    assert (len(page.entries), page.older) == (min(limit, 8), older)


async def test_an_empty_session_is_an_empty_page(session: InspectableSession) -> None:
    timeline = await session.timeline()
    assert (timeline.entries, timeline.older) == ((), False)
    assert timeline.total in (0, None)


async def test_a_page_before_no_entry_is_refused(session: InspectableSession) -> None:
    await session.add_items(turns(1))
    with pytest.raises(EntryNotFound):
        await session.timeline(before="no entry")


async def test_counts_are_carried_on_over_appends(own: TableSession) -> None:
    await own.add_items(turns(2))
    await own.timeline()
    await own.add_items([*turns(1), user("last")])
    timeline = await own.timeline(limit=2)
    assert (timeline.total, timeline.turns) == (13, 4)
    assert places(timeline) == [(12, 3), (13, 4)]


@pytest.mark.parametrize("way", ["pop", "roll back", "undo", "clear and add", "a foreign delete"])
async def test_counts_are_right_after_whatever_happened_in_between(own: TableSession, way: str) -> None:
    await own.add_items(turns(3))
    first = await own.timeline()
    if way == "pop":
        await own.pop_item()
    elif way == "roll back":
        await own.apply(await own.plan(RollBack(to=first.entries[3].id)))
    elif way == "undo":
        await own.apply(await own.plan(Remove((first.entries[0].id,))))
        await own.timeline()
        await own.undo()
    elif way == "clear and add":
        await own.clear_session()
        await own.add_items(turns(1))
    else:
        await run_sql(own, "DELETE FROM {messages} WHERE id = (SELECT max(id) FROM {messages})")
    timeline = await own.timeline()
    items = await own.get_items()
    questions = [item for item in items if item.get("role") == "user"]
    assert (timeline.total, timeline.turns) == (len(items), len(questions))
    assert [entry.position for entry in timeline.entries] == list(range(1, len(items) + 1))


@pytest.mark.parametrize("seed", range(4))
async def test_counts_carried_over_edits_are_those_of_a_fresh_look(own: TableSession, seed: int) -> None:
    chance = random.Random(seed)
    await own.add_items(turns(12))
    for step in range(40):
        page = await own.timeline(limit=chance.choice([3, 8]))
        if page.older and chance.random() < 0.3:
            await own.timeline(before=page.entries[0].id, limit=5)
        chosen = chance.choice(page.entries).id if page.entries else None
        edit = chance.choice(
            [RollBack(chosen), Remove((chosen,)), Truncate(keep_items=9)] if chosen else [None]
        )
        with suppress(MemoryDeskError):
            match chance.choice(["edit", "edit", "undo", "redo", "say", "pop"]):
                case "edit" if edit is not None:
                    await own.apply(await own.plan(edit))
                case "undo":
                    await own.undo()
                case "redo":
                    await own.redo()
                case "pop":
                    await own.pop_item()
                case _:
                    await own.add_items(turn(100 + step))
        mine, fresh = await own.timeline(limit=8), await own.sibling(own.session_id).timeline(limit=8)
        assert (mine.entries, mine.total, mine.turns) == (fresh.entries, fresh.total, fresh.turns)


async def test_ten_thousand_items_are_counted_and_paged(own: TableSession) -> None:
    await own.add_items(turns(2500))
    timeline = await own.timeline()
    assert (timeline.total, timeline.turns, timeline.older) == (10_000, 2500, True)
    assert places(timeline)[-1] == (10_000, 2500)
    page = await own.timeline(before=timeline.entries[0].id, limit=10_000)
    assert (len(page.entries), page.older) == (9800, False)
    assert places(page)[0] == (1, 1)
    assert places(page)[-1] == (9800, 2450)


async def test_a_word_in_a_text_is_no_turn(own: TableSession) -> None:
    await own.add_items([user('I am a "user"'), assistant('the "user" said "role": "user"'), unknown("user")])
    assert (await own.timeline()).turns == 1


# Pairs


async def test_a_call_without_its_output_and_the_reverse_are_marked(session: InspectableSession) -> None:
    await session.add_items([user(), call("k1"), user("hello"), output("k9"), assistant("hi"), *pair("k2")])
    states = [entry.state for entry in (await session.timeline()).entries]
    ok, alone = State.OK, State.UNPAIRED
    assert states == [ok, alone, ok, alone, ok, ok, ok]


async def test_a_lone_half_is_still_an_item_of_the_model(session: InspectableSession) -> None:
    await session.add_items([call("k1")])
    (entry,) = (await session.timeline()).entries
    assert entry.readable
    assert entry.item == call("k1")


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
async def test_a_pair_across_pages_is_no_lone_half(session: InspectableSession, limit: int) -> None:
    await session.add_items([call("far"), *turns(3), output("far"), user(), call("open")])
    page = await session.timeline(limit=limit)
    states = {entry.call_id: entry.state for entry in page.entries if entry.call_id}
    while page.older:
        page = await session.timeline(before=page.entries[0].id, limit=limit)
        states |= {entry.call_id: entry.state for entry in page.entries if entry.call_id}
    assert {call_id for call_id, state in states.items() if state is State.UNPAIRED} == {"open"}


async def test_a_call_id_that_is_used_again_pairs_each_output_with_its_own_call(
    session: InspectableSession,
) -> None:
    await session.add_items([*pair("k"), user(), call("k"), user(), *pair("k")])
    states = [entry.state for entry in (await session.timeline()).entries]
    assert states == [State.OK] * 3 + [State.UNPAIRED] + [State.OK] * 3


async def test_an_output_before_its_call_is_no_pair(session: InspectableSession) -> None:
    await session.add_items([output("k"), call("k")])
    assert [entry.state for entry in (await session.timeline()).entries] == [State.UNPAIRED] * 2


async def test_pairs_of_different_families_with_one_id_do_not_answer_each_other(
    session: InspectableSession,
) -> None:
    await session.add_items([call("k"), {"type": "computer_call_output", "call_id": "k", "output": {}}])
    assert [entry.state for entry in (await session.timeline()).entries] == [State.UNPAIRED] * 2


async def test_hosted_calls_hold_their_own_result(session: InspectableSession) -> None:
    await session.add_items([{"type": "web_search_call", "id": "ws_1", "status": "completed"}])
    assert [entry.state for entry in (await session.timeline()).entries] == [State.OK]


async def test_an_approval_of_a_hosted_tool_is_a_pair(session: InspectableSession) -> None:
    request = {"type": "mcp_approval_request", "id": "mcpr_1", "name": "x", "arguments": "{}"}
    response = {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True}
    await session.add_items([request, response, {**request, "id": "mcpr_2"}])
    states = [entry.state for entry in (await session.timeline()).entries]
    assert states == [State.OK, State.OK, State.UNPAIRED]


async def test_a_call_that_waits_for_a_person_is_not_marked(own: TableSession) -> None:
    await own.add_items([user(), call("lost"), user(), call("k1")])
    await own.pause("{}", [("k1", "refund", "{}", "Approval")])
    states = [entry.state for entry in (await own.timeline()).entries]
    assert states == [State.OK, State.UNPAIRED, State.OK, State.OK]


@pytest.mark.parametrize("call_id", ["订单-1", "café", 'q"uote', "back\\slash", "100%", "x_y", "half\ud83d"])
async def test_a_partner_on_another_page_is_found_whatever_its_id_is_made_of(
    own: TableSession, call_id: str
) -> None:
    await own.add_items([call(call_id), *turns(2), output(call_id)])
    assert (await own.timeline(limit=3)).entries[-1].state is State.OK


async def test_a_partner_the_sdk_wrote_with_escapes_is_found(tmp_path: Path) -> None:
    sdk = SdkSession("x", tmp_path / "a.db")
    await sdk.add_items([call("订单-1")])  # type: ignore[list-item]
    sdk.close()
    ours = SQLiteSession("x", tmp_path / "a.db")
    await ours.add_items([*turns(2), output("订单-1")])
    assert (await ours.timeline(limit=3)).entries[-1].state is State.OK


async def test_a_page_of_a_thousand_lone_halves_is_shown(own: TableSession) -> None:
    await own.add_items([output(f"k{number}") for number in range(3000)])
    page = await own.timeline(limit=2500)
    assert {entry.state for entry in page.entries} == {State.UNPAIRED}
    assert len(page.entries) == 2500


# What cannot be read


@pytest.mark.parametrize("raw", BROKEN.values(), ids=BROKEN)
async def test_a_row_that_cannot_be_read_is_shown_and_counted(own: TableSession, raw: str | bytes) -> None:
    await own.add_items([user("before")])
    await plant(own, raw)
    await own.add_items([user("after")])
    timeline = await own.timeline()
    assert (timeline.total, timeline.turns) == (3, 2)
    broken = timeline.entries[1]
    assert (broken.state, broken.item, broken.kind, broken.readable) == (
        State.CORRUPT,
        None,
        Kind.OTHER,
        False,
    )
    stored = raw if isinstance(raw, bytes) else raw.encode()
    assert broken.raw.encode("utf-8", "surrogateescape") == stored
    assert broken.size == len(stored)
    assert timeline.unreadable == (broken,)
    assert await own.get_items() == [user("before"), user("after")]


async def test_looking_deletes_no_row_that_cannot_be_read(own: TableSession) -> None:
    await plant(own, *BROKEN.values())
    before = await rows(own)
    await own.timeline()
    await own.get_items()
    await own.recent(5)
    assert await rows(own) == before


async def test_a_store_that_is_broken_as_a_whole_is_not_shown_as_empty(tmp_path: Path) -> None:
    from memory import StoreUnavailable

    from .stores import on_disk, write

    write(tmp_path / "a.db", b"this is no database" * 100)
    session = SQLiteSession("x", tmp_path / "a.db")
    for attempt in (session.timeline, session.get_items, lambda: session.add_items([user()])):
        with pytest.raises(StoreUnavailable, match=r"a\.db is not a SQLite database"):
            await attempt()
    assert on_disk(tmp_path) == {"a.db": b"this is no database" * 100}


# Revisions


async def test_a_revision_is_the_same_while_nobody_writes(session: InspectableSession) -> None:
    await session.add_items(turns(2))
    for _ in range(50):  # a server's revision also tells what strangers write elsewhere on it
        timeline = await session.timeline()
        await session.get_items()
        await session.recent(1)
        await session.changes()
        await session.plan(RollBack(to=timeline.entries[0].id))
        await session.notes(timeline)
        revisions = {timeline.revision, await session.revision(), (await session.timeline()).revision}
        if len(revisions) == 1 or not among_strangers(session):
            break
    assert len(revisions) == 1


async def test_a_revision_differs_after_each_write(session: InspectableSession) -> None:
    seen = [await session.revision()]

    async def note() -> None:
        seen.append(await session.revision())

    await session.add_items(turns(2))
    await note()
    plan = await session.plan(RollBack(to=(await session.timeline()).entries[3].id))
    await session.apply(plan)
    await note()
    await session.undo()
    await note()
    await session.pop_item()
    await note()
    await session.clear_session()
    await note()
    assert all(before != after for before, after in pairwise(seen))


async def test_a_revision_differs_after_one_more_of_the_same(session: InspectableSession) -> None:
    await session.add_items([user("again")] * 20)
    before = await session.revision()
    await session.add_items([user("again")])
    assert await session.revision() != before


async def test_a_revision_differs_after_a_note_and_a_waiting_decision(own: TableSession) -> None:
    await own.add_items([user(), call("k")])
    first = await own.revision()
    await own.note("stopped")
    second = await own.revision()
    await own.pause("{}", [("k", "refund", "{}", "Approval")])
    assert len({first, second, await own.revision()}) == 3


async def test_a_revision_differs_after_another_program_wrote(store: Open, tmp_path: Path) -> None:
    """Only files can be written by another program; the in-memory kinds share no path with it."""
    here, there = store("x"), store("x")
    await here.add_items([user("one")])
    before = await here.revision()
    await there.add_items([user("two")])
    assert await here.revision() != before


async def test_a_revision_differs_after_the_sdk_wrote_to_the_file(tmp_path: Path) -> None:
    ours = SQLiteSession("x", tmp_path / "a.db")
    await ours.add_items([user("one")])
    before = await ours.revision()
    with sqlite3.connect(tmp_path / "a.db") as db:
        db.execute("INSERT INTO agent_messages (session_id, message_data) VALUES ('x', '{}')")
    db.close()
    assert await ours.revision() != before


async def test_a_revision_differs_after_another_session_of_the_file_began_it(tmp_path: Path) -> None:
    ours = SQLiteSession("x", tmp_path / "a.db")
    nothing = await ours.revision()
    await SQLiteSession("y", tmp_path / "a.db").add_items([user()])
    assert await ours.revision() != nothing


# The newest turns, as a model may be sent them


async def test_recent_turns_are_whole_and_the_newest(session: InspectableSession) -> None:
    await session.add_items([assistant("welcome"), *turns(5)])
    assert [entry.item for entry in await session.recent(2)] == turns(5)[-8:]
    assert [entry.item for entry in await session.recent(99)] == [assistant("welcome"), *turns(5)]
    assert await session.recent(0) == []


async def test_recent_turns_hold_no_half_of_a_pair_and_no_part_of_a_run(session: InspectableSession) -> None:
    await session.add_items(
        [call("far"), user("one"), output("far"), call("open"), user("two"), output("lost"), reasoning()]
    )
    assert [entry.item for entry in await session.recent(2)] == [user("one"), user("two")]


async def test_recent_turns_leave_out_what_cannot_be_read(own: TableSession) -> None:
    await own.add_items([user("one")])
    await plant(own, *BROKEN.values())
    await own.add_items([assistant("two")])
    assert [entry.item for entry in await own.recent(1)] == [user("one"), assistant("two")]


async def test_recent_turns_of_a_long_session_are_found_from_the_end(own: TableSession) -> None:
    await own.add_items(turns(300))
    recent = await own.recent(60)
    assert [entry.item for entry in recent] == turns(300)[-240:]


async def test_recent_turns_keep_a_relay_whole(session: InspectableSession) -> None:
    await session.add_items(relay())
    assert [entry.item for entry in await session.recent(2)] == relay()
    assert [entry.item for entry in await session.recent(1)] == relay()[7:]


async def test_recent_turns_name_their_agents(own: TableSession) -> None:
    await own.append([user("hi")])
    await own.append([assistant("a")], agent="Triage")
    assert [entry.agent for entry in await own.recent(1)] == [None, "Triage"]


@pytest.mark.parametrize("written", [json.dumps, in_ours, in_upper_case])
async def test_a_pair_is_whole_on_any_page_however_its_id_is_escaped(
    tmp_path: Path, written: Callable[[Item], str | bytes]
) -> None:
    session = SQLiteSession("x", tmp_path / "a.db")
    raw = written(call('订单/"1"\\'))
    await plant(session, raw.decode() if isinstance(raw, bytes) else raw)
    await session.add_items([output('订单/"1"\\')])
    newest = await session.timeline(limit=1)
    older = await session.timeline(before=newest.entries[0].id)
    assert [entry.state for entry in (*older.entries, *newest.entries)] == [State.OK, State.OK]


async def test_a_session_says_which_calls_are_stored_in_it(own: TableSession) -> None:
    assert await own.calls_among(["a"]) == frozenset()
    await own.add_items([user(), *pair("a"), *pair("b"), output("lone")])
    wanted = ["a", "lone", "never"]
    assert await own.calls_among(wanted) == {"a"}
    await own.apply(await own.plan(Clear()))
    assert await own.calls_among(wanted) == frozenset()
    await own.undo()
    assert await own.calls_among(wanted) == {"a"}
