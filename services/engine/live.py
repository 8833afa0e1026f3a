"""One live table: a task of its own that takes what comes in, one thing at a time.

(The interface first; the protocol behind it lands next.)
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from services.chassis.errors import AnpaiError
from services.engine.kernel.entry import Entry
from services.engine.kernel.event import Event
from services.engine.kernel.game import Game
from services.engine.kernel.play import Play


@dataclass(frozen=True, slots=True)
class Assigned:
    """Who is meant to sit at a seat."""

    player: str
    name: str
    bot: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """The table that somebody wants opened; `request_id` makes it repeatable."""

    request_id: str
    game: str
    variant: str
    seats: tuple[Assigned, ...]
    timed: bool = True


class OwnedElsewhere(AnpaiError):
    """TABLE_MOVING: another worker's lease lives; `address` is where to forward to."""

    def __init__(self, table_id: str, address: str) -> None:
        super().__init__(
            "TABLE_MOVING",
            "The table is with another worker; resume from the last revision seen.",
            retry_after=0.2,
            table=table_id,
        )
        self.address = address


@dataclass(frozen=True, slots=True)
class Works:
    """What every table of a worker works with: `journal`, `chance`, `leases`,
    `deadlines` are ports (see journal.py, chance.py, lease.py, deadlines.py).

    `games` maps (name, rules version) to a game; `now` is wall milliseconds.
    """

    journal: Any
    chance: Any
    leases: Any
    deadlines: Any
    games: Mapping[tuple[str, str], Game]
    now: Callable[[], int]


Shown = Callable[["LiveTable", Entry, int, Sequence[Event]], None]


class LiveTable:
    """A table this worker owns.

    `shown(table, entry, first_revision, events)` is called after an entry's commit, and
    never before; `events` may be empty. `lost(table)` is called once when the lease can
    not be kept: streams end, and every later call raises TABLE_MOVING or OwnedElsewhere
    until the table is opened anew with `reopen`.
    """

    table_id: str
    play: Play  # read it only right after `settled()`, before your next await
    revision: int  # what may be shown: committed
    assigned: tuple[Assigned, ...]  # the seat table: who may sit where
    commitment: str
    shown: Shown
    lost: Callable[["LiveTable"], None]

    async def take_seat(self, player_id: str, nonce: bytes) -> int:
        """The number of the seat. NOT_SEATED."""
        raise NotImplementedError

    async def answer(
        self, seat: int, question_id: str, answer_id: str, choice: tuple[str, ...]
    ) -> int:
        """The revision after it. See the contract for what it raises."""
        raise NotImplementedError

    async def concede(self, seat: int) -> int:
        """The revision after it."""
        raise NotImplementedError

    async def time_out(self, at_ms: int) -> None:
        """Serve what is due at `at_ms`, judged against the journal; idempotent.

        DEFAULT for seats past their deadline, SETTLE for what was held, ABANDON for a
        table nobody came to, and what a crash left undone (START, disclosure). Re-scores
        the table's entry in the sorted set.
        """
        raise NotImplementedError

    async def abandon(self) -> None:
        """End the table without a winner."""
        raise NotImplementedError

    async def settled(self) -> None:
        """Wait until no answer is being worked on. Raises the reason of a stopped
        table. Until the caller's next await nothing moves."""
        raise NotImplementedError

    async def close(self, hand_over: bool) -> None:
        """Finish what runs, accept nothing more; `hand_over` gives the lease up."""
        raise NotImplementedError


async def open_table(works: Works, wanted: Wanted) -> tuple[str, str, str]:
    """Open, or find what the same request opened: (table_id, commitment, address)."""
    raise NotImplementedError


async def reopen(
    works: Works,
    table_id: str,
    shown: Shown,
    lost: Callable[[LiveTable], None],
    remembered: LiveTable | None = None,
) -> LiveTable:
    """Take a table over and replay it. TABLE_NOT_FOUND, OwnedElsewhere, a flag's reason.

    `remembered` is this worker's own former LiveTable of that table, if it still has it:
    what it has shown is put back where the store has lost it.
    """
    raise NotImplementedError


Closing = Awaitable[None]
