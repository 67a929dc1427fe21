"""Sentences that give an order a name of letters alone, and sentences in which such a word is no name."""

from __future__ import annotations

LETTERS_EN = (
    ("Cancel order ABCD", "ABCD"),
    ("Cancel order WXYZ please", "WXYZ"),
    ("cancel my order QWERTY", "QWERTY"),
    ("refund order xyz", "XYZ"),
    ("cancel order abcd", "ABCD"),
    ("where is order ABCD?", "ABCD"),
    ("change order KLMN to pickup", "KLMN"),
    ("CANCEL ORDER ABCD", "ABCD"),
    ("cancel ABCD", "ABCD"),
    ("refund XQZ please", "XQZ"),
)
LETTERS_ZH_HANS = (
    ("取消订单 ABCD", "ABCD"),
    ("取消订单ABCD", "ABCD"),
    ("订单 ABCD 退款", "ABCD"),
    ("ABCD取消", "ABCD"),
    ("把订单QWER改成自提", "QWER"),
    ("订单WXYZ到哪了", "WXYZ"),
)
LETTERS_ZH_HANT = (
    ("取消訂單 ABCD", "ABCD"),
    ("訂單號碼 ABCD 退款", "ABCD"),
    ("我要退訂單KLMN", "KLMN"),
    ("訂單WXYZ改自取", "WXYZ"),
    ("ABCD退款", "ABCD"),
)

WORDS_EN = (
    ("cancel order please", True),
    ("cancel order pls", True),
    ("cancel order thx", True),
    ("order status", True),
    ("cancel the order again", True),
    ("cancel order NOW", True),
    ("cancel order IMMEDIATELY", True),
    ("CANCEL MY ORDER RIGHT NOW", True),
    ("cancel order accidentally placed", True),
    ("cancel order teapot", True),
    ("cancel THIS", True),
    ("refund ME", True),
    ("order history", False),
    ("I want to order ABCD", False),
)
WORDS_ZH_HANS = (
    ("取消订单 VIP客户", True),
    ("订单状态", True),
    ("APP上看不到订单", True),
    ("取消订单 NOW", True),
    ("取消订单ASAP谢谢", True),
)
WORDS_ZH_HANT = (
    ("取消訂單 VIP客戶", True),
    ("訂單狀態", True),
    ("APP上看不到訂單", True),
    ("取消訂單 NOW", True),
    ("取消訂單ASAP謝謝", True),
)

LETTERS = {"en": LETTERS_EN, "zh-Hans": LETTERS_ZH_HANS, "zh-Hant": LETTERS_ZH_HANT}
WORDS = {"en": WORDS_EN, "zh-Hans": WORDS_ZH_HANS, "zh-Hant": WORDS_ZH_HANT}
