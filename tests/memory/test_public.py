"""What the package offers, and what loading it costs."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import memory
from memory import SQLiteSession, errors

ROOT = Path(__file__).parents[2]

HEAVY = {"agents", "openai", "sqlalchemy", "streamlit", "pandas", "aiosqlite", "httpx"}


def modules_after(code: str) -> set[str]:
    """The top-level packages that a fresh interpreter has loaded after running `code`."""
    report = "\nimport sys; print(*{name.partition('.')[0] for name in sys.modules})"
    run = subprocess.run(
        [sys.executable, "-c", code + report], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(run.stdout.split())


def test_all_names_are_sorted_and_there() -> None:
    assert memory.__all__ == sorted(memory.__all__)
    assert len(set(memory.__all__)) == len(memory.__all__)
    for name in memory.__all__:
        assert hasattr(memory, name), name


def test_everything_public_in_the_package_is_in_all() -> None:
    offered = {
        name
        for name, value in vars(memory).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
        if name not in {"annotations", "TYPE_CHECKING", "Any"}
    }
    later = {"SQLAlchemySession", "SessionSettings"}  # loaded when first asked for
    assert offered | later == set(memory.__all__)


def test_everything_offered_says_what_it_is() -> None:
    bare = [
        name
        for name in memory.__all__
        if (inspect.isclass(value := getattr(memory, name)) or inspect.isfunction(value))
        and not (value.__doc__ or "").strip()
    ]
    assert bare == []


def test_every_error_is_in_the_tree_at_the_top_of_its_file() -> None:
    kinds = [value for value in vars(errors).values() if inspect.isclass(value)]
    assert all(issubclass(kind, memory.MemoryDeskError) for kind in kinds)
    for kind in kinds:
        assert kind.__name__ in (errors.__doc__ or "")
        assert kind.__name__ in memory.__all__


def test_loading_the_package_loads_nothing_heavy() -> None:
    assert modules_after("import memory") & HEAVY == set()


def test_a_session_is_used_without_loading_the_sdk() -> None:
    code = """
import asyncio, memory
async def main():
    session = memory.SQLiteSession("x")
    await session.add_items([{"role": "user", "content": "hi"}, {"role": "user", "content": "ho"}])
    timeline = await session.timeline()
    await session.apply(await session.plan(memory.RollBack(to=timeline.entries[0].id)))
    await session.undo()
    assert len(await session.get_items()) == 2
asyncio.run(main())
"""
    assert modules_after(code) & HEAVY == set()


def test_settings_are_fetched_from_the_sdk_when_they_are_first_asked_for() -> None:
    code = """
import memory
print(type(memory.SQLiteSession("x").session_settings).__module__.partition(".")[0])
"""
    assert "agents" in modules_after(code)


def test_the_settings_are_the_sdks_own_under_the_same_name() -> None:
    from agents.memory import SessionSettings

    assert memory.SessionSettings is SessionSettings


def test_the_constructor_takes_what_the_sdks_takes() -> None:
    from agents import SQLiteSession as SdkSession

    def parameters(class_: type) -> list[tuple[str, object]]:
        found = inspect.signature(class_).parameters.values()
        return [(p.name, p.default) for p in found if p.kind is not p.KEYWORD_ONLY]

    assert parameters(SQLiteSession) == parameters(SdkSession)


@pytest.mark.parametrize("method", ["get_items", "add_items", "pop_item", "clear_session"])
def test_the_four_methods_take_what_the_sdks_take(method: str) -> None:
    from agents.memory import SessionABC as SdkABC

    ours = inspect.signature(getattr(memory.SessionABC, method)).parameters
    assert list(ours) == list(inspect.signature(getattr(SdkABC, method)).parameters)
    assert {name: p.default for name, p in ours.items()} == {
        name: p.default for name, p in inspect.signature(getattr(SdkABC, method)).parameters.items()
    }


def test_a_name_that_is_no_table_name_is_refused() -> None:
    for name in ("", "a\x00b"):
        with pytest.raises(ValueError, match="no name for a table"):
            SQLiteSession("x", ":memory:", name)
