"""Whether a clause is about what was asked for before: "which order did I ask you to cancel?",
我刚才请你取消哪个订单？, "I told you to refund it".

Word for word such a clause holds a request, and it is none: what is wanted is told from memory, and
nothing is done over again. It speaks of the past, by its verb in English, in Chinese by a word of time, 过,
了, 有没有 or by asking which. "I ask you to cancel it", 我请你取消 and "I wanted to ask you to cancel it" are
requests.

English and simplified Chinese, for one folded clause in which 有没有 is 有 (see `folding.A_NOT_A`).
"""

from __future__ import annotations

import re
from typing import Literal

from .wishes import CHANGES, Kind

Asking = Literal["asked", "said"]  # a question about it; or a statement, which may lead up to a request

# What requests are about, and which wishes those are. "Change" may mean anything that was to be done.
_MOVES: frozenset[Kind] = frozenset({"pickup", "address", "delivery", "undo"})
_ABOUT: dict[str, frozenset[Kind]] = {
    "refund": frozenset({"refund"}),
    "cancel": frozenset({"cancel"}),
    "delivery": _MOVES,
    "": CHANGES,
}

# English

_ADVERBS = (
    r"(?:(?:already|just|really|ever|even|actually|also|only|once|now|earlier|before|recently|first|not|still"
    r"|definitely|clearly|probably|perhaps|then|so far|indeed|never|myself|twice|[a-z]+ly|maybe"
    r"|by (?:any chance|mistake|accident)|in fact|somehow|at (?:some|any) point) )*+"
)
_SENT = (
    r"(?:(?:you )?(?:a|an|the|my|any|for|in|in a|in the) (?:\w+ )?"
    r"(?:requests?|refund|cancell?ation|application|claim|return)\b)"
)
_ASK = (
    r"(?:ask|tell|want|request|say|instruct|beg|apply|mention|write|type|choose|set|order you|get you"
    rf"|have you|mean you|need you|(?:put|send|submit|file|make|place|raise|give) {_SENT})"
)
_ASKED = (
    r"(?:asked|told|requested|instructed|begged|applied|said|mentioned|wrote|written|typed|chosen|chose"
    r"|ordered you|got you|had you|needed you|been asking|been telling"
    rf"|(?:put|sent|submitted|filed|made|placed|raised|got) {_SENT})"
)
_ACT = r"(?:cancel|refund|return|change|switch|move|redirect|undo|revert|update)"
_ACTED = r"(?:cancell?ed|refunded|returned|changed|switched|moved|redirected|undone|undid|reverted|updated)"
_OBJECT = (
    r"(?:it|that|this|them|both|the|my (?:order|delivery)|order|anything|something|[a-z]{1,4}-?\d{3,})\b"
)
_I = r"(?:i|we)(?:'ve|'d| have| had| did| was| were| (?:must|may|might|could|should) have)? ?" + _ADVERBS
_SOMEBODY = r"(?:who|anyone|anybody|someone|somebody|nobody|no one|he|she|they|(?:my|the|a) \w+)"

# "Did I ...", "have I ...": the past, asked about.
_INVERTED = re.compile(
    rf"\b(?:did(?:n't)? (?:not )?(?:i|we) {_ADVERBS}(?:{_ASK}|{_ACT})\b"
    rf"|(?:have|had)(?:n't)? (?:not )?(?:i|we) {_ADVERBS}(?:{_ASKED}|wanted|set|{_ACTED})\b"
    rf"|(?:was|were)(?:n't)? (?:not )?(?:i|we) {_ADVERBS}"
    r"(?:asking|telling|wanting|requesting|going to|about to|trying to)\b"
    rf"|did {_SOMEBODY} {_ADVERBS}(?:ask|tell|instruct) you"
    rf"|(?:has|have|had) {_SOMEBODY} {_ADVERBS}(?:asked|told) you"
    r"|(?:were|have) you (?:been )?(?:asked|told|instructed) to"
    r"|did you (?:hear|notice|see|understand|note)\b.*\b(?:me|i|us|we) (?:ask|tell|asked|told|say|said)\b)",
    re.ASCII,
)
# "I asked you", "I have cancelled it". "I wanted to" is how people ask politely, unless they ask about it.
_TOLD = re.compile(
    rf"\b(?!(?:i|we) (?:was|were) (?:told|asked|instructed)\b){_I}"
    rf"(?:{_ASKED}\b|wanted (?!to\b)|(?<=did ){_ASK}\b|(?<=was )(?:asking|telling)\b"
    rf"|(?:been )?(?:cancell?ed|refunded|undid|undone|reverted)\b|(?<=did )(?:cancel|refund)\b"
    rf"|(?:had|got) [^,]{{1,30}}? (?:cancell?ed|refunded)\b"
    rf"|(?:changed|switched|moved|redirected|updated) (?={_OBJECT}))"
    rf"|\b{_SOMEBODY} (?:has |have |had )?{_ADVERBS}(?:asked you|told you|instructed you|requested)\b"
    r"|\b(?:me|one|i) who (?:asked|told|wanted|requested)\b"
    r"|\byou(?:'ve| have| had)? (?:were|been) (?:already )?(?:asked|told|instructed) to\b"
    r"|^(?:already |just )*(?:cancell?ed|refunded|asked you|told you|asked for)\b"
    r"(?! (?:please|pls|plz|asap|now)\b)",
    re.ASCII,
)
_WHICH = re.compile(
    rf"\b(?:whether|if|which|what|who|when|why|where|how (?:many|often)|orders?|ones?|thing)\b[^,]*?\b{_I}"
    rf"(?:{_ASKED}|wanted|set|{_ACTED}|asking|telling|wanting|going to)\b"
    r"|\bwhat (?:cancell?ation|refund|request|change)s? (?:did|have|had) (?:i|we)\b"
    r"|\b(?:which|what)\b[^,]*\bdid (?:i|we) give you to\b"
    r"|\b(?:which|what)\b[^,]*\byou (?:were|been) (?:asked|told) to\b"
    r"|\byou (?:were )?(?:asked|told) to\b[^,]*\bwhich\b"
    r"|\bwhat were you (?:asked|told) to\b",
    re.ASCII,
)
_RECALLED = re.compile(
    r"\b(?:remember|recall|forgot(?:ten)?|remind me|know|record|note|sure)\b[^,]*?"
    r"\b(?:(?:asking|telling|requesting|wanting|cancell?ing|refunding) |my (?:\w+ )?requests?\b"
    r"|(?:i|we) (?:want|wish|need)(?:ed)?\b)",
    re.ASCII,
)
_ASKS = re.compile(
    r"\b(?:remind me|tell me|show me|let me know|list|remember|recall|forgot(?:ten)?|wonder\w*|check|whether"
    r"|confirm|verify|(?:not|am i) (?:sure|right|correct)|which|what|who|when|why|how (?:many|often))\b",
    re.ASCII,
)
_MATTER = re.compile(
    r"\bcancel|\brefund|\bmoney\b|\breimburs|\breturn|\bchang|\bswitch|\bmov(?:e|ed|ing)\b|\bredirect|\bund"
    r"|\brevert|\bpick(?:ed|ing)?[ -]?(?:it |them |this |that )?up\b|\bcollect|\bdelivery\b|\bupdate"
    r"|\bto (?:please )?(?:deliver|send|ship|bring|take|put)\b|\bto do\b|\bdone\b",
    re.ASCII,
)
_COMMAND = re.compile(
    r"^(?:(?:please|pls|now|so|then|ok|okay|just|kindly|also|(?:can|could|would|will) you"
    r"|i(?:'d| would) like to|i (?:want|need) to|let's)[ ,]+)*"
    r"(?:(?:cancel|refund|return|change|switch|move|undo|revert|send|deliver|ship|redirect|make|put|restore)\b"
    r"|(?:give|pay) (?:me )?(?:back )?(?:my |the |a )?(?:back|money|refund|cash|half|\$?\d)"
    r"|i(?:'d like| would like| want| need| demand)"
    r" (?:a |my |the )(?:\w+ )?(?:refund|money|cancell?ation)\b)",
    re.ASCII,
)

# "I said cancel it!" says it again.
_INSISTS = re.compile(
    r"\bsaid (?:please )?(?:cancel|refund|return|change|switch|undo|send|deliver|make)\b", re.ASCII
)

# Chinese

_WHEN = (
    r"(?:刚才|刚刚|刚|方才|之前|先前|早先|此前|以前|上次|上回|昨天|前天|昨晚|今早|早些时候|前面|最初|最早|一开始|原本|本来"
    r"|当初|曾经?|已经|已|当时|那时候?|老早|早就|不久前|稍早前?|上个?(?:周|星期|礼拜|月)|[\d一二两三几半][^,我你]{0,6}前)"
)
_ASKED_WHEN = r"(?:什么时候|啥时候?|何时|几时|为什么|为啥|为何|怎么会?)"
_FILL = (
    rf"(?:{_WHEN}|{_ASKED_WHEN}|到底|究竟|好像|似乎|可能|应该|是否|不是|有无|是|有|没有?|可(?=没)|还|也|又|都|一共"
    r"|总共|明明|真的|确实|就|先|后来|最后|不?记得|印象中?|以为|确定|不小心|不慎|误|从来?|哪[里有]?)"
)
_WE = r"(?<![帮替给])我们?"
_I_ASK = (
    r"(?:(?:请|让|叫|要|要求|拜托|麻烦|委?托|求|吩咐|交代)(?:过|了)?[你您]们?"
    r"|[跟对和向同][你您]们?(?:的?(?:客服|同事|人))?(?:说|讲|提|申请|要求)(?:过|了)?)"
)
_DO = (
    r"(?:取消|退(?!休)|撤[单销回]|作废|还原|改(?!变?主意|变?想法|[天日期口名])"
    r"|换(?!了?个?新?(?:地址|电话|手机|工作|地方)))"
)
_DID = rf"(?:{_DO}|自[提取]|[送寄发](?:到|去|往|给)?|[做办干弄]|处理)"
_ASKED_YOU = re.compile(
    rf"(?:{_WE}{_FILL}*+|{_WHEN}|(?<!还)有|谁|有人|记得[是有我]*|忘了?|印象中?)(?:有|没有?)?{_I_ASK}[^,]*?{_DID}"
)
_ASKED_SELF = re.compile(
    rf"{_WE}(?P<fill>{_FILL}*+)(?P<self>申请|要求|提出|提交|提到|提|说|讲|选|设)?(?P<past>过|了|的)?"
    rf"(?P<wish>要|想|打算)?(?:申请|把[^,]*?|给[^,]*?|帮[^,]*?|(?<=申请)[^,]{{1,10}}?)?(?:{_DO}|自[提取])"
)
_I_WANT = re.compile(
    rf"{_WE}{_FILL}*+(?:申请|说|讲|{_I_ASK}|要|想|打算|请)[^,]*?{_DO}"
    rf"|我{_FILL}*+申请[^,]*?(?:退款|取消)|{_WHEN}[^,]*?{_DO}|{_DO}[^,]*?来[着著]|我[^,]*?选的?[^,]*?自[提取]"
)
_ITS_REQUEST = re.compile(rf"我[^,]{{0,6}}?{_DO}[^,]{{0,10}}(?:请求|要求|申请)|问[过了]?[你您]{_DO}")
_PAST = re.compile(
    r"(?:取消|退[款货费钱]?|撤[单销回]|改|换|[做办干弄]|处理|申请)(?:掉|成[^,]{1,6})?(?:过|的)"
    r"|(?:取消|退[款货费钱]?|撤[单销回]|改|换|[做办干弄]|处理|申请)(?:掉)?了"
    r"|(?<![好算行罢可])了(?:吗|没有?|么|嘛|吧|啊|呀|是|对)?$|来[着著]|(?:的|过)[吗么]?$|时候?$"
)
_THINGS = re.compile(r"哪(?!怕)|边[个张]|(?<![没为])什么(?![的都时])|啥|(?:几|多少)[个张笔单件样]|谁")
_MODAL = re.compile(r"[能该]|可[以否]|怎么|如何|最好|必须")
_SURE = re.compile(r"(?:对|是|有|没错)[吗吧么]?$|[吗么没]$|没有$|是(?:什么时候|何时|几时)")
_WILLING = re.compile(r"(?:好|行|可以|成|方便)[吗么不]?$|[能可](?!没)")
_LEADS = re.compile(
    r"(?:记得|提醒我|告诉我|忘[了记]?|知道|想不起来?|回[忆想]|看看|查查?|确认|确定|问)(?:(?![帮替给])[^,]){0,4}?(?:[我有]|$)"
)
_ON_THE_WAY = re.compile(
    rf"{_WHEN}|[有没]|好像|似乎|明明|记得|忘|印象|以为|不是|不小心|误|哪里?|[请让叫求托烦](?:过|了)"
)
_ASKED_HOW = re.compile(rf"{_ASKED_WHEN}|谁|有人|有无|是否")

# Both

_DO_IT = re.compile(
    r"(?<!to )\b(?:do|get) (?:it|that|so|this)\b|\bgo ahead\b|\bget on with\b|^(?:so |and )?please do\b"
    r"|(?<!to )\b(?:so|please|just|now) (?:cancel|refund|change|switch|move|send|deliver|undo)\b"
    r"|^(?:please |right |do )*now(?: please)?$"
    r"|(?:请|麻烦|赶[紧快]|马上|立刻|尽快|快[点些]?|现在|那就)[^,吗么哪]{0,6}?(?:办|处理|执行|操作|取消|退款?|改|弄)"
    r"(?!了)|^(?:请)?(?:现在|马上|立刻)就?[办改退]",
    re.ASCII,
)
_DID_IT = re.compile(
    r"\b(?:did|have|has|didn't|haven't|why|when|will)\b[^,]*\b(?:do|get|did|done)\b", re.ASCII
)


def asking_back(clause: str, question: bool) -> Asking | None:
    """How a clause speaks of what was asked for before, None where it does not."""
    return _in_english(clause, question) or _in_chinese(clause, question)


def _in_english(clause: str, question: bool) -> Asking | None:
    found = [
        match
        for words in (_INVERTED, _WHICH, _TOLD, _RECALLED)
        if (match := words.search(clause)) is not None
    ]
    if not found or _COMMAND.search(clause):
        return None
    first = min(found, key=lambda match: match.start())
    if not _MATTER.search(clause, first.start()):
        return None
    if first.re is _TOLD and not question and not _ASKS.search(clause[: first.start()]):
        return None if _INSISTS.search(clause) else "said"
    return "asked"


def _in_chinese(clause: str, question: bool) -> Asking | None:
    you, self = _ASKED_YOU.search(clause), _ASKED_SELF.search(clause)
    first = min((found.start() for found in (you, self) if found), default=len(clause))
    if re.search(_DO, clause[:first]) and _THINGS.search(clause) is None:
        return None  # 取消我让你改的订单: what comes first is wanted
    if _THINGS.search(clause) and not _MODAL.search(clause) and _wants_to_know_which(clause):
        return "asked"
    sure = question or _SURE.search(clause) is not None
    if sure and _ITS_REQUEST.search(clause):
        return "asked"
    if you:
        leads = _LEADS.search(clause[: you.start() + 1]) or _ASKED_HOW.search(clause[: you.end()])
        if leads or (sure and not _WILLING.search(clause)):
            return "asked"
        past = _ON_THE_WAY.search(clause[: you.end()]) or _PAST.search(clause, you.start())
        return "said" if past else None
    if self is None:
        return None
    wish, fill = self["wish"], self["fill"]
    done = self["past"] or _ON_THE_WAY.search(fill) or (not wish and _PAST.search(clause, self.start()))
    when = _ASKED_HOW.search(fill) is not None and bool(self["self"] or re.search("是否|有无", fill))
    if when or _LEADS.search(clause[: self.start() + 1]):
        return "asked"
    if sure and (done or fill) and not _WILLING.search(clause):
        return "asked"
    insists = self["self"] in ("说", "讲") and not re.search(_WHEN, fill)  # 我都说了取消
    return "said" if done and not insists else None


def _wants_to_know_which(clause: str) -> bool:
    asked = _ASKED_YOU.search(clause) or _I_WANT.search(clause) or _ITS_REQUEST.search(clause)
    return asked is not None or (_ASKED_SELF.search(clause) is not None and _PAST.search(clause) is not None)


def asks_which(clause: str) -> bool:
    """Whether such a clause asks which order or what, rather than whether."""
    return re.search(r"\b(?:which|what)\b", clause, re.ASCII) is not None or bool(_THINGS.search(clause))


def wants_it_done(clause: str) -> bool:
    """Whether a clause wants done at last what another one says was asked for: "do it now", 请马上办."""
    return _DO_IT.search(clause) is not None and _DID_IT.search(clause) is None


def is_tag(clause: str, before: str) -> bool:
    """Whether a clause asks of the one before it whether that was said: "did I say that?", 有这回事吗."""
    if _TAG.search(clause):
        return True
    return _RIGHT.search(clause) is not None and _ASKED_YOU.search(before) is not None


_RIGHT = re.compile(r"^(?:没错|对不?对?|是不?是?|没有?)(?:吗|吧|么)?$")

_TAG = re.compile(
    r"^(?:- )?(?:or )?(?:did|didn't|have|haven't|had|hadn't) (?:i|we|she|he|they)\b(?: not)?"
    r"(?: (?:say|ask|tell|write|type|want|request)\w*)?"
    r"(?: (?:that|this|you|it|so|before|earlier|just now|or|not|for))*$"
    r"|(?:这|那)(?:回|件)?事|^你?还?记得[吗不没么]?$|^我(?:刚才|刚刚|之前)?[有是]?(?:说|讲|问|提|请|要求)(?:过|了|的)?(?:吗|没|么)",
    re.ASCII,
)


def tells_of_asking(clause: str) -> bool:
    """Whether it is said that something was asked for, rather than that it was done: "I cancelled A100"."""
    return (
        re.search(rf"\b(?:{_ASKED}|wanted)\b|请|让|叫|要|求|拜托|麻烦|申请|说", clause, re.ASCII) is not None
    )


def ends_pressing(clause: str) -> bool:
    """Whether one clause says both: "I told you to cancel it so please do it"."""
    return clause.isascii() and wants_it_done(clause)


def matter_of(clause: str) -> frozenset[Kind]:
    """Which requests a clause asks about."""
    for about, words in _MATTERS:
        if words.search(clause):
            return _ABOUT[about]
    return _ABOUT[""]


_MATTERS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("cancel", re.compile(r"\bcancel|取消|撤单|作废", re.ASCII)),
    ("refund", re.compile(r"\brefund|\bmoney\b|\breimburs|\breturn|退", re.ASCII)),
    (
        "delivery",
        re.compile(
            r"\bpick(?:ed)?[ -]?up\b|\bcollect|\bdeliver|\bsend|\bship\b|\baddress|\bund[oi]|\brevert"
            r"|\bredirect|\bmov|\bswitch|自[提取]|[送寄]|地址|撤[销回]|还原",
            re.ASCII,
        ),
    ),
)
