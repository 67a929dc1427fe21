"""The sum that the desk asks for, and gets in the next message."""

from __future__ import annotations

from pathlib import Path

import pytest

from .judging import is_question
from .world import World


@pytest.mark.parametrize(
    ("asks", "says", "paid"),
    [
        ("refund E512 partially", "12.50", "12.50"),
        ("refund E512 partially", "12.50 please", "12.50"),
        ("refund part of E512", "make it 12.50", "12.50"),
        ("refund part of E512", "half", "9.00"),
        ("refund part of E512", "all of it", "18.00"),
        ("E512部分退款", "全部", "18.00"),
        ("E512退一部分", "10块", "10.00"),
        ("E512退一部分", "十塊", "10.00"),
        ("E512部分退款", "退12.50", "12.50"),
    ],
)
async def test_the_sum_that_was_asked_for_is_paid(asks: str, says: str, paid: str, tmp_path: Path) -> None:
    world = World(tmp_path / "orders.db")
    assert is_question(await world.say(asks))
    await world.say(says)
    order = world.orders.get("E512")
    assert order is not None
    assert str(order.refunded) == paid


@pytest.mark.parametrize("says", ["10 euros", "a bit", "yes", "10欧元", "一部分", "好的"])
async def test_what_is_no_sum_pays_nothing(says: str, tmp_path: Path) -> None:
    world = World(tmp_path / "orders.db")
    await world.say("refund E512 partially")
    assert (await world.say(says)).changes == []
