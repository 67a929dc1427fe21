"""Order ids in a text, as people type them: a100, Ａ１００, A-100, "order A 100", #A100.

They are written as the desk's tools take them: in capitals, without what stood between letter and digits.
The search begins at the digits, of which most texts have none: a long history is looked through for ids.

What looks like an id is one wherever it stands. Any other word of letters and digits is one where an order is
named (see `named_ids`): whether there is such an order is for the tools to say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .id_words import NO_LETTERS, is_measure, word_at
from .letter_ids import letter_names
from .named_ids import is_named

_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"(?<![a-z0-9])#?(?P<letters>[a-z]{1,4})(?P<between>\s?[-_.#]\s?)?$", re.ASCII)
_LETTER = re.compile(r"(?<![a-z0-9])(?P<letter>[a-z])\s$", re.ASCII)
_WORD = re.compile(
    r"(?:(?:\border|\bparcel|\bpackage|订单|单号|定单|订购|包裹)(?:\s*(?:number|no\.?|nr\.?|id|号码?|编号))?"
    r"\s*(?:is|是|为|:)?\s*#?|#)$",
    re.ASCII,
)
_SPOILS = re.compile(r"[a-z0-9%]|[-_][a-z0-9]|\.\d|\s*(?:室|房|号楼|栋|楼)", re.ASCII)
_OF_A_HOUSE = re.compile(r"(?:\b(?:apt\.?|flat|room|unit|suite) |室|房)#?$", re.ASCII)
_SPACED = re.compile(r"(?<![A-Za-z0-9:])([A-HJ-Z])\s$", re.ASCII)
_COUNTED = re.compile(r"\s*(?:dollars?|bucks|euros?|usd|days?|times|people|%)", re.ASCII | re.IGNORECASE)
_A_ROOM = re.compile(r"\s*(?:室|房|号楼|栋|楼)|%")
_DASHED = re.compile(r"([a-z])[-_](\d+)", re.ASCII)
_APART = re.compile(r"(?<![A-Za-z0-9])((?<!:)[A-HJ-Z]|[A-Z]{2,4}) $", re.ASCII)
_REACH = 24  # characters before the digits that may belong to an id, "order number" included


@dataclass(frozen=True)
class Mention:
    """An order id found in a folded text."""

    order: str
    start: int
    end: int


def ids_in(text: str, typed: str = "") -> list[Mention]:
    """The order ids in a folded text, in order.

    `typed` is the same text before folding: only there can "A 100" be told from "a 100". It is used where
    both have as many characters.
    """
    same = len(typed) == len(text)
    found: list[Mention] = []
    for digits in _DIGITS.finditer(text):
        last = found[-1].end if found else -1
        if digits.start() < last:
            continue
        mention = _by_shape(text, typed if same else "", digits)
        if mention is None:
            mention = _by_place(text, typed if same else "", digits, last)
        if mention is not None:
            found.append(mention)
    return _with_letters(found, typed) if same else found


def _with_letters(found: list[Mention], typed: str) -> list[Mention]:
    """The mentions, with those of letters alone: "order number ABC"."""
    named = [Mention(typed[start:end].upper(), start, end) for start, end in letter_names(typed)]
    return sorted([*found, *named], key=lambda mention: mention.start) if named else found


def _by_shape(text: str, typed: str, digits: re.Match[str]) -> Mention | None:
    """What looks like an id, and is not a part of a longer word."""
    if not 3 <= len(digits[0]) <= 12 or _SPOILS.match(text, digits.end()):
        return None
    if (plain := _plain(text, digits)) is not None:
        start, end = word_at(text, digits)
        if start < plain.start and text[plain.start] != "#":
            return Mention(text[start:end].upper(), start, end)  # XY-A100 is not A100
        return plain
    return _after_a_word(text, digits) or (_spaced(typed, digits) if typed else None)


def _by_place(text: str, typed: str, digits: re.Match[str], last: int) -> Mention | None:
    """Any other word, where it is given as the name of an order. `last` is where the id before it ends."""
    start, end = word_at(text, digits)
    if _A_ROOM.match(text, end) or _OF_A_HOUSE.search(text, max(0, start - 8), start):
        return None
    apart = _APART.search(typed, max(0, start - 6), start) if typed and start == digits.start() else None
    if (
        apart
        and apart[1].lower() not in NO_LETTERS
        and not is_measure(text[start:end])
        and not _COUNTED.match(text, end)
    ):  # "order ZZ 99"
        begin = apart.start()
        if is_named(text, begin, end, apart[1], last):
            return Mention(f"{apart[1]}{text[start:end].upper()}", begin, end)
    if not is_named(text, start, end, typed[start:end], last):
        return None
    dashed = _DASHED.fullmatch(text, start, end)
    name = dashed[1] + dashed[2] if dashed else text[start:end]
    return Mention(name.upper(), start, end)


def _plain(text: str, digits: re.Match[str]) -> Mention | None:
    """A100, a-100, PO-7788."""
    found = _LETTERS.search(text, max(0, digits.start() - 8), digits.start())
    if found is None or len(digits[0]) > 8 or found["letters"] in NO_LETTERS:
        return None
    if _OF_A_HOUSE.search(text, max(0, found.start() - 8), found.start()):
        return None
    # "A-100" is A100 typed with care; with more letters the dash may belong to the id.
    dash = found["between"].strip() if found["between"] and len(found["letters"]) > 1 else ""
    return Mention(f"{found['letters']}{dash}{digits[0]}".upper(), found.start(), digits.end())


def _after_a_word(text: str, digits: re.Match[str]) -> Mention | None:
    """ "Order A 100", "order 12345", "#12345"."""
    start = digits.start()
    letter = _LETTER.search(text, max(0, start - 3), start)
    begin = letter.start() if letter else start
    word = _WORD.search(text, max(0, begin - _REACH), begin)
    if word is None or (letter and len(digits[0]) > 5):
        return None
    return Mention(f"{letter['letter'] if letter else ''}{digits[0]}".upper(), begin, digits.end())


def _spaced(typed: str, digits: re.Match[str]) -> Mention | None:
    """A 100, with a capital letter."""
    found = _SPACED.search(typed, max(0, digits.start() - 2), digits.start())
    if found is None or len(digits[0]) > 4 or _COUNTED.match(typed, digits.end()):
        return None
    return Mention(f"{found[1]}{digits[0]}", found.start(), digits.end())
