"""When each table's next time runs out: one entry per table in a sorted set.

An entry is armed before the commit that needs it, never popped, re-scored after it was
served, and removed only when nothing is left to do at the table. So a worker may die
at any point, and another finds the entry.
"""

from typing import Protocol

from services.chassis.stores import Store
from services.engine import scripts

KEY = "engine:{workers}:deadlines"


class Deadlines(Protocol):
    """Times are wall milliseconds. Every call may raise `StoreUnavailable`."""

    async def arm(self, table_id: str, due: int, anew: bool = False) -> int:
        """Have the table served at `due`, or at the earlier time that stands: that.

        `anew`: a former owner may still be about to say what it has served. The time
        becomes another one, so that this changes nothing any more.
        """

    async def served(self, table_id: str, due: int, next_due: int | None) -> bool:
        """Re-score what was served at `due`; None: nothing is left to do at the table.

        False, and nothing changed, where another time stands there by now.
        """

    async def due(self, at: int, count: int) -> list[tuple[str, int]]:
        """Tables whose time has run out `at`, with that time, the longest first."""


class StoredDeadlines:
    """The sorted set in Redis."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def arm(self, table_id: str, due: int, anew: bool = False) -> int:
        args = (due, table_id, int(anew))
        return int(float(await self._store.pipeline.call(scripts.ARM, (KEY,), args)))

    async def served(self, table_id: str, due: int, next_due: int | None) -> bool:
        args = (table_id, due, "" if next_due is None else next_due)
        return bool(await self._store.pipeline.call(scripts.SERVED, (KEY,), args))

    async def due(self, at: int, count: int) -> list[tuple[str, int]]:
        found = await self._store.reading.call(scripts.DUE, (KEY,), (at, count))
        names, scores = found[::2], found[1::2]
        return [
            (name.decode(), int(float(score)))
            for name, score in zip(names, scores, strict=True)
        ]
