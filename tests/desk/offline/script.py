"""Dialogues as data: what a person types line by line, and what must come of it.

A line is judged by effect: which tools were called with which arguments, what changed in the orders, who
answered in which language, and which facts the answer holds. Wording is never compared.

`leans` says how a line leans on memory. None: it stands alone, and must hold with no session at all. A tuple
names the earlier lines (from 1) it cannot do without; with any of them removed, or with no session, the
answer must be an honest question instead. An empty tuple: memory is needed, but more than one earlier line
holds what is needed, so that no single removal makes it forget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol


class Orders(Protocol):
    """What a fact may ask of the orders."""

    def get(self, order_id: str) -> Any: ...


Fact = str | Callable[[Orders], Iterable[str]]  # a text the answer holds; or texts of which it holds one


@dataclass(frozen=True)
class Call:
    """A tool call that must be made, with at least these arguments."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Line:
    """One message and its effects. `calls` are exactly the calls that may change something."""

    says: str
    calls: tuple[Call, ...] = ()
    looks: tuple[str, ...] = ()  # orders that are looked up or tracked, at least
    facts: tuple[Fact, ...] = ()
    never: tuple[str, ...] = ()  # texts the answer must not hold
    after: dict[str, str] = field(default_factory=dict)  # order -> "pickup", an address, or a status
    asks: bool = False  # the answer ends in a question back
    silent: bool = False  # no tool at all is called
    waits: bool = False  # a person has to decide before it goes on
    verdict: str | None = None  # "approve", or the note of a rejection; None leaves it open
    by: str | None = None  # who gives the last answer
    through: tuple[str, ...] = ()  # agents that took part
    agent: str = "Triage"  # who is addressed
    leans: tuple[int, ...] | None = None
    poorer: tuple[
        int, ...
    ] = ()  # earlier lines without which the answer holds less, and need not hold the facts
    after_lines: bool = False  # the orders have to be as the earlier lines left them
    language: str | None = None  # of the answer, where it is not the dialogue's; "zh" is either script


@dataclass(frozen=True)
class Dialogue:
    name: str
    language: str
    lines: tuple[Line, ...]

    def __str__(self) -> str:
        return self.name


# Calls


def pickup(order: str, point: str | None = None) -> Call:
    return Call("deliver_to_pickup", {"order_id": order} | ({"pickup_point": point} if point else {}))


def address(order: str, typed: str) -> Call:
    return Call("deliver_to_address", {"order_id": order, "address": typed})


def undo(order: str) -> Call:
    return Call("undo_delivery_change", {"order_id": order})


def refund(order: str, **more: str) -> Call:
    return Call("refund_order", {"order_id": order, **more})


def cancel(order: str) -> Call:
    return Call("cancel_order", {"order_id": order})


def ticket(*orders: str) -> Call:
    return Call("write_ticket_summary", {"order_ids": list(orders)})


# Facts


def day(order: str, name: str) -> Fact:
    """The date `name` ("ships_on" ...) of an order, in any usual form."""

    def forms(orders: Orders) -> tuple[str, ...]:
        when: date = orders.get(order).dates[name]
        month = when.strftime("%B")  # the tests run in the C locale: English names
        return (
            when.isoformat(),
            f"{when.day} {month}",
            f"{month} {when.day}",
            f"{when.month}月{when.day}日",
        )

    return forms


def one_of(*texts: str) -> Fact:
    return lambda orders: texts
