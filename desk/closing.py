"""Results for calls that got none: what a model, and a person, reads where a call was cut short.

A call without its output is half a pair. When nothing will ever answer it, it is closed with a result
that says why, and what the orders record of it: the orders know, because an effect carries its call id.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from memory.entries import Entry, Item
from memory.items import Role, half_of, output_for
from memory.pairs import halves

if TYPE_CHECKING:
    from memory.inspectable import InspectableSession
    from memory.notes import Lease

    from .effects import Effect
    from .orders import Orders

Why = Literal["superseded", "interrupted", "stopped", "failed"]

_SAYS: Mapping[Why, str] = {
    "superseded": "The person went on with something else instead of deciding, so this was not done.",
    "interrupted": "The server stopped before this call was finished.",
    "stopped": "The person stopped the answer before this call was finished.",
    "failed": "The run failed before this call was finished.",
}


def closing_output(call: Item, why: Why, effect: Effect | None) -> Item:
    """The output that closes `call`; `effect` is what the orders record under its call id."""
    facts: dict[str, Any] = {"ok": effect is not None, "error": why}
    if effect is None:
        facts["message"] = f"{_SAYS[why]} The orders record nothing of it."
    else:
        facts |= {
            "order": effect.order_id,
            "done": effect.kind,
            "detail": dict(effect.detail),
            "message": f"{_SAYS[why]} The orders record that it was done all the same.",
        }
    return output_for(call, json.dumps(facts, ensure_ascii=False, default=str))


def lone_calls(entries: Sequence[Entry]) -> list[Entry]:
    """The function calls among `entries` that no output answers."""
    calls, _ = halves(entries)
    return [entry for entry in calls if entry.item is not None and _closable(entry.item)]


def _closable(item: Item) -> bool:
    half = half_of(item)
    return half is not None and half.role is Role.CALL and item.get("type") == "function_call"


async def close_calls(
    session: InspectableSession, orders: Orders, calls: Iterable[Entry], why: Why, *, lease: Lease
) -> int:
    """Append a closing output for each of `calls`, one commit for each agent; how many were closed."""
    lone = list(calls)
    effects = await effects_of(orders, [entry.call_id for entry in lone if entry.call_id])
    for agent in dict.fromkeys(entry.agent for entry in lone):
        outputs = [
            closing_output(entry.item, why, effects.get(entry.call_id or ""))
            for entry in lone
            if entry.agent == agent and entry.item is not None
        ]
        await session.append(outputs, agent=agent, lease=lease)
    return len(lone)


async def effects_of(orders: Orders, call_ids: Iterable[str]) -> dict[str, Effect]:
    """What the orders record under these call ids, by call id. Asked in a thread: it is a file."""
    ids = set(call_ids)
    if not ids:
        return {}
    found = await asyncio.to_thread(orders.effects, call_ids=ids)
    return {effect.call_id: effect for effect in found}
