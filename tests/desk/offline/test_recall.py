"""Questions about the conversation itself, asked in many words, are answered from it without a tool."""

from __future__ import annotations

import pytest

from .sent import Item, answered, called, calls_of, desk, looked_up, person, words_of

ADA = [
    person("My name is Ada and my order is A100"),
    desk("Noted."),
    person("where is it?"),
    *looked_up("c1"),
    desk("It ships on Monday."),
]
LIN = [person("你好，我叫小林，想查订单 B205"), desk("好的。"), person("多少钱"), desk("64.50 USD。")]
WANG = [person("您好，我是王大明，請問訂單B205到哪了"), desk("在路上。"), person("謝謝"), desk("不客氣。")]
TWO = [person("Where is A100?"), desk("Here."), person("And what about B205?"), desk("There.")]
DECLINED = [
    person("cancel D411 please"),
    called("cancel_order", "c1", order_id="D411", reason=""),
    answered("c1", "The person declined: already on the truck"),
    desk("It was not cancelled."),
]

QUESTIONS = [
    *((ADA, text, "Ada") for text in ("What's my name?", "do you know who I am?", "tell me my name")),
    *((ADA, text, "Ada") for text in ("What did I say my name was?", "can you remember what I'm called?")),
    *((ADA, text, "A100") for text in ("which order is mine", "what was my order number again?")),
    *((ADA, text, "A100") for text in ("do you remember my order?", "what order did I give you?")),
    *(
        (LIN, text, "小林")
        for text in ("我叫什么", "你还记得我的名字吗？", "我的名字是什么来着", "请问我叫啥")
    ),
    *((LIN, text, "B205") for text in ("我的订单号是多少？", "我的是哪一单", "我的订单是哪个")),
    *(
        (LIN, text, "想查订单 B205")
        for text in ("我问的第一个问题是什么？", "我一开始说了什么", "我最先问的是啥")
    ),
    (LIN, "我上一个问题是什么", "多少钱"),
    *((WANG, text, "王大明") for text in ("我叫什麼名字", "還記得我嗎", "我的名字叫什麼")),
    *((WANG, text, "請問訂單B205到哪了") for text in ("我第一個問題是什麼？", "我最初問了什麼")),
    (WANG, "我剛剛說了什麼", "謝謝"),
    *((TWO, text, "Where is A100?") for text in ("What was the first thing I asked?", "my first message?")),
    *(
        (TWO, text, "Where is A100?")
        for text in ("which question did I start with?", "what did I ask at first?")
    ),
    (TWO, "what was my previous question?", "And what about B205?"),
    *(
        (TWO, text, "B205")
        for text in ("which orders did we talk about?", "list my orders", "what orders do I have?")
    ),
    *((TWO, text, "A100") for text in ("show me all my orders", "how many orders have we talked about?")),
    *((TWO, text, "And what about B205?") for text in ("list my questions", "what have I asked so far?")),
    *((TWO, text, "There.") for text in ("what did you just say?", "can you repeat that?", "say that again")),
    *((LIN, text, "B205") for text in ("我们聊过哪些订单？", "列出我的订单", "我有几个订单")),
    *((LIN, text, "多少钱") for text in ("我都问过什么", "我问了几个问题？")),
    *((LIN, text, "64.50 USD。") for text in ("你刚才说什么", "再说一遍")),
    *((WANG, text, "B205") for text in ("我們談過哪些訂單？", "列出我的訂單")),
    *((WANG, text, "不客氣。") for text in ("你剛剛說什麼？", "再說一次")),
    *((DECLINED, text, "already on the truck") for text in ("why?", "how come?", "Why was that refused?")),
    *(
        (DECLINED, text, "already on the truck")
        for text in ("why can't you cancel it", "what was the reason?")
    ),
    *((DECLINED, text, "already on the truck") for text in ("为什么不行", "為什麼被退回", "什么原因")),
]


@pytest.mark.parametrize(("history", "question", "known"), QUESTIONS, ids=[text for _, text, _ in QUESTIONS])
async def test_the_answer_is_in_the_conversation(history: list[Item], question: str, known: str) -> None:
    items = [*history, person(question)]
    assert await calls_of(items) == []
    assert known in await words_of(items)


@pytest.mark.parametrize(("history", "question", "known"), QUESTIONS, ids=[text for _, text, _ in QUESTIONS])
async def test_without_the_conversation_it_is_a_question(
    history: list[Item], question: str, known: str
) -> None:
    words = await words_of([person(question)])
    assert known not in words
    assert words.rstrip()[-1] in "?？"


@pytest.mark.parametrize(
    ("history", "question", "told"),
    [
        (TWO, "say that again", "Just before this I said: “There.”"),
        (LIN, "再说一遍", "我上一句说的是：“64.50 USD。”"),
        (WANG, "再說一次", "我上一句說的是：「不客氣。」"),
        (LIN, "我上一个问题是什么", "您上一句写的是：“多少钱”。"),
    ],
)
async def test_what_is_quoted_with_its_end_is_not_ended_twice(
    history: list[Item], question: str, told: str
) -> None:
    assert (await words_of([*history, person(question)])).startswith(told)
    assert not (await words_of([*history, person(question)])).removeprefix(told).startswith(("。", "."))


@pytest.mark.parametrize("question", ["list my orders", "列出我的订单", "我有哪些訂單"])
async def test_that_there_may_be_more_orders_is_said(question: str) -> None:
    words = await words_of([*TWO, person(question)])
    assert any(part in words for part in ("list of all your orders", "全部订单", "全部訂單"))


@pytest.mark.parametrize(
    ("told", "question", "name"),
    [
        (("我姓王，叫王芳",), "我叫什么名字？", "王芳"),
        (("我叫王芳，我姓王",), "我叫什么名字？", "王芳"),
        (("我姓王名芳",), "我叫什么名字？", "王芳"),
        (("我叫王芳", "我姓王"), "我叫什么名字？", "王芳"),
        (("我姓陳，叫我小陳就好",), "我叫什麼名字？", "小陳"),
        (("My last name is King, I'm called Bob King",), "What is my name?", "Bob King"),
        (("I'm called Bob King, my last name is King",), "What is my name?", "Bob King"),
    ],
)
async def test_a_full_name_wins_over_the_family_name_alone(
    told: tuple[str, ...], question: str, name: str
) -> None:
    items = [item for text in told for item in (person(text), desk("ok"))]
    assert name in await words_of([*items, person(question)])
