"""Conversations to try: each shows one thing memory does, step by step, naming what to look for.

A scenario is data. Its lines are keys of the catalogue, so that they are said in the language of the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from . import actions, state
from .icons import material, symbol
from .markup import show, title
from .text import html, label
from .words import t

if TYPE_CHECKING:
    from desk.values import Address


@dataclass(frozen=True, slots=True)
class Step:
    """A line to send (`says`), or something to do by hand where it is None.

    `see` is what to look for when it is done; `turns` how many turns are to be sent with it.
    """

    see: str
    says: str | None = None
    turns: int | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """One chip on an empty session."""

    title: str
    icon: str
    steps: tuple[Step, ...]


SCENARIOS: dict[str, Scenario] = {
    "follow_up": Scenario(
        "follow_up_title",
        "local_shipping",
        (
            Step("follow_up_see_1", "follow_up_say_1"),
            Step("follow_up_see_2", "follow_up_say_2"),
            Step("follow_up_see_3"),
        ),
    ),
    "small_refund": Scenario(
        "small_refund_title",
        "payments",
        (Step("small_refund_see_1", "small_refund_say_1"), Step("small_refund_see_2", "small_refund_say_2")),
    ),
    "large_refund": Scenario(
        "large_refund_title",
        "how_to_reg",
        (Step("large_refund_see_1", "large_refund_say_1"), Step("large_refund_see_2", "large_refund_say_2")),
    ),
    "told_you": Scenario(
        "told_you_title",
        "hourglass_bottom",
        (
            Step("told_you_see_1", "told_you_say_1"),
            Step("told_you_see_2", "told_you_say_2"),
            Step("told_you_see_3", "told_you_say_3", turns=1),
            Step("told_you_see_4", "told_you_say_3", turns=state.DEFAULT_TURNS),
        ),
    ),
    "wrong_order": Scenario(
        "wrong_order_title",
        "undo",
        (
            Step("wrong_order_see_1", "wrong_order_say_1"),
            Step("wrong_order_see_2", "wrong_order_say_2"),
            Step("wrong_order_see_3", "wrong_order_say_3"),
        ),
    ),
}


def chips(address: Address) -> None:
    """Offer them all, on an empty session."""
    with st.container(key="scenarios", gap="small"):
        show(f"{symbol('forum')}<h2>{html(t('welcome'))}</h2><p>{html(t('welcome_how'))}</p>", "md-welcome")
        with st.container(horizontal=True, horizontal_alignment="center", gap="small", key="chips"):
            for key, scenario in SCENARIOS.items():
                st.button(
                    t(scenario.title),
                    key=f"scenario_{key}",
                    icon=material(scenario.icon),
                    on_click=_go,
                    args=(address, key, 0),
                )


def guide(address: Address) -> None:
    """While a scenario runs: what to look for, and what comes next."""
    running = st.session_state.get("scenario")
    if not running or running[0] not in SCENARIOS:
        return
    key, done = running
    steps = SCENARIOS[key].steps
    with st.container(border=True, key="guide", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="guide_head"):
            name = t("guide_title", title=t(SCENARIOS[key].title), done=done, steps=len(steps))
            show(title("school", name))
            st.button(
                t("close"),
                key="guide_close",
                icon=material("close"),
                type="tertiary",
                on_click=_end,
                help=t("close"),
            )
        if done:
            show(f"<p>{html(t(steps[done - 1].see))}</p>")
        if done < len(steps):
            _next(address, key, done, steps[done])


def _next(address: Address, key: str, done: int, step: Step) -> None:
    if step.says is None:
        words, icon = t("guide_show"), "arrow_forward"
    elif step.turns is None:
        words, icon = t("guide_send", text=label(t(step.says), 120)), "send"
    else:
        words, icon = t("guide_send_with", text=label(t(step.says), 120), n=step.turns), "send"
    st.button(words, key="guide_next", icon=material(icon), on_click=_go, args=(address, key, done))


def _go(address: Address, key: str, index: int) -> None:
    step = SCENARIOS[key].steps[index]
    if step.turns is not None:
        st.session_state.turns = step.turns
    if step.says is None or actions.send(address, t(step.says)):
        st.session_state.scenario = (key, index + 1)


def _end() -> None:
    st.session_state.pop("scenario", None)
