"""Answers to a question the desk asked back.

A wish that lacked something is open; a message may bring just that: an order, a place, a sum, a condition, a
yes. What is about something else answers nothing, and the open wish is dropped.
"""

from __future__ import annotations

import re
from dataclasses import replace

from .conditions import find_condition
from .folding import Folded, fold
from .function_words import speaks_of_more
from .order_ids import Mention, ids_in
from .places import is_address, is_vague, lead_in, looks_like_address, point_of, quotes_in
from .recalling import Memory
from .references import Reference
from .sums import UNCLEAR, names_money, sum_said
from .wishes import ABOUT_ORDERS, CHANGES, SMALL_TALK, TROUBLES, Message, Wish

_LEAD = re.compile(
    r"^(?:(?:please|ok|yes|no|sorry|it's|it is|it should be|i meant?|to|the address is|actually|or"
    r"|rather|wait|oh|oops|hmm+|make (?:it|that)|let's (?:do|use)|on second thoughts?"
    r"|不对|不是|错了|不好意思|抱歉|不|等等)[\s:,]+"
    r"|(?:送到|寄到|改到|改成|改为|换成|地址是|应该是|我是说|我说的是"
    r"|(?:我)?[写打搞说弄填]错了?[\s:,]*|那?还是|是)[\s:,]*)+"
)
_OPTIONS = re.compile(r"\boptions?\b|\bchoices?\b|有哪些|有什么")
_ALL_OF_IT = re.compile(r"\b(?:all|full|fully|everything|whole|entire)\b|全部|全额|全款|都退", re.ASCII)
_COURTESY = re.compile(
    r"[\s,，.。!！]*(?:please|thanks|thank you|instead|actually|谢谢|謝謝|吧|好了|就好)?[\s.。!！]*$",
    re.IGNORECASE,
)


def answer(memory: Memory, message: Message, open_: list[Wish], n: int) -> list[Wish] | None:
    """The open wishes as the message of turn n completes them, None where it is about something else."""
    if message.wants("drop", "requested?"):
        return None
    asked = open_[0].missing
    same = [wish for wish in open_ if wish.missing == asked]
    if asked == "order":
        return _answer_order(memory, message, same, n)
    if asked == "place":
        return _answer_place(memory, message, same)
    if asked == "amount":
        return _answer_amount(message, same)
    if asked == "condition":
        return _answer_condition(message, same)
    return _answer_offer(memory, message, same, n)


def _answer_order(memory: Memory, message: Message, open_: list[Wish], n: int) -> list[Wish] | None:
    about = message.bare
    for wish in message.wishes:
        plain = wish.kind == "look" and wish.focus == "" and wish.about.way != "none"
        if wish.kind in ("mine", "name") or plain:
            about = about or (wish.about if wish.about.explicit else None)
        elif wish.kind in TROUBLES and open_[0].kind in ("refund", "cancel"):
            about = about or wish.about  # "C310, it is broken"
        elif wish.kind not in SMALL_TALK:
            return None
    if about is None and (named := memory.named_by_item(fold(message.typed), n)):
        about = Reference("named", named)
    if about is None or (about.way == "it" and not about.orders):
        return None if message.wishes or speaks_of_more(fold(message.typed)) else list(open_)
    return [_with_reason(wish, message).but(about=about, orders=(), missing="") for wish in open_]


def _answer_place(memory: Memory, message: Message, open_: list[Wish]) -> list[Wish] | None:
    given = next((wish for wish in message.wishes if wish.kind in ("pickup", "address")), None)
    if given is not None:
        if given.about.explicit and given.about.way != "it":
            return None
        rest = [wish for wish in message.wishes if wish is not given]
        done = [wish.but(kind=given.kind, place=given.place, missing="") for wish in open_]
        return [*done, *rest]
    if (point := point_of(fold(message.typed), memory.points)) is not None:
        return [wish.but(kind="pickup", place=point, missing="") for wish in open_]
    place, led = _place_in(message)
    if place and (led or looks_like_address(fold(place))):
        return [wish.but(kind="address", place=place, missing="") for wish in open_]
    if any(wish.kind not in ("agree", "hello", "delivery") for wish in message.wishes) or message.bare:
        return None
    asks = message.typed.rstrip().endswith(("?", "？")) and not _OPTIONS.search(fold(message.typed))
    return None if asks else list(open_)


def _answer_amount(message: Message, open_: list[Wish]) -> list[Wish] | None:
    words = fold(message.typed)
    amount = sum_said(words) or names_money(words)
    if amount in ("", UNCLEAR) and (
        bare := re.search(r"(?<![a-z\d.])(\d+(?:\.\d{1,2})?)(?![a-z\d.])", words)
    ):
        amount = amount or names_money(f"${bare[1]}")
    amount = amount or ("100%" if _ALL_OF_IT.search(words) else "")
    if not amount or any(wish.kind in ABOUT_ORDERS - {"refund"} for wish in message.wishes):
        return None
    if amount == UNCLEAR:
        return list(open_)
    return [wish.but(amount=amount, missing="") for wish in open_]


def _answer_condition(message: Message, open_: list[Wish]) -> list[Wish] | None:
    if message.wants("agree") and not message.wants("decline"):
        return [wish.but(condition=None, missing="") for wish in open_]
    condition = find_condition("if it is " + fold(message.typed))
    if condition is None or condition.kind == "unclear":
        return None
    if condition.relation == "on":
        condition = replace(condition, relation="after")  # a day alone is the day it must not be later than
    return [wish.but(condition=condition, missing="") for wish in open_]


def _answer_offer(memory: Memory, message: Message, open_: list[Wish], n: int) -> list[Wish] | None:
    """The offer taken, and what else is wanted beside it: "yes, and change B205 to pickup"."""
    offered = open_[0]
    of_it: list[Wish] = []
    beside: list[Wish] = []
    for wish in message.wishes:
        (beside if _is_beside(memory, wish, open_, n) else of_it).append(wish)
    for wish in of_it:
        if wish.kind == offered.kind:
            if wish.about.way not in ("none", "it") or wish.tentative:
                return None
            sums = {"amount": wish.amount or offered.amount, "reason": wish.reason or offered.reason}
            return [*(_accepted(each).but(**sums) for each in open_ if each.kind == wish.kind), *beside]
        if wish.kind in ("decline", "drop"):
            return None
    words = fold(message.typed)
    agrees = message.wants("agree") or (bool(beside) and _YES.match(words) is not None)
    agrees = agrees or (offered.kind == "person" and _WOULD.match(words) is not None)
    if (agrees or message.wants("again")) and not any(wish.kind in ABOUT_ORDERS - TROUBLES for wish in of_it):
        if beside and _LOOSE_YES.match(words):
            return [*open_, *beside]  # "ok, where is A100?" need not be a yes: the desk asks again
        named = sum_said(words) if offered.kind == "refund" else ""
        taken = [_accepted(_with_reason(each, message)).but(amount=named or each.amount) for each in open_]
        return [*taken, *beside]
    return None


# A yes that the clause goes on from, to another wish: "yes and cancel F623".
_YES = re.compile(
    r"\W*(?:oh |well |actually )*(?:yes|yeah|yep|yup|sure|please do|go ahead|do it|do that|of course"
    r"|absolutely|definitely|ok(?:ay)?|fine|alright|all right)(?: please| thanks| thank you)?"
    r"\s*(?:,|and\b|also\b|\.|;)"
    r"|\W*(?:是的?|对的?|好[的啊呀吧呢]?|行[啊吧]?|可以|嗯+|没错|同意|确认|当然)(?=[,。;!\s])",
    re.ASCII,
)
# What answers "if you would rather have a person look at it, say so".
_WOULD = re.compile(
    r"\W*(?:i (?:would|do)|i'd (?:rather|like|love|prefer|appreciate)|i am saying so|so i say"
    r"|that would be|that'd be)\b(?!.*\b(?:not|no)\b|.*n't)"
    r"|\W*(?:我|那)?(?:就)?(?:希望|想|要|愿意|需要)(?:的|吧|啊|这样|如此)*\W*$",
    re.ASCII,
)
# One that is as often no more than a way to begin, unless "and" leads on from it.
_LOOSE_YES = re.compile(
    r"\W*(?:(?:ok(?:ay)?|right|fine|alright|all right|great|good|perfect|well)\b|嗯+(?=[\s,.!。]))[\s,.!。]*"
    r"(?!(?:please |thanks |thank you )?[\s,.!]*"
    r"(?:and|also|plus|but|then|do it|do that|go ahead|please do|yes|sure)\b"
    r"|[\s,.!。]*(?:另外|顺便|顺带|还有|然后|再|也|同时|并且))",
    re.ASCII,
)


def _is_beside(memory: Memory, wish: Wish, offers: list[Wish], n: int) -> bool:
    """Whether a wish is about something else than what was offered: a question, or a change of another
    order. A change of the same order is another answer to the offer."""
    if wish.kind in ("look", "done?", "policy?", "points?", "summary", "recap"):
        return True
    if wish.kind not in CHANGES | TROUBLES | {"reschedule"}:
        return False
    offered = {order for each in offers for order in each.orders}
    named = wish.about.orders or memory.named_by_item(wish.about.text, n)
    return wish.about.way == "other" or (bool(named) and not offered & set(named))


def _with_reason(wish: Wish, message: Message) -> Wish:
    """The wish with the reason the message tells besides, where it had none."""
    return wish.but(reason=wish.reason or message.beside)


def _accepted(offer: Wish) -> Wish:
    return offer.but(missing="", tentative=False)


def stated_place(message: Message) -> str:
    """The address that a message is, asked for or not; "" where it is none."""
    place, _ = _place_in(message)
    return place if place and is_address(fold(place)) else ""


def _place_in(message: Message) -> tuple[str, bool]:
    """The address in a message that may answer "which address?", "" where it holds none; and whether the
    message says that it is one, by quotation marks or by words that lead to it."""
    if any(
        wish.kind not in ("agree", "decline", "drop", "noted", "thanks", "hello", "look")
        for wish in message.wishes
    ):
        return "", False
    folded = Folded(message.typed.strip())
    if quote := next(quotes_in(folded), None):
        return quote.typed, True
    words = _LEAD.sub("", folded.text)
    words = words[lead_in(words) :]
    mentions = ids_in(words)
    if mentions and not is_address(_without(words, mentions)):
        return "", False  # "status of B205"
    if mentions and mentions[0].start == 0:  # "B205: 5 Oak Way"
        words = words[mentions[0].end :].lstrip(" :：,，-")
    led = len(words) < len(folded.text)
    typed = _COURTESY.sub("", folded.as_typed(len(folded.text) - len(words), len(folded.text)))
    if len(typed) < 3 or "?" in words or "吗" in words or is_vague(words):
        return "", False
    return typed, led


def _without(words: str, mentions: list[Mention]) -> str:
    """Folded words without the order ids in them."""
    for mention in reversed(mentions):
        words = words[: mention.start] + words[mention.end :]
    return words
