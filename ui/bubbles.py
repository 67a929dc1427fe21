"""Pieces of a conversation as the page's own markup: all text in it escaped, no widget, no script.

`blocks` gives one string per piece, so that a live answer can be redrawn at its end only; a finished turn
is the same strings joined. Streaming, finished and reloaded therefore look the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from memory.entries import State

from .effects import effect_words
from .icons import CODES, NOTES, STATES, symbol
from .icons import agent as agent_symbol
from .naming import agent_words
from .pieces import Piece, argument, result_code
from .rich import folded
from .text import html, pretty, short
from .words import sentences, t, word

PERSON = ""  # who spoke last where it was no agent


def blocks(pieces: Iterable[Piece], *, speaker: str | None = PERSON, live: bool = False) -> list[str]:
    """One block per piece. The agent is named where the speaker changes; `live` marks the last as growing.

    `speaker` is the agent named last above (None: one without a name), PERSON if none was.
    """
    made: list[str] = []
    listed = list(pieces)
    for index, piece in enumerate(listed):
        head = ""
        if piece.kind == "user" or (piece.kind == "unreadable" and piece.agent is None):
            speaker = PERSON  # of what cannot be read, nobody knows that an agent said it
        elif piece.kind != "note" and piece.agent != speaker:
            speaker = piece.agent
            head = _head(speaker)
        growing = live and index == len(listed) - 1 and piece.kind == "words"
        made.append(head + _block(piece, growing))
    return made


def thinking(agent: str | None, speaker: str | None) -> str:
    """What stands where the first word will be."""
    head = _head(agent) if agent != speaker else ""
    dots = '<span class="md-dots" aria-hidden="true"></span>'
    return f'{head}<p class="md-thinking">{html(t("thinking"))}{dots}</p>'


def note_line(kind: str, detail: Any = None) -> str:
    """A word in the chat about what happened."""
    values = {str(k): v for k, v in dict(detail or {}).items()}
    text = word("note", kind, "note_other", **values)
    if kind == "superseded" and values.get("because") in ("edited", "expired"):
        text = t(f"note_{values['because']}")
    if kind == "failed":
        why = word("reason", str(values.get("error", "")), "reason_unknown", **values)
        text = sentences((text, why))
    icon = symbol(NOTES.get(kind, "info"))
    return f'<p class="md-note" data-note="{html(kind)}">{icon}<span>{html(text)}</span></p>'


def _head(agent: str | None) -> str:
    return f'<p class="md-head">{symbol(agent_symbol(agent))}<b>{html(agent_words(agent))}</b></p>'


def _block(piece: Piece, growing: bool) -> str:
    match piece.kind:
        case "user":
            said = f'<div class="md-text" lang="" dir="auto">{folded(piece.text)}</div>'
            return f'<div class="md-user"><p class="md-sr">{html(t("you"))}</p>{said}</div>'
        case "words":
            kind = "md-text md-answer md-growing" if growing else "md-text md-answer"
            return f'<div class="{kind}" lang="" dir="auto">{folded(piece.text, formatted=True)}</div>'
        case "call":
            return _call(piece)
        case "output":
            return _row("output", t("tool_result"), parts=[(t("output"), piece.text)])
        case "handoff":
            words = html(t("handed_to", agent=agent_words(piece.name)))
            return f'<p class="md-handoff">{symbol("swap_horiz")}<span>{words}</span></p>'
        case "reasoning":
            return _row("psychology", t("kind_reasoning"), parts=[("", piece.text)] if piece.text else [])
        case "unreadable":
            icon = symbol(STATES.get(piece.name, "key_off"))
            return f'<p class="md-note">{icon}<span>{html(_unread(piece))}</span></p>'
        case "note":
            return note_line(piece.name, piece.detail)
        case _:
            return _row("data_object", t("kind_other"), piece.name, parts=[("", piece.text)])


def _unread(piece: Piece) -> str:
    """What stands in the place of entries that cannot be read."""
    plain, many, state = (
        piece.name == State.PLAINTEXT,
        piece.count > 1,
        word("state", piece.name, "state_corrupt"),
    )
    if piece.position is None and many:
        key = "plain_entries_unnumbered" if plain else "unreadable_entries_unnumbered"
        return t(key, n=piece.count, state=state)
    if piece.position is None:
        return t("plain_entry_unnumbered" if plain else "unreadable_entry_unnumbered", state=state)
    if many:
        last = piece.position + piece.count - 1
        key = "plain_entries" if plain else "unreadable_entries"
        return t(key, first=piece.position, last=last, state=state)
    return t("plain_entry" if plain else "unreadable_entry", n=piece.position, state=state)


def _call(piece: Piece) -> str:
    parts = [(t("arguments"), piece.text)]
    if piece.output is not None:
        parts.append((t("output"), piece.output))
    aside = f"{piece.name}({short(argument(piece.text), 40)})"
    row = _row("build", word("tool", piece.name, "tool_call"), aside, _mark(piece), parts)
    if piece.effect is not None:
        words = html(effect_words(piece.effect))
        row += f'<p class="md-effect">{symbol("bolt")}<span>{words}</span></p>'
    return row


def _mark(piece: Piece) -> str:
    """How a call went, at the end of its row."""
    if piece.output is None:
        return f'<span class="md-end">{html(t("no_result" if piece.alone else "no_result_yet"))}</span>'
    if code := result_code(piece.output):
        words = html(word("code", code, "code_other"))
        return (
            f'<span class="md-end" data-code="{html(code)}">{symbol(CODES.get(code, "close"))}{words}</span>'
        )
    return f'<span class="md-end">{symbol("check")}<span class="md-sr">{html(t("done"))}</span></span>'


def _row(
    icon: str, title: str, aside: str = "", mark: str = "", parts: Sequence[tuple[str, str]] = ()
) -> str:
    head = f'{symbol(icon)}<span class="md-what">{html(title)}</span>'
    head += f'<code class="md-aside">{html(aside)}</code>{mark}'
    if not parts:
        return f'<p class="md-step">{head}</p>'
    body = "".join(_part(name, text) for name, text in parts)
    return f'<details class="md-step"><summary>{head}</summary>{body}</details>'


def _part(name: str, text: str) -> str:
    head = f'<p class="md-part">{html(name)}</p>' if name else ""
    return f'{head}<pre dir="auto" tabindex="0">{folded(pretty(text))}</pre>'
