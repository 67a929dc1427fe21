"""An answer as the stream of events the Responses API would send for it."""

from __future__ import annotations

import itertools
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Literal
from uuid import uuid4

from agents.items import TResponseStreamEvent
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseContentPartAddedEvent,
    ResponseContentPartDoneEvent,
    ResponseCreatedEvent,
    ResponseFunctionCallArgumentsDeltaEvent,
    ResponseFunctionCallArgumentsDoneEvent,
    ResponseFunctionToolCall,
    ResponseOutputItemAddedEvent,
    ResponseOutputItemDoneEvent,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseTextDeltaEvent,
    ResponseTextDoneEvent,
    ResponseUsage,
)
from openai.types.responses.response_usage import InputTokensDetails, OutputTokensDetails

OutputItem = ResponseOutputMessage | ResponseFunctionToolCall

# A word with the blanks after it; Chinese, which has none, by two characters at a time.
_PIECE = re.compile(r"[\u3000-\u9fff\uff00-\uffef]{1,2}|[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s+")


def pieces(text: str) -> list[str]:
    """The text cut into the pieces it is streamed in; put together they are the text."""
    return _PIECE.findall(text)


async def stream(output: Sequence[OutputItem]) -> AsyncIterator[TResponseStreamEvent]:
    """The events of a response that holds these items."""
    numbers, response_id = itertools.count(), f"resp_{uuid4().hex}"
    created = _response(response_id, "in_progress", [])
    yield ResponseCreatedEvent(type="response.created", response=created, sequence_number=next(numbers))
    for index, item in enumerate(output):
        events = (
            _message(item, index, numbers)
            if isinstance(item, ResponseOutputMessage)
            else _call(item, index, numbers)
        )
        for event in events:
            yield event
    completed = _response(response_id, "completed", list(output))
    yield ResponseCompletedEvent(type="response.completed", response=completed, sequence_number=next(numbers))


def _message(
    item: ResponseOutputMessage, index: int, numbers: Iterator[int]
) -> Iterator[TResponseStreamEvent]:
    opened = item.model_copy(update={"content": [], "status": "in_progress"})
    yield _added(opened, index, numbers)
    part = item.content[0]
    assert isinstance(part, ResponseOutputText)
    yield ResponseContentPartAddedEvent(
        type="response.content_part.added",
        part=part.model_copy(update={"text": ""}),
        sequence_number=next(numbers),
        item_id=item.id,
        output_index=index,
        content_index=0,
    )
    for piece in pieces(part.text):
        yield ResponseTextDeltaEvent(
            type="response.output_text.delta",
            delta=piece,
            logprobs=[],
            sequence_number=next(numbers),
            item_id=item.id,
            output_index=index,
            content_index=0,
        )
    yield ResponseTextDoneEvent(
        type="response.output_text.done",
        text=part.text,
        logprobs=[],
        sequence_number=next(numbers),
        item_id=item.id,
        output_index=index,
        content_index=0,
    )
    yield ResponseContentPartDoneEvent(
        type="response.content_part.done",
        part=part,
        sequence_number=next(numbers),
        item_id=item.id,
        output_index=index,
        content_index=0,
    )
    yield _done(item, index, numbers)


def _call(
    item: ResponseFunctionToolCall, index: int, numbers: Iterator[int]
) -> Iterator[TResponseStreamEvent]:
    item_id = item.id or item.call_id
    yield _added(item.model_copy(update={"arguments": "", "status": "in_progress"}), index, numbers)
    yield ResponseFunctionCallArgumentsDeltaEvent(
        type="response.function_call_arguments.delta",
        delta=item.arguments,
        item_id=item_id,
        output_index=index,
        sequence_number=next(numbers),
    )
    yield ResponseFunctionCallArgumentsDoneEvent(
        type="response.function_call_arguments.done",
        arguments=item.arguments,
        item_id=item_id,
        output_index=index,
        sequence_number=next(numbers),
    )
    yield _done(item, index, numbers)


def _added(item: OutputItem, index: int, numbers: Iterator[int]) -> ResponseOutputItemAddedEvent:
    return ResponseOutputItemAddedEvent(
        type="response.output_item.added", item=item, output_index=index, sequence_number=next(numbers)
    )


def _done(item: OutputItem, index: int, numbers: Iterator[int]) -> ResponseOutputItemDoneEvent:
    return ResponseOutputItemDoneEvent(
        type="response.output_item.done", item=item, output_index=index, sequence_number=next(numbers)
    )


def _response(
    response_id: str, status: Literal["in_progress", "completed"], output: list[OutputItem]
) -> Response:
    # No tokens are counted: nothing here is made of any.
    usage = ResponseUsage(
        input_tokens=0,
        output_tokens=0,
        total_tokens=0,
        input_tokens_details=InputTokensDetails(cached_tokens=0, cache_write_tokens=0),
        output_tokens_details=OutputTokensDetails(reasoning_tokens=0),
    )
    return Response(
        id=response_id,
        object="response",
        created_at=0,
        model="offline",
        status=status,
        output=list(output),
        parallel_tool_calls=True,
        tool_choice="auto",
        tools=[],
        usage=usage if status == "completed" else None,
    )
