"""What happened in a conversation, for the guide: it says of a sample only what is to be seen in the chat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .pieces import Piece, argument, from_entries, result_code
from .unstored import from_past
from .words import LANGUAGES, say

if TYPE_CHECKING:
    from desk.values import View


@dataclass(frozen=True, slots=True)
class Happened:
    """The turns of a session, oldest first."""

    turns: Sequence[Sequence[Piece]]

    @classmethod
    def seen(cls, view: View) -> Happened:
        """What a view shows."""
        if view.address.backend == "none":
            return cls(from_past(view.past))
        return cls(from_entries(view.timeline.entries))

    @property
    def questions(self) -> list[str]:
        """What the person said, oldest first."""
        return [piece.text for turn in self.turns for piece in turn if piece.kind == "user"]

    @property
    def last(self) -> Sequence[Piece]:
        """The newest turn."""
        return self.turns[-1] if self.turns else ()

    @property
    def all_expired(self) -> bool:
        """Whether nothing that was said can be read any more, because its time has passed."""
        said = [piece for turn in self.turns for piece in turn if piece.kind != "note"]
        return bool(said) and all(piece.kind == "unreadable" and piece.name == "expired" for piece in said)

    def asked(self, key: str) -> bool:
        """Whether a line of the catalogue was said, in any language."""
        return any(says(key, question) for question in self.questions)

    def ago(self, key: str) -> int | None:
        """How many questions ago a line was said last: 0 is the newest. None where it was not."""
        return next((n for n, question in enumerate(reversed(self.questions)) if says(key, question)), None)

    def code(self, tool: str, order: str = "") -> str | None:
        """How the newest turn's last call of a tool went, "" for well; None where there was no such call."""
        codes = [
            result_code(piece.output)
            for piece in self.last
            if piece.kind == "call" and piece.name == tool and order in ("", argument(piece.text))
        ]
        return codes[-1] if codes else None

    def did(self, tool: str, order: str = "") -> bool:
        """Whether the newest turn called a tool, on this order, and it went well."""
        return self.code(tool, order) == ""

    def concerned(self, order: str) -> bool:
        """Whether any call of the newest turn was about an order."""
        return any(piece.kind == "call" and argument(piece.text) == order for piece in self.last)

    def looked_up(self, order: str) -> bool:
        """Whether Triage looked an order up in the newest turn."""
        by_triage = any(piece.kind == "call" and piece.agent == "Triage" for piece in self.last)
        return by_triage and (self.did("look_up_order", order) or self.did("track_order", order))

    def handed_to(self, agent: str) -> bool:
        """Whether the newest turn was handed over to an agent."""
        return any(piece.kind == "handoff" and piece.name == agent for piece in self.last)

    def answered_with(self, key: str) -> bool:
        """Whether the newest answer names a word of the catalogue, in any language."""
        answer = " ".join(piece.text for piece in self.last if piece.kind == "words")
        return any(say(lang, key) in answer for lang in LANGUAGES)


def says(key: str, text: str) -> bool:
    """Whether a text is a line of the catalogue, in any language."""
    return any(text.strip() == say(lang, key) for lang in LANGUAGES)
