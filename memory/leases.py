"""The lease: one live run per session, checked inside the transaction of every write.

A lease has an owner, an expiry and a number that grows with each new lease of the session. A run renews
its lease while it lives; one that was abandoned runs out by itself. Time is passed in, in seconds since
the epoch, so that whoever asks decides what "now" is.
"""

from __future__ import annotations

from datetime import UTC, datetime

from .errors import LeaseLost, SessionBusy
from .ledger import Ledger
from .notes import Lease
from .statements import Operation


def acquire(ledger: Ledger, session: str, owner: str, seconds: float, now: float) -> Operation[Lease]:
    """Take the lease. Raises SessionBusy while another one is live."""
    rows = yield ledger.sql(
        f"SELECT owner, number, expires_at FROM {ledger.leases} WHERE session_id = :session"
        + ledger.dialect.for_update,
        {"session": session},
    )
    values = {"session": session, "owner": owner, "expires": now + seconds}
    if not rows:
        # Two that come first together: the key refuses the second, which begins afresh.
        number = 1
        yield ledger.sql(
            f"INSERT INTO {ledger.leases} (session_id, owner, number, expires_at) "
            "VALUES (:session, :owner, 1, :expires)",
            values,
        )
    elif rows[0][0] is None or float(rows[0][2]) <= now:
        number = int(rows[0][1]) + 1
        yield ledger.sql(
            f"UPDATE {ledger.leases} SET owner = :owner, number = :number, expires_at = :expires "
            "WHERE session_id = :session",
            {**values, "number": number},
        )
    else:
        raise SessionBusy("Another run is working on this session; wait for it to end or stop it.")
    return Lease(session, owner, number, datetime.fromtimestamp(now + seconds, UTC))


def renew(ledger: Ledger, lease: Lease, seconds: float, now: float) -> Operation[Lease]:
    """Push the expiry out. Raises LeaseLost if somebody else has taken the session since."""
    yield from must_hold(ledger, lease)
    yield ledger.sql(
        f"UPDATE {ledger.leases} SET expires_at = :expires WHERE session_id = :session",
        {"session": lease.session_id, "expires": now + seconds},
    )
    return Lease(lease.session_id, lease.owner, lease.number, datetime.fromtimestamp(now + seconds, UTC))


def release(ledger: Ledger, lease: Lease) -> Operation[None]:
    """Give the lease back; nothing happens if it was lost already. Its number is never used again."""
    yield ledger.sql(
        f"UPDATE {ledger.leases} SET owner = NULL, expires_at = 0 WHERE session_id = :session "
        "AND owner = :owner AND number = :number",
        {"session": lease.session_id, "owner": lease.owner, "number": lease.number},
    )


def holder(ledger: Ledger, session: str, now: float) -> Operation[Lease | None]:
    """The live lease of the session, or None."""
    rows = yield ledger.sql(
        f"SELECT owner, number, expires_at FROM {ledger.leases} WHERE session_id = :session "
        "AND owner IS NOT NULL AND expires_at > :now",
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
    rows = yield ledger.sql(
        f"SELECT number FROM {ledger.leases} WHERE session_id = :session AND owner = :owner "
        f"AND number = :number{ledger.dialect.for_update}",
        {"session": lease.session_id, "owner": lease.owner, "number": lease.number},
    )
    if not rows:
        raise _lost()


def must_be_free(ledger: Ledger, session: str, lease: Lease | None, now: float) -> Operation[None]:
    """What edits ask for: nobody holds the session, or the one who asks does."""
    if lease is not None:
        yield from must_hold(ledger, lease)
        return
    if (yield from holder(ledger, session, now)) is not None:
        raise SessionBusy("A run is working on this session; edits wait until it ends.")


def _lost() -> LeaseLost:
    return LeaseLost("This run no longer holds the session, so what it wanted to store was not stored.")
