"""Stores that fail, servers that die, two servers on one file."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from desk.settling import asked_note
from desk.values import Address, RunStatus
from memory.edits import RollBack
from memory.sqlite_session import SQLiteSession

from .conftest import MakeDesk
from .desks import Call, Gate, ScriptModel, add_tool, ended, kinds, notes, say, shape, until

FILE = Address("file", "ticket_1")
LOOK_UP = '{"order_id": "A100"}'


@pytest.fixture(autouse=True)
def little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a locked file be reported soon."""
    monkeypatch.setattr("memory.sqlite_file.PATIENCE", 0.05)


class Lock:
    """Another program that writes to the file and does not come to an end."""

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.connection.execute("BEGIN IMMEDIATE")

    def release(self) -> None:
        self.connection.execute("ROLLBACK")
        self.connection.close()


def stored(folder: Path) -> SQLiteSession:
    """The session as another program opens it."""
    return SQLiteSession(FILE.session_id, folder / "data" / "sessions.db")


# A store that fails


def test_a_question_that_cannot_be_stored_is_refused(desk_of: MakeDesk, tmp_path: Path) -> None:
    desk = desk_of("Hello.", "Again.")
    say(desk, FILE, "Hi")
    lock = Lock(tmp_path / "data" / "sessions.db")
    assert desk.send(FILE, "more").reason == "unavailable"
    lock.release()
    run = desk.run(FILE)
    assert run is not None
    assert run.status is RunStatus.DONE
    assert say(desk, FILE, "more").status is RunStatus.DONE
    assert len(kinds(desk.look(FILE))) == 4


def test_an_answer_that_cannot_be_stored_stays_visible_and_is_stored_later(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    gate = Gate()
    desk = desk_of([gate, "It ships on Monday."], "Fine.")
    desk.send(FILE, "When?")
    assert gate.reached.wait(20)
    lock = Lock(tmp_path / "data" / "sessions.db")
    gate.opened.set()
    run = ended(desk, FILE)
    assert (run.status, run.error, run.saved) == (RunStatus.FAILED, "unsaved", False)
    assert [step.text for step in run.steps] == ["It ships on Monday."]
    lock.release()
    assert kinds(desk.look(FILE)) == ["user"]
    assert desk.save_again(FILE).ok
    assert shape(desk.look(FILE)) == [("user", "When?"), ("assistant", "It ships on Monday.")]
    run = desk.run(FILE)
    assert run is not None
    assert (run.status, run.saved) == (RunStatus.DONE, True)
    assert desk.save_again(FILE).reason == "nothing_to_save"


def test_the_next_message_stores_what_was_left_first(desk_of: MakeDesk, tmp_path: Path) -> None:
    gate = Gate()
    desk = desk_of([gate, "On Monday."], "Fine.")
    desk.send(FILE, "When?")
    assert gate.reached.wait(20)
    lock = Lock(tmp_path / "data" / "sessions.db")
    gate.opened.set()
    ended(desk, FILE)
    lock.release()
    say(desk, FILE, "thanks")
    assert [text for _, text in shape(desk.look(FILE))] == ["When?", "On Monday.", "thanks", "Fine."]


def test_what_was_left_is_not_stored_behind_something_newer(desk_of: MakeDesk, tmp_path: Path) -> None:
    gate = Gate()
    desk = desk_of([gate, "On Monday."])
    desk.send(FILE, "When?")
    assert gate.reached.wait(20)
    lock = Lock(tmp_path / "data" / "sessions.db")
    gate.opened.set()
    ended(desk, FILE)
    lock.release()
    asyncio.run(stored(tmp_path).add_items([{"role": "user", "content": "elsewhere"}]))
    assert desk.save_again(FILE).reason == "stale"
    assert kinds(desk.look(FILE)) == ["user", "user"]


def test_no_tool_runs_whose_call_cannot_be_stored(desk_of: MakeDesk, tmp_path: Path) -> None:
    gate = Gate()
    desk = desk_of([gate, Call("deliver_to_pickup", LOOK_UP)])
    desk.send(FILE, "Pickup")
    assert gate.reached.wait(20)
    lock = Lock(tmp_path / "data" / "sessions.db")
    gate.opened.set()
    assert ended(desk, FILE).error == "unsaved"
    lock.release()
    assert desk.orders.history("A100") == []
    assert kinds(desk.look(FILE)) == ["user"]


def test_a_lock_that_passes_costs_nothing(desk_of: MakeDesk, tmp_path: Path) -> None:
    """The result of the tool cannot be stored at once; it is stored in front of the answer."""
    locks: list[Lock] = []
    gate = Gate()

    def work() -> str:
        """Take the lock."""
        locks.append(Lock(tmp_path / "data" / "sessions.db"))
        return "worked"

    desk = desk_of(Call("work"), [gate, "Done."], change=add_tool("work", work))
    desk.send(FILE, "Go")
    assert gate.reached.wait(20)
    locks[0].release()
    gate.opened.set()
    assert ended(desk, FILE).status is RunStatus.DONE
    assert kinds(desk.look(FILE)) == ["user", "tool_call", "tool_output", "assistant"]


# Servers


def test_a_session_another_server_works_on_is_refused_there_and_here(desk_of: MakeDesk) -> None:
    gate = Gate()
    one, two = desk_of([gate, "Done."]), desk_of("Mine.")
    one.send(FILE, "one")
    assert gate.reached.wait(20)
    assert two.send(FILE, "two").reason == "busy_elsewhere"
    assert two.look(FILE).busy is not None
    assert one.look(FILE).busy is None
    assert two.run(FILE) is None
    gate.opened.set()
    ended(one, FILE)
    assert two.look(FILE).busy is None
    assert say(two, FILE, "two").status is RunStatus.DONE
    assert [text for _, text in shape(one.look(FILE))] == ["one", "Done.", "two", "Mine."]


def test_a_run_that_lost_its_session_stops_and_says_so(desk_of: MakeDesk, tmp_path: Path) -> None:
    gate = Gate()
    desk = desk_of([gate, "Too late."], lease=0.001)
    desk.send(FILE, "Hi")
    assert gate.reached.wait(20)

    async def take() -> None:
        session = stored(tmp_path)
        for _ in range(2000):
            try:
                await session.acquire("another server", 60)
                return
            except Exception:
                await asyncio.sleep(0.001)

    asyncio.run(take())
    gate.opened.set()
    run = ended(desk, FILE)
    assert (run.status, run.error) == (RunStatus.FAILED, "lease_lost")
    assert kinds(desk.look(FILE)) == ["user"]
    assert notes(desk.look(FILE)) == ["failed"]


def test_what_a_killed_server_left_is_shown_and_settled_by_the_next_message(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "look_up_order", "arguments": LOOK_UP}
    question = {"role": "user", "content": "Where is A100?"}

    async def leave() -> None:
        session = stored(tmp_path)
        await session.append([question], note=asked_note(FILE.session_id, "Triage", 50))
        await session.append([call], agent="Triage")

    asyncio.run(leave())
    model = ScriptModel(["I am here."])
    desk = desk_of(model=model)
    view = desk.look(FILE)
    assert (kinds(view), notes(view)) == (["user", "tool_call"], ["interrupted"])
    assert [str(entry.state) for entry in view.timeline.entries] == ["ok", "unpaired"]
    assert say(desk, FILE, "are you there?").status is RunStatus.DONE
    view = desk.look(FILE)
    assert kinds(view) == ["user", "tool_call", "tool_output", "user", "assistant"]
    assert notes(view) == ["interrupted"]
    assert '"error": "interrupted"' in shape(view)[2][1]
    assert view.timeline.entries[2].agent == "Triage"


def test_a_lease_that_a_server_elsewhere_left_is_noticed_when_it_runs_out(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    async def leave() -> None:
        session = stored(tmp_path)
        question = {"role": "user", "content": "Where is A100?"}
        await session.append([question], note=asked_note(FILE.session_id, "Triage", 50))
        await session.acquire("a server that is gone", 2.0)

    asyncio.run(leave())
    desk = desk_of()
    held, view = desk.revision(FILE), desk.look(FILE)
    assert view.busy is not None
    assert (view.revision, notes(view)) == (held, [])
    until(lambda: desk.revision(FILE) != held)
    view = desk.look(FILE)
    assert (view.busy, notes(view)) == (None, ["interrupted"])
    assert view.revision == desk.revision(FILE)


def test_an_end_that_an_edit_made_is_not_called_interrupted(desk_of: MakeDesk) -> None:
    desk = desk_of("Hello.")
    say(desk, FILE, "Hi")
    plan = desk.plan(FILE, RollBack(desk.look(FILE).timeline.entries[0].id)).plan
    assert plan is not None
    desk.apply(FILE, plan)
    assert (kinds(desk.look(FILE)), notes(desk.look(FILE))) == (["user"], [])


def test_a_branch_that_ends_in_mid_turn_is_not_called_interrupted(desk_of: MakeDesk) -> None:
    desk = desk_of(Call("look_up_order", LOOK_UP), "Hello.", "Fine.")
    say(desk, FILE, "Hi")
    branch = Address("file", "ticket_1-b")
    assert desk.branch(FILE, branch.session_id, desk.look(FILE).timeline.entries[2].id).ok
    assert (kinds(desk.look(branch))[-1], notes(desk.look(branch))) == ("tool_output", [])
    say(desk, branch, "and?")
    assert notes(desk.look(branch)) == []


def test_an_unanswered_question_of_another_program_is_not_called_interrupted(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    asyncio.run(stored(tmp_path).add_items([{"role": "user", "content": "Hi"}]))
    assert notes(desk_of().look(FILE)) == []


def test_a_retry_cut_off_by_a_crash_is_shown_as_interrupted(desk_of: MakeDesk, tmp_path: Path) -> None:
    desk = desk_of("Hello.")
    say(desk, FILE, "Hi")

    async def die_in_a_retry() -> None:
        session = stored(tmp_path)
        first = (await session.timeline()).entries[0]
        await session.apply(await session.plan(RollBack(first.id)))
        await session.note(*asked_note(FILE.session_id, "Triage", 50))

    asyncio.run(die_in_a_retry())
    assert (kinds(desk.look(FILE)), notes(desk.look(FILE))) == (["user"], ["interrupted"])


def test_closing_settles_live_runs_with_the_words_said_so_far(desk_of: MakeDesk) -> None:
    gate = Gate()
    desk = desk_of(["It ships", gate, "never."])
    desk.send(FILE, "When?")
    assert gate.reached.wait(20)
    desk.close()
    after = desk_of("Fine.")
    assert shape(after.look(FILE)) == [("user", "When?"), ("assistant", "It ships")]
    assert notes(after.look(FILE)) == ["interrupted"]
    assert after.look(FILE).busy is None
    assert say(after, FILE, "and?").status is RunStatus.DONE


def test_a_closed_desk_refuses_without_raising(desk_of: MakeDesk) -> None:
    desk = desk_of()
    desk.close()
    assert desk.send(FILE, "Hi").reason == "closing"
    assert desk.look(FILE).problem == "closing"
    assert desk.sessions("file") == []
    desk.close()


def test_agents_that_cannot_be_built_end_in_a_word_and_the_question_is_kept(desk_of: MakeDesk) -> None:
    tries = iter([RuntimeError("no model here"), None])

    def change(agents: object) -> None:
        if (error := next(tries)) is not None:
            raise error

    desk = desk_of("Fine.", change=change)
    assert say(desk, FILE, "Hi").error == "model_setup"
    assert not desk.ready
    assert say(desk, FILE, "Hi").status is RunStatus.DONE
    assert desk.ready


def test_a_junk_file_is_told_and_left_as_it_is(desk_of: MakeDesk, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    junk = tmp_path / "data" / "sessions.db"
    junk.write_bytes(b"this is no database, whatever its name says" * 50)
    before = junk.read_bytes()
    desk = desk_of()
    assert desk.look(FILE).problem == "unavailable"
    assert desk.send(FILE, "Hi").reason == "unavailable"
    assert desk.sessions("file") == []
    assert desk.waiting_count() == 0
    assert junk.read_bytes() == before


def test_a_session_whose_words_in_the_orders_cannot_be_erased_is_not_deleted_half(
    desk_of: MakeDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desk.ordersdb.WAIT", 0.05)
    desk = desk_of(Call("refund_order", '{"order_id": "E512", "reason": "too small"}'), "Done.")
    say(desk, FILE, "Refund E512", agent="Approval")
    lock = Lock(tmp_path / "data" / "orders.db")
    assert desk.delete(FILE).reason == "unavailable"
    lock.release()
    assert len(kinds(desk.look(FILE))) == 4
    assert desk.delete(FILE).ok
    assert kinds(desk.look(FILE)) == []


def test_what_a_purge_could_not_erase_is_told_and_a_second_one_erases_it(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    desk = desk_of("The marker-word.")
    say(desk, FILE, "hi")
    desk.take_back(FILE)
    reader = sqlite3.connect(tmp_path / "data" / "sessions.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM agent_messages").fetchall()
    assert desk.purge(FILE).reason == "not_erased"
    view = desk.look(FILE)
    assert (view.changes, view.unerased) == ((), True)
    reader.close()
    assert desk.purge(FILE).ok
    assert not desk.look(FILE).unerased
    desk.close()
    held = [path.name for path in (tmp_path / "data").iterdir() if b"marker-word" in path.read_bytes()]
    assert held == []
