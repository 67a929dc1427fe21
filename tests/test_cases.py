"""The table of cases: every case has a row, every row says something, every test it names is there."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from .cases import CASES, Case

ROOT = Path(__file__).parents[1]

NUMBERS = sorted(
    set(range(1, 116)) - {16, 19, 34, 36, 48, 57, 60, 64, 65, 66, 69, 71, 72, 78, 85, 94, 96, 108}
)
"""The cases there are; the numbers between were given to none."""


@cache
def named_in(file: str) -> frozenset[str]:
    """The names of the tests in a file, which need not be there."""
    path = ROOT / file
    if not path.is_file():
        return frozenset()
    parsed = ast.parse(path.read_text(encoding="utf-8"))
    functions = (node for node in parsed.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(node.name for node in functions if node.name.startswith("test_"))


def not_there(case: Case) -> list[str]:
    """The tests a case names that do not exist."""
    split = ((test, *test.partition("::")[::2]) for test in case.tests)
    return [test for test, file, name in split if name not in named_in(file)]


def test_every_case_has_its_row_in_order() -> None:
    assert [case.number for case in CASES] == NUMBERS


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"C{case.number:03}")
def test_a_case_names_tests_that_are_there_or_says_why_not(case: Case) -> None:
    assert case.holds.endswith(".")
    assert case.tests or case.missing or case.instead
    assert len(set(case.tests)) == len(case.tests)
    assert not_there(case) == []


@pytest.mark.parametrize(
    "test",
    [
        "tests/test_cases.py",
        "tests/test_cases.py::",
        "tests/test_cases.py::test_that_is_not_there",
        "tests/test_cases.py::named_in",
        "tests/no_such_file.py::test_every_case_has_its_row_in_order",
    ],
)
def test_a_test_that_is_not_there_is_found_out(test: str) -> None:
    assert not_there(
        Case(1, "It holds.", (test, "tests/test_cases.py::test_every_case_has_its_row_in_order"))
    ) == [test]
