"""Everything the memory refuses to do, as one tree.

    MemoryDeskError
      HistoryChanged      the store moved since a plan was made, or since an edit that is to be undone
      SessionBusy         a live run of somebody else holds the session
      LeaseLost           this run no longer holds the session
      EntryNotFound       no such entry in this session
      NothingToDo         the edit, undo or redo has nothing to act on
      UndoRefused         something was appended after the cut: offer a branch instead
      SessionNotEmpty     a branch or a copy would be written over existing items
      NotSupported        this kind of session cannot do that
      DecisionClosed      the waiting decision was answered, superseded or never there
      EffectUnknown       a decision was taken, and what came of it was not stored yet
      WrongKey            the edit would take, or needs, what is sealed under a key that is not here
      KeyUnavailable      no encryption key can be had from where it should come
      StoreUnavailable    the file or database cannot be read or written now; nothing was changed
        NotErased         it was deleted, but the store's files may still hold its text
      HalfDone            an edit stopped in the middle and could not be reversed (foreign sessions only)

Every message is one sentence a person can act on. None of them carries stored text.
"""

from __future__ import annotations


class MemoryDeskError(Exception):
    """The root: one clear sentence, and nothing was changed unless the class says otherwise."""


class HistoryChanged(MemoryDeskError):
    """The stored items are not what the plan was made from. Nothing was changed; plan again."""

    def __init__(
        self,
        sentence: str = "The conversation has changed since this was prepared; look at it again and repeat "
        "the edit.",
    ) -> None:
        super().__init__(sentence)


class SessionBusy(MemoryDeskError):
    """Another run holds the session, so edits, pops and clears wait for it to end. `owner` is its lease's."""

    def __init__(self, message: str = "", owner: str = "") -> None:
        super().__init__(message)
        self.owner = owner


class LeaseLost(MemoryDeskError):
    """The run that asked no longer holds the session; what it wanted to store was not stored."""


class EntryNotFound(MemoryDeskError):
    """The session holds no entry with that id (any more)."""

    def __init__(
        self, sentence: str = "That entry is not in the session any more; look at the list again."
    ) -> None:
        super().__init__(sentence)


class NothingToDo(MemoryDeskError):
    """The edit would change nothing, or there is no edit to undo or redo."""


class UndoRefused(MemoryDeskError):
    """Items were appended after the cut; putting the old ones back would put them out of order."""


class SessionNotEmpty(MemoryDeskError):
    """The session that was to be written already holds items."""


class NotSupported(MemoryDeskError):
    """This kind of session cannot do what was asked."""


class DecisionClosed(MemoryDeskError):
    """The decision was already taken, superseded, or belongs to a history that has changed."""


class EffectUnknown(MemoryDeskError):
    """A decision was taken and its outcome was not stored, so nothing may say that it was not carried out."""

    def __init__(
        self,
        sentence: str = "A decision was taken here and its outcome is not stored; settle it first. "
        "Nothing was changed.",
    ) -> None:
        super().__init__(sentence)


class WrongKey(MemoryDeskError):
    """Something here is sealed under another key, or under another session id. Nothing was changed."""


class KeyUnavailable(MemoryDeskError):
    """The command or callable that should give the encryption key did not."""


class StoreUnavailable(MemoryDeskError):
    """The store cannot be read or written now. Nothing was changed, unless `why` is "unknown".

    `why` names the cause in one word, for whoever tells people in words of their own: "login",
    "no_database", "no_rights", "read_only", "full", "unreachable", "silent", "held", "crowded", "no_table",
    "damaged", "not_a_database", "unopened", "bad_url", "sync_url", "url_setting" or
    "no_driver"; "unknown" where the
    connection broke so late that it may be stored; "" where none of these is known.
    """

    def __init__(self, message: str = "", why: str = "") -> None:
        super().__init__(message)
        self.why = why


class NotErased(StoreUnavailable):
    """What was to go is deleted, but the store's files may still hold its text: erase once more.

    `why` is "encrypted" where nothing was deleted, but encrypted: its old text is what they may hold.
    """


class HalfDone(MemoryDeskError):
    """The edit stopped half way and what was taken could not be put back; its copies are kept."""
