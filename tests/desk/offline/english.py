"""More of the same kinds, in English."""

from __future__ import annotations

from .script import Dialogue, Line, address, cancel, day, one_of, pickup, refund, ticket, undo

ENGLISH = (
    Dialogue(
        "earlier than the day named",
        "en",
        (
            Line("hi there! when does b205 get here?", looks=("B205",), facts=(day("B205", "arrives_on"),)),
            Line(
                "Switch it to pickup if it arrives later than 12/31/2099, please",
                facts=("B205", "not"),
                after={"B205": "address"},
                leans=(1,),
            ),
            Line("Did you change it?", looks=("B205",), facts=("B205",), leans=()),
        ),
    ),
    Dialogue(
        "not here by a weekday",
        "en",
        (
            Line("could you check order a-100 for me", looks=("A100",), facts=("A100",)),
            Line(
                'If it doesn\'t ship by Friday, send it to "7 Rose Lane, Leeds" instead',
                calls=(address("A100", "7 Rose Lane, Leeds"),),
                after={"A100": "7 Rose Lane, Leeds"},
                leans=(1,),
            ),
            Line("Undo that change please", calls=(undo("A100"),), leans=(2,)),
        ),
    ),
    Dialogue(
        "an address with commas and no quotes",
        "en",
        (
            Line(
                "Please deliver B205 to 221B Baker Street, London",
                calls=(address("B205", "221B Baker Street, London"),),
                after={"B205": "221B Baker Street, London"},
            ),
            Line("put it back the way it was", calls=(undo("B205"),), leans=(1,)),
        ),
    ),
    Dialogue(
        "which address",
        "en",
        (
            Line("I need B205 sent to a different address", asks=True),
            Line(
                "14 Mill Road, Flat 2, York",
                calls=(address("B205", "14 Mill Road, Flat 2, York"),),
                after={"B205": "14 Mill Road, Flat 2, York"},
                leans=(1,),
            ),
        ),
    ),
    Dialogue(
        "which order",
        "en",
        (
            Line("I'd like to cancel my order", asks=True),
            Line("A100", calls=(cancel("A100"), ticket("A100")), after={"A100": "cancelled"}, leans=(1,)),
            Line("is it really cancelled now?", looks=("A100",), facts=("A100",), leans=(2,)),
        ),
    ),
    Dialogue(
        "two orders in one breath",
        "en",
        (
            Line("What do A100 and C310 cost?", looks=("A100", "C310"), facts=("39.00", "189.00")),
            Line(
                "and the second one, when was it delivered?", facts=(day("C310", "delivered_on"),), leans=(1,)
            ),
            Line("Ship the first one to the pickup point", calls=(pickup("A100"),), leans=(1,)),
        ),
    ),
    Dialogue(
        "three wishes, mixed order",
        "en",
        (
            Line(
                "How much is D411? Also send B205 to pickup, and cancel A100 while you're at it.",
                calls=(pickup("B205"), cancel("A100"), ticket("A100", "B205", "D411")),
                looks=("D411",),
                facts=("120.00",),
                after={"A100": "cancelled", "B205": "pickup"},
            ),
            Line("Are they all done?", looks=("A100", "B205"), facts=("A100", "B205"), leans=(1,)),
        ),
    ),
    Dialogue(
        "not this, but that",
        "en",
        (
            Line(
                "Don't cancel A100, just tell me when it ships",
                looks=("A100",),
                facts=(day("A100", "ships_on"),),
            ),
            Line("ok. No refund needed either.", silent=True),
        ),
    ),
    Dialogue(
        "what I called myself",
        "en",
        (
            Line("Hello, I'm Grace Hopper, call me Grace", silent=True, facts=("Grace",)),
            Line("where's my parcel C310?", looks=("C310",), facts=("C310",)),
            Line("Do you remember my name?", silent=True, facts=("Grace",), leans=(1,)),
            Line("And which order was mine?", silent=True, facts=("C310",), leans=(2,)),
            Line("what did I just ask you?", silent=True, facts=("And which order was mine?",), leans=(4,)),
        ),
    ),
    Dialogue(
        "a damaged mug, below the limit",
        "en",
        (
            Line("My mug came in pieces, order E512", looks=("E512",), asks=True),
            Line(
                "yes please, refund it",
                calls=(refund("E512"), ticket("E512")),
                after={"E512": "refunded"},
                by="Summary",
                leans=(1,),
            ),
            Line(
                "could I have the money back for E512 once more?",
                facts=("already",),
                after={"E512": "refunded"},
                after_lines=True,
            ),
        ),
    ),
    Dialogue(
        "a part of the price",
        "en",
        (
            Line(
                "C310 has a scratch. Give me $20 back for it",
                calls=(refund("C310", amount="20.00"), ticket("C310")),
                facts=("20.00",),
                through=("Approval",),
            ),
        ),
    ),
    Dialogue(
        "rejected without a word",
        "en",
        (
            Line(
                "I changed my mind about C310, money back please",
                calls=(refund("C310"),),
                waits=True,
                verdict="",
                facts=("C310", "not"),
                after={"C310": "delivered"},
            ),
            Line("What did you do about C310?", looks=("C310",), facts=("C310",)),
            Line("Summarise the ticket", calls=(ticket("C310"),), by="Summary", facts=("C310",), leans=()),
        ),
    ),
    Dialogue(
        "who are you",
        "en",
        (
            Line("Are you a real AI model?", silent=True, facts=(one_of("offline", "stand-in"),)),
            Line("what can you do?", silent=True),
            Line("I want to talk to a human", facts=(one_of("person", "human"),)),
            Line("write me a poem about lamps", silent=True),
        ),
    ),
    Dialogue(
        "a date by its name",
        "en",
        (
            Line(
                "Will A100 ship before next month or so? When exactly?",
                looks=("A100",),
                facts=(day("A100", "ships_on"),),
            ),
            Line(
                "unless it ships by tomorrow, make it pickup",
                calls=(pickup("A100"),),
                after={"A100": "pickup"},
                leans=(1,),
            ),
        ),
    ),
    Dialogue(
        "shipped or not",
        "en",
        (
            Line(
                "If A100 hasn't shipped yet, cancel it; otherwise change it to pickup",
                calls=(cancel("A100"), ticket("A100")),
                looks=("A100",),
                after={"A100": "cancelled"},
            ),
        ),
    ),
    Dialogue(
        "to Approval and Summary by name",
        "en",
        (
            Line("Where is A100?", agent="Approval", looks=("A100",), by="Approval", facts=("A100",)),
            Line(
                "send it to a pickup point",
                agent="Approval",
                calls=(pickup("A100"),),
                by="Triage",
                leans=(1,),
            ),
            Line("recap please", agent="Summary", by="Summary", facts=("A100",), leans=()),
        ),
    ),
    Dialogue(
        "an order nobody has",
        "en",
        (
            Line("Refund Z999", facts=("Z999",), through=("Approval",)),
            Line(
                "oops, I meant E512",
                calls=(refund("E512"), ticket("E512")),
                leans=(1,),
                after={"E512": "refunded"},
            ),
        ),
    ),
    Dialogue(
        "each condition for its own order",
        "en",
        (
            Line(
                "Change A100 to pickup if it ships after Friday, and cancel F623 if it hasn't shipped",
                calls=(pickup("A100"), cancel("F623"), ticket("A100", "F623")),
                after={"A100": "pickup", "F623": "cancelled"},
            ),
            Line(
                "If A100 ships after Friday, and if so only then, send it to 5 Rose Lane, Leeds",
                calls=(address("A100", "5 Rose Lane, Leeds"),),
                after={"A100": "5 Rose Lane, Leeds"},
            ),
        ),
    ),
    Dialogue(
        "two orders, two addresses",
        "en",
        (
            Line(
                "Send A100 to 5 Rose Lane, Leeds and B205 to 7 Mill Road, York",
                calls=(address("A100", "5 Rose Lane, Leeds"), address("B205", "7 Mill Road, York")),
            ),
            Line("put both back", calls=(undo("A100"), undo("B205")), leans=(1,)),
        ),
    ),
    Dialogue(
        "only asked about",
        "en",
        (
            Line("Can A100 still be cancelled?", looks=("A100",), asks=True, after={"A100": "not_shipped"}),
            Line(
                "yes, go ahead",
                calls=(cancel("A100"), ticket("A100")),
                after={"A100": "cancelled"},
                leans=(1,),
            ),
            Line("What is your refund policy?", silent=True, facts=("50.00",)),
            Line("How much is a beer?", silent=True),
        ),
    ),
    Dialogue(
        "a sum that was too high",
        "en",
        (
            Line(
                "Refund $200 for C310",
                calls=(refund("C310", amount="200.00"),),
                asks=True,
                after={"C310": "delivered"},
            ),
            Line(
                "ok then 40",
                calls=(refund("C310", amount="40.00"), ticket("C310")),
                facts=("40.00",),
                leans=(1,),
            ),
        ),
    ),
)
