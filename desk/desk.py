"""The desk as the page sees it: one object per process, every method an ordinary call from any thread.

Nothing here raises for what can go wrong in a conversation, a store or a model: the answer is an `Outcome`
with a reason, or a word (a note) in the chat. Work happens on the desk's one background loop.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING

from .values import AGENTS, BACKENDS, Address, Outcome, Preview, Resolved, Run, SessionInfo, View

if TYPE_CHECKING:
    from memory.edits import Edit, Plan

    from .models import ModelChoice


class Desk:
    """One support desk: its sessions, its runs, its orders and its model.

    `env` is where settings come from (the process's environment by default): `DESK_DATA` is the data
    folder, and the model's variables are those of `desk.models`. Nothing is written before it is needed.
    """

    agents: tuple[str, ...] = AGENTS

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        raise NotImplementedError

    # Getting ready

    def warm(self) -> None:
        """Start loading the SDK and building the agents in the background. Returns at once."""
        raise NotImplementedError

    @property
    def ready(self) -> bool:
        """Whether the agents are built, so that a message is answered without waiting for it."""
        raise NotImplementedError

    def model(self) -> ModelChoice:
        """Which model answers, and why."""
        raise NotImplementedError

    def close(self) -> None:
        """Settle live runs (within about three seconds), close every store, client and thread."""
        raise NotImplementedError

    # Finding sessions

    def backends(self) -> tuple[str, ...]:
        """The backends one can choose, in the order they are offered."""
        return BACKENDS

    def sessions(self, backend: str) -> list[SessionInfo]:
        """The sessions of a backend, newest first. Empty where the store cannot be read."""
        raise NotImplementedError

    def resolve(self, backend: str, typed: str) -> Resolved:
        """Which session a typed id opens, and which existing ids look just like it."""
        raise NotImplementedError

    # Looking

    def look(
        self, address: Address, *, before: str | None = None, limit: int = 200, turns: int | None = None
    ) -> View:
        """What is stored and going on: the newest `limit` entries, or those older than entry `before`.

        `turns` is the rule the next message would be sent with (see `send`); it only sets
        `View.sent_from`. Works before the SDK is loaded.
        """
        raise NotImplementedError

    def revision(self, address: Address) -> Hashable:
        """A value that differs when `look` would show something new. Cheap: ask it every second."""
        raise NotImplementedError

    def run(self, address: Address) -> Run | None:
        """The live run of a session, or the one that ended last since the server started."""
        raise NotImplementedError

    def waiting_count(self) -> int:
        """How many decisions wait for a person, over all sessions."""
        raise NotImplementedError

    # Talking

    def send(
        self, address: Address, text: str, *, agent: str | None = None, turns: int | None = None
    ) -> Outcome:
        """Start a run that answers `text`. Returns when it is accepted or refused, not when it ends.

        `agent` starts with that agent; None lets the desk decide. `turns` is how many of the newest whole
        turns the model is sent besides the new one; None is the desk's rule (50), 0 sends none. A decision
        that waits is closed as superseded. Refused, with nothing stored: "empty", "unknown_agent",
        "busy" (a run of this desk), "busy_elsewhere", "unavailable", "closing".
        """
        raise NotImplementedError

    def stop(self, address: Address) -> Outcome:
        """Ask the live run to stop; what it finished and the words it said so far are kept.

        Refused: "nothing_to_stop".
        """
        raise NotImplementedError

    def retry(self, address: Address, *, agent: str | None = None, turns: int | None = None) -> Outcome:
        """Take the last turn back, undoably, and ask its question again: one copy of it is stored.

        Refused: "nothing_to_retry", and whatever `send` refuses.
        """
        raise NotImplementedError

    def take_back(self, address: Address) -> Outcome:
        """Take the last turn back, undoably; `Outcome.text` is its question, for the input box."""
        raise NotImplementedError

    # Deciding

    def decide(self, address: Address, pause_id: int, call_id: str, approve: bool, note: str = "") -> Outcome:
        """Approve or reject one call of a waiting decision; the run goes on when its turn comes.

        `note` is the person's word, given to the agent where the call is rejected. Refused:
        "decision_closed" (answered, superseded or never there; nothing happens), "busy", "busy_elsewhere".
        """
        raise NotImplementedError

    def conclude(self, address: Address, pause_id: int) -> Outcome:
        """Close a decision whose effect is unknown: its call gets a result with what the orders say."""
        raise NotImplementedError

    # Editing

    def plan(self, address: Address, edit: Edit) -> Preview:
        """Work an edit out without doing it."""
        raise NotImplementedError

    def apply(self, address: Address, plan: Plan) -> Outcome:
        """Do a planned edit. Refused: "stale" (the store moved since), "busy", "busy_elsewhere"."""
        raise NotImplementedError

    def undo(self, address: Address) -> Outcome:
        """Take the last edit back. Refused: "nothing_to_undo", "undo_refused" (offer a branch), "busy"."""
        raise NotImplementedError

    def redo(self, address: Address) -> Outcome:
        """Do the edit again that was undone last. Refused: "nothing_to_redo", "stale", "busy"."""
        raise NotImplementedError

    def branch(self, address: Address, new_id: str, upto: str | None) -> Outcome:
        """Copy the session up to entry `upto` (None: all of it) under a new id; the original stays."""
        raise NotImplementedError

    def purge(self, address: Address) -> Outcome:
        """Erase for good what edits keep of this session. The entries stay. `Outcome.count` rows went."""
        raise NotImplementedError

    def delete(self, address: Address) -> Outcome:
        """Erase the session for good: entries, kept copies and all."""
        raise NotImplementedError

    def restore_samples(self) -> Outcome:
        """Put the orders back to the samples. Sessions are not touched."""
        raise NotImplementedError


_lock = threading.Lock()
_desk: Desk | None = None


def get_desk() -> Desk:
    """The desk of this process, made by the first caller."""
    global _desk
    with _lock:
        if _desk is None:
            _desk = Desk()
        return _desk
