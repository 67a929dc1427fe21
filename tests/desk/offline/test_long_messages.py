"""Of a very long message the beginning and the end are read: what it takes is bounded, whatever is sent."""

from __future__ import annotations

import pytest

from .sent import calls_of, desk, looked_up, person, words_of

LONG = 500_000  # characters
FILLS = [
    "The parcel stood in the hall and nobody knew why. ",
    "如果晚于周五，",
    "「",
    "if it is ",
    "tell me if ",
    "1 2 ",
    " ",
    "改送到上海市南京路1号",
    "2026-01-01 12:00:01 ERROR [main] Bar.java:100\n",
]


def _long(fill: str) -> str:
    return (fill * (LONG // len(fill) + 1))[:LONG]


@pytest.mark.parametrize("fill", FILLS, ids=lambda fill: fill[:12].strip() or "blank")
async def test_a_long_message_is_answered(fill: str) -> None:
    assert await words_of([person(_long(fill))]) or await calls_of([person(_long(fill))])


@pytest.mark.parametrize("place", ["{wish}\n\n{rest}", "{rest}\n\n{wish}"], ids=["before", "after"])
async def test_a_wish_before_or_after_a_long_text_is_heard(place: str) -> None:
    text = place.format(wish="Change A100 to pickup.", rest=_long("lorem ipsum dolor sit amet, "))
    assert await calls_of([person(text)]) == [("deliver_to_pickup", {"order_id": "A100"})]


async def test_the_answer_says_that_the_middle_was_not_read() -> None:
    history = [person(f"Where is A100?\n{_long('lorem ipsum ')}"), *looked_up("c1")]
    assert "beginning and its end" in await words_of(history)
    assert "beginning and its end" not in await words_of([person("Where is A100?"), *looked_up("c1")])


async def test_nothing_between_is_read() -> None:
    middle = _long("lorem ipsum ")
    plain = await words_of([person(f"{middle}{middle}")])
    assert await words_of([person(f"{middle} cancel A100 and refund C310. {middle}")]) == plain


async def test_half_an_order_id_is_not_taken_for_one() -> None:
    head = "x" * 3995 + " A100"  # the cut falls between the digits of a longer id
    assert await calls_of([person(f"{head}77 {_long('lorem ipsum ')}")]) == []


async def test_a_long_message_is_quoted_in_part() -> None:
    history = [
        person(_long("lorem ipsum ")),
        desk("I could not find a wish."),
        person("What did I ask first?"),
    ]
    words = await words_of(history)
    assert "lorem ipsum" in words
    assert len(words) < 2000
