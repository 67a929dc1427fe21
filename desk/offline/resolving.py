"""From what a message says to what is meant: which orders, and which open question it answers.

A question of the desk is open when the turn before ended in one. What was asked is not read from the desk's
words: the message of that turn is understood again, and what it still lacks is what was asked for. So a
question asked by another model, or in another language, is answered just as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .conditions import find_condition
from .cues import names_money
from .folding import fold
from .function_words import speaks_of_more
from .mentions import Reference
from .places import is_address, looks_like_address
from .recalling import CHANGING, MOVING, Memory, asked_back
from .understanding import fills_place
from .wishes import ABOUT_ORDERS, CHANGES, Kind, Message, Wish

_DEEPEST = 6  # questions asked back in a row that are still followed
_SMALL_TALK = frozenset({"hello", "thanks", "bye", "agree", "decline", "drop", "abuse"})
_TWO = re.compile(r"\bboth\b|\btwo\b|两", re.ASCII)


def interpret(memory: Memory, n: int, depth: int = 0) -> tuple[Wish, ...]:
    """The wishes of turn n, each with its orders or with what is missing."""
    known = memory.interpreted
    if (n, depth) not in known:
        known[n, depth] = _interpret(memory, n, depth)
    return known[n, depth]


def _interpret(memory: Memory, n: int, depth: int) -> tuple[Wish, ...]:
    message = memory.message(n)
    open_ = _open_wishes(memory, n - 1, depth)
    wishes = _answer(memory, message, open_, n) if open_ else None
    if wishes is None:
        wishes = list(message.wishes)
        if message.bare is not None:
            wishes.append(_bare_wish(memory, message, n, depth))
        elif not wishes and (place := _stated_place(message)):
            # An address out of the blue: nothing is changed before it is said for which order.
            offered = memory.topic(n)
            wishes.append(
                Wish("address", Reference("named", offered), place=place, missing="consent")
                if len(offered) == 1
                else Wish("address", Reference("nth", nth=99), place=place)
            )
    if any(wish.kind not in _SMALL_TALK for wish in wishes):
        wishes = [wish for wish in wishes if wish.kind not in _SMALL_TALK or wish.kind == "drop"]
    choices = open_[0].choices if open_ else ()
    return tuple(_complete(memory, message, wish, n, choices) for wish in wishes)


# Open questions


def _open_wishes(memory: Memory, n: int, depth: int) -> list[Wish]:
    """What turn n left to be asked."""
    if n < 0 or depth >= _DEEPEST or memory.turns[n].asked is None or not asked_back(memory.turns[n]):
        return []
    found = []
    for wish in interpret(memory, n, depth + 1):
        if wish.missing == "wish":
            continue
        if wish.kind == "trouble" and wish.missing == "consent":
            found.append(_offered(memory, n, wish))
        elif wish.missing:
            found.append(wish)
        elif (again := _failed(memory, n, wish)) is not None:
            found.append(again)
    return found


def _offered(memory: Memory, n: int, wish: Wish) -> Wish:
    """What the desk offered about trouble with an order: see `steps`."""
    looked = [memory.turns[n].find("look_up_order", order) for order in wish.orders]
    return wish.but(kind=remedy(call.outcome.facts) if (call := (looked or [None])[0]) else "refund")


def remedy(facts: Mapping[str, Any]) -> Kind:
    """What can be done about trouble with an order: its money back, or not to send it on."""
    return "cancel" if facts.get("status") in ("not_shipped", "shipped", "on_the_truck") else "refund"


def _failed(memory: Memory, n: int, wish: Wish) -> Wish | None:
    """The wish again, where turn n could not do it for want of a right order or place."""
    for order in wish.orders:
        errors = {call.outcome.error for call in memory.turns[n].calls if call.order == order}
        if "unknown_order" in errors:
            return wish.but(orders=(), about=Reference(), missing="order")
        if errors & {"bad_address", "unknown_pickup_point"} and wish.kind in CHANGES:
            return wish.but(kind="delivery", place="", missing="place")
        if errors & {"amount_too_high", "bad_amount"}:
            return wish.but(missing="amount")
        call = memory.turns[n].find("look_up_order", order)
        if wish.kind == "cancel" and call and call.outcome.facts.get("status") == "delivered":
            return wish.but(kind="refund", missing="consent")  # the desk offered it instead
    return None


def _answer(memory: Memory, message: Message, open_: list[Wish], n: int) -> list[Wish] | None:
    """The open wishes as the message completes them, None where it is about something else."""
    asked = open_[0].missing
    same = [wish for wish in open_ if wish.missing == asked]
    if asked == "order":
        return _answer_order(memory, message, same, n)
    if asked == "place":
        return _answer_place(memory, message, same)
    if asked == "amount":
        return _answer_amount(message, same)
    if asked == "condition":
        return _answer_condition(message, same)
    return _answer_offer(message, same)


def _answer_order(memory: Memory, message: Message, open_: list[Wish], n: int) -> list[Wish] | None:
    about = message.bare
    for wish in message.wishes:
        plain = wish.kind == "look" and wish.focus == "" and wish.about.way != "none"
        if wish.kind in ("mine", "name") or plain:
            about = about or (wish.about if wish.about.explicit else None)
        elif wish.kind not in _SMALL_TALK:
            return None
    if about is None and (named := memory.named_by_item(fold(message.typed), n)):
        about = Reference("named", named)
    if about is None or (about.way == "it" and not about.orders):
        return None if message.wishes or speaks_of_more(fold(message.typed)) else list(open_)
    return [wish.but(about=about, orders=(), missing="") for wish in open_]


def _answer_place(memory: Memory, message: Message, open_: list[Wish]) -> list[Wish] | None:
    given = next((wish for wish in message.wishes if wish.kind in ("pickup", "address")), None)
    if given is not None:
        if given.about.explicit and given.about.way != "it":
            return None
        rest = [wish for wish in message.wishes if wish is not given]
        done = [wish.but(kind=given.kind, place=given.place, missing="") for wish in open_]
        return [*done, *rest]
    if (point := memory.points.get(fold(message.typed).strip(" .!。"))) is not None:
        return [wish.but(kind="pickup", place=point, missing="") for wish in open_]
    place = fills_place(message)
    if place and (looks_like_address(fold(place)) or place != message.typed.strip()):
        return [wish.but(kind="address", place=place, missing="") for wish in open_]
    if any(wish.kind not in ("agree", "hello", "delivery") for wish in message.wishes) or message.bare:
        return None
    return None if message.typed.rstrip().endswith(("?", "？")) else list(open_)


def _answer_amount(message: Message, open_: list[Wish]) -> list[Wish] | None:
    words = fold(message.typed)
    bare = re.search(r"(?<![a-z\d.])(\d+(?:\.\d{1,2})?)(?![a-z\d])", words)
    amount = names_money(words) or (names_money(f"${bare[1]}") if bare else "")
    if not amount or any(wish.kind in ABOUT_ORDERS - {"refund"} for wish in message.wishes):
        return None
    return [wish.but(amount=amount, missing="") for wish in open_]


def _answer_condition(message: Message, open_: list[Wish]) -> list[Wish] | None:
    if message.wants("agree"):
        return [wish.but(condition=None, missing="") for wish in open_]
    condition = find_condition("if it is " + fold(message.typed))
    if condition is None or condition.kind == "unclear":
        return None
    return [wish.but(condition=condition, missing="") for wish in open_]


def _answer_offer(message: Message, open_: list[Wish]) -> list[Wish] | None:
    offered = open_[0]
    for wish in message.wishes:
        if wish.kind == offered.kind:
            if wish.about.way not in ("none", "it") or wish.tentative:
                return None
            return [_accepted(each).but(amount=wish.amount or each.amount) for each in open_]
        if wish.kind in ("decline", "drop"):
            return None
    if message.wants("agree") and not any(wish.kind in ABOUT_ORDERS for wish in message.wishes):
        return [_accepted(each) for each in open_]
    return None


def _accepted(offer: Wish) -> Wish:
    return offer.but(missing="", tentative=False)


# Messages that only name an order


def _bare_wish(memory: Memory, message: Message, n: int, depth: int) -> Wish:
    """ "And B205?" asks what was asked before; "B205 too" wants what was wanted before; else look it up."""
    assert message.bare is not None
    before = (
        interpret(memory, n - 1, depth + 1)
        if n > 0 and depth < _DEEPEST and memory.turns[n - 1].asked
        else ()
    )
    for wish in reversed(before):
        if message.too and wish.kind in CHANGES and not wish.missing:
            return wish.but(about=message.bare, orders=())
        if (message.follows or message.too) and wish.kind == "look":
            return wish.but(about=message.bare, orders=())
    return Wish("look", message.bare, missing="wish")  # what is wanted of it was not said


def _stated_place(message: Message) -> str:
    place = fills_place(message)
    return place if place and is_address(fold(place)) else ""


# Orders


def _complete(memory: Memory, message: Message, wish: Wish, n: int, choices: tuple[str, ...]) -> Wish:
    """The wish with its orders; or with `missing`, and `choices` where some are possible."""
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
        orders, possible = _orders(memory, message, wish, n, choices)
    if not orders and wish.about.way == "thing":
        return wish.but(kind="unclear")  # no order's item: not this desk's business
    if not orders:
        return wish.but(missing="order", choices=possible)
    wish = wish.but(orders=orders, missing=wish.missing if wish.missing in ("wish", "consent") else "")
    if wish.condition is not None:
        if wish.condition.kind == "unclear" and wish.kind in CHANGES:
            return wish.but(missing="condition")
        if not wish.condition.subject:
            wish = wish.but(condition=replace(wish.condition, subject=memory.subject(n)))
    if wish.kind == "delivery":
        return wish.but(missing="place")
    if wish.kind == "trouble":
        return wish.but(missing="consent", reason=message.typed.strip()[:300])
    if wish.tentative and wish.kind in ("refund", "cancel"):
        return wish.but(missing="consent")
    return wish


def _takes_back(memory: Memory, wish: Wish, n: int) -> bool:
    """Whether "cancel that" takes back a change of delivery made just before, rather than the order."""
    if not re.search(r"^(?:please )?cancel that$|^取消(?:刚才|刚刚)的?$", wish.about.text.strip(), re.ASCII):
        return False
    return n > 0 and any(call.name in MOVING and call.outcome.ok for call in memory.turns[n - 1].calls)


def _orders(
    memory: Memory, message: Message, wish: Wish, n: int, choices: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The orders meant; or none, and those that could be."""
    about = wish.about
    if about.way == "named":
        return about.orders, ()
    if about.way in ("none", "it", "all", "thing") and (named := memory.named_by_item(about.text, n)):
        return named, ()
    if _names_something_else(about.text):
        return (), ()
    if about.way == "nth":
        return _nth(about.nth, choices or _group(message) or _listed(memory, n))
    if about.way == "other":
        beside = about.beside and _orders(memory, message, wish.but(about=about.beside), n, choices)[0]
        return _other(memory, n, beside or memory.topic(n))
    if about.way == "all":
        return _all(memory, message, wish, n)
    if wish.kind == "undo":
        change = memory.last_change(n)
        return ((change.order,), ()) if change is not None else ((), ())
    if wish.kind == "done?" and (turn := memory.changing_turn(n)) is not None:
        return _tried(memory, turn), ()
    if re.search(r"\bmy\b|我的", about.text, re.ASCII) and (mine := memory.mine(n)):
        return (mine,), ()
    topic = memory.topic(n)
    if len(topic) > 1 and wish.kind in CHANGES | {"trouble"}:
        return (), topic  # which of them cannot be told: ask
    return topic, ()


_OBJECT = re.compile(
    r"\b(?:cancel|refund|return)\s+(?:my|the|our|this"
    r"|that)\s+(?!(?:whole|entire|full|first|second|third|other|last|same|new|old|order"
    r"|parcel|package|item|purchase|delivery|shipment|product|one|thing|money|price|amount"
    r"|rest|change|goods|stuff)s?\b)[a-z]{3,}"
    r"|取消(?:掉)?(?:我的?)?(?:会员|会议|预约|订阅|账号|账户|合同|课程|机票|酒店|订位)",
    re.ASCII,
)


def _names_something_else(text: str) -> bool:
    """Whether a folded clause wants to cancel or refund a thing that is no order as far as is known."""
    return _OBJECT.search(text) is not None


def _group(message: Message) -> tuple[str, ...]:
    return message.orders if len(message.orders) > 1 else ()


def _listed(memory: Memory, n: int) -> tuple[str, ...]:
    """The orders "the first one" counts: those spoken of together just now, else all in turn."""
    topic = memory.topic(n)
    return topic if len(topic) > 1 else tuple(memory.known(n))


def _nth(nth: int, listed: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    # "The first one" of a single order is no answer: another one must have been forgotten.
    if len(listed) < 2 or nth > len(listed):
        return (), listed
    return (listed[nth - 1 if nth > 0 else nth],), ()


def _other(memory: Memory, n: int, topic: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The one beside the `topic`."""
    known = memory.known(n)
    if len(topic) != 1:
        return (), tuple(known)
    rest = [order for order in known if order != topic[0]]
    if len(rest) == 1:
        return (rest[0],), ()
    for past in range(n - 1, -1, -1):  # the pair it was last spoken of in
        pair = memory.spoken(past)
        if len(pair) == 2 and topic[0] in pair:
            return tuple(order for order in pair if order != topic[0]), ()
    return (), tuple(rest)


def _all(memory: Memory, message: Message, wish: Wish, n: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if group := _group(message):
        return group, ()
    if wish.kind == "done?" and (turn := memory.changing_turn(n)) is not None:
        orders = _tried(memory, turn)
    else:
        topic = memory.topic(n)
        orders = topic if len(topic) > 1 else tuple(memory.known(n)) or topic
    if len(orders) < 2 and _TWO.search(wish.about.text):
        return (), orders
    return orders, ()


def _tried(memory: Memory, turn: int) -> tuple[str, ...]:
    """The orders changes were wanted for in a turn."""
    wanted = [order for wish in interpret(memory, turn) if wish.kind in CHANGES for order in wish.orders]
    called = [call.order for call in memory.turns[turn].calls if call.name in CHANGING]
    return tuple(dict.fromkeys([*wanted, *called]))
