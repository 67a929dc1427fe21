"""An entry is one stored item as a person sees it: the item, and everything known about it.

The item is the model's and is never changed to carry what is ours; who wrote it, whether it can be
read and where it stands are fields of the entry, beside it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

Item = dict[str, Any]
"""What the model is sent: one input item of the Responses API, as the SDK stores it."""


Key = tuple[Any, ...]
"""A place in the store's own order; keys of one session compare. The last part is a whole number, so that
no place lies between a key and the one `above` or `below` it."""


def above(key: Key) -> Key:
    """The first place behind this one."""
    return (*key[:-1], key[-1] + 1)


def below(key: Key) -> Key:
    """The last place before this one."""
    return (*key[:-1], key[-1] - 1)


class Kind(StrEnum):
    """What an item is in the conversation."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL_CALL = "tool_call"
    TOOL_OUTPUT = "tool_output"
    HANDOFF = "handoff"
    REASONING = "reasoning"
    SUMMARY = "summary"
    OTHER = "other"


class State(StrEnum):
    """Whether the model would get the item, and if not, why."""

    OK = "ok"
    EXPIRED = "expired"  # its time to live has passed, or that of its pair or run; still stored
    AHEAD = "ahead"  # sealed by a clock that is ahead of this one: not valid yet
    LOCKED = "locked"  # sealed under a key that is not here
    CORRUPT = "corrupt"  # not the JSON of an item
    PLAINTEXT = "plaintext"  # an open row in a session that is encrypted
    UNPAIRED = "unpaired"  # half of a pair: its partner is not stored


@dataclass(frozen=True, slots=True)
class Entry:
    """One stored item.

    `id` is a token: whoever holds one passes it back and reads nothing from it. `key` is the store's own
    order and `fingerprint` a digest of `raw`; both are for plans, not for people. `position` counts from 1
    and `turn` from 0 (what stands before the first message of a person); both are None until counted.
    Of an encrypted entry, `sealed_at` is its own time, and `expires_at` when it expires or has expired; a
    pair or run expires with its first part. `written_as` is the session id under which a locked one was
    written, None where it is not known.
    """

    id: str
    kind: Kind
    agent: str | None
    created_at: datetime | None
    item: Item | None
    raw: str
    size: int  # bytes of `raw` in UTF-8
    state: State
    position: int | None = None
    turn: int | None = None
    key: Key = ()
    fingerprint: str = ""
    sealed_at: datetime | None = None
    expires_at: datetime | None = None
    written_as: str | None = None

    @property
    def call_id(self) -> str | None:
        """The id that ties a call to its output, or None for any other item."""
        value = self.item.get("call_id") if self.item else None
        return value if isinstance(value, str) else None

    @property
    def readable(self) -> bool:
        """Whether `item` is there to be sent to a model."""
        return self.item is not None and self.state in (State.OK, State.UNPAIRED)

    def veiled(self) -> Entry:
        """The entry as it may be shown: without the item where no model may be sent it."""
        return self if self.item is None or self.readable else replace(self, item=None)

    def at(
        self, position: int | None, turn: int | None, *, agent: str | None = None, alone: bool = False
    ) -> Entry:
        """The same entry with what only the whole history tells: its place, who wrote it, its other half."""
        # Written out, for `dataclasses.replace` takes four times as long and a page has 200 entries.
        return Entry(
            self.id,
            self.kind,
            agent or self.agent,
            self.created_at,
            self.item,
            self.raw,
            self.size,
            State.UNPAIRED if alone and self.readable else self.state,
            position,
            turn,
            self.key,
            self.fingerprint,
            self.sealed_at,
            self.expires_at,
            self.written_as,
        )


@dataclass(frozen=True, slots=True)
class Revision:
    """A value that differs whenever the store may have changed. Compare for equality only."""

    value: Hashable


@dataclass(frozen=True, slots=True)
class Unread:
    """How many entries of a whole encrypted session no model will be sent, by why.

    `states` counts each by its own row: what falls with the partner it rests on is not among them. Locked are
    those whose key is not here; those that are known to be written under another session id are in `renamed`
    instead, by that id. What is not there is 0.
    """

    states: Mapping[State, int]
    renamed: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Timeline:
    """One page of a session, oldest entry first.

    `older` says whether entries stand before the first one. `total` and `turns` are those of the whole
    session, None where they are not counted yet; so is `unread`, which only an encrypted session counts.
    """

    entries: tuple[Entry, ...]
    revision: Revision
    older: bool = False
    total: int | None = None
    turns: int | None = None
    unread: Unread | None = None

    @property
    def unreadable(self) -> tuple[Entry, ...]:
        """The entries of this page that no model will be sent."""
        return tuple(entry for entry in self.entries if not entry.readable)
