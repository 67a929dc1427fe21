"""From what a message says to what is meant: which orders, and which open question it answers.

A question of the desk is open when the turn before ended in one. What was asked is not read from the desk's
words: the message of that turn is understood again, and what it still lacks is what was asked for. So a
question asked by another model, or in another language, is answered just as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any

from .answering import answer
from .assembling import asked_about
from .continuing import Continuing
from .reading import Call
from .reasons import LONGEST
from .recalling import CHANGING, MOVING, Memory, asked_back
from .references import Reference
from .referring import Referring
from .sums import UNCLEAR
from .wishes import ABOUT_ORDERS, ASKING, CHANGES, SMALL_TALK, TROUBLES, Kind, Message, Wish

_DEEPEST = 6  # questions asked back in a row that are still followed


def interpret(memory: Memory, n: int, depth: int = 0) -> tuple[Wish, ...]:
    """The wishes of turn n, each with its orders or with what is missing."""
    known = memory.interpreted
    if (n, depth) not in known:
        known[n, depth] = _interpret(memory, n, depth)
    return known[n, depth]


def _interpret(memory: Memory, n: int, depth: int) -> tuple[Wish, ...]:
    message = memory.message(n)
    open_ = _open_wishes(memory, n - 1, depth)
    continuing = Continuing(memory, n, lambda past: _earlier(memory, past, depth))
    wishes = answer(memory, message, open_, n) if open_ else None
    if wishes is None:
        wishes = [*message.wishes, *continuing.wishes()]
    if any(wish.kind == "again" for wish in wishes):
        wishes = [*(wish for wish in wishes if wish.kind != "again"), *continuing.again()]
    if any(wish.kind not in SMALL_TALK for wish in wishes):
        wishes = [wish for wish in wishes if wish.kind not in SMALL_TALK or wish.kind == "drop"]
    wishes = [_going_on(memory, wish, n) for wish in wishes]
    choices = open_[0].choices if open_ else ()
    referring = Referring(memory, n, choices, lambda turn: _tried(memory, turn))
    return tuple(_complete(memory, wish, n, referring) for wish in wishes)


def _earlier(memory: Memory, n: int, depth: int) -> tuple[Wish, ...]:
    """The wishes of an earlier turn, none where it has no message or too many turns were followed back."""
    if n < 0 or depth >= _DEEPEST or memory.turns[n].asked is None:
        return ()
    return interpret(memory, n, depth + 1)


# Open questions


def _open_wishes(memory: Memory, n: int, depth: int) -> list[Wish]:
    """What turn n left to be asked."""
    if n >= 0 and any(wish.kind == "abuse" for wish in _earlier(memory, n, depth)):
        return [Wish("person", missing="consent")]  # a person was offered
    if n < 0 or not asked_back(memory.turns[n]):
        return []
    found = []
    for wish in _earlier(memory, n, depth):
        if wish.missing == "wish":
            continue
        if wish.kind == "trouble" and wish.missing == "consent":
            found.append(_offered(memory, n, wish))
        elif wish.missing == "consent":
            found += _offered_instead(memory, n, wish)
        elif wish.missing:
            found.append(wish)
        elif (again := _failed(memory, n, wish)) is not None:
            found.append(again)
    return found


def _offered(memory: Memory, n: int, wish: Wish) -> Wish:
    """What the desk offered about trouble with an order: see `steps`."""
    looked = [memory.turns[n].find("look_up_order", order) for order in wish.orders]
    return wish.but(kind=remedy(call.outcome.facts) if (call := (looked or [None])[0]) else "refund")


def _offered_instead(memory: Memory, n: int, wish: Wish) -> list[Wish]:
    """What a yes is to: where an order, once looked up, could not be what the person asked about, the desk
    offered something else for it."""
    each = []
    for order in wish.orders:
        call = memory.turns[n].find("look_up_order", order)
        status = call.outcome.facts.get("status") if call else None
        one = wish.but(orders=(order,))
        if call and wish.kind == "refund" and costs_less(wish.amount, call.outcome.facts):
            one = one.but(missing="amount", tentative=False)  # the desk asked how much
        each.append(_instead_of_cancelling(wish, order, status) or _offered_for_money(wish, status) or one)
    told = any((other.kind, other.missing) != (wish.kind, wish.missing) for other in each)
    return each if told else [wish]


def _instead_of_cancelling(wish: Wish, order: str, status: object) -> Wish | None:
    """What the desk offered whoever wanted an order cancelled that was delivered already. It offers that
    whatever the wish hung on."""
    if wish.kind != "cancel" or status != "delivered":
        return None
    return wish.but(kind="refund", orders=(order,), condition=None, missing="consent")


def remedy(facts: Mapping[str, Any]) -> Kind:
    """What can be done about trouble with an order: its money back, or not to send it on."""
    return "cancel" if facts.get("status") in ("not_shipped", "shipped", "on_the_truck") else "refund"


def costs_less(amount: str, facts: Mapping[str, Any]) -> bool:
    """Whether an order cost less than the sum that is asked back."""
    try:
        return Decimal(amount) > Decimal(str(facts.get("price")))
    except InvalidOperation:
        return False


def _failed(memory: Memory, n: int, wish: Wish) -> Wish | None:
    """The wish again, where turn n could not do it for want of a right order or place."""
    for order in wish.orders:
        errors = {call.outcome.error for call in memory.turns[n].calls if call.order == order}
        if "unknown_order" in errors:
            return wish.but(orders=(), about=Reference(), missing="order")
        if (
            errors & {"bad_address", "unknown_pickup_point", "earlier_address_erased"}
            and wish.kind in CHANGES
        ):
            return wish.but(kind="delivery", place="", missing="place")
        if any(call.outcome.ending == "cut" for call in memory.turns[n].calls if call.order == order):
            return wish.but(missing="consent")  # the desk asked whether to try again
        if errors & {"amount_too_high", "bad_amount"}:
            return wish.but(missing="amount")
        call = memory.turns[n].find("look_up_order", order)
        if call and (offered := _offered_for_money(wish, call.outcome.facts.get("status"))):
            return offered
        if wish.kind == "absent" and call and call.outcome.facts.get("status") == "delivered":
            return wish.but(kind="refund", missing="consent")
        if wish.kind == "cancel" and call and call.outcome.facts.get("status") == "delivered":
            return wish.but(kind="refund", condition=None, missing="consent")  # offered instead
        closed = memory.closed_request(order, n + 1)
        if closed is not None and wish.kind in ("look", "done?"):  # the desk offered to ask again
            return _request(closed).but(orders=(order,), missing="consent")
    return None


def _offered_for_money(wish: Wish, status: object) -> Wish | None:
    """What the desk offered whoever asked for the money of an order that was not refunded."""
    asks = wish.kind == "refund" or (wish.kind == "done?" and "refund" in wish.matter)
    if asks and status == "cancelled":
        return Wish("person", missing="consent")
    if wish.kind == "done?" and asks and status != "refunded":
        return wish.but(kind="refund", matter=frozenset(), missing="consent")
    return None


def _request(call: Call) -> Wish:
    """What a call for a refund or a cancellation wanted."""
    wanted = Wish("refund" if call.name == "refund_order" else "cancel", Reference("named", (call.order,)))
    return wanted.but(**{name: str(call.arguments.get(name) or "") for name in ("amount", "reason")})


# What is meant


def _going_on(memory: Memory, wish: Wish, n: int) -> Wish:
    """ "What now?" asks what became of what was tried last, where anything was."""
    tried = wish.kind == "next?" and memory.changing_turn(n) is not None
    return wish.but(kind="done?") if tried else wish


def _complete(memory: Memory, wish: Wish, n: int, referring: Referring) -> Wish:
    """The wish with its orders; or with `missing`, and `choices` where some are possible."""
    if wish.kind in TROUBLES and not wish.reason:
        wish = wish.but(reason=_told(memory.message(n)))
    if wish.missing == "order":
        return wish  # asked for, and still not answered
    if wish.kind == "person" and not memory.known(n + 1):
        return wish.but(missing="order")  # a ticket for nobody about nothing is of no use
    if wish.kind not in ABOUT_ORDERS and wish.kind not in ("done?", "mine"):
        return wish
    if wish.kind == "cancel" and _takes_back(memory, wish, n):
        wish = wish.but(kind="undo")
    if wish.missing and wish.orders:
        return wish
    orders, possible = wish.orders, wish.choices
    if not orders:
        orders, possible = referring.orders(wish)
    if not orders and wish.about.way == "thing":
        return wish.but(kind="unclear")  # no order's item: not this desk's business
    if not orders:
        return wish.but(missing="order", choices=possible)
    wish = wish.but(orders=orders, missing=wish.missing if wish.missing in ("wish", "consent") else "")
    if wish.kind == "refund" and wish.amount == UNCLEAR:
        return wish.but(amount="", missing="amount")
    if wish.condition is not None and wish.condition.kind == "answer":
        wish = _by_answer(wish, interpret(memory, n - 1) if n and memory.turns[n - 1].asked else ())
    if wish.condition is not None:
        if wish.condition.kind in ("unclear", "answer") and wish.kind in CHANGES:
            return wish.but(missing="condition")
        if not wish.condition.subject and memory.subject(n) == "arrives":
            wish = wish.but(condition=replace(wish.condition, subject="arrives"))
    if wish.kind == "delivery":
        return wish.but(missing="place")
    if wish.kind == "trouble":
        return wish.but(missing="consent")
    if wish.tentative and wish.kind in ("refund", "cancel"):
        return wish.but(missing="consent")
    return wish


def _by_answer(wish: Wish, before: Sequence[Wish]) -> Wish:
    """ "If so" and "if not", as the condition that the question before asks about; as it is where there was
    no question that yes or no answers."""
    question = next((other for other in reversed(before) if other.kind in ASKING), None)
    meant = None if question is None else asked_about(question)
    if wish.condition is None or meant is None:
        return wish
    return wish.but(condition=replace(meant, negated=meant.negated != wish.condition.negated))


def _told(message: Message) -> str:
    """What somebody says is wrong, as typed."""
    return (message.beside or message.typed).strip()[:LONGEST]


def _takes_back(memory: Memory, wish: Wish, n: int) -> bool:
    """Whether "cancel that" takes back a change of delivery made just before, rather than the order."""
    if not re.search(r"^(?:please )?cancel that$|^取消(?:刚才|刚刚)的?$", wish.about.text.strip(), re.ASCII):
        return False
    return n > 0 and any(call.name in MOVING and call.outcome.ok for call in memory.turns[n - 1].calls)


def _tried(memory: Memory, turn: int) -> tuple[str, ...]:
    """The orders changes were wanted for in a turn."""
    wanted = [order for wish in interpret(memory, turn) if wish.kind in CHANGES for order in wish.orders]
    called = [call.order for call in memory.turns[turn].calls if call.name in CHANGING]
    return tuple(dict.fromkeys([*wanted, *called]))
