"""Whether a clause asks for a refund or a cancellation, rather than speaks of one.

What cannot be taken back is done on words that ask for it: an order to do it ("refund it", 取消吧), a wish
("I want my money back"), or a note that is nothing but the matter ("refund, C310"). All else that has the
words in it ("I almost cancelled it", 上次退款很快) is no more than a reason to ask. English and simplified
Chinese, for one folded clause.
"""

from __future__ import annotations

import re

from .cues import any_of, begs

_ID = r"(?:[a-z]{1,4}-?\d{3,}|#?\d{3,})"
_OPENS = (
    r"(?:(?:please|pls|plz|ok|okay|so|then|just|now|yes|yeah|yep|no|nope|sorry|actually|hi|hello|hey|and|also"
    r"|well|right|fine|alright|anyway|rather|instead|kindly|immediately|simply|first|again|still|thanks|great"
    r"|good|go ahead and|do|go|let's|lets|let us|let me|better|sure|ah|oh|ugh|but|or|urgent|asap|quick"
    r"|quickly|maybe just|never mind|order|orders|number|for|re|regarding|about|my|the|this|that|it|these"
    rf"|those|both|all|{_ID})\b[ ,.:!-]*)*+"
)
# What may follow the word where it is the wish itself, and not "the refund button" or "cancel culture".
_FOLLOWS = (
    r"(?=\W*$|\s*[,.;:!?$#(\d-]|\s+(?:it|this|that|them|these|those|me|us|my|our|the|all|both|each|everything"
    r"|half|part|some|any|one|just|only|exactly|order|orders|parcel|please|pls|plz|now|asap|again|immediately|today|too|also"
    r"|instead|then|and|or|for|of|on|in|to|from|with|as|if|because|cos|since|due|already|straight|right|thanks"
    r"|thank|thx|requested|request|right|anyway|whatever|whichever|whichever|what|a|an|another|or"
    rf"|[a-z]+ly|unless|when|before|after|by|at|\$|{_ID})\b(?! (?:of|from) the \w+ (?:is|was)))"
)
_VERB = (
    rf"(?:(?:cancel|refund|return|reimburse|scrap|void|annul|get rid|stop|undo|send back)\b{_FOLLOWS}"
    r"|call (?:it|that|this|my order|the order)? ?off|ask (?:you|them) "
    r"|tell (?:them|him|her|my \w+|your \w+|the \w+) to (?:cancel|refund)"
    r"|(?:give|pay|send|get|transfer|wire|hand|make|have|want|need|issue|process|do|arrange|grant|take|put|start"
    r"|request|approve|offer|file|submit|initiate|accept|credit|requesting|seeking|wanting|hoping|after"
    r"|looking for)\b)"
)
_MATTER = (
    r"(?:(?:full|partial|complete|total|half|\d+%?|a|an|the|my|some|quick|immediate) )*"
    r"(?:refund|cancell?ation|money[ -]?back|moneyback|reimbursement|return)"
)
_NO_SUBJECT = "".join(
    rf"(?<!\b{word} )" for word in ("to", "i", "we", "you", "they", "he", "she", "not", "never")
)
_ASKS_FOR = any_of(
    # to do it
    rf"^\W*{_OPENS}{_VERB}",
    rf"^\W*{_OPENS}you (?:can|may|could|should) (?:now |just |please |go ahead and )*(?:cancel|refund)\b",
    rf"{_NO_SUBJECT}(?<!n't )\b(?:cancel|refund)"
    rf" (?:it|this|that|them|these|those|me|both|all|everything|my|the|order|{_ID})\b",
    r"\b(?:so|then|just|please) (?:cancel|refund)\W*$",
    # a wish
    r"\b(?:i|we)(?:'d|'ll|'m|'ve| would| will| am| have| must| do| shall| also| still| now| just| only"
    r"| [a-z]+ly)* (?:was (?:hoping|looking|wanting)|were (?:hoping|looking)|wanted|writing|here"
    r"|came|calling|contacting|was told to contact|like|love|want|need|demand|request|require|ask|asking"
    r"|requesting|claim|wish|expect|insist|prefer|rather|choose|chose|decided|have|got|ought|must|going|am|hereby"
    r"|apply|applying|beg|order|said|say|meant|mean|repeat|told|asked|will|think i(?:'ll|'d| will| would)"
    r"|confirm)\b.*\b(?:cancel|refund|return|money|back)",
    r"\b(?:i|we)(?:'m| am|'re| are) (?:now |hereby )?(?:cancell?ing|returning)\b",
    r"\b(?:asked|told|asks|tells|wants) (?:me|us|you) (?:to|for)\b.*\b(?:cancel|refund)"
    r"|\brequest (?:is )?to (?:cancel|refund)\b",
    r"\bwant(?:s|ed)? (?:it |this |that |them )?(?:cancell?ed|refunded|returned)\b"
    r"|\bmy money\b.*\b(?:back|now)\b",
    r"\b(?:should|must|needs? to|has to|have to|is to|ought to|to) (?:please )?be (?:cancell?ed|refunded"
    r"|returned)\b|\bneeds? (?:cancell?ing|refunding)\b",
    # a note that is nothing else
    rf"^\W*{_OPENS}{_MATTER}\b{_FOLLOWS}",
    rf"\b{_MATTER} (?:please|pls|now|asap|requested|request|for {_ID})\b",
    rf"^\W*(?:{_ID}|(?:my|the|that|this) [a-z]+)(?: {_ID})?[ ,:-]+(?:refund|cancel)"
    r"(?: it| please| pls| now)*\W*$",
)
_DEED_ZH = (
    r"(?:取消掉?|退[款货费钱单]*[掉了给还回]*|撤单|退订|作废|别发货?了|不买了|砍单|赔[钱偿]?|钱|款项?|货款"
    r"|全额|全款|一半|部分)"
)
_FILLS_ZH = (
    r"[的了吧啊呀哦喔呢嘛啦掉把将给帮我您你请就那还是也都再先好要想可以麻烦一下全部所有两三个张单笔件份这它该"
    r"此第二四上面刚才立刻马即直接赶紧快尽现在今天不对嗯行没事算哈谢辛苦老板亲订包裹号码编原来另外后前吗么回里"
    r"退取消款货钱次遍呗拜托得元块刀]|美[元金]"
)
_WISH_ZH = re.compile(
    r"(?:要|想要?|让我|叫我|我是?说|需要|希望|必须|得|决定|打算|申请|确认|同意|请|帮|麻烦|给我|替我|还我|我要求"
    r"|选择|务必|赶[快紧]|马上|立[刻即]"
    r"|尽快|直接|还是|那就?|就|快|把|将|全|都|也|再)[^,]{0,14}(?:取消|退|作废|撤单|赔)",
    re.ASCII,
)
_MINE_ZH = re.compile(
    r"我.*(?:请|让|叫|要|求)[你您]们?|决定|打算|申请|确认|同意|希望|必须|务必|选择|需要|考虑好|想好|改主意|改变主意"
)
_NO_WISH_ZH = re.compile(
    r"没有?(?:说|取消|退)|不是[^,]{0,4}(?:取消|退)|还好|幸好|幸亏|好在|理论上|怕|担心|常常|经常|总是|天天|每次|老是|动不动|最近|这年头|如今"
    r"|(?:[多些]|少|有|别|个|家)人|大家|邻居|同事|客户|老板|室友|同学|亲戚|隔壁|(?:有人|网上|网[络路]上?|客服|同行)[^,]*[说提]|本来|原本|原先|要是能|能[^,]{0,4}最好|(?:真|好|太|很|挺)麻烦|麻烦死|"
    r"差点|差一点|显示|据说|听说|上次|以前|之前(?!的)|从前|的事|进度|流程|手续费|会不会|麻烦吗|很麻烦|的时候"
    r"|(?:已经?|早就?|刚刚?|怎么)被?(?:取消|退)|为什么|怎么"
    r"|(?:老婆|老公|妈妈?|爸爸?|朋友|同事|家人|人家|别人|[他她]们?)也?(?:说|的)"
)


def asks_for_it(clause: str) -> bool:
    """Whether a folded clause that speaks of a refund or a cancellation asks for it."""
    if re.search(r"[\u4e00-\u9fff]", clause):
        return _asks_in_chinese(clause)
    return begs(clause) or _ASKS_FOR.search(clause) is not None


def _asks_in_chinese(clause: str) -> bool:
    if _NO_WISH_ZH.search(clause) or _somebody_did(clause):
        return False
    deed = re.search(_DEED_ZH, clause)
    before = _left(_MINE_ZH.sub("", clause[: deed.start()])) if deed else ""
    if before and clause.rstrip().endswith("了") and not _REASON_BEFORE_ZH.search(before):
        return False  # 航空公司给我退款了
    if begs(clause) or _WISH_ZH.search(clause):
        return True
    if deed is None:
        return False
    after = _left(clause[deed.end() :])
    told = bool(after) and not _REASON_ZH.match(after) and not _OBJECT_ZH.search(clause, deed.end())
    return len(before) <= _LONGEST_REASON and not told


def _somebody_did(clause: str) -> bool:
    """Whether a clause tells what somebody else did to something: 健身房把我的会员取消了."""
    before, _, after = clause.partition("把")
    return bool(after) and after.rstrip().endswith("了") and bool(_left(before))


def _left(part: str) -> str:
    """What a part of a clause says besides the wish."""
    return re.sub(rf"{_DEED_ZH}|{_FILLS_ZH}|[a-z0-9$%.#-]|\W|\ue000", "", part)


_OBJECT_ZH = re.compile(
    r"的?[这那一](?:一?[个张单笔份件])|订单|单子|费用|[出发]货|商品|东西|包裹|的[钱款]|(?<=\d)的"
)
# What may come before the wish and its 了, and is a reason; anything else is what was cancelled: 航班取消了.
_REASON_BEFORE_ZH = re.compile(
    r"坏|碎|破|裂|漏|错|慢|久|差|贵|晚|迟|质量|颜色|尺寸|太|不|没|未|少|脏|旧|假|重复|多余|后悔|发货|下单|买|订"
)
_LONGEST_REASON = 8  # characters that may come before the wish: 质量太差退款
_REASON_ZH = re.compile(r"因为|由于|坏|碎|破|裂|漏|错|慢|久|差|质量|颜色|尺寸|颜|尺|有|没|不")
