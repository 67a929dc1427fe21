"""The words by which people ask how an order stands, and compare orders.

Like `cues`: English and simplified Chinese, for one folded clause.
"""

from __future__ import annotations

import re

from .cues import any_of
from .function_words import speaks_of_more
from .places import PICKUP
from .wishes import Across, Focus

_STRONG = any_of(
    r"\b(?:orders?|parcels?|packages?|shipments?|shipping|delivery|shipped|delivered|ships?"
    r"|arrived?|tracking)\b",
    r"订单|包裹|快递|物流|发货|出货|到货|寄出|送达|签收|派送|配送|收货|发出|送到|运到|单号",
)
_FOCUS: tuple[tuple[Focus, re.Pattern[str]], ...] = (
    (
        "track",
        any_of(
            r"\btrack(?:ing)?\b|\bwhereabouts\b"
            r"|\bwhere exactly\b|\bcarrier\b|\bcourier\b"
            r"|\bwho(?:'s| is|se)? (?:delivering|carrying|bringing|shipping|delivers|ships)\b",
            r"物流|承运|谁[在来]?(?:给我)?[送寄]|哪家[^,]{0,4}[送寄]|哪家快递|追踪|跟踪|轨迹|追[一查]",
        ),
    ),
    (
        "price",
        any_of(
            r"\bhow much\b|\bprices?\b|\bcosts?\b|\bexpensive\b|\b(?:dear|cheap|pric[ei])(?:er|est)\b"
            r"|\bcheap\b|\bwhat .*\bpay\b|\bpaid\b|\btotal\b",
            r"多少钱|价格|价钱|价位|多贵|金额|几块|几元|总价|贵不贵|多少(?:美元|元|块)|怎么卖|售价"
            r"|花了?多少|差多少|相差|价差|[更最较]贵|贵$|便宜|一共多少|总共多少|合计|总计|加起来|加在一起|总额",
        ),
    ),
    (
        "delivery",
        any_of(
            r"\bwhere\b.*\b(?:going|go|delivered|sent|shipped|deliver|ship) ?(?:to|now)?$"
            r"|\b(?:delivery|shipping) address\b|\bthe delivery of\b|\bwhich address\b|\bwhat(?:'s"
            r"| is)?(?: the)?(?: \w+)? address\b"
            r"|\bwhere (?:do|can) i (?:pick|collect)",
            r"[送寄发](?:到|去|往|给)?(?:哪(?!家|个|位|天|一|款|种)|什么地方|何处)"
            r"|收货地址|配送方式|在?哪[里儿]?[取拿提]"
            r"|去哪[里儿]?[取拿提]|地址是(?:什么|哪)|哪个地址",
        ),
    ),
    (
        "item",
        any_of(
            r"\bwhat(?:'s| is) in\b|\bwhat did i (?:buy|order)\b|\b(?:which|what) item\b"
            r"|\bwhat is it\b|^(?:so |and )?is (?:it|that|this) (?:the|an?|my)\b"
            r"|\bwhat was it\b",
            r"[买订]了?的?是?(?:什么|啥)|(?:什么|啥)(?:东西|商品)|里面是(?:什么|啥)",
        ),
    ),
    (
        "date",
        any_of(
            r"\bwhen\b|\bwhat (?:day|date)\b|\bwhich day\b|\bhow (?:long|soon)\b|\beta\b|\barriv"
            r"|\b(?:deliver|ship)(?:y|ed|s|ping)? (?:date|time|day)\b|\bships?\b|\bget here\b|\bcomes?\b"
            r"|\b(?:has|have|is|was|did|will|does)\b.*\b(?:ship\w*|sent|dispatched|left|deliver\w*"
            r"|arriv\w*)\b"
            r"|\b(?:which|what)\b.*\b(?:first|earlier|earliest|sooner|soonest|last|later|latest)\b|\blate\b"
            r"|\bdelayed?\b|\btaking (?:so|too) long\b",
            r"什么时候|何时|几时|啥时候|哪[一]?天|几号|几日|多久|多长时间|日期|几天|发货|出货|寄出|这么[久慢]|那么[久慢]|好久|太久|好慢"
            r"|发出|送达|到货|[能会先早后晚](?:送|寄)?到|[能会][^,]{0,12}到|到得了|来得及|赶得上|签收|什么时间|时候",
        ),
    ),
)
_GENERAL = any_of(
    r"\bwhere(?:'s|'re)?\b|\bstatus\b|\bcheck\b|\blook(?:ing)? ?up\b|\bfind\b|\bdetails?\b"
    r"|\binfo(?:rmation)?\b|\bupdate\b|\bnews\b|\bhappen(?:ed|ing)?\b|\bshow\b|\btell me about\b"
    r"|\blooking for\b|\bknow about\b|\bhelp with\b|\bhow(?:'s| is)\b",
    r"在哪|到哪|哪[里儿]|查|看看|看一?下|状态|情况|进度|怎么样|怎样|到[了没]|[发送]了[吗没]"
    r"|收到|问一?下|了解|^(?:那|我的?|可是)*(?:东西|货|包裹|订单|快递|商品)[呢咧]$",
)


_FEES = any_of(
    r"\b(?:how much|what)\b.*\b(?:shipping|postage|delivery)$|\b(?:shipping|delivery) (?:costs?|fees?"
    r"|charges?)\b",
    r"运费|邮费|快递费|配送费",
)
_CALENDAR = any_of(
    r"\bwhat(?:'s| is) (?:the |today's )?(?:date|time|day)\b|\bwhat time is it\b"
    r"|\bwhat day is (?:it|today|tomorrow)\b",
    r"(?:今天|明天|昨天|现在)是?(?:几[号月点]|星期几|周几|礼拜几|多少号)",
)


_ACROSS: tuple[tuple[Focus, Across, re.Pattern[str]], ...] = (
    (
        "price",
        "total",
        any_of(
            r"\btogether\b|\b(?:in|the|grand) total\b|\btotal (?:of|for|price|cost)\b|\bsum of\b"
            r"|\baltogether\b"
            r"|\bcombined\b|\badd(?:ed)? up\b",
            r"一共|总共|加起来|合计|总计|总价|总额|加在一起|合起来",
        ),
    ),
    (
        "price",
        "cheaper",
        any_of(
            r"\bcheap(?:er|est)\b|\b(?:less|least) expensive\b|\bcosts? less\b",
            r"(?:哪|谁|更|最|比)[^,]{0,6}便宜",
        ),
    ),
    (
        "price",
        "dearer",
        any_of(
            r"\b(?:dear|pric[ei])(?:er|est)\b|\b(?:more|most) expensive\b|\bcosts? (?:more|most)\b"
            r"|\bdifference\b",
            r"差(?:多少|价|几)|相差|价差|(?:哪|谁|更|最|比)[^,]{0,6}贵",
        ),
    ),
    (
        "date",
        "sooner",
        any_of(
            r"\bwhich\b.*\b(?:first|earlier|earliest|sooner|soonest|faster)\b", r"(?:哪|谁)[^,]{0,8}[先早快]"
        ),
    ),
    ("date", "later", any_of(r"\bwhich\b.*\b(?:last|later|latest)\b", r"(?:哪|谁)[^,]{0,8}[后晚慢迟]")),
)


def across(clause: str, focus: Focus) -> Across:
    """What a folded clause asks of several orders together: their sum, or which is dearest or comes first."""
    return next((asked for of, asked, words in _ACROSS if of == focus and words.search(clause)), "")


def look_focus(clause: str, refers: bool) -> Focus | None:
    """What a folded clause asks about an order, None where it asks nothing of the kind.

    `refers` says whether it speaks of an order in any way. Where it does not, "when" or "how much" alone is
    a question about an order only if the clause speaks of nothing else.
    """
    if _CALENDAR.search(clause) or _FEES.search(clause):
        return None
    found: Focus | None = "delivery" if re.search(PICKUP, clause, re.ASCII) else None
    for focus, words in _FOCUS:
        if words.search(clause):
            found = focus
            break
    if found is None and _GENERAL.search(clause):
        found = ""
    strong = _STRONG.search(clause) is not None
    if found is None and strong and re.search(r"\bmy (?:order|parcel|package)\b|订单|包裹", clause, re.ASCII):
        found = ""
    if found is None or refers or strong or not speaks_of_more(clause):
        return found
    return None
