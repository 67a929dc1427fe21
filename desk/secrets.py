"""The secrets file: named connections and encryption keys that are in no environment variable.

Streamlit's own place and format: `.streamlit/secrets.toml` beside the app, then the one in the person's
home. The nearer file wins, name by name. What is in it reaches no page, log or error.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

PLACES = (Path(".streamlit/secrets.toml"), Path("~/.streamlit/secrets.toml"))


class SecretsUnreadable(Exception):
    """A secrets file that is there cannot be read, or is no TOML. Names the file's name only."""


def read_secrets(places: Iterable[Path] = PLACES) -> Mapping[str, Any]:
    """All that the files hold, the nearer one first. Raises SecretsUnreadable."""
    found: dict[str, Any] = {}
    for place in places:
        path = place.expanduser()
        try:
            text = path.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError):
            raise SecretsUnreadable(f"{path.name} cannot be read.") from None
        try:
            held = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            # The parser's words may quote a line of it.
            raise SecretsUnreadable(f"{path.name} is not valid TOML.") from None
        found = {**held, **found}
    return found
