"""Fernet tokens of one session under one key.

Tokens are sealed by `cryptography`'s own class. They are opened here, by the published format and with its
ciphers: the digest is checked before anything else, in the standard library, at a third of the price, which
is most of what reading an encrypted session costs.

    version (1 byte), time (8), vector (16), ciphertext (whole blocks of 16), digest (32)
"""

from __future__ import annotations

import base64
import hmac
from typing import Any

DIGEST, BLOCK, HEADER = 32, 16, 1 + 8 + 16


class SessionKey:
    """A key of 32 bytes: half of it signs, half of it encrypts. Nothing of it is shown."""

    __slots__ = ("_aes", "_cbc", "_cipher", "_fernet", "_sign")

    def __init__(self, key: bytes) -> None:
        from cryptography.fernet import Fernet
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        self._fernet = Fernet(base64.urlsafe_b64encode(key))
        self._sign, self._aes = key[:16], algorithms.AES(key[16:])
        self._cipher: Any = Cipher
        self._cbc = modes.CBC

    def seal(self, content: bytes, time: int) -> bytes:
        """A token in base64 that says it was sealed at `time`, in seconds since the epoch."""
        return self._fernet.encrypt_at_time(content, time)

    def signed(self, data: bytes) -> bool:
        """Whether these bytes of a token were sealed under this key."""
        return hmac.compare_digest(hmac.digest(self._sign, data[:-DIGEST], "sha256"), data[-DIGEST:])

    def open(self, data: bytes) -> bytes | None:
        """What the bytes of a token hold, however old; None if they were not sealed under this key."""
        if not self.signed(data):
            return None
        decryptor = self._cipher(self._aes, self._cbc(data[HEADER - BLOCK : HEADER])).decryptor()
        padded: bytes = decryptor.update(data[HEADER:-DIGEST]) + decryptor.finalize()
        filled = padded[-1]
        if not 1 <= filled <= BLOCK or not padded.endswith(bytes([filled]) * filled):
            return None
        return padded[:-filled]
