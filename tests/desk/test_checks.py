"""The two checks: what counts as a card number, and which text they look at."""

from __future__ import annotations

import sys
import threading
from types import FrameType
from typing import Any

import pytest
from agents import Agent, RunContextWrapper
from hypothesis import given
from hypothesis import strategies as st

from desk.cards import find_cards, mask_cards
from desk.checks import card_in_answer, card_in_message

CARD = "4111 1111 1111 1111"


@pytest.mark.parametrize(
    "text",
    [
        "4111111111111111",
        "4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "4111.1111.1111.1111",
        "4111–1111–1111–1111",
        "4111  1111 - 1111 \u00a0 1111",
        "4111\u200b1111\u200b1111\u200b1111",
        "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
        "4111\n1111\n1111\n1111",
        "４１１１　１１１１　１１１１　１１１１",
        "٤١١١ ١١١١ ١١١١ ١١١١",
        "卡号4111111111111111，谢谢",
        "my card is 4111-1111 1111-1111!",
        "378282246310005",  # 15 digits
        "4222222222222",  # 13 digits
        "6304000000000000000",  # 19 digits
        "A100 4111 1111 1111 1111",
        "2026-05-04 4111 1111 1111 1111 2026-05-11",
        "12 4111 1111 1111 1111 34",
        "4111 1111 1111 1111.00",
    ],
)
def test_a_card_number_is_found_however_it_is_written(text: str) -> None:
    assert len(find_cards(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4111 1111 1111 1112",  # fails the check
        "411111111111",  # 12 digits
        "63040000000000000000",  # 20 digits
        "41111111111111110000000000",  # a long number is no card
        "+44 20 7946 0958",
        "A100, B205, C310, D411",
        "2026-05-08 2026-05-11 2026-05-12 2026-05-18",
        "2026/5/8 2026/5/11 2026/5/12 2026/5/18",
        "39.00 64.50 189.00 120.00 18.00 75.00",
        "NW-20577-B KF-4110-D",
        "4111, 1111, 1111, 1111",
        "4111 aaa 1111 aaa 1111 aaa 1111",
    ],
)
def test_what_is_no_card_number_is_left_alone(text: str) -> None:
    assert find_cards(text) == []
    assert mask_cards(text) == text


def test_masking_keeps_the_last_four_digits_and_everything_around() -> None:
    assert mask_cards("use 4111111111111111, or 5500-0000-0000-0004.") == "use [•••• 1111], or [•••• 0004]."
    assert mask_cards("４１１１１１１１１１１１１１１１") == "[•••• 1111]"


def luhn(payload: str) -> str:
    """The payload with its check digit."""
    for check in "0123456789":
        total = 0
        for place, digit in enumerate(reversed(payload + check)):
            n = int(digit) * (1 + place % 2)
            total += n - 9 if n > 9 else n
        if total % 10 == 0:
            return payload + check
    raise AssertionError


@st.composite
def written_cards(draw: st.DrawFn) -> str:
    digits = luhn(draw(st.from_regex(r"[3-6][0-9]{11,17}", fullmatch=True)))
    separator = draw(st.sampled_from(["", " ", "-", " - ", "\u00a0", "."]))
    size = draw(st.integers(3, 6))
    return separator.join(digits[n : n + size] for n in range(0, len(digits), size))


@given(written_cards(), st.text(st.characters(exclude_categories=("Nd", "Cs"))), st.text("ab, "))
def test_no_card_number_survives_masking(card: str, before: str, after: str) -> None:
    text = f"{before}: {card} ({after}"
    assert card in text
    masked = mask_cards(text)
    assert card not in masked
    assert find_cards(masked) == []


@given(st.text(st.sampled_from("0123456789 -.,x\n４"), max_size=80))
def test_masking_twice_is_masking_once(text: str) -> None:
    assert mask_cards(mask_cards(text)) == mask_cards(text)


AGENT: Agent[Any] = Agent(name="Triage")


async def trips_on_message(given_items: str | list[Any]) -> bool:
    result = await card_in_message.run(AGENT, given_items, RunContextWrapper(None))
    return result.output.tripwire_triggered


async def test_a_message_with_a_card_number_is_refused() -> None:
    assert await trips_on_message(f"charge {CARD}")
    assert await trips_on_message([{"role": "user", "content": CARD}])
    assert not await trips_on_message("where is A100?")


async def test_only_the_newest_message_is_looked_at() -> None:
    old = {"role": "user", "content": CARD}
    new = {"role": "user", "content": "hello"}
    assert not await trips_on_message([old, new])
    assert await trips_on_message([new, old])
    assert await trips_on_message([new, old, {"role": "assistant", "content": "ok"}])


async def test_a_message_in_parts_is_looked_at_as_a_whole() -> None:
    parts = [{"type": "input_text", "text": "4111 1111"}, {"type": "input_text", "text": "1111 1111"}]
    assert await trips_on_message([{"role": "user", "content": parts}])


@pytest.mark.parametrize("content", [None, 3, [], [None, "x"], [{"type": "input_image"}]])
async def test_a_message_without_text_passes(content: object) -> None:
    assert not await trips_on_message([{"role": "user", "content": content}])


async def test_an_answer_with_a_card_number_is_withheld() -> None:
    for answer, trips in ((f"I will charge {CARD}.", True), ("It ends in 1111.", False)):
        result = await card_in_answer.run(RunContextWrapper(None), AGENT, answer)
        assert result.output.tripwire_triggered is trips


async def test_what_a_check_says_holds_no_card_number() -> None:
    result = await card_in_message.run(AGENT, CARD, RunContextWrapper(None))
    assert "1111" not in str(result.output.output_info)


def test_the_input_check_runs_before_the_model_is_asked() -> None:
    assert card_in_message.run_in_parallel is False


async def test_a_text_is_searched_in_a_thread_because_a_long_one_takes_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: list[threading.Thread] = []

    def find(text: str) -> list[tuple[int, int]]:
        threads.append(threading.current_thread())
        return []

    monkeypatch.setattr("desk.checks.find_cards", find)
    await card_in_message.run(AGENT, "1.1." * 100_000, RunContextWrapper(None))
    await card_in_answer.run(RunContextWrapper(None), AGENT, "fine")
    assert len(threads) == 2
    assert threading.current_thread() not in threads


@pytest.mark.parametrize("fill", ["1 2 ", "4111 1111 1111 1112 ", "12-", "7"])
def test_looking_for_cards_takes_work_in_step_with_the_length(fill: str) -> None:
    short, long = (_lines_run(fill * (size // len(fill))) for size in (4_000, 16_000))
    assert long < 5 * short


def _lines_run(text: str) -> int:
    """How many lines of Python `find_cards` runs for a text."""
    count = 0

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        find_cards(text)
    finally:
        sys.settrace(before)
    return count


def test_of_cards_that_begin_together_the_longest_is_taken() -> None:
    text = "6304 0000 0000 0000 000"
    assert find_cards(text) == [(0, len(text))]
