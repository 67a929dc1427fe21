"""One conversation on every store: the same items are stored, and the same can be done with them."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import URL

from desk.desk import Desk
from desk.settings import Settings
from desk.stores import Stores
from desk.values import Address, RunStatus
from memory.edits import RollBack, Truncate
from memory.entries import Entry
from memory.errors import StoreUnavailable

from ..memory import servers
from ..memory.proxy import Proxy
from .desks import KEY, ended, kinds, say, until

SERVERS: dict[str, Callable[[], URL]] = {"postgres": servers.postgres, "mariadb": servers.mariadb}
STORES = ("memory", "file", "encrypted", "sqlite", "postgres", "sealed-postgres", "mariadb")
TODAY = date(2026, 3, 4)

LINES = (
    "我的订单 A100 什么时候发货？",
    "如果晚于周五，帮我改到自提。",
    "My name is Ada. Please refund E512, it is too small.",
    "Please refund C310, the motor is dead.",
)


def settings_in(folder: Path, team: str | None = None) -> Settings:
    """Settings for a data folder in `folder`; `team` is what is said from now on of the backend "team"."""
    secrets = folder / "secrets.toml"
    if team is not None:
        secrets.write_text(f"[backends.team]\n{team}\n", encoding="utf-8")
    return Settings(data=folder / "data", secrets=(secrets,))


def desk_on(store: str, folder: Path) -> tuple[Desk, Address]:
    """A desk with the offline model, and a session on that store."""
    if store == "sqlite":
        url = f"sqlite+aiosqlite:///{(folder / 'team.db').as_posix()}"
    elif (name := store.removeprefix("sealed-")) in SERVERS:
        url = SERVERS[name]().render_as_string(hide_password=False)
    else:
        url = ""
    sealed = str(store.startswith("sealed-")).lower()
    settings = settings_in(folder, f'url = "{url}"\nencrypted = {sealed}' if url else None)
    desk = Desk({"DESK_ENCRYPTION_KEY": KEY}, settings=settings, today=lambda: TODAY)
    return desk, Address("team" if url else store, f"ticket on {store}")


class Silent:
    """A proxy in a thread of its own, before a server that can fall silent."""

    def __init__(self, host: str, port: int) -> None:
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

    def die_at(self, moment: bytes) -> None:
        """Be killed when these bytes come from the desk; `refuse` False is the restart."""
        self.proxy.dies, self.proxy.reset_after = True, moment

    def end(self) -> None:
        self.loop.call_soon_threadsafe(self.over.set)
        self.thread.join()
        self.loop.close()


@pytest.fixture
def far(tmp_path: Path) -> Iterator[tuple[Desk, Silent]]:
    """A desk whose backend "team" is a server that can fall silent."""
    url = servers.postgres()
    servers.empty(url)
    proxy = Silent(*servers.address(url))
    behind = servers.behind(url, proxy.port).render_as_string(hide_password=False)
    desk = Desk({}, settings=settings_in(tmp_path, f'url = "{behind}"'), today=lambda: TODAY)
    yield desk, proxy
    proxy.silent(False)
    desk.close()
    proxy.end()


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
    again = Desk({"DESK_ENCRYPTION_KEY": KEY}, settings=settings_in(tmp_path), today=lambda: TODAY)
    say(again, address, LINES[1])
    assert again.orders.history("A100")[-1].kind == "delivery"
    again.close()


def test_no_password_of_a_database_that_cannot_be_reached_is_shown_or_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    named = settings_in(tmp_path, 'url = "postgresql+asyncpg://me:hunter2@127.0.0.1:1/team"')
    desk = Desk({}, settings=named)
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


def test_a_database_that_falls_silent_holds_up_no_other_session(far: tuple[Desk, Silent]) -> None:
    desk, proxy = far
    there, near = Address("team", "x"), Address("file", "x")
    for address in (there, near):
        say(desk, address, LINES[-1])
    assert desk.waiting() == [near, there]
    proxy.silent(True)
    began = time.monotonic()
    assert [desk.waiting() for _ in range(3)] == [[near, there]] * 3
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    "moment", [b"My name is Ada", b"refund_order", b"function_call_output", b"output_text"]
)
def test_a_database_that_is_killed_and_restarted_in_mid_turn_loses_nothing_and_doubles_nothing(
    far: tuple[Desk, Silent], moment: bytes
) -> None:
    (desk, proxy), address = far, Address("team", "x")
    say(desk, address, LINES[0])
    first = desk.look(address).timeline.entries
    proxy.die_at(moment)
    sent = desk.send(address, LINES[2])
    until(lambda: proxy.proxy.refuse)
    time.sleep(0.5)
    proxy.proxy.refuse = False
    if sent.ok:
        ended(desk, address)
    else:
        assert sent.reason == "unavailable"
    assert [effect.kind for effect in desk.orders.history("E512")].count("refund") <= 1
    until(lambda: desk.look(address).problem is None)
    say(desk, address, LINES[0])
    entries = desk.look(address).timeline.entries
    assert [entry.raw for entry in entries[: len(first)]] == [entry.raw for entry in first]
    questions = [told(entry)["content"] for entry in entries if entry.kind == "user"]
    assert questions in ([LINES[0], LINES[2], LINES[0]], [LINES[0], LINES[0]])
    assert all(entry.state == "ok" for entry in entries), "no half of a pair"


def test_a_tab_on_a_database_that_falls_silent_says_so_soon_and_at_once_from_then_on(
    far: tuple[Desk, Silent], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desk.breaker.PATIENCE", 1.0)
    monkeypatch.setattr("desk.breaker.AGAIN", 1.0)
    (desk, proxy), address = far, Address("team", "x")
    say(desk, address, LINES[0])
    proxy.silent(True)
    began = time.monotonic()
    told = [desk.revision(address), desk.waiting_count(), desk.look(address), desk.sessions("team")]
    assert time.monotonic() - began < 4
    assert told[0] == ("problem", "unavailable")
    assert (told[2].problem, told[2].params) == ("unavailable", {"why": "silent"})  # type: ignore[union-attr]
    time.sleep(1.0)
    began = time.monotonic()
    assert [desk.look(address).problem for _ in range(20)] == ["unavailable"] * 20
    assert time.monotonic() - began < 2, "the one that tries again is not waited for"
    proxy.silent(False)
    until(lambda: desk.revision(address)[0] != "problem")  # type: ignore[index]
    assert desk.look(address).problem is None
    assert len(kinds(desk.look(address))) == 4


def test_a_look_that_takes_long_at_a_database_that_answers_is_waited_for(
    far: tuple[Desk, Silent], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desk.breaker.PATIENCE", 1.0)
    (desk, proxy), address = far, Address("team", "x")
    say(desk, address, LINES[0])
    proxy.proxy.delay = 0.06
    began = time.monotonic()
    assert len(kinds(desk.look(address))) == 4
    assert time.monotonic() - began > 1.0, "it took longer than a database may be silent"


def test_after_a_write_that_found_the_database_gone_looks_are_answered_at_once_with_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    async def gone(*_: object, **__: object) -> object:
        tried.append("looked")
        raise StoreUnavailable("It is gone.", "unreachable")

    desk, address = desk_on("sqlite", tmp_path)
    say(desk, address, LINES[0])
    monkeypatch.setattr("memory.table_session.TableSession.append", gone)
    monkeypatch.setattr("memory.table_session.TableSession.timeline", gone)
    assert desk.send(address, LINES[1]).params == {"why": "unreachable"}
    del tried[:]
    assert [desk.look(address).params for _ in range(3)] == [{"why": "unreachable"}] * 3
    assert tried == []
    assert desk.send(address, LINES[1]).reason == "unavailable", "a write tries all the same"
    assert tried
    desk.close()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("postgresql://me:hunter2@127.0.0.1/team", "sync_url"),
        ("postgresql+asyncpg://me:hunter2@127.0.0.1:1/team", "unreachable"),
        ("oracle://me:hunter2@127.0.0.1/team", "bad_url"),
        ("postgresql+asyncpg://me:hunter2@127.0.0.1:port/team", "bad_url"),
        ("postgresql+asyncpg://me:hunter2@127.0.0.1:99999/team", "url_setting"),
        ("postgresql+asyncpg://me:hunter2@127.0.0.1:1/team?sslmode=disable", "url_setting"),
        ("sqlite+aiosqlite:///{}/te\\u0000am.db", "bad_url"),
        ("postgresql+asyncpg://me:%00@127.0.0.1:1/team", "bad_url"),
        ("sqlite+aiosqlite:///{}/team.db", "unopened"),
        ("sqlite+aiosqlite:///{}/text.txt", "not_a_database"),
    ],
)
def test_a_named_database_that_cannot_be_used_says_why(tmp_path: Path, url: str, why: str) -> None:
    (tmp_path / "text.txt").write_text("no database at all " * 100, encoding="utf-8")
    place = tmp_path / "nowhere" if why == "unopened" else tmp_path
    desk = Desk({}, settings=settings_in(tmp_path, f'url = "{url.format(place.as_posix())}"'))
    view, sent = desk.look(Address("team", "x")), desk.send(Address("team", "x"), "hi")
    desk.close()
    assert (sent.reason, sent.params) == ("unavailable", {"why": why})
    assert (view.problem, view.params) in (("unavailable", {"why": why}), (None, {}))


def test_a_connection_whose_settings_are_wrong_says_which(tmp_path: Path) -> None:
    desk = Desk({}, settings=settings_in(tmp_path, ""))
    assert desk.look(Address("team", "x")).problem == "no_url"
    assert desk.send(Address("nowhere", "x"), "hi").reason == "not_supported"
    desk.close()


def desk_without_tables(tmp_path: Path, *, encrypted: bool = False) -> tuple[Desk, Address]:
    """A desk on a database where it may make none; another program made the SDK's and said a line."""
    made, address = desk_on("sqlite", tmp_path)
    say(made, Address(address.backend, "another"), LINES[0])
    made.close()
    url = f"sqlite+aiosqlite:///{(tmp_path / 'team.db').as_posix()}"
    also = f"create_tables = false\nencrypted = {str(encrypted).lower()}"
    settings = settings_in(tmp_path, f'url = "{url}"\n{also}')
    return Desk({"DESK_ENCRYPTION_KEY": KEY}, settings=settings, today=lambda: TODAY), address


@pytest.mark.parametrize("encrypted", [False, True])
def test_where_no_tables_may_be_made_undo_is_kept_in_the_desks_own_file(
    tmp_path: Path, encrypted: bool
) -> None:
    desk, address = desk_without_tables(tmp_path, encrypted=encrypted)
    say(desk, address, LINES[0])
    assert desk.look(address).ledger_apart
    plan = desk.plan(address, Truncate(keep_turns=0)).plan
    assert plan is not None
    assert desk.apply(address, plan).ok
    assert (tmp_path / "data" / "ledger-team.db").exists()
    assert desk.undo(address).ok
    assert len(kinds(desk.look(address))) == 4
    desk.close()


def test_where_no_tables_may_be_made_several_tabs_look_while_the_desk_answers(tmp_path: Path) -> None:
    desk, address = desk_without_tables(tmp_path)
    seen: list[object] = []
    over = threading.Event()

    def tab() -> None:
        while not over.is_set():
            seen.append(desk.look(address).problem)
            seen.append(desk.revision(address)[0])  # type: ignore[index]

    tabs = [threading.Thread(target=tab) for _ in range(4)]
    for one in tabs:
        one.start()
    try:
        for text in LINES:
            say(desk, address, text)
    finally:
        over.set()
        for one in tabs:
            one.join()
    assert "unavailable" not in seen
    assert "problem" not in seen
    run = desk.run(address)
    assert run is not None
    assert run.saved
    desk.close()


def test_a_typed_database_where_no_tables_may_be_made_keeps_its_undo_here_and_finds_it_again(
    tmp_path: Path,
) -> None:
    made, address = desk_on("sqlite", tmp_path)
    say(made, address, LINES[0])  # another program made the SDK's tables
    with closing(sqlite3.connect(tmp_path / "team.db")) as theirs:
        before = theirs.execute("SELECT name FROM sqlite_master").fetchall()
    made.close()
    url = f"sqlite+aiosqlite:///{(tmp_path / 'team.db').as_posix()}"
    settings = Settings(data=tmp_path / "data", secrets=())

    def connected(*more: str) -> tuple[Desk, Address]:
        desk = Desk({}, settings=settings, today=lambda: TODAY)
        for other in more:
            assert desk.connect(other).ok
        outcome = desk.connect(url, create_tables=False)
        assert outcome.text is not None
        return desk, Address(outcome.text, address.session_id)

    desk, here = connected()
    assert desk.look(here).ledger_apart
    plan = desk.plan(here, Truncate(keep_turns=0)).plan
    assert plan is not None
    assert desk.apply(here, plan).ok
    desk.close()
    desk, here = connected(f"sqlite+aiosqlite:///{(tmp_path / 'other.db').as_posix()}")
    assert here.backend == "db-2", "its number is another one this time"
    assert desk.undo(here).ok
    assert len(kinds(desk.look(here))) == 4
    desk.close()
    with closing(sqlite3.connect(tmp_path / "team.db")) as theirs:
        assert theirs.execute("SELECT name FROM sqlite_master").fetchall() == before


async def test_databases_that_are_typed_at_once_are_told_apart_and_each_is_offered_once(
    tmp_path: Path,
) -> None:
    stores = Stores(Settings(data=tmp_path / "data", secrets=()), {})
    one, other = (f"sqlite+aiosqlite:///{(tmp_path / name).as_posix()}" for name in ("one.db", "other.db"))
    offered = await asyncio.gather(*(stores.connect(url) for url in (one, other, one)))
    urls = [stores.connections()[backend.name].url for backend in offered]
    assert urls == [one, other, one]
    assert len(stores.connections()) == 2
    await stores.close()
