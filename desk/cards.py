"""Card numbers in a text: where they stand, and the text without them.

A card number is 13 to 19 digits of any script that pass the Luhn check, in one block or in groups with
blanks, dashes, dots and the like between them. Dates and sums of money are no part of one, so that a list
of dates or prices is not mistaken for a card.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate

_BETWEEN = r"[\s\-‐‑‒–—―−.·•_/\\\u200b-\u200f\u2060\ufeff]{0,3}"  # what may stand between two digits
_RUN = re.compile(rf"\d(?:{_BETWEEN}\d)+")
_GROUP = re.compile(r"\d+")
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])(?!\d)")
_FEWEST, _MOST = 13, 19  # digits of a card
_CENTS = re.compile(r"(?<![\d.])(\d{1,7})\.\d\d(?![\d.]?\d)")


def find_cards(text: str) -> list[tuple[int, int]]:
    """Where card numbers stand in a text: (start, end) of each, in order, never overlapping."""
    # Same length as the text, so that places found here are places there.
    plain = _DATE.sub(lambda found: "x" * len(found[0]), text)
    plain = _CENTS.sub(lambda found: found[1] + "xxx", plain)
    return [span for run in _RUN.finditer(plain) for span in _cards_of_run(plain, *run.span())]


def mask_cards(text: str) -> str:
    """The text with each card number as "[•••• 1234]", its last four digits. Done twice is done once."""
    parts, end = [], 0
    for start, stop in find_cards(text):
        last = "".join(_digits(text[start:stop]))[-4:]
        parts += [text[end:start], f"[•••• {last}]"]
        end = stop
    return "".join([*parts, text[end:]])


def _cards_of_run(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The cards in a run of digits and separators. A card begins and ends where a group does.

    Of the cards that begin at a group the longest is taken. Each group is looked at a few times only, however
    long the run: the sums of the Luhn check are made once for all of it.
    """
    groups = [found.span() for found in _GROUP.finditer(text, start, end)]
    edges = [0, *accumulate(last - first for first, last in groups)]  # in digits: where each group ends
    luhn = _Luhn(int(digit) for group in groups for digit in text[slice(*group)])
    first = 0
    while first < len(groups):
        shortest = bisect_left(edges, edges[first] + _FEWEST)
        longest = bisect_right(edges, edges[first] + _MOST)
        ends = range(longest - 1, shortest - 1, -1)
        last = next((end for end in ends if luhn.holds(edges[first], edges[end])), None)
        if last is None:
            first += 1
        else:
            yield groups[first][0], groups[last - 1][1]
            first = last


def _digits(text: str) -> Iterator[str]:
    return (str(int(char)) for char in text if char.isdecimal())


class _Luhn:
    """The Luhn check for any stretch of digits, from two running sums over all of them.

    The check doubles every second digit, counted from the end of the stretch: so either those at even places
    or those at odd ones.
    """

    def __init__(self, digits: Iterable[int]) -> None:
        self._sums: tuple[list[int], list[int]] = ([0], [0])  # even places doubled; odd places doubled
        for place, digit in enumerate(digits):
            doubled = 2 * digit - 9 if digit > 4 else 2 * digit
            for doubles, sums in enumerate(self._sums):
                sums.append(sums[-1] + (doubled if place % 2 == doubles else digit))

    def holds(self, start: int, end: int) -> bool:
        """Whether the digits from `start` up to `end` pass."""
        sums = self._sums[end % 2]
        return (sums[end] - sums[start]) % 10 == 0
