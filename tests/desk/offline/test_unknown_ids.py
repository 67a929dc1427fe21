"""The desk acts on the order a person names, or on none: never on the one in memory instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from .letter_ids import LETTERS, WORDS
from .unknown_ids import ASKED_BEFORE, NO_IDS, UNKNOWN
from .world import Answer, World

unknown = [(language, *case) for language in UNKNOWN for case in (*UNKNOWN[language], *LETTERS[language])]
no_ids = [(language, *case) for language in NO_IDS for case in (*NO_IDS[language], *WORDS[language])]


async def _after_a100(path: Path, language: str, says: str) -> tuple[World, Answer]:
    world = World(path / "orders.db")
    await world.say(ASKED_BEFORE[language])
    return world, await world.say(says)


def _orders_of(answer: Answer) -> set[str]:
    """The orders its calls were about."""
    return {str(arguments["order_id"]) for _, arguments in answer.calls if "order_id" in arguments}


def _done(world: World) -> list[str]:
    """The orders something was done to."""
    return [order.id for order in world.orders.all() if world.orders.history(order.id)]


@pytest.mark.parametrize(("language", "says", "name"), unknown)
async def test_an_order_there_is_not_is_named_back_and_nothing_is_done(
    language: str, says: str, name: str, tmp_path: Path
) -> None:
    world, answer = await _after_a100(tmp_path, language, says)
    assert _orders_of(answer) == {name}
    assert name in answer.text
    assert answer.waiting == []
    assert _done(world) == []


@pytest.mark.parametrize(("language", "says", "meant"), no_ids)
async def test_a_word_that_is_no_id_is_not_taken_for_one(
    language: str, says: str, meant: bool, tmp_path: Path
) -> None:
    _, answer = await _after_a100(tmp_path, language, says)
    assert _orders_of(answer) <= {"A100"}
    assert not meant or _orders_of(answer)


@pytest.mark.parametrize(
    "says",
    [
        "refund iPhone15",
        "refund the iPhone15",
        "cancel my B2B subscription",
        "refund widget3000",
        "退款 iPhone15",
        "把 iPhone15 退掉",
        "取消我的 PS5",
    ],
)
async def test_a_thing_that_was_never_spoken_of_is_not_the_order_in_memory(says: str, tmp_path: Path) -> None:
    world, answer = await _after_a100(tmp_path, "en", says)
    assert answer.changes == []
    assert "?" in answer.text or "？" in answer.text
    assert _done(world) == []


async def test_the_order_that_was_asked_for_instead_gets_the_wish(tmp_path: Path) -> None:
    world, _ = await _after_a100(tmp_path, "en", "Cancel order ZZ99")
    assert (await world.say("yes")).changes == []
    answer = await world.say("it, please")
    assert "A100" not in _orders_of(answer)
    await world.say("Cancel order QQ1")
    await world.say("A100")
    assert _done(world) == ["A100"]


async def test_one_unknown_order_after_the_other_leaves_every_order_alone(tmp_path: Path) -> None:
    world, _ = await _after_a100(tmp_path, "en", "hello")
    said = (
        "Refund order ZZ99",
        "我的订单 X7 什么时候发货？",
        "退款 订单号 ABC12",
        "Where is order #7?",
        "refund a100x",
    )
    for says, name in zip(said, ("ZZ99", "X7", "ABC12", "7", "A100X"), strict=True):
        answer = await world.say(says)
        assert _orders_of(answer) == {name}
        assert name in answer.text
    assert _done(world) == []
