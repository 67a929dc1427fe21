"""Finding sessions, and editing them through the desk."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from desk.ids import resolve
from desk.offline import OfflineModel
from desk.values import Address
from memory.edits import Clear, RollBack, Truncate
from memory.sqlite_session import SQLiteSession

from .conftest import MakeDesk
from .desks import STORED, Call, Gate, ended, kinds, say, shape, until

FILE = Address("file", "ticket_1")
KEPT = STORED


# Ids


def test_a_new_id_opens_as_typed_without_the_blanks_around_it() -> None:
    assert resolve("  ticket 456 ", []).session_id == "ticket 456"


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("", "id_empty"),
        (" \t ", "id_empty"),
        ("x" * 129, "id_too_long"),
        ("a\x00b", "id_invisible"),
        ("a\nb", "id_invisible"),
        ("a\u200db", "id_invisible"),
        ("\u200da", "id_invisible"),
        ("a\u200bb", "id_invisible"),
        ("\u202eabc", "id_invisible"),
        ("a\ud800", "id_invisible"),
        ("\u0301", "id_invisible"),
    ],
)
def test_an_id_that_cannot_be_seen_or_is_too_long_is_refused(typed: str, problem: str) -> None:
    assert (resolve(typed, []).session_id, resolve(typed, []).problem) == (None, problem)


@pytest.mark.parametrize(
    "typed", ["x" * 128, "票据 456", "user_auth", "100%", "' OR 1=1", "e\u0301", "👨‍👩‍👧"]
)
def test_an_id_of_visible_characters_opens(typed: str) -> None:
    assert resolve(typed, []).session_id == typed


@pytest.mark.parametrize("odd", ["", " a ", "x" * 400, "a\nb", "\u200b"])
def test_an_existing_id_opens_as_it_is(odd: str) -> None:
    found = resolve(odd, [odd])
    assert (found.session_id, found.exists) == (odd, True)


@pytest.mark.parametrize("typed", ["TICKET_1", "ticket _1", "ｔｉｃｋｅｔ＿１", "Ticket_1 "])
def test_an_id_that_only_looks_like_another_is_reported(typed: str) -> None:
    found = resolve(typed, ["ticket_1", "ticket_2"])
    assert (found.session_id, found.exists, found.similar) == (typed.strip(), False, ("ticket_1",))


@pytest.mark.parametrize("typed", ["Case\u3000One", "Case\u00a0One", "case\u200b One", "CASE\tONE"])
def test_an_id_that_cannot_be_new_still_reports_the_one_it_looks_like(typed: str) -> None:
    found = resolve(typed, ["Case One", "Case Two"])
    assert (found.session_id, found.problem, found.similar) == (None, "id_invisible", ("Case One",))


@pytest.mark.parametrize("typed", ["ticket_1 ", " ticket_1", "\tticket_1\u3000"])
def test_blanks_around_an_existing_id_do_not_open_it_in_silence(typed: str) -> None:
    found = resolve(typed, ["ticket_1", "TICKET_1", "ticket_2"])
    assert (found.session_id, found.exists, found.similar) == (None, False, ("ticket_1", "TICKET_1"))


def test_an_existing_id_still_reports_its_twins() -> None:
    assert resolve("abc", ["abc", "ABC"]).similar == ("ABC",)


def test_a_message_to_a_new_session_of_a_bad_id_is_refused(desk_of: MakeDesk, tmp_path: Path) -> None:
    old = Address("file", "x" * 200)
    store = SQLiteSession(old.session_id, tmp_path / "data" / "sessions.db")
    asyncio.run(store.add_items([{"role": "user", "content": "hi"}]))
    desk = desk_of("Hello.")
    assert desk.send(Address("file", "y" * 200), "hi").reason == "id_too_long"
    assert desk.send(Address("memory", "a\nb"), "hi").reason == "id_invisible"
    assert desk.send(Address("none", ""), "hi").reason == "id_empty"
    assert desk.look(Address("file", "\ud800")).problem == "not_supported"
    assert desk.sessions("memory") == []
    say(desk, old, "and?")
    assert len(kinds(desk.look(old))) == 3


# Sessions


@pytest.mark.parametrize("backend", KEPT)
def test_sessions_are_listed_and_apart(desk_of: MakeDesk, backend: str) -> None:
    desk = desk_of("A.", "B.")
    say(desk, Address(backend, "one"), "to one")
    say(desk, Address(backend, "two"), "to two")
    assert {info.session_id for info in desk.sessions(backend)} == {"one", "two"}
    assert all(info.updated_at is not None for info in desk.sessions(backend))
    assert shape(desk.look(Address(backend, "one"))) == [("user", "to one"), ("assistant", "A.")]
    assert desk.resolve(backend, "ONE").similar == ("one",)


def test_backends_do_not_share_an_id(desk_of: MakeDesk) -> None:
    desk = desk_of("A.")
    say(desk, Address("memory", "one"), "hi")
    assert kinds(desk.look(Address("file", "one"))) == []
    assert desk.sessions("file") == []


def test_memory_is_one_per_id_and_ends_with_the_desk(desk_of: MakeDesk) -> None:
    one, two = desk_of("A.", "B."), desk_of()
    address = Address("memory", "one")
    say(one, address, "hi")
    say(one, address, "again")
    assert len(kinds(one.look(address))) == 4
    assert kinds(two.look(address)) == []


def test_the_file_is_there_after_a_restart(desk_of: MakeDesk) -> None:
    before = desk_of("A.")
    say(before, FILE, "hi")
    before.close()
    assert kinds(desk_of().look(FILE)) == ["user", "assistant"]


def test_an_unknown_backend_is_told_not_raised(desk_of: MakeDesk) -> None:
    desk = desk_of()
    address = Address("clay tablets", "one")
    assert desk.look(address).problem == "not_supported"
    assert desk.send(address, "hi").reason == "not_supported"
    assert desk.sessions("clay tablets") == []


# Edits


@pytest.mark.parametrize("backend", KEPT)
def test_roll_back_undo_redo(desk_of: MakeDesk, backend: str) -> None:
    address = Address(backend, "one")
    desk = desk_of("A.", "B.")
    say(desk, address, "first")
    say(desk, address, "second")
    whole = desk.look(address)
    assert (whole.can_undo, whole.can_redo) == (False, False)
    preview = desk.plan(address, RollBack(whole.timeline.entries[1].id))
    assert preview.plan is not None
    assert preview.plan.removed == 2
    done = desk.apply(address, preview.plan)
    assert done.change is not None
    assert done.change.removed == 2
    assert len(kinds(desk.look(address))) == 2
    assert desk.look(address).can_undo
    assert desk.undo(address).ok
    assert shape(desk.look(address)) == shape(whole)
    assert desk.look(address).can_redo
    assert desk.redo(address).ok
    assert len(kinds(desk.look(address))) == 2


def test_a_preview_names_the_effects_that_stay(desk_of: MakeDesk) -> None:
    desk = desk_of(Call("deliver_to_pickup", '{"order_id": "A100"}'), "Done.", "Sure.")
    say(desk, FILE, "Pickup please")
    say(desk, FILE, "thanks")
    for edit in (RollBack(None), Clear(), Truncate(keep_turns=1)):
        assert [(e.order_id, e.kind) for e in desk.plan(FILE, edit).effects] == [("A100", "delivery")]
    last = desk.look(FILE).timeline.entries[3].id
    assert desk.plan(FILE, RollBack(last)).effects == ()


@pytest.mark.parametrize("backend", ["file", "encrypted"])
def test_a_preview_names_no_effect_of_a_history_that_is_gone(desk_of: MakeDesk, backend: str) -> None:
    desk = desk_of(
        Call("deliver_to_pickup", '{"order_id": "A100"}'),
        "Done.",
        Call("undo_delivery_change", '{"order_id": "A100"}'),
        "Undone.",
        "Hello.",
    )
    address = Address(backend, "ticket_1")
    say(desk, address, "Pickup please")
    cleared = desk.plan(address, Clear())
    assert cleared.plan is not None
    assert len(cleared.effects) == 1
    desk.apply(address, cleared.plan)
    say(desk, address, "Home again please")
    for edit in (RollBack(None), Clear(), Truncate(keep_turns=0)):
        assert len(desk.plan(address, edit).effects) == 1
    say(desk, address, "hello")
    assert len(desk.plan(address, Truncate(keep_turns=1)).effects) == 1


def test_a_plan_made_before_something_was_said_is_stale(desk_of: MakeDesk) -> None:
    desk = desk_of("A.", "B.")
    say(desk, FILE, "first")
    plan = desk.plan(FILE, Clear()).plan
    assert plan is not None
    say(desk, FILE, "second")
    assert desk.apply(FILE, plan).reason == "stale"
    assert len(kinds(desk.look(FILE))) == 4


def test_an_edit_is_refused_while_another_server_answers(desk_of: MakeDesk) -> None:
    gate = Gate()
    one, two = desk_of("A.", [gate, "B."]), desk_of()
    say(one, FILE, "first")
    one.send(FILE, "second")
    assert gate.reached.wait(20)
    plan = two.plan(FILE, Clear()).plan
    assert plan is not None
    assert two.apply(FILE, plan).reason == "busy_elsewhere"
    assert two.take_back(FILE).reason == "busy_elsewhere"
    assert two.delete(FILE).reason == "busy_elsewhere"
    gate.opened.set()
    ended(one, FILE)
    assert len(kinds(two.look(FILE))) == 4


def test_what_this_desk_holds_itself_is_held_by_no_other_server(desk_of: MakeDesk, tmp_path: Path) -> None:
    gate = Gate()
    desk = desk_of("A.", [gate, "B."])
    say(desk, FILE, "first")
    desk.send(FILE, "second")
    assert gate.reached.wait(20)
    session = SQLiteSession(FILE.session_id, tmp_path / "data" / "sessions.db")
    lease = asyncio.run(session.holder())
    assert lease is not None
    gate.opened.set()
    ended(desk, FILE)
    # As while what could not be stored is stored after all, or a decision is concluded.
    until(lambda: asyncio.run(session.holder()) is None)
    held = asyncio.run(session.acquire(lease.owner, 60.0))
    assert desk.send(FILE, "third").reason == "busy"
    assert desk.take_back(FILE).reason == "busy"
    assert desk.delete(FILE).reason == "busy"
    asyncio.run(session.release(held))


def test_there_is_nothing_to_undo_or_redo_at_first(desk_of: MakeDesk) -> None:
    desk = desk_of("A.")
    assert desk.undo(FILE).reason == "nothing_to_undo"
    say(desk, FILE, "first")
    assert desk.undo(FILE).reason == "nothing_to_undo"
    assert desk.redo(FILE).reason == "nothing_to_redo"
    assert desk.plan(FILE, RollBack("no such entry")).reason == "entry_gone"
    assert desk.plan(Address("none", "x"), Clear()).reason == "nothing_to_do"


@pytest.mark.parametrize("backend", KEPT)
def test_a_branch_is_a_session_of_its_own(desk_of: MakeDesk, backend: str) -> None:
    address = Address(backend, "one")
    desk = desk_of("A.", "B.", "C.")
    say(desk, address, "first")
    say(desk, address, "second")
    upto = desk.look(address).timeline.entries[1].id
    done = desk.branch(address, " one-b ", upto)
    assert (done.ok, done.session_id) == (True, "one-b")
    other = Address(backend, "one-b")
    assert shape(desk.look(other)) == [("user", "first"), ("assistant", "A.")]
    assert desk.look(other).timeline.entries[1].agent == "Triage"
    say(desk, other, "third")
    assert len(kinds(desk.look(address))) == 4
    assert desk.branch(address, "one-b", None).reason == "session_not_empty"
    assert desk.branch(address, "", None).reason == "id_empty"


@pytest.mark.parametrize("backend", KEPT)
def test_a_deleted_session_is_gone_and_can_begin_again(desk_of: MakeDesk, backend: str) -> None:
    address = Address(backend, "one")
    desk = desk_of("A.", "B.")
    say(desk, address, "first")
    assert desk.delete(address).ok
    assert kinds(desk.look(address)) == []
    assert desk.run(address) is None
    assert desk.sessions(backend) == []
    say(desk, address, "afresh")
    assert shape(desk.look(address)) == [("user", "afresh"), ("assistant", "B.")]


def test_a_deleted_session_leaves_no_word_in_the_data_folder(desk_of: MakeDesk, tmp_path: Path) -> None:
    summary = '{"summary": "marker-word", "order_ids": ["A100"]}'
    desk = desk_of(Call("transfer_to_summary"), Call("write_ticket_summary", summary), "The marker-word.")
    say(desk, FILE, "Write marker-word down")
    desk.take_back(FILE)
    assert desk.delete(FILE).ok
    desk.close()
    left = [path for path in (tmp_path / "data").rglob("*") if b"marker-word" in path.read_bytes()]
    assert left == []


def test_purge_keeps_the_entries_and_ends_undo(desk_of: MakeDesk) -> None:
    desk = desk_of("A.", "B.")
    say(desk, FILE, "first")
    say(desk, FILE, "second")
    desk.take_back(FILE)
    assert desk.purge(FILE).count == 2
    assert kinds(desk.look(FILE)) == ["user", "assistant"]
    assert desk.undo(FILE).reason == "nothing_to_undo"


def _summary(words: str) -> str:
    return json.dumps({"summary": words, "order_ids": ["A100"]})


def _holding(folder: Path, words: bytes) -> list[Path]:
    return [path for path in folder.rglob("*") if words in path.read_bytes()]


@pytest.mark.parametrize("backend", ["file", "encrypted"])
def test_a_purge_erases_what_the_orders_say_in_the_words_of_what_went(
    desk_of: MakeDesk, tmp_path: Path, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESK_ENCRYPTION_KEY", "a key that only this test has")
    address = Address(backend, "one")
    desk = desk_of(
        Call("transfer_to_summary"),
        Call("write_ticket_summary", _summary("words-that-stay")),
        "Written.",
        Call("transfer_to_summary"),
        Call("write_ticket_summary", _summary("words-that-go")),
        "Written.",
    )
    say(desk, address, "Write words-that-stay down")
    say(desk, address, "Write words-that-go down")
    desk.take_back(address)
    assert desk.purge(address).ok
    assert [effect.detail["summary"] for effect in desk.orders.effects(session=str(address))] == [
        "words-that-stay",
        "",
    ]
    desk.close()
    assert _holding(tmp_path / "data", b"words-that-go") == []


def test_a_session_that_is_cleared_and_purged_leaves_no_word_in_the_data_folder(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    refund = json.dumps({"order_id": "A100", "reason": "marker-word broke"})
    desk = desk_of(
        Call("transfer_to_approval"),
        Call("refund_order", refund),
        Call("transfer_to_summary"),
        Call("write_ticket_summary", _summary("marker-word")),
        "The marker-word.",
    )
    say(desk, FILE, "My marker-word is broken")
    assert [effect.kind for effect in desk.orders.effects()] == ["refund", "summary"]
    plan = desk.plan(FILE, Clear()).plan
    assert plan is not None
    assert desk.apply(FILE, plan).ok
    assert desk.purge(FILE).ok
    desk.close()
    assert _holding(tmp_path / "data", b"marker-word") == []


@pytest.mark.parametrize(
    ("asks", "told"),
    [
        ("Where does A100 go?", "an address that was erased along with a conversation"),
        ("A100 现在送到哪里？", "已随对话从服务台清除"),
        ("A100 現在送到哪裡？", "已隨對話從服務台清除"),
    ],
)
def test_an_address_that_went_with_its_session_is_said_to_be_erased(
    desk_of: MakeDesk, asks: str, told: str
) -> None:
    desk = desk_of(model=OfflineModel())
    say(desk, FILE, "Change the delivery of A100 to 77 Wobbleplum Road, Leeds")
    assert "Wobbleplum" in str(desk.orders.get("A100"))
    assert desk.delete(FILE).ok
    other = Address("file", "another")
    say(desk, other, asks)
    answer = shape(desk.look(other))[-1][1]
    assert told in answer
    assert "Wobbleplum" not in answer


def test_a_purge_while_the_key_is_gone_keeps_the_words_of_what_cannot_be_read(
    desk_of: MakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESK_ENCRYPTION_KEY", "a key that only this test has")
    address = Address("encrypted", "one")
    desk = desk_of(
        Call("transfer_to_summary"), Call("write_ticket_summary", _summary("kept")), "Written.", "And B."
    )
    say(desk, address, "Write it down")
    desk.close()
    monkeypatch.setenv("DESK_ENCRYPTION_KEY", "another key")
    desk = desk_of("B.")
    say(desk, address, "afresh")
    desk.take_back(address)
    desk.purge(address)
    (effect,) = desk.orders.effects(session=str(address))
    assert effect.detail["summary"] == "kept"


def test_restoring_the_samples_keeps_the_conversation(desk_of: MakeDesk) -> None:
    desk = desk_of(Call("deliver_to_pickup", '{"order_id": "A100"}'), "Done.")
    say(desk, FILE, "Pickup please")
    assert desk.restore_samples().ok
    order = desk.orders.get("A100")
    assert order is not None
    assert order.delivery.to == "address"
    assert len(kinds(desk.look(FILE))) == 4


# Looking


def test_older_entries_are_read_page_by_page(desk_of: MakeDesk) -> None:
    desk = desk_of(*["A."] * 5)
    for number in range(5):
        say(desk, FILE, str(number))
    newest = desk.look(FILE, limit=4)
    assert (newest.timeline.older, newest.timeline.total, newest.timeline.turns) == (True, 10, 5)
    older = desk.look(FILE, before=newest.timeline.entries[0].id, limit=4)
    assert [entry.position for entry in older.timeline.entries] == [3, 4, 5, 6]


def test_the_revision_changes_with_what_is_stored_and_what_goes_on(desk_of: MakeDesk) -> None:
    gate = Gate()
    desk, other = desk_of([gate, "A."]), desk_of("B.")
    first = desk.revision(FILE)
    assert desk.revision(FILE) == first
    desk.send(FILE, "hi")
    during = desk.revision(FILE)
    assert during != first
    gate.opened.set()
    ended(desk, FILE)
    after = desk.revision(FILE)
    assert after != during
    assert desk.revision(FILE) == after
    say(other, FILE, "from elsewhere")
    assert desk.revision(FILE) != after


def test_a_view_says_where_the_next_turn_would_begin(desk_of: MakeDesk) -> None:
    desk = desk_of("A.", "B.", "C.")
    for word in ("one", "two", "three"):
        say(desk, FILE, word)
    entries = desk.look(FILE).timeline.entries
    assert desk.look(FILE, turns=1).sent_from == entries[4].id
    assert desk.look(FILE, turns=3).sent_from == entries[0].id
    assert desk.look(FILE, turns=4).sent_from is None
    assert desk.look(FILE, turns=0).sent_from is None
