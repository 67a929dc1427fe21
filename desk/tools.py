"""What agents can do with orders: the desk's tools, and which agent has which.

Every tool answers with one JSON object: `{"ok": true, "order": "A100", ...facts}` or `{"ok": false,
"error": code, "message": ..., ...}`. Codes are those of `desk.effects.OrderError`, and not_delivered,
bad_address, bad_amount, unknown_pickup_point, bad_arguments, needs_approval and orders_unavailable. The
facts carry all an answer needs, in the three languages where they are names, so that no agent has to know
an order by heart.

A docstring here is what the model is told about the tool.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from agents import Tool
from agents.tool_context import ToolContext

from .cards import mask_cards
from .dates import weekday_name
from .effects import Effect, OrderError
from .order import Delivery, Order
from .orders import Orders
from .policy import Policy
from .rules import check_cancel, check_refund
from .tool_calls import BadArgumentsError, Facts, failure, make_tool

_SUM = re.compile(r"(?:US)?\$?\s*((?:\d{1,3}(?:,\d{3})+|\d{1,7})(?:\.\d{1,9})?)\s*(?:USD)?", re.IGNORECASE)
_LONGEST_ADDRESS = 300  # characters

_MESSAGES = {
    "unknown_order": "There is no order with that number.",
    "already_refunded": "The order was refunded already.",
    "already_cancelled": "The order is cancelled.",
    "already_delivered": "The order was delivered already.",
    "already_shipped": "The order is on the truck: its delivery can no longer be changed.",
    "not_delivered": "The order has not arrived, so it is not refunded; it can be cancelled.",
    "amount_too_high": "The amount is more than the order's price.",
    "bad_amount": "The amount is not a sum of money like 39.00.",
    "nothing_to_undo": "The delivery was not changed, so there is nothing to undo.",
    "already_undone": "The delivery was changed, and that was undone already: nothing is left to undo.",
    "earlier_address_erased": "The delivery was changed, but the address it went to before was erased along "
    "with a conversation. Ask which address or pickup point it shall be instead.",
    "no_change": "The order is delivered that way already.",
    "call_id_reused": "This call id was used for another call: call the tool again.",
    "call_id_missing": "The call has no id: call the tool again.",
}


class Tools:
    """The tools over some orders under some policy, as lists for each agent."""

    def __init__(self, orders: Orders, policy: Policy) -> None:
        self._orders = orders
        self._policy = policy
        look_up = make_tool(self.look_up_order)
        self.triage: list[Tool] = [
            look_up,
            make_tool(self.track_order),
            make_tool(self.deliver_to_pickup),
            make_tool(self.deliver_to_address),
            make_tool(self.undo_delivery_change),
        ]
        self.approval: list[Tool] = [
            look_up,
            make_tool(self.refund_order, asks=self._refund_asks),
            make_tool(self.cancel_order, asks=self._cancel_asks),
        ]
        self.summary: list[Tool] = [look_up, make_tool(self.write_ticket_summary)]

    # The tools

    def look_up_order(self, context: ToolContext[Any], order_id: str) -> Facts:
        """Look up an order: item, price, status, dates, delivery, and today's date.

        Args:
            order_id: The order's number, like A100.
        """
        order = self._orders.get(order_id)
        return self._unknown(order_id) if order is None else {"ok": True, **self._facts(order)}

    def track_order(self, context: ToolContext[Any], order_id: str) -> Facts:
        """Follow an order's parcel: where it has been, and what is expected next.

        Args:
            order_id: The order's number, like A100.
        """
        order = self._orders.get(order_id)
        if order is None:
            return self._unknown(order_id)
        journey = [
            {"on": stop.on.isoformat(), "event": stop.event, "expected": stop.expected}
            for stop in self._orders.track(order.id)
        ]
        parcel = {"carrier": order.carrier, "tracking": order.tracking} if order.tracking else {}
        return {"ok": True, **self._facts(order), **parcel, "journey": journey}

    def deliver_to_pickup(self, context: ToolContext[Any], order_id: str, pickup_point: str = "") -> Facts:
        """Have an order delivered to a pickup point instead.

        Args:
            order_id: The order's number, like A100.
            pickup_point: The pickup point's id or name; empty for the usual one.
        """
        point = self._policy.pickup_point(pickup_point)
        if point is None:
            known = [each.id for each in self._policy.pickup_points]
            message = "There is no such pickup point."
            return failure("unknown_pickup_point", message, order=_echo(order_id), pickup_points=known)
        delivery = Delivery("pickup", pickup_point=point.id)
        return self._do(order_id, lambda: self._orders.set_delivery(order_id, delivery, **_of(context)))

    def deliver_to_address(self, context: ToolContext[Any], order_id: str, address: str) -> Facts:
        """Have an order delivered to another address.

        Args:
            order_id: The order's number, like A100.
            address: The address, exactly as the customer wrote it.
        """
        if not _is_address(address):
            return failure("bad_address", "That is not an address.", order=_echo(order_id))
        delivery = Delivery("address", mask_cards(address))
        return self._do(order_id, lambda: self._orders.set_delivery(order_id, delivery, **_of(context)))

    def undo_delivery_change(self, context: ToolContext[Any], order_id: str) -> Facts:
        """Put an order's delivery back to what it was before its last change.

        Args:
            order_id: The order's number, like A100.
        """
        return self._do(order_id, lambda: self._orders.undo_delivery(order_id, **_of(context)))

    def refund_order(self, context: ToolContext[Any], order_id: str, reason: str, amount: str = "") -> Facts:
        """Refund an order. If a person has to decide, the call waits for the decision by itself.

        Args:
            order_id: The order's number, like A100.
            reason: Why, in the customer's words.
            amount: The sum, like 39.00; empty for the whole price.
        """
        order = self._orders.get(order_id)
        if order is not None and self._too_early(order):
            return self._refusal(OrderError("not_delivered", order.id, order))
        paid, why = _amount(amount), mask_cards(reason)
        return self._do(order_id, lambda: self._orders.refund(order_id, paid, why, **_of(context)))

    def cancel_order(self, context: ToolContext[Any], order_id: str, reason: str = "") -> Facts:
        """Cancel an order. If a person has to decide, the call waits for the decision by itself.

        Args:
            order_id: The order's number, like A100.
            reason: Why, in the customer's words, if they said.
        """
        why = mask_cards(reason)
        return self._do(order_id, lambda: self._orders.cancel(order_id, why, **_of(context)))

    def write_ticket_summary(self, context: ToolContext[Any], summary: str, order_ids: list[str]) -> Facts:
        """File the summary of this ticket with the orders it is about.

        Args:
            summary: The summary: what was asked, what was done, what is open.
            order_ids: The numbers of the orders it is about; an empty list if there is none.
        """
        if not summary:
            raise BadArgumentsError("summary is empty.")
        text = mask_cards(summary)
        return self._do("", lambda: self._orders.record_summary(text, order_ids, **_of(context)))

    # Whether a person decides

    def _refund_asks(self, order_id: str, reason: str, amount: str = "") -> bool:
        order = self._orders.get(order_id)
        if order is None or self._too_early(order):
            return False
        try:
            return self._policy.refund_asks(order, check_refund(order, _amount(amount)))
        except OrderError:
            return False  # impossible anyway: nobody is asked about it

    def _cancel_asks(self, order_id: str, reason: str = "") -> bool:
        order = self._orders.get(order_id)
        if order is None:
            return False
        try:
            check_cancel(order)
        except OrderError:
            return False
        return self._policy.cancel_asks(order)

    def _too_early(self, order: Order) -> bool:
        return not self._policy.refund_before_delivery and (order.under_way or order.status == "not_shipped")

    # What is answered

    def _do(self, order_id: str, work: Callable[[], Effect]) -> Facts:
        order = self._orders.get(order_id)  # first: once the thing is done, nothing must fail any more
        try:
            effect = work()
        except OrderError as refusal:
            return self._refusal(refusal)
        facts: Facts = {"ok": True, "done": effect.kind}
        if order is not None:
            facts |= {"order": order.id, **_naming(order)}
        facts |= {name: value for name, value in effect.detail.items() if name not in ("summary", "undoes")}
        if "delivery" in facts:
            facts["delivery"] = self._delivery(facts["delivery"])
        if effect.before and "delivery" in effect.before:
            facts["before"] = self._delivery(effect.before["delivery"])
        return facts

    def _refusal(self, refusal: OrderError) -> Facts:
        facts: Facts = {"order": _echo(refusal.order_id)}
        if (order := refusal.order) is not None:
            facts |= {**_naming(order), "status": order.status, "price": str(order.price)}
            facts |= {"currency": order.currency, "delivery": self._delivery(order.delivery.facts())}
            if order.refunded is not None:
                facts["refunded"] = str(order.refunded)
        return failure(refusal.code, _MESSAGES[refusal.code], **facts)

    def _unknown(self, order_id: str) -> Facts:
        return failure("unknown_order", _MESSAGES["unknown_order"], order=_echo(order_id))

    def _facts(self, order: Order) -> Facts:
        facts: Facts = {
            "order": order.id,
            **_naming(order),
            "price": str(order.price),
            "currency": order.currency,
            "status": order.status,
        }
        settled = order.status in ("cancelled", "refunded")
        for name, day in order.dates.items():
            if not (settled and name in ("ships_on", "arrives_on")):
                facts |= {name: day.isoformat(), f"{name}_weekday": weekday_name(day)}
        if order.refunded is not None:
            facts["refunded"] = str(order.refunded)
        facts["delivery"] = self._delivery(order.delivery.facts())
        today = self._orders.today()
        return facts | {"today": today.isoformat(), "today_weekday": weekday_name(today)}

    def _delivery(self, delivery: dict[str, str]) -> Facts:
        """A delivery with the pickup point's names instead of its id."""
        if delivery.get("to") != "pickup":
            return dict(delivery)
        point = self._policy.pickup_point(delivery.get("pickup_point", ""))
        if point is None:  # of a policy of other days
            return dict(delivery)
        return {"to": "pickup", "pickup_point": point.names["en"], "pickup_point_names": dict(point.names)}


def _naming(order: Order) -> Facts:
    return {"item": order.item, "item_names": dict(order.names)}


def _of(context: ToolContext[Any]) -> dict[str, str]:
    """Whose effect it is: the call and the session of a tool call."""
    about = context.context
    session = about.get("session", "") if isinstance(about, dict) else ""
    return {"call_id": context.tool_call_id, "session": str(session)}


def _echo(order_id: str) -> str:
    """An order number as it was given, short enough to repeat."""
    return mask_cards(order_id[:64])


def _amount(given: str) -> Decimal | None:
    """The sum that was asked for, None for the whole price, NaN for what is no sum."""
    if not given:
        return None
    found = _SUM.fullmatch(given)
    return Decimal(found[1].replace(",", "")) if found else Decimal("NaN")


def _is_address(text: str) -> bool:
    """Whether a text can be an address: not just anything does, but scripts and habits differ."""
    return (
        len([char for char in text if char.isalnum()]) >= 3
        and len(text) <= _LONGEST_ADDRESS
        and all(char.isprintable() or char in "\n\t" for char in text)
    )
