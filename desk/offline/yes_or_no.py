"""Conditions that go by the answer to a question: "has it shipped? If not, cancel it", 还没的话就取消.

What they hang on is not in them but in the question before, in the same message or the one before it. Where
there is none, the desk has to ask.
"""

from __future__ import annotations

import re
from typing import Literal

Asked = Literal["shipped", "delivered", ""]

_GOES_ON = (
    r"(?=\s*(?:[,.;:]|$|(?:then|please|pls|just|can|could|would|i|i'd|i'll|we|let's|cancel|refund|change|switch"
    r"|send|deliver|move|make|put|ship|leave|keep|have|get|give|do|don't|redirect|collect|pick)\b))"
)
_YES_EN = re.compile(
    r"\bif (?:so|yes|yep|that's (?:so|right|the case)"
    r"|(?:it|they|that) (?:is|has|does|did|will|can|was|are|have))\b" + _GOES_ON,
    re.ASCII,
)
_NO_EN = re.compile(
    r"\bif (?:not|no|nope|that's not the case"
    r"|(?:it|they|that) (?:isn't|hasn't|doesn't|didn't|won't|can't|cannot|couldn't|wasn't|aren't|haven't"
    r"|(?:is|has|does|did|will|was) not))"
    rf"(?: yet)?\b{_GOES_ON}"
    r"|\bunless (?:so|(?:it|they) (?:is|has|does|did|will|was|have|are))\b" + _GOES_ON,
    re.ASCII,
)
_IF = r"(?:如果|要是|若是|若|假如|倘若|万一|只要)"
_SO = r"(?:的话(?:[,\s]*就)?|(?=[,\s]*(?:就|则|请|帮|麻烦|给我|改|取消|退|[送寄]))|$)"
_WHETHER = r"(?:(?:真的|确实|果然|已经)?(?:是|有|会|能|对|可以|没错)(?:了)?)"
_CANNOT = r"[到发送寄赶来](?:货)?不(?:了|到|出去?来?|及|上)(?:货)?"
_NOT = rf"(?:(?:真的|确实|还是?|都|仍|它)*(?:没有?|未|不是|不会|不能|不行|没有呢|否|{_CANNOT})(?:呢|了)?)"
_BEGINS = r"(?:^|(?<=[,。!?;\s]))(?:那么?|好的?|嗯|所以)?[,\s]*"
_YES_ZH = re.compile(rf"{_BEGINS}(?:{_IF}{_WHETHER}{_SO}|{_WHETHER}的话(?:[,\s]*就)?|是就(?!是))", re.ASCII)
_NO_ZH = re.compile(
    rf"{_BEGINS}(?:{_IF}{_NOT}{_SO}|{_NOT}(?:的话(?:[,\s]*就)?|[,\s]*(?=就))|不然的话(?=$))", re.ASCII
)

_SHIPPED = re.compile(
    r"\b(?:ship(?:s|ped|ping)?|sent|gone|left|leave|dispatched|on (?:its|the) way|out)\b"
    r"|[发寄出](?:货|出|走|库)?[了没]|[没未有](?:有)?[发寄出]|发货|出货|寄出|出库|在路上",
    re.ASCII,
)
_DELIVERED = re.compile(
    r"\b(?:arriv(?:e|ed|es)|delivered|come|here|received|got)\b"
    r"|[送收签]?到[了没]|[没未有](?:有)?(?:送|收|签)?到|送达|签收|到货",
    re.ASCII,
)
_YES_OR_NO = re.compile(
    r"\b(?:is|isn't|are|aren't|has|hasn't|have|haven't|did|didn't|was|wasn't|does|doesn't|whether|if)\b"
    r"|[吗么没](?:有)?[啊呀呢?]*$|没有?(?:啊|呀|呢)*$|(.)[不没]\1|是否|有没有|不$",
    re.ASCII,
)
_WHEN = re.compile(
    r"\b(?:when|what (?:day|date)|how (?:long|soon))\b|什么时候|何时|几[号时天日]|哪天|啥时", re.ASCII
)


def find_answer(text: str) -> tuple[int, int, bool] | None:
    """Where a folded text goes by the answer to a question: start and end, and whether that must be no."""
    for words, negated in ((_NO_EN, True), (_YES_EN, False), (_NO_ZH, True), (_YES_ZH, False)):
        if found := words.search(text):
            return found.start(), found.end(), negated
    return None


def asked(text: str) -> Asked:
    """What a folded question about an order asks of it that is answered by yes or no, "" where nothing."""
    if _WHEN.search(text) or not _YES_OR_NO.search(text.strip(" ?!.。,")):
        return ""
    if _DELIVERED.search(text) and not re.search(r"\bon (?:its|the) way\b", text):
        return "delivered"
    return "shipped" if _SHIPPED.search(text) else ""
