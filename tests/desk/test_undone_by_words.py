"""A change of delivery taken back by words, where the address before it was erased with a conversation."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desk.desk import Desk
from desk.offline import OfflineModel
from desk.values import Address
from memory.edits import Clear

from .desks import make_desk
from .written_before import Turn, play

_FIRST, _SECOND = "9 Elm Street, York", "4 Ash Grove, Hull"
BEFORE = {
    "two addresses": (f"Deliver F623 to {_FIRST}", f"Deliver F623 to {_SECOND}"),
    "an address, then pickup": (f"Deliver F623 to {_FIRST}", "Change F623 to pickup"),
}
UNDO = {
    "en": (
        "undo the delivery change of F623",
        "put F623 back to the old address",
        "please revert the change of F623",
        "F623: undo",
    ),
    "zh-Hans": ("撤销F623的配送改动", "F623还原", "把F623改回原来的地址"),
    "zh-Hant": ("撤銷F623的配送更改", "F623還原", "把F623改回原來的地址"),
}
ERASED = {"en": "erased", "zh-Hans": "清除", "zh-Hant": "清除"}
NOT_CHANGED = {"en": "not changed", "zh-Hans": "没有改动过", "zh-Hant": "沒有更動過"}
GOES_TO = {"en": _SECOND, "zh-Hans": "上海市南京路1号", "zh-Hant": "台北市信義路五段7號"}


@pytest.fixture
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    desk = make_desk(tmp_path_factory.mktemp("undone") / "data", OfflineModel())
    yield desk
    desk.close()


def _purge(desk: Desk, address: Address) -> None:
    plan = desk.plan(address, Clear()).plan
    assert plan is not None
    assert desk.apply(address, plan).ok
    assert desk.purge(address).ok


def _changed_and_purged(desk: Desk, lines: tuple[str, ...]) -> None:
    address = Address("memory", "before")
    for line in lines:
        assert play(desk, address, Turn(line), "en").rows
    _purge(desk, address)


def _told_honestly(text: str, language: str) -> None:
    assert "F623" in text
    assert ERASED[language] in text
    assert NOT_CHANGED[language] not in text
    assert text.rstrip()[-1] in "?？"


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize(
    ("language", "words"), [(tag, words) for tag, each in UNDO.items() for words in each]
)
def test_an_undo_to_an_erased_address_tells_that_it_was_erased(
    desk: Desk, before: str, language: str, words: str
) -> None:
    _changed_and_purged(desk, BEFORE[before])
    seen = play(desk, Address("memory", "after"), Turn(words), language)
    assert seen.rows == []
    _told_honestly(seen.text, language)


@pytest.mark.parametrize(
    ("language", "moves", "words"),
    [
        ("en", "Change F623 to pickup", "undo that"),
        ("en", "Change F623 to pickup", "undo the pickup"),
        ("zh-Hans", "把F623改成自提", "撤销"),
        ("zh-Hant", "把F623改成自取", "撤銷"),
    ],
)
def test_a_change_away_from_an_erased_address_is_not_said_to_be_none(
    desk: Desk, language: str, moves: str, words: str
) -> None:
    _changed_and_purged(desk, BEFORE["two addresses"])
    after = Address("memory", "after")
    assert play(desk, after, Turn(moves), language).rows
    seen = play(desk, after, Turn(words), language)
    assert seen.rows == []
    _told_honestly(seen.text, language)


@pytest.mark.parametrize("language", UNDO)
def test_the_address_told_instead_is_taken(desk: Desk, language: str) -> None:
    _changed_and_purged(desk, BEFORE["two addresses"])
    after = Address("memory", "after")
    play(desk, after, Turn(UNDO[language][0]), language)
    (row,) = play(desk, after, Turn(GOES_TO[language]), language).rows
    assert (row.order, row.detail["address"]) == ("F623", GOES_TO[language])


def test_the_pickup_told_instead_is_taken(desk: Desk) -> None:
    _changed_and_purged(desk, BEFORE["two addresses"])
    after = Address("memory", "after")
    play(desk, after, Turn(UNDO["en"][0]), "en")
    (row,) = play(desk, after, Turn("pickup please"), "en").rows
    assert (row.order, row.detail["to"]) == ("F623", "pickup")
