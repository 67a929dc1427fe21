"""What an item of the model is: its kind, its text, and which half of which pair.

Item shapes are those of the Responses API as the SDK stores them: messages carry `role`, everything else
`type`; a call and its output share a `call_id`.
"""

from __future__ import annotations

import json
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from .entries import Item, Kind

HANDOFF_PREFIX = "transfer_to_"
"""The SDK names a handoff's tool so, followed by the agent's name in lower case."""


class Role(StrEnum):
    """Which half of a pair an item is."""

    CALL = "call"
    OUTPUT = "output"


class Half(NamedTuple):
    """One half of a pair; the other half has the same `family` and `call_id` and the other role."""

    role: Role
    family: str
    call_id: str

    @property
    def pair(self) -> tuple[str, str]:
        return (self.family, self.call_id)


def half_of(item: Item | None) -> Half | None:
    """Which half the item is, or None for an item that stands alone.

    Calls of hosted tools (web search and the like) hold their own result and carry no `call_id`: they stand
    alone.
    """
    type_ = item.get("type") if item else None
    side = _side(type_) if isinstance(type_, str) else None
    if item is None or side is None:
        return None
    role, family, name = side
    call_id = item.get(name)
    return Half(role, family, call_id) if isinstance(call_id, str) and call_id else None


@lru_cache(maxsize=256)
def _side(type_: str) -> tuple[Role, str, str] | None:
    """Which half items of this type are, of which family, and the name of the field that holds the id."""
    if type_ == "mcp_approval_request":
        return Role.CALL, "mcp_approval", "id"
    if type_ == "mcp_approval_response":
        return Role.OUTPUT, "mcp_approval", "approval_request_id"
    if type_.endswith("_output"):
        return Role.OUTPUT, type_.removesuffix("_output").removesuffix("_call"), "call_id"
    if type_.endswith("_call"):
        return Role.CALL, type_.removesuffix("_call"), "call_id"
    return None


def output_for(call: Item, text: str) -> Item:
    """The output item that closes `call` with `text`. Raises ValueError unless it is a function call."""
    if call.get("type") != "function_call" or not isinstance(call.get("call_id"), str):
        raise ValueError("Only a function call can be completed with a result.")
    return {"call_id": call["call_id"], "output": text, "type": "function_call_output"}


def is_question(item: Item | None) -> bool:
    """Whether it is a message of a person, with which a turn begins."""
    return item is not None and item.get("role") == "user" and item.get("type") in (None, "message")


def kind_of(item: Item | None) -> Kind:
    """What the item is in the conversation."""
    if not item:
        return Kind.OTHER
    if is_question(item):
        return Kind.USER
    type_ = item.get("type")
    if type_ in (None, "message"):
        return Kind.ASSISTANT if item.get("role") == "assistant" else Kind.OTHER
    if type_ == "reasoning":
        return Kind.REASONING
    if type_ in ("compaction", "compaction_summary"):
        return Kind.SUMMARY
    half = half_of(item)
    if half and half.role is Role.OUTPUT:
        return Kind.HANDOFF if _names_an_agent(item.get("output")) else Kind.TOOL_OUTPUT
    if isinstance(type_, str) and type_.endswith("_call"):
        name = item.get("name")
        return Kind.HANDOFF if isinstance(name, str) and name.startswith(HANDOFF_PREFIX) else Kind.TOOL_CALL
    return Kind.OTHER


def _names_an_agent(output: Any) -> bool:
    """Whether an output is the answer the SDK gives to a handoff: `{"assistant": "<agent>"}`."""
    if not isinstance(output, str) or not output.startswith('{"assistant"'):
        return False
    try:
        value = json.loads(output)
    except ValueError:
        return False
    return isinstance(value, dict) and set(value) == {"assistant"} and isinstance(value["assistant"], str)


def text_of(item: Item | None) -> str:
    """The words of an item as a person would read them: a message's text, a call's arguments, an output."""
    if not item:
        return ""
    kind = kind_of(item)
    if kind in (Kind.USER, Kind.ASSISTANT) or "content" in item:
        return _content_text(item.get("content"))
    if "output" in item:
        return _content_text(item["output"])
    if "arguments" in item:
        name, arguments = item.get("name", ""), item["arguments"]
        return f"{name}({arguments if isinstance(arguments, str) else json.dumps(arguments)})"
    if "summary" in item:
        return _content_text(item["summary"])
    return json.dumps(item, ensure_ascii=False, default=str)


def _content_text(content: Any) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text for part in content if (text := _part_text(part)))
    return json.dumps(content, ensure_ascii=False, default=str)


def _part_text(part: Any) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, dict):
        for name in ("text", "refusal", "transcript"):
            if isinstance(part.get(name), str):
                return str(part[name])
        return f"[{part.get('type', 'part')}]"
    return json.dumps(part, ensure_ascii=False, default=str)
