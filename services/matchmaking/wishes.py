"""A wish as it came, made good: filled in, or refused. Pure."""

import re
from dataclasses import replace

from services.chassis.errors import invalid
from services.matchmaking.games import Game, Variant
from services.matchmaking.ticket import Wish
from services.matchmaking.timings import HOUR

STRATEGY = re.compile(r"[a-z0-9_-]{0,32}")
# Who may look on, as the contract numbers it.
UNSAID, OPEN, DELAYED, NOBODY = range(4)
MOST_BEHIND = 200
REQUEST_ID = re.compile(r"[!-~]{8,64}")


def made_good(wish: Wish, game: Game) -> Wish:
    """A wish for this game, in the one form equal wishes have. INVALID_FIELD."""
    variant = game.variant(wish.variant)
    if variant is None:
        raise invalid("variant", game.variant_names)
    if wish.seats not in variant.seats:
        raise invalid("seats", [*map(str, variant.seats)])
    if wish.bots >= wish.seats:
        raise invalid("bots", f"0-{wish.seats - 1}")
    if not STRATEGY.fullmatch(wish.strategy):
        raise invalid("bot_strategy", "up to 32 of a-z, 0-9, _ and -")
    if wish.bots_after_ms is not None and not 0 <= wish.bots_after_ms <= HOUR:
        raise invalid("bots_after", "0s to 3600s")
    meets_bots = wish.bots or wish.bots_after_ms is not None
    return replace(
        wish,
        variant=variant.name,
        strategy=wish.strategy if meets_bots else "",
        also=good_alternatives(wish, variant),
        teams=variant.teams,
    )


def for_the_queue(wish: Wish) -> Wish:
    """The house settles who may look on. INVALID_FIELD."""
    if wish.spectating or wish.behind:
        raise invalid("spectating", "")
    return wish


def for_a_room(wish: Wish) -> Wish:
    """Whoever makes it says who may look on. INVALID_FIELD."""
    if wish.spectating not in (UNSAID, OPEN, DELAYED, NOBODY):
        raise invalid("spectating", ["OPEN", "DELAYED", "NONE"])
    most = MOST_BEHIND if wish.spectating == DELAYED else 0
    if wish.behind > most:
        raise invalid("spectators_behind", f"0-{most}")
    return wish


def good_alternatives(wish: Wish, variant: Variant) -> tuple[int, ...]:
    """Each once, with a seat for somebody besides the bots."""
    possible = [seats for seats in variant.seats if seats > wish.bots]
    if not set(wish.also) <= set(possible):
        raise invalid("other_seats", [*map(str, possible)])
    return tuple(dict.fromkeys(each for each in wish.also if each != wish.seats))


def request_id(given: str) -> str:
    if not REQUEST_ID.fullmatch(given):
        raise invalid("request_id", "8 to 64 printable ASCII characters")
    return given
