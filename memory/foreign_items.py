"""The items of a store that shows nothing else: told apart by their place and what they hold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .codec import encode_item
from .edits import Clear, Edit, RollBack, Taken
from .entries import Entry, Kind, State
from .errors import EntryNotFound, NothingToDo, NotSupported
from .items import kind_of
from .pairs import halves, match, runs


def fingerprint(item: Any) -> str:
    """A digest of what an item holds; equal for items that are the same JSON, whatever their keys' order."""
    try:
        text = json.dumps(item, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        text = repr(item)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def digest(items: Sequence[Any]) -> str:
    """A digest of several items in their order."""
    return hashlib.blake2b("".join(map(fingerprint, items)).encode(), digest_size=16).hexdigest()


def entries_of(items: Sequence[Any]) -> list[Entry]:
    """The items as entries, with their places; whatever is not the JSON of an item is marked corrupt."""
    entries: list[Entry] = []
    turn = 0
    for position, item in enumerate(items, start=1):
        entry = _entry(position, item)
        turn += entry.kind is Kind.USER
        entries.append(replace(entry, turn=turn))
    calls, outputs = halves(entries)
    alone = {entry.key for entry in (*calls, *outputs)}
    return [replace(e, state=State.UNPAIRED) if e.key in alone else e for e in entries]


def kept_by(edit: Edit, entries: Sequence[Entry]) -> int:
    """How many of the entries an edit would keep, whole pairs or not.

    Raises NothingToDo, EntryNotFound, or NotSupported for an edit that four methods cannot make.
    """
    if not entries:
        raise NothingToDo("The session holds no items.")
    if isinstance(edit, Clear):
        return 0
    if isinstance(edit, RollBack):
        return 0 if edit.to is None else find(entries, edit.to) + 1
    raise NotSupported(
        "A store that only follows the session protocol can be rolled back or cleared, no more."
    )


def find(entries: Sequence[Entry], token: str) -> int:
    """Where the entry stands among them, counted from 0. Raises EntryNotFound."""
    for index, entry in enumerate(entries):
        if entry.id == token:
            return index
    raise EntryNotFound


def whole_cut(entries: Sequence[Entry], keep: int) -> tuple[int, list[Taken]]:
    """Move a cut back until it parts no pair and no run: how many entries stay, and what that adds.

    Only the end of such a store can be taken, so what stands between goes too.
    """
    place = {entry.key: index for index, entry in enumerate(entries)}
    partner = match(entries)
    run_of = {entry.key: run for run in runs(entries) for entry in run}
    first, end = keep, len(entries)
    because: dict[int, Taken] = {}
    while first < end:
        # Look at what was added last; whatever it cannot stand without moves the cut further back.
        added, end = entries[first:end], first
        for entry in added:
            mate = partner.get(entry.key)
            if mate is not None and place[mate] < first:
                because[place[mate]] = Taken.of(entries[place[mate]], "output")
            for member in run_of.get(entry.key, ()):
                if place[member.key] < first:
                    because.setdefault(place[member.key], Taken.of(member, "follower"))
        first = min(because, default=first)
    return first, [because.get(i, Taken.of(entries[i], "between")) for i in range(first, keep)]


def _entry(position: int, item: Any) -> Entry:
    try:
        raw, readable = encode_item(item), True
    except (TypeError, ValueError):
        raw, readable = repr(item), False
    print_ = fingerprint(item)
    return Entry(
        id=f"{position}.{print_[:8]}",
        kind=kind_of(item if readable else None),
        agent=None,
        created_at=None,
        item=item if readable else None,
        raw=raw,
        size=len(raw.encode("utf-8", "surrogatepass")),
        state=State.OK if readable else State.CORRUPT,
        position=position,
        key=(position,),
        fingerprint=print_,
    )
