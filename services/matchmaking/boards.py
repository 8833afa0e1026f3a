"""What anybody may ask of ratings: one player's, and who is best, page by page."""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec

from services.chassis.errors import invalid
from services.matchmaking.games import Games
from services.matchmaking.ratings import Place, Standing, StoredRatings

USUAL_PAGE = 50
LONGEST_PAGE = 200
LONGEST_TOKEN = 512
LONGEST_PLAYER = 128

# Far more than anybody can have.
Points = Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)]


@dataclass(frozen=True, slots=True)
class Page:
    """`variant` is its name; `next` is a token, "" on the last page."""

    variant: str
    standings: Sequence[Standing]
    next: str


class Boards:
    """A board for each variant. Whoever has not played for long is not on it."""

    def __init__(self, ratings: StoredRatings, games: Games):
        self._ratings = ratings
        self._games = games

    async def rating(
        self, game: str, variant: str, player: str
    ) -> tuple[str, Standing]:
        """The variant's name, and where a player stands. GAME_NOT_FOUND."""
        if len(player) > LONGEST_PLAYER:
            raise invalid("player_id", f"up to {LONGEST_PLAYER} characters")
        named = await self._variant(game, variant)
        return named, await self._ratings.standing(player, game, named)

    async def page(self, game: str, variant: str, size: int, token: str) -> Page:
        """Who comes behind the page that gave the token. GAME_NOT_FOUND."""
        named = await self._variant(game, variant)
        size = min(size or USUAL_PAGE, LONGEST_PAGE)
        behind = place_in(token, game, named) if token else None
        found = await self._ratings.page(game, named, size, behind)
        is_last = len(found) < size
        last = "" if is_last else token_of(found[-1], game, named)
        return Page(named, found, last)

    async def _variant(self, game: str, variant: str) -> str:
        known = await self._games.find(game)
        found = known.variant(variant)
        if found is None:
            raise invalid("variant", known.variant_names)
        return found.name


def token_of(last: Standing, game: str, variant: str) -> str:
    told = (game, variant, last.points, last.player)
    return base64.urlsafe_b64encode(msgspec.json.encode(told)).decode()


def place_in(token: str, game: str, variant: str) -> Place:
    """INVALID_FIELD for anything but a token of this board."""
    try:
        text = base64.urlsafe_b64decode(token[:LONGEST_TOKEN].encode())
        *board, points, player = msgspec.json.decode(
            text, type=tuple[str, str, Points, str]
        )
    except (ValueError, binascii.Error, msgspec.MsgspecError):
        board, points, player = [], 0, ""
    if board != [game, variant]:
        raise invalid("page_token", "what the page before came with")
    return Place(points, player)
