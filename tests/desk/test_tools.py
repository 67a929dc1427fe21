"""The desk's tools: what they answer, what they do, and when a person is asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from agents import Agent, FunctionTool, RunConfig, Runner, RunResult, RunState
from agents.testing import ScriptedModel, assistant_message, function_call
from agents.tool_context import ToolContext

from desk.orders import Orders
from desk.policy import Policy, load_policy
from desk.tool_calls import TOOL_EXECUTION
from desk.tools import Tools

MONDAY = date(2026, 5, 4)
SESSION = "file/ticket_1"


@pytest.fixture
def orders() -> Iterator[Orders]:
    with Orders(":memory:", lambda: MONDAY) as made:
        yield made


@pytest.fixture
def policy() -> Policy:
    return load_policy()


@pytest.fixture
def tools(orders: Orders, policy: Policy) -> dict[str, FunctionTool]:
    return by_name(Tools(orders, policy))


def by_name(tools: Tools) -> dict[str, FunctionTool]:
    every = [*tools.triage, *tools.approval, *tools.summary]
    return {tool.name: tool for tool in every if isinstance(tool, FunctionTool)}


async def call(
    tool: FunctionTool, *, call_id: str = "c1", raw: str | None = None, **given: Any
) -> dict[str, Any]:
    arguments = json.dumps(given) if raw is None else raw
    context = ToolContext({"session": SESSION}, None, tool.name, call_id, arguments)
    answer = json.loads(await tool.on_invoke_tool(context, arguments))
    assert isinstance(answer, dict)
    return answer


# Looking


@pytest.mark.parametrize("today", [MONDAY + timedelta(days=n) for n in range(7)], ids=str)
async def test_looking_an_order_up_tells_all_an_answer_needs(policy: Policy, today: date) -> None:
    friday = next(day for n in range(1, 8) if (day := today + timedelta(days=n)).weekday() == 4)
    with Orders(":memory:", lambda: today) as orders:
        answer = await call(by_name(Tools(orders, policy))["look_up_order"], order_id="a100")
    assert answer == {
        "ok": True,
        "order": "A100",
        "item": "teapot",
        "item_names": {"en": "teapot", "zh-Hans": "茶壶", "zh-Hant": "茶壺"},
        "price": "39.00",
        "currency": "USD",
        "status": "not_shipped",
        "ordered_on": (today - timedelta(days=2)).isoformat(),
        "ordered_on_weekday": f"{today - timedelta(days=2):%A}",
        "ships_on": (friday + timedelta(days=3)).isoformat(),
        "ships_on_weekday": "Monday",
        "arrives_on": (friday + timedelta(days=6)).isoformat(),
        "arrives_on_weekday": "Thursday",
        "delivery": {"to": "address", "address": "12 Harbour Lane, Bristol"},
        "today": today.isoformat(),
        "today_weekday": f"{today:%A}",
    }


async def test_a_pickup_point_is_told_by_its_names(tools: dict[str, FunctionTool]) -> None:
    answer = await call(tools["look_up_order"], order_id="J956")
    assert answer["delivery"]["to"] == "pickup"
    assert answer["delivery"]["pickup_point"] == "Central Station lockers"
    assert answer["delivery"]["pickup_point_names"]["zh-Hans"] == "中央车站自提柜"


async def test_a_settled_order_is_told_without_dates_to_come(tools: dict[str, FunctionTool]) -> None:
    await call(tools["cancel_order"], order_id="A100")
    answer = await call(tools["look_up_order"], order_id="A100")
    assert answer["status"] == "cancelled"
    assert not {"ships_on", "arrives_on"} & set(answer)


async def test_a_refunded_order_tells_how_much(tools: dict[str, FunctionTool]) -> None:
    assert (await call(tools["look_up_order"], order_id="N430"))["refunded"] == "88.00"


async def test_tracking_tells_the_journey(tools: dict[str, FunctionTool]) -> None:
    answer = await call(tools["track_order"], order_id="B205")
    assert (answer["carrier"], answer["tracking"]) == ("Northway", "NW-20577-B")
    assert answer["journey"][-1] == {"on": "2026-05-07", "event": "arrives", "expected": True}


async def test_looking_changes_nothing_and_makes_no_file(tmp_path: Path, policy: Policy) -> None:
    path = tmp_path / "orders.db"
    with Orders(path) as orders:
        tools = by_name(Tools(orders, policy))
        await call(tools["look_up_order"], order_id="A100")
        await call(tools["track_order"], order_id="A100")
    assert not path.exists()


# Doing


async def test_pickup_changes_the_order_under_the_calls_id_and_session(
    tools: dict[str, FunctionTool], orders: Orders
) -> None:
    answer = await call(tools["deliver_to_pickup"], order_id="A100", call_id="call_9")
    assert (answer["ok"], answer["done"], answer["order"]) == (True, "delivery", "A100")
    assert answer["delivery"]["pickup_point"] == "Central Station lockers"
    assert answer["before"] == {"to": "address", "address": "12 Harbour Lane, Bristol"}
    (effect,) = orders.history("A100")
    assert (effect.call_id, effect.session) == ("call_9", SESSION)


async def test_a_pickup_point_may_be_named_in_the_customers_language(tools: dict[str, FunctionTool]) -> None:
    answer = await call(tools["deliver_to_pickup"], order_id="A100", pickup_point="河濱公園自取點")
    assert answer["delivery"]["pickup_point"] == "River Park kiosk"


async def test_a_pickup_point_that_does_not_exist_is_answered_with_those_that_do(
    tools: dict[str, FunctionTool], orders: Orders
) -> None:
    answer = await call(tools["deliver_to_pickup"], order_id="A100", pickup_point="the moon")
    assert (answer["ok"], answer["error"]) == (False, "unknown_pickup_point")
    assert "market-street" in answer["pickup_points"]
    assert orders.history("A100") == []


async def test_an_address_is_kept_as_typed(tools: dict[str, FunctionTool]) -> None:
    answer = await call(tools["deliver_to_address"], order_id="B205", address="台北市信義路五段7號")
    assert answer["delivery"] == {"to": "address", "address": "台北市信義路五段7號"}


@pytest.mark.parametrize("address", ["", "  ", "??", "a", "x" * 301, "1 Road\x00", "\u202e1 Road"])
async def test_what_cannot_be_an_address_is_refused(
    tools: dict[str, FunctionTool], orders: Orders, address: str
) -> None:
    answer = await call(tools["deliver_to_address"], order_id="B205", address=address)
    assert (answer["ok"], answer["error"]) == (False, "bad_address")
    assert orders.history("B205") == []


async def test_undo_puts_the_delivery_back(tools: dict[str, FunctionTool]) -> None:
    await call(tools["deliver_to_pickup"], order_id="A100", call_id="c1")
    answer = await call(tools["undo_delivery_change"], order_id="A100", call_id="c2")
    assert (answer["ok"], answer["done"]) == (True, "delivery_undone")
    assert answer["delivery"]["address"] == "12 Harbour Lane, Bristol"
    again = await call(tools["undo_delivery_change"], order_id="A100", call_id="c3")
    assert again["error"] == "already_undone"


async def test_undo_says_that_the_address_before_was_erased(
    tools: dict[str, FunctionTool], orders: Orders
) -> None:
    await call(tools["deliver_to_address"], order_id="F623", address="9 Elm Street, York", call_id="c1")
    await call(tools["deliver_to_pickup"], order_id="F623", call_id="c2")
    orders.forget(orders.history("F623")[0].session)
    answer = await call(tools["undo_delivery_change"], order_id="F623", call_id="c3")
    assert (answer["ok"], answer["error"]) == (False, "earlier_address_erased")
    assert answer["delivery"]["to"] == "pickup"


@pytest.mark.parametrize(
    ("tool", "given", "error"),
    [
        ("deliver_to_pickup", {"order_id": "Z999"}, "unknown_order"),
        ("deliver_to_pickup", {"order_id": "D411"}, "already_shipped"),
        ("deliver_to_pickup", {"order_id": "C310"}, "already_delivered"),
        ("deliver_to_pickup", {"order_id": "J956"}, "no_change"),
        ("deliver_to_address", {"order_id": "M329", "address": "1 Road"}, "already_cancelled"),
        ("undo_delivery_change", {"order_id": "A100"}, "nothing_to_undo"),
        ("refund_order", {"order_id": "N430", "reason": ""}, "already_refunded"),
        ("refund_order", {"order_id": "E512", "reason": "", "amount": "18.01"}, "amount_too_high"),
        ("refund_order", {"order_id": "E512", "reason": "", "amount": "a lot"}, "bad_amount"),
        ("refund_order", {"order_id": "E512", "reason": "", "amount": "1,50"}, "bad_amount"),
        ("refund_order", {"order_id": "E512", "reason": "", "amount": "-5"}, "bad_amount"),
        ("refund_order", {"order_id": "Z999", "reason": ""}, "unknown_order"),
        ("cancel_order", {"order_id": "C310"}, "already_delivered"),
        ("cancel_order", {"order_id": "M329"}, "already_cancelled"),
        ("look_up_order", {"order_id": "A100'; DROP TABLE orders;--"}, "unknown_order"),
        ("track_order", {"order_id": ""}, "unknown_order"),
        ("write_ticket_summary", {"summary": "x", "order_ids": ["A100", "Z999"]}, "unknown_order"),
    ],
)
async def test_what_cannot_be_done_is_answered_with_its_code(
    tools: dict[str, FunctionTool], orders: Orders, tool: str, given: dict[str, Any], error: str
) -> None:
    answer = await call(tools[tool], **given)
    assert (answer["ok"], answer["error"]) == (False, error)
    assert answer["message"]
    assert orders.effects() == []


async def test_a_refusal_tells_how_the_order_stands(tools: dict[str, FunctionTool]) -> None:
    answer = await call(tools["deliver_to_pickup"], order_id="D411")
    assert (answer["order"], answer["status"], answer["item"]) == ("D411", "on_the_truck", "bookshelf")


@pytest.mark.parametrize("amount", ["18", "18.00", "$18.00", "US$ 18", "18 USD", "１８"])
async def test_an_amount_is_read_as_people_write_it(tools: dict[str, FunctionTool], amount: str) -> None:
    answer = await call(tools["refund_order"], order_id="E512", reason="broken", amount=amount)
    assert (answer["ok"], answer["amount"], answer["currency"]) == (True, "18.00", "USD")


async def test_the_same_call_again_is_answered_the_same_and_done_once(
    tools: dict[str, FunctionTool], orders: Orders
) -> None:
    first = await call(tools["deliver_to_pickup"], order_id="A100")
    await call(tools["cancel_order"], order_id="A100", call_id="c2")
    assert await call(tools["deliver_to_pickup"], order_id="A100") == first
    assert [effect.call_id for effect in orders.history("A100")] == ["c1", "c2"]


async def test_a_summary_is_filed_with_its_orders(tools: dict[str, FunctionTool], orders: Orders) -> None:
    answer = await call(tools["write_ticket_summary"], summary="两个都办好了。", order_ids=["A100", "b205"])
    assert answer == {"ok": True, "done": "summary", "orders": ["A100", "B205"]}
    assert orders.history("B205")[0].detail["summary"] == "两个都办好了。"


async def test_no_card_number_is_filed(tools: dict[str, FunctionTool], orders: Orders) -> None:
    card = "4111 1111 1111 1111"
    await call(tools["write_ticket_summary"], summary=f"paid with {card}", order_ids=[], call_id="c1")
    await call(tools["refund_order"], order_id="E512", reason=card, call_id="c2")
    await call(tools["deliver_to_address"], order_id="B205", address=f"{card} Road", call_id="c3")
    assert card not in json.dumps([dict(effect.detail) for effect in orders.effects()])


# Arguments as models write them


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "{",
        "[]",
        "null",
        '"A100"',
        "nonsense",
        '{"order_id": null}',
        '{"order_id": ["A100"]}',
        '{"order_id": true}',
        '{"order_id": {"id": "A100"}}',
        "[" * 100_000,
        f'{{"order_id": "{"x" * 5000}"}}',
    ],
    ids=lambda raw: raw[:20] or "empty",
)
async def test_malformed_arguments_are_answered_not_raised(tools: dict[str, FunctionTool], raw: str) -> None:
    for name in ("look_up_order", "deliver_to_pickup", "cancel_order", "refund_order"):
        answer = await call(tools[name], raw=raw)
        assert (answer["ok"], answer["error"]) == (False, "bad_arguments")
        assert answer["message"]


async def test_arguments_that_can_be_understood_are(tools: dict[str, FunctionTool], orders: Orders) -> None:
    odd = '{"order_id": " e512 ", "reason": 7, "amount": 17.50, "note": ["ignored"]}'
    answer = await call(tools["refund_order"], raw=odd)
    assert (answer["ok"], answer["amount"], answer["reason"]) == (True, "17.50", "7")
    one = await call(tools["write_ticket_summary"], summary="x", order_ids="A100", call_id="c2")
    assert one["orders"] == ["A100"]


async def test_a_summary_without_words_is_refused(tools: dict[str, FunctionTool]) -> None:
    answer = await call(tools["write_ticket_summary"], summary=" ", order_ids=[])
    assert answer["error"] == "bad_arguments"


async def test_half_a_character_breaks_nothing(tools: dict[str, FunctionTool]) -> None:
    answer = await call(tools["refund_order"], raw='{"order_id": "E512", "reason": "\\ud83d"}')
    assert answer["ok"] is True


async def test_orders_that_cannot_be_read_are_answered_not_raised(tmp_path: Path, policy: Policy) -> None:
    path = tmp_path / "orders.db"
    path.write_bytes(b"junk" * 1000)
    with Orders(path) as orders:
        tools = by_name(Tools(orders, policy))
        for name in ("look_up_order", "deliver_to_pickup", "cancel_order"):
            answer = await call(tools[name], order_id="A100")
            assert (answer["ok"], answer["error"]) == (False, "orders_unavailable")


def test_models_are_told_every_argument_and_nothing_strict_servers_refuse(
    tools: dict[str, FunctionTool],
) -> None:
    for tool in tools.values():
        assert tool.description
        assert tool.params_json_schema["additionalProperties"] is False
        properties = tool.params_json_schema["properties"]
        assert tool.params_json_schema["required"] == list(properties)
        for about in properties.values():
            assert about["description"]
            assert set(about) <= {"type", "description", "items"}


# Asking a person


def agent(tools: dict[str, FunctionTool], name: str, raw: str) -> Agent[Any]:
    steps = [[function_call(name, raw, call_id="c1")], [assistant_message("done")]]
    return Agent(name="Approval", tools=[tools[name]], model=ScriptedModel(steps))


async def run(start: Agent[Any], given: Any = "please") -> RunResult:
    config = RunConfig(tracing_disabled=True, tool_execution=TOOL_EXECUTION)
    return await Runner.run(start, given, context={"session": SESSION}, run_config=config)


def output(result: RunResult) -> dict[str, Any]:
    (text,) = [item.output for item in result.new_items if item.type == "tool_call_output_item"]
    answer = json.loads(text)
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize(
    ("name", "given", "waits"),
    [
        ("refund_order", {"order_id": "C310", "reason": "broken"}, True),
        ("refund_order", {"order_id": "C310", "reason": "broken", "amount": ""}, True),
        ("refund_order", {"order_id": "C310", "reason": "broken", "amount": "50.01"}, True),
        ("refund_order", {"order_id": "C310", "reason": "broken", "amount": "50"}, False),
        ("refund_order", {"order_id": "E512", "reason": "broken"}, False),
        ("refund_order", {"order_id": "B205", "reason": "late"}, True),
        ("cancel_order", {"order_id": "A100"}, False),
        ("cancel_order", {"order_id": "A100", "reason": "changed my mind"}, False),
        ("cancel_order", {"order_id": "B205"}, True),
        ("cancel_order", {"order_id": "D411", "reason": ""}, True),
    ],
)
async def test_a_person_is_asked_as_the_policy_says(
    tools: dict[str, FunctionTool], orders: Orders, name: str, given: dict[str, Any], waits: bool
) -> None:
    result = await run(agent(tools, name, json.dumps(given)))
    assert bool(result.interruptions) is waits
    assert len(orders.effects()) == (0 if waits else 1)


@pytest.mark.parametrize(
    ("name", "raw", "error"),
    [
        ("refund_order", '{"order_id": "N430", "reason": "x"}', "already_refunded"),
        ("refund_order", '{"order_id": "Z999", "reason": "x"}', "unknown_order"),
        ("refund_order", '{"order_id": "C310", "reason": "x", "amount": "999"}', "amount_too_high"),
        ("cancel_order", '{"order_id": "C310"}', "already_delivered"),
        ("cancel_order", '{"order_id": "M329"}', "already_cancelled"),
        ("refund_order", '{"order_id": "C310"', "bad_arguments"),
        ("refund_order", "", "bad_arguments"),
        ("refund_order", '{"order_id": "C310"}', "bad_arguments"),
        ("cancel_order", "[]", "bad_arguments"),
    ],
)
async def test_nobody_is_asked_about_what_cannot_happen(
    tools: dict[str, FunctionTool], name: str, raw: str, error: str
) -> None:
    result = await run(agent(tools, name, raw))
    assert result.interruptions == []
    assert output(result)["error"] == error


async def decide(
    tools: dict[str, FunctionTool], name: str, given: dict[str, Any], *, approve: bool
) -> RunResult:
    """Let a run wait, store it as JSON, and go on with it on agents built anew."""
    waiting = await run(agent(tools, name, json.dumps(given)))
    stored = json.dumps(waiting.to_state().to_json())
    anew: Agent[Any] = Agent(
        name="Approval", tools=[tools[name]], model=ScriptedModel([[assistant_message("ok")]])
    )
    state: RunState[Any] = await RunState.from_json(anew, json.loads(stored))
    (item,) = state.get_interruptions()
    state.approve(item) if approve else state.reject(item, rejection_message="no")
    return await Runner.run(
        anew, state, run_config=RunConfig(tracing_disabled=True, tool_execution=TOOL_EXECUTION)
    )


async def test_an_approved_refund_is_done_once_under_its_call(
    tools: dict[str, FunctionTool], orders: Orders
) -> None:
    result = await decide(tools, "refund_order", {"order_id": "C310", "reason": "broken"}, approve=True)
    assert output(result)["amount"] == "189.00"
    (effect,) = orders.history("C310")
    assert (effect.call_id, effect.session) == ("c1", SESSION)


async def test_a_refused_cancellation_is_not_done(tools: dict[str, FunctionTool], orders: Orders) -> None:
    await decide(tools, "cancel_order", {"order_id": "D411"}, approve=False)
    assert orders.history("D411") == []


async def test_what_needs_a_person_is_not_done_without_one_however_it_is_reached(
    tools: dict[str, FunctionTool], orders: Orders
) -> None:
    answer = await call(tools["refund_order"], order_id="C310", reason="broken")
    assert (answer["ok"], answer["error"]) == (False, "needs_approval")
    answer = await call(tools["cancel_order"], order_id="D411")
    assert answer["error"] == "needs_approval"
    assert orders.effects() == []


async def test_an_order_that_moved_on_while_waiting_is_not_refunded_again(
    tools: dict[str, FunctionTool], orders: Orders
) -> None:
    waiting = await run(agent(tools, "refund_order", '{"order_id": "C310", "reason": "broken"}'))
    orders.refund("C310", None, "by phone", call_id="other", session="s")
    state = waiting.to_state()
    state.approve(state.get_interruptions()[0])
    result = await run(waiting.last_agent, state)
    assert output(result)["error"] == "already_refunded"
    assert [effect.call_id for effect in orders.history("C310")] == ["other"]


async def test_a_policy_without_early_refunds_refuses_them_without_asking(
    orders: Orders, policy: Policy
) -> None:
    tools = by_name(Tools(orders, replace(policy, refund_before_delivery=False)))
    result = await run(agent(tools, "refund_order", '{"order_id": "B205", "reason": "late"}'))
    assert output(result)["error"] == "not_delivered"
    assert (
        output(await run(agent(tools, "refund_order", '{"order_id": "E512", "reason": "x"}')))["ok"] is True
    )
