"""What seats say to each other: sent to whoever may hear it, and soon forgotten.

It is no event of the game: it is in no journal, changes no revision, and is not in the
disclosure. The store keeps the last of it for a while, so that whoever resumes hears
what was said meanwhile, through whichever worker.
"""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from services.chassis.errors import AnpaiError
from services.chassis.stores import Store
from services.engine import scripts

KEPT = 50
KEPT_SECONDS = 3600
MOST = 5  # things said by one seat within the window
WINDOW_MS = 10_000


class Said(NamedTuple):
    """Something a seat said; to its team alone, if there is one, else to the table.

    Numbers rise, and are made from the time: those in between tell nothing.
    """

    number: int
    seat: int
    team: int | None
    text: str


class Sayings(Protocol):
    """Every call may raise `StoreUnavailable`: then it has happened, or it has not."""

    async def say(
        self, table_id: str, seat: int, team: int | None, text: str, request_id: str
    ) -> tuple[int, bool]:
        """Its number, and whether this is the first time; TOO_MANY."""

    async def kept(self, table_id: str) -> list[Said]:
        """The last things said, in order."""


class StoredSayings:
    """A stream in Redis for each table where anything was said of late."""

    def __init__(self, store: Store) -> None:
        self._call = store.pipeline.call

    async def say(
        self, table_id: str, seat: int, team: int | None, text: str, request_id: str
    ) -> tuple[int, bool]:
        to = "" if team is None else team
        args = (seat, to, text, request_id, KEPT, KEPT_SECONDS, MOST, WINDOW_MS)
        kind, number = await self._call(scripts.SAY, (key(table_id),), args)
        if kind == b"many":
            raise too_many(int(number))
        return int(number), kind == b"said"

    async def kept(self, table_id: str) -> list[Said]:
        found = await self._call(scripts.SAID, (key(table_id),), ())
        return [said_in(name, told) for name, told in found]


class Talk:
    """What was said at one table that lives here."""

    def __init__(self, table_id: str, sayings: Sayings) -> None:
        self._table_id = table_id
        self._sayings = sayings
        self._known: deque[Said] | None = None

    async def say(
        self, seat: int, team: int | None, text: str, request_id: str
    ) -> tuple[Said, bool]:
        """What was said, and whether for the first time; TOO_MANY."""
        known = await self._kept()
        number, is_new = await self._sayings.say(
            self._table_id, seat, team, text, request_id
        )
        said = Said(number, seat, team, text)
        if is_new:
            known.append(said)
        return said, is_new

    async def after(self, number: int) -> Sequence[Said]:
        """What was said after that, as far as it is kept."""
        return [said for said in await self._kept() if said.number > number]

    async def _kept(self) -> deque[Said]:
        """From the store once: from then on all of it comes by here."""
        if self._known is None:
            kept = await self._sayings.kept(self._table_id)
            self._known = self._known or deque(kept, KEPT)
        return self._known


def key(table_id: str) -> str:
    return f"engine:{{{table_id}}}:said"


def said_in(name: bytes, told: Sequence[bytes]) -> Said:
    fields = dict(zip(told[::2], told[1::2], strict=True))
    return Said(
        number=int(name.partition(b"-")[0]),
        seat=int(fields[b"s"]),
        team=int(fields[b"t"]) if fields[b"t"] else None,
        text=fields[b"w"].decode(),
    )


def too_many(wait_ms: int) -> AnpaiError:
    return AnpaiError(
        "TOO_MANY",
        "That is a lot said in a short time; wait a little.",
        retry_after=max(1, wait_ms) / 1000,
        limit="words",
    )
