"""Dialogues in which a person asks what they asked for before, or speaks of what another wants."""

from __future__ import annotations

from .script import Dialogue, Line, cancel, pickup, refund, ticket

WHAT_WAS_ASKED = (
    Dialogue(
        "which one I had you cancel",
        "en",
        (
            Line("Kindly cancel A100", calls=(cancel("A100"), ticket("A100")), after={"A100": "cancelled"}),
            Line(
                "Which order did I ask you to cancel?", silent=True, facts=("Kindly cancel A100",), leans=(1,)
            ),
            Line("did i tell you to cancel A100", silent=True, facts=("Kindly cancel A100",), leans=(1,)),
            Line("And what did I ask you to refund?", silent=True, asks=True),
        ),
    ),
    Dialogue(
        "asked, and rejected",
        "en",
        (
            Line(
                "Please cancel D411",
                calls=(cancel("D411"),),
                waits=True,
                verdict="already on the truck",
                after={"D411": "on_the_truck"},
            ),
            Line(
                "Remind me what I told you to cancel",
                silent=True,
                facts=("Please cancel D411", "already on the truck"),
                after={"D411": "on_the_truck"},
                leans=(1,),
            ),
        ),
    ),
    Dialogue(
        "only looked at",
        "en",
        (
            Line("Where is A100?", looks=("A100",)),
            Line(
                "Which order did I ask you to cancel?",
                silent=True,
                asks=True,
                never=("A100",),
                after={"A100": "not_shipped"},
            ),
            Line(
                "I asked you to cancel A100 an hour ago, please do it now",
                calls=(cancel("A100"), ticket("A100")),
            ),
        ),
    ),
    Dialogue(
        "what I had changed",
        "en",
        (
            Line("Switch A100 to pickup", calls=(pickup("A100"),)),
            Line("What did I ask you to change?", silent=True, facts=("Switch A100 to pickup",), leans=(1,)),
            Line("Tell me whether I cancelled A100", silent=True, asks=True, after={"A100": "not_shipped"}),
        ),
    ),
    Dialogue(
        "a locker is a pickup point",
        "en",
        (
            Line("Where is A100?", looks=("A100",)),
            Line("Deliver it to a locker if that is after the weekend", calls=(pickup("A100"),), leans=(1,)),
        ),
    ),
    Dialogue(
        "what a friend wants",
        "en",
        (
            Line("When was E512 delivered?", looks=("E512",)),
            Line(
                "My friend wants a refund for it, is that possible?",
                asks=True,
                after={"E512": "delivered"},
                leans=(1,),
            ),
            Line(
                "yes, please",
                calls=(refund("E512"), ticket("E512")),
                after={"E512": "refunded"},
                leans=(1, 2),
            ),
        ),
    ),
    Dialogue(
        "请你取消过哪个",
        "zh-Hans",
        (
            Line("取消 A100 吧", calls=(cancel("A100"), ticket("A100")), after={"A100": "cancelled"}),
            Line("我刚才请你取消哪个订单？", silent=True, facts=("取消 A100 吧",), leans=(1,)),
            Line("我有没有请你取消A100", silent=True, facts=("取消 A100 吧",), leans=(1,)),
            Line("我刚才请你退哪个订单的款？", silent=True, asks=True),
        ),
    ),
    Dialogue(
        "只问过没请过",
        "zh-Hans",
        (
            Line("订单 A100 什么时候发货？", looks=("A100",)),
            Line(
                "我刚才请你取消哪个订单？",
                silent=True,
                asks=True,
                never=("A100",),
                after={"A100": "not_shipped"},
            ),
            Line("请告诉我我有没有取消A100", silent=True, asks=True, after={"A100": "not_shipped"}),
            Line(
                "我一个小时前就请你取消A100了，请现在就办",
                calls=(cancel("A100"), ticket("A100")),
                after={"A100": "cancelled"},
            ),
        ),
    ),
    Dialogue(
        "姓和全名",
        "zh-Hans",
        (
            Line("我姓王，叫王芳", silent=True, facts=("王芳",)),
            Line("我叫什么名字？", silent=True, facts=("王芳",), leans=(1,)),
        ),
    ),
    Dialogue(
        "改了什麼",
        "zh-Hant",
        (
            Line("把訂單 A100 改成自取", calls=(pickup("A100"),)),
            Line("我剛才請你改了什麼？", silent=True, facts=("把訂單 A100 改成自取",), leans=(1,)),
            Line("我有請你取消 A100 嗎？", silent=True, asks=True, after={"A100": "not_shipped"}),
        ),
    ),
    Dialogue(
        "請你取消哪張，被退回",
        "zh-Hant",
        (
            Line(
                "請取消訂單 D411",
                calls=(cancel("D411"),),
                waits=True,
                verdict="已經上車了",
                after={"D411": "on_the_truck"},
            ),
            Line(
                "我剛才請你取消哪張訂單？",
                silent=True,
                facts=("請取消訂單 D411", "已經上車了"),
                after={"D411": "on_the_truck"},
                leans=(1,),
            ),
        ),
    ),
)
