"""Why somebody wants their money back, or an order cancelled: in their own words.

What is wrong with an order, told beside such a wish, is the reason for it; so is whatever else stands beside
it and wants nothing itself ("please refund C310, dead motor"). Nothing is made up and nothing reworded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .clauses import Clause
from .cues import order_kind
from .folding import Folded
from .function_words import speaks_of_more
from .names import name_in
from .places import MASK
from .sums import sum_alone
from .wishes import TROUBLES

LONGEST = 300  # characters of a reason

_BECAUSE = re.compile(r"\b(?:because|since|as it|as the|due to)\b|因为|由于", re.ASCII)
_SENTENCE_END = re.compile(r"[!?。;\n]|\.(?=\s|$)")
# Said beside a wish and no reason for it.
_NO_REASON = re.compile(
    r"\bpart(?:ly|ially)\b"
    r"|\b(?:as|like) (?:i|we) (?:said|asked|told|mentioned|wrote)\b|\b(?:asap|urgent(?:ly)?|immediately"
    r"|right away)\b"
    r"|\b(?:sorry|oops|whoops|typo|mistyped|my (?:bad|mistake)|wrong (?:number|order|one|id)|(?:i )?meant?)\b"
    r"|(?:打|输|写|说|讲|搞|弄|看|记)错|不好意思|抱歉|应该是|才对|我是说|我说的是|手滑"
    r"|\bi (?:said|asked|told you)\b|我(?:说|讲|问)过|刚才?说|如我所说|尽快|马上|立刻|赶紧",
    re.ASCII,
)
_INQUIRES = re.compile(
    r"\b(?:wh(?:en|ere|at|ich)|how|check|look|show|tell|track|find|know|see|status|details?|info|update)\b"
    r"|[吗呢么几哪查看]|什么|多少|告诉|怎么|状态|情况|进度",
    re.ASCII,
)
# What a verb around the order still has behind it: 退 C310 的款, 取消 A100 这张订单.
_NOUN = r"号?(?:货款|款项?|费用|运费|[钱费]|货品?|订单|包裹|单子?|商品|东西|发货|出货|配送|地址)"
_SHARE = r"(?:全部|全额|所有|剩下的?|一?半|部分)?的?"
_REST_OF_VERB = re.compile(
    rf"\s*[这那该此]一?[个张笔单件份项]{_NOUN}?(?:的{_SHARE}{_NOUN}?)?"
    rf"|\s*的\s*{_SHARE}(?:{_NOUN}|[^\s,;。]{{1,8}}(?=[\s,;。]|$))?"
    rf"|\s*{_NOUN}(?=[\s,;。了吧]|$)"
    r"|'s (?:price|money|cost|payment|amount)\b"
)
_ALL = re.compile(r"\b(?:both|all|they|each)\b|都|两|全", re.ASCII)
_GAP = 6  # characters between clauses that were said in one breath: a comma, "but"
_EDGES = " .,，。!！:：;；-—()（）"

Span = tuple[int, int]  # in the folded text


def give_reasons(clauses: Sequence[Clause], folded: Folded) -> None:
    """Give each wish for a refund or a cancellation the reason told for it. Trouble that is such a reason is
    no wish of its own any more."""
    wanting = [place for place, clause in enumerate(clauses) if _wants(clause)]
    if not wanting:
        return
    because = _BECAUSE.search(folded.text)
    told: dict[int, list[Span]] = {}
    for place, clause in enumerate(clauses):
        span = _after(because, clause, clauses[place + 1 :], folded) if because else _beside(clause, folded)
        for wanted in _targets(place, clause, wanting):
            if _about_another(clause, clauses[wanted]):
                continue
            clause.found = [] if _states(clause) else [w for w in clause.found if w.kind not in TROUBLES]
            if span is not None:
                told.setdefault(wanted, []).append(span)
    for wanted, spans in told.items():
        reason = _in_words(spans, folded)
        clauses[wanted].found = [
            wish.but(reason=reason) if wish.kind in ("refund", "cancel") else wish
            for wish in clauses[wanted].found
        ]


def said_beside(clauses: Sequence[Clause], folded: Folded) -> str:
    """What a message says besides its wishes: it may be the reason for a wish of the turn before."""
    spans = [_beside(clause, folded) for clause in clauses if not _wants(clause)]
    return _in_words([span for span in spans if span is not None], folded)


def _wants(clause: Clause) -> bool:
    return any(wish.kind in ("refund", "cancel") for wish in clause.found)


def _states(clause: Clause) -> bool:
    """Whether a clause only says how an order is and asks nothing: "found it cheaper", "it came late"."""
    looks = all(wish.kind == "look" for wish in clause.found)
    return looks and not clause.question and _INQUIRES.search(clause.text) is None


def _targets(place: int, clause: Clause, wanting: list[int]) -> Iterable[int]:
    """The clauses whose wish it is a reason for: the nearest one before it, else the first one after."""
    if _ALL.search(clause.text):
        return wanting
    before = [wanted for wanted in wanting if wanted <= place]
    return before[-1:] or wanting[:1]


def _about_another(clause: Clause, wanted: Clause) -> bool:
    """Whether it is told of another order than the wish is about."""
    here, there = clause.refers.orders, wanted.refers.orders
    return bool(here and there) and not set(here) & set(there)


def _after(because: re.Match[str], clause: Clause, later: Sequence[Clause], folded: Folded) -> Span | None:
    """What follows "because", as long as nothing else is wanted there."""
    if not clause.start <= because.start() < clause.end:
        return None
    end = _SENTENCE_END.search(folded.text, because.end())
    stops = [other.start for other in later if any(wish.kind not in TROUBLES for wish in other.found)]
    return because.end(), min([end.start() if end else len(folded.text), *stops])


def _beside(clause: Clause, folded: Folded) -> Span | None:
    """What a clause tells and does not want; None where it tells nothing."""
    start, end = clause.start, clause.end
    if sum_alone(clause.text):
        return None
    if _wants(clause):  # "refund C310 dead motor": what comes after the order
        last = clause.mentions[-1].end if clause.mentions else 0
        if order_kind(clause.text[:last], question=False) not in ("refund", "cancel"):
            return None
        rest = _REST_OF_VERB.match(clause.text, last) if last else None
        start += rest.end() if rest else last
    elif any(wish.kind in TROUBLES for wish in clause.found):
        return start, end
    elif clause.found and not _states(clause):
        return None
    words = _NO_REASON.sub(" ", _without_orders(clause)[start - clause.start :])
    named = name_in(Folded(folded.as_typed(start, end)))
    tells = speaks_of_more(words) and MASK not in words and not named and not clause.question
    return (start, end) if tells else None


def _without_orders(clause: Clause) -> str:
    text = clause.text
    for mention in clause.mentions:
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return text


def _in_words(spans: Sequence[Span], folded: Folded) -> str:
    joined: list[Span] = []
    for start, end in spans:
        if joined and start - joined[-1][1] <= _GAP:
            start = joined.pop()[0]
        joined.append((start, end))
    parts = (folded.as_typed(*span).strip(_EDGES) for span in joined)
    return "; ".join(dict.fromkeys(part for part in parts if part))[:LONGEST]
