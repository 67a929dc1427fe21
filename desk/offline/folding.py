"""Text as it is understood: half width, lower case, simplified characters, straight apostrophes.

Understanding happens on the folded text; what is quoted, stored as an address or remembered as a name is
always taken from the text as it was typed. So a `Folded` keeps where each of its characters came from.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from .characters import TO_SIMPLIFIED

# Punctuation that NFKC leaves alone. Chinese full stops and quotation marks stay: they mean something here.
_PLAIN = {"’": "'", "‘": "'", "`": "'", "´": "'", "…": ".", "‐": "-", "–": "-", "—": "-", "−": "-", "－": "-"}


class _Fold(dict[str, str]):
    def __missing__(self, character: str) -> str:
        self[character] = folded = _fold(character)
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
_FOLDED = _Fold()


def fold(typed: str) -> str:
    """The folded text alone."""
    if typed.isascii():
        return typed.lower().replace("`", "'")
    return "".join([_FOLDED[character] for character in typed])


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
            self._places = [i for i, character in enumerate(self.typed) for _ in _FOLDED[character]]
        if start >= end:
            return ""
        return self.typed[self._places[start] : self._places[end - 1] + 1]


@lru_cache(maxsize=512)
def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(words)


def holds(text: str, words: str) -> bool:
    """Whether the folded text holds the pattern `words`."""
    return _pattern(words).search(text) is not None
