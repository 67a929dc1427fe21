"""What the page can know before a person presses: whether an undo works, and who waits for a decision."""

from __future__ import annotations

import pytest

from desk.values import Address
from memory.edits import Clear, RollBack

from .conftest import MakeDesk
from .desks import STORED, say, shape
from .test_runtime_decisions import ask_refund

FILE = Address("file", "ticket_1")


@pytest.mark.parametrize("backend", STORED)
def test_an_undo_that_would_be_refused_is_known_and_its_past_can_be_branched(
    desk_of: MakeDesk, backend: str
) -> None:
    address = Address(backend, "one")
    desk = desk_of("A.", "B.", "C.")
    say(desk, address, "first")
    say(desk, address, "second")
    whole = desk.look(address)
    plan = desk.plan(address, RollBack(whole.timeline.entries[1].id)).plan
    assert plan is not None
    assert desk.apply(address, plan).ok
    assert (desk.look(address).can_undo, desk.look(address).undo_problem) == (True, None)
    say(desk, address, "third")

    view = desk.look(address)
    assert (view.can_undo, view.undo_problem) == (False, "undo_refused")
    assert desk.undo(address).reason == "undo_refused"
    assert desk.branch(address, "one-b", before=view.newest_change).ok
    assert shape(desk.look(Address(backend, "one-b"))) == shape(whole)
    assert shape(desk.look(address))[-2:] == [("user", "third"), ("assistant", "C.")]


def test_an_undo_stays_possible_behind_an_edit_that_took_no_end(desk_of: MakeDesk) -> None:
    desk = desk_of("A.", "B.")
    say(desk, FILE, "first")
    plan = desk.plan(FILE, Clear()).plan
    assert plan is not None
    assert desk.apply(FILE, plan).ok
    say(desk, FILE, "second")
    assert desk.look(FILE).can_undo
    assert desk.undo(FILE).ok


def test_the_sessions_that_wait_are_named_on_every_backend(desk_of: MakeDesk) -> None:
    desk = desk_of(*ask_refund(), *ask_refund())
    assert desk.waiting() == []
    say(desk, FILE, "I want a refund for C310")
    memory = Address("memory", "other")
    say(desk, memory, "I want a refund for C310")
    assert desk.waiting() == [FILE, memory]


def test_a_session_that_was_emptied_for_good_is_still_stored_until_it_is_deleted(desk_of: MakeDesk) -> None:
    desk = desk_of("A.")
    assert not desk.look(FILE).stored
    say(desk, FILE, "first")
    plan = desk.plan(FILE, Clear()).plan
    assert plan is not None
    assert desk.apply(FILE, plan).ok
    assert desk.purge(FILE).ok
    assert desk.look(FILE).stored
    assert desk.delete(FILE).ok
    assert not desk.look(FILE).stored
