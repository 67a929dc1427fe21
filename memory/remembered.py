"""What was worked out lately, up to so many bytes: a page is read again and again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable


class Remembered:
    """Bytes by key, the ones used last, at most `most` bytes of them. Safe from any thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0
        self._known: OrderedDict[Hashable, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> bytes | None:
        """What is known under a key, None where it is not, or not any more."""
        with self._lock:
            found = self._known.get(key)
            if found is not None:
                self._known.move_to_end(key)
            return found

    def put(self, key: Hashable, value: bytes) -> None:
        """Remember a value, and forget those that were used longest ago."""
        with self._lock:
            if key in self._known or len(value) * 4 > self._most:
                return
            self._known[key] = value
            self._held += len(value)
            while self._held > self._most:
                _, oldest = self._known.popitem(last=False)
                self._held -= len(oldest)
