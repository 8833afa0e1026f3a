"""A ticket and its life: QUEUED → RESERVED → ASSIGNED → CLOSED. Pure.

Every step makes a new ticket of the next version; the store keeps it only in the place
of the version it was made from.
"""

from dataclasses import dataclass, replace
from enum import StrEnum


class State(StrEnum):
    QUEUED = "QUEUED"
    RESERVED = "RESERVED"
    ASSIGNED = "ASSIGNED"
    CLOSED = "CLOSED"


STEPS = {
    State.QUEUED: {State.RESERVED, State.CLOSED},
    State.RESERVED: {State.QUEUED, State.ASSIGNED, State.CLOSED},
    State.ASSIGNED: {State.CLOSED},
    State.CLOSED: frozenset[State](),
}


@dataclass(frozen=True, slots=True)
class Wish:
    """What a player wants to play. Tickets whose wishes are equal play together."""

    game: str
    variant: str
    seats: int
    bots: int = 0
    room: str = ""
    strategy: str = ""

    @property
    def people(self) -> int:
        """How many tickets make a table."""
        return self.seats - self.bots

    @property
    def pool(self) -> str:
        """Names the queue of all equal wishes."""
        counts = f"{self.game}/{self.seats}/{self.bots}"
        return f"{counts}/{self.variant}/{self.strategy}/{self.room}"


def game_of(pool: str) -> str:
    return pool.partition("/")[0]


def people_of(pool: str) -> int:
    _, seats, bots, _ = pool.split("/", 3)
    return int(seats) - int(bots)


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


@dataclass(frozen=True, slots=True)
class Lease:
    """A reservation: `id` fences it off from any other, `mates` are all its tickets."""

    id: str
    until_ms: int
    mates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ticket:
    """`nonce` tells it from an earlier ticket of the same id: see `ticket_id`.

    `bot`: the player has said that a program plays.
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

    @property
    def is_open(self) -> bool:
        return self.state in (State.QUEUED, State.RESERVED)

    @property
    def due_ms(self) -> int | None:
        """When time alone changes it; None for never."""
        if self.lease is not None:
            return self.lease.until_ms
        return self.fresh_until_ms if self.is_open else None

    def is_held_by(self, lease: str) -> bool:
        return self.lease is not None and self.lease.id == lease

    def reserved(self, lease: Lease) -> "Ticket":
        return self._next(State.RESERVED, lease=lease)

    def released(self) -> "Ticket":
        """Back in the queue at its old place."""
        return self._next(State.QUEUED)

    def assigned(self, assignment: Assignment) -> "Ticket":
        return self._next(State.ASSIGNED, assignment=assignment)

    def closed(self, because: str) -> "Ticket":
        return self._next(State.CLOSED, because=because)

    def at(self, now_ms: int) -> "Ticket":
        """What time has made of it: a lease runs out, and so does patience."""
        if self.due_ms is None or now_ms < self.due_ms:
            return self
        if self.state is State.RESERVED:
            return self.released()
        return self.closed("expired")

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
