"""A model server for tests: speaks Responses and Chat Completions over HTTP, from a script.

Each request takes the next step of the script, whatever the protocol, streamed if it asks for that, and is
kept in `requests`. Steps: `Say(text)`, `Call(name, arguments, call_id)`, a list of `Call`s for several at
once, `Fail(status)`, `Cut(step)` whose stream ends in the middle, or `Slow(step)` which keeps the first byte
back until `go_on` is set.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Say:
    text: str


@dataclass(frozen=True)
class Call:
    name: str
    arguments: str
    call_id: str | None


@dataclass(frozen=True)
class Fail:
    status: int
    retry_after: float | None = None  # seconds, told to the client


@dataclass(frozen=True)
class Cut:
    """The first half of a streamed answer. `broken` ends the connection too, else the stream just ends."""

    step: Say | Call
    broken: bool = False


@dataclass(frozen=True)
class Slow:
    step: Say | Call
    go_on: asyncio.Event = field(default_factory=asyncio.Event)


Step = Say | Call | Fail | Cut | Slow | list[Call]


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class ModelServer:
    steps: list[Step]
    requests: list[Request] = field(default_factory=list)
    url: str = ""
    port: int = 0

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer):
            while head := await reader.readline():
                path = head.decode().split()[1]
                headers = {}
                while (line := (await reader.readline()).decode().strip()) != "":
                    name, _, value = line.partition(":")
                    headers[name.lower()] = value.strip()
                body = json.loads(await reader.readexactly(int(headers.get("content-length", "0"))))
                self.requests.append(Request(path, headers, body))
                step = self.steps.pop(0)
                if isinstance(step, Slow):
                    await step.go_on.wait()
                    step = step.step
                if isinstance(step, Cut):
                    writer.write(_half(self._answer(path, body, step.step), broken=step.broken))
                    await writer.drain()
                    return
                writer.write(self._answer(path, body, step))
                await writer.drain()

    def _answer(self, path: str, body: dict[str, Any], step: Say | Call | Fail | list[Call]) -> bytes:
        if isinstance(step, Fail):
            again = "" if step.retry_after is None else f"retry-after: {step.retry_after}\r\n"
            return _http(step.status, "application/json", json.dumps({"error": {"message": "no"}}), again)
        said = [step] if isinstance(step, Call) else step
        chat = path.endswith("/chat/completions")
        if not body.get("stream"):
            whole = _chat(body, said) if chat else _response(body, said)
            return _http(200, "application/json", json.dumps(whole))
        events = _chat_events(body, said) if chat else _response_events(body, said)
        lines = [
            f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events if "type" in event
        ]
        lines += [f"data: {json.dumps(event)}\n\n" for event in events if "type" not in event]
        return _http(200, "text/event-stream", "".join([*lines, "data: [DONE]\n\n" if chat else ""]))


@contextlib.asynccontextmanager
async def serving(*steps: Step, port: int = 0) -> AsyncIterator[ModelServer]:
    """A server with that script, for as long as the context lasts; `port` 0 is any free one."""
    model = ModelServer(list(steps))
    server = await asyncio.start_server(model.handle, "127.0.0.1", port)
    model.port = server.sockets[0].getsockname()[1]
    model.url = f"http://127.0.0.1:{model.port}/v1"
    try:
        yield model
    finally:
        server.close()


def _http(status: int, kind: str, text: str, more: str = "") -> bytes:
    body = text.encode()
    head = f"HTTP/1.1 {status} x\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n{more}\r\n"
    return head.encode() + body


def _half(answer: bytes, *, broken: bool) -> bytes:
    """The first half of the events, with a length that promises all of them where it is `broken`."""
    head, _, body = answer.partition(b"\r\n\r\n")
    events = body.split(b"\n\n")[:-1]
    half = b"\n\n".join(events[: (len(events) + 1) // 2]) + b"\n\n"
    if not broken:
        head = head.replace(b"content-length: %d" % len(body), b"content-length: %d" % len(half))
    return head + b"\r\n\r\n" + half


# Responses


def _items(said: Say | Sequence[Call]) -> list[dict[str, Any]]:
    if isinstance(said, Say):
        part = {"type": "output_text", "text": said.text, "annotations": []}
        return [
            {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}
        ]
    return [
        {
            "type": "function_call",
            "id": f"fc_{number}",
            "call_id": call.call_id or "",
            "name": call.name,
            "arguments": call.arguments,
            "status": "completed",
        }
        for number, call in enumerate(said)
    ]


def _response(body: dict[str, Any], said: Say | Sequence[Call]) -> dict[str, Any]:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": body["model"],
        "output": _items(said),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def _response_events(body: dict[str, Any], said: Say | Sequence[Call]) -> list[dict[str, Any]]:
    whole = _response(body, said)
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}}
    ]
    for place, item in enumerate(whole["output"]):
        about = {"output_index": place, "item_id": item["id"]}
        start = {"content": []} if item["type"] == "message" else {"arguments": ""}
        events.append({"type": "response.output_item.added", "item": {**item, **start}, **about})
        if isinstance(said, Say):
            events += [
                {
                    "type": "response.output_text.delta",
                    "content_index": 0,
                    "delta": word,
                    "logprobs": [],
                    **about,
                }
                for word in _words(said.text)
            ]
        events.append({"type": "response.output_item.done", "item": item, **about})
    events.append({"type": "response.completed", "response": whole})
    return [{"sequence_number": number, **event} for number, event in enumerate(events)]


# Chat Completions


def _chat(body: dict[str, Any], said: Say | Sequence[Call]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said.text if isinstance(said, Say) else None}
    if not isinstance(said, Say):
        message["tool_calls"] = [
            {
                "id": call.call_id or "",
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in said
        ]
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {
        "id": "chat_1",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [choice],
    }


def _chat_events(body: dict[str, Any], said: Say | Sequence[Call]) -> list[dict[str, Any]]:
    deltas: list[dict[str, Any]] = [{"role": "assistant"}]
    if isinstance(said, Say):
        deltas += [{"content": word} for word in _words(said.text)]
    else:
        for place, call in enumerate(said):
            opening: dict[str, Any] = {"index": place, "type": "function"}
            opening["function"] = {"name": call.name, "arguments": ""}
            if call.call_id is not None:
                opening["id"] = call.call_id
            deltas.append({"tool_calls": [opening]})
            middle = len(call.arguments) // 2
            deltas += [
                {"tool_calls": [{"index": place, "function": {"arguments": part}}]}
                for part in (call.arguments[:middle], call.arguments[middle:])
            ]
    about = {"id": "chat_1", "object": "chat.completion.chunk", "created": 0, "model": body["model"]}
    ends: list[str | None] = [None] * len(deltas)
    ends[-1] = "stop" if isinstance(said, Say) else "tool_calls"
    return [
        {**about, "choices": [{"index": 0, "delta": delta, "finish_reason": end}]}
        for delta, end in zip(deltas, ends, strict=True)
    ]


def _words(text: str) -> Iterator[str]:
    for place, word in enumerate(text.split(" ")):
        yield word if place == 0 else f" {word}"
