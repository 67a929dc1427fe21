"""Words of letters and digits, and whether they could be the name of an order.

Most such words are something else: measures (24h, 2kg), counts (2nd, 3x), sums (50usd), kinds and products
(B2B, 4K, iPhone15). They are known by their shape, or by what they are.
"""

from __future__ import annotations

import re

from .folding import word_set

_LETTER = "a-z\u00df-\u024f\u0370-\u052f"  # Latin, Greek, Cyrillic: А100 looks like A100 and is another
_TOKEN = re.compile(rf"[{_LETTER}0-9]+(?:[-_]+[{_LETTER}0-9]+|\.\d[{_LETTER}0-9]*)*")
_PART_BEFORE = re.compile(rf"[{_LETTER}0-9_-]*$")
_LONGEST = 40  # characters of a name
_WORD_AND_DASH = re.compile(r"(?:(?:order|number|no|nr|id|refund|cancel|return|track|re)[-_]+)+")

# Letters before digits that make an amount, a time or a place of them.
NO_LETTERS = word_set(
    """
    usd us eur cny rmb ntd nt hkd hk gbp jpy apt flat room unit no nr at to in by of or am pm
    jan feb mar apr may jun jul aug sep sept oct nov dec covid html http iso utf mp
    """
)
_KINDS = word_set(
    "b2b b2c c2c c2b"
    " p2p o2o m2m 3d 2d 4k 8k 2k 3g 4g 5g 6g h2o co2 a4 a5 b5 mp3 mp4 ps2 ps3 ps4 ps5 usb2 usb3"
    " q1 q2 q3 q4 y2k web3 wifi6 wifi7 win10 win11 ip67 ip68 h1n1 i18n w3c gpt4 b12 d3 k2"
)
_KIND = re.compile(
    r"(?:iphone|ipad|ipod|imac|macbook|airpods?|galaxy|pixel|xbox|playstation|kindle|gopro|windows|android|ios"
    r"|switch|surface|thinkpad|huawei|xiaomi|redmi|nokia|oneplus|nova|mate|covid|fifa|chatgpt|python)"
    r"[-_]?\d[a-z\d]*",
    re.ASCII,
)
_MEASURE = re.compile(
    r"\d+(?:\.\d+)?-?(?:st|nd|rd|th|am|pm|hrs?|hours?|mins?|minutes?|secs?|days?|wks?|weeks?|months?|yrs?"
    r"|years?|kg|mg|lbs?|oz|ml|cm|mm|km|inch|ft|pcs?|usd|eur|gbp|rmb|cny|ntd?|hkd|twd|jpy|dollars?|bucks|gb|tb|mb"
    r"|kb|mah|ghz|mhz|hz|fps|dpi|px|percent|off|stars?|times|people|mugs?|items?|orders?|pieces?)",
    re.ASCII,
)
_COUNT = re.compile(r"\d+(?:\.\d+)?[kgdxphmslwvf]", re.ASCII)


def word_at(text: str, digits: re.Match[str]) -> tuple[int, int]:
    """Where the whole word begins and ends that holds these digits of a folded text."""
    before = _PART_BEFORE.search(text, max(0, digits.start() - _LONGEST), digits.start())
    start = before.start() if before else digits.start()
    while text[start] in "-_":
        start += 1
    if said := _WORD_AND_DASH.match(text, start, digits.start()):
        start = said.end()  # "order-A100"
    found = _TOKEN.match(text, start, start + 2 * _LONGEST)
    return start, max(found.end() if found else 0, digits.end())


def is_mixed(word: str) -> bool:
    """Whether a folded word has both letters and digits."""
    return any(part.isalpha() for part in word) and any(part.isdigit() for part in word)


def is_measure(word: str) -> bool:
    """Whether a folded word is a time, a size, a sum or a count with its unit."""
    return _MEASURE.fullmatch(word) is not None or is_sum(word)


def is_count(word: str) -> bool:
    """Whether a folded word may be a count: "2x", "24h", "4k"; it may be a name as well."""
    return _COUNT.fullmatch(word) is not None


def is_sum(word: str) -> bool:
    """Whether a folded word is letters for money, a month or a room, and a number."""
    found = re.fullmatch(r"([a-z]+)[-.]?\d+", word, re.ASCII)
    return found is not None and found[1] in NO_LETTERS


def is_kind(word: str) -> bool:
    """Whether a folded word is known to be a kind of thing, or a product."""
    return word in _KINDS or _KIND.fullmatch(word) is not None


def is_short(word: str) -> bool:
    """Whether a folded word has few letters in a row, as ids do and the names of things do not."""
    return all(len(part) <= 4 for part in re.findall(r"[^\W\d_]+", word))


def is_thing(word: str) -> bool:
    """Whether a folded word of letters and digits names a thing, rather than an order or an amount."""
    return is_mixed(word) and (is_kind(word) or not (is_short(word) or is_measure(word)))
