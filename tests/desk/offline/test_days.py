"""Conditions on days, whatever day it is today."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from .world import MONDAY, World

WEEK = [MONDAY + timedelta(days) for days in range(7)]
every_weekday = pytest.mark.parametrize("today", WEEK, ids=lambda day: day.strftime("%A"))


async def _goes_to_pickup(path: Path, today: date, *lines: str) -> bool:
    world = World(path, today=today)
    for line in lines:
        answer = await world.say(line)
    return any(name == "deliver_to_pickup" for name, _ in answer.calls)


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
async def test_a_date_by_number_is_compared_as_it_is(today: date, tmp_path: Path) -> None:
    arrives = today + timedelta(3)  # B205
    before, after = arrives - timedelta(1), arrives + timedelta(1)
    for limit, late in ((before, True), (arrives, False), (after, False)):
        for number, wish in enumerate(
            (
                f"If B205 arrives later than {limit.month}/{limit.day}, change it to pickup",
                f"如果 B205 晚于{limit.month}月{limit.day}日才到，就改成自提",
                f"if B205 is not here by {limit.day} {limit:%B}, change it to pickup",
                f"If B205 arrives after {limit.isoformat()}, change it to pickup",
            )
        ):
            path = tmp_path / f"{limit}-{number}.db"
            assert await _goes_to_pickup(path, today, wish) is late, wish


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
async def test_days_are_counted_from_today(today: date, wish: str, late: bool, tmp_path: Path) -> None:
    assert await _goes_to_pickup(tmp_path / "orders.db", today, wish) is late


async def test_what_is_no_condition_the_desk_knows_is_asked_about(tmp_path: Path) -> None:
    world = World(tmp_path / "orders.db")
    for wish in ("If it rains, change A100 to pickup", "如果心情好就把 A100 改自提"):
        answer = await world.say(wish, remember=False)
        assert answer.changes == []
        assert answer.last.rstrip()[-1] in "?？"
