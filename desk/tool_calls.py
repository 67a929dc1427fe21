"""From a model's tool call to a piece of work and back: arguments in, one JSON object out.

Models write arguments as they please: a number where a text was asked for, a field too many, half a JSON
object. What can be understood is; what cannot is answered with `{"ok": false, "error": "bad_arguments"}`,
so that the model may try again. Nothing is raised at the run.

A tool that may need a person is asked three times about it: before the call waits (`asks`), and, because
the world may have moved since, once more when it runs. Unreadable arguments never reach a person.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from agents import (
    FunctionTool,
    RunContextWrapper,
    ToolExecutionConfig,
    ToolGuardrailFunctionOutput,
    ToolInputGuardrail,
    ToolInputGuardrailData,
)
from agents.function_schema import function_schema
from agents.tool_context import ToolContext

from .effects import OrdersUnavailable

Facts = dict[str, Any]
Body = Callable[..., Facts]
T = TypeVar("T")

# What the runner must be told so that unreadable arguments are answered instead of shown to a person.
TOOL_EXECUTION = ToolExecutionConfig(pre_approval_tool_input_guardrails=True)

_LONGEST = 4000  # characters of one argument


class BadArgumentsError(ValueError):
    """The arguments of a call are not what the tool takes; the message says what is wrong."""


def make_tool(body: Body, asks: Callable[..., bool] | None = None) -> FunctionTool:
    """The SDK's tool for a function of a call.

    `body` takes the `ToolContext` and the tool's arguments (texts, or lists of texts), does its work in a
    thread and returns facts. Its name, docstring and parameters are what the model is told. `asks` takes
    the same arguments without the context and says whether a person has to approve the call.
    """
    schema = function_schema(body)
    parameters = list(inspect.signature(body).parameters.values())[1:]

    async def invoke(context: ToolContext[Any], arguments: str) -> str:
        try:
            values = read_arguments(arguments, parameters)
            approved = asks is None or context.is_tool_approved(context.tool_name, context.tool_call_id)
            if not approved and await in_thread(lambda: asks is not None and asks(**values)):
                return to_text(
                    failure("needs_approval", "A person has to approve this: call the tool again.")
                )
            return to_text(await in_thread(lambda: body(context, **values)))
        except BadArgumentsError as error:
            return to_text(failure("bad_arguments", str(error)))
        except OrdersUnavailable as error:
            return to_text(failure("orders_unavailable", str(error)))

    async def needs_approval(context: RunContextWrapper[Any], raw: Mapping[str, Any], call_id: str) -> bool:
        if asks is None:
            return False
        try:
            values = pick_arguments(raw, parameters)
            return await in_thread(lambda: asks(**values))
        except (BadArgumentsError, OrdersUnavailable):
            return False  # it has no effect: running it tells the model why

    async def readable(data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
        try:
            read_arguments(data.context.tool_arguments, parameters)
        except BadArgumentsError as error:
            return ToolGuardrailFunctionOutput.reject_content(to_text(failure("bad_arguments", str(error))))
        return ToolGuardrailFunctionOutput.allow()

    return FunctionTool(
        name=schema.name,
        description=schema.description or "",
        params_json_schema=_strict(schema.params_json_schema),
        on_invoke_tool=invoke,
        needs_approval=needs_approval if asks is not None else False,
        tool_input_guardrails=[ToolInputGuardrail(readable, name="readable")] if asks is not None else None,
    )


def read_arguments(arguments: str, parameters: list[inspect.Parameter]) -> Facts:
    """The values of a call's arguments text. Raises BadArgumentsError."""
    try:
        # Numbers stay as they were written: "39.00" is a sum, 39.0 only nearly one.
        raw = json.loads(arguments or "{}", parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        raise BadArgumentsError("The arguments are not JSON.") from None
    if not isinstance(raw, dict):
        raise BadArgumentsError("The arguments must be one JSON object.")
    return pick_arguments(raw, parameters)


def pick_arguments(raw: Mapping[str, Any], parameters: list[inspect.Parameter]) -> Facts:
    """The parameters' values among what was given; what nobody asked for is passed over."""
    return {parameter.name: _value(raw.get(parameter.name), parameter) for parameter in parameters}


def _value(given: object, parameter: inspect.Parameter) -> object:
    if given is None:
        if parameter.default is inspect.Parameter.empty:
            raise BadArgumentsError(f"{parameter.name} is missing.")
        return parameter.default
    if "list" in str(parameter.annotation):
        entries = given if isinstance(given, list) else [given]
        return [_text(entry, parameter.name) for entry in entries]
    return _text(given, parameter.name)


def _text(given: object, name: str) -> str:
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        raise BadArgumentsError(f"{name} must be a text.")
    text = str(given).strip()
    if len(text) > _LONGEST:
        raise BadArgumentsError(f"{name} must be at most {_LONGEST} characters long.")
    return text


def _strict(schema: Facts) -> Facts:
    """The schema without what strict servers refuse: an optional argument is described, not defaulted."""
    arguments = {
        name: {key: value for key, value in about.items() if key not in ("title", "default")}
        for name, about in schema["properties"].items()
    }
    return {**{key: value for key, value in schema.items() if key != "title"}, "properties": arguments}


def failure(code: str, message: str, **facts: Any) -> Facts:
    """What a tool answers when it did nothing."""
    return {"ok": False, "error": code, "message": message, **facts}


def to_text(facts: Facts) -> str:
    """The answer as the model reads it: JSON with real characters."""
    return json.dumps(facts, ensure_ascii=False)


async def in_thread(work: Callable[[], T]) -> T:
    """Do blocking work in a thread. When the caller is cancelled the work is waited for all the same, so
    that whoever asks the orders afterwards sees whether it was done.
    """
    task = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        task.exception()  # heard, so that it is not reported as lost
        raise
