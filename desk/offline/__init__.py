"""The offline model: a deterministic stand-in for a language model, never for memory.

From the items of a call to its answer, each step in a file of its own:

    reading        the items, as turns with what was said and which tools were called
    understanding  a message, as wishes (cut into `clauses`, read by `cues`, put together in `assembling`)
    recalling      what the conversation holds
    resolving      which orders are meant, and which open question is answered
    steps          what each wish needs next
    planning       which calls, handoff or words that comes to
    phrases        the words, in three languages
    model          the SDK's face, streaming or not

It knows what it is sent and nothing else: where memory was cut, it has forgotten, and asks.
"""

from __future__ import annotations

from .model import OfflineModel

__all__ = ["OfflineModel"]
