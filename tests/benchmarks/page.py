"""`python -m tests.benchmarks.page`: how long a person waits for the page, in a real browser, offline model.

Every figure stands beside a one-line page of Streamlit's on the same machine, in turns. Measured are the cold
start to the first text, and at 100 and at 100,000 stored items: the page from its address, the panel after
picking the session in a page that is open, the first streamed word after sending, and a roll back on screen;
and what an idle tab costs the server.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from memory import SQLiteSession

from ..browser.conftest import ROOT, chromium, free_port
from ..browser.driver import SETTLED
from .sample import items

SIZES = (100, 100_000)
ONE_LINE = """import streamlit as st

st.write("first text", st.session_state.setdefault("runs", 0), st.button("again"))
st.session_state.runs += 1
"""
FIRST_TEXT = "[data-testid=stMain] p, [data-testid=stMain] h1, [data-testid=stMain] textarea"
ROWS = ".st-key-timeline_list [role=option]"
WORD = """() => document.querySelector('.st-key-live .md-answer')
    || [...document.querySelectorAll('.md-answer')].at(-1)?.innerText.includes('B205')"""
PATIENCE = 60_000  # milliseconds

Rounds = dict[str, list[float]]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.page", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--idle", type=float, default=20.0, help="seconds an idle tab is watched")
    parser.add_argument("--json", type=Path, default=Path("data/page-benchmarks.json"), help="where to write")
    options = parser.parse_args()
    found: Rounds = {}
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        path = chromium()
        if path is None:
            sys.exit("A Chromium or Chrome is needed: install one, or set CHROMIUM to its path.")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        folder = Path(name)
        (folder / "one_line.py").write_text(ONE_LINE, encoding="utf-8")
        cold(browser, folder, options.rounds, found)
        for size in SIZES:
            warm(browser, folder, size, options.rounds, found)
        idle(browser, folder, options.idle, found)
        browser.close()
    print(report(found))
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


# Servers and tabs


@contextlib.contextmanager
def serving(script: Path, data: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A server of a script on a free port; it may not answer yet."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    quiet = ["--server.headless", "true", "--browser.gatherUsageStats", "false"]
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "DESK_", "STREAMLIT_"))}
    process = subprocess.Popen(
        [*command, *quiet],
        cwd=script.parent,
        env={**clean, "DESK_DATA": str(data)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield f"http://127.0.0.1:{port}", process
    finally:
        process.terminate()
        process.wait(timeout=60)


@contextlib.contextmanager
def tab(browser: Browser) -> Iterator[Page]:
    """A tab of a fresh profile, which has nothing in its cache."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


def reach(page: Page, url: str) -> None:
    """Go there as soon as somebody listens."""
    for _ in range(3_000):
        try:
            page.goto(url, wait_until="commit")
            return
        except Exception:
            time.sleep(0.02)
    raise RuntimeError("The server never answered.")


def timed(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


# What is measured


def cold(browser: Browser, folder: Path, rounds: int, found: Rounds) -> None:
    """From starting the server to the first text, in a browser that has seen neither page."""
    scripts = {"cold start": ROOT / "app.py", "cold start, one-line page": folder / "one_line.py"}
    for number in range(rounds + 1):
        for title, script in scripts.items():
            with tab(browser) as page:

                def start(script: Path = script, page: Page = page, number: int = number) -> None:
                    url, _ = stack.enter_context(serving(script, folder / f"cold-{number}"))
                    reach(page, url)
                    page.wait_for_selector(FIRST_TEXT, timeout=PATIENCE)

                with contextlib.ExitStack() as stack:
                    seconds = timed(start)
            if number:  # the first fills the disk's cache
                found.setdefault(title, []).append(seconds)


def warm(browser: Browser, folder: Path, size: int, rounds: int, found: Rounds) -> None:
    """On a running server, in a session of so many items; a rerun of the one-line page in between."""
    data = folder / f"warm-{size}"
    _fill(data / "sessions.db", size)
    with (
        serving(ROOT / "app.py", data) as (url, _),
        serving(folder / "one_line.py", data) as (bare_url, _),
        tab(browser) as page,
        tab(browser) as bare,
    ):
        reach(bare, bare_url)
        reach(page, url)
        _open(page, url)
        page.wait_for_timeout(5_000)  # the model's libraries are loaded behind the first page
        for number in range(rounds + 1):
            bare_opened = timed(lambda: _open_bare(bare, bare_url))
            opened = timed(lambda: _open(page, url))
            page.wait_for_selector(SETTLED)
            panel = timed(_pick(page, url))
            page.wait_for_selector(SETTLED)
            rerun = timed(lambda: _rerun(bare))
            word = timed(lambda: _ask(page))
            page.wait_for_selector(".st-key-stop", state="detached", timeout=PATIENCE)
            page.wait_for_selector(SETTLED)
            cut = timed(_roll_back(page))
            page.wait_for_selector(SETTLED)
            if not number:
                continue
            for title, seconds in (
                ("page opened", opened),
                ("panel opened", panel),
                ("first word", word),
                ("roll back", cut),
            ):
                found.setdefault(f"{title}, {size:,} items", []).append(seconds)
            found.setdefault("page opened, one-line page", []).append(bare_opened)
            found.setdefault("rerun, one-line page", []).append(rerun)


def _fill(path: Path, size: int) -> None:
    """Make a session of that size and a short one beside it.

    In a thread: the browser's driver has a loop in this one.
    """

    async def fill() -> None:
        await SQLiteSession("short", path).append(items(4), agent="Triage")
        session = SQLiteSession("long", path)
        stored = items(size)
        for start in range(0, size, 5_000):
            await session.append(stored[start : start + 5_000], agent="Triage")
        session.database.close()

    path.parent.mkdir(parents=True)
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, fill()).result()


def _open(page: Page, url: str) -> None:
    page.goto(f"{url}/?session=long&backend=file", wait_until="commit")
    page.wait_for_selector(ROWS, timeout=PATIENCE)


def _open_bare(bare: Page, url: str) -> None:
    bare.goto(url, wait_until="commit")
    bare.get_by_text("first text 0").wait_for()


def _rerun(bare: Page) -> None:
    bare.get_by_role("button", name="again").click()
    bare.get_by_text("first text 1").wait_for()


def _pick(page: Page, url: str) -> Callable[[], None]:
    """Prepare to pick the session where another one is shown; choosing it from the list is what is timed."""
    page.goto(f"{url}/?session=short&backend=file", wait_until="commit")
    page.wait_for_selector(ROWS, timeout=PATIENCE)
    page.wait_for_selector(SETTLED)
    page.locator(".st-key-session_pick").click()
    choice = page.get_by_role("option", name="long", exact=True)
    choice.wait_for()

    def choose() -> None:
        choice.click()
        page.locator(ROWS).nth(4).wait_for(timeout=PATIENCE)

    return choose


def _ask(page: Page) -> None:
    composer = page.locator(".st-key-composer textarea")
    composer.fill("Where are my orders A100 and B205?")
    composer.press("Enter")
    page.wait_for_function(WORD, timeout=PATIENCE)


def _roll_back(page: Page) -> Callable[[], None]:
    """Prepare to take the newest turn back; pressing the button is what is timed."""
    rows = page.locator(ROWS)
    count = rows.count()
    last = "(rows) => rows.findLastIndex((row) => row.innerText.includes('Where are my orders'))"
    rows.nth(rows.evaluate_all(last) - 1).click()
    page.get_by_role("button", name="Roll back to here").wait_for()
    page.wait_for_selector(SETTLED)

    def press() -> None:
        page.get_by_role("button", name="Roll back to here").click()
        _until(lambda: rows.count() != count or "B205" not in rows.last.inner_text())

    return press


def _until(true: Callable[[], bool]) -> None:
    """Look again and again; rows lie in the list's own tree, where a function of the page does not look."""
    end = time.monotonic() + PATIENCE / 1000
    while not true():
        if time.monotonic() > end:
            raise TimeoutError("It did not come to that.")
        time.sleep(0.005)


def idle(browser: Browser, folder: Path, seconds: float, found: Rounds) -> None:
    """The share of a core that the server takes while one tab is open and nobody does anything."""
    stat = Path("/proc/self/stat")
    if not stat.exists():
        return
    for title, script in (("idle tab", ROOT / "app.py"), ("idle tab, one-line page", folder / "one_line.py")):
        with serving(script, folder / f"warm-{SIZES[-1]}") as (url, process), tab(browser) as page:
            reach(page, url)
            if script.name == "app.py":
                _open(page, url)
            page.wait_for_timeout(8_000)
            before = _cpu(process.pid)
            page.wait_for_timeout(seconds * 1000)
            found.setdefault(title, []).append((_cpu(process.pid) - before) / seconds)


def _cpu(pid: int) -> float:
    """Seconds of processor time that a process took."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def report(found: Rounds) -> str:
    """A table of medians, with the limit of each."""
    bare = median(found["cold start, one-line page"])
    limits: dict[str, Callable[[float], str]] = {
        "cold start": lambda seconds: f"{seconds / bare:.2f} times the one-line page (limit 1.5)",
        "panel opened": lambda _: "limit 1 s",
        "first word": lambda _: "limit 0.5 s",
        "roll back": lambda _: "limit 0.6 s",
        "idle tab": lambda _: "limit 1 % of a core",
    }
    lines = ["| what | median | smallest | largest | |", "|---|---:|---:|---:|---|"]
    for title, seconds in found.items():
        form = "{:.2%}" if title.startswith("idle") else "{:.2f} s"
        limit = limits.get(title.partition(", ")[0])
        said = limit(median(seconds)) if limit and "one-line" not in title else ""
        cells = [form.format(pick(seconds)) for pick in (median, min, max)]
        lines.append(f"| {title} | {' | '.join(cells)} | {said} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
