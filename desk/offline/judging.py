"""Whether a condition holds, by the facts a tool told of an order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from .conditions import Condition, Subject
from .dates import Span, read_date


@dataclass(frozen=True)
class Judgement:
    """Whether the condition holds (None: the facts do not tell), and what it was judged by."""

    holds: bool | None
    field: str = ""  # of the order's facts: "ships_on" ...
    when: date | None = None
    span: Span | None = None


def judge(condition: Condition, facts: Mapping[str, Any]) -> Judgement:
    """Judge a condition by what `look_up_order` told of the order."""
    if condition.kind == "day":
        found = _judge_day(condition, facts)
    elif condition.kind == "status":
        found = Judgement(_has_been(condition.status, facts))
    elif condition.kind == "price":
        found = Judgement(_compare_price(condition, facts))
    else:
        return Judgement(None)
    if condition.negated and found.holds is not None:
        return replace(found, holds=not found.holds)
    return found


def _judge_day(condition: Condition, facts: Mapping[str, Any]) -> Judgement:
    today = read_date(facts.get("today"))
    span = condition.day.on(today) if condition.day and today else None
    if span is None:
        return Judgement(None)
    field = date_field(condition.subject, facts)
    when = read_date(facts.get(field))
    if when is None:
        return Judgement(None, span=span)
    first, last = span
    holds = {
        "after": when > last,
        "from": when >= first,
        "on": first <= when <= last,
        "by": when <= last,
        "before": when < first,
    }[condition.relation]
    return Judgement(holds, field, when, span)


def date_field(subject: Subject, facts: Mapping[str, Any]) -> str:
    """The fact that holds the date meant: the one named, else the next thing that happens to the order."""
    shipping, arriving = ("ships_on", "shipped_on"), ("arrives_on", "delivered_on")
    if subject == "ships":
        order = (*shipping, *arriving)
    elif subject == "arrives":
        order = (*arriving, *shipping)
    elif facts.get("status") == "not_shipped":
        order = ("ships_on", *arriving, "shipped_on")
    else:
        order = ("delivered_on", "arrives_on", "ships_on", "shipped_on")
    return next((name for name in order if read_date(facts.get(name))), "")


def _has_been(status: str, facts: Mapping[str, Any]) -> bool | None:
    now = facts.get("status")
    if status == "delivered":
        return now == "delivered"
    if now in ("shipped", "on_the_truck", "delivered"):
        return True
    return False if now == "not_shipped" else None


def _compare_price(condition: Condition, facts: Mapping[str, Any]) -> bool | None:
    try:
        price = Decimal(str(facts.get("price")))
    except InvalidOperation:
        return None
    return price > condition.amount if condition.relation == "after" else price < condition.amount
