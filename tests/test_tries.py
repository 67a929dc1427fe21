"""A sample of the tries; `python -m tests.tries` runs them all."""

from __future__ import annotations

import pytest

from .tries.every import Try, attempt, tries

ALL = tries()


def test_there_are_enough_tries_and_no_two_are_the_same() -> None:
    assert len({one.name for one in ALL}) == len(ALL) >= 300


@pytest.mark.parametrize("one", ALL[::40], ids=lambda one: one.name)
def test_the_desk_holds(one: Try) -> None:
    held, remark = attempt(one)
    assert held, remark
