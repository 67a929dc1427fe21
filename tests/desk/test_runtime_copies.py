"""Copying a session to another backend, in the background."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from desk.desk import Desk
from desk.values import Address, Copying
from memory.copying import copy, owner_of
from memory.edits import Clear, Plan
from memory.encrypted_session import EncryptedSession
from memory.sqlite_session import SQLiteSession

from .conftest import MakeDesk
from .desks import KEY, STORED, Call, Gate, kinds, say, shape, until
from .desks import ended as run_ended

FILE, MEMORY = Address("file", "ticket_1"), Address("memory", "ticket_1")


def ended(desk: Desk, address: Address) -> Copying:
    """The copy of a session, once it has ended."""

    def over() -> Copying | None:
        copying = desk.copying(address)
        return copying if copying is not None and not copying.active else None

    found = until(over)
    assert isinstance(found, Copying)
    return found


def planned(desk: Desk, address: Address) -> Plan:
    """A plan that clears a session."""
    plan = desk.plan(address, Clear()).plan
    assert plan is not None
    return plan


def fill(path: Path, count: int) -> None:
    """Store so many messages in a session of the file backend."""

    async def work() -> None:
        session = SQLiteSession("ticket_1", path)
        await session.add_items([{"role": "user", "content": f"message {n}"} for n in range(count)])
        session.close()

    asyncio.run(work())


def stored(folder: Path) -> dict[Path, bytes]:
    """Every database file below a folder with its bytes, but for SQLite's shared index."""
    found = [path for path in folder.rglob("*.db*") if not path.name.endswith("-shm")]
    return {path: path.read_bytes() for path in found}


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Another program writes to the file, so that nobody else can."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@pytest.mark.parametrize(
    ("kept", "backend"), [(one, other) for one in STORED for other in STORED if one != other]
)
def test_a_session_is_copied_and_both_go_on(desk_of: MakeDesk, kept: str, backend: str) -> None:
    desk = desk_of(Call("look_up_order", '{"order_id": "A100"}'), "It ships.", "Again.")
    source = Address(kept, "ticket_1")
    say(desk, source, "Where is A100?")
    outcome = desk.copy(source, backend)
    assert (outcome.ok, outcome.session_id) == (True, "ticket_1")
    copying = ended(desk, source)
    target = Address(backend, "ticket_1")
    assert (copying.problem, copying.target) == (None, target)
    assert copying.receipt is not None
    assert copying.receipt.same
    assert (copying.done, copying.total) == (4, 4)
    before, after = desk.look(source), desk.look(target)
    assert shape(after) == shape(before)
    assert [e.agent for e in after.timeline.entries] == [e.agent for e in before.timeline.entries]
    assert [e.created_at for e in after.timeline.entries] == [e.created_at for e in before.timeline.entries]
    assert [note.kind for note in after.notes] == ["copied"]
    desk.forget_copy(source)
    assert desk.copying(source) is None
    say(desk, target, "And now?")
    assert len(kinds(desk.look(target))) == 6
    assert kinds(desk.look(source)) == kinds(before)


@pytest.mark.parametrize("kept", STORED)
def test_within_a_backend_a_copy_has_a_name_of_its_own(desk_of: MakeDesk, kept: str) -> None:
    """Where it is encrypted, it is so for that name."""
    desk = desk_of("A.")
    source = Address(kept, "ticket_1")
    say(desk, source, "hi")
    assert desk.copy(source, kept).reason == "same_place"
    assert desk.copy(source, kept, "other").ok
    receipt = ended(desk, source).receipt
    assert receipt is not None
    assert receipt.same
    assert shape(desk.look(Address(kept, "other"))) == [("user", "hi"), ("assistant", "A.")]


@pytest.mark.parametrize("sealed", ["encrypted", "sealed"])
def test_without_a_key_nothing_is_copied_from_or_to_what_is_encrypted(
    desk_of: MakeDesk, tmp_path: Path, sealed: str
) -> None:
    there = Address(sealed, "ticket_1")
    say(desk_of("A."), Address(sealed, "ticket_2"), "hi")
    desk = desk_of("A.", "B.", env={"DESK_ENCRYPTION_KEY": ""})
    say(desk, FILE, "hi")
    before = stored(tmp_path)
    assert desk.copy(FILE, sealed).reason == "no_key"
    assert desk.copy(Address(sealed, "ticket_2"), "file").reason == "no_key"
    assert (desk.copying(FILE), desk.copying(there)) == (None, None)
    assert [info.session_id for info in desk.sessions(sealed)] == ["ticket_2"]
    assert [info.session_id for info in desk.sessions("file")] == ["ticket_1"]
    assert stored(tmp_path) == before
    say(desk, FILE, "The place is not held.")
    key = desk.make_key()
    assert key is not None
    assert desk.copy(FILE, sealed).ok
    assert ended(desk, FILE).problem is None
    assert len(kinds(desk.look(there))) == 4


def test_what_has_expired_is_left_behind_and_an_encrypted_copy_is_as_old_as_the_original(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    desk = desk_of("A.", "B.")
    source = Address("encrypted", "ticket_1")
    old = EncryptedSession(
        "ticket_1",
        SQLiteSession("ticket_1", tmp_path / "data" / "encrypted.db"),
        KEY,
        None,
        clock=lambda: time.time() - 600,
    )
    (tmp_path / "data").mkdir(exist_ok=True)
    asyncio.run(old.add_items([{"role": "user", "content": "long ago"}]))
    old.close()
    say(desk, source, "hi")
    assert desk.choose_lifetime(source, 300).ok
    assert desk.copy(source, "sealed").ok
    copying = ended(desk, source)
    assert copying.receipt is not None
    assert copying.receipt.left_out == {"expired": 1}
    assert shape(desk.look(copying.target)) == [("user", "hi"), ("assistant", "A.")]
    ages = [[e.sealed_at for e in desk.look(a).timeline.entries] for a in (source, copying.target)]
    assert ages[1] == ages[0][1:]


def test_a_copy_may_have_another_name_and_the_same_backend(desk_of: MakeDesk) -> None:
    desk = desk_of("A.")
    say(desk, FILE, "hi")
    assert desk.copy(FILE, "file", " other ").session_id == "other"
    ended(desk, FILE)
    assert shape(desk.look(Address("file", "other"))) == [("user", "hi"), ("assistant", "A.")]


def test_what_cannot_be_copied_is_refused_with_a_reason(desk_of: MakeDesk) -> None:
    desk = desk_of("A.", "B.", "C.")
    say(desk, FILE, "hi")
    say(desk, Address("memory", "taken"), "mine")
    say(desk, Address("none", "x"), "hi")

    def reason(source: Address, backend: str, new_id: str | None = None) -> str | None:
        outcome = desk.copy(source, backend, new_id)
        assert not outcome.ok
        return outcome.reason

    assert reason(FILE, "file") == "same_place"
    assert reason(FILE, "memory", "taken") == "session_not_empty"
    assert reason(FILE, "memory", "TAKEN") == "copy_exists"
    assert reason(FILE, "memory", " ") == "id_empty"
    assert reason(FILE, "none") == "not_supported"
    assert reason(FILE, "clay tablets") == "not_supported"
    assert reason(Address("none", "x"), "file") == "not_supported"
    assert reason(Address("file", "nobody"), "memory") == "nothing_to_copy"
    assert desk.copying(FILE) is None
    assert desk.sessions("memory")[0].session_id == "taken"


def test_a_target_where_a_run_is_live_is_refused(desk_of: MakeDesk) -> None:
    gate = Gate()
    desk = desk_of("A.", gate)
    say(desk, FILE, "hi")
    desk.send(MEMORY, "hi")
    assert desk.copy(FILE, "memory").reason == "busy"
    gate.opened.set()
    run_ended(desk, MEMORY)


def test_a_copy_goes_on_alone_holds_its_place_and_can_be_stopped_and_gone_on_with(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    desk = desk_of("A.")
    path = tmp_path / "data" / "sessions.db"
    path.parent.mkdir(exist_ok=True)
    fill(path, 1_000)
    target = Address("file", "copy")
    with held(path):
        assert desk.copy(FILE, "file", "copy").ok
        copying = desk.copying(FILE)
        assert copying is not None
        assert copying.active
        desk.forget_copy(FILE)
        assert desk.copying(FILE) == copying
        assert desk.copy(FILE, "memory").reason == "copy_running"
        assert desk.copy(MEMORY, "file", "copy").reason == "copy_running"
        assert desk.send(target, "hi").reason == "copying_here"
        assert desk.undo(target).reason == "copying_here"
        assert len(desk.look(FILE).timeline.entries) == 200, "others are not kept waiting"
        say(desk, MEMORY, "hi")
        assert desk.stop_copy(FILE).ok
    copying = ended(desk, FILE)
    assert (copying.problem, copying.receipt) == ("copy_stopped", None)
    assert desk.stop_copy(FILE).reason == "nothing_to_stop"
    assert desk.copy(FILE, "file", "copy").ok
    receipt = ended(desk, FILE).receipt
    assert receipt is not None
    assert (receipt.copied, receipt.same) == (1_000, True)


def test_a_copy_that_was_cut_off_is_gone_on_with(desk_of: MakeDesk, tmp_path: Path) -> None:
    path = tmp_path / "data" / "sessions.db"
    path.parent.mkdir(exist_ok=True)
    fill(path, 30)

    async def cut_off() -> None:
        def stop(done: int, total: int) -> None:
            if done:
                raise RuntimeError("the server stops")

        source = SQLiteSession("ticket_1", path)
        with pytest.raises(RuntimeError):
            await copy(source, source.sibling("copy"), batch=10, progress=stop, origin=str(FILE))
        source.close()

    asyncio.run(cut_off())
    desk = desk_of()
    assert [note.kind for note in desk.look(Address("file", "copy")).notes] == ["copying"]
    assert desk.copy(FILE, "file", "copy").ok
    receipt = ended(desk, FILE).receipt
    assert receipt is not None
    assert (receipt.already, receipt.copied) == (10, 30)


def test_a_session_that_another_server_copies_to_says_so_and_nothing_of_an_answer(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    path = tmp_path / "data" / "sessions.db"
    path.parent.mkdir(exist_ok=True)
    fill(path, 3)
    target = Address("file", "copy")

    async def hold() -> None:
        session = SQLiteSession("copy", path)
        await session.add_items([{"role": "user", "content": "a beginning"}])
        await session.acquire(owner_of("another server"), 60)
        session.close()

    asyncio.run(hold())
    desk = desk_of()
    assert desk.copy(FILE, "file", "copy").reason == "copying_elsewhere"
    assert desk.send(target, "hi").reason == "copying_elsewhere"
    assert desk.apply(target, planned(desk, target)).reason == "copying_elsewhere"


def test_a_stopped_copy_counts_what_came_along(desk_of: MakeDesk, tmp_path: Path) -> None:
    path = tmp_path / "data" / "sessions.db"
    path.parent.mkdir(exist_ok=True)
    fill(path, 20_000)
    desk = desk_of()
    assert desk.copy(FILE, "file", "copy").ok
    until(lambda: (copying := desk.copying(FILE)) is not None and copying.done > 0)
    assert desk.stop_copy(FILE).ok
    stopped = ended(desk, FILE)
    assert stopped.problem == "copy_stopped"
    assert stopped.done == desk.look(Address("file", "copy"), limit=1).timeline.total


def test_a_store_that_cannot_be_read_is_told(desk_of: MakeDesk, tmp_path: Path) -> None:
    desk = desk_of("A.")
    say(desk, MEMORY, "hi")
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data" / "sessions.db").write_bytes(b"no database at all" * 100)
    assert desk.copy(MEMORY, "file").reason == "unavailable"


def test_a_desk_that_closes_ends_its_copies(desk_of: MakeDesk, tmp_path: Path) -> None:
    desk = desk_of()
    path = tmp_path / "data" / "sessions.db"
    path.parent.mkdir(exist_ok=True)
    fill(path, 20_000)
    assert desk.copy(FILE, "memory").ok
    desk.close()
    assert desk.copy(FILE, "memory").reason == "closing"
    copying = desk.copying(FILE)
    assert copying is not None
    assert not copying.active
