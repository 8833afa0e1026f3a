"""A ticket and its life: QUEUED → (ACCEPTING →) RESERVED → ASSIGNED → CLOSED. Pure.

Every step makes a new ticket of the next version; the store keeps it only in the place
of the version it was made from.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum


class State(StrEnum):
    QUEUED = "QUEUED"
    ACCEPTING = "ACCEPTING"
    RESERVED = "RESERVED"
    ASSIGNED = "ASSIGNED"
    CLOSED = "CLOSED"


OPEN = frozenset({State.QUEUED, State.ACCEPTING, State.RESERVED})

STEPS = {
    State.QUEUED: {State.ACCEPTING, State.RESERVED, State.CLOSED},
    State.ACCEPTING: {State.ACCEPTING, State.QUEUED, State.RESERVED, State.CLOSED},
    State.RESERVED: {State.QUEUED, State.ASSIGNED, State.CLOSED},
    State.ASSIGNED: {State.CLOSED},
    State.CLOSED: frozenset[State](),
}

# A player of whom nothing is known, on openskill's scale.
USUAL_RATING = 25.0


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be played. `bots` seats are bots' from the start.

    `also` are other numbers of seats that will do after a while, `bots_after_ms` is for
    how long to wait for people (None: for ever), `ready_check` asks whether everybody
    is still there when the seats are taken; `teams` has the team of every seat, and
    `chairs` the player that is to sit there, "" for a bot, where that is settled.
    `spectating` and `behind` say in a room who may look on, as the contract has it.
    """

    game: str
    variant: str
    seats: int
    bots: int = 0
    room: str = ""
    strategy: str = ""
    also: tuple[int, ...] = ()
    bots_after_ms: int | None = None
    ready_check: bool = False
    teams: tuple[int, ...] = ()
    chairs: tuple[str, ...] = ()
    spectating: int = 0
    behind: int = 0

    @property
    def people(self) -> int:
        """How many people make a table."""
        return self.seats - self.bots

    @property
    def pool(self) -> str:
        """Names the queue: its tickets want the same, each as flexibly as it does."""
        return f"{self.game}/{self.seats}/{self._apart}"

    @property
    def family(self) -> str:
        """Names the pools that differ in the number of seats alone."""
        return f"{self.game}/{self._apart}"

    @property
    def _apart(self) -> str:
        """How bots play is their own affair unless they are wanted from the start."""
        strategy = self.strategy if self.bots else ""
        return f"{self.bots}/{self.variant}/{strategy}/{self.room}"


def game_of(pool: str) -> str:
    return pool.partition("/")[0]


def family_of(pool: str) -> str:
    game, _, apart = pool.split("/", 2)
    return f"{game}/{apart}"


@dataclass(frozen=True, slots=True)
class Person:
    """One of those a ticket stands for. `bot`: has said that a program plays."""

    id: str
    name: str
    bot: bool = False


@dataclass(frozen=True, slots=True)
class Assignment:
    """A seat at a table, and where to find it."""

    table: str
    seat: int
    engine: str
    commitment: str
    game: str
    variant: str
    seats: int
    rated: bool = False


@dataclass(frozen=True, slots=True)
class Lease:
    """A reservation: `id` fences it off from any other, `mates` are all its tickets,
    `more_bots` take the places of people."""

    id: str
    until_ms: int
    mates: tuple[str, ...]
    more_bots: int = 0


@dataclass(frozen=True, slots=True)
class Ticket:
    """`nonce` tells it from an earlier ticket of the same id: see `ticket_id`.

    `player` made it; `others` come along, and `others_at` are their seats. `here` have
    said that they are there; asked again they need not be before `trusted_until_ms`.
    `takes_bots`: it has waited for people long enough, or one of them did not come.
    """

    id: str
    nonce: str
    player: str
    name: str
    wish: Wish
    created_ms: int
    fresh_until_ms: int
    version: int = 1
    state: State = State.QUEUED
    lease: Lease | None = None
    assignment: Assignment | None = None
    closed_because: str = ""
    bot: bool = False
    others: tuple[Person, ...] = ()
    others_at: tuple[int, ...] = ()
    party: str = ""
    rating: float = USUAL_RATING
    here: tuple[str, ...] = ()
    trusted_until_ms: int = 0
    takes_bots: bool = False

    @property
    def people(self) -> tuple[Person, ...]:
        return (Person(self.player, self.name, self.bot), *self.others)

    @property
    def players(self) -> tuple[str, ...]:
        return (self.player, *(each.id for each in self.others))

    @property
    def size(self) -> int:
        return 1 + len(self.others)

    @property
    def is_open(self) -> bool:
        return self.state in OPEN

    @property
    def due_ms(self) -> int | None:
        """When time alone changes it; None for never."""
        if self.lease is not None:
            return self.lease.until_ms
        return self.fresh_until_ms if self.is_open else None

    @property
    def is_here(self) -> bool:
        """Whether all of it have said that they are there."""
        return set(self.here) >= set(self.players)

    def is_held_by(self, lease: str) -> bool:
        return self.lease is not None and self.lease.id == lease

    def must_ask(self, now_ms: int) -> bool:
        """Whether its people are asked if they are there before a table is opened."""
        return self.wish.ready_check and now_ms >= self.trusted_until_ms

    def seat_of(self, player: str) -> Assignment | None:
        """Of one of its players, once it is assigned."""
        if self.assignment is None or player == self.player:
            return self.assignment
        seats = dict(zip(self.players[1:], self.others_at, strict=True))
        return replace(self.assignment, seat=seats[player])

    def asking(self, lease: Lease, now_ms: int) -> "Ticket":
        """Its programs, and those who need not be asked, are there."""
        asked = self.must_ask(now_ms)
        here = tuple(each.id for each in self.people if each.bot or not asked)
        return replace(self._next(State.ACCEPTING, lease=lease), here=here)

    def confirmed(self, player: str, trusted_until_ms: int) -> "Ticket":
        asked = self._next(State.ACCEPTING, lease=self.lease)
        answered = replace(asked, here=(*self.here, player))
        if not answered.is_here:
            return answered
        return replace(answered, trusted_until_ms=trusted_until_ms)

    def reserved(self, lease: Lease) -> "Ticket":
        return self._next(State.RESERVED, lease=lease)

    def released(self) -> "Ticket":
        """Back in the queue at its old place."""
        return replace(self._next(State.QUEUED), here=())

    def assigned(
        self, assignment: Assignment, others_at: Iterable[int] = ()
    ) -> "Ticket":
        seated = self._next(State.ASSIGNED, assignment=assignment)
        return replace(seated, others_at=tuple(others_at))

    def closed(self, because: str) -> "Ticket":
        return self._next(State.CLOSED, because=because)

    def at(self, now_ms: int) -> "Ticket":
        """What time has made of it: a lease runs out, and so does patience."""
        if self.due_ms is None or now_ms < self.due_ms:
            return self
        if self.state is State.RESERVED:
            return self.released()
        if self.state is State.ACCEPTING:
            return self._left_waiting() if self.is_here else self.closed("absent")
        return self.closed("expired")

    def _left_waiting(self) -> "Ticket":
        """Somebody else did not come; a bot will do if it ever would."""
        willing = self.wish.bots_after_ms is not None
        return replace(self.released(), takes_bots=self.takes_bots or willing)

    def _next(
        self,
        state: State,
        lease: Lease | None = None,
        assignment: Assignment | None = None,
        because: str = "",
    ) -> "Ticket":
        if state not in STEPS[self.state]:
            raise ValueError(f"no step from {self.state} to {state}")
        return replace(
            self,
            version=self.version + 1,
            state=state,
            lease=lease,
            assignment=assignment,
            closed_because=because,
        )
