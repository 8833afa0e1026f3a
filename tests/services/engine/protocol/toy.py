"""A game of a few questions that asks chance for much: the protocol's guinea pig."""

from services.engine.kernel import (
    Catalog,
    Clocks,
    Game,
    Outcome,
    Place,
    Table,
    Text,
    Variant,
    Word,
    choose,
    everyone,
    nobody,
    owner,
    ranked,
)

DECK, DISCARD = Place("deck"), Place("discard")
ROUNDS = 2


async def play(table: Table) -> Outcome:
    """Two cards each; then rounds of a call, a card, secret bids, perhaps a throw.

    The call asks chance for nothing: only the journal knows of it.
    """
    brought = [face for decks in table.brought.values() for face in decks[0]]
    await table.build(DECK, [*(f"face{number}" for number in range(9)), *brought])
    await table.deal(DECK, {Place("hand", seat): 2 for seat in table.seats})
    for number in range(ROUNDS):
        await one_round(table, number % len(table.seats))
    return ranked(tuple(table.counter("total", seat) for seat in table.seats))


async def one_round(table: Table, first: int) -> None:
    call = await table.ask(first, "call", [Word("odd"), Word("even")])
    table.declare("called", first, words=[call])
    hand = table.cards(Place("hand", first))
    card = await table.ask(first, "play", sorted(hand, key=lambda card: card.handle))
    await table.move(card, DISCARD)
    await table.draw(DECK, 1, Place("hand", first))
    bids = await table.ask_all(
        [choose(seat, "bid", [Word("high"), Word("low")]) for seat in table.seats],
        secret=True,
        hold=2,
    )
    for seat, (bid,) in bids.items():
        table.gain("total", 2 if bid == "high" else 1, seat)
    if await table.ask_may(1 - first, "throw", [Word("throw")]):
        table.gain("total", sum(await table.roll("throw", 6)), 1 - first)


TOY = Game(
    name="toy",
    title=Text("Toy", "玩具"),
    variants=(Variant("standard", (2,), Text("Standard", "标准"), decks=1),),
    play=play,
    sight={"deck": nobody, "hand": owner, "discard": everyone},
    catalog=Catalog(faces={}, words={}),
    version="1",
    clocks=Clocks(default=20, bank=10),
)
