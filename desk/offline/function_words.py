"""Words that carry no matter of their own: a clause made of them alone is about what was spoken of before."""

from __future__ import annotations

import re

from .dates import days_in
from .folding import word_set

_EN_FUNCTION = word_set(
    """
    a an and the to of for on in at by with from about is are was were be been am i me my mine you
    your it its this that these those they them there here he she we us our do does did can could
    would will shall should may might must have has had get got give tell let know see say ask want
    need like please just so also too again now then today still yet not no yes ok okay what when
    where which who how much many long soon exactly really actually one ones other first second both
    all each any some more really thing stuff hi hello hey thanks thank next month week day days or
    currently right check look find up price cost costs total status info details update news pay
    paid item buy bought out quick quickly question sorry excuse what's when's where's how's it's
    i'm i'd i'll come comes coming arrive arrives arriving way going go show exact last time long anyone
    someone don't hmm hm um uh huh test testing than most least more less sum together altogether combined
    dearer dearest cheaper cheapest cheap expensive pricier priciest earlier earliest sooner soonest later
    latest faster difference between instead either neither anyway actually rather wait vs versus
    """
)
_ZH_FUNCTION = frozenset(
    "的了吗呢吧啊呀么嘛是我你您他她它们在有会能可以想要请问一下帮看查给什时候多少钱几哪天里儿到现这那个张单就都也还再又后来把将"
    "和跟与及或对不没好行得着过去做怎样吃让叫被为从向上前刚才已经知道告诉麻烦谢价格贵块元买花费状态情况进度号日期何啥谁大概具体"
    "今明周月年两三第另其他别目前先最快慢哈哦喔嗯呵喽哎唉吶喂打算觉需应该只总共分别各位老板亲关于顺便声送寄发出东西说话回答如果比较更加起合计早晚嘿宜差相久咧之"
)
_EN_SHIPPING = word_set(
    """
    if unless case should ship ships shipped shipping sent dispatched delivered deliver delivery parcel
    package order date fail fails miss take takes only provided assuming land lands reach reaches be gets
    """
)
_ZH_SHIPPING = frozenset(
    "要是若假设倘万除非超过晚迟早于前之以内才未无法发货收达签订单包裹物流快递号星期礼拜拖等期交付"
)


def is_function_word(word: str) -> bool:
    """Whether a folded English word carries no matter of its own."""
    return word in _EN_FUNCTION


def speaks_of_more(clause: str) -> bool:
    """Whether a folded clause holds words that have nothing to do with orders."""
    for day in days_in(clause):
        clause = clause[: day.start] + " " * (day.end - day.start) + clause[day.end :]
    if any(word not in _EN_FUNCTION for word in re.findall(r"[a-z][a-z']+", clause)):
        return True
    return any("\u4e00" <= character <= "\u9fff" and character not in _ZH_FUNCTION for character in clause)


def speaks_of_more_than_shipping(clause: str) -> bool:
    """Whether a folded condition holds words that are not about when an order is shipped or comes."""
    words = " ".join(word for word in re.findall(r"[a-z][a-z']+", clause) if word not in _EN_SHIPPING)
    han = "".join(
        character for character in clause if character not in _ZH_SHIPPING and not character.isascii()
    )
    return speaks_of_more(f"{words} {han}")
