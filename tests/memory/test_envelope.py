"""Envelopes read without a key: what each part is, and what is none."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory import Clear, Remove, State, describe, envelope
from memory.fernet import SessionKey
from memory.sealing import FernetCodec

from .clock import START, Clock
from .encrypting import on_file
from .items import user
from .stores import plant, rows


def codec(**options: Any) -> FernetCodec:
    from memory import Keys

    return FernetCodec(Keys("a key of the tests"), "x", None, Clock(), **options)


def damaged(change: Any) -> str:
    """A good envelope, changed."""
    parts = json.loads(codec().encode(user("hello")))
    change(parts)
    return json.dumps(parts)


def token_of(change: Any) -> str:
    """A good envelope whose token's bytes were changed."""

    def put(envelope: dict[str, Any]) -> None:
        envelope["payload"] = base64.urlsafe_b64encode(
            change(base64.urlsafe_b64decode(envelope["payload"]))
        ).decode()

    return damaged(put)


DAMAGED = {
    "payload null": damaged(lambda e: e.update(payload=None)),
    "payload a number": damaged(lambda e: e.update(payload=5)),
    "payload a list": damaged(lambda e: e.update(payload=["gAAAAA"])),
    "payload cut": damaged(lambda e: e.update(payload=e["payload"][:-9])),
    "payload empty": damaged(lambda e: e.update(payload="")),
    "payload with half a character": damaged(lambda e: e.update(payload="\ud83d" + e["payload"])),
    "payload in another alphabet": damaged(lambda e: e.update(payload="密" * 100)),
    "payload missing": damaged(lambda e: e.pop("payload")),
    "key id missing": damaged(lambda e: e.pop("kid")),
    "version missing": damaged(lambda e: e.pop("v")),
    "version unknown": damaged(lambda e: e.update(v=2)),
    "marker unknown": damaged(lambda e: e.update(__enc__=2)),
    "token of another version": token_of(lambda data: b"\x81" + data[1:]),
    "token without its end": token_of(lambda data: data[:40]),
    "not closed": codec().encode(user("hello"))[:-1],
    "a number": "42",
    "null": "null",
    "a text": '"hello"',
    "no JSON": "{hello",
}


@pytest.mark.parametrize("raw", DAMAGED.values(), ids=DAMAGED)
async def test_one_damaged_row_is_shown_as_such_and_the_rest_stays_readable(raw: str, tmp_path: Path) -> None:
    session = on_file(tmp_path)
    await session.add_items([user("before")])
    await plant(session, raw)
    await session.add_items([user("after")])
    assert await session.get_items() == [user("before"), user("after")]
    assert await session.get_items(limit=2) == [user("before"), user("after")]
    entries = (await session.timeline()).entries
    assert [entry.state for entry in entries] == [State.OK, State.CORRUPT, State.OK]
    assert await session.states() == {State.OK: 2, State.CORRUPT: 1}
    await session.apply(await session.plan(Remove((entries[1].id,))))
    assert await session.states() == {State.OK: 2}
    await session.undo()
    assert await session.states() == {State.OK: 2, State.CORRUPT: 1}


async def test_a_sealed_text_that_is_no_item_is_damaged(tmp_path: Path) -> None:
    session = on_file(tmp_path)
    await plant(session, session.codec.close(b"42", int(START)), session.codec.close(b"\xff", int(START)))
    assert await session.get_items() == []
    assert await session.states() == {State.CORRUPT: 2}


async def test_a_row_in_the_open_is_named_shown_as_stored_and_not_sent(tmp_path: Path) -> None:
    session = on_file(tmp_path)
    await session.add_items([user("sealed")])
    await plant(session, json.dumps(user("open")))
    assert await session.get_items() == [user("sealed")]
    assert [entry.item for entry in await session.recent(5)] == [user("sealed")]
    newest = (await session.timeline()).entries[-1]
    assert (newest.state, newest.item, newest.raw) == (State.PLAINTEXT, None, json.dumps(user("open")))


async def test_a_text_with_one_character_changed_is_locked_not_read(tmp_path: Path) -> None:
    session = on_file(tmp_path)
    raw = token_of(lambda data: data[:60] + bytes([data[60] ^ 1]) + data[61:])
    await plant(session, raw)
    assert await session.states() == {State.LOCKED: 1}


async def test_clearing_keeps_damaged_rows_for_undo_to_the_byte(tmp_path: Path) -> None:
    session = on_file(tmp_path)
    await session.add_items([user("one")])
    await plant(session, *DAMAGED.values())
    before = await rows(session)
    await session.apply(await session.plan(Clear()))
    assert await rows(session) == []
    await session.undo()
    assert await rows(session) == before


# the X-ray


def test_every_part_of_an_envelope_is_described_without_a_key() -> None:
    parts = describe(codec().encode(user("hello")))
    assert [part.name for part in parts] == [
        "marker", "version", "key_id", "token_version", "time", "vector", "ciphertext", "digest",
    ]  # fmt: skip
    values = {part.name: part.value for part in parts}
    assert (values["marker"], values["version"], values["key_id"]) == (1, 1, "hkdf-v1")
    assert values["token_version"] == 0x80
    assert values["time"] == datetime.fromtimestamp(START, UTC)
    assert (values["vector"], values["digest"]) == (16, 32)
    assert values["ciphertext"] == 48  # 35 bytes of JSON, filled up to whole blocks


def test_the_parts_of_the_token_are_the_token() -> None:
    raw = codec().encode(user("hello"))
    stored = "".join(part.stored for part in describe(raw)[3:])
    assert base64.urlsafe_b64encode(bytes.fromhex(stored)).decode() == json.loads(raw)["payload"]


@pytest.mark.parametrize("raw", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_envelope_is_described_as_far_as_it_goes(raw: str) -> None:
    names = [part.name for part in describe(raw)]
    assert ("marker" in names) is ("__enc__" in raw and raw.endswith("}"))


def test_a_row_in_the_open_has_no_parts() -> None:
    assert describe(json.dumps(user("open"))) == ()
    assert describe(b"\xff") == ()


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": "), (" ,", " :")])
def test_an_envelope_is_the_same_however_its_json_is_spaced(separators: tuple[str, str]) -> None:
    token = SessionKey(bytes(32)).seal(b"what was said", 1_700_000_000).decode()
    fields = {"__enc__": 1, "v": 1, "kid": "hkdf-v1", "payload": token}
    raw = json.dumps(fields, separators=separators)
    assert envelope.read(raw.encode()) == envelope.read(raw) == (token.encode(), 1_700_000_000)


@pytest.mark.parametrize("change", [lambda t: t[:-4], lambda t: "A" + t[1:], lambda t: t[:50] + "*" + t[51:]])
def test_a_token_that_cannot_be_one_is_damaged(change: Callable[[str], str]) -> None:
    token = change(SessionKey(bytes(32)).seal(b"what was said", 1_700_000_000).decode())
    assert envelope.read(envelope.write(token.encode()).encode()) == (State.CORRUPT, None)
