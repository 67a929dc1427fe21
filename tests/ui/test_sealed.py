"""What the page shows of encrypted sessions and of databases, and what it never shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from desk.backends import Backend
from desk.values import Address
from memory import Resealed, Revision, State, Timeline
from memory.envelope import write
from ui import live

from .conftest import HERE, Page, click, markup, pick_backend, run, where
from .fake_desk import FakeDesk, answer, user

SEALED = Address("encrypted", "ticket_1")


@pytest.fixture
def sealed(page: Page, desk: FakeDesk) -> Callable[[], AppTest]:
    """Opens an encrypted session that holds one turn."""

    def open_page() -> AppTest:
        desk.key = "set"
        desk.add(SEALED, user("hi"), answer("hello"), agent="Triage")
        return page(backend="encrypted")

    return open_page


def codes(tab: AppTest) -> list[str]:
    return [str(block.value) for block in tab.code]


def test_where_no_key_is_set_the_page_says_so_and_makes_one_that_it_shows_until_it_is_kept(
    page: Page, desk: FakeDesk
) -> None:
    tab = page(backend="encrypted")
    assert "No encryption key is set" in markup(tab)
    tab = run(click(tab, "make_key"))
    assert codes(tab) == ["DESK_ENCRYPTION_KEY=made-key"]
    other = page(backend="encrypted")
    assert codes(other) == [], "another tab does not show it by itself"
    assert "nobody has kept elsewhere yet" in markup(other)
    assert codes(click(other, "key_show_panel")) == ["DESK_ENCRYPTION_KEY=made-key"], "a reload loses no key"
    tab = run(click(tab, "key_kept_panel"))
    assert codes(tab) == []
    assert codes(page(backend="encrypted")) == []
    assert "made-key" not in str(tab.session_state)
    assert "made-key" not in str(page(backend="encrypted").query_params)


@pytest.mark.parametrize(
    ("total", "locked", "said", "unsaid"),
    [
        (
            5,
            2,
            ("2 items are stored here, under a key", "3 items stand here unencrypted"),
            "before it is stored",
        ),
        (3, 0, ("before it is stored", "3 items stand here unencrypted"), "under a key that is not set"),
        (1, 1, ("1 item is stored here, under a key",), "unencrypted"),
        (0, 0, ("before it is stored",), "unencrypted"),
    ],
)
def test_without_a_key_what_is_sealed_and_what_stands_in_the_open_are_told_apart(
    page: Page, desk: FakeDesk, total: int, locked: int, said: tuple[str, ...], unsaid: str
) -> None:
    desk.without_key = {"timeline": Timeline((), Revision(None), total=total), "sealed": locked}
    text = markup(page(backend="encrypted"))
    assert all(words in text for words in said)
    assert unsaid not in text


def test_a_tab_that_shows_a_key_has_news_when_it_was_kept_in_another(page: Page, desk: FakeDesk) -> None:
    click(page(backend="encrypted"), "make_key")
    shown = live.news(SEALED)
    desk.key_kept()
    assert live.news(SEALED) != shown


def test_a_key_that_was_set_is_not_shown(page: Page, desk: FakeDesk) -> None:
    tab = page(backend="encrypted")
    desk.key = "set meanwhile"
    tab = run(click(tab, "make_key"))
    assert codes(tab) == []
    assert "There is a key already" in markup(tab)


def test_a_time_to_live_is_chosen_and_shown(sealed: Callable[[], AppTest], desk: FakeDesk) -> None:
    tab = sealed()
    assert tab.selectbox(key="lifetime_pick").value == 0
    tab = run(tab.selectbox(key="lifetime_pick").select(600).run())
    assert desk.lifetimes == {SEALED: 600}
    assert tab.selectbox(key="lifetime_pick").value == 600
    run(tab.selectbox(key="lifetime_pick").select(0).run())
    assert desk.lifetimes == {SEALED: None}


def test_a_time_to_live_that_the_page_does_not_offer_is_shown_all_the_same(
    sealed: Callable[[], AppTest], desk: FakeDesk
) -> None:
    desk.lifetimes[SEALED] = 90
    assert sealed().selectbox(key="lifetime_pick").value == 90


def test_the_clock_moves_the_view_alone_and_locks_every_edit(
    sealed: Callable[[], AppTest], desk: FakeDesk
) -> None:
    desk.lifetimes[SEALED] = 600
    tab = sealed()
    tab.session_state["selected"] = desk.store(SEALED).entries[0].id
    tab = run(tab.selectbox(key="ahead_pick").select(660).run())
    assert "11 minutes later" in markup(tab)
    for key in ("undo", "redo", "ask_clear_for_good", "ask_purge", "ask_delete"):
        assert tab.button(key=key).disabled, key
    assert [entry.state for entry in desk.look(SEALED).timeline.entries] == [State.OK, State.OK]
    tab = run(tab.selectbox(key="ahead_pick").select(0).run())
    assert "minutes later:" not in markup(tab)


def test_going_elsewhere_comes_back_to_now(sealed: Callable[[], AppTest], desk: FakeDesk) -> None:
    tab = sealed()
    tab = run(tab.selectbox(key="ahead_pick").select(660).run())
    tab = run(tab.selectbox(key="backend_pick").select("none").run())
    tab = run(tab.selectbox(key="backend_pick").select("encrypted").run())
    assert tab.selectbox(key="ahead_pick").value == 0


def test_items_in_the_open_are_named_and_sealed_on_request(
    sealed: Callable[[], AppTest], desk: FakeDesk
) -> None:
    desk.add(SEALED, user("in the open"), state=State.PLAINTEXT)
    tab = sealed()
    assert "1 item stands in the open in this encrypted session" in markup(tab)
    assert "Item 1 stands here unencrypted. It is not sent to the model." in markup(tab)
    assert "Item 1 cannot be read" not in markup(tab), "its text stands beside it"
    tab = click(tab, "encrypt_them")
    assert "1 item was encrypted" in markup(tab)
    assert "in the open in this" not in markup(tab)


def test_what_stands_in_the_open_far_above_the_page_is_named_and_can_be_sealed_from_any_page(
    sealed: Callable[[], AppTest], desk: FakeDesk
) -> None:
    desk.add(SEALED, *[user("in the open")] * 3, state=State.PLAINTEXT)
    for _ in range(125):
        desk.add(SEALED, user("hi"), answer("hello"))
    tab = sealed()
    assert "3 items stand in the open" in markup(tab)
    tab = click(tab, "older")
    assert "3 items stand in the open" in markup(tab)
    tab = click(tab, "encrypt_them")
    assert "3 items were encrypted" in markup(tab)
    assert "encrypt_them" not in [button.key for button in tab.button]


def test_what_no_model_is_sent_of_the_whole_session_is_told_by_kind(
    sealed: Callable[[], AppTest], desk: FakeDesk
) -> None:
    kinds = (State.EXPIRED, State.EXPIRED, State.LOCKED, State.CORRUPT, State.AHEAD, State.PLAINTEXT)
    for state in kinds:
        desk.add(SEALED, user("x"), state=state)
    for name in ("old name", "old name", "a *third*", "b", "c"):
        desk.add(SEALED, user("x"), state=State.LOCKED)
        entries = desk.store(SEALED).entries
        entries[-1] = replace(entries[-1], item=None, written_as=name)
    for _ in range(125):
        desk.add(SEALED, user("hi"), answer("hello"))
    said = (
        "Not sent, of the whole session: 2 expired, 1 not valid yet, 1 locked, 1 damaged, 1 not encrypted, "
        "2 written as “old name”, 1 written as “a *third*”, 2 written under other names."
    )
    tab = sealed()
    assert said in markup(tab)
    assert said in markup(click(tab, "older"))
    assert "of this page" not in markup(tab)


def test_where_everything_is_sent_nothing_is_said_of_what_is_not(sealed: Callable[[], AppTest]) -> None:
    assert "Not sent" not in markup(sealed())


def test_the_card_of_an_item_written_under_another_session_id_names_that_id(
    sealed: Callable[[], AppTest], desk: FakeDesk
) -> None:
    sealed()
    store = desk.store(SEALED)
    store.entries[0] = replace(store.entries[0], item=None, state=State.LOCKED, written_as="old <b>name")
    tab = sealed()
    tab.session_state["selected"] = store.entries[0].id
    text = markup(run(tab))
    assert "It was written under the session id “old &lt;b&gt;name”" in text
    assert "a key that is not here" not in text
    store.entries[0] = replace(store.entries[0], written_as=None)
    assert "a key that is not here, or was written under a session id" in markup(run(tab))


# Leaving what cannot be read


@pytest.mark.parametrize(("backend", "there"), [("file", False), ("file", True)])
def test_who_leaves_a_session_without_its_key_is_asked_and_told_why_it_cannot_be_copied(
    page: Page, desk: FakeDesk, backend: str, there: bool
) -> None:
    desk.without_key = {"timeline": Timeline((), Revision(None), total=3), "sealed": 3}
    if there:
        desk.add(HERE, user("hi"))
    tab = pick_backend(page(backend="encrypted"), backend)
    assert where(tab, "backend") == "encrypted"
    assert "holds here cannot be read now, so it cannot be copied. No encryption key is set." in markup(tab)
    way = "move_open" if there else "move_empty"
    assert [button.key for button in tab.button if str(button.key).startswith("move_")] == [way, "move_stay"]
    assert where(click(tab, way), "backend") == backend


def test_who_leaves_a_store_that_cannot_be_reached_is_asked_and_told_what_is_wrong(
    page: Page, desk: FakeDesk
) -> None:
    desk.databases.append(Backend("team", "database", "Team"))
    unknown = Timeline((), Revision(None))
    desk.view = {"problem": "unavailable", "params": {"why": "unreachable"}, "timeline": unknown}
    tab = pick_backend(page(backend="team"), "file")
    assert "so it cannot be copied. The database cannot be reached" in markup(tab)
    tab = click(tab, "move_stay")
    assert where(tab, "backend") == "team"
    assert "so it cannot be copied" not in markup(tab)


def test_who_leaves_a_session_without_a_key_that_holds_nothing_is_not_asked(
    page: Page, desk: FakeDesk
) -> None:
    desk.without_key = {"timeline": Timeline((), Revision(None), total=0)}
    assert where(pick_backend(page(backend="encrypted"), "file"), "backend") == "file"


def test_the_x_ray_shows_an_item_as_the_model_gets_it_and_as_it_lies_in_the_store(
    sealed: Callable[[], AppTest], desk: FakeDesk
) -> None:
    tab = sealed()
    store = desk.store(SEALED)
    token = b"gAAAAABnYyVAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    store.entries[0] = replace(store.entries[0], raw=write(token))
    tab.session_state["selected"] = store.entries[0].id
    tab = run(tab)
    tab.toggle(key="xray").set_value(True)
    tab = run(tab)
    gets, lies = codes(tab)
    assert '"content": "hi"' in gets
    assert "__enc__" in lies
    assert "When it was sealed" in markup(tab)
    tab.session_state["selected"] = store.entries[1].id
    tab = run(tab)
    assert "Nothing is sealed here" in markup(tab)


def test_the_page_is_honest_about_what_stays_plain(sealed: Callable[[], AppTest]) -> None:
    assert "Plain: counts, sizes, times, ids, who wrote what, and the orders" in markup(sealed())


def test_moving_to_the_newest_key_is_offered_where_there_are_several(
    sealed: Callable[[], AppTest], desk: FakeDesk
) -> None:
    assert "reencrypt" not in [button.key for button in sealed().button]
    desk.view["keys"] = 2
    tab = click(sealed(), "reencrypt")
    assert "Moving what is stored of “ticket_1” to the newest key." in markup(tab)


def move(desk: FakeDesk, **facts: Any) -> None:
    """Let the move to the newest key be further."""
    desk.moves[SEALED] = replace(desk.moves[SEALED], **facts)


def test_a_move_to_the_newest_key_shows_how_far_it_is_and_can_be_stopped_and_gone_on_with(
    sealed: Callable[[], AppTest], page: Page, desk: FakeDesk
) -> None:
    desk.view["keys"] = 2
    tab = click(sealed(), "reencrypt")
    bars = [bar.proto for bar in tab.get("progress")]
    assert (bars[0].value, bars[0].text) == (0, "Looking at what there is")
    move(desk, done=500, total=10_000)
    bars = [bar.proto for bar in run(tab).get("progress")]
    assert (bars[0].value, bars[0].text) == (5, "500 of 10,000 stored texts looked at")
    move(desk, done=10_000)
    assert [bar.proto.text for bar in run(tab).get("progress")] == ["Looking at all of it once more"]
    click(tab, "reseal_stop")
    assert desk.calls[-1] == ("stop_reencrypt", SEALED)
    move(desk, done=700, problem="reseal_stopped")
    assert "The move was stopped. What was moved by then is under the newest key" in markup(run(tab))
    tab = click(tab, "reseal_again")
    assert desk.calls[-1] == ("reencrypt", SEALED)
    asked = len([call for call in desk.calls if call[0] == "reencrypt"])
    other = click(page(backend="encrypted"), "reencrypt")
    assert len(other.get("progress")) == 1, "another tab sees the same one"
    assert len([call for call in desk.calls if call[0] == "reencrypt"]) == asked


def test_a_move_to_the_newest_key_says_what_came_of_it(sealed: Callable[[], AppTest], desk: FakeDesk) -> None:
    desk.view["keys"] = 2
    tab = click(sealed(), "reencrypt")
    move(desk, result=Resealed(3, 0, True))
    text = markup(run(tab))
    assert "3 stored texts were moved to the newest key." in text
    assert "The old key can be retired" in text
    move(desk, result=Resealed(3, 2, False))
    text = markup(run(tab))
    assert "2 are sealed under a key that is not set" in text
    assert "can be retired" not in text
    assert "may still hold the texts under the old key" in text
    tab = click(tab, "reseal_close")
    assert desk.resealing(SEALED) is None
    assert "reseal_close" not in [button.key for button in tab.button]


def test_a_move_to_the_newest_key_that_failed_says_why_and_what_stands(
    sealed: Callable[[], AppTest], desk: FakeDesk
) -> None:
    desk.view["keys"] = 2
    tab = click(sealed(), "reencrypt")
    move(desk, problem="unavailable", params={"why": "unreachable"})
    text = markup(run(tab))
    assert "The database cannot be reached" in text
    assert "the rest is read with the old one" in text
    desk.refuse["reencrypt"] = "busy"
    tab = click(tab, "reseal_again")
    assert "reseal_again" not in [button.key for button in tab.button]
    assert desk.moves.get(SEALED) is None


def test_its_first_line_alone_does_not_begin_the_sample_that_expires(page: Page, desk: FakeDesk) -> None:
    desk.add(HERE, user("My name is Ada."), answer("Hello Ada."), agent="Triage")
    assert "guide_close" not in [button.key for button in page().button]


def test_the_sample_that_expires_goes_on_when_its_time_has_passed(page: Page, desk: FakeDesk) -> None:
    desk.replies = [(answer("Hello Ada."),), (answer("You are Ada."),), (answer("I do not know."),)]
    tab = run(click(page(), "scenario_sealed"))
    sealed = Address("encrypted", str(where(tab, "session")))
    assert codes(tab) == ["DESK_ENCRYPTION_KEY=made-key"]
    assert desk.lifetimes == {sealed: 60}
    tab = run(click(tab, "guide_next"))
    assert "wait until all the items are marked as expired" in markup(tab)
    assert "guide_next" not in [button.key for button in tab.button]
    store = desk.store(sealed)
    store.entries = [replace(entry, item=None, state=State.EXPIRED) for entry in store.entries]
    store.version += 1
    tab = run(tab)
    assert "The minute has passed" in markup(tab)
    tab = run(click(tab, "guide_next"))
    assert "The desk does not know your name" in markup(tab)


def test_a_message_that_has_expired_is_not_ascribed_to_an_agent(
    sealed: Callable[[], AppTest], desk: FakeDesk
) -> None:
    sealed()
    store = desk.store(SEALED)
    store.entries = [replace(store.entries[0], item=None, state=State.EXPIRED)]
    shown = markup(run(sealed()))
    assert "Item 1 cannot be read" in shown
    assert "<b>Agent</b>" not in shown.partition("Item 1 cannot be read")[0]


def test_a_copy_to_an_encrypted_backend_without_a_key_offers_to_make_one(page: Page, desk: FakeDesk) -> None:
    desk.add(HERE, user("hi"))
    desk.refuse["copy"] = "no_key"
    tab = run(page().selectbox(key="backend_pick").select("encrypted").run())
    tab = run(click(tab, "move_copy"))
    tab = run(click(tab, "copy_make_key"))
    assert codes(tab) == ["DESK_ENCRYPTION_KEY=made-key"]


# Databases


def test_who_copies_out_of_an_encrypted_session_is_told_that_the_copy_lies_in_the_open(
    sealed: Callable[[], AppTest], page: Page, desk: FakeDesk
) -> None:
    said = "in the open"
    tab = sealed()
    assert said in markup(click(tab, "copy_to"))
    tab = pick_backend(sealed(), "memory")
    assert f"“In memory” is not encrypted: a copy lies there {said}." in markup(tab)
    desk.add(HERE, user("hi"))
    tab = pick_backend(page(), "encrypted")
    assert said not in markup(tab)
    assert said not in markup(click(page(), "copy_to"))


def test_a_database_is_a_backend_by_its_label_and_a_link_names_it(page: Page, desk: FakeDesk) -> None:
    desk.databases.append(Backend("team", "database", "sqlite: the *team's* one.db"))
    tab = page(backend="team")
    assert where(tab, "backend") == "team"
    assert tab.selectbox(key="backend_pick").options[4] == "sqlite: the *team's* one.db"


def test_a_decision_that_waits_in_a_database_is_named_by_its_label(page: Page, desk: FakeDesk) -> None:
    desk.databases.append(Backend("team", "database", "Team *database*"))
    desk.waits = [Address("team", "other"), Address("gone", "other")]
    tab = page()
    assert not tab.exception
    names = [tab.button(key=f"open_waiting_{number}").label for number in range(2)]
    assert names == [r"other · Team \*database\*", "other · gone"]


def test_a_database_that_cannot_be_used_says_so_in_the_list(page: Page, desk: FakeDesk) -> None:
    desk.databases.append(Backend("team", "database", "Team", problem="no_url"))
    assert "Team (not usable)" in page().selectbox(key="backend_pick").options


def test_where_no_tables_may_be_made_the_panel_says_where_undo_is_kept(page: Page, desk: FakeDesk) -> None:
    desk.databases.append(Backend("team", "database", "Team"))
    desk.add(Address("team", "ticket_1"), user("hi"))
    desk.view["ledger_apart"] = True
    assert "kept in a file of this server" in markup(page(backend="team"))


def test_a_url_can_be_typed_on_the_same_machine_only(
    page: Page, desk: FakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = page()
    assert "Connect a database…" not in tab.selectbox(key="backend_pick").options
    monkeypatch.setattr("ui.connect.possible", lambda: True)
    tab = page()
    tab = run(tab.selectbox(key="backend_pick").select("+").run())
    tab.text_input(key="database_url").input("postgresql+asyncpg://me:hunter2@localhost/team")
    tab = click(tab, "connect_button")
    assert ("connect", "postgresql+asyncpg://me:hunter2@localhost/team") in desk.calls
    assert where(tab, "backend") == "db-1"
    shown: Any = [markup(tab), str(tab.query_params), *(notice.value for notice in tab.error)]
    assert "hunter2" not in str(shown)


def test_a_url_can_be_typed_of_a_database_where_no_tables_may_be_made(
    page: Page, desk: FakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.connect.possible", lambda: True)
    tab = page()
    tab = run(tab.selectbox(key="backend_pick").select("+").run())
    tab.text_input(key="database_url").input("postgresql+asyncpg://me@localhost/team")
    tab.checkbox(key="database_no_tables").check()
    click(tab, "connect_button")
    assert ("connect", "postgresql+asyncpg://me@localhost/team", "no tables") in desk.calls


def test_a_database_that_cannot_be_reached_is_told_in_the_question(
    page: Page, desk: FakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.connect.possible", lambda: True)
    desk.refuse["connect"] = "unavailable"
    tab = page()
    tab = run(tab.selectbox(key="backend_pick").select("+").run())
    tab.text_input(key="database_url").input("postgresql+asyncpg://me:hunter2@localhost/team")
    tab = click(tab, "connect_button")
    assert [str(error.value) for error in tab.error] == [
        "The store cannot be read or written now. Nothing was changed."
    ]
    assert where(tab, "backend") == "file"
