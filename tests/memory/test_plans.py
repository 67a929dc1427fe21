"""Plans: what an edit would do, told before it is done."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeVar

import pytest

from memory import (
    Clear,
    Edit,
    EntryNotFound,
    NothingToDo,
    Remove,
    Repair,
    Replace,
    RollBack,
    SQLiteDatabase,
    Tables,
    TableSession,
    Truncate,
)
from memory.statements import Operation, Row, Start, Statement

from .items import assistant, call, output, relay, turns, user
from .stores import Open, among_strangers, entries_of, plant, rows, run_sql

T = TypeVar("T")


# What a plan says


async def test_a_plan_changes_nothing(own: TableSession) -> None:
    await own.add_items(relay())
    entries, before = await entries_of(own), await rows(own)
    for edit in (RollBack(to=entries[4].id), Truncate(keep_turns=1), Remove((entries[3].id,)), Clear()):
        for _ in range(50):
            revision = await own.revision()
            await own.plan(edit)
            same = await own.revision() == revision
            if same or not among_strangers(own):
                break
        assert same
    assert await rows(own) == before
    assert await own.changes() == []


async def test_a_roll_back_names_what_goes_and_counts_what_stays(own: TableSession) -> None:
    await own.add_items(turns(3))
    entries = await entries_of(own)
    plan = await own.plan(RollBack(to=entries[7].id))
    assert (plan.removed, plan.kept, plan.taken) == (4, 8, ())
    assert (plan.first_turn, plan.last_turn) == (3, 3)
    assert (plan.shown, plan.shown_go) == (tuple(entries[8:]), True)
    assert plan.calls == {"call_3"}


async def test_a_plan_shows_the_smaller_side(own: TableSession) -> None:
    await own.add_items(turns(3))
    entries = await entries_of(own)
    plan = await own.plan(RollBack(to=entries[0].id))
    assert (plan.removed, plan.kept) == (11, 1)
    assert (plan.shown, plan.shown_go) == (tuple(entries[:1]), False)


async def test_a_plan_tells_of_each_call_whether_it_goes_whatever_side_it_shows(own: TableSession) -> None:
    await own.add_items(turns(5))
    entries = await entries_of(own)
    for kept in (1, 2, 3, 4):
        plan = await own.plan(RollBack(to=entries[4 * kept - 1].id))
        assert [plan.takes(f"call_{number}") for number in (1, 2, 3, 4, 5)] == [
            n > kept for n in (1, 2, 3, 4, 5)
        ]
        plan = await own.plan(Truncate(keep_turns=kept))
        goes = [n <= 5 - kept for n in (1, 2, 3, 4, 5)]
        assert [plan.takes(f"call_{number}") for number in (1, 2, 3, 4, 5)] == goes


@pytest.mark.parametrize(
    ("edit", "turns_named"),
    [
        (Truncate(keep_turns=1), (1, 2)),
        (Truncate(keep_turns=2), (1, 1)),
        (Truncate(keep_items=1), (1, 3)),
        (Truncate(keep_turns=0), (1, 3)),
        (Clear(), (1, 3)),
        (RollBack(to=None), (1, 3)),
    ],
)
async def test_a_plan_names_the_turns_that_go(
    own: TableSession, edit: Edit, turns_named: tuple[int, int]
) -> None:
    await own.add_items(turns(3))
    await own.timeline()
    plan = await own.plan(edit)
    assert (plan.first_turn, plan.last_turn) == turns_named
    change = await own.apply(plan)
    assert change.turns == turns_named


async def test_what_stands_before_the_first_question_is_turn_nought_to_a_plan_too(own: TableSession) -> None:
    await own.add_items([assistant("welcome"), *turns(1)])
    await own.timeline()
    plan = await own.plan(Clear())
    assert (plan.first_turn, plan.last_turn) == (0, 1)


async def test_rows_that_cannot_be_read_go_and_stay_like_any_other(own: TableSession) -> None:
    await own.add_items(turns(1))
    await plant(own, "{broken", "42")
    await own.add_items([user("after")])
    entries = await entries_of(own)
    plan = await own.plan(RollBack(to=entries[4].id))
    assert plan.removed == 2
    await own.apply(plan)
    assert [row.raw for row in await rows(own)][4:] == [b"{broken"]


# Refused


@pytest.mark.parametrize(
    "arguments",
    [{}, {"keep_turns": 1, "keep_items": 1}, {"keep_items": -1}, {"keep_turns": 1.5}, {"keep_turns": True}],
    ids=str,
)
def test_a_truncation_that_makes_no_sense_cannot_be_written(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="Truncate takes"):
        Truncate(**arguments)


@pytest.mark.parametrize(
    "token", ["", "1", "x.y", "1.00000000", "99999.aaaa", "1.", "²." + "0" * 8, "9" * 30 + ".a"]
)
async def test_an_entry_that_is_not_there_is_said_so(own: TableSession, token: str) -> None:
    await own.add_items(turns(1))
    for edit in (RollBack(to=token), Remove((token,)), Repair(token, "remove"), Replace(token, user())):
        with pytest.raises(EntryNotFound):
            await own.plan(edit)


async def test_an_entry_of_another_session_is_not_there(own_store: Open) -> None:
    mine, theirs = own_store("mine"), own_store("theirs")
    await mine.add_items([user("mine")])
    ids = await theirs.append([user("theirs")])
    with pytest.raises(EntryNotFound):
        await mine.plan(Remove((ids[0],)))


async def test_an_entry_that_says_something_else_by_now_is_not_the_one_that_was_drawn(
    own: TableSession,
) -> None:
    (drawn,) = await own.append([user("one")])
    await run_sql(own, "UPDATE {messages} SET message_data = '{{}}'")
    with pytest.raises(EntryNotFound):
        await own.plan(Remove((drawn,)))


async def test_an_edit_of_an_empty_session_has_nothing_to_do(own: TableSession) -> None:
    for edit in (Clear(), RollBack(to=None), Truncate(keep_turns=1), Truncate(keep_items=0)):
        with pytest.raises(NothingToDo):
            await own.plan(edit)


async def test_an_edit_that_would_change_nothing_has_nothing_to_do(own: TableSession) -> None:
    await own.add_items(turns(2))
    entries = await entries_of(own)
    for edit in (
        RollBack(to=entries[-1].id),
        Truncate(keep_turns=2),
        Truncate(keep_items=8),
        Truncate(keep_items=99),
        Remove(()),
        Replace(entries[0].id, turns(1)[0]),
    ):
        with pytest.raises(NothingToDo):
            await own.plan(edit)


async def test_naming_an_entry_twice_is_naming_it_once(own: TableSession) -> None:
    (one, _) = await own.append([user("one"), user("two")])
    assert (await own.plan(Remove((one, one)))).removed == 1


# What a plan reads


class Counting:
    """A database that counts the rows its operations are given."""

    def __init__(self, database: SQLiteDatabase) -> None:
        self.database, self.given = database, 0

    def _counted(self, start: Start[T]) -> Start[T]:
        def count() -> Operation[T]:
            operation = start()
            answer: list[Row] | None = None
            while True:
                try:
                    statement: Statement = next(operation) if answer is None else operation.send(answer)
                except StopIteration as done:
                    result: T = done.value
                    return result
                answer = yield statement
                self.given += len(answer)

        return count

    async def read(self, start: Start[T], *, brief: bool = False) -> T:
        return await self.database.read(self._counted(start))

    async def write(self, start: Start[T], *, brief: bool = False) -> T:
        return await self.database.write(self._counted(start))

    async def revision(self) -> Hashable:
        return await self.database.revision()

    async def erase(self) -> None:
        await self.database.erase()

    def close(self) -> None:
        self.database.close()


@pytest.mark.parametrize("far", [False, True], ids=["no pair across", "a pair across"])
@pytest.mark.parametrize("end", ["roll back", "truncate"])
async def test_a_plan_reads_the_smaller_side_and_a_few_rows_around_the_cut(end: str, far: bool) -> None:
    counting = Counting(SQLiteDatabase.at(":memory:"))
    session = TableSession("x", counting, Tables("s", "m"))
    around = [call("far")], [output("far")]
    items = turns(500)
    await session.add_items([items[0], *around[0], *items[1:], *around[1]] if far else items)
    timeline = await session.timeline(limit=10)
    counting.given = 0
    if end == "roll back":
        plan = await session.plan(RollBack(to=timeline.entries[0].id))
    else:
        plan = await session.plan(Truncate(keep_items=9))
    assert len(plan.taken) == far
    assert counting.given < 120
    assert plan.kept == len(await session.get_items()) - plan.removed


@pytest.mark.parametrize("way", ["roll back", "undo", "remove"])
async def test_a_page_after_an_edit_of_the_end_counts_only_the_end(way: str) -> None:
    counting = Counting(SQLiteDatabase.at(":memory:"))
    session = TableSession("x", counting, Tables("s", "m"))
    await session.add_items(turns(500))
    entries = (await session.timeline(limit=20)).entries
    if way == "remove":
        await session.apply(await session.plan(Remove((entries[8].id,))))
    else:
        await session.apply(await session.plan(RollBack(to=entries[8].id)))
    if way == "undo":
        await session.timeline(limit=20)
        await session.undo()
    counting.given = 0
    page = await session.timeline(limit=20)
    assert counting.given < 80
    items = await session.get_items()
    assert (page.total, page.turns) == (len(items), sum(item.get("role") == "user" for item in items))


async def test_a_plan_to_empty_a_session_reads_next_to_nothing_of_it() -> None:
    counting = Counting(SQLiteDatabase.at(":memory:"))
    session = TableSession("x", counting, Tables("s", "m"))
    await session.add_items(turns(500))
    counting.given = 0
    plan = await session.plan(Clear())
    assert (plan.removed, plan.shown_go, plan.shown) == (2000, False, ())
    assert counting.given < 50
