"""Histories that are not tame, and what must stay together in one, told without the code under test.

A history is a list of stored texts. `units` looks at the whole of it, where a plan reads a few rows.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from hypothesis import strategies as st

from .items import Item, assistant, call, output, reasoning, user

CALL_IDS = ["call_1", "call_2", '订单/"1"\\\'%_', "call_1 "]
"""Few, so that they are used again; one with everything that JSON and LIKE treat specially."""

SIDES = {
    "function_call": ("call", "function", "call_id"),
    "function_call_output": ("output", "function", "call_id"),
    "computer_call": ("call", "computer", "call_id"),
    "computer_call_output": ("output", "computer", "call_id"),
    "custom_tool_call": ("call", "custom_tool", "call_id"),
    "custom_tool_call_output": ("output", "custom_tool", "call_id"),
    "mcp_approval_request": ("call", "approval", "id"),
    "mcp_approval_response": ("output", "approval", "approval_request_id"),
}
"""For each type that is half of a pair: which half, of which family, and where its id is."""

BROKEN: list[bytes] = [
    b"not json",
    b"",
    b"null",
    b"[1, 2]",
    b'"text"',
    b"\xff\xfe\x00",
    b'{"role": "user", "content": "\xe4\xb8"}',
    b'{"type": "function_call", "call_id": "call_1", "name": "cut',
    b"12.5",
]
"""Rows that no program of ours writes."""


def in_other_hands(item: Item) -> bytes:
    """The item as the SDK's classes write it: ASCII escapes, blanks after colons."""
    return json.dumps(item).encode()


def in_ours(item: Item) -> bytes:
    return json.dumps(item, ensure_ascii=False, separators=(",", ":")).encode()


def in_upper_case(item: Item) -> bytes:
    """As other programs may: slashes and upper-case escapes."""
    text = re.sub(r"\\u[0-9a-f]{4}", lambda found: found[0].upper().replace("U", "u"), json.dumps(item))
    return text.replace("/", "\\/").encode()


def _half(type_: str, id_: str) -> Item:
    return {"type": type_, SIDES[type_][2]: id_, "payload": "x"}


texts = st.sampled_from(["", "hello", "Wo ist A100?", "订单 A100", '"call_1"', '{"type":"function_call"}'])
call_ids = st.sampled_from(CALL_IDS)

items: st.SearchStrategy[Item] = st.one_of(
    st.builds(user, texts),
    st.builds(user, texts),
    st.builds(assistant, texts),
    st.builds(reasoning),
    st.builds(reasoning),
    st.builds(call, call_ids),
    st.builds(call, call_ids),
    st.builds(output, call_ids, texts),
    st.builds(output, call_ids, texts),
    st.builds(_half, st.sampled_from(sorted(SIDES)), call_ids),
    st.just({"type": "web_search_call", "id": "ws_1", "status": "completed"}),
    st.just({"type": "from_the_future", "call_id": "call_1"}),
    st.just({"type": "function_call", "name": "no_id", "arguments": "{}"}),
    st.just({"type": "function_call_output", "call_id": 7, "output": "a number for an id"}),
    st.just({"type": "message", "role": "developer", "content": "Be kind."}),
    st.just({"type": 5, "role": ["user"]}),
    st.just({}),
)

halves: st.SearchStrategy[Item] = st.one_of(
    st.builds(call, call_ids),
    st.builds(output, call_ids),
    st.builds(_half, st.sampled_from(sorted(SIDES)), call_ids),
    st.builds(reasoning),
)
"""Items that cannot stand without another one."""

raws: st.SearchStrategy[bytes] = st.one_of(
    items.map(in_ours),
    items.map(in_other_hands),
    items.map(in_upper_case),
    st.just(b'{"role": "user", "content": "half a surrogate: \\ud83d"}'),
    st.sampled_from(BROKEN),
)
"""One stored text: an item, written by one program or the other, or something that is none."""


def parsed(raw: bytes) -> Item | None:
    """The item in a stored text, None if it holds none."""
    try:
        value = json.loads(raw)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def side(item: Item | None) -> tuple[str, tuple[str, str]] | None:
    """(call or output, what both halves share), or None for an item that is no half."""
    known = SIDES.get(item.get("type")) if item and isinstance(item.get("type"), str) else None  # type: ignore[arg-type]
    if item is None or known is None:
        return None
    which, family, name = known
    id_ = item.get(name)
    return (which, (family, id_)) if isinstance(id_, str) and id_ else None


def is_question(item: Item | None) -> bool:
    """Whether a person wrote it, so that a turn begins."""
    return bool(item) and item.get("role") == "user" and item.get("type") in (None, "message")  # type: ignore[union-attr]


def pairs(history: Sequence[Item | None]) -> list[tuple[int, int]]:
    """(call, output) by index: an output answers the newest open call before it that shares its id."""
    open_: dict[Any, list[int]] = defaultdict(list)
    found = []
    for index, item in enumerate(history):
        match side(item):
            case ("call", shared):
                open_[shared].append(index)
            case ("output", shared) if open_[shared]:
                found.append((open_[shared].pop(), index))
    return found


def runs(history: Sequence[Item | None]) -> list[list[int]]:
    """Reasoning with what the same response went on to: one item, or all its calls side by side."""
    found = []
    index = 0
    while index < len(history):
        if not _is_reasoning(history[index]):
            index += 1
            continue
        end = index
        while end + 1 < len(history) and _is_reasoning(history[end + 1]):
            end += 1
        if end + 1 < len(history) and _may_follow(history[end + 1]):
            end += 1
            if _is(history[end], "call"):
                while end + 1 < len(history) and _is(history[end + 1], "call"):
                    end += 1
        found.append(list(range(index, end + 1)))
        index = end + 1
    return found


def _is_reasoning(item: Item | None) -> bool:
    return item is not None and item.get("type") == "reasoning"


def _is(item: Item | None, which: str) -> bool:
    found = side(item)
    return found is not None and found[0] == which


def _may_follow(item: Item | None) -> bool:
    return not is_question(item) and not _is(item, "output")


def units(history: Sequence[Item | None]) -> list[set[int]]:
    """What stands or goes together, by index."""
    return [set(pair) for pair in pairs(history)] + [set(run) for run in runs(history)]


def closed(history: Sequence[Item | None], named: Iterable[int]) -> set[int]:
    """Everything that goes when `named` goes, and nothing more."""
    going = set(named)
    together = units(history)
    while True:
        more = set().union(*(unit for unit in together if unit & going and not unit <= going))
        if not more:
            return going
        going |= more


def lone_halves(history: Sequence[Item | None]) -> set[int]:
    paired = {index for pair in pairs(history) for index in pair}
    return {index for index, item in enumerate(history) if side(item) and index not in paired}
