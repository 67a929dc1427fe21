"""Encrypted sessions: wrong keys, times to live, and that nothing said stands in any file."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory import (
    Clear,
    DecisionClosed,
    Edit,
    EncryptedSession,
    MemoryDeskError,
    NotSupported,
    Remove,
    Repair,
    Replace,
    RollBack,
    SQLiteSession,
    State,
    Truncate,
    WrongKey,
    inspect,
)
from memory.encrypted_session import EncryptedTableSession

from .encrypting import NEW, OLD, OTHER, START, Clock, counting, encrypted, on_file
from .items import Item, assistant, call, output, pair, reasoning, turn, turns, user
from .stores import ListSession, on_disk, plant, rows, run_sql
from .wholeness import complaints

ONE_SENTENCE = r"^[^.]+\.$"


async def states(session: EncryptedSession) -> list[State]:
    return [entry.state for entry in (await session.timeline()).entries]


# Wrong keys


@pytest.mark.parametrize("key", [OTHER, [OTHER, NEW]])
async def test_with_a_wrong_key_every_entry_is_shown_as_locked_and_none_is_given(
    tmp_path: Path, key: Any
) -> None:
    await on_file(tmp_path).add_items(turns(1))
    other = on_file(tmp_path, key)
    assert await other.get_items() == []
    assert await other.recent(5) == []
    assert await other.states() == {State.LOCKED: 4}
    entries = (await other.timeline()).entries
    assert [(entry.state, entry.item) for entry in entries] == [(State.LOCKED, None)] * 4


async def test_with_a_wrong_key_no_edit_is_made_and_with_the_right_one_all_is_there(tmp_path: Path) -> None:
    right = on_file(tmp_path, ttl=60)
    await right.add_items(turns(2))
    before = await rows(right)
    # Even where all has expired by now: what cannot be opened is not taken.
    wrong = on_file(tmp_path, OTHER, ttl=60, clock=Clock(START + 1000))
    first = (await wrong.timeline()).entries[0]
    edits: list[Edit] = [
        RollBack(None), RollBack(first.id), Truncate(keep_turns=0), Truncate(keep_items=1), Clear(),
        Remove((first.id,)), Replace(first.id, user("forged")),
    ]  # fmt: skip
    for edit in edits:
        with pytest.raises(WrongKey, match=ONE_SENTENCE):
            await wrong.apply(await wrong.plan(edit))
    with pytest.raises(WrongKey, match=ONE_SENTENCE):
        await wrong.branch("other")
    assert await wrong.pop_item() is None
    assert await rows(right) == before
    assert await right.get_items() == turns(2)


async def test_a_plan_made_with_the_right_key_is_not_applied_with_a_wrong_one(tmp_path: Path) -> None:
    right = on_file(tmp_path)
    await right.add_items(turns(3))
    entries = (await right.timeline()).entries
    for edit in (RollBack(entries[0].id), Truncate(keep_items=1), Clear()):
        plan = await right.plan(edit)
        with pytest.raises(WrongKey):
            await on_file(tmp_path, OTHER).apply(plan)
    assert await right.get_items() == turns(3)


async def test_with_a_wrong_key_nothing_is_undone_or_made_again(tmp_path: Path) -> None:
    right, wrong = on_file(tmp_path), on_file(tmp_path, OTHER)
    await right.add_items(turns(2))
    await right.apply(await right.plan(Truncate(keep_turns=1)))
    with pytest.raises(WrongKey):
        await wrong.undo()
    await right.undo()
    with pytest.raises(WrongKey):
        await wrong.redo()
    assert await right.get_items() == turns(2)


async def test_a_pop_takes_nothing_of_another_key(tmp_path: Path) -> None:
    right, wrong = on_file(tmp_path), on_file(tmp_path, OTHER)
    await right.add_items([user("one")])
    await wrong.add_items([user("two")])
    with pytest.raises(WrongKey, match=ONE_SENTENCE):
        await right.pop_item()
    assert await wrong.pop_item() == user("two")
    assert await right.pop_item() == user("one")


async def test_a_session_whose_key_is_lost_can_still_be_cleared_for_good(tmp_path: Path) -> None:
    await on_file(tmp_path).add_items(turns(1))
    await on_file(tmp_path, OTHER).erase()
    assert await on_file(tmp_path).states() == {}


async def test_rows_under_another_id_are_locked_and_the_id_can_be_found(tmp_path: Path) -> None:
    session = on_file(tmp_path)
    await session.add_items(turns(1))
    await run_sql(session, "UPDATE {messages} SET session_id = 'renamed'")
    renamed = on_file(tmp_path, id_="renamed")
    assert await renamed.states() == {State.LOCKED: 4}
    assert await renamed.written_as(["a", "b"]) is None
    assert await renamed.written_as(["a", "x", "b"]) == "x"


async def test_decisions_and_notes_of_another_key_stay_unread_and_untouched(tmp_path: Path) -> None:
    right, wrong = on_file(tmp_path), on_file(tmp_path, OTHER)
    await right.add_items([user(), call("k")])
    await right.note("stopped", {"said": "hello"})
    paused = await right.pause("state", [("k", "refund_order", "{}", "Approval")])
    assert await wrong.waiting() is None
    assert [(note.kind, note.detail) for note in await wrong.notes(await wrong.timeline())] == [
        ("stopped", {})
    ]
    with pytest.raises(WrongKey):
        await wrong.decide(paused.id, {"k": (True, "")})
    with pytest.raises(WrongKey):
        await wrong.supersede()
    assert await right.waiting() == paused
    (note,) = await right.notes(await right.timeline())
    assert note.detail == {"said": "hello"}


async def test_unreadable_rows_take_no_place_in_a_limit(tmp_path: Path) -> None:
    session = on_file(tmp_path)
    await session.add_items([user(str(number)) for number in range(6)])
    await on_file(tmp_path, OTHER).add_items([user("a"), user("b"), user("c")])
    assert await session.get_items(limit=4) == [user(str(number)) for number in range(2, 6)]
    assert await session.states() == {State.OK: 6, State.LOCKED: 3}


# Several keys


async def test_old_rows_stay_readable_and_new_ones_are_under_the_newest_key(tmp_path: Path) -> None:
    await on_file(tmp_path, OLD).add_items([user("old")])
    both = on_file(tmp_path, [NEW, OLD])
    await both.add_items([user("new")])
    assert await both.get_items() == [user("old"), user("new")]
    assert await on_file(tmp_path, NEW).get_items() == [user("new")]


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


# What it costs


async def test_the_newest_twenty_of_many_decrypt_twenty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = on_file(tmp_path, ttl=600)
    await session.add_items(turns(500))
    with counting(monkeypatch) as count:
        assert await session.get_items(limit=20) == turns(500)[-20:]
    assert count.decrypted == 20


async def test_an_expired_tail_is_skipped_without_decrypting_and_found_at_once_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    ahead = on_file(tmp_path, ttl=600, clock=Clock(START + 5000))
    await ahead.add_items([user("readable")])
    await on_file(tmp_path, ttl=600, clock=clock).add_items(turns(2500))
    session = on_file(tmp_path, ttl=600, clock=Clock(START + 5000))
    read: list[int] = []
    tables, heads = session.scope.tables, session.scope.tables.heads

    def counted(*arguments: Any) -> Any:
        rows = yield from heads(*arguments)
        read.append(len(rows))
        return rows

    monkeypatch.setattr(tables, "heads", counted)
    with counting(monkeypatch) as count:
        assert await session.get_items(limit=20) == [user("readable")]
        assert sum(read) > 9000
        read.clear()
        assert await session.get_items(limit=20) == [user("readable")]
    assert sum(read) <= 1
    assert count.decrypted == 2


async def test_what_is_remembered_of_an_expired_tail_does_not_outlive_the_rows(tmp_path: Path) -> None:
    session = on_file(tmp_path, ttl=600, clock=Clock(START + 5000))
    await on_file(tmp_path).add_items(turns(10))
    assert await session.get_items(limit=5) == []
    await session.add_items([user("fresh")])
    assert await session.get_items(limit=5) == [user("fresh")]
    await session.apply(await session.plan(Clear()))
    await session.add_items([user("after")])
    assert await session.get_items(limit=5) == [user("after")]
    longer = on_file(tmp_path, ttl=6000, clock=Clock(START + 5000))
    await longer.undo()
    assert await longer.get_items(limit=2) == [user("fresh"), user("after")]


async def test_a_session_key_is_derived_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memory import Keys

    derived: list[str] = []
    derive = Keys.of_session
    monkeypatch.setattr(Keys, "of_session", lambda self, id_: derived.append(id_) or derive(self, id_))
    session = on_file(tmp_path)
    await session.add_items(turns(3))
    await session.timeline()
    assert await session.get_items() == turns(3)
    assert derived == ["x"]


async def test_turns_are_counted_on_without_opening_old_rows_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = on_file(tmp_path)
    await session.add_items(turns(100))
    await session.timeline(limit=8)
    await session.apply(await session.plan(Truncate(keep_turns=99)))
    with counting(monkeypatch) as count:
        assert (await session.timeline(limit=8)).turns == 99
    assert count.decrypted == 8


# Discretion

MARKER = "xyzzy-marker-plugh"


async def test_a_word_said_is_in_no_file(tmp_path: Path) -> None:
    session = on_file(tmp_path)
    said = [user(MARKER), call("k", arguments=MARKER), output("k", MARKER), assistant(MARKER)]
    await session.append(said, agent="Triage", note=("failed", {"said": MARKER}))
    entries = (await session.timeline()).entries
    await session.apply(await session.plan(Replace(entries[0].id, user(MARKER + " again"))))
    await session.apply(await session.plan(RollBack(entries[2].id)))
    await session.undo()
    await session.pop_item()
    await session.add_items([call("w", arguments=MARKER)])
    paused = await session.pause(f"state {MARKER}", [("w", "refund_order", MARKER, "Approval")])
    await session.decide(paused.id, {"w": (False, MARKER)})
    branch = await session.branch("b", upto=(await session.timeline()).entries[1].id)
    await branch.add_items([user(MARKER)])
    for name, data in on_disk(tmp_path).items():
        assert MARKER.encode() not in data, name
    assert (await session.waiting() or paused).verdicts == {"w": (False, MARKER)}


async def test_no_error_tells_of_the_key_or_of_what_was_said(tmp_path: Path) -> None:
    await on_file(tmp_path).add_items([user(MARKER)])
    wrong = on_file(tmp_path, OTHER)
    with pytest.raises(MemoryDeskError) as caught:
        await wrong.apply(await wrong.plan(Clear()))
    assert MARKER not in str(caught.value)
    assert OTHER not in str(caught.value)


# Over other sessions


async def test_it_wraps_any_session_that_holds_envelopes() -> None:
    clock = Clock()
    plain = ListSession("x")
    session = EncryptedSession("x", plain, OLD, 60, clock=clock)
    await session.add_items(turns(2))
    assert all(set(item) == {"__enc__", "v", "kid", "payload"} for item in plain.items)
    assert inspect(session) is session
    assert await session.get_items(limit=3) == turns(2)[-3:]
    assert await session.pop_item() == turns(2)[-1]
    await session.undo()
    assert await session.get_items() == turns(2)
    entries = (await session.timeline()).entries
    assert [entry.turn for entry in entries] == [1] * 4 + [2] * 4
    await session.apply(await session.plan(RollBack(entries[1].id)))
    assert await session.get_items() == turns(2)[:1]
    await session.undo()
    assert await session.get_items() == turns(2)


async def test_over_another_session_a_wrong_key_takes_nothing() -> None:
    plain = ListSession("x")
    await EncryptedSession("x", plain, OLD).add_items(turns(1))
    wrong = EncryptedSession("x", plain, OTHER)
    before = list(plain.items)
    assert await wrong.get_items() == []
    assert await wrong.pop_item() is None
    for edit in (Clear(), RollBack(None)):
        with pytest.raises(WrongKey, match=ONE_SENTENCE):
            await wrong.plan(edit)
    assert plain.items == before
    assert await wrong.states() == {State.LOCKED: 4}
    assert await wrong.written_as(["a", "x"]) is None


async def test_over_another_session_nothing_is_written_anew() -> None:
    session = EncryptedSession("x", ListSession("x"), [NEW, OLD])
    with pytest.raises(NotSupported):
        await session.reencrypt()
    with pytest.raises(NotSupported):
        await session.encrypt_plain_rows()


async def test_an_encrypted_session_is_not_encrypted_twice() -> None:
    session = encrypted(SQLiteSession("x"))
    with pytest.raises(ValueError, match=r"^This session is encrypted already; [^.]+\.$"):
        EncryptedSession("x", session, OLD)


async def test_the_conversations_service_holds_no_envelope() -> None:
    from agents import OpenAIConversationsSession
    from openai import AsyncOpenAI

    theirs = OpenAIConversationsSession(
        conversation_id="conv_1", openai_client=AsyncOpenAI(api_key="none", base_url="http://127.0.0.1:9/")
    )
    with pytest.raises(ValueError, match="Conversations service"):
        EncryptedSession("x", theirs, OLD)


async def test_settings_are_those_of_the_session_underneath() -> None:
    from agents.memory import SessionSettings

    underlying = SQLiteSession("x", session_settings=SessionSettings(limit=2))
    session = encrypted(underlying)
    await session.add_items(turns(1))
    assert await session.get_items() == turns(1)[-2:]
    session.session_settings = SessionSettings(limit=1)
    assert underlying.session_settings == SessionSettings(limit=1)
    assert await session.get_items() == turns(1)[-1:]


async def test_an_id_of_its_own_is_what_the_key_is_derived_for() -> None:
    underlying = SQLiteSession("row")
    session = EncryptedSession("secret name", underlying, OLD)
    await session.add_items([user()])
    assert session.session_id == "secret name"
    assert await EncryptedSession("secret name", underlying, OLD).get_items() == [user()]
    assert await EncryptedSession("row", underlying, OLD).get_items() == []


async def test_a_closed_session_is_closed_under_its_encryption_too(tmp_path: Path) -> None:
    session = on_file(tmp_path)
    await session.add_items([user()])
    session.close()
    with pytest.raises(RuntimeError, match="closed"):
        await session.get_items()


async def test_many_at_once_lose_nothing(tmp_path: Path) -> None:
    sessions = [on_file(tmp_path, ttl=600) for _ in range(4)]
    await asyncio.gather(
        *(s.add_items([user(f"{n}-{i}")]) for n, s in enumerate(sessions) for i in range(10))
    )
    assert len(await sessions[0].get_items()) == 40


async def test_plain_and_encrypted_tell_each_other_apart(tmp_path: Path) -> None:
    plain = SQLiteSession("x", tmp_path / "a.db")
    session = encrypted(plain)
    await session.add_items([user("sealed")])
    await plant(session, json.dumps(user("open")))
    assert await states(session) == [State.OK, State.PLAINTEXT]
