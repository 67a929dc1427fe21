"""Between an item and its stored text.

A codec is the seam where encryption sits: `encode` makes the text of a row, `decode` reads one back and
says why it cannot, and `seal`/`unseal` do the same for what the ledger holds about a session.

Text is written as JSON with characters as themselves, so that a database opened in another tool can be
read. Rows written by other programs (ASCII escapes, other spacing) read the same.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from pydantic_core import from_json

from .entries import Item, State
from .items import Half, half_of, is_question

HEAD = 160
"""So many characters of a row are enough to tell at a glance whether it has expired."""


class Opened(NamedTuple):
    """All that a row holds.

    The item may be there although its state says that no model may be sent it: one that has expired, or
    stands in the open among encrypted ones. It is for telling what belongs together, and is not shown.
    """

    item: Item | None
    state: State
    sealed_at: datetime | None = None
    expires_at: datetime | None = None
    written_as: str | None = None


class Codec(ABC):
    """How items of one session are written. What is not abstract is what holds where nothing expires."""

    searchable: bool = True
    """Whether a word of an item can be found in its stored text, so that a store may search for it."""

    portable: bool = True
    """Whether stored text means the same in any session, so that rows may be copied as they stand."""

    ttl: int | None = None
    """Seconds after which an item is not given any more; None for never."""

    @abstractmethod
    def encode(self, item: Item, like: bytes | str | None = None, *, at: datetime | None = None) -> str:
        """The text to store. Raises TypeError or ValueError if the item is not JSON.

        A text that carries its own time is given that of the stored text `like`, else `at`, else now.
        """

    @abstractmethod
    def decode(self, raw: bytes | str) -> tuple[Item | None, State]:
        """The item and State.OK, or None and the state that says why not. Never raises."""

    @abstractmethod
    def seal(self, text: str) -> str:
        """What the ledger may hold in place of `text`."""

    @abstractmethod
    def unseal(self, text: str) -> str:
        """The inverse of `seal`. Raises WrongKey for what is not sealed under a key that is here."""

    def examine(self, raw: bytes | str) -> Opened:
        """All that the row holds. Never raises."""
        return Opened(*self.decode(raw))

    def glance(self, raw: bytes | str) -> tuple[bool, Half | None]:
        """Whether a turn begins with it, and which half of a pair it is; for telling of many rows.

        Remembered where that is dear to find out.
        """
        item = self.examine(raw).item
        return is_question(item), half_of(item)

    def expired(self, raw: bytes | str) -> bool:
        """Whether the row is surely past its time; told from its first `HEAD` characters, at no cost."""
        return False

    def locked(self, raw: bytes | str) -> bool:
        """Whether the row is sealed under a key that is not here, however old it is."""
        return False

    def adopt(self, raw: bytes, origin: Codec) -> bytes | str:
        """The row of a session written by `origin`, as this session stores it, its time kept.

        Raises WrongKey for a row that is sealed under a key that is not here.
        """
        return raw


class PlainCodec(Codec):
    """Items as JSON text."""

    def __init__(self, *, ensure_ascii: bool = False) -> None:
        self.ensure_ascii = ensure_ascii

    def encode(self, item: Item, like: bytes | str | None = None, *, at: datetime | None = None) -> str:
        return encode_item(item, ensure_ascii=self.ensure_ascii)

    def decode(self, raw: bytes | str) -> tuple[Item | None, State]:
        item = decode_item(raw)
        return (item, State.OK) if item is not None else (None, State.CORRUPT)

    # Written out, for these are asked of very many rows.

    def examine(self, raw: bytes | str) -> Opened:
        item = decode_item(raw)
        return Opened(item, State.OK if item is not None else State.CORRUPT)

    def glance(self, raw: bytes | str) -> tuple[bool, Half | None]:
        item = decode_item(raw)
        half = half_of(item)
        return half is None and is_question(item), half

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


def encode_item(item: Item, *, ensure_ascii: bool = False) -> str:
    """Compact JSON. Raises TypeError for what is no dict of JSON values, ValueError for endless nesting."""
    if not isinstance(item, dict):
        raise TypeError(f"A session item is a dict, not {type(item).__name__}.")
    try:
        text = (_in_ascii if ensure_ascii else _as_itself)(item)
    except RecursionError:
        raise ValueError("A session item nests too deeply to be stored as JSON.") from None
    # A lone surrogate has no UTF-8 form; as an escape it survives the trip.
    return text if text.isascii() or _encodable(text) else _in_ascii(item)


def decode_item(raw: bytes | str) -> Item | None:
    """The dict in `raw`, or None if it holds anything else."""
    try:
        value = from_json(raw)
    except ValueError:
        value = _decoded_slowly(raw)
    return value if isinstance(value, dict) else None


def decode_json(raw: bytes | str) -> Any:
    """The JSON value in `raw`; None for null and for what is no JSON."""
    try:
        return from_json(raw)
    except ValueError:
        return _decoded_slowly(raw)


def _decoded_slowly(raw: bytes | str) -> Any:
    """The fast parser refuses lone surrogates, which the standard one reads back as written."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None


def as_text(raw: bytes | str) -> bytes | str:
    """Stored bytes as the text they are, or as they are where they are none."""
    try:
        return raw.decode() if isinstance(raw, bytes) else raw
    except UnicodeDecodeError:
        return raw


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
