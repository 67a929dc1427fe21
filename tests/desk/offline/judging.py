"""Whether an answer is what a line asks for: by its effects, its language and the facts it holds."""

from __future__ import annotations

import re
from typing import Any

from desk.offline.language import is_chinese, language_of

from .script import Call, Line
from .world import Answer, World

_QUESTION = ("?", "？")
_ORDER = re.compile(r"[A-Z]\d{3}")


def judge(line: Line, answer: Answer, world: World, language: str, *, without: int = 0) -> list[str]:
    """What is wrong with an answer; nothing, if all is right. `without` is a line that was taken away."""
    wrong = [*_calls(line, answer), *_order_states(line, world)]
    if without not in line.poorer:
        wrong += _facts(line, answer, world)
    if line.looks and not set(line.looks) <= answer.looked:
        wrong.append(f"looked up {sorted(answer.looked)}, not {sorted(line.looks)}")
    if line.silent and answer.calls:
        wrong.append(f"called {answer.calls}")
    if line.asks and not is_question(answer):
        wrong.append("asked nothing back")
    if line.by and answer.agents[-1] != line.by:
        wrong.append(f"answered by {answer.agents[-1]}, not {line.by}")
    if not set(line.through) <= set(answer.agents):
        wrong.append(f"went through {answer.agents}, not {line.through}")
    if not speaks(answer.text, line.language or language):
        wrong.append(f"not in {line.language or language}")
    return wrong


def judge_waiting(line: Line, answer: Answer) -> list[str]:
    """What is wrong with a pause, or with there being none."""
    wrong = []
    if line.waits != bool(answer.waiting):
        wrong.append(f"waits for {answer.waiting or 'nobody'}")
    return wrong


def honest(answer: Answer, line: Line, world: World) -> list[str]:
    """What is wrong with the answer of one who does not remember: it must be a question, and no act."""
    wrong = []
    if not is_question(answer):
        wrong.append("not a question")
    if answer.changes or answer.waiting:
        wrong.append(f"acted all the same: {answer.changes}")
    for fact in line.facts:
        texts = [fact] if isinstance(fact, str) else list(fact(world.orders))
        if _ORDER.fullmatch(texts[0]):
            continue  # an honest question may name the orders it does know
        if any(text in answer.text for text in texts) and not any(text in line.says for text in texts):
            wrong.append(f"still knows {texts}")
    return wrong


def is_question(answer: Answer) -> bool:
    return answer.last.rstrip().endswith(_QUESTION)


def is_asking_or_telling(words: str) -> bool:
    """Whether it is at least a sentence."""
    return len(words) > 5 and words.rstrip()[-1] in ".?!。？！"


def speaks(text: str, language: str) -> bool:
    """Whether a text is in the language, quotations aside. Short Chinese may be of either script."""
    found = language_of(text)
    if found is None or language == "zh":
        return is_chinese(text) == (language != "en")
    return found == language


def _calls(line: Line, answer: Answer) -> list[str]:
    made = list(answer.changes)
    wrong = []
    for call in line.calls:
        match = next((one for one in made if _is(one, call)), None)
        if match is None:
            wrong.append(f"did not call {call.tool} {call.arguments}")
        else:
            made.remove(match)
    return [*wrong, *(f"also called {name} {arguments}" for name, arguments in made)]


def _is(made: tuple[str, dict[str, Any]], call: Call) -> bool:
    name, arguments = made
    if name != call.tool:
        return False
    for key, value in call.arguments.items():
        given = arguments.get(key)
        if isinstance(value, list):
            if not set(value) <= set(given or ()):
                return False
        elif given != value:
            return False
    return True


def _facts(line: Line, answer: Answer, world: World) -> list[str]:
    wrong = []
    for fact in line.facts:
        texts = [fact] if isinstance(fact, str) else list(fact(world.orders))
        if not any(text in answer.text for text in texts):
            wrong.append(f"says none of {texts}")
    return [*wrong, *(f"says {text}" for text in line.never if text in answer.text)]


def _order_states(line: Line, world: World) -> list[str]:
    wrong = []
    for order_id, wanted in line.after.items():
        order = world.orders.get(order_id)
        assert order is not None
        if wanted in ("pickup", "address"):
            found = str(order.delivery.to)
        elif wanted in ("cancelled", "refunded", "delivered", "on_the_truck", "shipped", "not_shipped"):
            found = str(order.status)
        else:
            found = order.delivery.address
        if found != wanted:
            wrong.append(f"{order_id} is {found}, not {wanted}")
    return wrong
