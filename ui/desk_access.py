"""The desk of this server process, as the page reaches it.

Loading the model's libraries takes a second and more. The desk is made without them, so that the first
page is drawn at once, and they are loaded behind it.
"""

from __future__ import annotations

import gc
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desk.desk import Desk

_lock = threading.Lock()
_desk: Desk | None = None

WARM_UP_AT_MOST = 120.0  # seconds


def desk() -> Desk:
    """The desk. The first call makes it and starts loading what it needs to answer."""
    global _desk
    with _lock:
        if _desk is None:
            from desk.desk import get_desk

            _desk = get_desk()
            _desk.warm()
            threading.Thread(target=_settle_memory, args=(_desk,), name="warm-up", daemon=True).start()
        return _desk


def close() -> None:
    """Settle what is still going on, if the desk was ever used."""
    global _desk
    with _lock:
        if _desk is not None:
            _desk.close()
            _desk = None


def _settle_memory(desk: Desk) -> None:
    """Once all is loaded, take it out of the garbage collector's sight.

    Modules live as long as the server; walking through them again and again costs 150 ms each time.
    """
    end = time.monotonic() + WARM_UP_AT_MOST
    while not desk.ready and time.monotonic() < end:
        time.sleep(0.1)
    gc.collect()
    gc.freeze()
