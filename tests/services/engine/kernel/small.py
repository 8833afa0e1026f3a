"""A small game around the rule under test: three seats, a deck, hands, rows."""

from services.engine.kernel import (
    Budget,
    Catalog,
    Clocks,
    Game,
    Place,
    Text,
    Variant,
    Who,
    everyone,
    face_down,
    nobody,
    owner,
    ranked,
)
from services.local.table import LocalTable

DECK, DISCARD, SECRET = Place("deck"), Place("discard"), Place("unlisted")
HAND = [Place("hand", seat) for seat in range(3)]
ROW = [Place("row", seat) for seat in range(3)]
SIGHT = {
    "deck": nobody,
    "hand": owner,
    "row": face_down(Who.BRINGER),
    "discard": everyone,
}


def table_of(rule, *, seats=3, budget=None, clocks=None, bots=(), timed=False):
    """A table whose game deals three cards to each seat and then runs `rule`."""

    async def game(table):
        await table.build(DECK, [f"face-{number}" for number in range(15)])
        await table.deal(DECK, {HAND[seat]: 3 for seat in table.seats})
        scores = await rule(table)
        return ranked(scores or (0,) * len(table.seats))

    value = Game(
        "small",
        Text("Small", "小"),
        (Variant("usual", (2, 3), Text("Usual", "常")),),
        game,
        SIGHT,
        Catalog({}, {}),
        "1",
        clocks=clocks or Clocks(),
        budget=budget or Budget(),
    )
    return LocalTable(value, seats, "usual", seed=5, bots=bots, timed=timed)


def last(table, kind):
    """The last event of a kind."""
    return [event for event in table.events if isinstance(event, kind)][-1]
