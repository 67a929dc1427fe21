"""How a text speaks of orders: by id, by place in the conversation, by a pronoun.

Ids are read as people type them (a100, Ａ１００, A-100, "order A 100", #A100) and written as the desk's
tools take them: capitals, without what stood between letter and digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .folding import word_set

_AFTER = r"(?![a-z0-9%]|[-_][a-z0-9]|\.\d|\s*(?:室|房|号楼|栋|楼))"
_ORDER_WORD = (
    r"(?:\border|\bparcel|\bpackage|订单|单号|定单|订购|包裹)(?:\s*(?:number|no\.?|nr\.?|id|号码?|编号))?"
    r"\s*(?:is|是|为|:|#)?\s*"
)
_PLAIN = re.compile(
    rf"(?<![a-z0-9])#?(?P<letters>[a-z]{{1,4}})(?P<between>\s?[-_.#]\s?)?(?P<digits>\d{{3,8}}){_AFTER}",
    re.ASCII,
)
_AFTER_WORD = re.compile(
    rf"{_ORDER_WORD}#?(?P<letter>[a-z])\s(?P<number>\d{{3,5}}){_AFTER}"
    rf"|(?:{_ORDER_WORD}#?|#)(?P<bare>\d{{3,12}}(?:-\d{{1,8}})?){_AFTER}",
    re.ASCII,
)
_SPACED = re.compile(r"(?<![A-Za-z0-9])([B-HJ-Z]|A(?= \d{3}(?!\d)))\s(\d{3,4})(?![A-Za-z0-9%.])", re.ASCII)
_DIGITS = re.compile(r"\d{3}")
_OF_A_HOUSE = re.compile(r"(?:\b(?:apt\.?|flat|room|unit|suite) |室|房)#?$", re.ASCII)
_NO_LETTERS = word_set(
    """
    usd us eur cny rmb ntd nt hkd hk gbp jpy apt flat room unit no nr at to in by of or am pm
    jan feb mar apr may jun jul aug sep sept oct nov dec covid html http iso utf mp
    """
)


@dataclass(frozen=True)
class Mention:
    """An order id found in a folded text."""

    order: str
    start: int
    end: int


def ids_in(text: str, typed: str = "") -> list[Mention]:
    """The order ids in a folded text, in order.

    `typed` is the same text before folding: only there can "A 100" be told from "a 100". It is used where
    both have as many characters.
    """
    if not _DIGITS.search(text):
        return []
    found = []
    for match in _PLAIN.finditer(text):
        of_a_house = _OF_A_HOUSE.search(text, max(0, match.start() - 8), match.start())
        if match["letters"] not in _NO_LETTERS and not of_a_house:
            # "A-100" is A100 typed with care; with more letters the dash may belong to the id.
            dash = match["between"].strip() if match["between"] and len(match["letters"]) > 1 else ""
            found.append(Mention(f"{match['letters']}{dash}{match['digits']}".upper(), *match.span()))
    for match in _AFTER_WORD.finditer(text):
        order = match["bare"] or f"{match['letter']}{match['number']}".upper()
        found.append(Mention(order, *match.span()))
    if len(typed) == len(text):
        for match in _SPACED.finditer(typed):
            if not any(mention.start <= match.start() < mention.end for mention in found):
                found.append(Mention(f"{match[1]}{match[2]}", *match.span()))
    return sorted(found, key=lambda mention: mention.start) if len(found) > 1 else found


# "thing": by words that may name the item of an order, or something that is not this desk's at all.
Way = Literal["named", "thing", "nth", "other", "all", "it", "none"]


@dataclass(frozen=True)
class Reference:
    """How a clause speaks of orders. `nth` counts from 1, -1 is the last; `text` is the folded clause. "The
    other one" is the other one `beside` what the message spoke of before, where it did."""

    way: Way = "none"
    orders: tuple[str, ...] = ()
    nth: int = 0
    text: str = ""
    beside: Reference | None = None

    @property
    def explicit(self) -> bool:
        return self.way not in ("none", "thing")


NOTHING = Reference()

_NUMBERS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_THING = r"(?:one|order|parcel|package|item|of (?:them|these|those|the two))"
_COUNTED = r"(?:个|张|单|笔|件|份|项)"

_NTH = (
    (
        rf"\b(?:first|1st) {_THING}\b|\bthe first\b(?! time)|\bformer\b|^first$|前者|(?<!以)前一?{_COUNTED}"
        rf"|前面(?:的|那)一?{_COUNTED}|头一?{_COUNTED}|最早(?:的)?(?:那)?{_COUNTED}",
        1,
    ),
    (
        rf"\b(?:second|2nd) {_THING}\b|\bthe second\b|\blatter\b|^second$|后者"
        rf"|(?<!以)后一?{_COUNTED}|后面(?:的|那)一?{_COUNTED}",
        2,
    ),
    (rf"\b(?:third|3rd) {_THING}\b|\bthe third\b|^third$", 3),
    (rf"\b(?:fourth|4th) {_THING}\b|\bthe fourth\b", 4),
    (rf"\blast {_THING}\b|^(?:the )?last$|最后(?:那|的)?一?{_COUNTED}|最末{_COUNTED}", -1),
)
_ZH_NTH = re.compile(rf"第([一二三四五六七八九]|\d)\s*{_COUNTED}")
_OTHER = (
    rf"\bother\b(?! than| day| way)(?: one| order)?|\banother one\b"
    rf"|另(?:外)?(?:的)?(?:一|那)?{_COUNTED}|其[他它](?:的)?(?:那)?{_COUNTED}"
    rf"|别的(?:那)?{_COUNTED}|剩下(?:的|那)"
)
_ALL = (
    r"\bboth\b|\ball (?:of )?(?:them|these|those|the|my|three|two|four|orders?|done|set|ready)\b|\bthe two\b"
    r"|\bthem\b|\bthey\b|\bthese\b|\bthose\b|\beach\b|\beverything\b"
    rf"|[两三四](?:{_COUNTED}|者)|它们|[这那]些|[这那][两几]{_COUNTED}|全部|所有|都|分别|一起"
)
_IT = (
    r"\b(?:it|its|this|that|this one|that one)\b"
    r"|\b(?:the|my|this|that|same) (?:order|parcel|package|delivery|item|one|thing)\b"
    rf"|它|[这那该此](?:{_COUNTED}|一{_COUNTED}|订单|包裹)?(?!里|么|样|边|儿|是|会|些)"
    r"|刚才|刚刚|上面|前面(?:的|那)|订单|包裹|快递|东西"
)


def reference(clause: str, orders: tuple[str, ...]) -> Reference:
    """How a folded clause speaks of orders, `orders` being the ids found in it."""
    if orders:
        return Reference("named", orders, text=clause)
    if found := _ZH_NTH.search(clause):
        return Reference("nth", nth=_NUMBERS.get(found[1]) or int(found[1]), text=clause)
    for words, nth in _NTH:
        if re.search(words, clause, re.ASCII):
            return Reference("nth", nth=nth, text=clause)
    for way, words in (("other", _OTHER), ("all", _ALL), ("it", _IT)):
        if re.search(words, clause, re.ASCII):
            return Reference(way, text=clause)  # type: ignore[arg-type]
    return Reference(text=clause)


def strip_references(clause: str) -> str:
    """The folded clause without words that only point at orders."""
    for words in (_ZH_NTH.pattern, *(words for words, _ in _NTH), _OTHER, _ALL, _IT):
        clause = re.sub(words, " ", clause, flags=re.ASCII)
    return clause
