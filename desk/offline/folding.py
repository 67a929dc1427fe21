"""Text as it is understood: half width, lower case, simplified characters, straight apostrophes.

Apostrophes that were left out are put in: "dont cancel it" must not be taken for the opposite.

Understanding happens on the folded text; what is quoted, stored as an address or remembered as a name is
always taken from the text as it was typed. So a `Folded` keeps where each of its characters came from.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from .characters import TO_SIMPLIFIED

# Punctuation that NFKC leaves alone. Chinese full stops and quotation marks stay: they mean something here.
_PLAIN = {"’": "'", "‘": "'", "`": "'", "´": "'", "…": ".", "‐": "-", "–": "-", "—": "-", "−": "-", "－": "-"}


# Contractions typed without their apostrophe, at the place where it belongs. Left out are those that are
# words of their own: its, were, well, shell; "id" and "ill" are contractions only before a verb.
_CONTRACTED = re.compile(
    r"(?<![\w'’-])(?:"
    r"(?:do|does|did|is|are|was|were|has|have|had|wo|ca|could|should|would|must|need)n(?=t\b)"
    r"|(?:what|where|who|when|how|that|there|here)(?=s\b)|let(?=s [a-z])"
    r"|i(?=(?:m|ve)\b)|i(?=d (?:like|love|want|prefer|rather|appreciate)\b)"
    r"|(?<!\border )(?<!\bthe )(?<!\bmy )i(?=d (?:already |just |never |also )?[a-z]{2,}(?:ed|ld)\b)"
    r"|i(?=ll (?:be|take|have|get|pick|wait|need|collect|come|keep|go|not|never|just)\b)"
    r"|(?:you|they|we)(?=ve\b)|(?:you|they)(?=(?:ll|re|d)\b)"
    r"|it(?=s (?:not|been|too|broken|late|fine|still|never|already|about|for|on|in|just|ok|okay|gone|missing"
    r"|my|a|an|the|cracked|damaged|wrong|dead|leaking|faulty|no|defective|chipped|urgent)\b)"
    r")",
    re.ASCII | re.IGNORECASE,
)


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


def spelled_out(typed: str) -> str:
    """The text with the apostrophes that were left out of contractions."""
    return _CONTRACTED.sub(lambda found: f"{found[0]}'", typed)


def fold(typed: str) -> str:
    """The folded text alone."""
    typed = spelled_out(typed)
    if typed.isascii():
        return typed.lower().replace("`", "'")
    return typed.translate(_TABLE)


class Folded:
    """A text as typed (`typed`), with its apostrophes (`spelled`), and as understood (`text`)."""

    __slots__ = ("_places", "spelled", "text", "typed")

    def __init__(self, typed: str) -> None:
        self.typed = typed
        self.spelled = spelled_out(typed)
        self.text = fold(typed)
        self._places: list[int] | None = None  # of each folded character in `typed`; None: the same

    def as_typed(self, start: int, end: int) -> str:
        """What was typed where the folded text has `start` to `end`."""
        if self._places is None and len(self.text) == len(self.typed):
            return self.typed[start:end]
        if self._places is None:
            self._places = list(self._found())
        if start >= end:
            return ""
        return self.typed[self._places[start] : self._places[end - 1] + 1]

    def _found(self) -> Iterator[int]:
        """The place in `typed` of each folded character; of an apostrophe put in, that of the one before."""
        put_in = {found.end() for found in _CONTRACTED.finditer(self.typed)}
        for place, character in enumerate(self.typed):
            if place in put_in:
                yield place - 1
            yield from (place for _ in _TABLE[ord(character)])


# 能不能, 是不是, 有没有 ask, and deny nothing.
A_NOT_A = re.compile(r"([\u4e00-\u9fff])[不没]\1")


def word_set(words: str) -> frozenset[str]:
    """Words written one after the other, as a set."""
    return frozenset(words.split())
