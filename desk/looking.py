"""What a page sees of a session at one time. Looking never writes, and never needs the SDK."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from memory.encrypted_session import EncryptedTableSession
from memory.entries import Entry, Kind, Revision, Timeline
from memory.errors import MemoryDeskError
from memory.notes import Lease, Note, Pause, PauseState

from .closing import effects_of
from .run_session import begins_turn
from .samples import SampleError
from .settling import ASKED, answered, interrupted, interruption
from .values import Address, View

if TYPE_CHECKING:
    from .conductor import Conductor
    from .effects import Effect
    from .holding import Holds
    from .orders import Orders
    from .runs import Runs
    from .stores import Stores

EMPTY = Timeline((), Revision(None), total=0, turns=0)


async def look(
    address: Address,
    stores: Stores,
    runs: Runs,
    conductor: Conductor,
    orders: Callable[[], Orders],
    *,
    before: str | None,
    limit: int,
    turns: int,
    ahead: int = 0,
) -> View:
    """The view of an address, as it would be `ahead` seconds from now. Raises what the store raises."""
    version = runs.version(address)
    live = runs.at(address)
    run = live.seen() if live is not None else None
    if address.backend == "none":
        past, pause = runs.past(address), conductor.loose.get(address)
        called = [step.call_id for each in past for step in each.steps if step.kind == "call"]
        return View(
            address,
            EMPTY,
            (None, version),
            waiting=pause,
            effects=await _effects(orders, called, pause),
            run=run,
            past=past,
        )
    session = await (stores.later(address, ahead) if ahead else stores.session(address))
    timeline = await session.timeline(before=before, limit=limit)
    encrypted = session if isinstance(session, EncryptedTableSession) else None
    if encrypted and await encrypted.recognise(timeline, lambda: stores.written_here(address)):
        timeline = await session.timeline(before=before, limit=limit)
    entries = timeline.entries
    pause = await session.waiting()
    holder = await session.holder()
    changes = await session.changes()
    notes = await session.notes(timeline)
    working = run is not None and run.active
    elsewhere = conductor.holds.elsewhere(holder)
    quiet = not working and elsewhere is None and before is None
    unknown = False
    if pause is not None and pause.status is PauseState.DECIDING:
        if quiet and not answered(pause, entries):
            unknown = True
        else:
            pause = None  # being carried out, or done
    if (
        quiet
        and address.backend != "memory"  # which no server outlives
        and interrupted(address.session_id, entries, notes, changes, pause)
    ):
        notes.append(interruption(entries))
    standing = [change for change in changes if not change.void]
    undoable = any(not change.undone for change in standing)
    refused = undoable and await session.undo_refused()
    return View(
        address,
        timeline,
        (timeline.revision, version, getattr(session, "ttl", None), _held(elsewhere)),
        notes=tuple(_shown(notes, entries)),
        waiting=pause,
        effect_unknown=unknown,
        effects=await _effects(orders, _called(entries), pause),
        changes=tuple(changes),
        can_undo=undoable and not refused,
        undo_problem="undo_refused" if refused else None,
        can_redo=any(change.undone for change in standing),
        run=run,
        busy=elsewhere,
        sent_from=_sent_from(entries, turns),
        stored=bool(entries or changes) or await stores.has(address),
        lifetime=stores.lifetimes.of(address) if encrypted else None,
        keys=len(encrypted.codec.keys) if encrypted else 0,
        ahead=ahead,
        unerased=session.unerased,
        ledger_apart=getattr(session, "ledger_home", "database") != "database",
    )


async def revision(address: Address, stores: Stores, runs: Runs, holds: Holds) -> tuple[object, ...]:
    """What changes when `look` would show something new."""
    version = runs.version(address)
    if address.backend == "none":
        return (None, version)
    session = await stores.session(address)
    elsewhere = holds.elsewhere(await session.holder())
    # How long it may be read is no part of what is stored, and another server may have chosen it.
    return (await session.revision(), version, getattr(session, "ttl", None), _held(elsewhere))


def _held(lease: Lease | None) -> tuple[str, int] | None:
    """Who holds the session elsewhere. A lease that runs out changes nothing that is stored; one that is
    renewed is the same lease."""
    return None if lease is None else (lease.owner, lease.number)


def _shown(notes: Iterable[Note], entries: Sequence[Entry]) -> list[Note]:
    """The words that still say how something ended.

    A note behind a question says that it got no answer; once it was asked again and answered, the turn goes
    on behind the note and the word is out of date.
    """
    following = {left.id: right for left, right in pairwise(entries)}
    return [
        note
        for note in notes
        if note.kind != ASKED
        and (note.after is None or note.after not in following or following[note.after].kind is Kind.USER)
    ]


def _called(entries: Sequence[Entry]) -> list[str]:
    return [entry.call_id for entry in entries if entry.call_id and entry.kind is Kind.TOOL_CALL]


async def _effects(
    orders: Callable[[], Orders], called: Iterable[str], pause: Pause | None
) -> dict[str, Effect]:
    ids = [*called]
    ids += [call[0] for call in pause.calls] if pause is not None else []
    try:
        return await effects_of(orders(), ids) if ids else {}
    except (MemoryDeskError, SampleError):
        return {}  # the conversation can be read without the orders


def _sent_from(entries: Sequence[Entry], turns: int) -> str | None:
    """The first entry of this page that the next turn would send; None where the cut is not on it."""
    starts = [entry.id for entry in entries if begins_turn(entry)]
    if turns <= 0 or turns > len(starts):
        return None
    return starts[-turns]
