"""What is not sent is not known: rolled back, cut by a limit, or never remembered at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from .judging import is_question
from .world import World, turns

FILLER = (
    "Hello",
    "thanks",
    "What can you do?",
    "Are you a person?",
    "What is the capital of France?",
    "ok",
)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "orders.db")


async def _keep_newest(world: World, count: int) -> None:
    """What a limit of whole turns leaves."""
    kept = turns(await world.items())[-count:]
    await world.forget([item for turn in kept for item in turn])


async def test_a_name_is_gone_when_its_turn_is_rolled_back(world: World) -> None:
    await world.say("My name is Ada and my order is A100")
    await world.forget([])
    answer = await world.say("What is my name?")
    assert "Ada" not in answer.text
    assert is_question(answer)


async def test_an_order_is_gone_when_a_limit_leaves_it_out(world: World) -> None:
    await world.say("My name is Ada and my order is A100")
    for text in FILLER:
        await world.say(text)
    await _keep_newest(world, 1)
    answer = await world.say("Which order was mine?")
    assert "A100" not in answer.text
    assert is_question(answer)


async def test_the_order_comes_back_with_a_wider_limit(world: World) -> None:
    await world.say("My name is Ada and my order is A100")
    for text in FILLER:
        await world.say(text)
    assert "A100" in (await world.say("Which order was mine?")).text


async def test_another_order_is_not_taken_for_the_one_that_was_mine(world: World) -> None:
    await world.say("My order is A100")
    await world.say("Where is B205?")
    await _keep_newest(world, 1)
    answer = await world.say("Which order was mine?")
    assert "A100" not in answer.text
    assert is_question(answer)


async def test_a_condition_without_its_order_changes_nothing(world: World) -> None:
    await world.say("我的订单 A100 什么时候发货？", remember=False)
    answer = await world.say("如果晚于周五，帮我改到自提。", remember=False)
    assert answer.calls == []
    assert is_question(answer)


async def test_the_first_of_one_order_is_asked_about(world: World) -> None:
    await world.say("Where is B205?")
    answer = await world.say("Change the first one to pickup")
    assert answer.changes == []
    assert is_question(answer)


async def test_nothing_is_taken_back_that_is_not_remembered(world: World) -> None:
    await world.say("Change A100 to pickup")
    await world.forget([])
    await world.say("Where is A100?")
    answer = await world.say("undo that")
    assert answer.changes == []
    assert is_question(answer)


async def test_a_summary_of_nothing_is_not_written(world: World) -> None:
    answer = await world.say("Summarise please")
    assert answer.changes == []
    assert is_question(answer)


async def test_a_refund_is_known_to_the_orders_when_memory_has_lost_it(world: World) -> None:
    await world.say("Refund E512, it broke")
    await world.forget([])
    answer = await world.say("Refund E512")
    assert answer.changes == []
    assert "already" in answer.text
