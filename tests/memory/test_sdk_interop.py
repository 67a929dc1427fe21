"""One file, two programs: the SDK's own session class and ours on the same rows, and the SDK's Runner."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from agents import Agent
from agents import SQLiteSession as SdkSession
from agents.exceptions import UserError
from agents.memory import Session, SessionSettings

from memory import InspectableSession, RollBack, SQLiteSession, TableSession

from .items import Item, assistant, call, output, relay, turns, user
from .runs import Conversation, hand_over, look_up, say
from .stores import Open, on_disk, rows

TEXTS = {
    "chinese": "我的订单 A100 什么时候发货？",
    "emoji": "family 👩‍👩‍👧 and flag 🇹🇼",
    "combining": "e\u0301 and é",
    "right to left": "مرحبا שלום",
    "lone surrogate": "half \ud83d of a pair \udc00",
    "nul": "before\x00after",
    "literal escape": "a \\u0000 and a \\ud800 typed by hand",
    "line ends": "a\nb\r\nc\u2028d\u2029e",
    "controls": "".join(map(chr, range(32))) + "\x7f",
    "quotes": "'\"`\\%_--;",
    "empty": "",
}
VALUES = [2**64, -(2**70), 1.5e300, -0.0, 5e-324, True, None, [], {}, [[[["deep"]]]], {"": {" ": 0}}]


@pytest.fixture
def ours(path: Path) -> SQLiteSession:
    return SQLiteSession("ticket_456", path)


# The same rows


async def test_a_file_the_sdk_wrote_opens_with_all_its_items(sdk: SdkSession, ours: SQLiteSession) -> None:
    await sdk.add_items(relay())  # type: ignore[arg-type]
    assert await ours.get_items() == relay()
    assert [entry.item for entry in (await ours.timeline()).entries] == relay()


async def test_a_file_written_here_opens_in_the_sdk_with_all_its_items(
    path: Path, ours: SQLiteSession
) -> None:
    await ours.append(relay(), agent="Triage", note=("stopped", {}))
    session = SdkSession("ticket_456", path)
    assert await session.get_items() == relay()
    session.close()


async def test_both_take_turns_on_one_file(sdk: SdkSession, ours: SQLiteSession) -> None:
    await sdk.add_items([user("one")])  # type: ignore[list-item]
    await ours.add_items([user("two")])
    await sdk.add_items([user("three")])  # type: ignore[list-item]
    assert await ours.get_items(limit=2) == [user("two"), user("three")]
    assert await sdk.pop_item() == user("three")
    assert await ours.pop_item() == user("two")
    assert await sdk.get_items() == await ours.get_items() == [user("one")]


async def test_the_sdk_reads_what_an_edit_and_its_undo_leave(sdk: SdkSession, ours: SQLiteSession) -> None:
    await ours.add_items(turns(3))
    entries = (await ours.timeline()).entries
    await ours.apply(await ours.plan(RollBack(to=entries[3].id)))
    assert await sdk.get_items() == turns(1)
    await ours.undo()
    assert await sdk.get_items() == turns(3)


async def test_a_clear_by_the_sdk_is_a_clear_here(sdk: SdkSession, ours: SQLiteSession) -> None:
    await ours.add_items(turns(2))
    assert (await ours.timeline()).total == 8
    await sdk.clear_session()
    assert await ours.get_items() == []
    assert (await ours.timeline()).entries == ()


async def test_custom_tables_are_the_same_in_both(path: Path) -> None:
    sdk = SdkSession("x", path, "my_sessions", "my_messages")
    ours = SQLiteSession("x", path, "my_sessions", "my_messages")
    await sdk.add_items([user("theirs")])  # type: ignore[list-item]
    await ours.add_items([user("ours")])
    assert await sdk.get_items() == await ours.get_items() == [user("theirs"), user("ours")]
    sdk.close()


def described(path: Path, table: str) -> tuple[Any, ...]:
    """All that SQLite tells about a table: columns, keys to other tables, indexes and what they cover."""
    with sqlite3.connect(path) as db:
        columns = db.execute(f"PRAGMA table_info({table})").fetchall()
        keys = db.execute(f"PRAGMA foreign_key_list({table})").fetchall()
        indexes = sorted(db.execute(f"PRAGMA index_list({table})").fetchall())
        covered = [db.execute(f"PRAGMA index_info({index[1]})").fetchall() for index in indexes]
        counted = db.execute(
            "SELECT sql LIKE '%AUTOINCREMENT%' FROM sqlite_master WHERE name = ?", [table]
        ).fetchall()
    db.close()
    return columns, keys, indexes, covered, counted


@pytest.mark.parametrize("table", ["agent_sessions", "agent_messages"])
async def test_our_tables_are_the_sdks_tables(tmp_path: Path, table: str) -> None:
    sdk = SdkSession("x", tmp_path / "sdk.db")
    await sdk.add_items([user()])  # type: ignore[list-item]
    sdk.close()
    await SQLiteSession("x", tmp_path / "ours.db").add_items([user()])
    assert described(tmp_path / "ours.db", table) == described(tmp_path / "sdk.db", table)


async def test_our_rows_bear_times_as_the_sdk_writes_them(sdk: SdkSession, ours: SQLiteSession) -> None:
    await sdk.add_items([user()])  # type: ignore[list-item]
    await ours.add_items([user()])
    theirs, mine = await rows(ours)
    assert len(mine.created_at) == len(theirs.created_at) == len("2026-01-31 12:00:00")
    entries = (await ours.timeline()).entries
    assert all(entry.created_at is not None and entry.created_at.tzinfo is not None for entry in entries)


def test_a_session_follows_the_sdks_protocol(ours: SQLiteSession) -> None:
    assert isinstance(ours, Session)


async def test_every_kind_of_session_follows_the_sdks_protocol(session: InspectableSession) -> None:
    assert isinstance(session, Session)


# Looking


async def test_looking_changes_no_byte_of_a_file_and_its_log(
    tmp_path: Path, sdk: SdkSession, ours: SQLiteSession
) -> None:
    await sdk.add_items(relay())  # type: ignore[arg-type]
    before = on_disk(tmp_path)
    assert set(before) == {"conversations.db", "conversations.db-wal"}
    await look(ours)
    assert on_disk(tmp_path) == before


@pytest.mark.parametrize("mode", ["wal", "delete", "truncate", "persist"])
async def test_looking_changes_no_byte_of_a_file_nobody_has_open(
    tmp_path: Path, path: Path, mode: str, ours: SQLiteSession
) -> None:
    sdk = SdkSession("ticket_456", path)
    await sdk.add_items(relay())  # type: ignore[arg-type]
    sdk.close()
    journal_mode(path, mode)
    before = on_disk(tmp_path)
    await look(ours)
    ours.database.close()
    after = on_disk(tmp_path)
    assert after.pop("conversations.db-wal", b"") == b""
    assert after == before


@pytest.mark.parametrize("mode", ["wal", "delete"])
async def test_writing_keeps_the_journal_mode_of_a_file_that_was_there(
    path: Path, mode: str, ours: SQLiteSession
) -> None:
    sdk = SdkSession("ticket_456", path)
    await sdk.add_items(turns(2))  # type: ignore[arg-type]
    sdk.close()
    journal_mode(path, mode)
    await ours.add_items([user("later")])
    await ours.pop_item()
    assert journal_mode(path) == mode


async def test_looking_does_not_wait_for_another_program_that_writes(
    path: Path, sdk: SdkSession, ours: SQLiteSession
) -> None:
    """Read-only until the first write: there is no lock that a look could be refused."""
    await sdk.add_items(relay())  # type: ignore[arg-type]
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM agent_messages")
    await look(ours)
    assert await ours.get_items() == relay()
    writer.execute("COMMIT")
    assert await ours.get_items() == []
    writer.close()


async def test_a_look_at_a_file_that_is_not_there_makes_none(tmp_path: Path, ours: SQLiteSession) -> None:
    await look(ours)
    assert on_disk(tmp_path) == {}


async def test_the_ledger_is_made_by_the_first_edit_and_not_by_a_plain_append(
    path: Path, sdk: SdkSession, ours: SQLiteSession
) -> None:
    await sdk.add_items(turns(1))  # type: ignore[arg-type]
    await ours.add_items(turns(1))
    assert tables(path) == {"agent_sessions", "agent_messages"}
    await ours.pop_item()
    assert {"agent_messages_changes", "agent_messages_kept"} <= tables(path)


async def look(session: TableSession) -> None:
    """Everything there is to look at, and a plan."""
    timeline = await session.timeline()
    await session.timeline(limit=2)
    if timeline.entries:
        await session.timeline(before=timeline.entries[-1].id)
        await session.plan(RollBack(to=timeline.entries[0].id))
    await session.get_items()
    await session.get_items(limit=2)
    await session.recent(1)
    await session.notes(timeline)
    await session.changes()
    await session.revision()
    await session.holder()
    await session.waiting()


def journal_mode(path: Path, mode: str | None = None) -> str:
    """The journal mode of a file, changed first if one is given."""
    db = sqlite3.connect(path)
    found = db.execute(f"PRAGMA journal_mode{f' = {mode}' if mode else ''}").fetchone()[0]
    db.close()
    return str(found)


def tables(path: Path) -> set[str]:
    db = sqlite3.connect(path)
    names = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    db.close()
    return names - {"sqlite_sequence"}


# Any text


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
async def test_any_text_comes_back_as_it_was_in_both(sdk: SdkSession, ours: SQLiteSession, text: str) -> None:
    items = [user(text), call("k", arguments=text), output("k", text), assistant(text)]
    await ours.add_items(items)
    await sdk.add_items(items)  # type: ignore[arg-type]
    assert await ours.get_items() == await sdk.get_items() == [*items, *items]
    assert [entry.item for entry in (await ours.timeline()).entries] == [*items, *items]


@pytest.mark.parametrize("value", VALUES, ids=repr)
async def test_any_json_value_comes_back_as_it_was_in_both(
    sdk: SdkSession, ours: SQLiteSession, value: Any
) -> None:
    item: Item = {"type": "custom", "value": value}
    await ours.add_items([item])
    assert repr(await sdk.get_items()) == repr(await ours.get_items()) == repr([item])


async def test_numbers_that_are_none_come_back_in_both(sdk: SdkSession, ours: SQLiteSession) -> None:
    item: Item = {"type": "custom", "value": [float("nan"), float("inf"), -float("inf")]}
    await ours.add_items([item])
    await sdk.add_items([item])  # type: ignore[list-item]
    assert repr(await sdk.get_items()) == repr(await ours.get_items()) == repr([item, item])


@pytest.mark.parametrize("text", ["我的订单", "👩‍👩‍👧", "مرحبا", "é"])
async def test_text_can_be_read_in_the_file_as_it_was_written(ours: SQLiteSession, text: str) -> None:
    await ours.add_items([user(text)])
    (stored,) = await rows(ours)
    assert text in stored.raw.decode()


# The Runner

TWO_TURNS = ["user", "tool_call", "tool_output", "assistant", "user", "assistant"]


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_run_begun_in_the_sdks_class_goes_on_in_ours(path: Path, streamed: bool) -> None:
    sdk, ours = SdkSession("x", path), SQLiteSession("x", path)
    await Conversation(sdk, streamed=streamed).ask("When does A100 ship?", look_up("k1"), say("On Friday."))
    sdk.close()
    later = Conversation(ours, streamed=streamed)
    assert await later.ask("And later than Friday?", say("No.")) == "No."
    assert [kind_of_sent(item) for item in later.sent[0]] == [*TWO_TURNS[:4], "user"]
    assert [entry.kind for entry in (await ours.timeline()).entries] == TWO_TURNS


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_run_begun_in_our_class_goes_on_in_the_sdks(path: Path, streamed: bool) -> None:
    sdk, ours = SdkSession("x", path), SQLiteSession("x", path)
    await Conversation(ours, streamed=streamed).ask("When does A100 ship?", look_up("k1"), say("On Friday."))
    later = Conversation(sdk, streamed=streamed)
    assert await later.ask("And later than Friday?", say("No.")) == "No."
    assert [kind_of_sent(item) for item in later.sent[0]] == [*TWO_TURNS[:4], "user"]
    assert [entry.kind for entry in (await ours.timeline()).entries] == TWO_TURNS
    sdk.close()


def kind_of_sent(item: Item) -> str:
    from memory.items import kind_of

    return str(kind_of(item))


async def test_every_kind_of_session_remembers_over_two_runs(session: InspectableSession) -> None:
    talk = Conversation(session)
    await talk.ask("When does A100 ship?", look_up("k1"), say("On Friday."))
    await talk.ask("And later?", say("No."))
    assert [kind_of_sent(item) for item in talk.sent[-1]] == [*TWO_TURNS[:4], "user"]
    assert [entry.kind for entry in (await session.timeline()).entries] == TWO_TURNS


async def test_three_turns_store_two_items_each_and_never_twice(session: InspectableSession) -> None:
    talk = Conversation(session)
    for number in (1, 2, 3):
        await talk.ask(f"question {number}", say(f"answer {number}"))
        assert len(await session.get_items()) == 2 * number


async def test_streamed_or_not_the_same_kinds_are_stored_in_the_same_order(own_store: Open) -> None:
    kinds = {}
    for streamed in (False, True):
        session = own_store(f"streamed {streamed}")
        talk = Conversation(session, streamed=streamed)
        approval = Agent("Approval", model=talk.model, tools=talk.agent.tools)
        talk.agent.handoffs.append(approval)
        await talk.ask(
            "Refund A100.", look_up("k1"), hand_over("approval", "k2"), look_up("k3"), say("It is done.")
        )
        kinds[streamed] = [
            (entry.kind, entry.call_id, entry.state) for entry in (await session.timeline()).entries
        ]
    assert kinds[True] == kinds[False]
    assert [kind for kind, _, _ in kinds[True]] == [
        "user",
        "tool_call",
        "tool_output",
        "handoff",
        "handoff",
        "tool_call",
        "tool_output",
        "assistant",
    ]


async def test_a_limit_in_the_run_config_is_what_the_model_is_sent(session: InspectableSession) -> None:
    talk = Conversation(session)
    for number in (1, 2, 3):
        await talk.ask(f"question {number}", say(f"answer {number}"))
    await talk.ask("what now?", say("ok"), config={"session_settings": SessionSettings(limit=2)})
    assert [item["content"] for item in talk.sent[-1] if item.get("role") == "user"] == [
        "question 3",
        "what now?",
    ]
    assert len(await session.get_items()) == 8


async def test_an_input_callback_decides_what_is_sent_and_not_what_is_stored(
    session: InspectableSession,
) -> None:
    seen: list[int] = []

    def newest_only(history: list[Any], new: list[Any]) -> list[Any]:
        seen.append(len(history))
        return [*history[-1:], *new]

    talk = Conversation(session)
    await talk.ask("question 1", say("answer 1"))
    await talk.ask("question 2", say("answer 2"), config={"session_input_callback": newest_only})
    assert seen == [2]
    assert len(talk.sent[-1]) == 2
    assert len(await session.get_items()) == 4


@pytest.mark.parametrize(
    "server_side", [{"conversation_id": "conv_1"}, {"previous_response_id": "resp_1"}], ids=str
)
async def test_a_session_beside_a_conversation_of_the_server_is_the_sdks_own_error(
    session: InspectableSession, server_side: dict[str, str]
) -> None:
    talk = Conversation(session)
    with pytest.raises(UserError, match="Session persistence cannot be combined with conversation_id"):
        await talk.ask("question", say("answer"), **server_side)
    assert await session.get_items() == []


async def test_a_failed_run_keeps_what_the_sdk_keeps(session: InspectableSession) -> None:
    talk = Conversation(session)
    talk.model.enqueue(ValueError("the model is not well"))
    with pytest.raises(ValueError, match="not well"):
        await talk.ask("question")
    assert await session.get_items() == [user("question")]


async def test_a_lone_call_left_by_a_pause_is_not_sent_and_stays_stored(own: TableSession) -> None:
    await own.add_items([user(), call("k1")])
    talk = Conversation(own)
    await talk.ask("question", say("answer"))
    assert [item.get("role") for item in talk.sent[0]] == ["user", "user"]
    assert len(await own.get_items()) == 4


async def test_runs_on_two_sessions_of_one_file_stay_apart(own_store: Open) -> None:
    first, second = Conversation(own_store("a")), Conversation(own_store("b"))
    await asyncio.gather(
        first.ask("question a", look_up("k"), say("answer a")),
        second.ask("question b", look_up("k"), say("answer b")),
    )
    for name in ("a", "b"):
        items = await own_store(name).get_items()
        assert [items[0]["content"], items[-1]["content"][0]["text"]] == [
            f"question {name}",
            f"answer {name}",
        ]
        assert len(items) == 4


async def test_the_runner_never_pops_or_clears(own: TableSession) -> None:
    talk = Conversation(own, streamed=True)
    await talk.ask("question", look_up("k"), say("answer"))
    assert await own.changes() == []
