"""Anything in a link, as an id or as a stored item: the page draws it, stores nothing and raises nothing."""

from __future__ import annotations

import gc
import threading
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory import State

from .conftest import HERE, Page, markup, run
from .fake_desk import FakeDesk, user

few = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</style><script>alert(1)</script>",
    "![x](http://example.invalid/x.png)",
    ":material/home: :red[x] $\\alpha$",
    "\u202egnp.exe\u0000\ufeff",
    "A" * 500,
    "\ud83d",
)
NAMES = ("role", "type", "content", "call_id", "name", "arguments", "output", "summary", "id")
KINDS = ("user", "assistant", "message", "function_call", "function_call_output", "reasoning")

texts = st.one_of(st.text(max_size=40), st.sampled_from(HOSTILE))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
items = st.one_of(
    st.dictionaries(
        st.sampled_from(
            ["role", "type", "content", "call_id", "name", "arguments", "output", "summary", "id"]
        ),
        json_values,
        max_size=6,
    ),
    st.builds(
        lambda kind, text: {"type": kind, "role": kind, "content": text, "output": text, "arguments": text},
        st.sampled_from(
            ["user", "assistant", "message", "function_call", "function_call_output", "reasoning"]
        ),
        json_values,
    ),
)


class Tags(HTMLParser):
    """Every element and attribute that the page's own markup holds."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, list[tuple[str, str | None]]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, attrs))


def harmless(page_markup: str) -> bool:
    tags = Tags()
    tags.feed(page_markup)
    return not any(
        tag in ("script", "img", "iframe", "object", "form")
        or any(name.startswith("on") or "javascript:" in (value or "") for name, value in attributes)
        for tag, attributes in tags.seen
    )


in_links = texts.map(lambda text: text.encode("utf-8", "replace").decode())  # an address is UTF-8


@few
@given(session=in_links, backend=in_links, lang=in_links, turns=in_links)
def test_any_link_opens_a_page(
    page: Page, desk: FakeDesk, session: str, backend: str, lang: str, turns: str
) -> None:
    tab = page(session=session, backend=backend, lang=lang, turns=turns)
    assert harmless(markup(tab))
    assert all(not store.entries for store in desk.stores.values())


@few
@given(stored=st.lists(st.tuples(items, st.sampled_from(list(State))), max_size=6))
def test_any_stored_items_are_drawn_and_each_can_be_picked(
    page: Page, desk: FakeDesk, stored: list[tuple[dict[str, Any], State]]
) -> None:
    desk.stores.clear()
    for item, state in stored:
        desk.add(HERE, item, agent="<b>Triage</b>", state=state)
    tab = page()
    assert harmless(markup(tab))
    for entry in desk.store(HERE).entries[:2]:
        tab.session_state["selected"] = entry.id
        tab = run(tab)
        assert harmless(markup(tab))


@few
@given(typed=texts)
def test_any_name_may_be_typed_for_a_session(page: Page, desk: FakeDesk, typed: str) -> None:
    tab = page()
    key = next(field.key for field in tab.text_input if field.key and field.key.startswith("new_name_"))
    tab.text_input(key=key).input(typed.encode("utf-8", "replace").decode())
    tab.button(key="start_session").click()
    assert harmless(markup(run(tab)))


def reruns_leave_nothing(page: Page, desk: FakeDesk, reruns: int) -> None:
    for number in range(20):
        desk.add(HERE, user(f"question {number}"))
    tab = page()
    for _ in range(reruns // 2):
        tab = run(tab)
    gc.collect()
    threads, objects = threading.active_count(), len(gc.get_objects())
    for _ in range(reruns // 2):
        tab = run(tab)
    gc.collect()
    assert threading.active_count() <= threads
    assert len(gc.get_objects()) - objects < 10 * (reruns // 2)


def test_reruns_leave_nothing_behind(page: Page, desk: FakeDesk) -> None:
    reruns_leave_nothing(page, desk, 40)


@pytest.mark.long
def test_three_hundred_reruns_leave_nothing_behind(page: Page, desk: FakeDesk) -> None:
    reruns_leave_nothing(page, desk, 300)
