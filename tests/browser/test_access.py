"""For everyone: the rules of accessibility a machine can check, on each state of the page, in both themes."""

from __future__ import annotations

import re
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe

from .conftest import Server
from .driver import DeskPage


def faults(desk: DeskPage) -> list[tuple[str, list[Any]]]:
    """The rules that are broken, and where, when all that fades in has come to rest."""
    desk.settle()
    for _ in range(10):
        found = Axe().run(desk.page, options={"resultTypes": ["violations"]}).response["violations"]
        if not found:
            break
        desk.page.wait_for_timeout(300)
    return [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in found]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_state_of_the_page_breaks_a_rule_of_accessibility(
    shared_server: Server, open_page: Any, theme: Literal["light", "dark"], width: int
) -> None:
    # The page forbids scripts of others, so the checker has to be let in.
    tab = open_page(shared_server.url, width=width, color_scheme=theme, bypass_csp=True)
    desk = tab.open(f"access-{theme}-{width}")
    assert faults(desk) == []
    desk.ask("Where is my order A100?", re.compile("A100"))
    desk.ask("Please refund C310, the motor is dead.", re.compile("C310"))
    desk.pick("Where is my order")
    assert faults(desk) == []
    desk.press("More")
    assert faults(desk) == []
    desk.page.keyboard.press("Escape")
    desk.press("Truncate")
    assert faults(desk) == []
    desk.open(f"access-{theme}-{width}", backend="none")
    assert faults(desk) == []
