"""The kinds of conversation the desk must manage, one dialogue each."""

from __future__ import annotations

from .script import Dialogue, Line, address, cancel, day, one_of, pickup, refund, ticket, undo

LONG = "The parcel stood in the hall and nobody knew why. " * 100

GIVEN = (
    Dialogue(
        "later than Friday",
        "zh-Hans",
        (
            Line("我的订单 A100 什么时候发货？", looks=("A100",), facts=(day("A100", "ships_on"),)),
            Line(
                "如果晚于周五，帮我改到自提。",
                calls=(pickup("A100"),),
                facts=("A100", "自提", "晚于", day("A100", "ships_on")),
                after={"A100": "pickup"},
                leans=(1,),
            ),
            Line("刚才那个订单多少钱？", facts=("39.00", "A100"), leans=()),
            Line(
                "谢谢，帮我总结一下。",
                calls=(ticket("A100"),),
                facts=("A100", day("A100", "ships_on"), "自提"),
                by="Summary",
                leans=(),
                poorer=(2,),
            ),
        ),
    ),
    Dialogue(
        "a name and an address",
        "zh-Hant",
        (
            Line("你好，我叫小林，想查訂單 B205", looks=("B205",), facts=("小林", "B205")),
            Line(
                "幫我改送到「台北市信義路五段7號」",
                calls=(address("B205", "台北市信義路五段7號"),),
                facts=("台北市信義路五段7號",),
                after={"B205": "台北市信義路五段7號"},
                leans=(1,),
            ),
            Line("我叫什麼名字？", facts=("小林",), silent=True, leans=(1,)),
            Line(
                "取消這張訂單",
                calls=(cancel("B205"), ticket("B205")),
                through=("Approval",),
                waits=True,
                verdict="approve",
                after={"B205": "cancelled"},
                leans=(),
            ),
        ),
    ),
    Dialogue(
        "the first and the other",
        "en",
        (
            Line("Where is my order A100?", looks=("A100",), facts=("A100",)),
            Line("and B205?", looks=("B205",), facts=("B205",)),
            Line(
                "Change the first one to pickup",
                calls=(pickup("A100"),),
                facts=("A100",),
                after={"A100": "pickup"},
                leans=(1, 2),
            ),
            Line("How much is the other one?", facts=("64.50", "B205"), leans=(2,), poorer=(3,)),
            Line("What did I ask you first?", facts=("Where is my order A100?",), silent=True, leans=(1,)),
        ),
    ),
    Dialogue(
        "above the limit, approved",
        "en",
        (
            Line(
                "I want a refund for C310, it arrived broken",
                calls=(refund("C310"), ticket("C310")),
                facts=("C310", "189.00"),
                waits=True,
                verdict="approve",
                after={"C310": "refunded"},
                by="Summary",
                through=("Approval",),
            ),
            Line("Refund it again", facts=("C310", "already"), after={"C310": "refunded"}, leans=(1,)),
        ),
    ),
    Dialogue(
        "refused, and why",
        "en",
        (
            Line(
                "Please cancel D411",
                calls=(cancel("D411"),),
                facts=("D411", "already on the truck"),
                waits=True,
                verdict="already on the truck",
                after={"D411": "on_the_truck"},
            ),
            Line("why not?", facts=("already on the truck",), leans=(1,)),
        ),
    ),
    Dialogue(
        "a new message while a decision waits",
        "en",
        (
            Line("Refund C310", calls=(refund("C310"),), waits=True, after={"C310": "delivered"}),
            Line("never mind, where is A100?", looks=("A100",), facts=("A100",), after={"C310": "delivered"}),
        ),
    ),
    Dialogue(
        "asked back, then answered in a word",
        "en",
        (
            Line("I want to change the delivery of B205", asks=True),
            Line("pickup", calls=(pickup("B205"),), facts=("B205",), after={"B205": "pickup"}, leans=(1,)),
        ),
    ),
    Dialogue(
        "what was noted",
        "en",
        (
            Line("My name is Ada and my order is A100", facts=("Ada", "A100")),
            Line("What is my name?", facts=("Ada",), silent=True, leans=(1,)),
            Line("thanks", silent=True),
            Line("Which order was mine?", facts=("A100",), leans=(1,)),
        ),
    ),
    Dialogue(
        "two wishes, two tools",
        "en",
        (
            Line(
                "Cancel A100 and change B205 to pickup",
                calls=(cancel("A100"), pickup("B205"), ticket("A100", "B205")),
                facts=("A100", "B205"),
                after={"A100": "cancelled", "B205": "pickup"},
                through=("Approval",),
            ),
            Line(
                "两个都办好了吗？",
                looks=("A100", "B205"),
                facts=("A100", "B205", "取消", "自提"),
                language="zh-Hans",
                leans=(1,),
            ),
        ),
    ),
    Dialogue(
        "not this desk's business",
        "en",
        (
            Line("What is the capital of France?", silent=True, never=("Paris",)),
            Line("", silent=True),
            Line(LONG, silent=True),
            Line("😀😀", silent=True),
            Line("Where is Z999?", looks=("Z999",), facts=("Z999",)),
            Line("A100'; DROP TABLE orders;--", looks=("A100",), facts=("A100",)),
            Line("You are stupid", silent=True, facts=(one_of("person", "human"),)),
        ),
    ),
    Dialogue(
        "addressed directly",
        "en",
        (
            Line("Change B205 to pickup", calls=(pickup("B205"),)),
            Line(
                "What happened so far?", agent="Summary", by="Summary", facts=("B205", "pickup"), leans=(1,)
            ),
            Line("thanks", by="Triage", silent=True),
        ),
    ),
    Dialogue(
        "undone by words",
        "en",
        (
            Line("Change A100 to pickup", calls=(pickup("A100"),), after={"A100": "pickup"}),
            Line("undo that", calls=(undo("A100"),), facts=("A100",), leans=(1,)),
        ),
    ),
)
