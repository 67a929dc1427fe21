"""The page as a person uses it: words typed, buttons pressed by their names, rows read."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

SETTLED = "[data-testid=stApp][data-test-script-state=notRunning]"


class DeskPage:
    """One tab."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    def open(self, session: str | None = None, backend: str = "file", **more: str) -> DeskPage:
        """Go to a session by its link and wait until it is drawn."""
        query = {"session": session, "backend": backend, **more} if session else more
        self.page.goto(f"{self.url}/?{urlencode(query)}")
        expect(self.composer).to_be_visible(timeout=90_000)
        self.settle()
        return self

    def settle(self) -> None:
        """Wait until no script is running."""
        self.page.wait_for_selector(SETTLED, timeout=90_000)

    def key(self, key: str) -> Locator:
        """The element of the widget with this key."""
        return self.page.locator(f".st-key-{key}")

    # the chat

    @property
    def composer(self) -> Locator:
        return self.key("composer").locator("textarea")

    @property
    def chat(self) -> Locator:
        return self.page.locator("[class*='st-key-chat_']").first

    def say(self, text: str) -> None:
        self.composer.fill(text)
        self.composer.press("Enter")

    def ask(self, text: str, answer: str | re.Pattern[str]) -> None:
        """Say something and wait until the answer is on the page and the run is over."""
        said = self.chat.locator(".md-user")
        before = said.count()
        self.say(text)
        expect(said).not_to_have_count(before, timeout=90_000)  # the question may hold the answer's words
        expect(self.chat.get_by_text(answer).last).to_be_visible(timeout=90_000)
        self.idle()

    def idle(self) -> None:
        """Wait until no answer is being written, here or elsewhere."""
        # The answer may stand there before the button to stop it, or be there while it is stored.
        expect(self.page.locator('.md-state[data-tone="live"]')).to_have_count(0, timeout=90_000)
        expect(self.key("stop")).to_have_count(0, timeout=90_000)
        self.settle()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name).last.click()

    # the memory beside it

    @property
    def rows(self) -> Locator:
        return self.key("timeline_list").get_by_role("option")

    def row(self, text: str) -> Locator:
        return self.rows.filter(has_text=text)

    def texts(self) -> list[str]:
        """What each stored entry says, as listed."""
        return self.rows.locator(".text").all_inner_texts()

    def pick(self, text: str) -> None:
        """Choose the entry that says this and wait for its card."""
        self.row(text).first.click()
        expect(self.key("detail")).to_be_visible(timeout=90_000)
        self.settle()

    def expect_rows(self, count: int) -> None:
        expect(self.rows).to_have_count(count, timeout=90_000)
