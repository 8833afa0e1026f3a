"""A wish as it came, made good: filled in, or refused. Pure."""

import re
from dataclasses import replace

from services.chassis.errors import AnpaiError
from services.matchmaking.games import Game
from services.matchmaking.ticket import Wish

STRATEGY = re.compile(r"[a-z0-9_-]{0,32}")
REQUEST_ID = re.compile(r"[!-~]{8,64}")


def made_good(wish: Wish, game: Game) -> Wish:
    """A wish for this game, in the one form equal wishes have. INVALID_FIELD."""
    variant = game.variant(wish.variant)
    if variant is None:
        raise invalid("variant", ", ".join(one.name for one in game.variants))
    if wish.seats not in variant.seats:
        raise invalid("seats", ", ".join(map(str, variant.seats)))
    if wish.bots >= wish.seats:
        raise invalid("bots", f"0-{wish.seats - 1}")
    if not STRATEGY.fullmatch(wish.strategy):
        raise invalid("bot_strategy", "up to 32 of a-z, 0-9, _ and -")
    strategy = wish.strategy if wish.bots else ""
    return replace(wish, variant=variant.name, strategy=strategy)


def request_id(given: str) -> str:
    if not REQUEST_ID.fullmatch(given):
        raise invalid("request_id", "8 to 64 printable ASCII characters")
    return given


def invalid(field: str, allowed: str) -> AnpaiError:
    return AnpaiError(
        "INVALID_FIELD",
        f"{field} must be one of: {allowed}." if allowed else f"{field} must be empty.",
        field=field,
        allowed=allowed,
    )
