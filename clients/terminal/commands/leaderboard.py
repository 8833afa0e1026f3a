"""`anpai leaderboard`: who is best at a variant."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

import anpai
from clients.terminal.finding import Where
from clients.terminal.players import house_of
from clients.terminal.words import Words

PAGE = 20

COLUMNS = ("rank", "player", "points", "games", "wins")


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a board; `own` is the rating of who asks."""

    game: str
    variant: str
    number: int
    ratings: list[anpai.Rating]
    is_last: bool
    own: anpai.Rating


def fetch_page(
    game: str, variant: str, number: int, name: str | None, where: Where
) -> Page:
    """The page of this number, from 1; an empty one behind the last."""

    async def ask() -> Page:
        async with house_of(where, name) as house:
            board, at = (
                await house.leaderboard(game, variant=variant, page_size=PAGE),
                1,
            )
            while at < number and board.next_page_token:
                board = await house.leaderboard(
                    game,
                    variant=variant,
                    page_size=PAGE,
                    page_token=board.next_page_token,
                )
                at += 1
            ratings = list(board.ratings) if at == number else []
            own = await house.rating(game, variant=variant)
            is_last = not board.next_page_token
            return Page(game, board.variant, number, ratings, is_last, own)

    return asyncio.run(ask())


def print_page(page: Page, words: Words, out: Console) -> None:
    title = {"game": page.game, "variant": page.variant}
    if not page.ratings:
        out.print(
            words(
                "leaderboard.nobody" if page.number == 1 else "leaderboard.no_page",
                **title,
            )
        )
        return
    out.print(Text(words("leaderboard.title", **title), "bold"))
    out.print(drawn(page.ratings, page.own.player_id, words))
    if page.own.rank:
        told = {"rank": page.own.rank, "points": page.own.points}
        out.print(words("leaderboard.own", **told))
    if not page.is_last:
        out.print(words("leaderboard.more", page=page.number + 1))


def drawn(ratings: Iterable[anpai.Rating], own: str, words: Words) -> Table:
    """Names to the left, numbers to the right; one's own line stands out."""
    board = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in COLUMNS:
        is_name = column == "player"
        side: Any = "left" if is_name else "right"
        board.add_column(words(f"leaderboard.{column}"), justify=side, no_wrap=True)
    for one in ratings:
        numbers = (one.points, one.games, one.wins)
        style = "bold" if one.player_id == own else ""
        board.add_row(str(one.rank), one.name, *map(str, numbers), style=style)
    return board


def as_json(page: Page) -> dict[str, Any]:
    return {
        "game": page.game,
        "variant": page.variant,
        "page": page.number,
        "is_last": page.is_last,
        "players": [told(one) for one in page.ratings],
        "own": told(page.own),
    }


def told(rating: anpai.Rating) -> dict[str, Any]:
    return {
        "rank": rating.rank,
        "player_id": rating.player_id,
        "name": rating.name,
        "points": rating.points,
        "games": rating.games,
        "wins": rating.wins,
    }
