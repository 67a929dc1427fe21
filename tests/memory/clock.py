"""A clock that a test moves."""

from __future__ import annotations

START = 1_700_000_000.0


class Clock:
    """Seconds since the epoch, as a test says."""

    def __init__(self, now: float = START) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now
