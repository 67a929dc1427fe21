"""What must go along: pure reasoning over the part of a history that was read so far.

An edit names what goes. Whatever could not stand without it goes too, and what could not stand without
that, until nothing is left half. The reasoning is a generator: where it needs a part of the history that
was not read it yields a `Need`, and goes on when that part has been added to `Known`. So it reads a
handful of rows around the cut, whatever the length of the session.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from .edits import Taken
from .entries import Entry, Key, Kind
from .items import half_of
from .pairs import continues_run, is_call, is_output

Because = Literal["call", "output", "reasoning", "follower"]


@dataclass(frozen=True, slots=True)
class NeedPartner:
    """The other half of this entry's pair, if it has one: `Known.add_partner`."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class NeedNeighbours:
    """A few entries from this one on, before it or behind it: `Known.add_stretch`."""

    entry: Entry
    older: bool


Need = NeedPartner | NeedNeighbours


@dataclass
class Known:
    """The part of a session that was read: entries, which of them are neighbours, and pairs."""

    entries: dict[Key, Entry] = field(default_factory=dict)
    before: dict[Key, Key | None] = field(default_factory=dict)
    after: dict[Key, Key | None] = field(default_factory=dict)
    partners: dict[Key, Key | None] = field(default_factory=dict)

    def add_stretch(
        self, stretch: Sequence[Entry], *, from_start: bool = False, to_end: bool = False
    ) -> None:
        """Add neighbouring entries in order; the flags say that the session starts or ends with them."""
        for entry in stretch:
            self.entries[entry.key] = entry
        for left, right in pairwise(stretch):
            self.after[left.key], self.before[right.key] = right.key, left.key
        if stretch and from_start:
            self.before[stretch[0].key] = None
        if stretch and to_end:
            self.after[stretch[-1].key] = None

    def add_partner(self, entry: Entry, partner: Entry | None) -> None:
        """Add the other half of `entry`; None says that it has none."""
        self.entries.setdefault(entry.key, entry)
        self.partners[entry.key] = partner.key if partner else None
        if partner is not None:
            self.entries.setdefault(partner.key, partner)
            self.partners[partner.key] = entry.key

    def partner(self, entry: Entry) -> Generator[Need, None, Entry | None]:
        """The other half of `entry`'s pair, or None."""
        if half_of(entry.item) is None:
            return None
        if entry.key not in self.partners:
            yield NeedPartner(entry)
        key = self.partners[entry.key]
        return self.entries[key] if key is not None else None

    def neighbour(self, links: dict[Key, Key | None], entry: Entry) -> Generator[Need, None, Entry | None]:
        """The entry next to `entry` along `links` (`self.before` or `self.after`), None at the end."""
        if entry.key not in links:
            yield NeedNeighbours(entry, older=links is self.before)
        key = links[entry.key]
        return self.entries[key] if key is not None else None

    def run(self, entry: Entry) -> Generator[Need, None, list[Entry]]:
        """The reasoning run that `entry` is part of, in order; empty if it is part of none."""
        if entry.kind is Kind.USER or is_output(entry):
            return []
        first = entry
        while (left := (yield from self.neighbour(self.before, first))) and continues_run(left, first):
            first = left
        if first.kind is not Kind.REASONING:
            return []
        found = [first]
        while (right := (yield from self.neighbour(self.after, found[-1]))) and continues_run(
            found[-1], right
        ):
            found.append(right)
        return found


def close(
    known: Known, named: Callable[[Key], bool], suspects: Iterable[Entry]
) -> Generator[Need, None, list[Taken]]:
    """All that goes beyond what was named, in stored order, and why.

    `named` says whether the entry at a key goes by the edit's own words; `suspects` are the entries, on
    either side, whose partner or run may lie across that line.
    """
    taken: dict[Key, Taken] = {}

    def goes(entry: Entry) -> bool:
        return named(entry.key) or entry.key in taken

    queue = list(suspects)
    while queue:
        entry = queue.pop()
        partner = yield from known.partner(entry)
        if partner is not None and goes(entry) != goes(partner):
            stays, went = (partner, entry) if goes(entry) else (entry, partner)
            taken[stays.key] = Taken.of(stays, "call" if is_call(went) else "output")
            queue.append(stays)
        run = yield from known.run(entry)
        if any(map(goes, run)):
            for member in run:
                if not goes(member):
                    because: Because = "follower" if member.kind is Kind.REASONING else "reasoning"
                    taken[member.key] = Taken.of(member, because)
                    queue.append(member)
    return [taken[key] for key in sorted(taken)]
