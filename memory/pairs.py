"""Pairs and runs: which items cannot stand without each other.

A call and its output are a pair. A reasoning item and the calls or the message that follow it are a run:
providers refuse either part alone. Everything here is pure and works on entries in stored order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from .entries import Entry, Key, Kind
from .items import Role, half_of


def match(entries: Iterable[Entry]) -> dict[Key, Key]:
    """The partner of each paired entry, by order key, both ways.

    An output answers the newest call before it that has its call id and no answer yet; call ids that are
    used again in a session so find the right call. Halves without a partner are not in the result.
    """
    open_calls: dict[tuple[str, str], list[Key]] = defaultdict(list)
    partner: dict[Key, Key] = {}
    for entry in entries:
        half = half_of(entry.item)
        if half is None:
            continue
        if half.role is Role.CALL:
            open_calls[half.pair].append(entry.key)
        elif open_calls[half.pair]:
            call = open_calls[half.pair].pop()
            partner[call], partner[entry.key] = entry.key, call
    return partner


def halves(entries: Iterable[Entry]) -> tuple[list[Entry], list[Entry]]:
    """The calls without an output and the outputs without a call among `entries`, each in order."""
    entries = list(entries)
    partner = match(entries)
    calls: list[Entry] = []
    outputs: list[Entry] = []
    for entry in entries:
        half = half_of(entry.item)
        if half is not None and entry.key not in partner:
            (calls if half.role is Role.CALL else outputs).append(entry)
    return calls, outputs


def is_call(entry: Entry) -> bool:
    half = half_of(entry.item)
    return half is not None and half.role is Role.CALL


def is_output(entry: Entry) -> bool:
    half = half_of(entry.item)
    return half is not None and half.role is Role.OUTPUT


def continues_run(before: Entry, entry: Entry) -> bool:
    """Whether `entry` belongs to the same run as `before`, if `before` is part of one.

    A run is one or more reasoning items and what the same response went on to: either one other item, or
    all the calls it made side by side.
    """
    if before.kind is Kind.REASONING:
        return entry.kind is not Kind.USER and not is_output(entry)
    return is_call(before) and is_call(entry)


def runs(entries: Sequence[Entry]) -> list[list[Entry]]:
    """The runs that start with a reasoning item, each as the entries it spans, in order."""
    found: list[list[Entry]] = []
    current: list[Entry] = []
    for entry in entries:
        if current and continues_run(current[-1], entry):
            current.append(entry)
            continue
        if current:
            found.append(current)
        current = [entry] if entry.kind is Kind.REASONING else []
    if current:
        found.append(current)
    return found


def whole(entries: Sequence[Entry]) -> list[Entry]:
    """The readable entries that can be sent to a model: no half of a pair, no part of a run.

    A reasoning item with nothing after it goes; so does a call without its output, an output without its
    call, and everything that rests on them.
    """
    stored_runs = runs(entries)
    kept = [entry for entry in entries if entry.readable]
    while True:
        partner = match(kept)
        present = {entry.key for entry in kept}
        gone = {entry.key for entry in kept if half_of(entry.item) and entry.key not in partner}
        for run in stored_runs:
            left = {entry.key for entry in run if entry.key in present}
            if left and (len(left) < len(run) or run[-1].kind is Kind.REASONING or left & gone):
                gone |= left
        if not gone:
            return kept
        kept = [entry for entry in kept if entry.key not in gone]
