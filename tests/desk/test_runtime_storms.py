"""A stop at any moment, and a store that fails at any one write: what must hold all the same."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from desk.desk import Desk
from desk.values import Address, RunStatus
from memory.errors import StoreUnavailable
from memory.sqlite_session import SQLiteSession

from .conftest import MakeDesk
from .desks import Call, ScriptModel, ended, kinds, make_desk, notes, pairs_whole, say

FILE = Address("file", "ticket_1")
LOOK_UP = '{"order_id": "A100"}'


def turn() -> list[Any]:
    """Two tools, one of them with an effect, a handoff, a tool, an answer."""
    return [
        ["Let me see.", Call("look_up_order", LOOK_UP), Call("deliver_to_pickup", LOOK_UP)],
        Call("transfer_to_summary"),
        Call("write_ticket_summary", '{"summary": "Moved.", "order_ids": ["A100"]}'),
        "A100 is moved to a pickup point, and that is all there is to say about it for now.",
    ]


def sound(desk: Desk, effects: int) -> None:
    """What holds after any ending, once the next message was answered."""
    view = desk.look(FILE)
    assert pairs_whole(view.timeline.entries)
    assert view.waiting is None
    assert view.busy is None
    stored = {entry.call_id for entry in view.timeline.entries}
    for effect in desk.orders.effects(session=str(FILE)):
        assert effect.call_id in stored, "an effect without its call"
    assert len(desk.orders.effects(session=str(FILE))) <= effects


@pytest.mark.parametrize("moment", range(25))
def test_a_stop_at_any_moment_leaves_a_sound_session(desk_of: MakeDesk, moment: int) -> None:
    async def stop(events: int) -> None:
        if events == moment:
            await asyncio.to_thread(desk.stop, FILE)

    model = ScriptModel(turn(), stop)
    desk = desk_of(model=model)
    assert desk.send(FILE, "Move A100").ok
    run = ended(desk, FILE)
    assert model.events == moment
    assert run.status is RunStatus.STOPPED
    assert kinds(desk.look(FILE)).count("user") == 1
    assert notes(desk.look(FILE)) == ["stopped"]
    sound(desk, effects=2)
    model.steps, model.moment = ["Fine."], None
    assert say(desk, FILE, "and now?").status is RunStatus.DONE
    sound(desk, effects=2)


class Failing:
    """Lets the store fail at its nth write, once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int, times: int) -> None:
        self.count = 0
        write = SQLiteSession._write

        async def failing(session: SQLiteSession, operation: Any) -> Any:
            self.count += 1
            if at <= self.count < at + times:
                raise StoreUnavailable("The disk is full.")
            return await write(session, operation)

        monkeypatch.setattr(SQLiteSession, "_write", failing)


@pytest.mark.parametrize("times", [1, 1000])
@pytest.mark.parametrize("at", range(1, 13))
def test_a_store_that_fails_at_any_write_leaves_a_sound_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int, times: int
) -> None:
    model = ScriptModel(turn())
    desk = make_desk(tmp_path, model)
    with monkeypatch.context() as patch:
        Failing(patch, at, times)
        if desk.send(FILE, "Move A100").ok:
            ended(desk, FILE)
    model.steps = ["Fine."]
    assert say(desk, FILE, "and now?").status is RunStatus.DONE
    sound(desk, effects=2)
    desk.close()


@pytest.mark.parametrize("times", [1, 1000])
@pytest.mark.parametrize("at", range(1, 12))
def test_a_store_that_fails_around_a_decision_never_refunds_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int, times: int
) -> None:
    refund = Call("refund_order", '{"order_id": "C310", "reason": "broken"}')
    model = ScriptModel([refund, "Refunded.", "Refunded."])
    desk = make_desk(tmp_path, model)
    say(desk, FILE, "Refund C310", agent="Approval")
    pause = desk.look(FILE).waiting
    assert pause is not None
    with monkeypatch.context() as patch:
        Failing(patch, at, times)
        if desk.decide(FILE, pause.id, pause.calls[0][0], True).ok:
            ended(desk, FILE)
    desk.decide(FILE, pause.id, pause.calls[0][0], True)
    if (run := desk.run(FILE)) is not None and run.active:
        ended(desk, FILE)
    model.steps = ["Fine."]
    assert say(desk, FILE, "and now?").status is RunStatus.DONE
    sound(desk, effects=1)
    desk.close()
