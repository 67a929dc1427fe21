"""A model behind HTTP: OpenAI's, or that of a server which speaks OpenAI's Chat Completions.

The client belongs to an event loop, so it is made in the loop that first asks and never used in another.
Call ids are made fit to be remembered (see `desk.call_ids`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from agents import Model, ModelResponse, OpenAIChatCompletionsModel, OpenAIResponsesModel
from agents.items import TResponseInputItem, TResponseStreamEvent
from agents.retry import ModelRetryAdvice, ModelRetryAdviceRequest
from openai import AsyncOpenAI, Timeout

from .call_ids import FitCallIds

CONNECT = 10.0  # seconds to reach the server
SILENCE = 120.0  # seconds the server may be silent, before the first word too
RETRIES = 2  # of requests that failed before anything came; the client waits as the server asks


class RemoteModel(Model):
    """The model `name` at `base_url`, through Chat Completions if `chat`, else through Responses."""

    def __init__(self, name: str, base_url: str, api_key: str, *, chat: bool) -> None:
        self.name = name
        self._base_url = base_url
        self._api_key = api_key
        self._chat = chat
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client: AsyncOpenAI | None = None
        self._model: Model | None = None

    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],
        *args: Any,
        **options: Any,
    ) -> ModelResponse:
        sent = sendable(input)
        response = await self._ready().get_response(system_instructions, sent, *args, **options)
        response.output = FitCallIds(input).output(response.output)
        return response

    async def stream_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],
        *args: Any,
        **options: Any,
    ) -> AsyncIterator[TResponseStreamEvent]:
        fit = FitCallIds(input)
        sent = sendable(input)
        async for event in self._ready().stream_response(system_instructions, sent, *args, **options):
            yield fit.event(event)

    def get_retry_advice(self, request: ModelRetryAdviceRequest) -> ModelRetryAdvice | None:
        return self._model.get_retry_advice(request) if self._model is not None else None

    async def close(self) -> None:
        """Close the client, in the loop that used it. The next request makes a new one."""
        client, loop = self._client, self._loop
        self._client = self._model = self._loop = None
        if client is not None and loop is asyncio.get_running_loop():
            await client.close()

    def _ready(self) -> Model:
        loop = asyncio.get_running_loop()
        if self._model is None or self._loop is not loop:
            timeout = Timeout(SILENCE, connect=CONNECT)
            self._client = AsyncOpenAI(
                api_key=self._api_key, base_url=self._base_url, timeout=timeout, max_retries=RETRIES
            )
            kind = OpenAIChatCompletionsModel if self._chat else OpenAIResponsesModel
            self._model = kind(self.name, self._client)
            self._loop = loop
        return self._model


def sendable(value: Any) -> Any:
    """The input with "\ufffd" for each half of a surrogate pair: it may be stored, but no request holds one.

    One such message would otherwise make every later request of its session fail.
    """
    if isinstance(value, str):
        return (
            value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        )
    if isinstance(value, list):
        return [sendable(inner) for inner in value]
    if isinstance(value, dict):
        return {name: sendable(inner) for name, inner in value.items()}
    return value
