"""What operators do is a line in the log: who, what, to which table or player, why."""

import structlog

from services.chassis.errors import invalid
from services.chassis.tokens import caller

log = structlog.get_logger()

LONGEST_REASON = 200
LONGEST_NAME = 64


def audited(did: str, **about: str | int) -> None:
    """A warning, so that it is kept where only those are. Before it is done: it may be
    done although nobody can tell."""
    log.warning("operator", who=caller().name[:LONGEST_NAME], did=did, **about)


def reason_in(text: str) -> str:
    """Why, as an operator says it. INVALID_FIELD."""
    if not 0 < len(text) <= LONGEST_REASON or not text.isprintable():
        raise invalid("reason", f"1-{LONGEST_REASON} printable characters in one line")
    return text
