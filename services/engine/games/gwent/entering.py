"""The one way in: however a fighter comes to its row, it comes through here (GW-4.3).

From the hand, called, revived, summoned, brought back by a faction: its card is moved,
or was found in a pile, and then *arrives*.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from services.engine.games.gwent.board import (
    HAND,
    PILE,
    REMOVED,
    board,
    printed,
    side_at,
    side_deck,
)
from services.engine.games.gwent.pieces import Ability, Enters
from services.engine.games.gwent.strength import recount
from services.engine.kernel import AtSeat, Card, Move, Place, Table
from services.engine.kernel.ask import T

# -- asking --------------------------------------------------------------------------


async def choose_one(table: Table, seat: int, name: str, options: Sequence[T]) -> T:
    """What a seat must choose, of what all can see; unasked if it is one (GW-1.10)."""
    if len(options) == 1:
        return options[0]
    return await table.ask(seat, name, options)


async def choose_opponent(table: Table, seat: int, among: Sequence[int]) -> int:
    """One of these opponents (GW-15.2, GW-14.10)."""
    at = await choose_one(table, seat, "opponent", [AtSeat(one) for one in among])
    return at.seat


# -- coming to a row -----------------------------------------------------------------


async def enter(
    table: Table, who: int | None, moves: Sequence[Move], bringer: int | None = None
) -> None:
    """Cards come to their rows as one event, and arrive; `who` acts (GW-4.3)."""
    brought = who if bringer is None else bringer
    await table.move_each(moves, bringer=brought)
    await arrive(table, who, [move.card for move in moves])


async def arrive(
    table: Table, who: int | None, cards: Sequence[Card], *, called: bool = False
) -> None:
    """They lie there; berserkers, strengths, then what each does (GW-4.3, GW-3.6).

    What was called does not call in turn (GW-4.10).
    """
    for row in dict.fromkeys(card.place for card in cards):
        await transform(table, row)
    recount(table)
    for card in cards:
        for acts in what_acts(who, printed(card).abilities, called=called):
            await acts(table, who, card)


def what_acts(
    who: int | None, abilities: Iterable[Ability], *, called: bool
) -> Iterator[Enters]:
    """What these abilities do on entering; the automaton has ways of its own."""
    for ability in abilities:
        acts = ability.automaton if who is None else None
        acts = acts or ability.enters
        if acts and not (called and ability.name == "muster"):
            yield acts


async def call(table: Table, seat: int, places: Mapping[str, Place]) -> None:
    """All cards of these faces, from hand and pile, each to its row (GW-4.9).

    That the pile holds none is seen by searching it: it is shuffled in any case.
    """
    held = [card for card in table.cards(HAND[seat]) if card.face in places]
    await table.move_each([(c, places[str(c.face)]) for c in held], bringer=seat)
    found: list[Card] = []
    if table.count(PILE[seat]):
        found = await table.find(PILE[seat], places, bringer=seat)
        await table.shuffle(PILE[seat])
    await arrive(table, seat, [*held, *found], called=True)


# -- berserkers ----------------------------------------------------------------------


async def transform(table: Table, row: Place) -> None:
    """Where Mardroeme is at work each berserker becomes another (GW-4.19)."""
    berserkers = [c for c in table.cards(row) if printed(c).has("berserker")]
    if not berserkers or not mardroeme_works(table, row):
        return
    for berserker in berserkers:
        if berserker.place == row:  # the bear before it has not taken it along
            await become_a_bear(table, berserker)


def mardroeme_works(table: Table, row: Place) -> bool:
    """The special card in the slot, or Ermion in the row (GW-4.21, GW-6.4)."""
    one = side_at(table, row)
    slot = one.slot(board(table).row_at[row])
    return any(printed(card).has("mardroeme") for card in table.cards(row, slot))


async def become_a_bear(table: Table, berserker: Card) -> None:
    """Out of the game, and the bear to its place; none left: it stays (GW-4.20)."""
    row, bringer = berserker.place, bringer_of(table, berserker)
    bear = beside(table, bringer, face_named(berserker, "berserker"))
    if bear is not None:
        await table.move(berserker, REMOVED)
        await enter(table, bringer, [Move(bear, row)])


def face_named(card: Card, name: str) -> str:
    """The card that an ability of this card brings."""
    (ability,) = [one for one in printed(card).abilities if one.name == name]
    return ability.faces[0]


def beside(table: Table, who: int | None, face: str) -> Card | None:
    """A card of this face that is left in a side deck (GW-4.17)."""
    left = [card for card in table.cards(side_deck(who)) if card.face == face]
    return left[0] if left else None


def bringer_of(table: Table, card: Card) -> int | None:
    """Who laid a card in a row; where nobody did, who plays that side."""
    return side_at(table, card.place).seat if card.bringer is None else card.bringer
