"""Order ids in a text, as people type them: a100, Ａ１００, A-100, "order A 100", #A100.

They are written as the desk's tools take them: in capitals, without what stood between letter and digits.
The search begins at the digits, of which most texts have none: a long history is looked through for ids.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .folding import word_set

_DIGITS = re.compile(r"(?<!\d)\d{3,12}(?!\d)")
_LETTERS = re.compile(r"(?<![a-z0-9])#?(?P<letters>[a-z]{1,4})(?P<between>\s?[-_.#]\s?)?$", re.ASCII)
_LETTER = re.compile(r"(?<![a-z0-9])(?P<letter>[a-z])\s$", re.ASCII)
_WORD = re.compile(
    r"(?:(?:\border|\bparcel|\bpackage|订单|单号|定单|订购|包裹)(?:\s*(?:number|no\.?|nr\.?|id|号码?|编号))?"
    r"\s*(?:is|是|为|:)?\s*#?|#)$",
    re.ASCII,
)
_SPOILS = re.compile(r"[a-z0-9%]|[-_][a-z0-9]|\.\d|\s*(?:室|房|号楼|栋|楼)", re.ASCII)
_OF_A_HOUSE = re.compile(r"(?:\b(?:apt\.?|flat|room|unit|suite) |室|房)#?$", re.ASCII)
_SPACED = re.compile(r"(?<![A-Za-z0-9])([A-HJ-Z])\s$", re.ASCII)
_COUNTED = re.compile(r"\s*(?:dollars?|bucks|euros?|usd|days?|times|people|%)", re.ASCII | re.IGNORECASE)
_NO_LETTERS = word_set(
    """
    usd us eur cny rmb ntd nt hkd hk gbp jpy apt flat room unit no nr at to in by of or am pm
    jan feb mar apr may jun jul aug sep sept oct nov dec covid html http iso utf mp
    """
)
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
    found = []
    for digits in _DIGITS.finditer(text):
        if _SPOILS.match(text, digits.end()):
            continue
        mention = _plain(text, digits) or _after_a_word(text, digits)
        if mention is None and len(typed) == len(text):
            mention = _spaced(typed, digits)
        if mention is not None:
            found.append(mention)
    return found


def _plain(text: str, digits: re.Match[str]) -> Mention | None:
    """A100, a-100, PO-7788."""
    found = _LETTERS.search(text, max(0, digits.start() - 8), digits.start())
    if found is None or len(digits[0]) > 8 or found["letters"] in _NO_LETTERS:
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
