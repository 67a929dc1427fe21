"""Messages with several wishes, and whether they came true."""

from __future__ import annotations

from .script import Dialogue, Line, address, cancel, pickup, refund, ticket, undo

SEVERAL_WISHES = (
    Dialogue(
        "pickup for one, cancel the other, ask about both",
        "en",
        (
            Line(
                "Move F623 to a pickup point and cancel J956 please",
                calls=(pickup("F623"), cancel("J956"), ticket("F623", "J956")),
                after={"F623": "pickup", "J956": "cancelled"},
            ),
            Line("are both taken care of?", looks=("F623", "J956"), facts=("F623", "J956"), leans=(1,)),
        ),
    ),
    Dialogue(
        "one waits, the rest is done",
        "en",
        (
            Line(
                "Refund C310, the burr is cracked. And change A100 to pickup.",
                calls=(pickup("A100"), refund("C310")),
                waits=True,
                verdict="opened box",
                after={"A100": "pickup", "C310": "delivered"},
                facts=("A100", "opened box"),
            ),
            Line("did both work?", looks=("A100", "C310"), facts=("A100", "opened box"), leans=(1,)),
        ),
    ),
    Dialogue(
        "three at once",
        "en",
        (
            Line(
                "Where's D411, what does C310 cost, and please send B205 to 9 Elm Road, Derby",
                calls=(address("B205", "9 Elm Road, Derby"),),
                looks=("D411", "C310"),
                facts=("189.00", "D411"),
                after={"B205": "9 Elm Road, Derby"},
            ),
            Line("what do D411 and C310 cost together?", facts=("309.00",)),
        ),
    ),
    Dialogue(
        "two small refunds",
        "en",
        (
            Line(
                "Refund E512 and Q652, both leak",
                calls=(refund("E512"), refund("Q652"), ticket("E512", "Q652")),
                after={"E512": "refunded", "Q652": "refunded"},
            ),
            Line("is everything done?", looks=("E512", "Q652"), facts=("18.00", "29.50"), leans=(1,)),
        ),
    ),
    Dialogue(
        "一个取消，一个改地址",
        "zh-Hans",
        (
            Line(
                "J956取消，A100改送到北京市海淀区中关村大街27号",
                calls=(address("A100", "北京市海淀区中关村大街27号"), cancel("J956"), ticket("J956", "A100")),
                after={"J956": "cancelled", "A100": "北京市海淀区中关村大街27号"},
            ),
            Line("都弄好了没？", looks=("J956", "A100"), facts=("J956", "A100"), leans=(1,)),
        ),
    ),
    Dialogue(
        "一个要等人，一个马上办",
        "zh-Hans",
        (
            Line(
                "帮我退掉C310，还有F623改成自提",
                calls=(pickup("F623"), refund("C310")),
                waits=True,
                verdict="超过退货期",
                after={"F623": "pickup", "C310": "delivered"},
                facts=("F623", "超过退货期"),
            ),
            Line("两件事都成了吗？", looks=("C310", "F623"), facts=("超过退货期", "F623"), leans=(1,)),
        ),
    ),
    Dialogue(
        "三个问题",
        "zh-Hans",
        (
            Line(
                "A100什么时候发货，B205多少钱，D411到哪了？",
                looks=("A100", "B205", "D411"),
                facts=("A100", "64.50", "D411"),
            ),
            Line("A100和D411加起来多少钱？", facts=("159.00",)),
        ),
    ),
    Dialogue(
        "两个都退",
        "zh-Hans",
        (
            Line(
                "E512和Q652都漏水，两个都退款",
                calls=(refund("E512"), refund("Q652"), ticket("E512", "Q652")),
                after={"E512": "refunded", "Q652": "refunded"},
            ),
            Line("都退了吗", looks=("E512", "Q652"), facts=("18.00", "29.50"), leans=(1,)),
        ),
    ),
    Dialogue(
        "一張取消，一張自取",
        "zh-Hant",
        (
            Line(
                "請取消J956，並且把F623改成自取",
                calls=(pickup("F623"), cancel("J956"), ticket("J956", "F623")),
                after={"J956": "cancelled", "F623": "pickup"},
            ),
            Line("兩張都辦妥了嗎？", looks=("J956", "F623"), facts=("J956", "F623"), leans=(1,)),
        ),
    ),
    Dialogue(
        "退款要等，地址先改",
        "zh-Hant",
        (
            Line(
                "C310我要退款，馬達燒掉了；A100請改寄到「台南市東區大學路1號」",
                calls=(address("A100", "台南市東區大學路1號"), refund("C310", reason="馬達燒掉了")),
                waits=True,
                verdict="已過鑑賞期",
                after={"A100": "台南市東區大學路1號", "C310": "delivered"},
                facts=("已過鑑賞期",),
            ),
            Line("這兩件都好了嗎？", looks=("A100", "C310"), facts=("已過鑑賞期",), leans=(1,)),
        ),
    ),
    Dialogue(
        "三件事一起問",
        "zh-Hant",
        (
            Line(
                "D411到哪了？C310多少錢？順便把A100改到自取點",
                calls=(pickup("A100"),),
                looks=("D411", "C310"),
                facts=("189.00", "D411"),
                after={"A100": "pickup"},
            ),
            Line("D411跟C310總共多少錢？", facts=("309.00",)),
        ),
    ),
    Dialogue(
        "改自取又改回來",
        "zh-Hant",
        (
            Line(
                "A100跟B205都改自取",
                calls=(pickup("A100"), pickup("B205")),
                after={"A100": "pickup", "B205": "pickup"},
                language="zh",
            ),
            Line("兩張都改回去", calls=(undo("A100"), undo("B205")), after={"A100": "address"}, leans=(1,)),
        ),
    ),
)
