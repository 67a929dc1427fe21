"""A desk for tests: its own agents and orders, and a model that says what a script tells it to.

A script is a list of steps, one for each time the model is called. A step is a text to say, a `Call` (or a
list of calls), an exception to raise, or a function of the input items that gives one of these.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any
from uuid import uuid4

from agents import Model, ModelResponse, function_tool
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputItem,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseReasoningItem,
    ResponseTextDeltaEvent,
)

from desk.agents import build_agents
from desk.desk import Desk
from desk.policy import load_policy
from desk.running import Crew
from desk.settings import Settings
from desk.values import Address, Run, View
from memory.entries import Entry
from memory.items import text_of

TODAY = date(2025, 6, 4)  # a Wednesday

STORED = ("memory", "file", "encrypted", "team", "sealed")
"""The backends of a test's desk that store anything: `team` is a database, `sealed` an encrypted one."""

KEY = "a key for tests that is long enough to be one"


@dataclass(frozen=True)
class Call:
    """A tool call the model makes."""

    name: str
    arguments: str = "{}"
    call_id: str = field(default_factory=lambda: f"call_{uuid4().hex}")


@dataclass(frozen=True)
class Cut:
    """A text whose stream breaks after it was said."""

    text: str
    error: Exception


@dataclass
class Gate:
    """A place where the model waits until a test lets it go on."""

    reached: threading.Event = field(default_factory=threading.Event)
    opened: threading.Event = field(default_factory=threading.Event)

    async def wait(self) -> None:
        self.reached.set()
        while not self.opened.is_set():  # noqa: ASYNC110 - it is opened from another thread
            await asyncio.sleep(0.002)


Step = Any


class ScriptModel(Model):
    """Says what it is told, word by word; `inputs` holds what it was sent each time.

    `moment` is awaited before each event of its streams, with how many there were before.
    """

    def __init__(
        self, steps: Iterable[Step] = (), moment: Callable[[int], Awaitable[None]] | None = None
    ) -> None:
        self.steps = list(steps)
        self.moment = moment
        self.events = 0
        self.inputs: list[list[Any]] = []
        self.closed = False

    async def close(self) -> None:
        self.closed = True

    async def get_response(self, *args: Any, **kwargs: Any) -> ModelResponse:
        raise NotImplementedError("The desk streams.")

    async def stream_response(
        self, system_instructions: Any, input: Any, *args: Any, **kwargs: Any
    ) -> AsyncIterator[Any]:
        async for event in self._stream(input):
            if self.moment is not None:
                await self.moment(self.events)
            self.events += 1
            yield event

    async def _stream(self, input: Any) -> AsyncIterator[Any]:
        items = [{"role": "user", "content": input}] if isinstance(input, str) else list(input)
        self.inputs.append(items)
        step = self.steps.pop(0)
        parts = step if isinstance(step, list) else [step]
        output: list[ResponseOutputItem] = []
        count = iter(range(10_000))
        for part in parts:
            if callable(part):
                part = part(items)
            if isinstance(part, Gate):
                await part.wait()
                continue
            if isinstance(part, Exception):
                raise part
            if isinstance(part, ResponseReasoningItem):
                output.append(part)
                continue
            if isinstance(part, Call):
                output.append(
                    ResponseFunctionToolCall(
                        type="function_call",
                        id=f"fc_{uuid4().hex}",
                        call_id=part.call_id,
                        name=part.name,
                        arguments=part.arguments,
                        status="completed",
                    )
                )
                continue
            text = part.text if isinstance(part, Cut) else part
            for word in text.split(" "):
                yield ResponseTextDeltaEvent(
                    type="response.output_text.delta",
                    item_id=f"msg_{len(self.inputs)}",
                    output_index=len(output),
                    content_index=0,
                    delta=word if word == text.rsplit(" ", 1)[-1] else word + " ",
                    logprobs=[],
                    sequence_number=next(count),
                )
            if isinstance(part, Cut):
                await asyncio.sleep(0)
                raise part.error
            output.append(_message(text))
        yield ResponseCompletedEvent(
            type="response.completed", response=_response(_merged(output)), sequence_number=next(count)
        )


def _merged(output: list[Any]) -> list[Any]:
    """Texts around a gate are one message."""
    merged: list[Any] = []
    for item in output:
        last = merged[-1] if merged else None
        if isinstance(item, ResponseOutputMessage) and isinstance(last, ResponseOutputMessage):
            merged[-1] = _message(f"{last.content[0].text} {item.content[0].text}")
        else:
            merged.append(item)
    return merged


def _message(text: str) -> ResponseOutputMessage:
    return ResponseOutputMessage(
        id=f"msg_{uuid4().hex}",
        type="message",
        role="assistant",
        status="completed",
        content=[ResponseOutputText(type="output_text", annotations=[], text=text)],
    )


def _response(output: list[Any]) -> Response:
    return Response(
        id="resp_script",
        object="response",
        created_at=0,
        model="script",
        status="completed",
        output=output,
        parallel_tool_calls=False,
        tool_choice="auto",
        tools=[],
        usage=None,
    )


Change = Callable[[dict[str, Any]], None]


def make_desk(
    folder: Path, model: Model, *, change: Change | None = None, env: Mapping[str, str] = {}, **settings: Any
) -> Desk:
    """A desk on `folder` with every kind of backend; `change` may alter the agents before they are used."""
    secrets = folder.with_name(f"{folder.name}-secrets.toml")
    url = f"sqlite+aiosqlite:///{(folder.with_name(f'{folder.name}-databases')).as_posix()}"
    Path(url.partition("///")[2]).mkdir(parents=True, exist_ok=True)
    secrets.write_text(
        f'[backends.team]\nurl = "{url}/team.db"\n'
        f'[backends.sealed]\nurl = "{url}/sealed.db"\nencrypted = true\n',
        encoding="utf-8",
    )
    settings.setdefault("secrets", (secrets,))

    def build(orders: Any, _: Mapping[str, str]) -> Crew:
        agents = build_agents(orders, load_policy(), model)
        if change is not None:
            change(agents)
        return Crew(agents, model)

    known = {"DESK_ENCRYPTION_KEY": KEY, **env}
    return Desk(known, settings=Settings(data=folder, **settings), today=lambda: TODAY, build=build)


def add_tool(name: str, work: Any, **how: Any) -> Change:
    """A change that gives Triage one more tool."""

    def change(agents: dict[str, Any]) -> None:
        agents["Triage"].tools = [*agents["Triage"].tools, function_tool(work, name_override=name, **how)]

    return change


def until(true: Callable[[], Any], seconds: float = 20.0) -> Any:
    """Wait until something is true, and give it back."""
    end = time.monotonic() + seconds
    while not (value := true()):
        assert time.monotonic() < end, "It never became true."
        time.sleep(0.002)
    return value


def ended(desk: Desk, address: Address) -> Run:
    """The run of an address when it is over."""

    def over() -> Run | None:
        run = desk.run(address)
        return run if run is not None and not run.active else None

    return until(over)


def say(desk: Desk, address: Address, text: str, **how: Any) -> Run:
    """Send a message and wait for the end of its run."""
    outcome = desk.send(address, text, **how)
    assert outcome.ok, outcome
    return ended(desk, address)


def shape(view: View) -> list[tuple[str, str]]:
    """Kind and text of each stored entry."""
    return [(str(entry.kind), text_of(entry.item)) for entry in view.timeline.entries]


def kinds(view: View) -> list[str]:
    return [str(entry.kind) for entry in view.timeline.entries]


def notes(view: View) -> list[str]:
    return [note.kind for note in view.notes]


def pairs_whole(entries: Iterable[Entry]) -> bool:
    """Whether each call has its output."""
    calls = [e.call_id for e in entries if e.item and e.item.get("type") == "function_call"]
    outputs = [e.call_id for e in entries if e.item and e.item.get("type") == "function_call_output"]
    return calls == outputs or sorted(map(str, calls)) == sorted(map(str, outputs))
