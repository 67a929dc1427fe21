"""What a session holds that can be carried to another one, worked out before anything is written.

Entries are looked through once and kept without their texts, for a session may be large. What no model
could be sent stays behind, and so does whatever would be half of a pair or of a run without it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from .carrying import COPIED, COPYING
from .entries import Entry, Item, Timeline
from .freshness import aged
from .notes import Note
from .pairs import halves, match, runs, whole

if TYPE_CHECKING:
    from .inspectable import InspectableSession

WAITING, UNPAIRED = "waiting", "unpaired"
"""Why a readable entry stays behind: it waits for a person, or would be half of something."""


def canonical(item: Item) -> bytes:
    """The item as JSON that is the same for equal items, whatever the order of their keys."""
    return json.dumps(item, sort_keys=True, separators=(",", ":")).encode()


def digest_of(item: Item) -> bytes:
    """What tells the item from any other."""
    return hashlib.sha256(canonical(item)).digest()


def content_of(digests: Iterable[bytes]) -> str:
    """What tells these items in their order from any others, in hex."""
    return hashlib.sha256(b"".join(digests)).hexdigest()


class Look:
    """What was seen of a session, page after page: its entries without their texts, and how many notes."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.digests: list[bytes] = []
        self.notes = 0

    def add(self, page: Timeline, notes: int) -> None:
        self.notes += notes
        for entry in page.entries:
            self.digests.append(digest_of(entry.item) if entry.item is not None else b"")
            self.entries.append(_lean(entry))

    def readable(self) -> list[bytes]:
        """The digests of what a model may be sent, time having passed over whole pairs and runs."""
        self.entries = aged(self.entries)
        return [digest for entry, digest in zip(self.entries, self.digests, strict=True) if entry.readable]


class Line(NamedTuple):
    """An entry that is carried: which, what it holds, when and by whom it was written."""

    id: str
    digest: bytes
    at: datetime | None
    agent: str | None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the source held when the copy began: the ids of all entries, and which of them are carried.

    `cuts` are the numbers of carried entries after which a batch may end, `content` the digest of all that
    can be read, `notes` how many notes there were.
    """

    ids: list[str]
    carried: list[Line]
    cuts: frozenset[int]
    left_out: Mapping[str, int]
    content: str
    notes: int

    @property
    def seen(self) -> int:
        return len(self.ids)


async def survey(source: InspectableSession, size: int) -> Manifest:
    """Look through the source once."""
    look = Look()
    async for page in source.pages(size):
        look.add(page, len(await notes_of(source, page)))
    pause = await source.waiting()
    waiting = {call[0] for call in pause.calls} if pause is not None else set()
    # In a thread, for it looks at every entry at once, and other sessions use this loop.
    return await asyncio.to_thread(_settle, look, waiting)


def _settle(look: Look, waiting: set[str]) -> Manifest:
    """What of these entries is carried."""
    content = content_of(look.readable())
    entries = look.entries
    going = whole(entries)
    carried = {entry.key for entry in going}
    return Manifest(
        ids=[entry.id for entry in entries],
        carried=[
            Line(entry.id, digest, time_of(entry), entry.agent)
            for entry, digest in zip(entries, look.digests, strict=True)
            if entry.key in carried
        ],
        cuts=_cuts(going),
        left_out=_left_out(entries, carried, waiting),
        content=content,
        notes=look.notes,
    )


def time_of(entry: Entry) -> datetime | None:
    """When the entry was stored; of an envelope in a store that keeps no times, when it was sealed."""
    return entry.created_at or entry.sealed_at


async def notes_of(session: InspectableSession, page: Timeline) -> list[Note]:
    """The notes of a page but for what says of a session that it is a copy."""
    return [note for note in await session.notes(page) if note.kind not in (COPYING, COPIED)]


TYING = ("type", "role", "call_id", "id", "approval_request_id")
"""The fields of an item that tell its place in pairs and runs."""


def _lean(entry: Entry) -> Entry:
    """The entry with no more of its item than pairs and runs are told by."""
    item = entry.item
    tie = {name: item[name] for name in TYING if name in item} if item is not None else None
    return replace(entry, item=tie, raw="")


def _left_out(entries: Sequence[Entry], carried: set[Any], waiting: set[str]) -> dict[str, int]:
    lone = {entry.key for entry in halves(entries)[0] if entry.call_id in waiting} if waiting else set()
    reasons: Counter[str] = Counter()
    for entry in entries:
        if entry.key in carried:
            continue
        reasons[str(entry.state) if not entry.readable else WAITING if entry.key in lone else UNPAIRED] += 1
    return dict(sorted(reasons.items()))


def _cuts(entries: Sequence[Entry]) -> frozenset[int]:
    """After how many of these entries no pair and no run is open."""
    place = {entry.key: index for index, entry in enumerate(entries)}
    reach = list(range(len(entries)))
    for one, other in match(entries).items():
        first, last = sorted((place[one], place[other]))
        reach[first] = max(reach[first], last)
    for run in runs(entries):
        first = place[run[0].key]
        reach[first] = max(reach[first], place[run[-1].key])
    cuts, open_until = set(), -1
    for index, last in enumerate(reach):
        open_until = max(open_until, last)
        if open_until == index:
            cuts.add(index + 1)
    return frozenset(cuts)
