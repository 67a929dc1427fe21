"""Session ids: what a person may type, and which existing ids look just like it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from .values import Resolved

LONGEST = 128  # characters of a new id
JOINER = "\u200d"


def resolve(typed: str, existing: Iterable[str]) -> Resolved:
    """Which id `typed` means among the `existing` ones, or the problem with it as a new one.

    An existing id opens exactly as it is, whatever it looks like; one that differs from it only by case,
    width or blanks, those around it too, never stands for it in silence.
    """
    known = set(existing)
    if typed in known:
        return Resolved(typed, exists=True, similar=_twins(typed, known))
    new = typed.strip()
    twins = _twins(new, known)
    if new in known:  # a new id has no blanks around it: only the one that is there can be meant
        return Resolved(None, problem="copy_exists", params={"session": new}, similar=(new, *twins))
    problem = problem_of(new)
    if problem is not None:
        return Resolved(None, problem=problem, params={"most": LONGEST}, similar=twins)
    return Resolved(new, similar=twins)


def problem_of(new: str) -> str | None:
    """Why `new` cannot be the id of a new session, as a catalogue key; None if it can."""
    if not new:
        return "id_empty"
    if len(new) > LONGEST:
        return "id_too_long"
    if not all(_visible(character) or _joins(new, at) for at, character in enumerate(new)):
        return "id_invisible"
    if not any(unicodedata.category(character)[0] in "LNPS" for character in new):
        return "id_invisible"
    return None


def _visible(character: str) -> bool:
    # Control, format, surrogate and unassigned characters draw nothing: two ids would look the same.
    return character == " " or unicodedata.category(character)[0] in "LMNPS"


def _joins(new: str, at: int) -> bool:
    """Whether the character there makes one sign of the two beside it, as in the emoji of a family."""
    beside = new[max(at - 1, 0) : at] + new[at + 1 : at + 2]
    return new[at] == JOINER and len(beside) == 2 and all(unicodedata.category(c)[0] in "MS" for c in beside)


def _twins(wanted: str, known: set[str]) -> tuple[str, ...]:
    face = _face(wanted)
    return tuple(sorted(other for other in known if face and other != wanted and _face(other) == face))


def _face(session_id: str) -> str:
    """What is left of an id when case, width, blanks and what draws nothing are taken away."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", session_id).casefold())
    return "".join(character for character in folded if unicodedata.category(character)[0] not in "CZ")
