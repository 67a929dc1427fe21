"""Conversations to try: each shows one thing memory does, step by step, naming what to look for.

A scenario is data. Its lines are keys of the catalogue, so that they are said in the language of the page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import state
from .happened import Happened

Check = Callable[[Happened], bool]


@dataclass(frozen=True, slots=True)
class Step:
    """A line to send (`says`), or something to do by hand where it is None.

    `see` is what to look for when it is done, said where it `happened`; `waits` is said while a decision
    waits there; `turns` how many turns are to be sent with it. Where a person has to do something first,
    `ready` says whether it was done, and `go_on` is said then in the place of what was to be seen before.
    """

    see: str
    says: str | None = None
    waits: str = "guide_waits"
    turns: int | None = None
    happened: Check = lambda now: True
    ready: Check = lambda now: True
    go_on: str | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """One chip on an empty session, and the orders it is about.

    One that is about encryption says for how many seconds its items may be read: it is held on the encrypted
    backend, under a key that is made if there is none.
    """

    title: str
    icon: str
    orders: tuple[str, ...]
    steps: tuple[Step, ...]
    lifetime: int | None = None


SCENARIOS: dict[str, Scenario] = {
    "follow_up": Scenario(
        "follow_up_title",
        "local_shipping",
        ("A100",),
        (
            Step("follow_up_see_1", "follow_up_say_1", happened=lambda now: now.looked_up("A100")),
            Step(
                "follow_up_see_2",
                "follow_up_say_2",
                happened=lambda now: now.did("deliver_to_pickup", "A100"),
            ),
            Step("follow_up_see_3"),
        ),
    ),
    "small_refund": Scenario(
        "small_refund_title",
        "payments",
        ("E512",),
        (
            Step(
                "small_refund_see_1",
                "small_refund_say_1",
                happened=lambda now: now.did("refund_order", "E512") and now.handed_to("Approval"),
            ),
            Step(
                "small_refund_see_2",
                "small_refund_say_2",
                happened=lambda now: now.did("write_ticket_summary") and now.handed_to("Summary"),
            ),
        ),
    ),
    "large_refund": Scenario(
        "large_refund_title",
        "how_to_reg",
        ("C310",),
        (
            Step(
                "large_refund_see_1",
                "large_refund_say_1",
                waits="large_refund_waits",
                happened=lambda now: now.code("refund_order", "C310") in ("", "declined"),
            ),
            Step(
                "large_refund_see_2",
                "large_refund_say_2",
                happened=lambda now: (
                    now.concerned("C310") and now.code("refund_order") in (None, "already_refunded")
                ),
            ),
        ),
    ),
    "told_you": Scenario(
        "told_you_title",
        "hourglass_bottom",
        (),
        (
            Step("told_you_see_1", "told_you_say_1"),
            Step("told_you_see_2", "told_you_say_2"),
            Step(
                "told_you_see_3",
                "told_you_say_3",
                turns=1,
                happened=lambda now: (
                    (now.ago("told_you_say_1") or 0) > 1 and not now.answered_with("told_you_name")
                ),
            ),
            Step(
                "told_you_see_4",
                "told_you_say_3",
                turns=state.DEFAULT_TURNS,
                happened=lambda now: now.asked("told_you_say_1") and now.answered_with("told_you_name"),
            ),
        ),
    ),
    "wrong_order": Scenario(
        "wrong_order_title",
        "undo",
        ("A100", "B205"),
        (
            Step("wrong_order_see_1", "wrong_order_say_1", happened=lambda now: now.looked_up("A100")),
            Step(
                "wrong_order_see_2",
                "wrong_order_say_2",
                happened=lambda now: now.did("deliver_to_pickup", "B205"),
            ),
            Step(
                "wrong_order_see_3",
                "wrong_order_say_3",
                happened=lambda now: (
                    now.did("deliver_to_pickup", "A100") and not now.asked("wrong_order_say_2")
                ),
                ready=lambda now: not now.asked("wrong_order_say_2"),
                go_on="wrong_order_go_on",
            ),
        ),
    ),
    "sealed": Scenario(
        "sealed_title",
        "lock_clock",
        (),
        (
            Step("sealed_see_1", "sealed_say_1", happened=lambda now: now.answered_with("told_you_name")),
            Step(
                "sealed_see_2",
                "told_you_say_3",
                happened=lambda now: now.answered_with("told_you_name"),
            ),
            Step(
                "sealed_see_3",
                "told_you_say_3",
                happened=lambda now: not now.answered_with("told_you_name"),
                ready=lambda now: now.all_expired,
                go_on="sealed_go_on",
            ),
        ),
        lifetime=60,
    ),
}
