"""Which of the three languages a text is written in, as far as its characters tell."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from .characters import TO_SIMPLIFIED
from .folding import word_set

Language = Literal["en", "zh-Hans", "zh-Hant"]

_QUOTED = re.compile(r"「[^」]*」|『[^』]*』|“[^”]*”|\"[^\"]*\"")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_WIDE = re.compile(r"[！？，；：（）。、…]")  # punctuation of a Chinese keyboard
_WORD = re.compile(r"[A-Za-z]{2,}(?:['’][A-Za-z]+)?|\b[aAI]\b")
_OTHER_SCRIPT = re.compile(r"[\u3040-\u30ff\uac00-\ud7af\u0400-\u04ff\u0600-\u06ff\u0e00-\u0e7f]")

# Words nobody strews into a Chinese sentence: with one of these and another word, the sentence is English.
_GRAMMAR = word_set(
    """
    the to is are my me of for it and an please was were what where when how who why i i'm a
    """
)


def language_of(text: str) -> Language | None:
    """The language of `text`, None where it does not tell ("A100", "😀", another language)."""
    bare = _QUOTED.sub(" ", text)
    words = _WORD.findall(bare)
    if not _HAN.search(bare) or _is_english(words, bare):
        if words:
            return "en"
        return _chinese(text) if _HAN.search(text) else None
    if _OTHER_SCRIPT.search(bare):
        return None
    # What is quoted may be another's writing, so it is asked only where the sentence itself is undecided.
    return _chinese(bare) or _chinese(text)


def is_chinese(text: str) -> bool:
    """Whether `text` is Chinese of either script, told or not."""
    bare = _QUOTED.sub(" ", text)
    return bool(_HAN.search(bare)) and not _is_english(_WORD.findall(bare), bare)


def language_among(newest: str, earlier: Iterable[str], otherwise: Language | None = None) -> Language:
    """The language to answer `newest` in; `earlier` are the messages before it, newest first.

    "取消" could be either script and "A100" any language: then what was written before decides, and
    `otherwise` where that does not tell either.
    """
    found = language_of(newest)
    if found is not None:
        return found
    chinese = is_chinese(newest)
    for text in earlier:
        found = language_of(text)
        if found is not None and (not chinese or found != "en"):
            return found
        chinese = chinese or is_chinese(text)
    chinese = chinese or bool(_WIDE.search(newest))
    if otherwise is not None and not (chinese and otherwise == "en"):
        return otherwise
    return "zh-Hans" if chinese else "en"


def _is_english(words: list[str], bare: str) -> bool:
    lowered = [word.lower() for word in words]
    return len(words) >= 2 and any(word in _GRAMMAR for word in lowered)


def _chinese(text: str) -> Language | None:
    marks = [_script(character) for character in _HAN.findall(text)]
    simplified, traditional = marks.count("zh-Hans"), marks.count("zh-Hant")
    if simplified != traditional:
        return "zh-Hans" if simplified > traditional else "zh-Hant"
    if "「" in text:
        return "zh-Hant"
    return None


@lru_cache(maxsize=4096)
def _script(character: str) -> Language | None:
    """The script a character belongs to, None where it is written the same in both.

    The national standards know it: GB 2312 holds the simplified characters, Big5 the traditional ones.
    """
    if character in TO_SIMPLIFIED:
        return "zh-Hant"
    simplified, traditional = _encodes(character, "gb2312"), _encodes(character, "big5")
    if simplified == traditional:
        return None
    return "zh-Hans" if simplified else "zh-Hant"


def _encodes(character: str, standard: str) -> bool:
    try:
        character.encode(standard)
    except UnicodeEncodeError:
        return False
    return True
