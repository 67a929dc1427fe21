"""Encrypted sessions at a whole desk: keys, times to live, plain rows among them, and what lies on disk."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from desk.desk import Desk
from desk.values import Address, Resealing, RunStatus
from memory.edits import Truncate
from memory.encrypted_session import EncryptedSession
from memory.entries import State, Unread
from memory.sqlite_session import SQLiteSession
from tests.memory.killed import kill

from .conftest import MakeDesk
from .desks import KEY, Call, ended, kinds, notes, pairs_whole, say, shape, until

SEALED = Address("encrypted", "ticket_1")
REFUND = '{"order_id": "C310", "reason": "broken"}'
NO_KEY = {"DESK_ENCRYPTION_KEY": ""}


def underneath(folder: Path) -> SQLiteSession:
    """The session as another program opens it, without any key."""
    return SQLiteSession(SEALED.session_id, folder / "data" / "encrypted.db")


def states(desk: Desk, **how: Any) -> list[State]:
    return [entry.state for entry in desk.look(SEALED, **how).timeline.entries]


def resealed(desk: Desk) -> Resealing:
    """The move of the session to its newest key, once it has ended."""

    def over() -> Resealing | None:
        found = desk.resealing(SEALED)
        return found if found is not None and not found.active else None

    found = until(over)
    assert isinstance(found, Resealing)
    return found


def test_without_a_key_nothing_is_stored_and_the_page_is_told_what_is_missing(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    desk = desk_of("Hello.", env=NO_KEY)
    assert desk.look(SEALED).problem == "no_key"
    assert desk.send(SEALED, "hi").reason == "no_key"
    assert not (tmp_path / "data" / "encrypted.db").exists()


def test_a_key_that_is_made_is_shown_until_it_is_kept_and_used_until_the_server_stops(
    desk_of: MakeDesk,
) -> None:
    desk = desk_of("Hello.", env=NO_KEY)
    assert desk.look(SEALED).problem == "no_key"
    assert desk.make_key()
    key = desk.unkept_key()
    assert key is not None
    assert not desk.make_key()
    assert desk.unkept_key() == key
    desk.key_kept()
    assert desk.unkept_key() is None
    say(desk, SEALED, "hi")
    assert [text for _, text in shape(desk.look(SEALED))] == ["hi", "Hello."]
    later = desk_of(env={"DESK_ENCRYPTION_KEY": key})
    assert [text for _, text in shape(later.look(SEALED))] == ["hi", "Hello."]


def test_a_key_that_is_set_is_never_given_away(desk_of: MakeDesk) -> None:
    desk = desk_of()
    desk.look(SEALED)
    assert not desk.make_key()
    assert desk.unkept_key() is None


def test_without_the_key_it_is_said_how_much_is_stored_and_how_much_of_it_sealed(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    say(desk_of("Hello."), SEALED, "hi")
    view = desk_of(env=NO_KEY).look(SEALED)
    assert (view.problem, view.timeline.total, view.timeline.entries) == ("no_key", 2, ())
    assert view.sealed == 2
    plain = [{"role": "user", "content": text} for text in ('what is "__enc__"?', "and this?", "this")]
    asyncio.run(underneath(tmp_path).add_items(plain))
    view = desk_of(env=NO_KEY).look(SEALED)
    assert (view.timeline.total, view.sealed) == (5, 2)


@pytest.mark.skipif(os.name == "nt", reason="the commands of this test are a Unix system's")
def test_a_command_gives_the_key_and_one_that_fails_is_told_without_its_words(desk_of: MakeDesk) -> None:
    good = desk_of("Hello.", env={**NO_KEY, "DESK_ENCRYPTION_KEY_COMMAND": f"echo '{KEY}'"})
    assert say(good, SEALED, "hi").status is RunStatus.DONE
    bad = desk_of(env={**NO_KEY, "DESK_ENCRYPTION_KEY_COMMAND": "cat /no/such/hunter2"})
    assert bad.look(SEALED).problem == "key_unavailable"
    assert bad.send(SEALED, "hi").reason == "key_unavailable"


def test_what_was_said_is_in_no_file_of_the_desk_and_in_no_log(
    desk_of: MakeDesk, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Titles, paused runs, removed rows, notes, errors: only the orders hold what was asked of them."""
    caplog.set_level(logging.DEBUG)
    desk = desk_of(
        "The marker-word it is.",
        [Call("transfer_to_approval")],
        Call("refund_order", REFUND),
        "Another marker-word.",
        RuntimeError("marker-word"),
    )
    say(desk, SEALED, "Remember the marker-word")
    say(desk, SEALED, "Refund C310 with the marker-word")
    assert desk.look(SEALED).waiting is not None
    say(desk, SEALED, "Never mind the marker-word")
    plan = desk.plan(SEALED, Truncate(keep_turns=1)).plan
    assert plan is not None
    assert desk.apply(SEALED, plan).ok
    assert desk.branch(SEALED, "ticket_1-b").ok
    say(desk, SEALED, "And the marker-word again")
    desk.close()
    held = [path.name for path in (tmp_path / "data").rglob("*") if b"marker-word" in path.read_bytes()]
    assert held == []
    assert "marker-word" not in caplog.text
    assert caplog.records, "the model that failed left a line"
    assert (tmp_path / "data" / "encrypted.db").stat().st_size > 0


def test_what_no_model_is_sent_is_counted_in_the_whole_session(desk_of: MakeDesk, tmp_path: Path) -> None:
    plain = [{"role": "user", "content": "in the open"}] * 3
    asyncio.run(underneath(tmp_path).add_items(plain))
    desk = desk_of("One.", "Two.", "Three.")
    for text in ("a", "b", "c"):
        say(desk, SEALED, text)
    view = desk.look(SEALED, limit=2)
    assert view.timeline.unreadable == ()
    assert view.timeline.unread == Unread({State.PLAINTEXT: 3}, {})
    assert desk.encrypt_plain_rows(SEALED).count == 3
    assert desk.look(SEALED, limit=2).timeline.unread == Unread({}, {})


def test_items_of_a_session_that_was_renamed_in_the_database_are_told_by_its_old_name(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    before = Address("encrypted", "before")
    desk = desk_of("One.", "Two.", "Three.")
    say(desk, before, "hi")
    with closing(sqlite3.connect(tmp_path / "data" / "encrypted.db")) as database, database:
        database.execute("UPDATE agent_messages SET session_id = 'ticket_1' WHERE id = 1")
    say(desk, SEALED, "hi")
    view = desk.look(SEALED)
    assert view.timeline.unread == Unread({}, {"before": 1})
    assert [entry.written_as for entry in view.timeline.entries] == ["before", None, None]


def test_the_old_name_is_found_by_a_later_server_where_no_session_has_it_any_more(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    desk = desk_of("One.")
    say(desk, Address("encrypted", "before"), "hi")
    desk.close()
    with closing(sqlite3.connect(tmp_path / "data" / "encrypted.db")) as database, database:
        for table in ("agent_sessions", "agent_messages"):
            database.execute(f"UPDATE {table} SET session_id = 'ticket_1'")
    view = desk_of().look(SEALED)
    assert view.timeline.unread == Unread({}, {"before": 2})


def test_a_wrong_key_shows_locked_entries_and_destroys_nothing(desk_of: MakeDesk, tmp_path: Path) -> None:
    say(desk_of("Hello."), SEALED, "hi")
    wrong = desk_of("Again.", env={"DESK_ENCRYPTION_KEY": "quite another key just as long"})
    assert states(wrong) == [State.LOCKED, State.LOCKED]
    plan = wrong.plan(SEALED, Truncate(keep_items=0))
    outcome = wrong.apply(SEALED, plan.plan) if plan.plan is not None else plan
    assert outcome.reason == "wrong_key"
    again = desk_of()
    assert [text for _, text in shape(again.look(SEALED))] == ["hi", "Hello."]


def test_plain_text_that_a_reader_kept_after_encrypting_is_told_and_a_purge_erases_it(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    desk = desk_of("Hello.")
    say(desk, SEALED, "hi")
    asyncio.run(underneath(tmp_path).add_items([{"role": "user", "content": "in the open"}]))
    with closing(sqlite3.connect(tmp_path / "data" / "encrypted.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM agent_messages").fetchall()
        outcome = desk.encrypt_plain_rows(SEALED)
    assert (outcome.reason, outcome.params) == ("not_erased", {"why": "encrypted"})
    view = desk.look(SEALED)
    assert (states(desk), view.unerased) == ([State.OK] * 3, True)
    assert desk.purge(SEALED).ok
    assert not desk.look(SEALED).unerased
    desk.close()
    data = tmp_path / "data"
    assert [path.name for path in data.iterdir() if b"in the open" in path.read_bytes()] == []


def test_what_a_killed_purge_left_in_the_file_is_offered_and_erased_by_the_next_server(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    path = tmp_path / "data" / "encrypted.db"
    asyncio.run(underneath(tmp_path).add_items([{"role": "user", "content": "the marker-word"}]))
    desk = desk_of("Hello.")
    plan = desk.plan(SEALED, Truncate(keep_items=0))
    assert plan.plan is not None
    assert desk.apply(SEALED, plan.plan).ok
    desk.close()
    assert kill("sqlite", path, "purge", SEALED.session_id) == -signal.SIGKILL
    again = desk_of()
    view = again.look(SEALED)
    assert (view.changes, view.unerased) == ((), True)
    assert again.purge(SEALED).ok
    assert not again.look(SEALED).unerased
    again.close()
    assert [path.name for path in path.parent.iterdir() if b"marker-word" in path.read_bytes()] == []


def test_plain_rows_are_shown_as_such_and_sealed_when_a_person_says_so(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    desk = desk_of("Hello.")
    asyncio.run(underneath(tmp_path).add_items([{"role": "user", "content": "in the open"}]))
    say(desk, SEALED, "hi")
    assert states(desk) == [State.PLAINTEXT, State.OK, State.OK]
    assert desk.encrypt_plain_rows(SEALED).count == 1
    assert states(desk) == [State.OK] * 3
    assert shape(desk.look(SEALED))[0] == ("user", "in the open")
    assert desk.encrypt_plain_rows(SEALED).reason == "nothing_to_encrypt"
    desk.close()
    data = tmp_path / "data"
    assert [path.name for path in data.iterdir() if b"in the open" in path.read_bytes()] == []


def test_the_old_key_can_go_when_all_was_moved_to_the_newest(desk_of: MakeDesk) -> None:
    say(desk_of("Hello."), SEALED, "hi")
    new = "the newest key long enough as well"
    both = desk_of(env={"DESK_ENCRYPTION_KEY": f"{new},{KEY}"})
    assert both.look(SEALED).keys == 2
    assert both.reencrypt(SEALED).ok
    result = resealed(both).result
    assert result is not None
    assert (result.moved >= 2, result.locked, result.erased) == (True, 0, True)
    both.forget_resealing(SEALED)
    assert both.resealing(SEALED) is None
    alone = desk_of(env={"DESK_ENCRYPTION_KEY": new})
    assert [text for _, text in shape(alone.look(SEALED))] == ["hi", "Hello."]


def test_a_move_to_the_newest_key_goes_on_alone_can_be_stopped_and_gone_on_with_later(
    desk_of: MakeDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.resealing.BATCH", 20)
    old = desk_of()
    assert old.look(SEALED).keys == 1
    path, old_keys = tmp_path / "data" / "encrypted.db", KEY

    async def fill() -> None:
        session = EncryptedSession("ticket_1", SQLiteSession("ticket_1", path), old_keys, None)
        await session.add_items([{"role": "user", "content": f"message {n}"} for n in range(1_000)])
        session.close()

    asyncio.run(fill())
    new = "the newest key long enough as well"
    both = desk_of("Hello.", env={"DESK_ENCRYPTION_KEY": f"{new},{KEY}"})
    assert both.reencrypt(SEALED).ok
    assert both.reencrypt(SEALED).ok, "it goes on"
    until(lambda: (both.resealing(SEALED) or Resealing("", SEALED)).done > 0)
    assert both.stop_reencrypt(SEALED).ok
    stopped = resealed(both)
    assert stopped.problem == "reseal_stopped"
    assert 0 < stopped.done < 1_000
    assert stopped.total == 1_000
    assert both.stop_reencrypt(SEALED).reason == "nothing_to_stop"
    assert [text for _, text in shape(both.look(SEALED, limit=2_000))] == [
        f"message {n}" for n in range(1_000)
    ]
    say(both, SEALED, "hi")
    both.close()
    later = desk_of(env={"DESK_ENCRYPTION_KEY": f"{new},{KEY}"})
    assert later.reencrypt(SEALED).ok
    result = resealed(later).result
    assert result is not None
    assert 0 < result.moved < 1_000
    alone = desk_of(env={"DESK_ENCRYPTION_KEY": new})
    assert len(shape(alone.look(SEALED, limit=2_000))) == 1_002
    assert all(state is State.OK for state in states(alone, limit=2_000))


def test_a_move_to_the_newest_key_that_cannot_be_made_says_why(desk_of: MakeDesk) -> None:
    desk = desk_of("Hello.")
    say(desk, Address("file", "ticket_1"), "hi")
    assert desk.reencrypt(Address("file", "ticket_1")).reason == "not_supported"


def test_a_desk_that_closes_ends_its_moves_to_the_newest_key(
    desk_of: MakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = threading.Event()

    async def for_ever(*_: object) -> None:
        begun.set()
        await asyncio.sleep(3600)

    say(desk := desk_of("Hello."), SEALED, "hi")
    monkeypatch.setattr("memory.encrypted_session.EncryptedTableSession.reencrypt", for_ever)
    assert desk.reencrypt(SEALED).ok
    assert begun.wait(5)
    desk.close()
    ended = desk.resealing(SEALED)
    assert ended is not None
    assert ended.problem == "reseal_stopped"


# Time


def test_a_session_lives_for_ever_until_a_person_chooses_otherwise(desk_of: MakeDesk) -> None:
    desk = desk_of("Hello.")
    say(desk, SEALED, "hi")
    assert desk.look(SEALED).lifetime is None
    assert states(desk, ahead=10**9) == [State.OK, State.OK]
    assert desk.choose_lifetime(SEALED, 600).ok
    assert desk.look(SEALED).lifetime == 600
    assert desk_of().look(SEALED).lifetime == 600


def test_looking_ahead_shows_what_will_have_expired_and_changes_nothing(
    desk_of: MakeDesk, tmp_path: Path
) -> None:
    desk = desk_of("Hello.")
    say(desk, SEALED, "hi")
    desk.choose_lifetime(SEALED, 600)
    held = files(tmp_path / "data")
    assert states(desk, ahead=500) == [State.OK, State.OK]
    assert states(desk, ahead=660) == [State.EXPIRED, State.EXPIRED]
    assert states(desk) == [State.OK, State.OK]
    assert files(tmp_path / "data") == held


def files(folder: Path) -> dict[str, bytes]:
    """Every file, byte for byte, but for SQLite's index of the log, which readers write too."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}


def grow_old(folder: Path, seconds: int) -> None:
    """Let what is stored have been said so many seconds earlier: sealed anew with a clock set back."""

    async def age() -> None:
        plain = underneath(folder)
        now = EncryptedSession(SEALED.session_id, plain, KEY, None)
        items = await now.get_items()
        await plain.clear_session()
        past = EncryptedSession(SEALED.session_id, plain, KEY, None, clock=lambda: time.time() - seconds)
        await past.add_items(items)

    asyncio.run(age())


def test_what_has_expired_is_not_sent_and_still_shown(desk_of: MakeDesk, tmp_path: Path) -> None:
    desk = desk_of("Hello Ada.", lambda items: f"I see {len(items)}.")
    say(desk, SEALED, "My name is Ada")
    grow_old(tmp_path, 700)
    desk.choose_lifetime(SEALED, 600)
    assert states(desk) == [State.EXPIRED, State.EXPIRED]
    run = say(desk, SEALED, "What is my name?")
    assert run.steps[-1].text == "I see 1."
    assert states(desk) == [State.EXPIRED, State.EXPIRED, State.OK, State.OK]
    desk.choose_lifetime(SEALED, None)
    assert states(desk) == [State.OK] * 4


def test_a_decision_ends_when_a_part_of_it_has_expired(
    desk_of: MakeDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_of(Call("transfer_to_approval"), Call("refund_order", REFUND), "Fine.")
    say(desk, SEALED, "Refund C310")
    pause = desk.look(SEALED).waiting
    assert pause is not None
    desk.choose_lifetime(SEALED, 600)
    real = time.time
    monkeypatch.setattr("desk.stores.time.time", lambda: real() + 700)
    desk.choose_lifetime(SEALED, 601)  # a session made anew takes the clock of its making
    assert desk.look(SEALED).waiting is None
    assert desk.decide(SEALED, pause.id, pause.calls[0][0], True).reason == "decision_closed"
    assert ended(desk, SEALED).status is RunStatus.WAITING
    assert desk.orders.history("C310") == []
    assert say(desk, SEALED, "and now?").status is RunStatus.DONE
    view = desk.look(SEALED)
    assert "superseded" in notes(view)
    assert pairs_whole(entry for entry in view.timeline.entries if entry.item is not None)
    assert kinds(view)[-2:] == ["user", "assistant"]


def test_deleting_a_session_forgets_its_time_to_live_and_needs_no_key(desk_of: MakeDesk) -> None:
    desk = desk_of("Hello.", "Again.")
    say(desk, SEALED, "hi")
    desk.choose_lifetime(SEALED, 600)
    assert desk_of(env={"DESK_ENCRYPTION_KEY": "quite another key just as long"}).delete(SEALED).ok
    assert desk.sessions("encrypted") == []
    assert desk_of().look(SEALED).lifetime is None


def test_a_time_to_live_that_another_server_chose_holds_here_too(desk_of: MakeDesk, tmp_path: Path) -> None:
    here, there = desk_of("Hello Ada.", lambda items: f"I see {len(items)}."), desk_of()
    say(here, SEALED, "My name is Ada")
    grow_old(tmp_path, 700)
    assert states(here) == [State.OK, State.OK]
    before = here.revision(SEALED)
    assert there.choose_lifetime(SEALED, 600).ok
    assert here.revision(SEALED) != before
    assert here.look(SEALED).lifetime == 600
    assert states(here) == [State.EXPIRED, State.EXPIRED]
    assert say(here, SEALED, "What is my name?").steps[-1].text == "I see 1."
