"""Both ways between the SDK's EncryptedSession and ours: the same envelopes on the same rows."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from agents import SQLiteSession as SdkSQLite
from agents.extensions.memory import EncryptedSession as SdkEncrypted

from memory import EncryptedSession, SQLiteSession, new_key

from .items import Item, relay, turns, user
from .runs import Conversation, look_up, say
from .stores import ListSession

KEYS = {"fernet": new_key(), "text": "a long text of no special kind", "unicode": "钥匙" * 12}
ITEMS = [
    *relay(),
    user("你好 👋 \u0000 \"quoted\" \\ {curly}"),
    {"role": "user", "content": [{"type": "input_text", "text": "parts"}], "more": {"deep": [1, None, 1e3]}},
]  # fmt: skip


def now() -> float:
    """What the SDK's class asks too, so that a test can set both."""
    return time.time()


def ours_over_ours(folder: Path, key: str, ttl: int | None, id_: str) -> Any:
    return EncryptedSession(id_, SQLiteSession(id_, folder / "a.db"), key, ttl, clock=now)


def ours_over_theirs(folder: Path, key: str, ttl: int | None, id_: str) -> Any:
    return EncryptedSession(id_, SdkSQLite(id_, folder / "a.db"), key, ttl, clock=now)


def theirs_over_theirs(folder: Path, key: str, ttl: int | None, id_: str) -> Any:
    return SdkEncrypted(id_, SdkSQLite(id_, folder / "a.db"), key, ttl)  # type: ignore[arg-type]


def theirs_over_ours(folder: Path, key: str, ttl: int | None, id_: str) -> Any:
    return SdkEncrypted(id_, SQLiteSession(id_, folder / "a.db"), key, ttl)  # type: ignore[arg-type]


Make = Callable[[Path, str, int | None, str], Any]
PAIRS: list[tuple[Make, Make]] = [
    (theirs_over_theirs, ours_over_ours),
    (ours_over_ours, theirs_over_theirs),
    (theirs_over_theirs, ours_over_theirs),
    (ours_over_theirs, theirs_over_theirs),
    (theirs_over_ours, ours_over_ours),
    (ours_over_ours, theirs_over_ours),
]


@pytest.mark.parametrize(("writer", "reader"), PAIRS)
@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("ttl", [None, 600])
async def test_what_one_writes_the_other_reads(
    tmp_path: Path, writer: Make, reader: Make, key: str, ttl: int | None
) -> None:
    await writer(tmp_path, key, ttl, "票 456").add_items(ITEMS)
    session = reader(tmp_path, key, ttl, "票 456")
    assert await session.get_items() == ITEMS
    assert await session.get_items(limit=3) == ITEMS[-3:]
    assert await session.pop_item() == ITEMS[-1]
    assert await writer(tmp_path, key, ttl, "票 456").get_items() == ITEMS[:-1]


@pytest.mark.parametrize(("writer", "reader"), PAIRS)
async def test_neither_reads_what_is_under_another_key_or_another_id(
    tmp_path: Path, writer: Make, reader: Make
) -> None:
    await writer(tmp_path, "one key", None, "x").add_items(turns(1))
    assert await reader(tmp_path, "another key", None, "x").get_items() == []


@pytest.mark.parametrize(("writer", "reader"), PAIRS)
async def test_both_let_an_item_expire_at_the_same_second(
    tmp_path: Path, writer: Make, reader: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = float(int(time.time()))
    monkeypatch.setattr(time, "time", lambda: start)
    await writer(tmp_path, "key", 60, "x").add_items([user()])
    for passed, read in ((0, True), (60, True), (60.9, True), (61, False), (-60, True), (-61, False)):
        monkeypatch.setattr(time, "time", lambda passed=passed: start + passed)
        for make in (writer, reader):
            session = make(tmp_path, "key", 60, "x")
            assert await session.get_items() == ([user()] if read else []), passed


async def test_both_write_the_same_envelope() -> None:
    theirs, ours = ListSession("x"), ListSession("x")
    await SdkEncrypted("x", theirs, "key").add_items([user()])  # type: ignore[arg-type]
    await EncryptedSession("x", ours, "key").add_items([user()])
    (a,), (b,) = theirs.items, ours.items
    assert list(a) == list(b)
    assert {**a, "payload": ""} == {**b, "payload": ""}
    assert len(a["payload"]) == len(b["payload"])


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("make", [ours_over_ours, ours_over_theirs])
async def test_the_runner_works_over_it_and_the_sdk_reads_the_run(
    tmp_path: Path, make: Make, streamed: bool
) -> None:
    session = make(tmp_path, "key", 600, "x")
    conversation = Conversation(session, streamed=streamed)
    assert await conversation.ask("Where is A100?", look_up("call_1"), say("On Friday.")) == "On Friday."
    assert await conversation.ask("Sure?", say("Yes.")) == "Yes."
    stored: list[Item] = await theirs_over_theirs(tmp_path, "key", 600, "x").get_items()
    assert conversation.sent[-1] == [*stored[:4], user("Sure?")]
    assert len(stored) == 6
