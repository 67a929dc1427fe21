"""The items that are stored: turns of six, as a desk writes them."""

from __future__ import annotations

from itertools import count, islice
from typing import Any

Item = dict[str, Any]

TURN = 6


def turn(number: int) -> list[Item]:
    """A question, two calls with outputs of about 1 KB, an answer of about 300 bytes."""
    return [
        {"role": "user", "content": f"Question {number}: " + "where is my order A100 and when? " * 8},
        *_pair(f"call_{number}a", "look_up_order"),
        *_pair(f"call_{number}b", "track_order"),
        {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [
                {
                    "type": "output_text",
                    "annotations": [],
                    "text": f"Answer {number}: " + "it ships on Friday. " * 9,
                }
            ],
        },
    ]


def _pair(call_id: str, name: str) -> list[Item]:
    facts = '{"ok": true, "order": "A100", "item": "Grinder", "status": "not_shipped", "price": "39.00"}, '
    return [
        {"type": "function_call", "call_id": call_id, "name": name, "arguments": '{"order_id": "A100"}'},
        {"type": "function_call_output", "call_id": call_id, "output": facts * 10},
    ]


def items(number: int) -> list[Item]:
    """The first `number` items of an endless conversation."""
    return list(islice((item for n in count(1) for item in turn(n)), number))
