"""Answers that need no tool: about the conversation itself, small talk, and the questions back."""

from __future__ import annotations

from collections.abc import Sequence

from .judging import judge
from .phrases import Voice
from .recalling import CHANGING, Memory, asked_back
from .recap import is_empty
from .resolving import interpret
from .shop import Shop
from .telling import because, not_changed
from .wishes import CHANGES, Wish

_RECENT = 5  # turns back in which the reason for something is looked for among conditions
_LONG = 400  # characters, from where a message without a wish is called long


class Chat:
    """Speaks for the newest message of a conversation."""

    def __init__(self, memory: Memory, voice: Voice, shop: Shop) -> None:
        self.memory = memory
        self.voice = voice
        self.shop = shop
        self.n = memory.newest

    def answer(self, wish: Wish, wishes: Sequence[Wish]) -> str:
        """The words for a wish without a tool, "" where there is nothing to say to it."""
        if wish.missing:
            return self.ask(wish)
        alone = len(wishes) == 1
        match wish.kind:
            case "name":
                return self.voice.say("hello name" if not alone else "name noted", name=wish.place)
            case "name?":
                return self._name()
            case "first?":
                return self._first()
            case "last?":
                return self._last()
            case "mine":
                return self.voice.say("order noted", orders=self.voice.listed(wish.orders))
            case "mine?":
                return self._mine()
            case "why?":
                return self._why()
            case "summary" | "recap":
                return self.voice.say("nothing to summarise") if is_empty(self.memory) else ""
            case "who?":
                return self.voice.join([self.voice.say("who"), self.voice.say("can do")])
            case "policy?":
                limit = self.shop.refund_limit
                return self.voice.say("policy limit", limit=limit) if limit else self.voice.say("policy")
            case "points?":
                return self._points()
            case "help?":
                return self.voice.say("can do")
            case "hello":
                name = self.memory.name()
                hello = [self.voice.say("hello name", name=name)] if name else []
                return (
                    self.voice.join([*hello, self.voice.say("can do")]) if hello else self.voice.say("hello")
                )
            case "thanks" | "bye" | "abuse" | "agree" | "decline" | "drop":
                return self._small_talk(wish, wishes)
        return ""

    def ask(self, wish: Wish) -> str:
        """The question that a wish still needs answered."""
        orders = self.voice.listed(wish.orders)
        if wish.missing == "place":
            return self.voice.say("where to", orders=orders)
        if wish.missing == "condition":
            return self.voice.say("which condition", orders=orders)
        if wish.kind == "person":
            return self.voice.say("person, no ticket")
        if wish.kind == "again":
            return self.voice.say("which again")
        if wish.kind == "undo":
            return self.voice.say("which undo")
        if wish.kind == "address" and not wish.choices:
            return self.voice.say("which goes to", place=self.voice.quoted(wish.place))
        if len(wish.choices) > 1:
            return self.voice.say("which of", orders=self.voice.listed(wish.choices, "or"))
        if wish.choices:
            return self.voice.say("only know", orders=wish.choices[0])
        return self.voice.say("which order")

    def nothing_understood(self) -> str:
        """The answer to a message nothing was understood of: what can be done here, and no invention."""
        typed = self.memory.turns[-1].asked or ""
        if not any(character.isalnum() for character in typed):
            return self.voice.join([self.voice.say("no words"), self.voice.say("can do")])
        if len(typed) > _LONG:
            return self.voice.join([self.voice.say("too long"), self.voice.say("can do")])
        return self.voice.join([self.voice.say("not here"), self.voice.say("can do")])

    # About the conversation

    def _name(self) -> str:
        name = self.memory.name()
        return self.voice.say("your name", name=name) if name else self.voice.say("no name")

    def _first(self) -> str:
        first = self.memory.first_request(self.n)
        if first is None:
            return self.voice.say("nothing before")
        words = self.voice.say("first asked", words=self.voice.quoted(self.memory.turns[first].asked or ""))
        if self.memory.message(first).follows or self.memory.turns[0].asked is None:
            return self.voice.join([words, self.voice.say("first follows")])
        return self.voice.join([words, self.voice.say("that one")])

    def _last(self) -> str:
        typed = next((turn.asked for turn in reversed(self.memory.turns[: self.n]) if turn.asked), None)
        if typed is None:
            return self.voice.say("nothing before")
        words = self.voice.say("last asked", words=self.voice.quoted(typed))
        return self.voice.join([words, self.voice.say("that one")])

    def _mine(self) -> str:
        if mine := self.memory.mine(self.n):
            return self.voice.say("your order", orders=mine)
        known = self.memory.known(self.n)
        if known and "ask" in (self.memory.turns[-1].asked or "").lower():
            return self.voice.say("asked about", orders=self.voice.listed(known[-5:]))
        if known:
            return self.voice.say("spoke of", orders=self.voice.listed(known[-5:]))
        return self.voice.say("no order")

    def _why(self) -> str:
        """Of what did not happen last, the reason: a tool's, a person's, or the condition it hung on."""
        for past in range(self.n - 1, -1, -1):
            for call in reversed(self.memory.turns[past].calls):
                if call.name in CHANGING and call.outcome.ending not in ("done", "open"):
                    return not_changed(self.voice, call, self.memory.facts(call.order))
            if self.n - past <= _RECENT and (words := self._unmet(past)):
                return words
        return self.voice.say("no refusal")

    def _unmet(self, past: int) -> str:
        """Why a change that turn `past` wanted was left, where its condition did not hold."""
        for wish in interpret(self.memory, past):
            if wish.kind not in CHANGES or wish.condition is None:
                continue
            for order in wish.condition.orders or wish.orders:
                call = self.memory.turns[past].find("look_up_order", order)
                if call is None or not call.outcome.ok:
                    continue
                found = judge(wish.condition, call.outcome.facts)
                if found.holds is False:
                    why = because(self.voice, order, call.outcome.facts, wish.condition, found)
                    return self.voice.say("so", why=why, what=self.voice.say("left alone"))
        return ""

    def _points(self) -> str:
        names = self.shop.names(self.voice.language)
        if not names:
            return self.voice.say("no points")
        return self.voice.say("points", points=self.voice.listed([self.voice.quoted(name) for name in names]))

    # Small talk

    def _small_talk(self, wish: Wish, wishes: Sequence[Wish]) -> str:
        kinds = {other.kind for other in wishes}
        if kinds - {"thanks", "bye", "abuse", "agree", "decline", "drop", "hello"}:
            return ""
        first = next(k for k in ("abuse", "drop", "decline", "thanks", "bye", "agree") if k in kinds)
        if wish.kind != first or wish is not next(other for other in wishes if other.kind == first):
            return ""
        if first in ("drop", "decline"):
            open_ = self.n > 0 and asked_back(self.memory.turns[self.n - 1])
            return self.voice.say("nothing done" if open_ else "fine")
        return self.voice.say({"abuse": "civil", "agree": "fine"}.get(first, first))
