"""How a clause speaks of orders: by id, by place in the conversation, by a pronoun, or not at all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

# "thing": by words that may name the item of an order, or something that is not this desk's at all.
# "theirs": somebody else's order, which is none that was spoken of.
# "most": the one that stands out among several, the dearer or the one that comes first.
Way = Literal["named", "thing", "nth", "most", "other", "all", "it", "theirs", "none"]
Most = Literal["", "dearer", "cheaper", "sooner", "later", "unshipped", "shipped", "delivered"]


@dataclass(frozen=True)
class Reference:
    """How a clause speaks of orders. `nth` counts from 1, -1 is the last; `most` is what one stands out by;
    `text` is the folded clause. "The other one" is the other one `beside` what the message spoke of before,
    where it did."""

    way: Way = "none"
    orders: tuple[str, ...] = ()
    nth: int = 0
    text: str = ""
    beside: Reference | None = None
    most: Most = ""

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
_MOST: tuple[tuple[Most, str], ...] = (
    (
        "dearer",
        rf"\bthe (?:dearest|priciest|costliest|most expensive)(?: please| instead)?$"
        rf"|\b(?:dear|pric[ei]|costl[iy])(?:er|est) {_THING}\b|\bmo(?:re|st) (?:expensive|costly) {_THING}\b"
        rf"|\b{_THING} (?:that|which) (?:costs?|is|was) (?:the )?(?:more|most)\b"
        rf"|[更最较][为]?贵的?(?:那|这)?一?{_COUNTED}|贵(?:一?[些点])?的(?:那|这)?一?{_COUNTED}|贵的那",
    ),
    (
        "cheaper",
        rf"\bthe (?:cheapest|least expensive)(?: please| instead)?$|\bcheap(?:er|est) {_THING}\b"
        rf"|\b(?:less|least) expensive {_THING}\b"
        rf"|\b{_THING} (?:that|which) (?:costs?|is|was) (?:the )?(?:less|least|cheaper|cheapest)\b"
        rf"|[更最较][为]?便宜的?(?:那|这)?一?{_COUNTED}|便宜(?:一?[些点])?的(?:那|这)?一?{_COUNTED}|便宜的那",
    ),
    (
        "sooner",
        rf"\b(?:earlier|earliest|sooner|soonest|faster|fastest|quicker) {_THING}\b"
        rf"|\b{_THING} (?:that|which)(?:'s|'ll| is| will)? (?:\w+ )?(?:come|comes|coming|arrive|arrives"
        r"|arriving|ship|ships|shipping|get|gets|be|leave|leaves)\b[^,]{0,12}"
        r"\b(?:first|earlier|earliest|sooner|soonest)\b"
        rf"|[先早][到发送寄出](?:货|达|出|来)?的(?:那|这)?一?{_COUNTED}",
    ),
    (
        "later",
        rf"\b(?:later|latest|slower|slowest) {_THING}\b"
        rf"|\b{_THING} (?:that|which)(?:'s|'ll| is| will)? (?:\w+ )?(?:come|comes|coming|arrive|arrives"
        r"|arriving|ship|ships|shipping|get|gets|be|leave|leaves)\b[^,]{0,12}"
        r"\b(?:last|later|latest)\b"
        rf"|[后晚迟][到发送寄出](?:货|达|出|来)?的(?:那|这)?一?{_COUNTED}",
    ),
    (
        "unshipped",
        rf"\b{_THING} (?:that|which)(?:'s| (?:is|has))?(?:n't| not| still not)(?: yet)?(?: been)? "
        rf"(?:ship\w*|sent|left|gone|dispatched|on)\b|\b(?:unshipped|unsent) {_THING}\b"
        rf"|[还都]?[没未]有?[发寄出](?:货|出|走)?(?:来|去)?的(?:那|这)?一?{_COUNTED}",
    ),
    (
        "delivered",
        rf"\b{_THING} (?:that|which)(?:'s| is| has| have|'ve)? ?(?:already |been )*"
        rf"(?:arrived|delivered|here|came)\b|\bdelivered {_THING}\b"
        rf"|已经?[送收]?到了?的(?:那|这)?一?{_COUNTED}|[送收]到了?的(?:那|这)一?{_COUNTED}",
    ),
    (
        "shipped",
        rf"\b{_THING} (?:that|which)(?:'s| is| has)? ?(?:already |been )*"
        rf"(?:shipped|sent|left|on (?:its|the) way)\b|\bshipped {_THING}\b"
        rf"|已经?[发寄](?:货|出)?了?的(?:那|这)?一?{_COUNTED}|在路上的(?:那|这)?一?{_COUNTED}",
    ),
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
_THEIRS = (
    r"\b(?!(?:it|that|what|where|who|how|when|there|here|today|tomorrow|yesterday|let|one|other)'s\b)[a-z]+'s"
    r" (?:order|parcel|package)\b|\b(?:his|her) (?:order|parcel|package)\b"
    r"|(?:朋友|同事|邻居|家人|妈妈?|爸爸?|老公|老婆|男友|女友|室友|同学|别人|人家|[他她])们?的?(?:那[个张])?(?:订单|包裹|快递|单子)"
)


def reference(clause: str, orders: tuple[str, ...]) -> Reference:
    """How a folded clause speaks of orders, `orders` being the ids found in it."""
    if orders:
        return Reference("named", orders, text=clause)
    for most, words in _MOST:
        if re.search(words, clause, re.ASCII):
            return Reference("most", most=most, text=clause)
    if found := _ZH_NTH.search(clause):
        return Reference("nth", nth=_NUMBERS.get(found[1]) or int(found[1]), text=clause)
    for words, nth in _NTH:
        if re.search(words, clause, re.ASCII):
            return Reference("nth", nth=nth, text=clause)
    for way, words in (("theirs", _THEIRS), ("other", _OTHER), ("all", _ALL), ("it", _IT)):
        if re.search(words, clause, re.ASCII):
            return Reference(way, text=clause)  # type: ignore[arg-type]
    return Reference(text=clause)
