"""Why a run failed, as a key the page has a sentence for.

No message of an exception goes further than this: it may quote a key, a path or the conversation.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from memory.errors import LeaseLost, MemoryDeskError

from .values import RunStatus


class CrewMissing(Exception):
    """The agents could not be built: the SDK, the model's settings or the samples are at fault."""


class Failure(NamedTuple):
    """How a run ended: its status, its error, the kind of the note in the chat, and values for both."""

    status: RunStatus
    error: str
    note: str
    params: dict[str, Any]


def failure_of(error: BaseException, *, steps: int) -> Failure:
    """What to say about `error`; `steps` is the limit of model calls the run had."""
    if isinstance(error, CrewMissing):
        return _failed("model_setup")
    if isinstance(error, LeaseLost):
        return _failed("lease_lost")
    if isinstance(error, MemoryDeskError):
        return Failure(RunStatus.FAILED, "unsaved", "unsaved", {})

    import openai
    from agents.exceptions import (
        InputGuardrailTripwireTriggered,
        MaxTurnsExceeded,
        ModelBehaviorError,
        OutputGuardrailTripwireTriggered,
        UserError,
    )

    from .whole_streams import broke_off

    if isinstance(error, InputGuardrailTripwireTriggered):
        check = error.guardrail_result.guardrail.get_name()
        return Failure(RunStatus.REFUSED, "refused", "refused", {"check": check})
    if isinstance(error, OutputGuardrailTripwireTriggered):
        check = error.guardrail_result.guardrail.get_name()
        return Failure(RunStatus.REFUSED, "withheld", "withheld", {"check": check})
    if isinstance(error, MaxTurnsExceeded):
        return Failure(RunStatus.FAILED, "limit", "limit", {"steps": steps})
    if isinstance(error, ModelBehaviorError):
        return _failed("model_confused")
    if isinstance(error, openai.APIStatusError):
        return _failed(_status_key(error.status_code), status=error.status_code)
    if isinstance(error, openai.APITimeoutError):
        return _failed("model_timeout")
    if isinstance(error, openai.APIConnectionError):
        return _failed("model_cut" if broke_off(error) else "model_unreachable")
    if isinstance(error, openai.OpenAIError):
        return _failed("model_error")
    if isinstance(error, UserError):
        return _failed("tool_error")
    return _failed("model_error", error=type(error).__name__)


def _failed(key: str, **params: Any) -> Failure:
    return Failure(RunStatus.FAILED, key, "failed", {"error": key, **params})


def _status_key(status: int) -> str:
    if status in (401, 403):
        return "model_key"
    if status == 404:
        return "model_unknown"
    if status == 429:
        return "model_limit"
    return "model_down" if status >= 500 else "model_refused"
