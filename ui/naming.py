"""What the desk's agents are called in the language of the page."""

from __future__ import annotations

from .words import known, t


def agent_words(name: str | None) -> str:
    """The name of an agent for people: the desk's own in the page's language too, any other as it is.

    Where nobody is named, the word for an agent. Not safe to draw as it is: escape it.
    """
    if not name:
        return t("agent_unknown")
    key = f"agent_name_{name}"
    return t(key) if known(key) else name
