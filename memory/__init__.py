"""Session memory that can be seen, steered and trusted: the SDK's contract with a timeline and a way back.

    session = SQLiteSession("ticket_456", "conversations.db")       # the SDK's class by name and rows
    await Runner.run(agent, "Where is my order A100?", session=session)

    timeline = await session.timeline()                              # what is stored, entry by entry
    plan = await session.plan(RollBack(to=timeline.entries[1].id))   # what an edit would do
    change = await session.apply(plan)                               # do it
    await session.undo()                                             # take it back

`SQLAlchemySession` is the same in any database, `EncryptedSession` around either with a key. Any other object
that follows the SDK's protocol is looked into with `inspect(session)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .codec import Codec, PlainCodec
from .contract import SessionABC
from .copybook import CopiesInMemory, CopyBook, FileCopies
from .copying import Receipt, copy
from .edits import Change, Clear, Edit, Plan, Remove, Repair, Replace, RollBack, Taken, Truncate
from .encrypted_session import EncryptedSession
from .entries import Entry, Item, Kind, Revision, State, Timeline, Unread
from .envelope import Part, describe
from .errors import (
    DecisionClosed,
    EffectUnknown,
    EntryNotFound,
    HalfDone,
    HistoryChanged,
    KeyUnavailable,
    LeaseLost,
    MemoryDeskError,
    NotErased,
    NothingToDo,
    NotSupported,
    SessionBusy,
    SessionNotEmpty,
    StoreUnavailable,
    UndoRefused,
    WrongKey,
)
from .foreign import ForeignSession, inspect
from .inspectable import InspectableSession
from .items import text_of
from .keys import Keys, keys_from, new_key
from .notes import Lease, Note, Pause, PauseState
from .resealing import Resealed
from .sqlite_database import SQLiteDatabase
from .sqlite_session import SQLiteSession, sessions_in, waiting_in
from .table_session import TableSession
from .tables import Tables

if TYPE_CHECKING:
    from agents.memory import SessionSettings

    from .sqlalchemy_session import SQLAlchemySession

__all__ = [
    "Change",
    "Clear",
    "Codec",
    "CopiesInMemory",
    "CopyBook",
    "DecisionClosed",
    "Edit",
    "EffectUnknown",
    "EncryptedSession",
    "Entry",
    "EntryNotFound",
    "FileCopies",
    "ForeignSession",
    "HalfDone",
    "HistoryChanged",
    "InspectableSession",
    "Item",
    "KeyUnavailable",
    "Keys",
    "Kind",
    "Lease",
    "LeaseLost",
    "MemoryDeskError",
    "NotErased",
    "NotSupported",
    "Note",
    "NothingToDo",
    "Part",
    "Pause",
    "PauseState",
    "PlainCodec",
    "Plan",
    "Receipt",
    "Remove",
    "Repair",
    "Replace",
    "Resealed",
    "Revision",
    "RollBack",
    "SQLAlchemySession",
    "SQLiteDatabase",
    "SQLiteSession",
    "SessionABC",
    "SessionBusy",
    "SessionNotEmpty",
    "SessionSettings",
    "State",
    "StoreUnavailable",
    "TableSession",
    "Tables",
    "Taken",
    "Timeline",
    "Truncate",
    "UndoRefused",
    "Unread",
    "WrongKey",
    "copy",
    "describe",
    "inspect",
    "keys_from",
    "new_key",
    "sessions_in",
    "text_of",
    "waiting_in",
]


def __getattr__(name: str) -> Any:
    """SQLAlchemy and the SDK take a moment to load: only who asks for what needs them pays for it."""
    if name == "SessionSettings":
        from .contract import session_settings_class

        return session_settings_class()
    if name == "SQLAlchemySession":
        from .sqlalchemy_session import SQLAlchemySession

        return SQLAlchemySession
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
