"""What making a cut-off operation whole leaves alone, and what it makes of trouble that is no death."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from memory import Repair, SQLAlchemySession, StoreUnavailable, sessions_in
from memory.far_database import _Far
from memory.far_journal import Shelf

from .apart import DATABASES, Apart, opened_apart
from .deaths import Dead, Death
from .items import Item, call, turn, user
from .stores import rows


@pytest.fixture(params=DATABASES)
async def apart(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Apart]:
    async with opened_apart(request.param, tmp_path) as opened:
        yield opened


MINE, THEIRS = user("mine"), user("from another program")


async def cut_off(
    apart: Apart, monkeypatch: pytest.MonkeyPatch, before: tuple[type, str], work: Awaitable[Any]
) -> dict[str, Any]:
    """Let the process die before a step of the work, and start another one; the journal it finds."""
    with monkeypatch.context() as patched:
        Death(patched, 0, [before])
        with pytest.raises(Dead):
            await work
    apart.restart()
    (journal,) = apart.journals()
    found: dict[str, Any] = json.loads(journal.read_text("utf-8"))
    return found


async def write(engine: AsyncEngine, item: Item, at: str, id_: int | None = None) -> None:
    """A row of a program that knows nothing of locks."""
    names, values = ("id, ", ":id, ") if id_ is not None else ("", "")
    statement = text(
        f"INSERT INTO agent_messages ({names}session_id, message_data, created_at) "
        f"VALUES ({values}'ticket_456', :text, '{at}')"
    )
    said = {"text": json.dumps(item, separators=(",", ":"))} | ({} if id_ is None else {"id": id_})
    async with engine.begin() as connection:
        await connection.execute(statement, said)


@pytest.mark.parametrize("item", [THEIRS, MINE], ids=["other words", "the same words"])
async def test_a_row_of_others_under_the_same_id_stays(
    apart: Apart, monkeypatch: pytest.MonkeyPatch, item: Item
) -> None:
    session = apart.open()
    await session.append(turn(1), agent="Triage")
    journal = await cut_off(apart, monkeypatch, (Connection, "commit"), session.append([MINE], agent="user"))
    ((id_, _),) = journal["added"]["ticket_456"]
    await write(apart.engine, item, "2037-01-01 00:00:00", id_)
    again = apart.open()
    assert await again.get_items() == [*turn(1), item]
    await again.note("written")
    assert (await rows(again))[-1].id == id_
    assert apart.journals() == []


async def test_a_row_whose_place_others_have_taken_comes_back_under_another_id(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = apart.open()
    await session.append(turn(1), agent="Triage")
    taken = (await rows(session))[-1].id
    await cut_off(apart, monkeypatch, (_Far, "_finish"), session.pop_item())
    await write(apart.engine, THEIRS, "2037-01-01 00:00:00", taken)
    assert await apart.open().get_items() == [*turn(1), THEIRS]


@pytest.mark.parametrize("work", ["append", "repair"])
async def test_a_row_that_others_write_meanwhile_stays(
    apart: Apart, monkeypatch: pytest.MonkeyPatch, work: str
) -> None:
    """Tables that another program made may let it write to a session that is locked."""
    if apart.engine.dialect.name == "sqlite":
        pytest.skip("a write has the file for itself")
    if apart.engine.dialect.name == "mysql" and work == "repair":
        pytest.skip("its locks cover the room behind the rows that are taken")
    names = {"postgresql": "CONSTRAINT agent_messages_session_id_fkey"}
    constraint = names.get(apart.engine.dialect.name, "FOREIGN KEY agent_messages_ibfk_1")
    async with apart.engine.begin() as connection:
        await connection.execute(text(f"ALTER TABLE agent_messages DROP {constraint}"))
    session = apart.open()
    await session.append([call("lone"), *turn(1)], agent="Triage")
    before = await rows(session)

    async def meanwhile() -> None:
        engine = create_async_engine(apart.engine.url, poolclass=NullPool)
        await write(engine, THEIRS, "2037-01-01 00:00:00")
        await engine.dispose()

    keep = Shelf.keep

    def written(*arguments: Any) -> None:
        asyncio.run(meanwhile())
        keep(*arguments)

    plan = await session.plan(Repair((await session.timeline()).entries[0].id, "complete"))
    monkeypatch.setattr(Shelf, "keep", written)
    act = session.append([MINE], agent="user") if work == "append" else session.apply(plan)
    await cut_off(apart, monkeypatch, (_Far, "_finish"), act)
    again = apart.open()
    found = await rows(again)
    assert found[:-1] == before
    assert (await again.get_items())[-1] == THEIRS


async def test_a_journal_of_an_earlier_version_is_followed(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def rewritten(into: str | None, act: Awaitable[Any]) -> None:
        journal = await cut_off(apart, monkeypatch, (_Far, "_finish"), act)
        added = journal.pop("added")
        ids = {session: [id_ for id_, _ in found] for session, found in added.items()}
        old = {key: journal[key] for key in ("token", "session", "taken")}
        old |= {"session": "ticket_456", "placed": ids.get("ticket_456", [])}
        old |= {"into": into, "copied": ids.get(into or "", [])}
        apart.journals()[0].write_text(json.dumps(old), "utf-8")

    session = apart.open()
    await session.append([call("lone"), *turn(1)], agent="Triage")
    before = await rows(session)
    plan = await session.plan(Repair((await session.timeline()).entries[0].id, "complete"))
    works: list[tuple[str | None, Callable[[SQLAlchemySession], Awaitable[Any]]]] = [
        (None, lambda one: one.apply(plan)),
        (None, lambda one: one.pop_item()),
        ("b", lambda one: one.branch("b")),
    ]
    for into, work in works:
        await rewritten(into, work(apart.open()))
        again = apart.open()
        assert await rows(again) == before
        assert "b" not in [name for name, _ in await sessions_in(again.database, again.scope.tables)]
        assert apart.journals() == []


def refuses(self: _Far) -> None:
    raise StoreUnavailable("The disk is full. Nothing was changed.", "full")


async def test_an_append_whose_ledger_cannot_be_written_is_taken_back_at_once(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = apart.open()
    await session.append(turn(1), agent="Triage")
    before = await rows(session)
    with monkeypatch.context() as patched:
        patched.setattr(_Far, "_finish", refuses)
        with pytest.raises(StoreUnavailable, match=r"Nothing was changed\.$"):
            await session.append([MINE], agent="user")
        assert apart.journals() == []
    assert await rows(session) == before


async def test_a_clear_whose_ledger_cannot_be_written_is_completed_later(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = apart.open()
    await session.append(turn(1), agent="Triage")
    await session.pop_item()
    with monkeypatch.context() as patched:
        patched.setattr(_Far, "_finish", refuses)
        with pytest.raises(StoreUnavailable, match="is not known"):
            await session.clear_session()
    assert await session.changes() == []
    assert await session.get_items() == []
    assert apart.journals() == []


@pytest.mark.parametrize("home", ["file", "memory"])
async def test_what_was_stored_although_its_end_was_not_heard_is_taken_back_before_it_is_seen(
    apart: Apart, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    session = apart.open(**({"ledger": None} if home == "memory" else {}))
    await session.append(turn(1), agent="Triage")
    before = await rows(session)
    commit = Connection.commit

    def unheard(self: Connection) -> None:
        commit(self)
        raise ConnectionResetError

    for work in (lambda: session.append([MINE], agent="user"), session.pop_item):
        with monkeypatch.context() as patched:
            patched.setattr(Connection, "commit", unheard)
            with pytest.raises(StoreUnavailable, match="is not known"):
                await work()
        assert await rows(session) == before
        assert await session.changes() == []
