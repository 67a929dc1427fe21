"""The desk's two checks: no card number comes in, and none goes out.

The input check looks at the newest message and at nothing older: a message that was refused stays stored,
and must not make every later one be refused as well. Both say what they are about, never what they found.
"""

from __future__ import annotations

import asyncio
from typing import Any

from agents import (
    Agent,
    GuardrailFunctionOutput,
    InputGuardrail,
    OutputGuardrail,
    RunContextWrapper,
    TResponseInputItem,
)

from .cards import find_cards, mask_cards

__all__ = ["card_in_answer", "card_in_message", "find_cards", "mask_cards", "newest_message"]


def newest_message(given: str | list[TResponseInputItem]) -> str:
    """The text of the newest message a person wrote, "" where there is none."""
    if isinstance(given, str):
        return given
    for item in reversed(given):
        if item.get("role") == "user":
            return _text(item.get("content"))
    return ""


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return " ".join(str(part.get("text") or "") for part in content if isinstance(part, dict))


async def _verdict(text: str) -> GuardrailFunctionOutput:
    # In a thread: a text of many pages takes a while to search, and the loop serves every session.
    found = await asyncio.to_thread(find_cards, text)
    return GuardrailFunctionOutput(output_info={"about": "card_number"}, tripwire_triggered=bool(found))


async def _message_is_clean(
    context: RunContextWrapper[Any], agent: Agent[Any], given: str | list[TResponseInputItem]
) -> GuardrailFunctionOutput:
    return await _verdict(newest_message(given))


async def _answer_is_clean(
    context: RunContextWrapper[Any], agent: Agent[Any], answer: Any
) -> GuardrailFunctionOutput:
    return await _verdict(str(answer))


# Before the model is asked, not beside it: nothing must be sent, and nothing answered, that is refused.
card_in_message: InputGuardrail[Any] = InputGuardrail(
    guardrail_function=_message_is_clean, name="card_in_message", run_in_parallel=False
)
card_in_answer: OutputGuardrail[Any] = OutputGuardrail(
    guardrail_function=_answer_is_clean, name="card_in_answer"
)
