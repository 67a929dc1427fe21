"""English dialogues, told before they were tried. Today is Wednesday, June 4, 2025."""

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
        "a condition that does not hold, then one that does",
        Turn("hey when's F623 going out?", says=("F623", day(6, 5))),
        Turn(
            "if thats after friday just send it to the market street shop instead", says=("F623",), needs=(0,)
        ),
        Turn("ok and what about R763", says=("R763", day(6, 11))),
        Turn(
            "if that one ships later than friday send it to market street",
            does=(moved("R763", "market-street"),),
            says=("R763",),
            needs=(2,),
        ),
    ),
    dialogue(
        "a name, an address, a cancellation",
        Turn("Hi, Priya here. Could you check on B205 for me please?", says=("B205", "Priya")),
        Turn(
            "I won't be home, can you send it to 22 Elm Grove, Bath BA1 5QT instead",
            does=(sent_to("B205", "22 Elm Grove, Bath BA1 5QT"),),
            says=("B205",),
            needs=(0,),
        ),
        Turn("whats my name again", says=("Priya",), needs=(0,)),
        Turn(
            "actually cancel that one altogether",
            does=(cancelled("B205"),),
            waits=("B205", "cancel"),
            approve=True,
            says=("B205",),
            leans=True,
        ),
    ),
    dialogue(
        "to another order and back",
        Turn("Where's my order A100", says=("A100",)),
        Turn("and H845, is that on its way?", says=("H845", day(6, 5))),
        Turn(
            "Could you send the first one to a pickup point",
            does=(moved("A100"),),
            says=("A100",),
            needs=(0,),
        ),
        Turn("what did the other one cost", says=("249.00",), needs=(1,)),
        Turn("what was the very first thing I asked you?", says=("Where's my order A100",), needs=(0,)),
    ),
    dialogue(
        "a refund that a person approves, asked for twice",
        Turn(
            "My K107 headphones stopped working, I'd like my money back",
            does=(refunded("K107", "132.00"),),
            waits=("K107", "refund"),
            approve=True,
            says=("K107", "132.00"),
        ),
        Turn("can you refund that again just to be sure", says=("K107",), needs=(0,)),
    ),
    dialogue(
        "a cancellation that a person refuses",
        Turn(
            "please cancel H845",
            waits=("H845", "cancel"),
            approve=False,
            note="it has left the depot",
            says=("it has left the depot",),
        ),
        Turn("how come?", says=("it has left the depot",), needs=(0,)),
        Turn("fine. when will it get here then", says=(day(6, 5),), leans=True),
    ),
    dialogue(
        "another matter while a decision waits",
        Turn("I'd like a refund for C310, the thing's cracked", waits=("C310", "refund")),
        Turn("hang on, forget it. where's D411?", says=("D411",)),
        Turn("which carrier has it", says=("Kestrel",), needs=(1,)),
    ),
    dialogue(
        "an answer to what was asked back",
        Turn("need to change where J956 gets delivered", says=("J956", "?")),
        Turn("pickup's fine, river park", does=(moved("J956", "river-park"),), says=("J956",), needs=(0,)),
    ),
    dialogue(
        "a name and an order told before they are needed",
        Turn("it's Tom by the way, my order number is Q652"),
        Turn(
            "can i get a refund on it? wrong colour",
            does=(refunded("Q652", "29.50"),),
            says=("Q652", "29.50"),
            needs=(0,),
        ),
        Turn("remind me which order that was and what my name is", says=("Q652", "Tom"), needs=(0,)),
    ),
    dialogue(
        "two wishes in one message",
        Turn(
            "Cancel J956 and send A100 to the river park kiosk",
            does=(cancelled("J956"), moved("A100", "river-park")),
            says=("J956", "A100"),
        ),
        Turn("did both of those go through?", says=("J956", "A100"), needs=(0,)),
    ),
    dialogue(
        "not this desk's business, then a number that is no order",
        Turn("Can you recommend a good pizza place?"),
        Turn("lol ok. where is Z999", says=("Z999",)),
        Turn("sorry typo, meant A100", says=("A100", day(6, 9))),
        Turn("cancel it then", does=(cancelled("A100"),), says=("A100",), needs=(2,)),
    ),
    dialogue(
        "the summary agent addressed directly",
        Turn("where's P541 at?", says=("P541", day(6, 9))),
        Turn(
            "send it to 5 Quay Street, Cardiff",
            does=(sent_to("P541", "5 Quay Street, Cardiff"),),
            says=("P541",),
            needs=(0,),
        ),
        Turn("what's happened so far?", agent="Summary", says=("P541", "5 Quay Street"), needs=(1,)),
        Turn("thanks", agent="Triage"),
    ),
    dialogue(
        "a change of delivery taken back",
        Turn("Can you have A100 delivered to the Market Street shop", does=(moved("A100", "market-street"),)),
        Turn("hmm no, put it back the way it was", does=(put_back("A100"),), says=("A100",), needs=(0,)),
        Turn("so where's it going now?", says=("12 Harbour Lane",), leans=True),
    ),
    dialogue(
        "part of a price back",
        Turn("how much did I pay for E512", says=("18.00",)),
        Turn(
            "The handle's chipped, could I get $9 back for it?",
            does=(refunded("E512", "9.00"),),
            says=("E512", "9.00"),
            needs=(0,),
        ),
        Turn("thanks so much"),
    ),
    dialogue(
        "a correction of a question",
        Turn("when's A100 arriving?", says=("A100", day(6, 12))),
        Turn("no, I meant P541", says=("P541", day(6, 9))),
        Turn("ok send that to the pickup point pls", does=(moved("P541"),), says=("P541",), needs=(1,)),
    ),
    dialogue(
        "a correction of a wish",
        Turn("I want to cancel D411", waits=("D411", "cancel")),
        Turn("no wait I meant F623", does=(cancelled("F623"),), says=("F623",), needs=(0,)),
    ),
    dialogue(
        "the dearer of two",
        Turn("How much are A100 and R763?", says=("39.00", "410.00")),
        Turn("Cancel the more expensive one", does=(cancelled("R763"),), says=("R763",), needs=(0,)),
    ),
    dialogue(
        "a condition on what became of a parcel",
        Turn("has L218 shipped yet?", says=("L218",)),
        Turn("if it hasn't gone out yet cancel it, otherwise leave it", says=("L218",), needs=(0,)),
        Turn("ok cool thx"),
    ),
    dialogue(
        "if not, then",
        Turn("Has F623 shipped?", says=("F623",)),
        Turn("If not, cancel it please.", does=(cancelled("F623"),), says=("F623",), needs=(0,)),
    ),
    dialogue(
        "small talk around an order",
        Turn("good morning!"),
        Turn("how are you doing today"),
        Turn("great. I need to know when H845 comes", says=("H845", day(6, 5))),
        Turn("brilliant, cheers"),
        Turn(
            "oh and can you send it to 8 Park Row, Leeds LS1 5HD",
            does=(sent_to("H845", "8 Park Row, Leeds LS1 5HD"),),
            says=("H845",),
            needs=(2,),
        ),
    ),
    dialogue(
        "what was done so far",
        Turn("cancel R763 please", does=(cancelled("R763"),), says=("R763",)),
        Turn("and refund Q652, it leaks", does=(refunded("Q652", "29.50"),), says=("Q652",)),
        Turn("What have you done for me so far?", says=("R763", "Q652"), needs=(0, 1)),
        Turn(
            "Thanks, can you write that up as a summary for me", says=("R763", "Q652"), files=True, leans=True
        ),
    ),
    dialogue(
        "one of several by what it is",
        Turn(
            "I've got three orders with you: A100, B205 and E512. where are they?",
            says=("A100", "B205", "E512"),
        ),
        Turn("refund the mug, it was chipped", does=(refunded("E512", "18.00"),), says=("E512",), needs=(0,)),
        Turn(
            "and send the lamp to river park", does=(moved("B205", "river-park"),), says=("B205",), needs=(0,)
        ),
    ),
)
