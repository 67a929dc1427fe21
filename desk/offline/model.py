"""The SDK's face of the offline model.

Without a key, the desk's agents run on this `Model`: deterministic, local, and without any memory of its
own. All it goes by is what a call brings: the input items, the tools and handoffs of the agent that asks,
and that agent's instructions. The same input gives the same answer; only ids differ, since the SDK wants
every call id to be new.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from uuid import uuid4

from agents import (
    AgentOutputSchemaBase,
    Handoff,
    Model,
    ModelResponse,
    ModelSettings,
    ModelTracing,
    Tool,
    TResponseInputItem,
    Usage,
)
from agents.items import TResponseStreamEvent
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from openai.types.responses.response_prompt_param import ResponsePromptParam

from ..cards import mask_cards
from .planning import Action, Reply, plan
from .reading import read
from .streaming import stream

OutputItem = ResponseOutputMessage | ResponseFunctionToolCall


class OfflineModel(Model):
    """A stand-in for a language model, never for memory. `pause` is the time between streamed words, in
    seconds: enough of it makes the streaming visible."""

    def __init__(self, *, pause: float = 0.0) -> None:
        self._pause = pause

    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,
        handoffs: list[Handoff],
        tracing: ModelTracing,
        *,
        previous_response_id: str | None,
        conversation_id: str | None,
        prompt: ResponsePromptParam | None,
    ) -> ModelResponse:
        """The whole answer to a call."""
        output = await _answer(system_instructions, input, tools, handoffs)
        return ModelResponse(output=list(output), usage=Usage(requests=1), response_id=None)

    async def stream_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,
        handoffs: list[Handoff],
        tracing: ModelTracing,
        *,
        previous_response_id: str | None,
        conversation_id: str | None,
        prompt: ResponsePromptParam | None,
    ) -> AsyncIterator[TResponseStreamEvent]:
        """The same answer, word by word."""
        output = await _answer(system_instructions, input, tools, handoffs)
        async for event in stream(output):
            yield event
            await asyncio.sleep(self._pause if event.type == "response.output_text.delta" else 0)


async def _answer(
    instructions: str | None,
    items: str | list[TResponseInputItem],
    tools: list[Tool],
    handoffs: list[Handoff],
) -> list[OutputItem]:
    # In a thread: a message of many pages takes seconds to read, and the loop serves every session.
    return await asyncio.to_thread(lambda: _output(_reply(instructions, items, tools, handoffs)))


def _reply(
    instructions: str | None,
    items: str | list[TResponseInputItem],
    tools: list[Tool],
    handoffs: list[Handoff],
) -> Reply:
    return plan(
        read(items),
        frozenset(tool.name for tool in tools),
        frozenset(handoff.tool_name for handoff in handoffs),
        instructions or "",
    )


def _output(reply: Reply) -> list[OutputItem]:
    output: list[OutputItem] = []
    if reply.words:
        text = ResponseOutputText(type="output_text", annotations=[], text=mask_cards(reply.words))
        output.append(
            ResponseOutputMessage(
                id=f"msg_{uuid4().hex}", type="message", role="assistant", status="completed", content=[text]
            )
        )
    return [*output, *map(_call, reply.actions)]


def _call(action: Action) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        type="function_call",
        id=f"fc_{uuid4().hex}",
        call_id=f"call_{uuid4().hex}",
        name=action.name,
        arguments=json.dumps(action.arguments, ensure_ascii=False),
        status="completed",
    )
