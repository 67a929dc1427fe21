"""More kinds in other words: see `other_wordings`."""

from __future__ import annotations

from .other_wordings import EN, HANS, HANT, case
from .written_before import Fact, cancelled, day, moved, put_back, refunded

_ASKS: Fact = ("?", "？")

WHETHER_IT_CAN = (
    case(EN, "will P541 be here by tuesday?", "if it can't, cancel it", says=("P541",)),
    case(EN, "Will A100 ship by friday?", "if it can't then pickup please", does=(moved("A100"),)),
    case(HANS, "P541周二之前能到不", "到不了就取消", says=("P541",)),
    case(HANS, "A100这周能发出来吗", "发不出来就自提", does=(moved("A100"),)),
    case(HANS, "H845周五前能送到吗", "送不到的话取消", says=("H845",)),
    case(HANT, "P541禮拜二以前到得了嗎", "到不了的話就取消", says=("P541",)),
    case(HANT, "A100這禮拜會寄嗎", "寄不出去就改自取", does=(moved("A100"),)),
    case(HANS, "A100在哪", "到不了就取消", says=(_ASKS,)),
)

WHAT_BECAME_OF_IT = (
    case(
        EN, "A100 and B205, where are they?", "cancel the one that hasn't shipped", does=(cancelled("A100"),)
    ),
    case(EN, "A100 and B205, where are they?", "cancel the unshipped one", does=(cancelled("A100"),)),
    case(
        EN,
        "A100, B205 and E512, how are they?",
        "refund the one that's arrived",
        does=(refunded("E512", "18.00"),),
    ),
    case(EN, "cancel whatever hasn't shipped: A100, B205", does=(cancelled("A100"),), says=("A100", "B205")),
    case(EN, "A100 and F623?", "cancel the one that hasn't shipped", says=("A100", "F623", _ASKS)),
    case(HANS, "A100和B205啥情况", "没发货的那个取消", does=(cancelled("A100"),)),
    case(HANS, "A100和B205啥情况", "在路上的那个改自提", does=(moved("B205"),)),
    case(HANS, "A100和B205，没发货的那个取消", says=("A100", "B205", _ASKS)),
    case(HANT, "A100跟B205現在怎樣", "還沒出貨的那張取消", does=(cancelled("A100"),)),
    case(HANT, "A100跟E512現在怎樣", "已經到的那個退款", does=(refunded("E512", "18.00"),)),
    case(EN, "is A100 coming before B205?", "cancel the slower one", does=(cancelled("A100"),)),
)

ANOTHER_POINT = (
    case(EN, "A100 to pickup", "actually river park is closer", does=(moved("A100", "river-park"),)),
    case(EN, "A100 to pickup", "how about market street instead", does=(moved("A100", "market-street"),)),
    case(EN, "A100 to pickup", "I'd prefer river park", does=(moved("A100", "river-park"),)),
    case(EN, "A100 to pickup", "where is river park"),
    case(EN, "A100 to pickup", "not river park though"),
    case(HANS, "A100改自提", "还是河滨公园近", does=(moved("A100", "river-park"),)),
    case(HANS, "A100改自提", "换河滨公园行不行", does=(moved("A100", "river-park"),)),
    case(HANT, "A100改自取", "還是市場街比較近", does=(moved("A100", "market-street"),)),
    case(HANT, "A100改自取", "河濱公園比較方便", does=(moved("A100", "river-park"),)),
)

CANCELLED_IN_OTHER_WORDS = (
    case(EN, "D411 and A100?", "get rid of the second one", does=(cancelled("A100"),)),
    case(EN, "please stop A100 from shipping", does=(cancelled("A100"),)),
    case(EN, "A100?", "get rid of it", does=(cancelled("A100"),)),
    case(HANS, "A100别发了", does=(cancelled("A100"),)),
    case(HANS, "A100我不买了", does=(cancelled("A100"),)),
    case(HANT, "A100別發貨了", does=(cancelled("A100"),)),
)

TAKEN_BACK = (
    case(EN, "A100 to pickup", "scratch that, back to how it was", does=(put_back("A100"),)),
    case(EN, "A100 to pickup", "scratch that, put it back", "ok"),
)

_BOTH = "Cancel A100 and change B205 to pickup"
_BOTH_HANS = "把 B205 改成自提，取消 A100"
_BOTH_HANT = "把 B205 改成自取，取消 A100"

# The change that is named is meant, not another kind that was made since.
A_CHANGE_BY_ITS_KIND = (
    case(EN, _BOTH, "undo the pickup", does=(put_back("B205"),)),
    case(EN, _BOTH, "please revert the pickup change", does=(put_back("B205"),)),
    case(EN, "B205 to pickup", "Cancel A100", "Undo the delivery change, please", does=(put_back("B205"),)),
    case(EN, "B205 to pickup", "refund E512", "can you undo the pickup?", does=(put_back("B205"),)),
    case(EN, "B205 to pickup", "Cancel A100", "back to the old address please", does=(put_back("B205"),)),
    case(
        EN,
        "Send F623 to 3 High Street, Bath",
        "B205 to pickup",
        "undo the address change",
        does=(put_back("F623"),),
    ),
    case(EN, "A100 to pickup", "B205 to pickup", "undo that", "undo the pickup", does=(put_back("A100"),)),
    case(EN, "Send F623 to 3 High Street, Bath", "Cancel A100", "undo the pickup", says=("A100",)),
    case(EN, _BOTH, "undo that", says=("A100", "stays cancelled")),
    case(HANS, _BOTH_HANS, "把自提撤销", does=(put_back("B205"),)),
    case(HANS, _BOTH_HANS, "自提那个还原吧", does=(put_back("B205"),)),
    case(HANS, "B205改自提", "取消A100", "把配送改动撤回", does=(put_back("B205"),)),
    case(HANS, "F623改送到上海市南京路1号", "取消A100", "地址改动撤销一下", does=(put_back("F623"),)),
    case(HANS, _BOTH_HANS, "撤销", says=("A100", "不能撤回")),
    case(HANT, _BOTH_HANT, "把自取撤銷", does=(put_back("B205"),)),
    case(HANT, _BOTH_HANT, "自取還原", does=(put_back("B205"),)),
    case(HANT, "B205改自取", "取消A100", "配送的更改請撤回", does=(put_back("B205"),)),
    case(
        HANT,
        "F623改送到「台南市東區大學路1號」",
        "取消A100",
        "地址的更改撤銷",
        does=(put_back("F623"),),
    ),
)

_CAN_IT = "can I still cancel G734?"
_CAN_IT_HANS = "G734还能取消吗？"
_CAN_IT_HANT = "G734還能取消嗎？"
_BACK = (refunded("G734", "50.00"),)

# What was delivered cannot be cancelled, and the desk offers a refund: a yes is to that.
OFFERED_INSTEAD = (
    case(EN, _CAN_IT, "yes", does=_BACK),
    case(EN, _CAN_IT, "go ahead", does=_BACK),
    case(EN, "is it possible to cancel G734?", "yes please, refund it", does=_BACK),
    case(EN, "I am Tom, order G734", "can I still cancel it?", "ok do it", does=_BACK),
    case(EN, "could you cancel G734 if it has not shipped?", "yes", does=_BACK),
    case(EN, "can I cancel G734 and A100?", "yes", does=(cancelled("A100"), *_BACK)),
    case(EN, "can I cancel G734 and A100?", "refund it", does=_BACK),
    case(EN, "can I still cancel C310?", "yes", waits=("C310", "refund")),
    case(EN, "Cancel A100", "can I still get A100 refunded?", "yes please", says=("person",)),
    case(EN, _CAN_IT, "no"),
    case(HANS, _CAN_IT_HANS, "好的，退吧", does=_BACK),
    case(HANS, _CAN_IT_HANS, "好的", does=_BACK),
    case(HANS, "我是小王，订单G734", "还可以取消吗？", "行，办吧", does=_BACK),
    case(HANS, "G734现在能不能取消？", "可以", does=_BACK),
    case(HANS, _CAN_IT_HANS, "不用了"),
    case(HANT, _CAN_IT_HANT, "好的，退吧", does=_BACK),
    case(HANT, "G734還可以取消嗎？", "好，麻煩你", does=_BACK),
    case(HANT, "我是小美，訂單G734", "還能取消嗎", "好啊", does=_BACK),
    case(HANT, _CAN_IT_HANT, "不用了"),
)

ASKED_OF_WHAT_WAS_SAID = (
    case(EN, "where's A100", "do you remember what I asked about earlier?", says=("where's A100",)),
    case(EN, "where's A100", "B205?", "what did I ask you about just now?", says=("B205?",)),
    case(HANS, "B205在哪呢", "我刚问你什么来着", says=("B205在哪呢",)),
    case(EN, "refund Q652", "how much did I get back", says=("29.50",)),
    case(HANS, "Q652退款", "退了我多少", says=("29.50",)),
    case(HANT, "Q652退款，長度不對", "總共退我多少", says=("29.50",)),
    case(EN, "M329 refund", "why not", says=("M329",)),
    case(HANS, "M329退款", "为啥不行", says=("M329",)),
    case(HANT, "取消C310", "為什麼不行", says=("C310",)),
)

ASKED_OF_AN_ORDER = (
    case(EN, "A100?", "is that going out this week?", says=(day(6, 9), "No")),
    case(EN, "F623?", "will it ship tomorrow?", says=(day(6, 5), "Yes")),
    case(EN, "P541?", "who's delivering it", says=("Northway",)),
    case(HANS, "谁在送B205", says=("Northway",)),
    case(HANT, "B205誰送的", says=("B205",)),
    case(HANS, "H845送哪", "那是哪个地址", says=("建国路88号",)),
    case(EN, "H845?", "which address is that?", says=("建国路88号",)),
    case(HANS, "你好呀A100", says=("A100", day(6, 9))),
    case(HANS, "我买了个水壶，单号G734", says=("G734",)),
    case(HANT, "B205在哪", "怎麼這麼久啊", says=("B205", day(6, 7))),
)

FURTHER = {
    "whether it can": WHETHER_IT_CAN,
    "what became of it": WHAT_BECAME_OF_IT,
    "another point": ANOTHER_POINT,
    "cancelled in other words": CANCELLED_IN_OTHER_WORDS,
    "taken back": TAKEN_BACK,
    "a change by its kind": A_CHANGE_BY_ITS_KIND,
    "offered instead": OFFERED_INSTEAD,
    "asked of what was said": ASKED_OF_WHAT_WAS_SAID,
    "asked of an order": ASKED_OF_AN_ORDER,
}
