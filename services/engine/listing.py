"""Which tables there are, for operators: as their journals say, whoever has them.

Every table with anything left to be done stands in the set of deadlines, and those that
were stopped in a list of their own: no third list has to be kept in step.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from services.chassis.stores import Store
from services.engine import scripts
from services.engine.deadlines import KEY as DEADLINES
from services.engine.kernel.entry import Entry, EntryKind
from services.engine.news import STOPPED_LIST
from services.engine.opening import opening_in, rated_in

AT_ONCE = 100
LOOKED_AT = 2_000  # so many for one page, however few of them are wanted
ENTRIES = 500


class State(StrEnum):
    """How far a table is."""

    GATHERING = "gathering"
    PLAYING = "playing"
    OVER = "over"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Line:
    """A table in a list; `worker` is empty where it is in nobody's memory, `stopped`
    where it was not."""

    table: str
    game: str
    variant: str
    state: State
    stopped: str
    seats: int
    entries: int
    opened_ms: int
    moved_ms: int
    worker: str
    rated: bool


@dataclass(frozen=True, slots=True)
class Page:
    """`next` is what to go on behind; empty at the end."""

    lines: tuple[Line, ...]
    next: str


Wanted = Callable[[Line], bool]


class Listing:
    """Reads what the engines' store says of tables."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def page(self, after: str, limit: int, wanted: Wanted) -> Page:
        """By id. Every call may raise StoreUnavailable."""
        ids = [one for one in await self._ids() if one > after]
        found: list[Line] = []
        looked = 0
        while looked < min(len(ids), LOOKED_AT) and len(found) < limit:
            few = ids[looked : looked + AT_ONCE]
            looked += len(few)
            found += filter(wanted, await self._lines(few))
        if len(found) > limit:
            return Page(tuple(found[:limit]), found[limit - 1].table)
        return Page(tuple(found), ids[looked - 1] if looked < len(ids) else "")

    async def line(self, table_id: str) -> Line | None:
        """None where no table has this id."""
        told = await self._store.pipeline.call(scripts.LINE, keys_of(table_id), ())
        return line_of(table_id, *told) if told else None

    async def journal(self, table_id: str, after: int) -> list[bytes]:
        """The next entries of any table, as they are kept."""
        args = (after + 1, after + ENTRIES, ENTRIES)
        entries: list[bytes] = await self._store.pipeline.call(
            scripts.READ, keys_of(table_id), args
        )
        return entries

    async def _lines(self, ids: Iterable[str]) -> list[Line]:
        lines = await asyncio.gather(*map(self.line, ids))
        return [line for line in lines if line is not None]

    async def _ids(self) -> list[str]:
        lists = await asyncio.gather(
            *(
                self._store.reading.call(scripts.TABLES, (key,), ())
                for key in (DEADLINES, STOPPED_LIST)
            )
        )
        return sorted({id.decode() for ids in lists for id in ids})


def keys_of(table_id: str) -> tuple[str, str]:
    return f"engine:{{{table_id}}}:state", f"engine:{{{table_id}}}:journal"


def line_of(
    table_id: str, position: int, worker: bytes, flag: bytes, first: bytes, last: bytes
) -> Line:
    begun, end, stopped = Entry.read(first), Entry.read(last), flag.decode()
    opening = opening_in(begun)
    return Line(
        table=table_id,
        game=opening.game,
        variant=opening.variant,
        state=State.STOPPED if stopped else state_after(end),
        stopped=stopped,
        seats=opening.seats,
        entries=position,
        opened_ms=begun.at,
        moved_ms=end.at,
        worker=worker.decode(),
        rated=rated_in(begun),
    )


def state_after(entry: Entry) -> State:
    if entry.outcome is not None:
        return State.OVER
    is_begun = entry.kind not in (EntryKind.OPEN, EntryKind.SEAT)
    return State.PLAYING if is_begun else State.GATHERING
