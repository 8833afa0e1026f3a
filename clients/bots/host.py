"""`python -m clients.bots.host`: plays the seats that matchmaking calls for.

Told by the environment: ANPAI_SERVER (matchmaking, host:port, or grpcs://host:port),
ANPAI_TLS_CA (whom to trust then), ANPAI_TLS_CERT and ANPAI_TLS_KEY (what is shown to
operators, and to services that ask who calls), ANPAI_KEYS (the folder with bots.key),
ANPAI_ENGINES (where tables are played, for a host that lives behind the edge that
players are told of), ANPAI_CAPACITY (seats at once), ANPAI_THINK_MS (a pause before
each answer), ANPAI_METRICS_LISTEN (host:port on which operators read its numbers),
ANPAI_ADDRESS_FILE (written once it offers seats), ANPAI_SEATS_FILE (keeps the seats it
plays, to play them on after a restart).
"""

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

import structlog

from anpai import (
    AnpaiError,
    BotCall,
    Hosting,
    House,
    NotAllowed,
    TooMany,
    Unavailable,
    connect,
)
from clients.bots.config import Config, config_from
from clients.bots.credential import Credential
from clients.bots.mind import Mind
from clients.bots.notebook import Notebook
from clients.bots.numbers import tell_numbers, thoughts
from clients.bots.playing import Tally, play_seat, reason_of
from clients.bots.strategies import NEEDS, strategy_named
from clients.bots.strategy import Faces, faces_of

log = structlog.get_logger()

THINKERS = 4
PATIENCE = 60.0
PAUSE = 5.0
REMEMBERED = 1000  # seconds of answers
TURN = 1.0
STANDS_AFTER = 30.0


class Host:
    """Takes calls on and plays their seats, each a task of its own."""

    def __init__(self, config: Config, house: House) -> None:
        self.tally = Tally(seconds=deque(maxlen=REMEMBERED))
        self.thoughts = thoughts()
        self._turned = monotonic()
        self._config = config
        self._house = house
        self._notebook = Notebook(config.seats_file)
        self._faces: dict[str, Faces] = {}
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._minds: set[Mind] = set()
        self._fallbacks = 0
        self._pool = ThreadPoolExecutor(THINKERS, "thinker")

    @property
    def playing(self) -> int:
        """How many seats are being played."""
        return len(self._playing)

    @property
    def fallbacks(self) -> int:
        """How many answers were not the strategies', ever."""
        return self._fallbacks + sum(mind.fallbacks for mind in [*self._minds])

    @property
    def lives(self) -> bool:
        """Whether the loop has turned of late; where it has not, a restart helps."""
        return monotonic() - self._turned < STANDS_AFTER

    async def run(self) -> None:
        """For ever; cancel it to stop."""
        turning = asyncio.create_task(self._turn())
        try:
            games = await self._learn_games()
            desk = self._house.as_player(Credential(self._config.keys))
            hosting = desk.host(games, capacity=self._config.capacity)
            self._play_on(hosting)
            self._say_ready(games)
            async for call in hosting:
                if call.assignment.game in self._faces and hosting.take(call):
                    self._begin(hosting, call)
        finally:
            turning.cancel()
            await self._stop()

    async def _turn(self) -> None:
        while True:
            self._turned = monotonic()
            await asyncio.sleep(TURN)

    async def _learn_games(self) -> list[str]:
        games = [game.name for game in await self._house.games()]
        for game in games:
            self._faces[game] = faces_of(await self._house.catalog(game))
        return games

    def _say_ready(self, games: list[str]) -> None:
        told: dict[str, object] = {"server": self._config.server, "games": games}
        if self._config.metrics_listen is not None:
            told["metrics"] = tell_numbers(
                self, self._config.metrics_listen, self._config.certificate
            )
        log.info("offering seats", **told)
        if self._config.address_file is not None:
            self._config.address_file.write_text(json.dumps(told))

    def _play_on(self, hosting: Hosting) -> None:
        """The seats that were being played when this host last stopped."""
        for call in self._notebook.read():
            hosting.hold()
            self._begin(hosting, call)

    def _begin(self, hosting: Hosting, call: BotCall) -> None:
        """One whose confirmation was lost comes again, when it is played already."""
        if call.call_id in self._playing:
            hosting.release()
            return
        self._notebook.begin(call)
        task = asyncio.create_task(self._play(hosting, call))
        self._playing[call.call_id] = task
        task.add_done_callback(lambda _: self._playing.pop(call.call_id))

    async def _play(self, hosting: Hosting, call: BotCall) -> None:
        seat = call.assignment
        told = {"table": seat.table_id, "seat": seat.seat, "game": seat.game}
        log.info("seat taken", **told, playing=self.playing)
        try:
            await self._play_out(call)
        except NotAllowed:  # it stood in for somebody who is back
            log.info("seat given back", **told)
        except Exception as error:  # one seat's trouble is no other's
            self.tally.errors[reason_of(error)] += 1
            log.warning("seat left", **told, why=reason_of(error))
        else:
            log.info("seat done", **told)
        self._notebook.end(call)
        hosting.release()

    async def _play_out(self, call: BotCall) -> None:
        """However long the services are away: nobody else will play this seat."""
        seat, player = call.assignment, self._house.as_player(call.token)
        strategy, faces = strategy_named(call.strategy), self._faces[seat.game]
        needs = NEEDS.get(call.strategy, 0.0)
        counts, dice = self.thoughts.observe, random.Random()
        mind = Mind(strategy, faces, dice, self._pool, needs=needs, counts=counts)
        with self._counting(mind):
            while True:
                try:
                    await play_seat(player, seat, mind, self.tally, self._config.think)
                except (Unavailable, TooMany):
                    await asyncio.sleep(PAUSE)
                else:
                    return

    @contextlib.contextmanager
    def _counting(self, mind: Mind) -> Iterator[None]:
        self._minds.add(mind)
        try:
            yield
        finally:
            self._minds.remove(mind)
            self._fallbacks += mind.fallbacks

    async def _stop(self) -> None:
        playing = [*self._playing.values()]
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        self._pool.shutdown(wait=False, cancel_futures=True)


async def serve(config: Config) -> None:
    """Until SIGINT or SIGTERM."""
    running = asyncio.current_task()
    assert running is not None
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, running.cancel)
    async with connect(
        config.server,
        tls=config.credentials(),
        patience=PATIENCE,
        engines=config.engines,
    ) as house:
        with contextlib.suppress(asyncio.CancelledError):
            await Host(config, house).run()
    log.info("stopped")


def set_up_logs() -> None:
    """One line of JSON an event, on stderr."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def main() -> int:
    set_up_logs()
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
