"""What was asked for before is told from memory when somebody asks for that, and never done over again."""

from __future__ import annotations

from typing import Any

import pytest

from .asked_back import QUESTIONS, REQUESTS
from .asked_or_wanted import DONE_AT_ONCE, NOTHING_DONE
from .sent import (
    APPROVAL_TOOLS,
    TEAPOT,
    Item,
    answered,
    called,
    calls_of,
    desk,
    does,
    looked_up,
    person,
    words_of,
)

GRINDER = {"order": "C310", "item": "coffee grinder", "price": "189.00", "status": "delivered"}
GRINDER |= {"delivered_on": "2026-11-28", "item_names": {"en": "coffee grinder"}}
HELPLESS = ("cannot help", "not sure what", "帮不上忙", "幫不上忙", "没太明白", "不太明白")

ASKED = {
    "en": {
        "cancel": "Cancel A100 please",
        "refund": "I want a refund for C310, it hums",
        "move": "Change A100 to pickup",
        "any": "Change A100 to pickup",
        "look": "Where is {order}?",
    },
    "zh-Hans": {
        "cancel": "取消 A100",
        "refund": "C310 有杂音，我要退款",
        "move": "把 A100 改成自提",
        "any": "把 A100 改成自提",
        "look": "订单 {order} 到哪了？",
    },
    "zh-Hant": {
        "cancel": "取消訂單 A100",
        "refund": "C310 有雜音，我要退款",
        "move": "把訂單 A100 改成自取",
        "any": "把訂單 A100 改成自取",
        "look": "訂單 {order} 到哪了？",
    },
}
SAYS = {"en": "Here you are.", "zh-Hans": "给您查了。", "zh-Hant": "幫您查了。"}
TOOL = {
    "cancel": "cancel_order",
    "refund": "refund_order",
    "move": "deliver_to_pickup",
    "any": "deliver_to_pickup",
}
DONE: dict[str, dict[str, Any]] = {
    "cancel": {"ok": True, "done": "cancelled", "order": "A100", "status": "cancelled"},
    "refund": {"ok": True, "done": "refunded", "order": "C310", "amount": "189.00"},
    "move": {"ok": True, "done": "delivery", "order": "A100", "delivery": {"to": "pickup"}},
}
DONE["any"] = DONE["move"]
NOTE = "Kein Grund"  # of no language of the desk's, so that it is known again

ASKING = [
    pytest.param(language, about, question, id=question)
    for language, groups in QUESTIONS.items()
    for about, questions in groups.items()
    for question in questions
]
every_question = pytest.mark.parametrize(("language", "about", "question"), ASKING)
every_decided_question = pytest.mark.parametrize(  # nobody decides about a delivery
    ("language", "about", "question"), [each for each in ASKING if each.values[1] in ("cancel", "refund")]
)


def _facts(about: str) -> dict[str, Any]:
    return GRINDER if about == "refund" else TEAPOT


def _looked(language: str, about: str) -> list[Item]:
    """An order was looked up and no more."""
    facts = _facts(about)
    asked = ASKED[language]["look"].format(order=facts["order"])
    return [person(asked), *looked_up("l1", **facts), desk(SAYS[language])]


def _asked(language: str, about: str, came: Any) -> list[Item]:
    """It was asked for, and something came of it."""
    call = called(TOOL[about], "c1", order_id=_facts(about)["order"], reason="")
    return [
        *_looked(language, about),
        person(ASKED[language][about]),
        call,
        answered("c1", came),
        desk(SAYS[language]),
    ]


async def _told(history: list[Item], question: str) -> str:
    """The words for a question that has to be answered without a tool."""
    items = [*history, person(question)]
    assert await calls_of(items) == []
    words = await words_of(items)
    assert not any(helpless in words for helpless in HELPLESS), words
    return words


@every_question
async def test_what_was_asked_for_and_done_is_told(language: str, about: str, question: str) -> None:
    words = await _told(_asked(language, about, DONE[about]), question)
    assert ASKED[language][about] in words


@every_question
async def test_what_was_never_asked_for_is_said_so(language: str, about: str, question: str) -> None:
    words = await _told(_looked(language, about), question)
    assert ASKED[language][about] not in words
    assert words.rstrip()[-1] in "?？"


@every_question
async def test_with_no_memory_it_is_a_question(language: str, about: str, question: str) -> None:
    words = await _told([], question)
    assert words.rstrip()[-1] in "?？"


@every_decided_question
async def test_what_a_person_rejected_is_told_with_the_reason(
    language: str, about: str, question: str
) -> None:
    words = await _told(_asked(language, about, f"The person declined: {NOTE}"), question)
    assert ASKED[language][about] in words
    assert NOTE in words


async def _done(history: list[Item], facts: dict[str, Any]) -> str:
    """What is called, by Triage or by Approval after it, that changes something; "" where nothing is."""
    done = await does(history, GRINDER)
    if done != "transfer_to_approval":
        return done
    there = [*history, *looked_up("l9", **facts)]
    return " ".join(name for name, _ in await calls_of(there, tools=APPROVAL_TOOLS))


@pytest.mark.parametrize(
    ("language", "tool", "wanted"),
    [
        pytest.param(language, tool, text, id=text)
        for language, groups in REQUESTS.items()
        for tool, texts in groups.items()
        for text in texts
    ],
)
async def test_a_request_that_speaks_of_asking_is_done(language: str, tool: str, wanted: str) -> None:
    about = "refund" if tool == "refund_order" else "cancel"
    assert await _done([*_looked(language, about), person(wanted)], _facts(about)) == tool


@pytest.mark.parametrize(
    ("language", "wanted"),
    [pytest.param(language, text, id=text) for language, texts in DONE_AT_ONCE.items() for text in texts],
)
async def test_a_request_that_sounds_like_a_question_is_done(language: str, wanted: str) -> None:
    about = "refund" if "C310" in wanted else "cancel"
    assert await _done([*_looked(language, about), person(wanted)], _facts(about)) != ""


@pytest.mark.parametrize("came", ["", "done", "rejected"])
@pytest.mark.parametrize(
    ("language", "question"),
    [pytest.param(language, text, id=text) for language, texts in NOTHING_DONE.items() for text in texts],
)
async def test_a_question_that_sounds_like_a_request_does_nothing(
    language: str, question: str, came: str
) -> None:
    about = "refund" if "C310" in question else "cancel"
    history = _looked(language, about)
    if came:
        history = _asked(language, about, DONE[about] if came == "done" else f"The person declined: {NOTE}")
    assert await _done([*history, person(question)], _facts(about)) == ""


@pytest.mark.parametrize(
    "text",
    [
        "I cancelled A100 already, please cancel F623",
        "I already asked you to cancel A100. Now please cancel F623",
        "I cancelled A100 yesterday, please do it for F623",
        "I asked you to cancel A100 and it is done, so cancel F623",
        "我已经取消A100了，请取消F623",
        "我之前请你取消A100了，现在请取消F623",
        "我已經請你取消A100了，請再取消F623",
    ],
)
async def test_what_was_asked_for_is_not_done_again_beside_a_request(text: str) -> None:
    blanket = {"order": "F623", "item": "wool blanket"}
    history = [*_looked("en", "cancel"), person(text), *looked_up("l8"), *looked_up("l9", **blanket)]
    calls = await calls_of(history, tools=APPROVAL_TOOLS)
    assert ("cancel_order", "A100") not in [(name, told.get("order_id")) for name, told in calls]
