"""One run of the SDK's Runner, told to the page as it happens.

This is the only module of the runtime that knows the SDK, besides its hooks and its errors. It is loaded
by the desk's warm thread, never by the page.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from agents import Agent, RunConfig, Runner, RunState, StreamEvent
from agents.items import HandoffOutputItem, ItemHelpers, MessageOutputItem, ToolCallItem, ToolCallOutputItem
from agents.result import RunResultStreaming
from agents.run import CallModelData, CallModelInputFilter, ModelInputData
from openai.types.responses import ResponseRefusalDeltaEvent, ResponseTextDeltaEvent

from memory.entries import Item

from .hooks import DeskHooks
from .run_session import Now, RunSession
from .runs import LiveRun
from .settings import Settings
from .stopping import Stopper
from .tool_calls import TOOL_EXECUTION


@dataclass(frozen=True, slots=True)
class Crew:
    """The agents of the desk by name, and the model they share."""

    agents: Mapping[str, Agent[Any]]
    model: Any

    async def close(self) -> None:
        """Let go of the model's client."""
        await self.model.close()


class Ending(NamedTuple):
    """How a run ended by itself: with an answer, or waiting for a person.

    `state` is the frozen run where it waits, and `calls` what it waits for: (call id, tool name, arguments
    text, agent) each.
    """

    answered: bool
    state: dict[str, Any] | None = None
    calls: tuple[tuple[str, str, str, str], ...] = ()


def about(run: LiveRun) -> dict[str, str]:
    """What instructions and tools may know of a run: its session, and the language of the page or ""."""
    return {"session": str(run.address), "language": run.language or ""}


async def converse(
    run: LiveRun,
    start: Agent[Any],
    given: str | list[Item] | RunState[Any],
    *,
    session: RunSession | None,
    now: Now,
    stopper: Stopper,
    settings: Settings,
) -> Ending:
    """Let `start` answer what is `given` (or go on from a frozen run), telling `run` what happens.

    Raises whatever ended the run otherwise; a run that was stopped just ends without an answer.
    """
    result = Runner.run_streamed(
        start,
        given,  # type: ignore[arg-type]  # our items are the SDK's, as dicts
        session=session,  # type: ignore[arg-type]  # its items are plain dicts
        context=None if isinstance(given, RunState) else about(run),
        hooks=DeskHooks(now, session),
        max_turns=settings.steps,
        run_config=RunConfig(
            tracing_disabled=not settings.tracing,
            tool_execution=TOOL_EXECUTION,
            call_model_input_filter=_fitting(start.model, now),
        ),
    )
    stopper.follow(lambda mode: result.cancel(mode=mode), lambda: now.acting)
    try:
        async for event in result.stream_events():
            _tell(run, event)
    finally:
        stopper.done()
        task = result.run_loop_task
        if task is not None:
            await asyncio.wait({task}, timeout=5.0)
    if isinstance(result.run_loop_exception, Exception):
        raise result.run_loop_exception
    if result.interruptions:
        return Ending(False, result.to_state().to_json(), tuple(_calls(result)))
    return Ending(result.final_output is not None)


def _fitting(model: Any, now: Now) -> CallModelInputFilter | None:
    """Leaves out what `model` cannot be sent, where it knows of such items, and counts it in `now`."""
    fit = getattr(model, "fit_items", None)
    if fit is None:
        return None

    def leave_out(data: CallModelData[Any]) -> ModelInputData:
        items, left_out = fit(data.model_data.input)
        now.left_out = max(now.left_out, left_out)
        return ModelInputData(input=items, instructions=data.model_data.instructions)

    return leave_out


def _calls(result: RunResultStreaming) -> list[tuple[str, str, str, str]]:
    return [
        (item.call_id or "", item.name or "", item.arguments or "", item.agent.name)
        for item in result.interruptions
    ]


async def decided(
    start: Agent[Any], state: dict[str, Any], verdicts: Mapping[str, tuple[bool, str]], run: LiveRun
) -> RunState[Any]:
    """A frozen run with what a person said of its calls. A call nobody spoke of waits again."""
    frozen = await RunState.from_json(start, state, context_override=about(run))
    for item in frozen.get_interruptions():
        if (verdict := verdicts.get(item.call_id or "")) is None:
            continue
        approved, note = verdict
        if approved:
            frozen.approve(item)
        else:
            frozen.reject(item, rejection_message=_declined(note))
    return frozen


def _declined(note: str) -> str:
    return f"The person declined: {note.strip()}" if note.strip() else "The person declined."


def _tell(run: LiveRun, event: StreamEvent) -> None:
    """Turn what the Runner streams into steps of the run."""
    if event.type == "agent_updated_stream_event":
        run.agent = event.new_agent.name
    elif event.type == "raw_response_event":
        if isinstance(event.data, ResponseTextDeltaEvent | ResponseRefusalDeltaEvent):
            run.speaks(run.agent, event.data.delta)
    elif isinstance(event.item, MessageOutputItem):
        run.said(event.item.agent.name, _words(event.item))
    elif isinstance(event.item, ToolCallItem):
        raw = _plain(event.item.raw_item)
        run.does(
            "call",
            agent=event.item.agent.name,
            name=str(raw.get("name") or raw.get("type") or ""),
            text=str(raw.get("arguments") or ""),
            call_id=str(raw.get("call_id") or raw.get("id") or ""),
        )
    elif isinstance(event.item, ToolCallOutputItem):
        raw = _plain(event.item.raw_item)
        run.does(
            "output",
            agent=event.item.agent.name,
            text=_text(raw.get("output")),
            call_id=str(raw.get("call_id") or ""),
        )
    elif isinstance(event.item, HandoffOutputItem):
        run.does(
            "handoff",
            agent=event.item.source_agent.name,
            name=event.item.target_agent.name,
            call_id=str(_plain(event.item.raw_item).get("call_id") or ""),
        )


def _words(item: MessageOutputItem) -> str:
    refusals = [part.refusal for part in item.raw_item.content if part.type == "refusal"]
    return ItemHelpers.text_message_output(item) + "".join(refusals)


def _plain(raw: Any) -> Mapping[str, Any]:
    if isinstance(raw, Mapping):
        return raw
    return dict(raw.model_dump(exclude_unset=True))


def _text(output: Any) -> str:
    return output if isinstance(output, str) else json.dumps(output, ensure_ascii=False, default=str)
