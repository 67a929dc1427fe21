"""What people call themselves."""

from __future__ import annotations

import re

from .folding import Folded, word_set

_EN = re.compile(
    r"\b(?:(?P<family>my (?:last |family |sur)name(?:'s| is))"
    r"|my (?:first |full )?name(?:'s| is| to)|name is|call me|i am called|i'm called|i go by"
    r"|known as)\s+(?P<said>[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){0,2})"
    r"|\b(?:i'm|i am|this is|it'?s)\s+(?P<maybe>[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){0,2})"
    r"|(?:^|[.!,;\n]\s*|\b(?:hi|hello|hey|yes|yeah|sorry|morning|afternoon|evening),?\s+)"
    r"(?P<here>[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){0,2}) (?:here|speaking)"
    r"(?=\s*(?:[.,!;:\n-]|$|again\b|from\b))"
    r"|(?:\b(?:regards|best|best wishes|sincerely|yours|yours truly)[,\s-]+"
    r"|\b(?:thanks|thank you|thx|cheers)[.,!]*\s*(?:\n|-)\s*-?\s*)"
    r"(?P<signed>[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*)?)\s*[.!]?\s*$"
)
_ZH = re.compile(
    r"(?:我(?:的)?(?:名字|全名|姓名)?(?:叫做?|是叫|名叫)"
    r"|我(?:的)?(?:名字|全名|姓名)(?:是|为|:)|(?:请|可以)?叫我|称呼我(?:为)?"
    r"|(?P<family>[我敝免]?(?:贵)?姓)|(?:(?<=[,。!、 ])|^)(?:全名)?(?:叫做?|名叫))\s*"
    r"(?P<said>[^\s,。!?、;:()]{1,24})"
    r"|(?:^|[,。!?~ ])(?:你好|您好|嗨|哈喽|哈啰)?,?(?:我是|本人|敝人|这里是|这边是)"
    r"(?P<maybe>[\u4e00-\u9fff]{2,4}|[a-z]{2,20})(?=[啦喔哦啊呀呢]?(?:[,。!~ ]|$))"
)
_EN_END = re.compile(
    r"\s+(?:and|but|my|i|the|with|from|here|by|please|for|so|or|about|calling|again|at|on|in"
    r"|to)\b.*"
)
_EN_NO = word_set(
    """
    back later when at a an the tomorrow if crazy what who not sorry happy looking here still just
    very so calling writing asking waiting trying in on from your you it that this my going unhappy
    angry sure afraid interested order about done fine good ok okay glad confused also really
    """
)
# "Nothing here yet", "Same problem here": what is here is no person.
_NOT_HERE = word_set(
    """
    nothing nobody anyone anybody someone somebody everything something all over up down out right left
    parcel package customer new again none never no one both it's that's same wrong problem question issue
    """
)
_ZH_END = re.compile(r"(?:就好|就行|就可以|即可|好了|行了|吧|哦|喔|呀|啊|啦|呢|了|,).*$")
_ZH_NO = re.compile(
    r"^(?:什么|啥|谁|不|来|怎么|他|她|你|您|退|取|改|查|帮|等|去|说|想|要|问|在|先|再|这|那"
    r"|把|的|吗|名|做什么|个|新|老|一)"
)

_FAMILY_AND_NAME = re.compile(r"([\u4e00-\u9fff]{1,2})(?:名叫?|叫)([\u4e00-\u9fff]{1,3})")


def name_in(folded: Folded) -> str:
    """The name a message gives its writer, as typed; "" where it gives none. Of two, the later one; but a
    family name is given up for any other."""
    found, family = "", ""
    for match in _EN.finditer(folded.text):
        group = next(name for name in ("said", "maybe", "here", "signed") if match[name])
        words = _EN_END.sub("", match[group])
        name = folded.as_typed(match.start(group), match.start(group) + len(words))
        first = words.split()[0]
        if first in _EN_NO or (group != "said" and not (name.istitle() and len(words) > 1)):
            continue
        if group == "here" and not _NOT_HERE.isdisjoint(words.split()):
            continue
        if match["family"]:
            family = name
        elif group == "said" or not found:
            found = name
    for match in _ZH.finditer(folded.text):
        group = "said" if match["said"] else "maybe"
        words = _ZH_END.sub("", match[group])
        if not words or _ZH_NO.match(words):
            continue
        name = folded.as_typed(match.start(group), match.start(group) + len(words))
        if not match["family"]:
            found = name
        elif parts := _FAMILY_AND_NAME.fullmatch(name):  # 我姓王名芳
            found = parts[1] + parts[2]
        else:
            family = name
    return (found or family).strip(" .。'\"「」“”")
