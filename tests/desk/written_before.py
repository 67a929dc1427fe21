"""Dialogues that are told before they are tried: what a turn is, and how one is held against its effect.

A turn is judged by what it did, never by its wording: the rows it left in the orders, the decision it waits
for, the facts in its answer, and the script it is answered in. What is expected follows from the rules of
the shop and the samples alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from desk.desk import Desk
from desk.values import Address, Run, RunStatus
from memory.edits import Remove

from .desks import ended, say

DECIDED = {"refund_order": "refund", "cancel_order": "cancel"}

Fact = str | tuple[str, ...]
"""What an answer must hold: a text, or any one of several."""

_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September")
_ONLY_SIMPLIFIED = frozenset("订单货这时说吗没会请发吧为还")
_ONLY_TRADITIONAL = frozenset("訂單貨這時說嗎沒會請發為還")


@dataclass(frozen=True)
class Row:
    """A row of the orders' history. `detail` is what must be in its own detail: where to, or how much."""

    order: str
    kind: str
    detail: dict[str, str] = field(default_factory=dict)


def moved(order: str, point: str = "central-station") -> Row:
    return Row(order, "delivery", {"pickup_point": point})


def sent_to(order: str, address: str) -> Row:
    return Row(order, "delivery", {"address": address})


def put_back(order: str) -> Row:
    return Row(order, "delivery_undone")


def refunded(order: str, amount: str) -> Row:
    return Row(order, "refund", {"amount": amount})


def cancelled(order: str) -> Row:
    return Row(order, "cancel")


@dataclass(frozen=True)
class Turn:
    """One message and what must come of it.

    `does` are the rows it leaves, none by default. `waits` is the order and the kind of a decision; `approve`
    what a person then says (None: nothing, so it stays open), with `note`. `says` are facts of the answer.
    `files` says that a ticket summary is filed. `leans` marks a turn that cannot be understood alone;
    `needs` are the earlier turns of which it can miss none. `agent` is who is addressed.
    """

    text: str
    does: tuple[Row, ...] = ()
    says: tuple[Fact, ...] = ()
    needs: tuple[int, ...] = ()
    leans: bool = False
    waits: tuple[str, str] | None = None
    approve: bool | None = None
    note: str = ""
    files: bool = False
    agent: str | None = None

    @property
    def from_memory(self) -> bool:
        return self.leans or bool(self.needs)


@dataclass(frozen=True)
class Dialogue:
    name: str
    turns: tuple[Turn, ...]


def dialogue(name: str, *turns: Turn) -> Dialogue:
    return Dialogue(name, turns)


def day(month: int, number: int) -> tuple[str, ...]:
    """A day of 2025, as people of the three languages write it."""
    name = _MONTHS[month - 1]
    return (f"2025-{month:02}-{number:02}", f"{name} {number}", f"{number} {name}", f"{month}月{number}日")


@dataclass(frozen=True)
class Happened:
    """What a turn came to."""

    rows: list[Row]
    waits: tuple[str, str] | None
    text: str
    files: bool
    status: RunStatus


def play(desk: Desk, address: Address, turn: Turn, language: str) -> Happened:
    """Say a turn's message, decide what it waits for as the turn says, and see what happened."""
    before = {effect.id for effect in desk.orders.effects(session=str(address))}
    run = say(desk, address, turn.text, agent=turn.agent, language=language)
    waits = _waiting(desk, address, run)
    if waits is not None and turn.approve is not None:
        pause = desk.look(address).waiting
        assert pause is not None
        outcome = desk.decide(
            address, pause.id, pause.calls[0][0], turn.approve, turn.note, language=language
        )
        assert outcome.ok, outcome
        run = ended(desk, address)
    new = [effect for effect in desk.orders.effects(session=str(address)) if effect.id not in before]
    rows = [
        Row(effect.order_id, effect.kind, _flat(effect.detail)) for effect in new if effect.kind != "summary"
    ]
    text = "\n".join(step.text for step in run.steps if step.kind == "words")
    return Happened(rows, waits, text, any(effect.kind == "summary" for effect in new), run.status)


def faults(turn: Turn, seen: Happened, language: str) -> list[str]:
    """What of a turn's expectation did not come true."""
    found = []
    if not _same(turn.does, seen.rows):
        found.append(f"rows: {seen.rows}, not {list(turn.does)}")
    if seen.waits != turn.waits:
        found.append(f"waits: {seen.waits}, not {turn.waits}")
    open_ = turn.waits is not None and turn.approve is None
    wanted = RunStatus.WAITING if open_ else RunStatus.DONE
    if seen.status is not wanted:
        found.append(f"run: {seen.status}")
    if not open_:
        found += [f"does not say {fact!r}" for fact in turn.says if not _says(seen.text, fact)]
        found += _misspoken(seen.text, language)
    if turn.files and not seen.files:
        found.append("no summary was filed")
    return found


def faults_alone(turn: Turn, seen: Happened, *, asks: bool, named: str = "") -> list[str]:
    """What is wrong where a turn that leans on memory was said without what it leans on.

    Nothing may come of it, but to orders that what is left of the conversation (`named`) names. With `asks`
    the answer must be a question where something was to be done.
    """
    found = [f"did {row} all the same" for row in seen.rows if _hits(turn.does, row)]
    found += [f"did {row} to an order nobody named" for row in seen.rows if row.order not in named]
    if seen.waits is not None and (seen.waits == turn.waits or seen.waits[0] not in named):
        found.append(f"waits for {seen.waits} all the same")
    acts = bool(turn.does) or turn.waits is not None
    if turn.says and not acts and all(_says(seen.text, fact) for fact in turn.says):
        found.append("says what it cannot know")
    if turn.files and asks and seen.files:
        found.append("filed a summary of nothing")
    if asks and acts and not any(mark in seen.text for mark in "?？"):
        found.append("does not ask")
    if not seen.text.strip() and seen.waits is None:
        found.append("says nothing")
    return found


def forget_turn(desk: Desk, address: Address, number: int) -> None:
    """Take the turn of that number (the first is 0) out of the session."""
    entries = [entry for entry in desk.look(address).timeline.entries if entry.turn == number + 1]
    assert entries
    plan = desk.plan(address, Remove(tuple(entry.id for entry in entries))).plan
    assert plan is not None
    outcome = desk.apply(address, plan)
    assert outcome.ok, outcome


def remembered(desk: Desk, address: Address, text: str) -> str:
    """All that a model would be sent of a session, with the new message."""
    entries = desk.look(address).timeline.entries
    return json.dumps([entry.item for entry in entries]) + text


def _waiting(desk: Desk, address: Address, run: Run) -> tuple[str, str] | None:
    pause = desk.look(address).waiting
    if run.status is not RunStatus.WAITING or pause is None:
        return None
    _, tool, arguments, _ = pause.calls[0]
    return json.loads(arguments)["order_id"], DECIDED.get(tool, tool)


def _flat(detail: Any) -> dict[str, str]:
    """The words of a detail: those of a delivery beside the others."""
    flat = {name: value for name, value in detail.items() if isinstance(value, str)}
    return {**flat, **detail.get("delivery", {})}


def _hits(wanted: Sequence[Row], row: Row) -> bool:
    return any(
        (row.order, row.kind) == (one.order, one.kind) and one.detail.items() <= row.detail.items()
        for one in wanted
    )


def _same(wanted: Sequence[Row], rows: Sequence[Row]) -> bool:
    return len(wanted) == len(rows) and all(_hits(wanted, row) for row in rows)


def _says(text: str, fact: Fact) -> bool:
    options = (fact,) if isinstance(fact, str) else fact
    return any(option.casefold() in text.casefold() for option in options)


def _misspoken(text: str, language: str) -> list[str]:
    han = sum("\u4e00" <= char <= "\u9fff" for char in text)
    latin = sum(char.isascii() and char.isalpha() for char in text)
    if language == "en":
        return [] if latin > han else [f"not in English: {text!r}"]
    other = _ONLY_TRADITIONAL if language == "zh-Hans" else _ONLY_SIMPLIFIED
    wrong = sorted(other & set(text)) if han else ["no Chinese"]
    return [f"not in {language} ({wrong}): {text!r}"] if wrong else []
