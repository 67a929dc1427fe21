"""One conversation on every store: the same items are stored, and the same can be done with them."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import URL

from desk.desk import Desk
from desk.settings import Settings
from desk.values import Address, RunStatus
from memory.edits import RollBack, Truncate
from memory.entries import Entry

from ..memory import servers
from ..memory.proxy import Proxy
from .desks import KEY, ended, kinds, say

SERVERS: dict[str, Callable[[], URL]] = {"postgres": servers.postgres, "mariadb": servers.mariadb}
STORES = ("memory", "file", "encrypted", "sqlite", "postgres", "sealed-postgres", "mariadb")
TODAY = date(2026, 3, 4)

LINES = (
    "我的订单 A100 什么时候发货？",
    "如果晚于周五，帮我改到自提。",
    "My name is Ada. Please refund E512, it is too small.",
    "Please refund C310, the motor is dead.",
)


def desk_on(store: str, folder: Path) -> tuple[Desk, Address]:
    """A desk with the offline model, and a session on that store."""
    secrets = folder / "secrets.toml"
    if store == "sqlite":
        url = f"sqlite+aiosqlite:///{(folder / 'team.db').as_posix()}"
    elif (name := store.removeprefix("sealed-")) in SERVERS:
        url = SERVERS[name]().render_as_string(hide_password=False)
    else:
        url = ""
    if url:
        sealed = str(store.startswith("sealed-")).lower()
        secrets.write_text(f'[backends.team]\nurl = "{url}"\nencrypted = {sealed}\n', encoding="utf-8")
    settings = Settings(data=folder / "data", secrets=(secrets,))
    desk = Desk({"DESK_ENCRYPTION_KEY": KEY}, settings=settings, today=lambda: TODAY)
    return desk, Address("team" if url else store, f"ticket on {store}")


class Silent:
    """A proxy in a thread of its own, before a server that can fall silent."""

    def begin(self, host: str, port: int) -> None:
        self.loop, self.proxy, ready = asyncio.new_event_loop(), Proxy(host, port), threading.Event()

        async def stand() -> None:
            self.over = asyncio.Event()
            async with self.proxy:
                self.port = self.proxy.at
                ready.set()
                await self.over.wait()

        self.thread = threading.Thread(target=lambda: self.loop.run_until_complete(stand()))
        self.thread.start()
        ready.wait()

    def silent(self, silent: bool) -> None:
        self.loop.call_soon_threadsafe(setattr, self.proxy, "hold", silent)

    def end(self) -> None:
        self.loop.call_soon_threadsafe(setattr, self.proxy, "hold", False)
        self.loop.call_soon_threadsafe(self.over.set)
        self.thread.join()
        self.loop.close()


def conversation(desk: Desk, address: Address) -> list[tuple[str, str | None, Any]]:
    """Hold it, to the end of a decision; what is stored then."""
    for line in LINES:
        say(desk, address, line)
    pause = desk.look(address).waiting
    assert pause is not None
    assert address in desk.waiting()
    assert desk.decide(address, pause.id, pause.calls[0][0], True).ok
    assert ended(desk, address).status is RunStatus.DONE
    say(desk, address, "Summarise the ticket, please.")
    return [(str(entry.kind), entry.agent, told(entry)) for entry in desk.look(address).timeline.entries]


def told(entry: Entry) -> Any:
    """An item without the ids and times that differ from run to run."""

    def without(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: without(v) for k, v in value.items() if k not in ("id", "call_id", "at", "when")}
        return [without(inner) for inner in value] if isinstance(value, list) else value

    item = without(entry.item)
    for name in ("arguments", "output"):
        if isinstance(item.get(name), str):
            item[name] = without(json.loads(item[name]))
    return item


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str | None, Any]]:
    desk, address = desk_on("memory", tmp_path_factory.mktemp("expected"))
    stored = conversation(desk, address)
    desk.close()
    return stored


@pytest.fixture(params=STORES)
def held(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Desk, Address]]:
    desk, address = desk_on(request.param, tmp_path)
    yield desk, address
    desk.close()
    if (name := request.param.removeprefix("sealed-")) in SERVERS:
        servers.empty(SERVERS[name]())


def test_the_conversation_is_the_same_on_every_store(
    held: tuple[Desk, Address], expected: list[tuple[str, str | None, Any]]
) -> None:
    assert conversation(*held) == expected


def test_it_can_be_rolled_back_undone_truncated_branched_and_deleted_there(
    held: tuple[Desk, Address],
) -> None:
    desk, address = held
    say(desk, address, LINES[0])
    first = desk.look(address).timeline.entries
    say(desk, address, LINES[1])
    everything = desk.look(address).timeline.entries
    for edit in (RollBack(first[-1].id), Truncate(keep_turns=1)):
        plan = desk.plan(address, edit).plan
        assert plan is not None
        assert desk.apply(address, plan).ok
        assert len(desk.look(address).timeline.entries) < len(everything)
        assert desk.undo(address).ok
        after = desk.look(address).timeline.entries
        assert [(entry.id, entry.raw) for entry in after] == [(entry.id, entry.raw) for entry in everything]
    branch = f"{address.session_id}-b"
    assert desk.branch(address, branch, first[-1].id).ok
    copied = desk.look(Address(address.backend, branch)).timeline.entries
    assert [entry.item for entry in copied] == [entry.item for entry in first]
    for session in (branch, address.session_id):
        assert desk.delete(Address(address.backend, session)).ok
        assert kinds(desk.look(Address(address.backend, session))) == []


def test_another_desk_on_the_same_store_goes_on_where_the_first_stopped(
    tmp_path: Path, held: tuple[Desk, Address]
) -> None:
    desk, address = held
    if address.backend == "memory":
        pytest.skip("memory ends with its server")
    say(desk, address, LINES[0])
    desk.close()
    again = Desk(
        {"DESK_ENCRYPTION_KEY": KEY},
        settings=Settings(data=tmp_path / "data", secrets=(tmp_path / "secrets.toml",)),
        today=lambda: TODAY,
    )
    say(again, address, LINES[1])
    assert again.orders.history("A100")[-1].kind == "delivery"
    again.close()


def test_no_password_of_a_database_that_cannot_be_reached_is_shown_or_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    secrets = tmp_path / "secrets.toml"
    secrets.write_text(
        '[backends.team]\nurl = "postgresql+asyncpg://me:hunter2@127.0.0.1:1/team"\n', encoding="utf-8"
    )
    desk = Desk({}, settings=Settings(data=tmp_path / "data", secrets=(secrets,)))
    address = Address("team", "x")
    told = [
        desk.look(address),
        desk.send(address, "hi"),
        desk.sessions("team"),
        desk.backends(),
        desk.connect("postgresql+asyncpg://me:hunter2@127.0.0.1:1/team"),
        desk.connect("postgresql://me:hunter2@127.0.0.1:1/team"),
        desk.connect("postgresql+asyncpg://me:hunter2@127.0.0.1:1/team?sslmode=hunter2"),
    ]
    desk.close()
    assert desk.look(address).problem == "closing"
    assert told[0].problem == "unavailable"  # type: ignore[union-attr]
    reasons = [outcome.reason for outcome in told[-3:]]  # type: ignore[union-attr]
    assert reasons == ["unreachable", "sync_url", "url_setting"]
    assert "hunter2" not in f"{told!r}{caplog.text}"


def test_a_database_that_falls_silent_holds_up_no_other_session(tmp_path: Path) -> None:
    url, proxy = servers.postgres(), Silent()
    servers.empty(url)
    proxy.begin(*servers.address(url))
    secrets = tmp_path / "secrets.toml"
    behind = servers.behind(url, proxy.port).render_as_string(hide_password=False)
    secrets.write_text(f'[backends.team]\nurl = "{behind}"\n', encoding="utf-8")
    desk = Desk({}, settings=Settings(data=tmp_path / "data", secrets=(secrets,)), today=lambda: TODAY)
    try:
        far, near = Address("team", "x"), Address("file", "x")
        for address in (far, near):
            say(desk, address, LINES[-1])
        assert desk.waiting() == [near, far]
        proxy.silent(True)
        began = time.monotonic()
        assert [desk.waiting() for _ in range(3)] == [[near, far]] * 3
        assert time.monotonic() - began < 5
        proxy.silent(False)
    finally:
        desk.close()
        proxy.end()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("postgresql://me:hunter2@127.0.0.1/team", "sync_url"),
        ("postgresql+asyncpg://me:hunter2@127.0.0.1:1/team", "unreachable"),
        ("oracle://me:hunter2@127.0.0.1/team", "bad_url"),
        ("postgresql+asyncpg://me:hunter2@127.0.0.1:port/team", "bad_url"),
        ("postgresql+asyncpg://me:hunter2@127.0.0.1:99999/team", "url_setting"),
        ("postgresql+asyncpg://me:hunter2@127.0.0.1:1/team?sslmode=disable", "url_setting"),
        ("sqlite+aiosqlite:///{}/team.db", "unopened"),
        ("sqlite+aiosqlite:///{}/text.txt", "not_a_database"),
    ],
)
def test_a_named_database_that_cannot_be_used_says_why(tmp_path: Path, url: str, why: str) -> None:
    secrets = tmp_path / "secrets.toml"
    (tmp_path / "text.txt").write_text("no database at all " * 100, encoding="utf-8")
    place = tmp_path / "nowhere" if why == "unopened" else tmp_path
    secrets.write_text(f'[backends.team]\nurl = "{url.format(place.as_posix())}"\n', encoding="utf-8")
    desk = Desk({}, settings=Settings(data=tmp_path / "data", secrets=(secrets,)))
    view, sent = desk.look(Address("team", "x")), desk.send(Address("team", "x"), "hi")
    desk.close()
    assert (sent.reason, sent.params) == ("unavailable", {"why": why})
    assert (view.problem, view.params) in (("unavailable", {"why": why}), (None, {}))


def test_a_connection_whose_settings_are_wrong_says_which(tmp_path: Path) -> None:
    secrets = tmp_path / "secrets.toml"
    secrets.write_text("[backends.team]\n", encoding="utf-8")
    desk = Desk({}, settings=Settings(data=tmp_path / "data", secrets=(secrets,)))
    assert desk.look(Address("team", "x")).problem == "no_url"
    assert desk.send(Address("nowhere", "x"), "hi").reason == "not_supported"
    desk.close()


def test_where_no_tables_may_be_made_undo_is_kept_in_the_desks_own_file(tmp_path: Path) -> None:
    made, address = desk_on("sqlite", tmp_path)
    say(made, address, LINES[0])  # another program made the SDK's tables
    made.close()
    secrets = tmp_path / "secrets.toml"
    secrets.write_text(f"{secrets.read_text(encoding='utf-8')}create_tables = false\n", encoding="utf-8")
    desk = Desk({}, settings=Settings(data=tmp_path / "data", secrets=(secrets,)), today=lambda: TODAY)
    assert desk.look(address).ledger_apart
    plan = desk.plan(address, Truncate(keep_turns=0)).plan
    assert plan is not None
    assert desk.apply(address, plan).ok
    assert (tmp_path / "data" / "ledger-team.db").exists()
    assert desk.undo(address).ok
    assert len(kinds(desk.look(address))) == 4
    desk.close()
