"""The sum that somebody wants paid back: read exactly, or not at all.

Money is never paid on a guess. What names a sum that cannot be read ("part of it", "10 euros" of a price in
dollars, "2 mugs") comes out as `UNCLEAR`, and the desk asks; it does not pay the whole price instead.
"""

from __future__ import annotations

import re

from .cues import any_of

UNCLEAR = "?"  # a sum is meant, and cannot be read


def _split(words: str) -> list[str]:
    return words.split()


_NUMBER = r"(\d[\d,]*(?:\.\d+)?)(?![\d%a-z]|-\d|/\d)"
_UNIT = r"(?:us)?(?:dollars?|usd|bucks)\b|元|块钱?|美[元金]|刀"
# What follows is a reason, and its numbers are none to be paid: "as it is $5 cheaper elsewhere".
_BECAUSE = re.compile(r"\b(?:as|because|since|cos|due to)\b|因为|由于", re.ASCII)
_FOREIGN = any_of(
    r"(?:nt\$|hk\$|¥|€|£|\b(?:eur|gbp|rmb|cny|jpy|ntd?|twd|hkd)\b)\s*\d"
    r"|\d\s*(?:¥|€|£|euros?\b|eur\b|pounds?\b|gbp\b|quid\b|rmb\b|cny\b|yuan\b|yen\b|jpy\b|ntd?\b|twd\b|hkd\b)",
    r"\d\s*(?:欧元|英镑|日[元圆]|人民币|新?台币|港[币元])|(?:人民币|新?台币|港币)\s*\d",
)
_SHARE = re.compile(r"(\d{1,2}|100)\s*(?:%|percent\b|per cent\b)|百分之(\d{1,2})", re.ASCII)
_HALF = any_of(r"\bhalf\b|一半|半价")
_QUARTER = any_of(r"\b(?:a|one) quarter\b|四分之一")
_TENTHS = re.compile(r"([一二三四五六七八九1-9])成(?!交|功|为)")
_WITH_UNIT = re.compile(rf"(?:us\$|\$|\busd)\s*{_NUMBER}|(\d[\d,]*(?:\.\d+)?)\s*(?:{_UNIT})", re.ASCII)
_FEW = r"(?:(?:only|just|about|exactly|up to|at least|around|a sum of|of|for|the|a|an|me|us|my|back|out) )*"
_IN_PLACE = re.compile(
    rf"\brefund(?:ed|ing)?[\s,:(]*\s{_FEW}\s*{_NUMBER}"
    rf"|\b(?:give|pay|send|get|want|have|need|like)\b (?:me |us )?{_FEW}{_NUMBER}"
    r"(?= (?:\w+ )?(?:back|refund))"
    rf"|{_NUMBER} (?:back|refund)\b"
    rf"|退(?:款|费|钱|我|给|还|掉|回|了|只|就|个)*\s*{_NUMBER}"
    rf"|退(?:款|费|钱|货)[^\d,]{{0,4}}\s+{_NUMBER}\s*$",
    re.ASCII,
)
_GOES_ON = re.compile(
    r"\s*(?:$|[,.;:!?()]|(?:of|for|from|on|off|back|only|please|pls|to|and|now|instead|refund\w*|as|out|is|with"
    r"|because|thanks?|at|it|since)\b|[吧了就好可行给我的啊呀呢嘛谢请,。!]|元|块|美|刀)",
    re.ASCII,
)
_PART = any_of(
    r"\bpart(?:ial|ially|ly)?\b(?! (?:is|was|of (?:the )?(?:reason|why)))|\bsome of (?:it|the|my)\b"
    r"|\bfraction\b"
    r"|\b(?:a|one|two) thirds?\b",
    r"(?:一|大|小)部分|部分退|部分的?[款钱]|分之|一点点?钱",
)
_DECIMAL = re.compile(r"(?<![\d.])\d+\.\d+(?![\d.])")
_ONES = _split(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
)
_TENS = _split("twenty thirty forty fifty sixty seventy eighty ninety")
_WORDS = {**{word: n for n, word in enumerate(_ONES, 1)}, **{word: n * 10 for n, word in enumerate(_TENS, 2)}}
_IN_WORDS = re.compile(rf"\b({'|'.join(_WORDS)})(?=[ -](?:us )?(?:dollars?|usd|bucks)\b)", re.ASCII)
_HAN = "一二三四五六七八九"
_IN_HAN = re.compile(rf"([{_HAN}两])?(十)?([{_HAN}])?(?=块|元|美元|刀)")
_ALONE = re.compile(
    r"^[\s.,:;!?()]*(?:(?:but|only|just|and|make it|say|about|for|with|yes|yeah|ok|okay|sure"
    r"|the amount(?: is)?|no more than"
    r"|i(?:'d| would)? (?:only )?(?:want|need|like)|please|give me|a refund of|refund)\s+)*"
    r"(?:(?:只|就|才|仅|各|每[个张单份]|都|那|但|但是|要|退|给我|我|金额|是|好的?|可以|不过|付)*)"
    rf"\s*(?:us\$|\$)?\s*{_NUMBER}\s*(?:{_UNIT})?"
    r"\s*(?:only|is (?:enough|fine|ok|okay)|will do|would do|please|pls|back|of it|each|apiece"
    r"|就好|就行|就够|就可以|即可|可以|够|吧|了|\s)*[\s.,:;!?()]*$",
    re.ASCII,
)
_PART_ALONE = re.compile(
    r"^[\s.,:;!?()]*(?:(?:but|only|just|and|yes|ok|for)\s+)*(?:(?:a |one |some )?(?:part|some|bit)\b"
    r"(?: of (?:it|that))?)[\s.,:;!?()]*$"
    r"|^[\s.,:;!?()]*(?:只|就|但|退|要)*一?部分(?:就好|就行|吧)*[\s.,:;!?()]*$",
    re.ASCII,
)


def names_money(clause: str) -> str:
    """The sum or share a folded clause without order ids names: "20.00", "50%"; "" where it names none, and
    `UNCLEAR` where it does so in a way that cannot be read."""
    clause = _IN_WORDS.sub(lambda found: str(_WORDS[found[1]]), _BECAUSE.split(clause, maxsplit=1)[0])
    clause = _IN_HAN.sub(_in_digits, clause)
    if _FOREIGN.search(clause):
        return UNCLEAR
    if found := _SHARE.search(clause):
        return f"{found[1] or found[2]}%"
    if found := _TENTHS.search(clause):
        return f"{(_HAN.index(found[1]) + 1 if found[1] in _HAN else int(found[1])) * 10}%"
    if _HALF.search(clause):
        return "50%"
    if _QUARTER.search(clause):
        return "25%"
    if found := _WITH_UNIT.search(clause):
        return _as_sum(found[1] or found[2])
    if found := _IN_PLACE.search(clause):
        exact = _GOES_ON.match(clause, found.end())
        return _as_sum(next(group for group in found.groups() if group)) if exact else UNCLEAR
    return UNCLEAR if _PART.search(clause) or _DECIMAL.search(clause) else ""


def sum_alone(clause: str) -> str:
    """The sum that is all a folded clause says ("only 10 please", 10元就好), "" where it is more."""
    clause = _IN_HAN.sub(_in_digits, _IN_WORDS.sub(lambda found: str(_WORDS[found[1]]), clause))
    if found := _ALONE.match(clause.strip()):
        return _as_sum(found[1])
    return UNCLEAR if _PART_ALONE.match(clause.strip()) else ""


def sum_said(text: str) -> str:
    """The sum that a clause of a folded text says alone: "yes, but only 10"."""
    parts = re.split(r"[,;。!?]|\.(?!\d)|\b(?:but|and)\b|但是?|不过", text)
    return next((amount for part in parts if (amount := sum_alone(part))), "")


def _as_sum(digits: str) -> str:
    whole, _, cents = digits.replace(",", "").partition(".")
    return f"{whole}.{cents:0<2}" if len(cents) <= 2 else UNCLEAR


def _in_digits(found: re.Match[str]) -> str:
    tens, ten, ones = found.groups()
    if not any(found.groups()):
        return ""
    if not ten:
        return found[0] if tens and ones else str(_digit(tens or ones))
    return str((_digit(tens) if tens else 1) * 10 + (_digit(ones) if ones else 0))


def _digit(han: str) -> int:
    return 2 if han == "两" else _HAN.index(han) + 1
