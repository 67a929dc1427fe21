"""Between an item and its stored text.

A codec is the seam where encryption sits: `encode` makes the text of a row, `decode` reads one back and
says why it cannot, and `seal`/`unseal` do the same for what the ledger holds about a session.

Text is written as JSON with characters as themselves, so that a database opened in another tool can be
read. Rows written by other programs (ASCII escapes, other spacing) read the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from pydantic_core import from_json

from .entries import Item, State


class Codec(Protocol):
    """How items of one session are written."""

    searchable: bool
    """Whether a word of an item can be found in its stored text, so that a store may search for it."""

    def encode(self, item: Item, *, at: datetime | None = None) -> str:
        """The text to store. Raises TypeError or ValueError if the item is not JSON.

        `at` is when the item was first stored, for a text that carries its own time; None is now.
        """

    def decode(self, raw: bytes | str) -> tuple[Item | None, State]:
        """The item and State.OK, or None and the state that says why not. Never raises."""

    def seal(self, text: str) -> str:
        """What the ledger may hold in place of `text`."""

    def unseal(self, text: str) -> str:
        """The inverse of `seal`."""


class PlainCodec:
    """Items as JSON text."""

    searchable = True

    def encode(self, item: Item, *, at: datetime | None = None) -> str:
        return encode_item(item)

    def decode(self, raw: bytes | str) -> tuple[Item | None, State]:
        item = decode_item(raw)
        return (item, State.OK) if item is not None else (None, State.CORRUPT)

    def seal(self, text: str) -> str:
        return text

    def unseal(self, text: str) -> str:
        return text


_as_itself = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_in_ascii = json.JSONEncoder(separators=(",", ":")).encode


def reader(codec: Codec) -> Callable[[bytes], Item | None]:
    """What reads many rows where it does not matter why one cannot be read: the item, or None."""
    if type(codec) is PlainCodec:
        return decode_item  # two calls less for each of what may be a hundred thousand rows
    return lambda raw: codec.decode(raw)[0]


def encode_item(item: Item) -> str:
    """Compact JSON. Raises TypeError for what is no dict of JSON values, ValueError for endless nesting."""
    if not isinstance(item, dict):
        raise TypeError(f"A session item is a dict, not {type(item).__name__}.")
    try:
        text = _as_itself(item)
    except RecursionError:
        raise ValueError("A session item nests too deeply to be stored as JSON.") from None
    # A lone surrogate has no UTF-8 form; as an escape it survives the trip.
    return text if text.isascii() or _encodable(text) else _in_ascii(item)


def decode_item(raw: bytes | str) -> Item | None:
    """The dict in `raw`, or None if it holds anything else."""
    try:
        value = from_json(raw)
    except ValueError:
        # The fast parser refuses lone surrogates, which the standard one reads back as written.
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
