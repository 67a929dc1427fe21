"""Fernet tokens of one session under one key: `cryptography`'s, with no exceptions and nothing shown.

`cryptography` takes a moment to load, so only who makes a key pays for it.
"""

from __future__ import annotations

import base64


class SessionKey:
    """A key of 32 bytes: half of it signs, half of it encrypts. Nothing of it is shown."""

    __slots__ = ("_fernet", "_invalid")

    def __init__(self, key: bytes) -> None:
        from cryptography.fernet import Fernet, InvalidToken

        self._fernet, self._invalid = Fernet(base64.urlsafe_b64encode(key)), InvalidToken

    def seal(self, content: bytes, time: int) -> bytes:
        """A token in base64 that says it was sealed at `time`, in seconds since the epoch."""
        return self._fernet.encrypt_at_time(content, time)

    def signed(self, token: bytes) -> bool:
        """Whether a token was sealed under this key; told from its digest, without opening it."""
        try:
            self._fernet.extract_timestamp(token)
        except self._invalid:
            return False
        return True

    def open(self, token: bytes) -> bytes | None:
        """What a token holds, however old; None if it was not sealed under this key."""
        try:
            return self._fernet.decrypt(token)
        except self._invalid:
            return None
