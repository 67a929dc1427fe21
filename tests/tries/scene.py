"""What a try is played on, and how it is told afterwards whether anything was lost or done twice."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desk.desk import Desk
from desk.values import Address, Outcome, RunStatus
from memory.items import text_of
from memory.notes import PauseState

from ..desk.desks import Call, ScriptModel, make_desk, pairs_whole, until

FILE = Address("file", "ticket_1")
TOOLS = {"Refund": "refund_order", "Cancel": "cancel_order"}
WISHES = {  # by what they take: no tool, one, one that waits for a person, two that wait together
    "hello": "Hello",
    "refund": "Refund E512",
    "cancel": "Cancel A100",
    "large refund": "Refund C310",
    "late cancel": "Cancel D411",
    "two refunds": "Refund C310 K107",
}
DECIDED = ("large refund", "late cancel", "two refunds")


class Clerk(ScriptModel):
    """Does what the newest message says, knowing only what it is sent: "Refund E512 K107 (3)"."""

    async def stream_response(
        self, instructions: Any, input: Any, *more: Any, **how: Any
    ) -> AsyncIterator[Any]:
        items = [{"role": "user", "content": input}] if isinstance(input, str) else list(input)
        self.steps = [_step(items)]
        async for event in super().stream_response(instructions, input, *more, **how):
            yield event


def _step(items: list[Any]) -> Any:
    at = max(place for place, item in enumerate(items) if item.get("role") == "user")
    text = items[at]["content"]
    if any(item.get("type") == "function_call_output" for item in items[at:]):
        return f"Done: {text}"
    verb, *orders = text.split(" (")[0].split()
    if verb not in TOOLS:
        return f"Answer: {text}"
    about = [json.dumps({"order_id": order, "reason": "broken"}) for order in orders]
    return [f"Let me see: {text}", *(Call(TOOLS[verb], arguments) for arguments in about)]


@dataclass
class Scene:
    """One try: its folder, its desks, and what people were told there."""

    folder: Path
    desks: list[Desk] = field(default_factory=list)
    said: list[str] = field(default_factory=list)  # messages that were accepted
    edited: bool = False  # an edit may have taken messages away
    tell: Callable[[str], None] | None = None

    def open(self, moment: Any = None, **settings: Any) -> Desk:
        self.desks.append(make_desk(self.folder, Clerk(moment=moment), **settings))
        return self.desks[-1]

    def say(self, desk: Desk, text: str, wait: bool = True) -> Outcome:
        """Send a message no other is equal to."""
        text = f"{text} ({len(self.said) + 1})"
        outcome = desk.send(FILE, text, agent="Approval")
        if outcome.ok:
            self.said.append(text)
            if self.tell is not None:
                self.tell(text)
            if wait:
                over(desk)
        return outcome

    def decide(self, desk: Desk, approve: bool = True, wait: bool = True) -> None:
        """Decide what waits, or close what hangs in the air."""
        for _ in range(4):
            view = desk.look(FILE)
            if view.waiting is None:
                return
            if view.waiting.status is PauseState.DECIDING:
                desk.conclude(FILE, view.waiting.id)
                continue
            desk.decide(FILE, view.waiting.id, view.waiting.calls[0][0], approve)
            if not wait:
                return
            over(desk)

    def wish(self, desk: Desk, wish: str, wait: bool = True) -> Outcome:
        """Ask for something, and approve it where it waits."""
        outcome = self.say(desk, WISHES[wish], wait)
        if wait:
            self.decide(desk)
        return outcome

    def close(self) -> None:
        for desk in self.desks:
            desk.close()


def over(desk: Desk) -> None:
    """Wait for the end of the run."""
    until(lambda: (run := desk.run(FILE)) is None or not run.active, 60)


def verdict(scene: Scene, wish: str) -> str | None:
    """What was lost or done twice, when the same was asked once more and a last message was answered."""
    _let_leases_run_out(scene.folder / "sessions.db")
    desk = scene.open()
    if not scene.wish(desk, wish).ok:
        return "the session cannot be used any more"
    if not scene.say(desk, "Hello").ok or (run := desk.run(FILE)) is None or run.status is not RunStatus.DONE:
        return "the last message got no answer"
    entries = desk.look(FILE, limit=1000).timeline.entries
    texts = Counter(text_of(entry.item) for entry in entries if entry.kind in ("user", "assistant"))
    doubled = [text for text, times in texts.items() if times > 1]
    lost = [] if scene.edited else [text for text in scene.said if text not in texts]
    unanswered = [text for text in scene.said[-2:] if not texts[f"Done: {text}"] + texts[f"Answer: {text}"]]
    if doubled or lost or unanswered:
        return f"doubled {doubled}, lost {lost}, unanswered {unanswered}"
    if not pairs_whole(entries):
        return "half a pair is left"
    return _untrue(scene, {e.call_id: text_of(e.item) for e in entries if e.kind == "tool_output"})


def _untrue(scene: Scene, told: dict[str | None, str]) -> str | None:
    """Where the orders' rows and what the session says of them do not agree."""
    if not (scene.folder / "orders.db").exists():
        return None
    with closing(sqlite3.connect(scene.folder / "orders.db")) as orders:
        rows = orders.execute(
            "SELECT order_id, call_id FROM effects WHERE kind IN ('refund', 'cancel')"
        ).fetchall()
    twice = [order for order, times in Counter(order for order, _ in rows).items() if times > 1]
    if twice:
        return f"done twice: {twice}"
    with closing(sqlite3.connect(scene.folder / "sessions.db")) as sessions:
        kept = "\n".join(sessions.iterdump())  # calls that were taken back are among the copies
    if not scene.edited and (strange := [call for _, call in rows if call not in kept]):
        return f"done without its call: {strange}"
    done = {call for _, call in rows}
    for call, text in told.items():
        says = '"done"' in text
        if call in done and not says:
            return f"done, but the session says: {text}"
        if says and call not in done:
            return f"not done, but the session says: {text}"
    return None


def _let_leases_run_out(path: Path) -> None:
    """As if the seconds of a lease that could not be given back had passed."""
    if path.exists():
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            tables = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in tables:
                if table.endswith("leases"):
                    file.execute(f'UPDATE "{table}" SET expires_at = 0')
