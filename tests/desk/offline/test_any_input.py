"""Whatever is sent, there is an answer: no text, no history and no tool's answer makes the model raise."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openai.types.responses import ResponseFunctionToolCall

from .english import ENGLISH
from .judging import is_asking_or_telling
from .sent import (
    APPROVAL_TOOLS,
    SUMMARY_TOOLS,
    TEAPOT,
    TRIAGE_TOOLS,
    answered,
    called,
    desk,
    output_of,
    person,
    words_of,
)
from .simplified import SIMPLIFIED
from .traditional import TRADITIONAL

LINES = [line.says for dialogue in (*ENGLISH, *SIMPLIFIED, *TRADITIONAL) for line in dialogue.lines]
WORDS = sorted({word for line in LINES for word in line.split()})
TOOLS = sorted(
    {tool.name for tool in (*TRIAGE_TOOLS, *APPROVAL_TOOLS, *SUMMARY_TOOLS)} | {"transfer_to_approval"}
)

texts = st.one_of(
    st.sampled_from(LINES),
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
    st.lists(st.sampled_from(LINES), min_size=2, max_size=3).map("，".join),
    st.text(max_size=60),
)
answers = st.one_of(
    st.sampled_from(
        [
            json.dumps({"ok": True, **TEAPOT}),
            '{"ok": true, "order": "A100", "status": 3, "ships_on": "soon", "price": null, "delivery": "x"}',
            '{"ok": false, "error": "unknown_order", "order": "Z999"}',
            '{"ok": false, "error": "superseded"}',
            '{"ok": false, "error": "something_new"}',
            "The person declined: too late",
            "An error occurred while running the tool.",
            '{"ok": tr',
            "[]",
            "",
        ]
    ),
    st.text(max_size=20),
)
orders = st.sampled_from([{"order_id": "A100"}, {"order_id": "C310", "amount": "5"}, {"order_id": 3}, {}])


@st.composite
def turns(draw: st.DrawFn) -> list[Any]:
    items: list[Any] = [person(draw(texts))]
    for number in range(draw(st.integers(0, 2))):
        call_id = f"call_{draw(st.integers(0, 5))}_{number}"
        items.append(called(draw(st.sampled_from(TOOLS)), call_id, **draw(orders)))
        if draw(st.booleans()):
            items.append(answered(call_id, draw(answers)))
    if draw(st.booleans()):
        items.append(desk(draw(texts) + draw(st.sampled_from(["", "?", "？"]))))
    return items


histories = st.lists(turns(), max_size=4).map(lambda parts: [item for part in parts for item in part])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    history=histories,
    newest=texts,
    tools=st.sampled_from([TRIAGE_TOOLS, APPROVAL_TOOLS, SUMMARY_TOOLS, []]),
)
async def test_every_history_has_an_answer(history: list[Any], newest: str, tools: list[Any]) -> None:
    items = [*history, person(newest)]
    output = await output_of(items, tools=tools)
    assert output
    again = await output_of(items, tools=tools)
    assert [_plain(item) for item in output] == [_plain(item) for item in again]


def _plain(item: Any) -> Any:
    """An output item without its ids."""
    if isinstance(item, ResponseFunctionToolCall):
        return item.name, json.loads(item.arguments)
    return item.content[0].text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n ",
        "😀😀😀",
        "。。。",
        "\u200b\u200b",
        "\ud800",
        "A" * 5000,
        "的" * 5000,
        "send it to the order " * 250,
        "如果晚于周五，" * 700,
        "「" * 5000,
        "my the " * 700,
        "1" * 5000,
    ],
    ids=lambda text: repr(text[:8]),
)
async def test_odd_messages_get_a_sensible_answer(text: str) -> None:
    words = await words_of([person(text)])
    assert is_asking_or_telling(words)


async def test_of_very_many_orders_only_some_are_looked_up() -> None:
    text = "Where are " + ", ".join(f"A{number}" for number in range(100, 200)) + "?"
    assert 0 < len(await output_of([person(text)])) <= 12
