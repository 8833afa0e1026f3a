"""`anpai tables`: where this player sits, and whose move it is."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from anpai import AnpaiCallError, Assignment, GameInfo, House
from clients.terminal.commands.play import title_of
from clients.terminal.finding import Where
from clients.terminal.players import house_of
from clients.terminal.words import Words


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at a table that goes on; `is_asked` where the table waits for it."""

    assignment: Assignment
    title: str
    is_asked: bool


def fetch_seats(where: Where, name: str | None, words: Words) -> list[Seat]:
    """Newest first."""

    async def ask() -> list[Seat]:
        async with house_of(where, name) as house:
            kept = await house.my_seats()
            games = await house.games(locale=words.locale)
            return list(
                await asyncio.gather(*(looked_at(house, games, seat) for seat in kept))
            )

    return asyncio.run(ask())


async def looked_at(house: House, games: Sequence[GameInfo], seat: Assignment) -> Seat:
    titles = [title_of(one, seat.variant) for one in games if one.name == seat.game]
    return Seat(seat, titles[0] if titles else seat.game, await is_asked(house, seat))


async def is_asked(house: House, seat: Assignment) -> bool:
    """Of a table that cannot be looked at now nobody knows."""
    try:
        return (await house.view(seat.table_id)).HasField("question")
    except AnpaiCallError:
        return False


def print_seats(
    seats: Sequence[Seat], name: str | None, where: Where, words: Words, out: Console
) -> None:
    option = where.option_as(name)
    if not seats:
        out.print(words("tables.none", option=option), soft_wrap=True)
        return
    for seat in seats:
        at = seat.assignment
        told = {"table": at.table_id, "game": seat.title}
        line = words("tables.line", seat=at.seat + 1, seats=at.seats, **told)
        turn = [words("tables.your_move")] if seat.is_asked else []
        out.print(words("list.comma").join([line, *turn]), soft_wrap=True)
    out.print(words("tables.hint", option=option), soft_wrap=True)


def as_json(seats: Sequence[Seat]) -> list[dict[str, Any]]:
    return [
        {
            "table": seat.assignment.table_id,
            "game": seat.assignment.game,
            "variant": seat.assignment.variant,
            "seat": seat.assignment.seat,
            "seats": seat.assignment.seats,
            "rated": seat.assignment.rated,
            "your_move": seat.is_asked,
        }
        for seat in seats
    ]
