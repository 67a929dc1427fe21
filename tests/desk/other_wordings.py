"""The kinds of `test_written_before` in other words, and the words that only sound like them.

Each case is what was said before, and a turn with what must come of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from .written_before import Fact, Row, Turn, cancelled, day, moved, refunded, sent_to

EN, HANS, HANT = "en", "zh-Hans", "zh-Hant"


@dataclass(frozen=True)
class Case:
    language: str
    before: tuple[str, ...]
    turn: Turn


def case(
    language: str,
    *lines: str,
    does: tuple[Row, ...] = (),
    says: tuple[Fact, ...] = (),
    waits: tuple[str, str] | None = None,
) -> Case:
    """What is said, line by line; what is expected is expected of the last one."""
    return Case(language, lines[:-1], Turn(lines[-1], does=does, says=says, waits=waits))


_ROSE = "5 Rose Lane, Leeds"
_MILL = "7 Mill Road, Leeds"
_ASKS: Fact = ("?", "？")

WITHOUT_APOSTROPHES = (
    case(EN, "where's A100", "dont cancel it"),
    case(EN, "where's A100", "I dont want to cancel it"),
    case(EN, "how much is E512", "i didnt ask for a refund"),
    case(EN, "B205?", "dont change it to pickup"),
    case(EN, "I'm Ann", "whats my name", says=("Ann",)),
    case(EN, "F623 status", "if it isnt shipped yet cancel it", does=(cancelled("F623"),)),
    case(EN, "L218 status", "if it hasnt shipped, cancel it", says=("L218",)),
    case(EN, "Id like a refund for E512, it doesnt hold water", does=(refunded("E512", "18.00"),)),
    case(EN, "order A 100, wheres it", says=("A100", day(6, 9))),
    case(EN, "A100 status", "i dont want it any more, cancel it", does=(cancelled("A100"),)),
    case(EN, "C310 doesnt work", says=("C310", _ASKS)),
)

NOT_TO_BE_DONE = (
    case(EN, "E512?", "you shouldn't refund it"),
    case(EN, "E512?", "I haven't asked you to refund it"),
    case(EN, "E512?", "I wasn't asking for a refund"),
    case(EN, "E512?", "I wouldn't want it refunded"),
    case(EN, "E512?", "you should not refund it"),
    case(EN, "A100?", f"please don't deliver it to {_ROSE}"),
    case(EN, "A100?", f"don't send it to {_ROSE}, send it to {_MILL}", does=(sent_to("A100", _MILL),)),
    case(EN, "A100?", f"not to 5 Rose Lane, send it to {_MILL}", does=(sent_to("A100", _MILL),)),
    case(HANS, "E512到了吗", "我没有叫你退款"),
    case(HANS, "E512到了吗", "不应该退款的"),
    case(HANS, "A100在哪", "不许取消"),
    case(HANS, "A100在哪", "不要寄到上海市南京路1号了"),
    case(
        HANS,
        "A100在哪",
        "别送到上海市南京路1号，送到上海市北京路2号",
        does=(sent_to("A100", "上海市北京路2号"),),
    ),
    case(HANT, "A100在哪", "我沒有請你取消"),
    case(HANT, "A100在哪", "我不希望你取消它"),
    case(HANT, "A100在哪", "不該取消吧"),
    case(EN, "E512?", "couldn't you refund it please", does=(refunded("E512", "18.00"),)),
    case(EN, "E512?", "it isn't working, please refund it", does=(refunded("E512", "18.00"),)),
)

ONCE_MORE = (
    case(EN, "refund E512", "refund that again", says=("E512", "18.00")),
    case(EN, "refund E512", "refund that one twice please", says=("E512",)),
    case(EN, "cancel A100", "cancel that too", says=("A100",)),
    case(EN, "A100?", "cancel that straight away", does=(cancelled("A100"),)),
    case(EN, "A100?", "cancel this immediately", does=(cancelled("A100"),)),
    case(EN, "A100?", "cancel that flight", says=(_ASKS,)),
    case(HANS, "退款E512", "重新退一下", says=("E512",)),
    case(HANS, "退款E512", "能再退一笔吗", says=("E512",)),
    case(HANS, "退款E512", "再给我退一回", says=("E512",)),
    case(HANT, "退款E512", "再退一遍", says=("E512",)),
    case(HANT, "退款E512", "再幫我退一次啦", says=("E512",)),
)

POINT_BESIDE_THE_WISH = (
    case(EN, "A100?", "pickup please, the market street one", does=(moved("A100", "market-street"),)),
    case(EN, "A100?", "switch it to pickup, river park would be best", does=(moved("A100", "river-park"),)),
    case(
        EN,
        "A100?",
        "I'd rather collect it. Market Street shop please.",
        does=(moved("A100", "market-street"),),
    ),
    case(EN, "A100?", "I'll pick it up myself, at river park", does=(moved("A100", "river-park"),)),
    case(EN, "A100?", "pickup please, not market street", does=(moved("A100"),)),
    case(
        EN,
        "A100 to pickup, river park and B205 to pickup, market street",
        does=(moved("A100", "river-park"), moved("B205", "market-street")),
    ),
    case(HANS, "A100?", "改自提吧，河滨公园那个", does=(moved("A100", "river-park"),)),
    case(HANS, "A100?", "我要自提，市场街的", does=(moved("A100", "market-street"),)),
    case(HANS, "A100?", "改成自提。就市场街门店吧", does=(moved("A100", "market-street"),)),
    case(HANS, "A100?", "自提，不要市场街", does=(moved("A100"),)),
    case(HANT, "A100?", "改自取好了，市場街那間", does=(moved("A100", "market-street"),)),
    case(HANT, "A100?", "改成自取，選市場街門市", does=(moved("A100", "market-street"),)),
    case(HANT, "A100?", "改送市場街門市", does=(moved("A100", "market-street"),)),
)

NAMES = (
    case(EN, "hi its Tom, where's A100", "what's my name", says=("Tom",)),
    case(EN, "Ann-Marie here again, any news on A100", "whats my name", says=("Ann-Marie",)),
    case(EN, "hello, Marcus Webb speaking. where's A100?", "who am i", says=("Marcus Webb",)),
    case(EN, "where is A100? Thanks - Dana", "what's my name", says=("Dana",)),
    case(EN, "Where is A100? Kind regards, Dana Scott", "what is my name", says=("Dana Scott",)),
    case(EN, "Nothing here yet. where is A100", "what's my name", says=(_ASKS,)),
    case(EN, "Same problem here. where is A100", "what's my name", says=(_ASKS,)),
    case(EN, "thanks, Bob", "what's my name", says=(_ASKS,)),
    case(HANS, "本人李雷，查一下A100", "我叫什么", says=("李雷",)),
    case(HANS, "这里是王芳，A100到哪了", "我叫什么名字", says=("王芳",)),
    case(HANS, "免贵姓赵，查A100", "我姓什么", says=("赵",)),
    case(HANT, "這邊是小美，A100到哪了", "我叫什麼", says=("小美",)),
    case(HANT, "我是May啦，A100到哪了", "記得我的名字嗎", says=("May",)),
)

WHICH_ORDER_IT_WAS = (
    case(EN, "where's Q652", "remind me which order that was", says=("Q652",)),
    case(EN, "it's Tom, my order is Q652", "what order is that and whats my name", says=("Q652", "Tom")),
    case(EN, "my order number is Q652", "which order was it again?", says=("Q652",)),
    case(EN, "where's Q652", "which order number was that", says=("Q652",)),
    case(HANS, "Q652到了吗", "是哪个订单来着", says=("Q652",)),
    case(HANS, "Q652到了吗", "那是哪一单来着", says=("Q652",)),
    case(HANS, "我是小周，订单号E512", "我的单号是多少", says=("您的订单是 E512",)),
    case(HANT, "單號Q652，我是阿凱", "我的訂單是哪張", says=("您的訂單是 Q652",)),
    case(HANT, "那張Q652到了沒", "是哪張單啊", says=("Q652",)),
)

WHAT_ONE_STANDS_OUT_BY = (
    case(EN, "How much are A100 and R763?", "cancel the cheaper one", does=(cancelled("A100"),)),
    case(
        EN,
        "A100 and J956, when do they ship?",
        "cancel the one that ships first",
        does=(cancelled("J956"),),
    ),
    case(
        EN,
        "A100 and J956, when do they ship?",
        "send the later one to market street",
        does=(moved("A100", "market-street"),),
    ),
    case(EN, "prices of A100, F623 and R763 please", "cancel the cheapest", does=(cancelled("A100"),)),
    case(EN, "prices of A100, F623 and R763 please", "cancel the priciest order", does=(cancelled("R763"),)),
    case(EN, "A100?", "cancel the more expensive one", says=("A100", _ASKS)),
    case(EN, "cancel the cheaper one", says=(_ASKS,)),
    case(HANS, "J956和F623各多少钱", "取消更贵的那单", does=(cancelled("F623"),)),
    case(HANS, "J956和A100什么时候到", "取消晚到的那个", does=(cancelled("A100"),)),
    case(HANS, "J956、F623、R763多少钱", "最便宜的一单取消", does=(cancelled("J956"),)),
    case(HANS, "J956和F623各多少钱", "哪个便宜", says=("J956", "52.60")),
    case(HANT, "A100跟F623價錢各是多少", "取消較便宜的那筆", does=(cancelled("A100"),)),
    case(
        HANT,
        "A100跟F623什麼時候寄出",
        "先寄出的那張改到河濱公園自取點",
        does=(moved("F623", "river-park"),),
    ),
    case(HANT, "A100、F623、R763多少錢", "最貴的那張不要了，取消", does=(cancelled("R763"),)),
)

AS_A_QUESTION_IS_ANSWERED = (
    case(
        EN,
        "has A100 gone out yet",
        "if not, send it to market street",
        does=(moved("A100", "market-street"),),
    ),
    case(EN, "Has L218 shipped?", "if not, cancel it", says=("L218",)),
    case(EN, "did C310 arrive?", "if so, I'd like a refund for it", waits=("C310", "refund")),
    case(EN, "has B205 arrived?", "if it hasn't, send it to pickup", does=(moved("B205"),)),
    case(EN, "is A100 later than Friday?", "if so, change it to pickup", does=(moved("A100"),)),
    case(EN, "will F623 ship before Friday?", "if it won't, cancel it", says=("F623",)),
    case(EN, "Has J956 shipped? If not, cancel it please.", does=(cancelled("J956"),)),
    case(EN, "when does F623 ship?", "if not, cancel it", says=(_ASKS,)),
    case(EN, "if not, cancel A100", says=(_ASKS,)),
    case(HANS, "A100发货了没", "没有的话改自提", does=(moved("A100"),)),
    case(HANS, "L218发货了吗", "要是还没有，就取消", says=("L218",)),
    case(HANS, "L218出货没有？没有就取消", says=("L218",)),
    case(HANS, "C310到了吗", "到了的话我要退款", waits=("C310", "refund")),
    case(HANS, "A100会晚于周五吗", "会的话改自提", does=(moved("A100"),)),
    case(HANT, "A100寄出了嗎", "如果還沒，改送市場街門市", does=(moved("A100", "market-street"),)),
    case(HANT, "L218出貨了嗎", "沒有的話就取消", says=("L218",)),
    case(HANT, "J956寄了沒", "若沒有請取消", does=(cancelled("J956"),)),
    case(HANT, "A100會比週五晚嗎", "會的話就取消", does=(cancelled("A100"),)),
)

LATER_THAN = (
    case(HANT, "A100什麼時候出貨", "要是比週五更晚就取消", does=(cancelled("A100"),)),
    case(HANS, "A100哪天发货", "如果比周五还晚的话，改自提", does=(moved("A100"),)),
    case(HANS, "F623哪天发货", "如果比周五还晚的话，改自提", says=("F623",)),
    case(HANS, "A100哪天发货", "如果比6月6号还要晚的话，取消吧", does=(cancelled("A100"),)),
    case(HANS, "F623哪天发货", "如果比周五还早的话，就取消", does=(cancelled("F623"),)),
)

WHERE_IT_GOES = (
    case(HANS, "A100?", "它会送哪里啊", says=("12 Harbour Lane",)),
    case(HANS, "A100?", "是寄哪的", says=("12 Harbour Lane",)),
    case(HANS, "A100?", "要送给哪里", says=("12 Harbour Lane",)),
    case(HANT, "A100?", "會寄哪裡", says=("12 Harbour Lane",)),
    case(HANT, "A100?", "現在送哪邊", says=("12 Harbour Lane",)),
    case(HANS, "A100?", "哪天送", says=(day(6, 12),)),
)

WHAT_WAS_DONE = (
    case(EN, "cancel A100", "refund E512", "what did you do for me today", says=("A100", "E512")),
    case(EN, "cancel A100", "refund E512", "which things did you get done", says=("A100", "E512")),
    case(EN, "cancel A100", "refund E512", "what have we done up to now", says=("A100", "E512")),
    case(HANS, "取消A100", "退款E512", "都办了些什么", says=("A100", "E512")),
    case(HANS, "取消A100", "退款E512", "今天办了几件事来着", says=("A100", "E512")),
    case(HANS, "取消A100", "退款E512", "已经弄好了哪些？", says=("A100", "E512")),
    case(HANT, "取消A100，謝謝", "退款E512", "你都做了什麼", says=("A100", "E512")),
    case(HANT, "取消A100，謝謝", "退款E512", "幫我處理好了哪幾件", says=("A100", "E512")),
)

THINGS = (
    case(HANS, "B205、F623、R763", "桌子取消", does=(cancelled("R763"),)),
    case(HANS, "B205、F623、J956", "毯子改到市场街门店", does=(moved("F623", "market-street"),)),
    case(HANS, "J956、A100", "笔记本取消", does=(cancelled("J956"),)),
    case(HANS, "A100、H845", "壶改自提", does=(moved("A100"),)),
    case(HANT, "A100、B205", "那盞燈改自取", does=(moved("B205"),)),
    case(HANT, "A100、E512", "杯子退款，有裂痕", does=(refunded("E512", "18.00"),)),
    case(EN, "J956, A100", "cancel the notebooks", does=(cancelled("J956"),)),
    case(EN, "H845 and B205", "send the chair to river park", does=(moved("H845", "river-park"),)),
    case(EN, "J956 and A100", "can you set it to pickup", says=("J956", "A100", _ASKS)),
    # Of no order spoken of: the one spoken of last is left alone.
    case(EN, "where is B205", "send the sofa to market street", says=(_ASKS,)),
    case(EN, "where is H845", "the sofa to pickup please", says=(_ASKS,)),
    case(HANS, "B205在哪", "沙发改自提", says=(_ASKS,)),
    case(HANS, "A100在哪", "取消沙发", says=(_ASKS,)),
    case(HANT, "A100在哪", "電視取消", says=(_ASKS,)),
)

TAKEN_NOTE_OF = (
    case(EN, "where's A100", "got it", says=("All right",)),
    case(EN, "where's A100", "gotcha thanks", says=("welcome",)),
    case(EN, "where's A100", "i see", says=("All right",)),
    case(EN, "C310 is broken", "i see"),
    case(HANS, "A100在哪", "知道了", says=("好的",)),
    case(HANS, "A100在哪", "好的明白了", says=("好的",)),
    case(HANS, "A100在哪", "好嘞", says=("好的",)),
    case(HANS, "C310坏了", "知道了"),
    case(HANT, "A100在哪", "喔好，了解", says=("好的",)),
    case(HANT, "A100在哪", "謝囉", says=("不客氣",)),
    case(HANT, "A100在哪", "嗯嗯我懂了", says=("好的",)),
)

KINDS = {
    "without apostrophes": WITHOUT_APOSTROPHES,
    "not to be done": NOT_TO_BE_DONE,
    "once more": ONCE_MORE,
    "a point beside the wish": POINT_BESIDE_THE_WISH,
    "names": NAMES,
    "which order it was": WHICH_ORDER_IT_WAS,
    "what one stands out by": WHAT_ONE_STANDS_OUT_BY,
    "as a question is answered": AS_A_QUESTION_IS_ANSWERED,
    "later than": LATER_THAN,
    "where it goes": WHERE_IT_GOES,
    "what was done": WHAT_WAS_DONE,
    "things": THINGS,
    "taken note of": TAKEN_NOTE_OF,
}
