"""A session as the SDK's Runner sees it for one run.

The Runner reads the history once and appends as it goes. What it reads here is the whole turns the rule
selects; what it appends goes to the session under the run's lease and the name of who is speaking.

Three things are done so that no ending of a run can lose or double anything:

- The question is stored before the Runner starts, so the Runner's own attempt to store it is left out.
- Calls are stored before their tools run (`write_ahead`), so that no effect is without its call whatever
  happens; when the Runner appends the whole step, only what is not stored yet is added.
- A batch the store cannot take is held and goes in front of the next one; the run is not torn apart by a
  file that is locked for a moment. What is still held at the end is given back as `held`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memory.entries import Entry, Item
from memory.errors import LeaseLost, NotSupported, StoreUnavailable
from memory.items import half_of
from memory.pairs import whole

from .cards import mask_cards

if TYPE_CHECKING:
    from memory.inspectable import InspectableSession
    from memory.notes import Lease


FAKE_ID = "__fake_id__"
"""What the SDK gives every message of a Chat Completions model as its id."""


@dataclass(slots=True)
class Now:
    """Who is speaking, and whether tools may be at work: what hooks know and items do not say.

    `left_out` is how many stored items the model could not be sent, at most, in one of its calls.
    """

    agent: str
    acting: bool = False
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """Items that go into the store together, and who wrote them."""

    items: tuple[Item, ...]
    agent: str | None = None


@dataclass(slots=True)
class RunSession:
    """What the Runner is handed as its session.

    `history` is what `get_items()` gives: the items before the question. `stored` are items of the running
    turn that the store already holds and the Runner will want to append: the question, or the calls a
    decision was made about.
    """

    session: InspectableSession
    lease: Lease
    now: Now
    history: list[Item] = field(default_factory=list)
    stored: list[Item] = field(default_factory=list)
    newest: str | None = None  # id of the newest entry this run knows of
    session_settings: Any = None
    held: list[Batch] = field(default_factory=list)
    answered: int = 0  # messages of an agent that were handed over to be stored
    appended: int = 0  # items that were stored
    _order: asyncio.Lock = field(default_factory=asyncio.Lock)
    _writes: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def session_id(self) -> str:
        return self.session.session_id

    async def get_items(self, limit: int | None = None) -> list[Item]:
        """The history of the run; with a limit, the exact newest stored items.

        The Runner reads with a limit only to recognise its own writes: those must match the store.
        """
        if limit is None:
            return list(self.history)
        try:
            return await self.session.get_items(limit=limit)
        except StoreUnavailable:
            return []  # the append that follows is held as well

    async def add_items(self, items: list[Item]) -> None:
        """Store what is not stored yet. Raises LeaseLost; a store that is unavailable is waited for."""
        fresh = [item for item in items if not self._already(item)]
        self.answered += sum(item.get("role") == "assistant" for item in fresh)
        self.now.acting = False
        if fresh:
            await self._finish(self._write(Batch(tuple(fresh), self.now.agent)))

    async def write_ahead(self, items: Sequence[Item]) -> None:
        """Store a model's answer before its tools run. Raises StoreUnavailable: then they must not run."""
        self.answered += sum(item.get("role") == "assistant" for item in items)
        await self._finish(self._write(Batch(tuple(items), self.now.agent), must=True))
        self.stored.extend(items)

    async def settle(self) -> None:
        """Wait for writes under way, and try once more to store what is held."""
        while self._writes:
            await asyncio.wait(set(self._writes))
        if self.held:
            await self._write(None)

    async def pop_item(self) -> Item | None:
        raise NotSupported("A run takes nothing away.")

    async def clear_session(self) -> None:
        raise NotSupported("A run takes nothing away.")

    def _already(self, item: Item) -> bool:
        for known in self.stored:
            if _same(known, item):
                self.stored.remove(known)
                return True
        return False

    async def _finish(self, write: Coroutine[Any, Any, None]) -> None:
        """Let a write end even where the run that waits for it is cancelled."""
        task = asyncio.ensure_future(write)
        self._writes.add(task)
        task.add_done_callback(self._done)
        await asyncio.shield(task)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._writes.discard(task)
        if not task.cancelled():
            task.exception()  # told to whoever waits; nobody may be left

    async def _write(self, batch: Batch | None, *, must: bool = False) -> None:
        async with self._order:
            if batch is not None:
                self.held.append(batch)
            while self.held:
                first = self.held[0]
                try:
                    ids = await self.session.append(list(first.items), agent=first.agent, lease=self.lease)
                except StoreUnavailable:
                    if not must:
                        return
                    self.held.pop()
                    raise
                except LeaseLost:
                    raise
                except Exception:
                    self.held.pop(0)  # no store will ever take it
                    raise
                self.held.pop(0)
                self.newest = ids[-1]
                self.appended += len(ids)


def _same(known: Item, item: Item) -> bool:
    half, other = half_of(known), half_of(item)
    if half is not None or other is not None:
        return half == other
    if known.get("type") == item.get("type") and known.get("id") not in (None, FAKE_ID):
        return known.get("id") == item.get("id")
    return _text(known) == _text(item)


def _text(item: Item) -> str:
    return json.dumps(item, sort_keys=True, default=str)


def history(entries: Sequence[Entry], turns: int) -> list[Item]:
    """The items of the newest `turns` whole turns among `entries`, as a model may be sent them.

    `entries` are in stored order and begin at a turn, or at the session's start. No half of a pair, and no
    call that waits, is among the result; card numbers in a person's messages are masked.
    """
    starts = [index for index, entry in enumerate(entries) if begins_turn(entry)]
    if turns <= 0:
        return []
    first = 0 if turns > len(starts) else starts[-turns]
    return [_without_cards(entry.item) for entry in whole(entries[first:]) if entry.item is not None]


def _without_cards(item: Item) -> Item:
    """A message that was refused for its card number stays stored, but the number is never sent."""
    content = item.get("content")
    if item.get("role") != "user" or not isinstance(content, str | list):
        return item
    return {**item, "content": mask_cards(content) if isinstance(content, str) else [*map(_part, content)]}


def _part(part: Any) -> Any:
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        return {**part, "text": mask_cards(part["text"])}
    return part


def begins_turn(entry: Entry) -> bool:
    """Whether a turn begins here: with a message a person wrote."""
    return entry.kind == "user"
