"""Call ids that can be remembered.

A tool call and its output find each other by the call id, over the whole life of a session, and the orders
do nothing twice under one id. OpenAI's ids are fit for that. Some compatible servers count from "call_0" in
every answer, repeat themselves, or leave the id out; such ids are replaced as they arrive, before anyone has
seen them. Good ids pass untouched, because some servers take back only ids of their own making.

An id is taken where it stands in what the model was sent, or where an effect in the orders has it: a server
that repeats itself after fifty turns would otherwise be told of the old effect as if it were new.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from agents.items import TResponseInputItem, TResponseOutputItem, TResponseStreamEvent
from openai.types.responses import (
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputItemAddedEvent,
    ResponseOutputItemDoneEvent,
)

_SHORTEST = 9  # characters; fewer are a counter, not a name

Used = Callable[[Collection[str]], Collection[str]]
"""Says which of some call ids have had an effect. Asked in a thread: it may read a file."""


def never_used(call_ids: Collection[str]) -> Collection[str]:
    """Where no call has had any effect yet."""
    return ()


class FitCallIds:
    """Replaces the unfit call ids of one answer of a model, the same way in each event that tells of a call.

    `given` is what the model was sent: an id in it is taken, and so is one that was `used`.
    """

    def __init__(self, given: str | Iterable[TResponseInputItem], used: Used = never_used) -> None:
        items: Iterable[Any] = () if isinstance(given, str) else given
        self._used = used
        self._taken = {item["call_id"] for item in items if item.get("call_id")}
        self._fit: dict[int, str] = {}  # by the call's place in the answer

    async def output(self, items: list[TResponseOutputItem]) -> list[TResponseOutputItem]:
        """The items of a whole answer."""
        await self._look(items)
        return [self._item(place, item) for place, item in enumerate(items)]

    async def event(self, event: TResponseStreamEvent) -> TResponseStreamEvent:
        """One event of a streamed answer."""
        if isinstance(event, ResponseOutputItemAddedEvent | ResponseOutputItemDoneEvent):
            await self._look([event.item], event.output_index)
            return event.model_copy(update={"item": self._item(event.output_index, event.item)})
        if isinstance(event, ResponseCompletedEvent):
            output = await self.output(event.response.output)
            if all(new is old for new, old in zip(output, event.response.output, strict=True)):
                return event
            return event.model_copy(update={"response": event.response.model_copy(update={"output": output})})
        return event

    async def _look(self, items: Sequence[TResponseOutputItem], first: int = 0) -> None:
        """Find out which ids of calls that were not seen yet are used; `first` is the place of the first."""
        unseen = {
            item.call_id
            for place, item in enumerate(items, first)
            if isinstance(item, ResponseFunctionToolCall) and item.call_id and place not in self._fit
        }
        if unseen:
            self._taken |= set(await asyncio.to_thread(self._used, unseen))

    def _item(self, place: int, item: TResponseOutputItem) -> TResponseOutputItem:
        if not isinstance(item, ResponseFunctionToolCall):
            return item
        if place not in self._fit:
            given = item.call_id or ""
            fit = len(given) >= _SHORTEST and given not in self._taken
            self._fit[place] = given if fit else f"call_{uuid.uuid4().hex}"
            self._taken.add(self._fit[place])
        if self._fit[place] == item.call_id:
            return item
        return item.model_copy(update={"call_id": self._fit[place]})
