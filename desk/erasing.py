"""Erasing a session's words from the orders while what it did stays done."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable
from typing import Any

from .ordersdb import to_json
from .samples import Record


def erase_words(
    db: sqlite3.Connection, session: str, samples: Iterable[Record], calls: Collection[str] | None = None
) -> int:
    """Erase what the session's effects hold in words, inside the caller's transaction. Returns their number.

    With `calls`, only the effects of these calls, which still name the session then. An address is also
    taken from the orders and from other effects' memory of what they replaced, unless the samples, another
    session or an effect that keeps its words have it too.
    """
    effects = db.execute("SELECT id, session, call_id, kind, detail FROM effects").fetchall()
    going, others = [], []
    for id_, whose, call_id, kind, detail in effects:
        if whose == session and (calls is None or call_id in calls):
            going.append((id_, json.loads(detail)))
        elif kind == "delivery":
            others.append(json.loads(detail))
    typed = {address for _, detail in going if (address := _address(detail))}
    known = {_address(detail) for detail in others} | {_address(row) for row in samples}
    words = typed - known

    named = "" if calls is None else session
    for effect_id, detail in going:
        detail.update({name: "" for name in ("reason", "summary") if name in detail})
        values = (named, to_json(detail), effect_id)
        db.execute("UPDATE effects SET session = ?, detail = ? WHERE id = ?", values)
    if words:
        for effect_id, stored, before in db.execute("SELECT id, detail, before FROM effects").fetchall():
            cleaned = (_cleaned(stored, words), _cleaned(before, words), effect_id)
            db.execute("UPDATE effects SET detail = ?, before = ? WHERE id = ?", cleaned)
        for position, data in db.execute("SELECT position, data FROM orders").fetchall():
            db.execute("UPDATE orders SET data = ? WHERE position = ?", (_cleaned(data, words), position))
    return len(going)


def _address(record: dict[str, Any]) -> str:
    delivery = record.get("delivery")
    return str(delivery.get("address", "")) if isinstance(delivery, dict) else ""


def _cleaned(stored: str | None, words: set[str]) -> str | None:
    return None if stored is None else to_json(_without(json.loads(stored), words))


def _without(value: Any, words: set[str]) -> Any:
    if isinstance(value, dict):
        return {
            name: "" if name == "address" and inner in words else _without(inner, words)
            for name, inner in value.items()
        }
    return value
