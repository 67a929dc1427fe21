"""The offline model: a deterministic stand-in for a language model, never for memory.

From the items of a call to its answer, each step in a file of its own:

    reading        the items, as turns with what was said and which tools were called
    understanding  a message, as wishes: folded, cut into `clauses`, read by its words (`cues`, `look_cues`,
                   `talk_cues`, `dates`, `conditions`, `yes_or_no`, `places`, `names`, `references`;
                   `asking_back`, `roundabout`, `held_back` and `asked_for` tell a wish from what
                   only sounds like one;
                   `order_ids` by shape and `named_ids` by place, `id_words` being which can be one), its
                   `reasons` given, put together in `assembling`
    recalling      what the conversation holds (`item_names`: what people call what they bought)
    resolving      which orders are meant (`referring`), and which open question is answered (`answering`), or
                   how a message goes on from the turn before (`continuing`)
    steps          what each wish needs next; `judging` its condition
    planning       which calls, handoff or words that comes to
    telling        outcomes in words, `comparing` several orders; `chatting` and `recap` the rest, `phrases`
                   all wording in each language
    model          the SDK's face, `streaming` or not

It knows what it is sent and nothing else: where memory was cut, it has forgotten, and asks.
"""

from __future__ import annotations

from .model import OfflineModel

__all__ = ["OfflineModel"]
