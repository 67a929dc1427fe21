"""What an agent's instructions tell of the shop: its pickup points, and what a person
decides.

They are lines like these, written from the desk's policy:

    - Refunds up to 50.00 go through; above that a person decides.
    - Cancelling an order that is shipped or on the truck waits for a person; otherwise it is done at once.
    - Pickup points: central-station (Central Station lockers, 中央车站自提柜); market-street (...).

And one of the page: "Where no message tells the language or the script, answer in English (en)."
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, cast

from .folding import fold
from .language import Language, is_chinese, language_of

_LIMIT = re.compile(r"refunds? up to\s+(\d+(?:\.\d{1,2})?)", re.IGNORECASE)
_ASKS = re.compile(r"cancell?ing an order that is ([^.;]+?) waits", re.IGNORECASE)
_POINTS = re.compile(r"pickup points?:\s*(.+)", re.IGNORECASE)
_OTHERWISE = re.compile(r"tells the language or the script, answer in [^(]*\((en|zh-Hans|zh-Hant)\)")
_POINT = re.compile(r"([\w-]+)\s*\(([^)]*)\)")
_SUFFIX = re.compile(r"\s*(?:自[提取](?:点|柜)|门店|门市|取货点|店|shop|store|lockers?|kiosk|pickup point)$")


@dataclass(frozen=True)
class Shop:
    """`refund_limit` is "" where the instructions name none. `cancel_asks` are the statuses in which a person
    decides about a cancellation, None where they tell nothing. `points` are pickup points: names by id.
    `otherwise` is the language to answer in where no message tells.
    """

    refund_limit: str = ""
    cancel_asks: frozenset[str] | None = None
    points: dict[str, tuple[str, ...]] = field(default_factory=dict)
    otherwise: Language | None = None

    def refund_asks(self, amount: object) -> bool | None:
        """Whether a person decides about paying back that sum, None where nothing tells."""
        try:
            return Decimal(str(amount)) > Decimal(self.refund_limit)
        except InvalidOperation:
            return None

    def cancelling_asks(self, facts: Mapping[str, Any]) -> bool | None:
        """Whether a person decides about cancelling an order that stands so, None where nothing tells."""
        return None if self.cancel_asks is None else facts.get("status") in self.cancel_asks

    @property
    def spoken(self) -> dict[str, str]:
        """What people may call the pickup points, folded, to their ids; longer names first."""
        forms: dict[str, str] = {}
        for point, names in self.points.items():
            for name in (point, point.replace("-", " "), *names):
                folded = fold(name)
                for form in (folded, _SUFFIX.sub("", folded)):
                    if len(form) > 2:
                        forms.setdefault(form, point)
        return dict(sorted(forms.items(), key=lambda item: -len(item[0])))

    def names(self, language: Language) -> list[str]:
        """The names of the pickup points in a language, as far as they are given."""
        return [_best(point, names, language) for point, names in self.points.items()]


def read_shop(instructions: str) -> Shop:
    """What these instructions tell."""
    limit, line = _LIMIT.search(instructions), _POINTS.search(instructions)
    asks = _ASKS.search(instructions)
    points = {
        point: tuple(name.strip() for name in names.split(",") if name.strip())
        for point, names in _POINT.findall(line[1] if line else "")
    }
    statuses = frozenset(name.strip().replace(" ", "_") for name in asks[1].split(" or ")) if asks else None
    otherwise = _OTHERWISE.search(instructions)
    language = cast("Language", otherwise[1]) if otherwise else None
    return Shop(limit[1] if limit else "", statuses, points, language)


def _best(point: str, names: tuple[str, ...], language: Language) -> str:
    for name in names:
        if language_of(name) == language:
            return name
    alike = [name for name in names if is_chinese(name) == (language != "en")]
    return (*alike, *names, point)[0]
