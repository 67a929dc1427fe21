"""Conditions on a wish: "if it is later than Friday", 周五前到不了的话, "unless it has shipped", 超过100块就.

A condition is found in a folded sentence and judged by the facts of the order it is about. One that is
marked as a condition and not understood is kept as `unclear`: doing the wish all the same would be worse
than asking.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from .dates import NamedDay, days_in
from .folding import A_NOT_A
from .function_words import speaks_of_more_than_shipping
from .yes_or_no import find_answer

Relation = Literal["after", "from", "on", "by", "before"]  # >, >=, within, <=, <
Subject = Literal["ships", "arrives", ""]  # which of the order's dates is meant, "" where none is named

_OPPOSITE: dict[str, Relation] = {"after": "by", "by": "after", "from": "before", "before": "from"}


@dataclass(frozen=True)
class Condition:
    """At `start` to `end` of its sentence. `negated`: it must not hold ("unless", "otherwise").

    An "answer" hangs on the question before it ("if so", "if not"), whatever that is.
    """

    kind: Literal["day", "status", "price", "answer", "unclear"]
    start: int
    end: int
    relation: Relation = "on"
    day: NamedDay | None = None
    subject: Subject = ""
    status: Literal["shipped", "delivered", ""] = ""
    amount: Decimal = Decimal(0)
    negated: bool = False
    paired: bool = False  # there is an "otherwise": only the branch that is taken is spoken of
    orders: tuple[str, ...] = ()  # orders it names itself

    @property
    def otherwise(self) -> Condition:
        return replace(self, negated=not self.negated, paired=True)


# Finding

_POLITE = re.compile(
    r"\bif (?:possible|(?:i|we) (?:can|could|may)|you (?:can|could|may|would|like|don't mind|please"
    r"|have (?:a )?(?:time|moment))|that's (?:ok(?:ay)?|possible|all right)"
    r"|it's (?:possible|ok(?:ay)?|not too much (?:trouble|to ask)))\b"
    r"|(?:如果|要是|若|假如)?(?:可以|方便|行|可能|能|不麻烦|没问题)的话"
    r"|如果(?:可以|方便|可能|行)(?=[,.。]|$)",
    re.ASCII,
)
# "Tell me if it has shipped" asks and sets no condition, unless something is to be done on it.
_WHETHER = re.compile(
    r"\b(?:know|see|tell me|tell|check|wonder|wondering|ask|asking|sure|find out|remember)\b[^,]*?(\bif\b)"
    r"(?!.*\b(?:change|switch|cancel|refund|send|deliver|make|move|pick ?-?up|collect)\b)",
    re.ASCII,
)
# "I'm not sure if I asked you to cancel it" is about what was, whatever it names.
_WHETHER_I = re.compile(
    r"\b(?:know|see|tell me|check|wonder\w*|ask|sure|find out|remember|recall|remind me|forgot(?:ten)?|say"
    r"|confirm|note)\b[^,]*?(\bif\b)"
    r"(?= i\b(?! (?:can|could|may|might|should|must|want|need|would|like|am|do|don't)\b))",
    re.ASCII,
)
_UNLESS = r"\bunless\b|\bif not\b|除非"
_MARK = re.compile(
    rf"{_UNLESS}|\b(?:only )?if\b|\bin case\b|\bshould (?:it|this|that|the order)\b|\bprovided\b"
    rf"|\bas long as\b|\bassuming\b|\bonly when\b"
    r"|\b(?:whatever|whichever|(?:anything|everything|any|those|the ones) (?:that|which))"
    r"(?=[^,:]*(?:n't|not)\b)"
    r"|如果|要是|若是|若(?!干)|假如|假设|倘若|万一|只要|一旦|(?=的话)",
    re.ASCII,
)
_COMPARES = re.compile(r"\b(?:later|earlier|sooner) than\b|晚于|迟于|晚过|迟过|早于|早过|超过", re.ASCII)
_SO = re.compile(r"就|则|便(?!利|宜)|,?\s*\bthen\b", re.ASCII)
_STOP = re.compile(
    r",|\bthen\b|就|的话|(?=帮我|请|麻烦|给我|改|取消|退)"
    r"|(?=\b(?:change|switch|make|send|cancel|refund|deliver)\b)",
    re.ASCII,
)

_ENDS = re.compile(r"[,.。就则]|\b(?:if|unless|but|then|and(?! (?:it|still|they)\b))\b", re.ASCII)

_ZH_TAIL = re.compile(
    r"\s*(?:之?前|之?后|以前|以后|过后|之?内|以内|(?:还要?|更加?)?[晚迟早](?!上))?\s*"
    r"(?:(?:[还都才仍也是]|不能|不会|没有|[不没未能会]|无法"
    r"|可以)+(?:[送寄发出到收达签]+[得不]?[了到货达出收]*)?"
    r"|[送寄发到收](?:不了|不到|不出)货?)?(?:了)?(?:的话|的时候|时)?"
)

_LEFT: tuple[tuple[str, Relation], ...] = (
    (r"\b(?:no|not) (?:later than|after)|不晚于|不迟于|最晚", "by"),
    (
        r"\bnot (?:before|until)|\bon or after|\bno(?:t)? (?:earlier|sooner) than|\bfrom|不早于|等到|拖到",
        "from",
    ),
    (
        r"\blater than|\bafter|\bpast|\bbeyond|\b(?:more|longer) than|晚于|迟于|晚过|迟过|超过"
        r"|多于|大于|过了?",
        "after",
    ),
    (r"\bon or before|\bby|\bwithin|\buntil|\btill", "by"),
    (r"\b(?:earlier|sooner|less) than|\bbefore|\bahead of|早于|早过|先于|赶在", "before"),
)
_RIGHT: tuple[tuple[str, Relation], ...] = (
    (r" or (?:later|after)|\s*(?:或|或者)(?:之后|以后|更晚)", "from"),
    (r" or (?:earlier|before)", "by"),
    (r"\s*(?:之?后|以后|过后)|\s*(?:还要?|更加?)?[晚迟]", "after"),
    (r"\s*(?:之?前|以前|为止|之?内|以内)", "by"),
    (r"\s*(?:还要?|更加?)?早", "before"),
    (r"\s*才", "from"),
    (r"\s*(?:[能会]|可以)", "by"),
)
_NOT_EN = re.compile(r"n't\b|\bnot\b|\bnever\b|\bfails?\b|\bmiss(?:es)?\b|\bcannot\b|\bunable\b", re.ASCII)
_NOT_ZH = re.compile(r"(?<!除)[不没未](?!晚|迟|早)|无法")

_STATUS: tuple[tuple[str, Literal["shipped", "delivered"], bool], ...] = (
    (
        r"n't (?:yet )?(?:been )?(?:arrived?|delivered|come)\b"
        r"|\bnot (?:yet |been )*(?:arrived?|delivered|here)\b"
        r"|(?:没有?|未)(?:送到|收到|签收|到货|送达|到)",
        "delivered",
        True,
    ),
    (
        r"(?:has|is|was|been|already|'s) (?:arrived|delivered|here)\b"
        r"|已经?(?:送到|收到|签收|到货|送达|到)|(?:送|收)?到了(?=的话|就|,|$)",
        "delivered",
        False,
    ),
    (
        r"n't (?:yet )?(?:been )?(?:shipp?(?:ed)?|sent|left|gone|dispatched)\b"
        r"|\bnot (?:yet |been )*(?:shipped|sent|left|gone|dispatched)\b|\bunshipped\b"
        r"|\bnot on (?:its|the) way|(?:没有?|未)(?:发|寄出|出货|出库)",
        "shipped",
        True,
    ),
    (
        r"(?:has|is|was|been|already|'s) (?:shipped|sent|dispatched|on (?:its|the) way|left|gone)\b"
        r"|已经?(?:发|寄出|出货|出库)|发货了|在路上|[发寄](?:出|走)?了(?=的话|就|,|$)",
        "shipped",
        False,
    ),
)
_PRICE = re.compile(
    r"(?P<more>\b(?:more than|over|above|at least|dearer than)|超过|高于|大于|贵过|多于)\s*(?:us\$|\$|¥"
    r"|€)?\s*(?P<a>\d+(?:\.\d+)?)(?!\s*(?:天|days?|周|weeks?|[号日月/]))"
    r"|(?P<less>\b(?:less than|under|below|cheaper than)|低于|少于|小于|不到|不足)\s*(?:us\$|\$|¥"
    r"|€)?\s*(?P<b>\d+(?:\.\d+)?)(?!\s*(?:天|days?|周|weeks?|[号日月/]))",
    re.ASCII,
)


def find_condition(sentence: str, *, question: bool = False) -> Condition | None:
    """The condition in a folded sentence, None where there is none. A `question` that only compares ("will it
    come before Friday?") sets none."""
    text = _POLITE.sub(lambda found: " " * len(found[0]), _plain(sentence))
    if whether := _WHETHER.search(text) or _WHETHER_I.search(text):
        text = text[: whether.start(1)] + "  " + text[whether.end(1) :]
    mark = _MARK.search(text)
    if mark is None and (question or not _stands_as_condition(text)):
        return None
    start = mark.start() if mark and mark[0] else 0
    found = _day(text, start) or _state(text, start) or _price(text, start)
    if found is None:
        if (answer := find_answer(text)) is not None:
            return Condition("answer", answer[0], answer[1], negated=answer[2])
        if mark is None:
            return None
        start = _clause_start(text, mark.start()) if not mark[0] else start
        stop = _STOP.search(text, mark.end())
        return Condition("unclear", start, stop.start() if stop else len(text))
    if mark is not None and mark.start() >= found.end:  # 周五之前要是发不了货就...
        stop = _STOP.search(text, mark.end())
        end = len(text) if stop is None else stop.end() if stop[0] == "的话" else stop.start()
        found = replace(found, end=max(found.end, end))
    if mark and re.match(_UNLESS, mark[0] or "-", re.ASCII):
        found = replace(found, negated=True)
    return found


def compares(text: str) -> Condition | None:
    """What a question compares a date with ("will it arrive before Friday?"), None where it does not."""
    text = _plain(text)
    found = _day(text, 0)
    if found is None or (found.relation == "on" and not re.search(r"\bon\b|是|吗", text)):
        return _within(text)
    return found


def _within(text: str) -> Condition | None:
    """The day or week a question names without a word before it: "is it going out this week?"."""
    for day in days_in(text):
        if day.kind in _NAMED_ALONE and _INVERTED.search(text) and subject_of(text):
            return Condition("day", day.start, day.end, "on", day, subject_of(text))
    return None


_NAMED_ALONE = frozenset({"thisweek", "nextweek", "weekend", "today", "tomorrow", "thisday", "nextday"})
_INVERTED = re.compile(r"^\W*(?:(?:so|and|but|ok|then)\W+)*(?:is|are|will|does|do|can|could)\b", re.ASCII)


def _plain(text: str) -> str:
    """The text with 能不能, 是不是, 有没有 as 能, 是, 有, and 能到不 as 能到吗: they ask and deny nothing."""
    text = A_NOT_A.sub(lambda found: found[1] + "  ", text)
    return _ASKS_AT_END.sub(lambda found: found[1] + "吗", text)


_ASKS_AT_END = re.compile(r"([能会可][^,]{0,6})不(?=\W*$)")


def subject_of(text: str) -> Subject:
    """Which date of an order a folded text speaks of."""
    if re.search(
        r"arriv|deliver|get (?:here|to me|there)|\bhere\b|送到|送达|到货|收到|签收|能到|才到"
        r"|到不了|不到|会到|哪天到|几时到|时候到"
        r"|号到",
        text,
    ):
        return "arrives"
    if re.search(
        r"\bship|dispatch|sent out|(?:go|goes|going|gone) out|leave|发货|出货|寄出|发出|发不了|才发|出库",
        text,
    ):
        return "ships"
    return ""


def _stands_as_condition(text: str) -> bool:
    """Whether a comparison without "if" is one all the same: 晚于周五改自提, 周五不到就改."""
    if "吗" in text:
        return False
    if _COMPARES.search(text):
        return True
    so = _SO.search(text)
    return so is not None and so.start() > 0


def _clause_start(text: str, before: int) -> int:
    return text.rfind(",", 0, before) + 1


def _day(text: str, start: int) -> Condition | None:
    for day in days_in(text):
        left, right = (
            text[start : day.start].rstrip(),
            _ENDS.split(text[day.end : day.end + 40])[0],
        )
        relation, explicit = _relation(left, right, day)
        comparing = _ends(left, r"|".join(words for words, _ in _LEFT))
        before = (left[: comparing.start()] if comparing else left).rpartition(",")[2]
        denied = any(
            _NOT_EN.search(part) or _NOT_ZH.search(part) for part in (before, right[:10], right[10:])
        )
        if day.kind == "ago" and relation in ("after", "before"):
            relation = "before" if relation == "after" else "after"  # more than a week ago is before that
        if denied:
            relation = _OPPOSITE.get(relation, "after")
        if not explicit and not denied and relation == "on" and not _marked(text, start):
            continue
        begin = start
        if day.start < start:
            begin = day.start
        elif not _marks_here(text, start):  # no "if" before it: it begins with its clause
            begin = start + comparing.start() if comparing else max(start, _clause_start(text, day.start))
        tail = _ZH_TAIL.match(text, day.end)
        end = max(day.end, tail.end() if tail else 0)
        if after := re.match(r" or (?:later|after|earlier|before)", text[day.end :]):
            end = day.end + after.end()
        if not explicit and not denied and speaks_of_more_than_shipping(left + right):
            return None  # "if it rains on Friday"
        return Condition("day", begin, end, relation, day, subject_of(left + right))
    return None


def _marks_here(text: str, start: int) -> bool:
    mark = _MARK.match(text, start)
    return mark is not None and bool(mark[0])


def _marked(text: str, start: int) -> bool:
    return _MARK.match(text, start) is not None or "的话" in text


def _ends(left: str, words: str) -> re.Match[str] | None:
    return re.search(rf"(?:{words})(?:\s+the)?$", left, re.ASCII)


def _relation(left: str, right: str, day: NamedDay) -> tuple[Relation, bool]:
    for words, relation in _RIGHT[:2]:
        if re.match(words, right, re.ASCII):
            return relation, True
    for words, relation in _LEFT:
        if _ends(left, words):
            return relation, True
    for words, relation in _RIGHT[2:]:
        if re.match(words, right, re.ASCII):
            return relation, True
    return ("by" if day.counts_from_today else "on"), False


def _state(text: str, start: int) -> Condition | None:
    for words, status, negated in _STATUS:
        if found := re.search(words, text[start:], re.ASCII):
            tail = re.match(r"(?:货|出)?(?: yet)?(?:了)?(?:的话)?", text[start + found.end() :])
            end = start + found.end() + (tail.end() if tail else 0)
            return Condition("status", start, end, status=status, negated=negated)
    return None


def _price(text: str, start: int) -> Condition | None:
    found = _PRICE.search(text, start)
    if found is None:
        return None
    end = found.end()
    if money := re.match(r"\s*(?:块钱?|元|美元|美金|刀|dollars?|bucks|usd)", text[end:]):
        end += money.end()
    amount = Decimal(found["a"] or found["b"])
    relation: Relation = "after" if found["more"] else "before"
    return Condition("price", start, end, relation, amount=amount)
