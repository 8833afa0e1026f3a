"""TLS to the edge, and TLS behind it."""

import asyncio

from tests.certificates import Authority
from tests.evenings.edge import Edge, behind, running
from tests.evenings.players import Played, Seating, assert_nothing_is_lost, games_of
from tests.evenings.tapping import tapped
from tests.evenings.town import GAME, a_town


async def test_a_game_is_played_where_services_speak_tls_as_well(
    own_store, keys_folder, tmp_path
):
    inner = Authority(tmp_path, "inner")
    files = inner.sign("anpai")
    told = {
        "ANPAI_TLS_CERT": files.cert,
        "ANPAI_TLS_KEY": files.key,
        "ANPAI_TLS_CA": inner.file,
    }
    async with a_town(own_store, keys_folder, tmp_path, edged=True, **told) as town:
        edge = Edge(town.edge, tmp_path)
        config = edge.speaking_tls(edge.config(behind(town)), inner.file)
        async with running(edge, config):
            seating = Seating(edge.address, tmp_path, tls=edge.trust)
            names = ("bot-anna", "bot-ben")
            played = await asyncio.gather(
                *(finds_and_plays(seating, town.token(name)) for name in names)
            )
            games = await games_of(edge.address, played, edge.trust)

    assert_nothing_is_lost(games)


async def finds_and_plays(seating: Seating, token: str) -> Played:
    """A program's game, from the queue to the end."""
    async with seating.connect(token) as house:
        tap = tapped(house)
        ticket = await house.enter(GAME, seats=2)
        return await seating.plays(house, await ticket.seat(), tap, 0.0)
