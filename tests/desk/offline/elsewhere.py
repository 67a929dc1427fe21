"""Messages that are not this desk's business, or no sentence at all."""

from __future__ import annotations

from .script import Dialogue, Line, one_of

_LOG = (
    "2026-11-30 08:00:01 ERROR [worker-3] refund A100 failed: java.lang.NullPointerException\n"
    "    at shop.Refunds.run(Refunds.java:100)\n"
    "2026-11-30 08:00:02 INFO cancel D411 skipped\n"
)

ELSEWHERE = (
    Dialogue(
        "sums, weather, code",
        "en",
        (
            Line("What is 17 times 23?", silent=True, never=("391",)),
            Line("Will it snow in Oslo tomorrow?", silent=True),
            Line("Write a Python function that sorts a list", silent=True, never=("def ",)),
            Line("cancel my gym membership", silent=True, asks=True),
        ),
    ),
    Dialogue(
        "signs instead of words",
        "en",
        (
            Line("??", silent=True),
            Line("🎉", silent=True),
            Line("...", silent=True),
            Line("hello?", silent=True, asks=True),
            Line(_LOG, silent=True, language="en"),
        ),
    ),
    Dialogue(
        "someone else's, and one that is not there",
        "en",
        (
            Line("where is B205?", looks=("B205",)),
            Line("and where is my neighbour's parcel?", silent=True, asks=True),
            Line("Cancel X777", looks=("X777",), facts=("X777",), asks=True),
            Line("you people are useless", silent=True, facts=(one_of("person", "human"),)),
        ),
    ),
    Dialogue(
        "天气、股票、写诗",
        "zh-Hans",
        (
            Line("今天股票涨了吗？", silent=True),
            Line("给我写一首关于秋天的诗", silent=True),
            Line("法国的首都是哪里？", silent=True, never=("巴黎",)),
            Line("帮我取消健身房会员", silent=True, asks=True),
        ),
    ),
    Dialogue(
        "不成句子",
        "zh-Hans",
        (
            Line("在吗？", silent=True, asks=True, language="zh"),
            Line("？？？", silent=True, language="zh"),
            Line("嗯嗯", silent=True, language="zh"),
            Line("谢谢啦", silent=True),
        ),
    ),
    Dialogue(
        "别人的订单",
        "zh-Hans",
        (
            Line("B205到哪了", looks=("B205",)),
            Line("那我同事的订单呢？", silent=True, asks=True),
            Line("查一下X777", looks=("X777",), facts=("X777",), asks=True),
            Line("你真没用", silent=True, facts=(one_of("真人", "同事"),)),
        ),
    ),
    Dialogue(
        "天氣、股票、寫詩",
        "zh-Hant",
        (
            Line("台積電股價多少？", silent=True),
            Line("幫我寫一封情書", silent=True),
            Line("法國的首都在哪裡？", silent=True, never=("巴黎",)),
            Line("幫我取消健身房會員", silent=True, asks=True),
        ),
    ),
    Dialogue(
        "不成句",
        "zh-Hant",
        (
            Line("您好，有人嗎？", silent=True, asks=True),
            Line("！！", silent=True, language="zh"),
            Line("感謝您", silent=True, language="zh"),
            Line("嗯…", silent=True, language="zh"),
        ),
    ),
    Dialogue(
        "別人的包裹",
        "zh-Hant",
        (
            Line("B205什麼時候到？", looks=("B205",)),
            Line("那我媽媽的包裹呢？", silent=True, asks=True),
            Line("取消X777", looks=("X777",), facts=("X777",), asks=True, language="zh"),
            Line("你們真爛，廢物", silent=True, facts=(one_of("真人", "專人", "同事"),)),
        ),
    ),
)
