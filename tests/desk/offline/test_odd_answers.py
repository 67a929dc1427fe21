"""Messages that are hardly one get an answer to the point, and nothing is done that nobody asked for."""

from __future__ import annotations

import pytest

from .sent import Item, calls_of, desk, looked_up, person, words_of

LAMP = {"order": "B205", "item": "desk lamp", "status": "shipped", "price": "64.50"}
ASKED = [person("Where is B205?"), *looked_up("c1", **LAMP), desk("It is on its way.")]
ASKED_ZH = [person("B205 在哪？"), *looked_up("c1", **LAMP), desk("正在路上。")]


@pytest.mark.parametrize(
    ("history", "text"),
    [
        *(
            (ASKED, text)
            for text in ("where is my friend's order?", "what about Bob's parcel?", "and her order?")
        ),
        *((ASKED_ZH, text) for text in ("查一下我朋友的订单", "他的包裹呢", "我媽媽的訂單到了嗎")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_somebody_elses_order_is_not_the_one_spoken_of(history: list[Item], text: str) -> None:
    items = [*history, person(text)]
    assert await calls_of(items) == []
    assert (await words_of(items)).endswith(("?", "？"))


@pytest.mark.parametrize("text", ["12345", " 12345 ", "#12345", "12345?"])
async def test_a_number_alone_is_looked_up(text: str) -> None:
    assert await calls_of([person(text)]) == [("look_up_order", {"order_id": "12345"})]


@pytest.mark.parametrize("text", ["hmm", "test", "uh", "so?", "嗯嗯呢", "这个那个"])
async def test_what_says_nothing_is_not_refused_help(text: str) -> None:
    assert "cannot help" not in await words_of([person(text)])
    assert "帮不上" not in await words_of([person(text)])


@pytest.mark.parametrize(
    "pasted",
    [
        "2026-11-30 08:00:01 ERROR refund A100 failed\n2026-11-30 08:00:02 INFO cancel D411",
        "[08:00:01] cancel A100",
        "> Please cancel A100 and refund C310.\n> Regards",
        'Traceback (most recent call last):\n  File "refund.py", line 100',
    ],
)
async def test_what_is_pasted_is_not_acted_on(pasted: str) -> None:
    assert await calls_of([person(pasted)]) == []
    assert await calls_of([person(f"Where is A100?\n{pasted}")]) == [("look_up_order", {"order_id": "A100"})]


@pytest.mark.parametrize("text", ["do you ship to Canada?", "你们可以寄到日本吗", "你們送到香港嗎？"])
async def test_a_question_about_the_service_changes_no_address(text: str) -> None:
    items = [*ASKED, person(text)]
    assert await calls_of(items) == []


@pytest.mark.parametrize(
    "text", ["which one did you cancel?", "what did I cancel?", "刚才取消的是哪个？", "取消了哪個"]
)
async def test_asking_what_was_cancelled_cancels_nothing(text: str) -> None:
    calls = await calls_of([*ASKED, person(text)])
    assert [name for name, _ in calls if name != "look_up_order"] == []


@pytest.mark.parametrize("text", ["then I'll wait, thanks", "那我等吧，谢谢", "let me think"])
async def test_a_remark_is_not_taken_for_the_address_asked_for(text: str) -> None:
    history = [person("change the address of B205"), desk("To which address?"), person(text)]
    assert await calls_of(history) == []
