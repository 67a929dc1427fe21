"""What comes next in a turn: tool calls, a handoff, or the answer.

The wishes of the newest message are followed by `Steps`; here it is decided in which order their calls are
made, and by whom. Calls that nobody has to approve come first, so that what waits for a person holds up
nothing else; a summary comes last. An agent that lacks a tool hands over to the one that has it, and says
first what was changed so far. Each call of the model does one such step; what was done is in the items it
is sent the next time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from .chatting import Chat
from .dates import read_date
from .phrases import Voice
from .reading import HANDOFF, Turn
from .recalling import DECIDED, Memory
from .recap import is_empty, recap, ticket_orders, without_facts
from .resolving import interpret
from .shop import read_shop
from .steps import LOOK, Need, Steps, Tell
from .wishes import Wish

HOME = {
    "track_order": "triage",
    "deliver_to_pickup": "triage",
    "deliver_to_address": "triage",
    "undo_delivery_change": "triage",
    "refund_order": "approval",
    "cancel_order": "approval",
    "write_ticket_summary": "summary",
    LOOK: "triage",
}
MOST_ORDERS = 10  # of one wish; the rest has to be asked for again
_MOST_HANDOFFS = 6  # in one turn
_WITH_ORDERS = frozenset(
    {"look", "pickup", "address", "undo", "refund", "cancel", "trouble", "absent", "reschedule", "done?"}
)


@dataclass(frozen=True)
class Action:
    """A tool to call, or a handoff to make."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """What the model answers with: words, actions, or words and then actions."""

    words: str = ""
    actions: tuple[Action, ...] = ()


def plan(turns: list[Turn], tools: frozenset[str], handoffs: frozenset[str], instructions: str = "") -> Reply:
    """The next reply in a conversation, for an agent with these tools, handoffs and instructions."""
    return _Plan(turns, tools, handoffs, instructions).reply()


class _Plan:
    def __init__(
        self, turns: list[Turn], tools: frozenset[str], handoffs: frozenset[str], instructions: str
    ) -> None:
        shop = read_shop(instructions)
        self.memory = memory = Memory(turns, shop.spoken, shop.otherwise)
        self.tools = tools
        self.handoffs = handoffs
        self.turn = turns[-1]
        self.voice = Voice(memory.language(), _today(memory))
        self.steps = Steps(memory, self.turn, self.voice, tools, shop)
        self.chat = Chat(memory, self.voice, shop)
        self.wishes = interpret(memory, memory.newest)
        self.told: list[str] = []  # what is finished, in the order of the wishes
        self.needs: list[Need] = []

    def reply(self) -> Reply:
        for wish in self.wishes:
            self._follow(wish)
        if self.needs:
            return self._act()
        if (reply := self._ticket()) is not None:
            return reply
        words = self.voice.join(self._unsaid()) or self._left_alone() or self.chat.nothing_understood()
        return Reply(self.voice.join([self.voice.say("only ends read"), words]) if self.turn.cut else words)

    # Following the wishes

    def _follow(self, wish: Wish) -> None:
        if wish.kind not in _WITH_ORDERS or not wish.orders:
            self.told.append(self.chat.answer(wish, self.wishes))
            return
        if wish.missing in ("condition", "place"):
            self.told.append(self.chat.ask(wish))
            return
        words: list[str] = []
        for order in wish.orders[:MOST_ORDERS]:
            step = self.steps.next(wish, order)
            if isinstance(step, Need):
                self.needs.append(step)
            else:
                words.append(step.words)
        if wish.kind == "done?" and words and len(words) == len(wish.orders):
            words.insert(0, self.steps.outcomes.verdict(wish))
        if wish.across and len(words) == len(wish.orders):
            words.append(self.steps.across(wish))
        if len(wish.orders) > MOST_ORDERS:
            words.append(self.voice.say("only some", orders=self.voice.listed(wish.orders[:MOST_ORDERS])))
        self.told += words

    def _left_alone(self) -> str:
        """Why nothing was done, where a wish hung on a condition that has no other branch to speak of."""
        for wish in self.wishes:
            if wish.condition is not None and wish.condition.paired and wish.orders:
                alone = wish.but(condition=replace(wish.condition, paired=False))
                step = self.steps.next(alone, wish.orders[0])
                return step.words if isinstance(step, Tell) else ""
        return ""

    # Acting

    def _act(self) -> Reply:
        free = [need for need in self.needs if need.tool not in DECIDED and not need.by]
        matters = [need for need in self.needs if need.by]
        wanted = free or matters or self.needs
        here = [need for need in wanted if need.tool in self.tools and self._is(need.by)]
        if here:
            return Reply(actions=tuple(Action(need.tool, need.arguments) for need in _one_each(here)))
        return self._hand_over(wanted[0].by or HOME.get(wanted[0].tool, ""))

    def _is(self, agent: str) -> bool:
        """Whether this is that agent (by a tool only it has), or there is no such agent to hand over to."""
        own = {tool for tool, home in HOME.items() if home == agent and tool != LOOK}
        return not agent or bool(own & self.tools) or HANDOFF + agent not in self.handoffs

    def _hand_over(self, agent: str) -> Reply:
        name = HANDOFF + agent
        made = sum(call.name.startswith(HANDOFF) for call in self.turn.calls)
        if name not in self.handoffs or made >= _MOST_HANDOFFS:
            self.told.append(self.voice.say("no tool"))
            return Reply(self.voice.join(self._unsaid()))
        return Reply(self.voice.join(self._unsaid()), (Action(name, {}),))

    def _unsaid(self) -> list[str]:
        """What is told and was not said in this turn before, by whichever agent."""
        said = "\n".join(self.turn.said)
        return [words for words in dict.fromkeys(self.told) if words and words not in said]

    # The ticket

    def _ticket(self) -> Reply | None:
        """Sum up where that was wished for, and after a refund or cancellation; None where it was not."""
        asked = {wish.kind for wish in self.wishes} & {"summary", "recap", "person"}
        settled = any(call.name in DECIDED and call.outcome.ok for call in self.turn.calls)
        if not (asked or settled) or is_empty(self.memory):
            return None
        summary = "write_ticket_summary" in self.tools
        if not summary:
            if HANDOFF + "summary" in self.handoffs:
                return self._hand_over("summary")
            return Reply(self.voice.join([*self._unsaid(), self._recap("recap")])) if asked else None
        if missing := [order for order in without_facts(self.memory) if not self.turn.find(LOOK, order)]:
            return Reply(actions=tuple(Action(LOOK, {"order_id": order}) for order in missing))
        if asked == {"recap"} and not settled:
            return Reply(self.voice.join([*self._unsaid(), self._recap("recap")]))
        written = next((call for call in self.turn.calls if call.name == "write_ticket_summary"), None)
        if written is None:
            arguments = {"summary": self._summary(), "order_ids": ticket_orders(self.memory)}
            return Reply(actions=(Action("write_ticket_summary", arguments),))
        words = self._unsaid()
        if "person" in asked:
            words.append(self.voice.say("person"))
        if not written.outcome.ok:
            words.append(self.voice.say("ticket not written"))
        return Reply(self.voice.join([*words, self.voice.say("ticket", summary=self._summary())]))

    def _summary(self) -> str:
        person = any(wish.kind == "person" for wish in self.wishes)
        return self.voice.join(
            [recap(self.memory, self.voice), self.voice.say("asked for person") if person else ""]
        )

    def _recap(self, phrase: str) -> str:
        return self.voice.say(phrase, summary=recap(self.memory, self.voice))


def _one_each(needs: list[Need]) -> list[Need]:
    """One call for each order at a time: two changes of one order are made one after the other."""
    first: dict[str, Need] = {}
    for need in needs:
        first.setdefault(need.order, need)
    return list(first.values())


def _today(memory: Memory) -> date | None:
    """What a tool last said today is."""
    for turn in reversed(memory.turns[-20:]):
        for call in reversed(turn.calls):
            if (today := read_date(call.outcome.facts.get("today"))) is not None:
                return today
    return None
