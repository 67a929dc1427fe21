"""A refund or a cancellation is carried out for who asks for it, and for nobody who only mentions one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desk.desk import Desk
from desk.offline import OfflineModel
from desk.values import Address

from .desks import make_desk
from .only_mentioned import MENTIONED, REQUESTED
from .written_before import Happened, Turn, play


@pytest.fixture(scope="module")
def one_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    desk = make_desk(tmp_path_factory.mktemp("mentioned") / "data", OfflineModel())
    yield desk
    desk.close()


@pytest.fixture
def address(request: pytest.FixtureRequest) -> Address:
    return Address("memory", f"mentioned_{abs(hash(request.node.nodeid))}")


def _after_a100(desk: Desk, address: Address, language: str, text: str) -> Happened:
    desk.restore_samples()
    play(desk, address, Turn("A100"), language)
    return play(desk, address, Turn(text), language)


@pytest.mark.parametrize(
    ("language", "text"), [(language, text) for language, texts in MENTIONED.items() for text in texts]
)
def test_what_is_only_mentioned_is_not_done(
    one_desk: Desk, address: Address, language: str, text: str
) -> None:
    seen = _after_a100(one_desk, address, language, text)
    assert (seen.rows, seen.waits) == ([], None), seen.text


@pytest.mark.parametrize(
    ("language", "text"), [(language, text) for language, texts in REQUESTED.items() for text in texts]
)
def test_what_is_asked_for_is_done(one_desk: Desk, address: Address, language: str, text: str) -> None:
    seen = _after_a100(one_desk, address, language, text)
    assert [(row.order, row.kind) for row in seen.rows] in ([("A100", "cancel")], [("A100", "refund")]), (
        seen.text
    )
