"""The offline model under the desk's own runtime, which closes what waits when a new message comes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desk.conductor import LONGEST_MESSAGE
from desk.desk import Desk
from desk.offline import OfflineModel
from desk.offline.language import language_of
from desk.values import Address, RunStatus

from ..desks import make_desk, say

FILE = Address("file", "ticket_1")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = make_desk(tmp_path, OfflineModel())
    yield made
    made.close()


def _answer(desk: Desk) -> str:
    """The last words in the session."""
    items = [entry.item or {} for entry in desk.look(FILE).timeline.entries]
    newest = next(item for item in reversed(items) if item.get("role") == "assistant")
    return "".join(part["text"] for part in newest["content"])


def _reasons(desk: Desk) -> list[str]:
    pause = desk.look(FILE).waiting
    return [] if pause is None else [call[2] for call in pause.calls]


@pytest.mark.parametrize(
    ("request_", "reason", "question", "closed", "yes"),
    [
        ("please refund C310, dead motor", "dead motor", "where is C310?", "closed", "yes"),
        ("请退款C310，电机不转", "电机不转", "C310 怎么样了？", "关闭", "好的"),
        ("請退款C310，馬達不轉", "馬達不轉", "C310 怎麼樣了？", "關閉", "好的"),
    ],
)
def test_a_question_closes_the_request_and_the_answer_says_how_to_ask_again(
    desk: Desk, request_: str, reason: str, question: str, closed: str, yes: str
) -> None:
    assert say(desk, FILE, request_).status is RunStatus.WAITING
    (told,) = _reasons(desk)
    assert reason in told
    assert say(desk, FILE, question).status is not RunStatus.WAITING
    assert closed in _answer(desk)
    assert say(desk, FILE, yes).status is RunStatus.WAITING
    assert _reasons(desk) == [told]


@pytest.mark.parametrize(
    ("message", "page", "language"),
    [
        ("B205 在哪", "zh-Hant", "zh-Hant"),
        ("B205 在哪", "zh-Hans", "zh-Hans"),
        ("B205 在哪", "en", "zh-Hans"),
        ("B205", "zh-Hant", "zh-Hant"),
        ("B205", "en", "en"),
        ("B205", "tlh", "en"),
        ("B205 发货了吗", "zh-Hant", "zh-Hans"),
        ("Where is B205?", "zh-Hant", "en"),
    ],
)
def test_the_language_of_the_page_decides_where_the_message_tells_none(
    desk: Desk, message: str, page: str, language: str
) -> None:
    say(desk, FILE, message, language=page)
    assert language_of(_answer(desk)) == language


def test_what_was_said_before_tells_more_than_the_page(desk: Desk) -> None:
    say(desk, FILE, "請問 A100 什麼時候寄出？")
    say(desk, FILE, "B205", language="en")
    assert language_of(_answer(desk)) == "zh-Hant"


def test_a_message_of_a_hundred_thousand_characters_is_answered(desk: Desk) -> None:
    say(desk, FILE, ("Where is A100?\n" + "lorem ipsum " * 10_000)[:LONGEST_MESSAGE])
    assert "A100 (teapot)" in _answer(desk)
