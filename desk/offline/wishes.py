"""What a message wants, as values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from .conditions import Condition
from .language import Language
from .references import NOTHING, Reference

Kind = Literal[
    # about orders
    "look", "pickup", "address", "delivery", "undo", "refund", "cancel", "trouble", "absent",
    "reschedule",
    # about the ticket
    "summary", "recap", "done?", "next?", "why?", "again",
    # about what was said
    "name", "name?", "first?", "last?", "asked?", "answered?", "requested?", "reason?", "mine",
    "mine?", "orders?",
    # the rest
    "hello", "thanks", "bye", "agree", "noted", "decline", "drop", "abuse",
    "who?", "help?", "policy?", "points?", "person", "unclear",
]  # fmt: skip

Focus = Literal["", "date", "price", "item", "delivery", "track"]  # what a look-up is after
Across = Literal["", "total", "dearer", "cheaper", "sooner", "later"]  # what is asked of several together

CHANGES: frozenset[Kind] = frozenset({"pickup", "address", "delivery", "undo", "refund", "cancel"})
TROUBLES: frozenset[Kind] = frozenset({"trouble", "absent"})  # told of an order: broken; never arrived
ASKING: frozenset[Kind] = frozenset({"look", "absent", "done?"})  # how an order stands
ABOUT_ORDERS: frozenset[Kind] = CHANGES | TROUBLES | {"look", "reschedule"}

SMALL_TALK: frozenset[Kind] = frozenset(
    {"hello", "thanks", "bye", "agree", "noted", "decline", "drop", "abuse"}
)

Missing = Literal[
    "", "order", "place", "amount", "condition", "consent", "wish"
]  # what the desk has to ask for


@dataclass(frozen=True)
class Wish:
    """One thing a message wants.

    `about` is how it speaks of orders, `orders` which ones those are (after resolving). `place` is an
    address or a pickup point, `amount` a sum ("20.00"), a share ("50%") or "" for all. `tentative` asks
    whether it could be done. `missing` is what has to be asked before it can be, with `choices` to offer.

    "undo" has in `matter` the kind of change it names, where it names one. "requested?" asks for earlier
    requests of the kinds in `matter`; where they are only `stated`, nothing was asked, and what else the
    message wants is answered instead.
    """

    kind: Kind
    about: Reference = NOTHING
    orders: tuple[str, ...] = ()
    focus: Focus = ""
    across: Across = ""
    place: str = ""
    amount: str = ""
    reason: str = ""
    condition: Condition | None = None
    tentative: bool = False
    matter: frozenset[Kind] = frozenset()
    stated: bool = False
    missing: Missing = ""
    choices: tuple[str, ...] = ()

    def but(self, **changes: object) -> Wish:
        """The same wish with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Message:
    """A message understood. `bare` is the reference of one that names orders and wants nothing by itself.
    `orders` are all orders it names, in order.

    `asks`: it ends in a question. `follows`: it goes on from the message before ("and B205?"); `too`: it
    wants the same again for another; `corrects`: it takes an order back for another. `pasted`: lines of it
    are a log or a letter, not said to the desk. `beside` is what it says besides its wishes, as typed.
    """

    typed: str
    language: Language | None
    wishes: tuple[Wish, ...]
    bare: Reference | None = None
    orders: tuple[str, ...] = ()
    asks: bool = False
    follows: bool = False
    too: bool = False
    corrects: bool = False
    pasted: bool = False
    beside: str = ""

    def wants(self, *kinds: Kind) -> bool:
        return any(wish.kind in kinds for wish in self.wishes)
