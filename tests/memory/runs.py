"""Runs of the SDK's own Runner with a scripted model, and the sessions of the SDK."""

from __future__ import annotations

from typing import Any

from agents import Agent, RunConfig, Runner, function_tool
from agents.testing import ScriptedModel, assistant_message, function_call

from .items import Item


@function_tool
def look_up_order(order_id: str) -> str:
    """When an order ships."""
    return f"{order_id} ships on Friday"


def say(text: str) -> list[Any]:
    """A step of the model: an answer in words."""
    return [assistant_message(text)]


def look_up(call_id: str) -> list[Any]:
    """A step of the model: it asks for order A100."""
    return [function_call("look_up_order", {"order_id": "A100"}, call_id=call_id)]


def hand_over(agent: str, call_id: str) -> list[Any]:
    """A step of the model: it hands over to another agent."""
    return [function_call(f"transfer_to_{agent.lower()}", {}, call_id=call_id)]


class Conversation:
    """Runs over one session; `sent` holds what the model was sent, call by call."""

    def __init__(self, session: Any, *, streamed: bool = False, agent: Agent[Any] | None = None) -> None:
        self.session, self.streamed = session, streamed
        self.model = ScriptedModel()
        self.agent = agent or Agent("Triage", model=self.model, tools=[look_up_order])

    async def ask(
        self, question: str | list[Item], *steps: list[Any], agent: Any = None, **options: Any
    ) -> str:
        """The final answer to a question; `steps` are what the model says meanwhile."""
        self.model.extend(steps)
        config = RunConfig(tracing_disabled=True, **options.pop("config", {}))
        options = {"session": self.session, "run_config": config, **options}
        if not self.streamed:
            return str((await Runner.run(agent or self.agent, question, **options)).final_output)  # type: ignore[arg-type]
        result = Runner.run_streamed(agent or self.agent, question, **options)  # type: ignore[arg-type]
        async for _ in result.stream_events():
            pass
        return str(result.final_output)

    @property
    def sent(self) -> list[list[Item]]:
        return [list(call.input) for call in self.model.calls]
