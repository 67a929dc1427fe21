"""The rows an edit moves: out of the messages, and back to them.

A change has two sides, the rows it takes and the rows it puts in place. One lies in the messages at any time,
the other here, exactly as stored; undo and redo swap them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .edits import Change
from .entries import Key, above
from .recorded import Made, Ranges, Recorded, Records, Standing, must_be
from .statements import Many, Operation, Sql
from .tables import Place


class MovedRows(Records):
    """Moving the rows of changes to and fro."""

    def drop_undone(self, session: str, standing: Standing) -> Operation[Standing]:
        """A new edit ends the chance to redo what was undone before it; how the session stands then."""
        if standing.undone is None:
            return standing
        undone = f"FROM {self.changes} WHERE session_id = :session AND id >= :undone"
        values = {"session": session, "undone": standing.undone}
        yield from self._drop_kept(session, (yield self.sql(f"SELECT kept_from, kept_to {undone}", values)))
        yield self.sql(f"DELETE {undone}", values)
        rows = yield self.sql(f"SELECT coalesce(max(place), 0) FROM {self.kept}")
        return standing._replace(undone=None, kept=int(rows[0][0]))

    def _drop_kept(self, session: str, places: Sequence[tuple[Any, ...]]) -> Operation[None]:
        yield self.many(
            f"DELETE FROM {self.kept} WHERE place BETWEEN :first AND :last AND session_id = :session",
            [{"session": session, "first": first, "last": last} for first, last in places if first <= last],
        )

    def take(self, session: str, ranges: Ranges, *, expected: int | None = None) -> Operation[None]:
        """Move rows out of the messages and to the end of the ledger, in stored order.

        Raises HistoryChanged where they are not as many as `expected`, if that is given.
        """
        if not ranges:
            return
        tables = self.tables
        edges, _ = tables.range(*ranges[0])
        going = [{"session": session, **tables.range(first, last)[1]} for first, last in sorted(ranges)]
        if self.dialect.moves:
            moved = 0
            for values in going:
                rows = yield Sql(f"{self._moving(edges)} SELECT count(*) FROM taken", values)
                moved += rows[0][0]
            must_be(moved, expected)
            return
        if expected is not None:
            there = 0
            for first, last in ranges:
                there += yield from tables.count(session, first, last)
            must_be(there, expected)
        yield Many(
            f"INSERT INTO {self.kept} (session_id, id, message_data, created_at) "
            f"SELECT session_id, id, message_data, created_at {tables.own}{edges} ORDER BY {tables.order}",
            going,
        )
        yield Many(f"DELETE {tables.own}{edges}", going)

    def take_and_record(self, session: str, standing: Standing, made: Made) -> Operation[Change]:
        """`take` and `record` for an edit that puts nothing in the place of what it takes.

        One statement for both on a server that can do that. Raises HistoryChanged where the rows are not as
        many as they should be.
        """
        if not self.dialect.moves or len(made.took) != 1:
            yield from self.take(session, made.took, expected=made.removed)
            return (yield from self.record(session, standing, made))
        change, values = self._noting(session, standing, made)
        ((first, last),) = made.took
        edges, marks = self.tables.range(first, last)
        if standing.last is not None and last < standing.last:
            seen, marks["seen"] = ":seen", self.tables.mark(standing.last)
        else:  # all of one statement sees the rows that are about to go
            before = self.tables.edge("<", "first")
            left = self.tables.few(self.tables.marked, before, self.tables.backwards, "1")
            seen, marks["start"] = f"coalesce(({left}), :start)", self.tables.start
        rows = yield Sql(
            f"{self._moving(edges)}, noted AS ({self._note(seen, 'taken')}) SELECT count(*) FROM taken",
            {**values, **marks},
        )
        must_be(rows[0][0], made.removed)
        return change

    def _moving(self, edges: str) -> str:
        """The beginning of a statement that moves the rows between these edges, in stored order."""
        return (
            f"WITH gone AS (DELETE {self.tables.own}{edges} "
            "RETURNING id, session_id, message_data, created_at), "
            f"taken AS (INSERT INTO {self.kept} (session_id, id, message_data, created_at) "
            f"SELECT session_id, id, message_data, created_at FROM gone ORDER BY {self.tables.order} "
            "RETURNING place)"
        )

    def kept_keys(self, session: str, recorded: Recorded) -> Operation[list[Key]]:
        """The keys of the rows of a change that lie in the ledger, ascending."""
        rows = yield self.sql(
            f"SELECT {self.tables.place} {self.lying} ORDER BY place", self.lies(session, recorded)
        )
        return [self.tables.key(row) for row in rows]

    def put_back(self, session: str, recorded: Recorded) -> Operation[None]:
        """Move the rows of a change that lie in the ledger to the messages, under their own ids and times.

        A row whose id was used by another program meanwhile is left out: count them afterwards.
        """
        values = self.lies(session, recorded)
        yield Sql(
            f"{self.dialect.insert_new} {self.tables.messages} (id, session_id, message_data, created_at) "
            f"SELECT id, session_id, message_data, created_at {self.lying} ORDER BY place"
            f"{self.dialect.unless_there}",
            values,
        )
        yield self.sql(f"DELETE {self.lying}", values)

    def put_changed(self, session: str, standing: Standing, key: Key, text: str) -> Operation[None]:
        """Put new text in the place of the row that was just taken: same id, same time."""
        yield Sql(
            f"INSERT INTO {self.tables.messages} (id, session_id, message_data, created_at) "
            f"SELECT id, session_id, :text, created_at FROM {self.kept} "
            "WHERE place > :kept AND session_id = :session",
            {"session": session, "text": text, "kept": standing.kept},
        )

    def put_anew(
        self, session: str, standing: Standing, behind: Key
    ) -> Operation[tuple[list[Key], list[Key]]]:
        """Write the rows that were just taken again, with their times, under new ids, where `behind` is last.

        Their old keys come back, and their new ones.
        """
        taken = f"FROM {self.kept} WHERE place > :kept AND session_id = :session ORDER BY place"
        values = {"session": session, "kept": standing.kept}
        old = [self.tables.key(row) for row in (yield Sql(f"SELECT {self.tables.place} {taken}", values))]
        if old:
            yield Sql(
                f"INSERT INTO {self.tables.messages} (session_id, message_data, created_at) "
                f"SELECT session_id, message_data, created_at {taken}",
                values,
            )
        return old, (yield from self._behind(session, behind, old))

    def _behind(self, session: str, behind: Key, old: Sequence[Key]) -> Operation[list[Key]]:
        return (yield from self.tables.keys(session, above(behind))) if old else []

    def copy(
        self, session: str, first: Place, last: Place, target: str, change: Recorded | None = None
    ) -> Operation[list[Key]]:
        """Copy the rows from `first` to `last`, and those a change took, in order into another session.

        The keys of the originals come back, in the order of the copies.
        """
        tables = self.tables
        edges, values = tables.range(first, last)
        values |= {"session": session}
        rows = f"SELECT id, message_data, created_at {tables.own}{edges}"
        if change is not None:
            rows += f" UNION ALL SELECT id, message_data, created_at {self.lying}"
            values |= self.lies(session, change)
        found = yield Sql(f"SELECT {tables.place} FROM ({rows}) AS original ORDER BY {tables.order}", values)
        yield Sql(
            f"INSERT INTO {tables.messages} (session_id, message_data, created_at) "
            f"SELECT :target, message_data, created_at FROM ({rows}) AS original ORDER BY {tables.order}",
            {**values, "target": target},
        )
        return [tables.key(row) for row in found]

    @staticmethod
    def lies(session: str, recorded: Recorded) -> dict[str, Any]:
        """The values that `lying` asks for, to find the side of a change that is in the ledger."""
        return {"session": session, "kept_from": recorded.kept_from, "kept_to": recorded.kept_to}
