"""Days as people name them: Friday, next week, tomorrow, in three days, 12/7, 7 December, 12月7日.

A named day means a date only together with today, and the model learns what today is from the tools. So a
name is found first and counted from today later. Each name means a span of days, one day or more.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

Span = tuple[date, date]  # first and last day

_EN_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_EN_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ZH_NUMBERS = {c: n for n, c in enumerate("零一二三四五六七八九十")} | {"两": 2, "日": 7, "天": 7, "半": 0}

_WEEKDAY = (
    r"mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?"
    r"|sat(?:urday)?|sun(?:day)?"
)
_MONTH = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_NUMBER = r"\d{1,3}|a|an|one|two|three|four|five|six|seven|ten|[一两二三四五六七八九十]{1,2}"
_EN_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_EN_NUMBERS["ten"] = 10

_NAMES = re.compile(
    rf"""
    (?P<iso>\b\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}\b)
  | (?P<ymd>(?:(?:\d{{4}}|今|明)年)?\s*\d{{1,2}}\s*月\s*\d{{1,2}}\s*[日号]?)
  | (?P<mdy>(?<![\d/.])\d{{1,2}}/\d{{1,2}}(?:/\d{{4}})?(?![\d/]))
  | (?P<dm>\b\d{{1,2}}(?:st|nd|rd|th)?(?:\ of)?\ (?:{_MONTH})\b(?:,?\ \d{{4}}\b)?)
  | (?P<md>\b(?:{_MONTH})\.?\ \d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\ \d{{4}}\b)?)
  | (?P<nextday>\bnext\ (?:{_WEEKDAY})\b | (?:下周|下星期|下个?礼拜)[一二三四五六日天])
  | (?P<thisday>\bthis\ (?:{_WEEKDAY})\b | (?:这|这个|本)(?:周|星期|礼拜)[一二三四五六日天])
  | (?P<weekday>\b(?:coming\ |on\ )?(?:{_WEEKDAY})\b | (?:周|星期|礼拜)[一二三四五六日天])
  | (?P<weekend>\b(?:this\ |the\ )?weekend\b | (?:这个?|本)?周末)
  | (?P<nextweek>\bnext\ week\b | 下周|下个?星期|下个?礼拜)
  | (?P<thisweek>\b(?:this\ week|(?:the\ )?end\ of\ the\ week)\b
      | (?:这|这个|本)(?:周|星期|礼拜)(?:之?内|里)?)
  | (?P<nextmonth>\bnext\ month\b | 下个?月)
  | (?P<monthend>\b(?:the\ )?end\ of\ (?:the|this)\ month\b | (?:这个?月|本月)底|月底|月末)
  | (?P<after2>\b(?:the\ )?day\ after\ tomorrow\b | 后天)
  | (?P<tomorrow>\btomorrow\b | 明天|明日)
  | (?P<today>\b(?:today|tonight)\b | 今天|今日|今晚)
  | (?P<ago>\b(?:{_NUMBER})\ (?:days?|weeks?)\ ago\b | (?:{_NUMBER})\s*(?:天|个?星期|周)(?:之?前|以前))
  | (?P<days>\b(?:the\ next\ )?(?:{_NUMBER})\ (?:more\ )?days?\b(?:\ from\ now)? | (?:{_NUMBER})\s*天)
  | (?P<weeks>\b(?:{_NUMBER})\ weeks?\b(?:\ from\ now)?
      | (?:{_NUMBER})\s*个?(?:星期|礼拜|周)(?![一二三四五六日天末]))
  | (?P<nth>\bthe\ \d{{1,2}}(?:st|nd|rd|th)\b | (?<![\d第])\d{{1,2}}\s*[号日](?!楼|线|店|门|院))
    """,
    re.VERBOSE | re.ASCII,
)


@dataclass(frozen=True)
class NamedDay:
    """A day named in a folded text, at `start` to `end`."""

    kind: str
    words: str
    start: int
    end: int

    def on(self, today: date) -> Span | None:
        """The days it means if today is `today`. None where there is no such day (31 June)."""
        try:
            return _MEANING[self.kind](self.words, today)
        except (ValueError, OverflowError):
            return None

    @property
    def counts_from_today(self) -> bool:
        """Whether it is a stretch of time ("three days") rather than a day."""
        return self.kind in ("days", "weeks")


def days_in(text: str) -> list[NamedDay]:
    """The days named in a folded text, in order."""
    return [
        NamedDay(str(found.lastgroup), found[0].strip(), *found.span()) for found in _NAMES.finditer(text)
    ]


def is_day(text: str) -> bool:
    """Whether the folded text is nothing but the name of a day."""
    return _NAMES.fullmatch(text.strip()) is not None


def read_date(value: object) -> date | None:
    """A date of a tool's answer (ISO)."""
    try:
        return date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


# What each kind of name means


def _weekday_of(words: str) -> int:
    for number, name in enumerate(_EN_DAYS):
        if re.search(rf"\b{name[:3]}", words):
            return number
    return _ZH_NUMBERS[words[-1]] - 1


def _coming(words: str, today: date) -> Span:
    # Said on a Friday, "Friday" is the next one: the desk's agents are told so too.
    day = today + timedelta((_weekday_of(words) - today.weekday()) % 7 or 7)
    return day, day


def _this(words: str, today: date) -> Span:
    day = today + timedelta((_weekday_of(words) - today.weekday()) % 7)
    return day, day


def _next_week(_: str, today: date) -> Span:
    monday = today + timedelta(7 - today.weekday())
    return monday, monday + timedelta(6)


def _next_weekday(words: str, today: date) -> Span:
    day = _next_week(words, today)[0] + timedelta(_weekday_of(words))
    return day, day


def _this_week(_: str, today: date) -> Span:
    return today, today + timedelta(6 - today.weekday())


def _weekend(_: str, today: date) -> Span:
    saturday = today + timedelta(max(0, 5 - today.weekday()))
    return saturday, today + timedelta(6 - today.weekday())


def _next_month(_: str, today: date) -> Span:
    first = (today.replace(day=1) + timedelta(32)).replace(day=1)
    return first, (first + timedelta(32)).replace(day=1) - timedelta(1)


def _month_end(_: str, today: date) -> Span:
    last = (today.replace(day=1) + timedelta(32)).replace(day=1) - timedelta(1)
    return last, last


def _after(days: int) -> Callable[[str, date], Span]:
    return lambda _, today: (today + timedelta(days), today + timedelta(days))


def number_in(words: str) -> int:
    """The number at the beginning of folded words ("3 days", "two weeks", "三天")."""
    found = re.match(r"(?:the next )?(\d+|[a-z]+|[一两二三四五六七八九十]+)", words)
    name = found[1] if found else ""
    if name.isdigit():
        return int(name)
    if name in _EN_NUMBERS:
        return _EN_NUMBERS[name]
    if len(name) == 2 and name[0] == "十":
        return 10 + _ZH_NUMBERS[name[1]]
    return _ZH_NUMBERS[name]


def _days(words: str, today: date) -> Span:
    return _after(number_in(words))(words, today)


def _weeks(words: str, today: date) -> Span:
    return _after(7 * number_in(words))(words, today)


def _ago(words: str, today: date) -> Span:
    days = number_in(words) * (7 if re.search(r"week|星期|周", words) else 1)
    return _after(-days)(words, today)


def _iso(words: str, today: date) -> Span:
    year, month, day = map(int, re.findall(r"\d+", words))
    return _single(date(year, month, day))


def _month_day(words: str, today: date) -> Span:
    numbers = [int(number) for number in re.findall(r"\d+", words)]
    if re.match(r"\d{4}", words):
        return _single(date(*numbers[:3]))
    month, day = numbers[:2]
    if month > 12 >= day:
        month, day = day, month
    if len(numbers) > 2:
        return _single(date(numbers[2], month, day))
    if words.startswith("明年"):
        return _single(date(today.year + 1, month, day))
    return _single(_nearest(month, day, today))


def _named_month(words: str, today: date) -> Span:
    month = next(n for n, name in enumerate(_EN_MONTHS, start=1) if re.search(rf"\b{name}", words))
    numbers = [int(number) for number in re.findall(r"\d+", words)]
    if len(numbers) > 1:
        return _single(date(numbers[1], month, numbers[0]))
    return _single(_nearest(month, numbers[0], today))


def _nth(words: str, today: date) -> Span:
    """ "The 7th": of this month, or of the next one if it is past."""
    number = int(re.findall(r"\d+", words)[0])
    for month in (today, _next_month("", today)[0]):
        day = month.replace(day=number)
        if day >= today:
            break
    return _single(day)


def _nearest(month: int, day: int, today: date) -> date:
    """That day of the year that is nearest to today: in December, "1/5" is in January to come."""
    years = (today.year - 1, today.year, today.year + 1)
    found = [date(year, month, day) for year in years if not (month == 2 and day == 29 and year % 4)]
    if not found:
        raise ValueError("no such day near")
    return min(found, key=lambda one: abs((one - today).days))


def _single(day: date) -> Span:
    return day, day


_MEANING: dict[str, Callable[[str, date], Span]] = {
    "iso": _iso,
    "ymd": _month_day,
    "mdy": _month_day,
    "dm": _named_month,
    "md": _named_month,
    "thisday": _this,
    "weekday": _coming,
    "nextday": _next_weekday,
    "weekend": _weekend,
    "nextweek": _next_week,
    "thisweek": _this_week,
    "nextmonth": _next_month,
    "monthend": _month_end,
    "after2": _after(2),
    "tomorrow": _after(1),
    "today": _after(0),
    "ago": _ago,
    "days": _days,
    "weeks": _weeks,
    "nth": _nth,
}
