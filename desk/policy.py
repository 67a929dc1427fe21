"""What the desk may do by itself, and what a person decides: data a prototyper edits.

`policy.json`, in the desk's seed folder or in that of `DESK_SEED` (see `desk.samples`):

    refund_limit             refunds up to this sum go through, above it a person decides ("50.00")
    refund_before_delivery   whether an order that has not arrived can be refunded (else: cancel it)
    cancel_asks_when         the statuses of an order in which a person decides about cancelling it
    pickup_points            where orders can be picked up; the first one is used when none is named
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from .order import STATUSES, Order, Status, read_money, read_names
from .samples import OWN_SEED, SampleError, read_seed


@dataclass(frozen=True, slots=True)
class PickupPoint:
    """A place to pick orders up: its id, and its names by language tag."""

    id: str
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Policy:
    """The desk's rules. Money is in the order's own currency."""

    refund_limit: Decimal
    refund_before_delivery: bool
    cancel_asks_when: frozenset[Status]
    pickup_points: tuple[PickupPoint, ...]

    def refund_asks(self, order: Order, amount: Decimal | None) -> bool:
        """Whether a person decides about paying back `amount` (None: the whole price) of an order."""
        return (order.price if amount is None else amount) > self.refund_limit

    def cancel_asks(self, order: Order) -> bool:
        """Whether a person decides about cancelling an order as it stands."""
        return order.status in self.cancel_asks_when

    def pickup_point(self, named: str) -> PickupPoint | None:
        """The pickup point of that id or name, in any language; the first one where nothing is named."""
        wanted = _plain(named)
        if not wanted:
            return self.pickup_points[0]
        for point in self.pickup_points:
            if wanted in {_plain(point.id), *map(_plain, point.names.values())}:
                return point
        return None

    def sentences(self) -> str:
        """The rules as an agent is told them, one a line."""
        asks = " or ".join(status.replace("_", " ") for status in STATUSES if status in self.cancel_asks_when)
        points = "; ".join(f"{point.id} ({', '.join(_unique(point.names))})" for point in self.pickup_points)
        early = (
            "An order can be refunded before it has arrived."
            if self.refund_before_delivery
            else "An order that has not arrived is not refunded: it can be cancelled."
        )
        return "\n".join(
            (
                f"- Refunds up to {self.refund_limit} go through; above that a person decides.",
                f"- {early}",
                f"- Cancelling an order that is {asks} waits for a person; otherwise it is done at once."
                if asks
                else "- An order that has not arrived is cancelled at once.",
                "- An order is refunded or cancelled at most once.",
                "- The delivery of an order can be changed until it is on the truck.",
                f"- Pickup points: {points}. If the customer names none, use the first.",
            )
        )


def load_policy(path: Path = OWN_SEED / "policy.json") -> Policy:
    """The policy of a file. Raises SampleError, one sentence, where it is no policy."""
    data = read_seed(path)
    try:
        if not isinstance(data, dict):
            raise ValueError("it is not a record")
        return _read(data)
    except ValueError as error:
        raise SampleError(f"{path.name}: {error}.") from None


def _read(data: Mapping[str, Any]) -> Policy:
    early = data.get("refund_before_delivery", True)
    if not isinstance(early, bool):
        raise ValueError("'refund_before_delivery' must be true or false")
    asks = data.get("cancel_asks_when")
    if not isinstance(asks, list) or not all(status in STATUSES for status in asks):
        raise ValueError(f"'cancel_asks_when' must be a list of {', '.join(STATUSES)}")
    points = data.get("pickup_points")
    if not isinstance(points, list) or not points:
        raise ValueError("'pickup_points' must be a list with at least one point")
    return Policy(
        refund_limit=read_money(data.get("refund_limit"), "refund_limit"),
        refund_before_delivery=early,
        cancel_asks_when=frozenset(asks),
        pickup_points=tuple(_point(point) for point in points),
    )


def _point(data: object) -> PickupPoint:
    if not isinstance(data, dict) or not isinstance(data.get("id"), str) or not _plain(data["id"]):
        raise ValueError("every pickup point must have an 'id' and a 'name'")
    return PickupPoint(data["id"], read_names(data.get("name"), "name"))


def _plain(text: str) -> str:
    """A name without what people vary: width, case, blanks and hyphens."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().replace("-", " ").split())


def _unique(names: Mapping[str, str]) -> list[str]:
    return list(dict.fromkeys(names.values()))
