"""What lies where at a table, who knows it, and how cards come to lie otherwise.

The state under the verbs of `Table`. Everything here happens at once and without the
vault, which has already named the cards anew where that was needed.
"""

from collections.abc import Mapping
from typing import NamedTuple

from services.engine.kernel import event as happened
from services.engine.kernel.budget import OverBudget
from services.engine.kernel.chance import ALL_SEATS, Dealt, Operation
from services.engine.kernel.game import Deck, Game
from services.engine.kernel.places import Card, Place
from services.engine.kernel.sight import (
    EVERYONE,
    NO_ONE,
    Seers,
    Sight,
    Who,
    only,
    seats_among,
)

_UNSEEN = Sight(Who.NOBODY, apart=False)


class Way(NamedTuple):
    """A card's way before it is gone: `hides` and `shows` are the vault's to do."""

    card: Card
    to: Place
    before: Sight
    after: Sight
    up: bool
    seers: Seers
    hides: bool
    shows: bool


class Lying:
    """One play of a game: all that lies on its table, as the referee knows it.

    `seats` is a range; `events` is everything that happened so far. `teams` is the team
    of every seat, `score` the counter that ranks them where the game ends early,
    `brought` the decks of every seat that brought any.
    """

    def __init__(self, game: Game, seats: int, variant: str) -> None:
        played = game.variant(variant)
        self.game = game
        self.variant = played.name if played else variant
        self.seats = range(seats)
        self.teams = (played.teams if played else ()) or tuple(range(seats))
        self.score = played.score if played else ""
        self.brought: dict[int, tuple[Deck, ...]] = {}
        self._sight = game.sight
        self._most_events = game.budget.events
        self.events: list[happened.Event] = []
        self.counters: dict[tuple[str, int | None], int] = {}
        self.markers: dict[tuple[str, str], str] = {}
        self._places: dict[Place, list[Card]] = {}
        self._decks: dict[Place, int] = {}
        self._used: dict[Place, None] = {}
        self._handles: dict[str, Card] = {}
        self._untold: list[Operation] = []

    # -- reading ------------------------------------------------------------------

    def cards(self, *places: Place) -> list[Card]:
        """The cards lying in these places, in order; never a deck's."""
        lie = self._places
        if len(places) == 1:
            return list(lie.get(places[0], ()))
        return [card for place in places for card in lie.get(place, ())]

    def count(self, place: Place) -> int:
        """How many cards lie in a place, decks included."""
        deck = self._decks.get(place)
        return len(self._places.get(place, ())) if deck is None else deck

    def card(self, handle: str) -> Card:
        """The card that has this handle now; KeyError if none has."""
        return self._handles[handle]

    def places(self) -> list[Place]:
        """Every place in use, decks included, in the order first used."""
        return list(self._used)

    def is_deck(self, place: Place) -> bool:
        """Whether a place is a deck, whose cards only the vault can tell."""
        return place in self._decks

    def counter(self, name: str, seat: int | None = None) -> int:
        """Where a counter stands; 0 where it never was set."""
        return self.counters.get((name, seat), 0)

    def marker(self, name: str, on: Card | Place | int | None = None) -> str | None:
        """The value of a marker lying there, or None."""
        return self.markers.get((name, target_of(on)))

    def seats_from(self, first: int) -> list[int]:
        """All seats, seat numbers upwards from `first`, wrapping round."""
        return [*range(first, len(self.seats)), *range(first)]

    def sight(self, place: Place) -> Sight:
        """How cards lie in a place; what the game's table omits nobody sees."""
        return self._sight.get(place.name, _UNSEEN)

    def seers(self, card: Card) -> Seers:
        """Who knows the face of a card where it lies now."""
        return card.seers

    def traced(self, card: Card) -> Seers:
        """Who tells a card apart from those around it: who may be told its handle."""
        return EVERYONE if self.sight(card.place).apart else card.seers

    # -- within -------------------------------------------------------------------

    def emit(self, event: happened.Event) -> None:
        """Let an event be known. Only verbs and the runner call this."""
        if len(self.events) >= self._most_events:
            raise OverBudget(f"more than {self._most_events} events")
        self.events.append(event)

    def must_be_told_apart(self, name: str, card: Card) -> None:
        if self.traced(card) != EVERYONE:
            raise ValueError(f"{name} would name a card that not everyone can see")

    def spend_cards(self, count: int) -> None:
        limit = self.game.budget.cards
        if sum(self._decks.values()) + len(self._handles) + count > limit:
            raise OverBudget(f"more than {limit} cards")

    def would_see(self, place: Place, up: bool, bringer: int | None) -> Seers:
        """Whose eyes reach a card's face in a place: grants come on top of that."""
        sight = self._sight.get(place.name)
        if sight is None:
            return NO_ONE
        who = sight.who
        if up or who is Who.ALL:
            return EVERYONE
        if who is Who.OWNER:
            return NO_ONE if place.seat is None else only(place.seat)
        if who is Who.BRINGER:
            return NO_ONE if bringer is None else only(bringer)
        if who is Who.TEAM and place.seat is not None:
            team = self.teams[place.seat]
            return only(*(seat for seat in self.seats if self.teams[seat] == team))
        return NO_ONE

    def plan(self, card: Card, to: Place, up: bool | None, bringer: int | None) -> Way:
        """How a card will lie, who will see it, and so what the vault must do."""
        sight = self._sight
        before = sight.get(card.place.name, _UNSEEN)
        after = sight.get(to.name, _UNSEEN)
        if up is None:
            up = after.who is Who.ALL or (card.face_up and after.on_table)
        seers = self.would_see(to, up, card.bringer if bringer is None else bringer)
        apart = before.apart and after.apart
        hides = not up and not apart and seers != EVERYONE and card.place != to
        shows = bool(seers & ~card.seers) and not hides
        return Way(card, to, before, after, up, seers, hides, shows)

    def put(
        self, plan: Way, bringer: int | None, names: Mapping[str, Dealt]
    ) -> happened.CardMoved:
        card, to, before, after, up, seers, _, _ = plan
        origin, old_handle, knew = card.place, card.handle, card.seers
        stays_marked = before.on_table and after.on_table
        dealt = names.get(old_handle)
        self._places[origin].remove(card)
        if dealt is not None:
            if dealt.handle != old_handle:
                card.granted = NO_ONE
                self.rename(card, dealt.handle)
            card.face = dealt.face
        if not stays_marked:
            self.strip(old_handle)
        card.place, card.face_up = to, up
        card.bringer = card.bringer if bringer is None else bringer
        if not after.on_table:
            card.bringer = None
        card.seers = Seers(seers | card.granted)
        self.lay(card, to)
        return happened.CardMoved(
            origin,
            old_handle,
            to,
            card.handle,
            card.face,
            up,
            card.bringer,
            EVERYONE if before.apart else knew,
            EVERYONE if after.apart else card.seers,
            card.seers,
            knew,
            stays_marked,
            after.apart,
        )

    def lay(self, card: Card, place: Place) -> None:
        if place in self._decks:
            raise ValueError(f"{place.id} is a deck: its cards only the vault can tell")
        self._places.setdefault(place, []).append(card)
        self._used.setdefault(place)

    def enter(
        self,
        dealt: Dealt,
        deck: Place,
        to: Place,
        up: bool,
        bringer: int | None = None,
    ) -> Card:
        """A card comes out of a deck."""
        card = Card(dealt.handle, dealt.face, to)
        card.face_up = up
        card.bringer = bringer if self.sight(to).on_table else None
        card.seers = self.would_see(to, up, bringer)
        self._handles[card.handle] = card
        self._decks[deck] -= 1
        self.lay(card, to)
        return card

    def drawn(self, card: Card, deck: Place) -> happened.CardMoved:
        """The way of a card that has come out of a deck."""
        return happened.CardMoved(
            deck,
            "",
            card.place,
            card.handle,
            card.face,
            card.face_up,
            card.bringer,
            NO_ONE,
            self.traced(card),
            card.seers,
            NO_ONE,
            False,
            self.sight(card.place).apart,
        )

    def shown(self, card: Card, seers: Seers) -> happened.CardShown:
        return happened.CardShown(
            card.handle, card.place, card.face, seers, self.traced(card)
        )

    def named(self, seers: Seers) -> tuple[int, ...]:
        if seers == EVERYONE:
            return ALL_SEATS
        return seats_among(seers, len(self.seats))

    def rename(self, card: Card, handle: str) -> None:
        del self._handles[card.handle]
        card.handle = handle
        self._handles[handle] = card

    def strip(self, handle: str) -> None:
        """Markers fall off a card that leaves the table; its move tells as much."""
        if not self.markers:
            return
        for key in [key for key in self.markers if key[1] == handle]:
            del self.markers[key]

    def leave(self, card: Card, deck: Place) -> happened.CardMoved:
        """A card goes into a deck, where only the vault can tell it."""
        traced, knew = self.traced(card), card.seers
        self._places[card.place].remove(card)
        del self._handles[card.handle]
        self.strip(card.handle)
        self._decks[deck] += 1
        return happened.CardMoved(
            card.place,
            card.handle,
            deck,
            "",
            card.face,
            False,
            None,
            traced,
            NO_ONE,
            NO_ONE,
            knew,
            False,
            False,
        )


def target_of(on: Card | Place | int | None) -> str:
    if on is None:
        return ""
    if isinstance(on, Card):
        return on.handle
    return on.id if isinstance(on, Place) else f"seat:{on}"
