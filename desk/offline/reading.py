"""What was sent, read as a conversation.

The input items are all the model knows: they are cut into turns, each from one message of a person up to
the next, holding what was said and which tools were called with what outcome. Nothing is parsed before it
is asked for, so a long history costs little more than walking through it once.

Of a very long message only the beginning and the end are read (`heard`): whoever pastes a book says before or
after it what they want, and the work for one message stays bounded whatever its length.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

HANDOFF = "transfer_to_"
TICKET = "write_ticket_summary"
_OUTPUT = "function_call_output"
_HEAD, _TAIL = 4000, 2000  # characters of a message that are read: its first, and its last

Item = dict[str, Any]

Ending = Literal["done", "failed", "refused", "superseded", "cut", "broken", "open"]

# How a rejection begins; what follows its colon is the note of the person who decided.
_DECLINED = re.compile(
    r"^[^:：]{0,60}(?:declin|reject|refus|denied|not approved)[^:：]{0,60}(?:[:：]\s*(.*))?$", re.I | re.S
)


@dataclass(frozen=True)
class Outcome:
    """What a tool answered.

    `done`: it did what was asked; `facts` says what. `failed`: it could not, `error` says why (a code).
    `refused`: a person decided against it, with a `note` where they gave one. `superseded`: nobody decided, a
    newer message closed it. `cut`: stopped or interrupted before it was done. `broken`: the tool itself went
    wrong. `open`: there is no answer.
    """

    ending: Ending
    facts: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""
    note: str = ""

    @property
    def ok(self) -> bool:
        return self.ending == "done"


@dataclass
class Call:
    """A tool call in the history. `output` is the stored answer, None while there is none."""

    name: str
    raw_arguments: str
    output: object = None

    @cached_property
    def arguments(self) -> dict[str, Any]:
        return _json_object(self.raw_arguments) or {}

    @cached_property
    def outcome(self) -> Outcome:
        return read_outcome(self.output)

    @cached_property
    def order(self) -> str:
        """The order it is about, "" where it is about none."""
        order = self.arguments.get("order_id")
        return order.strip().upper() if isinstance(order, str) else ""

    @cached_property
    def filed(self) -> tuple[str, ...]:
        """The orders a ticket summary was filed with, () where it files none."""
        orders = self.arguments.get("order_ids") if self.name == TICKET else None
        named = orders if isinstance(orders, list) else []
        return tuple(dict.fromkeys(order.strip().upper() for order in named if isinstance(order, str)))


class Turn:
    """One message of a person (`asked`, None before the first one) and what followed it, in order."""

    def __init__(self, asked: str | None, outputs: Mapping[str, object]) -> None:
        self.asked = asked
        self.items: list[Item] = []
        self._outputs = outputs

    @cached_property
    def heard(self) -> str:
        """What is read of `asked`: all of it, or the first and last few thousand characters of a long one."""
        return heard(self.asked or "")

    @property
    def cut(self) -> bool:
        """Whether something of `asked` is not read."""
        return len(self.asked or "") > _HEAD + _TAIL

    @cached_property
    def said(self) -> list[str]:
        """What agents said, in order."""
        texts = [words_of(item.get("content")) for item in self.items if item.get("role") == "assistant"]
        return [text for text in texts if text]

    @cached_property
    def calls(self) -> list[Call]:
        """The tool calls and handoffs, in order, each with its answer, which may have come much later."""
        here = {_call_id(item): item.get("output") for item in self.items if item.get("type") == _OUTPUT}
        found = []
        for item in self.items:
            if item.get("type") == "function_call":
                call_id = _call_id(item)
                output = here.get(call_id, self._outputs.get(call_id))
                found.append(Call(str(item.get("name")), str(item.get("arguments")), output))
        return found

    def find(self, name: str, order: str) -> Call | None:
        """The newest call of that tool about that order."""
        for call in reversed(self.calls):
            if call.name == name and call.order == order:
                return call
        return None


def read(items: str | Iterable[Any]) -> list[Turn]:
    """The turns of input items, oldest first; the last one is to be answered.

    What is not understood (reasoning, unknown types, junk) is passed over.
    """
    if isinstance(items, str):
        return [Turn(items, {})]
    outputs: dict[str, object] = {}
    turns = [Turn(None, outputs)]
    for item in items:
        if not isinstance(item, dict):
            continue
        if item.get("role") == "user":
            turns.append(Turn(words_of(item.get("content")), outputs))
            continue
        if item.get("type") == _OUTPUT:
            outputs[_call_id(item)] = item.get("output")
        turns[-1].items.append(item)
    if len(turns) > 1 and not turns[0].said and not turns[0].calls:
        del turns[0]
    return turns


def heard(typed: str) -> str:
    """What is read of a message. A word that the cut would halve is left out: half an order id is another."""
    if len(typed) <= _HEAD + _TAIL:
        return typed
    head, tail = typed[:_HEAD], typed[-_TAIL:]
    return f"{_WORD_AT_END.sub('', head)}\n{_WORD_AT_START.sub('', tail)}"


_WORD_AT_END = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]{1,40}\Z")
_WORD_AT_START = re.compile(r"\A[A-Za-z0-9]{1,40}(?![A-Za-z0-9])")


def _call_id(item: Item) -> str:
    return str(item.get("call_id"))


def words_of(content: object) -> str:
    """The text of a message's content: a plain string, or a list of parts some of which are text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [part.get("text") for part in content if isinstance(part, Mapping)]
    return "\n".join(part for part in parts if isinstance(part, str))


def read_outcome(output: object) -> Outcome:
    """What a tool's answer means. Tools answer with a JSON object; anything else was said in their place."""
    if output is None:
        return Outcome("open")
    text = output if isinstance(output, str) else words_of(output)
    facts = _json_object(text)
    if facts is None:
        return _in_words(text.strip())
    if facts.get("ok", True):
        return Outcome("done", facts)
    error = str(facts.get("error", ""))
    note = str(facts.get("note") or facts.get("reason") or "")
    return Outcome(_ENDINGS.get(error, "failed"), facts, error, note)


_ENDINGS: dict[str, Ending] = {
    "superseded": "superseded",
    "interrupted": "cut",
    "stopped": "cut",
    "failed": "cut",
    "refused": "refused",
    "rejected": "refused",
    "declined": "refused",
}


def _in_words(text: str) -> Outcome:
    """A sentence where a result should be: a rejection with its note, or the SDK's own words."""
    if text.lower().startswith(("an error occurred", "error")):
        return Outcome("broken", note=text)
    if "supersed" in text.lower():
        return Outcome("superseded")
    declined = _DECLINED.match(text)
    if declined is None:
        return Outcome("refused", note=text)
    return Outcome("refused", note=(declined[1] or "").strip())


def _json_object(text: str) -> dict[str, Any] | None:
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
