"""The page, run by Streamlit's own test tool over a desk without a runtime."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from desk import desk as desk_module
from desk.values import Address
from ui import desk_access

from .fake_desk import FakeDesk

SHELL = Path(__file__).parents[2] / "ui" / "shell.py"
HERE = Address("file", "ticket_1")

Page = Callable[..., AppTest]
"""Opens the page as a new tab; see `page`."""


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDesk]:
    """The desk the page talks to."""
    fake = FakeDesk()
    monkeypatch.setattr(desk_module, "get_desk", lambda: fake)
    monkeypatch.setattr(desk_access, "_desk", None)
    yield fake
    desk_access.close()


@pytest.fixture
def page(desk: FakeDesk) -> Page:
    """Open the page as a new tab: `page(session="x", backend=None)` is what its address says."""

    def open_page(**address: str | None) -> AppTest:
        tab = AppTest.from_file(str(SHELL), default_timeout=20)
        for name, value in {"session": HERE.session_id, "backend": HERE.backend, **address}.items():
            if value is not None:
                tab.query_params[name] = value
        return run(tab)

    return open_page


def run(tab: AppTest) -> AppTest:
    """Run the page, which must raise nothing."""
    tab.run()
    assert not tab.exception, [error.message for error in tab.exception]
    return tab


def click(tab: AppTest, key: str) -> AppTest:
    """Press a button and see what the page draws then."""
    tab.button(key=key).click()
    return run(tab)


def pick_backend(tab: AppTest, backend: str) -> AppTest:
    """Choose another backend in the toolbar."""
    tab.selectbox(key="backend_pick").select(backend)
    return run(tab)


def markup(tab: AppTest) -> str:
    """All of the page's own markup, in order."""
    return "\n".join(element.proto.body for element in tab.get("html"))


def where(tab: AppTest, name: str) -> str | None:
    """What the page's address says."""
    value = tab.query_params.get(name)
    return value[0] if isinstance(value, list) else value
