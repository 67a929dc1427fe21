"""The card of a decision: what is to be done and for how much, and the person's answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from memory.items import text_of
from memory.notes import PauseState

from . import actions, icons
from .effects import effect_words
from .text import html, line, parsed
from .words import t, word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from desk.values import View
    from memory.notes import Pause


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
        st.html(_facts(view, tool, arguments, agent))
        st.text_input(t("note"), key=note_key, placeholder=t("note_placeholder"), max_chars=500)
        with st.container(horizontal=True, gap="small", key=f"verdict_{key}"):
            for approve, word_key, icon in ((True, "approve", "check_circle"), (False, "reject", "cancel")):
                st.button(
                    t(word_key),
                    key=f"{word_key}_{key}",
                    icon=icons.material(icon),
                    type="primary" if approve else "secondary",
                    on_click=actions.decide,
                    args=(view.address, pause.id, call_id, approve, note_key),
                )


def _facts(view: View, tool: str, arguments: str, agent: str) -> str:
    given = parsed(arguments)
    given = given if isinstance(given, dict) else {}
    order_id = line(given.get("order_id", ""), 40)
    order = order_facts(view, order_id)
    amount = line(given.get("amount") or order.get("price", ""), 20)
    title = word("ask", tool, "ask_other", order=order_id, tool=line(tool, 60))
    if amount and tool == "refund_order":
        title = t(
            "ask_refund_amount", amount=amount, currency=line(order.get("currency", ""), 8), order=order_id
        )
    rows = [
        (t("item"), order.get("item", "")),
        (t("price"), f"{order.get('price', '')} {order.get('currency', '')}".strip()),
        (
            t("order_status"),
            word("order", str(order.get("status", "")), "order_other") if order.get("status") else "",
        ),
        (t("why"), given.get("reason", "")),
        (t("asked_by"), agent),
    ]
    cells = "".join(
        f"<dt>{html(name)}</dt><dd>{html(line(value, 400))}</dd>" for name, value in rows if value
    )
    return (
        f'<div class="md"><p class="md-title">{icons.symbol("how_to_reg")}<b>{html(t("needs_decision"))}</b></p>'
        f'<p class="md-ask">{html(title)}</p><dl class="md-info">{cells}</dl></div>'
    )


def order_facts(view: View, order_id: str) -> Mapping[str, Any]:
    """What the conversation last learned of an order, from the tools' outputs; {} if it learned nothing."""
    for found in _outputs(view):
        if found.get("order") == order_id and "item" in found:
            return found
    return {}


def _outputs(view: View) -> Iterator[dict[str, Any]]:
    for entry in reversed(view.timeline.entries):
        if entry.item and "output" in entry.item:
            found = parsed(text_of(entry.item))
            if isinstance(found, dict):
                yield found


def _unknown(view: View, pause: Pause) -> None:
    with st.container(border=True, key=f"unknown_{pause.id}", gap="small"):
        said = [effect_words(view.effects[call[0]]) for call in pause.calls if call[0] in view.effects]
        orders = t("orders_say", effects=" ".join(said)) if said else t("orders_say_nothing")
        st.html(
            f'<div class="md"><p class="md-title">{icons.symbol("help")}<b>{html(t("effect_unknown"))}</b></p>'
            f"<p>{html(t('effect_unknown_why'))}</p><p>{html(orders)}</p></div>"
        )
        st.button(
            t("conclude"),
            key=f"conclude_{pause.id}",
            icon=icons.material("task_alt"),
            type="primary",
            on_click=actions.conclude,
            args=(view.address, pause.id),
        )
