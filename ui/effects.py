"""What a tool call did in the orders, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .words import sentences, t, word

if TYPE_CHECKING:
    from desk.effects import Effect


def effect_words(effect: Effect) -> str:
    """One sentence, as plain text: what was done to which order."""
    values = {str(name): value for name, value in effect.detail.items()}
    kind: str = effect.kind
    if kind == "delivery":
        delivery = values.get("delivery")
        kind = "pickup" if isinstance(delivery, dict) and delivery.get("to") == "pickup" else "address"
    values |= {"order": effect.order_id}
    text = word("effect", kind, "effect_other", **values)
    return text if effect.current else sentences((text, t("effect_restored")))
