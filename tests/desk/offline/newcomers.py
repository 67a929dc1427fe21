"""What people who have never seen the desk say to it: half questions, reasons, corrections, comparisons."""

from __future__ import annotations

from .script import Dialogue, Line, address, cancel, day, pickup, refund, ticket, undo

NEWCOMERS = (
    Dialogue(
        "may it be returned",
        "en",
        (
            Line("where is C310?", looks=("C310",)),
            Line(
                "can I return it?",
                looks=("C310",),
                asks=True,
                facts=("189.00", "50.00"),
                after={"C310": "delivered"},
                leans=(1,),
            ),
            Line(
                "please refund it, dead motor",
                calls=(refund("C310", reason="dead motor"),),
                waits=True,
                verdict="worn out",
                facts=("worn out",),
                leans=(),
            ),
            Line("what now?", looks=("C310",), facts=("worn out",), leans=(3,)),
        ),
    ),
    Dialogue(
        "the office, with a comma",
        "en",
        (
            Line("Where is A100?", looks=("A100",)),
            Line(
                "Send it to my office, 12 Main Street, Leeds",
                calls=(address("A100", "12 Main Street, Leeds"),),
                leans=(1,),
            ),
            Line("no, 14 Main Street, Leeds", calls=(address("A100", "14 Main Street, Leeds"),), leans=(2,)),
        ),
    ),
    Dialogue(
        "several orders together",
        "en",
        (
            Line(
                "which arrives first, A100 or B205?",
                looks=("A100", "B205"),
                facts=(day("B205", "arrives_on"),),
            ),
            Line("which is dearer?", facts=("25.50",), leans=(1,)),
            Line("and how much are both together?", facts=("103.50",), leans=(1,)),
            Line("which orders did we talk about?", silent=True, facts=("A100", "B205"), leans=(1,)),
        ),
    ),
    Dialogue(
        "a reason given before",
        "en",
        (
            Line("my mug arrived broken", asks=True, silent=True),
            Line("E512", looks=("E512",), asks=True, poorer=(1,)),
            Line(
                "yes",
                calls=(refund("E512", reason="my mug arrived broken"), ticket("E512")),
                leans=(1, 2),
            ),
        ),
    ),
    Dialogue(
        "it never came",
        "en",
        (
            Line("C310 never arrived", looks=("C310",), facts=(day("C310", "delivered_on"),), asks=True),
            Line("no", silent=True),
            Line("and B205 never arrived either", looks=("B205",), facts=(day("B205", "arrives_on"),)),
        ),
    ),
    Dialogue(
        "能退吗",
        "zh-Hans",
        (
            Line("C310 怎么样了？", looks=("C310",)),
            Line(
                "能退吗",
                looks=("C310",),
                asks=True,
                facts=("189.00", "50.00"),
                after={"C310": "delivered"},
                leans=(1,),
            ),
            Line("退吧，电机不转", calls=(refund("C310", reason="电机不转"),), waits=True, leans=()),
        ),
    ),
    Dialogue(
        "改送到公司",
        "zh-Hans",
        (
            Line("A100 在哪？", looks=("A100",)),
            Line(
                "改送到公司吧，上海市浦东新区世纪大道100号",
                calls=(address("A100", "上海市浦东新区世纪大道100号"),),
                leans=(1,),
            ),
            Line(
                "不对，是上海市浦东新区世纪大道200号",
                calls=(address("A100", "上海市浦东新区世纪大道200号"),),
                leans=(2,),
            ),
        ),
    ),
    Dialogue(
        "哪个贵，一共多少",
        "zh-Hans",
        (
            Line("A100 多少钱", facts=("39.00",)),
            Line("B205 呢", facts=("64.50",), looks=("B205",), poorer=(1,), leans=()),
            Line("哪个贵？", facts=("25.50",), leans=(1, 2)),
            Line("加起来多少钱？", facts=("103.50",), leans=(1, 2)),
            Line("我们聊过哪些订单？", silent=True, facts=("A100", "B205"), poorer=(1, 2), leans=()),
        ),
    ),
    Dialogue(
        "可以退嗎",
        "zh-Hant",
        (
            Line("C310 怎麼樣了？", looks=("C310",)),
            Line(
                "可以退嗎",
                looks=("C310",),
                asks=True,
                facts=("50.00",),
                after={"C310": "delivered"},
                leans=(1,),
            ),
            Line("好，麻煩退", calls=(refund("C310"),), waits=True, leans=()),
        ),
    ),
    Dialogue(
        "哪張先到",
        "zh-Hant",
        (
            Line("A100 和 B205 加起來多少錢？", looks=("A100", "B205"), facts=("103.50",)),
            Line("哪張先到？", looks=("A100", "B205"), facts=(day("B205", "arrives_on"),), leans=(1,)),
            Line("還有別的訂單嗎", silent=True, language="zh-Hant"),
        ),
    ),
    Dialogue(
        "後來才說要取消",
        "zh-Hant",
        (
            Line("請取消 J956", calls=(cancel("J956"), ticket("J956"))),
            Line(
                "還有 F623",
                looks=("F623",),
                asks=True,
                after={"F623": "not_shipped"},
                poorer=(1,),
                language="zh",
            ),
            Line("好", calls=(cancel("F623"), ticket("F623")), leans=(1, 2), language="zh"),
        ),
    ),
    Dialogue(
        "能不能赶在周五之前",
        "zh-Hans",
        (
            Line("B205能不能周五之前送到？", looks=("B205",), facts=(day("B205", "arrives_on"), "是的")),
            Line("A100会不会周五之前到？", looks=("A100",), facts=("不是",), never=("是的",)),
        ),
    ),
    Dialogue(
        "not both, only one",
        "en",
        (
            Line("Send A100 and H845 to pickup", calls=(pickup("A100"), pickup("H845"))),
            Line(
                "not H845, only A100",
                calls=(undo("H845"),),
                after={"A100": "pickup", "H845": "address"},
                leans=(1,),
            ),
        ),
    ),
    Dialogue(
        "取消了又後悔",
        "zh-Hant",
        (
            Line("取消 A100，買錯顏色了", calls=(cancel("A100"), ticket("A100")), language="zh-Hant"),
            Line("B205 多少錢？", facts=("64.50",), looks=("B205",)),
            Line(
                "A100 我後悔了，可以不要取消嗎",
                facts=("A100",),
                after={"A100": "cancelled"},
                leans=None,
                after_lines=True,
                poorer=(1,),
            ),
        ),
    ),
    Dialogue(
        "something is wrong, in no known word",
        "en",
        (
            Line("K107 is quiet on the left side, what now?", looks=("K107",), asks=True),
            Line(
                "yes",
                calls=(refund("K107", reason="K107 is quiet on the left side"),),
                waits=True,
                leans=(1,),
            ),
        ),
    ),
)
