"""Every word people read, in each language, under one key.

`t(key, **values)` is the only way words reach the page. A sentence may name its values in braces; a whole
number may choose between forms: `{n} {n:item|items}`. The three catalogues hold the same keys with the same
values, which a test holds them to. Values are never read as a pattern again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from . import en, zh_hans, zh_hant

CATALOGUES: dict[str, dict[str, str]] = {"en": en.WORDS, "zh-Hans": zh_hans.WORDS, "zh-Hant": zh_hant.WORDS}
LANGUAGES: tuple[str, ...] = tuple(CATALOGUES)
NAMES: dict[str, str] = {"en": "English", "zh-Hans": "简体中文", "zh-Hant": "繁體中文"}  # each in its own


_CHINESE = re.compile("[\u3400-\u9fff]")


class _Number(int):
    """A whole number that picks its noun: `{n:item|items}` is the first form for 1, else the second."""

    def __format__(self, spec: str) -> str:
        if "|" in spec:
            one, many = spec.split("|", 1)
            return one if self == 1 else many
        return super().__format__(spec or ",")


def language() -> str:
    """The language of this tab."""
    return str(st.session_state.get("lang", LANGUAGES[0]))


def say(lang: str, key: str, /, **values: Any) -> str:
    """The words of `key` in a language. Raises KeyError for a key, or a value, that is not there."""
    numbers = {name: _Number(v) if type(v) is int else v for name, v in values.items()}
    pattern = CATALOGUES[lang][key]
    if lang != "en":
        pattern = _closed_up(pattern, values)
    return pattern.format(**numbers)


def _closed_up(pattern: str, values: Mapping[str, Any]) -> str:
    """The pattern with no blank between two Chinese characters: it sets one around what is foreign."""
    for name, value in values.items():
        if isinstance(value, str) and value:
            place = f"{{{name}}}"
            if _CHINESE.match(value[0]):
                pattern = re.sub(f"({_CHINESE.pattern}) (?={re.escape(place)})", r"\1", pattern)
            if _CHINESE.match(value[-1]):
                pattern = re.sub(f"(?<={re.escape(place)}) (?={_CHINESE.pattern})", "", pattern)
    return pattern


def t(key: str, /, **values: Any) -> str:
    """The words of `key` in the language of this tab."""
    return say(language(), key, **values)


def sentences(parts: Iterable[str]) -> str:
    """Sentences in a row, as the language of this tab sets them: Chinese leaves no blank between them."""
    return (" " if language() == "en" else "").join(parts)


def listed(parts: Iterable[str]) -> str:
    """Words in a row."""
    return (", " if language() == "en" else "、").join(parts)


def known(key: str) -> bool:
    """Whether the catalogue has the key: for keys made of a word from elsewhere, such as a reason."""
    return key in en.WORDS


def word(family: str, name: str, otherwise: str, /, **values: Any) -> str:
    """The words of `<family>_<name>`, or of `otherwise` where there is none or its values are not given.

    With a value `why`, those of `<family>_<name>_<why>` come first, where there are any. For what comes from
    the desk, a tool or a store, and may be newer than the catalogue.
    """
    for key in (f"{family}_{name}_{values.get('why')}", f"{family}_{name}"):
        if known(key):
            try:
                return t(key, **values)
            except (KeyError, IndexError, ValueError, TypeError):
                pass
    return t(otherwise)


def matching(locale: str | None) -> str:
    """The language of ours that serves a browser's locale best."""
    return spoken_as(locale or "") or "en"


def spoken_as(locale: str) -> str | None:
    """The language of ours that a locale is one of (zh-CN, en_GB); None where it is of another."""
    parts = locale.replace("_", "-").lower().split("-")
    if parts[0] != "zh":
        return "en" if parts[0] == "en" else None
    traditional = {"hant", "tw", "hk", "mo"} & set(parts[1:])
    return "zh-Hant" if traditional and "hans" not in parts else "zh-Hans"
