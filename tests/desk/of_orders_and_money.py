"""Kinds about money and about the names of orders, in many words: see `other_wordings`."""

from __future__ import annotations

from .other_wordings import EN, HANS, HANT, Case, case
from .written_before import Fact, Row

_ASKS: Fact = ("?", "？")
_NONE_MADE: Fact = ("No refund", "没有办过退款", "沒有辦過退款")


def _said(
    language: str,
    before: tuple[str, ...],
    *lines: str,
    does: tuple[Row, ...] = (),
    says: tuple[Fact, ...] = (),
) -> tuple[Case, ...]:
    """One case for each line, each said after the lines `before`."""
    return tuple(case(language, *before, line, does=does, says=says) for line in lines)


MONEY_OF_WHAT_WAS_CANCELLED = (
    *_said(
        EN,
        ("Cancel R763",),
        "When do I get my money back?",
        "what about my money",
        "and the refund?",
        "will I be refunded?",
        "did you refund it?",
        "where is my refund",
        says=("R763", _NONE_MADE, _ASKS),
    ),
    *_said(
        HANS,
        ("请取消 R763",),
        "那退款呢？",
        "钱什么时候退",
        "钱呢",
        "退款到账了吗",
        "那我的钱怎么退",
        "钱退了吗？",
        says=("R763", _NONE_MADE, _ASKS),
    ),
    *_said(
        HANT,
        ("請取消 R763",),
        "那退款呢？",
        "會退錢嗎",
        "退款什麼時候會到",
        "我的錢呢？",
        "錢會退回來嗎",
        "那錢咧",
        says=("R763", _NONE_MADE, _ASKS),
    ),
    *_said(EN, ("Cancel R763", "what about my money"), "yes please", says=("person",)),
    *_said(HANS, ("取消R763", "那退款呢？"), "好的", says=("工单",)),
    *_said(EN, ("Change A100 to pickup",), "is it cancelled?", says=("not cancelled",)),
    *_said(HANS, ("A100改自提",), "退款了吗", says=(_NONE_MADE,)),
    *_said(EN, ("Refund E512",), "when do I get my money back?", says=("18.00",)),
    *_said(EN, ("Refund E512", "Cancel R763"), "what about the refund?", says=("18.00", _NONE_MADE)),
)

OF_ORDERS_AND_MONEY = {
    "money of what was cancelled": MONEY_OF_WHAT_WAS_CANCELLED,
}
