"""How many entries of a whole encrypted session cannot be sent, and why: counted with its length.

A count is kept by marks, which time does not change: what a row is, and of one that can be opened when it
was sealed, where that ever matters. So it is carried forward as the length of the session is, and what has
expired by now is told from it without reading a row again.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from .codec import Codec
from .entries import State, Unread
from .sealing import SKEW, FernetCodec, Look

Mark = tuple[State, str | None]
"""What a row is that cannot be opened; where it is LOCKED, with the session id it was written under."""

TRIES = 5000
"""So many signatures are checked to find under which ids locked rows were written: a fraction of a second."""

RUNS = 16
"""So many runs of times are searched one by one; more of them are made one."""


@dataclass(frozen=True, slots=True)
class Census:
    """The count of some rows: `marks` of those that cannot be opened, and when the others were sealed.

    Times are kept only where they ever matter, in sorted runs: one is added with each count, and a page that
    was taken out again is a run of `gone`. So neither to count on nor to tell what has expired costs more
    in a long session.
    """

    marks: Mapping[Mark, int] = field(default_factory=dict)
    times: tuple[Sequence[int], ...] = ()
    gone: tuple[Sequence[int], ...] = ()

    @classmethod
    def of(cls, codec: Codec, looks: Iterable[Look]) -> Census:
        """The count of rows that were looked at."""
        looks = list(looks)
        marks: Counter[Mark] = Counter(
            (look.state, look.written_as) for look in looks if look.state is not State.OK
        )
        if codec.ttl is None:
            return cls(marks)
        times = sorted(look.time for look in looks if look.state is State.OK and look.time is not None)
        return cls(marks, (times,) if times else ())

    def __add__(self, other: Census) -> Census:
        """The count of the rows of both."""
        marks = Counter(self.marks)
        marks.update(other.marks)
        times, gone = self.times + other.times, self.gone + other.gone
        if len(times) + len(gone) > RUNS:
            left = Counter(chain.from_iterable(times))
            left.subtract(chain.from_iterable(gone))
            times, gone = (sorted(left.elements()),), ()
        return Census(marks, times, gone)

    def without(self, part: Census) -> Census | None:
        """The count of the rest; None where `part` does not lie in this one, which is then out of date."""
        if any(self.marks.get(mark, 0) < n for mark, n in part.marks.items()):
            return None
        marks = Counter(self.marks)
        marks.subtract(part.marks)
        return Census(+marks, self.times, self.gone + part.times)

    def unread(self, codec: FernetCodec) -> Unread:
        """What of this cannot be sent now."""
        states: Counter[State] = Counter()
        renamed: Counter[str] = Counter()
        for (state, written_as), n in self.marks.items():
            if written_as is not None:
                renamed[written_as] += n
            else:
                states[state] += n
        past, ahead = codec.bounds()
        for runs, sign in ((self.times, 1), (self.gone, -1)):
            states[State.EXPIRED] += sign * sum(bisect_left(run, past) for run in runs)
            states[State.AHEAD] += sign * sum(len(run) - bisect_right(run, ahead) for run in runs)
        return Unread(+states, renamed)

    def next_change(self, codec: FernetCodec) -> float | None:
        """When, in seconds, time alone may next change what `unread` says; None for never."""
        if codec.ttl is None:
            return None
        past, ahead = codec.bounds()
        moments = []
        for run in self.times:
            if (first := bisect_left(run, past)) < len(run):
                moments.append(run[first] + codec.ttl + 1)
            if (first := bisect_right(run, ahead)) < len(run):
                moments.append(run[first] - SKEW)
        return min(moments, default=None)


def recognised(codec: FernetCodec, raws: Iterable[bytes | str], session_ids: Iterable[str]) -> list[str]:
    """Under which of these session ids any of the locked rows were written, those of the first row first.

    All of the rows are tried where they and the ids are few, else some from all over them.
    """
    looks = ((raw, codec.look(raw)) for raw in raws)
    locked = [raw for raw, look in looks if look.state is State.LOCKED and look.written_as is None]
    found: list[str] = []
    if not locked:
        return found
    others = {
        session_id: FernetCodec(codec.keys, session_id, None, codec.clock)
        for session_id in session_ids
        if session_id != codec.session_id
    }
    step = max(1, len(locked) * len(others) // TRIES)
    for raw in locked[::step]:
        if any(not others[session_id].locked(raw) for session_id in found):
            continue
        fitting = (session_id for session_id, other in others.items() if not other.locked(raw))
        if (one := next(fitting, None)) is not None:
            found.append(one)
    return found
