"""All services in one process, each on a socket of its own: `python -m services`.

For tests, and for a debugger that wants one process to step through. It is told what
the vault is told (`ANPAI_REDIS_URL`, `ANPAI_KEYS`, `ANPAI_MASTER_KEY`), takes free
ports, and prints where everything is as one line of JSON. Its services still call each
other by gRPC alone.

`python -m services --new-keys FOLDER` makes what services are given to run apart: a
folder of keys for each, and the vault's master key. What exists is kept.
`--rotate-key FOLDER SERVICE` gives a service a new signing key while all of them run,
`--forget-old-keys FOLDER SERVICE`, a day later, takes its old ones away.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from services.chassis.config import (
    ConfigError,
    EngineConfig,
    MatchmakingConfig,
    VaultConfig,
    load,
)
from services.chassis.keys import forget_old_keys, make_key_folders, rotate_key
from services.chassis.server import Running, asked_to_stop, leave, start
from services.chassis.stores import StoreUnreachable
from services.chassis.telemetry import log_stray, set_up_logs
from services.engine.service import bind as bind_engine
from services.matchmaking.binding import bind as bind_matchmaking
from services.vault.sealing import make_master_key
from services.vault.service import bind as bind_vault

ANY_PORT = "127.0.0.1:0"


@dataclass(frozen=True, slots=True)
class House:
    """Every service, running."""

    vault: Running
    engines: tuple[Running, ...]
    matchmaking: Running

    @property
    def all(self) -> tuple[Running, ...]:
        return (self.vault, *self.engines, self.matchmaking)


@asynccontextmanager
async def house(
    redis_url: str, keys: Path, master_key: bytes, workers: int = 2, **more: Any
) -> AsyncIterator[House]:
    """Start everything; on leaving, those who call stop before those who are called.

    `more` is set for every service."""
    common: dict[str, Any] = {
        "listen": ANY_PORT,
        "metrics_listen": ANY_PORT,
        "redis_url": redis_url,
        "keys": keys,
        **more,
    }
    async with AsyncExitStack() as stack:

        async def begin(name: str, config: Any, bind: Any) -> Running:
            running = await start(name, config, bind)
            stack.push_async_callback(running.stop)
            return running

        vault_told = VaultConfig(**common, master_key=master_key)
        vault = await begin("vault", vault_told, bind_vault)
        engine_told = partial(EngineConfig, **common, vault=vault.address)
        engines = [
            await begin("engine", engine_told(worker=f"engine-{number}"), bind_engine)
            for number in range(1, workers + 1)
        ]
        addresses = tuple(engine.address for engine in engines)
        told = MatchmakingConfig(**common, engines=addresses, audit=vault.address)
        matchmaking = await begin("matchmaking", told, bind_matchmaking)
        yield House(vault, tuple(engines), matchmaking)


async def serve(config: VaultConfig) -> None:
    """Serve until SIGTERM or SIGINT."""
    asyncio.get_running_loop().set_exception_handler(log_stray)
    asked = asked_to_stop()
    async with house(config.redis_url, config.keys, config.master_key) as running:
        print(json.dumps(addresses_of(running)), flush=True)
        await asked.wait()


def addresses_of(running: House) -> dict[str, Any]:
    return {
        "matchmaking": running.matchmaking.address,
        "engines": [engine.address for engine in running.engines],
        "audit": running.vault.address,
        "metrics": [service.metrics_address for service in running.all],
    }


def main(arguments: list[str]) -> None:
    """Ends with 0 when done or stopped, 2 for a bad setting, 1 without a store."""
    match arguments:
        case []:
            run()
        case ["--new-keys", folder]:
            new_keys(Path(folder))
        case ["--rotate-key", folder, service]:
            done(rotate_key, folder, service)
        case ["--forget-old-keys", folder, service]:
            done(forget_old_keys, folder, service)
        case _:
            leave(2, (__doc__ or "").strip())


def new_keys(folder: Path) -> None:
    make_key_folders(folder)
    make_master_key(folder / "vault" / "master.key")


def done(does: Callable[[Path, str], object], folder: str, service: str) -> None:
    """Do it, and say what it gave."""
    try:
        print(does(Path(folder), service))
    except (ConfigError, OSError) as error:
        leave(2, f"anpai: {error}")


def run() -> None:
    try:
        config = load(VaultConfig)
        set_up_logs(config.log, config.log_level)
        asyncio.run(serve(config))
    except ConfigError as error:
        leave(2, f"anpai: {error}")
    except StoreUnreachable as error:
        leave(1, f"anpai: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
