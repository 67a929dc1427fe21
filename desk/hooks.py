"""What the Runner tells along the way: who is speaking, and that tools are about to run."""

from __future__ import annotations

from typing import Any

from agents import Agent, Handoff, ModelResponse, RunContextWrapper, RunHooks, Tool

from memory.entries import Item
from memory.items import Role, half_of

from .run_session import Now, RunSession


class DeskHooks(RunHooks[Any]):
    """Keeps `now` true, and stores calls before their tools run."""

    def __init__(self, now: Now, session: RunSession | None) -> None:
        self.now = now
        self.session = session

    async def on_agent_start(self, context: Any, agent: Agent[Any]) -> None:
        self.now.agent = agent.name

    async def on_llm_start(
        self, context: RunContextWrapper[Any], agent: Agent[Any], system_prompt: Any, input_items: Any
    ) -> None:
        self.now.acting = False

    async def on_llm_end(
        self, context: RunContextWrapper[Any], agent: Agent[Any], response: ModelResponse
    ) -> None:
        items = [_as_stored(item) for item in response.to_input_items()]
        calls = {str(item.get("name", "")) for item in items if _is_call(item)} - _handoffs(agent)
        tools = {tool.name for tool in agent.tools}
        if not calls or (not agent.mcp_servers and calls - tools):
            return  # nothing is done in the world: the Runner refuses a tool that is not there
        self.now.agent = agent.name
        self.now.acting = True
        if self.session is not None:
            await self.session.write_ahead(items)

    async def on_tool_start(self, context: Any, agent: Agent[Any], tool: Tool) -> None:
        self.now.agent = agent.name
        self.now.acting = True


def _as_stored(item: Any) -> Item:
    """The item as the Runner itself would store it: without a status that says nothing."""
    return {key: value for key, value in item.items() if key != "status" or value is not None}


def _is_call(item: Item) -> bool:
    half = half_of(item)
    return half is not None and half.role is Role.CALL


def _handoffs(agent: Agent[Any]) -> set[str]:
    return {
        other.tool_name if isinstance(other, Handoff) else Handoff.default_tool_name(other)
        for other in agent.handoffs
    }
