"""The model as the SDK sees it."""

from __future__ import annotations

from typing import Any

from openai.types.responses import ResponseCompletedEvent, ResponseFunctionToolCall, ResponseTextDeltaEvent

from desk.offline import OfflineModel

from .sent import (
    answered,
    arguments_of,
    called,
    calls_of,
    desk,
    looked_up,
    output_of,
    person,
    words_of,
)

ASKED = [person("Where is A100?"), *looked_up("c1")]


async def _events(items: Any, **how: Any) -> list[Any]:
    arguments = arguments_of(items, **how)
    keywords = ("previous_response_id", "conversation_id", "prompt")
    positional = [value for name, value in arguments.items() if name not in keywords]
    rest = {name: arguments[name] for name in keywords}
    return [event async for event in OfflineModel().stream_response(*positional, **rest)]


async def test_the_same_input_gives_the_same_answer() -> None:
    assert await words_of(ASKED) == await words_of(ASKED) != ""


async def test_call_ids_are_new_each_time_all_the_same() -> None:
    ids = [
        item.call_id
        for _ in range(50)
        for item in await output_of([person("Where is A100?")])
        if isinstance(item, ResponseFunctionToolCall)
    ]
    assert len(set(ids)) == len(ids) == 50


async def test_streamed_pieces_add_up_to_the_answer() -> None:
    events = await _events(ASKED)
    pieces = [event.delta for event in events if isinstance(event, ResponseTextDeltaEvent)]
    assert len(pieces) > 5
    assert "".join(pieces) == await words_of(ASKED)


async def test_chinese_is_streamed_in_small_pieces_too() -> None:
    events = await _events([person("A100 什么时候发货？"), *looked_up("c1")])
    pieces = [event.delta for event in events if isinstance(event, ResponseTextDeltaEvent)]
    assert max(len(piece) for piece in pieces) <= 8
    assert "".join(pieces).startswith("A100（茶壶）")


async def test_a_stream_ends_with_the_whole_response() -> None:
    events = await _events([person("Where is A100?")])
    assert [event.type for event in events] == [
        "response.created",
        "response.output_item.added",
        "response.function_call_arguments.delta",
        "response.function_call_arguments.done",
        "response.output_item.done",
        "response.completed",
    ]
    last = events[-1]
    assert isinstance(last, ResponseCompletedEvent)
    assert last.response.output[0] == events[-2].item


async def test_events_are_numbered_in_order() -> None:
    numbers = [event.sequence_number for event in await _events(ASKED)]
    assert numbers == list(range(len(numbers)))


async def test_input_may_be_a_plain_text() -> None:
    assert await calls_of("Where is A100?") == [("look_up_order", {"order_id": "A100"})]


async def test_two_conversations_never_meet() -> None:
    model = OfflineModel()
    first = await model.get_response(**arguments_of([person("My name is Ada and my order is A100")]))
    second = await model.get_response(**arguments_of([person("What is my name? Which order is mine?")]))
    assert "Ada" in str(first.output)
    assert "Ada" not in str(second.output)
    assert "A100" not in str(second.output)


async def test_an_agent_without_the_tool_hands_over() -> None:
    assert await calls_of([person("Refund A100")]) == [("transfer_to_approval", {})]


async def test_an_agent_that_can_do_neither_says_so() -> None:
    assert await calls_of([person("Refund A100")], handoffs=[], tools=[]) == []
    assert await words_of([person("Refund A100")], handoffs=[], tools=[])


async def test_messages_of_chat_completions_are_read_as_well() -> None:
    history = [
        person([{"type": "input_text", "text": "Where is A100?"}]),
        *looked_up("c1"),
        {"id": "__fake_id__", "role": "assistant", "type": "message", "content": "It ships on Monday."},
        person("Change it to pickup"),
    ]
    assert await calls_of(history) == [("deliver_to_pickup", {"order_id": "A100"})]


async def test_a_question_another_model_asked_back_is_understood() -> None:
    history = [
        person("I want to change the delivery of B205"),
        desk(
            [{"type": "output_text", "text": "Sure thing! Would you like to collect it, or a new address?"}]
        ),
        person("collect it"),
    ]
    assert await calls_of(history) == [("deliver_to_pickup", {"order_id": "B205"})]


async def test_reasoning_and_unknown_items_are_passed_over() -> None:
    history = [
        {"type": "reasoning", "summary": []},
        person("Where is A100?"),
        {"type": "reasoning", "id": "rs_1", "summary": []},
        *looked_up("c1"),
        {"type": "something_new", "value": 3},
        42,
        None,
        desk("It ships on Monday."),
        person("how much is it?"),
    ]
    assert "39.00" in await words_of(history)  # type: ignore[arg-type]


async def test_halves_of_pairs_do_not_disturb() -> None:
    history = [
        answered("gone", {"ok": True, "order": "A100"}),
        person("Refund C310"),
        called("refund_order", "c1", order_id="C310", reason=""),
        person("where is A100?"),
    ]
    assert await calls_of(history) == [("look_up_order", {"order_id": "A100"})]


async def test_an_answer_that_came_late_belongs_to_its_call() -> None:
    history = [
        person("Refund C310"),
        called("refund_order", "c1", order_id="C310", reason="broken"),
        person("hello"),
        answered("c1", "The person declined: too late"),
        desk("Hello!"),
        person("why not?"),
    ]
    assert "too late" in await words_of(history)


async def test_a_tool_that_broke_is_told_as_that() -> None:
    history = [
        person("Change A100 to pickup"),
        called("deliver_to_pickup", "c1", order_id="A100"),
        answered("c1", "An error occurred while running the tool. Please try again. Error: boom"),
    ]
    assert "did not work" in await words_of(history)
    assert await calls_of(history) == []


async def test_a_card_number_is_never_repeated() -> None:
    history = [person("My card is 4111 1111 1111 1111"), desk("."), person("What did I just ask you?")]
    assert "1111 1111" not in await words_of(history)


async def test_what_was_typed_is_quoted_as_it_was_typed() -> None:
    typed = "  WHERE is　my  Ａ１００ ?? 😀"
    history = [person(typed), desk("It is on its way."), person("What did I ask you first?")]
    assert typed in await words_of(history)


async def test_rules_of_the_shop_are_taken_from_the_instructions() -> None:
    told = "- Refunds up to 75.00 go through; above that a person decides."
    assert "75.00" in await words_of([person("What is your refund policy?")], instructions=told)
    assert "75" not in await words_of([person("What is your refund policy?")])


async def test_pickup_points_are_known_from_the_instructions() -> None:
    told = "- Pickup points: north-gate (North Gate shop, 北门店). If the customer names none, use the first."
    history = [person("Change A100 to pickup at the north gate")]
    assert await calls_of(history, instructions=told) == [
        ("deliver_to_pickup", {"order_id": "A100", "pickup_point": "north-gate"})
    ]
