"""`python -m clients.bots.host`: plays the seats that matchmaking calls for.

Told by the environment: ANPAI_SERVER (matchmaking, host:port), ANPAI_KEYS (the folder
with bots.key), ANPAI_CAPACITY (seats at once), ANPAI_THINK (seconds before each
answer), ANPAI_ADDRESS_FILE (written once it offers seats).
"""

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import structlog

from anpai import AnpaiError, BotCall, Hosting, House, connect
from clients.bots.credential import Credential
from clients.bots.mind import Mind
from clients.bots.playing import Tally, play_seat, reason_of
from clients.bots.strategies import strategy_named
from clients.bots.strategy import Faces, faces_of

log = structlog.get_logger()

THINKERS = 4
PATIENCE = 300.0


@dataclass(frozen=True, slots=True)
class Config:
    """What a bot host is told."""

    server: str
    keys: Path
    capacity: int = 200
    think: float = 0.0
    address_file: Path | None = None


def config_from(environ: Mapping[str, str]) -> Config:
    """Raises ValueError, with a sentence for the operator."""
    told = {name: value for name, value in environ.items() if value}
    if "ANPAI_KEYS" not in told:
        raise ValueError("ANPAI_KEYS is not set: the folder with bots.key.")
    address_file = told.get("ANPAI_ADDRESS_FILE")
    return Config(
        told.get("ANPAI_SERVER", "127.0.0.1:8400"),
        Path(told["ANPAI_KEYS"]),
        _number(told, "ANPAI_CAPACITY", 200),
        _number(told, "ANPAI_THINK_MS", 0) / 1000,
        Path(address_file) if address_file else None,
    )


def _number(told: Mapping[str, str], name: str, usual: int) -> int:
    text = told.get(name, str(usual))
    if not text.isdecimal():
        raise ValueError(f'{name} must be a whole number, not "{text}".')
    return int(text)


class Host:
    """Takes calls on and plays their seats, each a task of its own."""

    def __init__(self, config: Config, house: House) -> None:
        self.tally = Tally()
        self._config = config
        self._house = house
        self._faces: dict[str, Faces] = {}
        self._playing: set[asyncio.Task[None]] = set()
        self._pool = ThreadPoolExecutor(THINKERS, "thinker")

    async def run(self) -> None:
        """For ever; cancel it to stop."""
        try:
            games = await self._learn_games()
            desk = self._house.as_player(Credential(self._config.keys))
            hosting = desk.host(games, capacity=self._config.capacity)
            self._say_ready(games)
            async for call in hosting:
                self._take(hosting, call)
        finally:
            await self._stop()

    async def _learn_games(self) -> list[str]:
        games = [game.name for game in await self._house.games()]
        for game in games:
            self._faces[game] = faces_of(await self._house.catalog(game))
        return games

    def _say_ready(self, games: list[str]) -> None:
        log.info("offering seats", server=self._config.server, games=games)
        if self._config.address_file is not None:
            told = json.dumps({"server": self._config.server, "games": games})
            self._config.address_file.write_text(told)

    def _take(self, hosting: Hosting, call: BotCall) -> None:
        """Beyond what we offered a call is left to others."""
        if hosting.free <= 0 or call.assignment.game not in self._faces:
            return
        hosting.take(call)
        task = asyncio.create_task(self._play(hosting, call))
        self._playing.add(task)
        task.add_done_callback(self._playing.discard)

    async def _play(self, hosting: Hosting, call: BotCall) -> None:
        seat, table = call.assignment, call.assignment.table_id
        strategy, faces = strategy_named(call.strategy), self._faces[seat.game]
        mind = Mind(strategy, faces, random.Random(), self._pool)
        player = self._house.as_player(call.token)
        log.info("seat taken", table=table, seat=seat.seat, playing=len(self._playing))
        try:
            await play_seat(player, seat, mind, self.tally, self._config.think)
        except AnpaiError as error:
            self.tally.errors[reason_of(error)] += 1
            log.warning("seat left", table=table, seat=seat.seat, why=reason_of(error))
        else:
            log.info("seat done", table=table, seat=seat.seat)
        finally:
            hosting.release()

    async def _stop(self) -> None:
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        self._pool.shutdown(wait=False, cancel_futures=True)


async def serve(config: Config) -> None:
    """Until SIGINT or SIGTERM."""
    running = asyncio.current_task()
    assert running is not None
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, running.cancel)
    async with connect(config.server, patience=PATIENCE) as house:
        with contextlib.suppress(asyncio.CancelledError):
            await Host(config, house).run()
    log.info("stopped")


def main() -> int:
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    try:
        asyncio.run(serve(config_from(os.environ)))
    except (ValueError, OSError) as error:
        print(f"bots: {error}", file=sys.stderr)
        return 2
    except AnpaiError as error:
        print(f"bots: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
