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
from .ledger import Ledger, Standing
from .notes import Lease
from .statements import Operation, Sql

LIVE = "lease.owner IS NOT NULL AND lease.expires_at > :now AND lease.expires_at <= :now + 2 * lease.seconds"


def acquire(ledger: Ledger, session: str, owner: str, seconds: float, now: float) -> Operation[Lease]:
    """Take the lease. Raises SessionBusy while another one is live."""
    rows = yield Sql(
        f"INSERT INTO {ledger.leases} AS lease (session_id, owner, number, expires_at, seconds) "
        "VALUES (:session, :owner, 1, :expires, :seconds) ON CONFLICT (session_id) DO UPDATE "
        "SET owner = :owner, number = lease.number + 1, expires_at = :expires, seconds = :seconds "
        f"WHERE NOT ({LIVE}) RETURNING number",
        {"session": session, "owner": owner, "expires": now + seconds, "seconds": seconds, "now": now},
    )
    if not rows:
        raise SessionBusy("Another run is working on this session; wait for it to end or stop it.")
    return Lease(session, owner, int(rows[0][0]), datetime.fromtimestamp(now + seconds, UTC))


def renew(ledger: Ledger, lease: Lease, seconds: float, now: float) -> Operation[Lease]:
    """Push the expiry out. Raises LeaseLost if somebody else has taken the session since."""
    rows = yield Sql(
        f"UPDATE {ledger.leases} SET expires_at = :expires, seconds = :seconds "
        "WHERE session_id = :session AND owner = :owner AND number = :number RETURNING number",
        {
            "session": lease.session_id,
            "owner": lease.owner,
            "number": lease.number,
            "expires": now + seconds,
            "seconds": seconds,
        },
    )
    if not rows:
        raise _lost()
    return Lease(lease.session_id, lease.owner, lease.number, datetime.fromtimestamp(now + seconds, UTC))


def release(ledger: Ledger, lease: Lease) -> Operation[None]:
    """Give the lease back; nothing happens if it was lost already. Its number is never used again."""
    yield Sql(
        f"UPDATE {ledger.leases} SET owner = NULL, expires_at = 0 WHERE session_id = :session "
        "AND owner = :owner AND number = :number",
        {"session": lease.session_id, "owner": lease.owner, "number": lease.number},
    )


def holder(ledger: Ledger, session: str, now: float) -> Operation[Lease | None]:
    """The live lease of the session, or None."""
    rows = yield Sql(
        f"SELECT owner, number, expires_at FROM {ledger.leases} AS lease "
        f"WHERE session_id = :session AND {LIVE}",
        {"session": session, "now": now},
    )
    if not rows:
        return None
    owner, number, expires = rows[0]
    return Lease(session, str(owner), int(number), datetime.fromtimestamp(float(expires), UTC))


def must_hold(ledger: Ledger, lease: Lease) -> Operation[None]:
    """Raises LeaseLost unless `lease` is still the session's own, expired or not.

    A run that was slow to renew but was not replaced may go on: nobody else has written meanwhile.
    """
    rows = yield Sql(
        f"SELECT 1 FROM {ledger.leases} WHERE session_id = :session AND owner = :owner AND number = :number",
        {"session": lease.session_id, "owner": lease.owner, "number": lease.number},
    )
    if not rows:
        raise _lost()


def must_be_free(standing: Standing, session: str, lease: Lease | None, now: float) -> None:
    """What edits ask for: nobody holds the session, or the one who asks does."""
    owner, number, expires_at, seconds = standing.lease or (None, 0, 0.0, 0.0)
    if lease is not None:
        if (lease.session_id, lease.owner, lease.number) != (session, owner, number):
            raise _lost()
    elif owner is not None and now < expires_at <= now + 2 * seconds:
        raise SessionBusy("A run is working on this session; edits wait until it ends.")


def _lost() -> LeaseLost:
    return LeaseLost("This run no longer holds the session, so what it wanted to store was not stored.")
