"""Real models that misbehave, answering at a whole desk over HTTP: a word in the chat, a usable session."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from desk.desk import Desk
from desk.settings import Settings
from desk.values import Address, RunStatus

from .desks import kinds, notes, pairs_whole, say, shape
from .model_server import Call, Say, serving

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
