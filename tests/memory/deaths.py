"""A process that dies between two steps, told without ending the one of the tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection

from memory.far_database import _Far
from memory.far_journal import Shelf
from memory.sqlalchemy_database import SQLAlchemyDatabase
from memory.sqlite_channel import Channel

Points = list[tuple[type, str]]

COMMITS: Points = [(_Far, "_statement"), (Connection, "commit"), (Shelf, "keep"), (Shelf, "drop")]
STATEMENTS: Points = [*COMMITS, (Channel, "_execute"), (SQLAlchemyDatabase, "_execute")]


class Dead(BaseException):
    """The process is no more."""


class Death:
    """Kills the process before point number `left` of these."""

    def __init__(self, patched: pytest.MonkeyPatch, left: int, points: Points) -> None:
        self.left = left
        for owner, name in points:
            patched.setattr(owner, name, self._before(getattr(owner, name)))

    def _before(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def one(*arguments: Any) -> Any:
            self.left -= 1
            if self.left < 0:
                raise Dead
            return work(*arguments)

        return one
