"""Messages that go on from the turn before and are no sentence: "and B205?", "no, the other one", "again".

What they want is found in what was wanted, said or done before. A correction ("no, I meant B205") has the
wish before done for the right order, and takes back what was done for the wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from .answering import stated_place
from .folding import fold
from .function_words import speaks_of_more
from .reading import Call
from .recalling import CHANGING, DECIDED, Memory
from .references import Reference
from .wishes import ABOUT_ORDERS, CHANGES, SMALL_TALK, Message, Wish

_NUMBER = re.compile(r"\W*(\d{3,12})\W*", re.ASCII)  # of an order, where nothing else is said


_RATHER = re.compile(
    r"\b(?:actually|instead|rather|how about|what about|better|closer|nearer|easier|prefer"
    r"|make (?:it|that)|second thoughts?|wait|let's (?:do|use|say))\b"
    r"|还是|换|改|不如|更近|比较[近好]|方便|更好|好了|[写打搞说弄填]错",
    re.ASCII,
)
_NO_POINT = re.compile(
    r"\b(?:not|where|when|how far)\b|n't\b|^\W*(?:is|was|are|does|did|what|which|why)\b"
    r"|不要|别|哪|远吗|是[^,]*吗",
    re.ASCII,
)
_FAR = 3  # turns back in which a change may still be corrected, where nothing was done since


class Continuing:
    """Reads the message of turn `n` as going on. `wished` tells the wishes of an earlier turn, as far as they
    may still be followed."""

    def __init__(self, memory: Memory, n: int, wished: Callable[[int], Sequence[Wish]]) -> None:
        self._memory = memory
        self._n = n
        self._wished = wished
        self._message: Message = memory.message(n)

    def wishes(self) -> list[Wish]:
        """What the message wants besides what it says by itself."""
        message = self._message
        if message.bare is not None:
            return self._of_bare(message.bare)
        if all(wish.kind in ("decline", "drop") for wish in message.wishes) and (
            place := stated_place(message)
        ):
            return self._other_place(place) or [self._offered(place)]
        if all(wish.kind in SMALL_TALK for wish in message.wishes) and (
            message.corrects or _RATHER.search(fold(message.typed)) or self._names_a_point()
        ):
            return self._other_point()
        if not message.wishes and (number := _NUMBER.fullmatch(message.typed)):
            return [Wish("look", Reference("named", (number[1],)), missing="wish")]
        return []

    def again(self) -> list[Wish]:
        """What "try again" is about: the changes wanted in the newest turn that tried any."""
        turn = self._memory.changing_turn(self._n)
        while turn is not None and self._only_took_back(turn):  # "redo it": what was taken back
            turn = self._memory.changing_turn(turn)
        wanted = self._wished(turn) if turn is not None else ()
        return [wish for wish in wanted if wish.kind in CHANGES and wish.orders] or [
            Wish("again", missing="order")
        ]

    def _of_bare(self, bare: Reference) -> list[Wish]:
        """ "And B205?" asks what was asked before; "B205 too" wants what was wanted before; "no, B205" wants
        it instead; else it is looked up."""
        message, before = self._message, self._wished(self._n - 1)
        if message.corrects and (instead := self._instead(bare, before)):
            return instead
        goes_on = message.too or (message.follows and not message.asks)
        for wish in reversed(before):
            if goes_on and wish.kind in CHANGES and wish.missing in ("", "consent"):
                # "And B205" alone has money paid back or an order cancelled only when it is asked again.
                final = wish.kind in ("refund", "cancel") and not (message.too and not wish.missing)
                return [wish.but(about=bare, orders=(), reason="", tentative=final)]
            if (message.follows or message.too) and wish.kind == "look":
                return [wish.but(about=bare, orders=())]
        return [Wish("look", bare, reason=message.beside, missing="wish")]  # what is wanted was not said

    def _instead(self, meant: Reference, before: Sequence[Wish]) -> list[Wish]:
        """The wishes before for the order that was meant; what was done for another is taken back.

        What cannot be taken back is not done a second time at once: it is offered.
        """
        done = [call for call in self._calls() if call.name in CHANGING and call.outcome.ok]
        back = [
            Wish("undo", Reference("named", (call.order,)))
            for call in done
            if call.name != "undo_delivery_change" and call.order not in meant.orders
        ]
        final = any(call.name in DECIDED for call in done)
        left = tuple(order for order in meant.orders if order not in {call.order for call in done})
        about = replace(meant, orders=left)
        again = [
            wish.but(about=about, orders=(), choices=(), missing="", tentative=wish.tentative or final)
            for wish in before
            if wish.kind in ABOUT_ORDERS and wish.kind != "undo" and (left or meant.way != "named")
        ]
        return [*back, *again]

    def _only_took_back(self, turn: int) -> bool:
        made = [call for call in self._memory.turns[turn].calls if call.name in CHANGING]
        return all(call.name == "undo_delivery_change" and call.outcome.ok for call in made)

    # Places

    def _other_place(self, place: str) -> list[Wish]:
        """The change of address before with another address: "no, 12 Mill Road"."""
        rather = self._message.corrects or _RATHER.search(fold(self._message.typed))
        moved = self._moved("deliver_to_address") if rather else ()
        return [Wish("address", Reference("named", moved), place=place)] if moved else []

    def _other_point(self) -> list[Wish]:
        """The pickup before at another point: "no, Central Station"."""
        words = fold(self._message.typed)
        named = () if _NO_POINT.search(words) else self._memory.points.items()
        point = next((point for name, point in named if name in words), "")
        if not point:
            return []
        if moved := self._moved("deliver_to_pickup"):
            return [Wish("pickup", Reference("named", moved), place=point)]
        return [] if self._memory.topic(self._n) else [Wish("pickup", place=point, missing="order")]

    def _offered(self, place: str) -> Wish:
        """An address out of the blue: nothing is changed before it is said that an order shall go there."""
        topic = self._memory.topic(self._n)
        if len(topic) == 1:
            return Wish("address", Reference("named", topic), place=place, missing="consent")
        return Wish("address", place=place, missing="order")

    def _names_a_point(self) -> bool:
        """Whether the message is the name of a pickup point and nothing else of any matter."""
        words = fold(self._message.typed)
        return any(
            not speaks_of_more(words.replace(name, " ")) for name in self._memory.points if name in words
        )

    def _moved(self, tool: str) -> tuple[str, ...]:
        """The orders that tool was called for in the newest turn that called any, if that is not long ago."""
        past = (turn.calls for turn in reversed(self._memory.turns[max(0, self._n - _FAR) : self._n]))
        calls = next((calls for calls in past if calls), [])
        return tuple(dict.fromkeys(call.order for call in calls if call.name == tool))

    def _calls(self) -> list[Call]:
        return self._memory.turns[self._n - 1].calls if self._n else []
