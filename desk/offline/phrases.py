"""Every sentence the offline model says, in the three languages, and how it writes dates, sums and places."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from .dates import read_date
from .language import Language
from .order_phrases import ORDER_PHRASES
from .talk_phrases import TALK_PHRASES

_PHRASES = {**ORDER_PHRASES, **TALK_PHRASES}
_ENDED_TWICE = re.compile("(?<=[.!?。！？][”」])[.。]")
_COLUMN: dict[Language, int] = {"en": 0, "zh-Hans": 1, "zh-Hant": 2}

_DAYS_EN = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAYS_ZH = "一二三四五六日"
_MONTHS_EN = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def every_language(phrase: str) -> tuple[str, str, str]:
    """A sentence of the catalogue in each language."""
    return _PHRASES[phrase]


class Voice:
    """Speaks one language. `today`, where a tool told it, decides whether a date needs its year."""

    def __init__(self, language: Language, today: date | None = None) -> None:
        self.language = language
        self.today = today

    @property
    def chinese(self) -> bool:
        return self.language != "en"

    def say(self, phrase: str, **parts: str) -> str:
        """A sentence of the catalogue with its parts filled in; one that is quoted may bring its own end."""
        return _ENDED_TWICE.sub("", _PHRASES[phrase][_COLUMN[self.language]].format(**parts))

    def join(self, sentences: Sequence[str]) -> str:
        """Sentences one after the other."""
        return ("" if self.chinese else " ").join(sentence for sentence in sentences if sentence)

    def listed(self, words: Sequence[str], link: str = "and") -> str:
        """Words as a list: "A100, B205 and C310"; `link` may be "or"."""
        if len(words) < 2:
            return "".join(words)
        comma = "、" if self.chinese else ", "
        return comma.join(words[:-1]) + self.say(link) + words[-1]

    def quoted(self, typed: str) -> str:
        """What somebody typed, in quotation marks."""
        return f"「{typed}」" if self.language == "zh-Hant" else f"“{typed}”"

    def day(self, value: object) -> str:
        """A date with its weekday: "Monday 7 December", "12月7日（周一）"."""
        when = value if isinstance(value, date) else read_date(value)
        if when is None:
            return str(value)
        far = self.today is not None and when.year != self.today.year
        if self.chinese:
            week = "周" if self.language == "zh-Hans" else "週"
            year = f"{when.year}年" if far else ""
            return f"{year}{when.month}月{when.day}日（{week}{_DAYS_ZH[when.weekday()]}）"
        year = f" {when.year}" if far else ""
        return f"{_DAYS_EN[when.weekday()]} {when.day} {_MONTHS_EN[when.month - 1]}{year}"

    def money(self, amount: object, facts: Mapping[str, Any]) -> str:
        """A sum with its currency: "39.00 USD"."""
        return f"{amount} {facts.get('currency', '')}".strip()

    def item(self, facts: Mapping[str, Any]) -> str:
        """The item's name in this language, where the tool gave it."""
        names = facts.get("item_names")
        name = names.get(self.language) if isinstance(names, Mapping) else None
        return str(name or facts.get("item") or "")

    def order(self, order: str, facts: Mapping[str, Any]) -> str:
        """An order with its item: "A100 (teapot)", "A100（茶壶）"."""
        item = self.item(facts)
        if not item:
            return order
        return f"{order}（{item}）" if self.chinese else f"{order} ({item})"

    def place(self, delivery: object) -> str:
        """Where a delivery goes, as a phrase: the pickup point or the address, each quoted."""
        if not isinstance(delivery, Mapping):
            return ""
        if delivery.get("to") == "pickup":
            names = delivery.get("pickup_point_names")
            name = names.get(self.language) if isinstance(names, Mapping) else None
            name = name or delivery.get("pickup_point")
            return self.say("at pickup", point=self.quoted(str(name))) if name else self.say("pickup")
        return self.quoted(str(delivery.get("address", "")))
