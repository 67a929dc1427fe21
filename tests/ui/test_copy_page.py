"""Copying to another backend, as the page offers it: the question, the dialog, the receipt."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from desk import desk as desk_module
from desk.desk import Desk
from desk.settings import Settings
from desk.values import Address, Resealing, View
from memory import Lease, Receipt, Remove, SQLiteSession, TableSession, Truncate
from memory.carrying import COPIER
from ui import desk_access, live

from .conftest import HERE, SHELL, Page, click, markup, pick_backend, run, where
from .fake_desk import AT, FakeDesk, answer, user

THERE = Address("memory", HERE.session_id)
BEFORE, AFTER = "a" * 64, "b" * 64


def receipt(**facts: Any) -> Receipt:
    """A receipt of a copy that lost nothing, but for the facts given."""
    whole: dict[str, Any] = {"seen": 2, "copied": 2, "left_out": {}, "before": BEFORE, "after": BEFORE}
    return Receipt(**{**whole, "ordered": True, **facts})


def talk(desk: FakeDesk, address: Address = HERE) -> None:
    desk.add(address, user("question"), answer("answer"), agent="Triage")


def buttons(tab: AppTest) -> list[str]:
    return [str(button.key) for button in tab.button]


def form(tab: AppTest) -> tuple[Any, Any]:
    """The backend and the name in the open dialog."""
    backend = next(box for box in tab.selectbox if str(box.key).startswith("copy_backend_"))
    name = next(field for field in tab.text_input if str(field.key).startswith("copy_name_"))
    return backend, name


def goes_on(desk: FakeDesk, **state: Any) -> None:
    """Let the copy of the session be further."""
    desk.copies[HERE] = replace(desk.copies[HERE], **state)


# The question


def test_a_session_that_holds_something_asks_before_it_leaves_its_backend(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    tab = pick_backend(page(), "memory")
    assert where(tab, "backend") == "file"
    assert "“In memory” has no session of that name" in markup(tab)
    assert 'role="alert"' in markup(tab)
    assert [key for key in buttons(tab) if key.startswith("move_")] == [
        "move_copy",
        "move_empty",
        "move_stay",
    ]
    assert "question" in markup(tab)


def test_start_empty_goes_there_and_copies_nothing(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    tab = click(pick_backend(page(), "memory"), "move_empty")
    assert (where(tab, "backend"), where(tab, "session")) == ("memory", "ticket_1")
    assert desk.calls == []
    assert "move_stay" not in buttons(tab)


def test_stay_stays(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    tab = click(pick_backend(page(), "memory"), "move_stay")
    assert where(tab, "backend") == "file"
    assert tab.selectbox(key="backend_pick").value == "file"
    assert "move_stay" not in buttons(tab)


def test_copy_it_there_starts_at_once_and_shows_how_far_it_is(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    tab = click(pick_backend(page(), "memory"), "move_copy")
    assert desk.calls == [("copy", HERE, "memory", "ticket_1")]
    assert "Copying to “ticket_1” (In memory)." in markup(tab)
    assert where(tab, "backend") == "file"


def test_a_backend_that_has_the_session_offers_it_and_another_name_and_never_merges(
    page: Page, desk: FakeDesk
) -> None:
    talk(desk)
    talk(desk, THERE)
    tab = pick_backend(page(), "memory")
    assert "has a session named “ticket_1” already" in markup(tab)
    assert [key for key in buttons(tab) if key.startswith("move_")] == [
        "move_open",
        "move_copy_named",
        "move_stay",
    ]
    named = click(tab, "move_copy_named")
    backend, name = form(named)
    assert (backend.value, name.value) == ("memory", "ticket_1-copy")
    assert desk.calls == []
    tab = click(pick_backend(page(), "memory"), "move_open")
    assert where(tab, "backend") == "memory"


@pytest.mark.parametrize(("here", "there"), [("file", "none"), ("none", "file"), ("file", "memory")])
def test_without_anything_to_copy_or_a_memory_there_is_no_question(
    page: Page, desk: FakeDesk, here: str, there: str
) -> None:
    if "none" in (here, there):
        talk(desk)
    tab = pick_backend(page(backend=here), there)
    assert where(tab, "backend") == there
    assert "move_stay" not in buttons(tab)


def test_the_question_goes_with_the_session_it_is_about(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    desk.add(Address("file", "other"), user("hi"))
    tab = pick_backend(page(), "memory")
    tab.selectbox(key="session_pick").select("other").run()
    assert "move_stay" not in buttons(tab)


# The dialog


def test_more_offers_a_copy_to_the_first_other_backend_under_the_same_name(
    page: Page, desk: FakeDesk
) -> None:
    talk(desk)
    tab = click(page(), "copy_to")
    backend, name = form(tab)
    assert list(backend.options) == ["In memory", "File", "Encrypted"]
    assert (backend.value, name.value) == ("memory", "ticket_1")
    name.set_value("kept")
    tab = click(tab, "copy_start")
    assert desk.calls == [("copy", HERE, "memory", "kept")]
    assert "Copying to “kept” (In memory)." in markup(tab)
    assert "copy_stop" in buttons(tab)


def test_there_is_nothing_to_copy_of_an_empty_session(page: Page) -> None:
    assert page().button(key="copy_to").disabled


def test_what_the_desk_refuses_is_said_in_the_dialog_and_the_name_stays(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    desk.refuse["copy"] = "session_not_empty"
    tab = click(click(page(), "copy_to"), "copy_start")
    assert "A session of that name exists already." in markup(tab)
    assert form(tab)[1].value == "ticket_1"
    tab = click(tab, "copy_cancel")
    assert "copy_start" not in buttons(tab)
    assert "A session of that name exists already." not in markup(click(tab, "copy_to"))


def test_progress_is_told_in_numbers_and_the_copy_can_be_stopped(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    tab = click(click(page(), "copy_to"), "copy_start")
    bars = [bar.proto for bar in tab.get("progress")]
    assert (bars[0].value, bars[0].text) == (0, "Looking at what there is")
    goes_on(desk, done=30, total=120)
    bars = [bar.proto for bar in run(tab).get("progress")]
    assert (bars[0].value, bars[0].text) == (25, "30 of 120 items")
    click(tab, "copy_stop")
    assert desk.calls[-1] == ("stop_copy", HERE)


def test_a_copy_shows_its_receipt_with_both_hashes_and_opens(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    tab = click(click(page(), "copy_to"), "copy_start")
    goes_on(desk, done=2, total=2, receipt=receipt())
    tab = run(tab)
    text = markup(tab)
    assert "2 of 2 items are in “ticket_1” (In memory)." in text
    assert text.count(BEFORE) == 2
    assert "the same" in text
    talk(desk, THERE)
    tab = click(tab, "copy_open")
    assert (where(tab, "backend"), where(tab, "session")) == ("memory", "ticket_1")
    assert BEFORE not in markup(tab)


def test_stay_here_closes_it_and_the_next_time_it_asks_anew(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    tab = click(click(page(), "copy_to"), "copy_start")
    goes_on(desk, receipt=receipt())
    tab = click(run(tab), "copy_stay")
    assert where(tab, "backend") == "file"
    assert "copy_stay" not in buttons(tab)
    assert "copy_start" in buttons(click(tab, "copy_to"))


def test_a_copy_that_goes_on_is_seen_again_from_another_tab(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    click(click(page(), "copy_to"), "copy_start")
    goes_on(desk, done=1, total=2)
    assert "Copying to “ticket_1”" in markup(click(page(), "copy_to"))


def test_everything_that_was_lost_is_in_the_receipt(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    tab = click(click(page(), "copy_to"), "copy_start")
    lost = receipt(
        seen=12,
        copied=7,
        left_out={"corrupt": 1, "locked": 2, "unpaired": 1, "waiting": 1, "from_the_future": 1},
        after=AFTER,
        changed=1,
        later=3,
        already=4,
        times_lost=7,
        authors_lost=5,
        notes=1,
        notes_lost=2,
        unreadable=1,
        changes_lost=2,
        kept_lost=6,
    )
    goes_on(desk, receipt=lost)
    text = markup(run(tab))
    for words in (
        "7 of 12 items are in",
        "1 damaged, 2 under another key, 1 half a pair, 1 waiting for a decision, 1 unreadable",
        "not the same",
        "1 item is not as it was",
        BEFORE,
        AFTER,
        "7 not kept",
        "5 not kept",
        "1 came along, 2 did not",
        "not in the copy: 2 edits, 6 kept items",
        "1 has outlived the time to live there",
        "4 items",
        "3 items, not in the copy",
    ):
        assert words in text, words


def test_a_copy_that_failed_says_why_and_can_be_gone_on_with(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    tab = click(click(page(), "copy_to"), "copy_start")
    goes_on(desk, done=1, total=2, problem="unavailable")
    tab = run(tab)
    assert "The store cannot be read or written now." in markup(tab)
    assert "1 item is in “ticket_1” (In memory) so far." in markup(tab)
    tab = click(tab, "copy_again")
    assert desk.calls[-1] == ("copy", HERE, "memory", "ticket_1")
    assert "copy_stop" in buttons(tab)


def test_what_keeps_a_failed_copy_from_going_on_is_said_in_the_place_of_what_had_ended_it(
    page: Page, desk: FakeDesk
) -> None:
    talk(desk)
    tab = click(click(page(), "copy_to"), "copy_start")
    goes_on(desk, done=1, total=2, problem="unavailable", params={"why": "unreachable"})
    tab = run(tab)
    assert "What is copied stays." in markup(tab)
    assert "Nothing was changed." not in markup(tab)
    desk.refuse["copy"] = "copying_elsewhere"
    tab = click(tab, "copy_again")
    assert "The session is being copied to" in markup(tab)
    assert "cannot be reached" not in markup(tab)


def test_where_somebody_elses_session_is_in_the_way_another_name_is_offered_and_nothing_deleted(
    page: Page, desk: FakeDesk
) -> None:
    talk(desk)
    tab = click(click(page(), "copy_to"), "copy_start")
    goes_on(desk, problem="session_not_empty", params={"session": "ticket_1"})
    talk(desk, THERE)
    tab = run(tab)
    assert "“ticket_1” holds something else than the beginning of this copy." in markup(tab)
    assert {"copy_again", "copy_discard_ask"} & set(buttons(tab)) == set()
    assert form(click(tab, "copy_fresh"))[1].value == "ticket_1-copy"


@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
def test_the_dialog_speaks_every_language(page: Page, desk: FakeDesk, lang: str) -> None:
    talk(desk)
    tab = click(click(page(lang=lang), "copy_to"), "copy_start")
    goes_on(desk, receipt=receipt(left_out={"corrupt": 1}, notes=1, later=1, already=1, changes_lost=1))
    assert BEFORE in markup(run(tab))


def test_a_name_is_text_in_the_question_and_in_the_dialog(page: Page, desk: FakeDesk) -> None:
    address = Address("file", "<script>alert(1)</script>")
    talk(desk, address)
    tab = pick_backend(page(session=address.session_id), "memory")
    assert "<script" not in markup(tab)
    assert "<script" not in markup(click(tab, "move_copy"))


def test_a_session_that_is_being_copied_to_says_so(page: Page, desk: FakeDesk) -> None:
    talk(desk)
    desk.view["busy"] = Lease(HERE.session_id, f"{COPIER}1", 1, AT)
    assert "Being copied to" in markup(page())


def test_a_page_that_takes_long_to_draw_waits_longer_before_it_looks_again(
    page: Page, desk: FakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(desk)
    paces: list[float] = []
    quiet_every, look = live.quiet_every, desk.look

    def pace(view: View) -> float:
        paces.append(quiet_every(view))
        return paces[-1]

    def slow(*address: Any, **how: Any) -> View:
        time.sleep(1.0)
        return look(*address, **how)

    monkeypatch.setattr(live, "quiet_every", pace)
    page()
    monkeypatch.setattr(desk, "look", slow)
    page()
    assert paces[0] == live.QUIET_EVERY
    assert 2.0 <= paces[-1] < 4.0


def test_a_page_of_a_session_that_changes_all_the_time_looks_every_few_seconds(
    page: Page, desk: FakeDesk
) -> None:
    page()
    still = desk.look(HERE)
    assert live.quiet_every(still) == live.QUIET_EVERY
    desk.moves[HERE] = Resealing("r", HERE)
    assert live.quiet_every(still) == live.MOVING_EVERY
    desk.moves.clear()
    copied = replace(still, busy=Lease(HERE.session_id, f"{COPIER}1", 1, AT))
    assert live.quiet_every(copied) == live.MOVING_EVERY
    assert live.quiet_every(replace(copied, took=6.0)) == 12.0


# Over a real desk: the source changes in the middle


@pytest.fixture
def real(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Desk]:
    """A desk whose file backend holds 30 items, and whose copies go in batches of ten."""
    real = Desk({}, settings=Settings(data=tmp_path / "data", secrets=()))
    monkeypatch.setattr("desk.copies.BATCH", 10)
    monkeypatch.setattr(desk_module, "get_desk", lambda: real)
    monkeypatch.setattr(desk_access, "_desk", None)
    monkeypatch.setattr(real, "warm", lambda then=None: None)

    async def fill() -> None:
        session = SQLiteSession(HERE.session_id, tmp_path / "data" / "sessions.db")
        await session.add_items([user(f"message {n}") for n in range(30)])
        session.close()

    (tmp_path / "data").mkdir()
    asyncio.run(fill())
    yield real
    desk_access.close()
    real.close()


def in_mid_copy(monkeypatch: pytest.MonkeyPatch, change: Callable[[TableSession], Awaitable[Any]]) -> None:
    """Change the source once, behind the first batch that was written."""
    carry, left = TableSession.carry, [change]

    async def then_change(self: TableSession, *batch: Any, **how: Any) -> Any:
        carried = await carry(self, *batch, **how)
        while left:
            source = SQLiteSession(HERE.session_id, self.database.place.path)  # type: ignore[attr-defined]
            await left.pop()(source)
            source.close()
        return carried

    monkeypatch.setattr(TableSession, "carry", then_change)


async def edit(session: TableSession) -> None:
    ahead = (await session.timeline(limit=30)).entries[15]
    await session.apply(await session.plan(Remove([ahead.id])))


async def append(session: TableSession) -> None:
    await session.add_items([user("later")])


def over(tab: AppTest, desk: Desk) -> AppTest:
    """The page once the copy has ended."""
    end = time.monotonic() + 20
    while (copying := desk.copying(HERE)) is None or copying.active:
        assert time.monotonic() < end
        time.sleep(0.01)
    return run(tab)


def open_tab() -> AppTest:
    tab = AppTest.from_file(str(SHELL), default_timeout=20)
    tab.query_params["session"], tab.query_params["backend"] = HERE.session_id, HERE.backend
    return run(tab)


def begun(tab: AppTest) -> AppTest:
    tab = click(tab, "copy_to")
    form(tab)[0].select("file")
    form(tab)[1].set_value("copy")
    return click(tab, "copy_start")


def test_what_is_appended_in_mid_copy_is_counted_and_the_copy_is_whole(
    real: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_mid_copy(monkeypatch, append)
    text = markup(over(begun(open_tab()), real))
    assert "30 of 30 items are in “copy” (File)." in text
    assert "1 item, not in the copy" in text


def test_where_the_source_was_edited_in_mid_copy_another_copy_is_made_under_a_new_name(
    real: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_mid_copy(monkeypatch, edit)
    tab = over(begun(open_tab()), real)
    text = markup(tab)
    assert "The session was edited while it was being copied." in text
    assert "10 items are in “copy” (File) so far." in text
    assert "copy_again" not in buttons(tab)
    tab = click(tab, "copy_fresh")
    assert form(tab)[1].value == "ticket_1-copy"
    text = markup(over(click(tab, "copy_start"), real))
    assert "29 of 29 items are in “ticket_1-copy” (File)." in text
    assert real.look(Address("file", "copy")).timeline.total == 10


def test_where_the_source_was_edited_in_mid_copy_the_part_can_be_deleted_and_copied_again(
    real: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_mid_copy(monkeypatch, edit)
    tab = click(over(begun(open_tab()), real), "copy_discard_ask")
    assert tab.button(key="copy_discard").label == "Delete session copy: 10 items"
    tab = click(click(tab, "copy_discard_cancel"), "copy_discard_ask")
    assert real.look(Address("file", "copy")).timeline.total == 10
    tab = click(tab, "copy_discard")
    assert real.look(Address("file", "copy")).timeline.total == 0
    form(tab)[0].select("file")
    form(tab)[1].set_value("copy")
    text = markup(over(click(tab, "copy_start"), real))
    assert "29 of 29 items are in “copy” (File)." in text


def test_a_part_of_a_copy_that_somebody_went_on_with_is_not_deleted(
    real: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_mid_copy(monkeypatch, edit)
    tab = click(over(begun(open_tab()), real), "copy_discard_ask")
    target = Address("file", "copy")
    plan = real.plan(target, Truncate(keep_items=5)).plan
    assert plan is not None
    assert real.apply(target, plan).ok
    tab = click(tab, "copy_discard")
    assert "The session changed since this was shown." in markup(tab)
    assert real.look(target).timeline.total == 5
