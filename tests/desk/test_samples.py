"""The samples as data a prototyper edits: what is accepted, and what is refused in words."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from desk.orders import Orders
from desk.samples import OWN_SEED, SampleError, load_orders, seed_file

MONDAY = date(2026, 5, 4)
TENT: dict[str, Any] = {
    "order": "T1",
    "item": "tent",
    "price": "99.00",
    "currency": "EUR",
    "status": "not_shipped",
    "ordered_on": "today",
    "ships_on": "2 days after today",
    "delivery": {"to": "address", "address": "1 Camp Road"},
}


@pytest.fixture
def seed(tmp_path: Path) -> Path:
    return tmp_path / "orders.json"


def write(path: Path, rows: object) -> Path:
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def test_a_folder_of_ones_own_is_used(tmp_path: Path) -> None:
    mine = write(tmp_path / "orders.json", [TENT])
    assert seed_file("orders.json", {"DESK_SEED": str(tmp_path)}) == mine


def test_what_the_folder_lacks_is_the_desks_own(tmp_path: Path) -> None:
    assert seed_file("policy.json", {"DESK_SEED": str(tmp_path)}) == OWN_SEED / "policy.json"
    assert seed_file("orders.json", {}) == OWN_SEED / "orders.json"
    assert seed_file("orders.json", {"DESK_SEED": " "}) == OWN_SEED / "orders.json"


def test_orders_of_ones_own_are_the_samples(seed: Path) -> None:
    with Orders(":memory:", lambda: MONDAY, seed=write(seed, [TENT])) as orders:
        (order,) = orders.all()
    assert (order.id, order.item, order.currency) == ("T1", "tent", "EUR")
    assert order.dates["ships_on"] == date(2026, 5, 6)


def test_a_plain_name_names_the_item_in_every_language(seed: Path) -> None:
    with Orders(":memory:", seed=write(seed, [TENT])) as orders:
        (order,) = orders.all()
    assert set(order.names.values()) == {"tent"}


def test_a_byte_order_mark_is_accepted(seed: Path) -> None:
    seed.write_text(json.dumps([TENT]), encoding="utf-8-sig")
    assert list(load_orders(seed, MONDAY)) == ["T1"]


def test_restoring_reads_the_file_again(seed: Path, tmp_path: Path) -> None:
    with Orders(tmp_path / "orders.db", seed=write(seed, [TENT])) as orders:
        orders.cancel("T1", "", call_id="c1", session="s")
        write(seed, [TENT, {**TENT, "order": "T2"}])
        assert orders.get("T2") is None
        orders.restore()
        assert [order.id for order in orders.all()] == ["T1", "T2"]


def test_restoring_from_a_broken_file_leaves_the_orders(seed: Path, tmp_path: Path) -> None:
    with Orders(tmp_path / "orders.db", seed=write(seed, [TENT])) as orders:
        orders.cancel("T1", "", call_id="c1", session="s")
        seed.write_text("{", encoding="utf-8")
        with pytest.raises(SampleError, match=r"orders\.json is not JSON"):
            orders.restore()
        assert [order.status for order in orders.all()] == ["cancelled"]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"price": 99}, "'price' must be a sum"),
        ({"price": "99,00"}, "'price' must be a sum"),
        ({"price": "-1"}, "'price' must be a sum"),
        ({"price": "1.234"}, "'price' must be a sum"),
        ({"price": "１２"}, "'price' must be a sum"),
        ({"status": "lost"}, "'status' is 'lost'"),
        ({"ships_on": "soon"}, "'soon' is no date rule"),
        ({"ships_on": 3}, "'ships_on' must be a text"),
        ({"item": {"fr": "tente"}}, "'item' must be a name"),
        ({"item": ""}, "'item' must be a name"),
        ({"delivery": {"to": "moon"}}, "'delivery' must be"),
        ({"delivery": {"to": "address"}}, "'address' must be a text"),
        ({"order": "t 1"}, "'order' must be capital letters and digits"),
        ({"currency": None}, "'currency' must be a text"),
    ],
)
def test_a_record_that_is_no_order_is_named_with_its_place(
    seed: Path, changed: dict[str, Any], words: str
) -> None:
    write(seed, [{**TENT, "order": "T0"}, {**TENT, **changed}])
    with pytest.raises(SampleError) as caught:
        load_orders(seed, MONDAY)
    assert str(caught.value).startswith("orders.json, order 2: ")
    assert words in str(caught.value)


def test_two_orders_of_one_id_are_refused(seed: Path) -> None:
    with pytest.raises(SampleError, match="order 2: there are two orders T1"):
        load_orders(write(seed, [TENT, TENT]), MONDAY)


@pytest.mark.parametrize("rows", [{}, "x", 3, None, [3]])
def test_what_is_no_list_of_orders_is_refused(seed: Path, rows: object) -> None:
    with pytest.raises(SampleError, match=r"orders\.json"):
        load_orders(write(seed, rows), MONDAY)


def test_a_missing_file_is_refused_in_words(seed: Path) -> None:
    with pytest.raises(SampleError, match=r"orders\.json cannot be read"):
        load_orders(seed, MONDAY)


def test_bytes_that_are_no_text_are_refused_in_words(seed: Path) -> None:
    seed.write_bytes(b"\xff\xfe\x00[")
    with pytest.raises(SampleError, match=r"orders\.json is not JSON"):
        load_orders(seed, MONDAY)
