"""The orders of the desk: what is true of them, and the few things that can be done to them.

The samples (see `desk.samples`) are the start. The first write copies them into the desk's database, which
is the live state from then on; until then reading reads the samples, and no file is made. Dates stay rules
and are resolved on reading, so neither samples nor live orders grow old.

Two promises hold for any number of threads and processes, and through a crash at any moment: a call id has
at most one effect, and an order is refunded or cancelled at most once. Asking again with the same call id
returns the effect it had; it is not done twice.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Self

from .effects import Effect, Kind, OrderError, OrdersUnavailable
from .erasing import erase_words
from .order import Delivery, Order, Stop, journey, read_delivery, read_order
from .ordersdb import EFFECT, OrdersDatabase, fill, read_effect, to_json
from .rules import check_cancel, check_delivery, check_refund
from .samples import OWN_SEED, Record, load_orders, order_key

__all__ = ["Delivery", "Effect", "Order", "OrderError", "Orders", "OrdersUnavailable", "Stop"]

_CHUNK = 500  # call ids per statement: SQLite takes at least 999 values


@dataclass(frozen=True, slots=True)
class _Change:
    """What a piece of work comes to: the effect's detail, what it replaced, what the record becomes."""

    detail: dict[str, Any]
    before: dict[str, Any] | None = None
    record: dict[str, Any] = field(default_factory=dict)


class Orders:
    """The orders at `path` (a file, or `":memory:"`), as they stand on the day `today()` gives.

    `seed` is the samples' file. `now` stamps effects and must give aware times. Methods that change
    something take the `call_id` and `session` the effect is recorded under, return the `Effect`, and raise
    `OrderError` (nothing was changed) or `OrdersUnavailable`. Order ids are taken as people write them
    (" a100 "). Safe to use from any thread. Raises `SampleError` where the samples are no orders.
    """

    def __init__(
        self,
        path: Path | str,
        today: Callable[[], date] = date.today,
        *,
        seed: Path = OWN_SEED / "orders.json",
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.today = today
        self._now = now
        self._seed = seed
        self._samples = load_orders(seed, today())
        self._database = OrdersDatabase(path)

    def close(self) -> None:
        """Let go of the database. One in memory is gone then."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Reading

    def get(self, order_id: str) -> Order | None:
        """The order of that id, None where there is none."""
        key, today = order_key(order_id), self.today()
        with self._database.reading() as db:
            record = self._samples.get(key) if db is None else _record(db, key)
            return None if record is None else read_order(record, today)

    def all(self) -> list[Order]:
        """Every order, in the order of the samples."""
        today = self.today()
        with self._database.reading() as db:
            if db is None:
                return [read_order(record, today) for record in self._samples.values()]
            # Fetched before any is read: a row that cannot be must not leave a statement, and its lock, open.
            rows = db.execute("SELECT data FROM orders ORDER BY position").fetchall()
            return [read_order(json.loads(data), today) for (data,) in rows]

    def track(self, order_id: str) -> list[Stop]:
        """The journey of an order, oldest stop first. Empty where there is no such order."""
        order = self.get(order_id)
        return [] if order is None else journey(order, self.today())

    def history(self, order_id: str) -> list[Effect]:
        """What was done to an order, oldest first, with the summaries that name it and earlier eras."""
        key = order_key(order_id)
        where = "order_id = ? OR id IN (SELECT effect_id FROM summarised WHERE order_id = ?)"
        return self._effects(where, (key, key))

    def effects(self, *, session: str | None = None, call_ids: Iterable[str] | None = None) -> list[Effect]:
        """Effects of a session, or of some calls, or of those calls in that session; oldest first."""
        only = ("session = ?", (session,)) if session is not None else ("1", ())
        if call_ids is None:
            return self._effects(*only)
        ids, found = sorted(set(call_ids)), []
        for start in range(0, len(ids), _CHUNK):
            part = tuple(ids[start : start + _CHUNK])
            marks = ", ".join("?" * len(part))
            found += self._effects(f"{only[0]} AND call_id IN ({marks})", (*only[1], *part))
        return sorted(found, key=lambda effect: effect.id)

    def used(self, call_ids: Iterable[str]) -> set[str]:
        """Which of these call ids have had an effect.

        None where the orders cannot be read: then no call has one now either.
        """
        try:
            return {effect.call_id for effect in self.effects(call_ids=call_ids)}
        except OrdersUnavailable:
            return set()

    # Changing

    def set_delivery(self, order_id: str, delivery: Delivery, *, call_id: str, session: str) -> Effect:
        """Deliver an order elsewhere. Possible until it is on the truck."""

        def work(order: Order, db: sqlite3.Connection) -> _Change:
            check_delivery(order)
            if order.delivery == delivery:
                raise OrderError("no_change", order.id, order)
            return _moved(order, delivery)

        return self._once("delivery", order_id, delivery.facts(), call_id, session, work)

    def undo_delivery(self, order_id: str, *, call_id: str, session: str) -> Effect:
        """Put the delivery back to what it was before its last change. Repeated, it goes further back.

        Not to an address that was erased since (see `forget`): nobody knows it any more.
        """

        def work(order: Order, db: sqlite3.Connection) -> _Change:
            check_delivery(order)
            changes = _delivery_changes(db, order.id)
            if not changes:
                raise OrderError("nothing_to_undo", order.id, order)
            last = _last_standing(changes)
            if last is None:
                raise OrderError("already_undone", order.id, order)
            old = last.before.get("delivery", {}) if last.before else {}
            if not any(old.get(name) for name in ("address", "pickup_point")):
                raise OrderError("earlier_address_erased", order.id, order)
            return _moved(order, read_delivery(old), undoes=last.call_id)

        return self._once("delivery_undone", order_id, {}, call_id, session, work)

    def refund(
        self, order_id: str, amount: Decimal | None, reason: str, *, call_id: str, session: str
    ) -> Effect:
        """Pay `amount` back (None: the whole price), once for an order."""

        def work(order: Order, db: sqlite3.Connection) -> _Change:
            text = f"{check_refund(order, amount):.2f}"
            detail = {"amount": text, "currency": order.currency, "reason": reason}
            return _Change(detail, {"status": order.status}, {"status": "refunded", "refunded": text})

        asked = {"amount": None if amount is None else str(amount), "reason": reason}
        return self._once("refund", order_id, asked, call_id, session, work)

    def cancel(self, order_id: str, reason: str, *, call_id: str, session: str) -> Effect:
        """Cancel an order, once, while it is not delivered."""

        def work(order: Order, db: sqlite3.Connection) -> _Change:
            check_cancel(order)
            return _Change({"reason": reason}, {"status": order.status}, {"status": "cancelled"})

        return self._once("cancel", order_id, {"reason": reason}, call_id, session, work)

    def record_summary(self, text: str, order_ids: Iterable[str], *, call_id: str, session: str) -> Effect:
        """Write a ticket summary into the history of the orders it names (none is fine)."""
        keys = list(dict.fromkeys(order_key(order_id) for order_id in order_ids))
        detail = {"summary": text, "orders": keys}
        with self._database.writing(self._samples) as db:
            asked = _fingerprint("summary", "", detail, session)
            if (done := _found(db, call_id, asked, "")) is not None:
                return done
            for key in keys:
                if _record(db, key) is None:
                    raise OrderError("unknown_order", key)
            effect = self._insert(db, "summary", "", asked, call_id, session, _Change(detail))
            rows = [(effect.id, key) for key in keys]
            db.executemany("INSERT INTO summarised (effect_id, order_id) VALUES (?, ?)", rows)
            return effect

    def restore(self) -> None:
        """Bring the samples back, read afresh from their file. What was done stays in the history.

        Raises `SampleError` where the file is no longer usable; the orders then stay as they are.
        """
        self._samples = load_orders(self._seed, self.today())
        with self._database.reading() as db:
            if db is None:
                return
        with self._database.writing(self._samples) as db:
            db.execute("UPDATE era SET number = number + 1")
            fill(db, self._samples)

    def forget(self, session: str, calls: Collection[str] | None = None) -> int:
        """Erase a session's words for good: its reasons, summaries and typed addresses. Returns how many
        effects had them.

        With `calls`, only the words of these, as where the rest of the session is still there. What was done
        stays done, and its call ids stay used; an order on its way to an address only this session knew keeps
        going there, but the address is no longer on file.
        """
        with self._database.reading() as db:
            if db is None:
                return 0
        with self._database.writing(self._samples) as db:
            return erase_words(db, session, self._samples.values(), calls)

    # Inside

    def _effects(self, where: str, values: tuple[str, ...]) -> list[Effect]:
        with self._database.reading() as db:
            if db is None:
                return []
            rows = db.execute(f"{EFFECT} WHERE {where} ORDER BY id", values).fetchall()
            return [read_effect(row) for row in rows]

    def _once(
        self,
        kind: Kind,
        order_id: str,
        asked: Mapping[str, Any],
        call_id: str,
        session: str,
        work: Callable[[Order, sqlite3.Connection], _Change],
    ) -> Effect:
        """Do `work` for a call that had no effect yet, else return the effect it had."""
        key, today = order_key(order_id), self.today()
        with self._database.writing(self._samples) as db:
            mark = _fingerprint(kind, key, asked, session)
            if (done := _found(db, call_id, mark, key)) is not None:
                return done
            record = _record(db, key)
            if record is None:
                raise OrderError("unknown_order", key)
            change = work(read_order(record, today), db)
            data = to_json({**record, **change.record})
            db.execute("UPDATE orders SET data = ? WHERE order_id = ?", (data, key))
            return self._insert(db, kind, key, mark, call_id, session, change)

    def _insert(
        self,
        db: sqlite3.Connection,
        kind: Kind,
        order_id: str,
        mark: str,
        call_id: str,
        session: str,
        change: _Change,
    ) -> Effect:
        at = self._now().astimezone(UTC)
        before = None if change.before is None else to_json(change.before)
        row = (order_id, kind, call_id, session, at.isoformat(), mark, to_json(change.detail), before)
        cursor = db.execute(
            "INSERT INTO effects (era, order_id, kind, call_id, session, at, asked, detail, before)"
            " SELECT number, ?, ?, ?, ?, ?, ?, ?, ? FROM era",
            row,
        )
        done = db.execute(f"{EFFECT} WHERE id = ?", (cursor.lastrowid,)).fetchone()
        return read_effect(done)


def _record(db: sqlite3.Connection, key: str) -> Record | None:
    row = db.execute("SELECT data FROM orders WHERE order_id = ?", (key,)).fetchone()
    if row is None:
        return None
    record: Record = json.loads(row[0])
    return record


def _found(db: sqlite3.Connection, call_id: str, mark: str, key: str) -> Effect | None:
    """The effect a call already had. Raises OrderError where another call had it, or the id is blank."""
    if not call_id:
        raise OrderError("call_id_missing", key)
    row = db.execute(f"{EFFECT} WHERE call_id = ?", (call_id,)).fetchone()
    if row is None:
        return None
    (asked,) = db.execute("SELECT asked FROM effects WHERE call_id = ?", (call_id,)).fetchone()
    if asked != mark:
        raise OrderError("call_id_reused", key)
    return read_effect(row)


def _fingerprint(kind: Kind, key: str, asked: Mapping[str, Any], session: str) -> str:
    """Tells a repeated call from another call under the same id, without keeping its words."""
    return hashlib.sha256(to_json([kind, key, asked, session]).encode()).hexdigest()


def _moved(order: Order, delivery: Delivery, **more: str) -> _Change:
    new, old = delivery.facts(), order.delivery.facts()
    return _Change({"delivery": new, **more}, {"delivery": old}, {"delivery": new})


def _delivery_changes(db: sqlite3.Connection, key: str) -> list[Effect]:
    """The changes of an order's delivery that are in force, and their undoings, oldest first."""
    where = "order_id = ? AND kind IN ('delivery', 'delivery_undone') AND era = (SELECT number FROM era)"
    return [read_effect(row) for row in db.execute(f"{EFFECT} WHERE {where} ORDER BY id", (key,)).fetchall()]


def _last_standing(changes: list[Effect]) -> Effect | None:
    """The newest change that no undo has taken back."""
    standing: list[Effect] = []
    for effect in changes:
        if effect.kind == "delivery":
            standing.append(effect)
        elif standing:
            standing.pop()
    return standing[-1] if standing else None
