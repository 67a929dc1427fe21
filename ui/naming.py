"""What agents and backends are called in the language of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .desk_access import desk
from .text import line
from .words import known, t

if TYPE_CHECKING:
    from desk.backends import Backend


def agent_words(name: str | None) -> str:
    """The name of an agent for people: the desk's own in the page's language too, any other as it is.

    Where nobody is named, the word for an agent. Not safe to draw as it is: escape it.
    """
    if not name:
        return t("agent_unknown")
    key = f"agent_name_{name}"
    return t(key) if known(key) else name


def backend_words(backend: Backend) -> str:
    """The name of a backend for people: a database's own label, with what stands in its way. Plain text."""
    if backend.kind != "database":
        return t(f"backend_{backend.kind}")
    name = line(backend.label or backend.name, 40)
    if backend.problem is not None:
        return t("backend_unusable", name=name)
    return t("backend_sealed", name=name) if backend.encrypted else name


def backend_named(name: str) -> str:
    """The name for people of the backend that addresses call `name`."""
    found = next((known for known in desk().backends() if known.name == name), None)
    return line(name, 40) if found is None else backend_words(found)
