"""The chips on an empty session, and the guide through the conversation that one of them started."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memory import MemoryDeskError

from . import actions, state
from .desk_access import desk
from .happened import Happened
from .icons import material, symbol
from .markup import dim, show, title
from .scenarios import SCENARIOS, Step
from .text import html, label
from .words import listed, t

if TYPE_CHECKING:
    from desk.values import Address, View


def chips(address: Address) -> None:
    """Offer every scenario, and the samples back where their orders were changed."""
    how = t("welcome_how_unstored") if address.backend == "none" else t("welcome_how")
    with st.container(key="scenarios", gap="small"):
        show(f"{symbol('forum')}<h2>{html(t('welcome'))}</h2><p>{html(how)}</p>", "md-welcome")
        with st.container(horizontal=True, horizontal_alignment="center", gap="small", key="chips"):
            for key, scenario in SCENARIOS.items():
                st.button(
                    t(scenario.title),
                    key=f"scenario_{key}",
                    icon=material(scenario.icon),
                    on_click=_go,
                    args=(address, key, 0),
                )
        _restore(order for scenario in SCENARIOS.values() for order in scenario.orders)


def draw(view: View) -> None:
    """While a scenario is followed: what is to be seen in the chat, and what comes next."""
    now = Happened.seen(view)
    following = _following()
    if following is None or not now.turns or view.effect_unknown:  # what is not known is told by its card
        return
    key, done = following
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
                args=(view.address,),
                help=t("close"),
            )
        if view.waiting is not None:
            show(f"<p>{html(t(steps[done - 1].waits))}</p>")
            return
        as_told = _told(view.address, now, steps, done)
        if not as_told:
            _restore(SCENARIOS[key].orders)
        if done < len(steps) and steps[done].ready(now):
            _next(view.address, key, done, steps[done])
        elif done == len(steps) or not as_told:
            _again(key)


def _told(address: Address, now: Happened, steps: Sequence[Step], done: int) -> bool:
    """Say what is to be seen. Whether it went as the scenario tells it."""
    step, after = steps[done - 1], steps[done] if done < len(steps) else None
    if address.backend == "none":
        words, as_told = t("guide_no_memory"), True
    elif after is not None and after.go_on and after.ready(now):
        words, as_told = t(after.go_on), True
    else:
        as_told = step.says is None or (now.ago(step.says) == 0 and step.happened(now))
        words = t(step.see) if as_told else t("guide_otherwise")
    show(f"<p>{html(words)}</p>")
    return as_told


def _restore(orders: Iterable[str]) -> None:
    """Name those of the orders that are not as at the start, and offer the samples back."""
    changed = [order for order in dict.fromkeys(orders) if _changed(order)]
    if not changed:
        return
    with st.container(
        horizontal=True,
        horizontal_alignment="center",
        vertical_alignment="center",
        gap="small",
        key="restore_row",
    ):
        show(dim(t("orders_changed", orders=listed(changed))), width="content")
        st.button(
            t("restore_samples"),
            key="restore_first",
            icon=material("restart_alt"),
            on_click=actions.restore_samples,
            help=t("restore_samples_help"),
        )


def _changed(order: str) -> bool:
    """Whether an order is no longer as the samples have it."""
    try:
        history = desk().orders.history(order)
    except (MemoryDeskError, ValueError):
        return False
    done = [effect.kind for effect in history if effect.current and effect.kind != "summary"]
    return bool(done) and done[-1] != "delivery_undone"


def _next(address: Address, key: str, done: int, step: Step) -> None:
    if step.says is None:
        words, icon = t("guide_show"), "arrow_forward"
    elif step.turns is None:
        words, icon = t("guide_send", text=label(t(step.says), 120)), "send"
    else:
        words, icon = t("guide_send_with", text=label(t(step.says), 120), n=step.turns), "send"
    st.button(words, key="guide_next", icon=material(icon), on_click=_go, args=(address, key, done))


def _again(key: str) -> None:
    """Offer the scenario from its start, in a session of its own: this one holds what was said."""
    st.button(t("guide_again"), key="guide_again", icon=material("replay"), on_click=_anew, args=(key,))


def _following() -> tuple[str, int] | None:
    """The scenario that is followed here, and how many of its steps are done.

    Only who picked one follows it: its lines are said by others too, and in other languages.
    """
    step = state.following()
    known = step is not None and step[0] in SCENARIOS and 0 < step[1] <= len(SCENARIOS[step[0]].steps)
    return step if known else None


def _go(address: Address, key: str, index: int) -> None:
    scenario = SCENARIOS[key]
    step = scenario.steps[index]
    if index == 0 and scenario.lifetime is not None:
        address = _sealed(address, scenario.lifetime)
    if step.turns is not None:
        st.session_state.turns = step.turns

    def follow() -> None:
        state.follow(address, (key, index + 1))

    if step.says is None:
        follow()
    else:
        actions.send(address, t(step.says), accepted=follow)


def _anew(key: str) -> None:
    state.follow(state.address(), None)
    state.go(session_id=state.proposed_id())
    _go(state.address(), key, 0)


def _sealed(address: Address, lifetime: int) -> Address:
    """A session in which what is said is encrypted and may be read for so long."""
    if not any(known.name == address.backend and known.encrypted for known in desk().backends()):
        state.go(backend="encrypted", session_id=state.proposed_id())
        address = state.address()
    if desk().look(address, limit=1).problem == "no_key":
        actions.make_key()
    actions.choose_lifetime(address, lifetime)
    return address


def _end(address: Address) -> None:
    state.follow(address, None)
