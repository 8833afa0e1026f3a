"""A stormy evening: guests and bots play through matchmaking, and everything is killed
once. What is left of it is looked at by the tests."""

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path

from anpai import Assignment
from tests.evenings.players import Game, Played, Seating, Wish, games_of
from tests.evenings.town import Town, a_town
from tests.stores import a_store, kinds

# Of every variant of every game at least one; a test holds this list against the games.
# Few answers make a game of gwent; they come so slowly that it outlasts the storm.
WISHES = (
    *(Wish(2), Wish(2), Wish(3), Wish(4), Wish(4, bots=3)),
    Wish(2, game="gwent", variant="duel", ready=True, pause=1.2),
    Wish(2, bots=1, game="gwent", variant="advanced", ready=True, pause=1.2),
    Wish(2, game="gwent", variant="tournament", ready=True, pause=0.35),
    Wish(4, game="gwent", variant="team", ready=True, pause=0.6),
    Wish(3, game="gwent", variant="free-for-all", ready=True, pause=0.7),
    Wish(5, bots=2, game="gwent", variant="free-for-all", pause=0.6),
    Wish(1, game="gwent", variant="solo", pause=2.0),
    Wish(1, game="gwent", variant="solo-leaders", pause=2.0),
)
BEGUN = 2.0
CALM = 6.0
AWAY = 1.0


@dataclass(frozen=True)
class Evening:
    """What is left: games, and texts to look for faces in."""

    games: list[Game]
    spectators: list[Game]
    keys_in_play: str
    keys_afterwards: str
    kept_for_ever: set[str]
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
            return await played_out(town, Seating(town.server, folder))


async def played_out(town: Town, seating: Seating) -> Evening:
    playing = [
        asyncio.create_task(
            seating.find_and_play(f"Guest {table}.{chair}", wish, chair)
        )
        for table, wish in enumerate(WISHES)
        for chair in range(wish.people)
    ]
    watching = await spectators(seating)
    keys_in_play = await storm(town)
    played = await asyncio.gather(*playing)
    watched = await asyncio.gather(*watching)
    return Evening(
        games=await games_of(town.server, played),
        spectators=await games_of(town.server, watched),
        keys_in_play=keys_in_play,
        keys_afterwards=town.keyspace("engine", "matchmaking"),
        kept_for_ever=town.kept_for_ever(),
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


async def storm(town: Town) -> str:
    """Each part is killed and comes back; the keyspace as it was in the midst."""
    await asyncio.sleep(BEGUN)
    keys = town.keyspace("engine", "matchmaking", "vault")
    await asyncio.sleep(CALM - BEGUN)
    for part in (town.engines[0], town.vault, town.matchmaking):
        part.kill()
        await asyncio.sleep(AWAY)
        await part.start()
        await asyncio.sleep(CALM)
    town.store.kill()
    await asyncio.sleep(AWAY)
    await asyncio.to_thread(town.store.start)
    return keys
