"""Make the README's pictures from the running app: `python -m docs.pictures`, with Chromium installed.

Starts the app on an empty data folder, has the first conversation, and photographs it in both themes.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import chromium, start_server
from tests.browser.driver import DeskPage

HERE = Path(__file__).parent
SIZE = {"width": 1280, "height": 800}


def main() -> None:
    path = chromium()
    if path is None:
        raise SystemExit("No Chromium found: install it, or set CHROMIUM to its path.")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = start_server(Path(folder) / "data")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            for theme in ("light", "dark"):
                context = browser.new_context(viewport=SIZE, color_scheme=theme, device_scale_factor=2)
                desk = DeskPage(context.new_page(), server.url).open("ticket_456")
                if theme == "light":
                    desk.ask("When does my order A100 ship?", re.compile("A100.*ship"))
                    desk.ask("If it is later than Friday, change it to pickup.", re.compile("pickup"))
                desk.row("If it is later than Friday").first.wait_for()
                desk.page.screenshot(path=HERE / f"desk-{theme}.png")
                context.close()
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
