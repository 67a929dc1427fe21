"""Card numbers in a text: where they stand, and the text without them.

A card number is 13 to 19 digits of any script that pass the Luhn check, in one block or in groups with
blanks, dashes, dots and the like between them. Dates and sums of money are no part of one, so that a list
of dates or prices is not mistaken for a card.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_BETWEEN = r"[\s\-‐‑‒–—―−.·•_/\\\u200b-\u200f\u2060\ufeff]{0,3}"  # what may stand between two digits
_RUN = re.compile(rf"\d(?:{_BETWEEN}\d)+")
_GROUP = re.compile(r"\d+")
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])(?!\d)")
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
    """The cards in a run of digits and separators. A card begins and ends where a group does."""
    groups = [found.span() for found in _GROUP.finditer(text, start, end)]
    first = 0
    while first < len(groups):
        digits, card = "", None
        for last in range(first, len(groups)):
            digits += "".join(_digits(text[slice(*groups[last])]))
            if len(digits) > 19:
                break
            if len(digits) >= 13 and _passes_luhn(digits):
                card = last
        if card is None:
            first += 1
        else:
            yield groups[first][0], groups[card][1]
            first = card + 1


def _digits(text: str) -> Iterator[str]:
    return (str(int(char)) for char in text if char.isdecimal())


def _passes_luhn(digits: str) -> bool:
    doubled = (int(digit) * 2 for digit in digits[-2::-2])
    return (sum(map(int, digits[-1::-2])) + sum(n - 9 if n > 9 else n for n in doubled)) % 10 == 0
