"""Encrypted sessions: wrong keys and several, and that nothing said stands in any file."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from memory import (
    Clear,
    Edit,
    EncryptedSession,
    MemoryDeskError,
    NotSupported,
    Remove,
    Replace,
    RollBack,
    SQLiteSession,
    State,
    Truncate,
    WrongKey,
    inspect,
)

from .clock import START, Clock
from .encrypting import NEW, OLD, OTHER, counting, encrypted, on_file, states
from .items import assistant, call, output, turns, user
from .stores import ListSession, on_disk, plant, rows, run_sql

ONE_SENTENCE = r"^[^.]+\.$"


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
