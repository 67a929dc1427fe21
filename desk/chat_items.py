"""Stored items as a Chat Completions server can be sent them.

A session may hold items of any program and any model: hosted tools of the Responses API, roles nobody knows,
half an item. The SDK's converter refuses a whole request for one of them. So what it cannot take is left out,
a call with its output, and the number of what was left out is told.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agents.models.chatcmpl_converter import Converter

from .run_session import FAKE_ID


def for_chat(items: Iterable[Any]) -> tuple[list[Any], int]:
    """The items that can be sent, in order, and how many cannot."""
    given = [_as_message(item) for item in items]
    if _converts(given):
        return given, 0
    odd = {place for place, item in enumerate(given) if not _converts([item])}
    lost = {given[place].get("call_id") for place in odd} - {None, ""}
    fit = [item for place, item in enumerate(given) if place not in odd and item.get("call_id") not in lost]
    return fit, len(given) - len(fit)


def _as_message(item: Any) -> Any:
    """An agent's message in parts is taken only with an id, which says nothing."""
    if item.get("role") == "assistant" and isinstance(item.get("content"), list):
        return {"type": "message", "id": FAKE_ID, "status": "completed", **item}
    return item


def _converts(items: list[Any]) -> bool:
    try:
        Converter.items_to_messages(items)
    except Exception:  # whatever it stumbles over: a wrong type, a missing key, its own refusal
        return False
    return True
