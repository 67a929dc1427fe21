"""A message, understood: the wishes in it, in the order they are said.

The message is folded, what is pasted or quoted and addresses are covered up, and what is left is cut into
sentences and clauses. A clause holds at most one wish about orders; what the clauses mean together is put
together last.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from . import asking_back, cues, held_back, look_cues, roundabout, talk_cues
from .asked_for import asks_for_it
from .assembling import assemble
from .clauses import Clause, cut
from .conditions import compares
from .folding import A_NOT_A, Folded
from .language import language_of
from .names import name_in
from .order_ids import ids_in
from .places import MASK, PICKUP, Place, addresses_in, goes_on, mask, point_in, point_of, quotes_in
from .reasons import give_reasons, said_beside
from .references import Reference, Way
from .sums import names_money, sum_alone
from .wishes import CHANGES, Kind, Message, Wish

MOST_WISHES = 12  # of one message; what comes after is not acted on

_FOLLOWS = re.compile(
    r"^\W*(?:and\b|what about\b|how about\b|also\b|那么?(?!个|张|单|天)|还有|以及)|\bthen\W*$", re.ASCII
)
_WHETHER = re.compile(r"吗|是否|是不是|会不会|能不能|[能会到][^,]{0,6}不\W*$|\b(?:if|whether)\b", re.ASCII)
_ASKS_ON = re.compile(r"[?呢][\s.。!]*$")
_TOO = re.compile(r"\b(?:too|as well|also|same|likewise)\b|也|同样|一样", re.ASCII)
_CORRECTS = re.compile(
    r"^\W*(?:no|not|nope|sorry|oops|wait|wrong)\b|\bi (?:meant|mean|was thinking of)\b|\bnot th(?:at"
    r"|is) one\b"
    r"|^\W*(?:不对|不是|不,|错了)|[搞弄说打写]错|我?(?:是说|说的是|指的是|是指|是想说)|应该是",
    re.ASCII,
)
_BOUGHT = re.compile(
    r"\b(?:i|we)(?:'ve| have)? (?:bought|ordered|purchased)\b|我们?[^,]{0,3}[买订购]", re.ASCII
)
_ONLY_NAMES = re.compile(r"\W*(?:我的?)?(?:订单|定单|单子|包裹)(?:号码?|编号)?[是为]?\W*")
_SERVICE = re.compile(
    r"\b(?:do|can|could|would) you (?:guys )?(?:also )?(?:ship|deliver|send) to\b|你们", re.ASCII
)
_WHICH_ADDRESS = re.compile(r"\b(?:which|what)(?:'s| is)? (?:the )?address\b|哪个地址|什么地址", re.ASCII)
# A line of a log, of a program, or of a letter that is answered: shown to the desk, and not said to it.
_PASTED = re.compile(
    r"^(?:[>|].*|\W?\d{4}-\d\d-\d\d[t ]\d\d:\d\d.*|\W?\d\d:\d\d:\d\d.*|\s+at [\w.$<>]+\(.*"
    r"|traceback \(.*|\s+file \".*)$",
    re.MULTILINE,
)


def understand(typed: str, points: Mapping[str, str] | None = None) -> Message:
    """The wishes of a message. `points` are the pickup points the desk knows, by folded name."""
    folded = Folded(typed)
    text, quotes = _PASTED.sub(lambda found: MASK * len(found[0]), folded.text), []
    for quote in quotes_in(folded):
        if not ids_in(quote.typed.lower()):
            quotes.append(quote)
            text = mask(text, quote.start, quote.end)
    places = [_to_its_end(place, folded, text) for place in addresses_in(folded, text, quotes)]
    for place in places:
        if not place.vague:
            text = mask(text, place.start, place.end)
    sentences = cut(text, folded.spelled)
    pressed = any(_presses(clause) for each in sentences for clause in each.clauses)
    for sentence in sentences:
        begged = False  # "could you look at C310 and refund it?" is no question whether it could be
        before: Clause | None = None
        for clause in sentence.clauses:
            inside = next((place for place in places if clause.holds(place)), None)
            quoted = [quote for quote in quotes if clause.holds(quote)]
            clause.found = _requested(clause, before, text, pressed) or _read(
                clause, folded, inside, quoted, points or {}, begged
            )
            if before is not None and asking_back.is_tag(clause.text.strip(), before.text):
                before.found, clause.found = _only_asked(before), []
            if before is not None and roundabout.asks_whether_possible(
                A_NOT_A.sub(r"\1", clause.text.strip())
            ):
                before.found = [wish.but(tentative=True) for wish in before.found]
            if before is not None and held_back.disagrees(clause.text):
                before.found = [wish.but(tentative=True) for wish in before.found]
            if before is not None and held_back.puts_off(before.text, text[before.end : clause.start]):
                clause.found = [wish.but(tentative=True) for wish in clause.found]
            if before is not None and _undoes(before) and cues.only_names_kind(clause.text):
                undone = cues.kind_undone(f"撤销{clause.text}")
                clause.found = [Wish("undo", clause.refers, matter=undone)]
            begged = begged or cues.begs(clause.text)
            before = clause
        _leave_to_memory(sentence.clauses)
    clauses = [clause for sentence in sentences for clause in sentence.clauses]
    _name_points(clauses, folded, points or {})
    _name_sums(clauses)
    give_reasons(clauses, folded)
    wishes, bare = assemble(sentences)
    beside = said_beside(clauses, folded)
    if beside:
        wishes = _complaints(wishes)
    if name := name_in(folded):
        wishes = [Wish("name", place=name), *(wish for wish in wishes if wish.kind != "hello")]
    asks = _ASKS_ON.search(text.rstrip()) is not None
    follows = bare is not None and text.rstrip(" ?!.。").endswith(("呢", "咧"))
    return Message(
        typed,
        language_of(typed),
        tuple(wishes[:MOST_WISHES]),
        bare,
        tuple(dict.fromkeys(order for clause in clauses for order in clause.refers.orders)),
        asks=asks,
        follows=follows or _FOLLOWS.search(text) is not None,
        too=_TOO.search(text) is not None,
        corrects=_CORRECTS.search(text) is not None,
        pasted=_PASTED.search(folded.text) is not None,
        beside=beside,
    )


def _to_its_end(place: Place, folded: Folded, text: str) -> Place:
    """The address with what it has behind a semicolon, where that is no wish of its own."""
    while not place.vague:
        start, end = goes_on(text, place.end)
        part = text[start:end]
        if not part or _wants_something(part) or text[end:].lstrip().startswith("?"):
            break
        place = replace(place, typed=folded.as_typed(place.start, end).strip(" ,，"), end=end)
    return place


def _wants_something(part: str) -> bool:
    """Whether a folded part of a message says anything that is understood by itself."""
    return bool(
        ids_in(part)
        or cues.order_kind(part, False)
        or talk_cues.memory_kind(part)
        or talk_cues.social_kinds(part)
        or look_cues.look_focus(part, False) is not None
        or MASK in part
    )


def _undoes(clause: Clause) -> bool:
    return any(wish.kind == "undo" for wish in clause.found)


def _name_points(clauses: list[Clause], folded: Folded, points: Mapping[str, str]) -> None:
    """Give a pickup the point that a clause beside it names: "pickup is fine, the Market Street one"."""
    open_ = [clause for clause in clauses if any(w.kind == "pickup" and not w.place for w in clause.found)]
    for clause in clauses:
        if clause.changes or clause.question or _NOT_THERE.search(clause.text):
            continue
        said = folded.text[clause.start : clause.end]
        point = next((point for name, point in points.items() if name in said), "")
        before = [other for other in open_ if other.start < clause.start]
        for other in (before[-1:] or open_[:1]) if point else ():
            other.found = [
                wish.but(place=point) if wish.kind == "pickup" and not wish.place else wish
                for wish in other.found
            ]
            clause.found = []


def _name_sums(clauses: list[Clause]) -> None:
    """Give a refund the sum that a clause behind it names: "refund A100, but only 10"."""
    for place, clause in enumerate(clauses):
        amount = "" if clause.mentions else _sum_for_another(clause)
        before = [other for other in clauses[:place] if any(w.kind == "refund" for w in other.found)]
        if amount and before and not any(wish.amount for wish in before[-1].found):
            before[-1].found = [
                wish.but(amount=amount) if wish.kind == "refund" else wish for wish in before[-1].found
            ]
            clause.found = []


def _sum_for_another(clause: Clause) -> str:
    """The sum of a clause that says nothing else, or wants no more than a refund of it."""
    refund = [wish.amount for wish in clause.found if wish.kind == "refund"]
    if refund:
        return refund[0] if not clause.refers.explicit else ""
    return "" if clause.changes else sum_alone(clause.text)


_NOT_THERE = re.compile(r"\bnot\b|n't\b|[不别没]", re.ASCII)


def _complaints(wishes: list[Wish]) -> list[Wish]:
    """ "K107 is silent on the left, what now?" tells of trouble, whatever the words for it are."""
    if not any(wish.kind == "next?" for wish in wishes):
        return wishes
    about = [wish for wish in wishes if wish.kind == "look" and wish.about.way == "named"]
    return [wish.but(kind="trouble", focus="") for wish in about] or wishes


def _presses(clause: Clause) -> bool:
    """Whether a clause wants done what another one says was asked for, and nothing of its own."""
    if not asking_back.wants_it_done(clause.text) or clause.refers.way == "named":
        return False
    return cues.order_kind(clause.text, False) not in CHANGES and _asking_back(clause) is None


def _asking_back(clause: Clause) -> asking_back.Asking | None:
    asking = asking_back.asking_back(A_NOT_A.sub(r"\1", clause.text.strip()), clause.question)
    return None if asking == "said" and asking_back.ends_pressing(clause.text) else asking


def _only_asked(clause: Clause) -> list[Wish]:
    """The wishes of a clause that is only asked about: "cancel A100, did I say that?"."""
    matter = asking_back.matter_of(clause.text)
    return [
        Wish("requested?", wish.about, matter=matter) if wish.kind in CHANGES else wish.but(stated=False)
        for wish in clause.found
    ]


def _leave_to_memory(clauses: list[Clause]) -> None:
    """ "Did I ask you to cancel it? Please check": what is to be looked up is the conversation."""
    if any(wish.kind == "requested?" for clause in clauses for wish in clause.found):
        for clause in clauses:
            if all(
                wish.kind == "look" and not wish.focus and not wish.about.explicit for wish in clause.found
            ):
                clause.found = []


def _requested(clause: Clause, before: Clause | None, text: str, pressed: bool) -> list[Wish]:
    """The question what was asked for before, or the statement that it was, if the clause is one; `before`
    is the clause before it in the sentence. "I asked you to cancel it, please do it now" wants it done, which
    makes what is stated a wish like any other: `pressed`."""
    words = A_NOT_A.sub(r"\1", clause.text.strip())
    asking = _asking_back(clause)
    if asking == "said" and ((pressed and asking_back.tells_of_asking(words)) or cues.denies(words)):
        return []
    if asking is None:
        earlier = before.found[-1] if before is not None and before.found else None
        if before is None or earlier is None or earlier.kind != "requested?":
            return []
        between = text[before.end : clause.start]
        if not _is_more_of(clause, before, between) or (earlier.stated and "," in between):
            return []
        return [earlier.but(about=clause.refers, matter=asking_back.matter_of(words))]
    return [Wish("requested?", clause.refers, matter=asking_back.matter_of(words), stated=asking == "said")]


def _is_more_of(clause: Clause, before: Clause, between: str) -> bool:
    """Whether a clause goes on with what the one before it asks: "did I ask you to cancel A100 and refund
    it?", rather than wanting something itself."""
    kind = cues.order_kind(clause.text, False)
    if kind not in CHANGES or cues.begs(clause.text) or asking_back.wants_it_done(clause.text):
        return False
    if asking_back.asks_which(before.text) and clause.refers.way != "none":
        return False
    if clause.question:
        return True
    own = _OF_ITS_OWN.search(between) is not None
    return not own and ("," not in between or kind in ("cancel", "refund"))


_OF_ITS_OWN = re.compile(r"\b(?:then|also|but)\b|然后|另外|顺[便带]|再|还[有想]", re.ASCII)


def _read(
    clause: Clause,
    folded: Folded,
    place: Place | None,
    quotes: list[Place],
    points: Mapping[str, str],
    begged: bool,
) -> list[Wish]:
    """The wishes of one clause. `place` and `quotes` are the address and the quotations in it; `begged`: its
    sentence asked for something to be done before."""
    text, refers = A_NOT_A.sub(r"\1", clause.text.strip()), clause.refers
    kind = talk_cues.memory_kind(text)
    if kind is not None and not (kind in ("recap", "orders?") and refers.way == "named"):
        return [Wish(kind, refers), *_small_talk(text, but=("hello", "agree", "person"))]
    kind = cues.order_kind(text, clause.question)
    sends = kind == "delivery" or (kind is None and cues.is_sending(text))
    if place is None and quotes and sends and not re.search(PICKUP, text, re.ASCII):
        place = quotes[0]  # "Change it: 「...」": what is quoted beside the wish is where to
    if place is not None and place.vague and kind == "reschedule":
        place = None  # 改到下周一送: the day is no place
    if place is not None and kind in (None, "delivery", "trouble", "absent", "reschedule"):
        if _SERVICE.search(text) and clause.question and not refers.explicit:
            return []  # "do you ship to Canada?"
        if cues.negated(text, "address"):
            return [Wish("drop", refers)]  # "not to 5 Rose Lane": where to is told elsewhere, or not at all
        if (point := point_of(folded.text[place.start : place.end], points)) is not None:
            return [Wish("pickup", refers, place=point)]
        if place.vague and clause.question and _WHICH_ADDRESS.search(text):
            return [Wish("look", refers, focus="delivery")]  # "which address is that?"
        return [Wish("delivery", refers) if place.vague else Wish("address", refers, place=place.typed)]
    if kind in (None, "delivery") and cues.is_sending(text) and not clause.question:
        said = folded.text[clause.start : clause.end]
        point = next((point for name, point in points.items() if name in said), None)
        if point is not None and not cues.negated(text, "address"):
            return [Wish("pickup", refers, place=point)]  # 改送市场街门市
    undone = cues.kind_undone(text) if kind == "undo" else frozenset[Kind]()
    declined = held_back.declines(text) and not undone & {"refund", "cancel"}
    if kind in CHANGES and (cues.negated(text, kind) or declined):
        return [Wish("drop", refers)]
    if kind in ("refund", "cancel") and held_back.tells(text):
        return [Wish("done?", refers, matter=cues.matter_asked(text))]
    if kind in CHANGES and roundabout.indirect(clause.text):
        if roundabout.asks_so_far(clause.text):
            return [Wish("done?", refers, matter=cues.matter_asked(text))]
        if kind not in ("refund", "cancel"):
            return [Wish("look", refers, focus="delivery")]
        return [Wish(kind, refers, tentative=True)]
    if kind == "done?":
        return [Wish(kind, refers, matter=cues.matter_asked(text))]
    if kind is not None:
        tentative = cues.tentative(text, clause.question, begged=begged) or held_back.considers(text)
        tentative = tentative or (kind in ("refund", "cancel") and held_back.hopes(text))
        final = kind in ("refund", "cancel") and not begged
        wish = Wish(kind, refers, tentative=tentative or (final and not asks_for_it(text)))
        if kind == "refund":
            return [wish.but(amount=names_money(_without_ids(clause)))]
        if kind == "undo":
            return [wish.but(matter=undone)]
        if kind == "pickup":
            return [wish.but(place=point_in(folded, clause.text, (clause.start, clause.end), quotes, points))]
        return [wish]
    if talk_cues.is_ownership(text) and not clause.question:
        return [Wish("mine", refers)]
    return _question(clause, text, refers)


def _question(clause: Clause, text: str, refers: Reference) -> list[Wish]:
    """What a clause asks, of an order or of the desk; or only says."""
    talk = _small_talk(text)
    if talk and talk[0].kind in ("who?", "help?", "person"):
        return talk[:1]
    if any(wish.kind == "noted" for wish in talk):
        return talk  # 收到, 了解: nothing is asked
    bare = text.replace(MASK, "")
    focus = look_cues.look_focus(bare, refers.explicit)
    if focus is not None and clause.mentions and _ONLY_NAMES.fullmatch(_without_ids(clause)):
        return talk  # "Change it to pickup, order B205": 改到自提，订单 B205
    if focus is not None:
        across = look_cues.across(bare, focus)
        if (across not in ("", "total") and refers.way != "named") or (across and refers.way == "none"):
            refers = replace(refers, way="all")
        check = compares(text) if clause.question or _WHETHER.search(text) else None
        wish = Wish("look", refers, focus=focus, across=across, condition=check)
        return [wish, *(w for w in talk if w.kind == "hello")]
    if clause.question and refers.explicit and (check := compares(text)) is not None:
        return [Wish("look", refers, focus="date", condition=check), *talk]  # "is it later than Friday?"
    if (focus := look_cues.look_focus(bare, True)) is not None:
        way: Way = "none" if _BOUGHT.search(text) else "thing"
        about = Reference(way, text=text)
        return [Wish("look", about, focus=focus, across=look_cues.across(bare, focus)), *talk]
    if not talk and _BOUGHT.search(text):
        return [Wish("look", refers)]
    return talk


def _without_ids(clause: Clause) -> str:
    """The text of a clause without the numbers of orders, which are no sums."""
    text = clause.text
    for mention in clause.mentions:
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return text


def _small_talk(text: str, but: tuple[Kind, ...] = ()) -> list[Wish]:
    return [Wish(kind) for kind in talk_cues.social_kinds(text) if kind not in but]
