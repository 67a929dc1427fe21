"""What became of what was asked for: whether it was done, in a word and in full.

A question may be about one matter ("when do I get my money back?"): then nothing but that matter answers it.
That an order was cancelled is no "yes" to whoever asks for the money, and where no refund was made, that is
what has to be said.
"""

from __future__ import annotations

from .phrases import Voice
from .reading import Call
from .recalling import CHANGING, DECIDED, Memory, tools_asked_about
from .telling import Facts, goes_to, not_changed, standing
from .wishes import Wish


class Outcomes:
    """Tells what became of changes, for the newest message of a conversation."""

    def __init__(self, memory: Memory, voice: Voice) -> None:
        self.memory = memory
        self.voice = voice

    def state(self, wish: Wish, order: str, facts: Facts) -> str:
        """How an order stands after what was tried with it, or that it was not tried."""
        if not self._tried(wish, order) and (words := self._not_made(wish, order, facts)):
            return words
        tried = self._tried(wish, order)
        sentences = [standing(self.voice, order, facts)]
        if any(call.name not in DECIDED for call in tried):
            sentences.append(goes_to(self.voice, order, facts))
        sentences += [not_changed(self.voice, call, facts) for call in tried if not call.outcome.ok]
        if self.closed(order, facts):
            sentences.append(self.voice.say("ask again"))
        return self.voice.join(sentences)

    def verdict(self, wish: Wish) -> str:
        """Whether all that was asked about was done, in a word; "" where some of it was not even tried."""
        tried = [self._tried(wish, order) for order in wish.orders]
        if not any(tried) or (wish.matter and not all(tried)):
            return ""
        endings = [call.outcome.ok for calls in tried for call in calls]
        return self.voice.say("all done" if all(endings) else "part done" if any(endings) else "not done")

    def closed(self, order: str, facts: Facts) -> str:
        """That a request about the order was closed by a newer message, "" where none was."""
        call = self.memory.closed_request(order, len(self.memory.turns))
        if call is None or facts.get("status") in ("refunded", "cancelled"):
            return ""
        return not_changed(self.voice, call, facts)

    def _not_made(self, wish: Wish, order: str, facts: Facts) -> str:
        """That what is asked about was never done to an order, "" where it was, or no one matter is asked
        about."""
        status, name = facts.get("status"), self.voice.order(order, facts)
        if "refund" in wish.matter and status != "refunded":
            if status == "cancelled":
                return self.voice.say("cancelled, no refund", order=name)
            none = self.voice.say("no refund made", order=name)
            offer = self.voice.say("offer to refund", sum=self.voice.money(facts.get("price", ""), facts))
            return self.voice.join([none, standing(self.voice, order, facts), offer])
        if "cancel" in wish.matter and status != "cancelled":
            none = self.voice.say("no cancellation made", order=name)
            return self.voice.join([none, standing(self.voice, order, facts)])
        return ""

    def _tried(self, wish: Wish, order: str) -> list[Call]:
        """The changes of an order that are asked about, tried in the newest earlier turn that tried any."""
        tools = tools_asked_about(wish)
        turn = self.memory.changing_turn(self.memory.newest, tools)
        if turn is None:
            return []
        return [
            call
            for call in self.memory.turns[turn].calls
            if call.order == order and call.outcome.ending != "open" and call.name in tools & CHANGING
        ]
