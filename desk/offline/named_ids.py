"""The name a person gives an order, whatever it looks like: order ZZ99, #7, 订单号 ABC12, refund a100x.

An order that does not exist is named like any other. Not to see its name would be to take the order spoken of
before for it; so what stands where an order is named is taken for one, as long as it can be an id.

There are three such places, and the surer the place, the more may stand in it: after "order number" or "#";
after "order"; and where a wish or a question is about it ("refund ZZ99", "ZZ99 退款").
"""

from __future__ import annotations

import re

from .id_words import is_count, is_kind, is_measure, is_mixed, is_short

_OPENS = r"[:=,(\[{<'\"“「『《【]*"
_IS = rf"\s*(?:is|was|are|called|named|是|为|叫)?\s*{_OPENS}\s*"
_ORDER = r"(?:\b(?:order|parcel|package|purchase)|订单|定单|包裹|快递)"
_NUMBER = r"(?:number|num\b\.?|no\b\.?|nr\b\.?|id\b|code|ref(?:erence)?\b|号码?|编号)"
_NUMBERED = re.compile(rf"(?:{_ORDER}\s*{_NUMBER}|单号码?|单编号){_IS}(?:#\s?)?$", re.ASCII)
_HASH = re.compile(r"(?<![a-z0-9&#])#\s?$", re.ASCII)
_ORDERED = re.compile(
    rf"(?P<word>{_ORDER}|单子?|订购|\b(?:shipment|invoice|receipt))(?P<is>{_IS})$", re.ASCII
)
_NUMBER_OF_IT = re.compile(  # and of nothing else: a phone has a number, too
    rf"(?:^|[,.;!?:]\s*|\b(?:the|with|by|my|its|whose|confirmation) )(?:number|id|reference){_IS}$", re.ASCII
)
# "I want to order X" orders it.
_VERB = re.compile(
    r"\b(?:(?:want|like|need|going|wish|able|how|try|trying|love"
    r"|hope|plan|wanted) to|i|we|you|they|can|could|just"
    r"|also|not|don't|i'd|i'll) $",
    re.ASCII,
)

# What a small number after "order" or "#" must be followed by, to be no count of anything.
_ENDS = re.compile(
    r"[)\]}>'\"”」』》】]*\s*(?:$|[,!?;。、:]|\.(?!\d)|(?:please|pls|now|to|for|and|too|as well|is|was"
    r"|has|did|never|arrived|ships?|status|refund|cancel)\b|[退取改的在呢怎什何多发寄请帮要能可坏没不还]|到(?!\s*\d))",
    re.ASCII,
)
_NO_ORDER = re.compile(
    r"\b(?:reason|point|question|item|step|option|problem|issue|size|apt\.?|flat|unit|room|bus|page|part"
    r"|complaint|suite|building|block|phone|tel|version|model|floor|gate) ?#?\s?$",
    re.ASCII,
)
_DATE = re.compile(r"\d{4}-\d{1,2}(?:-\d{1,2})?|\d{1,2}-\d{1,2}(?:-\d{2,4})?", re.ASCII)
_COUNTED = re.compile(
    r"\s+(?!(?:please|pls|now|to|for|from|on|in|at|a|an|and|is|was|has|did|never|it|i|myself|back|again|today"
    r"|tomorrow|asap|too|instead|order|parcel|package|refund(?:ed)?|cancel+ed)\b)[a-z]",
    re.ASCII,
)
_COUNTED_HAN = re.compile(r"\s*[内之以前后里个件的]")

# Where a wish or a question is about a name that stands alone.
_DET = r"(?:(?:my|our|the|this|that) )?"
_ABOUT = re.compile(
    r"(?:\b(?:refund|cancel|return|reimburse|track|trace|locate|find|check(?: on)?|look up"
    r"|look at|lookup|show(?: me)?"
    r"|undo|revert|redirect|reroute|change|move|switch|send|ship|deliver|update|where(?: i|')s|where are"
    r"|(?:what|how) about|about|for|of|regarding|i mean|i meant|meant"
    rf"|(?:^|\b(?:when|why|how|how much|and|so) )(?:is|does|did|has|was|will))(?: it| that)?[ ,:-]+{_DET}"
    r"|(?:退款|退费|退货|退掉|退还|退|取消掉?|撤销|撤单|查一?下?|查询|查查|看一?下|看看|追踪|跟踪|关于|申请|不想?要|收到|自[提取]|寄|改)\s*"
    rf"|(?:^|[,。!?]\s*|说的|指的|我)是\s*){_OPENS}\s*$",
    re.ASCII,
)
_WANTS_IT = re.compile(
    rf"\b(?:pick up|collect|make|put|set|take|get|want|need|keep|hold|have) {_OPENS}$", re.ASCII
)
_MAYBE_ABOUT = re.compile(
    r"(?:把|将|给|帮我?|替我?|我的|我要|我想|那|这|如果|要是|假如|若|只要|万一|等"
    rf"|\b(?:my|our|the|if|when|once|unless|whether|in case) )\s*{_OPENS}\s*$"
)
_BEGINS = re.compile(
    r"^\W*(?:(?:and|what about|how about|no|not|yes|sorry|also|ok|okay|it's"
    r"|wait|oops|hi|hello|please|你好|您好|嗨|请问|那|还有|以及|那么)\W+)*"
    r"(?:那|还有)?$",
    re.ASCII,
)
_AFTER_A_PAUSE = re.compile(r"[,;:。!?\n]\s*$|[.]\s+$")
_SAID_OF = re.compile(
    r"[)\]}>'\"”」』》】]*\s*(?:(?:is|isn't|was|wasn't|has|hasn't|arrived|never|came|didn't|doesn't|did|will|should"
    r"|refund|cancel|status)\b"
    r"|的|订单|退|取消|到|在|什么|何时|几|多少|怎|呢|改|换|坏|碎|破|没|未|还|发|送|寄|状态|要|我要|我想|请|帮|能|可以|不要"
    r"|现在|物流|掉|给|我|有|周|星期|今|明|会|是否|是不是|总结|收|预计|如果|要是|晚|早)",
    re.ASCII,
)
_ALONE = re.compile(
    r"[)\]}>'\"”」』》】]*\s*(?:$|[,?!:;。]|\.(?:\s|$)|-\s|(?:please|pls|too|as well|instead"
    r"|to pickup|also)\b|也|、)",
    re.ASCII,
)
_WANTED = re.compile(
    r"\s*(?:退[款费货]|取消|(?:refund|cancel|order|parcel|package)\b|[这那]?[个张]?(?:订单|单子|包裹))",
    re.ASCII,
)
# Numbers without letters, where no sum and no count of things can be meant.
_NUMBER_ABOUT = re.compile(
    r"(?:\b(?:cancel|track|trace|locate|look up|lookup|return|where(?: i|')s|status of) "
    r"|(?:取消掉?|查一?下?|查询|追踪)\s*)"
    rf"{_OPENS}\s*$",
    re.ASCII,
)
_SUM_ABOUT = re.compile(rf"(?:\b(?:refund|reimburse) |退款|退货|退)\s*{_OPENS}\s*$", re.ASCII)
_SHORTEST, _NO_SUM = 3, 5  # digits of a number; of one that is no sum to pay back
_JOINS = re.compile(
    r"\s*(?:,|、|&|/|\+|and|or|和|跟|与|及|还有|以及|或)\s*(?:(?:and|or|not|order|also|my|the|订单) ?)*#?",
    re.ASCII,
)
_PART_OF_AN_ADDRESS = re.compile(r"@|:/|\.[a-z]", re.ASCII)
_REACH = 48  # characters before a name in which its place is looked for


def is_named(text: str, start: int, end: int, typed: str, last: int) -> bool:
    """Whether the word from `start` to `end` of a folded text is given as the name of an order.

    `typed` is that word as typed, "" where that is not known; the name before it ends at `last`, -1 for none.
    """
    word = text[start:end]
    if _PART_OF_AN_ADDRESS.match(text, end) or text[max(0, start - 1) : start] == "@":
        return False
    mixed = is_mixed(word)
    before = _Before(text, start)
    if before.ends(_NO_ORDER):
        return False
    if before.ends(_NUMBERED):
        return mixed or _DATE.fullmatch(word) is None
    if before.ends(_HASH):
        return mixed or _numbered(text, start, end)
    if is_kind(word) or is_measure(word):
        return False
    ordered = before.ends(_ORDERED)
    if ordered and _VERB.search(text, max(0, ordered.start() - 20), ordered.start()):
        ordered = None
    # After a pause it may be something else: "my order, ZZ99, is late", "cancel my order, 5G is slow".
    paused = ordered is not None and "," in ordered["is"]
    if ordered and not paused:
        if mixed:
            return not (is_count(word) and (_COUNTED.match(text, end) or _COUNTED_HAN.match(text, end)))
        if "-" in word or "_" in word or "." in word:
            return len(word) > 6 and "." not in word and _DATE.fullmatch(word) is None
        long = len(word) > 2
        return long or (
            not re.search(r"[a-z是为叫]", ordered["is"])
            and _ENDS.match(text, _past_blanks(text, end)) is not None
        )
    if mixed and before.ends(_NUMBER_OF_IT):
        return True
    if word.isdigit():
        return _number_alone(text, start, end, before)
    if not mixed or re.fullmatch(r"\d+(?:\.\d+)?[xkmhgl]", word, re.ASCII):
        return False
    if not (is_short(word) or (typed and typed == typed.upper())):
        return False
    return _spoken_of(text, start, end, last, before) or (paused and _ALONE.match(text, end) is not None)


def _spoken_of(text: str, start: int, end: int, last: int, before: _Before) -> bool:
    """Whether a word that may be an id stands where a wish or a question is about it."""
    if last >= 0 and _JOINS.fullmatch(text, last, start):
        return True
    if _WANTED.match(text, end):
        return True
    if about := before.ends(_ABOUT):
        # "Refund my X7 camera" is about a camera.
        return not (re.search(r"\b(?:my|our|the|this|that) ", about[0]) and _COUNTED.match(text, end))
    if before.ends(_WANTS_IT):
        return not _COUNTED.match(text, end)
    said = _SAID_OF.match(text, end) is not None
    if said and (before.ends(_MAYBE_ABOUT) or before.ends(_AFTER_A_PAUSE)):
        return True
    begins = _BEGINS.search(text[:start]) if start <= _REACH else None
    return begins is not None and (said or _ALONE.match(text, end) is not None)


def _number_alone(text: str, start: int, end: int, before: _Before) -> bool:
    """Whether a number that no word announces is an order's: "cancel 12345", "12345 退款"."""
    long = end - start
    if _ENDS.match(text, _past_blanks(text, end)) is None:
        return False
    if before.ends(_NUMBER_ABOUT):
        return long >= _SHORTEST
    begins = start <= _REACH and _BEGINS.search(text[:start]) and _WANTED.match(text, end)
    return long >= _NO_SUM and bool(before.ends(_SUM_ABOUT) or begins)


def _numbered(text: str, start: int, end: int) -> bool:
    """Whether "#7" names an order, rather than being one's "#1 reason"."""
    word = text[start:end]
    return word.isdigit() and (word != "1" or _ENDS.match(text, _past_blanks(text, end)) is not None)


def _past_blanks(text: str, end: int) -> int:
    while text[end : end + 1] == " ":
        end += 1
    return end


class _Before:
    """What stands before a place in a text."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._start = start

    def ends(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Where it ends in what the pattern describes."""
        return pattern.search(self._text, max(0, self._start - _REACH), self._start)
