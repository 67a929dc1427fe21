"""Any sequence of edits over any history: nothing half, nothing lost, nothing changed that was not named."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from memory import (
    Change,
    Clear,
    DecisionClosed,
    Edit,
    Entry,
    HistoryChanged,
    MemoryDeskError,
    NothingToDo,
    NotSupported,
    Plan,
    Remove,
    Repair,
    Replace,
    RollBack,
    SQLiteSession,
    State,
    Truncate,
    UndoRefused,
)

from . import histories
from .histories import closed, is_question, lone_halves, parsed, side
from .items import Item, call, user
from .stores import Row, rows, run_sql

FAR = 10**6


async def plant(session: SQLiteSession, raw: bytes) -> None:
    """Append a row of any bytes as text, as another program could."""
    add = "INSERT INTO {messages} (session_id, message_data) VALUES (:session, CAST(:raw AS TEXT))"
    await run_sql(session, add, raw=raw)


@dataclass
class Done:
    """A change with what it took and put, worked out from the rows before and after it."""

    took: list[Row]
    put: list[Row]
    cut: int | None
    """For an edit of the tail: the last row before it. Rows behind it forbid the undo."""


class Editing(RuleBasedStateMachine):
    """Two sessions in one table; all edits are made in `session`, `other` must never notice."""

    @initialize(texts=st.lists(st.tuples(st.booleans(), histories.raws), max_size=24), far=st.booleans())
    def begin(self, texts: list[tuple[bool, bytes]], far: bool) -> None:
        self.runner = asyncio.Runner()
        self.session = SQLiteSession("ticket")
        self.other = self.session.sibling("other ticket")
        self.done: list[Done] = []
        self.undone: list[Done] = []
        self.strangers = False
        for ours, text in texts:
            self.run(plant(self.session if ours else self.other, text))
            if far and ours and len(texts) > 20:
                self.run(self.session.add_items([user()] * 40))
        self.expected = self.rows()
        self.expected_other = self.run(rows(self.other))

    def teardown(self) -> None:
        if not hasattr(self, "runner"):
            return
        try:
            self.everything_comes_back()
        finally:
            self.session.database.close()
            self.runner.close()

    # the machinery

    def run(self, work: Awaitable[Any]) -> Any:
        async def waited() -> Any:
            return await work

        return self.runner.run(waited())

    def rows(self) -> list[Row]:
        found: list[Row] = self.run(rows(self.session))
        return found

    def entries(self) -> list[Entry]:
        return list(self.run(self.session.timeline(limit=FAR)).entries)

    @property
    def history(self) -> list[Item | None]:
        return [parsed(row.raw) for row in self.expected]

    def refused(self, work: Awaitable[Any], *errors: type[MemoryDeskError]) -> None:
        with pytest.raises(errors):
            self.run(work)

    def apply(self, edit: Edit, named: set[int]) -> None:
        """Plan and apply an edit that names these places; all that may go is what they drag along."""
        going = closed(self.history, named)
        if not going:
            self.refused(self.session.plan(edit), NothingToDo)
            return
        plan = self.run(self.session.plan(edit))
        self.plan_tells(plan, named, going)
        change = self.run(self.session.apply(plan))
        assert (change.removed, change.added) == (len(going), 0)
        cut = None
        if isinstance(edit, RollBack):
            cut = self.expected[min(named) - 1].id if min(named) else 0
        self.took([self.expected[index] for index in sorted(going)], cut)

    def plan_tells(self, plan: Plan, named: set[int], going: set[int]) -> None:
        assert plan.removed == len(going)
        ids = [entry.id for entry in self.entries()]
        if plan.span is not None:
            assert [taken.entry.id for taken in plan.taken] == [ids[i] for i in sorted(going - named)]
        for index, item in enumerate(self.history):
            half = side(item)
            if half and half[0] == "call" and self.is_the_only_call(half[1][1]):
                assert plan.takes(half[1][1]) is (index in going)

    def is_the_only_call(self, call_id: str) -> bool:
        calls = [half for item in self.history if (half := side(item)) and half[0] == "call"]
        return sum(shared[1] == call_id for _, shared in calls) == 1

    def took(self, gone: list[Row], cut: int | None) -> None:
        left = [row for row in self.expected if row not in gone]
        self.made(Done(gone, [], cut), left)

    def made(self, done: Done, after: list[Row]) -> None:
        self.done.append(done)
        self.undone.clear()
        self.expected = after

    def swap(self, away: list[Row], back: list[Row]) -> None:
        self.expected = sorted([row for row in self.expected if row not in away] + back)

    # what is always so

    @invariant()
    def every_byte_is_as_it_must_be(self) -> None:
        if hasattr(self, "expected"):
            assert self.rows() == self.expected
            assert self.run(rows(self.other)) == self.expected_other

    @invariant()
    def the_timeline_shows_the_store(self) -> None:
        if not hasattr(self, "expected"):
            return
        entries = self.entries()
        assert [entry.raw.encode("utf-8", "surrogateescape") for entry in entries] == [
            row.raw for row in self.expected
        ]
        alone = lone_halves(self.history)
        for index, (entry, item) in enumerate(zip(entries, self.history, strict=True)):
            state = State.CORRUPT if item is None else State.UNPAIRED if index in alone else State.OK
            assert (entry.state, entry.position) == (state, index + 1)
            assert entry.turn == sum(map(is_question, self.history[: index + 1]))
        assert self.leafed_through(3) == entries

    def leafed_through(self, limit: int) -> list[Entry]:
        """All entries, read page by page from the newest back."""
        page = self.run(self.session.timeline(limit=limit))
        found = list(page.entries)
        while page.older:
            page = self.run(self.session.timeline(before=found[0].id, limit=limit))
            found = [*page.entries, *found]
        return found

    @invariant()
    def what_a_model_is_sent_is_whole(self) -> None:
        if not hasattr(self, "expected"):
            return
        for turns in (1, 2, 1000):
            entries = self.run(self.session.recent(turns))
            sent = [entry.item for entry in entries]
            assert not lone_halves(sent)
            ids = {entry.key[0] for entry in entries}
            for run in histories.runs(self.history):
                present = [self.expected[index].id in ids for index in run]
                assert all(present) or not any(present)

    # what happens

    @rule(batch=st.lists(histories.items, min_size=1, max_size=6))
    def append(self, batch: list[Item]) -> None:
        before = len(self.expected)
        self.run(self.session.append(batch, agent="Triage"))
        self.expected = self.rows()
        assert [parsed(row.raw) for row in self.expected[before:]] == batch

    @rule(text=histories.raws)
    def another_program_appends(self, text: bytes) -> None:
        self.run(plant(self.session, text))
        self.expected = self.rows()

    @rule(text=histories.raws)
    def something_happens_in_the_other_session(self, text: bytes) -> None:
        self.run(plant(self.other, text))
        self.expected_other = self.run(rows(self.other))

    @precondition(lambda self: self.expected)
    @rule()
    def another_program_pops(self) -> None:
        last = self.expected.pop()
        self.run(run_sql(self.session, "DELETE FROM {messages} WHERE id = :id", id=last.id))
        self.strangers = True

    @precondition(lambda self: self.expected)
    @rule(data=st.data())
    def roll_back(self, data: st.DataObject) -> None:
        place = data.draw(st.integers(-1, len(self.expected) - 1))
        to = self.entries()[place].id if place >= 0 else None
        self.apply(RollBack(to), set(range(place + 1, len(self.expected))))

    @precondition(lambda self: self.expected)
    @rule(keep=st.integers(0, 30))
    def truncate_to_items(self, keep: int) -> None:
        self.apply(Truncate(keep_items=keep), set(range(len(self.expected) - keep)))

    @precondition(lambda self: self.expected)
    @rule(keep=st.integers(0, 5))
    def truncate_to_turns(self, keep: int) -> None:
        questions = [index for index, item in enumerate(self.history) if is_question(item)]
        first = len(self.expected) if keep == 0 else questions[-keep] if keep <= len(questions) else 0
        self.apply(Truncate(keep_turns=keep), set(range(first)))

    @precondition(lambda self: self.expected)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        places = data.draw(st.sets(st.integers(0, len(self.expected) - 1), min_size=1, max_size=3))
        entries = self.entries()
        self.apply(Remove(tuple(entries[place].id for place in places)), places)

    @precondition(lambda self: self.expected)
    @rule()
    def clear(self) -> None:
        self.apply(Clear(), set(range(len(self.expected))))

    @precondition(lambda self: self.expected)
    @rule(data=st.data())
    def replace(self, data: st.DataObject) -> None:
        place = data.draw(st.integers(0, len(self.expected) - 1))
        entry, old, item = self.entries()[place], self.expected[place], self.history[place]
        new = {**item, "note": "changed"} if item else user("in place of what could not be read")
        edit = Replace(entry.id, new)
        if item == {} or (item and item.get("note")):
            return
        change = self.run(self.session.apply(self.run(self.session.plan(edit))))
        assert (change.removed, change.added) == (1, 1)
        (after,) = [row for row in self.rows() if row.id == old.id]
        assert (parsed(after.raw), after.created_at) == (new, old.created_at)
        replaced = [after if row == old else row for row in self.expected]
        self.made(Done([old], [after], None), replaced)

    @precondition(lambda self: bool(lone_halves(self.history)))
    @rule(data=st.data())
    def complete(self, data: st.DataObject) -> None:
        place = data.draw(st.sampled_from(sorted(lone_halves(self.history))))
        entry, item = self.entries()[place], self.history[place]
        edit = Repair(entry.id, "complete")
        if item is None or item.get("type") != "function_call":
            self.refused(self.session.plan(edit), NotSupported)
            return
        before, alone = self.expected, len(lone_halves(self.history))
        self.run(self.session.apply(self.run(self.session.plan(edit))))
        after = self.rows()
        kept = [row for row in before if row in after]
        moved, fresh = before[len(kept) :], after[len(kept) :]
        assert kept == before[: len(kept)]
        assert parsed(fresh[0].raw) == {**(parsed(fresh[0].raw) or {}), "call_id": item["call_id"]}
        assert [row[1:] for row in fresh[1:]] == [row[1:] for row in moved]
        self.made(Done(moved, fresh, None), after)
        assert len(lone_halves(self.history)) == alone - 1

    @rule()
    def pop(self) -> None:
        readable = [index for index, item in enumerate(self.history) if item is not None]
        item = self.run(self.session.pop_item())
        if not readable:
            assert item is None
            return
        assert item == self.history[readable[-1]]
        cut = self.expected[readable[-1] - 1].id if readable[-1] else 0
        self.took(self.expected[readable[-1] :], cut)

    @precondition(lambda self: self.done or self.undone)
    @rule()
    def undo(self) -> None:
        self._undo()

    def _undo(self) -> bool:
        if not self.done:
            self.refused(self.session.undo(), NothingToDo)
            return False
        done = self.done[-1]
        if self.strangers:
            return self._undo_after_strangers(done)
        if done.cut is not None and any(row.id > done.cut for row in self.expected):
            self.refused(self.session.undo(), UndoRefused)
            return False
        self.run(self.session.undo())
        self._undid(done)
        return True

    def _undid(self, done: Done) -> None:
        self.undone.append(self.done.pop())
        self.swap(done.put, done.took)

    def _undo_after_strangers(self, done: Done) -> bool:
        """Another program took rows: an undo may be refused, and then changes nothing."""
        try:
            self.run(self.session.undo())
        except (UndoRefused, HistoryChanged, NothingToDo):
            return False
        assert all(row in self.expected for row in done.put)
        self._undid(done)
        return True

    @precondition(lambda self: self.done or self.undone)
    @rule()
    def redo(self) -> None:
        if not self.undone:
            self.refused(self.session.redo(), NothingToDo)
            return
        done = self.undone[-1]
        behind = max((row.id for row in done.took), default=0)
        missing = any(row not in self.expected for row in done.took)
        late = done.cut is not None and any(row.id > behind for row in self.expected)
        if missing or late:
            self.refused(self.session.redo(), HistoryChanged, NothingToDo)
            return
        self.run(self.session.redo())
        self.done.append(self.undone.pop())
        self.swap(done.took, done.put)

    @precondition(lambda self: self.expected)
    @rule(data=st.data())
    def branch(self, data: st.DataObject) -> None:
        place = data.draw(st.integers(0, len(self.expected) - 1))
        left_out = closed(self.history, range(place + 1, len(self.expected)))
        copied = [row for index, row in enumerate(self.expected) if index not in left_out]
        self.branches_to(copied, upto=self.entries()[place].id)

    @precondition(lambda self: self.done and self.done[-1].cut is not None and not self.strangers)
    @rule()
    def branch_off_before_the_last_edit(self) -> None:
        done = self.done[-1]
        changes = self.run(self.session.changes())
        change: Change = [change for change in changes if not change.undone][-1]
        stood = [row for row in self.expected if row.id <= (done.cut or 0)]
        self.branches_to(sorted([*stood, *done.took]), before=change)

    def branches_to(self, copied: list[Row], **of: Any) -> None:
        if not copied:
            self.refused(self.session.branch("branch", **of), NothingToDo)
            return
        branch = self.run(self.session.branch("branch", **of))
        assert [row[1:] for row in self.run(rows(branch))] == [row[1:] for row in copied]
        self.run(branch.clear_session())

    @rule()
    def purge(self) -> None:
        self.run(self.session.purge())
        self.done.clear()
        self.undone.clear()

    # in the end

    def everything_comes_back(self) -> None:
        """Undo all there is, then redo all of it: both ways to the byte."""
        now = list(self.expected)
        steps = 0
        while self._undo():
            self.every_byte_is_as_it_must_be()
            steps += 1
        if self.strangers:
            return
        for _ in range(steps):
            self.run(self.session.redo())
            done = self.undone.pop()
            self.done.append(done)
            self.swap(done.took, done.put)
            self.every_byte_is_as_it_must_be()
        assert self.expected == now


QUICK = settings(
    max_examples=40,
    stateful_step_count=14,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def test_any_sequence_of_edits_keeps_pairs_whole_and_can_be_taken_back_to_the_byte() -> None:
    run_state_machine_as_test(Editing, settings=QUICK)


@pytest.mark.long
def test_many_more_sequences_of_edits_keep_pairs_whole_and_can_be_taken_back_to_the_byte() -> None:
    run_state_machine_as_test(Editing, settings=settings(QUICK, max_examples=1_500, stateful_step_count=30))


FILLER = 60


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    halves=st.lists(st.tuples(st.integers(0, 400), histories.halves), min_size=2, max_size=12),
    cut=st.floats(0, 1),
)
async def test_pairs_apart_by_hundreds_of_items_are_found_over_any_cut(
    halves: list[tuple[int, Item]], cut: float
) -> None:
    """Calls and outputs strewn over a long session that shares its table with another one."""
    session = SQLiteSession("ticket")
    other = session.sibling("other ticket")
    strewn = sorted(halves, key=lambda placed: placed[0])
    items: list[Item] = []
    for place, item in strewn:
        items += [user(f"filler {len(items)}") for _ in range(place - len(items))]
        items.append(item)
        await other.add_items([item])
    items += [user("filler")] * FILLER
    for start in range(0, len(items), 50):
        await session.add_items(items[start : start + 50])
        await other.add_items([user("theirs")])
    before, theirs = await rows(session), await rows(other)
    place = int(cut * (len(items) - 1))
    entries = (await session.timeline(limit=FAR)).entries
    for edit, named in (
        (RollBack(entries[place].id), range(place + 1, len(items))),
        (Truncate(keep_items=len(items) - place), range(place)),
        (Remove((entries[place].id,)), range(place, place + 1)),
    ):
        going = closed(items, named)
        if not going:
            continue
        plan = await session.plan(edit)
        assert plan.removed == len(going)
        await session.apply(plan)
        assert await rows(session) == [row for index, row in enumerate(before) if index not in going]
        await session.undo()
        assert await rows(session) == before
        assert await rows(other) == theirs
    session.database.close()


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(texts=st.lists(histories.raws, max_size=8), calls=st.integers(1, 3), edit=st.integers(0, 5))
async def test_whatever_is_done_while_a_decision_waits_its_calls_are_whole_afterwards(
    texts: list[bytes], calls: int, edit: int
) -> None:
    session = SQLiteSession("ticket")
    for text in texts:
        await plant(session, text)
    ids = [f"call_waits_{number}" for number in range(calls)]
    await session.append([user("refund it"), *(call(id_, "refund_order") for id_ in ids)], agent="Approval")
    pause = await session.pause("frozen", [(id_, "refund_order", "{}", "Approval") for id_ in ids])
    before = await rows(session)
    alone = lone_halves([parsed(row.raw) for row in before]) - set(range(len(texts) + 1, len(before)))
    entries = (await session.timeline()).entries
    edits: list[Edit] = [
        RollBack(None),
        RollBack(entries[len(texts)].id),
        Truncate(keep_items=calls),
        Truncate(keep_turns=1),
        Remove((entries[-1].id,)),
        Clear(),
    ]
    try:
        await session.apply(await session.plan(edits[edit]))
    except NothingToDo:
        assert await rows(session) == before
        session.database.close()
        return
    assert await session.waiting() is None
    with pytest.raises(DecisionClosed):
        await session.decide(pause.id, {})
    await no_half_of(session, ids)
    after = await rows(session)
    assert all(row in before for row in after if row.id <= before[-1].id)
    await session.undo()
    await no_half_of(session, ids)
    undone = await rows(session)
    assert [row for row in undone if row.id <= before[-1].id] == before
    left = {index for index in lone_halves([parsed(row.raw) for row in undone]) if index < len(texts)}
    assert left == alone
    await session.redo()
    assert await rows(session) == after
    session.database.close()


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    texts=st.lists(st.one_of(st.none(), histories.raws), max_size=8),
    calls=st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True),
    later=st.lists(histories.raws, max_size=3),
    place=st.integers(0, 20),
)
async def test_a_branch_ends_a_decision_only_where_it_takes_a_call_of_it_and_tears_no_pair(
    texts: list[bytes | None], calls: list[str], later: list[bytes], place: int
) -> None:
    session = SQLiteSession("ticket")
    ids = [f"call_waits_{name}" for name in calls]
    for text in texts:
        await (session.add_items([user()]) if text is None else plant(session, text))
    await session.append([user("refund it"), *(call(id_, "refund_order") for id_ in ids)], agent="Approval")
    pause = await session.pause("frozen", [(id_, "refund_order", "{}", "Approval") for id_ in ids])
    for text in later:
        await plant(session, text)
    before = await rows(session)
    history = [parsed(row.raw) for row in before]
    at = min(place, len(before) - 1)
    left_out = closed(history, range(at + 1, len(before)))
    kept = [row for index, row in enumerate(before) if index not in left_out]
    taken = [item for row in kept if (item := parsed(row.raw)) and item.get("call_id") in ids]
    entries = (await session.timeline()).entries
    if not kept:
        with pytest.raises(NothingToDo):
            await session.branch("branch", upto=entries[at].id)
        session.database.close()
        return
    branch = await session.branch("branch", upto=entries[at].id)
    copied, after = await rows(branch), await rows(session)
    assert [row[1:] for row in copied[: len(kept)]] == [row[1:] for row in kept]
    results = [parsed(row.raw) or {} for row in copied[len(kept) :]]
    assert [result["call_id"] for result in results] == [item["call_id"] for item in taken]
    await no_half_of(branch, ids)
    assert after[: len(before)] == before
    if taken:
        assert await session.waiting() is None
        await no_half_of(session, ids)
    else:
        assert (await session.waiting(), after) == (pause, before)
    session.database.close()


async def no_half_of(session: SQLiteSession, call_ids: list[str]) -> None:
    history = [parsed(row.raw) for row in await rows(session)]
    for index in lone_halves(history):
        half = side(history[index])
        assert half is not None
        assert half[1][1] not in call_ids
