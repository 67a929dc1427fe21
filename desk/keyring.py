"""The encryption keys of a desk: fetched once when first needed, from where a person keeps them.

Keys come from the environment, the secrets file or a command, in this order. Where there is none, one can be
made: the desk uses it until the server stops, and shows it until a person has kept it elsewhere.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any

from memory.errors import KeyUnavailable
from memory.keys import Keys, keys_from, new_key

AGAIN = 20.0  # seconds after which a command that gave no key is asked once more


class NoKey(KeyUnavailable):
    """Nobody has set a key."""


class Keyring:
    """Keys for the sessions of one desk. Used on the loop only, but for `make`."""

    def __init__(self, env: Mapping[str, str], secrets: Callable[[], Mapping[str, Any]]) -> None:
        self._env = env
        self._secrets = secrets
        self.unkept: str | None = None  # a key that was made here and is nowhere else yet
        self._keys: Keys | None = None
        self._failure: tuple[float, KeyUnavailable] | None = None
        self._lock = asyncio.Lock()

    async def keys(self) -> Keys:
        """The keys, newest first. Raises NoKey, KeyUnavailable."""
        if self._keys is not None:
            return self._keys
        async with self._lock:
            if self._keys is not None:
                return self._keys
            if self._failure is not None and time.monotonic() - self._failure[0] < AGAIN:
                raise self._failure[1]
            try:
                # In a thread: a command may ask a person, or a service far away.
                found = await asyncio.to_thread(lambda: keys_from(self._env, self._secrets()))
            except KeyUnavailable as error:
                self._failure = time.monotonic(), error
                raise
            if found is None:
                raise NoKey("No encryption key is set.")
            self._keys = found
            return found

    def make(self) -> bool:
        """Make a fresh key, used from now on until the server stops. False where there is a key already."""
        if self._keys is not None:
            return False
        self.unkept = new_key()
        self._keys = Keys(self.unkept)
        return True
