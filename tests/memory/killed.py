"""A process that is killed between the commit of what it does for good and the erasing of the old text.

`python -m tests.memory.killed STORE FILE WORK SESSION` does the work and is killed on the way.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from memory import SQLAlchemySession, SQLiteSession, TableSession
from memory.encrypted_session import EncryptedSession
from memory.sqlalchemy_database import SQLAlchemyDatabase
from memory.sqlite_channel import Channel

from .encrypting import NEW, OLD

WORKS: dict[str, Callable[[TableSession], Awaitable[Any]]] = {
    "purge": lambda plain: plain.purge(),
    "erase": lambda plain: plain.erase(),
    "encrypt": lambda plain: EncryptedSession(plain.session_id, plain, OLD, None).encrypt_plain_rows(),
    "reencrypt": lambda plain: EncryptedSession(plain.session_id, plain, [NEW, OLD], None).reencrypt(),
}


def opened(store: str, path: Path, session_id: str = "x") -> TableSession:
    """A session in a file; "apart" has its ledger in another one beside it."""
    if store == "sqlite":
        return SQLiteSession(session_id, path)
    beside = path.with_name("ledger.db")
    where: dict[str, Any] = {"ledger": beside} if store == "apart" else {"create_tables": True}
    return SQLAlchemySession.from_url(session_id, url=url(path), **where)


def url(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path.as_posix()}"


def kill(store: str, path: Path, work: str, session_id: str = "x") -> int:
    """Let a process do the work and be killed; how it ended."""
    command = [sys.executable, "-m", "tests.memory.killed", store, str(path), work, session_id]
    return subprocess.run(command, cwd=Path(__file__).parents[2], check=False).returncode


def _die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def _work(store: str, path: str, work: str, session_id: str) -> None:
    await WORKS[work](opened(store, Path(path), session_id))


if __name__ == "__main__":
    Channel.rewrite = SQLAlchemyDatabase._vacuum = _die  # type: ignore[method-assign, assignment]
    asyncio.run(_work(*sys.argv[1:]))
