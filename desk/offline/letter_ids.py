"""Names of orders that are letters alone: order ABCD, 订单 QWER, cancel xyz.

An order that does not exist may be named so, and is to be named back; not to see its name would be to
take the order spoken of before for it. But most words that follow "order" are only words ("cancel order
please", "order status"). So a word is taken for a name where it stands in the place of one, and either
is all in capitals in a text that is not, and none that people write so for emphasis; or has a shape that
no word has.
"""

from __future__ import annotations

import re

from .folding import word_set
from .function_words import is_function_word

_AFTER_NUMBER = (
    r"(?:\border (?:number|num|no\.?|nr\.?|id|code|ref)(?: is)?|\border(?= ?#)|[单單][号號]碼?码?[是为為]?)"
    r"\s*[:#(\"'“「]*\s*"
)
_AFTER_ORDER = r"(?:\b(?:order|parcel|package)s?\b|[订訂定][单單]|包裹)\s*[:#(\"'“「]*\s*"
_AFTER_DEED = (
    r"(?:\b(?:cancel|refund|return|track|trace|where is|where's|what about|how about|status of)"
    r"|取消掉?|退款|退[货貨]|退掉?|查一?下?|查[询詢]|追[踪蹤])\s*[:#(\"'“「]*\s*"
)
_NAME = r"(?P<name>[a-z]{2,12})(?![a-z0-9_'’@.-]*[a-z0-9])"
_ENDS = (
    r"(?=[)\]\"'”」]*\s*(?:$|[,.;:!?，。；：！？、吧吗嗎呢的了到在什]"
    r"|(?:please|pls|now|to|and|too|as well|for|is"
    r"|has|was|it|because)\b|[取退改查给給请請谢謝麻我]))"
)
_PLACES = tuple(
    (re.compile(before + _NAME + _ENDS, re.ASCII | re.IGNORECASE), sure)
    for before, sure in ((_AFTER_NUMBER, True), (_AFTER_ORDER, True), (_AFTER_DEED, False))
)
_BEFORE_DEED = re.compile(
    r"(?:^|[,.;!?，。；！？]\s*)(?:please |请|請)?(?P<name>[a-z]{2,12})\s*"
    r"(?:退款|退[货貨]|取消|[订訂][单單]|到哪|在哪)",
    re.ASCII | re.IGNORECASE,
)
# "I want to order ABCD" orders it.
_ORDERS_IT = re.compile(
    r"\b(?:to|i|we|you|they|can|could|just|also|not|don't|i'd|i'll|let's) $", re.ASCII | re.IGNORECASE
)
# Words people put in capitals to be heard, and short names of other things than orders.
_LOUD = word_set(
    """
    asap pls plz thx tks ty tysm fyi btw omg wtf nvm tbh hmm brb rn tmr tmrw pkg msg urgent
    immediately straight away right again never ever every everything nothing something anything
    somebody stop help done gone late lost wrong broken damaged missing defective empty old new full
    half part partial whole entire only before after because without within already once twice fast
    quick soon instantly today tomorrow yesterday tonight monday tuesday wednesday thursday friday
    saturday sunday cancel cancelled canceled cancellation refund refunded return returned change
    changed pickup delivery delivered deliver ship shipped shipping arrive arrived arriving order
    orders parcel package number id code ref status history confirmation details page list form
    policy process made placed sent bought got came come money back cash half way via until since if
    or nor but than as while vip dhl ups usps fedex gls dpd ems sf usb tv led lcd pc pcs dvd cd ktv
    atm app apps sms faq ceo hr uk usa us eu eur usd gbp cny rmb ntd hkd nt am pm xs xl xxl xxxl id
    ids ok okay no yes mr mrs ms dr st ltd inc co html http https www pdf jpg png gift card box bag
    tea lamp mug desk
    """
)
_NO_VOWEL = re.compile(r"[^aeiouy]{3,}", re.ASCII)
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def letter_names(typed: str) -> list[tuple[int, int]]:
    """Where a text as typed names orders by letters alone: start and end of each name, in order."""
    found: dict[int, int] = {}
    shouted = typed.isascii() and typed == typed.upper()
    for place, sure in _PLACES:
        for named in place.finditer(typed):
            word, (start, end) = named["name"], named.span("name")
            if _ORDERS_IT.search(typed, max(0, named.start() - 8), named.start()):
                continue
            loud = word == word.upper() and not shouted and (sure or len(word) <= 6)
            if _is_spelt(word) or (loud and not _is_word(word)):
                found[start] = end
    for named in _BEFORE_DEED.finditer(typed):
        word, (start, end) = named["name"], named.span("name")
        if _is_spelt(word) or (word == word.upper() and 2 < len(word) <= 6 and not _is_word(word)):
            found[start] = end
    return sorted(found.items())


def _is_word(word: str) -> bool:
    """Whether letters are a word the desk knows, or one by its ending."""
    folded = word.lower()
    return folded in _LOUD or is_function_word(folded) or folded.endswith(("ly", "ing", "ed"))


def _is_spelt(word: str) -> bool:
    """Whether letters have a shape that no word has: BCDF, abcd, xxx."""
    folded = word.lower()
    if len(folded) < 3 or _is_word(folded):
        return False
    return (
        _NO_VOWEL.fullmatch(folded) is not None
        or len(set(folded)) == 1
        or folded in _ALPHABET
        or folded in _ALPHABET[::-1]
        or folded.startswith(("qwe", "asdf", "zxc"))
    )
