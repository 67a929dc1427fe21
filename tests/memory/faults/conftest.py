"""A session in a file, in a folder of which no message may tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory import SQLiteSession, sqlite_file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "a folder of the machine"
    made.mkdir()
    return made


@pytest.fixture
def path(folder: Path) -> Path:
    return folder / "conversations.db"


@pytest.fixture
def session(filed: SQLiteSession) -> SQLiteSession:
    return filed


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait five seconds for a lock in a test."""
    monkeypatch.setattr(sqlite_file, "PATIENCE", 0.1)
