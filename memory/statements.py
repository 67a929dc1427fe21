"""Operations are generators of statements; a database runs one inside one transaction.

An operation never touches a connection. It yields what it wants done and is sent the rows back:

    def newest(tables, session_id):
        rows = yield Sql("SELECT ... WHERE session_id = :session", {"session": session_id})
        return rows[0] if rows else None

So the same operation runs over the standard library's sqlite3 in one hop to a worker thread and over an
async driver with one await per statement, and a larger operation is made of smaller ones by `yield from`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

from .entries import Key

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Row = tuple[Any, ...]


class Sql(NamedTuple):
    """One statement with named parameters (`:name`); its rows come back.

    `ledger` marks one over the side tables, which may lie in another database. `alone` marks one that is
    a whole operation: a write must end with it, and a read that goes on after it begins afresh.
    """

    text: str
    values: Mapping[str, Any] = {}  # only read
    ledger: bool = False
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Many:
    """One statement for each set of values; no rows come back."""

    text: str
    values: Sequence[Mapping[str, Any]]
    ledger: bool = False


@dataclass(frozen=True, slots=True)
class Present:
    """Which of these tables exist: one row with a frozenset of their names."""

    names: frozenset[str]
    ledger: bool = False


@dataclass(frozen=True, slots=True)
class Ensure:
    """Make these tables if they are not there; `ddl` are the statements that make them."""

    names: frozenset[str]
    ddl: tuple[str, ...]
    ledger: bool = False


@dataclass(frozen=True, slots=True)
class Locked:
    """What follows has the session for itself. Only a far ledger listens; no rows come back.

    `there` says whether the session had a row of its own, where the lock has told.
    """

    session: str
    there: bool | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """What an operation does to the messages of a session; said beside the statements that do it.

    `taken` are rows it is about to take out, as (id, time, text). `added` are rows it has put there or is
    about to, each as (key, text); told again, a row has the newer text. `cleared` says that all are about to
    go for good. Only a far ledger listens, which must be able to reverse it; no rows come back.
    """

    session: str
    taken: Sequence[tuple[int, str, str | bytes]] = ()
    added: Sequence[tuple[Key, str | bytes]] = ()
    cleared: bool = False


@dataclass(frozen=True, slots=True)
class Outdated:
    """When this operation is committed, the store's files hold text that has to go from them: see `unerased`.

    `whose` names the store where its ledger shares a file with those of others. No rows come back.
    """

    whose: str = ""
    ledger: bool = True


Statement = Sql | Many | Present | Ensure | Locked | Moved | Outdated
Operation = Generator[Statement, list[Row], T]
Start = Callable[[], Operation[T]]
"""What starts an operation: a database that has to try again starts it afresh."""


def drive(operation: Operation[T], execute: Callable[[Statement], list[Row]]) -> T:
    """Run an operation to its end, handing each statement's rows back to it."""
    try:
        statement = next(operation)
        while True:
            statement = operation.send(execute(statement))
    except StopIteration as done:
        result: T = done.value
        return result


class Database(Protocol):
    """A place that runs operations. Both methods raise StoreUnavailable where the store cannot serve."""

    unerased: bool
    """Whether the store's files may still hold text that was deleted for good."""

    async def read(self, start: Start[T], *, brief: bool = False) -> T:
        """Run the operation on one consistent state of the store; it must not write.

        `brief` says that few rows are read, most likely, so that going to another thread would take longer.
        """

    async def write(self, start: Start[T], *, brief: bool = False) -> T:
        """Run the operation in one transaction, durable when this returns; an error leaves nothing of it.

        `brief` as for `read`, for the rows that are read or written.
        """

    async def revision(self) -> Hashable:
        """A value that differs whenever anything in the store may have changed; cheap at any size."""

    async def erase(self) -> None:
        """Make what was deleted unrecoverable from the store's files, write-ahead log included.

        Raises NotErased where another program is in the way; `unerased` says so until it was done.
        """

    def close(self) -> None:
        """Let go of connections and threads."""
