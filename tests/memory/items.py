"""Items as the SDK stores them, short to write."""

from __future__ import annotations

import json
from typing import Any

Item = dict[str, Any]


def user(text: str = "Where is my order?") -> Item:
    return {"content": text, "role": "user"}


def assistant(text: str = "It ships on Friday.", id_: str = "msg_1") -> Item:
    part = {"annotations": [], "text": text, "type": "output_text"}
    return {"id": id_, "content": [part], "role": "assistant", "status": "completed", "type": "message"}


def call(call_id: str, name: str = "look_up_order", arguments: str = '{"order_id": "A100"}') -> Item:
    return {"arguments": arguments, "call_id": call_id, "name": name, "type": "function_call"}


def output(call_id: str, text: str = "ships on Friday") -> Item:
    return {"call_id": call_id, "output": text, "type": "function_call_output"}


def pair(call_id: str, name: str = "look_up_order") -> list[Item]:
    return [call(call_id, name), output(call_id)]


def handoff(call_id: str, agent: str) -> list[Item]:
    """The two items the SDK stores when control goes to another agent."""
    return [
        call(call_id, f"transfer_to_{agent.lower()}", "{}"),
        output(call_id, json.dumps({"assistant": agent})),
    ]


def reasoning(id_: str = "rs_1") -> Item:
    return {"id": id_, "summary": [{"text": "Look it up.", "type": "summary_text"}], "type": "reasoning"}


def unknown(type_: str = "from_the_future") -> Item:
    return {"type": type_, "payload": [1, {"deep": None}]}


def turn(number: int) -> list[Item]:
    """A whole turn of four items with a call of its own."""
    return [
        user(f"question {number}"),
        *pair(f"call_{number}"),
        assistant(f"answer {number}", f"msg_{number}"),
    ]


def turns(count: int) -> list[Item]:
    return [item for number in range(1, count + 1) for item in turn(number)]


def relay() -> list[Item]:
    """One ticket through three agents: 11 items, 2 turns, 2 handoffs, a reasoning run and a refund."""
    return [
        user("My grinder is broken, refund me."),
        reasoning("rs_1"),
        *handoff("call_to_approval", "Approval"),
        *pair("call_refund", "refund_order"),
        assistant("Refunded.", "msg_1"),
        user("Sum it up."),
        *handoff("call_to_summary", "Summary"),
        assistant("A refund was made.", "msg_2"),
    ]
