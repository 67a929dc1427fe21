"""The kinds of `test_written_before`, said in other words."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from desk.desk import Desk
from desk.offline import OfflineModel
from desk.values import Address

from .desks import make_desk
from .further_wordings import FURTHER
from .held_back import DONE_ALL_THE_SAME, NOTHING
from .of_orders_and_money import OF_ORDERS_AND_MONEY
from .other_wordings import KINDS, Case
from .undone_and_agreed import UNDONE_AND_AGREED
from .written_before import Turn, faults, faults_alone, play

CASES = [
    pytest.param(each, id=f"{kind}, {each.language}: {' / '.join((*each.before, each.turn.text))}")
    for kind, cases in {**KINDS, **FURTHER, **OF_ORDERS_AND_MONEY, **UNDONE_AND_AGREED}.items()
    for each in cases
]


@pytest.fixture(scope="module")
def one_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    desk = make_desk(tmp_path_factory.mktemp("said") / "data", OfflineModel())
    yield desk
    desk.close()


@pytest.mark.parametrize("said", CASES)
def test_other_words_come_to_the_same(one_desk: Desk, said: Case, request: pytest.FixtureRequest) -> None:
    one_desk.restore_samples()
    address = Address("memory", f"said_{abs(hash(request.node.nodeid))}")
    for line in said.before:
        play(one_desk, address, Turn(line), said.language)
    seen = play(one_desk, address, said.turn, said.language)
    assert faults(said.turn, seen, said.language) == [], seen.text


ACTING = [
    each
    for each in CASES
    if isinstance(said := each.values[0], Case) and said.before and (said.turn.does or said.turn.waits)
]


@pytest.mark.parametrize("said", ACTING)
def test_without_what_was_said_before_they_come_to_nothing(
    one_desk: Desk, said: Case, request: pytest.FixtureRequest
) -> None:
    if re.search(r"[A-Z]\d{3}", said.turn.text):
        pytest.skip("it names its order")
    one_desk.restore_samples()
    address = Address("none", f"said_{abs(hash(request.node.nodeid))}")
    seen = play(one_desk, address, said.turn, said.language)
    assert faults_alone(said.turn, seen, asks=True, named=said.turn.text) == [], seen.text


@pytest.mark.parametrize(
    ("language", "text"), [(language, text) for language, texts in NOTHING.items() for text in texts]
)
def test_what_is_only_spoken_of_is_not_done(
    one_desk: Desk, language: str, text: str, request: pytest.FixtureRequest
) -> None:
    one_desk.restore_samples()
    address = Address("memory", f"said_{abs(hash(request.node.nodeid))}")
    play(one_desk, address, Turn("A100"), language)
    seen = play(one_desk, address, Turn(text), language)
    assert (seen.rows, seen.waits) == ([], None), seen.text


@pytest.mark.parametrize(
    ("language", "text"),
    [(language, text) for language, texts in DONE_ALL_THE_SAME.items() for text in texts],
)
def test_what_sounds_like_it_and_is_asked_for_is_done(
    one_desk: Desk, language: str, text: str, request: pytest.FixtureRequest
) -> None:
    one_desk.restore_samples()
    address = Address("memory", f"said_{abs(hash(request.node.nodeid))}")
    play(one_desk, address, Turn("A100"), language)
    seen = play(one_desk, address, Turn(text), language)
    assert [row.order for row in seen.rows] == ["A100"], seen.text


@pytest.mark.parametrize(
    ("corrects", "cancels"),
    [
        ("sorry typo, meant A100", "cancel it then"),
        ("oops wrong number, I mean F623", "please cancel"),
        ("打错了，是J956", "取消它"),
        ("不好意思输错了，应该是A100", "取消吧"),
        ("啊打錯，是F623才對", "取消"),
    ],
)
def test_a_correction_is_no_reason(
    one_desk: Desk, corrects: str, cancels: str, request: pytest.FixtureRequest
) -> None:
    one_desk.restore_samples()
    address = Address("memory", f"said_{abs(hash(request.node.nodeid))}")
    for line in ("where is Z999", corrects, cancels):
        play(one_desk, address, Turn(line), "en")
    (cancel,) = (each for each in one_desk.orders.effects(session=str(address)) if each.kind == "cancel")
    assert cancel.detail["reason"] not in corrects
