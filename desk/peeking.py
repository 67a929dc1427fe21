"""Two questions the page asks of a session's ledger: would an undo be refused, and who waits for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.notes import PauseState
from memory.statements import Operation
from memory.tables import text_of_column

if TYPE_CHECKING:
    from memory.ledger import Ledger
    from memory.statements import Database
    from memory.table_session import TableSession


async def undo_refused(session: TableSession) -> bool:
    """Whether something was said behind the newest edit, so that what it took has no place any more.

    False where nothing was edited. Raises StoreUnavailable.
    """
    ledger, session_id = session.scope.ledger, session.session_id

    def operation() -> Operation[bool]:
        if not (yield from session.scope.tables.there()) or not (yield from ledger.there()):
            return False
        standing = yield from ledger.standing(session_id)
        if standing.stands is None:
            return False
        newest = yield from ledger.one(session_id, standing.stands)
        return newest.tail is not None and standing.last is not None and standing.last >= newest.tail

    return await session.database.read(operation)


async def waiting_sessions(database: Database, ledger: Ledger) -> list[str]:
    """The ids of the sessions that wait for a person to decide, the longest waiting first."""

    def operation() -> Operation[list[str]]:
        if not (yield from ledger.there()):
            return []
        rows = yield ledger.sql(
            f"SELECT session_id FROM {ledger.pauses} WHERE status = :pending "
            "GROUP BY session_id ORDER BY min(id)",
            {"pending": str(PauseState.PENDING)},
        )
        return [text_of_column(row[0]) for row in rows]

    return await database.read(operation)
