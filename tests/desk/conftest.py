"""What every test of the desk may use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from desk.desk import Desk

MakeDesk = Callable[..., Desk]


@pytest.fixture
def desk_of(tmp_path: Path) -> Iterator[MakeDesk]:
    """Make a desk whose model follows these steps. All desks of a test share one data folder."""
    from .desks import ScriptModel, make_desk

    made: list[Desk] = []

    def make(*steps: Any, model: Any = None, **how: Any) -> Desk:
        made.append(make_desk(tmp_path / "data", model or ScriptModel(steps), **how))
        return made[-1]

    yield make
    for desk in made:
        desk.close()
