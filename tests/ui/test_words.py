"""One catalogue, three languages, no word outside of it."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

from memory import Kind, NotErased, State, StoreUnavailable
from memory.database_errors import WHY
from ui import words
from ui.words import CATALOGUES, LANGUAGES, matching, say

ROOT = Path(__file__).parents[2]
SOURCES = [*sorted((ROOT / "ui").glob("*.py")), *sorted((ROOT / "pages").glob("*.py"))]

# Keys made of a word that comes from elsewhere: `word("note", note.kind, ...)`.
FAMILIES = ("reason", "done", "note", "kind", "state", "state_why", "tool", "code", "effect", "order", "ask")
FAMILIES += ("because", "model", "agent_name", "backend", "part", "copy_left", "copy_problem")

# What may be written in the code: names of things, not words for people.
NAMES = {"Memory Desk", "UTC"}


def values(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_word(language: str) -> None:
    assert set(CATALOGUES[language]) == set(CATALOGUES["en"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_names_the_same_values_in_every_language(language: str) -> None:
    for key, sentence in CATALOGUES["en"].items():
        assert values(CATALOGUES[language][key]) == values(sentence), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_empty_or_padded(language: str) -> None:
    assert not [
        key for key, sentence in CATALOGUES[language].items() if not sentence or sentence.strip() != sentence
    ]


def test_the_chinese_catalogues_keep_to_their_script() -> None:
    hans = set("这们会话时来发对错误条删销历记择处数现实个说过还没让认识观点开关听写读请")
    hant = set("這們會話時來發對錯誤條刪銷歷記擇處數現實個說過還沒讓認識觀點開關聽寫讀請")
    assert not (hant - hans) & set("".join(CATALOGUES["zh-Hans"].values()))
    assert not (hans - hant) & set("".join(CATALOGUES["zh-Hant"].values()))


def literals(path: Path) -> set[str]:
    return {
        n.value
        for n in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(n, ast.Constant) and isinstance(n.value, str)
    }


def test_every_word_is_used() -> None:
    written = set().union(*map(literals, SOURCES))
    families = tuple(f"{family}_" for family in FAMILIES)
    assert [key for key in CATALOGUES["en"] if key not in written and not key.startswith(families)] == []


def test_every_word_of_a_family_is_of_something_there_is() -> None:
    written = set().union(
        *map(literals, [*SOURCES, *(ROOT / "desk").rglob("*.py"), *(ROOT / "memory").glob("*.py")])
    )
    for reason, error in (("unavailable", StoreUnavailable), ("not_erased", NotErased)):
        written |= {f"{reason}_{why}" for why in re.findall(r'"([a-z_]+)"', error.__doc__ or "")}

    def named(key: str) -> bool:
        return any(key.removeprefix(f"{family}_") in written for family in FAMILIES)

    assert [key for key in CATALOGUES["en"] if key not in written and not named(key)] == []


def test_every_word_that_is_asked_for_is_there() -> None:
    asked = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", "") == "t"
                and isinstance(node.args[0], ast.Constant)
            ):
                asked.add(node.args[0].value)
    assert asked - set(CATALOGUES["en"]) == set()
    assert asked


def test_every_kind_and_state_has_a_word() -> None:
    for kind in Kind:
        assert words.known(f"kind_{kind}")
    for state in State:
        assert state is State.OK or (words.known(f"state_{state}") and words.known(f"state_why_{state}"))


def reasons() -> set[str]:
    """The catalogue keys the desk's code gives as reasons and errors."""
    found = set()
    for path in (ROOT / "desk").glob("*.py"):
        source = path.read_text("utf-8")
        found |= set(re.findall(r'Outcome\(False, "([a-z_]+)"', source))
        found |= set(re.findall(r'_failed\("([a-z_]+)"', source))
        found |= set(re.findall(r'problem="([a-z_]+)"', source))
    refusals = (ROOT / "desk" / "refusals.py").read_text("utf-8")
    return found | set(re.findall(r'\(\w+, "([a-z_]+)"\)', refusals))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_trouble_of_a_store_has_a_sentence_of_its_own(language: str) -> None:
    named = re.findall(r'"([a-z_]+)"', StoreUnavailable.__doc__ or "")
    assert {*WHY, "sync_url", "unknown"} <= set(named)
    told = {say(language, f"reason_unavailable_{why}") for why in named}
    assert len(told) == len(set(named))


def test_the_cause_of_a_trouble_picks_the_sentence_and_an_unknown_one_the_general_one() -> None:
    told = [
        words.word("reason", "unavailable", "reason_unknown", why=why) for why in ("full", "nonsense", "")
    ]
    assert told == [say("en", key) for key in ("reason_unavailable_full", *["reason_unavailable"] * 2)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_old_text_left_by_encrypting_is_not_told_as_deleted(language: str) -> None:
    assert say(language, "reason_not_erased_encrypted") != say(language, "reason_not_erased")


def test_every_reason_of_the_desk_has_a_sentence() -> None:
    assert {reason for reason in reasons() if not words.known(f"reason_{reason}")} == set()
    assert len(reasons()) > 10


WIDGETS = {"button", "text_input", "selectbox", "popover", "number_input", "chat_input", "toggle", "Page"}
WIDGETS |= {"form_submit_button", "caption", "markdown", "write", "toast", "error", "warning", "text", "html"}
WIDGETS |= {"said", "title", "dim", "empty", "tabs"}
LABELS = ("help", "placeholder", "title", "label")


def labels(call: ast.Call) -> list[str]:
    """The literal texts a call would show to people."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name not in WIDGETS:
        return []
    given = [*call.args[:2], *(keyword.value for keyword in call.keywords if keyword.arg in LABELS)]
    texts = [node.value for node in given if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [text for text in texts if re.search(r"[A-Z]| \w", text)]


def test_no_words_for_people_are_written_outside_the_catalogue() -> None:
    found: list[str] = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            found += labels(node) if isinstance(node, ast.Call) else []
    assert [text for text in found if text not in NAMES] == []


def test_a_literal_label_would_be_found() -> None:
    call = ast.parse('st.button("Send now", help="Or later")').body[0]
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    assert labels(call.value) == ["Send now", "Or later"]


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("en-US", "en"),
        ("de-DE", "en"),
        (None, "en"),
        ("", "en"),
        ("zh", "zh-Hans"),
        ("zh-CN", "zh-Hans"),
        ("zh_SG", "zh-Hans"),
        ("zh-TW", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("zh-Hant", "zh-Hant"),
        ("zh-Hans-HK", "zh-Hans"),
        ("zh-Hant-CN", "zh-Hant"),
    ],
)
def test_the_browser_s_language_is_matched(locale: str | None, language: str) -> None:
    assert matching(locale) == language


def test_a_number_picks_its_noun() -> None:
    assert say("en", "count_items", n=1) == "1 item"
    assert say("en", "count_items", n=12_345) == "12,345 items"


def test_a_value_is_never_read_as_a_pattern() -> None:
    assert "{n} {session.__class__}" in say("en", "done_deleted", session="{n} {session.__class__}")


def test_a_word_without_its_values_falls_back() -> None:
    assert words.word("effect", "refund", "effect_other") == say("en", "effect_other")
    assert words.word("effect", "nonsense", "effect_other") == say("en", "effect_other")


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant"])
def test_no_blank_stands_between_two_chinese_characters(language: str) -> None:
    for key, pattern in CATALOGUES[language].items():
        given = {
            name: "18.00" if name == "amount" else 2 if name == "n" else "审批" for name in values(pattern)
        }
        told = say(language, key, **given)
        assert not re.search("[\u4e00-\u9fff] [\u4e00-\u9fff]", told), (key, told)


@pytest.mark.parametrize(
    ("language", "told"), [("zh-Hans", "转交给审批 Approval"), ("zh-Hant", "轉交給審核 Approval")]
)
def test_a_handoff_names_the_agent_without_a_blank_before_a_chinese_name(language: str, told: str) -> None:
    assert say(language, "handed_to", agent=say(language, "agent_name_Approval")) == told


def test_a_blank_stands_between_chinese_and_latin_characters() -> None:
    assert say("zh-Hans", "handed_to", agent="Night shift") == "转交给 Night shift"
