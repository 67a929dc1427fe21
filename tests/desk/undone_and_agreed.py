"""What is taken back by its kind, and a yes that is said beside another wish.

A kind that is named is meant: another kind is not taken back for it. A yes is followed,
whatever else is said with it.
"""

from __future__ import annotations

from .other_wordings import EN, HANS, HANT, case
from .written_before import Fact, cancelled, moved, put_back, refunded, sent_to

_OAK = "5 Oak Way, Leeds"
_ASKS: Fact = ("?", "？")
_PICKUP: Fact = ("pickup", "自提", "自取")
_TO_OAK = f"Deliver A100 to {_OAK}"
_TO_NANJING = "A100改送到上海市南京路1号"
_TO_XINYI = "A100改送到台北市信義路五段7號"

NO_REFUND_OR_CANCELLATION_IS_TAKEN_BACK = (
    case(EN, "Change P541 to pickup", "Refund C310, broken", "undo the refund", says=("C310",)),
    case(EN, "Change P541 to pickup", "Refund C310, broken", "undo the last refund", says=("C310",)),
    case(EN, "Change P541 to pickup", "Refund C310, broken", "take back the refund please", says=("C310",)),
    case(EN, "Change P541 to pickup", "Refund C310, broken", "please revert that refund", says=("C310",)),
    case(EN, "Change P541 to pickup", "Refund C310, broken", "cancel the refund", says=("C310",)),
    case(EN, "Change P541 to pickup", "Refund C310, broken", "withdraw my refund request", says=("C310",)),
    case(EN, "Change P541 to pickup", "undo the refund", says=("refund",)),
    case(EN, "Change P541 to pickup", "undo the refund of P541", says=("P541", "refund")),
    case(EN, "Change P541 to pickup", "undo the cancellation", says=("cancel",)),
    case(EN, "Change P541 to pickup", "undo the cancellation of P541", says=("P541",)),
    case(EN, "Change P541 to pickup", "refund E512", "undo the refund", says=("E512", "refunded")),
    case(EN, "refund E512", "Change P541 to pickup", "undo the refund", says=("E512", "refunded")),
    case(EN, "Cancel A100", "Change P541 to pickup", "undo the cancellation", says=("A100", "cancelled")),
    case(EN, "Cancel A100", "Change P541 to pickup", "revoke the cancellation", says=("A100", "cancelled")),
    case(EN, "Change P541 to pickup", "Cancel D411", "undo the cancelation", says=("D411",)),
    case(EN, "P541 to pickup", "Refund C310, broken", "undo that", says=("C310",)),
    case(
        EN,
        "P541 to pickup",
        "Refund C310, broken",
        "undo the pickup and the refund",
        does=(put_back("P541"),),
        says=("C310",),
    ),
    case(EN, "undo the refund of N430", says=("N430", "refunded")),
    case(HANS, "把P541改成自提", "C310退款，坏了", "撤销退款", says=("C310",)),
    case(HANS, "把P541改成自提", "C310退款，坏了", "把退款撤回吧", says=("C310",)),
    case(HANS, "把P541改成自提", "C310退款，坏了", "撤回刚才的退款申请", says=("C310",)),
    case(HANS, "把P541改成自提", "C310退款，坏了", "取消退款申请", says=("C310",)),
    case(HANS, "把P541改成自提", "撤销取消", says=("取消",)),
    case(HANS, "取消A100", "把P541改成自提", "撤销取消", says=("A100", "不能撤回")),
    case(HANS, "取消A100", "把P541改成自提", "把取消撤回", says=("A100", "不能撤回")),
    case(HANS, "E512退款，坏了", "把P541改成自提", "撤销上一次退款", says=("E512", "不能撤回")),
    case(HANS, "把P541改成自提", "C310退款，坏了", "撤销", says=("C310",)),
    case(HANT, "把P541改成自取", "C310退款，壞了", "撤銷", says=("C310",)),
    case(HANT, "把P541改成自取", "C310退款，壞了", "撤銷退款", says=("C310",)),
    case(HANT, "把P541改成自取", "C310退款，壞了", "把剛剛的退款撤回", says=("C310",)),
    case(HANT, "把P541改成自取", "撤銷取消", says=("取消",)),
    case(HANT, "取消A100", "把P541改成自取", "撤銷取消", says=("A100", "不能撤回")),
    case(HANT, "取消A100", "把P541改成自取", "把取消還原", says=("A100", "不能撤回")),
    case(HANT, "E512退款，壞了", "把P541改成自取", "撤銷上次的退款", says=("E512", "不能撤回")),
)

A_KIND_THAT_IS_NOT_THERE = (
    case(
        EN,
        "B205 to pickup",
        "refund E512 please and undo the pickup",
        does=(put_back("B205"), refunded("E512", "18.00")),
    ),
    case(EN, _TO_OAK, "undo the change to pickup", says=(_PICKUP,)),
    case(EN, _TO_OAK, "undo the pickup", says=(_PICKUP,)),
    case(EN, _TO_OAK, "undo the change of A100 to pickup", says=("A100", _PICKUP)),
    case(EN, _TO_OAK, "please take back the pickup change", says=(_PICKUP,)),
    case(EN, "Cancel A100", "undo the delivery change", says=("A100",)),
    case(EN, "A100 to pickup", "undo that", "undo the pickup", says=(_PICKUP,)),
    case(HANS, _TO_NANJING, "撤销改自提", says=(_PICKUP,)),
    case(HANS, _TO_NANJING, "把自提撤回", says=(_PICKUP,)),
    case(HANS, _TO_NANJING, "A100的自提撤销", says=(_PICKUP,)),
    case(HANT, _TO_XINYI, "撤銷改自取", says=(_PICKUP,)),
    case(HANT, _TO_XINYI, "把自取還原", says=(_PICKUP,)),
    case(HANT, _TO_XINYI, "A100的自取撤銷", says=(_PICKUP,)),
)

A_LATER_CHANGE_COMES_FIRST = (
    case(EN, _TO_OAK, "Change A100 to pickup", "undo the address change", says=("A100", _PICKUP)),
    case(EN, _TO_OAK, "Change A100 to pickup", "undo A100's address change", says=("A100", _PICKUP)),
    case(EN, _TO_OAK, "Change A100 to pickup", "revert the change of address", says=("A100", _PICKUP)),
    case(EN, "Change A100 to pickup", _TO_OAK, "undo the pickup", says=("A100", _OAK)),
    case(EN, _TO_OAK, "Change A100 to pickup", "undo the pickup", does=(put_back("A100"),)),
    case(
        EN,
        _TO_OAK,
        "Change A100 to pickup",
        "undo the pickup",
        "undo the address change",
        does=(put_back("A100"),),
    ),
    case(EN, "Change A100 to pickup", "undo the address change", does=(put_back("A100"),)),
    case(HANS, _TO_NANJING, "A100改自提", "撤销地址改动", says=("A100", _PICKUP)),
    case(HANS, _TO_NANJING, "A100改自提", "把地址的更改撤回", says=("A100", _PICKUP)),
    case(HANS, "A100改自提", _TO_NANJING, "撤销自提", says=("A100", "上海市南京路1号")),
    case(HANT, _TO_XINYI, "A100改自取", "撤銷地址更改", says=("A100", _PICKUP)),
    case(HANT, _TO_XINYI, "A100改自取", "地址的變更還原一下", says=("A100", _PICKUP)),
    case(HANT, "A100改自取", _TO_XINYI, "撤銷自取", says=("A100", "信義路")),
)

UNDONE_ALREADY = (
    case(EN, "A100 to pickup", "undo that", "undo that", says=("A100", "already")),
    case(EN, "A100 to pickup", "undo that", "undo it", says=("A100", "already")),
    case(EN, "A100 to pickup", "put it back please", "revert that", says=("A100", "already")),
    case(EN, _TO_OAK, "undo that", "please undo the change", says=("A100", "already")),
    case(EN, "A100 to pickup", "undo that", "undo that again", says=("A100", "already")),
    case(HANS, "A100改自提", "撤销", "撤销", says=("A100", "已经撤")),
    case(HANS, "A100改自提", "撤销", "撤回刚才的改动", says=("A100", "已经撤")),
    case(HANT, "A100改自取", "撤銷", "撤銷", says=("A100", "已經撤")),
    case(HANT, "A100改自取", "還原", "把更動還原", says=("A100", "已經撤")),
    case(EN, "A100?", "undo that change of A100", says=("not changed",)),
)

_BOTH = (cancelled("A100"), moved("B205"))
_MUG = "My mug from E512 arrived damaged"

YES_AND = (
    case(EN, "Cancel A100?", "yes, and change B205 to pickup", does=_BOTH),
    case(EN, "Cancel A100?", "Yes please. Also change B205 to pickup", does=_BOTH),
    case(EN, "Cancel A100?", "ok, and change B205 to pickup", does=_BOTH),
    case(EN, "Cancel A100?", "go ahead, and B205 to pickup please", does=_BOTH),
    case(EN, "Cancel A100?", "yes, cancel it, and change B205 to pickup", does=_BOTH),
    case(EN, "Cancel A100?", "yes and cancel F623", does=(cancelled("A100"), cancelled("F623"))),
    case(
        EN,
        "Cancel A100?",
        "sure, and please refund E512",
        does=(cancelled("A100"), refunded("E512", "18.00")),
    ),
    case(
        EN,
        "Cancel A100?",
        f"yes, and send B205 to {_OAK}",
        does=(cancelled("A100"), sent_to("B205", _OAK)),
    ),
    case(EN, "B205?", "Cancel A100?", "yes, and change the other one to pickup", does=_BOTH),
    case(EN, _MUG, "yes, and where is A100?", does=(refunded("E512", "18.00"),), says=("A100",)),
    case(EN, _MUG, "yes please, and also where's A100", does=(refunded("E512", "18.00"),), says=("A100",)),
    case(EN, _MUG, "Yes. And change B205 to pickup.", does=(refunded("E512", "18.00"), moved("B205"))),
    case(EN, "Cancel A100?", "no, but change B205 to pickup", does=(moved("B205"),)),
    case(EN, "Cancel A100?", "no. Change B205 to pickup instead please", does=(moved("B205"),)),
    case(EN, "Cancel A100?", "yes, change it to pickup", does=(moved("A100"),)),
    case(EN, _MUG, "ok, where is A100?", says=("A100", "E512", _ASKS)),
    case(HANS, "A100能取消吗？", "好，另外把B205改成自提", does=_BOTH),
    case(HANS, "A100能取消吗？", "好的，再把B205改成自提", does=_BOTH),
    case(HANS, "A100能取消吗？", "可以，顺便把B205改成自提", does=_BOTH),
    case(HANS, "A100能取消吗？", "是的，还有B205改自提", does=_BOTH),
    case(
        HANS,
        "E512的杯子碎了",
        "好，另外A100什么时候发货？",
        does=(refunded("E512", "18.00"),),
        says=("A100",),
    ),
    case(HANS, "A100能取消吗？", "嗯，B205到哪了？", says=("B205", "A100", _ASKS)),
    case(HANS, "A100能取消吗？", "不用，但是把B205改成自提", does=(moved("B205"),)),
    case(HANT, "A100能取消嗎？", "好，另外把B205改成自取", does=_BOTH),
    case(HANT, "A100能取消嗎？", "好的，也把B205改成自取", does=_BOTH),
    case(HANT, "A100能取消嗎？", "好啊，順便把B205改成自取", does=_BOTH),
    case(
        HANT,
        "E512的杯子碎了",
        "好，另外A100什麼時候出貨？",
        does=(refunded("E512", "18.00"),),
        says=("A100",),
    ),
    case(HANT, "A100能取消嗎？", "不用了，但把B205改成自取", does=(moved("B205"),)),
)

_STUPID, _STUPID_HANS, _STUPID_HANT = "You are stupid", "你真笨", "你真笨"
_PERSON: Fact = ("person", "真人", "專人")

A_PERSON_AFTER_ALL = (
    case(EN, "Where is A100?", _STUPID, "yes", says=(_PERSON, "A100")),
    case(EN, "Where is A100?", _STUPID, "yes please", says=(_PERSON, "A100")),
    case(EN, "Where is A100?", _STUPID, "please do", says=(_PERSON, "A100")),
    case(EN, "Where is A100?", "this is useless", "sure, go ahead", says=(_PERSON, "A100")),
    case(EN, "Where is A100?", "shut up", "ok do that", says=(_PERSON, "A100")),
    case(EN, "Where is A100?", _STUPID, "I would", says=(_PERSON, "A100")),
    case(EN, "Where is A100?", _STUPID, "I'd like that", says=(_PERSON, "A100")),
    case(HANS, "A100在哪", _STUPID_HANS, "希望", says=(_PERSON, "A100")),
    case(HANT, "A100在哪", _STUPID_HANT, "我希望這樣", says=(_PERSON, "A100")),
    case(EN, _STUPID, "yes", says=(_PERSON, _ASKS)),
    case(EN, "Where is A100?", _STUPID, "no"),
    case(HANS, "A100在哪", _STUPID_HANS, "好", says=(_PERSON, "A100")),
    case(HANS, "A100在哪", "你们太烂了", "好的", says=(_PERSON, "A100")),
    case(HANS, "A100在哪", "垃圾", "可以", says=(_PERSON, "A100")),
    case(HANT, "A100在哪", _STUPID_HANT, "好", says=(_PERSON, "A100")),
    case(HANT, "A100在哪", "爛透了", "好啊", says=(_PERSON, "A100")),
    case(HANT, "A100在哪", "沒用", "麻煩你", says=(_PERSON, "A100")),
)

MORE_THAN_IT_COST = (
    case(EN, "E512 refund 100 dollars, broken", says=("E512", "more than")),
    case(EN, "could I get $100 back for E512?", says=("E512", "more than")),
    case(EN, "can you refund me 100 dollars for E512 perhaps?", says=("E512", "more than")),
    case(EN, "could I get $100 back for E512?", "refund 10 dollars then", does=(refunded("E512", "10.00"),)),
    case(HANS, "E512退款100美元，坏了", says=("E512", "超过")),
    case(HANS, "E512退100美元，坏了", says=("E512", "超过")),
    case(HANS, "E512退款100元", says=("E512", "超过")),
    case(HANS, "E512能退100美元吗？", says=("E512", "超过")),
    case(HANS, "E512退款10美元，坏了", does=(refunded("E512", "10.00"),)),
    case(HANS, "E512退款100美元，坏了", "那就退10美元", does=(refunded("E512", "10.00"),)),
    case(HANT, "E512退款100美元，壞了", says=("E512", "超過")),
    case(HANT, "E512退100美元，壞了", says=("E512", "超過")),
    case(HANT, "E512可以退100美元嗎？", says=("E512", "超過")),
    case(HANT, "E512退款10美元，壞了", does=(refunded("E512", "10.00"),)),
)


_ROSE = "c/o Ann Lee (2nd floor), 12 Rose Road; Bath"

AN_ADDRESS_WITH_SEMICOLONS = (
    case(EN, f"Deliver A100 to {_ROSE}", does=(sent_to("A100", _ROSE),)),
    case(EN, f"Please send A100 to {_ROSE}.", does=(sent_to("A100", _ROSE),)),
    case(EN, f"Change the address of A100 to {_ROSE}", does=(sent_to("A100", _ROSE),)),
    case(
        EN,
        "Send A100 to 12 Rose Road; Flat 3; Bath BA1 2AB",
        does=(sent_to("A100", "12 Rose Road; Flat 3; Bath BA1 2AB"),),
    ),
    case(EN, f"Send A100 to {_ROSE}; cancel F623", does=(sent_to("A100", _ROSE), cancelled("F623"))),
    case(
        EN,
        "Send A100 to 12 Rose Road, Bath; F623 to pickup",
        does=(sent_to("A100", "12 Rose Road, Bath"), moved("F623")),
    ),
    case(
        EN,
        "Send A100 to 12 Rose Road, Bath; where is B205?",
        does=(sent_to("A100", "12 Rose Road, Bath"),),
        says=("B205",),
    ),
    case(EN, "Send A100 to 12 Rose Road, Bath; thanks", does=(sent_to("A100", "12 Rose Road, Bath"),)),
    case(
        EN,
        "Send A100 to 12 Rose Road, Bath; I moved last week",
        does=(sent_to("A100", "12 Rose Road, Bath"),),
    ),
    case(EN, "Change the delivery of A100", _ROSE, does=(sent_to("A100", _ROSE),)),
    case(EN, f'Deliver A100 to "{_ROSE}"', does=(sent_to("A100", _ROSE),)),
    case(
        HANS, "A100改送到上海市南京路1号；3号楼302室", does=(sent_to("A100", "上海市南京路1号；3号楼302室"),)
    ),
    case(HANS, "A100改送到上海市南京路1号；王小明收", does=(sent_to("A100", "上海市南京路1号；王小明收"),)),
    case(
        HANS,
        "A100改送到上海市南京路1号；取消F623",
        does=(sent_to("A100", "上海市南京路1号"), cancelled("F623")),
    ),
    case(HANS, "A100改送到上海市南京路1号；谢谢", does=(sent_to("A100", "上海市南京路1号"),)),
    case(
        HANT, "A100改送到台北市信義路五段7號；3樓之2", does=(sent_to("A100", "台北市信義路五段7號；3樓之2"),)
    ),
    case(
        HANT,
        "A100改送到台北市信義路五段7號；王小明收",
        does=(sent_to("A100", "台北市信義路五段7號；王小明收"),),
    ),
    case(
        HANT,
        "A100改送到台北市信義路五段7號；B205改自取",
        does=(sent_to("A100", "台北市信義路五段7號"), moved("B205")),
    ),
)

_WHERE_TO = "I want to change the delivery of B205"
_WHERE_TO_HANS, _WHERE_TO_HANT = "我想改B205的配送", "我想改B205的配送"

A_QUESTION_IS_NO_ADDRESS = (
    *(
        case(EN, _WHERE_TO, line)
        for line in (
            "status of B205",
            "B205 price",
            "price of B205",
            "what about A100",
            "A100 please",
            "order number B205",
            "tracking of A100",
            "track F623",
            "B205 shipping date",
        )
    ),
    case(EN, _WHERE_TO, f"B205: {_OAK}", does=(sent_to("B205", _OAK),)),
    case(
        EN, _WHERE_TO, "Flat B205, 5 Oak Way, Leeds", does=(sent_to("B205", "Flat B205, 5 Oak Way, Leeds"),)
    ),
    case(EN, _WHERE_TO, _OAK, does=(sent_to("B205", _OAK),)),
    *(
        case(HANS, _WHERE_TO_HANS, line)
        for line in ("B205在哪", "B205到哪了", "查询B205", "B205的价格", "B205多少钱", "A100怎么样了")
    ),
    case(HANS, _WHERE_TO_HANS, "上海市南京路1号", does=(sent_to("B205", "上海市南京路1号"),)),
    *(
        case(HANT, _WHERE_TO_HANT, line)
        for line in ("B205多少錢", "B205的狀態", "B205到哪了", "查一下B205", "A100怎麼樣了")
    ),
    case(HANT, _WHERE_TO_HANT, "台北市信義路五段7號", does=(sent_to("B205", "台北市信義路五段7號"),)),
)

UNDONE_AND_AGREED = {
    "no refund or cancellation is taken back": NO_REFUND_OR_CANCELLATION_IS_TAKEN_BACK,
    "a kind that is not there": A_KIND_THAT_IS_NOT_THERE,
    "a later change comes first": A_LATER_CHANGE_COMES_FIRST,
    "undone already": UNDONE_ALREADY,
    "yes, and": YES_AND,
    "a person after all": A_PERSON_AFTER_ALL,
    "more than it cost": MORE_THAN_IT_COST,
    "an address with semicolons": AN_ADDRESS_WITH_SEMICOLONS,
    "a question is no address": A_QUESTION_IS_NO_ADDRESS,
}
