"""The three agents: what each may do, what each is told, and how they hand a ticket on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from agents import (
    Agent,
    FunctionTool,
    InputGuardrailTripwireTriggered,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    RunContextWrapper,
    Runner,
)
from agents.testing import ScriptedModel, assistant_message, function_call

from desk.agents import build_agents
from desk.orders import Orders
from desk.policy import load_policy
from desk.tool_calls import TOOL_EXECUTION
from desk.values import AGENTS

MONDAY = date(2026, 5, 4)
CONFIG = RunConfig(tracing_disabled=True, tool_execution=TOOL_EXECUTION)
CARD = "4111 1111 1111 1111"


@pytest.fixture
def orders() -> Iterator[Orders]:
    with Orders(":memory:", lambda: MONDAY) as made:
        yield made


def build(orders: Orders, *steps: list[Any]) -> dict[str, Agent[Any]]:
    return build_agents(orders, load_policy(), ScriptedModel(list(steps)))


def call(name: str, call_id: str, **given: Any) -> Any:
    return function_call(name, json.dumps(given), call_id=call_id)


async def told(agent: Agent[Any]) -> str:
    return await agent.get_system_prompt(RunContextWrapper({"session": "s"})) or ""


def test_the_three_are_named_in_the_order_the_page_offers_them(orders: Orders) -> None:
    assert tuple(build(orders)) == AGENTS


@pytest.mark.parametrize(
    ("name", "tools"),
    [
        (
            "Triage",
            "look_up_order track_order deliver_to_pickup deliver_to_address undo_delivery_change",
        ),
        ("Approval", "look_up_order refund_order cancel_order"),
        ("Summary", "look_up_order write_ticket_summary"),
    ],
)
def test_each_agent_has_its_own_tools(orders: Orders, name: str, tools: str) -> None:
    assert [tool.name for tool in build(orders)[name].tools] == tools.split()


def test_only_refunds_and_cancellations_can_wait_for_a_person(orders: Orders) -> None:
    gated = {
        tool.name
        for agent in build(orders).values()
        for tool in agent.tools
        if isinstance(tool, FunctionTool) and tool.needs_approval is not False
    }
    assert gated == {"refund_order", "cancel_order"}


def test_each_agent_hands_over_to_the_other_two(orders: Orders) -> None:
    for name, agent in build(orders).items():
        others = [other.name for other in agent.handoffs if isinstance(other, Agent)]
        assert others == [each for each in AGENTS if each != name]


@pytest.mark.parametrize("name", AGENTS)
async def test_each_agent_is_told_who_it_is_the_day_and_the_rules(orders: Orders, name: str) -> None:
    said = await told(build(orders)[name])
    assert said.startswith(f"You are {name}, one of three agents")
    assert "Today is Monday, 2026-05-04." in said
    assert load_policy().sentences() in said
    assert "{" not in said


async def test_agents_are_told_of_a_new_day_without_being_built_again() -> None:
    today = [MONDAY]
    with Orders(":memory:", lambda: today[0]) as orders:
        triage = build(orders)["Triage"]
        assert "2026-05-04" in await told(triage)
        today[0] = date(2026, 5, 5)
        assert "Today is Tuesday, 2026-05-05." in await told(triage)


async def test_no_agent_is_told_an_order(orders: Orders) -> None:
    for agent in build(orders).values():
        said = await told(agent)
        assert not any(order.item in said or order.id in said for order in orders.all())


async def test_a_ticket_is_handed_on_from_triage_to_summary(orders: Orders) -> None:
    agents = build(
        orders,
        [function_call("transfer_to_approval", "{}", call_id="h1")],
        [call("refund_order", "c1", order_id="E512", reason="broken", amount="")],
        [function_call("transfer_to_summary", "{}", call_id="h2")],
        [call("write_ticket_summary", "c2", summary="E512 refunded.", order_ids=["E512"])],
        [assistant_message("Refunded.")],
    )
    result = await Runner.run(agents["Triage"], "refund E512", context={"session": "s"}, run_config=CONFIG)
    assert (result.last_agent.name, result.final_output) == ("Summary", "Refunded.")
    assert [effect.kind for effect in orders.history("E512")] == ["refund", "summary"]


@pytest.mark.parametrize("name", AGENTS)
async def test_whoever_starts_a_card_number_is_not_taken(orders: Orders, name: str) -> None:
    agents = build(orders, [assistant_message("thanks")])
    with pytest.raises(InputGuardrailTripwireTriggered):
        await Runner.run(agents[name], f"charge {CARD}", run_config=CONFIG)


async def test_a_refused_message_does_not_poison_the_next(orders: Orders) -> None:
    agents = build(orders, [assistant_message("hello")])
    earlier: list[Any] = [{"role": "user", "content": f"charge {CARD}"}, {"role": "user", "content": "hello"}]
    result = await Runner.run(agents["Triage"], earlier, run_config=CONFIG)
    assert result.final_output == "hello"


@pytest.mark.parametrize("name", AGENTS)
async def test_whoever_answers_a_card_number_is_not_given(orders: Orders, name: str) -> None:
    agents = build(orders, [assistant_message(f"your card {CARD}")])
    with pytest.raises(OutputGuardrailTripwireTriggered):
        await Runner.run(agents[name], "hello", run_config=CONFIG)
