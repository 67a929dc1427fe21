"""Every dialogue, streamed and not, and with its memory cut in every way."""

from __future__ import annotations

from pathlib import Path

import pytest

from .elsewhere import ELSEWHERE
from .english import ENGLISH
from .given import GIVEN
from .judging import honest, judge, judge_waiting
from .newcomers import NEWCOMERS
from .script import Dialogue, Line
from .several_wishes import SEVERAL_WISHES
from .simplified import SIMPLIFIED
from .taken_back import TAKEN_BACK
from .traditional import TRADITIONAL
from .what_was_asked import WHAT_WAS_ASKED
from .world import Answer, World, turns

DIALOGUES = (
    *GIVEN,
    *ENGLISH,
    *SIMPLIFIED,
    *TRADITIONAL,
    *SEVERAL_WISHES,
    *ELSEWHERE,
    *TAKEN_BACK,
    *NEWCOMERS,
    *WHAT_WAS_ASKED,
)
every_dialogue = pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda d: f"{d.language} {d.name}")


async def _play(world: World, line: Line, *, remember: bool = True) -> tuple[Answer, list[str]]:
    """Say a line and decide what it waits for; the whole answer, and what was wrong with the pause."""
    answer = await world.say(line.says, agent=line.agent, remember=remember)
    wrong = judge_waiting(line, answer)
    if line.verdict is not None and answer.waiting:
        after = await world.decide(line.verdict)
        seen = len(answer.calls)  # a resumed run tells again what it did before the pause
        if after.calls[:seen] == answer.calls:
            answer.calls, answer.words = after.calls, after.words or answer.words
        else:
            answer.calls, answer.words = [*answer.calls, *after.calls], [*answer.words, *after.words]
        answer.agents = [*answer.agents, *after.agents]
    return answer, wrong


@every_dialogue
@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
async def test_a_dialogue_has_its_effects(dialogue: Dialogue, streamed: bool, tmp_path: Path) -> None:
    world = World(tmp_path / "orders.db", streamed=streamed)
    wrong = []
    for number, line in enumerate(dialogue.lines, start=1):
        answer, paused = await _play(world, line)
        if line.waits and line.verdict is None:
            continue
        found = [*paused, *judge(line, answer, world, dialogue.language)]
        wrong += [f"{number} {line.says[:60]!r}: {each} | {answer.text}" for each in found]
    assert not wrong, "\n".join(wrong)


@every_dialogue
async def test_without_memory_what_leans_on_it_becomes_a_question(dialogue: Dialogue, tmp_path: Path) -> None:
    world = World(tmp_path / "orders.db")
    wrong = []
    for number, line in enumerate(dialogue.lines, start=1):
        answer, _ = await _play(world, line, remember=False)
        if line.leans is not None:
            wrong += [
                f"{number} {line.says!r}: {each} | {answer.text}" for each in honest(answer, line, world)
            ]
        elif not line.after_lines and not (line.waits and line.verdict is None):
            found = judge(line, answer, world, dialogue.language)
            wrong += [f"{number} {line.says!r}: {each} | {answer.text}" for each in found]
    assert not wrong, "\n".join(wrong)


@every_dialogue
async def test_without_one_turn_just_what_leans_on_it_is_forgotten(
    dialogue: Dialogue, tmp_path: Path
) -> None:
    wrong = []
    world = World(tmp_path / "0.db")
    for number, line in enumerate(dialogue.lines, start=1):
        before = turns(await world.items())
        for gone in range(1, number):
            cut = await world.copy(tmp_path / f"{number}-{gone}.db")
            kept = before[: gone - 1] + before[gone:]
            await cut.forget([item for turn in kept for item in turn])
            answer, paused = await _play(cut, line)
            if gone in (line.leans or ()):
                found = honest(answer, line, cut)
            elif line.waits and line.verdict is None:
                found = paused
            else:
                found = [*paused, *judge(line, answer, cut, dialogue.language, without=gone)]
            wrong += [f"{number} without {gone} {line.says!r}: {each} | {answer.text}" for each in found]
        world = await world.copy(tmp_path / f"{number}.db")
        await _play(world, line)
    assert not wrong, "\n".join(wrong)
