"""What is shown of sessions in articles about the SDK works here by changing the import.

Each test is such an example, as it would be written against the SDK, with our class in its place.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from agents import Agent

from memory import InspectableSession, RollBack, SessionABC, SessionSettings, SQLiteSession, inspect

from .items import Item
from .runs import Conversation, look_up, look_up_order, say
from .stores import Open

FIRST = "我的订单 A100 什么时候发货？"
SECOND = "如果晚于周五，帮我改到自提。"


def questions(items: list[Item]) -> list[Any]:
    return [item["content"] for item in items if item.get("role") == "user"]


async def test_two_runs_with_one_session_remember() -> None:
    session = SQLiteSession("ticket_456")
    talk = Conversation(session)
    await talk.ask(FIRST, look_up("k1"), say("周五。"))
    await talk.ask(SECOND, say("好的。"))
    assert questions(talk.sent[-1]) == [FIRST, SECOND]


async def test_two_runs_without_a_session_forget() -> None:
    talk = Conversation(None)
    await talk.ask(FIRST, say("周五。"))
    await talk.ask(SECOND, say("哪个订单？"))
    assert questions(talk.sent[-1]) == [SECOND]


async def test_a_file_remembers_where_a_new_object_takes_over(tmp_path: Path) -> None:
    await Conversation(SQLiteSession("user_123", tmp_path / "conversations.db")).ask(FIRST, say("周五。"))
    later = Conversation(SQLiteSession("user_123", str(tmp_path / "conversations.db")))
    await later.ask(SECOND, say("好的。"))
    assert questions(later.sent[-1]) == [FIRST, SECOND]


async def test_another_id_remembers_nothing_of_it(store: Open) -> None:
    await Conversation(store("user_123")).ask(FIRST, say("周五。"))
    other = Conversation(store("user_456"))
    await other.ask(SECOND, say("哪个订单？"))
    assert questions(other.sent[-1]) == [SECOND]


async def test_the_last_two_items_are_the_last_question_and_answer(session: InspectableSession) -> None:
    talk = Conversation(session)
    await talk.ask(FIRST, say("周五。"))
    await talk.ask(SECOND, say("好的。"))
    last = await session.get_items(limit=2)
    assert [item["role"] for item in last] == ["user", "assistant"]
    assert questions(last) == [SECOND]


async def test_pop_the_answer_pop_the_question_and_ask_again(session: InspectableSession) -> None:
    talk = Conversation(session)
    await talk.ask(FIRST, say("周五。"))
    await talk.ask(SECOND, say("不行。"))
    answer = await session.pop_item()
    question = await session.pop_item()
    assert answer is not None
    assert question is not None
    assert answer["content"][0]["text"] == "不行。"
    assert question["content"] == SECOND
    await talk.ask(SECOND, say("好的。"))
    assert questions(talk.sent[-1]) == [FIRST, SECOND]
    assert questions(await session.get_items()) == [FIRST, SECOND]


async def test_clear_begins_anew_under_the_same_id(session: InspectableSession) -> None:
    talk = Conversation(session)
    await talk.ask(FIRST, say("周五。"))
    await session.clear_session()
    await talk.ask(SECOND, say("哪个订单？"))
    assert questions(talk.sent[-1]) == [SECOND]


async def test_several_agents_read_and_write_one_history(session: InspectableSession) -> None:
    talk = Conversation(session)
    triage, approval, summary = (
        Agent(name, model=talk.model, tools=[look_up_order]) for name in ("Triage", "Approval", "Summary")
    )
    await talk.ask("A100 please", look_up("k1"), say("On Friday."), agent=triage)
    await talk.ask("Refund it", say("Done."), agent=approval)
    await talk.ask("Sum it up", say("A100 was refunded."), agent=summary)
    assert questions(talk.sent[-1]) == ["A100 please", "Refund it", "Sum it up"]
    assert len(talk.sent[-1]) == 7
    assert len(await session.get_items()) == 8


class MySession(SessionABC):
    """The article's skeleton, filled in."""

    session_id: str
    session_settings: SessionSettings | None = None

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.kept: list[Item] = []

    async def get_items(self, limit: int | None = None) -> list[Item]:
        return self.kept[-limit:] if limit else list(self.kept)

    async def add_items(self, items: list[Item]) -> None:
        self.kept += items

    async def pop_item(self) -> Item | None:
        return self.kept.pop() if self.kept else None

    async def clear_session(self) -> None:
        self.kept = []


async def test_a_class_with_the_four_methods_is_a_session_for_the_runner() -> None:
    talk = Conversation(MySession("mine"))
    await talk.ask(FIRST, say("周五。"))
    await talk.ask(SECOND, say("好的。"))
    assert questions(talk.sent[-1]) == [FIRST, SECOND]


async def test_a_class_with_the_four_methods_can_be_looked_into_and_rolled_back() -> None:
    mine = MySession("mine")
    talk = Conversation(mine)
    await talk.ask(FIRST, look_up("k1"), say("周五。"))
    await talk.ask(SECOND, say("不行。"))
    seen = inspect(mine)
    entries = (await seen.timeline()).entries
    assert [entry.turn for entry in entries] == [1, 1, 1, 1, 2, 2]
    await seen.apply(await seen.plan(RollBack(to=entries[3].id)))
    assert questions(mine.kept) == [FIRST]
    await seen.undo()
    assert questions(mine.kept) == [FIRST, SECOND]


@pytest.mark.parametrize("missing", ["get_items", "add_items", "pop_item", "clear_session"])
def test_a_class_that_leaves_a_method_out_cannot_be_made(missing: str) -> None:
    methods = {name: vars(MySession)[name] for name in vars(MySession) if name.endswith(("items", "item"))}
    methods["clear_session"] = MySession.clear_session
    del methods[missing]
    with pytest.raises(TypeError, match=missing):
        type("Unfinished", (SessionABC,), methods)()


async def test_an_object_that_only_follows_the_protocol_can_be_looked_into() -> None:
    """No base class at all: what the SDK asks of a session, and nothing else."""

    class Plain:
        session_id = "plain"
        get_items = MySession.get_items
        add_items = MySession.add_items
        pop_item = MySession.pop_item
        clear_session = MySession.clear_session

        def __init__(self) -> None:
            self.kept: list[Item] = []

    plain = Plain()
    await Conversation(plain).ask(FIRST, say("周五。"))
    seen = inspect(plain)  # type: ignore[arg-type]  # mypy does not bind methods borrowed from another class
    assert [entry.kind for entry in (await seen.timeline()).entries] == ["user", "assistant"]
    assert seen.session_settings is None
