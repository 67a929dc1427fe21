"""What people call the item of an order: the lamp, 椅子; and things that are the item of none.

A thing that no order spoken of holds must not stand for the order spoken of last: "send the sofa to pickup"
after a lamp is a question, and no new place for the lamp.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .folding import fold

_A_NUMBER_OF = frozenset({"set", "kit", "pack", "pair", "bundle", "box", "case"})
_ZH_NUMBER_OF = ("套装", "套组", "套餐", "组合", "礼盒")
_WISHED = r"(?:改|换|取消|退|送|寄|不要|坏|多少|什么|到|也|都|呢|的|$)"
_BEFORE = r"(?:^|[把将盏台只个件张口条双套的那这,、]|取消|退)"


def names_item(text: str, facts: Mapping[str, Any]) -> bool:
    """Whether a folded text names the item of an order, by what a tool told of the order."""
    names = facts.get("item_names")
    known = [facts.get("item"), *(names.values() if isinstance(names, Mapping) else ())]
    for name in {fold(name) for name in known if isinstance(name, str) and name.strip()}:
        forms = _forms(name) if name.isascii() else _zh_forms(name)
        if any(re.search(form, text, re.ASCII) for form in forms):
            return True
    return False


def _forms(name: str) -> Iterator[str]:
    """A desk lamp is a lamp, a notebook set are notebooks."""
    *words, last = name.split()
    head = words[-1] if words and last in _A_NUMBER_OF else last
    for form in (name, head):
        yield rf"\b{re.escape(form)}s?\b"


def _zh_forms(name: str) -> Iterator[str]:
    """办公椅 is a 椅子, 咖啡磨豆机 a 磨豆机, 笔记本套装 a 笔记本, and 那盏灯 a 台灯."""
    for last in _ZH_NUMBER_OF:
        if len(name) > len(last) + 1:
            name = name.removesuffix(last)
    yield re.escape(name)
    for length in range(2, len(name)):
        yield re.escape(name[-length:])
    last = re.escape(name[-1])
    yield rf"{last}子|{_BEFORE}{last}(?={_WISHED})"


_NO_GOODS = (
    r"(?!(?:whole|entire|full|first|second|third|fourth|other|last|same|new|old|order|parcel|package|item"
    r"|purchase|delivery|shipment|product|one|thing|money|rest|goods|stuff|address|destination|place|pickup"
    r"|pick|collection|shipping|date|day|time|way|method|option|more|most|less|least|cheap\w*|dear\w*|pric\w*"
    r"|early|earlier|late|later|sooner|former|latter|two|three|four|usual|nearest|closest|previous|original"
    r"|status|drop|point|location|box|both|lot|mind)s?\b)"
)
_ZH_GOODS = (
    r"(?:沙发|衣柜|书柜|冰箱|电视|电脑|手机|相机|手表|玩具|背包|书包|枕头|音箱|键盘|鼠标|外套|衬衫|洗衣机|吹风机"
    r"|打印机|[桌椅凳架灯壶杯锅碗盘毯垫裤鞋帽伞被]子?)"
)
_GOODS = re.compile(
    r"(?:\b(?:change|switch|move|send|deliver|ship|redirect|bring)\s+|^(?:(?:and|please|pls|then|ok)\s+)*)"
    rf"(?:my|the|our)\s+{_NO_GOODS}[a-z]{{3,}}\b(?:[^,]*\bto\b|$)"
    rf"|(?:把|将|[那这][个张把台件只]|我的|^|[,、。!?;\s])[那这]?[个张把台件只盏]?[\u4e00-\u9fff]{{0,3}}?{_ZH_GOODS}"
    r"(?:的订?单)?(?:也|都|就|还是|给我|帮我|请)*(?:改|换|取消|退|送到|寄到|不要)"
    rf"|(?:取消|退掉|退了|不要)(?:掉|了)?(?:那|这|我的)?[个张把台件只盏]?{_ZH_GOODS}(?=$|[,吧了啊的])",
    re.ASCII,
)


def names_goods(text: str) -> bool:
    """Whether a folded text wants something done with a thing by a word for it, rather than with an order."""
    return _GOODS.search(text) is not None
