"""The reason somebody gives is the reason the request carries, in their own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from .sent import APPROVAL_TOOLS, calls_of, looked_up, person
from .world import World

GRINDER = {"order": "C310", "status": "delivered", "delivered_on": "2026-11-28", "price": "189.00"}

TOLD = [
    ("please refund C310, dead motor", "dead motor"),
    ("Refund C310 - the lid does not close", "the lid does not close"),
    ("refund C310 because it leaks. Thanks!", "it leaks"),
    ("I want a refund for C310. It stopped working after a day.", "It stopped working after a day"),
    (
        "My grinder C310 makes a terrible noise, I want my money back",
        "My grinder C310 makes a terrible noise",
    ),
    ("refund C310 dead motor", "dead motor"),
    ("Can you refund C310? Found it cheaper elsewhere.", "Found it cheaper elsewhere"),
    ("refund C310, it came too late", "it came too late"),
    ("退款C310，电机坏了", "电机坏了"),
    ("C310 不转了，退款", "C310 不转了"),
    ("请退C310，买重了", "买重了"),
    ("C310我要退款，因为盖子合不上", "盖子合不上"),
    ("請退款C310，馬達燒掉了", "馬達燒掉了"),
    ("我要退C310，跟照片不一樣", "跟照片不一樣"),
    ("C310我要退款，太吵了，謝謝", "太吵了"),
    # Verbs that are told around the order.
    ("我要退 C310 的款，收到時就是壞的。", "收到時就是壞的"),
    ("我要退 C310 的款，收到时就是坏的。", "收到时就是坏的"),
    ("我要退C310的款收到就坏了", "收到就坏了"),
    ("幫我退 C310 這張訂單的錢，壞的", "壞的"),
    ("帮我退 C310 这个订单的钱，坏的", "坏的"),
    ("退 C310 那笔款，漏水", "漏水"),
    ("退 C310 那筆款，漏水", "漏水"),
    ("我要退C310款，收到时坏了", "收到时坏了"),
    ("我要退C310款，收到時壞了", "收到時壞了"),
    ("退C310的全部货款，漏水", "漏水"),
    ("退C310的全部貨款，漏水", "漏水"),
    ("退 C310 的费用，打不开", "打不开"),
    ("退 C310 的費用，打不開", "打不開"),
    ("我要退C310的咖啡机，收到就是坏的", "收到就是坏的"),
    ("我要退C310的咖啡機，收到就是壞的", "收到就是壞的"),
    ("退款 C310 货不对板", "货不对板"),
    ("refund C310's price, broken motor", "broken motor"),
]
NOT_TOLD = [
    "refund C310",
    "refund C310 please, as I said",
    "Refund C310 asap!",
    "my name is Ada, refund C310",
    "refund C310 and thanks",
    "where is A100? and refund C310",
    "退款C310，谢谢",
    "请马上退款C310",
    "C310我要退款",
    "我說過了，請退款C310",
    "我要退 C310 的款",
    "我要退C310這張訂單的錢",
    "退C310的货款，谢谢",
]


async def _reason(text: str) -> str:
    history = [person(text), *looked_up("c1", **GRINDER), *looked_up("c2")]
    calls = await calls_of(history, tools=APPROVAL_TOOLS)
    (reason,) = [arguments["reason"] for name, arguments in calls if name == "refund_order"]
    assert isinstance(reason, str)
    return reason


@pytest.mark.parametrize(("text", "reason"), TOLD)
async def test_what_is_told_beside_a_refund_is_its_reason(text: str, reason: str) -> None:
    assert await _reason(text) == reason


@pytest.mark.parametrize("text", NOT_TOLD)
async def test_where_nothing_is_told_no_reason_is_made_up(text: str) -> None:
    assert await _reason(text) in ("no reason given", "未说明原因", "未說明原因")


@pytest.mark.parametrize(
    "text", ["取消 A100 的订单，买错了", "取消A100這張訂單的出貨，買錯了", "取消 A100 这单，买错了"]
)
async def test_what_a_verb_still_has_behind_the_order_is_no_reason(text: str, tmp_path: Path) -> None:
    answer = await World(tmp_path / "orders.db").say(text)
    (arguments,) = [arguments for name, arguments in answer.changes if name == "cancel_order"]
    assert arguments["reason"] in ("买错了", "買錯了")


async def test_each_request_has_its_own_reason(tmp_path: Path) -> None:
    world = World(tmp_path / "orders.db")
    answer = await world.say("Cancel A100, I found it cheaper. And refund E512, the handle came off")
    reasons = {args["order_id"]: args["reason"] for _, args in answer.changes if "reason" in args}
    assert reasons == {"A100": "I found it cheaper", "E512": "the handle came off"}


async def test_the_reason_is_in_the_summary(tmp_path: Path) -> None:
    world = World(tmp_path / "orders.db")
    answer = await world.say("Refund E512, the handle came off")
    (summary,) = [
        arguments["summary"] for name, arguments in answer.changes if name == "write_ticket_summary"
    ]
    assert "the handle came off" in summary
    assert "the handle came off" in answer.text


async def test_trouble_told_earlier_is_the_reason_later(tmp_path: Path) -> None:
    world = World(tmp_path / "orders.db")
    await world.say("The motor of C310 is broken")
    await world.say("where is A100?")
    answer = await world.say("Refund C310")
    (arguments,) = [arguments for name, arguments in answer.changes if name == "refund_order"]
    assert arguments["reason"] == "The motor of C310 is broken"
