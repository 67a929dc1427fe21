"""One wish in many words: the first thing the model does about it, after an order was spoken of.

The history is made by hand: an order was looked up, then the sentence is said to Triage.
"""

from __future__ import annotations

from typing import Any

import pytest

from .sent import (
    APPROVAL_TOOLS,
    TEAPOT,
    TRIAGE_TOOLS,
    Item,
    answered,
    called,
    calls_of,
    desk,
    does,
    looked_up,
    person,
)

REFUND = (
    "I'd like to be refunded please",
    "give me my money back",
    "i want my money back now!!!",
    "can you refund this?",
    "Could I get a refund on that one, it leaks",
    "I would like to return it and get a refund",
    "请帮我退款",
    "我要退钱",
    "能不能给我退款？坏了",
    "這個可以幫我退款嗎",
    "申請退費",
    "我想退貨退款",
    "帮我把钱退回来",
    "退了吧",
    "麻煩退款，謝謝",
    "把钱还给我",
    "refund C310",
    "C310 退款",
    "C310我要退款",
    "請將C310的款項退還",
    "refund for order c-310 please, thanks 🙏",
    "请退还订单 C310 的货款",
    "I demand a refund for my order C310!",
    "Please process a refund of C310.",
)

CANCEL = (
    "cancel it please",
    "please cancel my order",
    "I want to cancel",
    "call it off",
    "帮我取消这个订单",
    "取消吧",
    "我不想要了，取消",
    "麻煩取消這筆",
    "把它取消掉",
    "I don't need it any more, cancel it",
    "A100 取消",
    "我要取消訂單A100",
    "Cancel order number A100",
    "can you cancel A100 for me?",
    "取消订单（A100）",
)

PICKUP = (
    "I will pick it up myself",
    "can I collect it instead?",
    "make that a pickup",
    "pickup please",
    "我自己去取",
    "改为自提点取货",
    "不用送了，我自己去拿",
    "改成門市取貨",
    "請改超商取貨",
    "switch the delivery to a pickup point",
    "hold it at a pickup point",
    "我想到店自提",
    "送到自提柜吧",
    "把订单A100的配送方式改成自提",
    "Change the delivery of A100 to pickup",
    "請把A100的配送改為自取",
    "I'd like A100 to go to a pickup point",
)

ADDRESS = (
    "send it to 5 Rose Lane, Leeds instead",
    'deliver to "5 Rose Lane" please',
    "改送到上海市南京路1号",
    "地址改一下：上海市南京路1号",
    "收货地址换成上海市南京路1号",
    "寄到上海市南京路1号吧",
    "請改寄台北市忠孝東路四段1號",
    "幫我換地址，新地址是台北市忠孝東路四段1號",
    "my address changed, it is now 5 Rose Lane, Leeds",
    "please use this address: 5 Rose Lane, Leeds",
    "Could you have it delivered at 5 Rose Lane, Leeds?",
    "I moved. New address: 5 Rose Lane, Leeds",
    "the address should be 5 Rose Lane, Leeds",
    "我搬家了，地址是上海市南京路1号",
    "把地址更新为“上海市南京路1号”",
)

UNDO = (
    "undo",
    "please revert the change",
    "go back to the previous address",
    "change it back",
    "I changed my mind, put it back",
    "restore the original delivery",
    "never mind the pickup, undo it",
    "撤销",
    "撤回刚才的操作",
    "改回来吧",
    "还是送到原来的地址吧",
    "取消刚才的修改",
    "恢復原狀",
    "我反悔了，改回原地址",
    "还原一下",
    "take that back",
    "cancel that change",
    "actually leave the delivery as it was",
)

SUMMARY = (
    "summarize this conversation",
    "Can I have a summary?",
    "please sum up",
    "总结下",
    "给我一个小结",
    "幫我整理一下重點",
    "做个总结吧谢谢",
    "summary pls",
    "write up the ticket",
)

NOTHING = (
    "was it refunded?",
    "do you offer refunds?",
    "how long does a refund take?",
    "I don't want a refund",
    "不用退款",
    "退款了吗？",
    "退款需要几天？",
    "我没有要退款",
    "please don't cancel it",
    "别取消",
    "不要取消我的订单",
    "has it been cancelled?",
    "取消了没",
    "Who cancelled it?",
    "when can I pick it up?",
    "where is the pickup point?",
    "自提点在哪里？",
    "where are you sending it to?",
    "what address do you have?",
    "How do I cancel an order?",
    "is it too late to cancel?",
    "Why would I want a refund",
    "I did not ask you to change the address",
    "请勿改动",
    "先别改",
    "如果取消会怎么样",
    "what happens if I cancel?",
    "I heard you can cancel orders, is that true?",
    "cancellation fee?",
    "取消要手续费吗",
)


GRINDER = {"order": "C310", "item": "coffee grinder", "price": "189.00", "status": "delivered"}
GRINDER |= {"delivered_on": "2026-11-28"}


def _after(question: str, *, facts: dict[str, Any] | None = None, moved: bool = False) -> list[Item]:
    """A history in which an order was looked up (and moved), up to a new message."""
    order = {**TEAPOT, **(facts or {})}
    history = [person(f"Where is {order['order']}?"), *looked_up("c1", **order), desk("It is on its way.")]
    if moved:
        done = {"ok": True, "done": "delivery", "order": order["order"], "delivery": {"to": "pickup"}}
        call = called("deliver_to_pickup", "c2", order_id=order["order"])
        history += [person(f"Change {order['order']} to pickup"), call, answered("c2", done), desk("Done.")]
    return [*history, person(question)]


@pytest.mark.parametrize("text", REFUND)
async def test_the_money_back_is_a_matter_for_approval(text: str) -> None:
    assert await does(_after(text, facts=GRINDER), GRINDER) == "transfer_to_approval"


@pytest.mark.parametrize("text", CANCEL)
async def test_cancelling_is_a_matter_for_approval(text: str) -> None:
    assert await does(_after(text)) == "transfer_to_approval"


@pytest.mark.parametrize("text", PICKUP)
async def test_picking_it_up_oneself(text: str) -> None:
    assert await does(_after(text)) == "deliver_to_pickup"


@pytest.mark.parametrize("text", ADDRESS)
async def test_another_address(text: str) -> None:
    history = _after(text)
    assert await does(history) == "deliver_to_address"
    ((_, arguments),) = await calls_of(history, tools=TRIAGE_TOOLS)
    assert arguments["address"] in text
    assert arguments["address"][-1] in "1Ls号號eE"


@pytest.mark.parametrize("text", UNDO)
async def test_taking_a_change_back(text: str) -> None:
    assert await does(_after(text, moved=True)) == "undo_delivery_change"


@pytest.mark.parametrize("text", SUMMARY)
async def test_a_summary_is_a_matter_for_summary(text: str) -> None:
    assert await does(_after(text)) == "transfer_to_summary"


@pytest.mark.parametrize("text", NOTHING)
async def test_what_is_only_asked_about_or_not_wanted_is_not_done(text: str) -> None:
    history = _after(text, facts=GRINDER)
    done = await does(history, GRINDER)
    if done == "transfer_to_approval":  # Approval may offer it; it must not do it
        there = [*history, *looked_up("l9", **GRINDER)]
        done = " ".join(name for name, _ in await calls_of(there, tools=APPROVAL_TOOLS))
    assert done == ""
