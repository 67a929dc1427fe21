"""A desk without a runtime: the page's own rules are tested against it, in states a real one is rarely in.

It keeps entries in a list, answers at once with a fixed line, and refuses what `refuse` names.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from desk.backends import BUILT_IN, Backend
from desk.ids import resolve
from desk.orders import Orders
from desk.values import (
    AGENTS,
    Address,
    Copying,
    Outcome,
    Preview,
    Resealing,
    Resolved,
    Run,
    RunStatus,
    SessionInfo,
    View,
)
from memory.edits import Change, Clear, Edit, Guard, Plan, RollBack, Taken, Truncate
from memory.entries import Entry, Item, Revision, State, Timeline, Unread
from memory.items import kind_of

AT = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)


def user(text: str) -> Item:
    return {"role": "user", "content": text}


def answer(text: str) -> Item:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


def call(call_id: str, name: str, **arguments: Any) -> Item:
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": json.dumps(arguments)}


def output(call_id: str, **facts: Any) -> Item:
    return {"type": "function_call_output", "call_id": call_id, "output": json.dumps(facts)}


def _unread(entries: Sequence[Entry]) -> Unread:
    states = Counter(e.state for e in entries if not e.readable and e.written_as is None)
    return Unread(states, Counter(e.written_as for e in entries if e.written_as is not None))


@dataclass
class Store:
    """One session: its entries, and what edits took away."""

    entries: list[Entry] = field(default_factory=list)
    done: list[tuple[Change, list[Entry]]] = field(default_factory=list)
    undone: list[tuple[Change, list[Entry]]] = field(default_factory=list)
    version: int = 0


@dataclass(frozen=True)
class Model:
    name: str = "offline"
    why_key: str = "offline"
    params: Mapping[str, str] = field(default_factory=dict)
    problem: str | None = None


class FakeDesk:
    agents = AGENTS
    ready = True

    def __init__(self) -> None:
        self.stores: dict[Address, Store] = {}
        self.view: dict[str, Any] = {}  # fields of every View, as the test wants them
        self.without_key: dict[str, Any] = {}  # fields of a View that needs a key
        self.answers_in: str | None = None  # the language the last message was sent with
        self.refuse: dict[str, str] = {}  # method -> reason
        self.calls: list[tuple[Any, ...]] = []
        self.live: Run | None = None
        self.taken: tuple[Taken, ...] = ()  # what goes along with every edit
        self.waits: list[Address] = []
        self.replies: list[tuple[Item, ...]] = []  # what the next messages are answered with
        self._ids = 0
        self.moves: dict[Address, Resealing] = {}  # to the newest key; a test says how they go on
        self.copies: dict[Address, Copying] = {}  # a test says how they go on
        self.orders = Orders(":memory:")
        self.databases: list[Backend] = []
        self.lifetimes: dict[Address, int | None] = {}
        self.key: str | None = None
        self.unkept: str | None = None

    def warm(self, then: Any = None) -> None: ...

    def close(self) -> None:
        self.orders.close()

    def model(self) -> Model:
        return Model()

    def backends(self) -> tuple[Backend, ...]:
        return (*BUILT_IN, *self.databases)

    def connect(self, url: str, *, create_tables: bool = True) -> Outcome:
        self.calls.append(("connect", url) if create_tables else ("connect", url, "no tables"))
        if refused := self._refused("connect"):
            return refused
        self.databases.append(Backend("db-1", "database", "postgresql: test"))
        return Outcome(True, text="db-1")

    def store(self, address: Address) -> Store:
        return self.stores.setdefault(address, Store())

    def add(
        self, address: Address, *items: Item, agent: str | None = None, state: State = State.OK
    ) -> list[Entry]:
        """Store items, as a run would."""
        store = self.store(address)
        made = []
        for item in items:
            self._ids += 1
            raw = json.dumps(item, ensure_ascii=False)
            who = None if item.get("role") == "user" else agent
            made.append(
                Entry(f"e{self._ids}", kind_of(item), who, AT, item, raw, len(raw), state, key=(self._ids,))
            )
        store.entries += made
        store.version += 1
        return made

    def sessions(self, backend: str) -> list[SessionInfo]:
        known = [
            a for a, store in self.stores.items() if a.backend == backend and (store.entries or store.done)
        ]
        return [SessionInfo(address.session_id, AT) for address in known]

    def resolve(self, backend: str, typed: str) -> Resolved:
        return resolve(typed, (info.session_id for info in self.sessions(backend)))

    def look(
        self,
        address: Address,
        *,
        before: str | None = None,
        limit: int = 200,
        turns: int | None = None,
        ahead: int = 0,
    ) -> View:
        if address.backend == "encrypted" and self.key is None:
            empty = View(address, Timeline((), Revision(None)), ("problem",), problem="no_key", ahead=ahead)
            return replace(empty, **self.without_key)
        store = self.store(address)
        numbered, turn = [], 0
        for position, entry in enumerate(store.entries, 1):
            turn += entry.kind == "user"
            shown = entry.at(position, turn)
            if ahead and ahead >= (self.lifetimes.get(address) or ahead + 1):
                shown = replace(shown, state=State.EXPIRED)
            numbered.append(shown)
        end = next((i for i, e in enumerate(numbered) if e.id == before), len(numbered))
        page = tuple(numbered[max(0, end - limit) : end])
        unread = _unread(numbered) if address.backend == "encrypted" else None
        timeline = Timeline(page, Revision(store.version), end > limit, len(numbered), turn, unread)
        first_sent = next((e.id for e in numbered if (e.turn or 0) > turn - (turns or 0)), None)
        view = View(
            address,
            timeline,
            self.revision(address),
            can_undo=bool(store.done),
            can_redo=bool(store.undone),
            changes=tuple(change for change, _ in store.done),
            run=self.live if self.live and self.live.address == address else None,
            stored=bool(store.version),
            sent_from=None if turns is None or turn <= turns else first_sent,
            lifetime=self.lifetimes.get(address),
            keys=int(address.backend == "encrypted"),
            ahead=ahead,
        )
        return replace(view, **self.view)

    def revision(self, address: Address) -> int:
        return self.store(address).version

    def run(self, address: Address) -> Run | None:
        return self.live if self.live and self.live.address == address else None

    def waiting(self) -> list[Address]:
        return self.waits

    def waiting_count(self) -> int:
        return len(self.waits)

    def _refused(self, name: str, *call: Any) -> Outcome | None:
        self.calls.append((name, *call))
        return Outcome(False, self.refuse[name]) if name in self.refuse else None

    def send(
        self,
        address: Address,
        text: str,
        *,
        agent: str | None = None,
        turns: int | None = None,
        language: str | None = None,
    ) -> Outcome:
        self.answers_in = language
        if refused := self._refused("send", address, text, agent, turns):
            return refused
        replies = self.replies.pop(0) if self.replies else (answer("An answer."),)
        self.add(address, user(text), *replies, agent=agent or "Triage")
        return Outcome(True, run_id="r")

    def stop(self, address: Address) -> Outcome:
        if self.live:
            self.live = replace(self.live, status=RunStatus.STOPPED)
        return self._refused("stop", address) or Outcome(True)

    def retry(
        self,
        address: Address,
        *,
        agent: str | None = None,
        turns: int | None = None,
        language: str | None = None,
    ) -> Outcome:
        return self._refused("retry", address) or Outcome(True)

    def take_back(self, address: Address) -> Outcome:
        store = self.store(address)
        at = max(i for i, e in enumerate(store.entries) if e.kind == "user")
        text = str((store.entries[at].item or {})["content"])
        change = self._cut(store, store.entries[:at], "roll_back")
        return replace(Outcome(True, text=text), change=change)

    def save_again(self, address: Address) -> Outcome:
        return self._refused("save_again", address) or Outcome(True)

    def decide(
        self,
        address: Address,
        pause_id: int,
        call_id: str,
        approve: bool,
        note: str = "",
        *,
        language: str | None = None,
    ) -> Outcome:
        return self._refused("decide", address, pause_id, call_id, approve, note) or Outcome(True)

    def conclude(self, address: Address, pause_id: int) -> Outcome:
        return self._refused("conclude", address, pause_id) or Outcome(True)

    def plan(self, address: Address, edit: Edit) -> Preview:
        entries = self.look(address, limit=10**9).timeline.entries
        if isinstance(edit, RollBack):
            at = next((i for i, e in enumerate(entries) if e.id == edit.to), None)
            if at is None:
                return Preview(None, reason="not_found")
            goes, stays = entries[at + 1 :], entries[: at + 1]
        elif isinstance(edit, Truncate):
            turns = max((e.turn or 0 for e in entries), default=0)
            goes = tuple(e for e in entries if (e.turn or 0) <= turns - (edit.keep_turns or 0))
            stays = entries[len(goes) :]
        else:
            assert isinstance(edit, Clear)
            goes, stays = entries, ()
        numbers = [e.turn for e in goes if e.turn is not None]
        plan = Plan(
            edit,
            address.session_id,
            Guard((), None, None, len(goes), (self.store(address).version, 0)),
            len(goes),
            len(stays),
            taken=self.taken,
            shown=goes,
            first_turn=min(numbers, default=None),
            last_turn=max(numbers, default=None),
        )
        return Preview(plan, effects=tuple(self.view.get("effects", {}).values()))

    def apply(self, address: Address, plan: Plan) -> Outcome:
        store = self.store(address)
        if refused := self._refused("apply", address, plan):
            return refused
        if plan.guard.edits[0] != store.version:
            return Outcome(False, "stale")
        gone = {entry.id for entry in plan.shown}
        kinds: dict[type, Any] = {RollBack: "roll_back", Truncate: "truncate", Clear: "clear"}
        change = self._cut(
            store, [e for e in store.entries if e.id not in gone], kinds[type(plan.edit)], plan
        )
        return Outcome(True, change=change)

    def _cut(self, store: Store, keep: list[Entry], kind: Any, plan: Plan | None = None) -> Change:
        turns = (plan.first_turn, plan.last_turn) if plan else (None, None)
        change = Change(len(store.done) + 1, kind, AT, len(store.entries) - len(keep), 0, turns=turns)
        store.done.append((change, store.entries))
        store.entries = list(keep)
        store.version += 1
        return change

    def undo(self, address: Address) -> Outcome:
        store = self.store(address)
        if not store.done:
            return Outcome(False, "nothing_to_undo")
        change, before = store.done.pop()
        store.undone.append((change, store.entries))
        store.entries = before
        store.version += 1
        return Outcome(True, change=change)

    def redo(self, address: Address) -> Outcome:
        store = self.store(address)
        if not store.undone:
            return Outcome(False, "nothing_to_redo")
        change, after = store.undone.pop()
        store.done.append((change, store.entries))
        store.entries = after
        store.version += 1
        return Outcome(True, change=change)

    def branch(
        self, address: Address, new_id: str, upto: str | None = None, *, before: Change | None = None
    ) -> Outcome:
        store = self.store(address)
        past = [entries for change, entries in store.done if change == before]
        entries = past[0] if past else store.entries
        at = next((i for i, e in enumerate(entries) if e.id == upto), len(entries) - 1)
        copy = self.store(Address(address.backend, new_id))
        copy.entries = [replace(e, id=f"{e.id}b") for e in entries[: at + 1]]
        copy.version += 1
        waits = self.view.get("waiting")
        calls = {call[0] for call in waits.calls} if waits else set()
        reached = {e.call_id for e in entries[: at + 1]} & calls
        if ended := bool(reached) and before is None:
            del self.view["waiting"]
        return Outcome(True, session_id=new_id, decision_ended=ended)

    def purge(self, address: Address) -> Outcome:
        store = self.store(address)
        count, store.done, store.undone = len(store.done), [], []
        store.version += 1
        return self._refused("purge", address) or Outcome(True, count=count)

    def delete(self, address: Address) -> Outcome:
        if refused := self._refused("delete", address):
            return refused
        self.stores[address] = Store(version=self.store(address).version + 1)
        return Outcome(True)

    def make_key(self) -> bool:
        if self.key is not None:
            return False
        self.key = self.unkept = "made-key"
        return True

    def unkept_key(self) -> str | None:
        return self.unkept

    def key_kept(self) -> None:
        self.unkept = None

    def choose_lifetime(self, address: Address, seconds: int | None) -> Outcome:
        if refused := self._refused("choose_lifetime", address, seconds):
            return refused
        self.lifetimes[address] = seconds
        self.store(address).version += 1
        return Outcome(True)

    def encrypt_plain_rows(self, address: Address) -> Outcome:
        store = self.store(address)
        count = sum(entry.state is State.PLAINTEXT for entry in store.entries)
        store.entries = [replace(entry, state=State.OK) for entry in store.entries]
        store.version += 1
        return self._refused("encrypt_plain_rows", address) or Outcome(True, count=count)

    def reencrypt(self, address: Address) -> Outcome:
        if refused := self._refused("reencrypt", address):
            return refused
        self.moves[address] = Resealing(f"r{len(self.calls)}", address)
        return Outcome(True)

    def resealing(self, address: Address) -> Resealing | None:
        return self.moves.get(address)

    def forget_resealing(self, address: Address) -> None:
        if address in self.moves and not self.moves[address].active:
            del self.moves[address]

    def stop_reencrypt(self, address: Address) -> Outcome:
        return self._refused("stop_reencrypt", address) or Outcome(True)

    def copy(self, address: Address, backend: str, new_id: str | None = None) -> Outcome:
        if refused := self._refused("copy", address, backend, new_id):
            return refused
        self._ids += 1
        target = Address(backend, new_id or address.session_id)
        self.copies[address] = Copying(f"copy {self._ids}", address, target)
        return Outcome(True, session_id=target.session_id)

    def copying(self, address: Address) -> Copying | None:
        return self.copies.get(address)

    def forget_copy(self, address: Address) -> None:
        if address in self.copies and not self.copies[address].active:
            del self.copies[address]

    def stop_copy(self, address: Address) -> Outcome:
        return self._refused("stop_copy", address) or Outcome(True)

    def restore_samples(self) -> Outcome:
        return self._refused("restore_samples") or Outcome(True)
