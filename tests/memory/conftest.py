"""Every kind of session as a fixture.

    session, store      each kind there is: only what the contract and four methods promise
    own, own_store      the kinds whose rows are ours: every edit, the ledger, leases, decisions

`store` and `own_store` open further sessions of the same store by id.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory import InspectableSession, TableSession

from .stores import KINDS, Open


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    with KINDS[request.param].make(tmp_path) as opened:
        yield opened


@pytest.fixture
def session(store: Open) -> InspectableSession:
    return store("ticket_456")


@pytest.fixture(params=[name for name, kind in KINDS.items() if kind.edits])
def own_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    with KINDS[request.param].make(tmp_path) as opened:
        yield opened


@pytest.fixture
def own(own_store: Open) -> TableSession:
    session = own_store("ticket_456")
    assert isinstance(session, TableSession)
    return session
