"""Conditions on days, whatever day it is today."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from .sent import desk, does, looked_up, person
from .world import MONDAY, World

WEEK = [MONDAY + timedelta(days) for days in range(7)]
every_weekday = pytest.mark.parametrize("today", WEEK, ids=lambda day: day.strftime("%A"))


async def _goes_to_pickup(path: Path, today: date, *lines: str) -> bool:
    world = World(path, today=today)
    for line in lines:
        answer = await world.say(line)
    return any(name == "deliver_to_pickup" for name, _ in answer.calls)


# On a Monday: A100 ships in seven days and arrives in ten, F623 ships tomorrow and arrives on Friday, B205
# arrives on Thursday.
CONDITIONS = (
    ("A100", "如果比周五晚，就改自提", True),
    ("A100", "如果晚于这周五就改成自提", True),
    ("A100", "要是周五还没发货，改自提", True),
    ("A100", "周五前发不出来的话帮我转自提", True),
    ("A100", "假如超过周五才发货，请改为自提", True),
    ("A100", "若发货日在周五之后，改成自提", True),
    ("A100", "如果过了周五才能发，那就改自提吧", True),
    ("A100", "万一周五发不了，就改成到店自取", True),
    ("A100", "如果不能在周五前发货，帮我改自提", True),
    ("A100", "周五之前要是发不了货就自提", True),
    ("A100", "如果周五之前能发货就不用改，否则改自提", True),
    ("A100", "如果早于周五，帮我改到自提", False),
    ("A100", "要是周五前能发，就改自提", False),
    ("A100", "如果发货早于12月8日就改自提", True),
    ("A100", "如果晚于12月8号就改自提", False),
    ("A100", "下周一之后才发就改自提", False),
    ("A100", "下周才发货的话改自提", True),
    ("A100", "如果这周发不了货，就改自提", True),
    ("A100", "三天内发不了就改自提", True),
    ("A100", "超过三天才发货就改自提", True),
    ("A100", "如果10天内能到就不用管，超过10天改自提", False),
    ("A100", "如果明天发不了货就改自提", True),
    ("A100", "如果還沒出貨就改自取", True),
    ("A100", "如果已經出貨就改自取", False),
    ("A100", "除非週五前能出貨，不然改自取", True),
    ("A100", "晚過禮拜五就幫我改自取", True),
    ("A100", "若無法在星期五前出貨請改自取", True),
    ("A100", "出貨日如果比星期五還晚，麻煩改成超商取貨", True),
    ("A100", "週五以前到不了的話改自取", True),
    ("A100", "要是星期五以前可以出貨就改自取", False),
    ("A100", "if it ships after Friday, change it to pickup", True),
    ("A100", "If it is later than friday change to pickup", True),
    ("A100", "switch to pickup if it ships any later than Friday", True),
    ("A100", "if it's not shipped by Friday, make it pickup", True),
    ("A100", "should it ship later than Friday, please switch to pickup", True),
    ("A100", "make it pickup unless it ships before Friday", True),
    ("A100", "If it ships before Friday change it to pickup", False),
    ("A100", "if it cannot ship by this Friday, pickup please", True),
    ("A100", "in case it ships next week, change to pickup", True),
    ("A100", "pickup if it takes more than three days to ship", True),
    ("A100", "only if it ships after 8 December change it to pickup", False),
    ("A100", "if it ships on or before December 7 change it to pickup", True),
    ("A100", "If it ships on Monday, change it to pickup", True),
    ("A100", "if the ship date is past Friday then pickup, otherwise leave it", True),
    ("A100", "change it to pickup, but only if it ships after Friday", True),
    ("A100", "Change to pickup only when it ships later than Friday", True),
    ("A100", "if Friday comes and it has not shipped, switch it to pickup", True),
    ("A100", "if it arrives after the 9th, change it to pickup", True),
    ("A100", "if it arrives after the 11th, change it to pickup", False),
    ("A100", "if it will not arrive this week, switch to pickup", True),
    ("A100", "if it is going to arrive next week or later, switch to pickup", True),
    ("A100", "If it gets here within a week, change it to pickup", False),
    ("B205", "if it arrives after Friday change it to pickup", False),
    ("B205", "if it gets here before Friday, change it to pickup", True),
    ("B205", "如果周五前能到就改自提", True),
    ("B205", "如果晚于周五到就改自提", False),
    ("B205", "如果週四才到就改自取", True),
    ("B205", "如果明天到不了就改自提", True),
    ("B205", "如果后天之前到不了就改自提", True),
    ("B205", "if it comes later than Wednesday change it to pickup", True),
    ("B205", "if it has already shipped change it to pickup", True),
    ("B205", "如果还没发货就改自提", False),
    ("B205", "if it costs less than 100 change it to pickup", True),
    ("B205", "如果价格超过100就改自提", False),
    ("F623", "如果周五送不到，就改自提", False),
    ("F623", "如果周四之前送不到，就改自提", True),
    ("F623", "if it does not arrive by Thursday, change to pickup", True),
    ("F623", "if it ships tomorrow, change to pickup", True),
)


def _stands(today: date) -> dict[str, dict[str, Any]]:
    """The orders of the conditions, as a tool tells of them."""

    def day(days: int) -> str:
        return (today + timedelta(days)).isoformat()

    told = {
        "A100": {"status": "not_shipped", "price": "39.00", "ships_on": day(7), "arrives_on": day(10)},
        "B205": {"status": "shipped", "price": "64.50", "shipped_on": day(-1), "arrives_on": day(3)},
        "F623": {"status": "not_shipped", "price": "75.00", "ships_on": day(1), "arrives_on": day(4)},
    }
    unknown = dict.fromkeys(("ships_on", "arrives_on"))
    return {name: {**unknown, **facts, "order": name, "today": day(0)} for name, facts in told.items()}


async def _changes(today: date, wish: str, order: str | None = None) -> bool:
    """Whether a wish, said after an order was spoken of, changes a delivery."""
    orders = _stands(today)
    history = [person(wish)]
    if order is not None:
        question = f"Where is {order}?" if wish.isascii() else f"{order} 什么时候发货？"
        history = [person(question), *looked_up("c1", **orders[order]), desk("It comes."), person(wish)]
    return await does(history, *orders.values()) == "deliver_to_pickup"


@pytest.mark.parametrize(("order", "wish", "holds"), CONDITIONS)
async def test_a_condition_decides(order: str, wish: str, holds: bool) -> None:
    assert await _changes(MONDAY, wish, order) is holds


@every_weekday
@pytest.mark.parametrize(
    "wish",
    [
        "If it is later than Friday, change it to pickup",
        "如果晚于周五，帮我改到自提。",
        "要是晚於週五，幫我改成自取",
        "switch it to pickup unless it ships by Friday",
        "周五前发不了货就改自提",
    ],
)
async def test_the_teapot_ships_after_friday_on_every_weekday(today: date, wish: str, tmp_path: Path) -> None:
    assert await _goes_to_pickup(tmp_path / "orders.db", today, "Where is A100?", wish)


@every_weekday
@pytest.mark.parametrize(
    "wish", ["If it is earlier than Friday, change it to pickup", "如果早于周五，改到自提"]
)
async def test_the_teapot_is_left_alone_otherwise(today: date, wish: str, tmp_path: Path) -> None:
    assert not await _goes_to_pickup(tmp_path / "orders.db", today, "Where is A100?", wish)


@every_weekday
async def test_a_date_by_number_is_compared_as_it_is(today: date) -> None:
    arrives = today + timedelta(3)  # B205
    before, after = arrives - timedelta(1), arrives + timedelta(1)
    for limit, late in ((before, True), (arrives, False), (after, False)):
        for wish in (
            f"If B205 arrives later than {limit.month}/{limit.day}, change it to pickup",
            f"如果 B205 晚于{limit.month}月{limit.day}日才到，就改成自提",
            f"if B205 is not here by {limit.day} {limit:%B}, change it to pickup",
            f"If B205 arrives after {limit.isoformat()}, change it to pickup",
        ):
            assert await _changes(today, wish) is late, wish


@every_weekday
@pytest.mark.parametrize(
    ("wish", "late"),
    [
        ("if F623 ships later than today, change it to pickup", True),
        ("if F623 ships after tomorrow, change it to pickup", False),
        ("如果 F623 明天发不了货，就改自提", False),
        ("如果 F623 三天内到不了，就改自提", True),  # it arrives in four
        ("if F623 takes more than a week, change it to pickup", False),
    ],
)
async def test_days_are_counted_from_today(today: date, wish: str, late: bool) -> None:
    assert await _changes(today, wish) is late


async def test_what_is_no_condition_the_desk_knows_is_asked_about(tmp_path: Path) -> None:
    world = World(tmp_path / "orders.db")
    for wish in ("If it rains, change A100 to pickup", "如果心情好就把 A100 改自提"):
        answer = await world.say(wish, remember=False)
        assert answer.changes == []
        assert answer.last.rstrip()[-1] in "?？"
