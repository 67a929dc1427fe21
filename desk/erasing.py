"""Erasing a session's words from the orders while what it did stays done."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from .ordersdb import to_json
from .samples import Record


def erase_words(db: sqlite3.Connection, session: str, samples: Iterable[Record]) -> int:
    """Erase what the session's effects hold in words, inside the caller's transaction. Returns their number.

    An address is also taken from the orders and from other effects' memory of what they replaced, unless
    the samples or another session have it too.
    """
    rows = db.execute("SELECT id, detail FROM effects WHERE session = ?", (session,)).fetchall()
    typed = {address for _, detail in rows if (address := _address(json.loads(detail)))}
    select = "SELECT detail FROM effects WHERE session <> ? AND kind = 'delivery'"
    others = db.execute(select, (session,)).fetchall()
    known = {_address(json.loads(detail)) for (detail,) in others} | {_address(row) for row in samples}
    words = typed - known

    for effect_id, detail in rows:
        kept = json.loads(detail)
        kept.update({name: "" for name in ("reason", "summary") if name in kept})
        db.execute("UPDATE effects SET session = '', detail = ? WHERE id = ?", (to_json(kept), effect_id))
    if words:
        for effect_id, detail, before in db.execute("SELECT id, detail, before FROM effects").fetchall():
            values = (_cleaned(detail, words), _cleaned(before, words), effect_id)
            db.execute("UPDATE effects SET detail = ?, before = ? WHERE id = ?", values)
        for position, data in db.execute("SELECT position, data FROM orders").fetchall():
            db.execute("UPDATE orders SET data = ? WHERE position = ?", (_cleaned(data, words), position))
    return len(rows)


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
