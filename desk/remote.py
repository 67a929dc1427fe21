"""A model behind HTTP: OpenAI's, or that of a server which speaks OpenAI's Chat Completions.

The client belongs to an event loop, so it is made in the loop that first asks and never used in another.
Call ids are made fit to be remembered (see `desk.call_ids`). Half a surrogate pair, which any program may
have stored and no request can carry, is sent as U+FFFD.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from agents import Model, ModelResponse, OpenAIChatCompletionsModel, OpenAIResponsesModel
from agents.items import TResponseInputItem, TResponseStreamEvent
from agents.retry import ModelRetryAdvice, ModelRetryAdviceRequest
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

from .call_ids import FitCallIds, Used, never_used
from .chat_items import for_chat
from .whole_streams import watch

CONNECT = 10.0  # seconds to reach the server
SILENCE = 120.0  # seconds the server may be silent, before the first word too
RETRIES = 2  # of requests that failed before anything came; the client waits as the server asks


class RemoteModel(Model):
    """The model `name` at `base_url`, through Chat Completions if `chat`, else through Responses.

    `used` says which call ids had an effect: no new call gets one of those.
    """

    def __init__(
        self, name: str, base_url: str, api_key: str, *, chat: bool, used: Used = never_used
    ) -> None:
        self.name = name
        self._base_url = base_url
        self._api_key = api_key
        self._chat = chat
        self._used = used
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
        given = _in_utf8(input)
        response = await self._ready().get_response(system_instructions, given, *args, **options)
        response.output = await FitCallIds(input, self._used).output(response.output)
        return response

    async def stream_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],
        *args: Any,
        **options: Any,
    ) -> AsyncIterator[TResponseStreamEvent]:
        fit, given = FitCallIds(input, self._used), _in_utf8(input)
        async for event in self._ready().stream_response(system_instructions, given, *args, **options):
            yield await fit.event(event)

    def fit_items(self, items: list[TResponseInputItem]) -> tuple[list[TResponseInputItem], int]:
        """The items that this model can be sent, and how many of them it cannot."""
        return for_chat(items) if self._chat else (items, 0)

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
            # The Responses API says itself when an answer is whole; Chat Completions is watched for it.
            hooks = {"response": [watch]} if self._chat else {}
            self._client = AsyncOpenAI(
                api_key=self._api_key,
                base_url=self._base_url,
                timeout=Timeout(SILENCE, connect=CONNECT),
                max_retries=RETRIES,
                http_client=DefaultAsyncHttpxClient(event_hooks=hooks),
            )
            kind = OpenAIChatCompletionsModel if self._chat else OpenAIResponsesModel
            self._model = kind(self.name, self._client)
            self._loop = loop
        return self._model


def _in_utf8(value: Any) -> Any:
    """The same JSON with text that has a UTF-8 form."""
    if isinstance(value, str):
        return (
            value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        )
    if isinstance(value, list):
        return [_in_utf8(inner) for inner in value]
    if isinstance(value, dict):
        return {_in_utf8(name): _in_utf8(inner) for name, inner in value.items()}
    return value
