"""Plays gwent from a position (see `notation.py`), through the front door.

    table = gwent('''
        anna  hand: Birna, Ves    discard: Thaler
        ben   melee: Zoltan
    ''')
    table.anna.plays("Birna")        # revives Thaler, the only one there is: unasked
    table.shows('''
        anna  melee: Birna 2      hand: Ves
        ben   melee: Zoltan 5     siege: Thaler 1
    ''')

`gwent` lays a duel's position out through the table's verbs and goes on where the turn
of the seat marked `turn` (else anna) begins; so do `team`, `free_for_all`, `solo`, and
`laid_out(text, variant)` for any other. `stands` asserts that a position shows what is
written in it: the tests of strength. `whole` plays from the very beginning: `decks` is
by seat's name the decks brought, each one text of cards as in a position, leader
included (piles then lie in the order of the cards' ids).

What to do and read is in `playing.py`: `table.anna.plays("Olaf", "ranged")`,
`.passes()`, `.uses_leader()`, `.chooses(...)`, `.declines()`, `.runs_out_of_time()`,
`.concedes()`, `.options`, `.playable`, `.is_asked`, `.may_decline`, `.hand`, `.pile`,
`.sees(...)`; `table.shows(...)`, `.asked`, `.waits_for`, `.totals`, `.gems`, `.round`,
`.turn`, `.passed`, `.moved`, `.discarded`, `.shuffled`, `.declared(...)`, `.is_over`,
`.winners`.
"""

from dataclasses import replace

from services.engine.games.gwent import GWENT, play
from services.engine.games.gwent.board import (
    AUTOMATON_LEADERS,
    AUTOMATON_UNDER,
    HAND,
    LEADER,
    REMOVED,
    WEATHER,
    pile,
    side_deck,
    side_of,
)
from services.engine.games.gwent.cards import CARDS
from services.engine.games.gwent.leading import cancel_leaders
from services.engine.games.gwent.pieces import Faction, Kind
from services.engine.games.gwent.set_up import side_deck_of
from services.engine.games.gwent.strength import recount
from services.engine.kernel import Place
from tests.rules.driving import SEATS
from tests.rules.gwent.notation import (
    AUTOMATON,
    DULL,
    LINES,
    TABLE,
    read,
    read_cards,
)
from tests.rules.gwent.playing import Gwent, line_of, number_of

BOX = Place("box")
NUMBER_OF_SEATS = {"team": 4, "solo": 1, "solo-leaders": 1}


class Layout:
    """Draws every card of a position from a box and puts it where it is written."""

    def __init__(self, table, position):
        self.table, self.position = table, position

    async def lay(self):
        for owner in owners(self.table):
            await self.lay_beside(owner)
            if owner != AUTOMATON and (owner, "hand") not in self.position.words:
                await self.draw(DULL, HAND[number_of(owner)])
        for (owner, key), pieces in self.position.cards.items():
            if key not in ("pile", "side deck", "leaders"):
                for piece in pieces:
                    await self.lay_piece(owner, key, piece)
        self.mark_seats()
        self.mark_table()
        cancel_leaders(self.table)
        recount(self.table)

    async def lay_beside(self, owner):
        """Faction, leader, side deck and pile."""
        table, position, who = self.table, self.position, number_of(owner)
        faction = Faction(position.factions.get(owner, Faction.NEUTRAL))
        if who is None:
            table.mark("automaton_faction", value=faction)
        else:
            table.mark("faction", who, faction)
        if (owner, "side deck") in position.words:
            beside = faces(position.cards[owner, "side deck"])
        else:
            beside = side_deck_of(faction)
        for face in beside:
            await self.draw(face, side_deck(who))
        await table.build(pile(who), faces(position.cards[owner, "pile"]))
        if who is None:
            leaders = faces(position.cards[owner, "leaders"])
            await table.build(AUTOMATON_LEADERS, leaders)
        if owner in position.leaders and who is not None:
            leader = position.leaders[owner]
            card = await self.draw(leader.face, LEADER[who])
            if "used" in leader.notes:
                table.mark("used", card)

    async def draw(self, face, to):
        await self.table.build(BOX, [face])
        return (await self.table.draw(BOX, 1, to))[0]

    async def lay_piece(self, owner, key, piece):
        for _ in range(piece.count):
            if key == "hand":
                await self.draw(piece.face, HAND[number_of(owner)])
            elif key == "under":
                await self.draw(piece.face, AUTOMATON_UNDER)
            elif key in ("aside", "removed"):
                seat = None if owner == TABLE else number_of(owner)
                await self.draw(piece.face, Place(key, seat))
            else:
                await self.put(owner, key, piece)

    async def put(self, owner, key, piece):
        """On the table, brought by the seat of the line or by another."""
        table = self.table
        bringer = number_of(piece.by)
        card = await self.draw(piece.face, REMOVED)
        if key == "weather":
            await table.move(card, WEATHER, bringer=bringer)
        elif key == "discard":
            await table.move(card, side_of(table, number_of(owner)).discard)
            if table.variant == "team":
                table.mark("brought", card, str(bringer))
        else:
            side = side_of(table, number_of(owner))
            await table.move(card, line_of(side, key), bringer=bringer)

    def mark_seats(self):
        table, position = self.table, self.position
        for owner in owners(table):
            side = side_of(table, number_of(owner))
            for row in position.words.get((owner, "horns"), "").split(", "):
                if row:
                    table.mark("horn", side.row(row))
            for key in ("gems", "points", "games"):
                usual = "2" if key == "gems" and owner == owner_of(side) else None
                value = position.words.get((owner, key), usual)
                if value is not None:
                    table.set_counter(f"{side.prefix}{key}", int(value), side.seat)
        for owner in position.passed:
            table.mark("passed", number_of(owner))

    def mark_table(self):
        table, position = self.table, self.position
        table.set_counter("round", int(position.word("round", "1")))
        for name in ("first", "starts", "turn"):
            table.mark(name, number_of(position.word(name, SEATS[0])))


def owners(table):
    some = [SEATS[seat] for seat in table.seats]
    return [*some, AUTOMATON] if table.variant.startswith("solo") else some


def owner_of(side):
    return AUTOMATON if side.seat is None else SEATS[side.seat]


def faces(pieces):
    return [piece.face for piece in pieces for _ in range(piece.count)]


def brought_in(position):
    """By seat the deck that its cards are of; none where no leader tells of which."""
    return {
        number_of(owner): (deck_in(position, owner),)
        for owner in position.owners
        if owner in position.leaders
    }


def deck_in(position, owner):
    deck = [position.leaders[owner].face]
    for (of, key), pieces in position.cards.items():
        if of == owner and key in (*LINES, "hand", "pile", "discard"):
            deck += faces(pieces)
    weather = position.cards.get((TABLE, "weather"), [])
    deck += faces([one for one in weather if one.by == owner])
    return tuple(face for face in deck if CARDS[face].kind is not Kind.TOKEN)


def number_of_seats(position, variant):
    least = 3 if variant == "free-for-all" else 2
    named = [number_of(owner) + 1 for owner in position.owners if owner in SEATS]
    return NUMBER_OF_SEATS.get(variant, max([least, *named]))


def laid_out(text, variant, then=play.go_on):
    """The position, from the turn of the seat that it names."""
    position = read(text)
    seen: dict[str, int] = {}

    async def game(table):
        await Layout(table, position).lay()
        seen["events"] = len(table.events)
        return await then(table)

    seats = number_of_seats(position, variant)
    brought = {} if variant.startswith("solo") else brought_in(position)
    lots = [int(one) for one in position.word("lots", "").replace(",", " ").split()]
    rules = replace(GWENT, play=game)
    return Gwent(rules, variant, seats, seen, brought, lots=lots)


def gwent(text):
    return laid_out(text, "duel")


def team(text):
    return laid_out(text, "team")


def free_for_all(text):
    return laid_out(text, "free-for-all")


def solo(text):
    return laid_out(text, "solo")


def stands(text):
    """Laid out, a position shows the strengths and totals written in it."""
    return laid_out(text, "duel", wait).shows(text)


async def wait(table):
    """Nobody's turn begins."""
    await table.ask_may(0, "turn", [])


def whole(variant="duel", seats=None, decks=None, **chance):
    """A game from the very beginning."""
    brought = {
        number_of(name): tuple(tuple(faces(read_cards(deck))) for deck in some)
        for name, some in (decks or {}).items()
    }
    number = seats or NUMBER_OF_SEATS.get(variant, 2)
    return Gwent(GWENT, variant, number, None, brought, **chance)
