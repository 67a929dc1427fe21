"""Dialogues in simplified Chinese, told before they were tried. Today is Wednesday, June 4, 2025."""

from __future__ import annotations

from .written_before import (
    Turn,
    cancelled,
    day,
    dialogue,
    moved,
    put_back,
    refunded,
    sent_to,
)

DIALOGUES = (
    dialogue(
        "查发货，再看条件",
        Turn("帮我看下R763啥时候发呀", says=("R763", day(6, 11))),
        Turn("要是周五以后才发，就给我改成自提吧", does=(moved("R763"),), says=("R763",), needs=(0,)),
        Turn("那单一共多少钱来着", says=("410.00",), leans=True),
        Turn("好的谢谢，给我总结一下呗", says=("R763",), files=True, leans=True),
    ),
    dialogue(
        "条件不成立",
        Turn("F623 哪天发货", says=("F623", day(6, 5))),
        Turn("如果比周五晚就帮我取消掉", says=("F623",), needs=(0,)),
        Turn("行，那就不动了"),
    ),
    dialogue(
        "报名字，改地址，取消",
        Turn("您好，我姓陈，叫陈明，麻烦查一下H845", says=("H845", "陈明")),
        Turn(
            "家里没人，送到“北京市海淀区中关村大街1号”行吗",
            does=(sent_to("H845", "北京市海淀区中关村大街1号"),),
            says=("H845",),
            needs=(0,),
        ),
        Turn("你还记得我叫啥不", says=("陈明",), needs=(0,)),
        Turn(
            "算了，这单我不要了，取消吧",
            does=(cancelled("H845"),),
            waits=("H845", "cancel"),
            approve=True,
            says=("H845",),
            leans=True,
        ),
    ),
    dialogue(
        "换个话题再回来",
        Turn("A100到哪儿了", says=("A100",)),
        Turn("P541呢", says=("P541", day(6, 9))),
        Turn("前面那个帮我改自提", does=(moved("A100"),), says=("A100",), needs=(0,)),
        Turn("另外那个花了多少钱", says=("41.00",), needs=(1,)),
        Turn("我最开始问你的是什么", says=("A100到哪儿了",), needs=(0,)),
    ),
    dialogue(
        "退款要审批，批了",
        Turn(
            "C310磨豆机坏了，我要退款",
            does=(refunded("C310", "189.00"),),
            waits=("C310", "refund"),
            approve=True,
            says=("C310", "189.00"),
        ),
        Turn("再退一遍", says=("C310",), needs=(0,)),
    ),
    dialogue(
        "取消被拒绝",
        Turn(
            "D411不想要了，能取消不",
            waits=("D411", "cancel"),
            approve=False,
            note="司机已经出发",
            says=("司机已经出发",),
        ),
        Turn("为啥不行啊", says=("司机已经出发",), needs=(0,)),
        Turn("哦，那它什么时候能到", says=("D411",), leans=True),
    ),
    dialogue(
        "等审批时又问别的",
        Turn("K107的耳机我要退钱", waits=("K107", "refund")),
        Turn("先别管这个了，B205到哪了", says=("B205",)),
        Turn("哪天能到", says=(day(6, 7),), needs=(1,)),
    ),
    dialogue(
        "反问之后的回答",
        Turn("我想改一下P541的收货方式", says=("P541", ("?", "？"))),
        Turn("自提就行", does=(moved("P541"),), says=("P541",), needs=(0,)),
    ),
    dialogue(
        "先说名字和订单号",
        Turn("我是小周，订单号E512"),
        Turn("杯子有裂纹，给我退了吧", does=(refunded("E512", "18.00"),), says=("E512", "18.00"), needs=(0,)),
        Turn("我是谁？我的单号是多少？", says=("小周", "E512"), needs=(0,)),
    ),
    dialogue(
        "一句话两件事",
        Turn(
            "把F623取消了，顺便A100改到河滨公园自提点",
            does=(cancelled("F623"), moved("A100", "river-park")),
            says=("F623", "A100"),
        ),
        Turn("都弄好没", says=("F623", "A100"), needs=(0,)),
    ),
    dialogue(
        "闲话，错的单号，更正",
        Turn("今天天气咋样"),
        Turn("好吧，查下X888", says=("X888",)),
        Turn("打错了，是J956", says=("J956", day(6, 6))),
        Turn("取消它", does=(cancelled("J956"),), says=("J956",), needs=(2,)),
    ),
    dialogue(
        "直接找总结",
        Turn("B205寄出来没有？", says=("B205",)),
        Turn(
            "改寄到杭州市西湖区文三路90号",
            does=(sent_to("B205", "杭州市西湖区文三路90号"),),
            says=("B205",),
            needs=(0,),
        ),
        Turn("到现在为止都发生了什么", agent="Summary", says=("B205", "文三路90号"), needs=(1,)),
        Turn("辛苦了", agent="Triage"),
    ),
    dialogue(
        "改了又改回去",
        Turn("A100改成去市场街门店拿", does=(moved("A100", "market-street"),), says=("A100",)),
        Turn("还是改回原来的吧", does=(put_back("A100"),), says=("A100",), needs=(0,)),
        Turn("现在送哪儿", says=("12 Harbour Lane",), leans=True),
    ),
    dialogue(
        "只退一部分",
        Turn("Q652多少钱买的", says=("29.50",)),
        Turn("水管有点漏，退我10块行不行", does=(refunded("Q652", "10.00"),), says=("Q652",), needs=(0,)),
        Turn("谢啦"),
    ),
    dialogue(
        "问错了，更正",
        Turn("A100几号到", says=("A100", day(6, 12))),
        Turn("不对，我说的是H845", says=("H845", day(6, 5))),
        Turn("那这个改成自提", does=(moved("H845"),), says=("H845",), needs=(1,)),
    ),
    dialogue(
        "要取消的说错了",
        Turn("取消L218", waits=("L218", "cancel")),
        Turn("不是，说错了，是R763", does=(cancelled("R763"),), says=("R763",), needs=(0,)),
    ),
    dialogue(
        "两个里便宜的",
        Turn("J956和F623各多少钱", says=("22.40", "75.00")),
        Turn("便宜的那个取消掉", does=(cancelled("J956"),), says=("J956",), needs=(0,)),
    ),
    dialogue(
        "还没发就取消",
        Turn("J956发货了吗", says=("J956",)),
        Turn("没发的话就取消吧", does=(cancelled("J956"),), says=("J956",), needs=(0,)),
    ),
    dialogue(
        "寒暄",
        Turn("在吗"),
        Turn("想问问P541什么时候能到哈", says=("P541", day(6, 9))),
        Turn("好嘞"),
        Turn(
            "对了，麻烦改到成都市武侯区人民南路8号",
            does=(sent_to("P541", "成都市武侯区人民南路8号"),),
            needs=(1,),
        ),
    ),
    dialogue(
        "到目前办了什么",
        Turn("帮我取消A100", does=(cancelled("A100"),), says=("A100",)),
        Turn("还有E512退款，杯子漏水", does=(refunded("E512", "18.00"),), says=("E512",)),
        Turn("到现在你都帮我办了哪些事？", says=("A100", "E512"), needs=(0, 1)),
    ),
    dialogue(
        "按东西挑",
        Turn("我有三个单子，B205、C310、Q652，都什么情况", says=("B205", "C310", "Q652")),
        Turn("水管退了吧，用不上", does=(refunded("Q652", "29.50"),), says=("Q652",), needs=(0,)),
        Turn("台灯改成自提", does=(moved("B205"),), says=("B205",), needs=(0,)),
    ),
)
