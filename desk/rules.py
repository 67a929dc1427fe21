"""What the orders themselves allow, whoever asks: not policy, but what can still be true of a parcel.

Each rule returns quietly or raises `OrderError` with the reason. They are asked before a person is bothered
with a decision, and again inside the transaction that does the thing.
"""

from __future__ import annotations

from decimal import Decimal

from .effects import OrderError
from .order import Order


def check_delivery(order: Order) -> None:
    """Whether the delivery can still be changed: until the order is on the truck."""
    _check_open(order)
    if order.status == "on_the_truck":
        raise OrderError("already_shipped", order.id, order)
    if order.status == "delivered":
        raise OrderError("already_delivered", order.id, order)


def check_refund(order: Order, amount: Decimal | None) -> Decimal:
    """The sum that would be paid back for `amount` (None: the whole price)."""
    _check_open(order)
    paid = order.price if amount is None else amount
    if not paid.is_finite() or paid <= 0:
        raise OrderError("bad_amount", order.id, order)
    if paid > order.price:
        raise OrderError("amount_too_high", order.id, order)
    if paid != round(paid, 2):
        raise OrderError("bad_amount", order.id, order)
    return paid


def check_cancel(order: Order) -> None:
    """Whether it can be cancelled: while it is not delivered."""
    _check_open(order)
    if order.status == "delivered":
        raise OrderError("already_delivered", order.id, order)


def _check_open(order: Order) -> None:
    if order.status in ("refunded", "cancelled"):
        raise OrderError(f"already_{order.status}", order.id, order)
