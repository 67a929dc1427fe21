"""The lease: one live run per session, checked inside the transaction of every write.

A lease has an owner, an expiry and a number that grows with each new lease of the session. A run renews
its lease while it lives; one that was abandoned runs out by itself. Time is passed in, in seconds since
the epoch, so that whoever asks decides what "now" is.

A clock that is set back by more than the length of a lease ends the lease: an abandoned one would otherwise
hold the session until the clock has caught up, and a run that lives is told by its next write.
"""

from __future__ import annotations

from datetime import UTC, datetime

from .errors import LeaseLost, SessionBusy
from .ledger import Ledger
from .notes import Lease
from .recorded import Standing
from .statements import Operation
from .tables import text_of_column


def acquire(ledger: Ledger, session: str, owner: str, seconds: float, now: float) -> Operation[Lease]:
    """Take the lease. Raises SessionBusy while another one is live."""
    row = yield from _row(ledger, session, wait=True)
    values = {"session": session, "owner": owner, "expires": now + seconds, "seconds": seconds}
    if row is None:
        # Of two that come first together the key refuses one, which is begun afresh.
        number = 1
        yield ledger.sql(
            f"INSERT INTO {ledger.leases} (session_id, owner, number, expires_at, seconds) "
            "VALUES (:session, :owner, 1, :expires, :seconds)",
            values,
        )
    elif _lives(row, now):
        raise SessionBusy(
            "Another run is working on this session; wait for it to end or stop it.", row[0] or ""
        )
    else:
        number = row[1] + 1
        yield ledger.sql(
            f"UPDATE {ledger.leases} SET owner = :owner, number = :number, expires_at = :expires, "
            "seconds = :seconds WHERE session_id = :session",
            {**values, "number": number},
        )
    return Lease(session, owner, number, datetime.fromtimestamp(now + seconds, UTC))


def renew(ledger: Ledger, lease: Lease, seconds: float, now: float) -> Operation[Lease]:
    """Push the expiry out. Raises LeaseLost if somebody else has taken the session since."""
    yield from must_hold(ledger, lease)
    yield ledger.sql(
        f"UPDATE {ledger.leases} SET expires_at = :expires, seconds = :seconds WHERE session_id = :session",
        {"session": lease.session_id, "expires": now + seconds, "seconds": seconds},
    )
    return Lease(lease.session_id, lease.owner, lease.number, datetime.fromtimestamp(now + seconds, UTC))


def release(ledger: Ledger, lease: Lease) -> Operation[None]:
    """Give the lease back; nothing happens if it was lost already. Its number is never used again."""
    yield ledger.sql(
        f"UPDATE {ledger.leases} SET owner = NULL, expires_at = 0 WHERE session_id = :session "
        "AND owner = :owner AND number = :number",
        {"session": lease.session_id, "owner": lease.owner, "number": lease.number},
    )


def sessions(ledger: Ledger) -> Operation[list[str]]:
    """The ids of all sessions in which anything ever ran, those that are not there any more too."""
    if not (yield from ledger.there()):
        return []
    rows = yield ledger.sql(f"SELECT session_id FROM {ledger.leases} ORDER BY session_id")
    return [text_of_column(row[0]) for row in rows]


def holder(ledger: Ledger, session: str, now: float) -> Operation[Lease | None]:
    """The live lease of the session, or None."""
    row = yield from _row(ledger, session)
    if row is None or not _lives(row, now):
        return None
    owner, number, expires, _ = row
    return Lease(session, str(owner), number, datetime.fromtimestamp(expires, UTC))


def must_hold(ledger: Ledger, lease: Lease) -> Operation[None]:
    """Raises LeaseLost unless `lease` is still the session's own, expired or not.

    A run that was slow to renew but was not replaced may go on: nobody else has written meanwhile.
    """
    row = yield from _row(ledger, lease.session_id, wait=True)
    if row is None or row[:2] != (lease.owner, lease.number):
        raise _lost()


Row = tuple[str | None, int, float, float]
"""(owner, number, expires at, seconds)"""


def _row(ledger: Ledger, session: str, *, wait: bool = False) -> Operation[Row | None]:
    """The lease as it is stored; `wait` for another writer of it, and keep the next one waiting."""
    rows = yield ledger.sql(
        f"SELECT owner, number, expires_at, seconds FROM {ledger.leases} WHERE session_id = :session"
        + (ledger.dialect.for_update if wait else ""),
        {"session": session},
    )
    return (rows[0][0], int(rows[0][1]), float(rows[0][2]), float(rows[0][3])) if rows else None


def _lives(row: Row, now: float) -> bool:
    owner, _, expires_at, seconds = row
    return owner is not None and now < expires_at <= now + 2 * seconds


def must_be_free(standing: Standing, session: str, lease: Lease | None, now: float) -> None:
    """What edits ask for: nobody holds the session, or the one who asks does."""
    row = standing.lease or (None, 0, 0.0, 0.0)
    if lease is not None:
        if (lease.session_id, lease.owner, lease.number) != (session, *row[:2]):
            raise _lost()
    elif _lives(row, now):
        raise SessionBusy("A run is working on this session; edits wait until it ends.", row[0] or "")


def _lost() -> LeaseLost:
    return LeaseLost("This run no longer holds the session, so what it wanted to store was not stored.")
