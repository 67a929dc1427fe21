"""One session under one kind of model after the other: what each is sent of what the other left."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from desk.desk import Desk
from desk.run_session import FAKE_ID
from desk.values import Address, Run, RunStatus
from memory.edits import Remove
from memory.sqlite_session import SQLiteSession
from tests.memory.items import assistant, call, output, reasoning, user

from .desks import kinds, make_desk, say, shape
from .model_server import Call, Fail, ModelServer, Say, serving
from .test_models import remote

FILE = Address("file", "ticket_1")
OTHER = {"responses": "chat", "chat": "responses"}


def desk_at(server: ModelServer, protocol: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return make_desk(folder, remote(server, protocol, monkeypatch))


async def talk(desk: Desk, text: str) -> Run:
    """Say something from a thread of its own, as each rerun of a page is one."""
    return await asyncio.to_thread(say, desk, FILE, text)


def sent(server: ModelServer) -> list[dict[str, Any]]:
    """The items or messages of the last request, without the model's instructions."""
    body = server.requests[-1].body
    found: list[dict[str, Any]] = body.get("input") or body["messages"][1:]
    return found


@pytest.mark.parametrize("first", ["responses", "chat"])
async def test_what_one_kind_of_model_left_is_fit_for_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    look_up = Call("look_up_order", '{"order_id": "A100"}', "call_look_up")
    async with serving(look_up, Say("On Monday."), Say("Yes."), Say("You asked about A100.")) as server:
        before = desk_at(server, first, tmp_path, monkeypatch)
        assert (await talk(before, "When?")).status is RunStatus.DONE
        assert (await talk(before, "Sure?")).status is RunStatus.DONE
        await asyncio.to_thread(before.close)
        desk = desk_at(server, OTHER[first], tmp_path, monkeypatch)
        assert (await talk(desk, "What did I ask?")).status is RunStatus.DONE
        text = json.dumps(sent(server))
        assert FAKE_ID not in text
        assert text.count("call_look_up") == 2
        assert all(text.count(words) == 1 for words in ("When?", "On Monday.", "Sure?", "What did I ask?"))
        assert kinds(desk.look(FILE)) == [
            "user",
            "tool_call",
            "tool_output",
            *["assistant", "user"] * 2,
            "assistant",
        ]
        await asyncio.to_thread(desk.close)


async def test_messages_of_one_placeholder_id_are_sent_without_it_and_removed_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = SQLiteSession(FILE.session_id, tmp_path / "sessions.db")
    await session.add_items(
        [user("one"), assistant("a", FAKE_ID), user("two"), assistant("b", FAKE_ID), user("three")]
    )
    async with serving(Say("c")) as server:
        desk = desk_at(server, "responses", tmp_path, monkeypatch)
        entries = desk.look(FILE).timeline.entries
        plan = desk.plan(FILE, Remove((entries[1].id,))).plan
        assert plan is not None
        assert desk.apply(FILE, plan).ok
        assert (await talk(desk, "four")).status is RunStatus.DONE
        assert [item["role"] for item in sent(server)] == ["user", "user", "assistant", "user", "user"]
        assert FAKE_ID not in json.dumps(sent(server))
        assert [text for _, text in shape(desk.look(FILE))] == ["one", "two", "b", "three", "four", "c"]
        await asyncio.to_thread(desk.close)


async def test_reasoning_is_left_out_for_a_model_that_takes_none_and_stays_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = SQLiteSession(FILE.session_id, tmp_path / "sessions.db")
    await session.add_items(
        [user("one"), reasoning("rs_1"), call("call_1"), output("call_1"), reasoning("rs_2"), assistant("a")]
    )
    async with serving(Say("b")) as server:
        desk = desk_at(server, "chat", tmp_path, monkeypatch)
        assert (await talk(desk, "two")).status is RunStatus.DONE
        assert [item["role"] for item in sent(server)] == ["user", "assistant", "tool", "assistant", "user"]
        assert "rs_" not in json.dumps(sent(server))
        assert kinds(desk.look(FILE)).count("reasoning") == 2
        await asyncio.to_thread(desk.close)


async def test_a_history_the_server_refuses_ends_in_a_word_and_the_session_goes_on_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = SQLiteSession(FILE.session_id, tmp_path / "sessions.db")
    nameless = {key: value for key, value in assistant("a").items() if key != "id"}
    await session.add_items([user("one"), {"type": "reasoning", "id": "rs_1", "summary": []}, nameless])
    async with serving(Fail(400), Say("b")) as server:
        desk = desk_at(server, "responses", tmp_path, monkeypatch)
        assert (await talk(desk, "two")).error == "model_refused"
        entries = desk.look(FILE).timeline.entries
        assert kinds(desk.look(FILE)) == ["user", "reasoning", "assistant", "user"]
        plan = desk.plan(FILE, Remove((entries[1].id,))).plan
        assert plan is not None
        assert desk.apply(FILE, plan).ok
        assert (await talk(desk, "three")).status is RunStatus.DONE
        assert "rs_1" not in json.dumps(sent(server))
        await asyncio.to_thread(desk.close)


@pytest.mark.parametrize("protocol", OTHER)
async def test_half_a_surrogate_pair_that_is_stored_ends_no_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, protocol: str
) -> None:
    session = SQLiteSession(FILE.session_id, tmp_path / "sessions.db")
    await session.add_items(
        [user("half \ud83d of 🙂"), call("call_1", arguments='{"a": "\udc00"}'), output("call_1", "\ud83d")]
    )
    async with serving(Say("b")) as server:
        desk = desk_at(server, protocol, tmp_path, monkeypatch)
        assert (await talk(desk, "two")).status is RunStatus.DONE
        assert sent(server)[0]["content"] == "half \ufffd of 🙂"
        assert shape(desk.look(FILE))[0] == ("user", "half \ud83d of 🙂")
        await asyncio.to_thread(desk.close)
