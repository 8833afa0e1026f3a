"""A stormy evening: guests and bots play through matchmaking, and everything is killed
once. What is left of it is looked at by the tests."""

import asyncio
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path

from anpai import Assignment
from tests.evenings.aftermath import still_left
from tests.evenings.begun import Begun
from tests.evenings.players import Game, Played, Seating, Wish, games_of
from tests.evenings.town import Town, a_town
from tests.scale import scale
from tests.stores import a_store, kinds

# Of every variant of every game at least one; a test holds this list against the games.
# Few answers make a game of gwent; they come so slowly that it outlasts the storm. With
# people a game of skirmish has windows of ten seconds: there are some in `test_chaos`.
QUICK = not scale()
WISHES = (
    *(Wish(2, pause=0.15, programs=QUICK), Wish(2, pause=0.15, programs=QUICK)),
    *(Wish(3, pause=0.15, programs=QUICK), Wish(4, pause=0.15, programs=QUICK)),
    Wish(4, bots=3, pause=0.15, programs=QUICK),
    Wish(2, game="gwent", variant="duel", ready=True, pause=0.45),
    Wish(2, bots=1, game="gwent", variant="advanced", ready=True, pause=0.45),
    Wish(2, game="gwent", variant="tournament", ready=True, pause=0.15),
    Wish(4, game="gwent", variant="team", ready=True, pause=0.25),
    Wish(3, game="gwent", variant="free-for-all", ready=True, pause=0.25),
    Wish(5, bots=2, game="gwent", variant="free-for-all", pause=0.25),
    Wish(1, game="gwent", variant="solo", pause=0.7),
    Wish(1, game="gwent", variant="solo-leaders", pause=0.7),
)
AWAY = 1.0
OVER = inf


@dataclass(frozen=True)
class Evening:
    """What is left: games, and texts to look for faces in."""

    games: list[Game]
    spectators: list[Game]
    keys_in_play: str
    keys_afterwards: str
    left: list[str]
    logs: str
    metrics: dict[str, str]
    exit_codes: dict[str, int]

    @property
    def everybody(self) -> list[tuple[Game, Played]]:
        games = [*self.games, *self.spectators]
        return [(game, one) for game in games for one in game.played]


async def stormy_evening(keys: Path, folder: Path) -> Evening:
    with (
        tempfile.TemporaryDirectory(prefix="anpai") as short,
        a_store(kinds()["valkey"], Path(short)) as store,
    ):
        async with a_town(store, keys, folder, bots=True) as town:
            return await played_out(town, Begun(town.server, folder))


async def played_out(town: Town, seating: Begun) -> Evening:
    playing = [
        asyncio.create_task(
            seating.find_and_play(f"Guest {table}.{chair}", wish, chair)
        )
        for table, wish in enumerate(WISHES)
        for chair in range(wish.people)
    ]
    watching = await spectators(seating)
    keys_in_play = await storm(town, seating)
    played = await asyncio.gather(*playing)
    watched = await asyncio.gather(*watching)
    return Evening(
        games=await games_of(town.server, played),
        spectators=await games_of(town.server, watched),
        keys_in_play=keys_in_play,
        keys_afterwards=town.keyspace("engine", "matchmaking"),
        left=await still_left(town),
        metrics={one.name: await one.metrics() for one in town.services},
        exit_codes={one.name: await one.stop() for one in reversed(town.processes)},
        logs=town.logs(),
    )


async def spectators(seating: Seating) -> "list[asyncio.Task[Played]]":
    """One for each table, as soon as it is known."""
    tables: dict[str, Assignment] = {}
    while len(tables) < len(WISHES):
        seat = await seating.seated.get()
        tables[seat.table_id] = seat
    return [asyncio.create_task(seating.watch(seat)) for seat in tables.values()]


async def storm(town: Town, seating: Begun) -> str:
    """Each part is killed and comes back, and the next one goes when all tables have
    gone on; the keyspace as it was in the midst."""
    await all_go_on(seating)
    keys = town.keyspace("engine", "matchmaking", "vault")
    for part in (town.engines[0], town.vault, town.matchmaking):
        part.kill()
        await asyncio.sleep(AWAY)
        await part.start()
        await all_go_on(seating)
    town.store.kill()
    await asyncio.sleep(AWAY)
    await asyncio.to_thread(town.store.start)
    return keys


async def all_go_on(seating: Begun) -> None:
    """Once at each table another answer was accepted, but for such as are over."""
    before = accepted_at(seating)
    async with asyncio.timeout(60):
        while not have_gone_on(accepted_at(seating), before):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def have_gone_on(now: Mapping[str, float], before: Mapping[str, float]) -> bool:
    return len(now) == len(WISHES) and all(
        count > before.get(table, 0) or count == OVER for table, count in now.items()
    )


def accepted_at(seating: Begun) -> Mapping[str, float]:
    """How many answers at each table that has begun."""
    counts: defaultdict[str, float] = defaultdict(float)
    for one in seating.begun:
        counts[one.table_id] += len(one.accepted) if one.outcome is None else OVER
    return counts
