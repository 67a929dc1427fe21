"""What a provider would refuse in a history, told without any of the code under test."""

from __future__ import annotations

from collections.abc import Sequence

from .items import Item


def complaints(items: Sequence[Item]) -> list[str]:
    """Each reason for which a provider would answer 400; empty for a history that may be sent."""
    found: list[str] = []
    open_calls: list[str] = []
    for index, item in enumerate(items):
        following = items[index + 1] if index + 1 < len(items) else None
        match item.get("type"):
            case "function_call":
                open_calls.append(item["call_id"])
            case "function_call_output" if item["call_id"] in open_calls:
                open_calls.remove(item["call_id"])
            case "function_call_output":
                found.append(f"{index}: output {item['call_id']} without its call")
            case "reasoning" if following is None or following.get("role") == "user":
                found.append(f"{index}: reasoning {item['id']} without what follows it")
    return found + [f"call {call_id} without its output" for call_id in open_calls]


def reasoning_followers(items: Sequence[Item]) -> dict[str, list[Item]]:
    """For each reasoning item by id, what its response went on to: the calls side by side, or one item."""
    found: dict[str, list[Item]] = {}
    for index, item in enumerate(items):
        if item.get("type") != "reasoning":
            continue
        rest = items[index + 1 :]
        calls = 0
        while calls < len(rest) and rest[calls].get("type") == "function_call":
            calls += 1
        found[item["id"]] = list(rest[: max(calls, 1)])
    return found
