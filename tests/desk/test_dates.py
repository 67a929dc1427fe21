"""Date rules: what each kind of rule means, on every weekday."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from desk.dates import resolve, weekday_name

MONDAY = date(2026, 5, 4)
WEEK = [MONDAY + timedelta(days=n) for n in range(7)]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("today", date(2026, 5, 4)),
        ("1 day after today", date(2026, 5, 5)),
        ("3 days before today", date(2026, 5, 1)),
        ("friday after today", date(2026, 5, 8)),
        ("monday after today", date(2026, 5, 11)),
        ("monday before today", date(2026, 4, 27)),
        ("2 days after monday after friday after today", date(2026, 5, 13)),
        ("2026-12-24", date(2026, 12, 24)),
        ("1 day before 2026-03-01", date(2026, 2, 28)),
        ("  Friday   AFTER today ", date(2026, 5, 8)),
    ],
)
def test_a_rule_means_a_date_relative_to_today(rule: str, expected: date) -> None:
    assert resolve(rule, MONDAY) == expected


@pytest.mark.parametrize("today", WEEK, ids=weekday_name)
def test_a_weekday_after_today_is_strictly_later_and_within_a_week(today: date) -> None:
    friday = resolve("friday after today", today)
    assert weekday_name(friday) == "Friday"
    assert today < friday <= today + timedelta(days=7)


@pytest.mark.parametrize("today", WEEK, ids=weekday_name)
def test_a_weekday_before_today_is_strictly_earlier_and_within_a_week(today: date) -> None:
    friday = resolve("friday before today", today)
    assert weekday_name(friday) == "Friday"
    assert today - timedelta(days=7) <= friday < today


@pytest.mark.parametrize(
    "rule", ["", "soon", "friday", "someday after today", "3 days after", "x days after today", "2026-13-01"]
)
def test_what_is_no_rule_is_refused_in_words(rule: str) -> None:
    with pytest.raises(ValueError, match="date rule"):
        resolve(rule, MONDAY)


def test_a_rule_that_leaves_the_calendar_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="outside the calendar"):
        resolve("9999 days after 9999-01-01", MONDAY)
