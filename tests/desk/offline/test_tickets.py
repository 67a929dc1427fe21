"""A turn that names its orders in nothing but a ticket summary still tells which order was spoken of."""

from __future__ import annotations

from pathlib import Path

import pytest

from .judging import is_question
from .world import Answer, World, turns

ONE_ORDER = {
    "en": ("When does my order A100 ship?", "Thanks, please sum it up."),
    "zh-Hans": ("我的订单 A100 什么时候发货？", "谢谢，帮我总结一下。"),
    "zh-Hant": ("我的訂單 A100 什麼時候出貨？", "謝謝，幫我總結一下。"),
}
PRICED = {
    "en": (
        "How much is that order?",
        "what does it cost",
        "how much was it again?",
        "and the price?",
        "How much did I pay for the order?",
    ),
    "zh-Hans": ("刚才那个订单多少钱？", "它多少钱", "那个多少钱来着", "价格是多少？", "这个订单花了多少"),
    "zh-Hant": ("剛才那張訂單多少錢？", "它多少錢", "那張多少錢", "價格是多少？", "這張訂單花了多少"),
}
MOVED = {
    "en": (
        "Change it to pickup",
        "make it a pickup please",
        "I'll pick it up myself",
        "switch that order to pickup",
        "pickup instead",
    ),
    "zh-Hans": ("帮我改到自提", "改成自提", "那个订单改自提吧", "我自己去取", "把它改成自提"),
    "zh-Hant": ("幫我改成自取", "改自取", "那張訂單改自取吧", "我自己去拿", "把它改成自取"),
}


async def _newest_turn_of(path: Path, lines: tuple[str, ...]) -> World:
    world = World(path / "orders.db")
    for line in lines:
        await world.say(line)
    await world.forget(turns(await world.items())[-1])
    return world


def _looked_or_changed(answer: Answer) -> set[str]:
    return {str(arguments["order_id"]) for _, arguments in answer.calls if "order_id" in arguments}


@pytest.mark.parametrize(
    ("language", "says"), [(language, says) for language, told in PRICED.items() for says in told]
)
async def test_the_order_of_the_ticket_is_the_one_asked_about(
    language: str, says: str, tmp_path: Path
) -> None:
    world = await _newest_turn_of(tmp_path, ONE_ORDER[language])
    answer = await world.say(says)
    assert _looked_or_changed(answer) == {"A100"}
    assert "39.00" in answer.text


@pytest.mark.parametrize(
    ("language", "says"), [(language, says) for language, told in MOVED.items() for says in told]
)
async def test_the_order_of_the_ticket_is_the_one_changed(language: str, says: str, tmp_path: Path) -> None:
    world = await _newest_turn_of(tmp_path, ONE_ORDER[language])
    await world.say(says)
    order = world.orders.get("A100")
    assert order is not None
    assert order.delivery.to == "pickup"


@pytest.mark.parametrize(
    "says", ["How much is that order?", "Cancel it", "刚才那个订单多少钱？", "改成自提", "取消"]
)
async def test_of_a_ticket_with_several_orders_it_is_asked_which(says: str, tmp_path: Path) -> None:
    world = await _newest_turn_of(tmp_path, ("Where is A100?", "and J956?", "Thanks, please sum it up."))
    answer = await world.say(says)
    assert _looked_or_changed(answer) == set()
    assert is_question(answer)
    assert "A100" in answer.text
    assert "J956" in answer.text


async def test_the_answer_which_one_is_followed(tmp_path: Path) -> None:
    world = await _newest_turn_of(tmp_path, ("Where is A100?", "and J956?", "Thanks, please sum it up."))
    await world.say("Change it to pickup")
    answer = await world.say("the second one")
    assert [arguments["order_id"] for _, arguments in answer.changes] == ["J956"]


async def test_what_was_spoken_of_after_other_orders_stays_the_topic_after_a_ticket(tmp_path: Path) -> None:
    world = World(tmp_path / "orders.db")
    for line in ("Where is A100?", "and J956?", "Thanks, please sum it up."):
        await world.say(line)
    assert "J956" in (await world.say("how much is it?")).text
