"""The ticket so far: every order of the conversation with its date, and what was done or refused."""

from __future__ import annotations

import re

from .phrases import Voice, every_language
from .reading import Call
from .recalling import CHANGING, DECIDED, Memory
from .telling import changed, closed, not_changed, standing

MOST_ORDERS = 12  # in one summary, the newest ones: a tool takes a text of limited length
_LONGEST = 3000  # characters of a summary


def ticket_orders(memory: Memory) -> list[str]:
    """The orders a summary is about, in the order they came up."""
    return memory.known(len(memory.turns))[-MOST_ORDERS:]


def without_facts(memory: Memory) -> list[str]:
    """Those of them nothing was looked up of yet."""
    return [
        order for order in ticket_orders(memory) if not memory.facts(order) and not memory.is_unknown(order)
    ]


def is_empty(memory: Memory) -> bool:
    """Whether there is nothing to sum up."""
    return not memory.known(len(memory.turns))


def recap(memory: Memory, voice: Voice) -> str:
    """The summary in words."""
    sentences = []
    if name := memory.name():
        sentences.append(voice.say("customer", name=name))
    for order in ticket_orders(memory):
        sentences += _about(memory, voice, order)
    return voice.join(sentences)[:_LONGEST]


def _about(memory: Memory, voice: Voice, order: str) -> list[str]:
    facts = memory.facts(order)
    calls = reversed(list(memory.calls_about(order)))
    ended = [call for call in calls if call.name in CHANGING and call.outcome.ending != "open"]
    done = {call.name for call in ended if call.outcome.ok}
    sentences = []
    if not facts:
        sentences.append(voice.say("only looked", order=order))
    elif "cancel_order" not in done and not (facts.get("status") == "refunded" and "refund_order" in done):
        sentences.append(standing(voice, order, facts))
    for call in ended:
        if call.outcome.ok:
            sentences.append(changed(voice, call, call.outcome.facts, facts))
            sentences.append(_reason(voice, call))
        else:
            sentences.append(without_question(not_changed(voice, call, facts)))
            sentences.append(_reason(voice, call))
    return list(dict.fromkeys(sentences))


def _reason(voice: Voice, call: Call) -> str:
    """Why the customer wanted it, "" where they gave no reason."""
    reason = str(call.arguments.get("reason") or "").strip()
    if call.name not in DECIDED or not reason or reason in every_language("no reason given"):
        return ""
    return voice.say("asked because", reason=closed(voice, reason))


def without_question(text: str) -> str:
    """What is told of a failure, without what was asked about it: a summary asks nothing."""
    return re.sub(r"[^.!?。！？]*[?？]\s*$", "", text).strip() or text
