"""What a run of the SDK is sent of a session, and that nothing of it is stored a second time."""

from __future__ import annotations

from typing import Any

import pytest
from agents.memory import SessionSettings

from memory import InspectableSession

from .items import assistant, turns, user
from .runs import Conversation, look_up, say
from .wholeness import complaints


@pytest.mark.parametrize("limit", range(9))
async def test_no_limit_of_the_sdks_sends_half_a_pair_or_changes_what_is_stored(
    session: InspectableSession, limit: int
) -> None:
    await session.add_items(turns(2))
    talk = Conversation(session)
    settings = SessionSettings(limit=limit)
    await talk.ask("next", look_up("new"), say("fine"), config={"session_settings": settings})
    for sent in talk.sent:
        assert complaints(sent) == []
    first = [item for item in talk.sent[0] if item in turns(2)]
    assert first == [item for item in turns(2)[8 - limit :] if item in first]
    assert [item.get("call_id") for item in talk.sent[1][-2:]] == ["new", "new"], "the running turn is whole"
    assert (await session.get_items())[:8] == turns(2)
    assert len(await session.get_items()) == 12


async def test_a_message_that_is_always_sent_twice_is_stored_once(session: InspectableSession) -> None:
    def pinned(history: list[Any], new: list[Any]) -> list[Any]:
        return [history[0], *history, *new]

    await session.add_items([user("pinned"), assistant("ok")])
    talk = Conversation(session)
    for number in range(1, 6):
        await talk.ask(f"question {number}", say("answer"), config={"session_input_callback": pinned})
        assert talk.sent[-1].count(user("pinned")) == 2
        assert len(await session.get_items()) == 2 + 2 * number
