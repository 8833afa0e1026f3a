"""The decks that seats bring to a random game: none, ready ones, or any legal ones."""

import random
from collections import Counter
from collections.abc import Callable, Sequence

from services.engine.games.gwent.cards import CARDS
from services.engine.games.gwent.decks import LIMITS, PLAIN
from services.engine.games.gwent.pieces import FACTIONS, Faction, Kind, Printed
from services.engine.games.gwent.starter import ready_for
from services.engine.kernel import Deck, Game

Decks = tuple[Deck, ...]


def brought_to(game: Game, variant: str, seats: int, seed: int) -> dict[int, Decks]:
    """By seat. With every other seed nobody brings any."""
    played = game.variant(variant)
    if seed % 2 == 0 or played is None or not played.decks:
        return {}
    chance = random.Random(f"decks of {seed}")
    brings = BRINGS[game.name]
    brought = {
        seat: brings(variant, played.decks, chance)
        for seat in range(seats)
        if chance.random() < 0.9
    }
    for decks in brought.values():
        assert game.deck_faults(variant, decks) == []
    return brought


def led_by(leader: str, variant: str) -> Decks:
    """A ready deck of this leader's faction, led by this one instead."""
    faction = CARDS[leader].faction
    (deck,) = [one.deck for one in ready_for(variant) if one.faction is faction]
    return ((leader, *[f for f in deck if CARDS[f].kind is not Kind.LEADER]),)


# -- gwent ---------------------------------------------------------------------------


def for_gwent(variant: str, number: int, chance: random.Random) -> Decks:
    """Each of another faction; no hero is in two of them."""
    factions = chance.sample(FACTIONS, number)
    if chance.random() < 0.3:
        ready = {one.faction: one.deck for one in ready_for(variant)}
        return tuple(ready[faction] for faction in factions)
    decks: list[Deck] = []
    for faction in factions:
        decks.append(legal(variant, faction, chance, heroes_in(decks)))
    return tuple(decks)


def heroes_in(decks: Sequence[Deck]) -> set[str]:
    return {face for deck in decks for face in deck if CARDS[face].is_hero}


def legal(
    variant: str, faction: Faction, chance: random.Random, without: set[str]
) -> Deck:
    """Any leader, and cards as they come as long as they may be there."""
    limits = LIMITS.get(variant, PLAIN)
    open_to = [c for c in CARDS.values() if c.faction in (Faction.NEUTRAL, faction)]
    leaders = [card for card in open_to if card.kind is Kind.LEADER]
    units = copies(open_to, Kind.UNIT, Kind.HERO)
    specials = copies(open_to, Kind.SPECIAL, Kind.WEATHER)
    size = chance.randint(limits.least_units, limits.least_units + 15)
    while True:
        fitting = Fitting(limits.strength, limits.spies, limits.medics)
        chance.shuffle(units)
        some = [one for one in units if one.id not in without and fitting.takes(one)]
        if len(some) >= limits.least_units:
            break
    some = some[:size] + chance.sample(specials, chance.randint(0, limits.specials))
    return tuple(one.id for one in [chance.choice(leaders), *some])


def copies(cards: Sequence[Printed], *kinds: Kind) -> list[Printed]:
    """Of these kinds all that a set has."""
    return [card for card in cards if card.kind in kinds for _ in range(card.copies)]


class Fitting:
    """What a deck with these limits still has room for."""

    def __init__(self, *limits: int | None) -> None:
        self._limits = limits
        self._used: Counter[int] = Counter()

    def takes(self, card: Printed) -> bool:
        """Whether it has, and then it is in."""
        adds = (card.strength, card.has("spy"), card.has("medic"))
        for at, (limit, more) in enumerate(zip(self._limits, adds, strict=True)):
            if limit is not None and self._used[at] + more > limit:
                return False
        self._used.update(dict(enumerate(map(int, adds))))
        return True


Brings = Callable[[str, int, random.Random], Decks]
BRINGS: dict[str, Brings] = {"gwent": for_gwent}
