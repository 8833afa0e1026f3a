"""The strategies by name; the first is the usual one."""

from clients.bots.at_random import at_random
from clients.bots.sharp import sharp
from clients.bots.steady import steady
from clients.bots.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "steady": steady,
    "random": at_random,
    "sharp": sharp,
}
USUAL = "steady"
# Seconds that a strategy needs for a thought, in a thread of its own; the others none.
NEEDS = {"sharp": 1.5}


def strategy_named(name: str) -> Strategy:
    """The strategy of this name; the usual one for a name nobody here knows."""
    return STRATEGIES.get(name, STRATEGIES[USUAL])
