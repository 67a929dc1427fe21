"""A message cut up: sentences, each with its conditions, and clauses, each with room for one wish.

Everything works on the folded text, in which what is quoted and what is an address is masked. Places count
in that text, so that what was typed can be found again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import pairwise

from . import cues
from .conditions import Condition, find_condition
from .folding import A_NOT_A
from .order_ids import Mention, ids_in
from .places import MASK, Place
from .references import Reference, reference
from .wishes import CHANGES, Wish

_MOST_CONDITIONS = 4  # of one sentence
_NEAR = 60  # characters on either side of a list in which a wish of its own is looked for

_SENTENCE = re.compile(
    r"[!?。;\n]+|(?<!order no)(?<!order nr)\.(?=\s|$)|(?=\botherwise\b|否则|要不然|(?<!要)不然)", re.ASCII
)
_CLAUSE = re.compile(
    r"[,、:]|\b(?:and|then|also|plus|but|as well as)\b|(?<=[a-z0-9] )'?n'?(?= [a-z])|然后|并且|而且|同时"
    r"|另外(?![的一那这个张单笔件])|顺便|顺带"
    r"|再(?=把|帮|告|总|看|查|取|改(?!一[次下遍])|给|退|问|跟|和)|还有(?!没)|以及|还想"
    r"|(?<=[^你您我有没是])(?=把[a-z第另那这前后])|一起(?=把)",
    re.ASCII,
)
_LIST = re.compile(
    r"[\s,、&+/]*(?:\b(?:and|or|plus)\b(?: also)?(?: about| for| order| my| the)*|和|与|跟|及|以及|还有"
    r"|或)?[\s,、&+/]*",
    re.ASCII,
)
_APPOSED = re.compile(r"(?:\border|\bparcel|\bpackage|订单|单号?|包裹)\s*(?P<pause>[,:])\s*$", re.ASCII)
_SAID_OF_IT = re.compile(
    r"(?P<pause>\s*,)(?=\s*(?:is|isn't|was|wasn't|has|hasn't|never|should|will|did|didn't|arrived|came)\b)",
    re.ASCII,
)
_IF_SO = re.compile(r"if (?:so|yes|it is|it does|that's the case)\b|(?:如果|要是)?是(?:这样)?的话", re.ASCII)
_OTHERWISE = re.compile(r"^\W*(?:otherwise|or else|else|否则|要不然|不然)(?:的话)?\W*", re.ASCII)
_LINK = re.compile(r"(?:^|[,、:]|\b(?:and|but|then|also|or)|然后|另外|并且|但是?)\s*$", re.ASCII)


@dataclass
class Clause:
    """A part of a sentence at `start`, with the order ids in it; `found` are the wishes read from it."""

    start: int
    text: str
    mentions: list[Mention]
    question: bool
    found: list[Wish] = field(default_factory=list)

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def refers(self) -> Reference:
        """How it speaks of orders."""
        return reference(self.text, tuple(dict.fromkeys(mention.order for mention in self.mentions)))

    @property
    def changes(self) -> bool:
        """Whether it wants something changed."""
        return any(wish.kind in CHANGES for wish in self.found)

    def holds(self, place: Place) -> bool:
        return self.start <= place.start < self.end


@dataclass
class Sentence:
    """Clauses and the conditions among them. `otherwise`: it is what else to do, if an earlier one fails.

    `attached` are the conditions that follow what they govern without a pause ("pickup if it is late").
    """

    clauses: list[Clause]
    conditions: list[Condition]
    attached: list[bool]
    otherwise: bool

    def governed(self) -> dict[int, Condition]:
        """The condition of each clause that wants a change on one, by the clause's place.

        A condition governs the changes after it, up to the next condition; or the one before it, where it is
        attached to it or nothing comes after.
        """
        found: dict[int, Condition] = {}
        edges = [0, *(condition.start for condition in self.conditions[1:]), 1 << 30]
        for number, condition in enumerate(self.conditions):
            changes = [
                place
                for place, clause in enumerate(self.clauses)
                if clause.changes and place not in found and edges[number] <= clause.start < edges[number + 1]
            ]
            before = [place for place in changes if self.clauses[place].start < condition.start]
            after = [place for place in changes if place not in before]
            if before and (self.attached[number] or not after):
                found[before[-1]] = condition
            else:
                found |= dict.fromkeys(after, condition)
        return found


def cut(text: str, typed: str) -> list[Sentence]:
    """The sentences of a masked, folded text."""
    sentences: list[Sentence] = []
    start = 0
    for mark in [*_SENTENCE.finditer(text), None]:
        end = mark.start() if mark else len(text)
        question = bool(mark and "?" in mark[0])
        if end > start or question:
            as_typed = typed[start:end] if len(typed) == len(text) else ""
            sentences.append(_sentence(text[start:end], as_typed, start, question))
        start = mark.end() if mark else end
    return sentences


def _sentence(text: str, typed: str, offset: int, question: bool) -> Sentence:
    mentions = ids_in(text, typed)
    conditions: list[Condition] = []
    attached: list[bool] = []
    otherwise = _OTHERWISE.match(text) is not None
    while len(conditions) < _MOST_CONDITIONS:
        condition = find_condition(text, question=question)
        if condition is None:
            break
        if conditions and _IF_SO.match(text, condition.start):
            # "See if it is later than Friday, and if so ...": the condition before, once more.
            condition = replace(conditions[-1], start=condition.start, end=condition.end)
        inside = [m for m in mentions if condition.start <= m.start < condition.end]
        mentions = [m for m in mentions if m not in inside]
        orders = tuple(dict.fromkeys(m.order for m in inside)) or condition.orders
        attached.append(_LINK.search(text[: condition.start]) is None)
        text = _blank(text, condition.start, condition.end)
        start, end = offset + condition.start, offset + condition.end
        conditions.append(replace(condition, orders=orders, start=start, end=end))
    order = sorted(range(len(conditions)), key=lambda number: conditions[number].start)
    return Sentence(
        _cut_clauses(text, mentions, offset, question),
        [conditions[number] for number in order],
        [attached[number] for number in order],
        otherwise,
    )


def _cut_clauses(text: str, mentions: list[Mention], offset: int, question: bool) -> list[Clause]:
    clauses, start = [], 0
    joined = _join_lists(text, mentions)
    for mark in [*_CLAUSE.finditer(joined), None]:
        end = mark.start() if mark else len(joined)
        part = text[start:end]
        if part.strip(" .,\"'"):
            inside = [
                replace(m, start=m.start - start, end=m.end - start)
                for m in mentions
                if start <= m.start < end
            ]
            asks = cues.is_asking(part.strip()) if mark else question or part.rstrip().endswith(("吗", "么"))
            asks = asks or A_NOT_A.search(part) is not None
            clauses.append(Clause(offset + start, part, inside, asks))
        start = mark.end() if mark else end
    return clauses


def _blank(text: str, start: int, end: int) -> str:
    """The text with a pause where the condition stood."""
    return text[:start] + "," * min(1, end - start) + " " * (end - start - 1) + text[end:]


def _join_lists(sentence: str, mentions: list[Mention]) -> str:
    """The sentence with what stands between the ids of a list, or before one that says which order it is,
    covered, so that no cut falls there."""
    covered = list(sentence)
    for left, right in pairwise(mentions):
        between = slice(left.end, right.start)
        if _LIST.fullmatch(sentence, left.end, right.start) and not _begins_anew(sentence, left, right):
            covered[between] = MASK * len(sentence[between])
    for mention in mentions:  # "my order, A100, is late"
        told = _APPOSED.search(sentence, max(0, mention.start - _NEAR), mention.start)
        if told and cues.order_kind(sentence[: told.start()], False) is None:
            covered[told.start("pause")] = MASK
            if goes_on := _SAID_OF_IT.match(sentence, mention.end):
                covered[goes_on.start() : goes_on.end("pause")] = MASK * len(goes_on[0])
    return "".join(covered)


def _begins_anew(sentence: str, left: Mention, right: Mention) -> bool:
    """Whether each of two ids has a wish of its own: "cancel A100, B205 to pickup"."""
    before = sentence[max(0, left.end - _NEAR) : left.end]
    after = re.split(r"[,、]|\band\b", sentence[right.end : right.end + _NEAR], maxsplit=1)[0]
    return cues.order_kind(before, False) is not None and cues.order_kind(after, False) is not None
