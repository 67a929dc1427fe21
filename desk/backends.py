"""The backends one can choose: where a conversation may be kept, and what stands in the way of it.

Four are always there. A database is one more for each connection that the secrets file names, or that was
typed into the page of a server on the same machine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from sqlalchemy import URL

Kind = Literal["none", "memory", "file", "encrypted", "database"]

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


@dataclass(frozen=True, slots=True)
class Backend:
    """A place for conversations.

    `name` is what addresses and links call it; `label` what a person called a database. `encrypted` says
    whether what is stored is sealed. `problem` is a catalogue key where it cannot be used now.
    """

    name: str
    kind: Kind
    label: str = ""
    encrypted: bool = False
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Connection:
    """A database by its URL. The URL may hold a password: it is in no repr, and goes to no page.

    `create_tables` says whether tables may be made there; where they may not, what undo needs is kept in a
    file of the desk's own, which is named for `ledger`.
    """

    name: str
    url: str = field(repr=False)
    label: str = ""
    create_tables: bool = True
    encrypted: bool = False
    problem: str | None = None
    typed: bool = False

    @property
    def ledger(self) -> str:
        """What the file is named for: the place of a typed one, as its number is another's the next time."""
        if not self.typed:
            return self.name
        read = _read(self.url)
        port = "" if read.port is None else f":{read.port}"
        path = "" if read.database is None else f"/{read.database}"
        place = f"{read.get_backend_name()}://{read.host or ''}{port}{path}"
        return f"typed-{blake2b(place.encode('utf-8', 'replace'), digest_size=6).hexdigest()}"


class ConnectionUnusable(Exception):
    """The settings of a connection cannot be used; `problem` is its catalogue key."""

    def __init__(self, problem: str) -> None:
        super().__init__("The settings of this connection cannot be used.")
        self.problem = problem


BUILT_IN: tuple[Backend, ...] = (
    Backend("none", "none"),
    Backend("memory", "memory"),
    Backend("file", "file"),
    Backend("encrypted", "encrypted", encrypted=True),
)


def connections(secrets: Mapping[str, Any]) -> tuple[Connection, ...]:
    """The connections of a secrets file: each `[backends.<name>]` with its `url`.

    Further settings: `label`, `create_tables` (true) and `encrypted` (false). One that cannot be used is
    there all the same, with its problem: "bad_connection_name", "no_url" or "bad_setting".
    """
    named = secrets.get("backends")
    if not isinstance(named, Mapping):
        return ()
    return tuple(_connection(str(name), given) for name, given in named.items())


def _connection(name: str, given: object) -> Connection:
    if not _NAME.fullmatch(name) or any(name == known.name for known in BUILT_IN):
        return Connection(name, "", problem="bad_connection_name")
    if not isinstance(given, Mapping) or not isinstance(given.get("url"), str) or not given["url"].strip():
        return Connection(name, "", problem="no_url")
    made = Connection(
        name,
        given["url"].strip(),
        str(given.get("label") or ""),
        given.get("create_tables", True),
        given.get("encrypted", False),
    )
    if not (isinstance(made.create_tables, bool) and isinstance(made.encrypted, bool)):
        return Connection(name, "", made.label, problem="bad_setting")
    return made


def typed(url: str, known: Mapping[str, Connection], *, create_tables: bool = True) -> Connection:
    """A connection for a URL that a person typed: the one it has among `known`, or a new one.

    A new one comes under the first free name: "db-1", "db-2" and so on. Its label is the database's name
    without user, password and host, with its own name behind it where another one is labelled so. Raises
    ValueError for no URL.
    """
    read = _read(url)
    for there in known.values():
        if there.typed and (there.url, there.create_tables) == (url.strip(), create_tables):
            return there
    name = next(name for number in range(1, len(known) + 2) if (name := f"db-{number}") not in known)
    database = (read.database or "").rpartition("/")[2]
    label = f"{read.get_backend_name()}: {database}" if database else read.get_backend_name()
    if any(label == there.label for there in known.values()):
        label = f"{label} ({name})"
    return Connection(name, url.strip(), label, create_tables, typed=True)


def _read(url: str) -> URL:
    """The parts of a URL as the database will be reached by it, so that no part of a password is taken for
    another one. Raises ValueError for no URL.
    """
    from sqlalchemy import make_url  # when first asked: a desk without databases starts sooner
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(url.strip())
    except (ArgumentError, ValueError):  # the latter for a port that is no number
        raise ValueError("That is no URL of a database.") from None
