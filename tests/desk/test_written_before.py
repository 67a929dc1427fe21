"""Dialogues of every kind, written before they were tried: each whole, without a session, and with each
earlier turn taken out of the memory.

The second and third show that an answer came from the session: without what a turn leans on, nothing must
come of it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desk.desk import Desk
from desk.offline import OfflineModel
from desk.values import Address

from . import written_before_en, written_before_hans, written_before_hant
from .desks import make_desk
from .written_before import Dialogue, Turn, faults, faults_alone, forget_turn, play, remembered

SPOKEN = {
    "en": written_before_en.DIALOGUES,
    "zh-Hans": written_before_hans.DIALOGUES,
    "zh-Hant": written_before_hant.DIALOGUES,
}

WHOLE = [
    pytest.param(language, each, id=f"{language}: {each.name}")
    for language, dialogues in SPOKEN.items()
    for each in dialogues
]

MISSING = [
    pytest.param(language, each, turn, gone, id=f"{language}: {each.name}, turn {turn} without {gone}")
    for language, dialogues in SPOKEN.items()
    for each in dialogues
    for turn in range(len(each.turns))
    if each.turns[turn].from_memory
    for gone in range(turn)
]


@pytest.fixture(scope="module")
def one_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    desk = make_desk(tmp_path_factory.mktemp("told") / "data", OfflineModel())
    yield desk
    desk.close()


@pytest.fixture
def desk(one_desk: Desk) -> Desk:
    """A desk with the samples as they are at the start."""
    one_desk.restore_samples()
    return one_desk


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A session id of this test alone."""
    return f"told_{abs(hash(request.node.nodeid))}"


@pytest.mark.parametrize(("language", "told"), WHOLE)
def test_a_dialogue_has_the_effects_that_were_told_before(
    desk: Desk, name: str, language: str, told: Dialogue
) -> None:
    address, found = Address("memory", name), {}
    for turn in told.turns:
        seen = play(desk, address, turn, language)
        if wrong := faults(turn, seen, language):
            found[turn.text] = [*wrong, seen.text]
    assert found == {}


@pytest.mark.parametrize(("language", "told"), WHOLE)
def test_without_a_session_what_leans_on_memory_does_nothing(
    desk: Desk, name: str, language: str, told: Dialogue
) -> None:
    address, found = Address("none", name), {}
    for turn in told.turns:
        seen = play(desk, address, turn, language)
        if turn.from_memory and (wrong := faults_alone(turn, seen, asks=True, named=turn.text)):
            found[turn.text] = [*wrong, seen.text]
    assert found == {}


@pytest.mark.parametrize(("language", "told", "number", "gone"), MISSING)
def test_without_a_turn_it_needs_a_turn_does_nothing(
    desk: Desk, name: str, language: str, told: Dialogue, number: int, gone: int
) -> None:
    address, turn = Address("memory", name), told.turns[number]
    for earlier in told.turns[:number]:
        play(desk, address, earlier, language)
    forget_turn(desk, address, gone)
    named = remembered(desk, address, turn.text)
    seen = play(desk, address, turn, language)
    wrong = faults_alone(_needed(turn, gone), seen, asks=False, named=named)
    assert wrong == [], seen.text


def _needed(turn: Turn, gone: int) -> Turn:
    """What must not come of a turn: all of it where it needs what is gone, else only what is none of it."""
    return turn if gone in turn.needs else Turn(turn.text)
