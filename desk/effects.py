"""What an agent's tool call did in the world of orders, and why a call may do nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from memory.errors import StoreUnavailable

if TYPE_CHECKING:
    from .order import Order

Kind = Literal["delivery", "delivery_undone", "refund", "cancel", "summary"]


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing done, for good, by one tool call. An effect is never taken away by an edit of the memory.

    `id` grows with each effect. `order_id` is the order it was done to ("" for a ticket summary: its orders
    are in `detail["orders"]`). `call_id` is the tool call that caused it: no two effects share one.
    `session` is the session of that call ("<backend>/<session_id>"), "" once its words were erased; `at` is
    aware UTC. `detail` is what was done, in JSON terms; `before` what it replaced (the delivery, or the
    status), None where it replaced nothing.
    `current` is False once the samples were restored: it happened, and the orders no longer show it.
    """

    id: int
    order_id: str
    kind: Kind
    call_id: str
    session: str
    at: datetime
    detail: Mapping[str, Any]
    before: Mapping[str, Any] | None = None
    current: bool = True


class OrderError(Exception):
    """The order does not allow it; nothing was changed. `code` says why, `order` is how it stands.

    Codes: unknown_order, already_refunded, already_cancelled, already_delivered, already_shipped (it is on
    the truck), amount_too_high, bad_amount, nothing_to_undo (the delivery was never changed), already_undone,
    earlier_address_erased (what it went to before was erased with a conversation), no_change,
    call_id_missing, call_id_reused (another call, or another session, had an effect under this call id).
    """

    def __init__(self, code: str, order_id: str, order: Order | None = None) -> None:
        super().__init__(f"{code}: {order_id}")
        self.code = code
        self.order_id = order_id
        self.order = order


class OrdersUnavailable(StoreUnavailable):
    """The orders' file cannot be read or written now. Nothing was changed."""
