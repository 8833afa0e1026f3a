"""How many games each law is tried with."""

import os

from hypothesis import HealthCheck, settings

# `make laws` sets it: so many of each law, game, variant and number of seats.
WANTED = int(os.environ.get("ANPAI_LAW_EXAMPLES", "0"))


def examples(number: int) -> settings:
    """So many in a quick run."""
    return settings(
        max_examples=WANTED or number,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
