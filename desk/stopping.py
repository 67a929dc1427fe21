"""How a live run is stopped without leaving half of anything.

While words stream, the run is cut at once. While tools may be at work, the step is let to its end, so that
no effect is without its call and its output; only a tool that outlasts all patience is left behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

Why = Literal["stopped", "interrupted"]
Cut = Callable[[Literal["immediate", "after_turn"]], None]


class Stopper:
    """The way to stop one run. Used on the loop only; asking twice is asking once."""

    def __init__(self, patience: float) -> None:
        self._patience = patience  # seconds
        self._cut: Cut | None = None
        self._acting: Callable[[], bool] = lambda: False
        self.why: Why | None = None
        self.lost = False  # another run took the session

    def follow(self, cut: Cut, acting: Callable[[], bool]) -> None:
        """The run is going on: how to cut it, and whether its tools may be at work."""
        self._cut, self._acting = cut, acting
        if self.why is not None:
            self._apply()

    def ask(self, why: Why) -> None:
        """Stop as soon as nothing is torn apart by it. Remembered where the run has not begun."""
        if self.why is None:
            self.why = why
            self._apply()

    def lose(self) -> None:
        """The session is another's now: stop at once, nothing more can be stored."""
        self.lost = True
        self.force()

    def force(self) -> None:
        """Stop at once, whatever is going on."""
        self.why = self.why or "interrupted"
        if self._cut is not None:
            self._cut("immediate")

    def _apply(self) -> None:
        if self._cut is None:
            return
        if self._acting():
            self._cut("after_turn")
            asyncio.get_running_loop().call_later(self._patience, self._give_up)
        else:
            self._cut("immediate")

    def _give_up(self) -> None:
        if self._cut is not None and self._acting():
            self._cut("immediate")

    def done(self) -> None:
        """The run is over."""
        self._cut = None
