"""Items under a key: the codec of an encrypted session.

Rows are the SDK's envelopes (see `envelope`). Whether an item has expired is decided from the time its token
carries in clear, before anything is decrypted; only what is read is decrypted. What the ledger holds of the
session is sealed with the same key, under a mark of its own, so that no item can be passed off as a paused
run, nor the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cached_property
from hashlib import blake2b
from typing import NamedTuple

from . import envelope
from .codec import Codec, Opened, decode_item, encode_item
from .entries import Item, Key, State
from .envelope import Envelope, moment
from .errors import WrongKey
from .fernet import SessionKey
from .items import Half, half_of, is_question
from .keys import Keys

SKEW = 60
"""Seconds a token may lie in the future: clocks of two machines are never quite the same."""

LEDGER_MARK = b"desk\x00"
"""What the text of a ledger cell begins with, inside its token; no item does."""

REMEMBERED = 200_000
"""Rows of which a codec remembers what they are (about 100 bytes each)."""

LOCKED_TEXT = (
    "This is sealed under a key that is not here, or under another session id, so it is left as it is: "
    "nothing was changed."
)


class Decrypted(NamedTuple):
    """The bytes of a token, when they were sealed, and by which of the keys (0 is the newest)."""

    content: bytes
    time: int
    key: int


class Look(NamedTuple):
    """What a row is, however old: OK, LOCKED, CORRUPT or PLAINTEXT, and when it was sealed.

    `question` says whether a turn begins with it, and `half` which half of a pair it is. Of a locked row,
    `written_as` is the session id under which it was written, where that is known.
    """

    question: bool
    half: Half | None
    state: State
    time: int | None = None
    written_as: str | None = None


class Stretch(NamedTuple):
    """Neighbouring rows, from `first` to `last`, that were all sealed at `time` or before.

    `digest` is that of the newest of them and `edits` the session's edits when they were looked at: while
    both hold, none of them can have become another row.
    """

    last: Key
    first: Key
    time: int
    digest: str
    edits: tuple[int, int]


class FernetCodec(Codec):
    """Rows of one session id under `keys`; `ttl` in seconds, None for no end, and `clock` in seconds too."""

    searchable = False
    portable = False

    def __init__(self, keys: Keys, session_id: str, ttl: int | None, clock: Callable[[], float]) -> None:
        self.keys, self.session_id, self.ttl, self.clock = keys, session_id, ttl, clock
        self.stretch: Stretch | None = None  # expired rows that need not be looked at again
        self._looks: dict[bytes, Look] = {}
        self._others: dict[str, list[SessionKey]] = {}

    @cached_property
    def _keys(self) -> list[SessionKey]:
        return self.keys.of_session(self.session_id)

    # items

    def encode(self, item: Item, like: bytes | str | None = None, *, at: datetime | None = None) -> str:
        found = envelope.read(like) if like is not None else None
        if isinstance(found, Envelope):
            moment = found.time
        else:
            moment = max(0, int(self.clock() if at is None else at.timestamp()))  # no token is older
        return self.close(encode_item(item).encode(), moment)

    def decode(self, raw: bytes | str) -> tuple[Item | None, State]:
        found = envelope.read(raw)
        if not isinstance(found, Envelope):
            return None, found.state
        if self.ttl is not None and (state := self._state_at(found.time)) is not State.OK:
            return None, state
        for key in self._keys:
            content = key.open(found.token)
            if content is not None:
                item = decode_item(content)
                return (item, State.OK) if item is not None else (None, State.CORRUPT)
        return None, State.LOCKED

    def examine(self, raw: bytes | str) -> Opened:
        found = envelope.read(raw)
        if not isinstance(found, Envelope):
            return Opened(found.item, found.state)
        sealed = moment(found.time)
        opened = self.open(found)
        if opened is None:
            return Opened(None, State.LOCKED, sealed, written_as=self.written_as(found))
        item = decode_item(opened.content)
        if item is None:
            return Opened(None, State.CORRUPT, sealed)
        ends = moment(found.time + self.ttl) if self.ttl is not None else None
        return Opened(item, self._state_at(found.time), sealed, ends)

    def glance(self, raw: bytes | str) -> tuple[bool, Half | None]:
        return self.look(raw)[:2]

    def look(self, raw: bytes | str) -> Look:
        """What a row is. Remembered: it is asked of every row of a session, again and again."""
        digest = blake2b(raw.encode("utf-8", "replace") if isinstance(raw, str) else raw, digest_size=12)
        known = self._looks.get(digest.digest())
        if known is None:
            known = self._look(raw)
            if len(self._looks) < REMEMBERED:
                self._looks[digest.digest()] = known
        return known

    def _look(self, raw: bytes | str) -> Look:
        found = envelope.read(raw)
        if not isinstance(found, Envelope):
            return Look(is_question(found.item), half_of(found.item), found.state)
        opened = self.open(found)
        if opened is None:
            return Look(False, None, State.LOCKED, found.time, self.written_as(found))
        item = decode_item(opened.content)
        state = State.OK if item is not None else State.CORRUPT
        return Look(is_question(item), half_of(item), state, found.time)

    def recognise(self, session_ids: Iterable[str]) -> None:
        """From now on say of locked rows which of these session ids they were written under."""
        for session_id in session_ids:
            self._others[session_id] = self.keys.of_session(session_id)
        self._looks = {digest: look for digest, look in self._looks.items() if look.state is not State.LOCKED}

    def written_as(self, found: Envelope) -> str | None:
        """The session id of those recognised under which a locked envelope was written."""
        return next(
            (id_ for id_, keys in self._others.items() if any(k.signed(found.token) for k in keys)), None
        )

    def expired(self, raw: bytes | str) -> bool:
        if self.ttl is None:
            return False
        time = envelope.clear_time(raw)
        return time is not None and self.past(time)

    def past(self, time: int) -> bool:
        """Whether what was sealed then has expired by now: only after its last whole second."""
        return self.ttl is not None and time + self.ttl < int(self.clock())

    def bounds(self) -> tuple[float, float]:
        """What was sealed before the first has expired; what was sealed after the second is not valid yet."""
        if self.ttl is None:
            return float("-inf"), float("inf")
        now = int(self.clock())
        return now - self.ttl, now + SKEW

    def locked(self, raw: bytes | str) -> bool:
        found = envelope.read(raw)
        return isinstance(found, Envelope) and not any(key.signed(found.token) for key in self._keys)

    def adopt(self, raw: bytes, origin: Codec) -> bytes | str:
        found = envelope.read(raw)
        if not isinstance(found, Envelope):
            return raw
        opened = origin.open(found) if isinstance(origin, FernetCodec) else None
        if opened is None:
            raise WrongKey(LOCKED_TEXT)
        return self.close(opened.content, opened.time)

    def _state_at(self, time: int) -> State:
        """Where nothing expires, nothing is ahead of its time either, as in the SDK."""
        if self.past(time):
            return State.EXPIRED
        return State.AHEAD if self.ttl is not None and time > int(self.clock()) + SKEW else State.OK

    # tokens

    def open(self, found: Envelope) -> Decrypted | None:
        """What an envelope holds, however old; None if no key of ours opens it."""
        for number, key in enumerate(self._keys):
            content = key.open(found.token)
            if content is not None:
                return Decrypted(content, found.time, number)
        return None

    def close(self, content: bytes, time: int) -> str:
        """An envelope around these bytes, sealed under the newest key with this time."""
        return envelope.write(self._keys[0].seal(content, time))

    def under_newest(self, found: Envelope) -> bool:
        return self._keys[0].signed(found.token)

    # the ledger

    def seal(self, text: str) -> str:
        content = LEDGER_MARK + text.encode("utf-8", "surrogatepass")
        return self._keys[0].seal(content, int(self.clock())).decode("ascii")

    def unseal(self, text: str) -> str:
        found = envelope.token_in(text)
        opened = self.open(found) if found is not None else None
        if opened is None or not opened.content.startswith(LEDGER_MARK):
            raise WrongKey(LOCKED_TEXT)
        return opened.content[len(LEDGER_MARK) :].decode("utf-8", "surrogatepass")

    def reseal(self, text: str) -> str | None:
        """A ledger cell under the newest key, its time kept; None if there is nothing to do.

        Text in the open is sealed: it was written before the session was encrypted. Raises WrongKey where
        no key opens it.
        """
        found = envelope.token_in(text)
        if found is None:
            return self.seal(text)
        opened = self.open(found)
        if opened is None:
            raise WrongKey(LOCKED_TEXT)
        if opened.key == 0:
            return None
        return self._keys[0].seal(opened.content, opened.time).decode("ascii")


def checked_ttl(ttl: object) -> int | None:
    """A time to live. Raises ValueError for anything but None or whole seconds from 1 up."""
    if ttl is None:
        return None
    if isinstance(ttl, bool) or not isinstance(ttl, int) or ttl < 1:
        raise ValueError(f"ttl is None or a whole number of seconds from 1 up, not {ttl!r}.")
    return ttl
