"""An evening while links to the store are cut at random: nobody misses anything."""

import asyncio
import random
from contextlib import suppress

from services.__main__ import house as a_house
from tests.evenings.players import Seating, Wish, assert_nothing_is_lost, games_of
from tests.proxy import Proxy
from tests.scale import scaled

PAUSE = 0.05
WISHES = (
    Wish(2, game="gwent", variant="duel", ready=True, pause=PAUSE),
    Wish(4, game="gwent", variant="team", ready=True, pause=PAUSE),
)


async def cut_at_random(proxy: Proxy) -> None:
    chance = random.Random(28)
    while True:
        await asyncio.sleep(chance.uniform(0.1, 0.6))
        proxy.cut_all()


async def test_t28_no_event_and_no_seat_is_missed_while_links_are_cut(
    own_store, keys_folder, tmp_path
):
    """What watchers heard is held, event by event, against what happened."""
    async with Proxy(own_store.url) as proxy:
        url = f"redis://{proxy.address}"
        async with a_house(url, keys_folder, b"m" * 32) as house:
            cutting = asyncio.create_task(cut_at_random(proxy))
            seating = Seating(house.matchmaking.address, tmp_path)
            played = await asyncio.gather(
                *(
                    seating.find_and_play(f"Guest {table}.{chair}", wish, chair)
                    for table, wish in enumerate(WISHES * scaled(1, 10))
                    for chair in range(wish.people)
                )
            )
            cutting.cancel()
            with suppress(asyncio.CancelledError):
                await cutting

            assert proxy.cuts > 20
            games = await games_of(house.matchmaking.address, played)

            assert len(games) == len(WISHES) * scaled(1, 10)
            assert_nothing_is_lost(games)
