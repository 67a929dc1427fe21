"""An order as it stands today, and where it is delivered.

Stored orders hold date rules (see `desk.dates`); an `Order` holds the dates they mean today. It is a value:
reading it again is how one learns of a change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, get_args

from .dates import resolve

Status = Literal["not_shipped", "shipped", "on_the_truck", "delivered", "cancelled", "refunded"]
STATUSES: tuple[Status, ...] = get_args(Status)

LANGUAGES = ("en", "zh-Hans", "zh-Hant")  # in which a name is given; the first is the fallback

DATES = ("ordered_on", "ships_on", "shipped_on", "arrives_on", "delivered_on")

_MONEY = re.compile(r"\d{1,7}(\.\d{1,2})?")
_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Delivery:
    """Where an order goes: to an `address` (kept as typed) or to a `pickup_point` (the policy's id of it)."""

    to: Literal["address", "pickup"]
    address: str = ""
    pickup_point: str = ""

    def facts(self) -> dict[str, str]:
        """As stored, and as agents are told."""
        if self.to == "pickup":
            return {"to": self.to, "pickup_point": self.pickup_point}
        return {"to": self.to, "address": self.address}


@dataclass(frozen=True, slots=True)
class Order:
    """One order: money in `currency`, dates resolved, `names` of the item by language tag.

    `refunded` is the amount that was paid back, None where nothing was.
    """

    id: str
    names: Mapping[str, str]
    price: Decimal
    currency: str
    status: Status
    delivery: Delivery
    carrier: str = ""
    tracking: str = ""
    refunded: Decimal | None = None
    dates: Mapping[str, date] = field(default_factory=dict)  # those of DATES that are known

    @property
    def item(self) -> str:
        """The item's English name."""
        return self.names[LANGUAGES[0]]

    @property
    def under_way(self) -> bool:
        """Whether it left the warehouse and has not arrived."""
        return self.status in ("shipped", "on_the_truck")


def read_order(data: Mapping[str, Any], today: date) -> Order:
    """The order a stored record means on the day `today`. Raises ValueError, naming the field."""
    status = _word(data, "status")
    if status not in STATUSES:
        raise ValueError(f"'status' is {status!r}: it must be one of {', '.join(STATUSES)}")
    refunded = data.get("refunded")
    return Order(
        id=_word(data, "order"),
        names=read_names(data.get("item"), "item"),
        price=read_money(data.get("price"), "price"),
        currency=_word(data, "currency"),
        status=status,
        delivery=read_delivery(data.get("delivery")),
        carrier=_word(data, "carrier", ""),
        tracking=_word(data, "tracking", ""),
        refunded=None if refunded is None else read_money(refunded, "refunded"),
        dates={name: resolve(_word(data, name), today) for name in DATES if name in data},
    )


def read_names(value: object, field: str) -> dict[str, str]:
    """Names by language tag. A plain string names it in every language."""
    if isinstance(value, str) and value.strip():
        return dict.fromkeys(LANGUAGES, value)
    if not isinstance(value, Mapping) or not isinstance(value.get(LANGUAGES[0]), str):
        raise ValueError(f"'{field}' must be a name, or names by language with at least 'en'")
    return {tag: str(value.get(tag) or value[LANGUAGES[0]]) for tag in LANGUAGES}


def read_delivery(value: object) -> Delivery:
    """The delivery a record holds."""
    if isinstance(value, Mapping):
        if value.get("to") == "pickup":
            return Delivery("pickup", pickup_point=_word(value, "pickup_point"))
        if value.get("to") == "address":
            return Delivery("address", address=_word(value, "address"))
    raise ValueError("'delivery' must be {'to': 'address', 'address': ...} or {'to': 'pickup', ...}")


def read_money(value: object, field: str) -> Decimal:
    """A sum of money, written as a string with at most two decimals ("39.00")."""
    text = value.strip() if isinstance(value, str) else ""
    if not _MONEY.fullmatch(text) or not text.isascii():
        raise ValueError(f"'{field}' must be a sum written like \"39.00\"")
    try:
        return Decimal(text).quantize(_CENT)
    except InvalidOperation:  # pragma: no cover - the pattern allows no such number
        raise ValueError(f"'{field}' must be a sum written like \"39.00\"") from None


def _word(data: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = data.get(name, default)
    if not isinstance(value, str):
        raise ValueError(f"'{name}' must be a text")
    return value


@dataclass(frozen=True, slots=True)
class Stop:
    """One stop of an order's journey: `event` is ordered, ships, shipped, on_the_truck, arrives, delivered.

    `expected` is True for what is still to come.
    """

    on: date
    event: str
    expected: bool = False


def journey(order: Order, today: date) -> list[Stop]:
    """Where an order has been and what comes next, oldest first. A settled order goes nowhere any more."""
    dates, stops = order.dates, []
    for name, event in (("ordered_on", "ordered"), ("shipped_on", "shipped"), ("delivered_on", "delivered")):
        if name in dates:
            stops.append(Stop(dates[name], event))
    if order.status == "on_the_truck":
        stops.append(Stop(today, "on_the_truck"))
    if order.status not in ("cancelled", "refunded", "delivered"):
        for name, event in (("ships_on", "ships"), ("arrives_on", "arrives")):
            if name in dates:
                stops.append(Stop(dates[name], event, expected=True))
    return sorted(stops, key=lambda stop: (stop.on, stop.expected))
