"""Ratings in the store: each table once, whoever else writes meanwhile, and boards."""

import asyncio

import pytest

from services.chassis.stores import StoreUnavailable, open_store
from services.chassis.telemetry import fresh_metrics
from services.engine.news import KEPT_MS
from services.matchmaking import keys
from services.matchmaking.rating import SeatOver, TableOver
from services.matchmaking.ratings import Place, StoredRatings
from services.matchmaking.timings import DAY, TIMINGS
from tests.proxy import Proxy

GAME = ("skirmish", "usual")


def a_table(name: str, *players: str) -> TableOver:
    """The first of them has won."""
    seats = tuple(
        SeatOver(player, player.title(), False, n, n + 1, False)
        for n, player in enumerate(players)
    )
    return TableOver(name, *GAME, True, "played", seats, ended_ms=0)


class Clock:
    now = 1_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def ratings(store, clock):
    return StoredRatings(store.pipeline, now=clock)


async def points_of(ratings, *players: str) -> list[int]:
    return [(await ratings.of(player, *GAME)).points for player in players]


async def test_a_table_is_rated_once_however_often_it_is_told(ratings):
    assert await ratings.rate(a_table("t-1", "anna", "ben"))
    once = await points_of(ratings, "anna", "ben")

    for _ in range(5):
        assert not await ratings.rate(a_table("t-1", "anna", "ben"))

    assert await points_of(ratings, "anna", "ben") == once
    assert (await ratings.of("anna", *GAME)).games == 1


async def test_many_tables_at_once_are_each_rated_once(ratings, store):
    """As two servers would that read the same news at the same time."""
    other = StoredRatings(store.pipeline)
    told = [a_table(f"t-{n}", *two) for n, two in enumerate(pairs(12))]

    done = await asyncio.gather(
        *(each.rate(table) for table in told for each in (ratings, other))
    )

    assert sum(done) == len(told)
    games = [(await ratings.of(f"p{n}", *GAME)).games for n in range(4)]
    assert games == [6, 6, 6, 6]


def pairs(count: int) -> list[tuple[str, str]]:
    """Of four players, each as often."""
    return [(f"p{n % 4}", f"p{(n + 1) % 4}") for n in range(count)]


async def test_t19_a_reply_that_is_lost_rates_nobody_twice(valkey, ratings):
    async with Proxy(valkey, seed=7) as proxy:
        store = await open_store(f"redis://{proxy.address}", fresh_metrics())
        proxy.faults.deaf = 0.3
        for n in range(20):
            await told_until_heard(StoredRatings(store.pipeline), f"t-{n}")
        await store.close()

    assert proxy.cuts > 5
    assert (await ratings.of("anna", *GAME)).games == 20


async def told_until_heard(ratings, table: str) -> None:
    while True:
        try:
            await ratings.rate(a_table(table, "anna", "ben"))
            return
        except StoreUnavailable:
            continue


async def test_variants_and_games_are_rated_apart(ratings):
    await ratings.rate(a_table("t-1", "anna", "ben"))

    assert (await ratings.of("anna", "skirmish", "quick")).games == 0
    assert (await ratings.of("anna", "gwent", "usual")).games == 0


async def test_a_rating_says_which_table_moved_it_and_by_how_much(ratings):
    await ratings.rate(a_table("t-1", "anna", "ben"))
    before = await ratings.of("ben", *GAME)

    await ratings.rate(a_table("t-2", "ben", "anna"))

    now = await ratings.of("ben", *GAME)
    assert (now.table, now.change) == ("t-2", now.points - before.points)
    assert (now.games, now.wins, now.name) == (2, 1, "Ben")


# ---- boards --------------------------------------------------------------------------


async def a_board(ratings, *tables: tuple[str, ...]) -> None:
    for n, players in enumerate(tables):
        await ratings.rate(a_table(f"t-{n}", *players))


async def read(ratings, size: int) -> list[tuple[int, str]]:
    """All of it, page by page: rank and player."""
    told, behind = [], None
    while page := await ratings.page(*GAME, size, behind):
        told += [(each.rank, each.player) for each in page]
        behind = Place(page[-1].points, page[-1].player)
    return told


async def test_a_board_goes_from_the_best_down_and_equals_share_a_rank(ratings):
    await a_board(ratings, ("anna", "ben"), ("cem", "dora"))

    assert await read(ratings, 50) == [
        (1, "cem"),
        (1, "anna"),
        (3, "dora"),
        (3, "ben"),
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
async def test_a_board_reads_the_same_in_pages_of_any_size(ratings, size):
    await a_board(ratings, *((f"w{n}", f"l{n}") for n in range(5)), ("w0", "w1", "l0"))

    assert await read(ratings, size) == await read(ratings, 50)


async def test_who_moves_while_a_board_is_read_hides_nobody_else(ratings):
    """The last of the first page falls to the very end: the next page begins where it
    stood."""
    await a_board(ratings, *((f"w{n}", f"l{n}") for n in range(4)))
    first = await ratings.page(*GAME, 2, None)
    last = first[-1]
    everybody = {player for _, player in await read(ratings, 50)}

    for n in range(6):
        await ratings.rate(a_table(f"x-{n}", "zoe", last.player))
    rest, behind = [], Place(last.points, last.player)
    while page := await ratings.page(*GAME, 2, behind):
        rest += [each.player for each in page]
        behind = Place(page[-1].points, page[-1].player)

    assert len(rest) == len(set(rest))
    assert {each.player for each in first} | set(rest) == everybody


async def test_a_player_is_told_where_he_stands(ratings):
    await a_board(ratings, ("anna", "ben"), ("anna", "cem"))

    assert (await ratings.standing("anna", *GAME)).rank == 1
    assert (await ratings.standing("nobody", *GAME)).rank == 0
    assert (await ratings.standing("nobody", *GAME)).rating.points == 1000


# ---- nothing stays for ever ----------------------------------------------------------


async def test_every_key_of_ratings_has_an_end(ratings, store):
    await ratings.rate(a_table("t-1", "anna", "ben"))

    found = [key async for key in store.redis.scan_iter("matchmaking:*")]

    assert len(found) == 5
    assert all([0 < await store.redis.pttl(key) <= 90 * DAY for key in found])


async def test_who_has_not_played_for_long_leaves_the_board(ratings, store, clock):
    await ratings.rate(a_table("t-1", "anna", "ben"))
    for player in ("anna", "ben"):  # as their keys will have, by then
        await store.redis.delete(keys.rating("skirmish:usual", player))
    clock.now += TIMINGS.rating + 1

    await ratings.rate(a_table("t-2", "cem", "dora"))

    assert {player for _, player in await read(ratings, 50)} == {"cem", "dora"}


async def test_a_table_is_remembered_longer_than_its_news(ratings, store):
    await ratings.rate(a_table("t-1", "anna", "ben"))

    mark = keys.rated_table("skirmish:usual", "t-1")
    assert await store.redis.pttl(mark) > KEPT_MS
