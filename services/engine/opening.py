"""Opening a table: once for each request, however often it is asked for.

A worker may die after any of the steps. The request names its table first, so that a
repeat goes on with the same table; the vault never draws its seed again; and the
journal is begun once. Nobody owns the new table: whoever is called for it takes it.
"""

import secrets
from dataclasses import asdict, dataclass
from typing import Any

from services.chassis.errors import AnpaiError
from services.engine.kernel.entry import Draft, Entry, EntryKind, Opening
from services.engine.kernel.game import Game
from services.engine.kernel.play import Play
from services.engine.works import Works


@dataclass(frozen=True, slots=True)
class Assigned:
    """Who is meant to sit at a seat."""

    player: str
    name: str
    bot: bool

    def sitting(self, nonce: str, decks: int) -> dict[str, object]:
        """The details of the entry that says he sits; of decks it has the number."""
        told = {**asdict(self), "nonce": nonce}
        return {**told, "decks": decks} if decks else told


@dataclass(frozen=True, slots=True)
class Wanted:
    """The table that somebody wants opened; `request_id` makes it repeatable."""

    request_id: str
    game: str
    variant: str
    seats: tuple[Assigned, ...]
    timed: bool = True
    rated: bool = False
    spectators: int = 0


async def open_table(works: Works, wanted: Wanted) -> tuple[str, str, str]:
    """Open, or find what the same request opened: (table id, commitment, address).

    GAME_NOT_FOUND, PART_UNAVAILABLE: repeat. The address is a hint.
    """
    game = game_of(works, wanted.game)
    new_id = f"t-{secrets.token_hex(8)}"
    table_id = await works.journal.claim(wanted.request_id, new_id)
    opened = await works.chance.open_table(table_id, game.name)
    first = first_entry(game, wanted, table_id, opened.commitment, works.now())
    await works.deadlines.arm(table_id, first.at + works.seating_ms)
    if await works.journal.create(table_id, first):
        works.metrics.tables_opened.labels(game.name).inc()
    return table_id, opened.commitment, works.worker.address


def game_of(works: Works, name: str) -> Game:
    game = works.games.get(name)
    if game is None:
        raise AnpaiError("GAME_NOT_FOUND", "There is no such game here.", game=name)
    return game


def first_entry(
    game: Game, wanted: Wanted, table_id: str, commitment: str, at: int
) -> Entry:
    """The OPEN entry: what is played, and who will sit where."""
    opening = Opening(
        table=table_id,
        game=game.name,
        variant=wanted.variant or game.variants[0].name,
        rules_version=game.version,
        seats=len(wanted.seats),
        commitment=commitment,
        bots=tuple(seat.bot for seat in wanted.seats),
        timed=wanted.timed,
        names=tuple(seat.name for seat in wanted.seats),
        spectators=wanted.spectators,
    )
    players = [[seat.player, seat.name] for seat in wanted.seats]
    details = opening.details() | {"players": players}
    if wanted.rated:
        details["rated"] = True
    return opened_by(Play(game, opening, b""), details, at)


def opened_by(play: Play, details: dict[str, Any], at: int) -> Entry:
    try:
        next(play.apply(Draft(EntryKind.OPEN, at=at, details=details)))
    except StopIteration as end:
        entry: Entry = end.value
        return entry
    raise AssertionError("opening asks the vault nothing")


def opening_in(first: Entry) -> Opening:
    """What a journal's first entry says is played."""
    return Opening.told_by(first.details)


def assigned_in(first: Entry) -> tuple[Assigned, ...]:
    """The seat table that a journal's first entry holds."""
    people = zip(first.details["players"], first.details["bots"], strict=True)
    return tuple(Assigned(player, name, bot) for (player, name), bot in people)


def rated_in(first: Entry) -> bool:
    """Whether the outcome moves ratings; where nothing is said of it, it does not."""
    return first.details.get("rated", False) is True


def rules_of(first: Entry) -> str:
    """What workers say that they have, if they have the rules of this table."""
    opening = opening_in(first)
    return f"{opening.game}/{opening.rules_version}"


def rules_for(works: Works, first: Entry) -> Game:
    """The game a table is pinned to; RULES_VERSION_UNAVAILABLE where it is not here."""
    opening = opening_in(first)
    game = works.games.get(opening.game)
    if game is None or game.version != opening.rules_version:
        raise AnpaiError(
            "RULES_VERSION_UNAVAILABLE",
            "This table was opened under rules that are not here any more.",
            game=opening.game,
            rules_version=opening.rules_version,
        )
    return game
