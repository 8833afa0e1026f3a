"""From an old master key to a new one, while tables are in play.

Only the tables' data keys are wrapped by it, so that nothing else is touched. A table
is changed by one script, and only if its wrapped key is still the one that was read.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from services.chassis.config import VaultConfig
from services.chassis.stores import Store, open_store
from services.chassis.telemetry import fresh_metrics
from services.vault import scripts
from services.vault.faces import PROBE_KEY, key_of
from services.vault.sealing import Broken, HeldMasterKey, new_data_key

PREFIX, ENDING = "vault:{", "}:about"


@dataclass(frozen=True, slots=True)
class Rewrapped:
    """How many tables there are, how many were wrapped anew, and how many none of the
    keys opens: those stay lost, and while there are any the old key is not let go."""

    tables: int
    anew: int
    lost: int

    def __str__(self) -> str:
        return f"tables {self.tables}, wrapped anew {self.anew}, lost {self.lost}"


async def rewrap_all(config: VaultConfig) -> Rewrapped:
    """Every table's key, and last of all what proves the master key at a start."""
    store = await open_store(config.redis_url, fresh_metrics())
    try:
        master = HeldMasterKey(config.master_key, *config.old_master_keys)
        return await Rewrapping(store, master).run()
    finally:
        await store.close()


class Rewrapping:
    """May be run again at any time."""

    def __init__(self, store: Store, master: HeldMasterKey) -> None:
        self._store = store
        self._master = master

    async def run(self) -> Rewrapped:
        tables = anew = lost = 0
        async for table in self._tables():
            tables += 1
            try:
                anew += await self._rewrap(table)
            except Broken:
                lost += 1
        if not lost:
            await self._rewrap_probe()
        return Rewrapped(tables, anew, lost)

    async def _tables(self) -> AsyncIterator[str]:
        async for key in self._store.redis.scan_iter(match=f"{PREFIX}*{ENDING}"):
            yield key.decode()[len(PREFIX) : -len(ENDING)]

    async def _rewrap(self, table: str) -> bool:
        about = key_of(table, "about")
        wrapped = await self._store.pipeline.call(scripts.WRAPPED, [about])
        if wrapped is None or self._master.is_present(wrapped):
            return False
        key = await self._master.unwrap(table, wrapped)
        args = [wrapped, await self._master.wrap(table, key)]
        return bool(await self._store.pipeline.call(scripts.REWRAP, [about], args))

    async def _rewrap_probe(self) -> None:
        """From now on a vault that has the new key alone may start."""
        mine = await self._master.wrap("probe", new_data_key())
        await self._store.pipeline.call(scripts.NEW_PROBE, [PROBE_KEY], [mine])
