"""Messages that go on from the one before: corrected, repeated, taken back, or left."""

from __future__ import annotations

from pathlib import Path

import pytest

from .judging import is_question
from .world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "orders.db")


def _delivery(world: World, order: str) -> str:
    found = world.orders.get(order)
    assert found is not None
    return str(found.delivery.to)


@pytest.mark.parametrize(
    ("wish", "correction"),
    [
        ("Change A100 to pickup", "no wait, I meant B205"),
        ("Change A100 to pickup", "sorry, B205"),
        ("把A100改成自提", "不对，是B205"),
        ("把A100改成自提", "不是，是B205"),
        ("把A100改成自取", "搞錯了，是B205"),
    ],
)
async def test_a_correction_moves_the_change_to_the_right_order(
    world: World, wish: str, correction: str
) -> None:
    await world.say(wish)
    await world.say(correction)
    assert (_delivery(world, "A100"), _delivery(world, "B205")) == ("address", "pickup")


async def test_a_cancellation_for_the_wrong_order_is_not_made_again_unasked(world: World) -> None:
    await world.say("cancel A100")
    answer = await world.say("wrong one, J956 I meant")
    assert "A100" in answer.text
    assert answer.changes == []
    assert is_question(answer)
    await world.say("yes")
    assert world.orders.get("J956").status == "cancelled"  # type: ignore[union-attr]


@pytest.mark.parametrize(("wish", "more"), [("cancel J956", "and F623"), ("取消J956", "还有F623")])
async def test_one_more_order_is_offered_what_cannot_be_taken_back(
    world: World, wish: str, more: str
) -> None:
    await world.say(wish)
    answer = await world.say(more)
    assert answer.changes == []
    assert is_question(answer)


@pytest.mark.parametrize(
    ("wish", "more"), [("move J956 to pickup", "and A100"), ("J956改自提", "A100也一样")]
)
async def test_one_more_order_is_moved_as_well(world: World, wish: str, more: str) -> None:
    await world.say(wish)
    await world.say(more)
    assert _delivery(world, "A100") == "pickup"


async def test_a_point_is_corrected(world: World) -> None:
    await world.say("Change A100 to pickup at Market Street")
    await world.say("no, Central Station")
    order = world.orders.get("A100")
    assert order is not None
    assert order.delivery.pickup_point == "central-station"


@pytest.mark.parametrize("again", ["redo it", "do that again"])
async def test_what_was_taken_back_is_done_again(world: World, again: str) -> None:
    await world.say("Change A100 to pickup")
    await world.say("undo that")
    await world.say(again)
    assert _delivery(world, "A100") == "pickup"


async def test_putting_everything_back_leaves_alone_what_was_never_changed(world: World) -> None:
    await world.say("Send A100 to pickup and tell me what C310 costs")
    answer = await world.say("put everything back")
    assert [arguments["order_id"] for _, arguments in answer.changes] == ["A100"]


@pytest.mark.parametrize("leave", ["no, leave it", "never mind", "hold on", "ok leave it then"])
async def test_leaving_it_does_nothing(world: World, leave: str) -> None:
    for asked in (
        "Can A100 be cancelled?",
        "Cancel A100 if it suits",
        "I want to change the address of A100",
    ):
        await world.say(asked)
        assert (await world.say(leave)).calls == []
    assert world.orders.get("A100").status == "not_shipped"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "question",
    [
        "Can I return C310?",
        "Could you check C310 and tell me if it can be refunded?",
        "is C310 refundable?",
        "C310能退吗",
        "C310能不能退",
        "C310到底退不退？",
        "C310還可以退嗎",
    ],
)
async def test_asking_whether_it_can_be_refunded_is_answered_with_the_rule_and_an_offer(
    world: World, question: str
) -> None:
    answer = await world.say(question)
    assert "50.00" in answer.text
    assert "189.00" in answer.text
    assert is_question(answer)
    assert answer.changes == []


@pytest.mark.parametrize("order", ["Please refund it", "退吧", "麻煩退"])
async def test_said_as_a_wish_it_is_done(world: World, order: str) -> None:
    await world.say("E512 ok?")
    answer = await world.say(order)
    assert [name for name, _ in answer.changes][:1] == ["refund_order"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Send it to my office, 12 Main Street, Leeds", "12 Main Street, Leeds"),
        ("please deliver it to work: 12 Main Street, Leeds", "12 Main Street, Leeds"),
        ("change the address please, 12 Main Street, Leeds", "12 Main Street, Leeds"),
        ("改送到公司吧，上海市浦东新区世纪大道100号", "上海市浦东新区世纪大道100号"),
        ("收货地址改一下，上海市浦东新区世纪大道100号", "上海市浦东新区世纪大道100号"),
        ("新地址：公司，上海市浦东新区世纪大道100号", "上海市浦东新区世纪大道100号"),
        ("我搬家了，請改送新家，台中市西區公益路68號", "台中市西區公益路68號"),
        ("改寄到我媽媽家，台中市西區公益路68號3樓", "台中市西區公益路68號3樓"),
    ],
)
async def test_an_address_is_taken_without_what_leads_to_it(world: World, text: str, place: str) -> None:
    await world.say("Where is A100?")
    await world.say(text)
    order = world.orders.get("A100")
    assert order is not None
    assert order.delivery.address == place


@pytest.mark.parametrize("text", ["is J956 going to arrive before Saturday?", "is it going to cost more?"])
async def test_going_to_do_something_is_no_place_to_go(world: World, text: str) -> None:
    await world.say("Where is J956?")
    assert (await world.say(text)).changes == []
