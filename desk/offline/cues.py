"""The words by which wishes are told, in English and simplified Chinese (see `folding`).

Patterns are for one folded clause. They are kinds of words, not sentences: who speaks of which order, on
which condition and where to is found elsewhere.
"""

from __future__ import annotations

import re

from .dates import days_in
from .places import PICKUP
from .wishes import Kind


def any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.ASCII)


# Changes

_UNDO = any_of(
    r"\bundo\b|\brevert\b|\brestore\b|\broll (?:it |that |this )?back\b"
    r"|\bback to (?:how|what|the way|where|the (?:old|original|previous|first)|its)",
    r"\b(?:put|set|switch|move|turn|change) (?:it|that|them|this|everything|both"
    r"|(?:them |it )?all|[a-z]+\d+) back\b"
    r"|\b(?:old|original|previous) (?:address|delivery)\b",
    r"\btake (?:that|it) back\b|\bcancel (?:that|the|this|my) (?:last )?(?:delivery )?change\b"
    r"|\bthe way it was\b|\bas it was\b",
    r"撤销|撤回|还原|恢复|复原|[改换变弄送寄]回(?!.{0,3}[钱款])"
    r"|取消[^,]{0,5}(?:改动|更改|修改|变更)|原来的?(?:地址|配送|方式|那个地址)|回到(?:原|之前)",
    # a refund or a cancellation, which is not asked for by who wants it gone
    r"\b(?:cancel|withdraw|reverse|revoke|retract|rescind|stop|drop|annul|void|take back|call off)"
    r" (?:(?:the|that|this|my|our|last|latest|previous|pending|[a-z]+\d+(?:'s)?) )+"
    r"(?:refund|cancell?ation)\b",
    r"\b(?:reverse|revoke|withdraw|scrap|take back) (?:the|that|my|this) (?:\w+ ){0,3}change\b"
    r"|\b(?:take|get) (?:the|that|my) (?:refund|cancell?ation) back\b|\bun-?cancel",
    r"(?:取消|收回|撤掉)(?:掉)?[^,]{0,8}退款(?:的)?(?:申请|请求)|^[请帮我麻烦把]*取消退款[吧了]?$"
    r"|(?:取消|收回|撤掉)(?:掉)?(?:刚才|刚刚|上一?次|之前|[那这](?:个|笔|次)?)的?退款"
    r"|(?:收回|撤掉)[^,]{0,8}取消",
)
# What a wish to undo names, where it names a kind of change.
_UNDONE: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("refund", any_of(r"\brefund|\breimburse", r"退款|退货|退钱|退费")),
    (
        "cancel",
        any_of(
            r"\bcancell?(?:ation|ing|ed)\b|\bundo (?:the |my |that )?cancel\b|\bun-?cancel",
            r"(?:撤销|撤回|还原|恢复|复原|收回|撤掉)[^,]{0,10}取消|取消[^,]{0,10}(?:撤销|撤回|还原|恢复|复原|收回)",
        ),
    ),
    (
        "delivery",  # "back to the old address" tells where to, and may follow a change of either kind
        any_of(
            r"\bback to\b|\b(?:old|original|previous) (?:address|delivery)\b",
            r"[改换变弄送寄]回|原来的?|回到|[还复]原[成为到]",
        ),
    ),
    ("pickup", re.compile(PICKUP, re.ASCII)),
    ("address", any_of(r"\baddress\b|地址")),
    ("delivery", any_of(r"\bdelivery\b|\bshipping\b|配送|送货|派送|寄送")),
)
_RETURN = any_of(
    r"\b(?:return|send back) (?:it|this|that|them|my|the|[a-z]+\d+)\b|\breturns? (?:possible|allowed"
    r"|accepted)\b"
    r"|\bsend (?:it|them|this|[a-z]+\d+) back$",
)
_REFUND = any_of(
    r"\brefund(?:s|ed|ing|able)?\b|\bmoney[ -]?back\b|\breimburse|\bmy money\b",
    r"\b(?:give|pay|get|want|send|have|need|like)\b[^,]{0,24}(?:money|cash|charges?|payments?|\d|dollars?"
    r"|usd|bucks"
    r"|half|price|%)(?: of it)? (?:all )?back\b",
    r"退款|退费|退钱|退货|退回[^,]{0,4}[钱款]|退[^,]{0,8}[钱款]|退(?:给|还|掉)|退一?半"
    r"|退(?:我)?\s*\d|退(?:我|给我)?(?:[一二三四五六七八九十两几百]+(?:块|元|成|部分)|部分)|退(?=\s*[a-z]\d)|退一?[次遍回下笔]|(?:再|重新?|又)退(?!回)",
    r"(?:想|要|申请|帮我|给我|能|可以|请|别|不|不用|不要|先)退|赔(?:钱|偿|我)"
    r"|[钱款](?:[^,]{0,3})[退还](?:给|我|回)|退了?(?:吧|得了|算了|好了)?$",
)
_CANCEL = any_of(
    r"\bcancel(?:l?ed|l?ing|l?ation|lable)?\b|\bcall (?:it |that )?off\b|\bscrap (?:it|the|my|that|order)\b"
    r"|\bget rid of (?:it|that|this|the|my|[a-z]+\d+)\b"
    r"|\bstop (?:it|that|this|the order|my order|[a-z]+\d+) (?:from )?(?:being )?"
    r"(?:ship|sent|send|dispatch|going out)",
    r"取消|退单|撤单|作废|别发(?:货)?了|不买了|砍单",
)
_TROUBLE = any_of(
    r"\b(?:broken?|broke|damaged?|cracked|chipped|smashed|shattered|in (?:two |many )?pieces"
    r"|scratch(?:es|ed)?(?! that\b)|faulty|defective|noisy|buzz(?:es|ing)?|rattl(?:es|ing)|smells?"
    r"|stain(?:s|ed)?|dead|torn|dented|dent)\b",
    r"(?:doesn't|does not|won't|not|stopped) work|\bwrong (?:item|size|colou?r|product)\b"
    r"|\b(?:got|received|sent|have|is|was)\b[^,]{0,12}\bwrong one\b"
    r"|\bempty\b|\bmissing\b|\bleak(?:s|ing|y)?\b",
    r"\bchanged my mind\b|\b(?:don't|do not|no longer) (?:want|need|like) (?:it|them|this|that"
    r"|the|my|[a-z]+\d+)\b|\bnot (?:happy|satisfied)\b",
    r"坏|碎|破|裂|划痕|刮痕|瑕疵|不能用|用不了|不好用|少了|发错|错了?(?:东西|货|颜色|尺寸)"
    r"|漏水|杂音|噪音|异响|异味|有味|空的|空盒|缺了|卡住|不转|不亮|没反应|打不开|质量|不满意|不想要|不要了|后悔|不喜欢|变形"
    r"|(?<!我)(?<!个)(?<!没)有(?:点)?问题|损",
)
_ABSENT = any_of(
    r"\b(?:never|not|didn't|haven't|hasn't|isn't|don't|wasn't)\b(?: \w+)? (?:arrived?|get|got|gotten"
    r"|received?|come|came|here"
    r"|shown? up|showed up|delivered)\b|\bwhere(?:'s| is) my stuff\b|\b(?:went|gone) missing\b"
    r"|\bgot lost\b",
    r"[没未]有?(?:收到|拿到|送到|见到|到货)|还没到|收不到|丢了|不见了|弄丢",
)
_DELIVERY = any_of(
    r"\b(?:change|switch|update) (?:where|the place)\b",
    r"\b(?:change|switch|update|modify|edit|alter|fix|different|another|new"
    r"|wrong)\b[^,]{0,40}\b(?:delivery|address|shipping|destination|deliver|delivered|sent)\b",
    r"\b(?:delivery|address|shipping)\b[^,]{0,20}\b(?:change|changed|wrong|different)\b"
    r"|\b(?:deliver\w*|send|sent|ship\w*|go|bring|take)\b[^,]*\b(?:(?:somewhere|some ?place) else"
    r"|elsewhere)\b"
    r"|\b(?:can|could|may|should|let) (?:it|this|that|they|them|my \w+|the \w+|[a-z]+\d+) go to\b",
    r"[改换变调][^,]{0,14}(?:配送|送货|收货|地址|派送|快递|寄送|投递|收件|送法|取货方式)"
    r"|(?:地址|配送|送货|收货)[^,]{0,8}(?:改|换|错|变)",
    r"[送寄](?:到|去)?(?:别|其[他它]|另外?)(?:的)?[^,]{0,3}(?:地方|处|地址)|换个?(?:地方|地址)",
)
_RESCHEDULE = any_of(
    r"\b(?:another|a different|some other) (?:day|date|time)\b",
    r"\breschedul|\bpostpone|\bexpedite|\bspeed (?:it |this |that )?up\b"
    r"|\b(?:faster|sooner|earlier|later) (?:delivery|shipping)\b"
    r"|\b(?:get|have|receive|deliver|send|need|want) (?:it|this|that|them) (?:faster|sooner|earlier|later"
    r"|quicker)\b",
    r"改期|改天|改日|换个?时间|别的时间|推迟|延后|延期|(?:提前|提早|早[点些])[送发到寄]|加急|催[一单货]|快点[送发到]|晚[几点]",
)
_OTHER_DAY = any_of(
    r"^(?:please |then |ok |so )*(?:can|could|would) (?:you|we|i) (?:please )?"
    r"(?:deliver|send|ship|bring|change|move|switch|push)\b(?!.*\b(?:by|before)\b)",
    r"\b(?:deliver\w*|sent?|ship\w*|come|arrive|change|move)\b.*\binstead\b",
    r"[改换挪调延](?:到|成|为|在|至)?(?:下|这|本)?个?(?:周[一二三四五六日天末]|星期|礼拜|明[天日早晚]|后天|\d{1,2}[月号日])",
)
_MOVES_IT = any_of(
    r"^(?:please |then |ok |can you |could you )*(?:move|redirect|re-?route) (?:it|this|that|them|these)\b"
)
_MOVES = any_of(
    r"^(?:please |can you |could you |pls )*(?:deliver|ship|send|bring|change|move|switch)\b",
    r"改[到成为]|[送寄发](?:到|货)?$",
)

# Questions about what was done

_DONE = any_of(
    r"\b(?:did|have|has)(?:n't)? (?:you|it|they|that|this|the|my|everything|all|both|we"
    r"|[a-z]+\d+)\b.*\b(?:cancel|refund|change|switch|update|go|gone|went|work|undo|undone|do"
    r"|done|file|get)(?:l?ed|d)?\b",
    r"\b(?:is|are|was|were|been|has|have|got)\b.*\b(?:done|ready|finished|completed?|saved|recorded"
    r"|registered|confirmed|taken care of|sorted"
    r"|cancel+ed|refunded|changed|updated|switched|handled|processed|undone|all set)\b",
    r"\b(?:is|are|was|were)\b.*\bback(?: now)?$",
    r"\b(?:all|both|everything) (?:done|set|sorted)\b|^done$"
    r"|\b(?:status|state|news) (?:of|on|about) (?:my|the|that) (?:refund|cancell?ation|change)",
    r"\bwhen (?:will|do|can|would) i (?:get|see|receive|have) (?:my|the) (?:money|refund)"
    r"|\bwhat about (?:my|the) (?:refund|cancell?ation|change)\b",
    r"\b(?:what|which(?: \w+)?) (?:did|have|was|were|got) (?:(?:you|i|we|they) )?"
    r"(?:do|done|chang|cancel|refund|mov)(?:e|l?ed?)?\b|\bwhat (?:was|has been) done\b"
    r"|\bdid (?:it|that|they) work\b|\bhow much (?:did|do|will|would) i (?:get|receive)(?: back)?\b",
    r"(?<!可以)(?<!能)(?:办|弄|改|搞|处理|取消|退|撤|完成|设置|更新|换|操作|提交|申请|还原"
    r"|恢复)[^,]{0,6}(?:了吗|了么|了没|了嘛|成功吗|成功没|好没|完没|定没)",
    r"(?:办|弄|改|搞|处理|退|取消|完成)(?:好|完|妥|成|定|掉)了?(?:没有?|吗|么)"
    r"|^[都全](?:退|取消|改|换|撤)了$|[都全](?:好|成|办)了[吗没么]|^好了[吗没]|退款[^,]{0,4}到账"
    r"|什么时候[^,]{0,4}(?:退款|到账)",
    r"退(?:了|给|还|过)*我?(?:了|到)?(?:多少|几)|(?:退款|取消|改动|变更)[^,]{0,4}(?:怎么样|进度|进展|状态|结果)|^(?:那)?(?:退款|取消|改动|变更|申请)呢$"
    r"|^(?:那么?|我的?|还有|可是)*(?:钱|款项?|货款|退款)[呢咧]$",
    r"\b(?:is|are|was|were|has|have)\b.*\b(?:waiting|pending|undecided|decided|approved|rejected|declined)\b",
    r"\b(?:what|how|where|when|any)\b.*\b(?:my|the|that) (?:refund|cancell?ation|money)\b",
    r"(?:取消|退款?|改|撤销)(?:掉|了|过)?的(?:订单)?是?(?:哪|什么)|(?:取消|退|改)了(?:哪|什么|多少|几)",
    r"(?:批准|批|通过|同意|审核|审批)[^,]{0,3}(?:了吗|了没|没有?$|吗)|还在(?:等|审|处理)|(?:等|审)到?什么时候",
)
_ASKS = any_of(
    r"^(?:so |and |but |ok |hey )*(?:is|are|was|were|has|did|do|does|what|when|will|how"
    r"|have(?! (?:it|this|that|them|[a-z]+\d+|(?:my|the) \w+) (?:cancel|refund|chang|mov|sent|deliver)))\b",
    r"[吗么没](?:有)?$|哪|什么|多少|怎么样|进度|进展|状态|结果|[钱款][呢咧]$",
    r"\?$",
)
_WHY = any_of(
    r"\bwhy\b.{0,80}(?:\bnot\b|n't|\bno\b|refus|reject|declin|den[yi]|fail|impossible)"
    r"|^(?:but |and )?why(?: so| is that| was that)?$|^how come|\bwhat(?:'s| is| was) the reason"
    r"|\bfor what reason|\bwhy did (?:they|you|the person)",
    r"为(?:什么|何|啥)|凭什么|怎么不[行能可]|(?:什么|啥)原因|原因是|怎么(?:会)?被?拒",
)


def is_asking(clause: str) -> bool:
    """Whether a folded clause is built as a question, whatever mark its sentence ends in."""
    return _INVERTED.search(clause) is not None


_INVERTED = any_of(
    r"^(?:so |and |but |ok |hey )*(?:is|are|was|were|has|have|did|do|does|can|could|would"
    r"|will|what|when|where|who|why|how|which)\b",
    r"[吗么]$",
)


_MONEY_MATTER = any_of(r"\brefund|\bmoney\b|\breimburs|\bpaid back\b", r"退(?!回|[单订])|[钱款]")
_CANCEL_MATTER = any_of(r"\bcancel", r"取消|作废|[撤退]单|退订")


def matter_asked(clause: str) -> frozenset[Kind]:
    """The one matter a folded question about what was done is about, none where it may be about any."""
    money, cancels = _MONEY_MATTER.search(clause), _CANCEL_MATTER.search(clause)
    if money and not re.search(r"^[^,]{0,12}改|\bchange", clause):
        return frozenset({"refund"})
    return frozenset({"cancel"}) if cancels and not _UNDO.search(clause) else frozenset()


def only_names_kind(clause: str) -> bool:
    """Whether a folded clause is nothing but the name of a kind: "undo the pickup and the refund"."""
    return _KIND_ALONE.match(clause) is not None


_KIND_ALONE = any_of(
    r"^\W*(?:also |both )?(?:(?:the|that|my|its) )?(?:last )?(?:refund|cancell?ation)(?: request)?"
    r"(?: too| please)?\W*$",
    r"^\W*(?:刚才的?|那个)?(?:退款|取消)(?:申请)?也?\W*$",
)


def kind_undone(clause: str) -> frozenset[Kind]:
    """The kind of change that a folded wish to undo names, none where it is any."""
    return frozenset([kind for kind, words in _UNDONE if words.search(clause)][:1])


def order_kind(clause: str, question: bool) -> Kind | None:
    """What a folded clause wants done to orders or asks about what was done, None where nothing."""
    if _WHY.search(clause):
        return "why?"
    if _DONE.search(clause) and (question or _ASKS.search(clause)):
        return "done?"
    if _UNDO.search(clause):
        return "undo"
    if _REFUND.search(clause) or _RETURN.search(clause):
        return "refund"
    if _CANCEL.search(clause):
        return "cancel"
    if _TROUBLE.search(clause):
        return "trouble"
    if _ABSENT.search(clause) and not question:
        return "absent"
    if re.search(PICKUP, clause, re.ASCII) and not _asks_where(clause):
        return "pickup"
    if (
        _RESCHEDULE.search(clause)
        or (_OTHER_DAY.search(clause) and days_in(clause))
        or (_MOVES.search(clause) and not question and days_in(clause))
    ):
        return "reschedule"
    if _DELIVERY.search(clause) or _MOVES_IT.search(clause):
        return "delivery"
    return None


def _asks_where(clause: str) -> bool:
    """Whether a clause with a word for picking up only asks about it."""
    if re.search(r"\b(?:when|where|which|what|is there)\b|哪|什么时候|几点", clause, re.ASCII):
        return True
    if re.search(r"[吗么]$", clause):
        return re.search(r"能|可以|帮|改|换|转|想|要", clause) is None
    return (
        re.search(
            r"^(?:so |and |but )*(?:is|are|was|were"
            r"|does|did|has|have)\b",
            clause,
            re.ASCII,
        )
        is not None
    )


def denies(clause: str) -> bool:
    """Whether a folded clause says of anything that it is not to be done, or was not wanted."""
    kinds: tuple[Kind, ...] = ("refund", "cancel", "undo", "delivery", "pickup")
    return any(negated(clause, kind) for kind in kinds)


# What stands before a wish that is not to be done. "Can't you refund it?" asks for it all the same.
_NOT = any_of(
    r"\b(?:don't|do not|didn't|did not|never|not|no need to|needn't|without|instead of"
    r"|rather than)\b[^,]{0,40}$",
    r"\bno\s\w?$",
    r"\b(?:should|must)n't\b(?! (?:you|we|i|it|they|that|this)\b)[^,]{0,40}$",
    r"\b(?:haven't|hadn't|hasn't) (?:even |yet |ever )?(?:asked?|told|requested|said|wanted|agreed)\b"
    r"[^,]{0,40}$",
    r"\b(?:isn't|wasn't|aren't|weren't|wouldn't|won't) (?:asking|telling|wanting|wanted|supposed|meant"
    r"|going|want|like|to be|be asking|have asked)\b[^,]{0,40}$",
)
_SENDING = any_of(r"\b(?:deliver|send|ship|redirect|forward|change|move|switch|bring|put)\b|[改送寄发换]")


def negated(clause: str, kind: Kind) -> bool:
    """Whether the folded clause says *not* to do it."""
    words = {
        "refund": _REFUND,
        "cancel": _CANCEL,
        "undo": _UNDO,
        "delivery": _DELIVERY,
        "address": _SENDING,
    }.get(kind)
    found = words.search(clause) if words else re.search(PICKUP, clause, re.ASCII)
    if kind == "refund":
        found = found or _RETURN.search(clause)
    if found is None:
        return False
    wants_none = kind == "cancel" and found[0][0] in "别不"  # 别发了, 不买了 want it cancelled
    before = clause[: found.start() + (0 if wants_none else 1)]
    if _NOT.search(before):
        return True
    return bool(
        re.search(
            r"(?:不要(?!了)|别|不用|不必|不想|无需|不需要|先不|没有?要|没有?想|不是要|没有?(?:让|叫|请|求|要求|拜托|同意|授权)[你您]"
            r"|并?不打算|没说|请勿|不(?:应该?|该|许|准|希望|愿意?)(?!.*[吗么?]))[^,]{0,8}$",
            before,
        )
        or re.match(r"不退|别退|不用退|不要退", clause[max(0, found.start() - 1) :])
        or (not wants_none and re.match(r"[不别]", found[0]))
        or re.search(r"(?<!要)(?<!能)(?<!可以)(?<!会)不再?(?:取消|退[款货]?)[了吧啦]+$", clause)
    )


# What somebody else wants is not asked for by who tells of it.
_THEY_WANT = any_of(
    r"\b(?:(?:my|a|the|his|her|our) (?:\w+ )?(?:friend|wife|husband|partner|mother|father|mum|mom|dad"
    r"|sister|brother|son|daughter|neighbou?r|colleague|boss|flatmate|roommate)|he|she|somebody"
    r"|someone) (?:also |now )?(?:wants?|would like|needs?|asks for|is asking for|wishes)\b",
    r"(?:朋友|同事|邻居|家人|妈妈?|爸爸?|老公|老婆|男友|女友|室友|同学|别人|[他她]们?)也?"
    r"(?:想|要|希望|打算)(?!你|您)",
)
_POSSIBLE = any_of(
    r"\b(?:is|would) it (?:be )?possible\b|\bam i (?:able|allowed|entitled)\b|\bwhat if i\b"
    r"|\b(?:can|could|is|am|may) .*\bstill\b",
    r"\b(?:can|could) (?:it|this|that|they|[a-z]+\d+|my order|the order)\b.* (?:still )?be\b",
    r"^(?:but |and |so )?(?:why|who|what|how)\b(?! about)"
    r"|\b(?:if|whether) (?:i|we|it|that|this|they|[a-z]+\d+) (?:can|could|may)\b|\bi (?:heard|read)\b"
    r"|\bis it true\b|听说"
    r"|据说",
)
_BEGS = any_of(
    r"\b(?:can|could|would|will) (?:you|we)\b"
    r"|\b(?:can|could|may|might) i (?:please )?(?:get|have|ask|request|claim)\b",
    r"\bplease\b|\bpls\b|\bi(?:'d| would) like\b|(?<!\bdid )\bi (?:want|need|demand)\b"
    r"|\bgive me\b|\bmy money\b",
    r"帮|请(?!问)|麻烦|给我|我想|我要|替我|申请|还我|(?:好|行|可以|好不好|行不行|可不可以)[吗么]?$",
)
_QUERIES = any_of(r"[吗么嘛]|能否|可否|能不能|可不可以|是否|怎么|如何|几天|多久|多少|什么|谁")


def begs(clause: str) -> bool:
    """Whether a folded clause asks for something to be done."""
    return _BEGS.search(clause) is not None


def tentative(clause: str, question: bool, *, begged: bool = False) -> bool:
    """Whether the folded clause asks about doing it, rather than for it to be done.

    What cannot be taken back is not done because somebody asked whether it could be. Nor is money paid for
    the wish to return something: a refund is only what can be done about it here.
    """
    if (
        _POSSIBLE.search(clause)
        or _THEY_WANT.search(clause)
        or (_RETURN.search(clause) and not _REFUND.search(clause))
    ):
        return True
    asks = question or _QUERIES.search(clause) is not None or is_asking(clause)
    return asks and not (begged or begs(clause))


def is_sending(text: str) -> bool:
    """Whether a folded text wants something sent somewhere."""
    return (
        re.search(r"\b(?:deliver|send|ship|redirect|forward)\b|改[送寄到]|[送寄]到?|地址", text, re.ASCII)
        is not None
    )
