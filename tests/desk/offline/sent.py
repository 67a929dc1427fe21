"""Histories as they are sent to a model, made by hand, and one call of the offline model on them."""

from __future__ import annotations

import json
from typing import Any

from agents import Handoff, ModelSettings, ModelTracing, Tool, function_tool, handoff
from agents.agent import Agent
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from desk.offline import OfflineModel

Item = dict[str, Any]

TEAPOT = {
    "order": "A100",
    "item": "teapot",
    "item_names": {"en": "teapot", "zh-Hans": "茶壶", "zh-Hant": "茶壺"},
    "price": "39.00",
    "currency": "USD",
    "status": "not_shipped",
    "ships_on": "2026-12-07",
    "arrives_on": "2026-12-10",
    "delivery": {"to": "address", "address": "12 Harbour Lane, Bristol"},
    "today": "2026-11-30",
}


def person(text: Any) -> Item:
    return {"role": "user", "content": text}


def desk(text: Any) -> Item:
    return {"role": "assistant", "content": text}


def called(name: str, call_id: str, **arguments: Any) -> Item:
    return {"type": "function_call", "name": name, "call_id": call_id, "arguments": json.dumps(arguments)}


def answered(call_id: str, output: Any) -> Item:
    text = output if isinstance(output, str) else json.dumps(output)
    return {"type": "function_call_output", "call_id": call_id, "output": text}


def looked_up(call_id: str, **facts: Any) -> list[Item]:
    """A look-up of the teapot and its answer, with some facts changed."""
    told = {"ok": True, **TEAPOT, **facts}
    return [called("look_up_order", call_id, order_id=told["order"]), answered(call_id, told)]


def _tools(*names: str) -> list[Tool]:
    """Tools by name: the offline model looks at nothing else of them, and none is ever run here."""

    def never(order_id: str) -> str:
        raise NotImplementedError

    return [function_tool(never, name_override=name) for name in names]


TRIAGE_TOOLS = _tools(
    "look_up_order", "track_order", "deliver_to_pickup", "deliver_to_address", "undo_delivery_change"
)
APPROVAL_TOOLS = _tools("look_up_order", "refund_order", "cancel_order")
SUMMARY_TOOLS = _tools("look_up_order", "write_ticket_summary")
HANDOFFS: list[Handoff[Any, Any]] = [handoff(Agent(name=name)) for name in ("Approval", "Summary")]

_SETTINGS = ModelSettings()


def arguments_of(
    items: str | list[Item],
    tools: list[Tool] | None = None,
    handoffs: list[Handoff[Any, Any]] | None = None,
    instructions: str | None = None,
) -> dict[str, Any]:
    """What the runner passes to a model."""
    return {
        "system_instructions": instructions,
        "input": items,
        "model_settings": _SETTINGS,
        "tools": TRIAGE_TOOLS if tools is None else tools,
        "output_schema": None,
        "handoffs": HANDOFFS if handoffs is None else handoffs,
        "tracing": ModelTracing.DISABLED,
        "previous_response_id": None,
        "conversation_id": None,
        "prompt": None,
    }


async def output_of(items: str | list[Item], **how: Any) -> list[Any]:
    """The output items of one call."""
    response = await OfflineModel().get_response(**arguments_of(items, **how))
    return list(response.output)


async def words_of(items: str | list[Item], **how: Any) -> str:
    """The words of one call, "" where it only calls tools."""
    texts = []
    for item in await output_of(items, **how):
        if isinstance(item, ResponseOutputMessage):
            texts += [part.text for part in item.content if isinstance(part, ResponseOutputText)]
    return "\n".join(texts)


async def calls_of(items: str | list[Item], **how: Any) -> list[tuple[str, dict[str, Any]]]:
    """The tool calls and handoffs of one call."""
    return [
        (item.name, json.loads(item.arguments))
        for item in await output_of(items, **how)
        if isinstance(item, ResponseFunctionToolCall)
    ]


ACTIONS = frozenset(
    {
        "transfer_to_approval",
        "deliver_to_pickup",
        "deliver_to_address",
        "undo_delivery_change",
        "transfer_to_summary",
    }
)


async def does(history: list[Item], *known: dict[str, Any]) -> str:
    """The first action Triage takes, whatever it looks up before; "" where it takes none.

    `known` are facts of orders; any other order stands as the teapot does.
    """
    facts = {order["order"]: order for order in known}
    for number in range(4):
        calls = await calls_of(history)
        action = next((name for name, _ in calls if name in ACTIONS), None)
        if action is not None or not calls:
            return action or ""
        for name, arguments in calls:
            assert name in ("look_up_order", "track_order")
            order = arguments["order_id"]
            history = [*history, *looked_up(f"l{number}{order}", **{"order": order, **facts.get(order, {})})]
    raise AssertionError("it never stops looking up")
