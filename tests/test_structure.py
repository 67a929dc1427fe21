"""The house: imports run one way, and nothing leans on what is private to the SDK."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]

MAY_IMPORT = {
    "memory": {"memory"},
    "desk": {"desk", "memory"},
    "ui": {"ui", "desk", "memory"},
    "pages": {"pages", "ui", "desk", "memory"},
}
"""Which of our packages each may import."""

OURS = {*MAY_IMPORT, "app", "tests"}

HEAVY = {"agents", "openai", "sqlalchemy"}
"""About a second each to load: never before the page has been drawn."""


class Import(NamedTuple):
    """One imported name: where it is written, and whether it is loaded with the file."""

    file: str
    line: int
    module: str
    name: str | None
    on_load: bool

    @property
    def package(self) -> str:
        return self.module.partition(".")[0]

    @property
    def path(self) -> list[str]:
        return [*self.module.split("."), *([self.name] if self.name else [])]


def files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@cache
def imports(path: Path) -> list[Import]:
    """Every import of a file; relative ones with their full name."""
    package = list(path.relative_to(ROOT).parent.parts)
    file = path.relative_to(ROOT).as_posix()

    def walk(node: ast.AST, on_load: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                yield from (Import(file, child.lineno, alias.name, None, on_load) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                base = package[: len(package) - child.level + 1] if child.level else []
                module = ".".join([*base, *([child.module] if child.module else [])])
                yield from (Import(file, child.lineno, module, alias.name, on_load) for alias in child.names)
            elif isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
                later = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) or (
                    isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
                )
                yield from walk(child, on_load and not later)

    return list(walk(ast.parse(path.read_text(encoding="utf-8")), True))


def everything() -> list[Import]:
    paths = [path for package in MAY_IMPORT for path in files(package)]
    app = ROOT / "app.py"
    return [found for path in [*paths, *([app] if app.exists() else [])] for found in imports(path)]


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_run_one_way(package: str) -> None:
    found = [one for path in files(package) for one in imports(path)]
    assert any(one.package not in OURS for one in found), "there is something to look at"
    wrong = [one for one in found if one.package in OURS and one.package not in MAY_IMPORT[package]]
    assert wrong == []


def test_memory_loads_nothing_of_the_sdk_nor_of_a_database_server() -> None:
    loaded = [one for path in files("memory") for one in imports(path) if one.on_load]
    assert [one for one in loaded if one.package in {"agents", "openai", "streamlit"}] == []


def test_the_page_loads_nothing_heavy() -> None:
    loaded = [one for package in ("ui", "pages") for path in files(package) for one in imports(path)]
    assert [one for one in loaded if one.on_load and one.package in HEAVY] == []


def test_nothing_private_to_the_sdk_is_imported_outside_one_file() -> None:
    private = {
        one.file
        for one in everything()
        if one.package in {"agents", "openai"} and any(part.startswith("_") for part in one.path)
    }
    assert len(private) <= 1


def test_pages_hold_no_logic_of_the_sdk() -> None:
    assert [one for path in files("pages") for one in imports(path) if one.package in HEAVY] == []


def test_no_file_names_a_place_of_one_machine() -> None:
    named = [
        path.relative_to(ROOT).as_posix()
        for package in MAY_IMPORT
        for path in files(package)
        if any(
            place in path.read_text(encoding="utf-8") for place in ("/home/", "/root/", "/Users/", "C:\\\\")
        )
    ]
    assert named == []
