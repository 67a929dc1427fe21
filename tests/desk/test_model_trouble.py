"""Real models that misbehave, answering at a whole desk over HTTP: a word in the chat, a usable session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desk.desk import Desk
from desk.settings import Settings
from desk.values import Address, RunStatus
from memory import SQLiteSession

from .desks import ended, kinds, notes, pairs_whole, say, shape, until
from .model_server import Call, Cut, Say, Slow, serving

MakeAt = Callable[[str], Desk]

FILE = Address("file", "ticket_1")


def desk_at(url: str, folder: Path) -> Desk:
    return Desk({"OPENAI_BASE_URL": url}, settings=Settings(data=folder))


@pytest.mark.parametrize("arguments", ["{not json", "null", "[1]", '{"order_id": {}}'])
async def test_arguments_nobody_can_read_wait_for_no_person(tmp_path: Path, arguments: str) -> None:
    script = (Call("refund_order", arguments, "call_refund_1"), Say("Which order?"))
    async with serving(*script) as server:
        desk = desk_at(server.url, tmp_path)
        run = await asyncio.to_thread(say, desk, FILE, "refund it", agent="Approval")
        await asyncio.to_thread(desk.close)
    assert run.status is RunStatus.DONE
    assert [step.text for step in run.steps][-1] == "Which order?"


@pytest.mark.parametrize("half", ["said", "answered"])
async def test_half_a_character_does_not_spoil_the_messages_after_it(tmp_path: Path, half: str) -> None:
    first = ("Hi \ud83d there", "Hello.") if half == "said" else ("Hi there", "Hello \ud83d.")
    async with serving(Say(first[1]), Say("Fine.")) as server:
        desk = desk_at(server.url, tmp_path)
        assert (await asyncio.to_thread(say, desk, FILE, first[0])).status is RunStatus.DONE
        assert (await asyncio.to_thread(say, desk, FILE, "and now?")).status is RunStatus.DONE
        stored = shape(desk.look(FILE))
        await asyncio.to_thread(desk.close)
    assert [text for _, text in stored] == [*first, "and now?", "Fine."]
    sent = [message["content"] for message in server.requests[-1].body["messages"][1:]]
    assert any("\ufffd" in text for text in sent)


async def test_an_empty_answer_is_said_to_be_the_models_fault(tmp_path: Path) -> None:
    async with serving(Say(""), Say("Fine.")) as server:
        desk = desk_at(server.url, tmp_path)
        run = await asyncio.to_thread(say, desk, FILE, "hi")
        assert (run.status, run.error) == (RunStatus.FAILED, "model_confused")
        assert notes(desk.look(FILE)) == ["failed"]
        await asyncio.to_thread(say, desk, FILE, "hi again")
        view = desk.look(FILE)
        await asyncio.to_thread(desk.close)
    assert kinds(view) == ["user", "user", "assistant"]
    assert pairs_whole(view.timeline.entries)


@pytest.fixture(params=["responses", "chat"])
def at(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeAt:
    """Makes a desk that asks a server by one of the two protocols."""

    def make(url: str) -> Desk:
        if request.param == "chat":
            return desk_at(url, tmp_path)
        monkeypatch.setattr("desk.models.OPENAI_URL", url)
        return Desk({"OPENAI_API_KEY": "sk-test"}, settings=Settings(data=tmp_path))

    return make


@pytest.mark.parametrize("broken", [False, True], ids=["ends early", "connection lost"])
async def test_a_stream_that_is_cut_fails_with_a_word_and_the_words_that_came_stay_visible(
    at: MakeAt, broken: bool
) -> None:
    text = "one two three four five six seven eight"
    async with serving(*[Cut(Say(text), broken)] * 3, Say("Fine.")) as server:
        desk = at(server.url)
        run = await asyncio.to_thread(say, desk, FILE, "hi")
        assert run.status is RunStatus.FAILED
        assert run.error in ("model_cut", "model_confused")
        assert run.steps[-1].text.startswith("one two")
        assert not run.saved
        assert notes(desk.look(FILE)) == ["failed"]
        server.steps[:] = [Say("Fine.")]
        assert (await asyncio.to_thread(say, desk, FILE, "again")).status is RunStatus.DONE
        view = desk.look(FILE)
        await asyncio.to_thread(desk.close)
    assert shape(view) == [("user", "hi"), ("user", "again"), ("assistant", "Fine.")]


async def test_a_call_whose_arguments_were_cut_off_has_no_effect(at: MakeAt) -> None:
    pickup = Call("deliver_to_pickup", '{"order_id": "A100"}', "call_pickup_1")
    async with serving(*[Cut(pickup, broken=True)] * 3) as server:
        desk = at(server.url)
        run = await asyncio.to_thread(say, desk, FILE, "to pickup")
        assert run.status is RunStatus.FAILED
        assert desk.orders.history("A100") == []
        server.steps[:] = [Say("Fine.")]
        assert (await asyncio.to_thread(say, desk, FILE, "again")).status is RunStatus.DONE
        view = desk.look(FILE)
        await asyncio.to_thread(desk.close)
    assert pairs_whole(view.timeline.entries)


async def test_while_the_first_word_is_awaited_the_page_can_look_and_stop(at: MakeAt) -> None:
    slow = Slow(Say("At last."))
    async with serving(slow, Say("Fine.")) as server:
        desk = at(server.url)
        assert (await asyncio.to_thread(desk.send, FILE, "hi")).ok
        await asyncio.to_thread(until, lambda: server.requests)
        view = await asyncio.to_thread(desk.look, FILE)
        assert view.run is not None
        assert view.run.status is RunStatus.STARTING
        assert (await asyncio.to_thread(desk.send, FILE, "hello?")).reason == "busy"
        assert (await asyncio.to_thread(desk.stop, FILE)).ok
        run = await asyncio.to_thread(ended, desk, FILE)
        slow.go_on.set()
        assert run.status is RunStatus.STOPPED
        assert (await asyncio.to_thread(say, desk, FILE, "again")).status is RunStatus.DONE
        view = desk.look(FILE)
        await asyncio.to_thread(desk.close)
    assert shape(view) == [("user", "hi"), ("user", "again"), ("assistant", "Fine.")]


async def test_a_slow_first_word_is_waited_for(at: MakeAt) -> None:
    slow = Slow(Say("At last."))
    async with serving(slow) as server:
        desk = at(server.url)
        assert (await asyncio.to_thread(desk.send, FILE, "hi")).ok
        await asyncio.to_thread(until, lambda: server.requests)
        slow.go_on.set()
        assert (await asyncio.to_thread(ended, desk, FILE)).status is RunStatus.DONE
        view = desk.look(FILE)
        await asyncio.to_thread(desk.close)
    assert shape(view) == [("user", "hi"), ("assistant", "At last.")]


async def test_a_tool_that_is_not_there_ends_in_a_word_and_a_session_that_goes_on(at: MakeAt) -> None:
    async with serving(Call("no_such_tool", "{}", "call_nothing1"), Say("Fine.")) as server:
        desk = at(server.url)
        run = await asyncio.to_thread(say, desk, FILE, "hi")
        assert (run.status, run.error) == (RunStatus.FAILED, "model_confused")
        assert (await asyncio.to_thread(say, desk, FILE, "again")).status is RunStatus.DONE
        view = desk.look(FILE)
        await asyncio.to_thread(desk.close)
    assert pairs_whole(view.timeline.entries)


ODD: tuple[dict[str, Any], ...] = (
    {"role": "wizard", "content": "abracadabra"},
    {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search"}},
    {"type": "item_reference", "id": "msg_1"},
    {"role": "user"},
    {"content": "nobody's"},
    {"nothing": "known"},
    {"type": "function_call", "call_id": "call_half", "name": "look_up_order"},
)


@pytest.mark.parametrize("odd", ODD, ids=str)
async def test_items_that_a_server_of_chat_completions_cannot_be_sent_are_left_out_and_counted(
    tmp_path: Path, odd: dict[str, Any]
) -> None:
    session = SQLiteSession(FILE.session_id, tmp_path / "sessions.db")
    half = {"type": "function_call_output", "call_id": odd.get("call_id", ""), "output": "{}"}
    stored = [{"role": "user", "content": "one"}, odd, *([half] if "call_id" in odd else [])]
    await session.add_items([*stored, {"role": "assistant", "content": "a"}])
    async with serving(Say("Fine.")) as server:
        desk = desk_at(server.url, tmp_path)
        run = await asyncio.to_thread(say, desk, FILE, "two")
        view = desk.look(FILE)
        await asyncio.to_thread(desk.close)
    assert run.status is RunStatus.DONE
    assert [message["content"] for message in server.requests[0].body["messages"][1:]] == ["one", "a", "two"]
    assert [(note.kind, note.detail) for note in view.notes] == [("left_out", {"n": len(stored) - 1})]
    assert len(view.timeline.entries) == len(stored) + 3


async def test_an_agents_message_in_parts_without_an_id_is_sent_all_the_same(tmp_path: Path) -> None:
    session = SQLiteSession(FILE.session_id, tmp_path / "sessions.db")
    parts = [{"type": "output_text", "text": "said in parts"}]
    await session.add_items(
        [
            {"role": "user", "content": "one"},
            {"type": "message", "role": "assistant", "content": parts},
        ]
    )
    async with serving(Say("Fine.")) as server:
        desk = desk_at(server.url, tmp_path)
        await asyncio.to_thread(say, desk, FILE, "two")
        assert notes(desk.look(FILE)) == []
        await asyncio.to_thread(desk.close)
    sent = [message["content"] for message in server.requests[0].body["messages"][1:]]
    assert sent == ["one", "said in parts", "two"]
