"""A mark in a store's file that it may still hold text that was deleted or replaced for good.

A purge is two steps: a commit after which the text is no row's any more, and the file written anew without
it. The mark is made in the commit and taken away after the writing, so that a process that dies in between
leaves word for the next one. It holds a token of each commit: what was marked again meanwhile stays marked.

`whose` says which store the text is of, for a file that holds ledgers of stores elsewhere; "" is the file.
The table is made with the first mark. There is none on a server, which reuses the room in its own time.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from .statements import Database

TABLE = "memory_unerased"

Run = Callable[[str, Sequence[Any]], Sequence[Any]]
"""Runs one statement with its values in order; its rows come back."""


def mark(run: Run, whose: str) -> None:
    """Leave word, inside the transaction after which there is something to erase."""
    run(f"CREATE TABLE IF NOT EXISTS {TABLE} (whose TEXT PRIMARY KEY, token TEXT NOT NULL)", ())
    run(f"INSERT OR REPLACE INTO {TABLE} (whose, token) VALUES (?, ?)", (whose, secrets.token_hex(8)))


def marks(run: Run) -> dict[str, str]:
    """Whose text the file may still hold, each with its token."""
    if not run("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (TABLE,)):
        return {}
    return {str(whose): str(token) for whose, token in run(f"SELECT whose, token FROM {TABLE}", ())}


def erased(run: Run, before: Mapping[str, str], whose: str) -> None:
    """Take away a mark that was there before the file was written anew."""
    if whose in before:
        run(f"DELETE FROM {TABLE} WHERE whose = ? AND token = ?", (whose, before[whose]))


class InDatabase(Protocol):
    """A session, as far as it matters here."""

    database: Database


@contextmanager
def known_if_cancelled(session: InDatabase) -> Iterator[None]:
    """A caller that is cancelled may have committed, and does not come to erase: this process knows."""
    try:
        yield
    except asyncio.CancelledError:
        session.database.unerased = True
        raise
