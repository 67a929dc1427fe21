"""A streamed answer that breaks off is an error, not an answer.

A server of Chat Completions ends its stream with `data: [DONE]`, after a chunk that gives the reason it
finished. Where the connection is closed politely before either, the SDK takes what came for the whole. So the
bytes are watched on their way, and a stream that ends without both raises.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import httpx2 as httpx  # what the OpenAI client itself speaks through

_END = re.compile(rb'\[DONE\]|"finish_reason"\s*:\s*"')
_LONGEST_END = 40  # bytes that a mark of the end may take


class BrokeOff(httpx.RemoteProtocolError):
    """The stream ended in the middle of an answer."""


def broke_off(error: BaseException) -> bool:
    """Whether an error of the client means that an answer had begun to come, and ended too early."""
    return isinstance(error.__cause__, httpx.RemoteProtocolError | httpx.ReadError)


async def watch(response: httpx.Response) -> None:
    """For the client's `response` hook: from now on, a stream of events that breaks off raises BrokeOff."""
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _Watched(response.stream)


class _Watched(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        tail, ended = b"", False
        async for chunk in self._stream:
            if not ended:
                tail += chunk
                ended = _END.search(tail) is not None
                tail = tail[-_LONGEST_END:]
            yield chunk
        if not ended:
            raise BrokeOff("The stream ended in the middle of an answer.")

    async def aclose(self) -> None:
        await self._stream.aclose()
