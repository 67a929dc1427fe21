"""What the conversation holds: which orders were spoken of, what tools told of them, what was done.

Everything here is found in the items that were sent and in nothing else. Looking goes backwards from the
newest turn and stops where the answer is, so that a long history is not read for a short question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from .conditions import Subject, subject_of
from .folding import Folded, fold, spelled_out
from .function_words import speaks_of_more
from .item_names import names_item
from .language import Language, language_among
from .names import name_in
from .order_ids import ids_in
from .reading import Call, Turn
from .talk_cues import is_ownership
from .understanding import understand
from .wishes import Kind, Message, Wish

CHANGING = frozenset(
    {"deliver_to_pickup", "deliver_to_address", "undo_delivery_change", "refund_order", "cancel_order"}
)
DECIDED = frozenset({"refund_order", "cancel_order"})  # a person may have to approve these
MOVING = frozenset({"deliver_to_pickup", "deliver_to_address"})
TOOLS_OF: dict[Kind, frozenset[str]] = {  # the tools for what people ask to have done
    "refund": frozenset({"refund_order"}),
    "cancel": frozenset({"cancel_order"}),
    "pickup": frozenset({"deliver_to_pickup"}),
    "address": frozenset({"deliver_to_address"}),
    "delivery": MOVING,
}
_LOOKING = ("look_up_order", "track_order")
_RECENT = 100  # turns in which an item is looked for by its name

# What a message must hold to be looked at closely: most do not, and a history may be long.
_OWNING = re.compile(r"my|mine|have order|[订訂单單]|包裹|快[递遞]|我的", re.IGNORECASE)
_NAMING = re.compile(
    r"name|call|i'?m|i’m|i am|this is|it['’]?s|known as|go by|here|speaking|regards|best|thanks|thank you|thx"
    r"|cheers|sincerely|yours|[叫姓]|名|我是|稱呼|称呼|本人|敝人|[这這][里邊裡边裏]是",
    re.IGNORECASE,
)


class Memory:
    """A conversation, asked. Turns are counted from 0; "before n" leaves turn n and later ones out."""

    def __init__(
        self, turns: list[Turn], points: Mapping[str, str], otherwise: Language | None = None
    ) -> None:
        self.turns = turns
        self._otherwise = otherwise
        self.points = points
        self._messages: dict[int, Message] = {}
        self._spoken: dict[int, tuple[str, ...]] = {}
        self._known: dict[int, list[str]] = {}
        self.interpreted: dict[tuple[int, int], tuple[Wish, ...]] = {}  # kept by `resolving`

    @property
    def newest(self) -> int:
        return len(self.turns) - 1

    def language(self) -> Language:
        """The language to answer in."""
        earlier = (turn.heard for turn in reversed(self.turns[:-1]))
        return language_among(self.turns[-1].heard, earlier, self._otherwise)

    def message(self, n: int) -> Message:
        """What the person wrote in turn n, understood."""
        if n not in self._messages:
            self._messages[n] = understand(self.turns[n].heard, self.points)
        return self._messages[n]

    # Orders

    def spoken(self, n: int) -> tuple[str, ...]:
        """The orders turn n was about: those the person named, then those tools were called for."""
        if n not in self._spoken:
            turn = self.turns[n]
            named = [mention.order for mention in ids_in(fold(turn.heard), spelled_out(turn.heard))]
            called = [call.order for call in turn.calls if call.order]
            self._spoken[n] = tuple(dict.fromkeys([*named, *called]))
        return self._spoken[n]

    def known(self, n: int) -> list[str]:
        """The orders spoken of before turn n, in the order they came up, without those there are not; where
        none were, those of tickets."""
        if n not in self._known:
            for orders_of in (self.spoken, self.filed):
                spoken = (order for past in range(min(n, len(self.turns))) for order in orders_of(past))
                self._known[n] = [order for order in dict.fromkeys(spoken) if not self.is_unknown(order)]
                if self._known[n]:
                    break
        return self._known[n]

    def filed(self, n: int) -> tuple[str, ...]:
        """The orders of the ticket summaries written in turn n."""
        return tuple(dict.fromkeys(order for call in self.turns[n].calls for order in call.filed))

    def topic(self, n: int) -> tuple[str, ...]:
        """The orders of the newest turn before n that was about any; where none was, of the newest ticket."""
        for orders_of in (self.spoken, self.filed):
            for past in range(n - 1, -1, -1):
                if orders := orders_of(past):
                    return orders
        return ()

    def told_apart(self, n: int) -> bool:
        """Whether anything but a ticket, which names orders alike, tells what was spoken of before n."""
        return any(self.spoken(past) for past in range(n - 1, -1, -1))

    def is_unknown(self, order: str) -> bool:
        """Whether a tool said there is no such order."""
        for call in self.calls_about(order):
            if call.outcome.ending == "done" or call.outcome.facts.get("status"):
                return False
            if call.outcome.error == "unknown_order":
                return True
        return False

    def named_by_item(self, text: str, n: int) -> tuple[str, ...]:
        """The orders whose item a folded text names ("the lamp", 台灯), of the turns just before n."""
        if not speaks_of_more(text):
            return ()
        recent = dict.fromkeys(order for past in range(max(0, n - _RECENT), n) for order in self.spoken(past))
        return tuple(order for order in recent if names_item(text, self.facts(order)))

    def mine(self, n: int) -> str:
        """The order the person called their own before turn n, "" where they did not."""
        for past in range(n - 1, -1, -1):
            words = self.turns[past].heard
            if _OWNING.search(words) and (order := _own_order(fold(words))):
                return order
        return ""

    # Calls

    def calls_about(self, order: str) -> Iterator[Call]:
        """The calls about an order, newest first."""
        for turn in reversed(self.turns):
            for call in reversed(turn.calls):
                # Reading arguments costs more than seeing that the order is not in them.
                if order in call.raw_arguments.upper() and call.order == order:
                    yield call

    def changes(self, before: int) -> Iterator[Call]:
        """The calls that were to change something, newest first, of turns before `before`."""
        for turn in reversed(self.turns[:before]):
            yield from (call for call in reversed(turn.calls) if call.name in CHANGING)

    def facts(self, order: str) -> Mapping[str, Any]:
        """What a tool last told of an order, {} where none did."""
        for call in self.calls_about(order):
            if call.name in _LOOKING and call.outcome.ok:
                return call.outcome.facts
        return {}

    def closed_request(self, order: str, before: int) -> Call | None:
        """The newest request about an order that a person was to decide, of turns before `before`; None where
        there is none, and where it was closed by anything but a newer message."""
        for call in self.changes(before):
            if call.name in DECIDED and call.order == order and call.outcome.ending != "open":
                return call if call.outcome.ending == "superseded" else None
        return None

    def just_asked_for(self, before: int) -> Call | None:
        """The refund or cancellation that the turn before `before` asked a person for, and nobody granted."""
        newest = next((call for call in self.changes(before)), None)
        if newest is None or newest not in self.turns[before - 1].calls or newest.name not in DECIDED:
            return None
        return newest if newest.outcome.ending in ("open", "superseded") else None

    def last_change(self, before: int) -> Call | None:
        """The newest call that changed something, of turns before `before`."""
        return next((call for call in self.changes(before) if call.outcome.ok), None)

    def standing(self, before: int, order: str = "") -> Iterator[Call]:
        """The changes of delivery that were not taken back since, newest first, of turns before `before`; of
        that order alone where one is named."""
        taken_back: Counter[str] = Counter()
        for call in self.changes(before):
            if not call.outcome.ok or (order and call.order != order):
                continue
            if call.name == "undo_delivery_change":
                taken_back[call.order] += 1
            elif call.name in MOVING and taken_back[call.order]:
                taken_back[call.order] -= 1  # changes are taken back newest first
            elif call.name in MOVING:
                yield call

    def changing_turn(self, before: int, tools: frozenset[str] = CHANGING) -> int | None:
        """The newest turn before `before` in which a change was tried by one of these tools."""
        for past in range(before - 1, -1, -1):
            if any(call.name in tools for call in self.turns[past].calls):
                return past
        return None

    # Words

    def name(self) -> str:
        """What the person called themselves last, "" where they did not; of a name of one character, which is
        no more than a family name, the full name they told before."""
        found = ""
        for turn in reversed(self.turns):
            if _NAMING.search(turn.heard) and (name := name_in(Folded(turn.heard))):
                if len(name) > 1 and name.startswith(found):
                    return name
                found = found or name
        return found

    def subject(self, n: int) -> Subject:
        """Whether shipping or arriving was the matter in the turns just before n."""
        for past in range(n - 1, max(-1, n - 4), -1):
            if found := subject_of(fold(self.turns[past].heard)):
                return found
        return ""

    def first_request(self, before: int) -> int | None:
        """The first turn whose message wants something, else the first with a message at all."""
        spoken = [n for n in range(before) if self.turns[n].asked is not None]
        for n in spoken[:20]:
            message = self.message(n)
            if message.bare or any(wish.kind not in ("hello", "thanks") for wish in message.wishes):
                return n
        return spoken[0] if spoken else None


def tools_asked_about(wish: Wish) -> frozenset[str]:
    """The tools whose work a question "was it done?" is about: those of its matter, else any that change."""
    return next((TOOLS_OF[kind] for kind in wish.matter if kind in TOOLS_OF), CHANGING)


def _own_order(text: str) -> str:
    """The order a folded message calls the writer's own: "my order A100", "my order is ...", 我的订单是..."""
    mentions = ids_in(text)
    if not mentions:
        return ""
    if is_ownership(text):
        return mentions[0].order
    found = re.search(
        r"(?:\bmy (?:order|parcel|package)"
        r"|我的?(?:订单|包裹|单|快递))\W{0,3}(?:(?:number|no\.?|号码?)\W{0,3})?",
        text,
    )
    owned = [mention for mention in mentions if found and found.start() <= mention.start <= found.end() + 2]
    return owned[0].order if owned else ""


def asked_back(turn: Turn) -> bool:
    """Whether the desk's last words in a turn were a question."""
    return bool(turn.said) and ("?" in turn.said[-1] or "？" in turn.said[-1])
