"""What a turn is sent, which agent starts, and that rows are the SDK's own."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from agents import RunConfig, Runner
from agents import SQLiteSession as SdkSession
from openai.types.responses import ResponseReasoningItem

from desk.values import Address, RunStatus
from memory.edits import RollBack
from memory.sqlite_session import SQLiteSession

from .conftest import MakeDesk
from .desks import Call, ScriptModel, ended, kinds, say

FILE = Address("file", "ticket_1")
LOOK_UP = '{"order_id": "A100"}'


def texts(items: list[Any]) -> list[str]:
    """The questions among what a model was sent."""
    return [item["content"] for item in items if item.get("role") == "user"]


def store(folder: Path, items: list[dict[str, Any]], agent: str | None = None) -> None:
    session = SQLiteSession(FILE.session_id, folder / "data" / "sessions.db")
    asyncio.run(session.append(items, agent=agent))  # type: ignore[arg-type]


def test_only_the_newest_whole_turns_are_sent_and_all_stay_stored(desk_of: MakeDesk) -> None:
    model = ScriptModel(["A.", Call("look_up_order", LOOK_UP), "B.", "C.", "D."])
    desk = desk_of(model=model)
    for word in ("one", "two", "three"):
        say(desk, FILE, word)
    say(desk, FILE, "four", turns=2)
    assert texts(model.inputs[-1]) == ["two", "three", "four"]
    assert [item.get("type") for item in model.inputs[-1][1:3]] == ["function_call", "function_call_output"]
    assert len(kinds(desk.look(FILE))) == 10


def test_with_no_turns_only_the_running_one_is_sent_and_it_is_whole(desk_of: MakeDesk) -> None:
    model = ScriptModel(["A.", Call("look_up_order", LOOK_UP), "B."])
    desk = desk_of(model=model)
    say(desk, FILE, "one")
    say(desk, FILE, "two", turns=0)
    assert texts(model.inputs[1]) == ["two"]
    assert [item.get("type") for item in model.inputs[2]] == [None, "function_call", "function_call_output"]


def test_the_desk_sends_fifty_turns_by_itself(desk_of: MakeDesk, tmp_path: Path) -> None:
    items = []
    for number in range(60):
        items += [
            {"role": "user", "content": f"q{number}"},
            {"role": "assistant", "content": f"a{number}"},
        ]
    store(tmp_path, items)
    model = ScriptModel(["Fine."])
    desk = desk_of(model=model)
    say(desk, FILE, "now")
    assert texts(model.inputs[0]) == [f"q{number}" for number in range(10, 60)] + ["now"]


def test_a_negative_rule_is_refused(desk_of: MakeDesk) -> None:
    desk = desk_of()
    assert desk.send(FILE, "hi", turns=-1).reason == "bad_turns"
    assert kinds(desk.look(FILE)) == []


def test_half_a_pair_in_an_old_history_is_never_sent(desk_of: MakeDesk, tmp_path: Path) -> None:
    store(
        tmp_path,
        [
            {"role": "user", "content": "one"},
            {"type": "function_call", "call_id": "k1", "name": "x", "arguments": "{}"},
            {"role": "user", "content": "hello"},
            {"type": "function_call_output", "call_id": "k9", "output": "?"},
            {"role": "assistant", "content": "hi"},
        ],
    )
    model = ScriptModel(["Fine."])
    desk = desk_of(model=model)
    say(desk, FILE, "now")
    assert [item.get("role") for item in model.inputs[0]] == ["user", "user", "assistant", "user"]
    assert len(kinds(desk.look(FILE))) == 7


# Who starts


def test_a_follow_up_goes_to_the_agent_that_asked(desk_of: MakeDesk) -> None:
    before = desk_of(Call("transfer_to_approval"), "Which order do you mean?")
    say(before, FILE, "I want a refund")
    before.close()
    desk = desk_of("Thanks.", "Hello.")
    assert say(desk, FILE, "C310").agent == "Approval"
    assert say(desk, FILE, "good").agent == "Triage"


def test_after_a_roll_back_the_front_agent_starts_again(desk_of: MakeDesk) -> None:
    desk = desk_of(Call("transfer_to_approval"), "退款哪一单？", "Hello.")
    say(desk, FILE, "我要退款")
    plan = desk.plan(FILE, RollBack(None)).plan
    assert plan is not None
    desk.apply(FILE, plan)
    assert say(desk, FILE, "hello").agent == "Triage"


def test_a_chosen_agent_wins(desk_of: MakeDesk) -> None:
    desk = desk_of("Anything else?", "Nothing happened.")
    say(desk, FILE, "hi")
    assert say(desk, FILE, "What happened so far?", agent="Summary").agent == "Summary"
    assert [entry.agent for entry in desk.look(FILE).timeline.entries] == [None, "Triage", None, "Summary"]


def test_an_agent_nobody_knows_sends_the_follow_up_to_the_front(desk_of: MakeDesk, tmp_path: Path) -> None:
    store(tmp_path, [{"role": "user", "content": "hi"}])
    store(tmp_path, [{"role": "assistant", "content": "Which one?"}], agent="Wizard")
    desk = desk_of("Fine.")
    assert say(desk, FILE, "that one").agent == "Triage"


def test_a_paused_run_goes_on_with_the_agent_a_person_had_chosen(desk_of: MakeDesk) -> None:
    before = desk_of(Call("refund_order", '{"order_id": "C310", "reason": "broken"}'))
    say(before, FILE, "Refund C310", agent="Approval")
    before.close()
    desk = desk_of("Refunded.")
    pause = desk.look(FILE).waiting
    assert pause is not None
    assert desk.decide(FILE, pause.id, pause.calls[0][0], True).ok
    run = ended(desk, FILE)
    assert (run.status, run.agent) == (RunStatus.DONE, "Approval")


# The SDK's rows


def steps() -> list[Any]:
    thought = ResponseReasoningItem(id="rs_1", type="reasoning", summary=[], status=None)
    return [
        [
            thought,
            "Let me see.",
            Call("look_up_order", LOOK_UP, "call_1"),
            Call("track_order", LOOK_UP, "call_2"),
        ],
        Call("transfer_to_summary", call_id="call_3"),
        "All said.",
    ]


def plain(items: list[Any]) -> list[Any]:
    """Items without the ids that are made anew each time."""
    return [{key: value for key, value in item.items() if key != "id"} for item in items]


async def test_a_turn_is_stored_as_the_sdk_stores_it(desk_of: MakeDesk, tmp_path: Path) -> None:
    """Calls stored before their tools, and the rest after, are the items the SDK's own session gets."""
    desk = desk_of(*steps())
    say(desk, FILE, "Everything about A100?")

    from desk.agents import build_agents
    from desk.policy import load_policy

    sdk = SdkSession("other")
    agents = build_agents(desk.orders, load_policy(), ScriptModel(steps()))
    result = Runner.run_streamed(
        agents["Triage"],
        "Everything about A100?",
        session=sdk,
        context={"session": "x"},
        run_config=RunConfig(tracing_disabled=True),
    )
    async for _ in result.stream_events():
        pass
    ours = SdkSession(FILE.session_id, tmp_path / "data" / "sessions.db")
    assert len(await sdk.get_items()) == 10
    assert json.dumps(plain(await ours.get_items())) == json.dumps(plain(await sdk.get_items()))
    ours.close()
    sdk.close()


def test_a_pause_under_a_stop_at_tool_rule_and_an_output_check_stores_call_and_result(
    desk_of: MakeDesk,
) -> None:
    def change(agents: dict[str, Any]) -> None:
        agents["Approval"].tool_use_behavior = "stop_on_first_tool"

    desk = desk_of(Call("refund_order", '{"order_id": "C310", "reason": "broken"}'), "Fine.", change=change)
    assert say(desk, FILE, "Refund C310", agent="Approval").status is RunStatus.WAITING
    assert kinds(desk.look(FILE)) == ["user", "tool_call"]
    pause = desk.look(FILE).waiting
    assert pause is not None
    desk.decide(FILE, pause.id, pause.calls[0][0], True)
    assert ended(desk, FILE).status is RunStatus.DONE
    assert kinds(desk.look(FILE)) == ["user", "tool_call", "tool_output"]
    assert say(desk, FILE, "and?").status is RunStatus.DONE
