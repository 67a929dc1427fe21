"""What one wish about one order needs next: a tool call, or words because all that can be done is done.

A wish is followed through the calls of the turn that is being answered: each call's outcome decides the
next step. So the same code runs at the beginning of a turn, after a tool, after a handoff, and after a
person has decided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from .comparing import together
from .conditions import subject_of
from .judging import judge
from .outcomes import Outcomes
from .phrases import Voice
from .reading import Call, Turn
from .recalling import CHANGING, DECIDED, TOOLS_OF, Memory
from .recap import without_question
from .resolving import costs_less, interpret, remedy
from .shop import Shop
from .telling import Facts, because, changed, failed, final, goes_to, looked_up, not_changed, standing
from .wishes import Kind, Wish

LOOK = "look_up_order"
_RECENT = 20  # turns back in which a reason is looked for


@dataclass(frozen=True)
class Need:
    """A tool has to be called; `by` the agent whose matter it is, "" where anyone with the tool will do."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)
    by: str = ""

    @property
    def order(self) -> str:
        return str(self.arguments.get("order_id", ""))


@dataclass(frozen=True)
class Tell:
    """Nothing more to do for it: these are the words."""

    words: str


class _Held(Tell):
    """The words are why a condition held."""


Step = Need | Tell


class Steps:
    """The next step of each wish, in the turn `turn` of a conversation. `tools` are those at hand."""

    def __init__(self, memory: Memory, turn: Turn, voice: Voice, tools: frozenset[str], shop: Shop) -> None:
        self.memory = memory
        self.turn = turn
        self.voice = voice
        self.tools = tools
        self.shop = shop
        self.outcomes = Outcomes(memory, voice)

    def next(self, wish: Wish, order: str) -> Step:
        """The next step of a wish for one of its orders."""
        match wish.kind:
            case "look":
                return self._look(wish, order)
            case "undo":
                return self._undo(wish, order)
            case "refund" | "cancel":
                return self._settle(wish, order)
            case "done?":
                return self._seen(order, lambda facts: Tell(self.outcomes.state(wish, order, facts)))
            case "trouble":
                return self._seen(order, lambda facts: self._trouble(wish, order, facts))
            case "absent":
                return self._seen(order, lambda facts: self._absent(order, facts))
            case "reschedule":
                return self._seen(order, lambda facts: self._reschedule(order, facts))
        return self._move(wish, order)

    # Looking

    def _seen(self, order: str, then: Callable[[Facts], Step], *, track: bool = False, by: str = "") -> Step:
        """What comes `then`, once the order was looked up in this turn; before that, the look-up.

        `track`: its parcel is followed, where there is a tool for it. `by`: the agent whose matter it is.
        """
        tracks = track and "track_order" in self.tools
        found = (
            self.turn.find(name, order) for name in (("track_order",) if tracks else (LOOK, "track_order"))
        )
        call = next((call for call in found if call is not None), None)
        if call is None:
            return Need("track_order" if tracks else LOOK, {"order_id": order}, by)
        return then(call.outcome.facts) if call.outcome.ok else Tell(self._no_facts(call))

    def _look(self, wish: Wish, order: str) -> Step:
        known = self.memory.facts(order)
        if wish.focus in ("price", "item") and not wish.condition and known.get("price"):
            return Tell(looked_up(self.voice, order, known, wish.focus))  # what never changes is remembered
        return self._seen(
            order, lambda facts: Tell(self._told_of(wish, order, facts)), track=wish.focus == "track"
        )

    def _told_of(self, wish: Wish, order: str, facts: Facts) -> str:
        """The answer to a question about an order."""
        if wish.condition is not None:
            found = judge(wish.condition, facts)
            if found.holds is not None:
                answer = self.voice.say("yes" if found.holds else "no")
                reason = because(self.voice, order, facts, wish.condition, found)
                return self.voice.join([answer, reason + self._stop])
        answer = looked_up(self.voice, order, facts, wish.focus)
        if wish.focus in ("", "track", "date") and (closed := self.outcomes.closed(order, facts)):
            return self.voice.join([answer, closed, self.voice.say("ask again")])
        if wish.missing == "wish" and order == wish.orders[-1]:
            return self.voice.join([answer, self.voice.say("what with it")])
        return answer

    def across(self, wish: Wish) -> str:
        """What is asked of all orders of a wish together, where each was looked up."""
        facts = {order: self.memory.facts(order) for order in wish.orders}
        return together(self.voice, wish.across, facts, subject_of(wish.about.text))

    def _no_facts(self, call: Call) -> str:
        if call.outcome.ending == "failed":
            return failed(self.voice, call.order, call.outcome, {})
        return not_changed(self.voice, call, {})

    @property
    def _stop(self) -> str:
        return "。" if self.voice.chinese else "."

    # Changing the delivery

    def _move(self, wish: Wish, order: str) -> Step:
        """To a pickup point or an address, on a condition or without one."""
        if wish.missing == "consent":
            words = {"order": self._name(order), "place": self.voice.quoted(wish.place)}
            return Tell(self.voice.say("offer address", **words))
        return self._judged(wish, order, lambda reason: self._moved(wish, order, reason))

    def _moved(self, wish: Wish, order: str, reason: str) -> Step:
        if wish.kind == "pickup":
            point = {"pickup_point": wish.place} if wish.place else {}
            return self._do("deliver_to_pickup", order, point, reason)
        return self._do("deliver_to_address", order, {"address": wish.place}, reason)

    def _judged(self, wish: Wish, order: str, then: Callable[[str], Step]) -> Step:
        """What comes `then`, where the condition of the wish holds (with the reason why) or it has none; else
        the step that comes instead."""
        condition = wish.condition
        if condition is None:
            return then("")
        about = condition.orders[0] if condition.orders else order

        def decide(facts: Facts) -> Step:
            found = judge(condition, facts)
            if found.holds is None:
                return Tell(self.voice.say("cannot judge", order=self.voice.order(about, facts)))
            why = because(self.voice, about, facts, condition, found)
            if found.holds:
                return then(why)
            if condition.paired:
                return Tell("")
            return Tell(self.voice.say("so", why=why, what=self.voice.say("left alone")))

        return self._seen(about, decide)

    def _do(self, tool: str, order: str, more: Mapping[str, Any], reason: str = "") -> Step:
        """Make a change, or tell what came of it."""
        call = self.turn.find(tool, order)
        if call is None or self._again(call):
            return Need(tool, {"order_id": order, **more})
        return Tell(self._told(call, reason))

    def _again(self, call: Call) -> bool:
        """Whether a tool said to call it again, and it was called but once."""
        tries = sum(other.name == call.name and other.order == call.order for other in self.turn.calls)
        return call.outcome.error in ("needs_approval", "call_id_reused", "call_id_missing") and tries < 2

    def _told(self, call: Call, reason: str = "") -> str:
        known = self.memory.facts(call.order)
        if not call.outcome.ok:
            return not_changed(self.voice, call, known)
        words = changed(self.voice, call, call.outcome.facts, known)
        if reason and self.voice.chinese:
            return self.voice.say("so", why=reason, what=words)
        return f"{reason}. {words}" if reason else words

    def _undo(self, wish: Wish, order: str) -> Step:
        """Take a change of delivery back, if it is of the kind that is named. What was refunded or cancelled
        stays so."""
        for kind in wish.matter:
            if TOOLS_OF[kind] <= DECIDED:
                return self._final(kind, order)
        made = (call for call in self.memory.calls_about(order) if call.name in CHANGING and call.outcome.ok)
        waiting = self.memory.just_asked_for(self.memory.newest)
        last = waiting if waiting is not None and waiting.order == order else next(made, None)
        if last is not None and last.name in DECIDED and not wish.matter:
            return Tell(self._stays(last))
        if self.turn.find("undo_delivery_change", order) is None and wish.matter in ({"pickup"}, {"address"}):
            return self._undo_kind(wish, order)
        return self._do("undo_delivery_change", order, {})

    def _undo_kind(self, wish: Wish, order: str) -> Step:
        """Take back a change to pickup or to an address, unless it is another kind that would be taken back:
        changes are taken back newest first."""
        (kind,) = wish.matter
        known = self.memory.facts(order)
        undo = Need("undo_delivery_change", {"order_id": order})
        stands = [*self.memory.standing(self.memory.newest, order)]
        if not stands:  # whatever was changed was so in another conversation
            return self._seen(
                order, lambda facts: undo if _goes(facts) == kind else self._none(kind, facts, order)
            )
        newest, *older = stands
        if newest.name in TOOLS_OF[kind]:
            return undo
        if any(call.name in TOOLS_OF[kind] for call in older):
            later = changed(self.voice, newest, newest.outcome.facts, known)
            return Tell(
                self.voice.join([self.voice.say("later change first", order=self._name(order)), later])
            )
        return undo if kind == "address" else self._none(kind, newest.outcome.facts, order)

    def _none(self, kind: Kind, facts: Facts, order: str) -> Tell:
        none = self.voice.say(f"no change {kind}", order=self._name(order))
        return Tell(
            self.voice.join([none, goes_to(self.voice, order, {**self.memory.facts(order), **facts})])
        )

    def _final(self, kind: Kind, order: str) -> Step:
        """That a refund or a cancellation stays, or was none."""
        calls = (call for call in self.memory.calls_about(order) if call.name in TOOLS_OF[kind])
        call = next(calls, None)
        if call is not None:
            return Tell(self._stays(call))
        settled, none = {
            "refund": ("refunded", "no refund made"),
            "cancel": ("cancelled", "no cancellation made"),
        }[kind]
        return self._seen(
            order,
            lambda facts: Tell(
                self.voice.say(
                    f"not undone {kind}" if facts.get("status") == settled else none, order=self._name(order)
                )
            ),
        )

    def _stays(self, call: Call) -> str:
        """What became of a request for a refund or a cancellation, to whoever wants it undone."""
        known = self.memory.facts(call.order)
        if call.outcome.ok:
            return final(self.voice, call, known)
        if call.outcome.ending == "open":
            waits = self.voice.say("still to decide", order=self._name(call.order))
            return self.voice.join([waits, self.voice.say("reject in card")])
        return without_question(not_changed(self.voice, call, known))

    def _why(self, wish: Wish, order: str) -> str:
        """Why a change went ahead; "" where it hung on nothing, or the order has moved on since."""
        step = self._judged(wish, order, _Held)
        return step.words if isinstance(step, _Held) else ""

    def _reschedule(self, order: str, facts: Facts) -> Step:
        return Tell(self.voice.join([self.voice.say("no reschedule"), standing(self.voice, order, facts)]))

    # Refunds and cancellations

    def _settle(self, wish: Wish, order: str) -> Step:
        """Ask for a refund or a cancellation, unless the order shows that it cannot be."""
        tool = "refund_order" if wish.kind == "refund" else "cancel_order"
        done = self.turn.find(tool, order)
        if done is not None and not self._again(done):
            return Tell(self._told(done, self._why(wish, order)))
        return self._seen(order, lambda facts: self._ask(wish, tool, order, facts), by="approval")

    def _ask(self, wish: Wish, tool: str, order: str, facts: Facts) -> Step:
        if (refusal := self._settled(wish, order, facts)) is not None:
            return refusal
        if wish.missing == "amount":
            price = self.voice.money(facts.get("price", ""), facts)
            return Tell(self.voice.say("which amount", order=self._name(order), sum=price))
        if wish.missing == "consent" and wish.kind == "refund" and costs_less(wish.amount, facts):
            return Tell(self.voice.say("amount_too_high", order=self._name(order)))
        if wish.missing == "consent":
            return self._judged(wish, order, lambda _: Tell(self._offer(wish, order, facts)))
        reason = wish.reason or self._reason(order) or self.voice.say("no reason given")
        amount = _sum(wish.amount, facts) if wish.kind == "refund" else ""
        told = {"order_id": order, "reason": reason} | ({"amount": amount} if amount else {})
        return self._judged(wish, order, lambda _: Need(tool, told))

    def _reason(self, order: str) -> str:
        """The reason given for the order in an earlier turn: trouble told of it, or a request that failed."""
        newest = self.memory.newest
        for past in range(newest - 1, max(-1, newest - _RECENT), -1):
            for wish in interpret(self.memory, past):
                if wish.reason and order in wish.orders:
                    return wish.reason
        return ""

    def _settled(self, wish: Wish, order: str, facts: Facts) -> Tell | None:
        """What is said where the order was settled already, so that nobody is asked in vain."""
        status, name = facts.get("status"), self._name(order)
        if status == "refunded":
            paid = self.voice.money(facts.get("refunded", facts.get("price")), facts)
            more = f"（{paid}）" if self.voice.chinese else f" ({paid})"
            return Tell(self.voice.say("already_refunded", order=name, more=more))
        if status == "cancelled":
            told = "cancelled, no refund" if wish.kind == "refund" else "already_cancelled"
            return Tell(self.voice.say(told, order=name))
        if status == "delivered" and wish.kind == "cancel":
            return Tell(self.voice.say("delivered, cannot cancel", order=name))
        return None

    def _offer(self, wish: Wish, order: str, facts: Facts) -> str:
        """What would happen, and the question whether it shall: nobody ordered it yet."""
        stands = standing(self.voice, order, facts)
        if wish.kind == "cancel":
            asks = self.shop.cancelling_asks(facts)
            rule = "" if asks is None else self.voice.say("cancel asks" if asks else "cancel at once")
            return self.voice.join([stands, rule, self.voice.say("offer to cancel")])
        amount = _sum(wish.amount, facts) or facts.get("price", "")
        asks = self.shop.refund_asks(amount)
        limit = self.shop.refund_limit
        rule = (
            "" if asks is None else self.voice.say("refund asks" if asks else "refund at once", limit=limit)
        )
        offer = self.voice.say("offer to refund", sum=self.voice.money(amount, facts))
        return self.voice.join([stands, rule, offer])

    def _trouble(self, wish: Wish, order: str, facts: Facts) -> Step:
        """What can be done about something wrong with an order."""
        if (settled := self._settled(wish, order, facts)) is not None:
            return settled
        offer = self.voice.say(f"offer {remedy(facts)}", orders=self.voice.order(order, facts))
        return Tell(self.voice.join([self.outcomes.closed(order, facts), offer]))

    def _absent(self, order: str, facts: Facts) -> Step:
        """Where an order is that somebody misses; where it should have arrived, what can be done."""
        stands = looked_up(self.voice, order, facts, "date")
        if facts.get("status") != "delivered":
            return Tell(stands)
        offer = self.voice.say("offer refund", orders=self.voice.order(order, facts))
        return Tell(self.voice.join([stands, offer]))

    def _name(self, order: str) -> str:
        return self.voice.order(order, self.memory.facts(order))


def _goes(facts: Facts) -> str:
    """Whether an order goes to "pickup" or to an "address", "" where that is not told."""
    delivery = facts.get("delivery")
    return str(delivery.get("to", "")) if isinstance(delivery, Mapping) else ""


def _sum(amount: str, facts: Facts) -> str:
    """The sum a wish names: a share is counted from the price."""
    if not amount.endswith("%"):
        return amount
    try:
        price = Decimal(str(facts.get("price")))
    except InvalidOperation:
        return ""
    return "" if amount == "100%" else f"{price * int(amount[:-1]) / 100:.2f}"
