"""The SDK's session contract, stated structurally so that it loads without the SDK.

The SDK's runner takes any object that has these members; its own `SessionSettings` is fetched when first
asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from .entries import Item

if TYPE_CHECKING:
    from agents.memory import SessionSettings


class SessionABC(ABC):
    """Four methods and two attributes: all a store needs to be a session.

    Items come and go in time order, oldest first. `add_items` stores its batch as a whole or not at all.
    """

    session_id: str
    session_settings: SessionSettings | None = None

    @abstractmethod
    async def get_items(self, limit: int | None = None) -> list[Item]:
        """The newest `limit` items in time order; None gives all, 0 none.

        Raises ValueError for a negative or fractional limit.
        """

    @abstractmethod
    async def add_items(self, items: list[Item]) -> None:
        """Append the batch. Raises TypeError, storing nothing, if an item is not JSON."""

    @abstractmethod
    async def pop_item(self) -> Item | None:
        """Take the newest item away and return it; None if there is none."""

    @abstractmethod
    async def clear_session(self) -> None:
        """Remove every item, for good."""


MOST = 2**31 - 1
"""No session is longer; a larger limit would not fit into a number of every database."""


def resolve_limit(limit: int | None, settings: Any) -> int | None:
    """The limit that applies: the one given, else the one in `settings`, else None.

    Raises ValueError for anything but None or a whole number from 0 up, on every store alike.
    """
    if limit is None:
        limit = getattr(settings, "limit", None)
    return None if limit is None else whole_number(limit, "limit must be None or")


def whole_number(value: Any, complaint: str = "limit must be") -> int:
    """The value, held down to `MOST`. Raises ValueError unless it is a whole number from 0 up."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{complaint} a whole number from 0 up, not {value!r}.")
    return min(value, MOST)


def session_settings_class() -> type[Any]:
    """The SDK's own `SessionSettings`, imported on the first call (about a second)."""
    from agents.memory import SessionSettings

    return SessionSettings
