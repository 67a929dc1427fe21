"""A new message closes what waits for a person: the answer says so, and how to ask again."""

from __future__ import annotations

from pathlib import Path

import pytest

from .judging import is_question
from .world import World

REFUNDS = (
    ("Refund C310, dead motor", "dead motor", "closed", "yes"),
    ("退款 C310，电机不转", "电机不转", "关闭", "好的"),
    ("請退款 C310，馬達不轉", "馬達不轉", "關閉", "好的"),
)
QUESTIONS = (
    ("where is C310?", "what's going on with my refund?", "is it still waiting?", "what now?"),
    ("C310 怎么样了？", "退款呢？", "还在等吗", "现在怎么办"),
    ("C310 怎麼樣了？", "退款怎麼樣了", "還在等嗎", "那現在怎麼辦"),
)
CASES = [
    pytest.param(*refund, question, id=question)
    for refund, questions in zip(REFUNDS, QUESTIONS, strict=True)
    for question in questions
]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "orders.db")


@pytest.mark.parametrize(("request_", "reason", "closed", "yes", "question"), CASES)
async def test_asked_how_it_stands_the_desk_says_it_was_closed_and_asks_again_when_told(
    world: World, request_: str, reason: str, closed: str, yes: str, question: str
) -> None:
    assert (await world.say(request_)).waiting == ["refund_order"]
    answer = await world.say(question)
    assert closed in answer.text
    assert is_question(answer)
    assert answer.changes == []
    again = await world.say(yes)
    assert again.waiting == ["refund_order"]
    ((_, arguments),) = again.changes
    assert arguments["reason"] == reason


@pytest.mark.parametrize(
    ("request_", "leave"),
    [("Refund C310", "no, leave it"), ("退款 C310", "算了"), ("請退款 C310", "算了，不用了")],
)
async def test_leaving_it_says_that_nothing_was_refunded(world: World, request_: str, leave: str) -> None:
    await world.say(request_)
    answer = await world.say(leave)
    assert "C310" in answer.text
    assert answer.calls == []
    assert world.orders.get("C310").status == "delivered"  # type: ignore[union-attr]


async def test_a_request_made_again_and_granted_is_not_called_closed(world: World) -> None:
    await world.say("Refund C310, dead motor")
    await world.say("where is C310?")
    await world.say("yes")
    await world.decide("approve")
    answer = await world.say("where is C310?")
    assert "closed" not in answer.text
    assert "189.00" in answer.text


async def test_another_order_is_told_of_without_a_word_about_the_request(world: World) -> None:
    await world.say("Refund C310, dead motor")
    assert "C310" not in (await world.say("where is A100?")).text
