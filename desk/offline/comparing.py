"""What is asked of several orders together: what they cost in all, which is dearest, which comes first."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from .conditions import Subject
from .dates import read_date
from .judging import date_field
from .phrases import Voice
from .references import Most
from .wishes import Across

Facts = Mapping[str, Any]


def together(voice: Voice, across: Across, orders: Mapping[str, Facts], subject: Subject) -> str:
    """The answer in a sentence, from the facts of each order; "" where there is nothing to compare.

    `subject` is the date that is meant, where dates are compared.
    """
    if len(orders) < 2 or not across:
        return ""
    if across in ("sooner", "later"):
        return _by_date(voice, across, orders, subject)
    prices = {order: price for order, facts in orders.items() if (price := _price(facts)) is not None}
    currencies = {facts.get("currency") for facts in orders.values()}
    if len(prices) < len(orders) or len(currencies) > 1:
        return voice.say("not comparable")
    some = next(iter(orders.values()))
    if across == "total":
        return voice.say("in total", sum=voice.money(sum(prices.values()), some))
    lowest, highest = min(prices.values()), max(prices.values())
    if lowest == highest:
        return voice.say("same price")
    wanted = highest if across == "dearer" else lowest
    first = next(order for order, price in prices.items() if price == wanted)
    name = voice.order(first, orders[first])
    if len(orders) == 2:
        return voice.say(f"the {across}", order=name, sum=voice.money(highest - lowest, some))
    return voice.say(
        "the dearest" if across == "dearer" else "the cheapest", order=name, sum=voice.money(wanted, some)
    )


_STATUSES: Mapping[str, tuple[str, ...]] = {
    "unshipped": ("not_shipped",),
    "shipped": ("shipped", "on_the_truck"),
    "delivered": ("delivered",),
}


def standing_out(most: Most, orders: Mapping[str, Facts], subject: Subject) -> str:
    """The one order that stands out by its price or date; "" where several do, or where it cannot be told."""
    if len(orders) > 1 and most in _STATUSES:
        alike = [order for order, facts in orders.items() if facts.get("status") in _STATUSES[most]]
        known = all(facts.get("status") for facts in orders.values())
        return alike[0] if known and len(alike) == 1 else ""
    values: dict[str, Any] = {
        order: _price(facts) if most in ("dearer", "cheaper") else _day(facts, subject)
        for order, facts in orders.items()
    }
    if len(orders) < 2 or None in values.values():
        return ""
    wanted = max(values.values()) if most in ("dearer", "later") else min(values.values())
    found = [order for order, value in values.items() if value == wanted]
    return found[0] if len(found) == 1 else ""


def _by_date(voice: Voice, across: Across, orders: Mapping[str, Facts], subject: Subject) -> str:
    days = {order: day for order, facts in orders.items() if (day := _day(facts, subject)) is not None}
    if len(days) < len(orders):
        return voice.say("not comparable")
    wanted = min(days.values()) if across == "sooner" else max(days.values())
    if all(day == wanted for day in days.values()):
        return voice.say("same day", day=voice.day(wanted))
    first = next(order for order, day in days.items() if day == wanted)
    return voice.say(f"the {across}", order=voice.order(first, orders[first]), day=voice.day(wanted))


def _day(facts: Facts, subject: Subject) -> date | None:
    return read_date(facts.get(date_field(subject or "arrives", facts)))


def _price(facts: Facts) -> Decimal | None:
    try:
        return Decimal(str(facts.get("price")))
    except InvalidOperation:
        return None
