"""Which model answers, and both kinds of remote model driving the desk's agents over HTTP."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest
from agents import Agent, RunConfig, Runner, RunResult, RunResultStreaming, SQLiteSession
from agents.models import get_default_model

from desk.agents import build_agents
from desk.call_ids import Used
from desk.models import DEFAULT_MODEL, ModelSetupError, choose_model
from desk.orders import Orders
from desk.policy import load_policy
from desk.tool_calls import TOOL_EXECUTION
from tests.desk.model_server import Call, Fail, ModelServer, Say, serving

KEY = "sk-test-0123456789"
CONFIG = RunConfig(tracing_disabled=True, tool_execution=TOOL_EXECUTION)


# Choosing


def test_without_a_key_the_offline_model_answers() -> None:
    choice = choose_model({})
    assert (choice.name, choice.why_key, choice.problem) == ("offline", "offline", None)


def test_an_empty_key_is_no_key() -> None:
    assert choose_model({"OPENAI_API_KEY": "", "OPENAI_BASE_URL": " "}).why_key == "offline"


def test_the_offline_model_is_the_desks_own() -> None:
    assert type(choose_model({}).make()).__name__ == "OfflineModel"


def test_with_a_key_openai_answers() -> None:
    choice = choose_model({"OPENAI_API_KEY": KEY})
    assert (choice.why_key, choice.name, choice.problem) == ("openai", DEFAULT_MODEL, None)
    assert choose_model({"OPENAI_API_KEY": KEY, "DESK_MODEL": "gpt-x"}).name == "gpt-x"
    assert choose_model({"OPENAI_API_KEY": KEY, "OPENAI_DEFAULT_MODEL": "gpt-y"}).name == "gpt-y"


def test_the_default_model_is_the_sdks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_DEFAULT_MODEL", raising=False)
    assert get_default_model() == DEFAULT_MODEL


def test_with_a_base_url_that_server_answers_with_a_key_or_without() -> None:
    for key in ({}, {"OPENAI_API_KEY": KEY}):
        choice = choose_model({"OPENAI_BASE_URL": "http://localhost:8000/v1", "DESK_MODEL": "qwen", **key})
        assert (choice.why_key, choice.name, choice.problem) == ("compatible", "qwen", None)
        assert choice.params == {"name": "qwen", "host": "localhost:8000"}


@pytest.mark.parametrize("key", [" ", "\t\n", "sk-密钥", "sk-tést", "sk a", "sk-\u200b", "sk\x00"])
@pytest.mark.parametrize("url", [{}, {"OPENAI_BASE_URL": "http://localhost:8000/v1"}])
def test_a_key_that_cannot_be_one_is_named_without_being_shown(key: str, url: dict[str, str]) -> None:
    choice = choose_model({"OPENAI_API_KEY": key, **url})
    assert choice.problem == "bad_key"
    with pytest.raises(ModelSetupError, match="OPENAI_API_KEY is blank or holds") as caught:
        choice.make()
    assert caught.value.key == "bad_key"
    assert not key.strip() or key not in str(caught.value)


def test_blanks_around_a_key_do_not_matter() -> None:
    assert choose_model({"OPENAI_API_KEY": f" {KEY}\n"}).problem is None


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://x/v1", "http://", "http://[", "x", "http://a:b/v1"])
def test_a_base_url_that_cannot_be_one_is_named(url: str) -> None:
    choice = choose_model({"OPENAI_BASE_URL": url})
    assert choice.problem == "bad_url"
    with pytest.raises(ModelSetupError, match="OPENAI_BASE_URL is not an address"):
        choice.make()


def test_no_secret_is_in_what_a_choice_shows() -> None:
    for env in (
        {"OPENAI_API_KEY": KEY},
        {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"http://user:{KEY}@host:1/v1?token={KEY}"},
        {"OPENAI_API_KEY": f"{KEY}\u00e9"},
    ):
        assert KEY not in repr(choose_model(env))


def test_choosing_loads_neither_the_sdk_nor_the_client() -> None:
    check = (
        "import sys, desk.models as models; models.choose_model({'OPENAI_API_KEY': 'k'});"
        "assert not {'agents', 'openai'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", check], cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == 0


# Talking: each test runs over both protocols, streamed and not


@pytest.fixture(params=["responses", "chat"])
def protocol(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["whole", "streamed"])
def streamed(request: pytest.FixtureRequest) -> bool:
    return request.param == "streamed"


@pytest.fixture
def orders() -> Iterator[Orders]:
    with Orders(":memory:") as made:
        yield made


def remote(
    server: ModelServer,
    protocol: str,
    monkeypatch: pytest.MonkeyPatch | None = None,
    used: Used | None = None,
) -> Any:
    """The model the desk would make, with OpenAI's address turned to the test's server."""
    if protocol == "chat":
        return choose_model({"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": KEY, "DESK_MODEL": "m/1"}).make(
            used
        )
    assert monkeypatch is not None
    monkeypatch.setattr("desk.models.OPENAI_URL", server.url)
    return choose_model({"OPENAI_API_KEY": KEY, "DESK_MODEL": "m/1"}).make(used)


async def talk(
    agents: dict[str, Agent[Any]], text: str, streamed: bool, **options: Any
) -> tuple[RunResult | RunResultStreaming, str]:
    """Run a message; the result, and the words as they were streamed."""
    about: dict[str, Any] = {"context": {"session": "s"}, "run_config": CONFIG, **options}
    if not streamed:
        return await Runner.run(agents["Triage"], text, **about), ""
    result, words = Runner.run_streamed(agents["Triage"], text, **about), ""
    async for event in result.stream_events():
        if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
            words += event.data.delta
    return result, words


REFUND = (
    Call("transfer_to_approval", "{}", "call_handoff1"),
    Call("refund_order", '{"order_id": "E512", "reason": "broken", "amount": ""}', "call_refund01"),
    Say("E512 was refunded."),
)


async def test_a_ticket_runs_through_tools_and_handoffs(
    protocol: str, streamed: bool, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(*REFUND) as server:
        model = remote(server, protocol, monkeypatch)
        session = SQLiteSession("s")
        result, words = await talk(
            build_agents(orders, load_policy(), model), "refund E512", streamed, session=session
        )
        await model.close()
        stored = await session.get_items()
        session.close()
    assert (result.last_agent.name, result.final_output) == ("Approval", "E512 was refunded.")
    assert words == ("E512 was refunded." if streamed else "")
    assert [effect.call_id for effect in orders.history("E512")] == ["call_refund01"]
    assert [item.get("call_id") for item in stored] == [
        None,
        *["call_handoff1"] * 2,
        *["call_refund01"] * 2,
        None,
    ]
    path = "/v1/chat/completions" if protocol == "chat" else "/v1/responses"
    assert {request.path for request in server.requests} == {path}
    assert {request.body["model"] for request in server.requests} == {"m/1"}
    assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {KEY}"}


async def test_the_model_is_told_its_part_and_its_tools(
    protocol: str, streamed: bool, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(Say("Hello.")) as server:
        model = remote(server, protocol, monkeypatch)
        await talk(build_agents(orders, load_policy(), model), "你好", streamed)
        await model.close()
    (request,) = server.requests
    sent = json.dumps(request.body, ensure_ascii=False)
    assert "You are Triage" in sent
    assert "你好" in sent
    for name in ("look_up_order", "deliver_to_pickup", "transfer_to_approval", "transfer_to_summary"):
        assert f'"{name}"' in sent


async def test_a_gated_call_waits_and_goes_on_after_the_decision(
    protocol: str, streamed: bool, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = (
        Call("transfer_to_approval", "{}", "call_handoff1"),
        Call("refund_order", '{"order_id": "C310", "reason": "broken", "amount": ""}', "call_refund01"),
        Say("Refunded."),
    )
    async with serving(*script) as server:
        model = remote(server, protocol, monkeypatch)
        agents = build_agents(orders, load_policy(), model)
        result, _ = await talk(agents, "refund C310", streamed)
        assert [item.call_id for item in result.interruptions] == ["call_refund01"]
        assert orders.history("C310") == []
        state = result.to_state()
        state.approve(result.interruptions[0])
        final = await Runner.run(agents["Triage"], state, run_config=CONFIG)
        await model.close()
    assert final.final_output == "Refunded."
    assert len(orders.history("C310")) == 1


@pytest.mark.parametrize("arguments", ['{"order_id": "A1', "", "[]", '{"order_id": null}', '{"nothing": 1}'])
async def test_malformed_arguments_go_back_to_the_model(
    protocol: str, streamed: bool, orders: Orders, monkeypatch: pytest.MonkeyPatch, arguments: str
) -> None:
    script = (Call("look_up_order", arguments, "call_lookup01"), Say("Which order do you mean?"))
    async with serving(*script) as server:
        model = remote(server, protocol, monkeypatch)
        result, _ = await talk(build_agents(orders, load_policy(), model), "where is it?", streamed)
        await model.close()
    assert result.final_output == "Which order do you mean?"
    assert "bad_arguments" in json.dumps(server.requests[-1].body)


@pytest.mark.parametrize("call_id", ["call_0", "", None])
async def test_ids_that_repeat_or_are_missing_are_made_fit(
    streamed: bool, orders: Orders, call_id: str | None
) -> None:
    both = [
        Call("deliver_to_pickup", '{"order_id": "A100"}', call_id),
        Call("deliver_to_pickup", '{"order_id": "B205"}', call_id),
    ]
    again = Call("undo_delivery_change", '{"order_id": "A100"}', call_id)
    async with serving(both, again, Say("Done.")) as server:
        model = remote(server, "chat")
        result, _ = await talk(build_agents(orders, load_policy(), model), "both to pickup", streamed)
        await model.close()
    assert result.final_output == "Done."
    assert [effect.kind for effect in orders.effects()] == ["delivery", "delivery", "delivery_undone"]
    messages = server.requests[-1].body["messages"]
    called = [call["id"] for message in messages for call in message.get("tool_calls") or []]
    answered = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    assert len(set(called)) == 3
    assert called == answered


async def test_an_id_of_an_earlier_turn_is_not_used_again(
    protocol: str, streamed: bool, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    same = Call("look_up_order", '{"order_id": "A100"}', "call_samesame")
    async with serving(same, Say("One."), same, Say("Two.")) as server:
        model = remote(server, protocol, monkeypatch)
        agents = build_agents(orders, load_policy(), model)
        session = SQLiteSession("s")
        await talk(agents, "first", streamed, session=session)
        await talk(agents, "second", streamed, session=session)
        await model.close()
        stored = await session.get_items()
        session.close()
    calls = [item["call_id"] for item in stored if item.get("type") == "function_call"]  # type: ignore[typeddict-item]
    assert calls[0] == "call_samesame"
    assert len(set(calls)) == 2


async def test_an_id_that_had_an_effect_long_ago_is_not_used_again(
    protocol: str, streamed: bool, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The turn it was used in is not sent any more; undone since, the same request is made anew."""
    same = Call("deliver_to_pickup", '{"order_id": "A100"}', "call_samesame")
    back = Call("undo_delivery_change", '{"order_id": "A100"}', "call_undoundo")
    async with serving(same, Say("One."), back, Say("Two."), same, Say("Three.")) as server:
        model = remote(server, protocol, monkeypatch, orders.used)
        agents = build_agents(orders, load_policy(), model)
        for text in ("to pickup", "no, undo that", "to pickup after all"):
            await talk(agents, text, streamed)  # with no session: nothing older is sent
        await model.close()
    effects = orders.history("A100")
    assert [effect.kind for effect in effects] == ["delivery", "delivery_undone", "delivery"]
    assert len({effect.call_id for effect in effects}) == 3


@pytest.mark.parametrize(
    ("status", "error"),
    [(401, openai.AuthenticationError), (404, openai.NotFoundError), (400, openai.BadRequestError)],
)
async def test_a_servers_refusal_is_the_clients_own_error_and_shows_no_key(
    protocol: str,
    streamed: bool,
    orders: Orders,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    error: type[openai.APIStatusError],
) -> None:
    async with serving(Fail(status), Say("Now it works.")) as server:
        model = remote(server, protocol, monkeypatch)
        agents = build_agents(orders, load_policy(), model)
        with pytest.raises(error) as caught:
            await talk(agents, "hello", streamed)
        assert KEY not in str(caught.value)
        result, _ = await talk(agents, "hello", streamed)
        await model.close()
    assert result.final_output == "Now it works."


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_server_in_trouble_is_asked_again_when_it_says(
    protocol: str, streamed: bool, orders: Orders, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    script = (Fail(status, retry_after=0.001), *REFUND[:2], Fail(status, retry_after=0.001), REFUND[2])
    async with serving(*script) as server:
        model = remote(server, protocol, monkeypatch)
        result, _ = await talk(build_agents(orders, load_policy(), model), "refund E512", streamed)
        await model.close()
    assert result.final_output == "E512 was refunded."
    assert len(orders.history("E512")) == 1


async def test_a_server_that_needs_no_key_is_asked_without_one(streamed: bool, orders: Orders) -> None:
    async with serving(Say("Hello.")) as server:
        model = choose_model({"OPENAI_BASE_URL": server.url}).make()
        result, _ = await talk(build_agents(orders, load_policy(), model), "hello", streamed)
        await model.close()
    assert result.final_output == "Hello."
    assert server.requests[0].body["model"] == "default"


# The loop


def test_a_model_made_outside_any_loop_answers_in_one_loop_after_the_other(orders: Orders) -> None:
    model: list[Any] = []

    async def once(answer: str, port: int = 0) -> tuple[str, int]:
        async with serving(Say(answer), port=port) as server:
            model[:] = model or [remote(server, "chat")]
            result, _ = await talk(build_agents(orders, load_policy(), model[0]), "hello", True)
            await model[0].close()
            return str(result.final_output), server.port

    first, port = asyncio.run(once("first"))
    second, _ = asyncio.run(once("second", port))
    assert (first, second) == ("first", "second")


async def test_a_closed_model_can_be_closed_again_and_used_again(orders: Orders) -> None:
    async with serving(Say("One."), Say("Two.")) as server:
        model = remote(server, "chat")
        await model.close()
        agents = build_agents(orders, load_policy(), model)
        assert (await talk(agents, "hello", False))[0].final_output == "One."
        await model.close()
        await model.close()
        assert (await talk(agents, "hello", False))[0].final_output == "Two."
        await model.close()
