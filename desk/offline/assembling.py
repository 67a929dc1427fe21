"""What the clauses of a message mean together.

An order named in one clause is meant in the next; a condition governs a change in another clause.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .clauses import Clause, Sentence
from .conditions import Condition
from .references import Reference
from .wishes import ABOUT_ORDERS, ASKING, CHANGES, SMALL_TALK, TROUBLES, Kind, Wish
from .yes_or_no import asked


def assemble(sentences: Sequence[Sentence]) -> tuple[list[Wish], Reference | None]:
    """The wishes of a message; and the reference of one that only names orders, None of any other."""
    together = _Together()
    for sentence in sentences:
        together.add(sentence)
    clauses = [clause for sentence in sentences for clause in sentence.clauses]
    wishes = _say_where_once(together.wishes)
    if any(wish.kind in CHANGES or wish.kind == "done?" for wish in wishes):
        wishes = [wish for wish in wishes if not wish.stated]  # "I asked you to cancel it: cancel it, please"
    wanted = {wish.kind for wish in wishes if not wish.tentative}
    wishes = [
        wish for wish in wishes if not (wish.tentative and wish.kind in CHANGES and wish.kind in wanted)
    ]  # "I heard you can cancel orders: cancel it, please"
    if any(wish.kind == "drop" for wish in wishes):  # "I changed my mind, don't cancel it"
        wishes = [wish for wish in wishes if wish.kind not in TROUBLES]
    loose = together.loose
    if loose is not None:
        wishes, taken = _give_reference(wishes, loose)
        if not taken and all(wish.kind in SMALL_TALK for wish in wishes):
            return wishes, loose
        if not taken and loose.way == "named" and not any(w.kind in ("mine", "name") for w in wishes):
            wishes.append(Wish("look", loose))
    last = together.condition
    if last is not None and last.kind != "answer" and not any(wish.condition for wish in wishes):
        # A condition with nothing to do on it asks whether it holds: "what if it is later than Friday?"
        about = together.current or Reference(text=clauses[0].text if clauses else "")
        asked = Wish("look", about, focus="date", condition=last)
        wishes = [asked, *(wish for wish in wishes if wish.kind != "look")]
    return wishes, None


# "No, B205" and "yes, B205" name an order as much as "B205" does.
_BESIDE_A_NAME: frozenset[Kind] = frozenset({"agree", "decline", "drop", "hello", "thanks", "mine"})


_EXCEPT = re.compile(r"^\W*(?:no\W+)?not\b|^\W*(?:不是|不要|别管)|\b(?:except|but not)\b|除了", re.ASCII)


class _Together:
    """The wishes so far, and what the message spoke of last."""

    def __init__(self) -> None:
        self.wishes: list[Wish] = []
        self.current: Reference | None = None  # the orders spoken of last
        self.loose: Reference | None = None  # orders named by clauses that want nothing
        self.condition: Condition | None = None  # the last one, for "otherwise"
        self._idle = False  # it governed nothing

    def add(self, sentence: Sentence) -> None:
        governed = sentence.governed()
        for condition in sentence.conditions:
            self.condition, self._idle = condition, condition not in governed.values()
            if condition.orders and self.current is None:
                self.current = Reference("named", condition.orders)
        for place, clause in enumerate(sentence.clauses):
            condition_of = governed.get(place)
            if condition_of is not None and condition_of.orders and condition_of.start < clause.start:
                self.current = Reference("named", condition_of.orders)
            before = self.current
            self._speaks_of(clause)
            for wish in clause.found:
                wish = self._refer(wish, clause, before)
                if wish.kind in CHANGES:
                    wish = self._on_condition(wish, condition_of, sentence.otherwise)
                self.wishes.append(wish)

    def _speaks_of(self, clause: Clause) -> None:
        refers = clause.refers
        if refers.way == "all" and not clause.found:
            self.current = refers
        if refers.way not in ("named", "nth", "most", "other", "theirs"):
            return
        self.current = refers
        if _EXCEPT.search(clause.text):
            return
        if all(wish.kind in _BESIDE_A_NAME for wish in clause.found):
            self.loose = refers if self.loose is None else _joined(self.loose, refers)

    def _refer(self, wish: Wish, clause: Clause, before: Reference | None) -> Wish:
        """The wish, about what was spoken of before where it says no more than "it"."""
        if wish.kind not in ABOUT_ORDERS and wish.kind not in ("done?", "drop", "requested?"):
            return wish
        self.loose = None
        if wish.kind == "undo" and wish.matter and wish.about.way == "none" and self._settles(before):
            return wish  # "refund E512 and undo the pickup": of whichever order that was
        if wish.about.way in ("none", "it") and before is not None:
            return wish.but(about=replace(before, text=clause.text))
        if wish.about.way == "other" and before is not None and before.way != "other":
            return wish.but(about=replace(wish.about, beside=before))
        return wish

    def _settles(self, about: Reference | None) -> bool:
        """Whether an order was spoken of before because it shall be refunded or cancelled."""
        return about is not None and any(
            wish.kind in ("refund", "cancel") and wish.about.orders == about.orders for wish in self.wishes
        )

    def _on_condition(self, wish: Wish, condition: Condition | None, otherwise: bool) -> Wish:
        if condition is not None and condition.kind == "answer":
            return wish.but(condition=self._answered(condition))
        if condition is not None:
            return wish.but(condition=condition)
        if not otherwise or self.condition is None:
            return wish
        # "Unless it ships by Friday, or else pickup" says "unless" twice and means it once.
        twice = self.condition.negated and self._idle
        self.wishes = [_paired(other) for other in self.wishes]
        return wish.but(condition=self.condition if twice else self.condition.otherwise)

    def _answered(self, condition: Condition) -> Condition:
        """ "If not", as the question of this message that it hangs on, where there is one."""
        question = next((other for other in reversed(self.wishes) if other.kind in ASKING), None)
        meant = None if question is None else asked_about(question)
        return condition if meant is None else replace(meant, negated=meant.negated != condition.negated)


def asked_about(question: Wish) -> Condition | None:
    """What a question about an order asks that yes or no answers, as a condition."""
    if question.condition is not None:
        return question.condition if question.condition.kind != "unclear" else None
    status = asked(question.about.text)
    return Condition("status", 0, 0, status=status) if status else None


def _paired(wish: Wish) -> Wish:
    return wish.but(condition=replace(wish.condition, paired=True)) if wish.condition else wish


def _joined(one: Reference, other: Reference) -> Reference:
    """Two orders named apart, taken together."""
    if one.way == other.way == "named":
        return replace(other, orders=tuple(dict.fromkeys([*one.orders, *other.orders])))
    return other


def _say_where_once(wishes: list[Wish]) -> list[Wish]:
    """One wish where it was told in two clauses: "Change the address of B205: 7 Mill Road"."""
    kept: list[Wish] = []
    for wish in wishes:
        before = kept[-1] if kept else None
        if before is not None and wish.kind in ("pickup", "address") and _completes(wish, before):
            about = before.about if wish.about.way in ("none", "it") else wish.about
            kept[-1] = wish.but(about=about, condition=wish.condition or before.condition)
        else:
            kept.append(wish)
    return kept


def _completes(wish: Wish, before: Wish) -> bool:
    """Whether a wish says where to, for the one told before it."""
    if before.kind == "delivery":
        return True
    return (
        before.kind == "pickup"
        and not before.place
        and bool(wish.place)
        and wish.about.orders == before.about.orders
    )


def _give_reference(wishes: list[Wish], loose: Reference) -> tuple[list[Wish], bool]:
    """An order named apart belongs to the wish before it that names none: "I want a refund, order C310"."""
    for place in reversed(range(len(wishes))):
        wish = wishes[place]
        if wish.kind in ABOUT_ORDERS | {"requested?"} and wish.about.way in ("none", "it", "all"):
            return [*wishes[:place], wish.but(about=loose), *wishes[place + 1 :]], True
    return wishes, False
