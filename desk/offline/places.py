"""Where a message wants an order delivered: an address, or a pickup point.

An address is taken as it was typed, from quotation marks or from after the words that lead to it, up to
where the sentence goes on to something else. What only stands for an address ("my office", 别的地方) is
none: the desk has to ask, unless the address itself stands beside it ("my office, 12 Main Street").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .dates import is_day
from .folding import Folded, word_set

MASK = "\ue000"  # stands for each character of a text that is quoted or taken as a place

_QUOTES = re.compile(
    r"「([^」\n]{1,400})」|『([^』\n]{1,400})』|“([^”\n]{1,400})”|\"([^\"\n]{1,400})\""
    r"|«([^»\n]{1,400})»|《([^》\n]{1,400})》"
    r"|(?<![\w'])'([^'\n]{3,400})'(?!\w)"
)

PICKUP = (
    r"\bpick(?:ed|ing)?[ -]?(?:it |them |this |that )?up\b|\bcollect(?:ion)?\b(?! call)"
    r"|\bin[- ]store\b|\bparcel locker\b|\blocker (?:delivery|please|instead)\b"
    r"|\b(?:deliver|send|sent|ship|bring|put|leave|drop|change|switch|move|set|redirect|prefer|use|want|like)\w*\b"
    r"[^,.;!?]{0,40}?\b(?:an?|any|the|one of the|your|some) (?:[a-z]+ )?lockers?\b"
    r"|^(?:to |in |into )?(?:an? |any |the |your )?(?:\w+ )?lockers?$"
    r"|(?:[送寄改放投换存](?:到|去|进|成|为|在)?|用)[^,吗哪]{0,6}(?:快递柜|储物柜|寄存柜|智能柜|置物柜|取件柜|丰巢)"
    r"|自[提取](?!代之)|自己(?:去|来|过去)?[取拿提领]|到店[取拿提]|店取|门[店市][取拿]|超商取"
    r"|取货点|去店里?[取拿]"
)

_ACTIONS = (
    r"(?:cancel|refund|change|tell|let|send|deliver|ship|how|what|when|where|is|are|give|check"
    r"|track|switch|make"
    r"|summari[sz]e|undo|look|do|don't|i|my|the (?:other|first|second)|thanks?|thank you|asap"
    r"|instead|please|if|unless"
    r"|because|in case|put|show|also)"
)
_EN_STOP = (
    r"(?=\s*[;!?\n。]"
    r"|[.,]?\s+(?:(?:and|then|also|but|plus"
    r"|now|next)\s+)*" + _ACTIONS + r"\b|\s+and\s+[a-z]{1,3}\d{3}"
    r"|[.,]?\s*$)"
)
_EN_VERB = re.compile(
    r"\b(?:deliver(?:ed)?|send|sent|ship(?:ped)?|redirect(?:ed)?|forward|re-?route|mail|post"
    r"|bring|change|switch|move|update|set|go(?:es|ing)?)\b",
    re.ASCII,
)
_EN_TO = re.compile(r"\s+to[: ]\s*")
_EN_PLACE = re.compile(rf"[^\s].*?{_EN_STOP}", re.ASCII)
_EN_STATED = re.compile(
    rf"\baddress\b[^.;\n]{{0,24}}?(?:\bto\b|\bis(?: now)?\b|\bshould be\b|:"
    rf"|=)\s*(?P<place>[^\s].*?){_EN_STOP}"
    rf"|\baddress\s+(?P<place2>\d.*?){_EN_STOP}"
    rf"|\bdeliver(?:ed|y)?(?: it| this| that| them)? at\s+(?P<at>\d.*?){_EN_STOP}"
    rf"|\b[a-z]{{1,4}}-?\d{{3,}}\s+to\s+(?P<to>.*?){_EN_STOP}",
    re.ASCII,
)
# What may stand between "send" and "to": words for orders and deliveries, and "my" or "the" something.
_BETWEEN = word_set(
    """
    it this that them both the my its of for order orders parcel package delivery shipping address
    destination one first second third other last all two instead please back over also on is be new
    number from pickup and
    """
)
_NO_PARCEL = word_set(
    "name password email e-mail phone number mind card payment account plan subscription language date time"
)
_FARTHEST = 80  # characters from the verb to its "to"
_ZH_STOP = (
    r"(?=(?:吗|吧|呢|好吗|可以吗|行吗)?[。!?\n;]|[,、.]?\s*(?:谢谢|多谢|感谢|麻烦|拜托|然后|再(?!兴)|另外|顺便|并且|还有"
    r"|同时|把|帮|请|(?:而?是|改)?[送寄](?:到|去|往|至)|取消|退款|总结|如果|要是|因为|辛苦|多少钱|订单|单号|[a-z]{1,3}-?\d{3})"
    r"|(?:就好|就行|就可以|即可|好了|吧)\s*,"
    r"|[,.]?\s*(?:吧|吗|可以吗|好吗|行吗|好不好|好了|就好|就行|就可以|即可|[喔哦呢啦了呀啊])*\s*$)"
)
_ZH_ADDRESS = re.compile(
    r"(?:改?(?:送|寄|发|配送|派送|投递|运)(?:货)?(?:到|至|去|往|给)"
    r"|(?:地址|送货地|收货地|地点)\s*(?:也|请|帮我|都)?\s*(?:改|换|变更|更改|更新|修改|设|填"
    r"|写)?\s*(?:成|为|到|至|作|是|:)"
    r"|地址[^,。\n]{0,6}:|(?:改|换|变更|更改|修改)(?:成|为|到|至)|改[送寄](?=[\u4e00-\u9fff]{2,}[^,。]*\d))"
    rf"\s*:?\s*(?P<place>[^\s,。!?].*?){_ZH_STOP}"
)
_VAGUE = re.compile(
    r"(?:(?:to )?(?:my|the|our|an?|another|some|different|new|other|the right|correct)\s+)*"
    r"(?:(?:another|different|new|other|old|original|right|correct|delivery|shipping|pickup)\s+)*"
    r"(?:home|house|office|work|workplace|place|address(?:es)?|location|one|somewhere(?: else)?"
    r"|elsewhere|me|us|here|there|him|her|them"
    r"|friend|neighbou?r|mother|mum|mom|father|dad|parents|sister|brother|wife|husband|colleague)s?"
    r"|(?:我|我的|我们|他|她)?(?:的)?(?:家|家里|公司|办公室|单位|学校|宿舍|朋友家?|邻居家?|父母家?|妈妈?家?|爸爸?家?|老婆|老公|同事|新家)(?:里|那里|那边)?"
    r"|(?:另|其|别|新|旧|原来|不同)[^0-9]{0,5}(?:地方|地址|地点|处|址)|这里|那里|那边|这边"
    r"|别处|新地址|地址|我|我这|.{0,3}地方",
    re.ASCII,
)
_LABEL = re.compile(rf"(?:{_VAGUE.pattern})(?:吧|去)?\s*[,，:：]\s*|[^:：\d]{{1,12}}[:：]\s*", re.ASCII)
_NO_PLACE = re.compile(
    r"(?:了|哪|没|的时|的话|什么|时候|时间|几|时[是会]|不了|吗|后|前|货|底|期|达"
    r"|\d{1,2}[号日点](?!.*[路街道区市])|周[一二三四五六日末]|原)"
    r"|(?:arrive|come|reach|leave|make|find|keep|stay|wait|pay|buy|use|try|go|give|take|ask|talk|speak"
    r"|tell|show|help|check|look)\b"
    r"|(?:be|do|get|have|know|see|cancel|change|deliver|send|ship|pick|collect|return|refund"
    r"|the other|the first|you)\b",
    re.ASCII,
)
_LOOKS = re.compile(
    r"\d|[路街道巷弄号區区市县省镇村乡楼室栋]"
    r"|\b(?:street|st|road|rd|lane|ln|avenue|ave|drive|square|way|court"
    r"|close|hill|house|flat|apt|po box)\b",
    re.ASCII,
)


# What a message about where to deliver says, and an address in it that no word leads to.
_SENDS = re.compile(
    r"\b(?:address|deliver|delivery|send|ship|redirect|forward)\b|地址|[改换送寄]到|改[送寄]|[送寄]去|配送|收货",
    re.ASCII,
)
_NOT_THERE = re.compile(r"(?:不是|不要|not )[^,，]{1,40}[,，]\s*(?:but|而?是|it's)?\s*", re.ASCII)
_SENDING = re.compile(
    r"[^,，\d]{0,12}(?:[送寄改]|搬家|\bsend|\bdeliver|\baddress)[^,，\d]{0,12}[,，:：]\s*", re.ASCII
)
_LOOSE = re.compile(
    rf"[,，:：.。;!吧]\s*"
    rf"(?P<place>(?:\d{{1,5}}[a-z]? [a-z]|[\u4e00-\u9fff]{{2}}).*?)(?:{_ZH_STOP}|{_EN_STOP})",
    re.ASCII,
)
_LONGEST = 120  # characters of an address
_PARTED = re.compile(r"\s*;\s*(?=\w)")
_ZH_PART = re.compile(rf"[^\s,。!?].*?{_ZH_STOP}", re.ASCII)
_SAYS_MORE = re.compile(  # a sentence of its own begins
    rf"{_ACTIONS}\b|(?:it|it's|that|that's|this|we|you|he|she|they|there|there's|i'm|i've|i'd|i'll|we're|no|not|yes"
    r"|and|or|but|so|then|can|could|would|will|has|have|did|was|were|sorry|otherwise)\b"
    r"|[我你您他她它这那因如要请帮把再还也就但不别]|已经|什么|为什么|怎么|之前|原来|谢|麻烦|另外|顺便|急",
    re.ASCII,
)
_NAMED = 5  # characters of a Chinese name from where it may be that of a place


@dataclass(frozen=True)
class Place:
    """A place found in a folded text at `start` to `end`; `typed` as typed. `vague`: only a word for one."""

    typed: str
    start: int
    end: int
    vague: bool = False


def quotes_in(folded: Folded) -> Iterator[Place]:
    """What stands in quotation marks; `start` and `end` take the marks in."""
    for found in _QUOTES.finditer(folded.text):
        group = found.lastindex or 0
        yield Place(folded.as_typed(*found.span(group)).strip(), *found.span())


def mask(text: str, start: int, end: int) -> str:
    """The text with `start` to `end` made unreadable, every other character where it was."""
    return text[:start] + MASK * (end - start) + text[end:]


def addresses_in(folded: Folded, text: str, quotes: list[Place]) -> list[Place]:
    """The addresses a message names, in order. `text` is the folded text with the `quotes` masked."""
    found: list[Place] = []
    for start, end, goes in [*_spans(text), *_loose(text)]:
        place = _as_place(folded, text, start, end, quotes)
        # "It is going to cost" leads to no place; "send it to my sister" leads to one that has to be asked.
        if place is None or (goes and (place.vague or not looks_like_address(text[start:end]))):
            continue
        if place.vague and any(start < first for first, _, _ in _loose(text)):
            continue  # the address it stands for comes after it
        if not any(place.start < other.end and other.start < place.end for other in found):
            found.append(place)
    return sorted(found, key=lambda place: place.start)


def _spans(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where an address may stand in a folded text; and whether it only "goes" there."""
    for verb in _EN_VERB.finditer(text):
        to = _EN_TO.search(text, verb.end(), verb.end() + _FARTHEST)
        if to is None or not _leads_on(text[verb.end() : to.start()]):
            continue
        if found := _EN_PLACE.match(text, to.end()):
            yield *found.span(), verb[0].startswith("go")
    for pattern in (_EN_STATED, _ZH_ADDRESS):
        for found in pattern.finditer(text):
            group = next(name for name, part in found.groupdict().items() if part is not None)
            yield *found.span(group), False


def _loose(text: str) -> Iterator[tuple[int, int, bool]]:
    """Addresses that stand by themselves in a message about where to deliver: 地址改一下，上海市南京路1号."""
    if not _SENDS.search(text):
        return
    for found in _LOOSE.finditer(text):
        start, end = found.span("place")
        if len(text[start:end]) <= _LONGEST and is_address(text[start:end]):
            yield start, end, False


def _leads_on(between: str) -> bool:
    """Whether what stands between a verb and "to" is only what is sent."""
    if re.search(r"[.;!?\n]", between):
        return False
    free = 0  # words after "my" or "the" that may be any: the name of an item
    for word in re.findall(r"[^\s,]+", between):
        if word in ("my", "the", "this", "that"):
            free = 2
        elif word in _BETWEEN or re.fullmatch(r"#?(?:[a-z]{1,4}[- ]?)?\d{2,}(?:'s)?|[a-z]", word):
            free = 0
        elif free and word not in _NO_PARCEL:
            free -= 1
        else:
            return False
    return True


def _as_place(folded: Folded, text: str, start: int, end: int, quotes: list[Place]) -> Place | None:
    words = text[start:end]
    for quote in quotes:
        if start <= quote.start < end:
            return quote  # a quoted address is just what is quoted
    if (
        re.search(PICKUP, words, re.ASCII)
        or is_day(words)
        or _NO_PLACE.match(words)
        or len(words.strip()) < 2
    ):
        return None
    start += lead_in(words)
    words = text[start:end]
    typed = folded.as_typed(start, end).strip(" ,，")
    named = re.search(rf"[A-Z]|[\u4e00-\u9fff]{{{_NAMED}}}", typed) is not None
    vague = is_vague(words) or not (looks_like_address(words) or named)
    return Place(typed, start, end, vague)


def goes_on(text: str, end: int) -> tuple[int, int]:
    """Where the part behind a semicolon begins and ends, if it may belong to the address that ends at `end`;
    an empty span where it cannot."""
    if not (mark := _PARTED.match(text, end)):
        return end, end
    pattern = _ZH_PART if re.match(r"[\u4e00-\u9fff]|\d+[\u4e00-\u9fff]", text[mark.end() :]) else _EN_PLACE
    found = pattern.match(text, mark.end())
    if found is None or len(found[0]) > _LONGEST or _SAYS_MORE.match(found[0]):
        return end, end
    return found.span()


def lead_in(words: str) -> int:
    """How many of these folded characters come before the address in them: a word for the place ("my office,
    7 Mill Road"), what it is not (不是公益路，是...), that it is to be sent there (请改送新家，...)."""
    for before in (_LABEL, _NOT_THERE, _SENDING):
        found = before.match(words)
        if found and looks_like_address(words[found.end() :]):
            return found.end() + lead_in(words[found.end() :])
    return 0


def is_vague(words: str) -> bool:
    """Whether folded words only stand for an address."""
    return _VAGUE.fullmatch(words.strip()) is not None


def looks_like_address(words: str) -> bool:
    """Whether folded words have something of an address: a number, a street, a town."""
    return _LOOKS.search(words) is not None


def is_address(words: str) -> bool:
    """Whether folded words are an address, rather than a sentence with a number in it."""
    number = re.search(r"\d", words) is not None
    if re.search(r"[\u4e00-\u9fff]", words):
        return number and re.search(r"[路街道巷弄区市县镇村楼室].*\d|\d.*[号室楼]", words) is not None
    return number and len(words) < 120 and looks_like_address(re.sub(r"\d", "", words))


# Pickup points

_GENERIC = re.compile(
    r"(?:the |a |an |any |your |nearest |closest |local )*(?:pick-?up ?(?:points?)?|store|shop"
    r"|locker|branch|point|counter|collection|somewhere|station)?s?"
    r"|.{0,2}(?:门店|门市|店里?|超商|便利店|自[提取](?:点|柜)?|附近|最近|那里|那边|方式"
    r"|服务)的?(?:门店|门市|店)?"
)
_ARTICLE = re.compile(r"^\s*(?:the|your|our|a)\s+")
_POINT = re.compile(
    rf"\bpick(?:ed)?[ -]?(?:it |them )?up(?: (?:point|location|spot|store|shop|locker))?,? (?:at"
    rf"|from|in|is|:|to) (?:the )?(?P<en>[^\s].*?){_EN_STOP}"
    rf"|\bcollect(?:ion|ed)?(?: it| them)? (?:at|from|in) (?:the )?(?P<collect>[^\s].*?){_EN_STOP}"
    rf"|(?:到|在|去|至|成|为)\s*(?P<zh>(?![^,]*(?:的[那这]|[改换])[^,]*自)[^,。到在去至成为自]{{2,14}}?)\s*(?:那里|那边)?(?:自[提取]|取货|取件)"
    rf"|自[提取](?:点|柜|门店|地点)\s*(?:改|换|选)?(?:成|为|到|在|是|:|选)\s*(?P<at>[^\s,。].*?){_ZH_STOP}",
    re.ASCII,
)


def point_of(words: str, known: Mapping[str, str]) -> str | None:
    """The id of the known pickup point that folded words name, None where they name none."""
    return known.get(_ARTICLE.sub("", words).strip(" .!。"))


def point_in(
    folded: Folded, text: str, part: tuple[int, int], quotes: list[Place], known: Mapping[str, str]
) -> str:
    """The pickup point a clause names, "" where it names none: the id of a `known` one, else as typed.

    `text` is the clause, masked; `part` is where it stands in the message, `quotes` what is quoted in it.
    """
    for name, point in known.items():
        if name in folded.text[slice(*part)]:
            return point
    if found := _POINT.search(text):
        group = next(name for name, said in found.groupdict().items() if said is not None)
        start, end = found.span(group)
        for quote in quotes:
            if start <= quote.start - part[0] < end:
                return quote.typed
        if not _GENERIC.fullmatch(text[start:end].strip()) and not is_day(text[start:end]):
            return folded.as_typed(part[0] + start, part[0] + end).strip()
    return quotes[0].typed if quotes else ""
