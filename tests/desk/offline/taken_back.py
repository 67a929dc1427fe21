"""Changes taken back, corrected or left, in words."""

from __future__ import annotations

from .script import Dialogue, Line, address, cancel, one_of, pickup, refund, ticket, undo

TAKEN_BACK = (
    Dialogue(
        "an address, then back",
        "en",
        (
            Line(
                "Please send F623 to 3 High Street, Bath",
                calls=(address("F623", "3 High Street, Bath"),),
                after={"F623": "3 High Street, Bath"},
            ),
            Line("Hmm, no. Put it back please.", calls=(undo("F623"),), leans=(1,)),
            Line("undo that again", calls=(undo("F623"),), facts=("F623",), leans=()),
        ),
    ),
    Dialogue(
        "I meant the other one",
        "en",
        (
            Line("Change A100 to pickup", calls=(pickup("A100"),), after={"A100": "pickup"}),
            Line(
                "no, I meant B205",
                calls=(undo("A100"), pickup("B205")),
                after={"A100": "address", "B205": "pickup"},
                leans=(1,),
            ),
            Line("same for J956", facts=("J956",), calls=(pickup("J956"),), leans=(1,)),
        ),
    ),
    Dialogue(
        "what cannot be taken back",
        "en",
        (
            Line(
                "Refund E512, the handle came off",
                calls=(refund("E512", reason="the handle came off"), ticket("E512")),
            ),
            Line(
                "undo that",
                facts=("E512", "refunded"),
                after={"E512": "refunded"},
                leans=(1,),
                after_lines=True,
            ),
            Line("Cancel A100?", looks=("A100",), asks=True, after={"A100": "not_shipped"}),
            Line("no, leave it", silent=True),
        ),
    ),
    Dialogue(
        "改了又改回",
        "zh-Hans",
        (
            Line("把F623改成自提", calls=(pickup("F623"),), after={"F623": "pickup"}),
            Line("算了，撤销吧", calls=(undo("F623"),), after={"F623": "address"}, leans=(1,)),
            Line("现在送到哪里？", looks=("F623",), facts=("高雄市前金區中正四路211號",), leans=()),
        ),
    ),
    Dialogue(
        "说错了",
        "zh-Hans",
        (
            Line("A100改自提", calls=(pickup("A100"),), after={"A100": "pickup"}),
            Line(
                "不对，我说的是B205",
                calls=(undo("A100"), pickup("B205")),
                after={"A100": "address", "B205": "pickup"},
                leans=(1,),
            ),
        ),
    ),
    Dialogue(
        "只是问问能不能退",
        "zh-Hans",
        (
            Line("E512能退吗？", looks=("E512",), asks=True, facts=("50.00",), after={"E512": "delivered"}),
            Line("算了，不退了", silent=True, after={"E512": "delivered"}),
            Line("E512还是退吧，杯口有缺口", calls=(refund("E512", reason="杯口有缺口"), ticket("E512"))),
        ),
    ),
    Dialogue(
        "改地址又還原",
        "zh-Hant",
        (
            Line(
                "A100改送到公司，台北市內湖區瑞光路100號",
                calls=(address("A100", "台北市內湖區瑞光路100號"),),
                after={"A100": "台北市內湖區瑞光路100號"},
            ),
            Line(
                "還是還原好了", calls=(undo("A100"),), after={"A100": "12 Harbour Lane, Bristol"}, leans=(1,)
            ),
        ),
    ),
    Dialogue(
        "講錯了",
        "zh-Hant",
        (
            Line("把J956改到「台南市東區大學路1號」", calls=(address("J956", "台南市東區大學路1號"),)),
            Line(
                "不是，我是說A100",
                calls=(undo("J956"), address("A100", "台南市東區大學路1號")),
                after={"J956": "pickup", "A100": "台南市東區大學路1號"},
                leans=(1,),
            ),
        ),
    ),
    Dialogue(
        "取消了還能反悔嗎",
        "zh-Hant",
        (
            Line(
                "取消A100", calls=(cancel("A100"), ticket("A100")), after={"A100": "cancelled"}, language="zh"
            ),
            Line(
                "撤銷剛剛那個",
                facts=("A100", one_of("不能撤回", "不能")),
                after={"A100": "cancelled"},
                leans=(1,),
                after_lines=True,
            ),
        ),
    ),
)
