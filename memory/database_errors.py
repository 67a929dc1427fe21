"""What a database server reports, as something to try again or as one sentence for a person.

Nothing a driver says is passed on: its messages hold addresses, names of users and the text of items.
"""

from __future__ import annotations

import asyncio
from typing import Any

from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

UNCHANGED = "Nothing was changed."
UNKNOWN = "Whether it was stored is not known; look again before repeating it."

PASSING = {"40001", "40P01", "1213", "1020", "5", "6"}
"""Serialization failure, deadlock (PostgreSQL, MySQL, MariaDB); busy, locked (SQLite)."""

GONE = {"57P01", "57P02", "57P03", "08001", "08003", "08006", "2003", "2006", "2013", "2014", "2055"}
"""The server went away, or is not there (yet)."""

ABSENT = {"42P01", "1146"}
"""A table that was there a moment ago is not."""

MADE = {"42P07", "42710", "1050"}
"""A table, or its type, that was not there a moment ago is: somebody else made it."""

SENTENCES = {
    "28P01": "The database refuses the user or the password; check the URL.",
    "28000": "The database refuses the user; check the URL.",
    "1045": "The database refuses the user or the password; check the URL.",
    "1698": "The database refuses the user or the password; check the URL.",
    "1044": "The user may not use this database; check the URL and the user's rights.",
    "3D000": "The server has no database of that name; check the URL.",
    "1049": "The server has no database of that name; check the URL.",
    "42501": "The database does not allow this; the user needs more rights.",
    "1142": "The database does not allow this; the user needs more rights.",
    "25006": "The database takes no changes: it is set to be read only.",
    "1290": "The database takes no changes: it is set to be read only.",
    "1792": "The database takes no changes: it is set to be read only.",
    "8": "The database may not be written; check its permissions or choose another place.",
    "53100": "The disk of the database is full; make room and try again.",
    "1114": "The disk of the database is full; make room and try again.",
    "13": "The disk of the database is full; make room and try again.",
    "53300": "The database takes no more connections; try again later.",
    "1040": "The database takes no more connections; try again later.",
    "57P01": "The database is shutting down; try again later.",
    "57P03": "The database is starting; try again in a moment.",
    "57014": "The database gave up on this after its time limit; try again.",
    "55P03": "Somebody else holds the session in the database; try again.",
    "1205": "Somebody else holds the session in the database; try again.",
    "5": "Another program has held the database for too long; try again.",
    "6": "Another part of this program holds the database; try again.",
    "40001": "Others write to the session at the same time; try again.",
    "40P01": "Others write to the session at the same time; try again.",
    "1213": "Others write to the session at the same time; try again.",
    "22021": "The database cannot hold a NUL character here.",
    "54000": "The session id is too long for this database; choose a shorter one.",
    "1406": "A text is too long for this database.",
    "1153": "The item is too large for this database.",
    "11": "The database is damaged; it was left as it is. Restore a copy of it.",
    "14": "The database cannot be opened; check that it is a file and may be read.",
    "26": "The file is no database; it was left as it is. Choose another file.",
    "42P01": "A table is missing in the database; make it, or pass create_tables=True.",
    "1146": "A table is missing in the database; make it, or pass create_tables=True.",
}

WHY = {
    "login": ("28P01", "28000", "1045", "1698", "1044"),
    "no_database": ("3D000", "1049"),
    "no_rights": ("42501", "1142"),
    "read_only": ("25006", "1290", "1792", "8"),
    "full": ("53100", "1114", "13"),
    "crowded": ("53300", "1040"),
    "unreachable": tuple(GONE),
    "silent": ("57014",),
    "held": ("55P03", "1205", "5", "6", "40001", "40P01", "1213"),
    "no_table": tuple(ABSENT),
    "damaged": ("11",),
    "unopened": ("14",),
    "not_a_database": ("26",),
}
"""The causes that StoreUnavailable names, by the codes that tell of them."""

LOST = (ConnectionError, EOFError, OSError, asyncio.IncompleteReadError)


def code_of(error: BaseException) -> str:
    """The server's own code: an SQLSTATE, a number of MySQL's, or a result code of SQLite's; else ``""``."""
    for found in _chain(error):
        if found.args and type(found.args[0]) is int and "mysql" in type(found).__module__:
            return str(found.args[0])
        if state := getattr(found, "sqlstate", None):
            return str(state)
        number = getattr(found, "sqlite_errorcode", None)
        if number is not None:
            return str(int(number) & 0xFF)
    return ""


def is_lost(error: BaseException) -> bool:
    """Whether the connection broke, or could not be made."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    if code_of(error) in {
        "2003",
        "2006",
        "2013",
        "2014",
        "2055",
        "57P01",
        "57P02",
        "08006",
        "08003",
        "08001",
    }:
        return True
    return any(isinstance(found, LOST) and not isinstance(found, TimeoutError) for found in _chain(error))


def was_unsent(error: BaseException) -> bool:
    """Whether the connection was closed before the statement could be sent."""
    return any("connection is closed" in str(found.args[:1]) for found in _chain(error))


def tries_left(error: BaseException) -> int:
    """How often the same may be begun afresh with some hope: 0 where it would only fail again."""
    if code_of(error) in PASSING:
        return 1000  # others are in the way, for as long as anybody is ready to wait
    if isinstance(error, IntegrityError) or code_of(error) in MADE:
        return 3  # two first writers of a key or a table
    return 1 if is_lost(error) or is_absent(error) else 0


def is_absent(error: BaseException) -> bool:
    return code_of(error) in ABSENT or "no such table" in str(getattr(error, "orig", ""))


def sentence(error: BaseException) -> str:
    """What is wrong and what to do next."""
    code = code_of(error)
    if code in SENTENCES:
        return SENTENCES[code]
    if isinstance(error, TimeoutError):
        return "The database does not answer; try again."
    if is_lost(error):
        return "The database cannot be reached, or broke the connection; check that it runs and try again."
    if is_absent(error):
        return SENTENCES["42P01"]
    kind = type(getattr(error, "orig", None) or error).__name__
    return f"The database cannot be used ({kind}{f' {code}' if code else ''})."


def why(error: BaseException) -> str:
    """The cause in one word, as StoreUnavailable names it; ``""`` where it is not known."""
    code = code_of(error)
    for name, codes in WHY.items():
        if code in codes:
            return name
    if isinstance(error, TimeoutError):
        return "silent"
    if is_lost(error):
        return "unreachable"
    return "no_table" if is_absent(error) else ""


def is_trouble(error: BaseException) -> bool:
    """Whether an error comes from the database or the way to it, not from the caller."""
    return isinstance(error, (SQLAlchemyError, OSError, EOFError, TimeoutError)) or any(
        type(found).__module__.partition(".")[0] in {"asyncpg", "aiomysql", "pymysql", "sqlite3", "aiosqlite"}
        for found in _chain(error)
    )


def _chain(error: BaseException) -> list[Any]:
    """An error, the driver's under it, and what caused that."""
    found: list[Any] = []
    following: Any = error
    while following is not None and following not in found:
        found.append(following)
        following = getattr(following, "orig", None) or following.__cause__
    return found
