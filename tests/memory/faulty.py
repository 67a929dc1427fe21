"""Things that go wrong under a store, each made for real where this machine allows it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from memory import SQLiteSession
from memory.statements import Operation, Sql

SESSION = "ticket_456"


def may_mount() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[Path]:
    """A file system of its own in `folder`; skips the test where none may be made."""
    folder.mkdir()
    if not may_mount() or _run("mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)):
        pytest.skip("needs the right to mount a small disk")
    try:
        yield folder
    finally:
        _run("umount", "-l", str(folder))


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nothing in the folder may be written; permissions do not bind root, a read-only file system does."""
    if not may_mount():
        modes = {path: path.stat().st_mode for path in (folder, *folder.iterdir())}
        for path in modes:
            path.chmod(0o500 if path.is_dir() else 0o400)
        try:
            yield
        finally:
            for path, mode in modes.items():
                path.chmod(mode)
        return
    if _run("mount", "--bind", str(folder), str(folder)):
        pytest.skip("needs the right to mount a folder read-only")
    try:
        _run("mount", "-o", "remount,ro,bind", str(folder))
        yield
    finally:
        _run("umount", "-l", str(folder))


def _run(*command: str) -> int:
    return subprocess.run(command, capture_output=True, check=False).returncode


@contextmanager
def held(path: Path, how: str = "IMMEDIATE") -> Iterator[sqlite3.Connection]:
    """Another program holds the file."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute(f"BEGIN {how}")
        yield other


async def pragma(session: SQLiteSession, text: str) -> None:
    """Set something about the connection that the session writes with."""

    def operation() -> Operation[None]:
        yield Sql(f"PRAGMA {text}")

    await session.database.write(operation)


def everything(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, to the byte."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def contents(path: Path) -> bytes:
    return path.read_bytes()


def put(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def remove(path: Path) -> None:
    path.unlink()


def move(path: Path, to: Path) -> None:
    """Move a file, over another one if there is one."""
    path.replace(to)


def make_folder(path: Path) -> None:
    path.mkdir()
