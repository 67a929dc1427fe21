"""Session memory that can be seen, steered and trusted: the SDK's contract with a timeline and a way back.

    session = SQLiteSession("ticket_456", "conversations.db")       # the SDK's class by name and rows
    await Runner.run(agent, "Where is my order A100?", session=session)

    timeline = await session.timeline()                              # what is stored, entry by entry
    plan = await session.plan(RollBack(to=timeline.entries[1].id))   # what an edit would do
    change = await session.apply(plan)                               # do it
    await session.undo()                                             # take it back

Any other object that follows the SDK's protocol is looked into with `inspect(session)`.
"""

from __future__ import annotations

from .codec import Codec, PlainCodec
from .contract import SessionABC
from .copybook import CopiesInMemory, CopyBook, FileCopies
from .copying import Receipt, copy
from .edits import Change, Clear, Edit, Plan, Remove, Repair, Replace, RollBack, Taken, Truncate
from .entries import Entry, Item, Kind, Revision, State, Timeline
from .errors import (
    DecisionClosed,
    EntryNotFound,
    HalfDone,
    HistoryChanged,
    LeaseLost,
    MemoryDeskError,
    NothingToDo,
    NotSupported,
    SessionBusy,
    SessionNotEmpty,
    StoreUnavailable,
    UndoRefused,
)
from .foreign import ForeignSession, inspect
from .inspectable import InspectableSession
from .items import text_of
from .notes import Lease, Note, Pause, PauseState
from .sqlite_database import SQLiteDatabase
from .sqlite_session import SQLiteSession, sessions_in, waiting_in
from .table_session import TableSession
from .tables import Tables

__all__ = [
    "Change",
    "Clear",
    "Codec",
    "CopiesInMemory",
    "CopyBook",
    "DecisionClosed",
    "Edit",
    "Entry",
    "EntryNotFound",
    "FileCopies",
    "ForeignSession",
    "HalfDone",
    "HistoryChanged",
    "InspectableSession",
    "Item",
    "Kind",
    "Lease",
    "LeaseLost",
    "MemoryDeskError",
    "NotSupported",
    "Note",
    "NothingToDo",
    "Pause",
    "PauseState",
    "PlainCodec",
    "Plan",
    "Receipt",
    "Remove",
    "Repair",
    "Replace",
    "Revision",
    "RollBack",
    "SQLiteDatabase",
    "SQLiteSession",
    "SessionABC",
    "SessionBusy",
    "SessionNotEmpty",
    "State",
    "StoreUnavailable",
    "TableSession",
    "Tables",
    "Taken",
    "Timeline",
    "Truncate",
    "UndoRefused",
    "copy",
    "inspect",
    "sessions_in",
    "text_of",
    "waiting_in",
]
