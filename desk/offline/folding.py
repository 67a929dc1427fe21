"""Text as it is understood: half width, lower case, simplified characters, straight apostrophes.

Understanding happens on the folded text; what is quoted, stored as an address or remembered as a name is
always taken from the text as it was typed. So a `Folded` keeps where each of its characters came from.
"""

from __future__ import annotations

import re
import unicodedata

from .characters import TO_SIMPLIFIED

# Punctuation that NFKC leaves alone. Chinese full stops and quotation marks stay: they mean something here.
_PLAIN = {"’": "'", "‘": "'", "`": "'", "´": "'", "…": ".", "‐": "-", "–": "-", "—": "-", "−": "-", "－": "-"}


class _Table(dict[int, str]):
    """For `str.translate`: each character is folded when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold(chr(code))
        return folded


def _fold(character: str) -> str:
    if character in _PLAIN:
        return _PLAIN[character]
    if unicodedata.category(character) in ("Cf", "Mn"):
        return ""  # zero-width joiners and the like: seen by nobody
    plain = unicodedata.normalize("NFKC", character).lower()
    plain = "".join(_PLAIN.get(part, TO_SIMPLIFIED.get(part, part)) for part in plain)
    return " " if plain.isspace() and plain != "\n" else plain


# A fold is a fact of Unicode, so keeping it is no memory of what was said.
_TABLE = _Table()


def fold(typed: str) -> str:
    """The folded text alone."""
    if typed.isascii():
        return typed.lower().replace("`", "'")
    return typed.translate(_TABLE)


class Folded:
    """A text as typed (`typed`) and as understood (`text`)."""

    __slots__ = ("_places", "text", "typed")

    def __init__(self, typed: str) -> None:
        self.typed = typed
        self.text = fold(typed)
        self._places: list[int] | None = None  # of each folded character in `typed`; None: the same

    def as_typed(self, start: int, end: int) -> str:
        """What was typed where the folded text has `start` to `end`."""
        if self._places is None and len(self.text) == len(self.typed):
            return self.typed[start:end]
        if self._places is None:
            self._places = [i for i, character in enumerate(self.typed) for _ in _TABLE[ord(character)]]
        if start >= end:
            return ""
        return self.typed[self._places[start] : self._places[end - 1] + 1]


# 能不能, 是不是, 有没有 ask, and deny nothing.
A_NOT_A = re.compile(r"([\u4e00-\u9fff])[不没]\1")


def word_set(words: str) -> frozenset[str]:
    """Words written one after the other, as a set."""
    return frozenset(words.split())
