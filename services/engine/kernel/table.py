"""The table: seats, places, cards, counters, markers, and the verbs that change them.

Rules hold one `Table` and change it through its verbs alone; a verb emits one event.
Verbs that need the vault are awaited. Nothing here reads a clock, a network or chance.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from types import coroutine
from typing import Any, NamedTuple

from services.engine.kernel import event as happened
from services.engine.kernel.ask import Asking, Default, Question, T, choose
from services.engine.kernel.chance import (
    ALL_SEATS,
    Build,
    Conceal,
    Dealt,
    Draw,
    Mix,
    Operation,
    Pick,
    Results,
    Roll,
    Show,
    Shuffle,
    Stack,
)
from services.engine.kernel.game import Game
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

Answers = dict[int, tuple[Any, ...]]
_UNSEEN = Sight(Who.NOBODY, apart=False)


class OverBudget(Exception):
    """This table uses more than one table may; it ends, and it alone."""


@coroutine
def _vault(*operations: Operation) -> Generator[Sequence[Operation], Results, Results]:
    """Stop until the vault has done these, all in one batch."""
    return (yield operations)


@coroutine
def _seats(asking: Asking) -> Generator[Asking, Answers, Answers]:
    """Stop until the asked seats have answered."""
    return (yield asking)


class _Plan(NamedTuple):
    """A card's way before it is gone: `hides` and `shows` are the vault's to do."""

    card: Card
    to: Place
    up: bool
    seers: Seers
    hides: bool
    shows: bool


class Table:
    """One play of a game, as the rules see it: the referee's whole knowledge.

    `seats` is a range; `events` is everything that happened so far.
    """

    def __init__(
        self, game: Game, seats: int, variant: str, teams: tuple[int, ...] = ()
    ) -> None:
        self.game = game
        self.variant = variant
        self.seats = range(seats)
        self.teams = teams or tuple(range(seats))
        self.events: list[happened.Event] = []
        self.counters: dict[tuple[str, int | None], int] = {}
        self.markers: dict[tuple[str, str], str] = {}
        self._places: dict[Place, list[Card]] = {}
        self._decks: dict[Place, int] = {}
        self._used: dict[Place, None] = {}
        self._handles: dict[str, Card] = {}

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
        return self.markers.get((name, _target(on)))

    def seats_from(self, first: int) -> list[int]:
        """All seats, seat numbers upwards from `first`, wrapping round."""
        return [*range(first, len(self.seats)), *range(first)]

    def sight(self, place: Place) -> Sight:
        """How cards lie in a place; what the game's table omits nobody sees."""
        return self.game.sight.get(place.name, _UNSEEN)

    def seers(self, card: Card) -> Seers:
        """Who knows the face of a card where it lies now."""
        return card.seers

    def traced(self, card: Card) -> Seers:
        """Who tells a card apart from those around it: who may be told its handle."""
        return EVERYONE if self.sight(card.place).apart else card.seers

    # -- chance -------------------------------------------------------------------

    async def build(self, deck: Place, faces: Sequence[str]) -> None:
        """Make a deck of these faces and shuffle it."""
        self._spend_cards(len(faces))
        await _vault(Build(deck.id, tuple(faces)))
        self._decks[deck] = len(faces)
        self._used.setdefault(deck)
        self.emit(happened.DeckBuilt(deck, len(faces)))

    async def draw(
        self, deck: Place, count: int, to: Place, *, up: bool | None = None
    ) -> list[Card]:
        """Draw up to `count` cards from a deck into a place, as one event."""
        return await self.deal(deck, {to: count}, up=up)

    async def deal(
        self, deck: Place, shares: Mapping[Place, int], *, up: bool | None = None
    ) -> list[Card]:
        """Draw into several places, in this order; an empty deck gives nothing."""
        drawn: list[tuple[Place, bool]] = []
        operations: list[Operation] = []
        left = self._decks[deck]
        for to, count in shares.items():
            count = min(count, left)
            left -= count
            if count:
                face_up = self.sight(to).who is Who.ALL if up is None else up
                seers = self._would_see(to, face_up, None)
                operations.append(Draw(deck.id, count, self._named(seers)))
                drawn.append((to, face_up))
        if not operations:
            return []
        results = await _vault(*operations)
        self._decks[deck] = left
        return self._put_drawn(deck, drawn, results)

    async def shuffle(self, deck: Place, cards: Iterable[Card] = ()) -> None:
        """Shuffle a deck, first putting these cards into it."""
        cards = tuple(cards)
        await _vault(Shuffle(deck.id, tuple(card.handle for card in cards)))
        self._into_deck(deck, cards)
        self.emit(happened.DeckShuffled(deck, self._decks[deck]))

    async def stack(
        self, deck: Place, cards: Iterable[Card], *, under: bool = False
    ) -> None:
        """Lay cards on a deck, or under it; the first one comes to lie outermost."""
        cards = tuple(cards)
        await _vault(Stack(deck.id, tuple(card.handle for card in cards), under))
        self._into_deck(deck, cards)

    async def mix(self, place: Place) -> None:
        """Mix the cards of a place, face down, so that which is which is lost."""
        cards = self._places.get(place, [])
        handles = tuple(card.handle for card in cards)
        (result,) = await _vault(Mix(handles, ()))
        for card, dealt in zip(cards, result.cards, strict=True):
            self._strip(card.handle)
            self._rename(card, dealt.handle)
            card.face, card.face_up, card.bringer = None, False, None
            card.granted = NO_ONE
        self.emit(happened.CardsMixed(place, handles, tuple(c.handle for c in cards)))

    async def roll(self, name: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Throw dice for everyone to see; sides count from 1."""
        (result,) = await _vault(Roll(sides, count))
        self.emit(happened.Rolled(name, sides, result.numbers))
        return result.numbers

    async def pick(self, among: Sequence[T], count: int = 1) -> list[T]:
        """Some of these by lot; shows nothing by itself. Their order must be public."""
        (result,) = await _vault(Pick(len(among), min(count, len(among))))
        return [among[index] for index in result.numbers]

    async def lot(self, seats: Sequence[int]) -> int:
        """One of these seats by lot."""
        (result,) = await _vault(Pick(len(seats), 1))
        return seats[result.numbers[0]]

    # -- cards --------------------------------------------------------------------

    async def move(
        self,
        cards: Card | Iterable[Card],
        to: Place,
        *,
        up: bool | None = None,
        bringer: int | None = None,
    ) -> None:
        """Move cards to one place as one event; what that reveals is computed.

        `up`: face up or down; by default a place that everyone sees turns cards up, a
        hand takes them face down, and on the table they keep lying as they lay.
        """
        cards = (cards,) if isinstance(cards, Card) else tuple(cards)
        await self.move_each([(card, to) for card in cards], up=up, bringer=bringer)

    async def move_each(
        self,
        ways: Sequence[tuple[Card, Place]],
        *,
        up: bool | None = None,
        bringer: int | None = None,
    ) -> None:
        """Move cards, each to its own place, as one event."""
        if not ways:
            return
        plans = [self._plan(card, to, up, bringer) for card, to in ways]
        names = await self._named_anew(plans)
        moved = [self._put(plan, bringer, names) for plan in plans]
        self.emit(happened.CardsMoved(tuple(moved)))

    async def turn_up(self, *cards: Card) -> None:
        """Turn cards up where they lie, for everyone."""
        await self._show(cards, EVERYONE)
        shown = []
        for card in cards:
            card.face_up, card.seers = True, EVERYONE
            shown.append(self._shown(card, EVERYONE))
        self.emit(happened.CardsTurnedUp(tuple(shown)))

    async def peek(self, seat: int, *cards: Card) -> None:
        """Let one seat see cards. In a hand it is one look; on the table it lasts."""
        await self._show(cards, only(seat))
        shown = [self._shown(card, only(seat)) for card in cards]
        for card in cards:
            if self.sight(card.place).apart:
                card.granted = Seers(card.granted | only(seat))
                card.seers = Seers(card.seers | card.granted)
        self.emit(happened.CardsPeeked(seat, tuple(shown)))

    # -- counters, markers, words -------------------------------------------------

    def set_counter(self, name: str, value: int, seat: int | None = None) -> None:
        """Set a counter; nothing happens where it stands there already."""
        if self.counters.get((name, seat)) != value:
            self.counters[name, seat] = value
            self.emit(happened.CounterSet(name, seat, value))

    def gain(self, name: str, amount: int, seat: int | None = None) -> None:
        """Add to a counter (take away, if the amount is negative)."""
        self.set_counter(name, self.counter(name, seat) + amount, seat)

    def mark(
        self, name: str, on: Card | Place | int | None = None, value: str = ""
    ) -> None:
        """Lay a marker on a card everyone tells apart, a place, a seat or the table."""
        if isinstance(on, Card):
            self._must_be_told_apart(name, on)
        if self.markers.get((name, _target(on))) != value:
            self.markers[name, _target(on)] = value
            self.emit(happened.MarkerPut(name, _target(on), value))

    def unmark(self, name: str, on: Card | Place | int | None = None) -> None:
        """Take a marker away; nothing happens where there is none."""
        if self.markers.pop((name, _target(on)), None) is not None:
            self.emit(happened.MarkerTaken(name, _target(on)))

    def declare(
        self,
        name: str,
        seat: int | None = None,
        *,
        cards: Iterable[Card] = (),
        places: Iterable[Place] = (),
        words: Iterable[str] = (),
        number: int | None = None,
    ) -> None:
        """Say aloud what no other event tells; only cards everyone tells apart."""
        cards = tuple(cards)
        for card in cards:
            self._must_be_told_apart(name, card)
        self.emit(
            happened.Declared(
                name,
                seat,
                tuple(card.handle for card in cards),
                tuple(place.id for place in places),
                tuple(words),
                number,
            )
        )

    # -- asking -------------------------------------------------------------------

    async def ask(
        self,
        seat: int,
        name: str,
        options: Sequence[T],
        *,
        default: Default | str = Default.LOT,
        lots: Sequence[T] | None = None,
    ) -> T:
        """The option a seat must choose; by lot when its time runs out."""
        question = choose(seat, name, options, default=default, lots=lots)
        asking = Asking((question,))
        chosen: T = (await _seats(asking))[seat][0]
        return chosen

    async def ask_may(
        self,
        seat: int,
        name: str,
        options: Sequence[T],
        *,
        default: Default | str = Default.DECLINE,
    ) -> T | None:
        """The option a seat may choose, or None; declined when its time runs out."""
        question = choose(seat, name, options, least=0, default=default)
        chosen = (await _seats(Asking((question,))))[seat]
        return chosen[0] if chosen else None

    async def ask_some(
        self,
        seat: int,
        name: str,
        options: Sequence[T],
        *,
        least: int = 0,
        most: int,
        default: Default | str = Default.DECLINE,
    ) -> list[T]:
        """The options a seat chooses, `least` to `most` of them."""
        question = choose(seat, name, options, least=least, most=most, default=default)
        return list((await _seats(Asking((question,))))[seat])

    async def ask_all(
        self, questions: Sequence[Question], *, secret: bool, hold: int = 0
    ) -> Answers:
        """Ask several seats together; their choices by seat, once all have answered."""
        return await _seats(Asking(tuple(questions), secret=secret, hold=hold))

    async def ask_any(self, questions: Sequence[Question]) -> Answers:
        """Ask several seats; the first answer settles it for all."""
        return await _seats(Asking(tuple(questions), any_one=True))

    # -- within -------------------------------------------------------------------

    def emit(self, event: happened.Event) -> None:
        """Let an event be known. Only verbs and the runner call this."""
        if len(self.events) >= self.game.budget.events:
            raise OverBudget(f"more than {self.game.budget.events} events")
        self.events.append(event)

    def _must_be_told_apart(self, name: str, card: Card) -> None:
        if self.traced(card) != EVERYONE:
            raise ValueError(f"{name} would name a card that not everyone can see")

    def _spend_cards(self, count: int) -> None:
        limit = self.game.budget.cards
        if sum(self._decks.values()) + len(self._handles) + count > limit:
            raise OverBudget(f"more than {limit} cards")

    def _would_see(self, place: Place, up: bool, bringer: int | None) -> Seers:
        """Whose eyes reach a card's face in a place: grants come on top of that."""
        sight = self.sight(place)
        who = sight.who
        if sight is _UNSEEN:
            return NO_ONE
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

    def _plan(
        self, card: Card, to: Place, up: bool | None, bringer: int | None
    ) -> _Plan:
        """How a card will lie, who will see it, and so what the vault must do."""
        before, after = self.sight(card.place), self.sight(to)
        if up is None:
            up = after.who is Who.ALL or (card.face_up and after.on_table)
        seers = self._would_see(to, up, card.bringer if bringer is None else bringer)
        apart = before.apart and after.apart
        hides = not up and not apart and seers != EVERYONE and card.place != to
        shows = bool(seers & ~card.seers) and not hides
        return _Plan(card, to, up, seers, hides, shows)

    async def _named_anew(self, plans: Sequence[_Plan]) -> Mapping[str, Dealt]:
        """Let the vault show and hide, all in one batch; what it tells, by handle."""
        groups: dict[tuple[bool, Seers], list[str]] = {}
        for plan in plans:
            if plan.hides or plan.shows:
                key = (plan.hides, plan.seers)
                groups.setdefault(key, []).append(plan.card.handle)
        if not groups:
            return {}
        results = await _vault(
            *(
                (Conceal if hides else Show)(tuple(handles), self._named(seers))
                for (hides, seers), handles in groups.items()
            )
        )
        return {
            handle: dealt
            for handles, result in zip(groups.values(), results, strict=True)
            for handle, dealt in zip(handles, result.cards, strict=True)
        }

    def _put(
        self, plan: _Plan, bringer: int | None, names: Mapping[str, Dealt]
    ) -> happened.CardMoved:
        card, to, up = plan.card, plan.to, plan.up
        origin, old_handle = card.place, card.handle
        traced, knew = self.traced(card), card.seers
        stays_marked = self.sight(origin).on_table and self.sight(to).on_table
        dealt = names.get(old_handle)
        self._places[origin].remove(card)
        if dealt is not None:
            if dealt.handle != old_handle:
                card.granted = NO_ONE
                self._rename(card, dealt.handle)
            card.face = dealt.face
        if not stays_marked:
            self._strip(old_handle)
        card.place, card.face_up = to, up
        card.bringer = card.bringer if bringer is None else bringer
        if not self.sight(to).on_table:
            card.bringer = None
        card.seers = Seers(plan.seers | card.granted)
        self._lay(card, to)
        return happened.CardMoved(
            origin,
            old_handle,
            to,
            card.handle,
            card.face,
            up,
            card.bringer,
            traced,
            self.traced(card),
            card.seers,
            knew,
            stays_marked,
            self.sight(to).apart,
        )

    def _lay(self, card: Card, place: Place) -> None:
        self._places.setdefault(place, []).append(card)
        self._used.setdefault(place)

    def _put_drawn(
        self, deck: Place, drawn: Sequence[tuple[Place, bool]], results: Results
    ) -> list[Card]:
        cards, moved = [], []
        for (to, face_up), result in zip(drawn, results, strict=True):
            for dealt in result.cards:
                card = Card(dealt.handle, dealt.face, to)
                card.face_up = face_up
                card.seers = self._would_see(to, face_up, None)
                self._handles[card.handle] = card
                self._lay(card, to)
                cards.append(card)
                moved.append(self._drawn(card, deck))
        self.emit(happened.CardsMoved(tuple(moved)))
        return cards

    def _drawn(self, card: Card, deck: Place) -> happened.CardMoved:
        return happened.CardMoved(
            deck,
            "",
            card.place,
            card.handle,
            card.face,
            card.face_up,
            None,
            NO_ONE,
            self.traced(card),
            card.seers,
            NO_ONE,
            False,
            self.sight(card.place).apart,
        )

    def _into_deck(self, deck: Place, cards: Sequence[Card]) -> None:
        if not cards:
            return
        moved = []
        for card in cards:
            origin, handle = card.place, card.handle
            traced, knew = self.traced(card), self.seers(card)
            self._places[origin].remove(card)
            del self._handles[handle]
            self._strip(handle)
            way = happened.CardMoved(
                origin,
                handle,
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
            moved.append(way)
        self._decks[deck] += len(cards)
        self.emit(happened.CardsMoved(tuple(moved)))

    async def _show(self, cards: Sequence[Card], seers: Seers) -> None:
        handles = tuple(card.handle for card in cards)
        (result,) = await _vault(Show(handles, self._named(seers)))
        for card, dealt in zip(cards, result.cards, strict=True):
            card.face = dealt.face

    def _shown(self, card: Card, seers: Seers) -> happened.CardShown:
        return happened.CardShown(
            card.handle, card.place, card.face, seers, self.traced(card)
        )

    def _named(self, seers: Seers) -> tuple[int, ...]:
        if seers == EVERYONE:
            return ALL_SEATS
        return seats_among(seers, len(self.seats))

    def _rename(self, card: Card, handle: str) -> None:
        del self._handles[card.handle]
        card.handle = handle
        self._handles[handle] = card

    def _strip(self, handle: str) -> None:
        """Markers fall off a card that leaves the table; its move tells as much."""
        for key in [key for key in self.markers if key[1] == handle]:
            del self.markers[key]


def _target(on: Card | Place | int | None) -> str:
    if on is None:
        return ""
    if isinstance(on, Card):
        return on.handle
    return on.id if isinstance(on, Place) else f"seat:{on}"
