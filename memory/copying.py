"""Copying a session into another store: in batches, oldest first, with a receipt of what came along.

    receipt = await copy(SQLiteSession("ticket_456", "conversations.db"), other)

The source is read twice: once to see what there is, which settles what can be carried, and once to carry
it. So the copy holds what was there when it began, whatever is appended meanwhile, and an edit of what it
has not come to yet is noticed. What no model could be sent stays behind and is counted: entries that cannot
be read, the call of a waiting decision, and whatever would be half of a pair or of a run without them.

A batch ends only where no pair and no run is cut. It is one transaction; so wherever a copy is interrupted,
the target holds a whole beginning of the source, and a note at its start that says whose. With that note
`copy` goes on where it stopped. The copy is read back at the end: the receipt says what is there, not what
was meant to be.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from .carrying import COPIER, COPYING, NOT_EMPTY, Batch, Carried
from .entries import Revision, Timeline
from .errors import HistoryChanged, MemoryDeskError, NothingToDo, NotSupported, SessionNotEmpty
from .finishing import to_the_end
from .manifest import Look, Manifest, content_of, digest_of, notes_of, survey, time_of
from .notes import Lease, Note

if TYPE_CHECKING:
    from .inspectable import InspectableSession

HELD = 30.0
"""Seconds for which the target is held at a time; a copy that was killed frees it when they have passed."""

SOURCE_MOVED = "The session was edited while it was being copied; copy it again."

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a copy, as it was found when the copy was read back.

    `seen` entries were in the source when the copy began, `copied` of them are in the copy, and `left_out`
    counts the others by why: the state of what cannot be read ("corrupt", "locked", "expired", ...),
    "waiting" for the call of an open decision, "unpaired" for what would be half of a pair without its
    other half. `later` entries were appended to the source since. `already` were there from a copy that was
    interrupted.

    `before` and `after` are SHA-256 digests, in hex, over those of the items that the source and the copy
    would give a model, each as canonical JSON, in their order: equal when no readable item was lost or
    changed. `changed` counts the items that the copy gives otherwise than the source, and `ordered` says
    that the others stand in their order. `times_lost` and `authors_lost` count the entries whose time, or
    whose known author, the copy does not have; `notes` came along and `notes_lost`
    did not. `unreadable` entries of the copy cannot be read there: their time to live has passed. What edits
    keep for an undo never comes along: `changes_lost` edits with `kept_lost` items.
    """

    seen: int
    copied: int
    left_out: Mapping[str, int]
    before: str
    after: str
    ordered: bool
    changed: int = 0
    later: int = 0
    already: int = 0
    times_lost: int = 0
    authors_lost: int = 0
    notes: int = 0
    notes_lost: int = 0
    unreadable: int = 0
    changes_lost: int = 0
    kept_lost: int = 0

    @property
    def same(self) -> bool:
        """Whether every entry of the source came along as it was."""
        return self.before == self.after and not self.left_out


async def copy(
    source: InspectableSession,
    target: InspectableSession,
    *,
    progress: Progress | None = None,
    batch: int = 500,
    origin: str | None = None,
    owner: str | None = None,
) -> Receipt:
    """Copy every entry of `source` that a model could be sent into `target`, which must be empty.

    `progress` is called with (entries there, entries to carry), first before anything is written. A batch
    has at least `batch` entries. `origin` names the source in the note at the start of the copy, and tells
    which interrupted copy this one may go on with: the id of the source by default. `owner` is who holds the
    target meanwhile (see `owner_of`): what an ended copy of the same owner could not give back is taken over
    at once. It is for whoever makes one copy at a time of each target, and nobody by default.

    Raises NothingToDo where there is nothing to carry, SessionNotEmpty unless the target is empty or holds
    a beginning of the same copy, SessionBusy while a run holds the target and LeaseLost where one took it,
    HistoryChanged where the source
    is edited meanwhile, and StoreUnavailable; what was copied by then stays, and `copy` may go on with it.
    Into a store with four methods only, an interrupted copy cannot be gone on with: empty it first.
    """
    if batch < 1:
        raise ValueError(f"A batch has at least one entry, not {batch}.")
    manifest = await survey(source, batch)
    if not manifest.carried:
        raise NothingToDo("There is nothing in this session that could be copied.")
    detail = {"origin": origin if origin is not None else source.session_id}
    async with _held(target, owner or COPIER + uuid4().hex) as hold:
        already = await _already(target, manifest, detail, batch)
        mark = await _carry(source, hold, manifest, already, detail, batch, progress)
        whole_now = {"n": len(manifest.carried), "left": sum(manifest.left_out.values())}
        await target.finish_copy({**detail, **whole_now}, mark, lease=hold.lease)
        found = await _read_back(hold, manifest, batch)
    total = (await source.timeline(limit=1)).total or 0
    changes = await source.changes()
    return replace(
        found,
        already=already,
        later=max(0, total - manifest.seen),
        changes_lost=len(changes),
        kept_lost=sum(change.added if change.undone else change.removed for change in changes),
    )


async def fits(target: InspectableSession, origin: str) -> bool:
    """Whether `copy` could write there: it is empty, or an interrupted copy of `origin`."""
    if await target.mark() is None:
        return not await target.changes()
    return await _unfinished(target, {"origin": origin})


# Holding the target


def owner_of(name: str) -> str:
    """The owner of a target's lease for a program that calls itself `name`: all can see that it copies."""
    return COPIER + name


@dataclass(slots=True)
class _Hold:
    """The target and its lease, None where it cannot hold one."""

    target: InspectableSession
    owner: str
    lease: Lease | None = None

    async def begin(self) -> None:
        """Hold it. Raises SessionBusy, or NotSupported."""
        left = await self.target.holder()
        if left is not None and left.owner == self.owner:
            await self.target.release(left)
        self.lease = await self.target.acquire(self.owner, HELD)

    async def on(self) -> None:
        """Hold it for longer."""
        if self.lease is not None:
            self.lease = await self.target.renew(self.lease, HELD)


@asynccontextmanager
async def _held(target: InspectableSession, owner: str) -> AsyncIterator[_Hold]:
    hold = _Hold(target, owner)
    try:
        with suppress(NotSupported):
            # To its end: a lease that nobody knows of would hold the target until it runs out.
            await to_the_end(hold.begin())
        yield hold
    finally:
        if hold.lease is not None:
            with suppress(MemoryDeskError):  # it runs out by itself
                await target.release(hold.lease)


# Carrying


async def _already(target: InspectableSession, manifest: Manifest, detail: dict[str, Any], size: int) -> int:
    """How many entries an interrupted copy has left there. Raises SessionNotEmpty for anything else."""
    expected = iter(manifest.carried)
    count = 0
    async for page in target.pages(size):
        for entry in page.entries:
            line = next(expected, None)
            if entry.item is None or line is None or digest_of(entry.item) != line.digest:
                raise SessionNotEmpty(NOT_EMPTY)
            count += 1
    if count and not await _unfinished(target, detail):
        raise SessionNotEmpty(NOT_EMPTY)
    return count


async def _unfinished(target: InspectableSession, detail: dict[str, Any]) -> bool:
    start = Timeline((), Revision(None))
    return any(note.kind == COPYING and note.detail == detail for note in await target.notes(start))


async def _carry(
    source: InspectableSession,
    hold: _Hold,
    manifest: Manifest,
    already: int,
    detail: dict[str, Any],
    size: int,
    progress: Progress | None,
) -> str | None:
    """Write what is not there yet; the mark of the last of it.

    Raises HistoryChanged at the first entry that is not the one seen.
    """
    total, done = len(manifest.carried), already
    if progress is not None:
        progress(done, total)
    behind = await hold.target.mark() if already else None
    async with aclosing(_batches(source, manifest, already, detail, size)) as batches:
        async for batch in batches:
            await hold.on()
            behind = await hold.target.carry(replace(batch, behind=behind), lease=hold.lease)
            done += len(batch.items)
            if progress is not None:
                progress(done, total)
    return behind


async def _batches(
    source: InspectableSession, manifest: Manifest, already: int, detail: dict[str, Any], size: int
) -> AsyncGenerator[Batch, None]:
    """What is carried, from entry number `already` on, in batches that part nothing."""
    items: list[Carried] = []
    opening: tuple[Note, ...] = ()
    number = 0  # of the carried entry looked at
    async with aclosing(_again(source, manifest, size)) as pages:
        async for page in pages:
            notes: dict[str | None, list[Note]] = {}
            for note in await notes_of(source, page):
                notes.setdefault(note.after, []).append(note)
            opening += tuple(notes.get(None, ()))
            for entry in page.entries:
                if number == len(manifest.carried) or entry.id != manifest.carried[number].id:
                    continue
                number += 1
                if number <= already:
                    continue
                if not entry.readable or entry.item is None:  # its time to live has passed meanwhile
                    raise HistoryChanged(SOURCE_MOVED)
                beside = tuple(notes.get(entry.id, ()))
                items.append(Carried(entry.item, time_of(entry), entry.sealed_at, entry.agent, beside))
                if number in manifest.cuts and (len(items) >= size or number == len(manifest.carried)):
                    first = number == len(items)
                    yield Batch(tuple(items), None, opening, detail) if first else Batch(tuple(items), None)
                    items = []


async def _again(source: InspectableSession, manifest: Manifest, size: int) -> AsyncGenerator[Timeline, None]:
    """The pages of the source as they were seen. Raises HistoryChanged where they are not the same."""
    seen = 0
    async with aclosing(source.pages(size)) as pages:
        async for page in pages:
            entries = page.entries[: manifest.seen - seen]
            if [entry.id for entry in entries] != manifest.ids[seen : seen + len(entries)]:
                raise HistoryChanged(SOURCE_MOVED)
            seen += len(entries)
            yield replace(page, entries=entries)
            if seen == manifest.seen:
                return
    raise HistoryChanged(SOURCE_MOVED)


# What came of it


async def _read_back(hold: _Hold, manifest: Manifest, size: int) -> Receipt:
    """The receipt of what is in the copy, but for what it does not tell of the source."""
    look = Look()
    async for page in hold.target.pages(size):
        await hold.on()
        look.add(page, len(await notes_of(hold.target, page)))
    digests = await asyncio.to_thread(look.readable)
    pairs = list(zip(look.entries, manifest.carried, strict=False))
    copied, unreadable = len(look.entries), len(look.entries) - len(digests)
    changed, ordered = _compared([line.digest for line in manifest.carried], digests)
    return Receipt(
        seen=manifest.seen,
        copied=copied,
        left_out=manifest.left_out,
        before=manifest.content,
        after=content_of(digests),
        ordered=ordered,
        changed=max(0, changed - unreadable),
        times_lost=sum(line.at is None or time_of(entry) != line.at for entry, line in pairs),
        authors_lost=sum(line.agent is not None and entry.agent != line.agent for entry, line in pairs),
        notes=look.notes,
        notes_lost=max(0, manifest.notes - look.notes),
        unreadable=unreadable,
    )


def _compared(expected: list[bytes], found: list[bytes]) -> tuple[int, bool]:
    """How many of these items were not found, and whether those that were are in their order."""
    if expected == found:
        return 0, True
    common = Counter(expected) & Counter(found)
    return len(expected) - common.total(), _only(expected, common) == _only(found, common)


def _only(digests: list[bytes], wanted: Counter[bytes]) -> list[bytes]:
    """The digests that are among those wanted, each as often as it is."""
    left = wanted.copy()
    kept = []
    for digest in digests:
        if left[digest] > 0:
            left[digest] -= 1
            kept.append(digest)
    return kept
