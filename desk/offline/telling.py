"""What tools answered, in words: how an order stands, what was changed, and why something was not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .conditions import Condition
from .folding import word_set
from .judging import Judgement
from .phrases import Voice
from .reading import Call, Outcome
from .wishes import Focus

Facts = Mapping[str, Any]

_MOVED = {
    "deliver_to_pickup": "moved to pickup",
    "deliver_to_address": "moved to address",
    "undo_delivery_change": "moved back",
}
_ASKED = {"refund_order": "refund", "cancel_order": "cancel"}
_ERRORS = word_set(
    """
    already_refunded already_cancelled already_delivered already_shipped not_delivered
    amount_too_high bad_amount bad_address nothing_to_undo already_undone earlier_address_erased no_change
    unknown_pickup_point orders_unavailable
    """
)


def standing(voice: Voice, order: str, facts: Facts) -> str:
    """How an order stands: its status with the date that matters."""
    name, status = voice.order(order, facts), str(facts.get("status", ""))
    if status == "not_shipped":
        if facts.get("ships_on") and facts.get("arrives_on"):
            return voice.say(
                "ships and arrives",
                order=name,
                day=voice.day(facts["ships_on"]),
                arrival=voice.day(facts["arrives_on"]),
            )
        if facts.get("ships_on"):
            return voice.say("ships", order=name, day=voice.day(facts["ships_on"]))
        return voice.say("not_shipped", order=name)
    if status == "shipped":
        if facts.get("arrives_on"):
            return voice.say("shipped and arrives", order=name, day=voice.day(facts["arrives_on"]))
        return voice.say("shipped", order=name)
    if status == "on_the_truck" and facts.get("arrives_on"):
        return voice.say("on_the_truck", order=name, day=voice.day(facts["arrives_on"]))
    if status == "delivered" and facts.get("delivered_on"):
        return voice.say("delivered", order=name, day=voice.day(facts["delivered_on"]))
    if status == "cancelled":
        return voice.say("cancelled", order=name)
    if status == "refunded":
        return voice.say(
            "refunded", order=name, sum=voice.money(facts.get("refunded", facts.get("price")), facts)
        )
    return voice.say("other status", order=name, status=status_words(voice, facts))


def status_words(voice: Voice, facts: Facts) -> str:
    """The status alone."""
    status = str(facts.get("status", ""))
    try:
        return voice.say(f"status {status}")
    except KeyError:
        return status.replace("_", " ")


def looked_up(voice: Voice, order: str, facts: Facts, focus: Focus) -> str:
    """The answer to a question about an order, by what it is after."""
    name = voice.order(order, facts)
    if focus == "price" and facts.get("price"):
        return voice.say("costs", order=name, sum=voice.money(facts["price"], facts))
    if focus == "item" and voice.item(facts):
        return voice.say("is item", order=order, item=voice.item(facts))
    if focus == "delivery":
        return goes_to(voice, order, facts)
    sentences = [standing(voice, order, facts)]
    if focus == "date" and facts.get("status") == "shipped" and facts.get("shipped_on"):
        sentences.append(voice.say("shipped on", day=voice.day(facts["shipped_on"])))
    if focus == "track" and facts.get("tracking"):
        parcel = {"carrier": str(facts.get("carrier", "")), "number": str(facts["tracking"])}
        sentences.append(voice.say("parcel", **parcel))
    return voice.join(sentences)


def goes_to(voice: Voice, order: str, facts: Facts) -> str:
    """Where an order is delivered."""
    delivery = facts.get("delivery")
    name, place = voice.order(order, facts), voice.place(delivery)
    if facts.get("status") in ("delivered", "cancelled", "refunded") or not place:
        went = voice.say("went to", place=place) if facts.get("status") == "delivered" and place else ""
        return voice.join([standing(voice, order, facts), went])
    to_pickup = isinstance(delivery, Mapping) and delivery.get("to") == "pickup"
    if isinstance(delivery, Mapping) and delivery.get("address") == "":
        return voice.say("address erased", order=name)
    return voice.say("goes to pickup" if to_pickup else "goes to", order=name, place=place)


# Changes


def changed(voice: Voice, call: Call, facts: Facts, price_facts: Facts) -> str:
    """What a call did. `facts` are its answer, `price_facts` what is known of the order."""
    merged = {**price_facts, **facts}
    name = voice.order(call.order, merged)
    if call.name == "refund_order":
        amount = (
            facts.get("amount")
            or facts.get("refunded")
            or call.arguments.get("amount")
            or merged.get("price")
        )
        return voice.say("refund done", order=name, sum=voice.money(amount, merged))
    if call.name == "cancel_order":
        return voice.say("cancel done", order=name)
    place = voice.place(facts.get("delivery")) or voice.quoted(str(call.arguments.get("address", "")))
    return voice.say(_MOVED.get(call.name, "moved back"), order=name, place=place)


def final(voice: Voice, call: Call, known: Facts) -> str:
    """That a refund or a cancellation which was carried out stays."""
    about = _ASKED[call.name]
    return voice.say(f"not undone {about}", order=voice.order(call.order, known))


def not_changed(voice: Voice, call: Call, known: Facts) -> str:
    """Why a call did nothing, a person's own reason included."""
    outcome = call.outcome
    name = voice.order(call.order, {**known, **outcome.facts})
    about = _ASKED.get(call.name, "other")
    if outcome.ending == "refused":
        note = outcome.note
        reason = voice.say("reason", note=closed(voice, note)) if note else voice.say("no reason")
        return voice.join([voice.say(f"{about} refused", order=name), reason])
    if outcome.ending == "superseded":
        return voice.say(f"{about} superseded", order=name)
    if outcome.ending in ("cut", "broken"):
        return voice.say(outcome.ending, order=name)
    return failed(voice, call.order, outcome, known)


def failed(voice: Voice, order: str, outcome: Outcome, known: Facts) -> str:
    """What an error code means for an order."""
    facts = {**known, **outcome.facts}
    name, error = voice.order(order, facts), outcome.error
    if error == "unknown_order":
        return voice.say("unknown_order", order=order)
    if error == "already_refunded":
        paid = facts.get("refunded")
        more = _more(voice, voice.money(paid, facts)) if paid else ""
        return voice.say(error, order=name, more=more)
    if error == "unknown_pickup_point":
        points = facts.get("pickup_points")
        return voice.say(
            error,
            order=name,
            points=voice.listed([str(p) for p in points] if isinstance(points, list) else []),
        )
    if error in _ERRORS:
        return voice.say(error, order=name)
    return voice.say("other error", order=name, error=error or "?")


def _more(voice: Voice, words: str) -> str:
    return f"（{words}）" if voice.chinese else f" ({words})"


def closed(voice: Voice, note: str) -> str:
    """What somebody wrote, as a sentence with its end."""
    return note if note[-1] in ".!?。！？" else note + ("。" if voice.chinese else ".")


# Conditions


def because(voice: Voice, order: str, facts: Facts, condition: Condition, found: Judgement) -> str:
    """Which way a condition went, as the beginning of a sentence without its end."""
    name = voice.order(order, facts)
    if condition.kind == "price":
        return voice.say("it costs", order=name, sum=voice.money(facts.get("price"), facts))
    if condition.kind == "status" or found.when is None or found.span is None:
        return voice.say("it is", order=name, status=status_words(voice, facts))
    fact = voice.say(found.field, order=name, day=voice.day(found.when))
    return voice.say(_comparison(condition, found), fact=fact, limit=_limit(voice, condition, found))


def _comparison(condition: Condition, found: Judgement) -> str:
    assert found.when is not None
    assert found.span is not None
    first, last = found.span
    if condition.relation in ("after", "by"):
        return "later" if found.when > last else "not later"
    if condition.relation in ("before", "from"):
        return "earlier" if found.when < first else "not earlier"
    return "within" if first <= found.when <= last else "not within"


def _limit(voice: Voice, condition: Condition, found: Judgement) -> str:
    assert found.span is not None
    first, last = found.span
    if first == last:
        return voice.day(first)
    if condition.relation in ("after", "by"):
        return voice.day(last)
    if condition.relation in ("before", "from"):
        return voice.day(first)
    return voice.say("span", first=voice.day(first), last=voice.day(last))
