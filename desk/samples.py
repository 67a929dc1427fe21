"""The samples: what the desk begins with, as data a prototyper edits.

`DESK_SEED` names a folder with an `orders.json` and a `policy.json` of one's own; either may be missing,
then the desk's own is used. `orders.json` is a list of records like this one (dates: see `desk.dates`):

    {"order": "A100", "item": {"en": "teapot", "zh-Hans": "茶壶", "zh-Hant": "茶壺"},
     "price": "39.00", "currency": "USD", "status": "not_shipped",
     "ordered_on": "2 days before today", "ships_on": "monday after friday after today",
     "delivery": {"to": "address", "address": "12 Harbour Lane, Bristol"}}
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from .order import read_order

OWN_SEED = Path(__file__).parent / "seed"

_ORDER_ID = re.compile(r"[A-Z0-9][A-Z0-9_-]{0,31}")

Record = dict[str, Any]


class SampleError(ValueError):
    """A sample file cannot be used. The message is one sentence that names the file and the place in it."""


def seed_file(name: str, env: Mapping[str, str]) -> Path:
    """The file of that name in the `DESK_SEED` folder, else the desk's own."""
    folder = env.get("DESK_SEED", "").strip()
    theirs = Path(folder) / name if folder else None
    return theirs if theirs is not None and theirs.is_file() else OWN_SEED / name


def read_seed(path: Path) -> Any:
    """The JSON of a sample file. Raises SampleError."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SampleError(f"{path.name} cannot be read: {error.strerror or 'no reason given'}.") from None
    except ValueError as error:
        raise SampleError(f"{path.name} is not JSON: {error}.") from None


def load_orders(path: Path, today: date) -> dict[str, Record]:
    """The sample records by order id, in their order. `today` is used to try their date rules.

    Raises SampleError where a record is not an order, or two have one id.
    """
    rows = read_seed(path)
    if not isinstance(rows, list):
        raise SampleError(f"{path.name} must be a list of orders.")
    records: dict[str, Record] = {}
    for number, row in enumerate(rows, start=1):
        try:
            if not isinstance(row, dict):
                raise ValueError("it is not a record")
            order = read_order(row, today)
            if not _ORDER_ID.fullmatch(order.id):
                raise ValueError("'order' must be capital letters and digits, like A100")
            if order.id in records:
                raise ValueError(f"there are two orders {order.id}")
        except ValueError as error:
            raise SampleError(f"{path.name}, order {number}: {error}.") from None
        records[order.id] = row
    return records


def order_key(typed: str) -> str:
    """The id an order has for what was typed: width, case, blanks around and a # do not matter."""
    whole = typed.encode("utf-8", "replace").decode()  # half a character is in no order's id
    return unicodedata.normalize("NFKC", whole).strip().lstrip("#").strip().upper()
