"""Anybody's text on the page: shown as what it is, whole, and harmless."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ui import text
from ui.rich import folded, rich

HOSTILE = [
    "from $5 to $10",
    "$HOME and $PATH",
    "a_b_c $x_1$",
    "~$3 and ~$4",
    ":red[hi] :smile: :material/home:",
    "# not a title",
    "<b>x</b> <script>alert(1)</script>",
    "1. a",
    "[x](javascript:1)",
    "![x](http://203.0.113.9/a.png)",
    "\\![x](http://203.0.113.9/a.png)",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "&lt;b&gt; &amp; &#x3C;",
    "```\nunclosed fence ![x](y)",
    "**bold** and `code` and **not bold",
    "line one\nline two\n\n    four spaces\n",
    "مرحبا 👨‍👩‍👧‍👦 é 中文「」",
]


def content(markup: str) -> str:
    """What a reader sees of markup: its text."""
    return unescape(re.sub(r"<[^>]*>", "", markup))


@pytest.mark.parametrize("typed", HOSTILE)
def test_an_answer_is_drawn_with_every_character_it_has(typed: str) -> None:
    assert content(rich(typed)) == typed


@pytest.mark.parametrize("typed", HOSTILE)
def test_markup_holds_only_our_own_elements(typed: str) -> None:
    tags = re.findall(r"<(/?[a-z]+)([^>]*)>", rich(typed) + folded(typed))
    assert {name.strip("/") for name, _ in tags} <= {"b", "code", "span"}
    assert {attribute.strip() for _, attribute in tags} <= {"", 'class="md-code"', 'class="md-mark"'}


@given(some.text(alphabet=some.characters(codec="utf-8", exclude_characters="\r"), max_size=200))
def test_no_character_disappears_from_an_answer(typed: str) -> None:
    assert content(rich(typed)) == text.plain(typed)


def test_a_fence_ends_with_its_message() -> None:
    assert "md-code" not in rich("next message")
    assert rich("```\nopen").count("<span") == rich("```\nopen").count("</span>")


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("a\ud800b", "a\ufffdb"),
        ("\ud83d\ude00", "😀"),
        ("nul\x00 esc\x1b", "nul\ufffd esc\ufffd"),
        ("rlo \u202e lri \u2066", "rlo \ufffd lri \ufffd"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("tab\tstays", "tab\tstays"),
        ("literal \\u0000", "literal \\u0000"),
    ],
)
def test_what_misleads_or_breaks_is_replaced_by_a_visible_sign(stored: str, shown: str) -> None:
    assert text.plain(stored) == shown


@given(some.text(alphabet=some.characters(), max_size=100))
def test_any_text_can_be_sent_to_the_browser(stored: str) -> None:
    for shown in (text.plain(stored), text.line(stored), text.html(stored), text.label(stored)):
        shown.encode("utf-8")


def test_a_long_text_is_folded_and_says_how_long_it_is() -> None:
    markup = folded("x" * 100_000)
    assert "Show all 100,000 characters" in markup
    assert content(markup).replace("Show all 100,000 characters", "") == "x" * 100_000


def test_a_huge_text_does_not_reach_the_browser_whole() -> None:
    assert len(folded("y" * 20_000_000)) < 2 * text.MOST


@pytest.mark.parametrize("typed", HOSTILE)
def test_a_label_holds_no_markdown(typed: str) -> None:
    made = text.label(typed, 200)
    bare = re.sub(r"\\[!-/:-@\[-`{-~]", "", made)
    assert not re.search(r"[!-/:-@\[-`{-~]", bare)
    assert "\n" not in made
    assert not re.search(r":[a-z/]+:", made)


def test_names_that_look_the_same_are_told_apart() -> None:
    shown = text.distinct(["a\u202e", "a\u202d", "b"])
    assert len(set(shown.values())) == 3
    assert shown["b"] == "b"


def test_names_of_blanks_alone_are_shown_by_signs() -> None:
    assert text.distinct(["", " ", "  ", "\u3000", "\u200b"]) == {
        "": text.REPLACEMENT,
        " ": "\u2423",
        "  ": "\u2423\u2423",
        "\u3000": "\u237d",
        "\u200b": "\u237d (2)",
    }


@pytest.mark.parametrize("stored", ["", "no json", "{broken", "[" * 100_000, "12", "null"])
def test_a_text_that_is_no_json_object_is_shown_as_it_is(stored: str) -> None:
    assert text.parsed(stored) is None
    assert text.pretty(stored) == stored


def test_json_is_laid_out_in_real_characters() -> None:
    assert text.pretty('{"a":"\\u4e2d"}') == '{\n  "a": "中"\n}'


def test_a_name_without_a_character_has_a_sign_beside_one_of_blanks() -> None:
    assert text.with_blanks(["  ", ""]) == {"  ": "\u2423\u2423", "": "\ufffd"}
