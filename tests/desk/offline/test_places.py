"""Addresses are kept as typed, without the words around them."""

from __future__ import annotations

import pytest

from desk.offline.folding import Folded
from desk.offline.places import addresses_in


@pytest.mark.parametrize(
    ("said", "address"),
    [
        ("可以把 B205 改送到上海市南京西路1266号吗？", "上海市南京西路1266号"),
        ("可以幫我改送到台北市信義路五段7號嗎？", "台北市信義路五段7號"),
        ("改送到上海市南京西路1266号好吗", "上海市南京西路1266号"),
    ],
)
def test_a_word_that_makes_it_a_question_is_no_part_of_the_address(said: str, address: str) -> None:
    folded = Folded(said)
    (found,) = addresses_in(folded, folded.text, [])
    assert found.typed == address
