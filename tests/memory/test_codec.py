"""The seam where encryption sits: a codec decides how items are written, and nothing else changes."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from memory import (
    Clear,
    Codec,
    Item,
    PlainCodec,
    Remove,
    RollBack,
    SQLiteDatabase,
    State,
    Tables,
    TableSession,
    Truncate,
)

from .items import assistant, call, output, relay, turns, user
from .stores import on_disk, plant, rows
from .wholeness import complaints


class Sealed(Codec):
    """Writes items so that nothing can be read or searched without the key; safe it is not."""

    searchable = False

    def __init__(self, key: str) -> None:
        self.key = key

    def encode(self, item: Item, like: bytes | str | None = None, *, at: datetime | None = None) -> str:
        return json.dumps({"sealed": self.seal(PlainCodec().encode(item))})

    def decode(self, raw: bytes | str) -> tuple[Item | None, State]:
        try:
            envelope = json.loads(raw)
            sealed = envelope.get("sealed")
        except (ValueError, AttributeError):
            return None, State.CORRUPT
        if not isinstance(sealed, str):
            return None, State.PLAINTEXT
        text = bytes.fromhex(sealed).decode()
        if not text.startswith(self.key):
            return None, State.LOCKED
        return PlainCodec().decode(text.removeprefix(self.key))

    def seal(self, text: str) -> str:
        return (self.key + text).encode().hex()

    def unseal(self, text: str) -> str:
        return bytes.fromhex(text).decode().removeprefix(self.key)


class SealedSession(TableSession):
    def __init__(self, session_id: str, database: SQLiteDatabase, key: str = "key A ") -> None:
        super().__init__(session_id, database, Tables("sessions", "messages"), codec=Sealed(key))
        self.key = key

    def sibling(self, session_id: str) -> SealedSession:
        assert isinstance(self.database, SQLiteDatabase)
        return SealedSession(session_id, self.database, self.key)


@pytest.fixture
def database(tmp_path: Path) -> SQLiteDatabase:
    return SQLiteDatabase.at(tmp_path / "a.db")


@pytest.fixture
def sealed(database: SQLiteDatabase) -> SealedSession:
    return SealedSession("x", database)


async def test_sealed_items_come_back_as_they_were(sealed: SealedSession) -> None:
    await sealed.add_items([*relay(), user("你好")])
    assert await sealed.get_items() == [*relay(), user("你好")]
    assert await sealed.get_items(limit=2) == [*relay(), user("你好")][-2:]
    assert await sealed.pop_item() == user("你好")


async def test_a_sealed_session_is_counted_and_paired_over_pages_like_any_other(
    sealed: SealedSession,
) -> None:
    await sealed.add_items([call("far"), *turns(3), output("far"), call("open")])
    page = await sealed.timeline(limit=2)
    assert (page.total, page.turns) == (15, 3)
    assert [entry.state for entry in page.entries] == [State.OK, State.UNPAIRED]
    assert [entry.item for entry in await sealed.recent(1)] == turns(3)[8:]


async def test_edits_of_a_sealed_session_keep_pairs_whole_and_are_undone_to_the_byte(
    sealed: SealedSession,
) -> None:
    await sealed.add_items(relay())
    before = await rows(sealed)
    entries = (await sealed.timeline()).entries
    for edit in (
        RollBack(to=entries[4].id),
        Truncate(keep_items=5),
        Remove((entries[2].id,)),
        Clear(),
    ):
        await sealed.apply(await sealed.plan(edit))
        assert complaints(await sealed.get_items()) == []
        await sealed.undo()
        assert await rows(sealed) == before


async def test_nothing_that_was_said_stands_open_in_any_file(tmp_path: Path, sealed: SealedSession) -> None:
    marker = "xyzzy-marker"
    await sealed.append(
        [user(marker), call("k", arguments=marker)], agent="Triage", note=("stopped", {"said": marker})
    )
    await sealed.pause(marker, [("k", "refund", marker, "Approval")])
    assert await sealed.waiting() is not None
    await sealed.apply(await sealed.plan(Clear()))
    await sealed.undo()
    await sealed.branch("y")
    assert [name for name, content in on_disk(tmp_path).items() if marker.encode() in content] == []
    first, ended = await sealed.notes(await sealed.timeline())
    assert (first.detail, ended.kind) == ({"said": marker}, "superseded")


async def test_with_another_key_a_session_is_locked_and_not_empty(
    sealed: SealedSession, database: SQLiteDatabase
) -> None:
    await sealed.add_items(turns(1))
    before = await rows(sealed)
    stranger = SealedSession("x", database, "key B ")
    timeline = await stranger.timeline()
    assert {entry.state for entry in timeline.entries} == {State.LOCKED}
    assert (timeline.total, len(timeline.unreadable)) == (4, 4)
    assert await stranger.get_items() == []
    assert await stranger.pop_item() is None
    assert await rows(sealed) == before
    assert await sealed.get_items() == turns(1)


async def test_an_open_row_among_sealed_ones_is_shown_as_that(sealed: SealedSession) -> None:
    await sealed.add_items([user("sealed")])
    await plant(sealed, json.dumps(user("open")), "{broken", json.dumps({"sealed": "zz"})[:-1])
    states = [entry.state for entry in (await sealed.timeline()).entries]
    assert states == [State.OK, State.PLAINTEXT, State.CORRUPT, State.CORRUPT]
    assert await sealed.get_items() == [user("sealed")]


@pytest.mark.parametrize(
    "raw", [b'{"a": 1}', '{"a": 1}', '{ "a" : 1 }\n', '{"a": 1, "b": "\\ud83d"}', b'\xef\xbb\xbf{"a": 1}']
)
def test_plain_text_of_any_spacing_is_read(raw: bytes | str) -> None:
    item, state = PlainCodec().decode(raw)
    assert item is not None
    assert (item["a"], state) == (1, State.OK)


@pytest.mark.parametrize("depth", [100, 190, 250, 500])
def test_deep_nesting_comes_back_or_is_refused_when_it_is_stored(depth: int) -> None:
    item: Item = {"type": "deep"}
    inner = item
    for _ in range(depth):
        inner["next"] = {}
        inner = inner["next"]
    codec = PlainCodec()
    assert codec.decode(codec.encode(item)) == (item, State.OK)


def test_text_that_nests_without_end_is_no_item_and_no_error() -> None:
    raw = '{"a":' * 100_000
    assert PlainCodec().decode(raw) == (None, State.CORRUPT)
    assert PlainCodec().decode("[" * 100_000) == (None, State.CORRUPT)


async def test_a_row_that_nests_without_end_is_shown(database: SQLiteDatabase) -> None:
    session = TableSession("x", database, Tables("s", "m"))
    await session.add_items([user(), assistant()])
    await plant(session, '{"a":' * 50_000 + "1" + "}" * 50_000)
    states = [entry.state for entry in (await session.timeline()).entries]
    assert states == [State.OK, State.OK, State.CORRUPT]
