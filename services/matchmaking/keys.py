"""The names of all that lies in the store. One hash tag: see "Why" in the README."""

PREFIX = "matchmaking:{queue}"

CHANNEL = f"{PREFIX}:changed"
"""Carries wake-ups: `queue`, `calls`, the id of a ticket, the key of a party or the id
of a table that has changed."""

POOLS = f"{PREFIX}:pools"
DUE = f"{PREFIX}:due"
CHANGES = f"{PREFIX}:changes"
LEAD = f"{PREFIX}:lead"

NEWS = f"{PREFIX}:news"
NEWS_READER = f"{PREFIX}:news-reader"


def ticket(ticket_id: str) -> str:
    return f"{PREFIX}:ticket:{ticket_id}"


def queue(pool: str) -> str:
    return f"{PREFIX}:queue:{pool}"


def crowd(pool: str) -> str:
    return f"{PREFIX}:crowd:{pool}"


def open_tickets(player: str) -> str:
    return f"{PREFIX}:open:{player}"


def seats(player: str) -> str:
    return f"{PREFIX}:seats:{player}"


def table(table_id: str) -> str:
    return f"{PREFIX}:table:{table_id}"


def ticket_rate(player: str) -> str:
    return f"{PREFIX}:ticket-rate:{player}"


def room_rate(player: str) -> str:
    return f"{PREFIX}:room-rate:{player}"


def room(code: str) -> str:
    return f"{PREFIX}:room:{code}"


def room_request(player: str, request_id: str) -> str:
    return f"{PREFIX}:room-request:{player}:{request_id}"


def party(code: str) -> str:
    return f"{PREFIX}:party:{code}"


def party_request(player: str, request_id: str) -> str:
    return f"{PREFIX}:party-request:{player}:{request_id}"


def party_rate(player: str) -> str:
    return f"{PREFIX}:party-rate:{player}"


def party_of(player: str) -> str:
    return f"{PREFIX}:party-of:{player}"


def calls(game: str) -> str:
    return f"{PREFIX}:calls:{game}"


def call(call_id: str) -> str:
    return f"{PREFIX}:call:{call_id}"


# ---- ratings: a hash tag for each variant, nothing of it belongs with the queue ------


def ratings(variant: str) -> str:
    return f"matchmaking:{{ratings/{variant}}}"


def rating(variant: str, player: str) -> str:
    return f"{ratings(variant)}:of:{player}"


def board(variant: str) -> str:
    return f"{ratings(variant)}:board"


def last_rated(variant: str) -> str:
    return f"{ratings(variant)}:last"


def rated_table(variant: str, table_id: str) -> str:
    return f"{ratings(variant)}:done:{table_id}"
