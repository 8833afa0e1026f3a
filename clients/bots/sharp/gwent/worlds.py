"""What hands and piles may hold, given what a seat sees.

A seat whose open cards are all of the ready deck of its faction, and that has as many
cards as that deck, is thought to play it; any other has the set of its faction.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from clients.bots.gwent.reading import SOLO, Printed, printed_on
from clients.bots.strategy import Faces
from services.local.decks import ready_decks
from services.local.position import Lain, Place, Position, World

DECKS = frozenset(
    {"pile", "box", "automaton_pile", "automaton_box", "automaton_leaders"}
)
AUTOMATON = None
MOST_SPECIALS = 10

Owner = int | None


@dataclass(frozen=True, slots=True)
class Stock:
    """Where the cards of one deck are: those seen, and the places of those not."""

    faction: str
    leader: str
    seen: Counter[str]
    places: Mapping[Place, int]

    @property
    def missing(self) -> int:
        return sum(self.places.values())


def stocks_of(position: Position, faces: Faces) -> dict[Owner, Stock]:
    """The deck of every seat, and of the automaton."""
    owners: list[Owner] = list(range(position.seats))
    if position.variant in SOLO:
        owners.append(AUTOMATON)
    factions = {owner: _faction(position, owner) for owner in owners}
    seen: dict[Owner, Counter[str]] = {owner: Counter() for owner in owners}
    for card in position.cards:
        if card.face and _counts(card, faces):
            seen[_owner(position, faces, factions, card)][card.face] += 1
    return {
        owner: Stock(
            factions[owner],
            _leader(position, owner),
            seen[owner],
            dict(_places(position, owner)),
        )
        for owner in owners
    }


def _faction(position: Position, owner: Owner) -> str:
    markers = position.markers
    if owner is AUTOMATON:
        return markers.get(("automaton_faction", ""), "neutral")
    return markers.get(("faction", f"seat:{owner}"), "neutral")


def _leader(position: Position, owner: Owner) -> str:
    leaders = [c.face for c in position.lying("leader") if c.place.seat == owner]
    return leaders[0] if leaders and owner is not AUTOMATON else ""


def _places(position: Position, owner: Owner) -> Iterator[tuple[Place, int]]:
    """Where untold cards of an owner lie."""
    for place, number in position.hidden.items():
        is_automatons = place.name.startswith("automaton_")
        mine = is_automatons if owner is AUTOMATON else place.seat == owner
        if mine and number and place.name != "automaton_leaders":
            yield place, number


def _counts(card: Lain, faces: Faces) -> bool:
    """Whether a card came out of a deck: no leader and nothing that lies beside."""
    return printed_on(faces, card.face).kind not in ("leader", "token")


def _owner(
    position: Position, faces: Faces, factions: Mapping[Owner, str], card: Lain
) -> Owner:
    """Whose deck a card came out of, as far as it shows."""
    printed = printed_on(faces, card.face)
    if card.bringer is not None:
        # A spy that was taken back by its victim is brought by it from then on.
        fits = [one for one in factions if factions[one] == printed.faction]
        return fits[0] if len(fits) == 1 else card.bringer
    if card.place.name.startswith("automaton_"):
        return AUTOMATON
    told = position.markers.get(("brought", card.handle))
    if told:
        return int(told)
    own = card.place.seat
    others = [owner for owner in factions if owner != own]
    lies_abroad = card.place.name == "discard" and "spy" in printed.abilities
    if len(others) == 1 and lies_abroad:
        return others[0]
    if own is not None and printed.faction in ("neutral", "", factions[own]):
        return own
    fits = [owner for owner in others if factions[owner] == printed.faction]
    return fits[0] if fits else own if own is not None else others[0]


# -- dealing -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pool:
    """What the untold cards of one deck may be: all of it, or any `missing` of it."""

    stock: Stock
    faces: tuple[str, ...]
    most_specials: int

    def dealt(self, faces: Faces, chance: random.Random) -> list[str]:
        """As many as are missing, in an order of chance."""
        missing = self.stock.missing
        found = chance.sample(self.faces, len(self.faces))
        if len(found) > missing:
            found = self._within(faces, found)
        spare = self.faces or (self.stock.leader,)
        found += [chance.choice(spare) for _ in range(missing - len(found))]
        return found[:missing]

    def _within(self, faces: Faces, found: list[str]) -> list[str]:
        """Not more specials than a deck may have, while there are others."""
        specials = [f for f in found if not printed_on(faces, f).fights]
        surplus = set(specials[max(0, self.most_specials) :])
        kept = [face for face in found if face not in surplus]
        return kept if len(kept) >= self.stock.missing else found


def pools_of(position: Position, faces: Faces) -> dict[Owner, Pool]:
    """What may lie where, by deck."""
    ready = ready_decks("gwent", position.variant)
    return {
        owner: pool_of(stock, ready.get(stock.faction, ()), faces, position.variant)
        for owner, stock in stocks_of(position, faces).items()
    }


def pool_of(stock: Stock, ready: Iterable[str], faces: Faces, variant: str) -> Pool:
    """The rest of the ready deck where it fits, else of the whole set."""
    deck = Counter(ready)
    if variant not in SOLO and deck[stock.leader]:
        del deck[stock.leader]
        left = deck - stock.seen
        if left.total() == stock.missing == deck.total() - stock.seen.total():
            return Pool(stock, tuple(left.elements()), MOST_SPECIALS)
    brings_weather = variant not in SOLO or not stock.leader
    left = _set_of(stock.faction, faces, brings_weather) - stock.seen
    seen = sum(n for f, n in stock.seen.items() if not printed_on(faces, f).fights)
    most = MOST_SPECIALS if variant not in SOLO else left.total()
    return Pool(stock, tuple(left.elements()), most - seen)


def _set_of(faction: str, faces: Faces, brings_weather: bool) -> Counter[str]:
    """Every card a deck of this faction may have, as often as there is one. Alone, the
    automaton brings the weather (GW-16.2)."""
    found: Counter[str] = Counter()
    for id, face in faces.items():
        printed = printed_on(faces, id.partition("/")[2])
        if printed.kind in ("leader", "token"):
            continue
        if printed.kind == "weather" and not (brings_weather or clears(printed)):
            continue
        if printed.faction in ("neutral", "", faction):
            found[printed.face] = int(face.attributes.get("copies") or "1")
    return found


def clears(printed: Printed) -> bool:
    """Whether it is the one weather that ends the others."""
    return "clear_weather" in printed.abilities


def deal(
    position: Position,
    pools: Mapping[Owner, Pool],
    faces: Faces,
    chance: random.Random,
) -> World:
    """One world of many."""
    hidden: dict[Place, list[str]] = {place: [] for place in position.hidden}
    brought = {}
    for owner, pool in pools.items():
        dealt = pool.dealt(faces, chance)
        stock = pool.stock
        if owner is not AUTOMATON:
            deck = (stock.leader, *stock.seen.elements(), *dealt)
            brought[owner] = (tuple(sorted(deck)),)
        for place, number in stock.places.items():
            hidden[place], dealt = dealt[:number], dealt[number:]
    for place in position.hidden:
        if place.name == "automaton_leaders":
            hidden[place] = _leaders_left(position, pools, faces, chance)
    return World(hidden, DECKS, {}, brought)


def _leaders_left(
    position: Position,
    pools: Mapping[Owner, Pool],
    faces: Faces,
    chance: random.Random,
) -> list[str]:
    """The automaton's leaders that were not turned up."""
    faction = pools[AUTOMATON].stock.faction
    turned = {card.face for card in position.lying("automaton_leader")}
    left = [
        printed.face
        for id in faces
        if (printed := printed_on(faces, id.partition("/")[2])).kind == "leader"
        and printed.faction == faction
        and printed.face not in turned
    ]
    number = position.hidden[Place("automaton_leaders")]
    return chance.sample(left, min(number, len(left)))
