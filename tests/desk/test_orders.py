"""The orders: samples that never grow old, and effects that happen once."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from desk.dates import weekday_name
from desk.orders import Delivery, Effect, Order, OrderError, Orders, OrdersUnavailable

MONDAY = date(2026, 5, 4)
FORTNIGHT = [MONDAY + timedelta(days=n) for n in range(14)]
PICKUP = Delivery("pickup", pickup_point="central-station")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "orders.db"


@pytest.fixture(params=["memory", "file"])
def orders(request: pytest.FixtureRequest, path: Path) -> Iterator[Orders]:
    with Orders(":memory:" if request.param == "memory" else path, lambda: MONDAY) as made:
        yield made


def known(orders: Orders, order_id: str) -> Order:
    order = orders.get(order_id)
    assert order is not None
    return order


def refused(code: str) -> pytest.RaisesExc[OrderError]:
    return pytest.RaisesExc(OrderError, match=f"^{code}:")


# The samples


@pytest.mark.parametrize("today", FORTNIGHT, ids=str)
def test_the_four_known_orders_are_as_told_on_any_day(today: date) -> None:
    with Orders(":memory:", lambda: today) as orders:
        a, b, c, d = (known(orders, key) for key in ("A100", "B205", "C310", "D411"))
    assert (a.item, a.price, a.status) == ("teapot", Decimal("39.00"), "not_shipped")
    assert (b.item, b.price, b.status) == ("desk lamp", Decimal("64.50"), "shipped")
    assert (c.item, c.price, c.status) == ("coffee grinder", Decimal("189.00"), "delivered")
    assert (d.item, d.price, d.status) == ("bookshelf", Decimal("120.00"), "on_the_truck")
    ships = a.dates["ships_on"]
    friday = next(day for n in range(1, 8) if weekday_name(day := today + timedelta(days=n)) == "Friday")
    assert ships == friday + timedelta(days=3)
    assert b.dates["arrives_on"] == today + timedelta(days=3)


@pytest.mark.parametrize("today", FORTNIGHT, ids=str)
def test_every_sample_makes_sense_on_any_day(today: date) -> None:
    with Orders(":memory:", lambda: today) as orders:
        for order in orders.all():
            dates, status = order.dates, order.status
            assert dates["ordered_on"] <= today
            assert ("ships_on" in dates) == (status == "not_shipped")
            assert dates.get("ships_on", today) >= today
            assert dates.get("shipped_on", today) <= today
            assert dates.get("arrives_on", today) >= today
            known = [dates[n] for n in ("ordered_on", "shipped_on", "delivered_on") if n in dates]
            assert known == sorted(known)
            assert ("delivered_on" in dates) == (status in ("delivered", "refunded"))
            assert (status in ("shipped", "on_the_truck")) <= bool(order.tracking)


def test_there_are_enough_samples_of_every_status() -> None:
    with Orders(":memory:", lambda: MONDAY) as orders:
        every = orders.all()
    assert len(every) >= 14
    assert {order.status for order in every} == {
        "not_shipped",
        "shipped",
        "on_the_truck",
        "delivered",
        "cancelled",
        "refunded",
    }


def test_items_are_named_in_three_languages() -> None:
    with Orders(":memory:") as orders:
        order = known(orders, "A100")
    assert dict(order.names) == {"en": "teapot", "zh-Hans": "茶壶", "zh-Hant": "茶壺"}


def test_live_orders_do_not_grow_old_either(path: Path) -> None:
    with Orders(path, lambda: MONDAY) as orders:
        orders.set_delivery("A100", PICKUP, call_id="c1", session="s")
    with Orders(path, lambda: MONDAY + timedelta(days=30)) as orders:
        order = known(orders, "A100")
    assert order.delivery == PICKUP
    assert order.dates["ships_on"] == date(2026, 6, 8)


@pytest.mark.parametrize("typed", ["A100", "a100", " a100\n", "Ａ１００", "#A100", "# a100"])
def test_an_order_is_found_as_people_write_it(typed: str) -> None:
    with Orders(":memory:") as orders:
        order = known(orders, typed)
    assert order.id == "A100"


def test_a_journey_is_told_in_time_order(orders: Orders) -> None:
    stops = [(stop.event, stop.expected) for stop in orders.track("B205")]
    assert stops == [("ordered", False), ("shipped", False), ("arrives", True)]
    assert [stop.event for stop in orders.track("D411")] == ["ordered", "shipped", "on_the_truck", "arrives"]


def test_a_cancelled_order_is_not_expected_anywhere(orders: Orders) -> None:
    orders.cancel("A100", "", call_id="c1", session="s")
    assert not any(stop.expected for stop in orders.track("A100"))


# The file


def test_reading_makes_no_file(path: Path) -> None:
    with Orders(path) as orders:
        assert known(orders, "A100")
        assert orders.all()
        assert orders.history("A100") == []
        assert orders.effects(session="s") == []
        orders.restore()
        assert orders.forget("s") == 0
    assert not path.parent.exists()


def test_the_first_write_makes_the_live_state(path: Path) -> None:
    with Orders(path) as orders:
        orders.set_delivery("A100", PICKUP, call_id="c1", session="s")
    with Orders(path) as again:
        order = known(again, "A100")
        assert order.delivery == PICKUP
        assert len(again.all()) >= 14


def test_a_refused_first_write_leaves_the_samples_in_charge(path: Path) -> None:
    with Orders(path) as orders:
        with refused("unknown_order"):
            orders.refund("Z999", None, "", call_id="c1", session="s")
        order = known(orders, "A100")
        assert order.status == "not_shipped"
        assert orders.effects(call_ids=["c1"]) == []


def test_only_the_orders_file_is_left_behind(path: Path) -> None:
    with Orders(path) as orders:
        orders.cancel("A100", "", call_id="c1", session="s")
    assert [file.name for file in path.parent.iterdir()] == ["orders.db"]


def test_a_path_with_marks_of_an_address_is_a_path(tmp_path: Path) -> None:
    odd = tmp_path / "a?mode=ro#100%25 订单.db"
    with Orders(odd) as orders:
        orders.cancel("A100", "", call_id="c1", session="s")
        order = known(orders, "A100")
    assert odd.is_file()
    assert order.status == "cancelled"


def test_a_junk_file_is_refused_in_words_and_kept(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"this is not a database, whatever its name says" * 100)
    before = path.read_bytes()
    with Orders(path) as orders:
        with pytest.raises(OrdersUnavailable, match="orders' file"):
            known(orders, "A100")
        with pytest.raises(OrdersUnavailable, match="orders' file"):
            orders.cancel("A100", "", call_id="c1", session="s")
    assert path.read_bytes() == before


def test_a_folder_in_its_place_is_refused_in_words(path: Path) -> None:
    path.mkdir(parents=True)
    with Orders(path) as orders, pytest.raises(OrdersUnavailable, match="orders' file"):
        known(orders, "A100")


def test_a_newer_file_is_not_touched(path: Path) -> None:
    with Orders(path) as orders:
        orders.cancel("A100", "", call_id="c1", session="s")
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    with Orders(path) as orders, pytest.raises(OrdersUnavailable, match="newer version"):
        orders.cancel("B205", "", call_id="c2", session="s")


def test_a_file_another_program_locks_can_be_read_and_is_refused_in_words(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desk.ordersdb.WAIT", 0.05)
    with Orders(path) as orders:
        orders.cancel("A100", "", call_id="c1", session="s")
    with Orders(path) as orders, closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert known(orders, "A100").status == "cancelled"
        with pytest.raises(OrdersUnavailable, match="locked by another program"):
            orders.cancel("B205", "", call_id="c2", session="s")
        other.rollback()
        orders.cancel("B205", "", call_id="c2", session="s")


def test_a_row_that_cannot_be_read_is_refused_in_words(path: Path) -> None:
    with Orders(path) as orders:
        orders.cancel("A100", "", call_id="c1", session="s")
    with Orders(path) as orders, closing(sqlite3.connect(path)) as other:
        other.execute("UPDATE orders SET data = '{' WHERE order_id = 'B205'")
        other.commit()
        assert known(orders, "A100").status == "cancelled"
        for broken in (lambda: orders.get("B205"), orders.all):
            with pytest.raises(OrdersUnavailable, match="cannot be read"):
                broken()
        orders.restore()
        assert known(orders, "B205").status == "shipped"


def test_errors_name_no_path(path: Path) -> None:
    path.mkdir(parents=True)
    with Orders(path) as orders, pytest.raises(OrdersUnavailable) as caught:
        orders.refund("C310", None, "", call_id="c1", session="s")
    assert str(path.parent) not in str(caught.value)


def test_a_file_that_was_deleted_under_the_desk_is_made_again(path: Path) -> None:
    with Orders(path) as orders:
        orders.cancel("A100", "", call_id="c1", session="s")
        path.unlink()
        order = known(orders, "A100")
        assert order.status == "not_shipped"
        orders.cancel("A100", "", call_id="c2", session="s")
        assert [effect.call_id for effect in orders.history("A100")] == ["c2"]


# Deliveries


def test_a_delivery_change_keeps_the_address_as_typed(orders: Orders) -> None:
    typed = "「台北市信義路五段7號」, 2/F"
    effect = orders.set_delivery("B205", Delivery("address", typed), call_id="c1", session="file/t")
    order = known(orders, "B205")
    assert order.delivery == Delivery("address", typed)
    assert effect.detail == {"delivery": {"to": "address", "address": typed}}
    assert effect.before == {"delivery": {"to": "address", "address": "台北市大安區和平東路二段18號"}}


@pytest.mark.parametrize(
    ("order_id", "code"),
    [
        ("D411", "already_shipped"),
        ("C310", "already_delivered"),
        ("M329", "already_cancelled"),
        ("N430", "already_refunded"),
        ("Z999", "unknown_order"),
    ],
)
def test_a_delivery_that_cannot_change_is_refused(orders: Orders, order_id: str, code: str) -> None:
    with refused(code):
        orders.set_delivery(order_id, PICKUP, call_id="c1", session="s")
    with refused(code):
        orders.undo_delivery(order_id, call_id="c2", session="s")
    assert orders.effects(call_ids=["c1", "c2"]) == []


def test_changing_to_the_same_delivery_is_no_change(orders: Orders) -> None:
    orders.set_delivery("A100", PICKUP, call_id="c1", session="s")
    with refused("no_change"):
        orders.set_delivery("A100", PICKUP, call_id="c2", session="s")
    assert [effect.call_id for effect in orders.history("A100")] == ["c1"]


def test_undo_goes_back_change_by_change(orders: Orders) -> None:
    elsewhere = Delivery("address", "1 New Road")
    orders.set_delivery("A100", PICKUP, call_id="c1", session="s")
    orders.set_delivery("A100", elsewhere, call_id="c2", session="s")
    first = orders.undo_delivery("A100", call_id="c3", session="s")
    assert first.detail == {"delivery": PICKUP.facts(), "undoes": "c2"}
    second = orders.undo_delivery("A100", call_id="c4", session="s")
    assert second.detail["delivery"]["address"] == "12 Harbour Lane, Bristol"
    with refused("already_undone"):
        orders.undo_delivery("A100", call_id="c5", session="s")


def test_undo_tells_an_address_that_was_erased_from_one_that_never_was(orders: Orders) -> None:
    orders.set_delivery("A100", Delivery("address", "1 New Road"), call_id="c1", session="one")
    orders.set_delivery("A100", PICKUP, call_id="c2", session="two")
    orders.forget("one")
    with refused("earlier_address_erased"):
        orders.undo_delivery("A100", call_id="c3", session="two")
    with refused("nothing_to_undo"):
        orders.undo_delivery("F623", call_id="c4", session="two")
    assert known(orders, "A100").delivery == PICKUP


# Refunds and cancellations


def test_a_refund_without_an_amount_is_the_whole_price(orders: Orders) -> None:
    effect = orders.refund("C310", None, "broken", call_id="c1", session="s")
    assert effect.detail == {"amount": "189.00", "currency": "USD", "reason": "broken"}
    order = known(orders, "C310")
    assert (order.status, order.refunded) == ("refunded", Decimal("189.00"))


def test_a_partial_refund_is_the_only_one(orders: Orders) -> None:
    orders.refund("C310", Decimal("20.5"), "", call_id="c1", session="s")
    order = known(orders, "C310")
    assert order.refunded == Decimal("20.50")
    with refused("already_refunded"):
        orders.refund("C310", Decimal(1), "", call_id="c2", session="s")
    with refused("already_refunded"):
        orders.cancel("C310", "", call_id="c3", session="s")


@pytest.mark.parametrize("amount", ["0", "-1", "0.001", "1.005", "NaN", "Infinity", "-Infinity", "sNaN"])
def test_an_amount_that_is_no_sum_is_refused(orders: Orders, amount: str) -> None:
    with refused("bad_amount"):
        orders.refund("C310", Decimal(amount), "", call_id="c1", session="s")


@pytest.mark.parametrize("amount", ["189.01", "1e9", "1E+400"])
def test_more_than_the_price_is_refused(orders: Orders, amount: str) -> None:
    with refused("amount_too_high"):
        orders.refund("C310", Decimal(amount), "", call_id="c1", session="s")


def test_a_delivered_order_is_not_cancelled(orders: Orders) -> None:
    with refused("already_delivered"):
        orders.cancel("C310", "", call_id="c1", session="s")


def test_a_cancelled_order_is_neither_cancelled_again_nor_refunded(orders: Orders) -> None:
    orders.cancel("D411", "changed my mind", call_id="c1", session="s")
    with refused("already_cancelled"):
        orders.cancel("D411", "", call_id="c2", session="s")
    with refused("already_cancelled"):
        orders.refund("D411", None, "", call_id="c3", session="s")


# One call, one effect


def test_the_same_call_again_returns_the_effect_it_had(orders: Orders) -> None:
    first = orders.refund("C310", None, "broken", call_id="c1", session="s")
    assert orders.refund("C310", None, "broken", call_id="c1", session="s") == first
    assert len(orders.history("C310")) == 1


def test_the_same_call_again_returns_its_effect_even_when_the_order_moved_on(orders: Orders) -> None:
    first = orders.set_delivery("A100", PICKUP, call_id="c1", session="s")
    orders.cancel("A100", "", call_id="c2", session="s")
    assert orders.set_delivery("A100", PICKUP, call_id="c1", session="s") == first


def test_another_call_under_a_used_id_does_nothing(orders: Orders) -> None:
    orders.cancel("A100", "", call_id="c1", session="s")
    with refused("call_id_reused"):
        orders.refund("C310", None, "", call_id="c1", session="s")
    with refused("call_id_reused"):
        orders.set_delivery("B205", PICKUP, call_id="c1", session="s")
    with refused("call_id_reused"):
        orders.cancel("A100", "", call_id="c1", session="another")
    assert len(orders.effects(call_ids=["c1"])) == 1


def test_a_call_without_an_id_does_nothing(orders: Orders) -> None:
    with refused("call_id_missing"):
        orders.cancel("A100", "", call_id="", session="s")


def test_an_effect_is_stamped_in_utc_by_the_clock_it_is_given(path: Path) -> None:
    noon = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
    with Orders(path, lambda: MONDAY, now=lambda: noon) as orders:
        orders.cancel("A100", "", call_id="c1", session="s")
        (effect,) = orders.history("A100")
    assert effect.at == noon
    assert effect.at.utcoffset() == timedelta(0)


# Summaries, history, finding effects


def test_a_summary_stands_in_the_history_of_every_order_it_names(orders: Orders) -> None:
    orders.record_summary("A100 and B205: moved.", ["a100", "B205", "A100"], call_id="c1", session="s")
    for key in ("A100", "B205"):
        (effect,) = orders.history(key)
        assert (effect.kind, effect.detail["orders"]) == ("summary", ["A100", "B205"])


def test_a_summary_of_no_order_is_kept_with_its_session(orders: Orders) -> None:
    effect = orders.record_summary("Asked for opening hours.", [], call_id="c1", session="s")
    assert orders.effects(session="s") == [effect]


def test_a_summary_that_names_an_unknown_order_is_refused(orders: Orders) -> None:
    with refused("unknown_order"):
        orders.record_summary("x", ["A100", "Z999"], call_id="c1", session="s")
    assert orders.history("A100") == []


def test_effects_are_found_by_session_by_call_or_by_both(orders: Orders) -> None:
    orders.cancel("A100", "", call_id="c1", session="one")
    orders.cancel("B205", "", call_id="c2", session="two")
    orders.cancel("D411", "", call_id="c3", session="one")

    def ids(found: list[Effect]) -> list[str]:
        return [effect.call_id for effect in found]

    assert ids(orders.effects()) == ["c1", "c2", "c3"]
    assert ids(orders.effects(session="one")) == ["c1", "c3"]
    assert ids(orders.effects(call_ids=["c3", "c2", "c0"])) == ["c2", "c3"]
    assert ids(orders.effects(session="one", call_ids=["c3", "c2"])) == ["c3"]
    assert ids(orders.effects(call_ids=[])) == []
    many = [f"x{n}" for n in range(3000)]
    assert ids(orders.effects(call_ids=[*many, "c1"])) == ["c1"]


@pytest.mark.parametrize(
    "hostile",
    ["A100'; DROP TABLE orders;--", "%", "_", "A1_0", '"', "A100\0", "\ud800", "A100" * 5000, "", " "],
)
def test_a_hostile_id_is_an_unknown_order(orders: Orders, hostile: str) -> None:
    orders.set_delivery("A100", PICKUP, call_id="c0", session="s")
    assert orders.get(hostile) is None
    assert orders.track(hostile) == []
    assert orders.history(hostile) == []
    with refused("unknown_order"):
        orders.cancel(hostile, hostile, call_id="c1", session="s")
    assert len(orders.all()) >= 14


# Restoring and forgetting


def test_restoring_brings_the_samples_back_and_keeps_the_history(orders: Orders) -> None:
    orders.refund("C310", None, "broken", call_id="c1", session="s")
    orders.set_delivery("A100", PICKUP, call_id="c2", session="s")
    orders.restore()
    c, a = known(orders, "C310"), known(orders, "A100")
    assert c.status == "delivered"
    assert a.delivery.address == "12 Harbour Lane, Bristol"
    assert [effect.current for effect in orders.effects()] == [False, False]


def test_after_restoring_an_order_can_be_refunded_once_more_by_another_call(orders: Orders) -> None:
    first = orders.refund("C310", None, "broken", call_id="c1", session="s")
    orders.restore()
    again = orders.refund("C310", None, "broken", call_id="c1", session="s")
    assert again.id == first.id
    c = known(orders, "C310")
    assert c.status == "delivered"
    orders.refund("C310", None, "broken", call_id="c2", session="s")
    with refused("already_refunded"):
        orders.refund("C310", None, "broken", call_id="c3", session="s")


def test_what_was_changed_before_restoring_is_not_undone_after_it(orders: Orders) -> None:
    orders.set_delivery("A100", PICKUP, call_id="c1", session="s")
    orders.restore()
    with refused("nothing_to_undo"):
        orders.undo_delivery("A100", call_id="c2", session="s")


def test_forgetting_a_session_erases_its_words_from_the_file(path: Path) -> None:
    with Orders(path) as orders:
        orders.set_delivery(
            "A100", Delivery("address", "1 MARKER street"), call_id="c1", session="file/MARKER"
        )
        orders.set_delivery("A100", PICKUP, call_id="c2", session="file/other")
        orders.set_delivery(
            "B205", Delivery("address", "1 MARKER street"), call_id="c3", session="file/MARKER"
        )
        orders.undo_delivery("B205", call_id="c4", session="file/MARKER")
        orders.set_delivery(
            "H845", Delivery("address", "2 MARKER street"), call_id="c5", session="file/MARKER"
        )
        orders.refund("C310", None, "the MARKER broke " * 300, call_id="c6", session="file/MARKER")
        orders.cancel("D411", "MARKER", call_id="c7", session="file/MARKER")
        orders.record_summary("MARKER wants money back", ["C310"], call_id="c8", session="file/MARKER")
        assert b"MARKER" in path.read_bytes()
        assert orders.forget("file/MARKER") == 7
        c, h = known(orders, "C310"), known(orders, "H845")
    assert c.status == "refunded"
    assert h.delivery == Delivery("address", "")
    for file in path.parent.iterdir():
        assert b"MARKER" not in file.read_bytes()


def test_forgetting_leaves_what_other_sessions_and_the_samples_say(orders: Orders) -> None:
    shared = Delivery("address", "1 Shared Road")
    orders.set_delivery("A100", shared, call_id="c1", session="one")
    orders.set_delivery("B205", shared, call_id="c2", session="two")
    orders.refund("C310", None, "broken", call_id="c3", session="two")
    orders.undo_delivery("A100", call_id="c4", session="one")
    orders.forget("one")
    a, b = known(orders, "A100"), known(orders, "B205")
    assert a.delivery.address == "12 Harbour Lane, Bristol"
    assert b.delivery == shared
    assert [effect.detail.get("reason") for effect in orders.effects(session="two")] == [None, "broken"]


def test_a_forgotten_call_still_has_its_one_effect(orders: Orders) -> None:
    orders.refund("C310", None, "broken", call_id="c1", session="s")
    orders.forget("s")
    effect = orders.refund("C310", None, "broken", call_id="c1", session="s")
    assert effect.detail["reason"] == ""
    assert len(orders.history("C310")) == 1


# Racing


def test_threads_racing_with_one_call_have_one_effect_between_them(orders: Orders) -> None:
    start = threading.Barrier(8)

    def refund(_: int) -> int:
        start.wait()
        return orders.refund("C310", None, "broken", call_id="c1", session="s").id

    with ThreadPoolExecutor(8) as pool:
        ids = set(pool.map(refund, range(8)))
    assert len(ids) == 1
    assert len(orders.history("C310")) == 1


def test_threads_racing_for_one_order_settle_it_once(orders: Orders) -> None:
    start = threading.Barrier(8)

    def settle(number: int) -> str:
        start.wait()
        try:
            if number % 2:
                return orders.refund("D411", None, "", call_id=f"c{number}", session="s").kind
            return orders.cancel("D411", "", call_id=f"c{number}", session="s").kind
        except OrderError as refusal:
            return refusal.code

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(settle, range(8)))
    (effect,) = orders.history("D411")
    refusal = "already_refunded" if effect.kind == "refund" else "already_cancelled"
    assert sorted(answers) == sorted([effect.kind, *[refusal] * 7])


def test_several_desks_opening_one_new_file_at_once_all_write(path: Path) -> None:
    desks = [Orders(path) for _ in range(6)]
    start = threading.Barrier(6)

    def write(number: int) -> None:
        start.wait()
        desks[number].record_summary(f"note {number}", ["A100"], call_id=f"c{number}", session="s")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(6)))
    assert len(desks[0].history("A100")) == 6
