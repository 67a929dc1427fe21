"""Encrypted sessions for tests, and a count of what was decrypted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memory import EncryptedSession, SQLiteSession, State, TableSession
from memory.encrypted_session import EncryptedTableSession
from memory.fernet import SessionKey

from .clock import Clock

OLD, NEW, OTHER = "the first key of the tests", "the second key of the tests", "a key of somebody else"


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


async def states(session: EncryptedSession) -> list[State]:
    """What is to be read of each entry of the newest page."""
    return [entry.state for entry in (await session.timeline()).entries]


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
