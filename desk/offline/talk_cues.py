"""The words by which people speak of the ticket, of what was said, and of the desk itself.

Like `cues`: English and simplified Chinese, for one folded clause.
"""

from __future__ import annotations

import re

from .cues import any_of
from .wishes import Kind

# The ticket

_SUMMARY = any_of(
    r"\bsummar(?:y|i[sz]e|ies|i[sz]ed|i[sz]ing)\b"
    r"|\bsum (?:(?:it|this|that|everything|things) )?up\b|\bwrap (?:it |this )?up\b"
    r"|\bwrite (?:up )?the ticket",
    r"总结|小结|归纳|概括|汇总|汇整|摘要|整理一下",
)
_RECAP = any_of(
    r"\brecap\b|\bwhat(?:'s| has| have)? (?:happened|been (?:done|happening|going on))\b"
    r"|\bso far\b|\bwhat(?:'s| is| did| does| have)?\b.*\b(?:in|on|into|about) the (?:ticket|summary"
    r"|request)\b|\beverything you(?:'ve| have)? d(?:id|one)\b|\bcatch me up\b|\bfill me in\b"
    r"|\bwhat did we (?:do|talk|discuss)"
    r"|\bwhat (?:all )?(?:did|have) (?:you|we) (?:do|done|got done|get done|changed?|sort(?:ed)?)\b.*"
    r"\b(?:for me|today|up to now|until now|till now|all in all|in total|here|already)\b"
    r"|\b(?:what|which) things (?:did|have|were|are|got|has)\b",
    r"工单[^,]{0,4}(?:写|是|有)[^,]{0,3}(?:什么|啥|哪)|目前为止|到现在为止|发生了?(?:什么|啥|些)"
    r"|(?:做|办|弄|处理|搞|干)(?:了|过|好了|完了)(?:什么|哪些|哪几|啥|些|几)|(?:做|办|弄|处理)的(?:都)?(?:有|是)(?:什么|哪些|啥)"
    r"|[说聊讲谈改](?:到|过|了)(?:哪|些?什么|啥)|回顾|前情|(?:整个|整体)(?:情况|经过)|来龙去脉",
)

# What was said

_NAME_ASKED = any_of(
    r"\bwhat(?:'s| is| was) my name\b|\bwhat my name\b|\bwho i am\b|\bwhat i(?:'m| am) called\b"
    r"|\b(?:remember|know|recall|forgot(?:ten)?|tell me|say|got) (?:what )?my name\b|^my name$"
    r"|\bwho am i\b|\bwhat am i called\b|\bwhat do you call me\b",
    r"我叫(?:做)?(?:什么|啥)|我的?名字[^,]{0,4}(?:知道|记得)|我的?名字(?:是|叫)?(?:什么|啥|吗|$)"
    r"|(?:记得|知道|记不记得|记住|忘了?)(?:了)?我的?(?:名字|叫|是谁|姓)|我是谁|记得我(?:吗|么|不)?$"
    r"|(?:怎么|如何)称呼我|我姓(?:什么|啥)",
)
_FIRST = any_of(
    r"\bwhat (?:did|was it) i (?:first )?(?:ask|say|tell|write|want|typ)\w*(?: you| for"
    r"| about)*(?: at)? (?:\w+ )?(?:first|initially|originally|start|beginning|begin with)\b",
    r"\b(?:my|the) (?:very )?(?:first|original|initial|opening) (?:question|message|thing|request"
    r"|line|sentence)|\bwhat did i first\b|\bdid i (?:start|begin|open) with\b|\bfirst (?:thing|question) i\b"
    r"|\bhow did (?:this|the|our) (?:conversation|chat) (?:start|begin)",
    r"(?:最开始|最初|一开始|开头|刚开始|首先|最先|最早|第一句|第一个问题|第一次"
    r"|第一条)[^,]{0,8}(?:问|说|讲|聊|发|写|是什么|是啥)"
    r"|[问说写][^,]{0,6}第一(?:句|个问题|条)|第一(?:句|条)[^,]{0,4}(?:话|消息)?(?:是|问)",
)
_LAST = any_of(
    r"\bwhat did i (?:just |last )?(?:ask|say|write|type)(?: you)?(?: just now| last"
    r"| before(?: that| this)?| a moment ago)?$"
    r"|\bwhat (?:did )?i (?:just |last )?(?:ask|asked|say|said)(?: you)?(?: about)?"
    r" (?:just now|last|a moment ago|a minute ago|right now)$"
    r"|\b(?:my|the) (?:last|previous) (?:question|message)\b"
    r"|\brepeat my (?:last )?(?:question|message)",
    r"(?:刚才|刚刚|上一句|前面|上次|之前|上一个)[^,]{0,5}(?:问|说)(?:了|的"
    r"|过)?[^,]{0,6}(?:什么|啥)|我(?:刚才|刚刚|上一句|之前)(?:问|说)(?!(?:过|到)?的(?!是|$))|我刚(?:问|说)(?:了|过)?[你您]?(?:什么|啥)",
)
_MINE_ASKED = any_of(
    r"\b(?:which|what)(?: order| parcel| one| order number| number)* (?:is|was) (?:mine|my)\b"
    r"|\bwhat(?:'s| is| was) my order(?: number| id)?$"
    r"|\b(?:which|what) (?:order|one|parcel|order number|number|order id) (?:it|that|this) (?:was|is)\b"
    r"(?! (?:that|you))"
    r"|\b(?:which|what) (?:order|parcel|order number|order id) (?:was|is) (?:it|that|this)(?: again| about)?$"
    r"|\b(?:remember|know|recall|forgot(?:ten)?) my order\b|\b(?:which|what) order (?:did i|was i|do i)\b"
    r"|\bmy order number$",
    r"哪(?:个|一个|张|一张|单|一单|笔|一笔)[^,]{0,6}我的"
    r"|^(?:那|所以)?[这那]?[个张单笔]?是?(?:哪|什么)(?:一?[个张笔])?(?:订?单子?|单号)(?:号码?)?(?:来[着著]|啊|呀|的)*$"
    r"|^(?:那|所以)?[这那]?[个张单笔]?是?哪一?[个张单笔]来[着著]$"
    r"|我的?(?:订单|单子|单号|订单号|单)(?:号|编号|号码)?(?:是|叫)?(?:哪(?:个|一|张|单|笔)"
    r"|什么(?!时|情|地|样)|啥|多少(?!钱)|几号)"
    r"|我[买订下]的是?哪|记得我的?(?:订单|单)|我的?是?哪(?:个|一个|张|一张|单|一单|笔|一笔)",
)
_REASON_ASKED = any_of(
    r"\b(?:what|which)\b.*\breasons?\b.*\b(?:i|we) (?:\w+ )?(?:g[ai]ve|given|say|said|tell|told"
    r"|state|stated|put|mention\w*|wrote|write|had)\b|\b(?:what|which)(?:'s| is| was| were)? my reasons?\b"
    r"|\b(?:remember|recall|remind me of|forgot(?:ten)?|tell me|repeat) my reasons?\b"
    r"|\bdid (?:i|we) (?:give|say|tell|state|mention)\b.*\breasons?\b",
    r"我[^,]{0,8}(?:给|说|写|填|讲|提|用)(?:的|过|了)?[^,]{0,4}(?:理由|原因)|我的?[^,]{0,6}(?:理由|原因)[^,]{0,3}(?:什么|啥|哪|来[着著])"
    r"|(?:理由|原因)我(?:是)?(?:怎么|给|说|写|填)",
)
_ORDERS_ASKED = any_of(
    r"^(?:can you |could you |please |and |so )*(?:list|show|name|which|what"
    r"|how many)\b.*\borders\b(?!.* (?:first|cheap|dear|cost))",
    r"\bwhich (?:orders|ones) (?:did|have|were)\b|\b(?:do i have|are there) (?:any )?(?:other "
    r"|more )?orders\b",
    r"(?:[说聊讲谈提问查]|涉及)[^,]{0,4}(?:哪些|哪几|几|多少)[个张笔]?[^,]{0,2}(?:订?单|单子|包裹)",
    r"(?:列|显示|看)[^,]{0,6}(?:我的|所有|全部|哪些)[^,]{0,3}(?:订?单|单子|包裹)"
    r"|我[^,]{0,4}(?:有|买|下)[^,]{0,2}(?:哪些|哪几|几|多少|什么)[个张笔]?(?:订?单|单子|包裹)"
    r"|(?:哪些|哪几[个张笔]|几[个张笔])(?:订?单|单子)$|^(?:还有(?:没有)?)?(?:别的|其[他它]的?)(?:订?单|单子|包裹)[吗么没]",
)
_ASKED_ALL = any_of(
    r"\bwhat i (?:asked|said|told you|wrote)(?: you)?(?: about)? (?:earlier|before|previously|already)\b"
    r"|\bwhat did i (?:ask|say|tell|write)(?: you)?(?: about)? (?:earlier|before|previously|already|so far)\b"
    r"|\b(?:list|show|repeat)\b.*\b(?:my|the) (?:questions|messages)\b|\bwhat (?:all )?have i (?:asked|said"
    r"|told|written)"
    r"|\b(?:everything|all) (?:that )?i(?:'ve| have)? (?:asked|said|wrote|written)\b"
    r"|\bhow many (?:questions|messages)\b|\bwhat did i (?:say|ask|write|tell you) about\b",
    r"我?(?:都|一共|总共)[问说]了?过?(?:你|些)?(?:什么|啥|哪些|几|多少)|我[问说][过了](?:你|些)?(?:什么|啥|哪些|几|多少)"
    r"|(?:列出|重复|回顾)(?:一下)?我的?(?:所有)?(?:问题|话|消息)",
)
_ANSWERED = any_of(
    r"\bwhat did you (?:just )?(?:say|tell me|answer|reply)\b|^(?:please |can you "
    r"|could you )*repeat (?:that|it|your\w* .*)?$"
    r"|\bsay (?:that|it) again\b|^(?:pardon|come again)\b|\byour last (?:answer|message|reply)\b",
    r"你(?:刚才|刚刚|上一句|之前)?(?:说|回答|答)(?:了|的)?(?:什么|啥)|再(?:说|讲|回答)一[遍次下]|重复一[下遍次]$|没(?:听清|看清|看懂)$",
)
_MINE = any_of(
    r"\bmy order(?: number| id| no\.?)?(?:'s| is| was)\s*[#]?[a-z]+[- ]?\d"
    r"|\bmine is [a-z]+[- ]?\d|\bi have order [a-z]+[- ]?\d",
    r"(?:我的?)?(?:订单|单)(?:号|编号|号码)?(?:是|为|:)\s*[#]?[a-z]+[- ]?\d|[a-z]\d+是我的"
    r"|(?:^|[,。!?\s])(?:我的?)?(?:订单|单)(?:号码?|编号)\s*[#]?[a-z]+-?\d+(?=\s*(?:[,。!?]|$))",
)

# Why a person decides: a question about the rules, and not about what was refused.
_PERSON_DECIDES = any_of(
    r"(?!.*\b(?:not|no)\b|.*n't)\bwhy\b.*\b(?:person|human|approv\w*|wait\w*)\b",
    r"为(?:什么|何|啥)[^,不没]*(?:人工|真人|专人|审批|批准|审核|要等)",
)
_POLICY = any_of(
    r"\bpolic(?:y|ies)\b|\blimits?\b.*\brefunds?\b|\bhow long do i have\b|\b(?:refund|return|cancell?ation"
    r"|delivery) (?:rules?|terms"
    r"|conditions|limit|process)\b",
    r"\bhow (?:do|does|would) (?:a |the |your )?(?:refunds?|returns?|cancell?ations?) work\b"
    r"|\bhow long (?:do|does|will|would)"
    r" (?:a |the |your |my )?refunds? take\b"
    r"|\b(?:tell me|know|question|info(?:rmation)?) (?:more )?about refunds\b",
    r"政策|(?:退款|退货|取消|配送)(?:的)?(?:规则|规定|流程|条件|须知|限额)|退款[^,]{0,6}(?:上限|限额|额度|限制)|退款要(?:多久|几天)|怎么规定",
)

_POINTS = any_of(
    r"\b(?:which|what|any|list|show)\b.*\bpick-?up (?:points?|locations?|places?|options?)\b",
    r"\bwhere (?:is|are|can) .*\bpick-?up (?:points?|locations?)\b|\bwhere can i pick\b.*\bup$",
    r"(?:哪些|什么|哪几个|哪里有|有几个|附近)[^,]{0,6}自[提取](?:点|柜|的地方)"
    r"|自[提取]点(?:都)?(?:有哪|在哪|是哪)",
)
_AGAIN = any_of(
    r"^(?:once )?(?:again|more)(?: please)?$|^once more\b|^(?:再来|再一次|又一次)$",
    r"^(?:please |ok |yes |then |just )*(?:try|do (?:it|that|this)|ask|retry|change it|redo)(?: it"
    r"| that)?(?: once)? (?:again|more|over)\b",
    r"^(?:please )?(?:retry|redo)(?: it| that)?$",
    r"再(?:试|来|办|做|改|申请|问)一?[次下遍]|重试|重新(?:来|办|试|申请)",
)

# The rest

_NEXT = any_of(
    r"^(?:so |and |ok |well )*(?:what now|now what|what next|what happens now|what happens next"
    r"|what should i do(?: now)?)\b",
    r"\bstill (?:open|pending|to (?:be )?do(?:ne)?)\b|\bleft to do\b",
    r"(?:现在|接下来|然后|下一步)(?:该|要)?(?:怎么办|怎么做|做什么|干嘛)|怎么办$|还(?:有什么|有哪些|剩什么)[^,]{0,3}没(?:办|处理|做)",
)
_WHO = any_of(
    r"\bwho are you\b|\bwhat are you\b|\bare you (?:a |an |the )?(?:real|human|person|robot|bot"
    r"|ai|machine|model|gpt|chatgpt|llm|computer|offline)"
    r"|\b(?:which|what) (?:ai |language )?model\b"
    r"|\btalking to (?:a|an) (?:real|human|person|robot|bot|ai|machine)",
    r"你是谁|你是(?:个)?什么(?!时)|(?:你|您)?是(?:不是)?(?:个)?(?:真人|真的|机器人?|人工智能"
    r"|ai|人|gpt|chatgpt|模型|大模型)(?:吗|么"
    r"|还是|啊|$)|(?:哪个|哪种|什么)模型|你叫(?:什么|啥)",
)
_HELP = any_of(
    r"\bwhat (?:else )?(?:can|could|do) (?:you|i) (?:do|ask|help)"
    r"|\bhow (?:can|do) (?:you help|i use|this work)|^(?:please )?(?:help|help me)$|\bneed (?:some "
    r"|your )?help$|\bcan you help(?: me)?$"
    r"|\bwhat are you (?:able|good)",
    r"[你您](?:能|会|可以)(?:够)?[做干帮](?:我)?(?:做|干|办)?(?:什么|啥|些|哪)"
    r"|[你您](?:能|会|可以)干[嘛吗]|能帮(?:我)?(?:做|干|办)?(?:些)?(?:什么|啥)"
    r"|(?:什么|哪些)功能|怎么用|^帮助$|帮帮我|帮个忙|需要帮助",
)
_PERSON = any_of(
    r"\b(?:talk|speak|chat|transfer|connect|put|get|want|need)\b[^,]{0,24}\b(?:human"
    r"|(?:real |actual )?person|someone|somebody|agent|representative|manager|supervisor|operator"
    r"|staff)\b|^(?:a )?(?:human|real person|person|manager)(?: please)?$|\bcomplain",
    r"人工(?!智)|真人|找(?:个|你们)?(?:人|经理|主管|客服|专人)|经理|主管|投诉"
    r"|(?:跟|和|与)(?:真)?人[说聊谈讲]|专人",
)
_ABUSE = any_of(
    r"\b(?:stupid|idiots?|dumb|morons?|useless|shut up|hate you|fuck\w*|f\*+k?|shit\w*|crap"
    r"|sucks?|asshole|bitch|damn you|screw you|worthless|garbage|pathetic|go to hell|bastard"
    r"|trash|rubbish|incompetent)\b",
    r"蠢|笨|白痴|智障|傻|垃圾|废物|滚(?!筒|动)|妈的|操你|去死|混蛋|王八|脑残|弱智|讨厌你|没用"
    r"|烂透|太烂|神经病",
)
_HELLO = any_of(
    r"^(?:well )?(?:hi|hello|hey|hiya|howdy|good (?:morning|afternoon|evening)|greetings|yo)\b"
    r"|\bhow are you\b",
    r"^(?:.{0,2})(?:你好|您好|嗨|哈喽|哈罗|早上好|下午好|晚上好|早安|午安|晚安|大家好|在吗)"
    r"|^(?:喂|早|hi|hello)",
)
_THANKS = any_of(
    r"\b(?:thanks?|thank (?:you|u)|thx|tysm|ty|cheers|appreciated?|much obliged)\b",
    r"谢谢|多谢|感谢|谢(?=[啦了喽哦喔呀哈吖咯囉您你,!~。]|$)|辛苦|感恩|3q",
)
_BYE = any_of(
    r"\b(?:bye|goodbye|see you|that's all|that is all|nothing else|no more"
    r"|have a (?:nice|good|great))\b",
    r"再见|拜拜|没事了|没有了|就这样|掰掰|没别的",
)
_DROP = any_of(
    r"\bnever ?mind\b|\bnvm\b|\bforget (?:it|that|about it|about that)\b|\bleave it\b|\bscratch that\b"
    r"|\bdrop it\b|^(?:actually |no |oh |ok |please )*(?:wait|hold on|stop)(?: (?:it|please|a \w+))?$",
    r"^(?:那)?(?:还是)?算了|当我没说|^先?不用(?:了|麻烦)|^(?:先)?(?:等一?[下等]|等会儿?|慢着|停一?下?|打住)$|^忘了吧|别管了|不弄了|^没事$|^先不",
)
_AGREE = any_of(
    r"^(?:actually |oh |well )*(?:yes|yeah|yep|yup|ya|sure|ok(?:ay)?|please do|please|go ahead|do it"
    r"|do that|correct"
    r"|right|exactly|confirm(?:ed)?|of course|absolutely|definitely|fine|alright|all right|great"
    r"|good(?! (?:morning|afternoon|evening|day|night))|perfect|y|sounds good|let's do it|why not do it)\b",
    r"^(?:[喔哦噢嗯啊那唉欸]+(?=[好行可]))?(?:是的?|对的?|好的?|好[啊呀吧呢哦喔噢嘞滴哒啦耶]+|那好|行[啊吧]?|可以|嗯+|恩|要的?|确认|没错|同意|ok"
    r"|当然|就这么办|就这样办|那就(?:这样|办)|麻烦[你您]?了?|请(?:办|处理|申请|继续)?|需要)"
    r"(?:[啊呀吧呢哦的了啦嘛谢您你帮我办\s]*$)|^(?:好的?|可以|行|嗯|那就)[,\s]*(?:请|麻烦|帮我|那就)?[退改取办]",
)
# Taken note of: no consent to what was offered, and nothing to answer but a word.
_NOTED = any_of(
    r"^(?:ok |okay |oh |ah |right |alright )*(?:i see|got it|gotcha|understood|noted|makes sense|good to know"
    r"|cool|nice|lovely|brilliant|awesome|amazing|wonderful|excellent|super|fab|fair enough)(?: thanks?)?$",
    r"^[喔哦噢啊]+$|^(?:[喔哦噢嗯啊好的那]*)(?:我)?(?:了解|明白|知道|懂|清楚|收到|晓得)(?:了|啦|喽|咯)?[啊呀哈嗯的]*$",
)
_DECLINE = any_of(
    r"^(?:no|nope|nah|not now|don't|do not|n|no thanks?|not really|please don't)\b",
    r"^(?:不(?:用|要|必|了|是|行|可以|需要)?了?[吧啊呀]?$|不用|没有|先不|别)",
)


def memory_kind(clause: str) -> Kind | None:
    """What a folded clause asks about the conversation itself, or of the ticket, None where nothing."""
    for kind, words in _MEMORY:
        if words.search(clause):
            return kind
    return None


_MEMORY: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("name?", _NAME_ASKED),
    ("answered?", _ANSWERED),
    ("reason?", _REASON_ASKED),
    ("first?", _FIRST),
    ("last?", _LAST),
    ("asked?", _ASKED_ALL),
    ("mine?", _MINE_ASKED),
    ("orders?", _ORDERS_ASKED),
    ("next?", _NEXT),
    ("policy?", _PERSON_DECIDES),
    ("policy?", _POLICY),
    ("points?", _POINTS),
    ("again", _AGAIN),
    ("summary", _SUMMARY),
    ("recap", _RECAP),
)


def social_kinds(clause: str) -> list[Kind]:
    """What else a folded clause says: greetings, thanks, yes and no, questions about the desk itself."""
    return [kind for kind, words in _SOCIAL if words.search(clause)]


_SOCIAL: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("who?", _WHO),
    ("help?", _HELP),
    ("person", _PERSON),
    ("abuse", _ABUSE),
    ("drop", _DROP),
    ("hello", _HELLO),
    ("thanks", _THANKS),
    ("bye", _BYE),
    ("decline", _DECLINE),
    ("agree", _AGREE),
    ("noted", _NOTED),
)


def is_ownership(clause: str) -> bool:
    """Whether a folded clause says which order is the customer's."""
    return _MINE.search(clause) is not None
