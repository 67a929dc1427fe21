"""Dates that never grow old: rules relative to today, as the sample orders write them.

    today
    3 days after today
    friday after today               the first Friday that is strictly later than today
    monday after friday after today
    2 days before monday after today
    2026-05-04                       a fixed date, where one is wanted

A rule reads from right to left: it begins at a date and takes steps away from it. It means a date only
together with the day that is "today", so it is resolved each time it is read and never stored resolved.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_STEP = re.compile(r"(?:(?P<count>\d{1,4}) days?|(?P<weekday>[a-z]+)) (?P<way>after|before) (?P<rest>.+)")


def resolve(rule: str, today: date) -> date:
    """The date a rule means on the day `today`. Raises ValueError with one sentence where it means none."""
    words = " ".join(rule.split()).lower()
    if words == "today":
        return today
    step = _STEP.fullmatch(words)
    if step is None:
        return _fixed(words, rule)
    way = 1 if step["way"] == "after" else -1
    start = resolve(step["rest"], today)
    try:
        if step["count"]:
            return start + way * timedelta(days=int(step["count"]))
        return _nearest(step["weekday"], start, way, rule)
    except OverflowError:
        raise ValueError(f"the date rule {rule!r} leads outside the calendar") from None


def weekday_name(day: date) -> str:
    """The English name of a date's weekday, whatever the locale."""
    return WEEKDAYS[day.weekday()]


def _nearest(weekday: str, start: date, way: int, rule: str) -> date:
    names = [name.lower() for name in WEEKDAYS]
    if weekday not in names:
        raise ValueError(f"the date rule {rule!r} names no weekday: {weekday!r}")
    # Strictly later (or earlier): on a Friday, "friday after today" is a week away, so an order that
    # ships after it is later than Friday however the customer means the word.
    distance = (names.index(weekday) - start.weekday()) * way % 7 or 7
    return start + way * timedelta(days=distance)


def _fixed(words: str, rule: str) -> date:
    try:
        return date.fromisoformat(words)
    except ValueError:
        raise ValueError(f"{rule!r} is no date rule: write it like '3 days after today'") from None
