"""Paused runs: a decision of a person counts once.

A pause is bound to its session and to the newest entry at the time. It goes `pending -> deciding ->
settled`, each step one statement that succeeds for one caller only, or becomes `superseded` when the
history under it changes. A superseded call is closed with a result that says so, in the same transaction,
so that no half pair is left.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

from .codec import Codec
from .errors import DecisionClosed
from .ledger import Ledger, as_json
from .notes import Pause, PauseState
from .statements import Operation, Sql
from .tables import parse_time

Call = tuple[str, str, str, str]
"""(call id, tool name, arguments text, agent)"""

OPEN = (PauseState.PENDING, PauseState.DECIDING)


def add(
    ledger: Ledger, codec: Codec, session: str, state: str, calls: Sequence[Call], head: int
) -> Operation[Pause]:
    """Store a paused run behind row `head`. Whatever waited before is superseded by it."""
    at = datetime.now(UTC)
    yield Sql(
        f"UPDATE {ledger.pauses} SET status = '{PauseState.SETTLED}', state = '' "
        f"WHERE session_id = :session AND status IN ('{PauseState.PENDING}', '{PauseState.DECIDING}')",
        {"session": session},
    )
    rows = yield Sql(
        f"INSERT INTO {ledger.pauses} (session_id, status, calls, state, head_id, verdicts, created_at) "
        f"VALUES (:session, '{PauseState.PENDING}', :calls, :state, :head, :verdicts, :at) RETURNING id",
        {
            "session": session,
            "calls": codec.seal(as_json(calls)),
            "state": codec.seal(state),
            "head": head,
            "verdicts": codec.seal("{}"),
            "at": at.isoformat(),
        },
    )
    return Pause(int(rows[0][0]), session, PauseState.PENDING, tuple(calls), state, at)


def waiting(ledger: Ledger, codec: Codec, session: str) -> Operation[Pause | None]:
    """The pause of the session that is not settled or superseded yet, or None."""
    rows = yield Sql(
        f"SELECT id, session_id, status, calls, state, created_at, verdicts FROM {ledger.pauses} "
        f"WHERE session_id = :session AND status IN ('{PauseState.PENDING}', '{PauseState.DECIDING}') "
        "ORDER BY id DESC LIMIT 1",
        {"session": session},
    )
    return _read(rows[0], codec) if rows else None


def count_waiting(ledger: Ledger) -> Operation[int]:
    """How many sessions wait for a person."""
    rows = yield Sql(
        f"SELECT count(DISTINCT session_id) FROM {ledger.pauses} WHERE status = '{PauseState.PENDING}'"
    )
    return int(rows[0][0])


def begin(
    ledger: Ledger, codec: Codec, session: str, pause: int, verdicts: dict[str, tuple[bool, str]], head: int
) -> Operation[Pause]:
    """`pending -> deciding` with what the person said. Raises DecisionClosed for all but the first caller.

    `head` is the newest row now: a history that moved since the pause closes the decision too.
    """
    rows = yield Sql(
        f"UPDATE {ledger.pauses} SET status = '{PauseState.DECIDING}', verdicts = :verdicts "
        f"WHERE id = :pause AND session_id = :session AND status = '{PauseState.PENDING}' "
        "AND head_id = :head RETURNING id, session_id, status, calls, state, created_at, verdicts",
        {"pause": pause, "session": session, "head": head, "verdicts": codec.seal(as_json(verdicts))},
    )
    if not rows:
        raise DecisionClosed(
            "This decision is closed: it was taken already, or the conversation under it has changed."
        )
    return _read(rows[0], codec)


def end(ledger: Ledger, session: str, pause: int, status: PauseState) -> Operation[bool]:
    """Close an open pause; its frozen state is dropped. Whether it was open."""
    rows = yield Sql(
        f"UPDATE {ledger.pauses} SET status = :status, state = '' "
        "WHERE id = :pause AND session_id = :session "
        f"AND status IN ('{PauseState.PENDING}', '{PauseState.DECIDING}') RETURNING id",
        {"status": str(status), "pause": pause, "session": session},
    )
    return bool(rows)


def _read(row: tuple[object, ...], codec: Codec) -> Pause:
    id_, session, status, calls, state, at, verdicts = row
    created = parse_time(str(at))
    assert created is not None
    spoken = json.loads(codec.unseal(str(verdicts)))
    return Pause(
        id=int(str(id_)),
        session_id=str(session),
        status=PauseState(str(status)),
        calls=tuple((c[0], c[1], c[2], c[3]) for c in json.loads(codec.unseal(str(calls)))),
        state=codec.unseal(str(state)) if state else "",
        created_at=created,
        verdicts={call: (bool(yes), str(note)) for call, (yes, note) in spoken.items()},
    )
