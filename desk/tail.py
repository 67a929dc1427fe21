"""The newest turn as it is stored: with calls that got no output, and with what no model can read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memory.entries import Entry, Timeline

from .run_session import begins_turn

if TYPE_CHECKING:
    from memory.inspectable import InspectableSession

_PAGE = 50  # entries; a turn is rarely longer
_FAR = 40  # pages to go back for the question of a turn


class Tail(NamedTuple):
    """The newest turn. `before` is the id of the entry in front of it, None where there is none.

    `question` is the message the turn begins with, None where the session begins without one; `timeline` is
    the newest page as it was read.
    """

    entries: list[Entry]
    before: str | None
    question: Entry | None
    timeline: Timeline

    @property
    def newest(self) -> str | None:
        """The id of the newest entry."""
        return self.entries[-1].id if self.entries else None


async def tail(session: InspectableSession) -> Tail:
    """Read the newest turn. Raises StoreUnavailable."""
    newest = page = await session.timeline(limit=_PAGE)
    entries = list(page.entries)
    for _ in range(_FAR):
        places = [index for index, entry in enumerate(entries) if begins_turn(entry)]
        if places and places[-1] > 0:
            start = places[-1]
            return Tail(entries[start:], entries[start - 1].id, entries[start], newest)
        if not page.older:
            return Tail(entries, None, entries[0] if places else None, newest)
        page = await session.timeline(before=entries[0].id, limit=_PAGE)
        entries[:0] = page.entries
    return Tail(entries, None, None, newest)
