"""Encrypted sessions for tests: a clock that is set by hand, a count of what was decrypted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memory import EncryptedSession, SQLiteSession, TableSession
from memory.encrypted_session import EncryptedTableSession
from memory.fernet import SessionKey

OLD, NEW, OTHER = "the first key of the tests", "the second key of the tests", "a key of somebody else"
START = 1_700_000_000.0


class Clock:
    """Seconds since the epoch, as a test says."""

    def __init__(self, now: float = START) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def encrypted(
    underlying: TableSession, key: object = OLD, ttl: int | None = None, clock: Clock | None = None
) -> EncryptedTableSession:
    session = EncryptedSession(underlying.session_id, underlying, key, ttl, clock=clock or Clock())
    assert isinstance(session, EncryptedTableSession)
    return session


def on_file(
    folder: Path, key: object = OLD, ttl: int | None = None, clock: Clock | None = None, id_: str = "x"
) -> EncryptedTableSession:
    return encrypted(SQLiteSession(id_, folder / "a.db"), key, ttl, clock)


class Count:
    decrypted = 0


@contextmanager
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Count]:
    """How many tokens are decrypted meanwhile."""
    count, open_ = Count(), SessionKey.open

    def counted(self: SessionKey, data: bytes) -> bytes | None:
        count.decrypted += 1
        return open_(self, data)

    with monkeypatch.context() as patched:
        patched.setattr(SessionKey, "open", counted)
        yield count
