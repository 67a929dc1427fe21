"""A real browser against the real app, started as a person starts it.

Without a browser these tests are skipped with a line that says how to get one; where CI is set they fail.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from desk.loop import Loop
from memory import SQLiteSession

from .driver import DeskPage

expect.set_options(timeout=60_000)  # milliseconds; a busy machine is slow, not broken

ROOT = Path(__file__).parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "msedge")
HOW = (
    "no browser found: install Chromium (Debian: apt-get install chromium) or set CHROMIUM to the path of a "
    "Chromium or Chrome"
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(item.path).is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


@dataclass
class Server:
    """A running desk: its address, its data folder and its process."""

    url: str
    data: Path
    process: subprocess.Popen[bytes]
    log: Path

    def stop(self, kill: bool = False) -> None:
        if self.process.poll() is None:
            if kill:
                self.process.kill()
            else:
                self.process.terminate()
            self.process.wait(timeout=120)


def chromium() -> str | None:
    """The path of an installed Chromium or Chrome, or None."""
    return os.environ.get("CHROMIUM") or next((p for name in NAMES if (p := shutil.which(name))), None)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_server(data: Path, **env: str) -> Server:
    """`streamlit run app.py` on a free port, answering its health check."""
    port = free_port()
    log = data.with_suffix(".log")
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "DESK_", "STREAMLIT_"))}
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    options = ["--server.port", str(port), "--server.headless", "true"]
    with log.open("ab") as out:
        process = subprocess.Popen(
            [*command, *options],
            cwd=ROOT,
            env={**clean, "DESK_DATA": str(data), **env},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    url = f"http://127.0.0.1:{port}"
    for _ in range(400):
        if process.poll() is not None:
            raise RuntimeError(f"the server ended at once:\n{log.read_text()}")
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):
                return Server(url, data, process, log)
        except OSError:
            time.sleep(0.1)
    process.kill()
    raise RuntimeError(f"no healthy page:\n{log.read_text()}")


def plant(server: Server, session_id: str, turns: int) -> None:
    """A conversation that took place earlier."""
    session = SQLiteSession(session_id, server.data / "sessions.db")
    items = [
        item
        for number in range(1, turns + 1)
        for item in (
            {"role": "user", "content": f"question {number}"},
            {"role": "assistant", "content": f"answer {number}, " + "with some words " * 12},
        )
    ]
    loop = Loop()  # the browser's driver has one of its own in this thread
    loop.call(session.append(items, agent="Triage"))
    loop.close()
    session.database.close()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        if os.environ.get("CI"):
            pytest.fail(HOW)
        pytest.skip(HOW)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
        )
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that use sessions of their own and leave the orders alone."""
    server = start_server(tmp_path_factory.mktemp("desk") / "data")
    yield server
    server.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers for one test: `own_server()`, again on the same data after a stop."""
    running: list[Server] = []

    def start(**env: str) -> Server:
        running.append(start_server(tmp_path / "data", **env))
        return running[-1]

    yield start
    for server in running:
        server.stop()


@pytest.fixture(scope="package")
def contexts(browser: Browser) -> Iterator[dict[Any, BrowserContext]]:
    """One browser profile for each language and size, kept because a fresh one loads everything again."""
    made: dict[Any, BrowserContext] = {}
    yield made
    for context in made.values():
        context.close()


@pytest.fixture
def open_page(browser: Browser, contexts: dict[Any, BrowserContext]) -> Iterator[Callable[..., DeskPage]]:
    """Opens tabs; a request to any other host fails the test."""
    pages: list[Page] = []
    outside: list[str] = []

    def open_(
        url: str, *, locale: str = "en-US", width: int = 1280, height: int = 800, **more: Any
    ) -> DeskPage:
        wanted = (locale, width, height, *sorted(more.items()))
        if wanted not in contexts:
            contexts[wanted] = browser.new_context(
                locale=locale, viewport={"width": width, "height": height}, **more
            )
        page = contexts[wanted].new_page()
        pages.append(page)
        page.on("request", lambda r: outside.append(r.url) if not _is_local(r.url) else None)
        return DeskPage(page, url)

    yield open_
    for page in pages:
        page.close()
    assert outside == []


def _is_local(url: str) -> bool:
    return url.startswith(("http://127.0.0.1", "ws://127.0.0.1", "http://localhost", "data:", "blob:"))
