"""Dialogues in traditional Chinese, told before they were tried. Today is Wednesday, June 4, 2025."""

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
        "查出貨日再看條件",
        Turn("請問A100什麼時候會出貨呢", says=("A100", day(6, 9))),
        Turn(
            "如果比禮拜五還晚的話，幫我改成到店自取好了",
            does=(moved("A100"),),
            says=("A100",),
            needs=(0,),
        ),
        Turn("那筆多少錢啊", says=("39.00",), leans=True),
        Turn("感謝，麻煩幫我整理個摘要", says=("A100",), files=True, leans=True),
    ),
    dialogue(
        "條件不成立",
        Turn("J956哪天寄出？", says=("J956", day(6, 6))),
        Turn("要是超過星期五才寄，就改送到市場街門市", says=("J956",), needs=(0,)),
        Turn("喔好，了解"),
    ),
    dialogue(
        "報上名字，改地址，取消",
        Turn("哈囉，我是雅婷，想問一下B205的狀況", says=("B205", "雅婷")),
        Turn(
            "可以改寄到「新北市板橋區文化路一段25號」嗎",
            does=(sent_to("B205", "新北市板橋區文化路一段25號"),),
            says=("B205",),
            needs=(0,),
        ),
        Turn("還記得我的名字嗎", says=("雅婷",), needs=(0,)),
        Turn(
            "唉還是不要了，這筆幫我取消",
            does=(cancelled("B205"),),
            waits=("B205", "cancel"),
            approve=True,
            says=("B205",),
            leans=True,
        ),
    ),
    dialogue(
        "問了別的再回頭",
        Turn("F623現在到哪了", says=("F623",)),
        Turn("那H845呢？", says=("H845", day(6, 5))),
        Turn("第一個幫我改成自取", does=(moved("F623"),), says=("F623",), needs=(0,)),
        Turn("另一張多少錢", says=("249.00",), needs=(1,)),
        Turn("我一開始問了你什麼", says=("F623現在到哪了",), needs=(0,)),
    ),
    dialogue(
        "退款要人決定，准了",
        Turn(
            "我的耳機K107有雜音，想退款",
            does=(refunded("K107", "132.00"),),
            waits=("K107", "refund"),
            approve=True,
            says=("K107", "132.00"),
        ),
        Turn("可以再退一次嗎", says=("K107",), needs=(0,)),
    ),
    dialogue(
        "取消被拒絕",
        Turn(
            "麻煩取消L218",
            waits=("L218", "cancel"),
            approve=False,
            note="包裹已在配送途中",
            says=("包裹已在配送途中",),
        ),
        Turn("為什麼不能取消", says=("包裹已在配送途中",), needs=(0,)),
        Turn("好吧，那今天會到嗎", says=("L218",), leans=True),
    ),
    dialogue(
        "等待決定時改問別的",
        Turn("C310壞掉了我要退錢", waits=("C310", "refund")),
        Turn("等等先不用，P541到哪裡了", says=("P541",)),
        Turn("幾號會到", says=(day(6, 9),), needs=(1,)),
    ),
    dialogue(
        "回答反問",
        Turn("B205我想換個地方收", says=("B205", ("?", "？"))),
        Turn("河濱公園自取點", does=(moved("B205", "river-park"),), says=("B205",), needs=(0,)),
    ),
    dialogue(
        "先講名字和單號",
        Turn("我叫阿凱，單號是Q652"),
        # Whether it can be refunded is asked: money is paid back once it is wanted.
        Turn("收到的顏色不對，可以退嗎", says=("Q652", "29.50", ("?", "？")), needs=(0,)),
        Turn("好，那麻煩幫我退", does=(refunded("Q652", "29.50"),), says=("Q652", "29.50"), leans=True),
        Turn("我是哪一張訂單？我叫什麼？", says=("阿凱", "Q652"), needs=(0,)),
    ),
    dialogue(
        "一次兩件事",
        Turn(
            "J956取消，然後A100改到市場街門市拿",
            does=(cancelled("J956"), moved("A100", "market-street")),
            says=("J956", "A100"),
        ),
        Turn("兩件都處理好了嗎", says=("J956", "A100"), needs=(0,)),
    ),
    dialogue(
        "閒聊，不存在的單號，更正",
        Turn("你會寫詩嗎"),
        Turn("好啦，幫我查Y777", says=("Y777",)),
        Turn("啊打錯，是F623才對", says=("F623", day(6, 5))),
        Turn("把它取消掉", does=(cancelled("F623"),), says=("F623",), needs=(2,)),
    ),
    dialogue(
        "直接請摘要回答",
        Turn("H845寄出了沒", says=("H845",)),
        Turn(
            "幫我改寄桃園市中壢區中正路88號",
            does=(sent_to("H845", "桃園市中壢區中正路88號"),),
            says=("H845",),
            needs=(0,),
        ),
        Turn("目前為止發生了哪些事？", agent="Summary", says=("H845", "中正路88號"), needs=(1,)),
        Turn("謝囉", agent="Triage"),
    ),
    dialogue(
        "改了再改回來",
        Turn("R763可以改到中央車站自取櫃嗎", does=(moved("R763"),), says=("R763",)),
        Turn("抱歉，剛剛那個改動幫我還原", does=(put_back("R763"),), says=("R763",), needs=(0,)),
        Turn("所以現在會送到哪", says=("彌敦道132號",), leans=True),
    ),
    dialogue(
        "退一部分",
        Turn("E512當初是多少錢", says=("18.00",)),
        Turn("把手有缺角，退我5元可以嗎", does=(refunded("E512", "5.00"),), says=("E512",), needs=(0,)),
        Turn("太好了，謝謝你"),
    ),
    dialogue(
        "問錯了",
        Turn("B205哪天會到", says=("B205", day(6, 7))),
        Turn("不是啦，我是說R763", says=("R763", day(6, 16))),
        Turn("喔喔，那這張改自取", does=(moved("R763"),), says=("R763",), needs=(1,)),
    ),
    dialogue(
        "要取消的講錯了",
        Turn("我要取消D411", waits=("D411", "cancel")),
        Turn("抱歉講錯，應該是A100", does=(cancelled("A100"),), says=("A100",), needs=(0,)),
    ),
    dialogue(
        "兩張裡比較貴的",
        Turn("A100跟F623價錢各是多少", says=("39.00", "75.00")),
        Turn("比較貴的那張取消", does=(cancelled("F623"),), says=("F623",), needs=(0,)),
    ),
    dialogue(
        "還沒寄就取消",
        Turn("R763出貨了沒啊", says=("R763",)),
        Turn("還沒的話就幫我取消吧", does=(cancelled("R763"),), says=("R763",), needs=(0,)),
    ),
    dialogue(
        "寒暄",
        Turn("早安～"),
        Turn("我想知道B205什麼時候會到", says=("B205", day(6, 7))),
        Turn("好喔"),
        Turn(
            "對了可以改送高雄市鼓山區明誠三路100號嗎",
            does=(sent_to("B205", "高雄市鼓山區明誠三路100號"),),
            needs=(1,),
        ),
    ),
    dialogue(
        "目前做了哪些",
        Turn("A100不要了，取消", does=(cancelled("A100"),), says=("A100",)),
        Turn("Q652也幫我退款，會漏水", does=(refunded("Q652", "29.50"),), says=("Q652",)),
        Turn("到目前為止你幫我做了哪些", says=("A100", "Q652"), needs=(0, 1)),
    ),
    dialogue(
        "照東西挑",
        Turn("我買了三樣：A100、H845、E512，現在狀況如何", says=("A100", "H845", "E512")),
        Turn("馬克杯退款，裂了", does=(refunded("E512", "18.00"),), says=("E512",), needs=(0,)),
        Turn("椅子改到自取點", does=(moved("H845"),), says=("H845",), needs=(0,)),
    ),
)
