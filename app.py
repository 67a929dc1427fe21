"""How the server starts: `streamlit run app.py`. What people see begins in ui/shell.py."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware

from ui.desk_access import close, prepare
from ui.security import SecurityHeaders


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncIterator[dict[str, Any]]:
    """Serve, and when the server is told to stop, settle the runs that are still going on."""
    threading.Thread(target=prepare, name="prepare", daemon=True).start()
    yield {}
    await asyncio.to_thread(close)


app = st.App(
    Path(__file__).parent / "ui" / "shell.py", lifespan=lifespan, middleware=[Middleware(SecurityHeaders)]
)
