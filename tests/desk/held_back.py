"""Messages that speak of a refund or a cancellation and ask for none: nothing may be done, nobody asked.

What follows them in `DONE_ALL_THE_SAME` sounds like them and is a request.
"""

from __future__ import annotations

from .other_wordings import EN, HANS, HANT

NOTHING: dict[str, tuple[str, ...]] = {
    EN: (
        "under no circumstances cancel it",
        "hold off on cancelling it",
        "I'd hate to cancel it",
        "you cannot cancel it",
        "you can't just cancel it!",
        "no need for a refund",
        "a refund isn't necessary",
        "refund not needed",
        "I'm fine without a refund",
        "stop the cancellation",
        "ignore my request to cancel it",
        "I take back my cancellation",
        "please refrain from cancelling my order",
        "forget about the refund",
        "would cancelling cost me anything",
        "before I cancel it, when does it ship?",
        "I might cancel it later",
        "I'm thinking about cancelling it",
        "maybe cancel it tomorrow",
        "perhaps I should return it",
        "I'm tempted to cancel",
        "in case I cancel it, do I pay anything",
        "what happens if I cancel?",
        "the website says it was cancelled",
        "someone cancelled my order!",
        "the app shows my order as cancelled",
        "are refunds quick",
        "do you refund teapots",
        "is cancelling free",
        "you should not cancel it",
    ),
    HANS: (
        "千万别取消",
        "暂时不取消",
        "取消就不必了",
        "可能会取消",
        "退款就算了",
        "等我想好再取消",
        "等到货了再退款",
        "先不急着退款",
        "还没想好要不要退",
        "说不定要退货",
        "我在考虑要不要取消",
        "怎么被取消了",
        "不退也行",
    ),
    HANT: (
        "退款就不用了",
        "暫時不取消",
        "我可能會取消",
        "等我想好再取消",
        "取消的話會怎樣",
        "還在猶豫要不要退",
        "是誰把它取消的",
        "先不急著取消",
    ),
}

DONE_ALL_THE_SAME: dict[str, tuple[str, ...]] = {
    EN: (
        "I thought about it, please cancel it",
        "I was wondering if you could cancel it",
        "may I get a refund please",
        "sure, cancel it",
        "no need to wait, cancel it",
        "I can't use it, please cancel it",
        "you can cancel it now",
        "stop everything and cancel it",
    ),
    HANS: ("考虑好了，取消吧", "不用等了，取消吧", "还是取消吧", "想了想，取消掉"),
    HANT: ("考慮過了，取消吧", "不等了，幫我取消", "決定取消了，麻煩你"),
}
