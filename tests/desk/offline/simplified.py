"""More of the same kinds, in simplified Chinese."""

from __future__ import annotations

from .script import Dialogue, Line, address, cancel, day, one_of, pickup, refund, ticket, undo

SIMPLIFIED = (
    Dialogue(
        "不到就自提",
        "zh-Hans",
        (
            Line("麻烦查一下ａ１００", looks=("A100",), facts=("A100", day("A100", "ships_on"))),
            Line(
                "周五之前发不了货就改成自提吧", calls=(pickup("A100"),), after={"A100": "pickup"}, leans=(1,)
            ),
            Line("算了，改回原来的地址", calls=(undo("A100"),), after={"A100": "address"}, leans=(2,)),
        ),
    ),
    Dialogue(
        "不晚就不改",
        "zh-Hans",
        (
            Line("B205 几号能到呀😊", looks=("B205",), facts=(day("B205", "arrives_on"),)),
            Line(
                "要是2099年12月31日以后才到，就帮我换成自提",
                facts=("B205",),
                after={"B205": "address"},
                leans=(1,),
            ),
            Line("那现在送到哪里？", looks=("B205",), facts=("B205",), leans=()),
        ),
    ),
    Dialogue(
        "改地址",
        "zh-Hans",
        (
            Line(
                "请把 B205 的收货地址改成：上海市徐汇区漕溪北路 18 号 3 楼",
                calls=(address("B205", "上海市徐汇区漕溪北路 18 号 3 楼"),),
                after={"B205": "上海市徐汇区漕溪北路 18 号 3 楼"},
            ),
            Line("撤销刚才的改动", calls=(undo("B205"),), after={"B205": "address"}, leans=(1,)),
        ),
    ),
    Dialogue(
        "自提还是地址",
        "zh-Hans",
        (
            Line("我想改一下 A100 的配送方式", asks=True),
            Line("自提", calls=(pickup("A100"),), after={"A100": "pickup"}, leans=(1,)),
        ),
    ),
    Dialogue(
        "哪个订单",
        "zh-Hans",
        (
            Line("我要取消订单", asks=True),
            Line("a100那个", calls=(cancel("A100"), ticket("A100")), after={"A100": "cancelled"}, leans=(1,)),
            Line("取消成功了吗？", looks=("A100",), facts=("A100", "取消"), leans=(2,)),
        ),
    ),
    Dialogue(
        "第一个和另一个",
        "zh-Hans",
        (
            Line("A100 和 D411 分别多少钱？", looks=("A100", "D411"), facts=("39.00", "120.00")),
            Line("把前一个改为自提", calls=(pickup("A100"),), after={"A100": "pickup"}, leans=(1,)),
            Line("另外那个到哪儿了？", looks=("D411",), facts=("D411",), leans=(1, 2)),
            Line("我最开始问的是什么？", silent=True, facts=("A100 和 D411 分别多少钱？",), leans=(1,)),
        ),
    ),
    Dialogue(
        "一句话几件事",
        "zh-Hans",
        (
            Line(
                "帮我把B205改成自提，然后取消A100，顺便问下C310是什么时候签收的",
                calls=(pickup("B205"), cancel("A100"), ticket("A100", "B205", "C310")),
                looks=("C310",),
                facts=("A100", "B205", "C310", day("C310", "delivered_on")),
                after={"A100": "cancelled", "B205": "pickup"},
            ),
            Line("都弄好了没有", looks=("A100", "B205"), facts=("A100", "B205"), leans=(1,)),
        ),
    ),
    Dialogue(
        "退款要人批",
        "zh-Hans",
        (
            Line(
                "C310 收到就是坏的，我要退款",
                calls=(refund("C310"), ticket("C310")),
                waits=True,
                verdict="approve",
                after={"C310": "refunded"},
                facts=("189.00",),
                by="Summary",
            ),
            Line("再给我退一次", facts=("C310", "已"), after={"C310": "refunded"}, leans=(1,)),
        ),
    ),
    Dialogue(
        "没批下来",
        "zh-Hans",
        (
            Line(
                "D411不想要了，取消吧",
                calls=(cancel("D411"),),
                waits=True,
                verdict="已经在派送路上了",
                after={"D411": "on_the_truck"},
                facts=("D411", "已经在派送路上了"),
            ),
            Line("为什么不行？", facts=("已经在派送路上了",), leans=(1,)),
        ),
    ),
    Dialogue(
        "等着的时候又说别的",
        "zh-Hans",
        (
            Line("给C310退款", calls=(refund("C310"),), waits=True),
            Line("先不退了，A100到哪了", looks=("A100",), facts=("A100",), after={"C310": "delivered"}),
        ),
    ),
    Dialogue(
        "叫什么",
        "zh-Hans",
        (
            Line("我的名字是王小明，订单号是 B205", facts=("王小明", "B205")),
            Line("谢谢", silent=True),
            Line("还记得我叫什么吗", silent=True, facts=("王小明",), leans=(1,)),
            Line("我的订单是哪一个？", facts=("B205",), leans=(1,)),
        ),
    ),
    Dialogue(
        "杯子碎了",
        "zh-Hans",
        (
            Line(
                "订单E512的杯子碎了，请退钱给我",
                calls=(refund("E512"), ticket("E512")),
                after={"E512": "refunded"},
            ),
            Line("总结一下这次的情况", calls=(ticket("E512"),), by="Summary", facts=("E512",), leans=(1,)),
        ),
    ),
    Dialogue(
        "别的事",
        "zh-Hans",
        (
            Line("今天股市怎么样？", silent=True),
            Line("你是谁？是真的人工智能吗？", silent=True, facts=(one_of("离线", "替身"),)),
            Line("你真蠢", silent=True, facts=(one_of("人工", "真人", "同事"),)),
            Line("查一下 Z999", looks=("Z999",), facts=("Z999",)),
            Line("不要取消 A100，我只是问问价格", looks=("A100",), facts=("39.00",)),
        ),
    ),
    Dialogue(
        "直接问总结",
        "zh-Hans",
        (
            Line("把 A100 送到自提点", calls=(pickup("A100"),), after={"A100": "pickup"}),
            Line("到目前为止都做了什么？", agent="Summary", by="Summary", facts=("A100", "自提"), leans=(1,)),
            Line("好的，辛苦了", by="Triage", silent=True),
        ),
    ),
    Dialogue(
        "两个各做各的",
        "zh-Hans",
        (
            Line(
                "帮我取消A100和F623，B205改自提，最后总结一下",
                calls=(cancel("A100"), cancel("F623"), pickup("B205"), ticket("A100", "F623", "B205")),
                after={"A100": "cancelled", "F623": "cancelled", "B205": "pickup"},
                by="Summary",
            ),
        ),
    ),
    Dialogue(
        "两个地址",
        "zh-Hans",
        (
            Line(
                "A100改送到上海市南京路1号，B205改送到北京市长安街2号",
                calls=(address("A100", "上海市南京路1号"), address("B205", "北京市长安街2号")),
            ),
            Line("把它们都改回去", calls=(undo("A100"), undo("B205")), leans=(1,)),
        ),
    ),
    Dialogue(
        "如果还没发货",
        "zh-Hans",
        (
            Line(
                "如果A100还没发货就取消，否则改自提",
                calls=(cancel("A100"), ticket("A100")),
                after={"A100": "cancelled"},
                looks=("A100",),
            ),
            Line("如果B205晚于明天就改自提，早的话就算了", calls=(pickup("B205"),), after={"B205": "pickup"}),
        ),
    ),
)
