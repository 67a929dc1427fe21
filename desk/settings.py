"""What a prototyper may set about the runtime, read from the environment once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .secrets import PLACES


@dataclass(frozen=True, slots=True)
class Settings:
    """`data` is the folder of the desk's own databases; nothing is made in it before the first write."""

    data: Path = Path("data")
    tracing: bool = False
    turns: int = 50  # whole turns that are sent besides the running one
    steps: int = 16  # model calls in one run before it is stopped
    lease: float = 15.0  # seconds a run may be silent before another may take its session
    settle: float = 3.0  # seconds the live runs get when the server stops
    patience: float = 20.0  # seconds a running tool gets after Stop
    secrets: tuple[Path, ...] = PLACES  # files of connections and keys, the nearest first

    @property
    def sessions(self) -> Path:
        """The database of the file backend."""
        return self.data / "sessions.db"

    @property
    def encrypted(self) -> Path:
        """The database of the encrypted backend."""
        return self.data / "encrypted.db"

    def ledger(self, connection: str) -> Path:
        """Where undo is kept for a database in which no tables may be made."""
        return self.data / f"ledger-{connection}.db"

    @property
    def lifetimes(self) -> Path:
        """How long items of encrypted sessions may be read."""
        return self.data / "lifetimes.json"

    @property
    def orders(self) -> Path:
        """The orders' live state."""
        return self.data / "orders.db"


def read_settings(env: Mapping[str, str] | None = None) -> Settings:
    """Settings from `env`, the process's environment by default.

    `DESK_DATA` moves the data folder; `DESK_TRACING=1` lets the SDK send traces to its service.
    """
    env = os.environ if env is None else env
    return Settings(
        data=Path(env.get("DESK_DATA") or "data").expanduser(),
        tracing=env.get("DESK_TRACING") == "1",
    )
