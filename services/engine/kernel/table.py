"""The table: seats, places, cards, counters, markers, and the verbs that change them.

Rules hold one `Table` and change it through its verbs alone; a verb emits one event.
Verbs that need the vault are awaited. Nothing here reads a clock, a network or chance.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from types import coroutine
from typing import Any

from services.engine.kernel import event as happened
from services.engine.kernel.ask import Asking, Default, Question, T, choose
from services.engine.kernel.chance import (
    Build,
    Conceal,
    Dealt,
    Draw,
    Find,
    Mix,
    Operation,
    Pick,
    Results,
    Roll,
    Show,
    Shuffle,
    Stack,
)
from services.engine.kernel.lying import Lying, Way, target_of
from services.engine.kernel.places import Card, Place
from services.engine.kernel.sight import (
    EVERYONE,
    NO_ONE,
    Seers,
    Who,
    only,
)

Answers = dict[int, tuple[Any, ...]]


@coroutine
def _done(operations: Sequence[Operation]) -> Generator[Any, Results, Results]:
    """Stop until the vault has done these, all in one batch."""
    return (yield operations)


@coroutine
def _seats(asking: Asking) -> Generator[Asking, Answers, Answers]:
    """Stop until the asked seats have answered."""
    return (yield asking)


class Table(Lying):
    """One play of a game, as the rules see it: read it, and change it by its verbs."""

    # -- chance -------------------------------------------------------------------

    async def build(self, deck: Place, faces: Sequence[str]) -> None:
        """Make a deck of these faces and shuffle it; the place must have no cards."""
        self.spend_cards(len(faces))
        self._untold.append(Build(deck.id, tuple(faces)))
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
                seers = self.would_see(to, face_up, None)
                operations.append(Draw(deck.id, count, self.named(seers)))
                drawn.append((to, face_up))
        if not operations:
            return []
        results = await self._vault(*operations)
        return self._put_drawn(deck, drawn, results)

    async def find(
        self,
        deck: Place,
        faces: Mapping[str, Place],
        count: int | None = None,
        *,
        bringer: int | None = None,
    ) -> list[Card]:
        """Take the cards with these faces out of a deck, up to `count`, from the top.

        Each goes to its face's place, as one event; the places are alike in sight. Who
        searched a deck has seen its order: shuffle it.
        """
        if not faces:
            return []
        number = self._decks[deck] if count is None else count
        some = next(iter(faces.values()))
        up = self.sight(some).who is Who.ALL
        seats = self.named(self.would_see(some, up, bringer))
        (result,) = await self._vault(Find(deck.id, tuple(faces), number, seats))
        found = [
            self.enter(dealt, deck, faces[str(dealt.face)], up, bringer)
            for dealt in result.cards
        ]
        if found:
            ways = tuple([self.drawn(card, deck) for card in found])
            self.emit(happened.CardsMoved(ways))
        return found

    async def shuffle(self, deck: Place, cards: Iterable[Card] = ()) -> None:
        """Shuffle a deck, first putting these cards into it."""
        cards = tuple(cards)
        await self._vault(Shuffle(deck.id, handles_of(cards)))
        self._into_deck(deck, cards)
        self.emit(happened.DeckShuffled(deck, self._decks[deck]))

    async def stack(
        self, deck: Place, cards: Iterable[Card], *, under: bool = False
    ) -> None:
        """Lay cards on a deck, or under it; the first one comes to lie outermost."""
        cards = tuple(cards)
        await self._vault(Stack(deck.id, handles_of(cards), under))
        self._into_deck(deck, cards)

    async def mix(self, place: Place) -> None:
        """Mix the cards of a place, face down, so that which is which is lost."""
        cards = self._places.get(place, [])
        handles = handles_of(cards)
        (result,) = await self._vault(Mix(handles, ()))
        for card, dealt in zip(cards, result.cards, strict=True):
            self.strip(card.handle)
            self.rename(card, dealt.handle)
            card.face, card.face_up, card.bringer = None, False, None
            card.granted = card.seers = NO_ONE
        self.emit(happened.CardsMixed(place, handles, handles_of(cards)))

    async def roll(self, name: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Throw dice for everyone to see; sides count from 1."""
        (result,) = await self._vault(Roll(sides, count))
        self.emit(happened.Rolled(name, sides, result.numbers))
        return result.numbers

    async def pick(self, among: Sequence[T], count: int = 1) -> list[T]:
        """Some of these by lot; shows nothing by itself. Their order must be public."""
        (result,) = await self._vault(Pick(len(among), min(count, len(among))))
        return [among[index] for index in result.numbers]

    async def lot(self, seats: Sequence[int]) -> int:
        """One of these seats by lot."""
        (result,) = await self._vault(Pick(len(seats), 1))
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
        """Move cards, each to its own place, as one event. Into a deck: `stack`."""
        if not ways:
            return
        plans = [self.plan(card, to, up, bringer) for card, to in ways]
        names = await self._named_anew(plans)
        moved = [self.put(plan, bringer, names) for plan in plans]
        self.emit(happened.CardsMoved(tuple(moved)))

    async def turn_up(self, *cards: Card) -> None:
        """Turn cards up where they lie, for everyone."""
        await self._show(cards, EVERYONE)
        shown = []
        for card in cards:
            card.face_up, card.seers = True, EVERYONE
            shown.append(self.shown(card, EVERYONE))
        self.emit(happened.CardsTurnedUp(tuple(shown)))

    async def peek(self, seat: int, *cards: Card) -> None:
        """Let one seat see cards. In a hand it is one look; on the table it lasts."""
        await self._show(cards, only(seat))
        shown = [self.shown(card, only(seat)) for card in cards]
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
            self.must_be_told_apart(name, on)
        if self.markers.get((name, target_of(on))) != value:
            self.markers[name, target_of(on)] = value
            self.emit(happened.MarkerPut(name, target_of(on), value))

    def mark_all(self, name: str, values: Mapping[Card, str]) -> None:
        """Lay a marker on each of these cards; one event tells what is new."""
        marks = []
        for card, value in values.items():
            self.must_be_told_apart(name, card)
            if self.markers.get((name, card.handle)) != value:
                self.markers[name, card.handle] = value
                marks.append((card.handle, value))
        if marks:
            self.emit(happened.MarkersPut(name, tuple(marks)))

    def unmark(self, name: str, on: Card | Place | int | None = None) -> None:
        """Take a marker away; nothing happens where there is none."""
        if self.markers.pop((name, target_of(on)), None) is not None:
            self.emit(happened.MarkerTaken(name, target_of(on)))

    def hand_on(self, name: str, to: int | None) -> None:
        """A marker that lies on one seat at most goes to another, or away."""
        for seat in self.seats:
            if seat != to:
                self.unmark(name, seat)
        if to is not None:
            self.mark(name, to)

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
            self.must_be_told_apart(name, card)
        self.emit(
            happened.Declared(
                name,
                seat,
                handles_of(cards),
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

    async def _vault(self, *operations: Operation) -> Results:
        """What these give.

        A deck that is built, and a face shown that is known at the table, give nothing
        that anybody would have to wait for: of these the vault is told (`_untold`) with
        what it is asked next, and of the last in a game never.
        """
        untold, self._untold = self._untold, []
        results = await _done((*untold, *operations))
        return results[len(untold) :]

    async def _named_anew(self, plans: Sequence[Way]) -> Mapping[str, Dealt]:
        """Let the vault show and hide, all in one batch; what it tells, by handle."""
        groups: dict[tuple[bool, Seers], list[Card]] = {}
        for plan in plans:
            if plan.hides or plan.shows:
                groups.setdefault((plan.hides, plan.seers), []).append(plan.card)
        operations = [
            (Conceal if hides else Show)(handles_of(cards), self.named(seers))
            for (hides, seers), cards in groups.items()
        ]
        if not any(plan.hides or (plan.shows and is_news(plan.card)) for plan in plans):
            self._untold += operations
            return {}
        results = await self._vault(*operations)
        return {
            card.handle: dealt
            for cards, result in zip(groups.values(), results, strict=True)
            for card, dealt in zip(cards, result.cards, strict=True)
        }

    def _put_drawn(
        self, deck: Place, drawn: Sequence[tuple[Place, bool]], results: Results
    ) -> list[Card]:
        cards = [
            self.enter(dealt, deck, to, up)
            for (to, up), result in zip(drawn, results, strict=True)
            for dealt in result.cards
        ]
        ways = tuple([self.drawn(card, deck) for card in cards])
        self.emit(happened.CardsMoved(ways))
        return cards

    def _into_deck(self, deck: Place, cards: Sequence[Card]) -> None:
        if cards:
            ways = tuple([self.leave(card, deck) for card in cards])
            self.emit(happened.CardsMoved(ways))

    async def _show(self, cards: Sequence[Card], seers: Seers) -> None:
        """Let these see the cards."""
        show = Show(handles_of(cards), self.named(seers))
        if not any(map(is_news, cards)):
            self._untold.append(show)
            return
        (result,) = await self._vault(show)
        for card, dealt in zip(cards, result.cards, strict=True):
            card.face = dealt.face


def handles_of(cards: Iterable[Card]) -> tuple[str, ...]:
    """What the vault knows them by."""
    return tuple([card.handle for card in cards])


def is_news(card: Card) -> bool:
    """Whether the vault alone can tell this card's face."""
    return card.face is None
