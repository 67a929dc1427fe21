"""Which agent a message goes to, read from nothing but the stored entries.

Because nothing else is remembered, a roll back, an undo or a restart takes the answer along.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.entries import Entry, Kind
from memory.items import text_of

from .values import AGENTS

FRONT = AGENTS[0]

# A question mark of any script, with nothing but closing marks and blanks behind it.
_ASKS = re.compile(r"[?？؟][\s\"'”’」』)）\]】*_~]*$")


def starting_agent(entries: Sequence[Entry]) -> str:
    """The agent that answers next where nobody chose one: the one that asked, else the front agent.

    `entries` are the newest of the session, oldest first, at least back to the last assistant message.
    """
    for entry in reversed(entries):
        if entry.kind is Kind.ASSISTANT and entry.item is not None:
            asked = entry.agent in AGENTS and _ASKS.search(text_of(entry.item)) is not None
            return str(entry.agent) if asked else FRONT
    return FRONT
