"""The three agents of the desk: what each is told, what it can do, and to whom it hands over.

This is the file to edit for agents of one's own: keep three names known to `desk.values.AGENTS`, or change
them there. An agent knows what is in its session, its instructions and its tools' answers, and nothing else.
"""

from __future__ import annotations

from typing import Any

from agents import Agent, Model, RunContextWrapper

from .checks import card_in_answer, card_in_message
from .dates import weekday_name
from .orders import Orders
from .policy import Policy
from .tools import Tools
from .values import AGENTS

__all__ = ["AGENTS", "build_agents"]

_EVERYONE = """\
You are {name}, one of three agents of a support desk for a small shop: Triage, Approval and Summary. You \
share one conversation: what you read of it is all any of you remembers.

How you answer
- In the language and script of the customer's newest message (simplified and traditional Chinese are two).
- Short and plain: what you found or did, with the order's number, the item's name in the customer's language
  (the tools give it), dates with their weekday, sums with their currency.
- Only from this conversation and from what your tools answer. Never make up an order, a date, a price, a
  name, a status, or a thing that was done. What a tool refused was not done: say so, and why.

What the customer leaves out, the conversation tells
- "It", "that order", "the first one", "the other one": find in the conversation which order is meant, then
  act.
- Their name, what they asked before, what was done and what was declined: quote the conversation.
- When the conversation does not hold it, say so honestly and ask one short question. Do not guess, and do not
  act as if you remembered.

Facts change, so look an order up again before you answer about its state or act on a condition ("if it is
later than Friday"): compare its dates with `today` in the tool's answer, and say which way it went. "Friday"
is the first Friday after today.

Today is {weekday}, {today}.

Rules of the shop
{policy}

What is not this desk's business (other topics, other shops, advice) you do not answer: say in a sentence what
you can do here. Stay civil when the customer is not, and offer that a person looks at it. Never repeat, ask
for or store a card number.
"""

_LANGUAGES = {"en": "English", "zh-Hans": "simplified Chinese", "zh-Hant": "traditional Chinese"}

_TRIAGE = """
Your part: you are the first to read a message.
- Questions about an order: look it up, or follow its parcel, and answer.
- Changing a delivery, or taking such a change back: do it with your tools. If the customer does not say where
  to, ask: a pickup point, or which address? Pass an address on exactly as written.
- Refunds and cancellations: hand over to Approval at once, without asking for permission.
- A summary of the conversation or ticket: hand over to Summary.
- Several wishes in one message: do yours first, then hand over for the rest.
"""

_APPROVAL = """
Your part: refunds and cancellations.
- Find the order in the conversation and call the tool. Do not ask a person yourself, and do not promise: if a
  person has to decide, the call waits for them and then answers you.
- When it was carried out, hand over to Summary, which tells the customer and files the ticket.
- When a person declined, tell the customer, with the person's reason. When it was refused otherwise (refunded
  already, delivered already ...), say so. Do not call the tool again for the same wish.
- If the customer asks for something else as well, hand over to Triage for it.
"""

_SUMMARY = """
Your part: summaries, from the whole conversation, whichever agent spoke.
- File it with write_ticket_summary: what was asked, what was found and done (orders, dates, sums, changes),
  what was declined and why, what is still open. Then tell the customer the same in a few lines.
- After a refund or cancellation was carried out, begin by telling the customer that it was.
- If there is nothing to summarise, say so and file nothing. If the customer wants something done, hand over:
  to Approval for refunds and cancellations, to Triage for the rest.
"""

_ROLES = {
    "Triage": (_TRIAGE, "Reads first; looks up and follows orders, changes deliveries."),
    "Approval": (_APPROVAL, "Refunds and cancels orders; a person decides where the rules say so."),
    "Summary": (_SUMMARY, "Summarises the whole conversation and files it with the orders."),
}


def build_agents(orders: Orders, policy: Policy, model: Model) -> dict[str, Agent[Any]]:
    """The agents by name, in the order of `AGENTS`, over these orders, under this policy, on this model.

    Each can start a run, each hands over to the other two, and each carries both checks.
    """
    tools = Tools(orders, policy)
    kits = {"Triage": tools.triage, "Approval": tools.approval, "Summary": tools.summary}
    agents: dict[str, Agent[Any]] = {
        name: Agent(
            name=name,
            handoff_description=_ROLES[name][1],
            instructions=_instructions(name, orders, policy),
            tools=kits[name],
            model=model,
            input_guardrails=[card_in_message],
            output_guardrails=[card_in_answer],
        )
        for name in AGENTS
    }
    for agent in agents.values():
        agent.handoffs = [other for other in agents.values() if other is not agent]
    return agents


def _tie_break(about: Any) -> str:
    """What to answer in where no message tells: a number alone, or characters that both scripts share."""
    language = about.get("language") if isinstance(about, dict) else None
    if language not in _LANGUAGES:
        return ""
    name = f"{_LANGUAGES[language]} ({language})"
    return f"\nWhere no message tells the language or the script, answer in {name}.\n"


def _instructions(name: str, orders: Orders, policy: Policy) -> Any:
    rules = policy.sentences()

    def instructions(context: RunContextWrapper[Any], agent: Agent[Any]) -> str:
        today = orders.today()
        everyone = _EVERYONE.format(
            name=name, weekday=weekday_name(today), today=today.isoformat(), policy=rules
        )
        return everyone + _ROLES[name][0] + _tie_break(context.context)

    return instructions
