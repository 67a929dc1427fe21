"""Kinds about money and about the names of orders, in many words: see `other_wordings`."""

from __future__ import annotations

from .other_wordings import EN, HANS, HANT, Case, case
from .written_before import Fact, Row, cancelled, day, moved, refunded, sent_to

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

_TEN = (refunded("E512", "10.00"),)

A_SUM_THAT_IS_NAMED = (
    *_said(
        EN,
        ("E512?",),
        "refund E512 10.00",
        "refund 10 of E512",
        "refund E512, only 10",
        "refund E512 but only 10 dollars",
        "I want 10 back for E512",
        "I want a refund of 10 for E512",
        "Please refund E512. 10.00 is enough.",
        "refund E512 for 10.00",
        does=_TEN,
    ),
    *_said(
        HANS,
        ("E512?",),
        "E512退款10.00",
        "退款E512 10.00",
        "E512退10",
        "给我退10块，E512",
        "E512退款，只退10块就好",
        "E512退款，10元就好",
        does=_TEN,
    ),
    *_said(
        HANT,
        ("E512?",),
        "E512退款10.00",
        "退款E512 10.00",
        "E512退10",
        "給我退10元，E512",
        "E512退款，只退10塊就好",
        does=_TEN,
    ),
    *_said(
        EN,
        ("E512?",),
        "partial refund for E512",
        "refund part of E512",
        "refund E512 partially",
        "refund a third of E512",
        "refund 10 EUR of E512",
        "refund 2 mugs of E512",
        "refund E512 10.555",
        says=("18.00", _ASKS),
    ),
    *_said(
        HANS,
        ("E512?",),
        "E512退一部分",
        "E512部分退款",
        "E512退款10欧元",
        "退E512一部分的钱",
        "E512退三分之一的钱",
        says=(_ASKS,),
    ),
    *_said(
        HANT,
        ("E512?",),
        "E512退一部分",
        "E512部分退款",
        "E512退款10歐元",
        "退E512一部分的錢",
        "E512退三分之一的錢",
        says=(_ASKS,),
    ),
    *_said(EN, ("E512?",), "refund E512 100.00", "refund 1000 of E512", says=(_ASKS,)),
    *_said(EN, ("can E512 be refunded?",), "yes, but only 10", "yes, only 10 please", does=_TEN),
    case(HANT, "E512可以退嗎", "好，但只退10元", does=_TEN),
    case(EN, "refund Q652 and E512, 5 each", does=(refunded("Q652", "5.00"), refunded("E512", "5.00"))),
    # Numbers that are no sums
    case(EN, "refund E512 as it is $5 cheaper elsewhere", does=(refunded("E512", "18.00"),)),
    case(EN, "refund E512 it broke after 2 days", does=(refunded("E512", "18.00"),)),
    case(EN, "refund E512, it came 3 days late", does=(refunded("E512", "18.00"),)),
    case(HANS, "E512退款，买了2天就坏了", does=(refunded("E512", "18.00"),)),
    case(HANT, "E512退款，買了2天就壞了", does=(refunded("E512", "18.00"),)),
)

_POINT = (moved("A100", "market-street"),)
_MILL, _JIANGUO, _XINYI = "7 Mill Road, Leeds", "北京市建国路88号", "台北市信義路五段7號"

ANOTHER_PLACE = (
    *_said(
        EN,
        ("Change A100 to pickup at River Park",),
        "actually Market Street",
        "Market Street actually",
        "oh wait Market Street",
        "let's do Market Street",
        "on second thought Market Street",
        "can it be Market Street?",
        does=_POINT,
    ),
    case(EN, "Change A100 to pickup at River Park", "thanks", "actually Market Street", does=_POINT),
    case(EN, "Change A100 to pickup at River Park", "is it Market Street?"),
    case(EN, "Change A100 to pickup at River Park", "where is Market Street"),
    *_said(
        HANS,
        ("A100改到河滨公园自提",),
        "还是市场街门店吧",
        "算了还是市场街吧",
        "市场街好了",
        "应该是市场街",
        "市场街门店更好",
        does=_POINT,
    ),
    *_said(
        HANT,
        ("A100改到河濱公園自取",),
        "還是市場街門市吧",
        "我是說市場街",
        "市場街門市比較好",
        "改市場街好了",
        "不對，市場街門市",
        does=_POINT,
    ),
    *_said(
        EN,
        ("Send A100 to 5 Rose Lane, Leeds",),
        f"actually {_MILL}",
        f"make that {_MILL}",
        f"no wait, {_MILL}",
        f"I meant {_MILL}",
        f"actually send it to {_MILL}",
        does=(sent_to("A100", _MILL),),
    ),
    *_said(
        HANS,
        ("A100改送到上海市南京路1号",),
        f"还是{_JIANGUO}吧",
        f"写错了，{_JIANGUO}",
        f"我是说{_JIANGUO}",
        f"不对，是{_JIANGUO}",
        f"应该是{_JIANGUO}",
        does=(sent_to("A100", _JIANGUO),),
    ),
    *_said(
        HANT,
        ("A100改送到台北市忠孝東路四段1號",),
        f"還是{_XINYI}好了",
        f"寫錯了，是{_XINYI}",
        f"我是說{_XINYI}",
        f"不，{_XINYI}",
        f"應該是{_XINYI}",
        does=(sent_to("A100", _XINYI),),
    ),
)

THE_REASON_GIVEN = (
    *_said(
        EN,
        ("Refund E512, it leaks",),
        "what reason did I give",
        "what was my reason?",
        "which reason did I give for E512?",
        "did I give a reason?",
        "remind me of my reason",
        says=("it leaks",),
    ),
    *_said(
        HANS,
        ("E512漏水，退款",),
        "我给的理由是啥",
        "我退款的理由是什么",
        "我刚才说的原因是什么",
        "我写的什么理由",
        "退款理由我是怎么写的",
        says=("漏水",),
    ),
    *_said(
        HANT,
        ("E512漏水，退款",),
        "我給的理由是啥",
        "我當時填的原因是什麼",
        "我的退款理由是什麼來著",
        "我寫的理由是什麼",
        "退款原因我怎麼寫的",
        says=("漏水",),
    ),
    case(EN, "Refund E512", "what reason did I give?", says=("no reason",)),
    case(EN, "what reason did I give?", says=("no reason",)),
)

ASKED_IN_PASSING_WORDS = (
    *_said(
        EN,
        ("A100?",),
        "canceled please",
        "cancelled pls",
        "please cancelled",
        "cancelled asap please",
        does=(cancelled("A100"),),
    ),
    *_said(EN, ("E512?",), "refunded please", "ok cancel n refund", does=(refunded("E512", "18.00"),)),
    case(EN, "A100?", "cancel n summarise", does=(cancelled("A100"),)),
)

HOPED_FOR = (
    *_said(
        EN,
        ("E512?",),
        "a refund would be nice",
        "a refund would be great",
        "it would be nice to get a refund",
        "I wouldn't mind a refund",
        "it'd be nice to have my money back",
        "a refund would be welcome",
        says=("E512", _ASKS),
    ),
    *_said(
        HANS,
        ("E512?",),
        "能退款就好了",
        "退款也不错",
        "有退款就好了",
        "要是能退款就好了",
        "能退钱就太好了",
        says=("E512",),
    ),
    *_said(
        HANT,
        ("E512?",),
        "能退錢就好了",
        "退款也不錯",
        "有退款就好了",
        "要是能退款就好了",
        "能退費就太好了",
        says=("E512",),
    ),
    case(EN, "E512?", "a refund would be nice", "yes please", does=(refunded("E512", "18.00"),)),
)

_NO_DATES: Fact = ("cannot change dates", "不能改日期")

ANOTHER_DAY = (
    *_said(
        EN,
        ("A100?",),
        "can you deliver A100 on Saturday instead?",
        "could A100 come on Saturday instead",
        "can we move A100 to Sunday?",
        "Could you change A100 to Saturday?",
        "Can A100 be delivered on Saturday instead",
        says=(_NO_DATES, day(6, 9)),
    ),
    *_said(
        HANS,
        ("A100?",),
        "A100可以改礼拜六送吗",
        "A100能不能改周六送",
        "可以把A100改到礼拜天送吗",
        "A100能换成周日送货吗",
        "A100改到下周一送可以吗",
        says=(_NO_DATES, day(6, 9)),
    ),
    *_said(
        HANT,
        ("A100?",),
        "A100可以改禮拜六送嗎",
        "A100能不能改星期六送達",
        "A100換成週日送可以嗎",
        "可以把A100改到禮拜天送嗎",
        "A100改到下週一送可以嗎",
        says=(_NO_DATES, day(6, 9)),
    ),
    case(EN, "can A100 arrive by Saturday?", says=("No", "A100")),
)

WHERE_MY_THINGS_ARE = (
    *_said(
        HANS,
        ("A100",),
        "我的东西咧",
        "我的东西呢",
        "我的货呢",
        "那我的包裹咧",
        "我东西呢",
        says=("A100", day(6, 9)),
    ),
    *_said(
        HANT,
        ("A100",),
        "我的東西咧",
        "我東西咧",
        "我的貨呢",
        "那我的包裹咧",
        "我的快遞咧",
        says=("A100", day(6, 9)),
    ),
    *_said(EN, ("A100",), "where's my stuff", "where is my order", says=("A100", day(6, 9))),
)

OF_ORDERS_AND_MONEY = {
    "a sum that is named": A_SUM_THAT_IS_NAMED,
    "another place": ANOTHER_PLACE,
    "the reason given": THE_REASON_GIVEN,
    "asked in passing words": ASKED_IN_PASSING_WORDS,
    "hoped for": HOPED_FOR,
    "another day": ANOTHER_DAY,
    "where my things are": WHERE_MY_THINGS_ARE,
    "money of what was cancelled": MONEY_OF_WHAT_WAS_CANCELLED,
}
