"""A message says the same without its apostrophes; and what was typed is kept as it was typed."""

from __future__ import annotations

import pytest

from desk.offline.folding import Folded
from desk.offline.understanding import understand

from .asked_back import QUESTIONS, REQUESTS
from .asked_or_wanted import DONE_AT_ONCE, NOTHING_DONE

SAID = sorted(
    {
        said
        for table in (
            NOTHING_DONE["en"],
            DONE_AT_ONCE["en"],
            *QUESTIONS["en"].values(),
            *REQUESTS["en"].values(),
        )
        for said in table
        if "'" in said
    }
)


@pytest.mark.parametrize("said", SAID)
def test_without_its_apostrophes_a_message_wants_the_same(said: str) -> None:
    assert _wanted(said.replace("'", "")) == _wanted(said)


@pytest.mark.parametrize(
    "typed",
    [
        "Well, I dont know",
        "ＡＢ cant thats “Ümlaut” id like",
        "whats 这个 dont",
        "it isnt; youve",
        "no contraction",
    ],
)
def test_each_place_of_the_folded_text_is_one_that_was_typed(typed: str) -> None:
    folded = Folded(typed)
    assert folded.as_typed(0, len(folded.text)) == typed
    for start in range(len(folded.text)):
        for end in range(start + 1, len(folded.text) + 1):
            assert folded.as_typed(start, end) in typed


@pytest.mark.parametrize(
    "typed", ["its address", "the order id is A100", "we were ill", "a shell well", "he lets go", "cat ant"]
)
def test_words_that_are_no_contractions_get_no_apostrophe(typed: str) -> None:
    assert "'" not in Folded(typed).text.replace("let's", "lets")


def test_an_order_is_found_beside_a_contraction_as_it_is_without() -> None:
    assert understand("order A 100, wheres it").orders == ("A100",)


def _wanted(said: str) -> list[object]:
    return [
        (wish.kind, wish.about.way, wish.about.orders, wish.tentative, wish.stated, wish.matter, wish.focus)
        for wish in understand(said).wishes
    ]
