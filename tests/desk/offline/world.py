"""The desk around the offline model: real agents, tools and orders, and sessions that can be cut.

A `World` has its own orders, so that dialogues never meet. What is judged is what the runner, the orders
and the session show; nothing here looks into the model.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from agents import Agent, RunConfig, Runner, RunState
from agents.result import RunResult, RunResultStreaming

from desk.agents import build_agents
from desk.closing import closing_output
from desk.offline import OfflineModel
from desk.orders import Orders
from desk.policy import load_policy
from memory import SQLiteSession

Item = dict[str, Any]

CHANGES = {
    "deliver_to_pickup",
    "deliver_to_address",
    "undo_delivery_change",
    "refund_order",
    "cancel_order",
    "write_ticket_summary",
}
LOOKS = {"look_up_order", "track_order"}
MONDAY = date(2026, 11, 30)


@dataclass
class Answer:
    """What one line came to."""

    words: list[str] = field(default_factory=list)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)  # tools a person was asked about

    @property
    def text(self) -> str:
        return "\n".join(self.words)

    @property
    def last(self) -> str:
        return self.words[-1] if self.words else ""

    @property
    def changes(self) -> list[tuple[str, dict[str, Any]]]:
        return [call for call in self.calls if call[0] in CHANGES]

    @property
    def looked(self) -> set[str]:
        return {str(arguments.get("order_id")) for name, arguments in self.calls if name in LOOKS}


class _Orders:
    """The orders of whichever world is spoken to, so that the agents are built once for all of them."""

    now: Orders

    def __getattr__(self, name: str) -> Any:
        return getattr(self.now, name)


_ORDERS = _Orders()


@lru_cache(maxsize=1)
def _agents() -> dict[str, Agent[Any]]:
    return build_agents(cast(Orders, _ORDERS), load_policy(), OfflineModel())


class World:
    def __init__(self, path: Path, *, today: date = MONDAY, streamed: bool = False) -> None:
        self._path, self._today = path, today
        self.orders = Orders(path, lambda: today)
        self.streamed = streamed
        self.session = SQLiteSession("a conversation")
        self.open: RunState[Any, Any] | None = None

    async def say(self, text: str, *, agent: str = "Triage", remember: bool = True) -> Answer:
        """Send a message. What waits for a person is closed as superseded first."""
        if self.open is not None and remember:
            await self._supersede(self.open)
        self.open = None
        return await self._run(agent, text, remember)

    async def decide(self, verdict: str) -> Answer:
        """Decide about everything that waits: "approve", or a rejection with that note."""
        assert self.open is not None
        state = self.open
        for item in state.get_interruptions():
            if verdict == "approve":
                state.approve(item)
            else:
                note = f"The person declined: {verdict}" if verdict else "The person declined."
                state.reject(item, rejection_message=note)
        self.open = None
        return await self._run("Triage", state, True)

    async def copy(self, path: Path) -> World:
        """Another world that stands where this one does: same orders, same memory, nothing waiting."""
        if self.open is not None:
            await self._supersede(self.open)
            self.open = None
        self.orders.close()
        for file in self._path.parent.glob(self._path.name + "*"):
            shutil.copy(file, path.with_name(file.name.replace(self._path.name, path.name)))
        other = World(path, today=self._today, streamed=self.streamed)
        await other.forget(await self.items())
        return other

    async def items(self) -> list[Item]:
        return [dict(item) for item in await self.session.get_items()]

    async def forget(self, items: Sequence[Item]) -> None:
        """Make the session hold these items alone."""
        await self.session.clear_session()
        await self.session.add_items(list(items))

    async def _run(self, agent: str, given: Any, remember: bool) -> Answer:
        how: dict[str, Any] = {
            "session": self.session if remember else None,
            "context": {"session": "memory/a conversation"},
            "run_config": RunConfig(tracing_disabled=True),
        }
        _ORDERS.now = self.orders
        result: RunResult | RunResultStreaming
        if self.streamed:
            result = Runner.run_streamed(_agents()[agent], given, **how)
            async for _ in result.stream_events():
                pass
        else:
            result = await Runner.run(_agents()[agent], given, **how)
        if result.interruptions:
            self.open = result.to_state()
        return _answer(result, self.open)

    async def _supersede(self, state: RunState[Any, Any]) -> None:
        calls = [item.raw_item for item in state.get_interruptions()]
        outputs = [closing_output(_plain(call), "superseded", None) for call in calls]
        await self.session.add_items(outputs)


def _answer(result: Any, open_: RunState[Any, Any] | None) -> Answer:
    answer = Answer()
    for item in result.new_items:
        name = item.agent.name
        if not answer.agents or answer.agents[-1] != name:
            answer.agents.append(name)
        if item.type == "message_output_item":
            answer.words.append(item.raw_item.content[0].text)
        elif item.type == "tool_call_item":
            answer.calls.append((item.raw_item.name, json.loads(item.raw_item.arguments)))
    answer.agents.append(result.last_agent.name)
    if open_ is not None:
        answer.waiting = [str(item.name) for item in open_.get_interruptions()]
    return answer


def _plain(call: Any) -> Item:
    return dict(call if isinstance(call, dict) else call.model_dump(exclude_unset=True))


def turns(items: Sequence[Item]) -> list[list[Item]]:
    """Items cut at each message of a person."""
    found: list[list[Item]] = []
    for item in items:
        if item.get("role") == "user" or not found:
            found.append([])
        found[-1].append(item)
    return found


__all__ = ["CHANGES", "LOOKS", "Answer", "World", "turns"]
