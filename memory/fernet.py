"""Fernet tokens of one session under one key.

Tokens are sealed by `cryptography`'s own class. They are opened here, by the published format and with its
ciphers, for a tenth of the price, which is most of what reading an encrypted session costs:

    version (1 byte), time (8), vector (16), ciphertext (whole blocks of 16), digest (32)

The digest over all the rest is checked before anything else. Then each block is decrypted and combined with
the block before it, which is all that CBC is; so one cipher context serves every token of the key, where
making one for each is what costs.
"""

from __future__ import annotations

import base64
import hmac
from threading import Lock

DIGEST, BLOCK, HEADER = 32, 16, 1 + 8 + 16


class SessionKey:
    """A key of 32 bytes: half of it signs, half of it encrypts. Nothing of it is shown."""

    __slots__ = ("_blocks", "_fernet", "_lock", "_sign")

    def __init__(self, key: bytes) -> None:
        from cryptography.fernet import Fernet
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        self._fernet = Fernet(base64.urlsafe_b64encode(key))
        self._sign = key[:16]
        self._blocks = Cipher(algorithms.AES(key[16:]), modes.ECB()).decryptor()
        self._lock = Lock()  # readers and writers are threads of their own

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
        blocks = data[HEADER:-DIGEST]
        before = data[HEADER - BLOCK : -DIGEST - BLOCK]  # the vector, and every block but the last
        with self._lock:
            mixed = self._blocks.update(blocks)
        padded = (int.from_bytes(mixed, "little") ^ int.from_bytes(before, "little")).to_bytes(
            len(blocks), "little"
        )
        filled = padded[-1]
        if not 1 <= filled <= BLOCK or not padded.endswith(bytes([filled]) * filled):
            return None
        return padded[:-filled]
