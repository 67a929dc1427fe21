"""Encrypted sessions and time: what has expired is shown and never sent, and no decision outlives it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory import (
    DecisionClosed,
    EncryptedSession,
    NotSupported,
    Remove,
    Repair,
    Replace,
    RollBack,
    SQLiteSession,
    State,
)
from memory.encrypted_session import EncryptedTableSession

from .clock import START, Clock
from .encrypting import OLD, on_file, states
from .items import Item, assistant, call, output, pair, reasoning, turn, turns, user
from .stores import ListSession, rows
from .wholeness import complaints

# Times to live


@pytest.mark.parametrize("ttl", [0, -5, 1.5, "600", True])
async def test_a_time_to_live_that_is_none_is_refused_in_one_sentence(ttl: Any) -> None:
    with pytest.raises(ValueError, match=r"^ttl is None or a whole number of seconds from 1 up, not \S+\.$"):
        EncryptedSession("x", SQLiteSession("x"), OLD, ttl)


async def test_the_time_to_live_is_ten_minutes_unless_said() -> None:
    clock = Clock()
    session = EncryptedSession("x", SQLiteSession("x"), OLD, clock=clock)
    await session.add_items([user()])
    clock.now += 600
    assert await session.get_items() == [user()]
    clock.now += 1
    assert await session.get_items() == []


async def test_expired_entries_are_shown_with_their_kind_and_when_and_not_what_they_say(
    tmp_path: Path,
) -> None:
    clock = Clock()
    session = on_file(tmp_path, ttl=60, clock=clock)
    await session.add_items(turn(1))
    clock.now += 100
    await session.add_items([user("fresh")])
    timeline = await session.timeline()
    assert [entry.state for entry in timeline.entries] == [State.EXPIRED] * 4 + [State.OK]
    first = timeline.entries[0]
    assert (first.kind, first.item, first.turn) == ("user", None, 1)
    assert first.sealed_at == datetime.fromtimestamp(START, UTC)
    assert first.expires_at == datetime.fromtimestamp(START + 60, UTC)
    assert (timeline.total, timeline.turns) == (5, 2)
    assert await session.get_items() == [user("fresh")]


async def test_nothing_expired_is_ever_taken_by_a_read_or_a_pop(tmp_path: Path) -> None:
    clock = Clock()
    session = on_file(tmp_path, ttl=60, clock=clock)
    await session.add_items(turn(1))
    clock.now += 100
    await session.add_items([user("fresh")])
    before = await rows(session)
    assert await session.pop_item() == user("fresh")
    assert await session.pop_item() is None
    assert await rows(session) == before[:4]
    await session.undo()
    assert await rows(session) == before


async def test_a_longer_time_to_live_gives_back_what_had_expired(tmp_path: Path) -> None:
    await on_file(tmp_path, ttl=2).add_items(turn(1))
    later = Clock(START + 100)
    assert await on_file(tmp_path, ttl=2, clock=later).get_items() == []
    assert await on_file(tmp_path, ttl=86400, clock=later).get_items() == turn(1)
    assert await on_file(tmp_path, ttl=None, clock=later).get_items() == turn(1)


PARTED: list[tuple[list[Item], list[Item], list[Item]]] = [
    ([user("q"), call("k")], [output("k"), assistant("a")], [assistant("a")]),
    ([user("q"), call("a"), call("b")], [output("a"), output("b"), user("n")], [user("n")]),
    ([user("q"), reasoning()], [*pair("k"), assistant("a")], [assistant("a")]),
    ([user("q"), reasoning()], [assistant("a"), user("n")], [user("n")]),
    ([user("q"), *pair("k")], [output("k"), user("n")], [user("n")]),
    ([user("q"), *pair("k")], [*pair("k"), user("n")], [*pair("k"), user("n")]),
    ([user("q"), call("far"), *turns(20)], [output("far"), user("n")], [user("n")]),
    ([user("q")], [output("never called"), user("n")], [user("n")]),
]


@pytest.mark.parametrize(("expired", "fresh", "sent"), PARTED)
@pytest.mark.parametrize("foreign", [False, True])
async def test_a_pair_or_a_run_of_which_a_part_has_expired_is_not_sent(
    expired: list[Item], fresh: list[Item], sent: list[Item], foreign: bool
) -> None:
    clock = Clock()
    underlying: Any = ListSession("x") if foreign else SQLiteSession("x")
    session = EncryptedSession("x", underlying, OLD, 60, clock=clock)
    await session.add_items(expired)
    clock.now += 40
    await session.add_items(fresh)
    clock.now += 40
    for limit in (None, len(sent), 100):
        assert await session.get_items(limit=limit) == sent
    assert complaints([entry.item for entry in await session.recent(9)]) == []
    shown = [entry.item for entry in (await session.timeline()).entries if entry.state is State.OK]
    assert shown == sent
    for small in range(1, len(sent) + 1):
        assert await session.get_items(limit=small) == sent[-small:]


async def test_a_result_of_a_call_that_never_was_is_given_where_nothing_has_expired(tmp_path: Path) -> None:
    session = on_file(tmp_path, ttl=60)
    await session.add_items([output("never called"), user()])
    assert await session.get_items() == [output("never called"), user()]


async def test_a_pair_expires_with_its_call_on_every_page(tmp_path: Path) -> None:
    clock = Clock()
    session = on_file(tmp_path, ttl=60, clock=clock)
    await session.add_items([user("q"), reasoning(), call("k")])
    clock.now += 40
    await session.add_items([output("k"), assistant("a")])
    clock.now += 40
    (entry, last) = (await session.timeline(limit=2)).entries
    assert (entry.state, entry.item, last.state) == (State.EXPIRED, None, State.OK)
    assert entry.expires_at == datetime.fromtimestamp(START + 60, UTC)
    assert await states(session) == [State.EXPIRED] * 4 + [State.OK]
    assert await session.pop_item() == assistant("a")
    assert await session.pop_item() is None


async def test_edits_keep_pairs_whole_though_a_part_has_expired(tmp_path: Path) -> None:
    clock = Clock()
    session = on_file(tmp_path, ttl=60, clock=clock)
    await session.add_items([user("q"), call("k")])
    clock.now += 40
    await session.add_items([output("k"), assistant("a")])
    clock.now += 40
    entries = (await session.timeline()).entries
    plan = await session.plan(Remove((entries[2].id,)))
    assert [(taken.entry.id, taken.entry.item) for taken in plan.taken] == [(entries[1].id, None)]
    assert plan.takes("k")
    assert all(entry.item is None for entry in plan.shown)
    plan = await session.plan(RollBack(entries[1].id))
    assert (plan.removed, [taken.entry.id for taken in plan.taken]) == (3, [entries[1].id])


async def test_an_expired_entry_cannot_be_replaced_and_can_be_removed(tmp_path: Path) -> None:
    clock = Clock()
    session = on_file(tmp_path, ttl=60, clock=clock)
    await session.add_items([user("q")])
    clock.now += 100
    (entry,) = (await session.timeline()).entries
    with pytest.raises(NotSupported, match="cannot be replaced"):
        await session.plan(Replace(entry.id, user("other")))
    await session.apply(await session.plan(Remove((entry.id,))))
    assert await session.states() == {}


async def test_edits_and_branches_keep_the_time_of_what_was_said(tmp_path: Path) -> None:
    clock = Clock()
    session = on_file(tmp_path, ttl=60, clock=clock)
    await session.add_items([user("q"), call("k"), assistant("a")])
    clock.now += 50
    entries = (await session.timeline()).entries
    await session.apply(await session.plan(Replace(entries[0].id, user("rephrased"))))
    await session.apply(await session.plan(Repair(entries[1].id, "complete")))
    branch = await session.branch("b")
    for each in (session, branch):
        times = {entry.sealed_at for entry in (await each.timeline()).entries}
        assert times == {datetime.fromtimestamp(START, UTC)}
        assert len(await each.get_items()) == 4
    clock.now += 11
    assert (await session.get_items(), await branch.get_items()) == ([], [])


async def test_a_branch_is_sealed_for_its_own_id_with_its_notes_and_expired_rows(tmp_path: Path) -> None:
    clock = Clock()
    session = on_file(tmp_path, ttl=60, clock=clock)
    await session.add_items([user("old")])
    clock.now += 100
    await session.append([user("new")], note=("stopped", {"said": "hello"}))
    branch = await session.branch("b")
    assert await branch.get_items() == [user("new")]
    assert await states(branch) == [State.EXPIRED, State.OK]
    (note,) = await branch.notes(await branch.timeline())
    assert note.detail == {"said": "hello"}
    assert not {row.raw for row in await rows(branch)} & {row.raw for row in await rows(session)}
    assert await on_file(tmp_path, ttl=None, id_="b").get_items() == [user("old"), user("new")]


async def test_rows_of_a_clock_that_is_ahead_are_named_and_come_by_themselves(tmp_path: Path) -> None:
    await on_file(tmp_path, ttl=60, clock=Clock(START + 300)).add_items([user("from the future")])
    clock = Clock(START)
    session = on_file(tmp_path, ttl=600, clock=clock)
    await session.add_items([user("now")])
    assert await session.get_items() == [user("now")]
    (ahead, _) = (await session.timeline()).entries
    assert (ahead.state, ahead.item) == (State.AHEAD, None)
    assert ahead.sealed_at == datetime.fromtimestamp(START + 300, UTC)
    before = await session.revision()
    clock.now = START + 240
    assert await session.get_items() == [user("from the future"), user("now")]
    assert await session.revision() != before


async def test_a_minute_ahead_is_no_matter_and_without_a_time_to_live_none_is(tmp_path: Path) -> None:
    await on_file(tmp_path, clock=Clock(START + 60)).add_items([user("soon")])
    await on_file(tmp_path, clock=Clock(START + 9999)).add_items([user("late")])
    assert await on_file(tmp_path, ttl=60).get_items() == [user("soon")]
    assert await on_file(tmp_path).get_items() == [user("soon"), user("late")]


async def test_the_revision_differs_once_something_shown_has_expired(tmp_path: Path) -> None:
    clock = Clock()
    session = on_file(tmp_path, ttl=60, clock=clock)
    await session.add_items([user()])
    shown = (await session.timeline()).revision
    clock.now += 60
    assert await session.revision() == shown
    clock.now += 1
    expired = await session.revision()
    assert expired != shown
    assert (await session.timeline()).revision == expired
    clock.now += 1000
    assert await session.revision() == expired


# A waiting decision and time


async def waiting(tmp_path: Path, clock: Clock) -> EncryptedTableSession:
    session = on_file(tmp_path, ttl=60, clock=clock)
    await session.add_items(turn(1))
    clock.now += 30
    await session.add_items([user("refund"), call("k", "refund_order")])
    await session.pause("state", [("k", "refund_order", "{}", "Approval")])
    return session


async def test_a_decision_ends_when_anything_under_it_expires(tmp_path: Path) -> None:
    clock = Clock()
    session = await waiting(tmp_path, clock)
    await session.timeline()
    paused = await session.waiting()
    assert paused is not None
    shown = await session.revision()
    clock.now = START + 61
    assert await session.revision() != shown
    assert await session.waiting() is None
    with pytest.raises(DecisionClosed, match=r"expired\.$"):
        await session.decide(paused.id, {"k": (True, "")})
    items = await session.get_items()
    assert items[-1]["call_id"] == "k"
    assert items[-1]["output"].startswith("Expired:")
    (note,) = await session.notes(await session.timeline())
    assert (note.kind, note.detail) == ("superseded", {"tools": ["refund_order"], "because": "expired"})


async def test_a_branch_closes_a_decision_that_time_has_ended_with_the_word_about_time(
    tmp_path: Path,
) -> None:
    clock = Clock()
    session = await waiting(tmp_path, clock)
    clock.now = START + 61
    branch = await session.branch("b")
    for each in (session, branch):
        timeline = await each.timeline()
        (note,) = await each.notes(timeline)
        assert note.detail == {"tools": ["refund_order"], "because": "expired"}
        assert note.after == timeline.entries[-1].id
        assert await each.waiting() is None


async def test_a_decision_that_time_ended_is_closed_once_asked_and_looking_changes_nothing(
    tmp_path: Path,
) -> None:
    clock = Clock()
    session = await waiting(tmp_path, clock)
    assert await session.lapse() == ()
    clock.now = START + 61
    before = await rows(session)
    await session.timeline()
    assert await session.waiting() is None
    assert await rows(session) == before
    assert await session.lapse() == ("k",)
    assert await session.lapse() == ()
    assert len(await rows(session)) == len(before) + 1


async def test_what_had_expired_before_the_question_does_not_end_a_decision(tmp_path: Path) -> None:
    clock = Clock()
    session = on_file(tmp_path, ttl=60, clock=clock)
    await session.add_items(turn(1))
    clock.now += 100
    await session.add_items([user("refund"), call("k")])
    paused = await session.pause("state", [("k", "refund_order", "{}", "Approval")])
    clock.now += 60
    assert await session.waiting() == paused
    clock.now += 1
    assert await session.waiting() is None


async def test_a_decision_that_was_taken_is_not_ended_by_time(tmp_path: Path) -> None:
    clock = Clock()
    session = await waiting(tmp_path, clock)
    paused = await session.waiting()
    assert paused is not None
    await session.decide(paused.id, {"k": (True, "")})
    clock.now += 1000
    assert await session.lapse() == ()
    assert await session.waiting() is not None
