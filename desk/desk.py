"""The desk as the page sees it: one object per process, every method an ordinary call from any thread.

Nothing here raises for what can go wrong in a conversation, a store or a model: the answer is an `Outcome`
with a reason, or a word (a note) in the chat. Work happens on the desk's one background loop.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Coroutine, Hashable, Mapping
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

from memory.engines import asynchronous_scheme
from memory.errors import KeyUnavailable, SessionBusy, StoreUnavailable

from . import editing, looking
from .conductor import Conductor
from .copies import Copies
from .crew import Build, CrewRoom, build_crew
from .ids import resolve
from .loop import Loop
from .orders import Orders
from .refusals import refusal, where
from .resealings import Resealings
from .runs import Runs
from .samples import seed_file
from .settings import Settings, read_settings
from .stores import Stores
from .values import AGENTS, Address, Copying, Outcome, Preview, Resealing, Resolved, Run, SessionInfo, View

if TYPE_CHECKING:
    from memory.edits import Change, Edit, Plan

    from .backends import Backend
    from .models import ModelChoice

T = TypeVar("T")
log = logging.getLogger(__name__)

LONGEST_LOOK = 100_000  # entries in one view


class Desk:
    """One support desk: its sessions, its runs, its orders and its model.

    `env` is where settings come from (the process's environment by default): see `desk.settings`,
    `desk.samples` and `desk.models` for the variables. `today` gives the day the orders stand on. `build`
    makes the agents, for a desk with agents of its own; it is called once, in the warm thread. Nothing is
    written before it is needed.
    """

    agents: tuple[str, ...] = AGENTS

    def __init__(
        self,
        env: Mapping[str, str] | None = None,
        *,
        settings: Settings | None = None,
        today: Callable[[], date] = date.today,
        build: Build = build_crew,
    ) -> None:
        self._env = dict(os.environ if env is None else env)
        self._settings = settings or read_settings(self._env)
        self._today = today
        self._lock = threading.RLock()
        self._orders: Orders | None = None
        self._loop = Loop()
        self._runs = Runs()
        self._stores = Stores(self._settings, self._env)
        self._room = CrewRoom(lambda: build(self.orders, self._env))
        self._conductor = Conductor(
            self._settings, self._stores, self._runs, lambda: self.orders, self._room.crew
        )
        self._copies = Copies(self._stores, self._runs)
        self._resealings = Resealings(self._runs)
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether `close` was called: nothing can be asked of this desk any more."""
        return self._closed

    # Getting ready

    def warm(self, then: Callable[[], None] | None = None) -> None:
        """Start loading the SDK and building the agents in the background. Returns at once.

        `then` is called in that thread when they are built.
        """
        self._room.warm(then)

    @property
    def ready(self) -> bool:
        """Whether the agents are built, so that a message is answered without waiting for it."""
        return self._room.ready

    @property
    def orders(self) -> Orders:
        """The orders, opened by the first who asks. Raises SampleError where the samples are no orders."""
        with self._lock:
            if self._orders is None:
                seed = seed_file("orders.json", self._env)
                self._orders = Orders(self._settings.orders, self._today, seed=seed)
            return self._orders

    def restore_samples(self) -> Outcome:
        """Put the orders back to the samples. Sessions are not touched."""
        try:
            self.orders.restore()
        except Exception as error:
            return refusal(error)
        return Outcome(True)

    def model(self) -> ModelChoice:
        """Which model answers, and why."""
        from .models import choose_model

        return choose_model(self._env)

    def close(self) -> None:
        """Settle live runs (within about three seconds), close every store, client and thread."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        for work in (
            self._copies.close,
            self._resealings.close,
            self._conductor.close,
            self._room.close,
            self._stores.close,
        ):
            try:
                self._loop.call(work(), timeout=self._settings.settle + 15)
            except Exception as error:
                log.error("Closing the desk: %s at %s", type(error).__name__, where(error))
        self._loop.close()
        if self._orders is not None:
            self._orders.close()

    # Finding sessions

    def backends(self) -> tuple[Backend, ...]:
        """The backends one can choose, in the order they are offered."""
        return self._stores.backends()

    def connect(self, url: str, *, create_tables: bool = True) -> Outcome:
        """Try a database by its URL and offer it until the server stops; `Outcome.text` names its backend.

        Without `create_tables` nothing is made in it: the SDK's tables must be there, and what undo needs is
        kept in a file of the desk's own.

        For a page on the same machine only: the page sees to that. Refused: "not_a_url", "sync_url" (with
        the `better` beginning), "url_setting", "unreachable".
        """
        try:
            connecting = self._stores.connect(url, create_tables=create_tables)
            return Outcome(True, text=self._loop.call(connecting, timeout=60.0).name)
        except ValueError:
            return Outcome(False, "not_a_url")
        except StoreUnavailable as error:
            better = asynchronous_scheme(url)
            if reason := {"url_setting": "url_setting", "bad_url": "not_a_url"}.get(error.why):
                return Outcome(False, reason)
            return Outcome(False, "sync_url", {"better": better}) if better else Outcome(False, "unreachable")
        except Exception as error:
            return refusal(error)

    def sessions(self, backend: str) -> list[SessionInfo]:
        """The sessions of a backend, newest first. Empty where the store cannot be read."""
        try:
            if backend == "none":
                found = self._runs.addresses("none")
                return [SessionInfo(address.session_id, at) for address, at in reversed(found)]
            return self._look(backend, lambda: self._stores.sessions(backend))
        except Exception as error:
            refusal(error)
            return []

    def resolve(self, backend: str, typed: str) -> Resolved:
        """Which session a typed id opens, and which existing ids look just like it."""
        return resolve(typed, (info.session_id for info in self.sessions(backend)))

    # Looking

    def look(
        self,
        address: Address,
        *,
        before: str | None = None,
        limit: int = 200,
        turns: int | None = None,
        ahead: int = 0,
    ) -> View:
        """What is stored and going on: the newest `limit` entries (1 to 100,000), or those older than
        entry `before`.

        `turns` is the rule the next message would be sent with (see `send`); it only sets
        `View.sent_from`. With `ahead`, an encrypted session is shown as it would be so many seconds from now.
        Works before the SDK is loaded.
        """
        rule, limit = self._settings.turns if turns is None else turns, min(max(limit, 1), LONGEST_LOOK)
        try:
            return self._look(
                address.backend,
                lambda: looking.look(
                    address,
                    self._stores,
                    self._runs,
                    self._conductor,
                    lambda: self.orders,
                    before=before,
                    limit=limit,
                    turns=rule,
                    ahead=ahead,
                ),
            )
        except Exception as error:
            told = refusal(error)
            stored, sealed = self._counted(address, error)
            return View(
                address,
                replace(looking.EMPTY, total=stored, turns=None),
                ("problem", told.reason),
                run=self.run(address),
                problem=told.reason,
                params=told.params,
                ahead=ahead,
                sealed=sealed,
            )

    def _counted(self, address: Address, error: Exception) -> tuple[int | None, int]:
        """How many items lie where only a key is missing, and how many of them are sealed; None where more
        than that is missing."""
        if not isinstance(error, KeyUnavailable):
            return None, 0
        try:
            return self._look(address.backend, lambda: self._stores.stored(address))
        except Exception as further:
            refusal(further)
            return None, 0

    def revision(self, address: Address) -> Hashable:
        """A value that differs when `look` would show something new. Cheap: ask it every second."""
        try:
            return self._look(
                address.backend,
                lambda: looking.revision(address, self._stores, self._runs, self._conductor.holds),
            )
        except Exception as error:
            return ("problem", refusal(error).reason)

    def run(self, address: Address) -> Run | None:
        """The live run of a session, or the one that ended last since the server started."""
        live = self._runs.at(address)
        return None if live is None else live.seen()

    def waiting(self) -> list[Address]:
        """The sessions on all backends that wait for a person to decide. Empty where that cannot be read."""
        try:
            return [*self._loop.call(self._stores.waiting()), *self._conductor.loose]
        except Exception as error:
            refusal(error)
            return []

    def waiting_count(self) -> int:
        """How many sessions wait for a person to decide."""
        return len(self.waiting())

    # Talking

    def send(
        self,
        address: Address,
        text: str,
        *,
        agent: str | None = None,
        turns: int | None = None,
        language: str | None = None,
    ) -> Outcome:
        """Start a run that answers `text`. Returns when it is accepted or refused, not when it ends.

        `agent` starts with that agent; None lets the desk decide. `turns` is how many of the newest whole
        turns the model is sent besides the new one; None is the desk's rule (50), 0 sends none. `language`
        ("en", "zh-Hans" or "zh-Hant") is what to answer in where the conversation does not tell. A decision
        that waits is closed as superseded.

        Refused, with nothing stored: "empty", "message_too_long", "unknown_agent", "bad_turns", "busy" (a
        run of this desk), "busy_elsewhere" (one of another server), "copying_here" (something is being
        copied to it), "unavailable", "closing", and for a new id the problems that `resolve` names.
        """
        if self._copies.into(address):
            return Outcome(False, "copying_here")
        return self._do(address, lambda: self._conductor.send(address, text, agent, turns, language))

    def stop(self, address: Address) -> Outcome:
        """Ask the live run to stop; what it finished and the words it said so far are kept.

        Refused: "nothing_to_stop".
        """
        return self._do(address, lambda: self._conductor.stop(address))

    def retry(
        self,
        address: Address,
        *,
        agent: str | None = None,
        turns: int | None = None,
        language: str | None = None,
    ) -> Outcome:
        """Take the last answer back, undoably, and ask its question again: one copy of it is stored.

        If the new run fails before anything of it is stored, the old answer is put back. Refused:
        "nothing_to_retry", and whatever `send` refuses.
        """
        return self._do(address, lambda: self._conductor.retry(address, agent, turns, language))

    def take_back(self, address: Address) -> Outcome:
        """Take the last turn back, undoably; `Outcome.text` is its question, for the input box.

        Where there is no memory, and so no undo, the turn is shown until the next one was answered.
        Refused: "nothing_to_take_back", and whatever `apply` refuses.
        """
        if address.backend == "none":
            if self._runs.busy(address):
                return Outcome(False, "busy")
            if (question := self._runs.take_back(address)) is None:
                return Outcome(False, "nothing_to_take_back")
            return Outcome(True, text=question)
        return self._edit(address, editing.take_back)

    def save_again(self, address: Address) -> Outcome:
        """Try once more to store what the last run could not (`Run.saved` is False, error "unsaved").

        `send` does so by itself. Refused: "nothing_to_save", "stale" (something was said since).
        """
        return self._do(address, lambda: self._conductor.save_again(address))

    # Deciding

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
        """Approve or reject one call of a waiting decision; the run goes on at once.

        `note` is the person's word, given to the agent where the call is rejected. Other calls of the same
        decision wait again, under a new `Pause`. Refused: "decision_closed" (answered, superseded or never
        there; nothing happens), "busy", "busy_elsewhere", "unavailable".
        """
        return self._do(
            address, lambda: self._conductor.decide(address, pause_id, call_id, approve, note, language)
        )

    def conclude(self, address: Address, pause_id: int) -> Outcome:
        """Close a decision whose effect is unknown: its call gets a result with what the orders say."""
        return self._do(address, lambda: self._conductor.conclude(address, pause_id))

    # Editing

    def plan(self, address: Address, edit: Edit) -> Preview:
        """Work an edit out without doing it."""
        try:
            return self._look(
                address.backend, lambda: editing.preview(address, self._stores, lambda: self.orders, edit)
            )
        except Exception as error:
            told = refusal(error)
            return Preview(None, reason=told.reason, params=told.params)

    def apply(self, address: Address, plan: Plan) -> Outcome:
        """Do a planned edit. Refused: "stale" (the store moved since), "busy", "busy_elsewhere",
        "effect_unknown" (a decision has to be concluded first)."""
        return self._edit(address, lambda session: editing.apply(session, plan))

    def undo(self, address: Address) -> Outcome:
        """Take the last edit back. Refused: "nothing_to_undo", "undo_refused" (offer a branch), "busy"."""
        return self._edit(address, editing.undo, nothing="nothing_to_undo")

    def redo(self, address: Address) -> Outcome:
        """Do the edit again that was undone last. Refused: "nothing_to_redo", "stale", "busy"."""
        return self._edit(address, editing.redo, nothing="nothing_to_redo")

    def branch(
        self, address: Address, new_id: str, upto: str | None = None, *, before: Change | None = None
    ) -> Outcome:
        """Copy the session up to entry `upto` (None: all of it) under a new id; the original stays.

        With `before`, the session is copied as it was before that change: what an undo that is refused
        would have brought back.

        A decision that waits on a call among what is copied ends, in the original too
        (`Outcome.decision_ended`): ask first. One that waits behind `upto` waits on.

        Refused: "session_not_empty" (there is one of that id), the problems of `resolve`, "entry_gone"; and
        only where a decision would end, "busy", "busy_elsewhere", "effect_unknown".
        """
        known = self.resolve(address.backend, new_id)
        if known.session_id is None:
            return Outcome(False, known.problem, known.params)
        if known.exists:
            return Outcome(False, "session_not_empty", {"session": known.session_id})
        new = known.session_id
        holds = self._conductor.holds
        return self._do(address, lambda: editing.branch(address, self._stores, holds, new, upto, before))

    def purge(self, address: Address) -> Outcome:
        """Erase for good what edits keep of this session. The entries stay. `Outcome.count` rows went.

        What the orders' history says in the words of calls that went is erased too.

        Refused: "nothing_to_purge", "busy", "busy_elsewhere", "unavailable", and "not_erased" where they are
        deleted, but another program keeps their text in the store's files: ask again then.
        """
        return self._edit(
            address,
            lambda session: editing.purge(session, address, lambda: self.orders),
            nothing="nothing_to_purge",
        )

    def delete(self, address: Address) -> Outcome:
        """Erase the session for good: entries, kept copies, and its words in the orders' history."""
        if self._runs.busy(address):
            return Outcome(False, "busy")
        done = self._do(
            address, lambda: editing.delete(address, self._stores, self._conductor.holds, lambda: self.orders)
        )
        if done.ok:
            self._conductor.loose.pop(address, None)
            self._runs.forget(address)
        return done

    # Sealing

    def make_key(self) -> bool:
        """Make an encryption key, in use until the server stops. False where there is one already."""
        return self._stores.keyring.make()

    def unkept_key(self) -> str | None:
        """The key that was made here, until a person said that it is kept elsewhere; never again then."""
        return self._stores.keyring.unkept

    def key_kept(self) -> None:
        """A person has put the key away."""
        self._stores.keyring.unkept = None

    def choose_lifetime(self, address: Address, seconds: int | None) -> Outcome:
        """How long the items of an encrypted session may be read from when each was said; None for ever.

        Nothing is revived that expired by the store's own clock, and nothing is erased. Refused: "busy",
        "unavailable".
        """
        if self._runs.busy(address):
            return Outcome(False, "busy")
        try:
            self._loop.call(self._stores.live_for(address, seconds))
        except OSError:
            return Outcome(False, "unavailable")
        except Exception as error:
            return refusal(error)
        self._runs.changed(address)
        return Outcome(True)

    def encrypt_plain_rows(self, address: Address) -> Outcome:
        """Seal what stands in the open in an encrypted session. `Outcome.count` rows were.

        Refused: "nothing_to_encrypt", "busy", "busy_elsewhere", "unavailable".
        """
        return self._edit(address, editing.encrypt_plain_rows, nothing="nothing_to_encrypt")

    def reencrypt(self, address: Address) -> Outcome:
        """Start to move all that is stored of an encrypted session to the newest key. Returns at once.

        It goes on in the background, whoever looks; `resealing` says how far it is. One that was stopped or
        cut off is gone on with. Refused: "busy", "busy_elsewhere", "not_supported", "unavailable", "closing".
        """
        return self._edit(address, lambda session: self._resealings.start(address, session))

    def resealing(self, address: Address) -> Resealing | None:
        """The move of this session to its newest key that is going on, or ended and was not seen yet."""
        return self._resealings.of(address)

    def forget_resealing(self, address: Address) -> None:
        """A person has seen how the move of this session ended. One that goes on goes on."""
        self._resealings.forget(address)

    def stop_reencrypt(self, address: Address) -> Outcome:
        """Stop the move; what was moved stays moved, and all is read. Refused: "nothing_to_stop"."""
        return self._do(address, lambda: self._resealings.stop(address))

    # Copying

    def copy(self, address: Address, backend: str, new_id: str | None = None) -> Outcome:
        """Start to copy the session to a backend, under the same id or a new one. Returns at once.

        It goes on in the background, whoever looks; `copying` says how far it is. `Outcome.session_id` is
        the id of the copy. An interrupted copy to the same place is gone on with.

        Refused: "same_place", "session_not_empty", "copy_exists" (an id that looks just like it is there),
        "nothing_to_copy", "busy" (a run works there), "busy_elsewhere", "copy_running" (this session is
        being copied, or something else to that place), "not_supported", "unavailable", "closing", and the
        problems of `resolve`.
        """
        known = self.resolve(backend, address.session_id if new_id is None else new_id)
        if known.similar and not known.exists:
            return Outcome(False, "copy_exists", {"session": known.similar[0]})
        if known.session_id is None:
            return Outcome(False, known.problem, known.params)
        target = Address(backend, known.session_id)
        return self._do(None, lambda: self._copies.start(address, target))

    def copying(self, address: Address) -> Copying | None:
        """The copy of this session that is being made, or the one that ended and was not seen yet."""
        return self._copies.of(address)

    def forget_copy(self, address: Address) -> None:
        """A person has seen how the copy of this session ended. One that goes on goes on."""
        self._copies.forget(address)

    def stop_copy(self, address: Address) -> Outcome:
        """Stop the copy of this session; what is there of it stays. Refused: "nothing_to_stop"."""
        return self._do(address, lambda: self._copies.stop(address))

    # How it is done

    def _look(self, backend: str, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Wait for what only looks; not for long where the database does not answer."""
        return self._loop.call(self._stores.look(backend, work))

    def _do(
        self,
        address: Address | None,
        work: Callable[[], Coroutine[Any, Any, Outcome]],
        nothing: str = "nothing_to_do",
    ) -> Outcome:
        """Wait for what may change the session of an address; None where several are concerned."""
        backend = None if address is None else address.backend
        try:
            return self._loop.call(self._stores.act(backend, work), timeout=60.0)
        except Exception as error:
            if isinstance(error, SessionBusy) and error.owner == self._conductor.holds.owner:
                return Outcome(False, "busy")  # what this desk does itself is done by no other server
            return refusal(error, nothing)

    def _edit(self, address: Address, edit: editing.Step, nothing: str = "nothing_to_do") -> Outcome:
        """Let `edit` work on a session that no run of this desk works on."""
        if self._runs.busy(address):
            return Outcome(False, "busy")
        if self._copies.into(address):
            return Outcome(False, "copying_here")
        return self._do(
            address, lambda: editing.on(address, self._stores, self._conductor.holds, edit), nothing
        )


_lock = threading.Lock()
_desk: Desk | None = None


def get_desk() -> Desk:
    """The desk of this process, made by the first caller, and anew by the first after it was closed."""
    global _desk
    with _lock:
        if _desk is None or _desk.closed:
            _desk = Desk()
        return _desk
