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
from .ledger import Ledger
from .notes import Pause, PauseState
from .side_tables import as_json
from .statements import Operation
from .tables import Place, parse_time, text_of_column

Call = tuple[str, str, str, str]
"""(call id, tool name, arguments text, agent)"""

FIELDS = "id, status, calls, state, created_at, verdicts"

OPEN = (PauseState.PENDING, PauseState.DECIDING)

LAPSED = "This decision is closed: a part of the conversation under it has expired."
MOVED_ON = "This decision is closed: the conversation under it has changed."


def add(
    ledger: Ledger, codec: Codec, session: str, state: str, calls: Sequence[Call], head: Place
) -> Operation[Pause]:
    """Store a paused run behind row `head`. Whatever waited before is superseded by it."""
    at = datetime.now(UTC)
    yield ledger.sql(
        f"UPDATE {ledger.pauses} SET status = '{PauseState.SETTLED}', state = '' "
        f"WHERE session_id = :session AND status IN ('{PauseState.PENDING}', '{PauseState.DECIDING}')",
        {"session": session},
    )
    number = yield from ledger.insert_one(
        f"INSERT INTO {ledger.pauses} (session_id, status, calls, state, head_id, verdicts, created_at) "
        f"VALUES (:session, '{PauseState.PENDING}', :calls, :state, :head, :verdicts, :at)",
        {
            "session": session,
            "calls": codec.seal(as_json(calls)),
            "state": codec.seal(state),
            "head": ledger.tables.mark(head),
            "verdicts": codec.seal("{}"),
            "at": at.isoformat(),
        },
    )
    return Pause(number, session, PauseState.PENDING, tuple(calls), state, at)


def waiting(ledger: Ledger, codec: Codec, session: str) -> Operation[Pause | None]:
    """The pause of the session that is not settled or superseded yet, or None."""
    rows = yield ledger.sql(
        f"SELECT {FIELDS} FROM {ledger.pauses} "
        f"WHERE session_id = :session AND status IN ('{PauseState.PENDING}', '{PauseState.DECIDING}') "
        "ORDER BY id DESC LIMIT 1",
        {"session": session},
    )
    return _read(session, rows[0], codec) if rows else None


def waiting_sessions(ledger: Ledger) -> Operation[list[str]]:
    """The ids of the sessions that wait for a person, the longest waiting first."""
    if not (yield from ledger.there()):
        return []
    rows = yield ledger.sql(
        f"SELECT session_id FROM {ledger.pauses} WHERE status = :pending "
        "GROUP BY session_id ORDER BY min(id)",
        {"pending": str(PauseState.PENDING)},
    )
    return [text_of_column(row[0]) for row in rows]


def moved_on(ledger: Ledger, session: str, pause: int, head: Place) -> Operation[bool]:
    """Whether this decision still waits, but row `head`, the newest now, is not the one it was made behind:
    another program has written since."""
    rows = yield ledger.sql(
        f"SELECT 1 FROM {ledger.pauses} WHERE id = :pause AND session_id = :session "
        f"AND status = '{PauseState.PENDING}' AND head_id != :head",
        {"pause": pause, "session": session, "head": ledger.tables.mark(head)},
    )
    return bool(rows)


def begin(
    ledger: Ledger, codec: Codec, session: str, pause: int, verdicts: dict[str, tuple[bool, str]], head: Place
) -> Operation[Pause]:
    """`pending -> deciding` with what the person said. Raises DecisionClosed for all but the first caller.

    `head` is the newest row now: where the history moved since the pause, nobody is the first.
    """
    rows = yield ledger.sql(
        f"SELECT {FIELDS} FROM {ledger.pauses} WHERE id = :pause AND session_id = :session "
        f"AND status = '{PauseState.PENDING}' AND head_id = :head{ledger.dialect.for_update}",
        {"pause": pause, "session": session, "head": ledger.tables.mark(head)},
    )
    if not rows:
        raise DecisionClosed("This decision is closed: it was taken already, or something else was said.")
    sealed = codec.seal(as_json(verdicts))
    yield ledger.sql(
        f"UPDATE {ledger.pauses} SET status = '{PauseState.DECIDING}', verdicts = :verdicts "
        "WHERE id = :pause",
        {"pause": pause, "verdicts": sealed},
    )
    return _read(session, (rows[0][0], PauseState.DECIDING, *rows[0][2:-1], sealed), codec)


def end(ledger: Ledger, session: str, pause: int, status: PauseState) -> Operation[bool]:
    """Close an open pause; its frozen state is dropped. Whether it was open."""
    rows = yield ledger.sql(
        f"SELECT id FROM {ledger.pauses} WHERE id = :pause AND session_id = :session "
        f"AND status IN ('{PauseState.PENDING}', '{PauseState.DECIDING}'){ledger.dialect.for_update}",
        {"pause": pause, "session": session},
    )
    yield ledger.sql(
        f"UPDATE {ledger.pauses} SET status = :status, state = '' "
        "WHERE id = :pause AND session_id = :session "
        f"AND status IN ('{PauseState.PENDING}', '{PauseState.DECIDING}')",
        {"status": str(status), "pause": pause, "session": session},
    )
    return bool(rows)


def _read(session: str, row: tuple[object, ...], codec: Codec) -> Pause:
    id_, status, calls, state, at, verdicts = row
    created = parse_time(str(at))
    assert created is not None
    spoken = json.loads(codec.unseal(str(verdicts)))
    return Pause(
        id=int(str(id_)),
        session_id=session,
        status=PauseState(str(status)),
        calls=tuple((c[0], c[1], c[2], c[3]) for c in json.loads(codec.unseal(str(calls)))),
        state=codec.unseal(str(state)) if state else "",
        created_at=created,
        verdicts={call: (bool(yes), str(note)) for call, (yes, note) in spoken.items()},
    )
