"""More of the same kinds, in traditional Chinese."""

from __future__ import annotations

from .script import Dialogue, Line, address, cancel, day, one_of, pickup, refund, ticket, undo

TRADITIONAL = (
    Dialogue(
        "晚於週五",
        "zh-Hant",
        (
            Line("請問訂單A100哪天出貨？", looks=("A100",), facts=("A100", day("A100", "ships_on"))),
            Line(
                "若是遲於禮拜五的話，麻煩改成門市自取",
                calls=(pickup("A100"),),
                after={"A100": "pickup"},
                leans=(1,),
            ),
            Line("幫我還原剛剛的變更", calls=(undo("A100"),), after={"A100": "address"}, leans=(2,)),
        ),
    ),
    Dialogue(
        "早於那天",
        "zh-Hant",
        (
            Line("B205什麼時候會送到", looks=("B205",), facts=(day("B205", "arrives_on"),)),
            Line(
                "如果2099/12/31之後才送到，就改為自取", facts=("B205",), after={"B205": "address"}, leans=(1,)
            ),
        ),
    ),
    Dialogue(
        "改地址",
        "zh-Hant",
        (
            Line(
                "麻煩將B205改寄到高雄市苓雅區四維三路2號，謝謝",
                calls=(address("B205", "高雄市苓雅區四維三路2號"),),
                after={"B205": "高雄市苓雅區四維三路2號"},
            ),
            Line("還是改回去好了", calls=(undo("B205"),), leans=(1,)),
        ),
    ),
    Dialogue(
        "要送去哪",
        "zh-Hant",
        (
            Line("我想更改 B205 的送貨方式", asks=True),
            Line(
                "新竹市光復路二段101號",
                calls=(address("B205", "新竹市光復路二段101號"),),
                after={"B205": "新竹市光復路二段101號"},
                leans=(1,),
            ),
        ),
    ),
    Dialogue(
        "哪一張",
        "zh-Hant",
        (
            Line("我要取消訂單", asks=True),
            Line("Ａ１００", calls=(cancel("A100"), ticket("A100")), after={"A100": "cancelled"}, leans=(1,)),
            Line("取消好了嗎？", looks=("A100",), facts=("A100", "取消"), leans=(2,)),
        ),
    ),
    Dialogue(
        "兩張訂單",
        "zh-Hant",
        (
            Line("A100跟B205各是多少錢？", looks=("A100", "B205"), facts=("39.00", "64.50")),
            Line("第二張改成自取", calls=(pickup("B205"),), after={"B205": "pickup"}, leans=(1,)),
            Line("另一張呢，什麼時候出貨？", looks=("A100",), facts=(day("A100", "ships_on"),), leans=(1, 2)),
            Line("我第一句問了你什麼？", silent=True, facts=("A100跟B205各是多少錢？",), leans=(1,)),
        ),
    ),
    Dialogue(
        "一次三件事",
        "zh-Hant",
        (
            Line(
                "取消A100，另外B205改到自取點，還有D411現在到哪了？",
                calls=(cancel("A100"), pickup("B205"), ticket("A100", "B205", "D411")),
                looks=("D411",),
                facts=("A100", "B205", "D411"),
                after={"A100": "cancelled", "B205": "pickup"},
            ),
            Line("這些都處理好了嗎？", looks=("A100", "B205"), facts=("A100", "B205"), leans=(1,)),
        ),
    ),
    Dialogue(
        "退款",
        "zh-Hant",
        (
            Line(
                "C310送來的時候就壞了，想申請退款",
                calls=(refund("C310"), ticket("C310")),
                waits=True,
                verdict="approve",
                after={"C310": "refunded"},
                facts=("189.00",),
                by="Summary",
            ),
            Line("再退一次款給我", facts=("C310", "已"), after={"C310": "refunded"}, leans=(1,)),
        ),
    ),
    Dialogue(
        "被拒絕",
        "zh-Hant",
        (
            Line(
                "麻煩幫我取消 D411",
                calls=(cancel("D411"),),
                waits=True,
                verdict="貨車已經出發",
                after={"D411": "on_the_truck"},
                facts=("D411", "貨車已經出發"),
            ),
            Line("為什麼不能取消？", facts=("貨車已經出發",), after={"D411": "on_the_truck"}, leans=(1,)),
        ),
    ),
    Dialogue(
        "等待時換話題",
        "zh-Hant",
        (
            Line("我要退C310的錢", calls=(refund("C310"),), waits=True),
            Line("先不用了，請問A100在哪？", looks=("A100",), facts=("A100",), after={"C310": "delivered"}),
        ),
    ),
    Dialogue(
        "名字",
        "zh-Hant",
        (
            Line("您好，叫我阿美就好", silent=True, facts=("阿美",), language="zh"),
            Line("查詢訂單 D411", looks=("D411",), facts=("D411",)),
            Line("你記得我的名字嗎？", silent=True, facts=("阿美",), leans=(1,)),
            Line("這張多少錢？", facts=("120.00",), leans=(2,)),
        ),
    ),
    Dialogue(
        "馬克杯破了",
        "zh-Hant",
        (
            Line("E512的馬克杯破掉了", looks=("E512",), asks=True),
            Line("好，退款", calls=(refund("E512"), ticket("E512")), after={"E512": "refunded"}, leans=(1,)),
        ),
    ),
    Dialogue(
        "其他事",
        "zh-Hant",
        (
            Line("明天會下雨嗎？", silent=True),
            Line("你是真人還是機器人？", silent=True, facts=(one_of("離線", "替身"),)),
            Line("你這個笨蛋", silent=True, facts=(one_of("真人", "專人", "同事"),)),
            Line("我的包裹Z999呢？", looks=("Z999",), facts=("Z999",), language="zh"),
            Line(
                "別退C310，我只想知道它的價格",
                looks=("C310",),
                facts=("189.00",),
                after={"C310": "delivered"},
            ),
        ),
    ),
    Dialogue(
        "繁簡混用",
        "zh-Hant",
        (
            Line("帮我查訂單 a 100 什麼時候發货", looks=("A100",), facts=(day("A100", "ships_on"),)),
            Line(
                "這個改自取，再總結一下給我聽",
                calls=(pickup("A100"), ticket("A100")),
                by="Summary",
                leans=(1,),
            ),
        ),
    ),
    Dialogue(
        "直接找總結",
        "zh-Hant",
        (
            Line("D411 到哪裡了", looks=("D411",), facts=("D411",)),
            Line("目前為止發生了什麼事？", agent="Summary", by="Summary", facts=("D411",), leans=(1,)),
            Line("謝謝你", by="Triage", silent=True),
        ),
    ),
    Dialogue(
        "只是問問",
        "zh-Hant",
        (
            Line("A100還可以取消嗎？", looks=("A100",), asks=True, after={"A100": "not_shipped"}),
            Line(
                "那就取消吧", calls=(cancel("A100"), ticket("A100")), after={"A100": "cancelled"}, leans=(1,)
            ),
        ),
    ),
    Dialogue(
        "條件各自獨立",
        "zh-Hant",
        (
            Line(
                "若B205禮拜三以前不會到，請改寄到「台中市北區三民路三段129號」，同時把A100取消",
                calls=(address("B205", "台中市北區三民路三段129號"), cancel("A100"), ticket("A100", "B205")),
                after={"A100": "cancelled", "B205": "台中市北區三民路三段129號"},
            ),
            Line("這兩張都處理好了嗎", looks=("A100", "B205"), facts=("A100", "B205"), leans=(1,)),
        ),
    ),
    Dialogue(
        "請真人處理",
        "zh-Hant",
        (
            Line("叫你們主管來", silent=True, asks=True),
            Line("J956", calls=(ticket("J956"),), by="Summary", facts=("真人",), leans=(1,)),
        ),
    ),
)
