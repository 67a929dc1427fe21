"""Taking items from a store with four methods and putting them back, so that nothing is lost on the way.

Only the end of such a store can be changed: one item is popped at a time, or a batch is appended. So every
edit goes keep first, remove, mark done (see `copybook`), and each popped item is compared with the one that
was to go. At a stranger everything goes back, the stranger behind it, in one append. What a crash or a
failing store cuts off is brought to an end by `finish`, from what the copy says and what the store holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from itertools import takewhile
from typing import Any, NamedTuple, Protocol

from .contract import MOST
from .copybook import UNFINISHED, Copy, CopyBook, CopyState
from .errors import HalfDone, HistoryChanged, StoreUnavailable
from .foreign_items import digest, fingerprint


class FollowsProtocol(Protocol):
    """What the SDK asks of a session."""

    session_id: str

    async def get_items(self, limit: int | None = None) -> list[Any]: ...
    async def add_items(self, items: list[Any]) -> None: ...
    async def pop_item(self) -> Any: ...
    async def clear_session(self) -> None: ...


async def read_all(store: FollowsProtocol) -> list[Any]:
    """Every item of a store, however few its own settings give where no limit is asked for."""
    limited = getattr(getattr(store, "session_settings", None), "limit", None) is not None
    return list(await (store.get_items(limit=MOST) if limited else store.get_items()))


async def take(store: FollowsProtocol, book: CopyBook, copy: Copy, *, there: int | None = None) -> None:
    """Pop the items of a copy, newest first; only the first `there` of them are still in the store.

    Raises HistoryChanged at a stranger, and whatever the store raises, once all is back in its place;
    HalfDone if it cannot be put back.
    """
    popped: list[Any] = []
    for expected in reversed(copy.kept[:there]):
        try:
            item = await store.pop_item()
        except Exception as error:
            await _keep(book, replace(copy, state=CopyState.STOPPED))
            await finish(store, book, replace(copy, state=CopyState.STOPPED), error)
            raise
        if item is not None and fingerprint(item) == fingerprint(expected):
            popped.append(item)
            continue
        strangers = () if item is None else (item,)
        gone = copy.kept[there:] if there is not None else ()
        await _stop(store, book, replace(copy, strangers=strangers), [*popped[::-1], *gone, *strangers])
        raise HistoryChanged
    await _keep(book, replace(copy, state=CopyState.TAKEN))


async def put_back(store: FollowsProtocol, book: CopyBook, copy: Copy) -> None:
    """Append the items of a copy behind what it left, in one batch. Raises what the store raises."""
    returning = replace(copy, state=CopyState.RETURNING)
    await book.save(returning)
    try:
        await store.add_items(deepcopy(list(copy.kept)))
    except Exception as error:
        await finish(store, book, returning, error)
        raise
    await _keep(book, replace(copy, state=CopyState.RETURNED))


async def finish_all(store: FollowsProtocol, book: CopyBook) -> None:
    """Bring to an end whatever was cut off. Raises HalfDone if that fails again."""
    for copy in await book.load(store.session_id):
        if copy.state in UNFINISHED:
            await finish(store, book, copy)


async def finish(
    store: FollowsProtocol, book: CopyBook, copy: Copy, because: Exception | None = None
) -> None:
    """Bring one edit that was cut off to its end, or back to its beginning.

    An edit whose items are partly gone is completed, unless it was stopped or something was appended since:
    then all goes back, in order, with what was appended behind it. Raises HalfDone if the store fails.
    """
    try:
        await _finish(store, book, copy)
    except (HalfDone, HistoryChanged):
        raise
    except Exception as error:
        raise HalfDone(HALF_DONE) from because or error


HALF_DONE = (
    "The edit stopped half way and what it took could not be put back; its copies are kept, and it is tried "
    "again when the session is next used."
)


async def _finish(store: FollowsProtocol, book: CopyBook, copy: Copy) -> None:
    rest = _rest(copy, await read_all(store))
    if rest is None:
        await book.save(replace(copy, state=CopyState.VOID))
        return
    if rest.there == 0 and copy.state is not CopyState.STOPPED:
        await book.save(replace(copy, state=CopyState.TAKEN))
        return
    if copy.state is CopyState.TAKING and not rest.others and rest.there < len(copy.kept):
        await take(store, book, copy, there=rest.there)
        return
    missing = [*copy.kept, *copy.strangers][rest.there :]
    if missing:
        new = rest.others[_alike(rest.others, copy.strangers) :]
        state = CopyState.RETURNING if copy.state is CopyState.RETURNING else CopyState.STOPPED
        lifted = replace(copy, state=state, strangers=(*copy.strangers, *new))
        await _lift(store, book, lifted, rest.others)
        await store.add_items([*missing, *new])
    if copy.state is CopyState.RETURNING:
        await book.save(replace(copy, state=CopyState.RETURNED, strangers=()))
    else:
        await book.forget(copy.session_id, [copy.id])


class _Rest(NamedTuple):
    """What stands behind the items an edit leaves: so many of those it took, then others."""

    there: int
    others: list[Any]


def _rest(copy: Copy, items: Sequence[Any]) -> _Rest | None:
    """None where what the edit left is not there any more: another program cleared or changed it."""
    if len(items) < copy.before or digest(items[: copy.before]) != copy.digest:
        return None
    rest = items[copy.before :]
    there = _alike(rest, (*copy.kept, *copy.strangers))
    return _Rest(there, list(rest[there:]))


def _alike(items: Sequence[Any], others: Sequence[Any]) -> int:
    """How many items at the beginning are the same in both."""
    same = takewhile(
        lambda pair: fingerprint(pair[0]) == fingerprint(pair[1]), zip(items, others, strict=False)
    )
    return sum(1 for _ in same)


async def _lift(store: FollowsProtocol, book: CopyBook, copy: Copy, others: Sequence[Any]) -> None:
    """Pop what was appended behind a half-taken end; it is kept first, so that it can go back behind it."""
    if others:
        await book.save(copy)
    for expected in reversed(others):
        item = await store.pop_item()
        if item is None or fingerprint(item) != fingerprint(expected):
            if item is not None:
                await store.add_items([item])
            raise HalfDone(HALF_DONE)


async def _stop(store: FollowsProtocol, book: CopyBook, copy: Copy, back: list[Any]) -> None:
    """Give an edit up: what was popped goes back in one append, and the copy is forgotten."""
    stopped = replace(copy, state=CopyState.STOPPED)
    await _keep(book, stopped)
    try:
        if back:
            await store.add_items(back)
    except Exception as error:
        raise HalfDone(
            "Another program wrote to the session during the edit, and what was taken could not be put back; "
            "its copies are kept, and it is tried again when the session is next used."
        ) from error
    await book.forget(copy.session_id, [copy.id])


async def _keep(book: CopyBook, copy: Copy) -> None:
    """Save a copy whose items have moved already; if that fails, `finish` finds out where they are."""
    with suppress(StoreUnavailable):
        await book.save(copy)
