"""Fernet tokens of one session under one key: `cryptography`'s, with no exceptions and nothing shown.

`cryptography` takes a moment to load, so only who makes a key pays for it.
"""

from __future__ import annotations

import base64
from itertools import count
from typing import ClassVar

from .remembered import Remembered

MOST = 8 * 2**20
"""Bytes of opened tokens that are kept in this process's memory, for all sessions together."""


class SessionKey:
    """A key of 32 bytes: half of it signs, half of it encrypts. Nothing of it is shown.

    What it opened lately is remembered: the page and the runner read the same rows again and again.
    """

    __slots__ = ("_fernet", "_invalid", "_number")

    _opened: ClassVar[Remembered] = Remembered(MOST)
    _numbers: ClassVar[count[int]] = count()

    def __init__(self, key: bytes) -> None:
        from cryptography.fernet import Fernet, InvalidToken

        self._fernet, self._invalid = Fernet(base64.urlsafe_b64encode(key)), InvalidToken
        self._number = next(self._numbers)

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
        known = self._opened.get((self._number, token))
        if known is None:
            try:
                known = self._fernet.decrypt(token)
            except self._invalid:
                return None
            self._opened.put((self._number, token), known)
        return known
