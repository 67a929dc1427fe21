"""A message, understood: the wishes in it, in the order they are said.

The message is folded, quotations and addresses are covered up, and what is left is cut into sentences and
clauses. A clause holds at most one wish about orders. Conditions belong to a sentence: one that comes
first governs the changes after it, one that comes last the change before it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from . import cues, talk_cues
from .conditions import Condition, compares, find_condition
from .folding import Folded
from .language import language_of
from .mentions import Mention, Reference, ids_in, reference
from .names import name_in
from .places import MASK, PICKUP, Place, addresses_in, is_vague, mask, point_in, quotes_in
from .wishes import ABOUT_ORDERS, CHANGES, Kind, Message, Wish

MOST_WISHES = 12  # of one message; what comes after is not acted on

_SENTENCE = re.compile(r"[!?。;\n]+|\.(?=\s|$)|(?=\botherwise\b|否则|要不然|(?<!要)不然)", re.ASCII)
_CLAUSE = re.compile(
    r"[,、:]|\b(?:and|then|also|plus|but|as well as)\b|然后|并且|而且|同时"
    r"|另外(?![的一那这个张单笔件])|顺便|顺带"
    r"|再(?=把|帮|告|总|看|查|取|改|给|退|问|跟|和)|还有(?!没)|以及|还想"
    r"|(?<=.)(?=把[a-z第另那这前后])|一起(?=把)",
    re.ASCII,
)
_LIST = re.compile(
    r"[\s,、&+/]*(?:\b(?:and|or|plus)\b(?: also)?(?: about| for| order| my| the)*|和|与|跟|及|以及|还有"
    r"|或)?[\s,、&+/]*",
    re.ASCII,
)
_OTHERWISE = re.compile(r"^\W*(?:otherwise|or else|else|否则|要不然|不然)(?:的话)?\W*", re.ASCII)
_FOLLOWS = re.compile(
    r"^\W*(?:and\b|what about\b|how about\b|also\b|那么?(?!个|张|单|天)|还有|以及)", re.ASCII
)
_TOO = re.compile(r"\b(?:too|as well|also|same|likewise)\b|[也]|同样|一样", re.ASCII)
_SPARED = re.compile(r"^[^,]*(?:不用|不必|别|不要|无需|不)(?:再)?(?:管|改|动|换|变|取消|退)[^,]*(?=,)")
_BECAUSE = re.compile(r"\b(?:because|since|as it|as the|due to)\b|因为|由于", re.ASCII)


@dataclass
class _Clause:
    start: int
    text: str
    mentions: list[Mention]
    question: bool
    condition: Condition | None = None  # of its sentence
    leading: bool = False  # the condition comes before this clause
    otherwise: bool = False
    found: list[Wish] = field(default_factory=list)

    def holds(self, place: Place) -> bool:
        return self.start <= place.start < self.start + len(self.text)

    @property
    def refers(self) -> Reference:
        return reference(self.text, tuple(dict.fromkeys(mention.order for mention in self.mentions)))


def understand(typed: str, points: Mapping[str, str] | None = None) -> Message:
    """The wishes of a message. `points` are the pickup points the desk knows, by folded name."""
    folded = Folded(typed)
    text, quotes = folded.text, []
    for quote in quotes_in(folded):
        if not ids_in(quote.typed.lower().strip()):
            quotes.append(quote)
            text = mask(text, quote.start, quote.end)
    places = addresses_in(folded, text, quotes)
    for place in places:
        if not place.vague:
            text = mask(text, place.start, place.end)
    clauses = _clauses(text, typed)
    for clause in clauses:
        inside = [place for place in places if clause.holds(place)]
        quoted = [quote for quote in quotes if clause.holds(quote)]
        clause.found = _wishes(clause, folded, inside[0] if inside else None, quoted, points or {})
    wishes, bare = _assemble(clauses, folded)
    if name := name_in(folded):
        wishes = [Wish("name", place=name), *(wish for wish in wishes if wish.kind != "hello")]
    return Message(
        typed,
        language_of(typed),
        tuple(wishes[:MOST_WISHES]),
        bare,
        follows=_FOLLOWS.search(text) is not None
        or (bare is not None and text.rstrip(" ?!.。").endswith("呢")),
        too=_TOO.search(text) is not None,
    )


# Cutting


def _clauses(text: str, typed: str) -> list[_Clause]:
    clauses: list[_Clause] = []
    start = 0
    for end_mark in [*_SENTENCE.finditer(text), None]:
        end = end_mark.start() if end_mark else len(text)
        question = bool(end_mark and "?" in end_mark[0])
        if end > start or question:
            clauses += _clauses_of(text[start:end], start, typed if len(typed) == len(text) else "", question)
        start = end_mark.end() if end_mark else end
    return clauses


def _clauses_of(sentence: str, offset: int, typed: str, question: bool) -> list[_Clause]:
    mentions = ids_in(sentence, typed[offset : offset + len(sentence)])
    otherwise = _OTHERWISE.match(sentence)
    condition = find_condition(sentence, question=question)
    if condition is not None and (spared := _SPARED.match(sentence)):
        rest = find_condition(_blank(sentence, 0, spared.end()))
        if rest is not None:  # "within 10 days is fine, later than that change it"
            sentence, condition = _blank(sentence, 0, spared.end()), rest
    if condition is not None:
        inside = [m.order for m in mentions if condition.start <= m.start < condition.end]
        condition = replace(condition, orders=tuple(dict.fromkeys(inside)))
        sentence = _blank(sentence, condition.start, condition.end)
        mentions = [m for m in mentions if not condition.start <= m.start < condition.end]
    joined = _join_lists(sentence, mentions)
    clauses, start = [], 0
    for cut in [*_CLAUSE.finditer(joined), None]:
        end = cut.start() if cut else len(joined)
        part = sentence[start:end]
        if part.strip(" .,\"'"):
            inside_ = [m for m in mentions if start <= m.start < end]
            leading = condition is not None and condition.start <= start + len(part) - len(part.lstrip())
            asks = question if cut is None else cues.is_asking(part.strip())
            clauses.append(
                _Clause(offset + start, part, inside_, asks, condition, leading, otherwise is not None)
            )
        start = cut.end() if cut else end
    if not clauses and condition is not None:
        clauses.append(_Clause(offset, "", [], question, condition, True))
    return clauses


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + "," * min(1, end - start) + " " * (end - start - 1) + text[end:]


def _join_lists(sentence: str, mentions: list[Mention]) -> str:
    """The sentence with what stands between the ids of a list covered, so that no cut falls there."""
    for left, right in pairwise(mentions):
        if _LIST.fullmatch(sentence, left.end, right.start) and not _begins_anew(sentence, left, right):
            sentence = mask(sentence, left.end, right.start)
    return sentence


def _begins_anew(sentence: str, left: Mention, right: Mention) -> bool:
    """Whether each of two ids has a wish of its own: "cancel A100, B205 to pickup"."""
    after = re.split(r"[,、]|\band\b", sentence[right.end :], maxsplit=1)[0]
    return (
        cues.order_kind(sentence[: left.end], False) is not None and cues.order_kind(after, False) is not None
    )


# Reading a clause


def _wishes(
    clause: _Clause, folded: Folded, place: Place | None, quotes: list[Place], points: Mapping[str, str]
) -> list[Wish]:
    text = clause.text.strip()
    refers = clause.refers
    kind = talk_cues.memory_kind(text)
    if kind is not None and not (kind == "recap" and refers.way == "named"):
        return [Wish(kind, refers), *_social(text, but=("hello", "agree"))]
    kind = cues.order_kind(text, clause.question)
    sends = kind == "delivery" or (kind is None and cues.is_sending(text))
    if place is None and quotes and sends and not re.search(PICKUP, text, re.ASCII):
        place = quotes[0]  # "Change it: 「...」": what is quoted beside the wish is where to
    if place is not None and kind in (None, "delivery", "trouble", "reschedule"):
        if (point := points.get(folded.text[place.start : place.end].strip(" ."))) is not None:
            return [Wish("pickup", refers, place=point)]
        return [Wish("delivery", refers) if place.vague else Wish("address", refers, place=place.typed)]
    if kind is not None:
        part = (clause.start, clause.start + len(clause.text))
        point = point_in(folded, clause.text, part, quotes, points) if kind == "pickup" else ""
        return _order_wish(kind, clause, text, refers, point)
    if talk_cues.is_ownership(text) and not clause.question:
        return [Wish("mine", refers)]
    social = _social(text)
    if social and social[0].kind in ("who?", "help?", "person"):
        return social[:1]
    bare = text.replace(MASK, "")
    focus = cues.look_focus(bare, refers.explicit)
    if focus is None and (focus := cues.look_focus(bare, True)) is not None:
        return [Wish("look", Reference("thing", text=text), focus=focus), *social]
    if focus is not None:
        check = compares(text) if clause.question or "吗" in text else None
        return [Wish("look", refers, focus=focus, condition=check), *(w for w in social if w.kind == "hello")]
    return social


def _order_wish(kind: Kind, clause: _Clause, text: str, refers: Reference, point: str) -> list[Wish]:
    if kind in CHANGES and cues.negated(text, kind):
        return [Wish("drop", refers)]
    wish = Wish(kind, refers, tentative=cues.tentative(text, clause.question))
    if kind == "refund":
        wish = wish.but(amount=cues.names_money(_without_ids(clause)))
    if kind == "pickup":
        wish = wish.but(place=point)
    return [wish]


def _without_ids(clause: _Clause) -> str:
    text = clause.text
    for mention in ids_in(text):
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return text


def _social(text: str, but: tuple[Kind, ...] = ()) -> list[Wish]:
    return [Wish(kind) for kind in talk_cues.social_kinds(text) if kind not in but]


# Putting the clauses together


def _assemble(clauses: list[_Clause], folded: Folded) -> tuple[list[Wish], Reference | None]:
    """The wishes with their references, conditions and reasons; and the reference of a bare message."""
    wishes: list[Wish] = []
    current: Reference | None = None  # the order spoken of last in this message
    loose: Reference | None = None  # an order named by a clause that wants nothing
    troubles: list[str] = []
    condition: Condition | None = None  # the last one said, for "otherwise"
    spent: set[int] = set()
    for clause in clauses:
        refers = clause.refers
        about_orders = [wish for wish in clause.found if wish.kind in ABOUT_ORDERS]
        if clause.condition is not None and clause.condition.orders and current is None:
            current = Reference("named", clause.condition.orders)
        before = current
        if refers.way in ("named", "nth", "other"):
            current = refers
            if not about_orders and not clause.found:
                loose = refers if loose is None else _joined(loose, refers)
        for wish in clause.found:
            if wish.kind in ABOUT_ORDERS or wish.kind == "done?":
                if wish.about.way in ("none", "it") and current is not None and current is not refers:
                    wish = wish.but(about=replace(current, text=clause.text))
                if wish.about.way == "other" and before is not None and before.way != "other":
                    wish = wish.but(about=replace(wish.about, beside=before))
                loose = None
            if wish.kind in CHANGES:
                if clause.otherwise and condition is not None:
                    # "Unless it ships by Friday, or else pickup" says "unless" twice and means it once.
                    twice = condition.negated and id(condition) not in spent
                    wish = wish.but(condition=condition if twice else condition.otherwise)
                    wishes = [_paired(other) for other in wishes]
                elif clause.condition is not None and clause.leading:
                    wish = wish.but(condition=clause.condition)
                    spent.add(id(clause.condition))
            if wish.kind == "trouble":
                troubles.append(
                    folded.as_typed(clause.start, clause.start + len(clause.text)).strip(" .,，。")
                )
            wishes.append(wish)
        if clause.condition is not None:
            condition = clause.condition
            if not clause.leading and id(condition) not in spent:
                wishes = _govern_last(wishes, condition)
                spent.add(id(condition)) if any(w.condition is condition for w in wishes) else None
    wishes = _give_reasons(_say_where_once(wishes), troubles, folded)
    if loose is not None:
        wishes = _give_reference(wishes, loose)
        if not any(wish.kind in ABOUT_ORDERS and wish.about is loose for wish in wishes):
            if not [
                w for w in wishes if w.kind not in ("hello", "thanks", "agree", "decline", "drop", "abuse")
            ]:
                return wishes, loose
            if loose.way == "named" and not any(w.kind in ("mine", "name") for w in wishes):
                wishes.append(Wish("look", loose))
    if condition is not None and not any(wish.condition for wish in wishes):
        asked = Wish("look", current or Reference(text=clauses[0].text), focus="date", condition=condition)
        wishes = [asked, *(wish for wish in wishes if wish.kind != "look")]
    return wishes, None


def _paired(wish: Wish) -> Wish:
    return wish.but(condition=replace(wish.condition, paired=True)) if wish.condition else wish


def _joined(one: Reference, other: Reference) -> Reference:
    """Two orders named apart, taken together."""
    if one.way == other.way == "named":
        return replace(other, orders=tuple(dict.fromkeys([*one.orders, *other.orders])))
    return other


def _govern_last(wishes: list[Wish], condition: Condition) -> list[Wish]:
    """A condition said after a change governs it: "... change it to pickup if it is later than Friday"."""
    for place in reversed(range(len(wishes))):
        if wishes[place].kind in CHANGES and wishes[place].condition is None:
            return [*wishes[:place], wishes[place].but(condition=condition), *wishes[place + 1 :]]
    return wishes


def _say_where_once(wishes: list[Wish]) -> list[Wish]:
    """ "Change the address of B205: 7 Mill Road" is one wish, told in two clauses."""
    kept: list[Wish] = []
    for wish in wishes:
        before = kept[-1] if kept else None
        if before is not None and before.kind == "delivery" and wish.kind in ("pickup", "address"):
            about = before.about if wish.about.way in ("none", "it") else wish.about
            kept[-1] = wish.but(about=about, condition=wish.condition or before.condition)
        else:
            kept.append(wish)
    return kept


def _give_reasons(wishes: list[Wish], troubles: list[str], folded: Folded) -> list[Wish]:
    """Trouble told beside a wish for the money back, or to cancel, is the reason for it."""
    wanting = [wish for wish in wishes if wish.kind in ("refund", "cancel")]
    because = _BECAUSE.search(folded.text)
    if because is not None and wanting:
        troubles = [folded.as_typed(because.end(), len(folded.text)).strip(" .,，。!！:：")]
    if not wanting:
        return wishes
    reason = "; ".join(troubles)[:300]
    kept = []
    named = next((w.about for w in wishes if w.kind == "trouble" and w.about.explicit), None)
    for wish in wishes:
        if wish.kind == "trouble":
            continue
        if wish.kind in ("refund", "cancel"):
            # Who tells what is wrong and asks whether the money can come back wants it back.
            wish = wish.but(reason=reason, tentative=wish.tentative and not troubles)
            if named is not None and not wish.about.explicit:
                wish = wish.but(about=named)
        kept.append(wish)
    return kept


def _give_reference(wishes: list[Wish], loose: Reference) -> list[Wish]:
    """An order named apart belongs to the wish before it that names none: "I want a refund, order C310"."""
    for place in reversed(range(len(wishes))):
        wish = wishes[place]
        if wish.kind in ABOUT_ORDERS and wish.about.way in ("none", "it"):
            return [*wishes[:place], wish.but(about=loose), *wishes[place + 1 :]]
    return wishes


def fills_place(message: Message) -> str:
    """The address in a message that answers "which address?", "" where it is none."""
    if message.wishes and any(
        wish.kind not in ("agree", "thanks", "hello", "look") for wish in message.wishes
    ):
        return ""
    folded = Folded(message.typed.strip())
    if quote := next(quotes_in(folded), None):
        return quote.typed
    words = re.sub(
        r"^(?:(?:please|ok|yes|it's|to|the address is|送到|寄到|改到|地址是|是)[\s:,]*)+", "", folded.text
    )
    start = len(folded.text) - len(words)
    typed = re.sub(
        r"[\s,，.。!！]*(?:please|thanks|thank you|谢谢|謝謝|吧)?[\s.。!！]*$",
        "",
        folded.as_typed(start, len(folded.text)),
        flags=re.I,
    )
    if len(typed) < 3 or "?" in words or "吗" in words or is_vague(words):
        return ""
    return typed
