"""The envelope of an encrypted item, as the SDK writes it, read without a key.

    {"__enc__": 1, "v": 1, "kid": "hkdf-v1", "payload": "<token>"}

The token is a Fernet token in base64: a version byte, the time it was sealed in clear, an initialisation
vector, the ciphertext, and a digest over all of these. So when an item was said can be told by anyone, and
whether it has expired is decided before anything is decrypted.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from .codec import HEAD, decode_json
from .entries import State

MARKER, VERSION, KEY_ID = "__enc__", 1, "hkdf-v1"
TOKEN_VERSION = 0x80
DIGEST, BLOCK, HEADER = 32, 16, 1 + 8 + 16  # bytes; the header is the version, the time and the vector
SMALLEST = HEADER + BLOCK + DIGEST

_OURS, _SDKS = (
    json.dumps({MARKER: 1, "v": VERSION, "kid": KEY_ID, "payload": ""}, separators=separators)[:-2].encode()
    for separators in ((",", ":"), None)
)
_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

_TIME = re.compile(rb'"payload":\s*"([A-Za-z0-9_-]{12})')


class Envelope(NamedTuple):
    """A well-formed envelope: its token in base64, and when it was sealed (seconds since the epoch)."""

    token: bytes
    time: int


class Open(NamedTuple):
    """What stands in the open where an envelope should be: PLAINTEXT with the item, or CORRUPT."""

    state: State
    item: dict[str, Any] | None = None


def write(token: bytes) -> str:
    """The stored text of an envelope around a token."""
    return f'{{"{MARKER}":1,"v":{VERSION},"kid":"{KEY_ID}","payload":"{token.decode("ascii")}"}}'


def read(raw: bytes | str) -> Envelope | Open:
    """The envelope in a row, or what else is there. Never raises."""
    if isinstance(raw, bytes) and (found := _at_a_glance(raw)) is not None:
        return found
    value = decode_json(raw)
    if not isinstance(value, dict):
        return Open(State.CORRUPT)
    if MARKER not in value:
        return Open(State.PLAINTEXT, value)
    token, version = value.get("payload"), value.get("v")
    if value[MARKER] != 1 or version != VERSION or "kid" not in value or not isinstance(token, str):
        return Open(State.CORRUPT)
    return token_in(token) or Open(State.CORRUPT)


def _at_a_glance(raw: bytes) -> Envelope | None:
    """The envelope in a row that is written just as ours or the SDK's, which spares parsing a long text."""
    for start in (_OURS, _SDKS):
        if raw.startswith(start) and raw.endswith(b'"}'):
            token = raw[len(start) : -2]
            body = token.rstrip(b"=")
            if not body.translate(None, _ALPHABET) and len(token) % 4 == 0 and _fits(len(body) * 3 // 4):
                time = _time_in(token[:12])
                return None if time is None else Envelope(token, time)
    return None


def token_in(text: str) -> Envelope | None:
    """A token in base64, or None for text that is none."""
    data = _decoded(text)
    if data is None or not _fits(len(data)) or data[0] != TOKEN_VERSION:
        return None
    return Envelope(text.encode(), int.from_bytes(data[1:9], "big"))


def _fits(size: int) -> bool:
    """Whether a token can have so many bytes."""
    return size >= SMALLEST and (size - SMALLEST) % BLOCK == 0


def clear_time(raw: bytes | str) -> int | None:
    """When a row was sealed, from its beginning alone; None where that cannot be told at a glance."""
    found = _TIME.search(raw if isinstance(raw, bytes) else raw[:HEAD].encode("utf-8", "replace"), 0, HEAD)
    return _time_in(found[1]) if found else None


@lru_cache(4096)
def _time_in(start: bytes) -> int | None:
    data = base64.urlsafe_b64decode(start)
    return int.from_bytes(data[1:], "big") if data[0] == TOKEN_VERSION else None


def _decoded(token: str) -> bytes | None:
    try:
        return base64.urlsafe_b64decode(token)
    except ValueError:
        return None


def moment(seconds: float | None) -> datetime | None:
    """Seconds since the epoch as aware UTC; None for none, and for a time no calendar holds."""
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return None


# an X-ray of a row

PartName = Literal[
    "marker", "version", "key_id", "token_version", "time", "vector", "ciphertext", "digest", "other"
]


class Part(NamedTuple):
    """One part of a stored envelope.

    `stored` is how it lies there: JSON for the outer parts, hexadecimal digits for those of the token.
    `value` is what it says: a number, a text, an aware UTC datetime, or a length in bytes.
    """

    name: PartName
    stored: str
    value: int | str | datetime | None


def describe(raw: bytes | str) -> tuple[Part, ...]:
    """The parts of a stored envelope in order, without any key; empty for a row that is none.

    A damaged envelope is described as far as it goes.
    """
    value = decode_json(raw)
    if not isinstance(value, dict) or MARKER not in value:
        return ()
    names: dict[str, PartName] = {MARKER: "marker", "v": "version", "kid": "key_id"}
    parts = [Part(name, *_said(value[key])) for key, name in names.items() if key in value]
    token = value.get("payload")
    data = _decoded(token) if isinstance(token, str) else None
    if data is None:
        return (*parts, Part("other", _shown(token), None)) if "payload" in value else tuple(parts)
    end = max(HEADER, len(data) - DIGEST)
    cuts: list[tuple[PartName, int, int, Callable[[bytes], int | datetime | None]]] = [
        ("token_version", 0, 1, lambda b: b[0]),
        ("time", 1, 9, lambda b: moment(int.from_bytes(b, "big"))),
        ("vector", 9, HEADER, len),
        ("ciphertext", HEADER, end, len),
        ("digest", end, len(data), len),
    ]
    return (*parts, *(Part(n, data[a:b].hex(), say(data[a:b])) for n, a, b, say in cuts if data[a:b]))


def _shown(value: Any) -> str:
    return json.dumps(value)


def _said(value: Any) -> tuple[str, int | str | None]:
    return _shown(value), value if isinstance(value, int | str) else None
