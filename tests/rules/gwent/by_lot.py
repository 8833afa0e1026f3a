"""Games with decks of any cards in which all is decided by lot."""

import random

from services.engine.games.gwent import GWENT
from services.engine.games.gwent.cards import CARDS
from services.engine.games.gwent.pieces import FACTIONS, Faction, Kind
from services.engine.kernel.entry import Draft, EntryKind
from tests.rules.gwent.playing import Gwent

NO_DECK = (Kind.LEADER, Kind.TOKEN)


def any_deck(chance, faction):
    """One of its leaders, and cards that may be in its decks, few enough to run out."""
    own = [card for card in CARDS.values() if card.faction in (faction, "neutral")]
    leaders = [card.id for card in own if card.kind is Kind.LEADER]
    some = [c.id for c in own if c.kind not in NO_DECK for _ in range(c.copies)]
    return (chance.choice(leaders), *chance.sample(some, chance.choice([14, 25, 40])))


def begun(variant, seats, seed):
    """A game whose seats bring such decks, no two neighbours of one faction."""
    chance = random.Random(seed)
    order = chance.sample(FACTIONS, len(FACTIONS))
    decks = {seat: (any_deck(chance, Faction(order[seat])),) for seat in range(seats)}
    return Gwent(GWENT, variant, seats, None, decks, chance=chance)


def turns(table, seed):
    """Plays the game to its end; stops at each turn, for the seat that has it."""
    chance = random.Random(seed)
    while not table.is_over:
        seat = table.seat(chance.choice(table.play.open_seats))
        question = seat.question
        if question.name == "turn":
            yield seat
        number = max(question.least, chance.random() < 0.9)
        choice = chance.sample(question.ids, min(number, len(question.ids)))
        answer_id = f"a{table.play.position}"
        table.move(Draft(EntryKind.ANSWER, seat.seat, answer_id, tuple(choice)))


def all_turns(seeds):
    """The turns of a game of each mode for each seed: (table, seat)."""
    for variant, seats in (("duel", 2), ("team", 4), ("free-for-all", 5)):
        for seed in range(seeds):
            table = begun(variant, seats, seed)
            for seat in turns(table, seed):
                yield table, seat
