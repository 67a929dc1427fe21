"""The desk of this server process, as the page reaches it.

Loading the model's libraries takes a second and more. The desk is made without them, so that the first
page is drawn at once, and they are loaded behind it.
"""

from __future__ import annotations

import gc
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desk.desk import Desk

_lock = threading.Lock()
_desk: Desk | None = None


def desk() -> Desk:
    """The desk. The first call makes it and starts loading what it needs to answer."""
    global _desk
    with _lock:
        if _desk is None:
            from desk.desk import get_desk

            _desk = get_desk()
            _desk.warm(_settle_memory)
        return _desk


def close() -> None:
    """Settle what is still going on, if the desk was ever used."""
    global _desk
    with _lock:
        if _desk is not None:
            _desk.close()
            _desk = None


def _settle_memory() -> None:
    """Once all is loaded, take it out of the garbage collector's sight.

    Modules live as long as the server; walking through them again and again costs 150 ms each time.
    """
    gc.collect()
    gc.freeze()
