"""Sums and comparisons of several orders, from what was looked up."""

from __future__ import annotations

from pathlib import Path

import pytest

from .judging import is_question
from .sent import looked_up, person, words_of
from .world import World

TOGETHER = [
    ("how much did A100 and B205 cost together?", "103.50"),
    ("What's the total of A100, B205 and C310?", "292.50"),
    ("which is dearer, A100 or B205?", "25.50"),
    ("Is C310 more expensive than B205?", "124.50"),
    ("which is cheapest: A100, B205 or C310?", "The cheapest is A100"),
    ("what's the difference in price between A100 and B205?", "25.50"),
    ("which arrives first, A100 or B205?", "First comes B205"),
    ("Which ships later, A100 or F623?", "Last comes A100"),
    ("A100和B205一共多少钱？", "103.50"),
    ("A100 和 C310 哪个便宜", "更便宜的是A100"),
    ("A100、B205、C310 哪个最贵？", "最贵的是C310"),
    ("A100和B205哪个先到？", "最早的是B205"),
    ("A100和B205差多少钱", "25.50"),
    ("A100 跟 B205 加起來多少錢？", "103.50"),
    ("A100、B205哪一張比較貴？", "比較貴的是B205"),
    ("A100 和 B205 哪張晚到？", "最晚的是A100"),
]


@pytest.mark.parametrize(("question", "known"), TOGETHER)
async def test_several_orders_are_summed_up_or_compared(question: str, known: str, tmp_path: Path) -> None:
    answer = await World(tmp_path / "orders.db").say(question)
    assert known in answer.text
    assert answer.changes == []


@pytest.mark.parametrize("question", ["which is dearer?", "哪个贵？", "哪張先到？"])
async def test_one_order_alone_is_compared_with_nothing(question: str, tmp_path: Path) -> None:
    world = World(tmp_path / "orders.db")
    await world.say("Where is A100?")
    answer = await world.say(question)
    assert is_question(answer)


async def test_an_order_named_alone_is_compared_with_the_one_spoken_of(tmp_path: Path) -> None:
    world = World(tmp_path / "orders.db")
    await world.say("Where is A100?")
    assert "150.00" in (await world.say("is it cheaper than C310?")).text


async def test_sums_in_two_currencies_are_not_added() -> None:
    history = [
        person("how much are A100 and B205 together?"),
        *looked_up("c1"),
        *looked_up("c2", order="B205", currency="EUR", price="64.50"),
    ]
    words = await words_of(history)
    assert "103.50" not in words
    assert "compare" in words


async def test_the_same_price_is_called_the_same() -> None:
    history = [person("which is dearer, A100 or B205?"), *looked_up("c1"), *looked_up("c2", order="B205")]
    assert "the same" in await words_of(history)
