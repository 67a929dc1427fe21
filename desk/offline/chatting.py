"""Answers that need no tool: about the conversation itself, small talk, and the questions back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .folding import fold
from .function_words import speaks_of_more
from .judging import judge
from .phrases import Voice, every_language
from .recalling import CHANGING, DECIDED, Memory, asked_back
from .recap import is_empty
from .requests import requested
from .resolving import interpret
from .shop import Shop
from .telling import because, changed, final, not_changed
from .wishes import CHANGES, SMALL_TALK, Wish

_RECENT = 5  # turns back in which the reason for something is looked for among conditions
_LONG = 400  # characters, from where a message without a wish is called long
_LONGEST, _SHORT = 1000, 80  # characters of one message that are quoted: alone, and in a list
_MOST_QUOTED = 10  # messages in a list, the newest ones
_SPOKEN = re.compile(
    r"\b(?:talk|spoke|speak|discuss|mention|ask)|[说聊讲谈提问查]"
)  # asks for no other orders


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
            case "asked?":
                return self._asked()
            case "answered?":
                return self._answered()
            case "requested?":
                return requested(self.memory, self.voice, wish)
            case "reason?":
                return self._reason(wish)
            case "orders?":
                return self._orders()
            case "next?":
                return self.voice.say("nothing under way")
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
            case "thanks" | "bye" | "abuse" | "agree" | "noted" | "decline" | "drop":
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
            return self._nothing_undone(wish)
        if wish.kind == "address" and not wish.choices:
            return self.voice.say("which goes to", place=self.voice.quoted(wish.place))
        if len(wish.choices) > 1:
            return self.voice.say("which of", orders=self.voice.listed(wish.choices, "or"))
        if wish.choices:
            return self.voice.say("only know", orders=wish.choices[0])
        return self.voice.say("which order")

    def _nothing_undone(self, wish: Wish) -> str:
        """That there is nothing to take back, or nothing of the kind that is named."""
        for kind in wish.matter & {"refund", "cancel"}:
            ask = [] if self.memory.known(self.n) else [self.voice.say("which order")]
            return self.voice.join([self.voice.say(f"none to undo {kind}"), *ask])
        last = self.memory.last_change(self.n)
        if last is None or not wish.matter:
            return self.voice.say("which undo")
        (kind,) = wish.matter
        was = changed(self.voice, last, last.outcome.facts, self.memory.facts(last.order))
        return self.voice.join(
            [self.voice.say(f"none to undo {kind}"), self.voice.say("last change", what=was)]
        )

    def nothing_understood(self) -> str:
        """The answer to a message nothing was understood of: what can be done here, and no invention."""
        message = self.memory.message(self.n)
        if message.pasted:
            return self.voice.say("pasted")
        if not any(character.isalnum() for character in message.typed):
            found = "no words"
        elif len(message.typed) > _LONG:
            found = "too long"
        else:
            found = "not here" if speaks_of_more(fold(message.typed)) else "no wish"
        return self.voice.join([self.voice.say(found), self.voice.say("can do")])

    # About the conversation

    def _name(self) -> str:
        name = self.memory.name()
        return self.voice.say("your name", name=name) if name else self.voice.say("no name")

    def _first(self) -> str:
        first = self.memory.first_request(self.n)
        if first is None:
            return self.voice.say("nothing before")
        words = self.voice.say("first asked", words=self._quoted(first))
        if self.memory.message(first).follows or self.memory.turns[0].asked is None:
            return self.voice.join([words, self.voice.say("first follows")])
        return self.voice.join([words, self.voice.say("that one")])

    def _last(self) -> str:
        asked = self._turns_asked()
        if not asked:
            return self.voice.say("nothing before")
        words = self.voice.say("last asked", words=self._quoted(asked[-1]))
        return self.voice.join([words, self.voice.say("that one")])

    def _asked(self) -> str:
        """Every message before, as far as it can be seen; or those that name the orders asked about."""
        named = set(self.memory.spoken(self.n))
        asked = [n for n in self._turns_asked() if not named or named & set(self.memory.spoken(n))]
        if not asked:
            return self.voice.say("nothing before")
        quoted = self.voice.listed([self._quoted(n, _SHORT) for n in asked[-_MOST_QUOTED:]])
        return self.voice.say("all asked", count=str(len(asked)), words=quoted)

    def _answered(self) -> str:
        said = next((turn.said[-1] for turn in reversed(self.memory.turns[: self.n]) if turn.said), None)
        if said is None:
            return self.voice.say("nothing before")
        return self.voice.say("last answered", words=self.voice.quoted(_short(said, _LONG)))

    def _turns_asked(self) -> list[int]:
        """The turns before this one that have a message."""
        return [n for n, turn in enumerate(self.memory.turns[: self.n]) if turn.asked]

    def _quoted(self, n: int, most: int = _LONGEST) -> str:
        """What was typed in turn n, at most so many characters of it."""
        return self.voice.quoted(_short(self.memory.turns[n].asked or "", most))

    def _reason(self, wish: Wish) -> str:
        """The reason given for the newest refund or cancellation that was asked for, of the orders named."""
        for call in self.memory.changes(self.n):
            if call.name in DECIDED and (not wish.about.orders or call.order in wish.about.orders):
                name = self.voice.order(call.order, self.memory.facts(call.order))
                reason = str(call.arguments.get("reason") or "").strip()
                if reason and reason not in every_language("no reason given"):
                    return self.voice.say("your reason", order=name, reason=self.voice.quoted(reason))
                return self.voice.say("no reason of yours", order=name)
        return self.voice.say("no reason at all")

    def _orders(self) -> str:
        """The orders of the conversation. Others there may be, but no tool lists them."""
        known = self.memory.known(self.n)
        if not known:
            return self.voice.say("no order")
        names = [self.voice.order(order, self.memory.facts(order)) for order in known]
        seen = self.voice.say("orders seen", orders=self.voice.listed(names))
        spoken = _SPOKEN.search(fold(self.memory.message(self.n).typed))
        return seen if spoken else self.voice.join([seen, self.voice.say("no list")])

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
            if self.n - past <= _RECENT and (words := self._unmet(past) or self._declined(past)):
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

    def _declined(self, past: int) -> str:
        """What the desk said to a change that turn `past` wanted and that was not even tried."""
        turn = self.memory.turns[past]
        wanted = any(wish.kind in CHANGES and not wish.missing for wish in interpret(self.memory, past))
        tried = any(call.name in CHANGING for call in turn.calls)
        return turn.said[-1] if wanted and not tried and turn.said else ""

    def _points(self) -> str:
        names = self.shop.names(self.voice.language)
        if not names:
            return self.voice.say("no points")
        return self.voice.say("points", points=self.voice.listed([self.voice.quoted(name) for name in names]))

    # Small talk

    def _small_talk(self, wish: Wish, wishes: Sequence[Wish]) -> str:
        kinds = {other.kind for other in wishes}
        if kinds - SMALL_TALK:
            return ""
        order = ("abuse", "drop", "decline", "thanks", "bye", "agree", "noted")
        first = next(kind for kind in order if kind in kinds)
        if wish.kind != first or wish is not next(other for other in wishes if other.kind == first):
            return ""
        if first in ("drop", "decline"):
            if first == "drop" and (left := self._left(wish)):
                return left
            open_ = self.n > 0 and asked_back(self.memory.turns[self.n - 1])
            return self.voice.say("nothing done" if open_ else "fine")
        return self.voice.say({"abuse": "civil", "agree": "fine", "noted": "fine"}.get(first, first))

    def _left(self, wish: Wish) -> str:
        """What "leave it" leaves: what the turn before did, or had wait for a person, and what was done for
        the orders it names."""
        before = [*self.memory.turns[self.n - 1].calls] if self.n else []
        for order in wish.about.orders:
            before += [call for call in self.memory.calls_about(order) if call.name in CHANGING][:1]
        words = []
        for call in before:
            known = self.memory.facts(call.order)
            if call.name in DECIDED and call.outcome.ok:
                return final(self.voice, call, known)
            if call.name in CHANGING and call.outcome.ok:
                words.append(changed(self.voice, call, call.outcome.facts, known))
            elif call.name in CHANGING and call.outcome.ending == "superseded":
                words.append(not_changed(self.voice, call, known))
        return self.voice.say("stays", what=self.voice.join(words)) if words else ""


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rstrip()}…"
