"""Moving a session to its newest key, and what stands in the open under a key.

Moving goes in batches of one transaction each, and each row is replaced whole, so that it can stop anywhere:
what was moved is under the new key, the rest under the old, and both are read. Encrypting what stands in the
open is one transaction: all of it or nothing. Times are kept, so that nothing is revived or extended.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from . import envelope, leases, writing
from .codec import as_text
from .entries import State
from .envelope import Envelope
from .errors import WrongKey
from .notes import Lease
from .scope import Scope
from .sealing import LOCKED_TEXT, FernetCodec
from .statements import Many, Operation, Row, Sql
from .tables import parse_time

BATCH = 500


@dataclass(frozen=True, slots=True)
class Resealed:
    """What a move to the newest key did.

    `moved` counts rows, of the session and of its ledger, that are under it now and were not before; `locked`
    those in which no key opens something, left as it is. `erased` says whether the old text is gone from the
    store's files too. The old keys can be retired when nothing is locked.
    """

    moved: int
    locked: int
    erased: bool


class Batch(NamedTuple):
    """One step of a sweep: where the next begins (None at the end), and what this one did."""

    after: tuple[Any, ...] | None
    seen: int
    moved: int
    locked: int


class Cells(NamedTuple):
    """A table of the session: what tells its rows apart, its stored texts, and which rows are the session's.

    `timed` says that its rows are items, each stored at a time of its own; `ledger` that it is a side table.
    """

    table: str
    key: tuple[str, ...]
    texts: tuple[str, ...]
    where: str
    timed: bool
    ledger: bool


def places(scope: Scope) -> list[Cells]:
    """Everything that is stored of a session and sealed: its rows, the copies of them, notes, decisions."""
    ledger = scope.ledger
    own = "session_id = :session"
    return [
        Cells(scope.tables.messages, ("id",), ("message_data",), own, True, False),
        Cells(ledger.kept, ("place",), ("message_data",), own, True, True),
        Cells(ledger.notes, ("id",), ("detail",), own, False, True),
        Cells(ledger.pauses, ("id",), ("calls", "state", "verdicts"), own, False, True),
    ]


def there(scope: Scope, cells: Cells) -> Operation[bool]:
    return (yield from scope.ledger.there() if cells.ledger else scope.tables.there())


def count(scope: Scope) -> Operation[int]:
    """How many rows a sweep over everything would see."""
    total = 0
    for cells in places(scope):
        if (yield from there(scope, cells)):
            rows = yield Sql(
                f"SELECT count(*) FROM {cells.table} WHERE {cells.where}",
                {"session": scope.session},
                ledger=cells.ledger,
            )
            total += int(rows[0][0])
    return total


def move_batch(scope: Scope, cells: Cells, after: tuple[Any, ...] | None) -> Operation[Batch]:
    """Seal the next rows under the newest key, where they are under an older one."""
    codec = _codec(scope)

    def moved(text: bytes, at: str | None) -> str | None:
        if not cells.timed:
            return codec.reseal(text.decode("utf-8", "replace"))
        found = envelope.read(text)
        if not isinstance(found, Envelope) or codec.under_newest(found):
            return None
        opened = codec.open(found)
        if opened is None:
            raise WrongKey(LOCKED_TEXT)
        return codec.close(opened.content, opened.time)

    if not (yield from there(scope, cells)):
        return Batch(None, 0, 0, 0)
    yield from writing.lock(scope)
    rows = yield from _next(scope, cells, after)
    changed, locked = yield from _rewrite(cells, rows, moved)
    if changed:
        yield scope.ledger.outdated()
    return Batch(_end(cells, rows), len(rows), changed, locked)


def encrypt_open(scope: Scope, lease: Lease | None, now: float) -> Operation[int]:
    """Seal all that stands in the open, in one transaction, each row with the time it was stored.

    How many rows of the session that were. What is no item is sealed too, and stays no item. Raises
    SessionBusy.
    """
    codec = _codec(scope)
    if not (yield from writing.lock(scope)):
        return 0
    leases.must_be_free((yield from scope.standing()), scope.session, lease, now)

    def sealed(text: bytes, at: str | None) -> str | None:
        found = envelope.read(text)
        if isinstance(found, Envelope) or (found.state is State.CORRUPT and _marked(text)):
            return None
        stored = parse_time(at)
        return codec.close(text, int(stored.timestamp() if stored is not None else now))

    def resealed(text: bytes, at: str | None) -> str | None:
        return codec.reseal(text.decode("utf-8", "replace"))

    total = every = 0
    for cells in places(scope):
        if not (yield from there(scope, cells)):
            continue
        after: tuple[Any, ...] | None = None
        while True:
            rows = yield from _next(scope, cells, after)
            changed, _ = yield from _rewrite(cells, rows, sealed if cells.timed else resealed)
            total, every = total + (0 if cells.ledger else changed), every + changed
            after = _end(cells, rows)
            if after is None:
                break
    if every:
        yield scope.ledger.outdated()
    return total


def _next(scope: Scope, cells: Cells, after: tuple[Any, ...] | None) -> Operation[list[Row]]:
    """The next rows in order of their key: the key, the texts as bytes, and when a row was stored."""
    dialect = scope.ledger.dialect if cells.ledger else scope.tables.dialect
    texts = ", ".join(dialect.raw.format(text) for text in cells.texts)
    at = dialect.utc.format("created_at") if cells.timed else "NULL"
    values: dict[str, Any] = {"session": scope.session, "limit": BATCH}
    past = ""
    if after is not None:
        # (a, b, c) > (x, y, z), spelled out because not every database can say it so
        steps = []
        for depth, name in enumerate(cells.key):
            same = [f"{cells.key[i]} = :after{i}" for i in range(depth)]
            steps.append(" AND ".join([*same, f"{name} > :after{depth}"]))
            values[f"after{depth}"] = after[depth]
        past = " AND (" + " OR ".join(f"({step})" for step in steps) + ")"
    order = ", ".join(cells.key)
    return (
        yield Sql(
            f"SELECT {order}, {texts}, {at} FROM {cells.table} WHERE {cells.where}{past} "
            f"ORDER BY {order} LIMIT :limit",
            values,
            ledger=cells.ledger,
        )
    )


def _end(cells: Cells, rows: Sequence[Row]) -> tuple[Any, ...] | None:
    """The key behind which the next batch begins, None after the last one."""
    return tuple(rows[-1][: len(cells.key)]) if len(rows) == BATCH else None


def _rewrite(
    cells: Cells, rows: Sequence[Row], new: Callable[[bytes, str | None], str | None]
) -> Operation[tuple[int, int]]:
    """Replace what `new` gives another text for; how many rows changed, and for how many it was WrongKey."""
    width = len(cells.key)
    changes, locked = [], 0
    for row in rows:
        old = [bytes(text) for text in row[width:-1]]
        texts: list[str | None] = []
        shut = False
        for before in old:
            try:
                texts.append(new(before, row[-1]) if before else None)
            except WrongKey:
                texts.append(None)
                shut = True
        locked += shut
        if any(text is not None for text in texts):
            values = {f"key{i}": row[i] for i in range(width)}
            for i, (text, before) in enumerate(zip(texts, old, strict=True)):
                values[f"text{i}"] = as_text(before) if text is None else text
            changes.append(values)
    if changes:
        put = ", ".join(f"{name} = :text{i}" for i, name in enumerate(cells.texts))
        find = " AND ".join(f"{name} = :key{i}" for i, name in enumerate(cells.key))
        yield Many(f"UPDATE {cells.table} SET {put} WHERE {find}", changes, ledger=cells.ledger)
    return len(changes), locked


def _codec(scope: Scope) -> FernetCodec:
    assert isinstance(scope.codec, FernetCodec)
    return scope.codec


def _marked(text: bytes) -> bool:
    """Whether damaged text was an envelope: then it holds nothing in the open."""
    return f'"{envelope.MARKER}"'.encode() in text
