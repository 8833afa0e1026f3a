"""Ratings and boards as anybody asks for them."""

import asyncio
import base64

import pytest

from services.matchmaking.rating import SeatOver, TableOver
from services.matchmaking.ratings import StoredRatings
from tests.services.matchmaking.players import refused
from tests.services.matchmaking.test_results import until


def a_table(name: str, winner: str, loser: str) -> TableOver:
    seats = (
        SeatOver(winner, winner.title(), False, 0, 1, False),
        SeatOver(loser, loser.title(), False, 1, 2, False),
    )
    return TableOver(name, "skirmish", "usual", True, "played", seats, 0)


@pytest.fixture
async def board(house, store):
    """Somebody who reads a board of nine: w0 has won once, w1 twice and so on."""
    ratings = StoredRatings(store.pipeline)
    for n in range(4):
        for m in range(n + 1):
            await ratings.rate(a_table(f"t-{n}-{m}", f"w{n}", f"l{n}"))
    await ratings.rate(a_table("t-last", "l0", "x"))
    return await house.sign_in()


async def test_a_board_is_read_page_by_page_to_its_end(board):
    whole = (await board.board()).ratings
    told, token = [], ""
    while True:
        page = await board.board(page_size=4, page_token=token)
        told += page.ratings
        token = page.next_page_token
        if not token:
            break

    assert list(whole) == told
    assert len(told) == 9
    assert [each.name for each in told[:4]] == ["W3", "W2", "W1", "W0"]
    assert [each.rank for each in told[:4]] == [1, 2, 3, 4]
    points = [each.points for each in told]
    assert points == sorted(points, reverse=True)


async def test_a_board_says_of_everybody_how_often_he_played_and_won(board):
    first = (await board.board(page_size=1)).ratings[0]

    assert (first.player_id, first.games, first.wins) == ("w3", 4, 4)
    assert first.mean > 25 > first.deviation * 3 > 0


async def test_a_board_nobody_is_on_is_empty_and_has_one_page(board):
    page = await board.board(variant="quick")

    assert (list(page.ratings), page.next_page_token, page.variant) == ([], "", "quick")


async def test_a_page_is_never_longer_than_two_hundred(board):
    page = await board.board(page_size=2**32 - 1)

    assert len(page.ratings) == 9


async def test_a_token_of_another_board_or_none_is_refused(board):
    token = (await board.board(page_size=2)).next_page_token

    for wrong in ("nonsense", token[:-4], "e30=", "é", "A" * 5000):
        with refused("INVALID_FIELD") as error:
            await board.board(page_token=wrong)
        assert error.value.metadata["field"] == "page_token"
    with refused("INVALID_FIELD"):
        await board.board(variant="quick", page_token=token)


@pytest.mark.parametrize("points", [10**320, -(10**320), 2**70])
async def test_a_token_of_a_place_that_no_board_has_is_refused(board, points):
    told = f'["skirmish","usual",{points},"anna"]'
    token = base64.urlsafe_b64encode(told.encode()).decode()

    with refused("INVALID_FIELD") as error:
        await board.board(page_token=token)
    assert error.value.metadata["field"] == "page_token"


async def test_what_is_not_played_here_has_neither_board_nor_rating(board):
    for ask in (board.board, board.rating):
        with refused("GAME_NOT_FOUND"):
            await ask(game="chess")
        with refused("INVALID_FIELD") as error:
            await ask(variant="blitz")
        assert error.value.metadata["allowed"] == "usual, quick"


async def test_who_has_played_nothing_has_what_everybody_begins_with(board):
    own = await board.rating()

    assert (own.player_id, own.points, own.rank) == (board.id, 1000, 0)
    assert (own.mean, own.games, own.last_table_id) == (25.0, 0, "")


async def test_a_player_s_id_that_can_be_none_is_refused(board):
    with refused("INVALID_FIELD"):
        await board.rating(player="x" * 129)


async def test_no_bot_is_on_a_board(house, tables):
    anna, robot = await house.sign_in(), await house.sign_in("Robot", bot=True)
    seats = await asyncio.gather(anna.play(), robot.play())
    table = seats[0].table_id

    tables.end(table, 1, 2)
    await until(lambda: nobody_sits(anna))

    assert list((await anna.board()).ratings) == []


async def nobody_sits(player) -> bool:
    return not await player.seats()
