"""Which orders a wish is about: by name, by place in the conversation, or by what was spoken of last.

Where the conversation does not tell, no order is taken: the answer is none, with those that could be meant,
and the desk has to ask.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .comparing import standing_out
from .conditions import subject_of
from .id_words import is_thing
from .item_names import names_goods
from .reading import Call
from .recalling import CHANGING, DECIDED, MOVING, TOOLS_OF, Memory, tools_asked_about
from .wishes import CHANGES, TROUBLES, Message, Wish

Found = tuple[tuple[str, ...], tuple[str, ...]]  # the orders meant; or none, and those that could be

_TWO = re.compile(r"\bboth\b|\btwo\b|两", re.ASCII)
_EVERYTHING = re.compile(r"\b(?:total|everything|so far|altogether)\b|一共|总共|全部|所有", re.ASCII)
_MOST = 10  # orders that "everything" goes back for
_OBJECT = re.compile(
    r"\b(?:cancel|refund|return)\s+(?:my|the|our|this"
    r"|that)\s+(?!(?:whole|entire|full|first|second|third|other|last|same|new|old|order"
    r"|parcel|package|item|purchase|delivery|shipment|product|one|thing|money|price|amount"
    r"|rest|change|goods|stuff)s?\b)(?!(?:again|now|too|also|please|pls|straight|right|asap|today|instead|then"
    r"|for|because|cos|cause|since|before|after|when|and|but|already|anyway|altogether|soon|just|with|from"
    r"|as|if|once|twice|tonight|more|most|less|least|cheaper|cheapest|dearer|dearest|pricier|priciest|[a-z]+ly)\b)"
    r"[a-z]{3,}"
    r"|取消(?:掉)?(?:我的?)?(?:会员|会议|预约|订阅|账号|账户|合同|课程|机票|酒店|订位)",
    re.ASCII,
)
_THING = re.compile(
    r"(?:\b(?:cancel|refund|return)\s+(?:(?:my|the|our|this|that)\s+)?|(?:退款|退货|退掉?|取消掉?|把|将)\s*(?:我的)?\s*)"
    r"(?P<thing>[a-z\d]+)(?![-_\w])(?! (?:order|parcel|package))",
    re.ASCII,
)


class Referring:
    """Finds the orders of the wishes of turn `n`.

    `choices` are orders the desk just offered to choose from; `tried` tells the orders that changes were
    wanted for in a turn.
    """

    def __init__(
        self, memory: Memory, n: int, choices: tuple[str, ...], tried: Callable[[int], tuple[str, ...]]
    ) -> None:
        self._memory = memory
        self._n = n
        self._choices = choices
        self._tried = tried
        self._message: Message = memory.message(n)

    def orders(self, wish: Wish) -> Found:
        """The orders of a wish."""
        memory, about = self._memory, wish.about
        if about.way == "named":
            return self._compared(wish) if wish.across not in ("", "total") else about.orders, ()
        if about.way in ("none", "it", "all", "thing") and (
            named := memory.named_by_item(about.text, self._n)
        ):
            return named, ()
        if wish.kind == "undo" and wish.matter and (about.way in ("none", "it") or _stays(wish)):
            change = self._to_undo(wish)
            return ((change.order,), ()) if change is not None else ((), ())
        if about.way == "most":
            return self._standing_out(wish)
        thing = _THING.search(about.text)
        if (
            _OBJECT.search(about.text)
            or (wish.kind in CHANGES and names_goods(about.text))
            or (thing and is_thing(thing["thing"]))
        ):
            return (), ()  # "cancel my gym membership", "refund iPhone15": no order as far as is known
        if about.way == "theirs":
            return (), ()
        if about.way == "nth":
            return _nth(about.nth, self._choices or self._named_together() or self._listed())
        if about.way == "other":
            beside = about.beside and self.orders(wish.but(about=about.beside))[0]
            return self._other(beside or memory.topic(self._n))
        if about.way == "all":
            return self._all(wish)
        return self._spoken_of(wish)

    def _standing_out(self, wish: Wish) -> Found:
        """The dearer one, or the one that comes first, among those spoken of together."""
        listed = self._choices or self._named_together() or self._listed()
        facts = {order: self._memory.facts(order) for order in listed}
        about = wish.about
        subject = subject_of(about.text) or self._memory.subject(self._n)
        one = standing_out(about.most, facts, subject)
        return ((one,), ()) if one else ((), listed)

    def _compared(self, wish: Wish) -> tuple[str, ...]:
        """The orders a comparison names; with one of them alone, it is compared with the topic."""
        named, topic = wish.about.orders, self._memory.topic(self._n)
        if len(named) > 1 or len(topic) > 1:
            return named
        return tuple(dict.fromkeys([*topic, *named]))

    def _spoken_of(self, wish: Wish) -> Found:
        """What "it" is, or what is meant where no order is named at all."""
        memory = self._memory
        if wish.kind == "undo":
            change = memory.just_asked_for(self._n) or memory.last_change(self._n)
            return ((change.order,), ()) if change is not None else ((), ())
        if wish.kind == "done?" and (asked := self._asked_about(wish)):
            return asked, ()
        if re.search(r"\bmy\b|我的", wish.about.text, re.ASCII) and (mine := memory.mine(self._n)):
            return (mine,), ()
        topic = memory.topic(self._n)
        if len(topic) > 1 and (wish.kind in CHANGES | TROUBLES or not memory.told_apart(self._n)):
            return (), topic  # which of them cannot be told: ask
        return topic, ()

    def _to_undo(self, wish: Wish) -> Call | None:
        """The newest call of the kind that is to be undone: a request for a refund or a cancellation whatever
        became of it, a change of delivery while it stands. None where there is none, whatever else was done.

        Changing to pickup changes the address as well, where nothing else did.
        """
        (kind,) = wish.matter
        if TOOLS_OF[kind] <= DECIDED:
            return next((call for call in self._memory.changes(self._n) if call.name in TOOLS_OF[kind]), None)
        for tools in (TOOLS_OF[kind], MOVING if kind == "address" else frozenset()):
            for call in self._memory.standing(self._n):
                if call.name in tools:
                    return call
        return None

    def _asked_about(self, wish: Wish) -> tuple[str, ...]:
        """The orders "was it done?" is about: those of the newest turn that tried what it asks about. Asked
        for the money after a newer cancellation, it is about that one as well."""
        tools = tools_asked_about(wish)
        turn = self._memory.changing_turn(self._n, tools)
        if turn is None:
            return ()
        tried = self._tried_since(turn, _MOST if _EVERYTHING.search(wish.about.text) else 1)
        decided = self._memory.changing_turn(self._n, DECIDED)
        if tools == CHANGING or decided is None or decided == turn:
            return tried
        newer = [call.order for call in self._memory.turns[decided].calls if call.name in DECIDED]
        return tuple(dict.fromkeys([*tried, *newer]))

    def _named_together(self) -> tuple[str, ...]:
        """The orders this message names, where it names several."""
        return self._message.orders if len(self._message.orders) > 1 else ()

    def _listed(self) -> tuple[str, ...]:
        """The orders "the first one" counts: those spoken of together just now, else all in turn."""
        topic = self._memory.topic(self._n)
        return topic if len(topic) > 1 else tuple(self._memory.known(self._n))

    def _other(self, topic: tuple[str, ...]) -> Found:
        """The one beside the topic."""
        known = self._memory.known(self._n)
        if len(topic) != 1:
            return (), tuple(known)
        rest = tuple(order for order in known if order != topic[0])
        if len(rest) == 1:
            return rest, ()
        for past in range(self._n - 1, -1, -1):  # the pair it was last spoken of in
            pair = self._memory.spoken(past)
            if len(pair) == 2 and topic[0] in pair:
                return tuple(order for order in pair if order != topic[0]), ()
        return (), rest

    def _all(self, wish: Wish) -> Found:
        """Both, all of them: of this message, of what was done, or of what was spoken of."""
        if together := self._named_together():
            return together, ()
        if wish.kind == "undo" and (moved := self._moved()):
            return (moved if len(moved) > 1 or not _TWO.search(wish.about.text) else ()), moved
        turn = self._memory.changing_turn(self._n) if wish.kind == "done?" else None
        if turn is not None:
            orders = self._tried_since(turn, 2 if _TWO.search(wish.about.text) else 1)
        else:
            topic = self._memory.topic(self._n)
            orders = topic if len(topic) > 1 else tuple(self._memory.known(self._n)) or topic
        if len(orders) < 2 and (wish.across or _TWO.search(wish.about.text)):
            return (), orders
        return orders, ()

    def _moved(self) -> tuple[str, ...]:
        """The orders whose delivery was changed, in the order that was done."""
        made = [
            call.order for call in self._memory.changes(self._n) if call.name in MOVING and call.outcome.ok
        ]
        return tuple(dict.fromkeys(reversed(made)))

    def _tried_since(self, turn: int | None, least: int) -> tuple[str, ...]:
        """The orders changes were wanted for in that turn, and in earlier ones while they are too few."""
        found: tuple[str, ...] = ()
        while turn is not None and len(found) < least:
            found = tuple(dict.fromkeys([*self._tried(turn), *found]))
            turn = self._memory.changing_turn(turn)
        return found


def _stays(wish: Wish) -> bool:
    """Whether what is to be undone is a refund or a cancellation."""
    return any(TOOLS_OF[kind] <= DECIDED for kind in wish.matter)


def _nth(nth: int, listed: tuple[str, ...]) -> Found:
    # "The first one" of a single order is no answer: another one must have been forgotten.
    if len(listed) < 2 or nth > len(listed):
        return (), listed
    return (listed[nth - 1 if nth > 0 else nth],), ()
