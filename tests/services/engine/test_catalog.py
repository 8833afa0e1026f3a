"""What can be played, without a token."""

import grpc
import pytest

from anpai.engine.v1 import engine_service_pb2 as pb
from anpai.engine.v1 import engine_service_pb2_grpc as rpc
from services.engine.games import GAMES
from tests.one_store import store_process  # noqa: F401


@pytest.fixture
async def door(engine):
    async with grpc.aio.insecure_channel(engine.address) as channel:
        yield rpc.EngineServiceStub(channel)


async def test_games_are_listed_by_name_in_both_languages(door):
    english = await door.ListGames(pb.ListGamesRequest())
    chinese = await door.ListGames(pb.ListGamesRequest(locale="zh-CN"))

    assert [game.name for game in english.games] == sorted(GAMES)
    assert [game.title for game in chinese.games] == [
        GAMES[name].title.zh for name in sorted(GAMES)
    ]


@pytest.mark.parametrize("name", sorted(GAMES))
async def test_a_game_tells_its_variants_the_usual_one_first(door, name):
    reply = await door.ListGames(pb.ListGamesRequest(locale="zh"))
    (game,) = [one for one in reply.games if one.name == name]

    for told, known in zip(game.variants, GAMES[name].variants, strict=True):
        assert (told.name, told.title) == (known.name, known.title.zh)
        assert tuple(told.seats) == known.seats
        assert (told.decks, tuple(told.teams)) == (known.decks, known.teams)


@pytest.mark.parametrize(
    ("tactic", "kind"),
    [("snow", "weather"), ("tsunami", "disaster"), ("gamble", "tactic")],
)
async def test_tactics_are_told_apart(door, tactic, kind):
    reply = await door.GetCatalog(pb.GetCatalogRequest(game="skirmish"))
    kinds = {face.id: face.kind for face in reply.catalog.faces}
    assert kinds[f"skirmish/{tactic}"] == kind


@pytest.mark.parametrize("name", sorted(GAMES))
@pytest.mark.parametrize("locale", ["en", "zh-CN"])
async def test_a_catalogue_has_every_face_and_every_word(door, name, locale):
    reply = await door.GetCatalog(pb.GetCatalogRequest(game=name, locale=locale))

    known = GAMES[name].catalog
    assert [face.id for face in reply.catalog.faces] == [
        f"{name}/{face}" for face in known.faces
    ]
    assert set(reply.catalog.words) == set(known.words)
    assert all(face.name for face in reply.catalog.faces)


async def test_a_game_that_is_not_there_is_named(door):
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await door.GetCatalog(pb.GetCatalogRequest(game="chess"))

    assert refused.value.code() is grpc.StatusCode.NOT_FOUND


async def test_the_server_says_what_it_is(door):
    info = await door.GetServerInfo(pb.GetServerInfoRequest())

    assert info.version
    assert "anpai.engine.v1" in info.packages
    assert [game.rules_version for game in info.games] == [
        GAMES[name].version for name in sorted(GAMES)
    ]
