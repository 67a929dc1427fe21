"""The policy: which refunds and cancellations a person decides about, and where orders are picked up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from desk.orders import Order, Orders
from desk.policy import Policy, load_policy
from desk.samples import OWN_SEED, SampleError


@pytest.fixture
def orders() -> Iterator[Orders]:
    with Orders(":memory:") as made:
        yield made


def order(orders: Orders, order_id: str) -> Order:
    found = orders.get(order_id)
    assert found is not None
    return found


@pytest.fixture
def policy() -> Policy:
    return load_policy()


def edited(tmp_path: Path, **changes: Any) -> Path:
    data = json.loads((OWN_SEED / "policy.json").read_text(encoding="utf-8"))
    path = tmp_path / "policy.json"
    path.write_text(json.dumps({**data, **changes}), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("order_id", "amount", "asks"),
    [
        ("C310", None, True),
        ("C310", "50.00", False),
        ("C310", "50.01", True),
        ("E512", None, False),
        ("G734", None, False),  # its price is the limit itself
    ],
)
def test_a_person_decides_above_the_limit(
    policy: Policy, orders: Orders, order_id: str, amount: str | None, asks: bool
) -> None:
    assert policy.refund_asks(order(orders, order_id), Decimal(amount) if amount else None) is asks


@pytest.mark.parametrize(("order_id", "asks"), [("A100", False), ("B205", True), ("D411", True)])
def test_a_person_decides_about_cancelling_what_is_on_its_way(
    policy: Policy, orders: Orders, order_id: str, asks: bool
) -> None:
    assert policy.cancel_asks(order(orders, order_id)) is asks


@pytest.mark.parametrize(
    "named",
    [
        "market-street",
        "Market Street shop",
        "MARKET STREET SHOP",
        "市场街门店",
        "市場街門市",
        " market street ",
    ],
)
def test_a_pickup_point_is_found_by_its_id_or_any_of_its_names(policy: Policy, named: str) -> None:
    point = policy.pickup_point(named)
    assert point is not None
    assert point.id == "market-street"


def test_the_first_pickup_point_is_used_where_none_is_named(policy: Policy) -> None:
    point = policy.pickup_point(" ")
    assert point is not None
    assert point.id == "central-station"


def test_a_pickup_point_that_does_not_exist_is_not_made_up(policy: Policy) -> None:
    assert policy.pickup_point("the moon") is None


def test_the_pickup_points_of_the_samples_exist(policy: Policy, orders: Orders) -> None:
    used = {each.delivery.pickup_point for each in orders.all() if each.delivery.to == "pickup"}
    assert used <= {point.id for point in policy.pickup_points}


def test_agents_are_told_the_rules(policy: Policy, tmp_path: Path) -> None:
    said = policy.sentences()
    assert "50.00" in said
    assert "shipped or on the truck waits for a person" in said
    assert "market-street" in said
    other = load_policy(
        edited(tmp_path, refund_limit="10", cancel_asks_when=[], refund_before_delivery=False)
    ).sentences()
    assert "10.00" in other
    assert "waits for a person" not in other
    assert "not refunded: it can be cancelled" in other


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"refund_limit": 50}, "'refund_limit' must be a sum"),
        ({"refund_before_delivery": "yes"}, "'refund_before_delivery' must be true or false"),
        ({"cancel_asks_when": ["sometimes"]}, "'cancel_asks_when' must be a list of"),
        ({"cancel_asks_when": [["shipped"]]}, "'cancel_asks_when' must be a list of"),
        ({"cancel_asks_when": None}, "'cancel_asks_when' must be a list of"),
        ({"pickup_points": []}, "'pickup_points' must be a list with at least one"),
        ({"pickup_points": [{"name": "x"}]}, "every pickup point must have an 'id'"),
        ({"pickup_points": [{"id": "x"}]}, "'name' must be a name"),
    ],
)
def test_what_is_no_policy_is_refused_in_words(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(SampleError) as caught:
        load_policy(edited(tmp_path, **changes))
    assert str(caught.value).startswith("policy.json: ")
    assert words in str(caught.value)


def test_a_policy_that_is_no_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(SampleError, match=r"policy\.json: it is not a record"):
        load_policy(path)
