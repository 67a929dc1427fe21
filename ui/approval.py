"""The card of a decision: what is to be done and for how much, and the person's answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memory import MemoryDeskError, PauseState

from . import actions
from .desk_access import desk
from .effects import effect_words
from .icons import material
from .markup import dim, facts, show, title
from .naming import agent_words
from .text import html, line, parsed
from .words import language, sentences, t, word

if TYPE_CHECKING:
    from desk.order import Order
    from desk.values import View
    from memory import Pause


def draw(view: View) -> None:
    """Draw a card for each call that still needs an answer, or the one for an effect that is unknown."""
    pause = view.waiting
    if pause is None:
        return
    if view.effect_unknown:
        _unknown(view, pause)
        return
    for call in pause.calls:
        if call[0] not in pause.verdicts and pause.status is PauseState.PENDING:
            _card(view, pause, *call)


def _card(view: View, pause: Pause, call_id: str, tool: str, arguments: str, agent: str) -> None:
    key = f"{pause.id}_{call_id}"
    note_key = f"note_{key}"
    with st.container(border=True, key=f"approval_{key}", gap="small"):
        show(_asked(tool, arguments, agent))
        st.text_input(t("note"), key=note_key, placeholder=t("note_placeholder"), max_chars=500)
        with st.container(horizontal=True, gap="small", key=f"verdict_{key}"):
            for approve, verdict, icon in ((True, "approve", "check_circle"), (False, "reject", "cancel")):
                st.button(
                    t(verdict),
                    key=f"{verdict}_{key}",
                    icon=material(icon),
                    type="primary" if approve else "secondary",
                    on_click=actions.decide,
                    args=(view.address, pause.id, call_id, approve, note_key),
                )
        show(dim(t("decision_hint")))


def _asked(tool: str, arguments: str, agent: str) -> str:
    """What is asked, from the call's arguments and from the order as it stands now."""
    given = parsed(arguments)
    given = given if isinstance(given, dict) else {}
    order_id = line(given.get("order_id", ""), 40)
    order = _order(order_id)
    amount = line(given.get("amount") or (order.price if order else ""), 20)
    currency = order.currency if order else ""
    asks = word("ask", tool, "ask_other", order=order_id, tool=line(tool, 60))
    if amount and tool == "refund_order":
        asks = t("ask_refund_amount", amount=amount, currency=currency, order=order_id)
    rows = [(t("why"), str(given.get("reason", ""))), (t("asked_by"), agent_words(agent))]
    if order is not None:
        rows = [
            (t("item"), order.names.get(language(), order.item)),
            (t("price"), f"{order.price} {order.currency}"),
            (t("order_status"), word("order", order.status, "order_other")),
            *rows,
        ]
    return title("how_to_reg", t("needs_decision")) + f'<p class="md-ask">{html(asks)}</p>' + facts(rows)


def _order(order_id: str) -> Order | None:
    """The order as it stands now, None where there is none or the orders cannot be read."""
    try:
        return desk().orders.get(order_id)
    except (MemoryDeskError, ValueError):
        return None


def _unknown(view: View, pause: Pause) -> None:
    with st.container(border=True, key=f"unknown_{pause.id}", gap="small"):
        did = [effect_words(view.effects[call[0]]) for call in pause.calls if call[0] in view.effects]
        orders = t("orders_say", effects=sentences(did)) if did else t("orders_say_nothing")
        show(
            title("help", t("effect_unknown"))
            + f"<p>{html(t('effect_unknown_why'))}</p><p>{html(orders)}</p>"
        )
        st.button(
            t("conclude"),
            key=f"conclude_{pause.id}",
            icon=material("task_alt"),
            type="primary",
            on_click=actions.conclude,
            args=(view.address, pause.id),
        )
