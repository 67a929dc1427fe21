"""What was asked for in a conversation, and what became of it.

Told from the items that were sent and nothing else: the message as it was typed, and what the calls of its
turn came to. What is no longer sent was, as far as can be said here, never asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .phrases import Voice
from .reading import Call
from .recalling import CHANGING, Memory
from .recap import without_question
from .resolving import interpret
from .telling import changed, not_changed
from .wishes import CHANGES, Kind, Wish

_KINDS: dict[str, Kind] = {
    "deliver_to_pickup": "pickup",
    "deliver_to_address": "address",
    "undo_delivery_change": "undo",
    "refund_order": "refund",
    "cancel_order": "cancel",
}
_MOST = 5  # requests that are told, the newest ones
_LONGEST = 200  # characters of a message that are quoted


@dataclass(frozen=True)
class _Request:
    """What was asked for in `turns`, and the `calls` made for it. They are several where the desk had to ask
    before it could do anything."""

    turns: tuple[int, ...]
    calls: tuple[Call, ...]


def requested(memory: Memory, voice: Voice, wish: Wish) -> str:
    """The answer to a question about earlier requests; a question back where there were none."""
    found: list[_Request] = []
    for request in _requests(memory, wish):
        before = found[-1] if found else None
        if before and not before.calls and before.turns[-1] + 1 == request.turns[0]:
            found[-1] = _Request(before.turns + request.turns, request.calls)
        else:
            found.append(request)
    if not found:
        return _never(voice, wish)
    return voice.join([_told(memory, voice, request) for request in found[-_MOST:]])


def _requests(memory: Memory, wish: Wish) -> Iterator[_Request]:
    """The earlier requests that a wish asks about, oldest first."""
    named = set(wish.about.orders)
    for n in range(memory.newest):
        if memory.turns[n].asked is None:
            continue
        calls = tuple(
            call
            for call in memory.turns[n].calls
            if call.name in CHANGING
            and _KINDS[call.name] in wish.matter
            and (not named or call.order in named)
        )
        if calls or any(_is_one(other, wish.matter, named) for other in interpret(memory, n)):
            yield _Request((n,), calls)


def _is_one(wish: Wish, matter: frozenset[Kind], named: set[str]) -> bool:
    """Whether a wish is a request about that, and more than a question whether it could be done."""
    asks = wish.kind in matter and wish.kind in CHANGES and not wish.tentative and wish.missing != "consent"
    return asks and (not named or bool(named & set(wish.orders)))


def _told(memory: Memory, voice: Voice, request: _Request) -> str:
    typed = voice.listed([_quoted(memory, voice, n) for n in request.turns])
    came = [_came(memory, voice, call) for call in request.calls] or [voice.say("came to nothing")]
    return voice.say("asked for", words=typed, what=voice.join(list(dict.fromkeys(came))))


def _quoted(memory: Memory, voice: Voice, n: int) -> str:
    typed = (memory.turns[n].asked or "").strip()
    return voice.quoted(typed if len(typed) <= _LONGEST else f"{typed[:_LONGEST].rstrip()}…")


def _came(memory: Memory, voice: Voice, call: Call) -> str:
    """What became of a call."""
    facts = memory.facts(call.order)
    if call.outcome.ending == "open":
        return voice.say("still to decide", order=voice.order(call.order, facts))
    if call.outcome.ok:
        return changed(voice, call, call.outcome.facts, facts)
    return without_question(not_changed(voice, call, facts))


def _never(voice: Voice, wish: Wish) -> str:
    if wish.about.orders:
        return voice.say("never asked for", orders=voice.listed(wish.about.orders))
    for kind in ("cancel", "refund"):
        if wish.matter == {kind}:
            return voice.say(f"never asked {kind}")
    return voice.say("never asked")
