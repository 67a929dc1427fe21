"""Copies that are encrypted or decrypted on the way: every item keeps its own age."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from memory import EncryptedSession, Entry, HistoryChanged, SQLiteSession, State, TableSession, copy
from memory.carrying import Batch, Carried
from memory.encrypted_session import EncryptedTableSession
from memory.notes import Note

from ..clock import START, Clock
from ..conftest import opened
from ..encrypting import NEW, OLD, OTHER, encrypted
from ..items import call, output, turn, turns, user
from ..stores import KINDS, ListSession, Open, entries_of
from .copies import BEGIN, at, content, meanwhile, notes

PLAIN = [name for name, kind in KINDS.items() if kind.edits and not name.startswith("encrypted")]


@pytest.fixture(params=PLAIN)
async def plain_store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Open]:
    async for open_ in opened(request.param, tmp_path):
        yield open_


@pytest.fixture
def under_key(plain_store: Open) -> UnderKey:
    """Encrypted sessions in one store."""

    def open_(session_id: str, key: object, ttl: int | None, clock: Clock) -> EncryptedTableSession:
        session = plain_store(session_id)
        assert isinstance(session, TableSession)
        return encrypted(session, key, ttl, clock)

    return open_


UnderKey = Callable[[str, object, int | None, Clock], EncryptedTableSession]


def moments(found: list[Entry]) -> list[float]:
    return [entry.sealed_at.timestamp() for entry in found if entry.sealed_at is not None]


async def test_what_was_plain_is_sealed_with_its_time_and_comes_back_as_it_was(
    plain_store: Open, under_key: UnderKey
) -> None:
    source, clock = plain_store("ticket_456"), Clock(BEGIN.timestamp() + 100)
    stored = tuple(Carried(item, at(n), agent="Triage") for n, item in enumerate(turns(2)))
    await source.carry(Batch(stored, None, opening=(Note("stopped", None, at(0), {"why": "secret"}),)))
    target = under_key("copy", NEW, 600, clock)
    assert (await copy(source, target, batch=3)).same
    assert moments(await entries_of(target)) == [at(n).timestamp() for n in range(8)]
    assert await plain_store("copy").get_items() != turns(2)
    clock.now = at(603).timestamp() + 1
    assert await target.get_items() == turns(2)[4:]  # each as old as it would be where it came from
    clock.now = at(1).timestamp()
    back = plain_store("back")
    receipt = await copy(target, back, batch=3)
    assert (receipt.same, receipt.times_lost, receipt.authors_lost) == (True, 0, 0)
    assert await back.get_items() == turns(2)
    assert [e.created_at for e in await entries_of(back)] == [at(n) for n in range(8)]
    assert ("stopped", {"why": "secret"}, None) in await notes(back)


async def test_from_one_key_to_another_and_one_id_to_another_every_item_keeps_its_own_age(
    under_key: UnderKey,
) -> None:
    clock = Clock()
    source = under_key("ticket_456", OLD, 600, clock)
    await source.append(turn(1), agent="Triage", note=("stopped", {"why": "secret"}))
    clock.now += 100
    await source.append(turn(2), agent="Triage")
    clock.now += 100
    target = under_key("copy", NEW, 600, clock)
    assert (await copy(source, target)).same
    assert moments(await entries_of(target)) == [START] * 4 + [START + 100] * 4
    assert ("stopped", {"why": "secret"}, 4) in await notes(target)
    assert {e.state for e in await entries_of(under_key("copy", OLD, 600, clock))} == {State.LOCKED}
    clock.now = START + 601
    assert await target.get_items() == await source.get_items() == turn(2)
    clock.now = START + 701
    assert await target.get_items() == []


async def test_what_has_expired_or_is_locked_is_counted_left_behind_and_never_revived(
    plain_store: Open, under_key: UnderKey
) -> None:
    clock = Clock()
    source = under_key("ticket_456", OLD, 600, clock)
    await source.add_items([*turn(1), user("and?"), call("k")])
    clock.now += 601
    await source.add_items([output("k")])
    await under_key("ticket_456", OTHER, 600, clock).add_items(turn(3))
    await source.add_items(turn(2))
    for target in (plain_store("plain"), under_key("copy", NEW, None, clock)):
        receipt = await copy(source, target)
        assert receipt.left_out == {"expired": 7, "locked": 4}  # a pair expires as one
        assert (receipt.seen, receipt.copied, receipt.before) == (15, 4, receipt.after)
        assert await target.get_items() == turn(2)
    assert [e.state for e in await entries_of(source)].count(State.EXPIRED) == 7


async def test_what_is_too_old_for_the_copy_is_there_but_counted_as_unreadable(
    plain_store: Open, under_key: UnderKey
) -> None:
    source, clock = plain_store("ticket_456"), Clock(at(700).timestamp())
    stored = [Carried(item, at(500 * (n > 3))) for n, item in enumerate(turns(2))]
    await source.carry(Batch(tuple(stored), None))
    target = under_key("copy", NEW, 600, clock)
    receipt = await copy(source, target)
    assert (receipt.copied, receipt.unreadable, receipt.changed) == (8, 4, 0)
    assert receipt.after == content(await target.get_items()) == content(turns(2)[4:])


async def test_an_item_that_expires_while_it_is_copied_stays_behind(under_key: UnderKey) -> None:
    clock = Clock()
    source, target = under_key("ticket_456", OLD, 600, clock), under_key("copy", NEW, None, clock)
    await source.add_items(turns(3))

    async def grow_old() -> None:
        clock.now += 601

    meanwhile(target, 1, grow_old)
    with pytest.raises(HistoryChanged):
        await copy(source, target, batch=4)
    assert await target.get_items() == turns(2)
    assert "copied" not in [kind for kind, _, _ in await notes(target)]


async def test_an_envelope_in_a_store_with_four_methods_keeps_its_age_too(other: SQLiteSession) -> None:
    clock = Clock(at(100).timestamp())
    await other.carry(Batch(tuple(Carried(item, at(n)) for n, item in enumerate(turns(2))), None))
    target = EncryptedSession("copy", ListSession("copy"), NEW, 600, clock=clock)
    receipt = await copy(other, target, batch=4)
    assert (receipt.same, receipt.times_lost) == (True, 0)
    assert moments(await entries_of(target)) == [at(n).timestamp() for n in range(8)]
    clock.now = at(603).timestamp() + 1
    back = other.sibling("back")
    receipt = await copy(target, back)
    assert receipt.left_out == {"expired": 4}
    assert [e.created_at for e in await entries_of(back)] == [at(n) for n in range(4, 8)]
