"""Text from people, tools and stores, made safe to show as what it is: text.

Every string that was not written in the catalogue goes through here before it is drawn: `html` for the
page's own markup, `label` where a widget would read Markdown, `plain` for widgets that show text as it is.
No visible character is dropped or changed. What cannot be seen but can mislead (control characters, marks
that turn the reading direction) is replaced by a visible sign; half a surrogate pair, which would break
the connection to the browser, likewise.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import escape
from typing import Any

REPLACEMENT = "\ufffd"
CUT = 4_000  # characters shown at once; the rest is folded
MOST = 200_000  # characters that reach the browser at all

# Control characters except tab and newline, and the marks that embed, override or isolate a direction.
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_BLANK = re.compile(r"[\s\u200b\u2060\ufeff]")
_SPACES = re.compile(f"{_BLANK.pattern}+")
_MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")


def plain(value: object, limit: int = MOST) -> str:
    """The text with its line breaks, at most `limit` characters of it, and nothing in it that misleads."""
    text = str(value)[: limit + 1]
    cut = len(text) > limit
    text = text[:limit].replace("\r\n", "\n").replace("\r", "\n")
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _UNSEEN.sub(REPLACEMENT, text) + ("…" if cut else "")


def line(value: object, limit: int = 200) -> str:
    """The beginning of a text in one line."""
    return _SPACES.sub(" ", plain(str(value)[: limit * 4], limit * 4)).strip()[:limit]


def short(value: object, limit: int) -> str:
    """The beginning of a text in one line, with a sign where there is more."""
    text = line(value, limit + 1)
    return text if len(text) <= limit else text[:limit] + "…"


def html(value: object, limit: int = MOST) -> str:
    """The text for inside an element or a quoted attribute of our own markup."""
    return escape(plain(value, limit), quote=True)


def label(value: object, limit: int = 60) -> str:
    """The text in one line for where Streamlit reads Markdown: no mark, link, image or emoji comes of it."""
    text = short(value, limit)
    # A backslash disarms each mark; the zero-width space after a colon or dot disarms what is found after
    # Markdown was read (":smile:", addresses).
    return re.sub(r"(\\[:.])", "\\1\u200b", _MARKDOWN.sub(r"\\\1", text))


def pretty(value: str) -> str:
    """JSON laid out to be read; any other text as it is."""
    found = parsed(value)
    return value if found is None else json.dumps(found, ensure_ascii=False, indent=2)


def parsed(value: str) -> Any | None:
    """The object or list a text holds as JSON, None for any other text (and for more than is sensible)."""
    if len(value) > MOST or value.lstrip()[:1] not in ("{", "["):
        return None
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict | list) else None


def with_blanks(names: Iterable[str]) -> dict[str, str]:
    """What to show for each of some names that look alike: where they differ in blanks, each has a sign."""
    listed = list(names)
    differ = len({tuple(found.span() for found in re.finditer(r"\s", name)) for name in listed}) > 1
    differ = differ or len({tuple(re.findall(r"\s", name)) for name in listed}) > 1
    return {name: (re.sub(r"\s", _sign, name) if differ else name) or REPLACEMENT for name in listed}


def _sign(blank: re.Match[str]) -> str:
    return "\u2423" if blank[0] == " " else "\u237d"


def distinct(names: Iterable[str]) -> dict[str, str]:
    """What to show for each name, in a list where the shown text must tell them apart."""
    shown: dict[str, str] = {}
    used: set[str] = set()
    for name in names:
        base = line(name, 128) or _BLANK.sub(_sign, plain(name, 128)) or REPLACEMENT
        text, number = base, 2
        while text in used:
            text, number = f"{base} ({number})", number + 1
        used.add(text)
        shown[name] = text
    return shown
