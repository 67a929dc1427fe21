"""The desk of this server process, as the page reaches it.

Loading the model's libraries takes a second and more. The desk is made without them, so that the first
page is drawn at once, and they are loaded behind it.
"""

from __future__ import annotations

import gc
import threading
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desk.desk import Desk

_lock = threading.Lock()
_desk: Desk | None = None
_warmed = False


def prepare() -> None:
    """Load what the first page is drawn with, while the browser still fetches Streamlit's own files.

    Not the model's libraries: they would hold the page up, and are loaded once it is drawn. And nothing of
    `ui`: a page that is run meanwhile imports it in another order, and the two would wait for each other.
    """
    for name in ("memory", "desk.desk", "numpy"):  # Streamlit wants numpy for any picture, as the page's icon
        import_module(name)


def desk() -> Desk:
    """The desk, made by the first call."""
    global _desk
    with _lock:
        if _desk is None:
            from desk.desk import get_desk

            _desk = get_desk()
        return _desk


def warm() -> None:
    """Start loading what the desk needs to answer, if that was not done yet. Call it when all is drawn."""
    global _warmed
    made = desk()
    with _lock:
        if not _warmed:
            _warmed = True
            made.warm(_settle_memory)


def close() -> None:
    """Settle what is still going on, if the desk was ever used."""
    global _desk, _warmed
    with _lock:
        if _desk is not None:
            _desk.close()
            _desk, _warmed = None, False


def _settle_memory() -> None:
    """Once all is loaded, take it out of the garbage collector's sight.

    Modules live as long as the server; walking through them again and again costs 150 ms each time.
    """
    gc.collect()
    gc.freeze()
